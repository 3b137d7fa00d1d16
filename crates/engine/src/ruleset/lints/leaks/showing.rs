//! Everything that a rule shows to players.

use std::collections::BTreeSet;

use super::facts::Facts;
use super::secrets::{Limit, Secrets};
use crate::language::schema::{FunctionId, KindId};
use crate::source::Span;

/// Something that is shown to players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shown {
    /// A line, or an item under "On the table".
    Line,
    /// A line for certain sides.
    LineToSide,
    /// A line for everyone.
    LineToAll,
    /// The reason why a command is refused.
    Refusal,
    /// A question.
    Question,
    /// Dice, a modifier, the number needed for success or a verdict.
    Dice,
    /// A card or a piece chosen at random.
    Draw,
    /// The value of an attribute that players see.
    Stored(KindId, usize),
    /// The size of a deck.
    Deck,
    /// The words in the name that a new piece gets.
    Name,
    /// The number in the name that a new piece gets.
    Number,
    /// The line that the umpire types, if a value in it is stored in a secret attribute.
    Typed(KindId, usize),
    /// The decision to skip a phase or not.
    Skipped,
    /// The order in which the sides have their turns.
    Order,
    /// The end of a phase or turn.
    Ended,
    /// A sentence of the battle report.
    Sentence,
}

impl Shown {
    /// Returns true if everyone notices it, including players who may not see the call of the rule.
    pub(super) fn is_plain_to_all(self) -> bool {
        matches!(self, Shown::Deck | Shown::Skipped | Shown::Order | Shown::Ended)
    }

    /// Returns true if a player who sees it also learns why the function was called at all.
    pub(super) fn tells_of_call(self) -> bool {
        !matches!(self, Shown::LineToSide | Shown::LineToAll | Shown::Name | Shown::Number)
    }
}

/// A position where something is shown that depends, or may depend, on a secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Showing {
    pub(super) span: Span,
    pub(super) shown: Shown,
    pub(super) function: FunctionId,
    /// The limits on who sees the thing that is shown.
    pub(super) limits: BTreeSet<Limit>,
    /// The secrets that it reveals, except those that all of its viewers may know.
    pub(super) secrets: Secrets,
    /// The facts that are known when it is shown.
    pub(super) known: Facts,
}
