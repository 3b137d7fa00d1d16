//! Lines about everyone, such as `everybody forward 6` or `move the lot 8`: finds the pieces for
//! which such a line would be accepted.

use super::play::Play;
use super::questions::acting_kinds;
use super::suggest::LineSearch;
use crate::command;
use crate::language::schema::KindId;

/// Phrases for all pieces that can act. A phrase comes before the shorter ones that it begins with.
const EVERYONE: [&str; 22] = [
    "all of the squad",
    "all the squad",
    "the whole squad",
    "the entire squad",
    "the whole lot",
    "the lot of them",
    "the lot",
    "all of them",
    "them all",
    "all the men",
    "all men",
    "whole squad",
    "everyone else",
    "everybody else",
    "everyone",
    "everybody",
    "the rest of them",
    "the rest",
    "the others",
    "every man",
    "all of us",
    "they all",
];

/// The maximum number of words in the line.
const MAX_WORDS: usize = 12;

/// The maximum number of pieces of one kind for which the meaning of the line is sought.
const MAX_FIRST: usize = 2;

/// The maximum number of pieces in the line.
const MAX_PIECES: usize = 40;

/// Returns true if a word, in lower case, means everyone.
pub(super) fn is_everyone(word: &str) -> bool {
    EVERYONE.contains(&word)
}

/// A line that names pieces in place of words such as `everyone`.
pub(super) struct LineForAll {
    /// The line for all pieces for which it would be accepted. If they may not act together, it is for
    /// all pieces; if no line could name several of them, it is for the first.
    pub line: String,
    /// A line that repeats it for the others, if they can't act together.
    pub rest: Option<String>,
}

/// Returns the line that a typed line about everyone means. `meaning` returns the line that a typed
/// line with a name means, if it would be accepted. Returns `None` if the line isn't about everyone,
/// or means nothing.
pub(super) fn find(
    play: &Play,
    line: &str,
    meaning: &dyn Fn(&str) -> Option<String>,
) -> Option<LineForAll> {
    let is_short = line.split_whitespace().count() <= MAX_WORDS;
    let (before, after) = split(line).filter(|_| is_short)?;
    let table = play.session.table();
    let search = LineSearch::new(play.words, play.referee(), table);
    let phase = &play.referee().ruleset().phases[play.referee().phase_index(table)?];
    let verbs = phase.verbs.iter().map(|(verb, _)| verb.as_str());
    acting_kinds(play, verbs).into_iter().find_map(|kind| {
        let rows = table.present_pieces(kind).filter(|&row| is_to_move(play, kind, row));
        let pieces: Vec<String> = rows.map(|row| table.piece_name(kind, row)).collect();
        let (first, meant) = pieces.iter().take(MAX_FIRST).find_map(|first| {
            let meant = meaning(&format!("{before}{first}{after}"))?;
            meant.split(' ').any(|word| word == first).then_some((first, meant))
        })?;
        let with = |names: &str| {
            let words = meant.split(' ').map(|word| if word == first { names } else { word });
            words.collect::<Vec<_>>().join(" ")
        };
        let accepted = pieces.iter().filter(|name| search.accepts(&with(name)));
        let accepted: Vec<&str> = accepted.take(MAX_PIECES).map(String::as_str).collect();
        let together = with(&accepted.join(","));
        if search.accepts(&together) {
            return Some(LineForAll { line: together, rest: None });
        }
        // If they could act together but may not, the reason matters more than those who may.
        let all =
            with(&pieces.iter().take(MAX_PIECES).map(String::as_str).collect::<Vec<_>>().join(","));
        if pieces.len() > 1 && command::parse(play.referee(), table, &all).is_ok() {
            return Some(LineForAll { line: all, rest: None });
        }
        let others = accepted.iter().filter(|name| *name != first).copied();
        let rest = format!("{} too", others.collect::<Vec<_>>().join(" and "));
        Some(LineForAll { line: meant, rest: Some(rest) })
    })
}

/// Splits a line at its first phrase for everyone, into the parts before and after it.
fn split(line: &str) -> Option<(&str, &str)> {
    let lower = line.to_ascii_lowercase();
    let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    EVERYONE.iter().find_map(|phrase| {
        let at = lower.find(phrase)?;
        let before = &line[..at];
        let after = &line[at + phrase.len()..];
        (is_end(before.chars().next_back()) && is_end(after.chars().next()))
            .then_some((before, after))
    })
}

/// Returns true if a piece is on the side to move, or if no side is.
fn is_to_move(play: &Play, kind: KindId, row: u32) -> bool {
    let table = play.session.table();
    let moving = play.referee().side_to_move(table);
    moving.is_none() || play.referee().side_of_piece(table, kind, row) == moving
}
