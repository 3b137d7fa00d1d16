//! `add`: a piece set out.

use super::super::{Candidates, LineError, MANY, Reading, Token, TypedLine, Word, named};
use super::set::complete_pairs;
use super::{Read, values};
use crate::language::schema::{Kind, KindId, Role};
use crate::names;
use crate::referee::Action;
use crate::ruleset::Ruleset;
use crate::tabletop::{PieceGiven, check_name};

pub(crate) const ADD: Word<Read> = Word {
    name: "add",
    usage: "add KIND [NAME] [ATTRIBUTE VALUE]…",
    help: "set out a piece",
    sample: &["`add team t9 at c4`; without a name the machine gives one"],
    complete,
    most: MANY,
    ..Word::of(read as Read)
};

/// Returns the kinds of which pieces can be set out.
fn kinds(ruleset: &Ruleset) -> impl Iterator<Item = &Kind> {
    ruleset.schema.kinds.iter().filter(|k| k.role == Role::Pieces && !k.plan)
}

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let ruleset = reading.ruleset();
    let known: Vec<&str> = kinds(ruleset).map(|k| k.name.as_str()).collect();
    let help = format!("write `add KIND NAME`; there is: {}", names::list(&known));
    let missing = format!("`{}` needs a kind of piece", typed.verb());
    let (kind, rest) = typed.need_word(missing, help)?;
    let kind = kind_of(ruleset, &known, kind)?;
    let attributes = &ruleset.schema.kind(kind).attributes;
    let is_attribute = |w: &Token| attributes.iter().any(|a| a.name == w.text);
    let (name, rest) = match rest.split_first() {
        Some((word, rest)) if !is_attribute(word) && !word.text.contains('=') => {
            check_name(&word.text)
                .map_err(|reason| LineError::new(Some(word), reason.to_string()))?;
            (word.text.to_lowercase(), rest)
        }
        _ => (String::new(), rest),
    };
    let values = values(reading, kind, rest)?;
    Ok(Action::Add(PieceGiven { kind, name, values }))
}

/// Finds a kind of piece by its name, a beginning of it, or its plural.
fn kind_of(ruleset: &Ruleset, known: &[&str], word: &Token) -> Result<KindId, LineError> {
    let schema = &ruleset.schema;
    let by_plural = schema.plural_named(&word.text.to_lowercase());
    if let Some(kind) = by_plural.filter(|&k| schema.kind(k).role == Role::Pieces) {
        return Ok(kind);
    }
    let name = named(word, known, "kind of piece")?;
    let gone = || LineError::new(Some(word), format!("there is no kind of piece `{name}`"));
    schema.kind_named(name).ok_or_else(gone)
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut Candidates) {
    let schema = &reading.ruleset().schema;
    let Some((kind, rest)) = given.split_first() else {
        return kinds(reading.ruleset()).for_each(|k| to.offer(&k.name));
    };
    let Some(kind) = schema.kind_named(&kind.text) else { return };
    // The name, then attributes and values in turns.
    let named = rest.first().is_some_and(|w| schema.kind(kind).attribute(&w.text).is_none());
    complete_pairs(reading, kind, &rest[usize::from(named)..], to);
}
