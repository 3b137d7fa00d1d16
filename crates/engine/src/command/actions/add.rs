//! `add`: puts a piece on the table.

use super::super::{
    ANY_NUMBER, CompletionCandidates, LineError, Reading, Token, TypedLine, Word, find_named,
};
use super::set::complete_pairs;
use super::{ReadAction, read_values};
use crate::language::schema::{KindId, KindRole};
use crate::names;
use crate::referee::Action;
use crate::ruleset::Ruleset;
use crate::tabletop::{PieceSetup, check_name};

/// The word `add`, which puts a new piece on the table.
pub const ADD: Word<ReadAction> = Word {
    name: "add",
    usage: "add KIND [NAME] [ATTRIBUTE VALUE]…",
    help: "put a piece on the table",
    sample: &["`add team t9 at c4`; if you give no name, the program chooses one"],
    complete,
    most: ANY_NUMBER,
    ..Word::of(read as ReadAction)
};

/// Returns the names and ids of the kinds whose pieces can be added.
fn addable_kinds(ruleset: &Ruleset) -> impl Iterator<Item = (&str, KindId)> + Clone {
    let all = ruleset.schema.all_kinds().filter(|(_, k)| k.role == KindRole::Pieces && !k.plan);
    all.map(|(id, kind)| (kind.name.as_str(), id))
}

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let ruleset = reading.ruleset();
    let known: Vec<&str> = addable_kinds(ruleset).map(|(name, _)| name).collect();
    let help = format!("write `add KIND NAME`; available: {}", names::quote_names(&known));
    let missing = format!("`{}` needs a kind of piece", typed.verb());
    let (kind, rest) = typed.need_word(missing, help)?;
    let kind = find_kind(ruleset, kind)?;
    let attributes = &ruleset.schema.kind(kind).attributes;
    let is_attribute = |w: &Token| attributes.named(&w.text).is_some();
    let (name, rest) = match rest.split_first() {
        Some((word, rest)) if !is_attribute(word) && !word.text.contains('=') => {
            check_name(&word.text)
                .map_err(|reason| LineError::new(Some(word), reason.to_string()))?;
            (word.text.to_lowercase(), rest)
        }
        _ => (String::new(), rest),
    };
    let values = read_values(reading, kind, rest)?;
    Ok(Action::Add(PieceSetup { kind, name, values }))
}

/// Finds a kind of piece by its plural, or by its name or an abbreviation of its name.
fn find_kind(ruleset: &Ruleset, word: &Token) -> Result<KindId, LineError> {
    let schema = &ruleset.schema;
    let by_plural = schema.plural_named(&word.text.to_lowercase());
    match by_plural.filter(|&k| schema.kind(k).role == KindRole::Pieces) {
        Some(kind) => Ok(kind),
        None => find_named(word, addable_kinds(ruleset), "kind of piece"),
    }
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    let schema = &reading.ruleset().schema;
    let Some((kind, rest)) = given.split_first() else {
        return addable_kinds(reading.ruleset()).for_each(|(name, _)| to.offer(name));
    };
    let Some(kind) = schema.kind_named(&kind.text) else { return };
    // The words are a name, if one was typed, and then attributes and values in turn.
    let named = rest.first().is_some_and(|w| schema.kind(kind).attribute(&w.text).is_none());
    complete_pairs(reading, kind, &rest[usize::from(named)..], to);
}
