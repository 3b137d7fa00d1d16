//! `orders`: orders that a side writes, for no one else to read before they are revealed.

use super::super::{
    ANY_NUMBER, CompletionCandidates, LineError, Reading, Token, TypedLine, Word, find_named,
    typed_text,
};
use super::ReadAction;
use crate::referee::Action;

/// The word `orders`: writes secret orders.
pub const ORDERS: Word<ReadAction> = Word {
    name: "orders",
    usage: "orders SIDE: TEXT",
    help: "keep the written orders of a side, which nobody else sees",
    sample: &[
        "`orders red: to the hill` keeps them until the phase that reveals them, or `reveal red`; `show orders` lists them",
    ],
    complete,
    most: ANY_NUMBER,
    yields: true,
    ..Word::of(read as ReadAction)
};

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let (first, rest) = typed.need_word("`orders` of which side?", usage_help())?;
    let (name, behind) = match first.text.split_once(':') {
        Some((name, behind)) if !first.quoted => (name, behind),
        _ => (first.text.as_str(), ""),
    };
    let side = find_side_with_orders(reading, &Token { text: name.to_owned(), ..first.clone() })?;
    // The text may touch the colon, or the colon be a word by itself.
    let mut text = match (behind, rest) {
        ("", rest) => typed_text(typed.line, rest),
        (_, rest) => {
            let end = rest.last().map_or(first.end, |last| last.end);
            let start = first.end - behind.len();
            typed.line.get(start..end).unwrap_or(behind).to_owned()
        }
    };
    if let Some(after_colon) = text.strip_prefix(':') {
        text = after_colon.trim().to_owned();
    }
    if text.is_empty() {
        let message = format!("what are the orders of {name}?");
        return Err(LineError::new(None, message).help(usage_help()));
    }
    Ok(Action::Order { side, text: Some(text) })
}

fn usage_help() -> String {
    format!("write `{}`", ORDERS.usage)
}

/// Returns the side that a word names, in a game with written orders.
pub(super) fn find_side_with_orders(reading: &Reading<'_>, word: &Token) -> Result<i64, LineError> {
    match reading.ruleset().schema.orders_kind() {
        Some(_) => find_side(reading, word),
        None => Err(LineError::new(None, "this game keeps no orders of sides")),
    }
}

/// Returns the side that a word names.
pub(super) fn find_side(reading: &Reading<'_>, word: &Token) -> Result<i64, LineError> {
    let sides = reading.sides();
    let side = find_named(word, sides.iter().map(|side| (side.as_str(), side)), "side")?;
    Ok(reading.referee.side_value(reading.table, side))
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    if given.is_empty() && reading.ruleset().schema.orders_kind().is_some() {
        reading.sides().iter().for_each(|side| to.offer(&format!("{side}:")));
    }
}
