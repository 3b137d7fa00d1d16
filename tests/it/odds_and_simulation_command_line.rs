//! `adjutant odds` and `adjutant simulate` as they are typed: what is printed, the keys of their documents, and
//! that what is too much ends in words.

use crate::kit::adjutant;
use serde_json::Value;

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
    let mut simulated = document(&[&arguments[..], &["--threads", threads]].concat());
    let told = keys(&simulated);
    let wanted = [
        "ends",
        "games",
        "games_per_second",
        "measures",
        "refusals",
        "seconds",
        "seed",
        "threads",
        "turns",
    ];
    assert_eq!(told, wanted);
    assert_eq!(simulated["threads"].to_string(), threads);
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
