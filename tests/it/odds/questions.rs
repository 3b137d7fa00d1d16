//! What can be asked besides a line: a condition, several lines, a phase to go on to, a piece that can't act now.
//!
//! The expected values are worked out by hand from the rules below: a shot hits with 5 or 6, two hits sink in the
//! phase of damage, a ram sinks at once with a 6.

use serde_json::Value;

use crate::kit::{Table, adjutant, blocks, file};

const RULES: &str = r#"
[game]
title = "Duel"

[kind.ship]
plural = "ships"
prefix = "s"
hits  = { from = 0, to = 9, marker = "red die" }
fate  = { one_of = ["afloat", "sunk"], marker = "wreck", says = "fate" }
fired = { flag = true }

[state]
wind = { from = 0, to = 99 }

[rule.fire]
usage   = "fire <from:ship> at <to:ship>"
phases  = ["fire"]
require = [{ that = 'not from.fired', because = "{from} has fired" }]
before  = 'from.fired = true'
roll    = '1d6'
needs   = '>= 5'
pass    = 'to.hits += 1'

[rule.ram]
usage   = "ram <from:ship> at <to:ship>"
require = [{ that = 'to.fate != sunk', because = "{to} is sunk" }]
roll    = '1d6'
needs   = '>= 6'
pass    = 'to.fate = sunk'

[rule.boast]
usage = "boast <who:ship>"
after = 'say "{who} boasts"; refuse "nobody listens"'
[rule.swagger]
usage = "swagger <who:ship>"
after = '''
say "{who} swaggers"
if roll 1d2 = 1 { refuse "nobody listens" }
'''

[rule.stumble]
usage = "stumble <who:ship>"
after = '''
who.hits += 1
refuse "{who} stumbles"
'''

[rule.drift]
usage = "drift"
after = '''
let far = roll 9d1000
if far > 0 { state.wind = 1 }
'''

[[phase]]
name = "fire"
[[phase]]
name = "calm"
skip = 'true'
[[phase]]
name = "damage"
do = 'each s in ships where s.hits >= 2 { s.fate = sunk }'

[scenario.start]
title = "Three ships"
[scenario.start.pieces.ship]
ann = {}
bea = {}
cat = {}
"#;

/// The answers to `odds` before each line, in the phase of fire.
fn ask(before: &str, line: &str) -> Result<Value, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duel.toml");
    std::fs::write(&path, RULES).unwrap();
    let lines = format!("next\n{before}odds {line}\n");
    let program = adjutant(["play", path.to_str().unwrap(), "--seed", "one", "--json"]);
    let output = program.stdin(lines).output();
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let last = document["replies"].as_array().unwrap().last().unwrap();
    match last["answers"].as_array().and_then(|answers| answers.last()) {
        Some(answer) if last["error"].is_null() => Ok(answer.clone()),
        _ => Err(last["error"].to_string()),
    }
}

fn chance(line: &str) -> String {
    let answer = ask("", line).unwrap();
    assert_eq!(answer["exact"], true, "{answer}");
    answer["probability"]["fraction"].as_str().unwrap().to_owned()
}

#[test]
fn a_condition_gives_one_probability() {
    assert_eq!(chance("fire ann at cat for cat.hits >= 1"), "1/3");
    assert_eq!(chance("fire ann at cat for not cat.hits >= 1"), "2/3");
    assert_eq!(chance("ram ann at cat for sunk"), "1/6");
    assert_eq!(chance("ram ann at cat for cat sunk"), "1/6");
    assert_eq!(chance("ram ann at cat for bea sunk"), "0");
    // The marker counts as well as the word, and so does a count.
    assert_eq!(chance("fire ann at cat for red die"), "1/3");
    assert_eq!(chance("fire ann at cat for (count s in ships where s.hits > 0) = 0"), "2/3");
}

#[test]
fn a_word_asks_for_what_is_not_so_yet() {
    let answer = ask("set bea.fate sunk\n", "ram ann at cat for sunk").unwrap();
    assert_eq!(answer["probability"]["fraction"], "1/6");
}

#[test]
fn several_lines_are_played_one_after_the_other() {
    let answer = ask("", "fire ann at cat; fire bea at cat").unwrap();
    let parts = answer["parts"].as_array().unwrap();
    let hits = parts.iter().find(|part| part["what"] == "cat hits").unwrap();
    let chances: Vec<&str> = hits["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value["probability"]["fraction"].as_str().unwrap())
        .collect();
    assert_eq!(chances, ["4/9", "4/9", "1/9"]);
}

#[test]
fn play_goes_on_to_a_phase() {
    assert_eq!(chance("fire ann at cat; fire bea at cat for sunk"), "0");
    assert_eq!(chance("fire ann at cat; fire bea at cat until damage for sunk"), "1/9");
    assert_eq!(chance("fire ann at cat; next for state.phase = damage"), "1");
    assert_eq!(chance("fire ann at cat until turn for state.turn = 2"), "1");
    let skipped = ask("", "fire ann at cat until calm").unwrap_err();
    assert!(skipped.contains("skipped"), "{skipped}");
}

#[test]
fn a_later_line_that_is_refused_is_left_out() {
    // The second ram is refused if the first has sunk the ship.
    let answer = ask("", "ram ann at cat; ram bea at cat for sunk").unwrap();
    assert_eq!(answer["probability"]["fraction"], "11/36");
    assert_eq!(answer["passed_over"][0]["line"], 2);
    assert_eq!(answer["passed_over"][0]["reason"], "cat is sunk");
    assert_eq!(answer["passed_over"][0]["always"], false);
    let answer = ask("", "fire ann at cat; fire ann at cat for cat.hits = 1").unwrap();
    assert_eq!(answer["probability"]["fraction"], "1/3");
    assert_eq!(answer["passed_over"][0]["always"], true);
    // What a line changes before it is refused is taken back.
    let answer = ask("", "fire ann at cat; stumble bea for bea.hits >= 1").unwrap();
    assert_eq!(answer["probability"]["fraction"], "0");
}

#[test]
fn a_later_line_that_is_refused_says_nothing() {
    let alone = ask("", "fire ann at cat").unwrap();
    let answer = ask("", "fire ann at cat; boast bea").unwrap();
    assert_eq!(answer["exact"], true);
    assert_eq!(answer["words"], alone["words"]);
    assert_eq!(answer["endings"], alone["endings"]);
    // What was said before a roll is already part of both ways, so this is sampled.
    let answer = ask("", "fire ann at cat; swagger bea").unwrap();
    assert_eq!(answer["exact"], false);
    let words = answer["words"].as_array().unwrap();
    let swaggers = words.iter().find(|one| one["words"] == "bea swaggers").unwrap();
    let chance = swaggers["probability"]["decimal"].as_f64().unwrap();
    assert!((chance - 0.5).abs() < 0.02, "{chance}");
}

#[test]
fn odds_are_told_of_a_piece_that_cannot_act_now() {
    let answer = ask("set ann.fired yes\n", "fire ann at cat for cat.hits = 1").unwrap();
    assert_eq!(answer["refused_now"], "ann has fired");
    assert_eq!(answer["probability"]["fraction"], "1/3");
    let answer = ask("set ann.fired yes\n", "fire ann at cat").unwrap();
    assert_eq!(answer["refused_now"], "ann has fired");
}

#[test]
fn what_is_too_much_is_sampled_and_says_so() {
    let answer = ask("", "drift; fire ann at cat for cat.hits >= 1").unwrap();
    assert_eq!(answer["exact"], false);
    let decimal = answer["probability"]["decimal"].as_f64().unwrap();
    // Three times the margin of 95 in 100 cases; the samples are always the same.
    let margin = answer["margin"].as_f64().unwrap();
    assert!(margin > 0.0 && (decimal - 1.0 / 3.0).abs() < 3.0 * margin, "{answer}");
}

/// Whatever machine it is, and whatever else it does.
#[test]
fn the_effort_is_counted_in_steps() {
    let line = "drift; fire ann at cat for cat.hits >= 1";
    let runs = |question: &str| ask("", question).unwrap()["basis"]["runs"].as_u64().unwrap();
    let usual = runs(line);
    assert_eq!(runs(line), usual);
    assert_eq!(runs(&format!("effort 3 {line}")), 3 * usual);
    assert_eq!(runs(&format!("exactly --effort 2 {line}")), 2 * usual);
    for wrong in ["0", "101", "much"] {
        let error = ask("", &format!("effort {wrong} {line}")).unwrap_err();
        assert!(error.contains("from 1 to 100"), "{error}");
    }
}

#[test]
fn what_is_no_condition_is_explained() {
    let error = |line: &str| ask("", line).unwrap_err();
    assert!(error("ram ann at cat for sunken").contains("not a condition"));
    assert!(error("ram ann at cat for cat.hits").contains("not a condition"));
    assert!(error("ram ann at cat; roll d6").contains("`odds` takes only one pool of dice"));
    assert!(error("ram ann at cat until dinner").contains("there is no phase `dinner`"));
}

/// The lines of the table in the documents are accepted, and exact.
#[test]
fn the_documented_questions_are_answered() {
    let document =
        std::fs::read_to_string(crate::kit::path("docs/odds-and-simulation.md")).unwrap();
    let rows = document.lines().filter_map(|row| row.strip_prefix("| `odds "));
    let lines: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert!(lines.len() >= 4, "{lines:?}");
    for line in lines {
        assert_eq!(ask("", line).unwrap()["exact"], true, "{line}");
    }
}

/// The examples of the documents print what stands below them. `UPDATE_BOOK=1` writes it there, to be read over.
#[test]
fn the_documented_examples_print_what_is_written() {
    let place = crate::kit::path("docs/odds-and-simulation.md");
    let document = std::fs::read_to_string(&place).unwrap();
    let rules = blocks(&document, "toml").concat();
    let files = [file("alley.toml", rules.as_str())];
    let consoles = blocks(&document, "console");
    assert!(consoles.len() >= 3, "{consoles:?}");
    let mut written = document.clone();
    for block in consoles {
        let printed = Table::by("alley", &files, "", "odds").retype(block);
        written = written.replacen(block, &format!("{}\n", printed.trim_end()), 1);
    }
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(&place, &written).unwrap();
    } else {
        assert!(document == written, "{written}");
    }
}
