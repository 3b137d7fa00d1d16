//! The book of a game: a small game in each format, every shipped game without a slip of the markup.

use std::path::Path;
use std::sync::Arc;

use adjutant::shipped;
use adjutant_engine::render::pack::{PaperSize, pack};
use adjutant_engine::render::paper::{Format, game_book};
use adjutant_engine::render::view::View;
use adjutant_engine::ruleset::{FileText, Ruleset, load};

use crate::kit::Table;

fn file(path: &str) -> Ruleset {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(&path).unwrap();
    load(vec![FileText { name: "game.toml".into(), text, scenario: None }]).unwrap()
}

#[test]
fn a_small_game_in_each_format() {
    let ruleset = Arc::new(file("docs/examples/volley.toml"));
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false,
        snapshot_path => "snapshots/proof" }, {
        for format in Format::all() {
            insta::assert_snapshot!(format.name, game_book(&ruleset).print(*format, 80));
        }
    });
}

/// A call that leaves a default out is a call of the rule like any other, and one by itself is none.
#[test]
fn rules_are_reached_from_whatever_calls_them() {
    let text = r#"
[game]
title = "T"
[kind.man]
hits = { from = 0, to = 9, title = "hits" }
[rule.strike]
takes = "man: man, hard: 0..3"
default = { hard = '1' }
after = 'man.hits += hard; if man.hits < 3 { strike(man, hard) }'
[rule.wave]
usage = "wave <man:man>"
after = 'strike(man)'
[rule.echo]
takes = "man: man"
after = 'if man.hits > 3 { echo(man) }'
"#;
    let file = FileText { name: "t.toml".into(), text: text.to_owned(), scenario: None };
    let text = game_book(&Arc::new(load(vec![file]).unwrap())).print(Format::TEXT, 80);
    let of = |name: &str| text.lines().find(|line| line.contains(name)).unwrap_or_default();
    assert!(of("  strike  ").ends_with("strike  wave"), "{text}");
    assert!(of("  echo  ").ends_with("REACHED BY NOTHING"), "{text}");
}

/// Sees that every element is closed in order, and that nothing stands for a mark that is none.
fn well_formed(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        assert!(open.last() == Some(&"style") || !text.contains('>'), "a stray mark in {text:?}");
        for entity in text.split('&').skip(1) {
            let name = entity.split(';').next().unwrap();
            assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "&{entity}");
        }
        let (tag, behind) = tag[1..].split_once('>').unwrap();
        let name = tag.split([' ', '/']).find(|w| !w.is_empty()).unwrap();
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "in {html}"),
            None if ["meta", "br"].contains(&name) || tag.ends_with('/') => {}
            None => open.push(name),
        }
        assert!(!matches!(name, "script" | "iframe" | "object" | "link" | "img"), "{name}");
        rest = behind;
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_shipped_game_renders_in_each_format() {
    let mut chances = 0;
    for name in shipped::names() {
        let ruleset = Arc::new(load(shipped::files(&name).unwrap()).unwrap());
        for format in Format::all() {
            let called = format.name;
            let sheet = game_book(&ruleset).print(*format, 80);
            assert!(!sheet.contains(|c: char| c.is_control() && c != '\n'), "{name} as {called}");
            for rule in &ruleset.schema.rules {
                let start: String =
                    rule.title.chars().take_while(|c| c.is_alphanumeric()).collect();
                assert!(sheet.contains(&start), "{name} as {called} lacks {}", rule.title);
            }
            chances += sheet.matches('%').count();
        }
        well_formed(&game_book(&ruleset).print(Format::HTML, 80));
    }
    assert!(chances > 100, "{chances}");
}

/// Every scenario of every game: the text of each player's briefing, and a card for each unit, are in its pack.
#[test]
fn every_scenario_has_a_pack_to_print() {
    let mut briefings = 0;
    for name in shipped::names() {
        let ruleset = std::sync::Arc::new(load(shipped::files(&name).unwrap()).unwrap());
        for scenario in &ruleset.scenarios {
            let table = Table::at(&name, &scenario.name, "candle");
            let session = table.session();
            let view = View::of_session(session, session.board(), 80);
            for size in PaperSize::ALL {
                let html = pack(&view, scenario, size, &[]);
                well_formed(&html);
                assert!(html.contains(&format!("@page{{size:{};", size.name())));
                briefings += contents_hold(&html);
                // The type of the quick reference can be read at a table.
                let size = html.split(".reference{font-size:").nth(1).unwrap();
                let size: f64 = size.split_once("pt").unwrap().0.parse().unwrap();
                assert!((7.0..=10.0).contains(&size), "{name}: {size} pt");
            }
        }
    }
    // On three sizes of paper.
    assert!(briefings >= 3 * 20, "{briefings}");
}

/// Checks that the contents of a pack number the sections as their headings do, and that the sections that are handed
/// out begin a page. Returns the number of briefings.
fn contents_hold(html: &str) -> usize {
    let contents = html.split("<li><a href=\"#part").skip(1);
    let contents: Vec<&str> = contents
        .map(|item| item.split_once('>').unwrap().1.split_once("</a>").unwrap().0)
        .collect();
    let sections: Vec<(&str, &str)> = html
        .split("<section id=\"part")
        .skip(1)
        .map(|section| {
            let (_, section) = section.split_once(" class=\"").unwrap();
            let (class, section) = section.split_once("\">\n<h2>").unwrap();
            (class, section.split_once("</h2>").unwrap().0)
        })
        .collect();
    let numbered =
        contents.iter().enumerate().map(|(index, title)| format!("{} {title}", index + 1));
    let headings: Vec<&str> = sections.iter().map(|(_, heading)| *heading).collect();
    assert_eq!(headings, numbered.collect::<Vec<_>>());
    let begins_page = |title: &str, class: &str| {
        assert!(class.split(' ').any(|word| word == "sheet"), "{title} does not begin a page");
    };
    let reference = contents.iter().position(|title| *title == "Quick reference").unwrap();
    begins_page(contents[reference], sections[reference].0);
    // What is cut out does not share a page with it.
    if let Some((class, title)) = sections.get(reference + 1) {
        begins_page(title, class);
    }
    let briefings = sections.iter().filter(|(_, heading)| heading.contains("Briefing: "));
    briefings.inspect(|(class, title)| begins_page(title, class)).count()
}

#[test]
fn marks_in_names_and_texts_are_words() {
    let text = r#"
[game]
title = "<script>alert('x')</script> & \"|\" `*`"
author = "</body>"
[kind.man]
hits = { from = 0, to = 3, title = "<b>|</b>" }
[rule.shoot]
title = "Shoot | <i>"
cite = "p. <1>"
usage = "shoot <man:man>"
roll = '1d6'
needs = '>= 4'
pass_say = "a | <b>"
pass = 'if man.hits < 3 and man.hits > 0 { man.hits += 1 }'
"#;
    let file = FileText { name: "x".into(), text: text.into(), scenario: None };
    let ruleset = Arc::new(load(vec![file]).unwrap());
    let html = game_book(&ruleset).print(Format::HTML, 80);
    well_formed(&html);
    assert!(html.contains("&lt;script&gt;") && html.contains("man.hits &lt; 3"), "{html}");
    let markdown = game_book(&ruleset).print(Format::MARKDOWN, 80);
    assert!(markdown.contains("\\<b\\>\\|\\</b\\>"), "{markdown}");
}

#[test]
fn operands_are_bracketed_and_phrases_do_not_grow_without_end() {
    let nested = format!("{}unit.men{}", "twice(".repeat(30), ")".repeat(30));
    let text = format!(
        r#"
[game]
title = "Guns"
[kind.gun]
[kind.unit]
men = {{ from = 0, to = 12, start = 4 }}
piece = {{ of = "gun" }}
[scenario.s.pieces.unit]
u1 = {{}}
[define.twice]
takes = "n: whole"
is = 'n + n'
says = "{{n}}{{n}}"
[define.helper]
takes = "of: unit"
is = 'of.piece'
says = "the gun of {{of}}"
[rule.fire]
usage = "fire <unit:unit> [with <gun:gun>]"
require = [
  {{ that = 'gun = none', because = "a" }},
  {{ that = 'helper(unit) = none', because = "b" }},
]
roll = '1d6'
needs = '>= (unit.men mod 3) * 4 + (unit.men + 1) * 2 / 4'
[rule.grow]
usage = "grow <unit:unit>"
roll = '1d6'
needs = '>= {nested}'
"#
    );
    let file = FileText { name: "guns".into(), text, scenario: None };
    let mut table = Table::by("guns", &[file], "", "candle");
    let told = table.types("rule fire");
    for part in ["(the remainder of the unit’s men divided by 3) × 4", "× 2) ÷ 4"] {
        assert!(told.contains(part), "no `{part}` in {told}");
    }
    assert!(told.contains("the gun is not given") && told.contains("there is no gun of"), "{told}");
    let told = table.types("rule grow");
    assert!(told.contains("‘twice(") && told.len() < 10_000, "{}", told.len());
}
