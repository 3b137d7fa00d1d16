//! The transcript in a session's folder: true after every line, and no reason to stop if it cannot be written.

use std::fs;

use crate::session_kit::begin;
use adjutant::console::pipe;
use adjutant::console::play::Play;
use adjutant::render::transcript::{Format, transcript};
use adjutant::session::Session;

fn feed(play: &mut Play, lines: &str) -> String {
    let mut out = Vec::new();
    let ended = pipe::run(play, lines.as_bytes(), &mut out, 80, false);
    assert!(matches!(ended, pipe::Ended::Well), "{lines}: {ended:?}");
    String::from_utf8(out).unwrap()
}

/// The file holds what the whole transcript does, but for what is counted at the end.
fn is_true(play: &Play, line: &str) {
    let file = play.session.folder().unwrap().join("transcript.md");
    let written = fs::read_to_string(file).unwrap();
    let whole = transcript(&play.session, "skirmish", Format::Markdown);
    let end = whole.find("\n*the plan at the end*").unwrap();
    assert_eq!(written, whole[..end], "after `{line}`");
}

#[test]
fn it_is_true_after_every_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = begin("candle");
    session.keep(&folder.path().join("game")).unwrap();
    let mut play = Play::new(session, "skirmish");
    play.root = Some(folder.path().to_owned());
    let lines = [
        "mix we are here",
        "next",
        "strike c3",
        "undo",
        "redo",
        "shoot anna at clara",
        "amend 2 strike b2",
        "undo",
        "overrule c3.heat 2: a spark",
        "note ~~~ <b> `x`",
        "next turn",
        "undo 3",
        "strike a1",
        "save evening",
        "strike a2",
        "dice physical",
        "reveal",
    ];
    for line in lines {
        feed(&mut play, line);
        is_true(&play, line);
    }
    drop(play);
    // A process that was killed may have left the file behind the journal: it is mended with the next line.
    let path = folder.path().join("evening");
    fs::write(path.join("transcript.md"), "# half").unwrap();
    let session = Session::open(&path, 1).unwrap().session;
    let mut play = Play::new(session, "skirmish");
    feed(&mut play, "next");
    is_true(&play, "resume");
}

#[test]
fn what_cannot_be_written_is_told_once_and_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let mut session = begin("candle");
    session.keep(&path).unwrap();
    // A folder where the file should be.
    fs::create_dir_all(path.join("transcript.md").join("x")).unwrap();
    let mut play = Play::new(session, "skirmish");
    let out = feed(&mut play, "next");
    assert!(out.contains("transcript") && out.contains("the game itself is kept"), "{out}");
    assert!(!feed(&mut play, "strike c3").contains("the game itself is kept"));
    assert_eq!(play.session.entries().len(), 2);
    fs::remove_dir_all(path.join("transcript.md")).unwrap();
    feed(&mut play, "strike b2");
    is_true(&play, "strike b2");
}

#[test]
fn a_folder_that_vanishes_and_comes_back_is_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let mut session = begin("candle");
    session.keep(&path).unwrap();
    let mut play = Play::new(session, "skirmish");
    play.root = Some(folder.path().to_owned());
    feed(&mut play, "next");
    fs::remove_dir_all(&path).unwrap();
    play.session.forget_disk();
    feed(&mut play, "strike c3\nsave again");
    is_true(&play, "save again");
}
