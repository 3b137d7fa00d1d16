//! The points at which runs stop, and how they continue.

use super::ends::RunEnd;
use super::host::Outcomes;
use super::joint::RandomVariable;
use crate::language::machine::EqualTurns;
use crate::language::schema::DeckId;

/// The reason why a run has stopped before its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stop {
    /// A result of chance is needed.
    Chance(Outcomes),
    /// An uncertain value is needed.
    Read(RandomVariable),
    /// A card of a deck is needed.
    Draw(DeckId),
}

/// A position in rule text at which runs can merge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    /// The progress of the run. Positions are processed in the order of their progress.
    pub progress: Vec<i64>,
    /// The machine, the added and removed pieces, the number of answers used, and the progress of
    /// the question, as numbers. Together with the table, they determine the rest of the run.
    pub snapshot: Vec<i64>,
}

/// The point that a run has reached.
#[derive(Debug, PartialEq)]
pub(super) enum Endpoint {
    /// A position, and the reason why the run stopped there.
    Position(Position, Stop),
    End(RunEnd),
}

/// The value with which a run is resumed.
#[derive(Clone, Copy)]
pub(super) enum Continuation<'t> {
    /// No value, because the table was changed instead.
    Nothing,
    /// A result of chance.
    Value(i64),
    /// The sums that all remaining iterations of a loop add to its counters.
    Turns(&'t EqualTurns, &'t [i64]),
}

/// A run that has stopped or ended.
#[derive(Debug, PartialEq)]
pub(super) struct Arrival {
    pub at: Endpoint,
    /// The variables that the run has changed, with their values.
    pub changes: Vec<(RandomVariable, i64)>,
    /// The numbers that the run printed, each with its line.
    pub numbers: Vec<(i64, i64)>,
}
