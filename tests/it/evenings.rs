//! Whole games, typed line by line: `tests/evenings/NAME.txt`, and beside it, in `snapshots`, what was printed.
//!
//! The first line of a script is a remark with the arguments it is played with: `# play blitz --seed candle`. Heads of
//! the journal are dotted out, since every word of a ruleset changes them.

use crate::kit::{adjutant, cases, snapshots};

#[test]
fn evenings_are_played_to_their_end_and_always_alike() {
    let played = cases("tests/evenings", "txt").into_iter().map(|(name, script)| {
        let arguments = script.lines().next().unwrap().trim_start_matches('#');
        let printed = adjutant(arguments.split_whitespace()).stdin(script.as_str()).success();
        (name, without_heads(&printed))
    });
    snapshots("tests/evenings", played);
}

/// Dots the heads of the journal out, which change with every word of a ruleset; one may stand on the next line.
fn without_heads(printed: &str) -> String {
    let mut parts = printed.split(" · head");
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (turn, rest) = part.split_once(':').unwrap();
        assert!(turn.trim().parse::<u32>().is_ok(), "{turn}");
        text.push_str(&format!(" · head{turn}:{}{}", "·".repeat(12), &rest[12..]));
    }
    text
}
