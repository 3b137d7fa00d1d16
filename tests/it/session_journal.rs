//! The journal on disk: cut anywhere, damaged anywhere, killed anywhere, and disks that fail.

use std::fs;
use std::io::Write;
use std::path::Path;

use adjutant::console::{Frontend, Game, PromptInput};
use adjutant::session_folder::{self, StoreError, free_name, list_sessions};
use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::console::{Desk, Flow, Prompt, Reply, Response, SessionCopy, StorageFault};
use adjutant_engine::ruleset;
use adjutant_engine::session::{Notice, SessionError};

use crate::kit::driver::{Driver, Store};
use crate::kit::session::{Saved, begin, begin_game, keep, open, state, tiny_files, type_line};

/// A short game on disk, with a bit of everything; and the state after each line of its journal.
fn short_game(path: &Path) -> Vec<(u64, Vec<String>)> {
    let session = begin("candle");
    let mut session = keep(session, path);
    let mut states = vec![(0, state(&session))];
    let lines = [
        "next",
        "scout anna",
        "undo",
        "shoot anna at clara twice",
        "amend 1 strike a1",
        "dice physical red",
        "shoot boris at clara",
        "overrule c3.heat 2: a spark",
        "redo",
        "undo 2",
    ];
    for (place, line) in lines.into_iter().enumerate() {
        let known = fs::read(path.join("journal.jsonl")).unwrap().len();
        type_line(&mut session, line, place as u64).unwrap();
        let bytes = fs::read(path.join("journal.jsonl")).unwrap();
        let written = bytes[known..].iter().filter(|&&b| b == b'\n').count();
        // `undo 2` writes two lines; the state between them is checked elsewhere.
        for _ in 0..written {
            states.push((session.next_number(), state(&session)));
        }
    }
    states
}

/// A copy of a session with another journal.
fn with_journal(from: &Path, to: &Path, journal: &[u8]) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to.join("ruleset")).unwrap();
    for entry in fs::read_dir(from.join("ruleset")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join("ruleset").join(entry.file_name())).unwrap();
    }
    fs::write(to.join("journal.jsonl"), journal).unwrap();
}

/// The smallest game on disk, with every kind of record; the state after each line of its journal, and its bytes.
fn tiny_game(path: &Path) -> (Vec<Vec<String>>, Vec<u8>) {
    let session = begin_game("tiny", &tiny_files(), Seed::from_text("candle"), Vec::new());
    let mut session = keep(session, path);
    let mut states = vec![state(&session)];
    session.mix("six", 1).unwrap();
    states.push(state(&session));
    for (place, line) in [
        "next",
        "hit ann",
        "undo",
        "redo",
        "amend 2 hit bob",
        "undo",
        "redo",
        "dice physical",
        "hit ann",
        "overrule bob.hits 3: x",
    ]
    .into_iter()
    .enumerate()
    {
        type_line(&mut session, line, place as u64).unwrap();
        states.push(state(&session));
    }
    session.reveal(9).unwrap();
    states.push(state(&session));
    let mut files = tiny_files();
    files[0].text = files[0].text.replace("'1d6'", "'1d8'");
    let Ok(rules) = ruleset::load(files.clone()) else { panic!("the edited rules do not load") };
    session.reload(&files, std::sync::Arc::new(rules), 9).unwrap();
    states.push(state(&session));
    drop(session);
    drop(open(path, 10));
    states.push(states[states.len() - 1].clone());
    let bytes = fs::read(path.join("journal.jsonl")).unwrap();
    assert_eq!(bytes.iter().filter(|&&b| b == b'\n').count(), states.len());
    (states, bytes)
}

/// Puts these bytes into a journal that is there. It is not emptied first: some disks wait for what was in a file
/// that is.
fn put(folder: &Path, bytes: &[u8]) {
    let mut file = fs::OpenOptions::new().write(true).open(folder.join("journal.jsonl")).unwrap();
    file.write_all(bytes).unwrap();
    file.set_len(bytes.len() as u64).unwrap();
}

/// What a journal cut after so many bytes must load to.
fn cut(folder: &Path, bytes: &[u8], length: usize, states: &[Vec<String>]) {
    put(folder, &bytes[..length]);
    let opened = session_folder::read_session(folder);
    // A line that lacks only its end is whole.
    let ends = bytes[..length].iter().filter(|&&b| b == b'\n').count();
    let torn = length > 0 && bytes[length - 1] != b'\n';
    let whole = torn && bytes.get(length) == Some(&b'\n');
    let lines = ends + usize::from(whole);
    if lines == 0 {
        assert!(
            matches!(opened, Err(StoreError::Session(SessionError::Empty(_)))),
            "{length}: {opened:?}"
        );
        return;
    }
    let opened = opened.unwrap();
    let told = opened.notices.iter().any(|n| matches!(n, Notice::Torn(_)));
    assert_eq!(told, torn && !whole, "cut at {length}");
    assert_eq!(state(&opened.session), states[lines - 1], "cut at {length}");
}

/// A journal with one byte changed must be refused, its line named; only the very last line feed may be another byte,
/// and then nothing is lost.
fn flip(folder: &Path, bytes: &[u8], place: usize, flip: u8) {
    let mut changed = bytes.to_vec();
    changed[place] ^= flip;
    put(folder, &changed);
    let line = 1 + bytes[..place].iter().filter(|&&b| b == b'\n').count();
    match session_folder::read_session(folder) {
        Err(StoreError::Session(SessionError::Damaged { damage, .. })) => {
            assert_eq!(damage.line, line, "byte {place} ^ {flip}");
        }
        Ok(opened) => {
            // A line that tells its length is whole without its line feed.
            assert_eq!(place, bytes.len() - 1, "byte {place} ^ {flip}");
            assert!(opened.notices.is_empty(), "{:?}", opened.notices);
        }
        Err(other) => panic!("byte {place} ^ {flip}: {other}"),
    }
}

#[test]
fn a_journal_cut_at_every_byte_loads_to_its_last_whole_record() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("whole"), folder.path().join("cut"));
    let (states, bytes) = tiny_game(&path);
    with_journal(&path, &other, &bytes);
    for length in 0..=bytes.len() {
        cut(&other, &bytes, length, &states);
        // Opened to go on, it can be written to and read again.
        let first = bytes.iter().position(|&b| b == b'\n').unwrap();
        if length > first && length % 23 == 0 {
            let mut opened = open(&other, 1);
            type_line(&mut opened.session, "note on we go", 0).unwrap();
            let expected = state(&opened.session);
            drop(opened);
            assert_eq!(state(&session_folder::read_session(&other).unwrap().session), expected);
        }
    }
}

#[test]
fn every_changed_byte_is_found_and_named_by_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bad) = (folder.path().join("whole"), folder.path().join("bad"));
    let (_, bytes) = tiny_game(&path);
    with_journal(&path, &bad, &bytes);
    for place in 0..bytes.len() {
        // The lowest bit, that of capitals, and the highest.
        for by in [1, 0x20, 0x80] {
            flip(&bad, &bytes, place, by);
        }
    }
}

#[test]
fn a_long_journal_cut_and_changed_here_and_there() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bad) = (folder.path().join("whole"), folder.path().join("bad"));
    let files = shipped::files("blitz").unwrap();
    let mut session = begin_game("blitz", &files, Seed::from_text("candle"), Vec::new());
    session.set_ask_random(true, 0).unwrap();
    let mut session = keep(session, &path);
    let mut states = vec![state(&session), state(&session)];
    for salt in 0..14 {
        type_line(&mut session, "next", salt).unwrap();
        states.push(state(&session));
    }
    let bytes = fs::read(path.join("journal.jsonl")).unwrap();
    with_journal(&path, &bad, &bytes);
    for sample in 0..40usize {
        let place = sample.wrapping_mul(0x9e37_79b9_7f4a_7c15) % bytes.len();
        cut(&bad, &bytes, place, &states);
        flip(&bad, &bytes, place, 1 << (sample % 8));
    }
}

#[test]
fn lines_left_out_doubled_and_exchanged_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bad) = (folder.path().join("whole"), folder.path().join("bad"));
    let states = short_game(&path);
    let bytes = fs::read(path.join("journal.jsonl")).unwrap();
    with_journal(&path, &bad, &bytes);
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    for place in 1..lines.len() - 1 {
        let mut without = lines.clone();
        without.remove(place);
        let mut doubled = lines.clone();
        doubled.insert(place, lines[place]);
        let mut exchanged = lines.clone();
        exchanged.swap(place, place + 1);
        for (changed, wrong) in [(without, place + 1), (doubled, place + 2), (exchanged, place + 1)]
        {
            fs::write(bad.join("journal.jsonl"), changed.concat()).unwrap();
            let error = session_folder::open(&bad, 0).unwrap_err();
            let StoreError::Session(SessionError::Damaged { damage, .. }) = &error else {
                panic!("{error}")
            };
            assert_eq!(damage.line, wrong);
            // All before it can be had.
            let saved = folder.path().join(format!("saved-{place}-{wrong}-{}", changed.len()));
            let saved = session_folder::recover(&bad, &saved, 0).unwrap();
            if wrong < states.len() {
                assert_eq!(state(&saved.session), states[wrong - 2].1);
            }
        }
    }
}

#[test]
fn a_changed_ruleset_copy_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    short_game(&path);
    let copy = fs::read_dir(path.join("ruleset")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&copy).unwrap();
    fs::write(&copy, text.replace("'1d10'", "'1d20'")).unwrap();
    assert!(matches!(
        session_folder::read_session(&path),
        Err(StoreError::Session(SessionError::Ruleset(_)))
    ));
}

#[test]
fn a_second_console_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = begin("candle");
    let session = keep(session, &path);
    let error = session_folder::open(&path, 0).unwrap_err();
    assert_eq!(error.to_string(), "another console is playing the session `game`; close it first");
    // To look at it does no harm.
    assert!(session_folder::read_session(&path).is_ok());
    drop(session);
    open(&path, 0);
}

#[test]
fn a_vanished_folder_and_a_foreign_line_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = begin("candle");
    let mut session = keep(session, &path);
    type_line(&mut session, "next", 0).unwrap();
    let before = state(&session);
    fs::rename(&path, folder.path().join("elsewhere")).unwrap();
    let error = type_line(&mut session, "add figure at=a1", 0).unwrap_err();
    assert!(error.contains("has vanished"), "{error}");
    assert_eq!(state(&session), before);
    assert_eq!(session.next_number(), 2);
    // The umpire goes on in memory, and later keeps everything again.
    drop(session.folder);
    let mut session = session.session;
    type_line(&mut session, "add figure at=a1", 0).unwrap();
    let expected = state(&session);
    drop(session_folder::save(&SessionCopy::of(&session), folder.path(), "rescued").unwrap());
    let again = open(&folder.path().join("rescued"), 0);
    assert_eq!(state(&again), expected);
    drop(again);
    let path = folder.path().join("elsewhere");
    let mut session = open(&path, 0);
    let mut file = fs::OpenOptions::new().append(true).open(path.join("journal.jsonl")).unwrap();
    file.write_all(b"{}\n").unwrap();
    let error = type_line(&mut session, "next", 0).unwrap_err();
    assert!(error.contains("changed by another program"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_journal_put_in_the_place_of_the_open_one_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = begin("candle");
    let mut session = keep(session, &path);
    // As long as the open one, byte for byte, but another file.
    let (open, other) = (path.join("journal.jsonl"), path.join("other"));
    fs::copy(&open, &other).unwrap();
    fs::rename(&other, &open).unwrap();
    let error = type_line(&mut session, "next", 0).unwrap_err();
    assert!(error.contains("changed by another program"), "{error}");
    assert_eq!(session.next_number(), 1);
}

/// A disk that is full after this many records.
fn full_after(mut room: usize) -> Store {
    Box::new(move |_| match room.checked_sub(1) {
        Some(left) => {
            room = left;
            Ok(())
        }
        None => Err(fault(&StoreError::Full("journal.jsonl".into()))),
    })
}

/// The fault that a console is told of.
fn fault(error: &StoreError) -> StorageFault {
    StorageFault {
        message: error.to_string(),
        can_go_on: error.can_go_on(),
        is_unsure: matches!(error, StoreError::Unsure(..)),
    }
}

#[test]
fn a_full_disk_changes_nothing() {
    for room in 0..12 {
        let mut driver = Driver::at(Desk::default(), begin("candle"));
        driver.store = full_after(room);
        driver.answer = Box::new(|_| Response::Answer("?".to_owned()));
        let before = |driver: &Driver| {
            let session = driver.session();
            (state(session), session.next_number(), session.script(), session.journal())
        };
        let mut typed = 0;
        loop {
            let known = before(&driver);
            typed += 1;
            let lines =
                ["next", "add figure at=a1", "undo", "redo", "shoot anna at clara", "amend 1 next"];
            match driver.line(lines[typed % lines.len()]) {
                Err(failure) if failure.to_string().contains("the disk is full") => {
                    assert_eq!(before(&driver), known);
                    break;
                }
                _ => {}
            }
        }
        driver.store = Box::new(|_| Ok(()));
        driver.line("next").unwrap();
        assert_eq!(driver.session().verify().mismatch, None);
    }
}

#[test]
fn play_goes_on_in_memory_if_the_umpire_says_so() {
    let mut driver = Driver::with_willing_umpire(begin("candle"));
    driver.store = full_after(1);
    driver.line("next").unwrap();
    assert_eq!(driver.console.prompt(0), "skirmish 1.1 fire> ");
    driver.line("strike c3").unwrap();
    let told = driver.asked.concat();
    assert!(told.contains("the disk is full") && told.contains("continue in memory?"), "{told}");
    assert_eq!(driver.session().entries().len(), 2);
    assert_eq!(driver.console.prompt(0), "skirmish 1.1 fire (not saved)> ");
    assert!(!driver.console.is_saved());
    // Who leaves now is asked, as it would be lost.
    assert_eq!(driver.line("quit"), Ok(Flow::Leave));
    let told = driver.asked.last().unwrap();
    assert!(told.contains("lost when you leave"), "{told}");
    // With room again, everything is stored, what was done in memory too.
    driver.line("save later").unwrap();
    assert_eq!(driver.console.prompt(0), "skirmish 1.1 fire> ");
    assert!(driver.console.is_saved());
    let asked = driver.asked.len();
    assert_eq!(driver.line("quit"), Ok(Flow::Leave));
    assert_eq!(driver.asked.len(), asked);
    // Without anybody to ask, the line fails.
    let mut driver = Driver::at(Desk::default(), begin("candle"));
    driver.store = full_after(0);
    let failure = driver.line("next").unwrap_err();
    assert!(failure.to_string().contains("the disk is full"), "{failure}");
    assert!(driver.session().entries().is_empty());
}

#[test]
fn whatever_the_disk_does_is_told_and_every_kind_of_step_waits_for_it() {
    let disks = [
        (StoreError::Full("j".into()), "the disk is full"),
        (StoreError::ReadOnly("j".into()), "it is read-only"),
        (StoreError::Vanished("j".into()), "has vanished"),
        (StoreError::Changed("j".into()), "changed by another program"),
        (StoreError::Io { path: "j".into(), reason: "broken".into() }, "`j`: broken"),
    ];
    for (error, words) in disks {
        for line in [
            "next",
            "undo",
            "amend 1 strike a1",
            "overrule c3.heat 2: a spark",
            "dice physical",
            "mix now",
            "reveal",
        ] {
            let begun = || {
                let mut session = begin("candle");
                type_line(&mut session, "note first", 0).unwrap();
                session
            };
            let fails = || -> Store {
                let fault = fault(&error);
                Box::new(move |_| Err(fault.clone()))
            };
            // Where nobody can be asked, the line fails and nothing is done.
            let mut driver = Driver::at(Desk::default(), begun());
            driver.store = fails();
            let failure = driver.line(line).unwrap_err();
            assert!(failure.to_string().contains(words), "{line}: {failure}");
            assert_eq!(state(driver.session()), state(&begun()), "{line}");
            assert_eq!(driver.session().journal(), begun().journal(), "{line}");
            // At the keyboard the umpire says yes, and sees from then on that nothing is saved.
            let mut driver = Driver::with_willing_umpire(begun());
            driver.store = fails();
            driver.line(line).unwrap();
            assert!(driver.session().log().len() > begun().log().len(), "{line}");
            assert!(driver.console.prompt(0).contains("(not saved)"));
            let asked = driver.asked.concat().matches("continue in memory?").count();
            driver.line("note on").unwrap();
            assert_eq!(
                (asked, driver.asked.concat().matches("continue in memory?").count()),
                (1, 1)
            );
        }
    }
}

/// An umpire at the keyboard who says yes.
struct Willing(Vec<String>);

impl Frontend for Willing {
    fn show(&mut self, reply: &Reply) {
        self.0.push(reply.text.plain(80));
    }
    fn ask(&mut self, prompt: &Prompt) -> PromptInput {
        self.0.push(format!("{}{}", prompt.text.plain(80), prompt.prompt));
        PromptInput::Line("yes".to_owned())
    }
    fn width(&self) -> usize {
        80
    }
}

#[test]
fn a_folder_taken_away_at_the_table_can_be_done_without() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let Saved { session, folder: saved, .. } = keep(begin("candle"), &path);
    let mut game = Game::new(session, Some(saved), true, false);
    game.root = Some(folder.path().to_owned());
    let mut desk = Willing(Vec::new());
    game.line("next", &mut desk).unwrap();
    fs::remove_dir_all(&path).unwrap();
    game.line("strike c3", &mut desk).unwrap();
    let told: Vec<String> = desk.0.concat().split_whitespace().map(str::to_owned).collect();
    assert!(told.join(" ").contains("has vanished; nothing more is saved there"));
    assert_eq!(game.console.prompt(0), "skirmish 1.1 fire (not saved)> ");
    game.line("save game", &mut desk).unwrap();
    assert_eq!(game.console.prompt(0), "skirmish 1.1 fire> ");
    drop(game);
    assert_eq!(session_folder::read_session(&path).unwrap().session.entries().len(), 2);
}

#[test]
fn sessions_are_listed_and_named() {
    let folder = tempfile::tempdir().unwrap();
    assert!(list_sessions(&folder.path().join("nothing")).unwrap().is_empty());
    let session = begin("candle");
    let mut session = keep(session, &folder.path().join("one"));
    type_line(&mut session, "next", 0).unwrap();
    let all = list_sessions(folder.path()).unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].name.as_str(), all[0].turn), ("one", 1));
    assert_eq!(all[0].line.as_deref(), Some("next"));
    assert_eq!((all[0].game.as_str(), all[0].scenario.as_str()), ("skirmish", "cloth"));
    // The turn is that after a step taken back or done again, not before it.
    for (line, turn) in
        [("next", 1), ("next", 1), ("next", 2), ("undo", 1), ("redo", 2), ("undo 4", 0)]
    {
        type_line(&mut session, line, 0).unwrap();
        assert_eq!(list_sessions(folder.path()).unwrap()[0].turn, turn, "{line}");
    }
    type_line(&mut session, "redo", 0).unwrap();
    assert_eq!(free_name(folder.path(), "one"), "one-2");
    assert!(matches!(
        session_folder::save_new(&begin("x"), &folder.path().join("one")),
        Err(StoreError::Exists(_))
    ));
    session_folder::rename(&mut session.folder, "club-night").unwrap();
    type_line(&mut session, "next", 0).unwrap();
    assert!(folder.path().join("club-night").join("journal.jsonl").exists());
    assert!(session_folder::rename(&mut session.folder, "../outside").is_err());
    let copy = SessionCopy::of(&session);
    assert!(session_folder::save(&copy, folder.path(), "../outside").is_err());
    drop(session);
    let session = open(&folder.path().join("club-night"), 0);
    assert_eq!(session.entries().len(), 2);
}
