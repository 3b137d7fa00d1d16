//! The console words for actions. They are separate from the other words because lines that begin
//! with them are commands, which are stored in the journal.

mod add;
mod next;
mod note;
mod option;
mod orders;
mod remove;
mod reveal;
mod roll;
mod set;

use super::{LineError, Reading, Token, TypedLine, Word, find_named};
use crate::language::schema::{self, Attribute, AttributeStorage, KindId, STATE_KIND};
use crate::referee::Action;
use crate::ruleset::Ruleset;
use crate::tabletop::Argument;

pub use add::ADD;
pub use next::{NEXT, NextGoal, parse_next};
pub use note::NOTE;
pub use option::OPTION;
pub use orders::ORDERS;
pub use remove::REMOVE;
pub use reveal::REVEAL;
pub use roll::ROLL;
pub use set::{SET, complete as complete_set};

/// A function that parses the words after the first one as an action.
pub(crate) type ReadAction = fn(&Reading<'_>, &TypedLine<'_>) -> Result<Action, LineError>;

/// All words for actions.
pub(crate) const ACTIONS: &[Word<ReadAction>] =
    &[NEXT, ROLL, ADD, SET, REMOVE, NOTE, OPTION, ORDERS, REVEAL];

/// Parses `ATTRIBUTE VALUE …` or `ATTRIBUTE=VALUE …`, with or without spaces around the `=`.
/// Returns the index and the value of each attribute. Fails if an attribute is unknown or lacks a
/// value.
fn read_values(
    reading: &Reading<'_>,
    kind: KindId,
    words: &[Token],
) -> Result<Vec<(usize, Argument)>, LineError> {
    let mut values = Vec::new();
    let mut rest = words;
    while let Some((name, value, after)) = name_value_pair(rest) {
        let Some(value) = value else {
            find_attribute(reading.ruleset(), kind, &name)?;
            return Err(LineError::new(None, format!("`{}` needs a value", name.text)));
        };
        let (value, after) = read_value(reading, kind, &name, &value, after)?;
        values.push(value);
        rest = after;
    }
    Ok(values)
}

/// Parses `NAME VALUE` or `NAME=VALUE`, with or without spaces around the `=`. Returns the name,
/// its value if there is one, and the remaining words. Returns `None` if there are no words.
fn name_value_pair(words: &[Token]) -> Option<(Token, Option<Token>, &[Token])> {
    let (word, after) = words.split_first()?;
    let part = |text: &str| Token { text: text.to_owned(), ..word.clone() };
    let (name, after) = match (word.text.split_once('='), after.split_first()) {
        (Some((name, "")), _) => (part(name), after),
        (Some((name, value)), _) => return Some((part(name), Some(part(value)), after)),
        (None, Some((sign, after))) if sign.text == "=" => (word.clone(), after),
        (None, _) => (word.clone(), after),
    };
    Some((name, after.first().cloned(), after.get(1..).unwrap_or_default()))
}

/// Parses the value of an attribute, including all members of a list. Returns the index of the
/// attribute, its value, and the remaining words. Fails if the attribute can't have this value, or
/// can't be set.
fn read_value<'w>(
    reading: &Reading<'_>,
    kind: KindId,
    name: &Token,
    value: &Token,
    mut after: &'w [Token],
) -> Result<((usize, Argument), &'w [Token]), LineError> {
    let (index, attribute) = find_attribute(reading.ruleset(), kind, name)?;
    // The umpire can set the turn, but must change the phase with `next to PHASE`.
    if attribute.fixed && kind == STATE_KIND && attribute.name != "turn" {
        let message = format!("`{}` cannot be set", attribute.name);
        return Err(LineError::new(Some(name), message).help("`next` goes on to the next phase"));
    }
    let mut given = reading.attribute_value(attribute, value)?;
    while let (Argument::Members(members), Some((word, rest))) = (&mut given, after.split_first())
        && !members.is_empty()
        && !is_other_attribute(reading, kind, attribute, word)
        && let Argument::Members(more) = reading.attribute_value(attribute, word)?
    {
        members.extend(more);
        after = rest;
    }
    Ok(((index, given), after))
}

/// Returns true if a word after a member of a list is not the next member, because it is `=`, or
/// because it does not name members and its text, up to any `=`, names an attribute.
fn is_other_attribute(reading: &Reading<'_>, kind: KindId, list: &Attribute, word: &Token) -> bool {
    let name = word.text.split('=').next().map_or(String::new(), str::to_owned);
    let name = Token { text: name, ..word.clone() };
    word.text == "="
        || (!reading.is_whole_names(list.ty, &word.text)
            && find_attribute(reading.ruleset(), kind, &name).is_ok())
}

/// Finds an attribute of a kind by its name or an abbreviation, and returns it with its index.
fn find_attribute<'r>(
    ruleset: &'r Ruleset,
    kind: KindId,
    name: &Token,
) -> Result<(usize, &'r Attribute), LineError> {
    let attributes = ruleset.schema.kind(kind).attributes.iter().enumerate();
    let what = if kind == schema::OPTION_KIND { "option" } else { "attribute" };
    find_named(name, attributes.map(|(index, a)| (a.name.as_str(), (index, a))), what)
}

/// Returns the attributes of a kind that are neither computed nor fixed. Completion offers these
/// for `set`.
fn settable_attributes(ruleset: &Ruleset, kind: KindId) -> impl Iterator<Item = &Attribute> {
    let stored = |a: &&Attribute| !matches!(a.storage, AttributeStorage::Computed(_)) && !a.fixed;
    ruleset.schema.kind(kind).attributes.iter().filter(stored)
}
