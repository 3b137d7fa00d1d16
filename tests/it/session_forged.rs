//! Journals from strangers: every checksum right, and what they say impossible.

use std::fs;
use std::path::Path;

use adjutant::session_folder::{self, StoreError};
use adjutant_engine::render::transcript::{Format, transcript};
use adjutant_engine::session::{Record, SessionError};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::kit::LAYOUT;
use crate::kit::session::{begin, keep, open, state, type_line};
use crate::session_fields::{Journal, sealed, verdict};

/// A game of two commands on disk; its records without their checksums, and how it stands.
fn game(path: &Path) -> (Vec<Value>, Vec<String>) {
    let session = begin("candle");
    let mut session = keep(session, path);
    type_line(&mut session, "next", 1).unwrap();
    type_line(&mut session, "scout anna", 2).unwrap();
    let journal = fs::read_to_string(path.join("journal.jsonl")).unwrap();
    let records = journal.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record.as_object_mut().unwrap().remove("sum");
        record
    });
    (records.collect(), state(&session))
}

/// Writes records as a journal with checksums that are right, in the words of a program where there is such a record.
pub(crate) fn seal(path: &Path, records: &[Value]) {
    let lines = records.iter().map(|record| {
        let what = &record["do"];
        let written = match serde_json::from_value::<Record>(what.clone()) {
            Ok(record) => serde_json::to_string(&record).unwrap(),
            Err(_) => what.to_string(),
        };
        let [v, at, turn] = ["v", "at", "turn"].map(|key| &record[key]);
        let body = format!("\"v\":{v},\"at\":{at},\"turn\":{turn},\"do\":{written}}}");
        format!("{{\"len\":{},{body}", body.len())
    });
    seal_lines(path, &lines.collect::<Vec<_>>());
}

/// Writes objects without checksums as the lines of a journal with checksums that are right.
pub(crate) fn seal_lines(path: &Path, lines: &[String]) {
    let mut sum = "adjutant journal".to_owned();
    let mut journal = String::new();
    for json in lines {
        let rest = &json[1..];
        let digest = Sha256::digest(format!("{sum}{rest}"));
        sum = digest.iter().take(16).map(|b| format!("{b:02x}")).collect();
        journal.push_str(&format!("{{\"sum\":\"{sum}\",{rest}\n"));
    }
    fs::write(path.join("journal.jsonl"), journal).unwrap();
}

fn record(what: &Value) -> Value {
    json!({ "v": 3, "at": 5, "turn": 1, "do": what })
}

fn command(events: &Value) -> Value {
    let action = json!({ "note": "x" });
    let out = json!({ "events": events });
    let command = json!({ "n": 3, "line": "note x", "do": action, "turn": 1, "out": out });
    record(&json!({ "command": command }))
}

#[test]
fn a_line_that_cannot_have_been_is_named_and_all_before_it_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let start = game(&path);
    let changed = |change: Value| command(&json!([{ "changed": { "change": change } }]));
    let place = 1_000_000_000_000_u64;
    let phase = json!({ "turn": 3, "phase": "no-such-phase", "place": place, "skipped": false });
    let set =
        json!({ "kind": "figure", "piece": "nobody", "attribute": "hits", "old": 0, "new": 1 });
    let forged = [
        command(&json!([{ "phase": phase }])),
        command(&json!([{ "call": { "rule": "no-such-rule" } }])),
        changed(json!({ "set": set })),
        changed(json!("\u{1b}[31m".repeat(100_000))),
        record(&json!({ "undo": [{ "command": 99 }] })),
        record(&json!({ "undo": [{ "amendment": 1 }] })),
        record(&json!({ "redo": [{ "command": 1 }] })),
        record(&json!({ "amend": { "n": 9, "now": [] } })),
        record(&json!({ "reload": { "from": 9, "files": [] } })),
        // Records and keys of a later program, about which nothing could be verified.
        record(&json!({ "weather": "rain" })),
        record(&json!({ "look": { "line": "x", "by": "tom" } })),
        record(&json!({ "words": "Not Plain" })),
    ];
    refused_after(folder.path(), &path, &start, &forged);
}

/// Each of these lines is refused after those of a game, and the game is recovered.
fn refused_after(
    folder: &Path,
    path: &Path,
    (records, before): &(Vec<Value>, Vec<String>),
    forged: &[Value],
) {
    seal(path, records);
    let known = session_folder::read_session(path).unwrap().session.entries().len();
    for (place, last) in forged.iter().enumerate() {
        let mut all = records.clone();
        all.push(last.clone());
        all.push(record(&json!({ "words": "never read" })));
        seal(path, &all);
        let looked = session_folder::read_session(path).map(drop);
        let opened = session_folder::open(path, 9).map(drop);
        for opened in [looked, opened] {
            let error = opened.unwrap_err();
            let StoreError::Session(SessionError::Damaged { damage, commands, .. }) = &error else {
                panic!("{error}")
            };
            assert_eq!((damage.line, *commands), (records.len() + 1, known), "{error}");
            assert!(!error.to_string().contains(" form "), "{error}");
            assert!(error.to_string().len() < 2000, "{} bytes", error.to_string().len());
        }
        let rescued = folder.join(format!("rescued-{place}"));
        let opened = session_folder::recover(path, &rescued, 9).unwrap();
        assert_eq!(&state(&opened.session), before, "{last}");
        drop(opened);
        // It is a sound session, and is played on.
        let mut again = open(&rescued, 10);
        type_line(&mut again, "undo", 3).unwrap();
        assert!(again.verify().mismatch.is_none(), "{last}");
    }
}

#[test]
fn a_stacked_deck_is_found_whatever_form_the_last_record_claims() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("adjutant/sessions/game");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let session = begin("candle");
    let mut session = keep(session, &path);
    type_line(&mut session, "note a word to the players", 1).unwrap();
    type_line(&mut session, "deal anna", 2).unwrap();
    drop(session);
    let journal = fs::read_to_string(path.join("journal.jsonl")).unwrap();
    // The seed takes the third card of the pack, an ace; with the note a king was put there.
    assert!(journal.contains(r#""dice":[[9,[3]]]"#) && journal.contains(r#""what":"Ace""#));
    let mut records: Vec<Value> = journal
        .replace(r#""what":"Ace""#, r#""what":"King of Cups""#)
        .replace(r#""at":2,"old":["ace"]"#, r#""at":2,"old":["king"]"#)
        .replace(r#""attribute":"cards","old":0,"new":9"#, r#""attribute":"cards","old":0,"new":5"#)
        .lines()
        .map(|line| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            record.as_object_mut().unwrap().retain(|key, _| key != "sum" && key != "len");
            record
        })
        .collect();
    let stacked =
        json!({ "deck": "pack", "at": 2, "old": ["ace", "king"], "new": ["king", "ace"] });
    let events = &mut records[1]["do"]["command"]["out"]["events"];
    events.as_array_mut().unwrap().push(json!({ "changed": { "change": { "deck": stacked } } }));
    seal(&path, &records);
    let forged = session_folder::read_session(&path).unwrap().session;
    assert!(forged.verify().mismatch.is_some(), "the deck is stacked");
    // A record of an earlier form at the end hides nothing.
    records.push(json!({ "v": 1, "at": 5, "turn": 1, "do": { "ask-random": true } }));
    seal(&path, &records);
    let verify = crate::kit::adjutant(["verify", "game"]).home(folder.path());
    verify.stderr_has("line 4 of ").stderr_has("a record in format 1").failure();
}

#[test]
fn a_session_of_another_form_is_refused_in_one_line_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let (records, _) = game(&path);
    for form in [0, 1, 2, 4, 99] {
        let mut all = records.clone();
        all.iter_mut().for_each(|record| record["v"] = form.into());
        seal(&path, &all);
        let looked = session_folder::read_session(&path).map(drop);
        let opened = session_folder::open(&path, 9).map(drop);
        let recovered = session_folder::recover(&path, &folder.path().join("new"), 9).map(drop);
        for refused in [looked, opened, recovered] {
            let error = refused.unwrap_err();
            assert!(
                matches!(&error, StoreError::Session(SessionError::OtherForm(_, found)) if *found == form),
                "{error}"
            );
            let words = error.to_string();
            assert!(words.contains(&format!("journal format {form}")), "{words}");
            assert!(words.contains("transcript.md") && !words.contains('\n'), "{words}");
        }
        // In a list it is shown with its name.
        let listed = session_folder::list_sessions(folder.path()).unwrap();
        let summary = listed.iter().find(|summary| summary.name == "game").unwrap();
        let fault = summary.fault.clone().unwrap();
        assert!(fault.contains(&format!("format {form}")), "{fault}");
    }
    // A later record of another form is damage: what comes before it can be recovered.
    let mut all = records.clone();
    all.push(json!({ "v": 2, "at": 9, "turn": 1, "do": { "ask-random": true } }));
    seal(&path, &all);
    let error = session_folder::read_session(&path).unwrap_err();
    let StoreError::Session(SessionError::Damaged { damage, .. }) = &error else {
        panic!("{error}")
    };
    assert_eq!(damage.line, records.len() + 1, "{error}");
}

#[test]
fn a_journal_names_at_most_as_many_files_as_a_ruleset_can_have() {
    let journal = Journal::of(&begin("candle"));
    let mut lines = journal.lines();
    let files = lines[0].what["start"]["files"].as_array_mut().unwrap();
    let one = files[0].clone();
    files.resize(1001, one);
    let why = verdict(&sealed(&lines).unwrap(), &journal.files).unwrap_err();
    assert!(why.contains("too large: a ruleset has at most"), "{why}");
}

#[test]
fn a_journal_reads_no_file_outside_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let (records, _) = game(&path);
    let outside = folder.path().join("outside.toml");
    let copy = records[0]["do"]["start"]["files"][0]["copy"].as_str().unwrap();
    fs::copy(path.join(copy), &outside).unwrap();
    let outside = outside.display().to_string();
    for copy in ["/dev/zero", &outside, "../outside.toml", "ruleset/../../outside.toml", "lock"] {
        let mut all = records.clone();
        all[0]["do"]["start"]["files"][0]["copy"] = json!(copy);
        seal(&path, &all);
        let error = session_folder::read_session(&path).unwrap_err().to_string();
        assert!(error.contains("is not one of the session's files"), "{error}");
        assert!(error.contains("nothing before it can be recovered"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    use adjutant::console::{Game, pipe};
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    for link in ["transcript.md.new", "transcript.md", "lock", "journal.jsonl"] {
        let path = folder.path().join(format!("evil-{link}"));
        game(&path);
        // The file a link leads to could be any file of the user; for the journal it is a journal.
        let target = if link == "journal.jsonl" { path.join("moved") } else { victim.clone() };
        match link {
            "journal.jsonl" => fs::rename(path.join(link), &target).unwrap(),
            _ => fs::write(&target, "precious").unwrap(),
        }
        let before = fs::read(&target).unwrap();
        let _ = fs::remove_file(path.join(link));
        std::os::unix::fs::symlink(&target, path.join(link)).unwrap();
        if let Ok(opened) = session_folder::open(&path, 9) {
            let mut game = Game::new(opened.session, Some(opened.folder), false, false);
            pipe::run(&mut game, &b"note mischief\nundo\n"[..], std::io::sink(), LAYOUT);
        }
        assert_eq!(fs::read(&target).unwrap(), before, "{link}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let (records, _) = game(&path);
    let copy = records[0]["do"]["start"]["files"][0]["copy"].as_str().unwrap();
    let pipe = |file: &Path| {
        fs::remove_file(file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    };
    pipe(&path.join(copy));
    assert!(matches!(
        session_folder::read_session(&path),
        Err(StoreError::Session(SessionError::Ruleset(_)))
    ));
    pipe(&path.join("journal.jsonl"));
    assert!(matches!(session_folder::read_session(&path), Err(StoreError::NotPlain(_))));
    assert!(matches!(session_folder::open(&path, 9), Err(StoreError::NotPlain(_))));
    let listed = session_folder::list_sessions(folder.path()).unwrap();
    let fault = listed[0].fault.as_deref();
    assert_eq!(fault, Some("its journal cannot be read: it is not a regular file"));
}

#[test]
fn a_line_of_megabytes_without_a_blank_is_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let (mut records, _) = game(&path);
    records.push(command(&json!([{ "said": "A".repeat(5_000_000) }])));
    seal(&path, &records);
    let session = session_folder::read_session(&path).unwrap().session;
    assert!(
        transcript(&session, Format::TEXT, &adjutant_engine::referee::Viewer::Umpire)
            .unwrap()
            .len()
            > 5_000_000
    );
}
