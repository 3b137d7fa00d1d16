//! The possible ends of a verb of the game, and how likely each is, before any dice are rolled.
//!
//! The same compiled rule runs as at the table. At each point of chance the run stops and goes on with
//! everything that can come; equal states are followed once, and the weights are exact. Where that grows too
//! large, the rule is run many times instead, and the answer says so. Nothing is changed, and no dice of the
//! session are taken.

mod answer;
mod decks;
mod ends;
mod follow;
mod host;
mod joint;
mod layout;
mod names;
mod report;
mod stop;
mod sums;
mod tree;
mod turns;
mod veil;

use std::collections::BTreeMap;

use adjutant_dice::{Fraction, Seed, SeededSource};
pub use answer::{Ending, Marginal, Odds, OddsMethod};
use ends::{Ends, run_end};
use indexmap::IndexSet;
use joint::RandomVariable;
use num_bigint::BigUint;
use tree::Tree;

use super::{Action, Referee};
use crate::language::machine::{Halt, Machine};
use crate::tabletop::Tabletop;

/// The number of samples where a tree is too large.
const SAMPLE_COUNT: u64 = 20_000;
/// The most instructions that all samples may run together.
const SAMPLE_WORK: u64 = 35_000_000;
/// The cost of a sample besides its instructions.
const SAMPLE_COST: u64 = 500;
/// The cost of each die of a sample.
const DIE_COST: u64 = 2;
/// The cost of each change of the table in a sample.
const CHANGE_COST: u64 = 20;

impl Referee {
    /// Returns the odds of an action. Chance answers its questions.
    ///
    /// # Errors
    ///
    /// Returns the refusal of an action that is refused whatever the dice show.
    pub fn odds(&self, table: &Tabletop, action: &Action, insist: bool) -> Result<Odds, Halt> {
        self.odds_with_answers(table, action, insist, &[])
    }

    /// Returns the odds of an action whose first questions get these answers, in order, as people write them. Chance
    /// answers the others.
    ///
    /// # Errors
    ///
    /// Returns the refusal of an action that is refused whatever the dice show, or an answer that doesn't fit its
    /// question.
    pub fn odds_with_answers(
        &self,
        table: &Tabletop,
        action: &Action,
        insist: bool,
        answers: &[String],
    ) -> Result<Odds, Halt> {
        let (ends, basis, mut tree) = match action {
            Action::Rule { .. } | Action::Next => {
                self.explore_or_sample(table, action, insist, answers)
            }
            _ => return Err(Halt::Refused("there is no chance in this".into())),
        };
        self.check_not_stopped()?;
        let misfit = ends.refused.iter().find(|(halt, _)| matches!(halt, Halt::NoSuchAnswer(_)));
        if let Some((halt, _)) = misfit {
            return Err(halt.clone());
        }
        if let (None, Some((halt, _))) = (&ends.done, ends.refused.first()) {
            return Err(halt.clone());
        }
        // It knows the texts that were made on the path.
        tree.table.reset();
        Ok(report::report_odds(&self.ruleset, &mut tree, ends, basis))
    }

    /// Returns the tree of an action, or samples of it if it grows too large.
    fn explore_or_sample(
        &self,
        table: &Tabletop,
        action: &Action,
        insist: bool,
        answers: &[String],
    ) -> (Ends, OddsMethod, Tree<'_>) {
        let mut tree = Tree::new(self, table, insist, answers);
        let machine = self.begin_action(action, &mut tree);
        match tree.grow_tree(&machine) {
            Some(leaves) => (Ends::from_leaves(leaves), OddsMethod::Exact(tree.positions), tree),
            None => self.sample_odds(table, action, insist, answers),
        }
    }

    /// Returns a machine at the beginning of an action.
    fn begin_action(&self, action: &Action, tree: &mut Tree<'_>) -> Machine<'_> {
        let mut machine = self.new_machine();
        tree.onward = None;
        match action {
            Action::Rule { rule, arguments, only } => {
                let (function, values) =
                    self.prepare_call(*rule, arguments, only, &mut machine, &mut tree.table);
                machine.begin(function, &values);
            }
            _ => tree.onward = Some(self.start_phase_change(&tree.table)),
        }
        machine
    }

    /// Runs the action many times and returns the ends. The dice always come from the same fixed
    /// seed, so that the same question gets the same answer.
    fn sample_odds(
        &self,
        table: &Tabletop,
        action: &Action,
        insist: bool,
        answers: &[String],
    ) -> (Ends, OddsMethod, Tree<'_>) {
        let seed = Seed::from_text("odds");
        let mut tree = Tree::new(self, table, insist, answers);
        let mut done: BTreeMap<Vec<(RandomVariable, i64)>, u64> = BTreeMap::new();
        let mut refused: Vec<(Halt, u64)> = Vec::new();
        let mut runs = 0;
        while runs < SAMPLE_COUNT && tree.work < SAMPLE_WORK && !tree.names.is_full() {
            tree.host.sample_with(SeededSource::new(&seed, runs));
            tree.host.answered = 0;
            tree.table.reset();
            let texts = tree.table.under.text_count();
            let mut machine = self.begin_action(action, &mut tree);
            let result = tree.run_to_stop(&mut machine);
            tree.work += std::mem::take(&mut tree.host.thrown) * DIE_COST;
            tree.work += SAMPLE_COST + tree.table.under.savepoint() as u64 * CHANGE_COST;
            tree.table.under.forget_unused_texts(texts);
            let mut said = IndexSet::new();
            for (line, number) in tree.numbers_said() {
                if !said.insert(line) {
                    tree.often.insert(line);
                }
                let (count, _) = tree.numbers.entry((line, number)).or_default();
                *count += 1u32;
            }
            match run_end(result) {
                Some(Ok(())) | None => *done.entry(tree.changes_of_run(true)).or_default() += 1,
                Some(Err(halt)) => match refused.iter_mut().find(|(known, _)| *known == halt) {
                    Some((_, count)) => *count += 1,
                    None => refused.push((halt, 1)),
                },
            }
            runs += 1;
        }
        tree.numbers.values_mut().for_each(|share| share.1 = BigUint::from(runs));
        let share = |count: u64| Fraction::new(count.into(), BigUint::from(runs));
        let count = done.values().sum::<u64>();
        let rows = done.into_iter().map(|(row, times)| (row, BigUint::from(times))).collect();
        let ends = Ends {
            done: (count > 0).then(|| (share(count), vec![rows])),
            refused: refused.into_iter().map(|(end, times)| (end, share(times))).collect(),
        };
        (ends, OddsMethod::Sampled(runs), tree)
    }
}
