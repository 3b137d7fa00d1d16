//! Runs compiled rule text on the state of a game. A host rolls the dice, answers the questions,
//! and receives reports.
//!
//! The machine holds all of its state in flat stores, so that a run can be stopped at a roll,
//! copied, and resumed. Its steps, depth and memory are limited, and every error names the rule it
//! came from.

mod arithmetic;
mod cells;
mod common;
mod decks;
mod error;
mod execute;
mod host;
mod interrupt;
mod limits;
mod lists;
mod liveness;
mod partial;
mod pause;
mod pieces;
mod plan;
mod run;
mod state;
mod stop;
#[cfg(test)]
mod tests;
mod text;
mod world;

pub use error::{PieceError, PlayError, PlayFault};
pub use host::{Answers, BoundName, Halt, Hearers, Host, Question, RandomLot, bound_parameters};
pub use limits::{MAX_CALLS, MAX_MEMBERS, MAX_REPEATS, MAX_STEPS, MAX_TEXT, NO_WAY};
pub(crate) use partial::PartialValue;
pub use pause::{EqualTurns, LiveRegisters, SnapshotReader};
pub use state::Machine;
pub use stop::StopHandle;
pub use text::{side_name, value_text};
pub use world::World;
