//! Slips of the hand, as umpires make them: `tests/slips/NAME.txt`.
//!
//! The first line is a remark with the game, and perhaps its scenario and seed. Lines behind `> ` are played first; then follow the
//! slips, a line each, with what comes of it below it: `= LINE` does what that line does; else what is said, one line that
//! tells what is wrong and one that tells what would be right. To add a case, write the slip; `UPDATE_SLIPS=1 cargo test
//! --test it slips::` adds what is said.

use adjutant_engine::command;

use crate::kit::{Table, cases, path};

/// What comes of a slip: the action it stands for, or where it led, or what it showed; else what is said.
fn comes_of(table: &mut Table, slip: &str) -> Result<String, String> {
    let entries = |table: &Table| table.session().entries().len();
    let (before, read) = (entries(table), action(table, slip));
    let last = table.session().entries().last().map_or(0, |entry| entry.number);
    match table.feed(slip) {
        // Several phases were passed before one that asks or refuses.
        Some(said)
            if (slip.starts_with("next ") || said.contains("an answer was expected"))
                && entries(table) > before =>
        {
            table.types(&format!("undo to {last}"));
            Ok("leads further".to_owned())
        }
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
            let after = entries(table);
            if after < before {
                table.types(&format!("redo {}", before - after));
                return Ok("undone".to_owned());
            }
            let done = after - before;
            let led = format!("leads to {}", table.prompt());
            let printed = if done > 0 { led } else { table.printed.clone() };
            if done > 0 {
                table.types(&format!("undo to {last}"));
            }
            Ok(read.unwrap_or(printed))
        }
    }
}

/// The action that a line stands for, if it does.
fn action(table: &Table, line: &str) -> Option<String> {
    let session = table.session();
    let command = command::parse(session.referee(), session.table(), line).ok()??;
    Some(format!("{:?} {}", command.action, command.insist))
}

/// The line in the order of its usage, if it was typed in another.
fn restated(table: &Table, line: &str) -> Option<String> {
    let session = table.session();
    command::parse(session.referee(), session.table(), line).ok()??.restated
}

#[test]
fn every_slip_is_told_or_does_what_was_meant() {
    let (mut wrong, mut slips) = (Vec::new(), 0);
    let update = std::env::var_os("UPDATE_SLIPS").is_some();
    for (name, text) in cases("tests/slips", "txt") {
        let (head, rest) = text.split_once('\n').unwrap();
        let mut words = head.trim_start_matches('#').split_whitespace();
        let game = words.next().unwrap();
        let scenario = words.next().unwrap_or("");
        let seed = words.next();
        let mut table = Table::at(game, scenario, seed.unwrap_or("candle"));
        let mut written = format!("{head}\n");
        let mut lines = rest.lines().peekable();
        while let Some(line) = lines.next() {
            let mut below = Vec::new();
            while let Some(said) = lines.next_if(|l| l.starts_with("    ")) {
                below.push(said.trim().to_owned());
            }
            if let Some(first) = line.strip_prefix("> ") {
                // Answers and dice are typed with the line that asks for them.
                let mut played = first.to_owned();
                written.push_str(line);
                written.push('\n');
                while let Some(more) = lines.next_if(|line| line.starts_with("> ")) {
                    played.push('\n');
                    played.push_str(&more[2..]);
                    written.push_str(more);
                    written.push('\n');
                }
                table.types(&played);
                continue;
            }
            if !line.is_empty() && !line.starts_with('#') {
                slips += 1;
                let meant = below.first().and_then(|l| l.strip_prefix("= ").map(str::to_owned));
                // The numbers of the commands stay those of the evening that was typed.
                let mut copy = seed.map(|_| Table::with(table.session().clone()));
                let table = copy.as_mut().unwrap_or(&mut table);
                let found = match (comes_of(table, line), &meant) {
                    (Err(said), _) => said.lines().map(str::to_owned).collect(),
                    (Ok(_), Some(meant)) if meant == line => vec![format!("= {meant}")],
                    (Ok(done), Some(meant)) if Ok(done.clone()) == comes_of(table, meant) => {
                        vec![format!("= {meant}")]
                    }
                    (Ok(done), _) => vec![match restated(table, line) {
                        Some(canonical) => format!("= {canonical}"),
                        None => {
                            format!("does {}", done.lines().next().unwrap_or_default().trim_end())
                        }
                    }],
                };
                let is_done = found[0].starts_with("= ") || found[0].starts_with("does ");
                if found.len() < 2 && !is_done && !found[0].contains("; ") {
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
    let help = "UPDATE_SLIPS=1 cargo test --test it slips:: writes what is said";
    assert!(wrong.is_empty(), "{}\n{help}", wrong.join("\n"));
    assert!(slips >= 300, "{slips} slips");
}

#[test]
fn the_commonest_lines_take_few_keys() {
    let mut page = "# Keys\n\n\
                    This page lists the most common lines of each game, typed as briefly as possible, with the number of\n\
                    keys for each, Enter included. A test in `tests/it/slips.rs` counts the keys.\n"
        .to_owned();
    for (name, text) in cases("tests/keys", "txt") {
        let (head, rest) = text.split_once('\n').unwrap();
        let words: Vec<&str> = head.split_whitespace().collect();
        let [_, game, scenario, _, _, most, first] = words.as_slice() else { panic!("{head}") };
        let mut table = Table::at(game, scenario, "candle");
        let (mut keys, mut rows) = (0, String::new());
        let lines: Vec<&str> = rest.lines().collect();
        for (place, line) in lines.iter().enumerate() {
            if let Some(played) = line.strip_prefix("> ") {
                table.types(played);
            } else if let Some(meant) = line.strip_prefix("    = ") {
                let typed = lines[place - 1];
                if !meant.starts_with("a face") {
                    let [short, full] = [typed, meant].map(|line| comes_of(&mut table, line));
                    assert_eq!(short, full, "{name}: `{typed}`");
                    assert!(short.is_ok(), "{name}: `{typed}`: {short:?}");
                }
                let count = typed.chars().count() + 1;
                keys += count;
                rows.push_str(&format!("| `{meant}` | `{typed}` | {count} |\n"));
            }
        }
        let first = first.trim_matches(['(', ')']);
        page.push_str(&format!(
            "\n## {game}\n\n{keys} keys in all; {first} in the first version.\n\n"
        ));
        page.push_str(&format!("| line | typed | keys |\n|---|---|---|\n{rows}"));
        assert!(keys <= most.parse().unwrap(), "{name}: {keys} keys, {most} are the most");
    }
    if std::env::var_os("UPDATE_SLIPS").is_some() {
        std::fs::write(path("docs/keys.md"), &page).unwrap();
    }
    let kept = std::fs::read_to_string(path("docs/keys.md")).unwrap();
    assert!(kept == page, "docs/keys.md is not current; UPDATE_SLIPS=1 renews it");
}
