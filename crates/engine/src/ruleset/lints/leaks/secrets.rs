//! Secrets, their owners, and the limits on who sees the things that rules show.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::symbols::{Origin, Symbol, Symbols};
use crate::language::code::Reg;
use crate::language::schema::{
    Attribute, AttributeStorage, FunctionId, KindId, Schema, Secrecy, SecretFor, Type,
};
use crate::ruleset::PLAYER_ATTRIBUTE;
use crate::source::Span;

/// Something that not everyone may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SecretThing {
    /// The piece: its existence, and everything about it.
    Piece(KindId),
    /// An attribute of the piece, by its index in the kind.
    Attribute(KindId, usize),
    /// Everything on which an argument of the function depends.
    Argument(Reg),
}

impl SecretThing {
    /// Returns the register, if this is an argument.
    pub(super) fn argument(self) -> Option<Reg> {
        match self {
            SecretThing::Argument(reg) => Some(reg),
            SecretThing::Piece(_) | SecretThing::Attribute(..) => None,
        }
    }

    pub(super) fn kind(self) -> Option<KindId> {
        match self {
            SecretThing::Piece(kind) | SecretThing::Attribute(kind, _) => Some(kind),
            SecretThing::Argument(_) => None,
        }
    }

    /// Returns who may know the thing; `None` if it isn't secret, or if it is an argument.
    pub(super) fn secrecy(self, schema: &Schema) -> Option<Secrecy> {
        match self {
            SecretThing::Piece(kind) => schema.kind(kind).secret,
            SecretThing::Attribute(kind, index) => schema.kind(kind).attributes[index].secret,
            SecretThing::Argument(_) => None,
        }
    }

    /// Returns the name of the thing for messages, such as `boat` or `boat.plot`; empty for an
    /// argument.
    pub(super) fn name(self, schema: &Schema) -> String {
        match self {
            SecretThing::Piece(kind) => schema.kind(kind).name.clone(),
            SecretThing::Attribute(kind, index) => {
                let kind = schema.kind(kind);
                format!("{}.{}", kind.name, kind.attributes[index].name)
            }
            SecretThing::Argument(_) => String::new(),
        }
    }
}

/// A secret on which a value depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Secret {
    pub(super) thing: SecretThing,
    /// The piece that the secret is about.
    pub(super) piece: Symbol,
    /// The side or the player of the piece, if a condition has determined it: in `count m in men:
    /// m.side = unit.side`, all men who are counted belong to the unit's side.
    pub(super) owner: Option<Symbol>,
}

/// The secrets on which a value depends, each with the position where it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Secrets(Rc<BTreeMap<Secret, Span>>);

impl Secrets {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Secret, &Span)> {
        self.0.iter()
    }

    pub(super) fn insert(&mut self, secret: Secret, span: Span) {
        if !self.0.contains_key(&secret) {
            Rc::make_mut(&mut self.0).insert(secret, span);
        }
    }

    /// Adds all secrets of another value.
    pub(super) fn extend(&mut self, other: &Secrets) {
        if Rc::ptr_eq(&self.0, &other.0) || other.0.keys().all(|s| self.0.contains_key(s)) {
            return;
        }
        if self.0.is_empty() {
            self.0 = Rc::clone(&other.0);
        } else {
            for (secret, span) in other.0.iter() {
                Rc::make_mut(&mut self.0).entry(*secret).or_insert(*span);
            }
        }
    }

    /// Returns these secrets without the secrets in `other`.
    pub(super) fn without(&self, other: &Secrets) -> Secrets {
        self.filter_map(|secret| (!other.0.contains_key(secret)).then_some(*secret))
    }

    /// Returns these secrets with one value replaced by another wherever it identifies the secret's
    /// piece.
    pub(super) fn renamed(&self, symbols: &mut Symbols, old: Symbol, new: Symbol) -> Secrets {
        if old == new || symbols.as_constant(old).is_some() {
            return self.clone();
        }
        self.filter_map(|secret| {
            let piece = symbols.replace(secret.piece, old, new).unwrap_or(secret.piece);
            Some(Secret { piece, ..*secret })
        })
    }

    /// Returns the results of `change` for these secrets, each with its position. A secret is left
    /// out if the result is `None`.
    pub(super) fn filter_map(&self, mut change: impl FnMut(&Secret) -> Option<Secret>) -> Secrets {
        let kept = self.0.iter().filter_map(|(secret, span)| Some((change(secret)?, *span)));
        Secrets(Rc::new(kept.collect()))
    }
}

/// A limit on who sees something that a rule shows. Only viewers who satisfy all of its limits see
/// it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Limit {
    /// Only the umpire.
    Umpire,
    /// Only this side.
    Side(Symbol),
    /// Only the player of this piece.
    PlayerOf(KindId, Symbol),
    /// Only viewers who see this piece, or all pieces in this list.
    Sees(KindId, Symbol),
    /// Only sides that satisfy the condition of a rule with these arguments.
    Condition(FunctionId, Vec<Symbol>),
}

impl Limit {
    /// Returns the limit with `change` applied to its values, or `None` if `change` returns `None`
    /// for one of them.
    pub(super) fn map(&self, mut change: impl FnMut(Symbol) -> Option<Symbol>) -> Option<Limit> {
        Some(match self {
            Limit::Umpire => Limit::Umpire,
            Limit::Side(side) => Limit::Side(change(*side)?),
            Limit::PlayerOf(kind, piece) => Limit::PlayerOf(*kind, change(*piece)?),
            Limit::Sees(kind, piece) => Limit::Sees(*kind, change(*piece)?),
            Limit::Condition(function, arguments) => {
                let arguments = arguments.iter().map(|argument| change(*argument));
                Limit::Condition(*function, arguments.collect::<Option<_>>()?)
            }
        })
    }
}

/// Returns the side of a piece, or the piece itself if it is a side; `None` if no attribute
/// determines the side.
pub(super) fn side_of(
    schema: &Schema,
    symbols: &mut Symbols,
    kind: KindId,
    piece: Symbol,
) -> Option<Symbol> {
    find_owner(schema, symbols, (kind, piece), schema.kinds.len(), &|of_kind| {
        let is_side = |a: &Attribute| match (schema.sides, a.ty) {
            (Some(sides), ty) => ty == sides,
            (None, Type::Piece(to)) => schema.kind(to).side().is_none(),
            (None, _) => true,
        };
        if schema.sides == Some(Type::Piece(of_kind)) {
            return OwnerSource::Here;
        }
        let of = schema.kind(of_kind);
        match of.side_attribute {
            Some(index) if is_side(&of.attributes[index]) => OwnerSource::Value(index),
            Some(index) => OwnerSource::Through(vec![index]),
            None => {
                let has_side = |index: &usize| match of.attributes[*index].ty {
                    Type::Piece(to) => {
                        schema.sides == Some(of.attributes[*index].ty)
                            || schema.kind(to).side().is_some()
                    }
                    _ => false,
                };
                OwnerSource::Through((0..of.attributes.len()).filter(has_side).collect())
            }
        }
    })
}

/// Returns the player of a piece: the piece that represents the player, or the player's name. In a
/// ruleset without players, returns the piece's side. Returns `None` if no attribute determines it.
pub(super) fn player_of(
    schema: &Schema,
    symbols: &mut Symbols,
    kind: KindId,
    piece: Symbol,
) -> Option<Symbol> {
    let Some(players) = schema.players else { return side_of(schema, symbols, kind, piece) };
    find_owner(schema, symbols, (kind, piece), schema.kinds.len(), &|of_kind| {
        if of_kind == players {
            return OwnerSource::Here;
        }
        let attributes = &schema.kind(of_kind).attributes;
        match attributes.index_of(PLAYER_ATTRIBUTE) {
            Some(index) if attributes[index].ty == Type::Text => OwnerSource::Value(index),
            Some(index) => OwnerSource::Through(vec![index]),
            None => OwnerSource::Through((0..attributes.len()).collect()),
        }
    })
}

/// The place where the side or the player of a piece is recorded.
enum OwnerSource {
    /// The piece is itself the side or the player.
    Here,
    /// The attribute with this index holds the side or the player.
    Value(usize),
    /// The owner is that of the first piece with an owner among the pieces to which these
    /// attributes refer.
    Through(Vec<usize>),
}

fn find_owner(
    schema: &Schema,
    symbols: &mut Symbols,
    (kind, piece): (KindId, Symbol),
    most: usize,
    source: &dyn Fn(KindId) -> OwnerSource,
) -> Option<Symbol> {
    let most = most.checked_sub(1)?;
    let value = |all: &mut Symbols, index: usize| match schema.kind(kind).attributes[index].storage
    {
        AttributeStorage::Cell(column) => all.of(Origin::Cell(column, piece)),
        AttributeStorage::Computed(function) => all.of(Origin::Called(function, vec![piece])),
        AttributeStorage::List(_) => None,
    };
    match source(kind) {
        OwnerSource::Here => Some(piece),
        OwnerSource::Value(index) => value(symbols, index),
        OwnerSource::Through(attributes) => attributes.into_iter().find_map(|index| {
            let Type::Piece(other) = schema.kind(kind).attributes[index].ty else { return None };
            // A row of a list or another piece of the same kind adds no information.
            if other == kind {
                return None;
            }
            let to = value(symbols, index)?;
            find_owner(schema, symbols, (other, to), most, source)
        }),
    }
}

/// Returns the limit that a rule's secrecy sets on its viewers; `None` if no piece determines the
/// side or player. `pieces` are the pieces among its arguments, followed by the pieces of the
/// current iteration of its sweep.
pub(super) fn limits_of_rule(
    schema: &Schema,
    symbols: &mut Symbols,
    secret_for: SecretFor,
    pieces: &[(KindId, Symbol)],
    arguments: impl FnOnce(&mut Symbols) -> Vec<Symbol>,
) -> Option<Limit> {
    match secret_for {
        SecretFor::Umpire => Some(Limit::Umpire),
        SecretFor::OwnSide => {
            let side = |&(kind, piece): &_| side_of(schema, symbols, kind, piece);
            pieces.iter().find_map(side).map(Limit::Side)
        }
        SecretFor::OwnPlayer => pieces.iter().find_map(|&(kind, piece)| {
            player_of(schema, symbols, kind, piece).map(|_| Limit::PlayerOf(kind, piece))
        }),
        SecretFor::Condition(function) => Some(Limit::Condition(function, arguments(symbols))),
    }
}
