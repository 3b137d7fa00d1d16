//! Counts equal dice, so that the iterations of a loop that only adds to its counters need not be
//! followed one by one.
//!
//! One iteration is run with all its possible results. If it changes nothing but the counters, the
//! total of all iterations is a sum of equal, independent terms.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_integer::Integer;

use super::host::Outcomes;
use super::joint::{Share, add_shares};
use super::sums::{TurnSums, product_of_sums};
use super::tree::Tree;
use crate::language::machine::{EqualTurns, Halt, Machine};

/// The maximum number of successive rolls in an iteration.
const MOST_ROLLS: u32 = 8;
/// An iteration that is being followed.
struct Turn<'t> {
    turns: &'t EqualTurns,
    /// The savepoint of the table before the iteration.
    mark: usize,
    /// The probability of the iteration's rolls so far, and their number.
    share: Share,
    rolls: u32,
    /// The values of the counters at the end of the iteration, with their probabilities.
    ends: BTreeMap<Vec<i64>, Share>,
}

impl<'a> Tree<'a> {
    /// Returns the remaining iterations of the loop in which a run stopped at a roll, and all sums
    /// that they can add. Returns `None` if there is only one, if they are not equal or do anything
    /// but add to the counters, or if there are too many sums.
    pub(super) fn equal_turns(
        &mut self,
        machine: &Machine<'a>,
        outcomes: &Outcomes,
    ) -> Option<(EqualTurns, TurnSums)> {
        let turns = machine.equal_turns(&mut self.flow).filter(|turns| turns.left > 1)?;
        let begun = self
            .sums_of_turn(machine, &turns, |tree, run| tree.follow_roll(machine, outcomes, run))?;
        let mut next = machine.clone();
        next.go_to_next_turn(&turns);
        let each =
            self.sums_of_turn(machine, &turns, |tree, run| tree.run_turn(next, true, run))?;
        let others = self.sums.sums_of_turns(each, turns.left - 1, &mut self.effort)?;
        let sums = product_of_sums(&begun, others, &mut self.effort)?;
        Some((turns, sums))
    }

    /// Returns all sums that an iteration, run by `follow`, can add to the counters.
    fn sums_of_turn(
        &mut self,
        machine: &Machine<'a>,
        turns: &EqualTurns,
        follow: impl FnOnce(&mut Self, &mut Turn<'_>) -> Option<()>,
    ) -> Option<TurnSums> {
        let share = (BigUint::from(1u32), BigUint::from(1u32));
        let mark = self.table.under.savepoint();
        let mut run = Turn { turns, mark, share, rolls: 0, ends: BTreeMap::new() };
        let followed = follow(self, &mut run);
        self.host.turns = None;
        followed?;
        let mut common = BigUint::from(1u32);
        for (_, denominator) in run.ends.values() {
            common = common.lcm(denominator);
        }
        let before = machine.counter_values(turns);
        let mut sums = Vec::with_capacity(run.ends.len());
        for (after, (numerator, denominator)) in run.ends {
            let added = after.iter().zip(&before).map(|(now, then)| now.saturating_sub(*then));
            sums.push((added.collect(), numerator * (&common / denominator)));
        }
        Some(sums)
    }

    /// Follows each value of a roll.
    fn follow_roll(
        &mut self,
        machine: &Machine<'a>,
        outcomes: &Outcomes,
        run: &mut Turn<'_>,
    ) -> Option<()> {
        let total: BigUint = outcomes.iter().map(|(_, weight)| weight).sum();
        let before = run.share.clone();
        run.rolls += 1;
        for (value, weight) in outcomes.iter() {
            run.share = (&before.0 * weight, &before.1 * &total);
            self.host.next = Some(*value);
            self.run_turn(machine.clone(), false, run)?;
        }
        run.rolls -= 1;
        Some(())
    }

    /// Runs to the end of an iteration, from its beginning or from a roll. Returns `None` if the
    /// iteration does anything but add to the counters, or rolls too often.
    fn run_turn(
        &mut self,
        mut machine: Machine<'a>,
        begins: bool,
        run: &mut Turn<'_>,
    ) -> Option<()> {
        let steps = machine.steps_run();
        let answered = self.host.answered;
        self.host.turns = Some(u32::from(begins));
        let result = machine.resume(&mut self.table, &mut self.host);
        self.effort.spend(machine.steps_run() - steps);
        let stopped = matches!(result, Err(Halt::Branch)) && self.host.drawn.is_none();
        let silent = self.host.said.words.is_none() && self.host.said.numbers.is_empty();
        let asks = self.host.answered != answered;
        if !stopped
            || !silent
            || asks
            || !self.table.is_untouched(run.mark)
            || run.rolls > MOST_ROLLS
        {
            return None;
        }
        if !machine.is_at_turn(run.turns) {
            let outcomes = self.host.outcomes.take()?;
            return self.follow_roll(&machine, &outcomes, run);
        }
        let share = run.ends.entry(machine.counter_values(run.turns)).or_default();
        *share = add_shares(std::mem::take(share), run.share.clone());
        Some(())
    }
}
