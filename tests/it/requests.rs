//! Requests of players at a terminal: whatever the umpire types and whenever he presses Enter, only what he has taken is
//! carried out.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use adjutant::requests::{Request, RequestKind, RequestQueue};
use adjutant_engine::console::WrittenOrders;

use crate::kit::typist::Typist;
use crate::terminal::Terminal;

/// A game for two sides, in which a player writes orders.
const RULES: &str = r#"
[game]
title = "Letters"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[kind.commander]
side = { one_of = "army" }
[players]
are = "commander"
[[phase]]
name = "march"
[scenario.field.pieces.commander]
horn = { side = "red" }
lang = { side = "blue" }
"#;

/// Begins the game, saved under a name, with requests allowed. Returns it with its folder.
fn begin(home: &Path, session: &str) -> (Terminal, PathBuf) {
    let rules = home.join("letters.toml");
    std::fs::write(&rules, RULES).unwrap();
    let arguments = ["play", rules.to_str().unwrap(), "--session", session];
    let mut game = Terminal::begin(home, &arguments);
    game.shows("set-up> ");
    game.line("requests on", "from these pages");
    (game, home.join("adjutant/sessions").join(session))
}

/// Ctrl-T.
const TAKE: &str = "\u{14}";
/// Ctrl-U, which deletes the line.
const DELETE: &str = "\u{15}";

/// Returns the ids of the requests in the journal of a session.
fn carried_out(folder: &Path) -> Vec<String> {
    let journal = std::fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let mut ids = Vec::new();
    for line in journal.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let requests = record["do"]["command"]["requests"].as_array().cloned().unwrap_or_default();
        ids.extend(requests.iter().map(|request| request["id"].as_str().unwrap().to_owned()));
    }
    ids
}

/// Plays so many steps, and returns how many requests were taken.
fn play(number: u64, steps: usize) -> usize {
    let home = tempfile::tempdir().unwrap();
    let (mut game, folder) = begin(home.path(), "phones");
    let mut queue = RequestQueue::open(&folder).unwrap();
    let mut typist = Typist::new(number);
    let (mut sent, mut taken) = (0_u64, 0_usize);
    let mut send = |queue: &mut RequestQueue| {
        sent += 1;
        let orders = WrittenOrders { to: format!("place {sent}"), ..WrittenOrders::default() };
        let (id, player) = (format!("request-{sent:04}"), "horn".to_owned());
        let kind = RequestKind::Orders(orders);
        queue.add(Request { id, player, at: sent, turn: 0, kind }).unwrap();
    };
    for _ in 0..steps {
        send(&mut queue);
        thread::sleep(Duration::from_millis(typist.below(250) as u64));
        // Enter after whatever, at any moment.
        let keys = match typist.below(10) {
            0 => "\r",
            1 => "\r\r\r",
            2 => "note so\r",
            3 => "ord\t\r",
            4 => "\u{1b}[A\r",
            5 => "x\u{14}\r",
            6 => "no\r",
            7 => "orders horn: ours\r",
            // Taken and left, by Ctrl-C or by an empty line.
            8 => {
                game.types(TAKE);
                game.shows("Enter accepts");
                thread::sleep(Duration::from_millis(100));
                game.interrupt();
                game.shows("cancelled");
                "\r"
            }
            _ => {
                game.types(TAKE);
                game.shows("Enter accepts");
                thread::sleep(Duration::from_millis(100));
                game.types(DELETE);
                "\r"
            }
        };
        game.types(keys);
        if typist.below(3) == 0 {
            game.types(TAKE);
            game.shows("Enter accepts");
            thread::sleep(Duration::from_millis(100));
            game.types("\r");
            game.shows("secret until");
            taken += 1;
        }
    }
    game.leave("quit\r");
    let ids = carried_out(&folder);
    assert_eq!(ids.len(), taken, "{ids:?}");
    // The oldest first, each once.
    let wanted: Vec<String> = (1..=taken).map(|number| format!("request-{number:04}")).collect();
    assert_eq!(ids, wanted);
    taken
}

#[test]
fn enter_at_any_moment_accepts_only_a_request_that_was_taken() {
    assert!(play(1, 12) > 1);
}

/// Enter at any moment, in two hundred steps.
#[test]
#[ignore = "takes minutes: two hundred steps at a terminal"]
fn enter_at_any_moment_accepts_only_a_request_that_was_taken_long() {
    let taken: usize = (0..10).map(|number| play(number, 20)).sum();
    assert!(taken > 40, "{taken}");
}

/// A taken request can't be accepted by keys that were typed before it could be read.
#[test]
fn what_is_typed_ahead_accepts_nothing() {
    let home = tempfile::tempdir().unwrap();
    let (mut game, folder) = begin(home.path(), "ahead");
    let mut queue = RequestQueue::open(&folder).unwrap();
    let orders = WrittenOrders { to: "the mill".to_owned(), ..WrittenOrders::default() };
    let kind = RequestKind::Orders(orders);
    let (id, player) = ("request-0001".to_owned(), "horn".to_owned());
    queue.add(Request { id, player, at: 1, turn: 0, kind }).unwrap();
    game.shows("horn: orders");
    game.types("requests take\r\rnote so\r");
    game.shows("cancelled: nothing was changed");
    game.shows("set-up> ");
    game.leave("quit\r");
    assert_eq!(carried_out(&folder), [""; 0]);
}
