//! `reveal`: reveals a secret piece or attribute to everyone or to one side, or reads out a side's
//! written orders.

use super::super::{
    CompletionCandidates, LineError, Reading, Token, TypedLine, Word, find_piece, shorten_word,
};
use super::orders::{find_side, find_side_with_orders};
use super::remove::no_such_piece;
use super::{ReadAction, find_attribute};
use crate::language::machine::World;
use crate::language::schema::{KindId, Secrecy};
use crate::referee::Action;
use crate::tabletop::Argument;

/// The word `reveal`, followed by a piece, an attribute or a side.
pub const REVEAL: Word<ReadAction> = Word {
    name: "reveal",
    usage: "reveal [PIECE|PIECE.ATTRIBUTE|SIDE] [to SIDE]",
    help: "reveal a secret; without a name, reveal the seed of the dice so that everyone can verify them",
    sample: &[
        "`reveal k3` reveals a piece to everyone, and `reveal k3.strength` an attribute; `reveal k3 to red` reveals it to one side only; `reveal red` reads out the written orders of red",
        "at the end of a game, `reveal` on its own shows the seed, from which anyone can derive every die; anyone who knows the seed can also predict all later dice",
    ],
    complete,
    most: 3,
    yields: true,
    ..Word::of(read as ReadAction)
};

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let usage = format!("write `{}`", REVEAL.usage);
    let (what, rest) = typed.need_word("reveal what?", usage.clone())?;
    let to = match rest {
        [] => None,
        [to, word] if to.text == "to" => Some(word),
        [excess, ..] => {
            let message = format!("`{}` does not belong here", excess.text);
            return Err(LineError::new(Some(excess), message).help(usage));
        }
    };
    if to.is_none() && reading.sides().contains(&what.text.to_lowercase()) {
        return Ok(Action::Order { side: find_side_with_orders(reading, what)?, text: None });
    }
    let (kind, row, secret) = find_secret(reading, what)?;
    let schema = &reading.ruleset().schema;
    let Some(to) = to else {
        let (_, index) = schema.columns[secret.revealed.index()];
        let values = vec![(index, Argument::Value(1))];
        return Ok(Action::Set { kind, rows: vec![row], values });
    };
    let Some(list) = secret.revealed_to else {
        return Err(LineError::new(Some(to), "this game declares no sides"));
    };
    let side = find_side(reading, to)?;
    let mut members = reading.table.list(list, row).to_vec();
    members.extend(u32::try_from(side).ok().filter(|side| !members.contains(side)));
    let (_, index) = schema.lists[list.index()];
    let values = vec![(index, Argument::Members(members))];
    Ok(Action::Set { kind, rows: vec![row], values })
}

/// Returns the piece and the name of the attribute in a word such as `b3.2.fire`. The piece is
/// everything before the last dot. Returns `None` if the word has no dot or there is no such piece.
fn piece_and_attribute(reading: &Reading<'_>, word: &Token) -> Option<(KindId, u32, Token)> {
    let (piece, name) = word.text.rsplit_once('.')?;
    let (kind, row) = find_piece(reading.table, piece)?;
    Some((kind, row, Token { text: name.to_owned(), ..word.clone() }))
}

/// Returns the secret piece that a word names, or the piece whose secret attribute it names. Also
/// returns the secrecy of the piece or attribute. Fails if the piece or attribute does not exist or
/// is not secret.
fn find_secret(reading: &Reading<'_>, word: &Token) -> Result<(KindId, u32, Secrecy), LineError> {
    let schema = &reading.ruleset().schema;
    let open = || {
        let error =
            LineError::new(Some(word), format!("`{}` is not secret", shorten_word(&word.text)));
        error.help("`secret` and `seen_by` in the ruleset make things secret")
    };
    if let Some((kind, row)) = find_piece(reading.table, &word.text) {
        let secret = schema.kind(kind).secret;
        return Ok((kind, row, secret.ok_or_else(open)?));
    }
    if let Some((kind, row, name)) = piece_and_attribute(reading, word) {
        let (_, attribute) = find_attribute(reading.ruleset(), kind, &name)?;
        return Ok((kind, row, attribute.secret.ok_or_else(open)?));
    }
    Err(no_such_piece(reading, word, &word.text))
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    let schema = &reading.ruleset().schema;
    match given {
        [] => {
            if reading.ruleset().schema.orders_kind().is_some() {
                reading.sides().iter().for_each(|side| to.offer(side));
            }
            for (name, kind, _) in reading.table.names() {
                let of = schema.kind(kind);
                if of.secret.is_some() {
                    to.offer(name);
                }
                for attribute in of.attributes.iter().filter(|a| a.secret.is_some()) {
                    to.offer_later(&format!("{name}.{}", attribute.name));
                }
            }
        }
        [_] => to.offer("to"),
        [_, word] if word.text == "to" => reading.sides().iter().for_each(|side| to.offer(side)),
        _ => {}
    }
}
