//! The possible ends of a verb of the game, and how likely each is, before any dice fall.
//!
//! The same compiled rule runs as at the table. At each point of chance the run stops and goes on with
//! everything that can come; equal states are followed once, and the weights are exact. Where that grows too
//! large, the rule is run many times instead, and the answer says so. Nothing is changed, and no dice of the
//! session are taken.

mod host;
mod joint;
mod report;
mod tree;
mod turns;
mod veil;

use std::collections::BTreeMap;

use adjutant_dice::{Fraction, Seed, Seeded};
use indexmap::IndexSet;
use joint::Var;
use num_bigint::BigUint;
use tree::{Leaf, Tree, end_of};

use super::{Action, Referee};
use crate::language::machine::{Halt, Machine};
use crate::language::schema::{KindId, Schema};
use crate::tabletop::Tabletop;

/// The number of samples where a tree is too large.
const SAMPLES: u64 = 20_000;
/// The most instructions that all samples may run together.
const SAMPLE_WORK: u64 = 35_000_000;
/// The cost of a sample besides its instructions.
const SAMPLE_COST: u64 = 500;
/// The cost of each die of a sample.
const DIE_COST: u64 = 2;
/// The cost of each change of the table in a sample.
const CHANGE_COST: u64 = 20;

/// The way in which odds were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Everything that can happen was followed, through so many different states.
    Exact(usize),
    /// There is too much of it; it was tried so many times.
    Sampled(u64),
}

/// Something that can come of the verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The last words: a verdict, a line, a card. Empty if there are none, or if several endings with the
    /// same changes are put together.
    pub words: String,
    /// The changes of the table that do not happen in every ending.
    pub changes: Vec<String>,
    /// The rules refuse it, or go wrong; the words say why.
    pub refused: bool,
    /// The probability.
    pub chance: Fraction,
}

/// One thing on the table, by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The piece and its attribute.
    pub what: String,
    /// The values it can have afterwards: numbers in ascending order, others the most likely first.
    pub values: Vec<(String, Fraction)>,
    /// The mean, if it is a number.
    pub mean: Option<Fraction>,
}

impl Part {
    /// Returns each value of a number but the lowest, with the probability of that or more.
    pub fn at_least(&self) -> Vec<(&str, Fraction)> {
        if self.mean.is_none() {
            return Vec::new();
        }
        let mut sums: Vec<(&str, Fraction)> = Vec::new();
        for (value, chance) in self.values.iter().skip(1).rev() {
            let more = sums.last().map(|(_, more)| more.clone());
            sums.push((value, more.map_or_else(|| chance.clone(), |more| &more + chance)));
        }
        sums.reverse();
        sums
    }
}

/// Everything that a verb can lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// The ends, the most likely first. They add up to one together with `rest`.
    pub endings: Vec<Ending>,
    /// The number of endings left out because there are too many, and their probability together.
    pub rest: Option<(usize, Fraction)>,
    /// The last words by themselves, the most likely first; empty words where nothing was said.
    pub words: Vec<(String, Fraction)>,
    /// Each thing that may change, by itself.
    pub parts: Vec<Part>,
    /// The numbers in what is said, each by itself where its line is said; `n` stands for it there.
    pub numbers: Vec<Part>,
    /// The number of parts that change, ascending, with its probability.
    pub changed: Vec<(usize, Fraction)>,
    /// The changes that happen in every ending.
    pub always: Vec<String>,
    /// Questions that chance answered, each answer as likely as the others.
    pub asked: Vec<String>,
    /// The way in which the odds were found.
    pub basis: Basis,
}

impl Odds {
    /// Half the width within which a probability lies in 95 of 100 cases; none if it is exact.
    pub fn margin(&self, chance: &Fraction) -> Option<f64> {
        let Basis::Sampled(runs) = self.basis else { return None };
        let (p, n) = (chance.to_f64(), runs.max(1) as f64);
        // Wilson's interval, which does not shrink to nothing for what was seen never or always.
        let z = 1.96;
        Some(z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt())
    }
}

impl Referee {
    /// The odds of an action. An action that is refused whatever comes gives the refusal.
    pub fn odds(&self, table: &Tabletop, action: &Action, insist: bool) -> Result<Odds, Halt> {
        let (ends, basis, mut tree) = match action {
            Action::Rule { .. } | Action::Next => self.explore(table, action, insist),
            _ => return Err(Halt::Refused("there is no chance in this".into())),
        };
        if let (None, Some((halt, _))) = (&ends.done, ends.refused.first()) {
            return Err(halt.clone());
        }
        // It knows the texts that were made on the way.
        tree.table.renew();
        Ok(report::report(&self.ruleset, &mut tree, ends, basis))
    }

    /// The tree of an action, or samples of it if it grows too large.
    fn explore(&self, table: &Tabletop, action: &Action, insist: bool) -> (Ends, Basis, Tree<'_>) {
        let mut tree = Tree::new(self, table, insist);
        let machine = self.begun(action, &mut tree);
        match tree.grow(&machine) {
            Some(leaves) => (Ends::of(leaves), Basis::Exact(tree.places), tree),
            None => self.sampled(table, action, insist),
        }
    }

    /// A machine at the beginning of an action.
    fn begun(&self, action: &Action, tree: &mut Tree<'_>) -> Machine<'_> {
        let rules = &self.ruleset;
        let mut machine = Machine::new(&rules.schema, &rules.program);
        tree.onward = None;
        match action {
            Action::Rule { rule, arguments, only } => {
                let (function, values) =
                    self.prepare(*rule, arguments, only, &mut machine, &mut tree.table);
                machine.begin(function, &values);
            }
            _ => tree.onward = Some(self.onward(&tree.table)),
        }
        machine
    }

    /// The ends of many runs. Their dice are of a seed of their own, the same each time, so that asking twice
    /// gives one answer.
    fn sampled(&self, table: &Tabletop, action: &Action, insist: bool) -> (Ends, Basis, Tree<'_>) {
        let seed = Seed::from_text("odds");
        let mut tree = Tree::new(self, table, insist);
        let mut done: BTreeMap<Vec<(Var, i64)>, u64> = BTreeMap::new();
        let mut refused: Vec<(Halt, u64)> = Vec::new();
        let mut runs = 0;
        while runs < SAMPLES && tree.work < SAMPLE_WORK && !tree.names.is_full() {
            tree.host.throw(Seeded::new(&seed, runs));
            tree.table.renew();
            let texts = tree.table.under.texts();
            let mut machine = self.begun(action, &mut tree);
            let result = tree.go_on(&mut machine);
            tree.work += std::mem::take(&mut tree.host.thrown) * DIE_COST;
            tree.work += SAMPLE_COST + tree.table.under.savepoint() as u64 * CHANGE_COST;
            tree.table.under.forget_unused_texts(texts);
            let mut said = IndexSet::new();
            for (line, number) in tree.numbers() {
                if !said.insert(line) {
                    tree.often.insert(line);
                }
                let (count, _) = tree.numbers.entry((line, number)).or_default();
                *count += 1u32;
            }
            match end_of(result) {
                Some(Ok(())) | None => *done.entry(tree.changes(true)).or_default() += 1,
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
        let rows = done.into_iter().map(|(row, count)| (row, BigUint::from(count))).collect();
        let ends = Ends {
            done: (count > 0).then(|| (share(count), vec![rows])),
            refused: refused.into_iter().map(|(end, count)| (end, share(count))).collect(),
        };
        (ends, Basis::Sampled(runs), tree)
    }
}

/// Values that come together, with their weight.
type Rows = Vec<(Vec<(Var, i64)>, BigUint)>;

/// The ends of all runs.
struct Ends {
    /// The probability that the run ends as it should; then what is different, in parts that are independent.
    done: Option<(Fraction, Vec<Rows>)>,
    /// The refusals and faults, each with its probability.
    refused: Vec<(Halt, Fraction)>,
}

impl Ends {
    fn of(leaves: Vec<Leaf>) -> Ends {
        let mut ends = Ends { done: None, refused: Vec::new() };
        for Leaf { end, share, state } in leaves {
            let share = Fraction::new(share.0.into(), share.1);
            match end {
                Ok(()) => ends.done = Some((share, state.parts())),
                Err(halt) => ends.refused.push((halt, share)),
            }
        }
        ends
    }
}

/// A card or chit as it is read out: its title, if it has one.
fn drawn(schema: &Schema, table: &Tabletop, kind: KindId, row: u32) -> String {
    use crate::language::machine::World;
    match schema.kind(kind).rows.get(row as usize) {
        Some(printed) => schema.row_title(kind, printed),
        None => table.name(kind, row).to_owned(),
    }
}
