//! `roll`: dice for their own sake.

use super::super::{LineError, Reading, TypedLine, Word};
use super::Read;
use crate::referee::Action;

pub(crate) const ROLL: Word<Read> = Word {
    name: "roll",
    usage: "roll DICE",
    help: "throw dice: roll 2d6+1",
    sample: &["`roll 2d6+1`, `roll 4d6kh3`, `roll 5d10>=7`, `roll d66`"],
    ..Word::of(read as Read)
};

fn read(_: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let (first, _) = typed.need_word("roll what?", "for example `roll 2d6+1`")?;
    let expression = crate::dice::parse(&typed.text().unwrap_or_default());
    expression.map(Action::Roll).map_err(|error| LineError {
        message: error.to_string(),
        place: Some((first.start + error.span.start, first.start + error.span.end)),
        help: error.help,
    })
}
