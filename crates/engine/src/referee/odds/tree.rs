//! The tree of all possibilities, in which equal states are merged and independent parts stay
//! separate.
//!
//! A run stops where chance decides, and where it reads an uncertain value; it continues once with
//! each value. Its position is everything that determines the rest of the run, except the table:
//! the machine's live registers, the added and removed pieces, the number of answers used, and the
//! progress of the question. Runs that reach the same position are merged there (see
//! [`joint`](super::joint)); positions are processed in the order of the run, so that every path to
//! a position is known when it is processed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use indexmap::IndexSet;
use num_bigint::BigUint;

use super::decks::DeckGroups;
use super::effort::Effort;
use super::ends::{Leaf, RunEnd};
use super::host::{LastWords, OddsHost};
use super::joint::{
    Belief, Path, RandomVariable, Share, TableState, add_shares, merge_paths, set_belief,
};
use super::names::{NumberedNames, drawn_card_title};
use super::question::{Condition, LineBegin, OddsQuestion, Progress};
use super::stop::{Arrival, Endpoint, Position, Stop};
use super::sums::TurnSumCache;
use super::veil::{PieceChanges, VeiledTable};
use crate::language::code::Program;
use crate::language::machine::{Halt, LiveRegisters, Machine, World};
use crate::language::schema::FunctionId;
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// The maximum number of positions from which runs are followed at an effort of 1.
const MAX_POSITIONS: usize = 60_000;

/// The tree, and everything that is needed to grow it.
pub(super) struct Tree<'a> {
    pub referee: &'a Referee,
    pub question: &'a OddsQuestion,
    /// The condition of the question, if any.
    pub condition: Option<FunctionId>,
    /// The program, including the condition.
    pub program: &'a Program,
    /// The turn in which the question is asked.
    pub first_turn: i64,
    /// The maximum number of changes of phase after the last line.
    pub most_changes: usize,
    pub progress: Progress,
    /// The number of functions begun.
    pub begun: i64,
    /// The table and the texts at the beginning of the run, or of the current line if that is later.
    pub line_begin: LineBegin,
    /// True if the run can't be followed.
    pub lost: bool,
    /// The lines that were refused on some path, by number, each with the reason.
    pub passed_over: BTreeSet<(usize, String)>,
    /// The numbers of the lines that were carried out on some path.
    pub carried_out: BTreeSet<usize>,
    pub table: VeiledTable,
    pub names: NumberedNames,
    pub host: OddsHost,
    pub flow: LiveRegisters,
    open: BTreeMap<Position, (Stop, Vec<Path>)>,
    ends: Vec<(RunEnd, Vec<Path>)>,
    /// The number of positions from which runs were followed, including the beginning.
    pub positions: usize,
    most_positions: usize,
    /// All states of progress that occurred; positions refer to them by index.
    pub progresses: Vec<Progress>,
    pub decks: DeckGroups<'a>,
    /// The number of the text that names the drawn card.
    pub card: Option<i64>,
    pub sums: TurnSumCache,
    /// For each printed line and each number in it, the probability that the line is printed with
    /// this number.
    pub numbers: BTreeMap<(i64, i64), Share>,
    /// The lines that may be printed more than once.
    pub often: IndexSet<i64>,
    pub effort: Effort,
}

impl<'a> Tree<'a> {
    pub(super) fn new(
        referee: &'a Referee,
        table: &Tabletop,
        question: &'a OddsQuestion,
        condition: Option<&'a Condition>,
        effort: Effort,
    ) -> Self {
        let mut flow = LiveRegisters::default();
        let rules = referee.ruleset();
        let program = condition.map_or(&*rules.program, |condition| &condition.program);
        Tree {
            decks: DeckGroups::new(&rules.schema, program, &mut flow),
            referee,
            question,
            condition: condition.map(|condition| condition.function),
            program,
            first_turn: referee.turn_number(table),
            most_changes: (referee.steps_of_turn(table) * 2).max(1),
            progress: Progress::default(),
            begun: 0,
            line_begin: LineBegin::default(),
            lost: false,
            passed_over: BTreeSet::new(),
            carried_out: BTreeSet::new(),
            table: VeiledTable::new(table.clone().with_log()),
            names: NumberedNames::default(),
            host: OddsHost::new(question.answers.clone(), question.effort()),
            flow,
            open: BTreeMap::new(),
            ends: Vec::new(),
            positions: 1,
            most_positions: MAX_POSITIONS.saturating_mul(question.effort() as usize),
            progresses: Vec::new(),
            card: None,
            sums: TurnSumCache::default(),
            numbers: BTreeMap::new(),
            often: IndexSet::new(),
            effort,
        }
    }

    /// Returns all ends; `None` if the tree is too large, if a run can't be followed, or if the
    /// computation is stopped.
    pub(super) fn grow_tree(&mut self) -> Option<Vec<Leaf>> {
        loop {
            let machine = self.begin_question();
            if let Some(leaves) = self.grow_to_ends(machine) {
                return Some(leaves);
            }
            if !std::mem::take(&mut self.decks.told_apart) || self.effort.is_spent() {
                return None;
            }
            // Begin again, with fewer cards that count as equal.
            self.open.clear();
            self.ends.clear();
            self.numbers.clear();
            self.often.clear();
            self.passed_over.clear();
            self.carried_out.clear();
            self.positions = 1;
            self.card = None;
            self.host.forget_run();
            self.host.answered = 0;
            self.table.reset();
        }
    }

    fn grow_to_ends(&mut self, mut machine: Machine<'a>) -> Option<Vec<Leaf>> {
        let one = (BigUint::from(1u32), BigUint::from(1u32));
        self.table.begin_run();
        let result = self.run_to_stop(&mut machine);
        // The decks are always known by number, so that the drawn cards can be distinguished from
        // the remaining ones.
        let mut delta = Vec::new();
        for deck in &self.referee.ruleset().schema.decks {
            let number = self.names.list_number(self.table.under.list(deck.list, 0), None);
            set_belief(&mut delta, RandomVariable::List(deck.list, 0), Belief::Sure(number));
        }
        let path = Path { from: Rc::default(), delta, share: one, spoken: Vec::new() };
        let found = self.arrival_of_run(&machine, result)?;
        self.record_arrival(found, path);
        while let Some((position, (stop, paths))) = self.open.pop_first() {
            self.positions += 1;
            let (share, state) = self.merge_paths(&paths)?;
            self.follow_stop(&position.snapshot, &stop, &share, &Rc::new(state), &mut machine)?;
            if self.positions > self.most_positions
                || self.effort.is_spent()
                || self.names.is_full()
                || self.referee.check_not_stopped().is_err()
            {
                return None;
            }
        }
        self.table.reset();
        let ends = std::mem::take(&mut self.ends);
        let leaf = |(end, paths): (RunEnd, Vec<Path>)| {
            let (share, state) = self.merge_paths(&paths)?;
            Some(Leaf { end, share, state })
        };
        ends.into_iter().map(leaf).collect()
    }

    /// Merges the paths to a position.
    fn merge_paths(&mut self, paths: &[Path]) -> Option<(Share, TableState)> {
        self.table.reset();
        let table = &self.table;
        let base = |var| match var {
            RandomVariable::Cell(column, row) => table.get(column, row),
            RandomVariable::Words | RandomVariable::List(..) | RandomVariable::Made(..) => -1,
            RandomVariable::Removed(..) => 0,
        };
        merge_paths(paths, &base, &mut self.effort)
    }

    /// Returns the point that a run has reached and its changes; `None` if the run can't be
    /// followed further.
    pub(super) fn arrival_of_run(
        &mut self,
        machine: &Machine<'_>,
        result: Result<i64, Halt>,
    ) -> Option<Arrival> {
        let numbers = self.numbers_said();
        if std::mem::take(&mut self.lost) {
            return None;
        }
        if let Some(list) = self.table.spoilt {
            // If cards are added to a deck with substitutes, each of its cards must be known
            // individually.
            self.decks.split_into_cards(list, &self.table.under);
            return None;
        }
        let asked = self.table.missing_value();
        let Some(end) = self.run_end(result) else {
            let stop = match (asked, self.host.drawn.take()) {
                (Some(var), _) => Stop::Read(var),
                (None, Some(deck)) => Stop::Draw(deck),
                (None, None) => Stop::Chance(self.host.outcomes.take()?),
            };
            let changes = self.changes_of_run(false);
            let position = self.current_position(machine);
            self.effort.spend(position.snapshot.len() as u64);
            return Some(Arrival { at: Endpoint::Position(position, stop), changes, numbers });
        };
        if asked.is_some() {
            // The value was read between two rules, where no run can stop.
            return None;
        }
        // A refusal or an error changes nothing, and for a condition, only the answer counts.
        let changes = if end == RunEnd::Done { self.changes_of_run(true) } else { Vec::new() };
        Some(Arrival { at: Endpoint::End(end), changes, numbers })
    }

    /// Returns the end of a run; `None` if it has not ended.
    pub(super) fn run_end(&self, result: Result<i64, Halt>) -> Option<RunEnd> {
        match result {
            Err(Halt::Branch) => None,
            Err(halt) => Some(RunEnd::Halted(halt)),
            Ok(value) if self.has_judged() => Some(RunEnd::Condition(value != 0)),
            Ok(_) => Some(RunEnd::Done),
        }
    }

    /// Records a path to the point that a run has reached.
    pub(super) fn record_arrival(&mut self, arrival: Arrival, mut path: Path) {
        let Arrival { at, changes, numbers } = arrival;
        for (line, number) in numbers {
            if path.may_have_said(line) {
                self.often.insert(line);
            }
            path.spoken.push(line);
            let share = self.numbers.entry((line, number)).or_default();
            *share = add_shares(std::mem::take(share), path.share.clone());
        }
        match at {
            Endpoint::Position(position, stop) => {
                let (_, paths) = self.open.entry(position).or_insert_with(|| (stop, Vec::new()));
                add_path(paths, path.with_changes(&changes, &mut self.effort));
            }
            Endpoint::End(end) => {
                let path = match end {
                    RunEnd::Done => path.with_changes(&changes, &mut self.effort),
                    RunEnd::Condition(_) | RunEnd::Halted(_) => {
                        Path { from: Rc::default(), delta: Vec::new(), ..path }
                    }
                };
                match self.ends.iter_mut().find(|(known, _)| *known == end) {
                    Some((_, paths)) => add_path(paths, path),
                    None => self.ends.push((end, vec![path])),
                }
            }
        }
    }

    /// Returns the numbers in the lines of the run, each with the number of its line.
    pub(super) fn numbers_said(&mut self) -> Vec<(i64, i64)> {
        let said = std::mem::take(&mut self.host.said.numbers);
        said.into_iter().map(|(what, number)| (self.names.text_number(&what), number)).collect()
    }

    /// Returns the changes of the run, in order. If `ended` is true, they include the pieces added
    /// and removed.
    pub(super) fn changes_of_run(&mut self, ended: bool) -> Vec<(RandomVariable, i64)> {
        let mut changes = Vec::new();
        let words = self.host.said.words.take().map(|words| match words {
            LastWords::Text(text) => self.names.text_number(&text),
            LastWords::Taken(kind, row) => self.card.unwrap_or_else(|| {
                let schema = &self.referee.ruleset().schema;
                self.names.text_number(&drawn_card_title(schema, &self.table.under, kind, row))
            }),
        });
        changes.extend(words.map(|words| (RandomVariable::Words, words)));
        for var in self.table.changed_variables() {
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
            let PieceChanges { made, removed } = self.table.piece_changes();
            for (kind, row) in made {
                let name = self.names.text_number(self.table.under.name(kind, row));
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
    fn current_position(&mut self, machine: &Machine<'_>) -> Position {
        let mut progress = Vec::new();
        let mut snapshot = Vec::new();
        let PieceChanges { made, mut removed } = self.table.piece_changes();
        snapshot.push(made.len() as i64);
        for (kind, row) in made {
            let name = self.names.text_number(self.table.under.name(kind, row));
            snapshot.extend([i64::from(kind.0), name]);
        }
        removed.sort_unstable();
        snapshot.push(removed.len() as i64);
        for (kind, row) in removed {
            snapshot.extend([i64::from(kind.0), i64::from(row)]);
        }
        snapshot.push(self.host.answered as i64);
        let known = self.progresses.iter().position(|known| *known == self.progress);
        snapshot.extend([known.unwrap_or(self.progresses.len()) as i64, self.begun]);
        if known.is_none() {
            self.progresses.push(self.progress);
        }
        progress.push(self.begun);
        machine.write_progress(&mut self.flow, &mut progress);
        machine.write_snapshot(&mut self.flow, &mut snapshot);
        Position { progress, snapshot }
    }
}

/// Adds a path, or adds its probability to an equal path among the last few.
fn add_path(paths: &mut Vec<Path>, path: Path) {
    match paths.iter_mut().rev().take(8).find(|known| known.is_same(&path)) {
        Some(known) => known.share = add_shares(std::mem::take(&mut known.share), path.share),
        None => paths.push(path),
    }
}
