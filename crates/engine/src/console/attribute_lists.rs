//! Questions about one attribute of many pieces: `how many shells are left`, `what speed is
//! everyone`. The answer lists the pieces with their values.

use super::play::Play;
use super::question_words;
use super::questions;
use super::reply::Reply;
use super::rule_search;
use crate::language::schema::{Attribute, KindRole};

/// Values that a list leaves out: the piece has nothing of the kind.
const NOTHING: [&str; 4] = ["", "0", "no", "none"];

/// The maximum number of pieces in a list.
const MAX_PIECES: usize = 60;

/// The minimum number of letters in a word that may name an attribute.
const MIN_LETTERS: usize = 4;

/// Answers a question that names an attribute of one kind of pieces. Returns `None` for any other
/// question, or if no piece has a value to list. Secret attributes aren't listed.
pub(super) fn answer(play: &Play, words: &[String]) -> Option<Reply> {
    let first = words.first()?;
    let counts = first == "how" && words.get(1).is_some_and(|second| second == "many");
    let asks = ["how", "what", "which", "who"].contains(&first.as_str());
    // `who fires at it` asks about an action.
    let is_action = || words.iter().any(|word| question_words::is_verb(play, word));
    let has_number = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    // In `how bad are the fires`, nobody fires.
    let states = words.iter().any(|word| word == "are" || word == "is");
    if !asks || has_number || (!counts && !states && is_action()) {
        return None;
    }
    let answer = values_of_all(play, words)?;
    // In `how many cards for speed`, the values of the pieces aren't what the question is about.
    let is_answer = !rule_search::fits_better(play, words, &answer);
    is_answer.then(|| questions::reply(answer, Vec::new()))
}

/// The maximum number of words that only name an attribute.
const MAX_BARE: usize = 3;

/// Answers a line that only names an attribute, perhaps with another word for the same, such as `weapon
/// skills`. Returns `None` for any other line.
pub(super) fn of_bare_name(play: &Play, words: &[String]) -> Option<Reply> {
    let schema = &play.referee().ruleset().schema;
    let is_name = |word: &String| {
        let mut attributes = schema.piece_kinds().flat_map(|(_, of)| &of.attributes);
        word == "the"
            || attributes.any(|attribute| {
                let title = attribute.title.as_deref().unwrap_or_default();
                attribute.is_called_in_either_number(word)
                    || title.split(' ').any(|part| part.eq_ignore_ascii_case(word))
            })
    };
    let is_bare = (1..=MAX_BARE).contains(&words.len()) && words.iter().all(is_name);
    let acts = words.iter().any(|word| question_words::is_verb(play, word));
    if is_bare && !acts {
        values_of_all(play, words).map(|list| questions::reply(list, Vec::new()))
    } else {
        None
    }
}

/// Returns the values of the attribute that some words name last, for all pieces of its kind that have any.
fn values_of_all(play: &Play, words: &[String]) -> Option<String> {
    let referee = play.referee();
    let table = play.session.table();
    let schema = &referee.ruleset().schema;
    let singular = |word: &str| {
        let stem = word.strip_suffix("es").or_else(|| word.strip_suffix('s'));
        stem.unwrap_or(word).trim_end_matches('e').to_lowercase()
    };
    let names_something = |word: &&String| {
        word.len() >= MIN_LETTERS && !questions::QUESTION_WORDS.contains(&word.as_str())
    };
    let asked: Vec<String> =
        words.iter().filter(names_something).map(|word| singular(word)).collect();
    let is_asked = |attribute: &Attribute| {
        !attribute.bookkeeping
            && attribute.secret.is_none()
            && asked.contains(&singular(&attribute.name))
    };
    for (kind, of) in schema.piece_kinds().filter(|(_, of)| of.role == KindRole::Pieces) {
        // `who is left on the red side` doesn't ask for everybody's side.
        let is_side = |index: usize| of.side_attribute == Some(index);
        let asked_of = (0..of.attributes.len()).filter(|&i| is_asked(&of.attributes[i]));
        // In `who has what weapon skill`, the last word is the noun.
        let place = |index: &usize| {
            let name = singular(&of.attributes[*index].name);
            asked.iter().rposition(|word| *word == name)
        };
        let Some(index) = asked_of.filter(|index| !is_side(*index)).max_by_key(place) else {
            continue;
        };
        let attribute = &of.attributes[index];
        let mut listed = Vec::new();
        for row in table.present_pieces(kind) {
            let value = referee.attribute_text(table, kind, row, index).unwrap_or_default();
            if !NOTHING.contains(&value.as_str()) {
                listed.push(format!("{} {value}", table.piece_name(kind, row)));
            }
        }
        if (1..=MAX_PIECES).contains(&listed.len()) {
            return Some(format!("{}: {}", attribute.name, listed.join(", ")));
        }
    }
    None
}
