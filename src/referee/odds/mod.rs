//! The possible ends of a verb of the game, and how likely each is, before any dice fall.
//!
//! The same compiled rule runs as at the table. At each point of chance the run stops and goes on with
//! everything that can come; equal states are followed once, and the weights are exact. Where that grows too
//! large, the rule is run many times instead, and the answer says so. Nothing is changed, and no dice of the
//! session are taken.

mod host;
mod report;
mod tree;

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_integer::Integer;

use super::{Action, Referee};
use crate::dice::{Fraction, Seed, Seeded};
use crate::language::machine::{Halt, Machine};
use crate::language::schema::{KindId, Schema};
use crate::tabletop::{Tabletop, Transaction};
use host::OddsHost;
use tree::{Leaf, RunEnd, Tree};

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
    /// The values it can have afterwards, the most likely first.
    pub values: Vec<(String, Fraction)>,
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

/// The ends with their probability, how they were found, and the names in them.
type Ends<'a> = (Vec<(Leaf, Fraction)>, Basis, Tree<'a>);

impl Referee {
    /// The odds of an action. An action that is refused whatever comes gives the refusal.
    pub fn odds(&self, table: &Tabletop, action: &Action, insist: bool) -> Result<Odds, Halt> {
        let (leaves, basis, mut tree) = match action {
            Action::Rule { .. } | Action::Next => self.explore(table, action, insist),
            _ => return Err(Halt::Refused("there is no chance in this".into())),
        };
        let all_refused = leaves.iter().all(|(leaf, _)| leaf.end != RunEnd::Done);
        if let (true, Some((Leaf { end, .. }, _))) = (all_refused, leaves.first()) {
            return Err(match end {
                RunEnd::Refused(reason) => Halt::Refused(reason.clone()),
                RunEnd::Fault(error) => Halt::Fault(error.clone()),
                RunEnd::Done => Halt::Branch,
            });
        }
        let asked = tree.host.asked.iter().cloned().collect();
        let table = tree.transaction.table();
        Ok(report::report(&self.ruleset, table, &mut tree.names, &leveled(leaves), asked, basis))
    }

    /// The tree of an action, or samples of it if it grows too large.
    fn explore(&self, table: &Tabletop, action: &Action, insist: bool) -> Ends<'_> {
        let transaction = Transaction::new(table.clone());
        let mut tree = Tree::new(self, transaction, OddsHost::tree(insist));
        let machine = self.begun(action, &mut tree);
        match tree.grow(machine) {
            Some(leaves) => {
                let basis = Basis::Exact(tree.size());
                (leaves, basis, tree)
            }
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
                    self.prepare(*rule, arguments, only, &mut machine, &mut tree.transaction);
                machine.begin(function, &values);
            }
            _ => tree.onward = Some(self.onward(&tree.transaction)),
        }
        machine
    }

    /// The ends of many runs. Their dice are of a seed of their own, the same each time, so that asking twice
    /// gives one answer.
    fn sampled(&self, table: &Tabletop, action: &Action, insist: bool) -> Ends<'_> {
        let seed = Seed::from_text("odds");
        let host = OddsHost::sample(insist, Seeded::new(&seed, 0));
        let mut tree = Tree::new(self, Transaction::new(table.clone()), host);
        let mut ends: BTreeMap<Vec<i64>, (RunEnd, u64)> = BTreeMap::new();
        let mut runs = 0;
        while runs < SAMPLES && tree.work < SAMPLE_WORK && !tree.names.is_full() {
            tree.host.throw(Seeded::new(&seed, runs));
            tree.host.words = host::LastWords::None;
            let texts = tree.transaction.texts();
            let mut machine = self.begun(action, &mut tree);
            let result = tree.go_on(&mut machine);
            tree.work += std::mem::take(&mut tree.host.thrown) * DIE_COST;
            tree.work += SAMPLE_COST + tree.transaction.savepoint() as u64 * CHANGE_COST;
            tree.transaction.forget_unused_texts(texts);
            let (end, state) = tree.state(result);
            tree.transaction.roll_back(0);
            ends.entry(state).or_insert((end.unwrap_or(RunEnd::Done), 0)).1 += 1;
            runs += 1;
        }
        let leaves = ends.into_iter().map(|(state, (end, count))| {
            let share = Fraction::new(count.into(), BigUint::from(runs));
            (Leaf { end, state: state.into() }, share)
        });
        (leaves.collect(), Basis::Sampled(runs), tree)
    }
}

/// The ends with whole weights of one sum.
fn leveled(leaves: Vec<(Leaf, Fraction)>) -> Vec<(Leaf, BigUint)> {
    let one = BigUint::from(1u32);
    let scale = leaves.iter().fold(one, |scale, (_, share)| scale.lcm(share.denominator()));
    leaves
        .into_iter()
        .map(|(leaf, share)| {
            let weight = share.numerator().magnitude() * (&scale / share.denominator());
            (leaf, weight)
        })
        .collect()
}

/// A card or chit as it is read out: its title, if it has one.
fn drawn(schema: &Schema, transaction: &Transaction, kind: KindId, row: u32) -> String {
    use crate::language::machine::World;
    match schema.kind(kind).rows.get(row as usize) {
        Some(printed) => schema.row_title(kind, printed),
        None => transaction.name(kind, row).to_owned(),
    }
}
