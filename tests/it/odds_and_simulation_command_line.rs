//! `adjutant odds` and `adjutant simulate` as they are typed: what is printed, the keys of their documents, and
//! that what is too much ends in words.

use std::path::Path;

use serde_json::Value;

use crate::kit::{Test, adjutant};

fn document(arguments: &[&str]) -> Value {
    adjutant(arguments).json()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn fits(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn odds_of_dice_fit_the_screen() {
    let shown = adjutant(["odds", "3d6+5>=18", "2d6", "100d6", "4d6kh3", "1d6-1"]).success();
    fits(&shown);
    insta::assert_snapshot!(shown);
}

#[test]
fn the_document_of_odds() {
    let odds = document(&["odds", "--json", "3d6+5>=18"]);
    assert_eq!(keys(&odds), ["distribution", "expression", "mean", "probability", "sd"]);
    assert_eq!(keys(&odds["probability"]), ["decimal", "fraction"]);
    assert_eq!(odds["probability"]["fraction"], "7/27");
    assert!((odds["probability"]["decimal"].as_f64().unwrap() - 7.0 / 27.0).abs() < 1e-12);
    let odds = document(&["odds", "--json", "2d6"]);
    assert_eq!(keys(&odds), ["distribution", "expression", "mean", "sd"]);
    let first = &odds["distribution"][0];
    assert_eq!(keys(first), ["probability", "value", "weight"]);
    assert_eq!((&first["value"], &first["weight"]), (&Value::from(2), &Value::from("1")));
    assert_eq!(odds["mean"], 7.0);
    let both = document(&["odds", "--json", "1d6", "1d8"]);
    assert_eq!(both["odds"].as_array().unwrap().len(), 2);
}

#[test]
fn options_stand_before_or_after_dice() {
    for dice in ["3d6+5", "-1", "-d6+7", "-(2d6)", "-floor(d6/2)"] {
        for command in ["odds", "roll"] {
            let seed = ["--seed", "x"];
            let seed = if command == "roll" { &seed[..] } else { &[] };
            let before = [&["--json", command][..], seed, &[dice]].concat();
            let behind = [&[command, dice, "--json"][..], seed].concat();
            let between = [&[command, "--color", "never"][..], seed, &[dice, "--json"]].concat();
            let wanted = document(&before);
            assert_eq!(document(&behind), wanted, "{dice}");
            assert_eq!(document(&between), wanted, "{dice}");
        }
    }
    let both = document(&["odds", "-1", "--json", "-2"]);
    assert_eq!(both["odds"][0]["mean"], -1.0);
    assert_eq!(both["odds"][1]["mean"], -2.0);
    assert_eq!(document(&["odds", "--json", "--", "-1"])["mean"], -1.0);
    adjutant(["odds", "3d6", "-h"]).stdout_has("Examples:").success();
    adjutant(["odds", "3d6", "--jsn"]).status(2);
    adjutant(["games", "-1"]).status(2);
}

#[test]
fn what_is_too_much_is_told() {
    for (expression, reason) in [
        ("999999999d6", "1 to 10000"),
        ("1000000#d6", "^"),
        ("1d999999999", "^"),
        ("2d1!", "^"),
        ("3d6r<=6", "^"),
        ("1d6/0", "^"),
        ("1d6/(1d6-1d6)", "^"),
        ("999999999999999999999d6", "^"),
        ("10000d1000000", "different results"),
        ("10000d10000", ""),
        ("(100d1000000)*(100d1000000)", ""),
        ("10000d1000kh5000", "too long"),
    ] {
        let refused = adjutant(["odds", expression]).status(1);
        let message = refused.stderr;
        assert!(
            message.starts_with("error: ") && message.contains(reason),
            "{expression}: {message}"
        );
        assert_eq!(refused.stdout, "");
    }
}

/// Only what does not hang on the clock.
fn figures(threads: &str) -> Value {
    let arguments =
        ["simulate", "blitz", "--turns", "5", "--games", "50", "--seed", "one", "--json"];
    let simulated = document(&[&arguments[..], &["--threads", threads]].concat());
    let told = keys(&simulated);
    let wanted = [
        "ends",
        "from",
        "game",
        "games",
        "games_per_second",
        "measures",
        "orders",
        "refusals",
        "rules",
        "scenario",
        "seconds",
        "seed",
        "threads",
        "title",
        "turns",
    ];
    assert_eq!(told, wanted);
    assert_eq!(simulated["threads"].to_string(), threads);
    without_clock(simulated)
}

#[test]
fn a_scenario_in_a_file_of_its_own_is_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("3-our-street.toml");
    std::fs::copy("rulesets/blitz/scenarios/1-lamb-alley.toml", &file).unwrap();
    let played = |scenario: &str| {
        let line = ["simulate", "blitz", "--turns", "1", "--games", "5", "--seed", "one"];
        without_clock(document(&[&line[..], &["--json", "--scenario", scenario]].concat()))
    };
    let (own, shipped) = (played(&file.to_string_lossy()), played("lamb-alley"));
    assert_eq!(own["scenario"], "our-street");
    assert_eq!(own["measures"], shipped["measures"]);
}

fn without_clock(mut simulated: Value) -> Value {
    for key in ["seconds", "games_per_second", "threads"] {
        simulated.as_object_mut().unwrap().remove(key);
    }
    simulated
}

#[test]
fn figures_are_the_same_whatever_the_number_of_threads() {
    let one = figures("1");
    assert_eq!(one["seed"], "one");
    assert_eq!(one["measures"][0]["by_turn"].as_array().unwrap().len(), 6);
    assert_eq!(one, figures("2"));
    assert_eq!(one, figures("3"));
}

/// Plays a study of 91 games in shards, written to a folder, and returns their files.
fn shards(folder: &Path, count: u64, more: &[&str]) -> Vec<String> {
    let size = 91 / count;
    let shard = |at: u64| {
        let games = if at + 1 == count { 91 - at * size } else { size };
        let (from, games) = ((at * size).to_string(), games.to_string());
        let arguments = ["--turns", "4", "--json", "--from", &from, "--games", &games];
        let file = format!("{count}-{at}.json");
        let printed = adjutant([&["simulate"], more, &arguments].concat()).success();
        std::fs::write(folder.join(&file), printed).unwrap();
        file
    };
    (0..count).map(shard).collect()
}

fn merge(folder: &Path, files: &[String]) -> Test {
    adjutant(["simulate", "merge"]).args(files).folder(folder)
}

#[test]
fn shards_give_the_figures_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["mtb", "house-clearing"] {
        let study = [game, "--seed", "wide"];
        let arguments = ["--turns", "4", "--games", "91"];
        let one = [&["simulate"], &study[..], &arguments].concat();
        let (text, whole) = (adjutant(&one).success(), adjutant(&one).args(["--json"]).json());
        for count in [1, 2, 7] {
            let mut files = shards(folder.path(), count, &study);
            // The order in which they are named does not matter.
            files.reverse();
            let merged = merge(folder.path(), &files).args(["--json"]).json();
            assert_eq!(without_clock(merged), without_clock(whole.clone()), "{game}, {count}");
            assert_eq!(merge(folder.path(), &files).success(), text, "{game}, {count}");
        }
    }
}

#[test]
fn only_shards_of_one_study_are_put_together() {
    let kept = tempfile::tempdir().unwrap();
    let folder = kept.path();
    let mut files = shards(folder, 7, &["mtb", "--seed", "wide"]);
    let third = files.remove(2);
    merge(folder, &files)
        .stderr_has("error: `7-3.json` comes after games 26 to 38, which are missing\n")
        .stderr_has("play them with `--from 26 --games 13`\n")
        .status(1);
    // Shards that were put together are a shard.
    let put = merge(folder, &files[..2]).args(["--json"]).success();
    std::fs::write(folder.join("first.json"), put).unwrap();
    let rest = [&["first.json".to_owned(), third][..], &files[2..]].concat();
    merge(folder, &rest).stdout_has("91 games of 4 turns\n").status(0);
    merge(folder, &files[3..]).stdout_has("39 games of 4 turns, starting with game 52").status(0);
    let twice = [files[0].clone(), files[0].clone()];
    merge(folder, &twice).stderr_has("plays game 0 a second time").status(1);
    for (other, key) in [
        (["mtb", "--seed", "narrow", "--orders", "standing"], "seed"),
        (["mtb", "--seed", "wide", "--orders", "none"], "orders"),
        (["tarr", "--seed", "wide", "--orders", "none"], "scenario"),
    ] {
        let strange = tempfile::tempdir().unwrap();
        shards(strange.path(), 7, &other);
        std::fs::copy(folder.join("7-0.json"), strange.path().join("ours.json")).unwrap();
        let both = ["ours.json".to_owned(), "7-1.json".to_owned()];
        let reason = format!("`7-1.json` belongs to another study: its `{key}` differs");
        merge(strange.path(), &both).stderr_has(&reason).status(1);
    }
    let damaged = std::fs::read_to_string(folder.join("7-0.json")).unwrap();
    let damaged = damaged.replace("\"games\": 13", "\"games\": 14");
    std::fs::write(folder.join("7-0.json"), damaged).unwrap();
    merge(folder, &files[..1]).stderr_has("its counts do not add up").status(1);
    merge(folder, &["none.json".to_owned()]).stderr_has("cannot be read").status(1);
    merge(folder, &[]).status(2);
    adjutant(["simulate", "merge", "Cargo.toml"]).stderr_has("is not what `simulate").status(1);
    adjutant(["simulate"]).status(2);
    adjutant(["simulate", "mtb", "--from", "10"]).stderr_has("--seed").status(2);
}

#[test]
fn every_game_is_simulated_with_its_standing_orders_and_without() {
    for game in ["blitz", "firefight", "house-clearing", "mtb", "tarr"] {
        for orders in ["none", "standing"] {
            let arguments = ["--turns", "3", "--games", "20", "--seed", "x", "--orders", orders];
            let simulated = adjutant([&["simulate", game][..], &arguments].concat()).status(0);
            // No progress where nobody sees it.
            assert_eq!(simulated.stderr, "");
            let shown = simulated.stdout;
            fits(&shown);
            assert!(shown.contains("20 games of 3 turns") && shown.contains('*'), "{shown}");
            assert!(!shown.contains("broken off"), "{game}: {shown}");
        }
    }
}

#[test]
fn a_simulation_fits_the_screen() {
    let arguments = ["simulate", "mtb", "--turns", "6", "--games", "100", "--seed", "harbour"];
    insta::assert_snapshot!(adjutant(arguments).success());
}

#[test]
fn a_picture_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fires.svg");
    let file = path.to_string_lossy();
    let arguments = ["simulate", "blitz", "--turns", "4", "--games", "20", "--seed", "x", "--svg"];
    adjutant([&arguments[..], &[&file]].concat()).status(0);
    let picture = std::fs::read_to_string(&path).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    let nowhere = folder.path().join("no/such/folder.svg");
    adjutant([&arguments[..], &[&nowhere.to_string_lossy()]].concat())
        .stderr_has("cannot write")
        .status(1);
}
