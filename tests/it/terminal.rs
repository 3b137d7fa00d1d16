//! The console at a terminal: prompt, completion, questions, Ctrl-C and Ctrl-D.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::{ControlCode, Eof, Expect, Session};

#[test]
fn a_game_at_a_terminal() {
    let home = tempfile::tempdir().unwrap();
    let orchard = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/orchard");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"));
    command
        .arg("play")
        .arg(orchard)
        .args(["--seed", "candle", "--color", "never"])
        .env("XDG_DATA_HOME", home.path())
        .env("TERM", "xterm");
    let mut game = Session::spawn(command).unwrap();
    game.set_expect_timeout(Some(Duration::from_secs(20)));
    game.expect("The Orchard").unwrap();
    game.expect("other scenarios (--scenario NAME): large").unwrap();
    game.expect("orchard set-up> ").unwrap();
    game.send_line("next").unwrap();
    game.expect("orchard · turn 1 · 1 frost creeps").unwrap();
    game.expect("orchard 1.1 frost> ").unwrap();
    // A wrong word changes nothing, and the prompt is there again.
    game.send_line("frobnicate").unwrap();
    game.expect("there is no command `frobnicate`").unwrap();
    // Completion by place in the line.
    game.send("wal\tan\tto b2\n").unwrap();
    game.expect("ann to b2").unwrap();
    // A question in mid-rule, first answered wrongly, then taken back.
    game.send_line("set b1.lamp on").unwrap();
    game.expect("b1 lamp").unwrap();
    game.send_line("gust").unwrap();
    game.expect("Which lamp does it hit?").unwrap();
    game.send_line("c1").unwrap();
    game.expect("cannot be the answer").unwrap();
    game.send(ControlCode::EndOfText).unwrap();
    game.expect("taken back: nothing was changed").unwrap();
    // Real dice.
    game.send_line("dice physical").unwrap();
    game.expect("the players throw the dice").unwrap();
    game.send_line("harvest").unwrap();
    game.expect("Harvest · roll 2d6: ").unwrap();
    game.send_line("12").unwrap();
    game.expect("a total is not enough").unwrap();
    game.send_line("1 2").unwrap();
    game.expect("[1 2]*").unwrap();
    // Each prompt says what the dice are for, and which of how many throws it is.
    game.send_line("gather 3 with ann").unwrap();
    game.expect("Gather apples: ann, 1 of 3 · roll 1d6: ").unwrap();
    game.send_line("2 5").unwrap();
    game.expect("ann, 3 of 3 · roll 1d6: ").unwrap();
    game.send_line("6").unwrap();
    game.expect("Gather apples").unwrap();
    game.send_line("gust").unwrap();
    game.expect("A gust: how strong · roll 1d6: ").unwrap();
    game.send_line("4").unwrap();
    game.expect("Which lamp does it hit?").unwrap();
    game.send_line("?").unwrap();
    game.expect("at random: Which lamp does it hit (1 ").unwrap();
    game.send_line("1").unwrap();
    game.expect("goes out at strength 4").unwrap();
    // What answers nothing is told so.
    game.send_line("4").unwrap();
    game.expect("nothing is being asked now").unwrap();
    // Ctrl-C drops a line, Ctrl-D leaves.
    game.expect("orchard 1.1 frost> ").unwrap();
    game.send("half a line").unwrap();
    game.expect("half a line").unwrap();
    game.send(ControlCode::EndOfText).unwrap();
    // What is typed ahead of the new prompt goes with the dropped line.
    game.expect("orchard 1.1 frost> ").unwrap();
    game.send_line("log").unwrap();
    game.expect("harvest").unwrap();
    game.expect("orchard 1.1 frost> ").unwrap();
    game.send(ControlCode::EndOfTransmission).unwrap();
    game.expect(Eof).unwrap();
    let status = game.get_process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
    let history = std::fs::read_to_string(home.path().join("adjutant/history")).unwrap();
    assert!(history.contains("frobnicate"), "{history}");
}

#[test]
fn without_a_subcommand_the_last_session_is_offered() {
    let home = tempfile::tempdir().unwrap();
    let begin = |arguments: &[&str]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"));
        command.args(arguments).env("XDG_DATA_HOME", home.path()).env("TERM", "xterm");
        let mut game = Session::spawn(command).unwrap();
        game.set_expect_timeout(Some(Duration::from_secs(20)));
        game
    };
    let mut game = begin(&["--color", "never"]);
    game.expect("which game? ").unwrap();
    game.send_line("blitz").unwrap();
    game.expect("blitz set-up> ").unwrap();
    game.send_line("note we begin").unwrap();
    game.expect("we begin").unwrap();
    game.send_line("quit").unwrap();
    game.expect(Eof).unwrap();
    let mut game = begin(&["--color", "never"]);
    game.expect("last: note we begin").unwrap();
    game.expect("(Enter goes on with the last session) ").unwrap();
    game.send_line("").unwrap();
    game.expect("the last command was 1: note we begin").unwrap();
    game.expect("blitz set-up> ").unwrap();
    game.send_line("quit").unwrap();
    game.expect(Eof).unwrap();
}

#[test]
fn ten_turns_of_blitz_at_a_terminal() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"));
    command
        .args(["play", "blitz", "--seed", "candle", "--ask", "random", "--color", "never"])
        .env("XDG_DATA_HOME", home.path())
        .env("TERM", "xterm");
    let mut game = Session::spawn(command).unwrap();
    game.set_expect_timeout(Some(Duration::from_secs(20)));
    game.expect("BLITZ!").unwrap();
    game.expect("blitz set-up> ").unwrap();
    for turn in 1..=10 {
        game.send_line("next turn").unwrap();
        game.expect(format!("blitz {turn}.1")).unwrap();
        // Something by hand in between: the crews move in their phase, and are refused out of it.
        game.send_line("move t1 d2").unwrap();
        game.expect("refused").unwrap();
        game.send_line("next to move").unwrap();
        game.expect(format!("blitz {turn}.6")).unwrap();
    }
    game.send_line("undo 3").unwrap();
    game.expect("takes back").unwrap();
    game.send_line("quit").unwrap();
    game.expect(Eof).unwrap();
    let status = game.get_process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
}
