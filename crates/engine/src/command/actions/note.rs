//! `note`: adds a note to the transcript.

use super::super::{ANY_NUMBER, LineError, Reading, TypedLine, Word};
use super::ReadAction;
use crate::referee::Action;

/// The word `note`, which adds a note to the transcript.
pub const NOTE: Word<ReadAction> = Word {
    name: "note",
    usage: "note TEXT",
    help: "add a note to the transcript",
    most: ANY_NUMBER,
    ..Word::of(read as ReadAction)
};

fn read(_: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    Ok(Action::Note(typed.need_text(NOTE.usage)?))
}
