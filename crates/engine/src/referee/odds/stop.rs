//! Where runs stop, and how they go on from there.

use super::ends::RunEnd;
use super::host::Outcomes;
use super::joint::Var;
use crate::language::machine::EqualTurns;
use crate::language::schema::DeckId;

/// The reason why a run has stopped before its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stop {
    /// A value of chance.
    Chance(Outcomes),
    /// Something that is not certain.
    Read(Var),
    /// A card of a deck.
    Draw(DeckId),
}

/// A place at which runs meet: how far they have come, and what the rest depends on.
pub(super) type Place = (Vec<i64>, Vec<i64>);

/// Where a run has come to.
#[derive(Debug, PartialEq)]
pub(super) enum Reached {
    Place(Place, Stop),
    End(RunEnd),
}

/// The news with which a run goes on from a place.
#[derive(Clone, Copy)]
pub(super) enum Given<'t> {
    /// None but what now lies open.
    Nothing,
    /// A value of chance.
    Value(i64),
    /// The sums that all turns left have added to their counters.
    Turns(&'t EqualTurns, &'t [i64]),
}

/// Where a run has come to, what it has changed, and the numbers it has said: the line and the number.
pub(super) type Found = (Reached, Vec<(Var, i64)>, Vec<(i64, i64)>);
