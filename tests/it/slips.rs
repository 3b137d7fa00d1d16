//! Slips of the hand, as umpires make them: `tests/slips/NAME.txt`.
//!
//! The first line is a remark with the game, and perhaps its scenario. Lines behind `> ` are played first; then follow the
//! slips, a line each, with what comes of it below it: `= LINE` does what that line does; else what is said, one line that
//! tells what is wrong and one that tells what would be right. To add a case, write the slip; `UPDATE_SLIPS=1 cargo test
//! --test it slips::` adds what is said.

use adjutant::command;

use crate::kit::{Table, cases, path};

/// What comes of a slip: the action it stands for, or where it led, or what it showed; else what is said.
fn comes_of(table: &mut Table, slip: &str) -> Result<String, String> {
    let entries = |table: &Table| table.play.session.entries().len();
    let (before, read) = (entries(table), action(table, slip));
    match table.feed(slip) {
        Some(said) => {
            assert_eq!(entries(table), before, "`{slip}` is refused, but something was done");
            let echo = |line: &&str| !line.starts_with("  ");
            let said = said.strip_prefix("line 1: ").unwrap_or(&said).to_owned();
            let lines: Vec<&str> = said.lines().filter(echo).collect();
            // What is meant may well be against the rules of the moment.
            match read {
                Some(read) => Ok(read),
                None => Err(lines.join("\n")),
            }
        }
        None => {
            let done = entries(table) - before;
            let led = format!("leads to {}", table.play.prompt());
            let printed = if done > 0 { led } else { table.printed.clone() };
            if done > 0 {
                table.types(&format!("undo {done}"));
            }
            Ok(read.unwrap_or(printed))
        }
    }
}

/// The action that a line stands for, if it does.
fn action(table: &Table, line: &str) -> Option<String> {
    let session = &table.play.session;
    let command = command::parse(session.referee(), session.table(), line).ok()??;
    Some(format!("{:?} {}", command.action, command.insist))
}

#[test]
fn every_slip_is_told_or_does_what_was_meant() {
    let (mut wrong, mut slips) = (Vec::new(), 0);
    let update = std::env::var_os("UPDATE_SLIPS").is_some();
    for (name, text) in cases("tests/slips", "txt") {
        let (head, rest) = text.split_once('\n').unwrap();
        let mut words = head.trim_start_matches('#').split_whitespace();
        let game = words.next().unwrap();
        let mut table = Table::at(game, words.next().unwrap_or(""), "candle");
        let mut written = format!("{head}\n");
        let mut lines = rest.lines().peekable();
        while let Some(line) = lines.next() {
            let mut below = Vec::new();
            while let Some(said) = lines.next_if(|l| l.starts_with("    ")) {
                below.push(said.trim().to_owned());
            }
            if let Some(played) = line.strip_prefix("> ") {
                table.types(played);
            } else if !line.is_empty() && !line.starts_with('#') {
                slips += 1;
                let meant = below.first().and_then(|l| l.strip_prefix("= ").map(str::to_owned));
                let found = match (comes_of(&mut table, line), &meant) {
                    (Err(said), _) => said.lines().map(str::to_owned).collect(),
                    (Ok(done), Some(meant)) if Ok(done.clone()) == comes_of(&mut table, meant) => {
                        vec![format!("= {meant}")]
                    }
                    (Ok(done), _) => vec![format!("does {done}")],
                };
                if found.len() < 2 && !found[0].starts_with("= ") && !found[0].contains("; ") {
                    wrong.push(format!(
                        "{name}: `{line}` is not told what would be right: {found:?}"
                    ));
                } else if found != below && !(update && meant.is_none()) {
                    wrong.push(format!("{name}: `{line}` gives {found:#?}, not {below:#?}"));
                }
                if meant.is_none() {
                    below = found;
                }
            }
            written.push_str(line);
            written.push('\n');
            below.iter().for_each(|said| written.push_str(&format!("    {said}\n")));
        }
        if update {
            std::fs::write(path("tests/slips").join(format!("{name}.txt")), written).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(slips >= 300, "{slips} slips");
}
