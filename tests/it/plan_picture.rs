//! The plan as a picture: whole, readable without colour, and with nothing in it that its viewer may not see.

use adjutant_engine::referee::Viewer;
use adjutant_engine::render::transcript::{Format, transcript};

use crate::kit::{self, Table};

/// One of the example games.
pub(crate) fn example(name: &str) -> Table {
    let path = kit::path(&format!("docs/examples/{name}.toml"));
    Table::by(name, &[kit::file(name, std::fs::read_to_string(path).unwrap())], "", "candle")
}

/// Fails unless every element of a document is closed in its place and every text is escaped.
pub(crate) fn well_formed(xml: &str) {
    let void = ["rect", "path", "meta", "link", "br", "circle", "use", "line", "polyline", "img"];
    let mut open: Vec<&str> = Vec::new();
    for tag in xml.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').unwrap_or_else(|| panic!("`<{tag}` has no end"));
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        let is_code = matches!(name, "style" | "script");
        assert!(is_code || !text.contains('>'), "a bare `>` in `{text}`");
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "in {xml}"),
            None if tag.ends_with('/') || tag.starts_with('!') || void.contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?} left open");
}

fn picture(table: &mut Table, line: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.svg");
    let shown = table.types(&line.replace("FILE", &file.display().to_string())).to_owned();
    assert!(shown.contains("written to "), "{shown}");
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn a_plan_is_a_picture_with_every_area_marker_and_stand() {
    let mut table = Table::of("blitz");
    let picture = self::picture(&mut table, "map --svg FILE");
    well_formed(&picture);
    for words in ["ground", "level 1", "a1 #", "c1.1 #", ">F3<", ">S<", "pump1", "officer"] {
        assert!(picture.contains(words), "{words} is missing in {picture}");
    }
    // What has no room on its area stands below.
    assert!(picture.contains("d3: pump1 t3 t4 t5"), "{picture}");
    let upper = self::picture(&mut table, "map 1 --svg FILE");
    assert!(!upper.contains("ground") && upper.contains("level 1"));
    let written = table.refuses("map --svg");
    assert!(written.contains("to which file?"), "{written}");
    assert!(table.refuses("map --svg a.svg 2").contains("nothing may follow the name of the file"));
}

#[test]
fn hexes_head_where_they_head_and_walls_are_drawn() {
    let mut table = example("plain-sail");
    let picture = self::picture(&mut table, "map --svg FILE");
    well_formed(&picture);
    // A counter turns: east is three sides of six from the top.
    assert!(picture.contains("rotate(90)") && picture.contains(">wyvern<"), "{picture}");
    assert!(!picture.contains("class=\"wall\""));
    // A wall takes two areas apart.
    let mut table = Table::of("blitz");
    table.types("set c3.beside b3");
    assert!(self::picture(&mut table, "map --svg FILE").contains("class=\"wall\""));
}

#[test]
fn a_side_is_drawn_what_it_may_see() {
    let mut table = example("night-raid");
    assert!(self::picture(&mut table, "map --svg FILE").contains("mine1"));
    assert!(!self::picture(&mut table, "map --svg FILE as raid").contains("mine1"));
}

#[test]
fn the_transcript_of_an_evening_draws_dice_and_plans() {
    let mut table = Table::of("blitz");
    for _ in 0..12 {
        table.types("next !");
    }
    let session = table.session();
    let page = transcript(session, Format::HTML, &Viewer::Umpire).unwrap();
    well_formed(&page);
    assert!(page.contains("class=\"die") && page.contains("class=\"pips\""), "{page}");
    // What changed since the turn before is marked, and nothing comes from anywhere else.
    let turn = page.split("the plan as turn 2 begins").nth(1).unwrap();
    assert!(turn.contains("<svg class=\"plan\"") && turn.contains("class=\"new\""), "{turn}");
    assert!(!page.contains("<script") && !page.contains("http"));
}

#[test]
fn the_page_of_an_evening_is_one_to_keep() {
    let mut table = Table::of("blitz");
    table.types("players Anna, <b>Ben</b>\nplayers Anna, Tom & Ben\nnext");
    table.types("set c3.fire 1\nnext to spread\nnext");
    let page = |table: &Table, viewer| transcript(table.session(), Format::HTML, &viewer).unwrap();
    let going_on = page(&table, Viewer::Players);
    well_formed(&going_on);
    assert!(going_on.contains("<p><span>played by Anna, Tom &amp; Ben</span></p>"), "{going_on}");
    // A measure that changed is drawn turn by turn.
    let chart = going_on.split("<svg class=\"chart\"").nth(1).unwrap();
    assert!(chart.contains("aria-label=\"Areas burning: 2, 5, 5\""), "{chart}");
    assert!(
        !going_on.contains("Vehicles and pumps out of action:") && !going_on.contains("verified")
    );
    table.types("reveal");
    let over = page(&table, Viewer::Players);
    assert!(over.contains("What was verified") && over.contains("everything is correct"), "{over}");
    // Only pages have pictures.
    let text = transcript(table.session(), Format::TEXT, &Viewer::Players);
    assert!(!text.unwrap().contains("svg"));
}

#[test]
fn without_measures_pieces_are_counted() {
    let mut table = example("night-raid");
    table.types("next\nnote one\nremove mine1");
    let page = |viewer| transcript(table.session(), Format::HTML, &viewer).unwrap();
    let umpire = page(Viewer::Umpire);
    assert!(umpire.contains("aria-label=\"Pieces of guard: "), "{umpire}");
    assert!(!page(Viewer::Side("raid".to_owned())).contains("Pieces of guard"));
}

#[test]
fn one_sign_stands_for_one_thing() {
    let text = r#"
[game]
title = "Signs"
[kind.plot]
plan = true
fire = { flag = true, sign = "x" }
mud = { flag = true, sign = "x" }
[[scenario.s.level]]
plan = "--"
[scenario.s.legend]
"-" = {}
"#;
    let mut table = Table::by("signs", &[kit::file("signs", text)], "", "candle");
    let drawn = table.types("set a1.fire on\nset b1.mud on\nmap");
    assert!(drawn.contains("x fire, M mud"), "{drawn}");
}

const LOOKS: &str = r##"
[game]
title = "Looks"
[words.side]
values = ["us", "them"]
[sides]
are = "side"
colours = ["blue", "red"]
[kind.plot]
plan = true
ground = { one_of = ["road", "pond"], colour = ["grey", "blue"] }
fire = { from = 0, to = 3, marker = "die", colour = "red" }
[kind.crew]
glyph = "people"
at = { of = "plot", marker = "stand" }
side = { one_of = "side" }
hurt = { flag = true, marker = "hurt", sign = "!" }
[kind.rope]
route = { of = "plot", many = true, line = true, colour = "green", marker = "rope" }
[[scenario.s.level]]
plan = """
rrrrrrrrrrrrrrrrrrrrrrrrrp
rrrrrrrrrrrrrrrrrrrrrrrrrp"""
[[scenario.s.level]]
plan = """
..........................
...r......................"""
[scenario.s.legend]
r = { ground = "road" }
p = { ground = "pond" }
[scenario.s.pieces.crew]
ann = { at = "b1", side = "us" }
bob = { at = "c1", side = "them" }
cat = { at = "d1", side = "us" }
dan = { at = "d1", side = "them" }
[scenario.s.pieces.rope]
line1 = { route = ["b1", "b2", "c2"] }
"##;

#[test]
fn the_picture_has_the_looks_that_are_declared() {
    let mut table = Table::by("looks", &[kit::file("looks", LOOKS)], "", "candle");
    table.types("set a1.fire 2\nset ann.hurt on");
    let picture = self::picture(&mut table, "map --svg FILE");
    well_formed(&picture);
    for look in [
        "class=\"g g0 c-grey\"",
        "class=\"g g1 c-blue\"",
        "class=\"badge c-red\"",
        "class=\"stand c-blue\"",
        "class=\"stand c-red\"",
        ">ann !<",
        "class=\"route c-green\"",
        ">d2.1 ",
    ] {
        assert!(picture.contains(look), "{look} is missing in {picture}");
    }
    // The line leads over three areas: down, then to the right.
    let route = picture.split("class=\"route c-green\" d=\"").nth(1).unwrap();
    let route = route.split('"').next().unwrap();
    assert_eq!(route.matches('L').count(), 2, "{route}");
    // The level over the one house is as wide as that house: it begins beside the ground.
    let ground = picture.split(">ground<").next().unwrap();
    assert!(!ground.contains("level 1"));
    let level = picture.split(">level 1<").next().unwrap().rsplit("x=\"").next().unwrap();
    assert!(level.starts_with("2640\""), "{level}");
}

#[test]
fn twenty_six_columns_fit_eighty_and_sides_differ() {
    let mut table = Table::by("looks", &[kit::file("looks", LOOKS)], "", "candle");
    table.types("set a1.fire 2");
    let drawn = table.types("map").to_owned();
    let rows: Vec<&str> = drawn.lines().collect();
    let first = rows.iter().find(|row| row.starts_with("   1 ")).unwrap();
    // All columns are in one row of letters: the fire, a crew of each side, both, and the letters of the legend.
    assert_eq!(first.split_whitespace().count(), 27, "{drawn}");
    assert!(first.split_whitespace().collect::<String>().starts_with("1F@&*rrr"), "{drawn}");
    assert!(first.ends_with('p') && first.len() <= 80, "{drawn}");
    assert!(drawn.contains("@ us, & them") && drawn.contains("d1 @cat &dan"), "{drawn}");
}

#[test]
fn a_game_of_rings_and_sectors_has_its_web() {
    let mut table = Table::of("mtb");
    let before = self::picture(&mut table, "map --svg FILE");
    well_formed(&before);
    for words in ["starboard-beam", "outer", "class=\"stand c-blue\"", "rotate("] {
        assert!(before.contains(words), "{words} is missing in {before}");
    }
    // One ring without sectors, and two of eight.
    assert_eq!(before.matches("class=\"g g3 c-blue\"").count(), 17);
}
