//! `roll`: dice for their own sake.

use super::super::{LineError, Reading, Token, Word, text_of};
use super::Read;
use crate::referee::Action;

pub(crate) const ROLL: Word<Read> = Word {
    name: "roll",
    usage: "roll DICE",
    help: "throw dice: roll 2d6+1",
    sample: &["`roll 2d6+1`, `roll 4d6kh3`, `roll 5d10>=7`, `roll d66`"],
    ..Word::of(read as Read)
};

fn read(reading: &Reading<'_>, _: &Token, rest: &[Token]) -> Result<Action, LineError> {
    let Some(first) = rest.first() else {
        return Err(LineError::new(None, "roll what?").help("for example `roll 2d6+1`"));
    };
    let expression = crate::dice::parse(&text_of(reading.line, rest));
    expression.map(Action::Roll).map_err(|error| LineError {
        message: error.to_string(),
        place: Some((first.start + error.span.start, first.start + error.span.end)),
        help: error.help,
    })
}
