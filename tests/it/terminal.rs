//! The console at a terminal: prompt, completion, questions, Ctrl-C and Ctrl-D.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;
use expectrl::{ControlCode, Eof, Expect, Session};

/// A game at a terminal of its own.
struct Terminal(OsSession);

impl Terminal {
    fn begin(home: &Path, arguments: &[&str]) -> Terminal {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"));
        command.args(arguments).args(["--color", "never"]);
        command.env("XDG_DATA_HOME", home).env("TERM", "xterm");
        let mut game = Session::spawn(command).unwrap();
        game.set_expect_timeout(Some(Duration::from_secs(20)));
        Terminal(game)
    }

    fn shows(&mut self, wanted: impl AsRef<str>) {
        self.0.expect(wanted.as_ref()).unwrap();
    }

    /// Types a line, and waits for this.
    fn line(&mut self, line: &str, wanted: impl AsRef<str>) {
        self.0.send_line(line).unwrap();
        self.shows(wanted);
    }

    /// Leaves, and waits for the end.
    fn leave(mut self, how: impl AsRef<[u8]>) {
        self.0.send(how.as_ref()).unwrap();
        self.0.expect(Eof).unwrap();
        let status = self.0.get_process().wait().unwrap();
        assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
    }
}

#[test]
fn a_game_at_a_terminal() {
    let home = tempfile::tempdir().unwrap();
    let orchard = "tests/fixtures/orchard";
    let mut game = Terminal::begin(home.path(), &["play", orchard, "--seed", "candle"]);
    game.shows("The Orchard");
    game.shows("other scenarios (--scenario NAME): large");
    game.shows("orchard set-up> ");
    game.line("next", "orchard · turn 1 · 1 frost creeps");
    game.shows("orchard 1.1 frost> ");
    // A wrong word changes nothing, and the prompt is there again.
    game.line("frobnicate", "there is no command `frobnicate`");
    // Completion by place in the line.
    game.0.send("wal\tan\tto b2\n").unwrap();
    game.shows("ann to b2");
    // A question in mid-rule, first answered wrongly, then taken back.
    game.line("set b1.lamp on", "b1 lamp");
    game.line("gust", "Which lamp does it hit?");
    game.line("c1", "cannot be the answer");
    game.0.send(ControlCode::EndOfText).unwrap();
    game.shows("taken back: nothing was changed");
    // Real dice.
    game.line("dice physical", "the players throw the dice");
    game.line("harvest", "Harvest · roll 2d6: ");
    game.line("12", "a total is not enough");
    game.line("1 2", "[1 2]*");
    // Each prompt says what the dice are for, and which of how many throws it is.
    game.line("gather 3 with ann", "Gather apples: ann, 1 of 3 · roll 1d6: ");
    game.line("2 5", "ann, 3 of 3 · roll 1d6: ");
    game.line("6", "Gather apples");
    game.line("gust", "A gust: how strong · roll 1d6: ");
    game.line("4", "Which lamp does it hit?");
    game.line("?", "at random: Which lamp does it hit (1 ");
    game.line("1", "goes out at strength 4");
    // What answers nothing is told so.
    game.line("4", "nothing is being asked now");
    // Ctrl-C drops a line, Ctrl-D leaves.
    game.shows("orchard 1.1 frost> ");
    game.0.send("half a line").unwrap();
    game.shows("half a line");
    game.0.send(ControlCode::EndOfText).unwrap();
    // What is typed ahead of the new prompt goes with the dropped line.
    game.shows("orchard 1.1 frost> ");
    game.line("log", "harvest");
    game.shows("orchard 1.1 frost> ");
    game.leave("\u{4}");
    let history = std::fs::read_to_string(home.path().join("adjutant/history")).unwrap();
    assert!(history.contains("frobnicate"), "{history}");
}

#[test]
fn without_a_subcommand_the_last_session_is_offered() {
    let home = tempfile::tempdir().unwrap();
    let mut game = Terminal::begin(home.path(), &[]);
    game.shows("which game? ");
    game.line("9", "there is no game `9`");
    game.line("tar", "tarr set-up> ");
    game.leave("quit\n");
    let mut game = Terminal::begin(home.path(), &[]);
    game.shows("which game? ");
    game.line("1", "blitz set-up> ");
    game.line("note we begin", "we begin");
    game.leave("quit\n");
    let mut game = Terminal::begin(home.path(), &[]);
    game.shows("last: note we begin");
    game.shows("Enter goes on with the last session) ");
    game.line("", "the last command was 1: note we begin");
    game.shows("blitz set-up> ");
    game.leave("quit\n");
}

#[test]
fn a_tour_explains_a_first_turn_line_by_line() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "candle", "--tour"];
    let mut game = Terminal::begin(home.path(), &arguments);
    for step in 1..=8 {
        game.shows(format!("{step} of 8"));
        game.shows("> ");
        // Something else in between; a line typed by hand; else Enter alone.
        if step == 3 {
            game.line("roll d6", "3 of 8");
            game.shows("> ");
        }
        let line = if step == 4 { "connect pump1 d3" } else { "" };
        game.0.send_line(line).unwrap();
    }
    game.shows("that was the tour");
    game.shows("> ");
    game.leave("quit\n");
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("1 of 8");
    game.shows("> ");
    game.line("tour", "blitz set-up> ");
    game.leave("quit\n");
}

#[test]
fn ten_turns_of_blitz_at_a_terminal() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "candle", "--ask", "random"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("BLITZ!");
    game.shows("blitz set-up> ");
    for turn in 1..=10 {
        game.line("next turn", format!("blitz {turn}.1"));
        // Something by hand in between: the crews move in their phase, and are refused out of it.
        game.line("move t1 d2", "refused");
        game.line("next to move", format!("blitz {turn}.6"));
    }
    game.line("undo 3", "takes back");
    game.leave("quit\n");
}
