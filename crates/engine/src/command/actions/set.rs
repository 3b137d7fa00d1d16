//! `set`: changes attributes of a piece or of the game's state, by a ruling of the umpire.

use super::super::{
    ANY_NUMBER, CompletionCandidates, LineError, Reading, Token, TypedLine, Word, find_piece,
};
use super::remove::no_such_piece;
use super::{
    ReadAction, find_attribute, is_other_attribute, name_value_pair, piece_and_attribute,
    read_value, read_values, settable_attributes,
};
use crate::language::schema::{KindId, Type};
use crate::referee::Action;

/// The word `set`, which changes attributes of a piece or of the game's state.
pub const SET: Word<ReadAction> = Word {
    name: "set",
    usage: "set PIECE.ATTRIBUTE VALUE…",
    help: "change a value by your ruling",
    sample: &["`set c3.fire 2`, `set t1.at c4`, `set state.wind strong`"],
    complete,
    most: ANY_NUMBER,
    ..Word::of(read as ReadAction)
};

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let usage = "write `set PIECE.ATTRIBUTE VALUE`";
    let missing = format!("`{}` needs a piece and an attribute", typed.verb());
    let (first, pairs) = typed.need_word(missing, usage)?;
    let (goal, value, after) =
        name_value_pair(typed.words_after_first()).unwrap_or((first.clone(), None, pairs));
    if let Some((kind, row, name)) = piece_and_attribute(reading, &goal) {
        let Some(value) = value else {
            find_attribute(reading.ruleset(), kind, &name)?;
            let message = format!("`{}` needs a value", name.text);
            return Err(LineError::new(None, message).help(usage));
        };
        let (value, after) = read_value(reading, kind, &name, &value, after)?;
        let mut all = vec![value];
        all.extend(read_values(reading, kind, after)?);
        return Ok(Action::Set { kind, row, values: all });
    }
    let (kind, row) = find_piece(reading.table, &goal.text).ok_or_else(|| {
        // In `t99.fatigue`, the piece `t99` is missing.
        no_such_piece(reading, first, goal.text.rsplit_once('.').map_or(&*goal.text, |n| n.0))
    })?;
    let values = read_values(reading, kind, pairs)?;
    if values.is_empty() {
        return Err(LineError::new(None, "set what?").help(usage));
    }
    Ok(Action::Set { kind, row, values })
}

/// Offers `PIECE.ATTRIBUTE`, then the values of the attribute, then the other attributes of the
/// piece and their values.
pub fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    let ruleset = reading.ruleset();
    let Some((first, rest)) = given.split_first() else {
        if let Some((piece, _)) = to.prefix().to_owned().rsplit_once('.')
            && let Some((kind, _)) = find_piece(reading.table, piece)
        {
            settable_attributes(ruleset, kind)
                .for_each(|a| to.offer(&format!("{piece}.{}", a.name)));
        }
        to.offer_later("state.");
        reading.table.names().for_each(|(name, ..)| to.offer_later(&format!("{name}.")));
        return;
    };
    if let Some((kind, _, name)) = piece_and_attribute(reading, first) {
        complete_pairs(reading, kind, &[&[name], rest].concat(), to);
    } else if let Some((kind, _)) = find_piece(reading.table, &first.text) {
        complete_pairs(reading, kind, rest, to);
    }
}

/// Offers the values of the last attribute if its value is missing or is a list that may continue.
/// Offers the names of attributes if no value is missing.
pub(super) fn complete_pairs(
    reading: &Reading<'_>,
    kind: KindId,
    given: &[Token],
    to: &mut CompletionCandidates,
) {
    let ruleset = reading.ruleset();
    let mut rest = given;
    while let Some((name, after)) = rest.split_first() {
        let Ok((_, attribute)) = find_attribute(ruleset, kind, name) else { return };
        let list = matches!(attribute.ty, Type::List(_));
        let named = |w: &&Token| list && !is_other_attribute(reading, kind, attribute, w);
        let more = after.iter().skip(1).take_while(named).count();
        if after.is_empty() || (list && after.len() == more + 1) {
            reading.offer_attribute(attribute, to);
        }
        if after.is_empty() {
            return;
        }
        rest = &after[more + 1..];
    }
    settable_attributes(ruleset, kind).for_each(|a| to.offer(&a.name));
}
