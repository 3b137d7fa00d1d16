//! The possible results of one or more lines, with their probabilities, before any dice are rolled.
//!
//! To find them, the referee runs the same compiled rules as at the table. The run stops wherever
//! chance decides, and continues once with each possible result. Equal states are merged, and the
//! weights are exact. If there are too many states, the lines are played many times instead, and
//! the answer states this. The game does not change, and none of the session's dice are used.

mod answer;
mod decks;
mod effort;
mod ends;
mod follow;
mod host;
mod joint;
mod layout;
mod names;
mod progress;
mod question;
mod report;
mod stop;
mod sums;
mod tree;
mod turns;
mod veil;

use std::collections::BTreeMap;

use adjutant_dice::{Fraction, Seed, SeededSource};
pub use answer::{
    ConditionOdds, Ending, Marginal, Odds, OddsMethod, PassedOverLine, PossibleChange,
};
use effort::Effort;
use ends::{Ends, RunEnd};
use indexmap::IndexSet;
use joint::RandomVariable;
use num_bigint::{BigInt, BigUint};
pub use question::{Condition, MAX_EFFORT, OddsQuestion, OddsStep, OddsUntil};
use tree::Tree;

use super::{Action, Referee};
use crate::language::machine::Halt;
use crate::tabletop::Tabletop;

/// The number of samples taken instead of building a tree that is too large, at an effort of 1.
const SAMPLE_COUNT: u64 = 20_000;
/// The cost of a sample in steps, in addition to its instructions.
const SAMPLE_COST: u64 = 500;
/// The cost of each die of a sample, in steps.
const DIE_COST: u64 = 2;
/// The cost of each change to the table in a sample, in steps.
const CHANGE_COST: u64 = 20;

impl Referee {
    /// Returns the odds of an action. Its questions get the best answer if the rule states one,
    /// otherwise a random answer.
    ///
    /// # Errors
    ///
    /// Fails if the action neither calls a rule nor begins a phase, if the rules refuse it whatever
    /// the dice show, or if the computation is stopped.
    pub fn odds(&self, table: &Tabletop, action: &Action, insist: bool) -> Result<Odds, Halt> {
        self.odds_of_question(table, &OddsQuestion::of_action(action, insist))
    }

    /// Returns all possible results of a question's lines, and of the phases after them.
    ///
    /// # Errors
    ///
    /// Fails if a line neither calls a rule nor begins a phase, if the rules refuse the lines
    /// whatever the dice show, if an answer doesn't match its question, or if the computation is
    /// stopped.
    pub fn odds_of_question(
        &self,
        table: &Tabletop,
        question: &OddsQuestion,
    ) -> Result<Odds, Halt> {
        let (ends, basis, mut tree) = self.explore_or_sample(table, question, None)?;
        if let (None, Some((halt, _))) = (&ends.done, ends.refused.first()) {
            return Err(halt.clone());
        }
        // The table still has the texts that were made on the path.
        tree.table.reset();
        Ok(report::report_odds(&self.ruleset, &mut tree, ends, basis))
    }

    /// Returns the probability that a condition is true after a question's lines and the phases
    /// that follow them.
    ///
    /// # Errors
    ///
    /// Fails if a line neither calls a rule nor begins a phase, if the rules refuse the lines
    /// whatever the dice show, if an answer doesn't match its question, or if the computation is
    /// stopped.
    pub fn chance_of_condition(
        &self,
        table: &Tabletop,
        question: &OddsQuestion,
        condition: &Condition,
    ) -> Result<ConditionOdds, Halt> {
        let (ends, basis, tree) = self.explore_or_sample(table, question, Some(condition))?;
        if let (None, None, Some((halt, _))) = (&ends.holds, &ends.fails, ends.refused.first()) {
            return Err(halt.clone());
        }
        let nothing = || Fraction::new(BigInt::ZERO, BigUint::from(1u32));
        let passed_over = tree.passed_over_lines();
        Ok(ConditionOdds {
            chance: ends.holds.unwrap_or_else(nothing),
            refused: ends.refused.into_iter().map(|(halt, c)| (halt.to_string(), c)).collect(),
            asked: tree.host.asked.into_iter().collect(),
            chosen: tree.host.chosen.into_iter().collect(),
            passed_over,
            basis,
        })
    }

    /// Returns the ends of all runs in the tree of a question, or of samples if the tree becomes
    /// too large.
    fn explore_or_sample<'a>(
        &'a self,
        table: &Tabletop,
        question: &'a OddsQuestion,
        condition: Option<&'a Condition>,
    ) -> Result<(Ends, OddsMethod, Tree<'a>), Halt> {
        let has_chance =
            |step: &OddsStep| matches!(step.action, Action::Rule { .. } | Action::Next);
        if !question.steps.iter().all(has_chance) {
            return Err(Halt::Refused("nothing in this is random".into()));
        }
        let effort = Effort::of_tree(question.effort());
        let mut tree = Tree::new(self, table, question, condition, effort);
        // An exact answer whose probabilities don't add up to 1 would be wrong, so it is replaced by
        // samples.
        let exact = tree.grow_tree().map(Ends::from_leaves).filter(Ends::are_complete);
        // Only the answer to a question without a condition combines the parts about a piece.
        let exact = exact
            .filter(|ends| condition.is_some() || report::can_report(&self.ruleset.schema, ends));
        self.check_not_stopped()?;
        let (ends, basis, tree) = match exact {
            Some(ends) => (ends, OddsMethod::Exact(tree.positions), tree),
            None => self.sample_odds(table, question, condition),
        };
        self.check_not_stopped()?;
        let misfit = ends.refused.iter().find(|(halt, _)| matches!(halt, Halt::NoSuchAnswer(_)));
        if let Some((halt, _)) = misfit {
            return Err(halt.clone());
        }
        Ok((ends, basis, tree))
    }

    /// Plays the question many times and returns the ends. The dice always come from the same fixed
    /// seed, so that the same question gets the same answer.
    fn sample_odds<'a>(
        &'a self,
        table: &Tabletop,
        question: &'a OddsQuestion,
        condition: Option<&'a Condition>,
    ) -> (Ends, OddsMethod, Tree<'a>) {
        let seed = Seed::from_text("odds");
        let effort = Effort::of_samples(question.effort());
        let mut tree = Tree::new(self, table, question, condition, effort);
        let most_runs = SAMPLE_COUNT * u64::from(question.effort());
        let mut done: BTreeMap<Vec<(RandomVariable, i64)>, u64> = BTreeMap::new();
        let mut refused: Vec<(Halt, u64)> = Vec::new();
        let (mut holds, mut fails) = (0, 0);
        let mut runs = 0;
        while runs < most_runs
            && !tree.effort.is_spent()
            && !tree.names.is_full()
            && !self.stop.is_stopped()
        {
            tree.host.sample_with(SeededSource::new(&seed, runs));
            // A refused run may have left its last text in the host.
            tree.host.forget_run();
            tree.host.answered = 0;
            tree.table.reset();
            let texts = tree.table.under.text_count();
            let mut machine = tree.begin_question();
            let result = tree.run_to_stop(&mut machine);
            tree.effort.spend_each(std::mem::take(&mut tree.host.thrown), DIE_COST);
            tree.effort.spend(SAMPLE_COST);
            tree.effort.spend_each(tree.table.under.savepoint(), CHANGE_COST);
            tree.table.under.forget_unused_texts(texts);
            let mut said = IndexSet::new();
            for (line, number) in tree.numbers_said() {
                if !said.insert(line) {
                    tree.often.insert(line);
                }
                let (count, _) = tree.numbers.entry((line, number)).or_default();
                *count += 1u32;
            }
            match tree.run_end(result) {
                Some(RunEnd::Condition(true)) => holds += 1,
                Some(RunEnd::Condition(false)) => fails += 1,
                Some(RunEnd::Done) | None => {
                    *done.entry(tree.changes_of_run(true)).or_default() += 1;
                }
                Some(RunEnd::Halted(halt)) => {
                    match refused.iter_mut().find(|(known, _)| *known == halt) {
                        Some((_, count)) => *count += 1,
                        None => refused.push((halt, 1)),
                    }
                }
            }
            runs += 1;
        }
        tree.numbers.values_mut().for_each(|share| share.1 = BigUint::from(runs));
        let share = |count: u64| Fraction::new(count.into(), BigUint::from(runs));
        let count = done.values().sum::<u64>();
        let rows = done.into_iter().map(|(row, times)| (row, BigUint::from(times))).collect();
        let mut ends = Ends {
            done: (count > 0).then(|| (share(count), vec![rows])),
            holds: (holds > 0).then(|| share(holds)),
            fails: (fails > 0).then(|| share(fails)),
            refused: refused.into_iter().map(|(end, times)| (end, share(times))).collect(),
        };
        ends.sort_refusals();
        (ends, OddsMethod::Sampled(runs), tree)
    }
}
