//! `set`: attributes changed by the umpire's word.

use super::super::{Candidates, LineError, MANY, Reading, Token, TypedLine, Word, target};
use super::remove::no_piece;
use super::{ReadAction, attribute, is_attribute, of_piece, pair, settable, value_of, values};
use crate::language::schema::{KindId, Type};
use crate::referee::Action;

/// The word `set`: sets an attribute by ruling.
pub const SET: Word<ReadAction> = Word {
    name: "set",
    usage: "set PIECE.ATTRIBUTE VALUE…",
    help: "change an attribute by your word",
    sample: &["`set c3.fire 2`, `set t1.at c4`, `set state.wind strong`"],
    complete,
    most: MANY,
    ..Word::of(read as ReadAction)
};

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let usage = "write `set PIECE.ATTRIBUTE VALUE`";
    let missing = format!("`{}` needs a piece and an attribute", typed.verb());
    let (first, pairs) = typed.need_word(missing, usage)?;
    let (goal, value, after) = pair(typed.rest()).unwrap_or((first.clone(), None, pairs));
    if let Some((kind, row, name)) = of_piece(reading, &goal) {
        let Some(value) = value else {
            attribute(reading.ruleset(), kind, &name)?;
            let message = format!("`{}` needs a value", name.text);
            return Err(LineError::new(None, message).help(usage));
        };
        let (value, after) = value_of(reading, kind, &name, &value, after)?;
        let mut all = vec![value];
        all.extend(values(reading, kind, after)?);
        return Ok(Action::Set { kind, row, values: all });
    }
    let (kind, row) = target(reading.table, &goal.text).ok_or_else(|| {
        // Of `t99.fatigue` the piece is what is not there.
        no_piece(reading, first, goal.text.rsplit_once('.').map_or(&*goal.text, |n| n.0))
    })?;
    let values = values(reading, kind, pairs)?;
    if values.is_empty() {
        return Err(LineError::new(None, "set what?").help(usage));
    }
    Ok(Action::Set { kind, row, values })
}

/// Offers `PIECE.ATTRIBUTE`, then values.
pub fn complete(reading: &Reading<'_>, given: &[Token], to: &mut Candidates) {
    let ruleset = reading.ruleset();
    let Some((first, rest)) = given.split_first() else {
        if let Some((piece, _)) = to.begun().to_owned().rsplit_once('.')
            && let Some((kind, _)) = target(reading.table, piece)
        {
            settable(ruleset, kind).for_each(|a| to.offer(&format!("{piece}.{}", a.name)));
        }
        to.offer_later("state.");
        reading.table.names().for_each(|(name, ..)| to.offer_later(&format!("{name}.")));
        return;
    };
    if let Some((kind, _, name)) = of_piece(reading, first) {
        complete_pairs(reading, kind, &[&[name], rest].concat(), to);
    } else if let Some((kind, _)) = target(reading.table, &first.text) {
        complete_pairs(reading, kind, rest, to);
    }
}

/// Offers attributes and values in turns.
pub(super) fn complete_pairs(
    reading: &Reading<'_>,
    kind: KindId,
    given: &[Token],
    to: &mut Candidates,
) {
    let ruleset = reading.ruleset();
    let mut rest = given;
    while let Some((name, after)) = rest.split_first() {
        let Ok((_, attribute)) = attribute(ruleset, kind, name) else { return };
        let list = matches!(attribute.ty, Type::List(_));
        let named = |w: &&Token| list && !is_attribute(reading, kind, attribute, w);
        let more = after.iter().skip(1).take_while(named).count();
        if after.is_empty() || (list && after.len() == more + 1) {
            reading.offer_attribute(attribute, to);
        }
        if after.is_empty() {
            return;
        }
        rest = &after[more + 1..];
    }
    settable(ruleset, kind).for_each(|a| to.offer(&a.name));
}
