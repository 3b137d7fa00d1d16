//! `orders`: stores a side's written orders, which no other side can read until they are revealed.

use super::super::{
    ANY_NUMBER, CompletionCandidates, LineError, Reading, Token, TypedLine, Word, find_named,
    typed_text,
};
use super::ReadAction;
use crate::referee::{Action, Player};

/// The word `orders`, which stores the secret orders of a side.
pub const ORDERS: Word<ReadAction> = Word {
    name: "orders",
    usage: "orders SIDE: TEXT",
    help: "store a side's written orders, which no other side sees",
    sample: &[
        "`orders red: to the hill` stores them until the phase that reveals them, or until `reveal red`; `show orders` lists them",
        "you can type a player's name instead of the side; the orders then begin with that name",
    ],
    complete,
    most: ANY_NUMBER,
    yields: true,
    ..Word::of(read as ReadAction)
};

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let (first, rest) = typed.need_word("`orders` needs a side", usage_help())?;
    let (name, behind) = match first.text.split_once(':') {
        Some((name, behind)) if !first.quoted => (name, behind),
        _ => (first.text.as_str(), ""),
    };
    let named = Token { text: name.to_owned(), ..first.clone() };
    let (side, player) = find_author(reading, &named)?;
    // The text may touch the colon, or the colon may be a separate word.
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
        let message = format!("what are {name}'s orders?");
        return Err(LineError::new(None, message).help(usage_help()));
    }
    let text = player.map_or(text.clone(), |player| format!("{player}: {text}"));
    Ok(Action::Order { side, text: Some(text) })
}

/// Returns the side that writes the orders. If the word names a player whose side has a different
/// name, also returns the player's name.
fn find_author(reading: &Reading<'_>, word: &Token) -> Result<(i64, Option<String>), LineError> {
    let players = reading.players();
    let is_named = |player: &&Player| player.name.eq_ignore_ascii_case(&word.text);
    let named = players.iter().find(is_named);
    match named.and_then(|player| Some((player, player.side.as_deref()?))) {
        // If a side has the same name as the player, the word means the side.
        Some((player, side)) if player.name != side => {
            let of = Token { text: side.to_owned(), ..word.clone() };
            Ok((find_side_with_orders(reading, &of)?, Some(player.name.clone())))
        }
        _ => Ok((find_side_with_orders(reading, word)?, None)),
    }
}

fn usage_help() -> String {
    format!("write `{}`", ORDERS.usage)
}

/// Returns the value of the side that a word names or abbreviates. Fails if there is no such side,
/// or if the game has no written orders.
pub(super) fn find_side_with_orders(reading: &Reading<'_>, word: &Token) -> Result<i64, LineError> {
    match reading.ruleset().schema.orders_kind() {
        Some(_) => find_side(reading, word),
        None => Err(LineError::new(None, "this game has no written orders")),
    }
}

/// Returns the value of the side that a word names or abbreviates.
pub(super) fn find_side(reading: &Reading<'_>, word: &Token) -> Result<i64, LineError> {
    let sides = reading.sides();
    let side = find_named(word, sides.iter().map(|side| (side.as_str(), side)), "side")?;
    Ok(reading.referee.side_value(reading.table, side))
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    if given.is_empty() && reading.ruleset().schema.orders_kind().is_some() {
        reading.sides().iter().for_each(|side| to.offer(&format!("{side}:")));
        let players = reading.players();
        players.iter().for_each(|player| to.offer(&format!("{}:", player.name)));
    }
}
