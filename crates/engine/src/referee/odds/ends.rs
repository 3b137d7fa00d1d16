//! The ends of runs, with their probabilities.

use std::cmp::Reverse;

use adjutant_dice::Fraction;

use super::joint::{Rows, Share, TableState};
use crate::language::machine::Halt;

/// The end of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RunEnd {
    /// The run ended normally.
    Done,
    /// The run ended normally. The flag is true if the condition is true.
    Condition(bool),
    /// The rules refused the line or failed.
    Halted(Halt),
}

/// An end, with all runs that reach it.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub end: RunEnd,
    pub share: Share,
    pub state: TableState,
}

/// The ends of all runs.
#[derive(Default)]
pub(super) struct Ends {
    /// The probability that the run ends normally, and the differences it then makes, in
    /// independent parts; `None` if it never does, or if there is a condition.
    pub done: Option<(Fraction, Vec<Rows>)>,
    /// The probability that the condition is true at the end of the run; `None` if it never is, or
    /// if there is no condition.
    pub holds: Option<Fraction>,
    /// The probability that the condition is false at the end of the run; `None` if it never is, or
    /// if there is no condition.
    pub fails: Option<Fraction>,
    /// The refusals and errors, each with its probability. The most likely come first, and equally
    /// likely ones are sorted by their text.
    pub refused: Vec<(Halt, Fraction)>,
}

impl Ends {
    /// Returns true if the ends are complete: their probabilities add up to 1.
    pub(super) fn are_complete(&self) -> bool {
        let done = self.done.iter().map(|(share, _)| share);
        let judged = self.holds.iter().chain(&self.fails);
        let refused = self.refused.iter().map(|(_, share)| share);
        let one = Fraction::new(1.into(), 1u32.into());
        done.chain(judged).chain(refused).cloned().reduce(|a, b| &a + &b) == Some(one)
    }

    pub(super) fn from_leaves(leaves: Vec<Leaf>) -> Ends {
        let mut ends = Ends::default();
        for Leaf { end, share, state } in leaves {
            let share = Fraction::new(share.0.into(), share.1);
            match end {
                RunEnd::Done => ends.done = Some((share, state.independent_parts())),
                RunEnd::Condition(true) => ends.holds = Some(share),
                RunEnd::Condition(false) => ends.fails = Some(share),
                RunEnd::Halted(halt) => ends.refused.push((halt, share)),
            }
        }
        ends.sort_refusals();
        ends
    }

    /// Puts the refusals into an order that doesn't depend on how they were found.
    pub(super) fn sort_refusals(&mut self) {
        self.refused.sort_by_cached_key(|(halt, share)| (Reverse(share.clone()), halt.to_string()));
    }
}
