//! The tree of everything that can happen, in which equal states are joined and independent parts stay separate.
//!
//! A run stops where chance decides, and where it reads something that is not certain; it goes on once with each
//! value. The position at which it stops is what the rest of the run depends on besides the table: the machine's live
//! registers, and the pieces set out and taken off. Runs that come to the same position meet there (see
//! [`joint`](super::joint)); positions are left in the order of the run, so that every path to a position is known
//! when it is left.

use std::collections::BTreeMap;
use std::rc::Rc;

use indexmap::IndexSet;
use num_bigint::BigUint;

use super::decks::Decks;
use super::ends::{Leaf, RunEnd, end_of};
use super::host::{LastWords, OddsHost};
use super::joint::{Belief, MAX_WORK, Path, RandomVariable, Share, TableState, meet, put, sum};
use super::names::{Names, drawn};
use super::stop::{Arrival, Endpoint, Position, Stop};
use super::sums::Sums;
use super::veil::{PieceChanges, VeiledTable};
use crate::language::machine::{Halt, LiveRegisters, Machine, World};
use crate::referee::Referee;
use crate::referee::act::RuleRun;
use crate::referee::phases::PhaseChange;
use crate::tabletop::Tabletop;

/// The most positions from which runs are followed.
const MAX_POSITIONS: usize = 60_000;
/// Grows the tree.
pub(super) struct Tree<'a> {
    referee: &'a Referee,
    /// The progress of a change of phase, if the odds are those of one.
    pub onward: Option<PhaseChange>,
    /// The number of functions that a change of phase has begun.
    pub begun: i64,
    pub table: VeiledTable,
    pub names: Names,
    pub host: OddsHost,
    pub flow: LiveRegisters,
    open: BTreeMap<Position, (Stop, Vec<Path>)>,
    ends: Vec<(RunEnd, Vec<Path>)>,
    /// The number of different positions that runs have reached.
    pub positions: usize,
    /// Every progress of a change of phase that was met; states name it by its position.
    pub onwards: Vec<PhaseChange>,
    pub decks: Decks<'a>,
    /// The number of the last words for the card that is drawn.
    pub card: Option<i64>,
    pub sums: Sums,
    /// The numbers that were said: the line, the number, and how likely it is said.
    pub numbers: BTreeMap<(i64, i64), Share>,
    /// The lines that may be said more than once.
    pub often: IndexSet<i64>,
    /// The work done so far.
    pub work: u64,
}

impl<'a> Tree<'a> {
    pub(super) fn new(referee: &'a Referee, table: &Tabletop, insist: bool) -> Self {
        let mut flow = LiveRegisters::default();
        Tree {
            decks: Decks::new(referee.ruleset(), &mut flow),
            referee,
            onward: None,
            begun: 0,
            table: VeiledTable::new(table.clone().logged()),
            names: Names::default(),
            host: OddsHost::new(insist),
            flow,
            open: BTreeMap::new(),
            ends: Vec::new(),
            positions: 1,
            onwards: Vec::new(),
            card: None,
            sums: Sums::default(),
            numbers: BTreeMap::new(),
            often: IndexSet::new(),
            work: 0,
        }
    }

    /// Returns every end; `None` if the tree is too large.
    pub(super) fn grow(&mut self, machine: &Machine<'a>) -> Option<Vec<Leaf>> {
        let onward = self.onward;
        loop {
            if let Some(leaves) = self.grown(machine.clone()) {
                return Some(leaves);
            }
            if !std::mem::take(&mut self.decks.told_apart) || self.work > MAX_WORK {
                return None;
            }
            // From the beginning, with fewer cards alike.
            self.onward = onward;
            self.begun = 0;
            self.open.clear();
            self.ends.clear();
            self.numbers.clear();
            self.often.clear();
            self.positions = 1;
            self.card = None;
            self.host.leave();
            self.table.renew();
        }
    }

    fn grown(&mut self, mut machine: Machine<'a>) -> Option<Vec<Leaf>> {
        let one = (BigUint::from(1u32), BigUint::from(1u32));
        self.table.begin();
        let result = self.go_on(&mut machine);
        // The decks are always known by number, so that what is drawn can be told from what is left.
        let mut delta = Vec::new();
        for deck in &self.referee.ruleset().schema.decks {
            let number = self.names.list_number(self.table.under.list(deck.list, 0), None);
            put(&mut delta, RandomVariable::List(deck.list, 0), Belief::Sure(number));
        }
        let path = Path { from: Rc::default(), delta, share: one, spoken: Vec::new() };
        let found = self.come_to(&machine, result)?;
        self.arrive(found, path);
        while let Some((position, (stop, paths))) = self.open.pop_first() {
            self.positions += 1;
            let (share, state) = self.meet(&paths)?;
            self.follow(&position.snapshot, &stop, &share, &Rc::new(state), &mut machine)?;
            if self.positions > MAX_POSITIONS || self.work > MAX_WORK || self.names.is_full() {
                return None;
            }
        }
        self.table.renew();
        let ends = std::mem::take(&mut self.ends);
        let leaf = |(end, paths): (RunEnd, Vec<Path>)| {
            let (share, state) = self.meet(&paths)?;
            Some(Leaf { end, share, state })
        };
        ends.into_iter().map(leaf).collect()
    }

    /// Joins the paths to a position.
    fn meet(&mut self, paths: &[Path]) -> Option<(Share, TableState)> {
        self.table.renew();
        let table = &self.table;
        let base = |var| match var {
            RandomVariable::Cell(column, row) => table.get(column, row),
            RandomVariable::Words | RandomVariable::List(..) | RandomVariable::Made(..) => -1,
            RandomVariable::Removed(..) => 0,
        };
        meet(paths, &base, &mut self.work)
    }

    /// Runs on until the next stop or the end: of a rule, or of all that belongs to a change of phase.
    pub(super) fn go_on(&mut self, machine: &mut Machine<'a>) -> Result<i64, Halt> {
        loop {
            let result = machine.go_on(&mut self.table, &mut self.host);
            self.work += machine.steps();
            let value = result?;
            let Some(onward) = &mut self.onward else { return Ok(value) };
            let table = &mut self.table;
            let host = &mut self.host;
            let mut field = RuleRun { referee: self.referee, machine, table, host };
            let next = field.step(onward, value)?;
            let Some(next) = next else { return Ok(0) };
            let rules = self.referee.ruleset();
            *machine = Machine::new(&rules.schema, &rules.program);
            machine.begin(next, &[]);
            self.begun += 1;
        }
    }

    /// Returns the point that a run has reached and what it has changed; `None` if that cannot be followed.
    pub(super) fn come_to(
        &mut self,
        machine: &Machine<'_>,
        result: Result<i64, Halt>,
    ) -> Option<Arrival> {
        let numbers = self.numbers();
        if let Some(list) = self.table.spoilt {
            // What is put to cards that stand for others must be known card by card.
            self.decks.tell_all_apart(list, &self.table.under);
            return None;
        }
        let asked = self.table.asked();
        let Some(end) = end_of(result) else {
            let stop = match (asked, self.host.drawn.take()) {
                (Some(var), _) => Stop::Read(var),
                (None, Some(deck)) => Stop::Draw(deck),
                (None, None) => Stop::Chance(self.host.outcomes.take()?),
            };
            let changes = self.changes(false);
            let position = self.position(machine);
            self.work += position.snapshot.len() as u64;
            return Some(Arrival { at: Endpoint::Position(position, stop), changes, numbers });
        };
        if asked.is_some() {
            // It was read between two rules, where nothing stops.
            return None;
        }
        // What was refused or went wrong changes nothing.
        let changes = if end.is_ok() { self.changes(true) } else { Vec::new() };
        Some(Arrival { at: Endpoint::End(end), changes, numbers })
    }

    /// Records a path to the point that a run has reached.
    pub(super) fn arrive(&mut self, arrival: Arrival, mut path: Path) {
        let Arrival { at, changes, numbers } = arrival;
        for (line, number) in numbers {
            if path.has_said(line) {
                self.often.insert(line);
            }
            path.spoken.push(line);
            let share = self.numbers.entry((line, number)).or_default();
            *share = sum(std::mem::take(share), path.share.clone());
        }
        match at {
            Endpoint::Position(position, stop) => {
                let (_, paths) = self.open.entry(position).or_insert_with(|| (stop, Vec::new()));
                add(paths, path.with(&changes, &mut self.work));
            }
            Endpoint::End(end) => {
                let path = match end {
                    Ok(()) => path.with(&changes, &mut self.work),
                    Err(_) => Path { from: Rc::default(), delta: Vec::new(), ..path },
                };
                match self.ends.iter_mut().find(|(known, _)| *known == end) {
                    Some((_, paths)) => add(paths, path),
                    None => self.ends.push((end, vec![path])),
                }
            }
        }
    }

    /// Returns the numbers that the run has said, with the numbers of the lines.
    pub(super) fn numbers(&mut self) -> Vec<(i64, i64)> {
        let said = std::mem::take(&mut self.host.numbers);
        said.into_iter().map(|(what, number)| (self.names.number(&what), number)).collect()
    }

    /// Returns what the run has changed, in order; at its end the pieces set out and taken off too.
    pub(super) fn changes(&mut self, ended: bool) -> Vec<(RandomVariable, i64)> {
        let mut changes = Vec::new();
        let words = self.host.words.take().map(|words| match words {
            LastWords::Text(text) => self.names.number(&text),
            LastWords::Taken(kind, row) => self.card.unwrap_or_else(|| {
                let schema = &self.referee.ruleset().schema;
                self.names.number(&drawn(schema, &self.table.under, kind, row))
            }),
        });
        changes.extend(words.map(|words| (RandomVariable::Words, words)));
        for var in self.table.changed() {
            let value = match var {
                RandomVariable::Cell(column, row) => self.table.under.get(column, row),
                RandomVariable::List(list, row) => {
                    self.names.list_number(self.table.under.list(list, row), None)
                }
                RandomVariable::Words | RandomVariable::Made(..) | RandomVariable::Removed(..) => {
                    continue;
                }
            };
            changes.push((var, value));
        }
        if ended {
            let PieceChanges { made, removed } = self.table.pieces();
            for (kind, row) in made {
                let name = self.names.number(self.table.under.name(kind, row));
                changes.push((RandomVariable::Made(kind, row), name));
            }
            changes.extend(
                removed.into_iter().map(|(kind, row)| (RandomVariable::Removed(kind, row), 1)),
            );
            changes.sort_unstable();
        }
        changes
    }

    /// Returns the position at which a run has stopped.
    fn position(&mut self, machine: &Machine<'_>) -> Position {
        let mut progress = Vec::new();
        let mut snapshot = Vec::new();
        let PieceChanges { made, mut removed } = self.table.pieces();
        snapshot.push(made.len() as i64);
        for (kind, row) in made {
            let name = self.names.number(self.table.under.name(kind, row));
            snapshot.extend([i64::from(kind.0), name]);
        }
        removed.sort_unstable();
        snapshot.push(removed.len() as i64);
        for (kind, row) in removed {
            snapshot.extend([i64::from(kind.0), i64::from(row)]);
        }
        if let Some(onward) = self.onward {
            let known = self.onwards.iter().position(|known| *known == onward);
            snapshot.extend([known.unwrap_or(self.onwards.len()) as i64, self.begun]);
            if known.is_none() {
                self.onwards.push(onward);
            }
            progress.push(self.begun);
        }
        machine.progress(&mut self.flow, &mut progress);
        machine.save(&mut self.flow, &mut snapshot);
        Position { progress, snapshot }
    }
}

/// Adds a path, or its share to one that is the same.
fn add(paths: &mut Vec<Path>, path: Path) {
    match paths.iter_mut().rev().take(8).find(|known| known.same(&path)) {
        Some(known) => known.share = sum(std::mem::take(&mut known.share), path.share),
        None => paths.push(path),
    }
}
