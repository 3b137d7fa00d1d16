//! `remove`: takes a piece off the table. The name of the piece must be typed in full.

use super::super::{LineError, Reading, Token, TypedLine, Word, shorten_word};
use super::ReadAction;
use crate::names;
use crate::referee::Action;

/// The word `remove`, which takes a piece off the table.
pub const REMOVE: Word<ReadAction> = Word {
    name: "remove",
    usage: "remove PIECE",
    help: "take a piece off the table",
    complete: |reading, given, to| {
        let schema = &reading.ruleset().schema;
        let movable = reading.table.names().filter(|(_, kind, _)| !schema.kind(*kind).plan);
        to.offer_first(given, movable.map(|(name, ..)| name));
    },
    most: 1,
    ..Word::of(read as ReadAction)
};

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let missing = format!("`{}` needs a piece", typed.verb());
    let (word, _) = typed.need_word(missing, "write `remove PIECE`")?;
    let (kind, row) =
        reading.table.find(&word.text).ok_or_else(|| no_such_piece(reading, word, &word.text))?;
    if reading.ruleset().schema.kind(kind).plan {
        let message = "an area of the plan cannot be removed";
        return Err(LineError::new(Some(word), message).help("`set` changes what is on it"));
    }
    Ok(Action::Remove(kind, row))
}

/// Returns the error for a piece that is not on the table. It suggests the most similar name, if
/// there is one.
pub(super) fn no_such_piece(reading: &Reading<'_>, word: &Token, name: &str) -> LineError {
    let near = names::nearest(name, reading.table.names().map(|(n, ..)| n));
    let error = LineError::new(Some(word), format!("there is no piece `{}`", shorten_word(name)));
    match near {
        Some(near) => error.near_name(near),
        None => error,
    }
}
