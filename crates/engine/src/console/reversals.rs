//! Statements that deny what the last commands did to a piece: `s1 should not leave, it only just arrived`. Each
//! value that the piece had before is offered as a ruling.

use super::play::Play;
use super::question_words;
use super::questions::names_of_pieces;
use super::suggest::LineSearch;
use crate::command::TypedLine;
use crate::language::schema::Attribute;
use crate::tabletop::{Change, Value};

/// Words that say what shouldn't have happened.
const SHOULD_NOT: [&str; 2] = ["shouldn't", "shouldnt"];

/// Words that deny something. A statement with one of them may be about anything, unless it names what happens
/// instead.
const DENIES: [&str; 10] =
    ["doesn't", "doesnt", "didn't", "didnt", "isn't", "isnt", "wasn't", "wasnt", "not", "never"];

/// The number of commands, the last one first, whose changes such a statement may deny.
const MAX_BACK: usize = 6;

/// The maximum number of rulings proposed.
const MAX_RULINGS: usize = 4;

/// The reason of a ruling for which the statement gives none.
const NO_REASON: &str = "umpire's ruling";

/// Returns the `overrule` lines that restore what the last commands changed for the first piece in a statement
/// that denies something. Returns no lines for any other line.
pub(super) fn lines(play: &Play, typed: &TypedLine<'_>) -> Vec<String> {
    let words = question_words::question_words(typed);
    let has =
        |known: &[&str]| words.iter().any(|word| known.contains(&word.replace('’', "'").as_str()));
    let should_not = has(&SHOULD_NOT) || has(&["should"]) && has(&["not", "never"]);
    let denies = should_not || has(&DENIES) && has(&["instead"]);
    let names = names_of_pieces(play, &words);
    let Some(name) = names.first().filter(|_| denies && !question_words::is_question(typed)) else {
        return Vec::new();
    };
    let table = play.session.table();
    let Some((kind, _)) = table.find(name) else { return Vec::new() };
    let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
    let can_be_set = |attribute: &str| {
        let is_it = |a: &&Attribute| a.name == attribute;
        attributes.iter().find(is_it).is_some_and(Attribute::can_be_set)
    };
    let board = play.session.board();
    let entries = play.session.entries().iter().rev().take(MAX_BACK);
    let mut current = entries.filter(|entry| board.is_current(entry.number));
    // The first change of an attribute has the value from before the command.
    let changed = current.find_map(|entry| {
        let mut before: Vec<(&str, &Value)> = Vec::new();
        for change in entry.outcome.changes() {
            if let Change::Set { of, old, .. } = change
                && of.piece == *name
                && can_be_set(&of.attribute)
                && before.iter().all(|(known, _)| *known != of.attribute)
            {
                before.push((&of.attribute, old));
            }
        }
        (!before.is_empty()).then_some(before)
    });
    let reason = typed.line.split_once([',', ':', ';']).map_or(NO_REASON, |(_, said)| said.trim());
    let reason = if reason.is_empty() { NO_REASON } else { reason };
    let search = LineSearch::new(play.words, play.referee(), table);
    let lines = changed.into_iter().flatten();
    let lines =
        lines.map(|(attribute, old)| (format!("set {name}.{attribute} {old}"), attribute, old));
    let lines = lines.filter(|(set, ..)| search.accepts(set));
    let lines =
        lines.map(|(_, attribute, old)| format!("overrule {name}.{attribute} {old}: {reason}"));
    lines.take(MAX_RULINGS).collect()
}
