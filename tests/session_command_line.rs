//! Sessions by the command line: kept, listed, resumed, verified; and what a bad disk says.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::Path;

use assert_cmd::Command;

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/skirmish");

fn adjutant(home: &Path, arguments: &[&str], lines: &str) -> (i32, String, String) {
    let out = Command::cargo_bin("adjutant")
        .unwrap()
        .args(arguments)
        .env("XDG_DATA_HOME", home)
        .env("HOME", home)
        .write_stdin(lines)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    // Errors are broken to the width of the screen.
    let error: Vec<String> = text(out.stderr).split_whitespace().map(str::to_owned).collect();
    (out.status.code().unwrap(), text(out.stdout), error.join(" "))
}

#[test]
fn a_game_is_kept_resumed_and_verified() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let (code, ..) = adjutant(
        home,
        &["play", GAME, "--seed", "candle", "--session", "club"],
        "next\nstrike c3\nsave evening\n",
    );
    assert_eq!(code, 0);
    let (_, list, _) = adjutant(home, &["sessions"], "");
    assert!(list.starts_with("evening  turn 1, just now  last: strike c3"), "{list}");
    let (code, out, err) = adjutant(home, &["resume", "even"], "undo\nredo\nwhy a1\n");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("takes back 2: strike c3"), "{out}");
    let (code, out, _) = adjutant(home, &["verify", "evening"], "");
    assert_eq!(code, 0);
    assert!(out.contains("all is as it should be: 3 commands"), "{out}");
    let (_, text, _) = adjutant(home, &["transcript", "evening"], "");
    let play = &["play", GAME, "--seed", "candle", "--session", "again"];
    let (code, _, err) = adjutant(home, play, &text);
    assert_eq!((code, err.as_str()), (0, ""));
    let (_, again, _) = adjutant(home, &["transcript", "again"], "");
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|l| !l.starts_with('#')).map(str::to_owned).collect()
    };
    assert_eq!(lines(&again), lines(&text));
    let (code, _, err) = adjutant(home, &["resume", "nobody"], "");
    assert_eq!(code, 1);
    assert!(err.contains("there is no session `nobody`"), "{err}");
    let (code, _, err) = adjutant(home, play, "next\n");
    assert_eq!(code, 1);
    assert!(err.contains("there is a session `again` already"), "{err}");
}

#[test]
fn a_damaged_session_is_refused_and_recovered() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    adjutant(home, &["play", GAME, "--session", "club"], "next\nstrike c3\nstrike b2\n");
    let journal = home.join("adjutant/sessions/club/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap().replacen("strike c3", "strike c2", 1);
    fs::write(&journal, text).unwrap();
    let (code, _, err) = adjutant(home, &["resume", "club"], "");
    assert_eq!(code, 1);
    assert!(err.contains("line 3 of") && err.contains("the 1 command before it"), "{err}");
    let arguments = ["resume", "club", "--recover", "rescued"];
    let (code, out, _) = adjutant(home, &arguments, "log\n");
    assert_eq!(code, 0);
    assert!(out.contains("   1  next") && !out.contains("strike"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_place_that_cannot_be_written_is_told() {
    let home = tempfile::tempdir().unwrap();
    // A file where the folder should be.
    let taken = home.path().join("taken");
    fs::write(&taken, "").unwrap();
    let (code, _, err) = adjutant(&taken, &["play", GAME], "next\n");
    assert_eq!(code, 1);
    assert!(err.contains("the session cannot be kept") && err.contains("--in-memory"), "{err}");
    let (code, out, err) = adjutant(&taken, &["play", GAME, "--in-memory"], "next\n");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("turn 1"), "{out}");
}

#[test]
fn a_game_in_which_nothing_happened_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    adjutant(home.path(), &["play", GAME], "show\n");
    let (_, list, _) = adjutant(home.path(), &["sessions"], "");
    assert!(list.contains("no session has been kept yet"), "{list}");
}
