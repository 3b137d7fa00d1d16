//! Ctrl-C: a rule, odds or an amendment that takes too long is stopped, and the table is as it was.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::terminal::Terminal;

/// Rules that take much longer than a test waits: all ways between all areas, and odds of them.
const RULES: &str = r#"
[game]
title = "Slow"
[kind.area]
plan = true
prefix = "a"
load = { from = 0, to = 1000000 }
[kind.man]
hits = { from = 0, to = 1000000 }
[rule.wander]
usage = "wander <who:man>"
after = """
who.hits = 7
each a in areas { each b in areas { if (way from a to b along beside) > 50 { a.load = 1 } } }
"""
[rule.chance]
usage = "chance <who:man>"
roll = "1d6"
needs = ">= 4"
pass = "wander(who)"
fail = "wander(who)"
[rule.touch]
usage = "touch <who:man>"
after = "who.hits = 3"
[[phase]]
name = "p"
[scenario.s.legend]
"o" = {}
[scenario.s.pieces.man]
ann = {}
"#;

/// How long a program may take to stop.
const PATIENCE: Duration = Duration::from_secs(5);

/// Writes the slow rules into a folder.
fn slow_rules(folder: &Path) -> PathBuf {
    let row = ["o"; 60].join(" ");
    let plan = vec![row; 60].join("\n");
    let path = folder.join("slow.toml");
    std::fs::write(&path, format!("{RULES}[[scenario.s.level]]\nplan = \"\"\"\n{plan}\"\"\"\n"))
        .unwrap();
    path
}

/// Starts the program, and sends it these lines.
fn start(home: &Path, arguments: &[&str], lines: &str) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"));
    command.args(arguments).env("XDG_DATA_HOME", home);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
    child
}

/// Interrupts a program that is at work, and waits for its end; returns its exit code and what it wrote.
fn interrupt(child: Child) -> (Option<i32>, String) {
    thread::sleep(Duration::from_millis(700));
    let since = Instant::now();
    let sent = Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert!(since.elapsed() < PATIENCE, "{:?}", since.elapsed());
    let words = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(words).unwrap())
}

#[test]
fn a_line_from_a_pipe_is_stopped_and_no_line_after_it_is_played() {
    for (line, more) in [
        ("wander ann", None),
        ("wander ann", Some("--keep-going")),
        ("odds chance ann", None),
        ("amend 1 wander ann", None),
    ] {
        let home = tempfile::tempdir().unwrap();
        let rules = slow_rules(home.path());
        let mut arguments = vec!["play", rules.to_str().unwrap(), "--session", "slow"];
        arguments.extend(more);
        let child = start(home.path(), &arguments, &format!("touch ann\n{line}\nnote after\n"));
        let (code, said) = interrupt(child);
        assert_eq!(code, Some(1), "{line}: {said}");
        assert!(said.contains("line 2: stopped: nothing was changed"), "{line}: {said}");
        // The table is as before, and so is the journal.
        let lines = "show ann\nlog\n";
        let output = start(home.path(), &["resume", "slow"], lines).wait_with_output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && shown.contains("hits 3"), "{line}: {shown}");
        assert!(!shown.contains("after"), "{line}: {shown}");
        let verified = start(home.path(), &["verify", "slow"], "").wait_with_output().unwrap();
        assert!(verified.status.success(), "{line}");
    }
}

#[test]
fn a_pipe_that_waits_for_a_line_is_ended() {
    let home = tempfile::tempdir().unwrap();
    let rules = slow_rules(home.path());
    let child = start(home.path(), &["play", rules.to_str().unwrap(), "--session", "s"], "");
    let mut child = child;
    let stdin = child.stdin.take();
    let (code, said) = interrupt(child);
    drop(stdin);
    assert_eq!(code, Some(130), "{said}");
    assert!(
        said.contains("the earlier lines have been carried out, but the rest have not"),
        "{said}"
    );
}

#[test]
fn simulations_and_random_games_are_stopped() {
    let home = tempfile::tempdir().unwrap();
    let rules = slow_rules(home.path());
    let path = rules.to_str().unwrap();
    let (code, said) = interrupt(start(home.path(), &["check", path, "--play", "100000"], ""));
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("the check is not complete"), "{said}");
    // What was counted is a study of that many games from the first on: the same as one that asked for no more.
    let study = ["simulate", "blitz", "--turns", "1", "--seed", "one", "--json", "--games"];
    let endless = start(home.path(), &[&study[..], &["10000000"]].concat(), "");
    // Some games are over by then.
    thread::sleep(Duration::from_secs(3));
    let (code, said) = interrupt(endless);
    assert_eq!(code, Some(1), "{said}");
    let (document, stopped) = said.rsplit_once("\nstopped: ").unwrap();
    assert!(stopped.ends_with(" of 10000000 games were played\n"), "{stopped}");
    let document: serde_json::Value = serde_json::from_str(document).unwrap();
    let games = document["games"].to_string();
    assert!(stopped.starts_with(&format!("{games} of ")), "{stopped}");
    let whole = start(home.path(), &[&study[..], &[games.as_str()]].concat(), "");
    let whole: serde_json::Value =
        serde_json::from_slice(&whole.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(document["measures"], whole["measures"]);
}

#[test]
fn ctrl_c_at_a_terminal_stops_a_rule_and_the_game_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let rules = slow_rules(home.path());
    let arguments = ["play", rules.to_str().unwrap(), "--session", "slow"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("slow set-up> ");
    game.line("touch ann", "hits 0 → 3");
    game.shows("slow set-up> ");
    for line in ["wander ann", "odds chance ann", "amend 1 wander ann", "wander ann"] {
        game.line(line, "\n");
        game.shows("still computing; Ctrl-C stops it");
        game.interrupt();
        game.shows("\r\u{1b}[Kstopped: nothing was changed");
        game.shows("slow set-up> ");
    }
    game.line("show ann", "hits 3");
    game.shows("slow set-up> ");
    // The next line has nothing to do with it.
    game.line("note on we go", "on we go");
    game.shows("slow set-up> ");
    game.leave("quit\n");
    let verified = start(home.path(), &["verify", "slow"], "").wait_with_output().unwrap();
    let said = String::from_utf8(verified.stdout).unwrap();
    assert!(verified.status.success(), "{said}");
}
