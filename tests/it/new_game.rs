//! `adjutant new`: whatever it is told, what it writes passes the check without a warning and can be played.

use std::path::Path;

use crate::kit::{Test, adjutant};

/// A run in a folder, which keeps its sessions, too.
fn run(folder: &Path, arguments: &[&str]) -> Test {
    adjutant(arguments).folder(folder).home(folder)
}

#[test]
fn every_starter_passes_the_check_and_can_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for dice in ["1d6", "2d6", "3d6", "1d10", "1d20", "1d100"] {
        for table in ["open", "grid"] {
            let name = format!("{dice}-{table}.toml");
            run(folder, &["new", &name, "--dice", dice, "--table", table]).status(0);
            let check = run(folder, &["check", &name]).success();
            assert!(check.contains("no errors\n"), "{check}");
            let shot = if table == "grid" { "" } else { " range 10" };
            let lines = format!(
                "next\nnext\nshoot anna at david{shot}\nshoot david anna{shot}\nundo\nnext\n"
            );
            let play = ["play", &name, "--seed", "x", "--in-memory"];
            let played = run(folder, &play).stdin(lines.as_str()).success();
            assert!(played.contains("anna → david"), "{played}");
            assert!(played.contains("turn 2 · 1 movement"), "{played}");
        }
    }
}

#[test]
fn every_style_of_turn_passes_the_check_and_is_played_at_random() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let dice = [("2d6", "red, blue"), ("1d6", "french british"), ("1d20", "a,b,c,d")];
    let mut dice = dice.iter().cycle();
    for table in ["open", "grid", "hex"] {
        for turn in ["together", "fixed", "initiative", "alternation"] {
            let (dice, sides) = dice.next().unwrap();
            let name = format!("{table}-{turn}.toml");
            let choice = ["--dice", dice, "--table", table, "--sides", sides, "--turn", turn];
            run(folder, &[&["new", &name], &choice[..]].concat()).success();
            let check = run(folder, &["check", &name, "--play", "10"]).success();
            assert!(check.contains("no errors\n"), "{check}");
        }
    }
    for (sides, reason) in [
        ("red", "two to four"),
        ("red, red", "cannot be the sides"),
        ("if, or", "cannot be the sides"),
    ] {
        let new = run(folder, &["new", "x.toml", "--sides", sides]).status(2);
        assert!(new.stderr.contains(reason), "{}", new.stderr);
    }
}

#[test]
fn titles_are_written_as_text_whatever_they_hold() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let title = "Bell \"&\" <Book>, \\ 'and' {{dice}} {candle}";
    let new = ["new", "deep/in/odd.toml", "--title", title, "--author", "A \"B\" C"];
    run(folder, &new).status(0);
    run(folder, &["check", "deep/in/odd.toml"]).success();
    let rules = run(folder, &["rules", "--json", "deep/in/odd.toml"]).success();
    let rules: serde_json::Value = serde_json::from_str(&rules).unwrap();
    assert_eq!(rules["title"], title);
    let first = std::fs::read_to_string(folder.join("deep/in/odd.toml")).unwrap();
    assert!(first.starts_with("#:schema ./ruleset.schema.json\n"));
    assert!(folder.join("deep/in/ruleset.schema.json").is_file());
    let new = ["new", "bad.toml", "--title", "one\ntwo"];
    assert!(run(folder, &new).status(2).stderr.contains("control characters"));
    assert!(!folder.join("bad.toml").exists());
}

#[test]
fn nothing_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let said = run(folder, &["new", "ridge-and-ford"]).success();
    assert!(said.contains("written: ridge-and-ford/game.toml"), "{said}");
    let text = std::fs::read_to_string(folder.join("ridge-and-ford/game.toml")).unwrap();
    assert!(text.contains("title  = \"Ridge And Ford\""), "{text}");
    let again = run(folder, &["new", "ridge-and-ford"]).failure();
    assert!(again.contains("already exists"), "{again}");
    // A second file in the folder would be read as part of the same ruleset.
    std::fs::rename(folder.join("ridge-and-ford/game.toml"), folder.join("ridge-and-ford/a.toml"))
        .unwrap();
    let again = run(folder, &["new", "ridge-and-ford"]).failure();
    assert!(again.contains("already contains a ruleset"), "{again}");
    std::fs::write(folder.join("plain"), "").unwrap();
    let file = run(folder, &["new", "plain"]).failure();
    assert!(file.contains("is a file"), "{file}");
}

#[test]
fn dice_that_fit_no_starter_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for dice in ["1d4", "4d6kh3", "dF", "999999999d6", "\u{1b}[31m"] {
        let new = run(folder.path(), &["new", "x.toml", "--dice", dice]).status(2);
        let said = new.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("cannot be the dice of a new game"), "{said}");
        assert!(said.contains("up to 20 plain dice") && !said.contains("\u{1b}[31m"), "{said}");
    }
    assert!(!folder.path().join("x.toml").exists());
}

#[test]
fn no_rule_of_the_starter_hides_a_word_of_the_console() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, &["new", "mine"]).status(0);
    let text = std::fs::read_to_string(folder.join("mine/game.toml")).unwrap();
    for line in text.lines() {
        let Some(rule) = line.strip_prefix("[rule.").and_then(|l| l.strip_suffix(']')) else {
            continue;
        };
        assert!(!adjutant_engine::console::is_word(rule), "{rule}");
    }
}

#[test]
fn a_shipped_game_is_exported_and_takes_a_scenario_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let written = run(folder, &["export", "house-clearing", "mine"]).success();
    assert!(written.contains("written: mine"), "{written}");
    assert!(run(folder, &["check", "mine"]).success().contains("no errors\n"));
    let again = run(folder, &["export", "house-clearing", "mine"]).status(1);
    assert!(again.stderr.contains("`mine` already exists"), "{}", again.stderr);
    let scenario = "mine/scenarios/1-window-and-doorway.toml";
    std::fs::copy(folder.join(scenario), folder.join("2-club.toml")).unwrap();
    let play = ["play", "house-clearing", "--scenario", "2-club.toml", "--in-memory"];
    assert!(run(folder, &play).stdin("setup\n").success().contains("attackers"));
}
