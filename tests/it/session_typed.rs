//! Whatever is accepted is kept as it was typed, and can be read again: by `verify`, from the disk, and as a script.

use std::path::Path;
use std::sync::Arc;

use adjutant::files::Disk;
use adjutant::session_folder;
use adjutant_engine::command;
use adjutant_engine::session::{Record, Session};

use crate::kit::Table;
use crate::kit::disk::SimulatedDisk;
use crate::kit::session::state;
use crate::kit::typist::Typist;

/// Words whose lines are kept as what they stand for.
const STAND_FOR: [&str; 3] = ["more", "next", "oops"];

fn told(session: &Session) -> (String, Vec<String>, Vec<String>) {
    (format!("{:?}", session.entries()), session.script(), state(session))
}

/// Types so many lines. Returns the first words of those that were accepted.
fn types(game: &str, number: u64, lines: usize) -> Vec<String> {
    let mut table = Table::of(game).ask_random(true);
    let mut typist = Typist::new(number);
    let mut accepted = Vec::new();
    for _ in 0..lines {
        let line = match typist.below(16) {
            0 => "undo".to_owned(),
            1 => "redo".to_owned(),
            2 => {
                let number = 1 + typist.below(table.session().next_number() as usize);
                format!("amend {number} {}", typist.line(table.session()))
            }
            3 => "next !".to_owned(),
            4 => ["dice physical", "dice auto"][typist.below(2)].to_owned(),
            5 => "overrule state.turn 2: \"lost\" a die – ½ of it".to_owned(),
            6 => format!("set state.turn {}", 1 + typist.below(5)),
            7 => "roll 4d6kh3 + 2d66".to_owned(),
            _ => typist.line(table.session()),
        };
        let first = line.split(' ').next().unwrap();
        let known = table.session().log().len();
        let session = table.session();
        let read = command::parse(session.referee(), session.table(), &line).ok().flatten();
        // What was typed in another order is kept in that of the usage.
        let restated = read.and_then(|command| command.restated);
        // Behind it, faces for the players' dice.
        let refused = table.feed(&format!("{line}\n2 1 3 4 1\n5 2 1 1\n"));
        if refused.is_none_or(|reason| !reason.starts_with("line 1:")) {
            accepted.push(first.to_owned());
        }
        for logged in &table.session().log()[known..] {
            let Record::Command(entry) = &logged.what else { continue };
            let kept = line.trim().ends_with(entry.line.as_str())
                || STAND_FOR.contains(&first)
                || restated.as_ref() == Some(&entry.line);
            assert!(kept, "{game} {number}: `{line}` is kept as `{}`", entry.line);
        }
    }
    let session = table.session();
    assert_eq!(session.verify().mismatch, None, "{game} {number}");
    let expected = told(session);
    let mut again = Table::of(game);
    let refused = again.feed(&expected.1.join("\n"));
    assert_eq!(refused, None, "{game} {number}:\n{}", expected.1.join("\n"));
    assert_eq!(told(again.session()), expected, "{game} {number}, from its script");
    let disk = SimulatedDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    session_folder::save_new_on(&shared, session, Path::new("/game")).unwrap();
    drop(table);
    let shared: Arc<dyn Disk> = Arc::new(disk.unlocked());
    let opened = session_folder::open_on(&shared, Path::new("/game"), 1).unwrap();
    assert_eq!(told(&opened.session), expected, "{game} {number}, from the disk");
    accepted
}

/// Every word and verb that changes the game, by the game, is among those accepted.
#[test]
fn whatever_is_accepted_is_kept_as_typed_and_read_again() {
    let games = ["blitz", "firefight", "house-clearing", "mtb", "tarr", "skirmish", "night-raid"];
    let long = std::env::var_os("LONG").is_some();
    let mut accepted: Vec<String> = Vec::new();
    for game in games {
        for number in 0..if long { 40 } else { 1 } {
            accepted.extend(types(game, number, 180));
        }
    }
    for word in [
        "add", "amend", "dice", "mix", "next", "note", "option", "overrule", "redo", "remove",
        "reveal", "roll", "set", "undo",
    ] {
        assert!(accepted.iter().any(|a| a == word), "no `{word}` among {accepted:?}");
    }
}
