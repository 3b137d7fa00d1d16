//! The tree of everything that can happen, with equal states grown together.
//!
//! A state is what the rest of the run depends on: the machine's live registers, what has changed on the
//! table, and the last words. Each is looked into once, however many ways lead to it; then the weights flow
//! from the beginning to the ends.

use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigUint;
use num_integer::Integer;

use super::host::{LastWords, OddsHost};
use crate::dice::Fraction;
use crate::language::machine::{Halt, LiveRegisters, Machine, SnapshotReader, World};
use crate::language::schema::{ColumnId, KindId, ListId};
use crate::referee::Referee;
use crate::referee::phases::Onward;
use crate::tabletop::{NetChanges, Transaction};

/// The most states of a tree.
const MAX_STATES: usize = 30_000;
/// The most bytes that all different words and names may take.
const MAX_BYTES: usize = 8 << 20;
/// The most work that a tree may take: instructions run, and as many for each number of a state.
const MAX_WORK: u64 = 18_000_000;

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// As it should.
    Done,
    /// The rules forbid it.
    Refused(String),
    /// The rule went wrong.
    Fault(Box<crate::language::machine::PlayError>),
}

/// An end of the tree.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub end: RunEnd,
    /// The last words and the changes, written down.
    pub state: Rc<[i64]>,
}

/// Texts and names with a number each, so that states are rows of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    all: Vec<String>,
    known: std::collections::BTreeMap<String, i64>,
    bytes: usize,
}

impl Names {
    /// Returns true if the texts have grown too long to go on.
    pub(super) fn is_full(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// Returns the number of a text.
    pub(super) fn number(&mut self, text: &str) -> i64 {
        if let Some(&number) = self.known.get(text) {
            return number;
        }
        let number = self.all.len() as i64;
        self.bytes += text.len();
        self.all.push(text.to_owned());
        self.known.insert(text.to_owned(), number);
        number
    }

    pub(super) fn text(&self, number: i64) -> &str {
        usize::try_from(number).ok().and_then(|n| self.all.get(n)).map_or("", String::as_str)
    }
}

/// The table part of a state, read back.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    pub words: i64,
    /// Kind, row, name.
    pub made: Vec<(KindId, u32, i64)>,
    pub cells: Vec<(ColumnId, u32, i64)>,
    pub lists: Vec<(ListId, u32, Vec<u32>)>,
    pub removed: Vec<(KindId, u32)>,
}

impl Changes {
    pub(super) fn read(from: &mut SnapshotReader<'_>) -> Changes {
        let mut changes = Changes { words: from.take(), ..Changes::default() };
        for _ in 0..from.count() {
            let (kind, row) = (KindId(from.take() as u16), from.take() as u32);
            changes.made.push((kind, row, from.take()));
        }
        for _ in 0..from.count() {
            let (column, row) = (ColumnId(from.take() as u16), from.take() as u32);
            changes.cells.push((column, row, from.take()));
        }
        for _ in 0..from.count() {
            let (list, row) = (ListId(from.take() as u16), from.take() as u32);
            let members = (0..from.count()).map(|_| from.take() as u32).collect();
            changes.lists.push((list, row, members));
        }
        for _ in 0..from.count() {
            changes.removed.push((KindId(from.take() as u16), from.take() as u32));
        }
        changes
    }

    fn make(&self, names: &Names, transaction: &mut Transaction) {
        for &(kind, _, name) in &self.made {
            transaction.make_again(kind, names.text(name));
        }
        for &(column, row, value) in &self.cells {
            transaction.set(column, row, value);
        }
        for (list, row, members) in &self.lists {
            transaction.set_list(*list, *row, members);
        }
        for &(kind, row) in &self.removed {
            transaction.remove(kind, row);
        }
    }
}

/// A state, and where it leads.
#[derive(Debug, Default)]
struct State {
    total: BigUint,
    next: Vec<(u32, BigUint)>,
    end: Option<RunEnd>,
}

/// Grows the tree.
pub(super) struct Tree<'a> {
    referee: &'a Referee,
    /// The progress of a change of phase, if the odds of one are asked.
    pub onward: Option<Onward>,
    pub transaction: Transaction,
    pub names: Names,
    pub host: OddsHost,
    flow: LiveRegisters,
    net: NetChanges,
    nodes: Vec<State>,
    states: Vec<Rc<[i64]>>,
    /// Every progress of a change of phase that was met; states name it by its place.
    onwards: Vec<Onward>,
    known: HashMap<Rc<[i64]>, u32>,
    /// The work done so far.
    pub work: u64,
}

impl<'a> Tree<'a> {
    pub(super) fn new(referee: &'a Referee, transaction: Transaction, host: OddsHost) -> Self {
        Tree {
            referee,
            onward: None,
            transaction,
            names: Names::default(),
            host,
            flow: LiveRegisters::default(),
            net: NetChanges::default(),
            nodes: Vec::new(),
            states: Vec::new(),
            onwards: Vec::new(),
            known: HashMap::new(),
            work: 0,
        }
    }

    /// Returns the number of different states.
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Every end with its probability; none if the tree is too large.
    pub(super) fn grow(&mut self, mut machine: Machine<'a>) -> Option<Vec<(Leaf, Fraction)>> {
        let end = self.go_on(&mut machine);
        let root = self.reached(&machine, end);
        self.transaction.roll_back(0);
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let before = self.nodes.len();
            self.expand(node, &mut machine)?;
            // Ends need no looking into.
            open.extend(
                (before..self.nodes.len())
                    .map(|n| n as u32)
                    .filter(|&n| self.nodes[n as usize].end.is_none()),
            );
        }
        self.weigh(root)
    }

    /// Runs on until the next point of chance or the end: of a rule, or of all that belongs to a change of
    /// phase.
    pub(super) fn go_on(&mut self, machine: &mut Machine<'a>) -> Result<i64, Halt> {
        loop {
            let result = machine.go_on(&mut self.transaction, &mut self.host);
            self.work += machine.steps();
            let value = result?;
            let Some(onward) = &mut self.onward else { return Ok(value) };
            let next = self.referee.step(onward, value, &mut self.transaction, &mut self.host)?;
            let Some(next) = next else { return Ok(0) };
            let rules = self.referee.ruleset();
            *machine = Machine::new(&rules.schema, &rules.program);
            machine.begin(next, &[]);
        }
    }

    /// Goes on from a state with everything that can come next.
    fn expand(&mut self, node: u32, machine: &mut Machine<'a>) -> Option<()> {
        if self.nodes[node as usize].end.is_some() {
            return Some(());
        }
        let state = self.states[node as usize].clone();
        let mut reader = SnapshotReader::new(&state[1..]);
        let changes = Changes::read(&mut reader);
        changes.make(&self.names, &mut self.transaction);
        let mark = self.transaction.savepoint();
        let onward = self.onward.and_then(|_| self.onwards.get(reader.count()).copied());
        // The instruction where it stopped tells what can come.
        machine.restore(&mut self.flow, &mut reader.clone());
        self.onward = onward;
        self.speak(changes.words);
        let stopped = self.go_on(machine);
        let outcomes = self.host.outcomes();
        self.transaction.roll_back(mark);
        let (Err(Halt::Branch), Some(outcomes)) = (stopped, outcomes) else { return None };
        let mut next: Vec<(u32, BigUint)> = Vec::with_capacity(outcomes.len());
        let mut total = BigUint::ZERO;
        for (value, weight) in outcomes.iter() {
            machine.restore(&mut self.flow, &mut reader.clone());
            self.onward = onward;
            self.speak(changes.words);
            self.host.give(*value);
            let end = self.go_on(machine);
            let to = self.reached(machine, end);
            self.transaction.roll_back(mark);
            self.work += state.len() as u64;
            if self.nodes.len() > MAX_STATES || self.work > MAX_WORK || self.names.is_full() {
                return None;
            }
            total += weight;
            match next.iter_mut().find(|(n, _)| *n == to) {
                Some((_, sum)) => *sum += weight,
                None => next.push((to, weight.clone())),
            }
        }
        self.transaction.roll_back(0);
        let common = next.iter().fold(total.clone(), |common, (_, w)| common.gcd(w));
        next.iter_mut().for_each(|(_, w)| *w /= &common);
        let place = &mut self.nodes[node as usize];
        place.next = next;
        place.total = total / common;
        Some(())
    }

    fn speak(&mut self, words: i64) {
        self.host.words = match words {
            -1 => LastWords::None,
            n => LastWords::Text(self.names.text(n).to_owned()),
        };
    }

    /// The number of the state a run has come to.
    fn reached(&mut self, machine: &Machine<'_>, result: Result<i64, Halt>) -> u32 {
        let (end, mut state) = self.state(result);
        if end.is_none() {
            if let Some(onward) = self.onward {
                let known = self.onwards.iter().position(|known| *known == onward);
                state.push(known.unwrap_or(self.onwards.len()) as i64);
                if known.is_none() {
                    self.onwards.push(onward);
                }
            }
            machine.save(&mut self.flow, &mut state);
        }
        if let Some(&known) = self.known.get(state.as_slice()) {
            return known;
        }
        let number = self.nodes.len() as u32;
        let state: Rc<[i64]> = state.into();
        self.work += state.len() as u64 * 4;
        self.known.insert(state.clone(), number);
        self.states.push(state);
        self.nodes.push(State { end, ..State::default() });
        number
    }

    /// Returns the end of a run, if it has ended, and a record of what it has done.
    pub(super) fn state(&mut self, result: Result<i64, Halt>) -> (Option<RunEnd>, Vec<i64>) {
        let mut out = Vec::new();
        let end = match result {
            Ok(_) => Some(RunEnd::Done),
            Err(Halt::Branch) => None,
            Err(Halt::Refused(reason)) => Some(RunEnd::Refused(reason)),
            Err(Halt::Fault(error)) => Some(RunEnd::Fault(error)),
            Err(_) => Some(RunEnd::Refused("this needs dice of its own".into())),
        };
        out.push(match &end {
            None => -1,
            Some(RunEnd::Done) => -2,
            Some(RunEnd::Refused(reason)) => self.names.number(reason),
            Some(RunEnd::Fault(error)) => self.names.number(&error.to_string()),
        });
        let words = match &self.host.words {
            LastWords::None => -1,
            LastWords::Text(text) => self.names.number(text),
            LastWords::Taken(kind, row) => {
                let name =
                    super::drawn(&self.referee.ruleset().schema, &self.transaction, *kind, *row);
                self.names.number(&name)
            }
        };
        out.push(words);
        // What was refused or went wrong changes nothing.
        if matches!(end, Some(RunEnd::Refused(_) | RunEnd::Fault(_))) {
            out.extend([0; 4]);
            return (end, out);
        }
        let mut net = std::mem::take(&mut self.net);
        self.transaction.net(&mut net);
        out.push(net.made.len() as i64);
        for &(kind, row) in &net.made {
            let name = self.names.number(self.transaction.name(kind, row));
            out.extend([i64::from(kind.0), i64::from(row), name]);
        }
        out.push(net.cells.len() as i64);
        for &(column, row, value) in &net.cells {
            out.extend([i64::from(column.0), i64::from(row), value]);
        }
        out.push(net.lists.len() as i64);
        for &(list, row) in &net.lists {
            let members = self.transaction.list(list, row);
            out.extend([i64::from(list.0), i64::from(row), members.len() as i64]);
            out.extend(members.iter().map(|&m| i64::from(m)));
        }
        out.push(net.removed.len() as i64);
        for &(kind, row) in &net.removed {
            out.extend([i64::from(kind.0), i64::from(row)]);
        }
        self.net = net;
        (end, out)
    }

    /// Lets the weights flow: a state hands its own on when all that lead to it have given theirs.
    fn weigh(&mut self, root: u32) -> Option<Vec<(Leaf, Fraction)>> {
        let mut waiting = vec![0usize; self.nodes.len()];
        for (to, _) in self.nodes.iter().flat_map(|n| &n.next) {
            waiting[*to as usize] += 1;
        }
        let nothing = || (BigUint::ZERO, BigUint::from(1u32));
        let mut shares: Vec<(BigUint, BigUint)> = vec![nothing(); self.nodes.len()];
        shares[root as usize] = (BigUint::from(1u32), BigUint::from(1u32));
        let mut ready = vec![root];
        let (mut leaves, mut seen) = (Vec::new(), 0);
        while let Some(number) = ready.pop() {
            seen += 1;
            let node = std::mem::take(&mut self.nodes[number as usize]);
            let share = std::mem::replace(&mut shares[number as usize], nothing());
            if let Some(end) = node.end {
                let state = self.states[number as usize].clone();
                leaves.push((Leaf { end, state }, Fraction::new(share.0.into(), share.1)));
                continue;
            }
            for (to, weight) in &node.next {
                let part = (&share.0 * weight, &share.1 * &node.total);
                let place = &mut shares[*to as usize];
                *place = sum(std::mem::replace(place, nothing()), part);
                waiting[*to as usize] -= 1;
                if waiting[*to as usize] == 0 {
                    ready.push(*to);
                }
            }
        }
        // A state that leads back to itself would never be ready; rules without end are not foretold.
        (seen == shares.len()).then_some(leaves)
    }
}

/// The sum of two fractions, in lowest terms only where that is cheap.
fn sum(a: (BigUint, BigUint), b: (BigUint, BigUint)) -> (BigUint, BigUint) {
    if a.0 == BigUint::ZERO {
        return b;
    }
    if a.1 == b.1 {
        return (a.0 + b.0, a.1);
    }
    let common = a.1.gcd(&b.1);
    let (left, right) = (&b.1 / &common, &a.1 / &common);
    (a.0 * &left + b.0 * right, a.1 * left)
}
