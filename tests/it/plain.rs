//! `--plain`: one fact per line, without columns, boxes or drawings, for screen readers.

use crate::kit::{Output, adjutant};

const GAMES: [&str; 5] = ["blitz", "firefight", "house-clearing", "mtb", "tarr"];

/// Checks that a text has no gaps, indents, boxes, bars or carets, and returns its lines.
fn linear(shown: &str) -> Vec<&str> {
    for line in shown.lines() {
        assert!(!line.contains("  ") && !line.starts_with(' '), "a gap: {line:?}");
        assert!(!line.trim().is_empty() && !line.ends_with(' '), "{line:?}");
        let is_drawn = |c: char| matches!(c, '\u{2500}'..='\u{259f}' | '\u{1b}');
        assert!(!line.contains(is_drawn), "a drawing: {line:?}");
    }
    shown.lines().collect()
}

fn run(arguments: &[&str], lines: &str) -> Output {
    adjutant(arguments).stdin(lines).output()
}

#[test]
fn every_word_of_the_console_answers_in_facts() {
    let lines = "help\nhelp game\nhelp console\nshow\nshow all\nsetup\nlayout\nmap\nagree\nnext\nnext\nnext\n\
        show\nmap\nagree\nleft\nlog\nlog 1\nstats\nstats pace\noption\nodds 3d6\nodds next\nseal\nhead\n\
        table\nrule\nexample last\nwhy\nundo\nredo\nnosuch word\nfire\n";
    for game in GAMES {
        let arguments = [
            "--plain",
            "play",
            game,
            "--seed",
            "plover",
            "--in-memory",
            "--ask",
            "random",
            "--keep-going",
        ];
        let output = run(&arguments, lines);
        let shown = linear(&output.stdout);
        assert!(shown.len() > 100, "{game}: {}", output.stdout);
        linear(&output.stderr);
    }
}

#[test]
fn every_chart_list_and_rule_is_read_row_by_row() {
    for game in GAMES {
        let shown = run(&["rules", game, "--plain"], "").stdout;
        linear(&shown);
        linear(&run(&["rules", game, "--setup", "--plain"], "").stdout);
    }
    let shown = run(&["rules", "house-clearing", "weapon", "--plain"], "").stdout;
    assert!(linear(&shown).iter().all(|line| line.contains("weapon") || !line.contains(':')));
}

#[test]
fn the_other_subcommands_answer_in_facts() {
    for arguments in [
        &["odds", "3d6", "--plain"][..],
        &["odds", "(3d6)>=12", "--plain"],
        &["roll", "3d6", "--plain"],
        &["games", "--plain"],
        &["sessions", "--plain"],
        &["simulate", "blitz", "--games", "20", "--turns", "3", "--plain"],
        &["check", "--plain"],
        &["check", "tests/check/unknown-name.toml", "--plain"],
        &["check", "--explain", "unknown-name", "--plain"],
        &["--help", "--plain"],
        &["play", "-h", "--plain"],
        &["play", "--help", "--plain"],
    ] {
        let output = run(arguments, "");
        let shown = linear(&output.stdout);
        assert!(!shown.is_empty(), "{arguments:?}: {}", output.stderr);
    }
    let odds = run(&["odds", "2d6", "--plain"], "").stdout;
    assert!(odds.contains("total 12, chance: 2.8%\ntotal 12, or more: 2.8%\n"), "{odds}");
    let study = ["simulate", "blitz", "--games", "20", "--turns", "3", "--seed", "one", "--plain"];
    let study = run(&study, "").stdout;
    assert!(study.contains("turn 3, mean: "), "{study}");
}

#[test]
fn a_plan_is_read_area_by_area() {
    let arguments = ["--plain", "play", "blitz", "--seed", "plover", "--in-memory"];
    let shown = run(&arguments, "map\nnext\nagree\n").stdout;
    // The areas of the first scenario, by its file.
    assert!(shown.contains("d3: road, hydrant pressure 4, pump1, t3, t4, t5\n"), "{shown}");
    assert!(shown.contains("On the table: a1 red die 1\n"), "{shown}");
}

#[test]
fn what_is_wrong_with_a_line_is_said_without_a_drawing() {
    let arguments = ["--plain", "play", "blitz", "--seed", "plover", "--in-memory"];
    let output = run(&arguments, "show nosuch\n");
    assert!(output.stderr.contains("`nosuch`"), "{}", output.stderr);
    linear(&output.stderr);
}
