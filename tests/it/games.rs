//! The pages of the games are true: each element of the rules has its id there, the examples named are in the ruleset
//! and show what is said of them, and the lines of each turn in short can be typed as they stand.

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant::shipped;
use adjutant_engine::check;
use adjutant_engine::ruleset::{Example, load};

use crate::kit::Table;

/// The games, what their ids begin with, and the numbers of the rules, figures (E), readings (I) and reconstructions (R).
const GAMES: [(&str, &str, &str); 5] = [
    (
        "blitz",
        "BL",
        "01-24 25.1-17 26-28 35-58 60-68 70-91 100-111 120-131 140-150 160-174 E01-16 I01-31 I34 I36-40",
    ),
    (
        "firefight",
        "FF",
        "01-06 10-16 20-27 30-38 40-57 60-73 75-78 80 82-83 90-98 100-104 106-108 110 E01-18 I01-15",
    ),
    ("house-clearing", "HC", "01-16 20-36 E01-10 I01-10"),
    ("mtb", "MTB", "01-13 20-24 30-34 40-52 60-72 E01-12 I01-30 R1-8"),
    (
        "tarr",
        "TR",
        "01-06 10-12 30-37 40-54 60-66 68 70-78 80-88 90-92 95-112 114 116 120-121 130 140 E01-15 I01-31",
    ),
];

fn page(game: &str) -> String {
    let path = format!("{}/docs/games/{game}.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// All ids of a list such as `01-03 E01-02`.
fn ids(prefix: &str, list: &str) -> Vec<String> {
    let of = |part: &str| {
        let before =
            part.find('.').map_or(usize::from(part.starts_with(['E', 'I', 'R'])), |dot| dot + 1);
        let (letter, numbers) = part.split_at(before);
        let (from, to) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let range = from.parse::<u32>().unwrap()..=to.parse().unwrap();
        let name = |n| format!("{prefix}-{letter}{n:0width$}", width = from.len());
        range.map(name).collect::<Vec<_>>()
    };
    list.split(' ').flat_map(of).collect()
}

/// A row of a table of a page: its first cell, what is said of the rule, and what shows it.
struct Row {
    ids: String,
    carried: String,
    shown: String,
}

fn rows(page: &str, prefix: &str) -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let (ids, rest) = cells.split_first()?;
        let (shown, carried) = rest.split_last()?;
        let (ids, carried) = ((*ids).to_owned(), carried.join(" "));
        ids.starts_with(prefix).then(|| Row { ids, carried, shown: (*shown).to_owned() })
    };
    page.lines().filter(|line| line.starts_with('|')).filter_map(row).collect()
}

/// The titles, or beginnings of titles, that stand in quotes.
fn quoted(text: &str) -> Vec<&str> {
    let curly = text.split('“').skip(1).filter_map(|part| part.split('”').next());
    let straight = text.split('"').skip(1).step_by(2);
    curly.chain(straight).map(|title| title.trim_end_matches('…').trim_end()).collect()
}

/// The ids in a text; `E01` is short for `FF-E01`.
fn ids_in(text: &str, prefix: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.')));
    let id = |word: &str| match word.strip_prefix('E') {
        Some(number) if number.len() == 2 && number.parse::<u32>().is_ok() => {
            Some(format!("{prefix}-{word}"))
        }
        _ => word.starts_with(&format!("{prefix}-")).then(|| word.to_owned()),
    };
    words.filter_map(id).collect()
}

fn is_called(example: &Example, beginning: &str) -> bool {
    let title = example.title.as_str();
    title.starts_with(beginning)
        || title.strip_prefix("… ").is_some_and(|rest| rest.starts_with(beginning))
}

/// Returns true if an example shows a rule, or a part of one: `BL-25.3` is a part of `BL-25`.
fn shows_one_of(example: &Example, ids: &[String]) -> bool {
    example.shows.iter().any(|shown| {
        let whole = shown.split('.').next().unwrap();
        ids.iter().any(|id| id == shown || id == whole)
    })
}

/// Whether a text holds a word as it stands.
fn says(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|w| w == word)
}

#[test]
fn each_element_of_the_rules_has_its_id() {
    for (game, prefix, list) in GAMES {
        let page = page(game);
        let there: BTreeSet<String> = ids_in(&page, prefix).into_iter().collect();
        let lacking: Vec<String> =
            ids(prefix, list).into_iter().filter(|id| !there.contains(id)).collect();
        assert!(lacking.is_empty(), "docs/games/{game}.md lacks {lacking:?}");
        let ruleset = load(shipped::files(game).unwrap()).map_err(|f| f.faults).unwrap();
        for example in &ruleset.examples {
            let unknown =
                example.shows.iter().find(|id| id.starts_with(prefix) && !there.contains(*id));
            assert_eq!(unknown, None, "{game}: “{}”", example.title);
        }
    }
}

#[test]
fn the_examples_of_the_pages_show_what_is_said_of_them() {
    let mut wrong = Vec::new();
    for (game, prefix, _) in GAMES {
        let ruleset = Arc::new(load(shipped::files(game).unwrap()).map_err(|f| f.faults).unwrap());
        let report = check::check(&ruleset, None);
        assert_eq!(report.passed, report.examples, "{game}");
        for Row { ids, carried, shown } in rows(&page(game), prefix) {
            let mut found: Vec<&Example> = Vec::new();
            for title in quoted(&shown) {
                let called: Vec<&Example> =
                    ruleset.examples.iter().filter(|e| is_called(e, title)).collect();
                if called.is_empty() {
                    wrong.push(format!("{game} {ids}: no example “{title}”"));
                } else if !called.iter().any(|example| shows_one_of(example, &ids_in(&ids, prefix)))
                {
                    wrong.push(format!("{game} {ids}: “{title}” shows none of them"));
                }
                found.extend(called);
            }
            for id in ids_in(&shown, prefix) {
                let shows = ruleset.examples.iter().filter(|e| e.shows.contains(&id));
                let before = found.len();
                found.extend(shows);
                if found.len() == before && !shown.contains("see") {
                    wrong.push(format!("{game} {ids}: no example shows {id}"));
                }
            }
            let marks = [
                ("rolled", found.iter().any(|e| !e.dice.is_empty() || !e.draws.is_empty())),
                ("refused", found.iter().any(|e| e.refused.is_some())),
                ("reminded", found.iter().any(|e| report.reminding.contains(&e.title))),
            ];
            for (mark, _) in marks.iter().filter(|(mark, holds)| says(&carried, mark) && !holds) {
                wrong.push(format!("{game} {ids}: nothing named in it is {mark}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_turn_in_brief_can_be_typed_in_the_first_scenario() {
    for (game, ..) in GAMES {
        let page = page(game);
        let (_, section) = page.split_once("\n## A turn in brief\n").unwrap();
        let section = section.split("\n## ").next().unwrap();
        let (_, seed) = section.split_once("--seed ").unwrap();
        let seed: String = seed.chars().take_while(char::is_ascii_alphanumeric).collect();
        let lines = section.lines().filter_map(|line| line.strip_prefix("    "));
        let lines: Vec<&str> = lines.map(|line| line.split("  ").next().unwrap()).collect();
        assert!(lines.len() >= 12, "{game}: {lines:?}");
        Table::at(game, "", &seed).types(&lines.join("\n"));
    }
}
