//! Models of the games, written from the rule books alone, judge what the program throws, adds and changes over random
//! turns. Faults planted in a ruleset are found by its model.

use adjutant::shipped;
use adjutant_engine::ruleset::FileText;

use crate::kit::typist::Typist;
use crate::kit::{Table, file};

#[path = "../models/blitz.rs"]
mod blitz;

/// Streets, stores and a house of three levels.
const BLOCK: &str = r##"
title = "A block to burn"
[legend]
"#" = { surface = "building" }
"S" = { surface = "building", stairs = true }
"B" = { surface = "building", store = "wood" }
"O" = { surface = "building", store = "oil" }
"T" = { surface = "open", store = "wood" }
"=" = { surface = "road" }
[[level]]
plan = """
S#B=##
##=O#S
==T===
#S=BT#
##==S#"""
[[level]]
plan = """
S##.B#
##..#S
......
#S.#.#
##..##"""
[[level]]
plan = """
##....
#...##
......
#....."""
"##;

/// Plays random turns of BLITZ! with these files. Returns what the model finds wrong, of the first game with a fault.
fn burn(files: &[FileText], games: u64) -> Vec<String> {
    let mut files = files.to_vec();
    files.push(FileText { scenario: Some("block".into()), ..file("block.toml", BLOCK) });
    for game in 0..games {
        let mut typist = Typist::new(game + 1);
        let mut table = Table::by("blitz", &files, "block", &format!("block {game}"));
        let winds =
            [None, Some(("west", (1, 0))), Some(("north", (0, 1))), Some(("east", (-1, 0)))];
        let wind = winds[typist.below(winds.len())];
        table.types("set state.all-clear on");
        if let Some((from, _)) = wind {
            table.types(&format!("set state.wind strong\nset state.wind-from {from}"));
        }
        let names = table.session().table().names();
        let areas: Vec<String> = names.map(|(name, ..)| name.to_owned()).collect();
        let bare = blitz::Model::of(table.session(), None);
        for area in areas.iter().filter(|area| bare.flammable(area)) {
            let line = match typist.below(8) {
                0 | 1 => format!("set {area}.fire {}", typist.below(5) + 1),
                2 => format!("set {area}.damp {}", typist.below(5) + 1),
                3 => format!("set {area}.embers on"),
                4 if area.len() > 2 => format!("set {area}.damage {}", typist.below(4) + 1),
                _ => continue,
            };
            table.types(&line);
        }
        let mut model = blitz::Model::of(table.session(), wind.map(|(_, towards)| towards));
        for _ in 0..40 {
            let lines = match typist.below(4) {
                0 => {
                    let area = areas[typist.below(areas.len())].as_str();
                    let crew =
                        ["", " tired", " exhausted", " two-crews", " unmanned"][typist.below(5)];
                    match model.dampness(area) {
                        None => format!("stream {area} range {}{crew}", typist.below(3) + 1),
                        Some(5) => continue,
                        Some(_) if typist.below(3) == 0 => format!("incendiary {area}"),
                        Some(_) => format!("soak {area}"),
                    }
                }
                _ => "next".to_owned(),
            };
            table.types(&lines);
            match lines.split_once(' ') {
                Some(("incendiary", area)) => model.incendiary(area),
                Some(("soak", area)) => model.soak(area),
                _ => {
                    let events = table.session().entries().last().unwrap().outcome.events.clone();
                    model.judge(&lines, &events);
                }
            }
            model.compare(&lines, table.session());
            if !model.wrong.is_empty() {
                return model.wrong;
            }
        }
    }
    Vec::new()
}

#[test]
fn the_fires_of_blitz_are_those_of_the_book() {
    let wrong = burn(&shipped::files("blitz").unwrap(), 20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "200 games of forty commands: a minute"]
fn the_fires_of_blitz_are_those_of_the_book_long() {
    let wrong = burn(&shipped::files("blitz").unwrap(), 200);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is written in the ruleset, and the fault that is planted in its place.
const PLANTED: [(&str, &str); 7] = [
    ("by = '+1', when = 'place.store = wood'", "by = '+2', when = 'place.store = wood'"),
    ("by = '-1', when = 'into.embers'", "by = '+1', when = 'into.embers'"),
    ("needs    = '<= 1'", "needs    = '<= 2'"),
    ("total - into.damp <= from.fire", "total <= from.fire"),
    ("needs    = '>= 12'", "needs    = '>= 11'"),
    ("where self.stairs or self.fire >= 4", "where self.stairs or self.fire >= 3"),
    ("by = '-1', when = 'range = 3'", "by = '-2', when = 'range = 3'"),
];

#[test]
fn faults_planted_in_blitz_are_found_by_its_model() {
    for (written, planted) in PLANTED {
        let mut files = shipped::files("blitz").unwrap();
        assert!(files.iter().any(|file| file.text.contains(written)), "{written}");
        for file in &mut files {
            file.text = file.text.replace(written, planted);
        }
        assert!(!burn(&files, 40).is_empty(), "`{planted}` is not found");
    }
}
