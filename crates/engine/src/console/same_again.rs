//! Lines that repeat the last command for other pieces, in the umpire's own words: `s2 too`, `same
//! for t4`, `b6 does the same`, `again`.

use super::corrections;
use super::play::Play;
use super::question_words;
use crate::command::{self, TypedLine};

/// Words that ask for the same action. A line without one of them isn't a repetition.
const SAME: [&str; 9] =
    ["too", "same", "likewise", "ditto", "again", "repeat", "similarly", "follows", "follow"];

/// Phrases that ask for the same action.
const SAME_PHRASES: [&str; 2] = ["as well", "so does"];

/// Words of a repetition that don't change its meaning.
const LITTLE: [&str; 18] = [
    "and", "for", "the", "with", "does", "do", "it", "that", "thing", "now", "please", "then",
    "goes", "as", "well", "so", "suit", "a",
];

/// Returns the last command for the pieces that a line names instead of the first piece of the same
/// kind in it. If the line names no piece, returns the last command itself. Returns `None` for any
/// other line.
pub(super) fn line(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let words = question_words::question_words(typed);
    let spoken = words.join(" ");
    let asks_same = words.iter().any(|word| SAME.contains(&word.as_str()))
        || SAME_PHRASES.iter().any(|phrase| spoken.contains(phrase));
    if !asks_same {
        return None;
    }
    let table = play.session.table();
    let mut pieces: Vec<String> = Vec::new();
    for part in words.iter().flat_map(|word| word.split(',')).filter(|part| !part.is_empty()) {
        match command::find_spoken(table, part) {
            Some(piece) => pieces.push(piece),
            None if SAME.contains(&part) || LITTLE.contains(&part) => {}
            None => return None,
        }
    }
    let last = corrections::last_replaceable(play)?;
    let mut parts: Vec<String> = last.line.split(' ').map(str::to_owned).collect();
    let kind = |name: &str| table.find(name).map(|(kind, _)| kind);
    if let Some(first) = pieces.first() {
        // The acting pieces may be a list with commas.
        let of_kind = |part: &String| {
            part.split(',').all(|name| kind(name).is_some() && kind(name) == kind(first))
        };
        let acting = parts.iter_mut().skip(1).find(|part| of_kind(part))?;
        *acting = pieces.join(",");
    }
    Some(parts.join(" "))
}
