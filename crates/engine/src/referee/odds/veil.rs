//! The table of the odds: some of what lies on it is not known, and a run that reads that stops there.

use std::cell::Cell;

use super::joint::RandomVariable;
use crate::language::machine::{PieceError, World};
use crate::language::schema::{ColumnId, KindId, ListId};
use crate::tabletop::{LoggedChange, Tabletop};

/// A table with a veil over some of its cells and lists.
#[derive(Debug)]
pub(super) struct VeiledTable {
    /// The table under the veil.
    pub under: Tabletop,
    /// By column, the rows whose cells are veiled, ascending.
    cells: Vec<Vec<u32>>,
    lists: Vec<(ListId, u32)>,
    /// Something veiled that was read.
    read: Cell<Option<RandomVariable>>,
    /// Where the run began, among the changes of the table.
    start: usize,
    /// The changes of the run that lay under the veil.
    lifted: Vec<RandomVariable>,
    /// The cards that are shown of a deck from which one is drawn.
    shown: Option<(ListId, Vec<u32>)>,
    /// The decks that show substitutes for the cards that are in them.
    vague: Vec<ListId>,
    /// Those among them at the beginning of the run.
    laid: Vec<ListId>,
    /// Such a deck to which the run has put cards.
    pub spoilt: Option<ListId>,
}

/// The pieces that runs have set out and taken off, by kind and row.
#[derive(Debug, Default)]
pub(super) struct PieceChanges {
    pub made: Vec<(KindId, u32)>,
    pub removed: Vec<(KindId, u32)>,
}

impl VeiledTable {
    pub(super) fn new(under: Tabletop) -> VeiledTable {
        let columns = under.schema().columns.len();
        VeiledTable {
            under,
            cells: vec![Vec::new(); columns],
            lists: Vec::new(),
            read: Cell::new(None),
            start: 0,
            lifted: Vec::new(),
            shown: None,
            vague: Vec::new(),
            laid: Vec::new(),
            spoilt: None,
        }
    }

    /// Takes everything back: the table is as it was at the beginning, without a veil.
    pub(super) fn renew(&mut self) {
        self.under.roll_back(0);
        self.cells.iter_mut().for_each(Vec::clear);
        self.lists.clear();
        self.vague.clear();
        self.begin();
    }

    /// Notes that the table is laid out: runs are undone to this state.
    pub(super) fn laid_out(&mut self) {
        self.laid.clone_from(&self.vague);
        self.begin();
    }

    /// Begins a run: nothing is read yet.
    pub(super) fn begin(&mut self) {
        self.read.set(None);
        self.start();
        self.lifted.clear();
        self.shown = None;
        self.spoilt = None;
    }

    /// Sets the savepoint: only later changes belong to the run.
    pub(super) fn start(&mut self) {
        self.start = self.under.savepoint();
    }

    /// Takes a run back, to the mark.
    pub(super) fn take_back(&mut self, mark: usize) {
        self.under.roll_back(mark);
        for var in std::mem::take(&mut self.lifted) {
            self.veil(var);
        }
        self.vague.clone_from(&self.laid);
        self.begin();
    }

    /// Draws the veil over something.
    pub(super) fn veil(&mut self, var: RandomVariable) {
        match var {
            RandomVariable::Cell(column, row) => {
                let rows = &mut self.cells[column.index()];
                if let Err(index) = rows.binary_search(&row) {
                    rows.insert(index, row);
                }
            }
            RandomVariable::List(list, row) if !self.lists.contains(&(list, row)) => {
                self.lists.push((list, row));
            }
            _ => {}
        }
    }

    /// Takes the veil off something, for this run.
    pub(super) fn lift(&mut self, var: RandomVariable) {
        let lifted = match var {
            RandomVariable::Cell(column, row) => {
                let rows = &mut self.cells[column.index()];
                rows.binary_search(&row).map(|index| rows.remove(index)).is_ok()
            }
            RandomVariable::List(list, row) => {
                let index = self.lists.iter().position(|l| *l == (list, row));
                index.map(|index| self.lists.swap_remove(index)).is_some()
            }
            _ => false,
        };
        if lifted {
            self.lifted.push(var);
        }
    }

    /// Shows these cards of a deck until one of them is taken.
    pub(super) fn show(&mut self, list: ListId, cards: Vec<u32>) {
        self.shown = Some((list, cards));
    }

    /// Lays out substitutes for the cards of a deck.
    pub(super) fn stand_for(&mut self, list: ListId, row: u32, cards: &[u32]) {
        self.under.set_list(list, row, cards);
        if !self.vague.contains(&list) {
            self.vague.push(list);
        }
    }

    /// Returns what the run has read and must know.
    pub(super) fn asked(&self) -> Option<RandomVariable> {
        self.read.get()
    }

    /// Returns what the run has changed, in order, once each.
    pub(super) fn changed(&self) -> Vec<RandomVariable> {
        let changes = self.under.changes()[self.start..].iter();
        let var = |change: &LoggedChange| match *change {
            LoggedChange::Cell(column, row, _) => Some(RandomVariable::Cell(column, row)),
            LoggedChange::List(list, row, _) => Some(RandomVariable::List(list, row)),
            LoggedChange::Made(..) | LoggedChange::Removed(..) => None,
        };
        let mut vars: Vec<RandomVariable> = changes.filter_map(var).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// Returns true if the run has neither changed anything since this mark nor read what it must know.
    pub(super) fn is_untouched(&self, mark: usize) -> bool {
        self.asked().is_none() && self.under.savepoint() == mark
    }

    /// Returns the pieces set out and those taken off.
    pub(super) fn pieces(&self) -> PieceChanges {
        let mut pieces = PieceChanges::default();
        for change in self.under.changes() {
            match *change {
                LoggedChange::Made(kind, row) => pieces.made.push((kind, row)),
                LoggedChange::Removed(kind, row) => pieces.removed.push((kind, row)),
                LoggedChange::Cell(..) | LoggedChange::List(..) => {}
            }
        }
        pieces
    }

    fn is_veiled(&self, column: ColumnId, row: u32) -> bool {
        let rows = &self.cells[column.index()];
        !rows.is_empty() && rows.binary_search(&row).is_ok()
    }

    fn reads(&self, var: RandomVariable) {
        if self.read.get().is_none() {
            self.read.set(Some(var));
        }
    }
}

impl World for VeiledTable {
    fn get(&self, column: ColumnId, row: u32) -> i64 {
        if self.is_veiled(column, row) {
            self.reads(RandomVariable::Cell(column, row));
        }
        self.under.get(column, row)
    }

    fn set(&mut self, column: ColumnId, row: u32, value: i64) {
        if self.is_unknown() {
            return;
        }
        if self.is_veiled(column, row) {
            self.lift(RandomVariable::Cell(column, row));
        }
        self.under.set(column, row, value);
    }

    fn list(&self, list: ListId, row: u32) -> &[u32] {
        if let Some((_, cards)) = self.shown.as_ref().filter(|(of, _)| *of == list) {
            return cards;
        }
        if self.lists.contains(&(list, row)) {
            self.reads(RandomVariable::List(list, row));
        }
        self.under.list(list, row)
    }

    fn set_list(&mut self, list: ListId, row: u32, members: &[u32]) {
        if self.is_unknown() {
            return;
        }
        if self.shown.as_ref().is_some_and(|(of, _)| *of == list) {
            self.shown = None;
            return;
        }
        if let Some(index) = self.vague.iter().position(|vague| *vague == list) {
            if members.is_empty() {
                self.vague.swap_remove(index);
            } else {
                self.spoilt = Some(list);
            }
        }
        self.lift(RandomVariable::List(list, row));
        self.under.set_list(list, row, members);
    }

    fn next_piece(&self, kind: KindId, from: u32) -> Option<u32> {
        self.under.next_piece(kind, from)
    }

    fn marked(&self, column: ColumnId, word: u32) -> Option<u64> {
        // What may be another value counts: who goes through the marked asks for the value itself.
        let rows = &self.cells[column.index()];
        let kind = self.under.schema().columns[column.index()].0;
        let veiled = &rows[rows.partition_point(|&row| row / 64 < word)..];
        let here = veiled.iter().take_while(|row| *row / 64 == word);
        let there = here.filter(|row| self.is_there(kind, **row));
        let bits = there.fold(0, |bits, row| bits | 1 << (row % 64));
        let more = (!veiled.is_empty()).then_some(bits);
        self.under.marked(column, word).map_or(more, |marked| Some(marked | bits))
    }

    fn all_there(&self, kind: KindId) -> Option<u32> {
        self.under.all_there(kind)
    }

    fn is_there(&self, kind: KindId, row: u32) -> bool {
        self.under.is_there(kind, row)
    }

    fn make(&mut self, kind: KindId, name: Option<&str>, side: &str) -> Result<u32, PieceError> {
        self.under.make(kind, name, side)
    }

    fn remove(&mut self, kind: KindId, row: u32) {
        if !self.is_unknown() {
            self.under.remove(kind, row);
        }
    }

    fn name(&self, kind: KindId, row: u32) -> &str {
        self.under.name(kind, row)
    }

    fn area_at(&self, column: i64, row: i64, level: i64) -> Option<u32> {
        self.under.area_at(column, row, level)
    }

    fn scenario(&self) -> &str {
        self.under.scenario()
    }

    fn is_unknown(&self) -> bool {
        self.read.get().is_some()
    }

    fn text(&self, id: i64) -> &str {
        self.under.text(id)
    }

    fn intern(&mut self, text: &str) -> Option<i64> {
        self.under.intern(text)
    }
}
