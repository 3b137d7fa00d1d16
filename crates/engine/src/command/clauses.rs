//! Divides a line that contains several statements, such as `ann climbs the wall, then fires`.

use indexmap::IndexSet;

use super::restate::{is_number, is_one_of};
use super::{Reading, Token, everyday_verbs};

/// Words that begin another statement.
const JOINING: [&str; 4] = ["then", "and", "but", "while"];

/// Words after a piece that repeat the statement before it.
const REPEATING: [&str; 5] = ["same", "likewise", "ditto", "too", "also"];

/// Words that begin an explanation.
const EXPLAINING: [&str; 9] =
    ["who", "who's", "whos", "which", "because", "since", "so", "where", "as"];

/// Returns the possible lengths, in words, of the first statement of a line. The likeliest length
/// comes first.
pub(super) fn ends(reading: &Reading<'_>, words: &[Token]) -> Vec<usize> {
    let acts = |at: usize| begins_act(reading, words.get(at..).unwrap_or_default());
    let is_joining = |at: usize| words.get(at).is_some_and(|word| is_word(word, &JOINING));
    // The first statement ends where a second act begins, because each act must be typed as a
    // separate line.
    let is_second = |at: &usize| {
        let begins = (is_joining(*at) || is_marked(&words[at - 1])) && (1..*at).any(&acts);
        let from = if is_joining(*at) { at + 1 } else { *at };
        let from = if is_joining(from) { from + 1 } else { from };
        begins && (acts(from) || acts(from + pieces_at(reading, words, from)))
    };
    // `t1 20, t3 15` has two statements without a verb.
    let is_like_first = |at: &usize| {
        let begins = is_joining(*at) || is_marked(&words[at - 1]);
        let from = if is_joining(*at) { at + 1 } else { *at };
        let pieces = pieces_at(reading, words, from);
        let states = words.get(from + pieces).is_some_and(|word| {
            is_number(word) || is_word(word, &REPEATING) || is_word(word, &["the"])
        });
        begins && pieces > 0 && states && words[..*at].iter().any(is_number)
    };
    let mut ends: Vec<usize> = (2..words.len()).find(is_second).into_iter().collect();
    ends.extend((2..words.len()).find(is_like_first));
    let is_dash = |at: &usize| ["-", "–", "—"].contains(&words[*at].text.as_str());
    ends.extend((1..words.len()).filter(is_dash));
    ends.push(words.len());
    let is_break = |at: &usize| {
        let of_list = is_piece(reading, &words[at - 1]) && is_piece(reading, &words[*at]);
        (is_marked(&words[at - 1]) && !of_list)
            || is_word(&words[*at], &EXPLAINING)
            || is_word(&words[*at], &["then", "but", "while"])
    };
    ends.extend((1..words.len()).filter(is_break).rev());
    let different: IndexSet<usize> = ends.into_iter().collect();
    different.into_iter().collect()
}

/// Returns the rest of a line from a byte offset onwards, without leading dashes and joining words.
pub(super) fn rest(line: &str, start: usize) -> String {
    let mut rest = line.get(start..).unwrap_or_default().trim();
    rest = rest.trim_start_matches(['-', '–', '—', ' ']);
    while let Some((first, others)) = rest.split_once(' ')
        && JOINING.contains(&first.trim_end_matches(',').to_lowercase().as_str())
    {
        rest = others.trim_start();
    }
    rest.to_owned()
}

/// Returns true if these words begin with a verb of the ruleset or an everyday phrase for an
/// action, and the first word does not name a piece.
pub(super) fn begins_act(reading: &Reading<'_>, words: &[Token]) -> bool {
    let Some(first) = words.first() else { return false };
    !is_piece(reading, first)
        && (!everyday_verbs::acts_at(words).is_empty() || !reading.verbs_named(words).is_empty())
}

/// Returns the number of consecutive words, from index `from` on, that name pieces.
fn pieces_at(reading: &Reading<'_>, words: &[Token], from: usize) -> usize {
    let rest = words.get(from..).unwrap_or_default();
    rest.iter().take_while(|word| is_piece(reading, word)).count()
}

fn is_piece(reading: &Reading<'_>, word: &Token) -> bool {
    super::find_spoken(reading.table, word.text.trim_end_matches([',', ';', '.'])).is_some()
}

fn is_word(word: &Token, words: &[&str]) -> bool {
    !word.quoted && is_one_of(&word.text, words)
}

/// Returns true if a word ends in a punctuation mark that separates statements.
fn is_marked(word: &Token) -> bool {
    !word.quoted && word.text.len() > 1 && word.text.ends_with([',', ';', '.', ':'])
}
