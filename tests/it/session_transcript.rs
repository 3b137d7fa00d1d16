//! The transcript in a session's folder: true after every line, and no reason to stop if it cannot be written.

use std::fs;

use adjutant::console::Game;
use adjutant_engine::render::transcript::{Format, transcript};

use crate::kit::Table;
use crate::kit::session::{begin, keep, open};

/// The file holds what the whole transcript does, but for what is counted at the end and that nothing is struck out.
fn is_true(game: &Game, line: &str) {
    let file = game.folder.as_ref().unwrap().path().join("transcript.md");
    let written = fs::read_to_string(file).unwrap();
    let whole = transcript(
        game.console.session().unwrap(),
        Format::MARKDOWN,
        &adjutant_engine::referee::Viewer::Umpire,
    )
    .unwrap();
    let end = whole.find("\n*the plan at the end*").unwrap();
    assert_eq!(unstruck(&written), unstruck(&whole[..end]), "after `{line}`");
}

fn unstruck(text: &str) -> String {
    let marks = [" *(undone later)*", " *(amended later)*", "~~"];
    marks.iter().fold(text.to_owned(), |text, mark| text.replace(mark, ""))
}

#[test]
fn it_is_true_after_every_line() {
    let folder = tempfile::tempdir().unwrap();
    let session = begin("candle");
    let session = keep(session, &folder.path().join("game"));
    let mut table = Table::saved(session);
    table.game.root = Some(folder.path().to_owned());
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
    let mut before = String::new();
    for line in lines {
        table.types(line);
        is_true(&table.game, line);
        let file = table.game.folder.as_ref().unwrap().path().join("transcript.md");
        let now = fs::read_to_string(file).unwrap();
        // The seed that is told stands in the head.
        assert!(now.starts_with(&before) || line == "reveal", "`{line}` only adds");
        before = now;
    }
    drop(table);
    // A process that was killed may have left the file behind the journal: it is mended with the next line.
    let path = folder.path().join("evening");
    fs::write(path.join("transcript.md"), "# half").unwrap();
    let session = open(&path, 1);
    let mut table = Table::saved(session);
    table.types("next");
    is_true(&table.game, "resume");
    // One that is not behind is only added to.
    drop(table);
    let file = path.join("transcript.md");
    let before = fs::read_to_string(&file).unwrap();
    let mut table = Table::saved(open(&path, 2));
    table.types("undo");
    is_true(&table.game, "undo");
    assert!(fs::read_to_string(&file).unwrap().starts_with(&before));
}

#[test]
fn what_cannot_be_written_is_told_once_and_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = begin("candle");
    let session = keep(session, &path);
    // A folder where the file should be.
    fs::create_dir_all(path.join("transcript.md").join("x")).unwrap();
    let mut table = Table::saved(session);
    let out = table.types("next").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains("transcript") && out.contains("the game itself is saved"), "{out}");
    assert!(!table.types("strike c3").contains("the game itself is saved"));
    assert_eq!(table.session().entries().len(), 2);
    fs::remove_dir_all(path.join("transcript.md")).unwrap();
    table.types("strike b2");
    is_true(&table.game, "strike b2");
}

#[test]
fn a_folder_that_vanishes_and_comes_back_is_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = begin("candle");
    let session = keep(session, &path);
    let mut table = Table::saved(session);
    table.game.root = Some(folder.path().to_owned());
    table.types("next");
    fs::remove_dir_all(&path).unwrap();
    let mut table = Table::with(table.into_session());
    table.game.root = Some(folder.path().to_owned());
    table.types("strike c3\nsave again");
    is_true(&table.game, "save again");
}

/// The transcript says of `undo` and `redo` all that the prompt says, hands and all.
#[test]
fn what_is_done_again_is_told_as_at_the_prompt() {
    let mut table = Table::with(begin("candle"));
    for lines in ["next", "strike c3", "strike b2", "amend 2 strike a1"] {
        table.types(lines);
    }
    let undone = table.types("undo 3").to_string();
    let redone = table.types("redo 3").to_string();
    assert!(undone.contains("undoes the amendment of 2"), "{undone}");
    assert!(redone.matches("On the table:").count() > 1, "{redone}");
    let viewer = adjutant_engine::referee::Viewer::Umpire;
    let whole = transcript(table.session(), Format::TEXT, &viewer).unwrap();
    let words = |text: &str| text.replace('#', "").split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = words(&whole);
    for said in [words(&undone), words(&redone)] {
        assert!(whole.contains(&said), "{said}\n{whole}");
    }
}

#[test]
fn every_format_shows_the_lines_that_were_typed() {
    let lines = ["next", "strike c3", "note a spark"];
    let table = Table::with(begin("candle")).lines(&lines.join("\n"));
    for format in Format::all() {
        let viewer = adjutant_engine::referee::Viewer::Umpire;
        let text = transcript(table.session(), *format, &viewer).unwrap();
        for line in lines {
            assert!(text.contains(line), "`{line}` is not in the transcript as {}", format.name);
        }
        // And their dice.
        assert!(text.contains("hit"), "{}: {text}", format.name);
    }
}
