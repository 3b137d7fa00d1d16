//! The words of the console that stand for an action. They are apart from the others because the journal keeps them:
//! a session reads them again.

mod add;
mod next;
mod note;
mod option;
mod remove;
mod roll;
mod set;

use super::{LineError, Reading, Token, Word, named};
use crate::language::schema::{Attribute, KindId, STATE, Storage};
use crate::referee::Action;
use crate::ruleset::Ruleset;
use crate::tabletop::Given;

pub(crate) use add::ADD;
pub(crate) use next::{NEXT, Onward, onward};
pub(crate) use note::NOTE;
pub(crate) use option::OPTION;
pub(crate) use remove::REMOVE;
pub(crate) use roll::ROLL;
pub(crate) use set::{SET, complete as complete_set};

/// Reads what stands behind the word.
pub(crate) type Read = fn(&Reading<'_>, &Token, &[Token]) -> Result<Action, LineError>;

/// All words that stand for an action.
pub(crate) const ACTIONS: &[Word<Read>] = &[NEXT, ROLL, ADD, SET, REMOVE, NOTE, OPTION];

/// Reads `ATTRIBUTE VALUE …` or `ATTRIBUTE=VALUE …`, also with blanks around the sign.
fn values(
    reading: &Reading<'_>,
    kind: KindId,
    words: &[Token],
) -> Result<Vec<(usize, Given)>, LineError> {
    let mut values = Vec::new();
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let (name, inline) = split_sign(word);
        let (value, after) = value_behind(inline, after)
            .ok_or_else(|| LineError::new(None, format!("`{}` needs a value", name.text)))?;
        values.push(value_of(reading, kind, &name, &value)?);
        rest = after;
    }
    Ok(values)
}

/// Splits `NAME=VALUE`; the value is empty if the sign stands last, and none without a sign.
fn split_sign(word: &Token) -> (Token, Option<Token>) {
    let part = |text: &str| Token { text: text.to_owned(), ..word.clone() };
    match word.text.split_once('=') {
        Some((name, value)) => (part(name), Some(part(value))),
        None => (word.clone(), None),
    }
}

/// Returns the value behind a name, and what follows it.
fn value_behind(inline: Option<Token>, after: &[Token]) -> Option<(Token, &[Token])> {
    let after = match (inline, after.split_first()) {
        (Some(value), _) if !value.text.is_empty() => return Some((value, after)),
        (None, Some((sign, after))) if sign.text == "=" => after,
        _ => after,
    };
    after.split_first().map(|(value, after)| (value.clone(), after))
}

fn value_of(
    reading: &Reading<'_>,
    kind: KindId,
    name: &Token,
    value: &Token,
) -> Result<(usize, Given), LineError> {
    let (place, attribute) = attribute(reading.ruleset(), kind, name)?;
    // Which phase it is, is for the referee to say: `next to PHASE`.
    if attribute.fixed && kind == STATE && attribute.name != "turn" {
        let message = format!("`{}` cannot be set", attribute.name);
        return Err(LineError::new(Some(name), message).help("`next` goes on through the turn"));
    }
    Ok((place, reading.given(attribute, value)?))
}

/// Finds an attribute of a kind, with its place.
fn attribute<'r>(
    ruleset: &'r Ruleset,
    kind: KindId,
    name: &Token,
) -> Result<(usize, &'r Attribute), LineError> {
    let attributes = &ruleset.schema.kind(kind).attributes;
    let known: Vec<&str> = attributes.iter().map(|a| a.name.as_str()).collect();
    let found = named(name, &known, "attribute")?;
    let place = attributes.iter().enumerate().find(|(_, a)| a.name == found);
    place.ok_or_else(|| LineError::new(Some(name), format!("there is no attribute `{found}`")))
}

/// Returns the attributes of a kind that the umpire can set.
fn settable(ruleset: &Ruleset, kind: KindId) -> impl Iterator<Item = &Attribute> {
    let stored = |a: &&Attribute| !matches!(a.storage, Storage::Computed(_)) && !a.fixed;
    ruleset.schema.kind(kind).attributes.iter().filter(stored)
}
