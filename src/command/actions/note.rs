//! `note`: words for the transcript.

use super::super::{LineError, Reading, Token, Word, need_text};
use super::Read;
use crate::referee::Action;

pub(crate) const NOTE: Word<Read> = Word {
    name: "note",
    usage: "note TEXT",
    help: "write into the transcript",
    ..Word::of(read as Read)
};

fn read(reading: &Reading<'_>, verb: &Token, rest: &[Token]) -> Result<Action, LineError> {
    Ok(Action::Note(need_text(reading.line, Some(verb), rest, NOTE.usage)?))
}
