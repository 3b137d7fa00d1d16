//! Journals of version 1, as the first release wrote them, still load, verify and go on.
//!
//! `tests/fixtures/journals-1/NAME` holds a session's folder, and beside it the transcript and the verdict that were
//! printed at the time. A transcript may have gained lines since; none of dice or changes may be lost.

use std::fs;
use std::path::Path;

use adjutant::session_folder;
use adjutant_engine::ruleset::{self, FileText};

use crate::kit::adjutant;

/// What a command printed, if it went well.
fn printed(home: &Path, arguments: &[&str], lines: &str) -> String {
    adjutant(arguments).home(home).stdin(lines).success()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|e| (e.path(), e.file_name())).unwrap();
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// Returns the lines, each whole: where one is broken is not what is compared.
fn whole(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("#      "), lines.last_mut()) {
            (Some(rest), Some(last)) => {
                *last = format!("{last} {}", rest.trim()).replace(" ;", ";");
            }
            // Heads are new.
            _ => lines.push(match line.split_once(" · head ") {
                Some((turn, _)) => format!("{turn} =="),
                None => line.to_owned(),
            }),
        }
    }
    lines
}

/// Returns the first line that does not come after those before it. What the hands do when something is taken back
/// is told more fully now.
fn missing(expected: &str, found: &str) -> Option<String> {
    let mut found = whole(found).into_iter();
    let (mut taken_back, mut more) = (false, false);
    whole(expected).into_iter().find(|line| {
        taken_back &= line.starts_with('#');
        taken_back |= line.starts_with("# takes back");
        let hands = line.starts_with("# On the table:") || line.starts_with("#                ");
        let counts = !taken_back || !hands;
        // Of what is done again, and of an amendment that is taken back, more is told than one line.
        let begins =
            ["# again ", "# takes back the amendment "].iter().any(|w| line.starts_with(w));
        more = begins || more && line.starts_with("#     ");
        let short = line.split(" — ").next().unwrap_or(line);
        counts && begins == more && !found.any(|f| f == *line || begins && f.starts_with(short))
    })
}

#[test]
fn a_session_begun_earlier_numbers_hidden_pieces_as_it_did() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/journals-2/mines");
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    copy(&kept.join("session"), &home.join("adjutant/sessions/mines"));
    let played = printed(home, &["resume", "mines"], "lay ann\n");
    assert!(played.contains("ann lays mine4"), "{played}");
    let verified = printed(home, &["verify", "mines"], "");
    assert!(verified.contains("all is as it should be: 5 commands"), "{verified}");
    // So it does by rules that are read again, now and when the journal is.
    let path = home.join("adjutant/sessions/mines");
    let text = fs::read_to_string(path.join("ruleset/00-mines.toml")).unwrap();
    let text = text.replace("Mines by night", "Mines at noon");
    let files = vec![FileText { name: "mines.toml".into(), text, scenario: None }];
    let rules = ruleset::load(files.clone()).unwrap();
    let mut session = session_folder::open(&path, 0).unwrap().session;
    session.reload(&files, rules.into(), 0).unwrap();
    drop(session);
    assert!(printed(home, &["resume", "mines"], "lay ann\n").contains("ann lays mine5"));
    let verified = printed(home, &["verify", "mines"], "");
    assert!(verified.contains("all is as it should be: 6 commands"), "{verified}");
    // A new one counts each side by itself.
    let rules = kept.join("session/ruleset/00-mines.toml");
    let lines = "lay ann\nlay bob\nadd mine force=red\n";
    let played = printed(home, &["play", rules.to_str().unwrap(), "--session", "new"], lines);
    let names = ["ann lays red-mine1", "bob lays blue-mine1", "red-mine2: a new mine"];
    assert!(names.iter().all(|name| played.contains(name)), "{played}");
}

#[test]
fn every_journal_loads_verifies_and_goes_on() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/journals-1");
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let mut journals = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let (kept, name) = entry.map(|e| (e.path(), e.file_name().into_string().unwrap())).unwrap();
        copy(&kept.join("session"), &home.join("adjutant/sessions").join(&name));
        for (command, file) in [("transcript", "transcript.txt"), ("verify", "verify.txt")] {
            let expected = fs::read_to_string(kept.join(file)).unwrap();
            let found = printed(home, &[command, &name], "");
            // Version 1 does not tell whose throw it was, so luck is not told by side.
            let expected = expected.split("# == the dice ==").next().unwrap();
            // What is told beside the verdict has grown.
            let counts = |line: &&str| match command {
                // Words that were mixed in later stand where they were said. A look is taken back with the command beside
                // it, so that there are fewer lines to type; what each took back is told.
                "transcript" => {
                    !line.starts_with("# the players' words from command")
                        && !["undo", "redo"].contains(line)
                }
                _ => line.starts_with("all is as"),
            };
            let expected = expected.lines().filter(counts).collect::<Vec<_>>().join("\n");
            assert_eq!(missing(&expected, &found), None, "{command} of {name}:\n{found}");
        }
        printed(home, &["resume", &name], "note on it goes\nundo\nredo\nundo 2\nredo 2\n");
        printed(home, &["verify", &name], "");
        printed(home, &["resume", &name], "undo to 1\n");
        printed(home, &["verify", &name], "");
        journals += 1;
    }
    assert!(journals >= 10, "{journals}");
}
