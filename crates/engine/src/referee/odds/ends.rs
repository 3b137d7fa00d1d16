//! The ends of runs.

use adjutant_dice::Fraction;

use super::joint::{Rows, Share, TableState};
use crate::language::machine::Halt;

/// The end of a run: as it should, or the rules forbid it or went wrong.
pub(super) type RunEnd = Result<(), Halt>;

/// Returns how a run has ended; `None` if it has not.
pub(super) fn run_end(result: Result<i64, Halt>) -> Option<RunEnd> {
    match result {
        Err(Halt::Branch) => None,
        result => Some(result.map(|_| ())),
    }
}

/// An end, with all runs that reach it.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub end: RunEnd,
    pub share: Share,
    pub state: TableState,
}

/// The ends of all runs.
pub(super) struct Ends {
    /// The probability that the run ends as it should; then what is different, in parts that are independent.
    pub done: Option<(Fraction, Vec<Rows>)>,
    /// The refusals and faults, each with its probability.
    pub refused: Vec<(Halt, Fraction)>,
}

impl Ends {
    pub(super) fn from_leaves(leaves: Vec<Leaf>) -> Ends {
        let mut ends = Ends { done: None, refused: Vec::new() };
        for Leaf { end, share, state } in leaves {
            let share = Fraction::new(share.0.into(), share.1);
            match end {
                Ok(()) => ends.done = Some((share, state.independent_parts())),
                Err(halt) => ends.refused.push((halt, share)),
            }
        }
        ends
    }
}
