//! `check --play`: rulesets played at random are clean, and faults planted in copies of them are found.

use std::sync::Arc;

use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::check::play::{PlayOptions, PlayReport, USUAL_LENGTH, play};
use adjutant_engine::diagnostic::Severity;
use adjutant_engine::ruleset::{FileText, load};

use crate::kit::{adjutant, cases, file};

/// A game that is one of the examples of the documents, or comes with the program.
fn files(game: &str) -> Vec<FileText> {
    let example = cases("docs/examples", "toml").into_iter().find(|(name, _)| name == game);
    match example {
        Some((name, text)) => vec![file(&format!("{name}.toml"), text)],
        None => shipped::files(game).unwrap(),
    }
}

fn played(files: Vec<FileText>, games: u64) -> PlayReport {
    let ruleset = load(files).unwrap_or_else(|faulty| panic!("{:?}", faulty.faults));
    let options = PlayOptions {
        games,
        length: USUAL_LENGTH,
        seed: Seed::from_text("check"),
        reports_unreached: true,
        compares_secrets: false,
    };
    play(&Arc::new(ruleset), &options, &mut |_| true)
}

const EXAMPLES: [&str; 3] = ["air-duel", "cards", "volley"];
const DIVIDED: &str = "before = 'let planted = 10 / (state.turn - state.turn)'\n";
const REFUSED: &str = "require = [{ that = 'state.turn < 0', because = \"never\" }]\n";

/// Faults planted: the game, what stands in it, what is written instead, and words of what is found. What ends in a line
/// end is kept, and the rest put behind it.
const PLANTED: [(&str, &str, &str, &str); 32] = [
    ("air-duel", "plane.left >= 2'", "plane.left >= 20'", "`climb`"),
    ("air-duel", "'plane.side != target.side'", "'plane.side != plane.side'", "`shoot`"),
    ("air-duel", "end    = 'drift()'", "end    = 'refuse \"fly on\"'", "`flying` never ends"),
    ("air-duel", "do     = 'ready()'", "do     = 'if state.turn < 0 { ready() }'", "`ready`"),
    ("air-duel", "name   = \"shooting\"\n", "skip   = 'state.turn > 0'\n", "the phase `shooting`"),
    ("cards", "'not state.over', because", "'state.over', because", "`turn-card`"),
    ("cards", "if c = none { state.over = true; stop }", "", "an attribute of `none`"),
    (
        "cards",
        "fighter.active and fighter.empty'",
        "fighter.active and fighter.wounds > 9'",
        "`load`",
    ),
    ("cards", "inches <= fighter.gun.reach", "inches > 99", "`shoot`"),
    ("volley", "unit.formation != square'", "unit.men > 99'", "`charge`"),
    ("volley", "end    = 'test()'", "end    = 'test(); refuse \"once more\"'", "`fire` never ends"),
    (
        "volley",
        "skip  = 'no b in battalions: b.men > 0",
        "skip  = 'state.turn > 0 or no b in battalions: b.men > 0",
        "the phase `rally`",
    ),
    (
        "volley",
        "do    = 'clean-up()'",
        "do    = 'if state.turn > 999 { clean-up() }'",
        "`clean-up`",
    ),
    (
        "volley",
        "firing(unit.formation) / 4)'",
        "firing(unit.formation) / (unit.men - unit.men))'",
        "divided by zero",
    ),
    ("volley", "unit.formation != shape'", "unit.men > 99'", "`form`"),
    ("house-clearing", "[rule.roll-initiative]\n", DIVIDED, "divided by zero"),
    ("house-clearing", "[rule.uncrew]\n", DIVIDED, "divided by zero"),
    ("house-clearing", "[rule.stretch]\n", DIVIDED, "divided by zero"),
    ("house-clearing", "[rule.may-be-target]\n", DIVIDED, "divided by zero"),
    ("house-clearing", "[rule.step-ends]\n", REFUSED, "never ends"),
    ("house-clearing", "[rule.past-cover]\n", REFUSED, "`past-cover`"),
    ("mtb", "[rule.check-end]\n", DIVIDED, "divided by zero"),
    ("mtb", "[rule.swing]\n", DIVIDED, "divided by zero"),
    ("mtb", "[rule.open]\n", DIVIDED, "divided by zero"),
    ("mtb", "[rule.shift]\n", DIVIDED, "divided by zero"),
    ("mtb", "[rule.certificates]\n", REFUSED, "`certificates`"),
    (
        "firefight",
        "takes = \"who: soldier, cost: 0..48\"",
        "takes = \"who: soldier, cost: 0..3\"",
        "`cost` would be",
    ),
    ("firefight", "[rule.hit-roll]\n", DIVIDED, "divided by zero"),
    (
        "blitz",
        "  { that = 'team.at != none', because = \"{team} {are(team)} not on the table\" },\n  { that = 'place in team.at.beside'",
        "  { that = 'place in team.at.beside'",
        "an attribute of `none`",
    ),
    ("blitz", "[rule.leave-branch]\n", DIVIDED, "divided by zero"),
    ("tarr", "[rule.volley-dice]\n", DIVIDED, "divided by zero"),
    ("tarr", "[rule.wind-force]\n", DIVIDED, "divided by zero"),
];

fn every_planted_fault_is_found(in_games: impl Fn(&str) -> bool, games: u64) {
    for (game, there, instead, told) in PLANTED.into_iter().filter(|planted| in_games(planted.0)) {
        let mut files = files(game);
        let place = files.iter_mut().find(|f| f.text.contains(there));
        let place = place.unwrap_or_else(|| panic!("`{game}` has no `{there}`"));
        let text = match there.strip_suffix("]\n").or(there.strip_suffix("\"\n")) {
            Some(_) => format!("{there}{instead}"),
            None => instead.to_owned(),
        };
        place.text = place.text.replacen(there, &text, 1);
        let found = played(files, games).faults;
        let found: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert!(found.iter().any(|m| m.contains(told)), "{game}: {instead}: {found:?}");
    }
}

#[test]
fn planted_faults_are_found_and_nothing_else() {
    for game in EXAMPLES {
        let clean = played(files(game), 60);
        assert!(clean.faults.is_empty(), "{game}: {:?}", clean.faults);
        assert!(clean.lines > 1_000, "{game}: {}", clean.lines);
    }
    every_planted_fault_is_found(|game| EXAMPLES.contains(&game), 40);
}

#[test]
fn no_rule_of_the_games_fails_in_a_hundred_games() {
    for game in shipped::names() {
        let mut faults = played(files(&game), 100).faults;
        faults.retain(|fault| fault.severity == Severity::Error);
        assert!(faults.is_empty(), "{game}: {faults:?}");
    }
}

#[test]
fn the_same_seed_finds_the_same_and_shows_the_shortest_lines() {
    let folder = tempfile::tempdir().unwrap();
    let text = &files("volley")[0].text;
    let broken = text.replace("formation) / 4)'", "formation) / (unit.men - unit.men))'");
    std::fs::write(folder.path().join("volley.toml"), broken).unwrap();
    let check = || {
        adjutant(["check", "volley.toml", "--play", "20", "--json"]).folder(folder.path()).output()
    };
    let (first, second) = (check(), check());
    assert_eq!((first.code, &first.stdout), (1, &second.stdout));
    let document: serde_json::Value = serde_json::from_str(&first.stdout).unwrap();
    let ruleset = &document["rulesets"][0];
    assert_eq!(ruleset["played"]["games"], 20);
    let faults = ruleset["faults"].as_array().unwrap();
    let fault = faults.iter().find(|f| f["code"] == "fails-at-play").unwrap();
    assert!(faults.iter().all(|f| f["code"] != "never-reached"), "{faults:?}");
    let help = fault["help"].as_str().unwrap();
    assert!(help.lines().count() <= 5 && help.contains("\nvolley "), "{help}");
}

#[test]
#[ignore = "1,000 games of each ruleset, and of 32 with a fault: half an hour"]
fn planted_faults_are_found_in_a_thousand_games_long() {
    for game in EXAMPLES.into_iter().map(str::to_owned).chain(shipped::names()) {
        let clean = played(files(&game), 1_000);
        assert!(clean.faults.is_empty(), "{game}: {:?}", clean.faults);
    }
    every_planted_fault_is_found(|_| true, 1_000);
}
