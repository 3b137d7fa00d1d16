//! Lines that leave out what the last command had: `again at bob, 12`, `then against b2`, `and again right`,
//! `the second shot too`. Finds the last command with the arguments that were typed.

use super::corrections;
use super::left_out_words;
use super::play::Play;
use super::question_words;
use super::questions::{names_of_pieces, reason_for_refusal};
use super::same_again::{self, BEFORE_TARGETS};
use super::suggest::LineSearch;
use crate::command::{self, TypedLine};
use crate::language::schema::KindId;
use crate::referee::Action;

/// The maximum number of words in such a line.
const MAX_WORDS: usize = 10;

/// The maximum number of commands that are searched for the one that is meant.
const MAX_BACK: usize = 6;

/// Words before what is repeated.
const NEXT: [&str; 8] = ["and", "then", "now", "also", "so", "ok", "okay", "next"];

/// Words that ask for the last action once more.
const AGAIN: [&str; 6] = ["again", "another", "more", "repeat", "once", "redo"];

/// Words for a further thing of the same sort.
const FURTHER: [&str; 8] = ["second", "third", "other", "both", "all", "two", "too", "rest"];

/// Words that add nothing.
const LITTLE: [&str; 14] = [
    "the", "a", "an", "of", "his", "her", "its", "their", "same", "please", "as", "well", "time",
    "with",
];

/// Nouns for what is done once more: `another round`.
const NOUNS: [&str; 8] = ["round", "go", "shot", "burst", "bout", "turn", "one", "attack"];

/// The last command with the arguments of such a line.
pub(super) enum LastCommand {
    /// Lines that would be accepted.
    Lines(Vec<String>),
    /// A line that would be refused, and the reason.
    Refused(String, String),
}

/// Returns the last command with the arguments of a line without an acting piece. Returns `None` if it names who
/// acts, has another verb, or leaves it unclear what is meant.
pub(super) fn last_command(play: &Play, typed: &TypedLine<'_>) -> Option<LastCommand> {
    let words = question_words::question_words(typed);
    if words.len() > MAX_WORDS || words.is_empty() {
        return None;
    }
    let is_one_of = |word: &String, known: &[&str]| known.contains(&word.as_str());
    let skipped = words.iter().take_while(|word| is_one_of(word, &NEXT)).count();
    let said = words.get(skipped..)?;
    let first = said.first()?;
    let begins_again = is_one_of(first, &AGAIN);
    let begins_target = skipped > 0 && is_one_of(first, &BEFORE_TARGETS);
    let is_further = said.iter().any(|word| is_one_of(word, &FURTHER));
    let is_command = play.referee().ruleset().is_typed_verb(&words[0]);
    if is_command || !begins_again && !begins_target && !is_further {
        return None;
    }
    let last = last_action(play)?;
    let own = acting(play, last)?;
    let verb = last.split(' ').next()?;
    let table = play.session.table();
    // A line that names who acts isn't about the last action.
    let side = |name: &str| {
        let (kind, row) = table.find(name)?;
        play.referee().side_of_piece(table, kind, row)
    };
    let own_side =
        own.first().and_then(|&(kind, row)| play.referee().side_of_piece(table, kind, row));
    let named = names_of_pieces(play, said);
    if named.iter().any(|name| own_side.is_some() && side(name) == own_side) {
        return None;
    }
    let is_noun_of = |word: &String, verbs: &[String]| {
        verbs.iter().any(|one| one == verb)
            || same_again::asks_same(word)
            || is_one_of(word, &AGAIN)
            || is_one_of(word, &FURTHER)
            || is_one_of(word, &LITTLE)
            || begins_again && verbs.is_empty() && is_one_of(word, &NOUNS)
    };
    let mut says_verb = false;
    let mut arguments: Vec<&str> = Vec::new();
    for word in said {
        let verbs = command::verbs_in(play.referee(), table, word);
        says_verb |= verbs.iter().any(|one| one == verb);
        if !verbs.is_empty() && !verbs.iter().any(|one| one == verb) {
            return None;
        }
        if !is_noun_of(word, &verbs) {
            arguments.push(word);
        }
    }
    // `both` alone may mean anything.
    if is_further && !begins_again && !says_verb {
        return None;
    }
    let search = LineSearch::new(play.words, play.referee(), table);
    let readable = command::restated(play.referee(), table, last)?;
    let lines = if arguments.is_empty() {
        let counted = left_out_words::put_back(play, &readable, &said.join(" "), &search);
        match counted {
            Ok(done) => vec![done.line],
            Err(refused) => return Some(LastCommand::Refused(readable, refused.0)),
        }
    } else {
        let text = arguments.join(" ");
        let has_all = |line: &str| {
            let unknown = command::unknown_words(play.referee(), table, &text);
            unknown.is_empty() && left_out_words::known_words_left_out(play, &text, line).is_empty()
        };
        if arguments.iter().all(|word| left_out_words::has_word(last, word)) {
            vec![readable]
        } else {
            let mut lines = corrections::readable_lines_in_place_of(play, last, &text);
            lines.retain(|line| acting(play, line).as_ref() == Some(&own) && has_all(line));
            lines
        }
    };
    let accepted: Vec<String> = lines.iter().filter(|line| search.accepts(line)).cloned().collect();
    if !accepted.is_empty() {
        return Some(LastCommand::Lines(accepted));
    }
    let refused = lines.into_iter().next()?;
    let reason = reason_for_refusal(play, &refused)?;
    Some(LastCommand::Refused(refused, reason))
}

/// Returns the line that was refused last or, if something has been done since, the last command in which
/// pieces act and whose verb belongs to this phase.
fn last_action(play: &Play) -> Option<&str> {
    let refused = play.refused.as_deref().into_iter();
    let entries = play.session.entries().iter().rev().filter(|one| !one.outcome.only_looks());
    let mut latest = refused.chain(entries.take(MAX_BACK).map(|entry| entry.line.as_str()));
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    latest.find(|line| {
        let command = command::parse(play.referee(), play.session.table(), line).ok().flatten();
        command.is_some_and(|command| {
            matches!(command.action, Action::Rule { .. })
                && search.belongs_here(&command.verb)
                && !play.acting_pieces(&command.action).is_empty()
        })
    })
}

/// Returns the pieces that act in a line.
fn acting(play: &Play, line: &str) -> Option<Vec<(KindId, u32)>> {
    let command = command::parse(play.referee(), play.session.table(), line).ok()??;
    Some(play.acting_pieces(&command.action))
}
