//! Sessions as they read: `tests/sessions/NAME.txt` holds lines behind `> `, each with what it prints.
//!
//! The first line is a remark with the game, and perhaps its scenario and a seed: `# blitz st-pauls candle`. To add a
//! case, write that remark and the lines; `UPDATE_SESSIONS=1 cargo test --test it sessions::` adds what is printed.

use crate::kit::{Table, cases, path};

#[test]
fn every_session_reads_as_it_should() {
    let mut wrong = Vec::new();
    for (name, text) in cases("tests/sessions", "txt") {
        let (head, block) = text.split_once('\n').unwrap();
        let mut words = head.trim_start_matches('#').split_whitespace();
        let game = words.next().unwrap();
        let (scenario, seed) = (words.next().unwrap_or(""), words.next().unwrap_or("candle"));
        let found = Table::at(game, scenario, seed).retype(block);
        if found.trim_end() == block.trim_end() {
            continue;
        }
        if std::env::var_os("UPDATE_SESSIONS").is_some() {
            let file = path("tests/sessions").join(format!("{name}.txt"));
            std::fs::write(file, format!("{head}\n{}\n", found.trim_end())).unwrap();
        } else {
            wrong.push(format!("{name} reads:\n{block}\nbut it prints:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
