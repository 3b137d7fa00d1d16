//! Questions about certain values of a single piece: `how many fires has s1`, `what is bob's weapon`,
//! `is ann hurt`. Only these values are shown. Questions about a piece as a whole are answered by
//! `show`.

use super::play::Play;
use super::question_words::{self, has_same_stem};
use super::questions::{self, QUESTION_WORDS, names_of_pieces};
use super::reply::Reply;
use super::rule_search;
use crate::command;
use crate::language::schema::{Attribute, KindId, KindRole, STATE_KIND};

/// Words that begin a question about values.
const ASKS: [&str; 7] = ["how", "what", "which", "is", "are", "has", "does"];

/// Words of such a question that say nothing about the value.
const LITTLE: [&str; 13] = [
    "on", "to", "in", "yet", "already", "carry", "carrying", "with", "for", "and", "really", "not",
    "or",
];

/// Answers a question about values of one piece, if all of its words are understood. Returns `None`
/// for any other question. Secret values are left to `show`.
pub(super) fn answer(play: &Play, words: &[String]) -> Option<Reply> {
    let first = words.first()?.as_str();
    if !ASKS.contains(&first) {
        return None;
    }
    // A word of the title may resemble a name.
    if let Some(reply) = value_of_state(play, words) {
        return Some(reply);
    }
    let names = names_of_pieces(play, words);
    let [name] = names.as_slice() else { return None };
    let table = play.session.table();
    let (kind, row) = table.find(name)?;
    let is_piece = |word: &str| {
        let found = command::find_spoken(table, word).or_else(|| {
            let one = [word.to_owned()];
            names_of_pieces(play, &one).pop()
        });
        found.as_deref() == Some(name)
    };
    let subject: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| !QUESTION_WORDS.contains(word) && !LITTLE.contains(word))
        .filter(|word| !is_piece(word))
        .collect();
    let asked = attributes_asked(play, kind, &subject)?;
    let counts = words.iter().any(|word| word == "many");
    let values = asked.into_iter().filter_map(|(index, attribute)| {
        let value = play.referee().attribute_text(table, kind, row, index)?;
        let value = if value.is_empty() { "none" } else { &value };
        let members = play.referee().attribute_members(table, kind, row, index);
        Some(match members.filter(|_| counts) {
            Some(members) => format!("{} {} ({value})", members.len(), attribute.name),
            None => format!("{} {value}", attribute.name),
        })
    });
    let values: Vec<String> = values.collect();
    (!values.is_empty())
        .then(|| questions::reply(format!("{name}: {}", values.join(", ")), Vec::new()))
}

/// Words for those who ask how much they have.
const OWNERS: [&str; 6] = ["we", "they", "i", "you", "us", "got"];

/// Answers a question about a value of the state that is named by its title, such as `how many command
/// points left`. Returns `None` if the question has words that aren't in the title.
fn value_of_state(play: &Play, words: &[String]) -> Option<Reply> {
    let is_subject = |word: &&str| {
        ![&QUESTION_WORDS[..], &LITTLE, &OWNERS].iter().any(|known| known.contains(word))
    };
    let subject: Vec<&str> = words.iter().map(String::as_str).filter(is_subject).collect();
    let attributes = play.referee().ruleset().schema.kind(STATE_KIND).attributes.iter().enumerate();
    let is_meant = |a: &Attribute| {
        let Some(title) = a.title.as_ref().map(|title| title.to_lowercase()) else { return false };
        let known: Vec<&str> = title.split(' ').chain([a.name.as_str()]).collect();
        subject.iter().all(|word| known.iter().any(|one| has_same_stem(one, word)))
    };
    let shown = attributes.filter(|(_, a)| !a.bookkeeping && a.secret.is_none());
    let mut meant = shown.filter(|(_, a)| !subject.is_empty() && is_meant(a));
    let (index, attribute) = meant.next().filter(|_| meant.next().is_none())?;
    let value = play.referee().attribute_text(play.session.table(), STATE_KIND, 0, index)?;
    let title = attribute.title.as_deref().unwrap_or(&attribute.name);
    Some(questions::reply(format!("{title}: {value}"), Vec::new()))
}

/// Returns the attributes that these words name together or one by one, or whose values they are.
/// Returns `None` if a word isn't understood, or if there are no words.
fn attributes_asked<'p>(
    play: &'p Play,
    kind: KindId,
    words: &[&str],
) -> Option<Vec<(usize, &'p Attribute)>> {
    let schema = &play.referee().ruleset().schema;
    let shown = || {
        let all = schema.kind(kind).attributes.iter().enumerate();
        all.filter(|(_, a)| !a.bookkeeping && a.secret.is_none())
    };
    let called = |word: &str| {
        let named = |(_, a): &(usize, &Attribute)| a.is_called_in_either_number(word);
        let found: Vec<(usize, &Attribute)> = shown().filter(named).take(1).collect();
        found
    };
    let together = called(&words.join("-"));
    if !together.is_empty() {
        return Some(together);
    }
    let mut asked: Vec<(usize, &Attribute)> = Vec::new();
    for word in words {
        let mut meant = called(word);
        if meant.is_empty() {
            let is_value = |(_, a): &(usize, &Attribute)| question_words::is_value(schema, a, word);
            meant = shown().filter(is_value).collect();
        }
        if meant.is_empty() {
            return None;
        }
        meant.retain(|(at, _)| asked.iter().all(|(known, _)| known != at));
        asked.extend(meant);
    }
    (!asked.is_empty()).then_some(asked)
}

/// Answers a question about the words of a set, such as `which directions are there`, with these words.
/// Returns `None` for any other question.
pub(super) fn answer_about_words(play: &Play, words: &[String]) -> Option<Reply> {
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let (["which" | "what" | "list", asked] | ["which" | "what", asked, "are", "there"]) =
        texts.as_slice()
    else {
        return None;
    };
    // `which phase` asks for one of them.
    let singular = asked.strip_suffix('s')?;
    let schema = &play.referee().ruleset().schema;
    let names_piece = command::find_spoken(play.session.table(), asked).is_some();
    let set = schema.words.iter().find(|set| set.name == *asked || set.name == singular);
    let set = set.filter(|_| !names_piece)?;
    Some(questions::reply(format!("{}: {}", set.name, set.values.join(", ")), Vec::new()))
}

/// Words with which a question asks for the values of a row of a list, besides the names of attributes.
const OF_ROWS: [&str; 8] = ["range", "reach", "reaches", "shoot", "fire", "move", "go", "far"];

/// Answers a question about a row of a list, such as `what's the reach of a sling`, with the values of
/// the row. Returns `None` for any other question, and if several lists have such a row.
pub(super) fn answer_about_row(play: &Play, words: &[String]) -> Option<Reply> {
    let first = words.first()?.as_str();
    let table = play.session.table();
    // A table has more than the row, and chances are no value of it.
    let asks_more = words.iter().any(|word| ["table", "chart", "bands"].contains(&word.as_str()))
        || questions::asks_chances(words);
    if asks_more
        || !["how", "what", "which"].contains(&first)
        || words.iter().any(|word| command::find_spoken(table, word).is_some())
    {
        return None;
    }
    let schema = &play.referee().ruleset().schema;
    let lists = schema.all_kinds().filter(|(_, kind)| kind.role == KindRole::List);
    let mut rows = lists.flat_map(|(id, kind)| {
        let named = kind.rows.iter().enumerate().filter(|(_, row)| {
            words.iter().any(|word| {
                let singular = word.strip_suffix('s').unwrap_or(word);
                [word.as_str(), singular].iter().any(|form| row.name.eq_ignore_ascii_case(form))
            })
        });
        let asks = words.iter().any(|word| {
            OF_ROWS.contains(&word.as_str()) || kind.attributes.iter().any(|a| a.is_called(word))
        });
        named.map(move |(row, _)| (id, kind, row)).filter(move |_| asks)
    });
    let (id, kind, row) = rows.next()?;
    if rows.next().is_some() {
        return None;
    }
    let row = u32::try_from(row).ok()?;
    let values = kind.attributes.iter().enumerate().filter_map(|(index, attribute)| {
        let value = play.referee().attribute_text(table, id, row, index)?;
        let title = attribute.title.as_deref().unwrap_or(&attribute.name);
        (!attribute.bookkeeping && !value.is_empty()).then(|| format!("{title} {value}"))
    });
    let values: Vec<String> = values.collect();
    let name = table.piece_name(id, row);
    let answer = format!("{name}: {}", values.join(", "));
    // In `what's the range of a sling at 7 inches`, a chart may have the answer.
    let is_best = !rule_search::fits_better(play, words, &answer);
    is_best.then(|| questions::reply(answer, Vec::new()))
}
