//! The table of the odds: some of what lies on it is not known, and a run that reads that stops there.

use std::cell::Cell;

use super::joint::Var;
use crate::language::machine::{PieceError, World};
use crate::language::schema::{ColumnId, KindId, ListId};
use crate::tabletop::Transaction;

/// Pieces by their kind and row.
type Pieces = Vec<(KindId, u32)>;

/// A table with a veil over some of its cells and lists.
#[derive(Debug)]
pub(super) struct Veiled {
    pub transaction: Transaction,
    /// By column, the rows whose cells are veiled, ascending.
    cells: Vec<Vec<u32>>,
    lists: Vec<(ListId, u32)>,
    /// Something veiled that was read.
    read: Cell<Option<Var>>,
    /// The changes of the run, and those of them that lay under the veil.
    touched: Vec<Var>,
    lifted: Vec<Var>,
    made: Pieces,
    removed: Pieces,
    /// The cards that are shown of a deck from which one is drawn.
    shown: Option<(ListId, Vec<u32>)>,
    /// The decks whose cards only stand for those that are in them.
    vague: Vec<ListId>,
    /// Those among them at the beginning of the run.
    laid: Vec<ListId>,
    /// Such a deck to which cards were put.
    spoilt: Option<ListId>,
}

impl Veiled {
    pub(super) fn new(transaction: Transaction) -> Veiled {
        let columns = transaction.table().schema().columns.len();
        Veiled {
            transaction,
            cells: vec![Vec::new(); columns],
            lists: Vec::new(),
            read: Cell::new(None),
            touched: Vec::new(),
            lifted: Vec::new(),
            made: Vec::new(),
            removed: Vec::new(),
            shown: None,
            vague: Vec::new(),
            laid: Vec::new(),
            spoilt: None,
        }
    }

    /// Takes everything back: the table is as it was at the beginning, without a veil.
    pub(super) fn renew(&mut self) {
        self.transaction.roll_back(0);
        self.cells.iter_mut().for_each(Vec::clear);
        self.lists.clear();
        self.made.clear();
        self.removed.clear();
        self.vague.clear();
        self.begin();
    }

    /// Notes that the table is laid out: runs are taken back to this.
    pub(super) fn laid_out(&mut self) {
        self.laid.clone_from(&self.vague);
        self.begin();
    }

    /// Begins a run: nothing is touched or read yet.
    pub(super) fn begin(&mut self) {
        self.read.set(None);
        self.touched.clear();
        self.lifted.clear();
        self.shown = None;
        self.spoilt = None;
    }

    /// Takes a run back, to the mark and the number of pieces set out and taken off there.
    pub(super) fn take_back(&mut self, mark: usize, (made, removed): (usize, usize)) {
        self.transaction.roll_back(mark);
        self.made.truncate(made);
        self.removed.truncate(removed);
        for var in std::mem::take(&mut self.lifted) {
            self.veil(var);
        }
        self.vague.clone_from(&self.laid);
        self.begin();
    }

    /// Draws the veil over something.
    pub(super) fn veil(&mut self, var: Var) {
        match var {
            Var::Cell(column, row) => {
                let rows = &mut self.cells[column.index()];
                if let Err(place) = rows.binary_search(&row) {
                    rows.insert(place, row);
                }
            }
            Var::List(list, row) if !self.lists.contains(&(list, row)) => {
                self.lists.push((list, row));
            }
            _ => {}
        }
    }

    /// Takes the veil off something, for this run.
    pub(super) fn lift(&mut self, var: Var) {
        let lifted = match var {
            Var::Cell(column, row) => {
                let rows = &mut self.cells[column.index()];
                rows.binary_search(&row).map(|place| rows.remove(place)).is_ok()
            }
            Var::List(list, row) => {
                let place = self.lists.iter().position(|l| *l == (list, row));
                place.map(|place| self.lists.swap_remove(place)).is_some()
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

    /// Lays out cards that stand for those of a deck.
    pub(super) fn stand_for(&mut self, list: ListId, row: u32, cards: &[u32]) {
        self.transaction.set_list(list, row, cards);
        if !self.vague.contains(&list) {
            self.vague.push(list);
        }
    }

    /// Returns a deck of cards that stand for others, if the run has put cards to it.
    pub(super) fn spoilt(&self) -> Option<ListId> {
        self.spoilt
    }

    /// Returns what the run has read and must know.
    pub(super) fn asked(&self) -> Option<Var> {
        self.read.get()
    }

    /// Returns what the run has changed, once each.
    pub(super) fn changed(&mut self) -> Vec<Var> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Returns true if the run has neither changed anything since this mark nor read what it must know.
    pub(super) fn is_untouched(&self, mark: usize) -> bool {
        self.touched.is_empty() && self.asked().is_none() && self.transaction.savepoint() == mark
    }

    /// Returns the pieces set out and those taken off.
    pub(super) fn pieces(&self) -> (&Pieces, &Pieces) {
        (&self.made, &self.removed)
    }

    /// Sets out a piece again under its name.
    pub(super) fn make_again(&mut self, kind: KindId, row: u32, name: &str) {
        self.transaction.make_again(kind, name);
        self.made.push((kind, row));
    }

    fn is_veiled(&self, column: ColumnId, row: u32) -> bool {
        let rows = &self.cells[column.index()];
        !rows.is_empty() && rows.binary_search(&row).is_ok()
    }

    fn reads(&self, var: Var) {
        if self.read.get().is_none() {
            self.read.set(Some(var));
        }
    }
}

impl World for Veiled {
    fn get(&self, column: ColumnId, row: u32) -> i64 {
        if self.is_veiled(column, row) {
            self.reads(Var::Cell(column, row));
        }
        self.transaction.get(column, row)
    }

    fn set(&mut self, column: ColumnId, row: u32, value: i64) {
        if self.is_unknown() {
            return;
        }
        let var = Var::Cell(column, row);
        if self.is_veiled(column, row) {
            self.lift(var);
        }
        self.touched.push(var);
        self.transaction.set(column, row, value);
    }

    fn list(&self, list: ListId, row: u32) -> &[u32] {
        if let Some((_, cards)) = self.shown.as_ref().filter(|(of, _)| *of == list) {
            return cards;
        }
        if self.lists.contains(&(list, row)) {
            self.reads(Var::List(list, row));
        }
        self.transaction.list(list, row)
    }

    fn set_list(&mut self, list: ListId, row: u32, members: &[u32]) {
        if self.is_unknown() {
            return;
        }
        if self.shown.as_ref().is_some_and(|(of, _)| *of == list) {
            self.shown = None;
            return;
        }
        if let Some(place) = self.vague.iter().position(|vague| *vague == list) {
            if members.is_empty() {
                self.vague.swap_remove(place);
            } else {
                self.spoilt = Some(list);
            }
        }
        let var = Var::List(list, row);
        self.lift(var);
        self.touched.push(var);
        self.transaction.set_list(list, row, members);
    }

    fn next_piece(&self, kind: KindId, from: u32) -> Option<u32> {
        self.transaction.next_piece(kind, from)
    }

    fn next_marked(&self, column: ColumnId, from: u32) -> Option<u32> {
        // What may be another value counts: who goes through the marked asks for the value itself.
        let rows = &self.cells[column.index()];
        let kind = self.transaction.table().schema().columns[column.index()].0;
        let veiled = &rows[rows.partition_point(|&row| row < from)..];
        let veiled = veiled.iter().copied().find(|&row| self.is_there(kind, row));
        match (self.transaction.next_marked(column, from), veiled) {
            (Some(marked), Some(veiled)) => Some(marked.min(veiled)),
            (marked, veiled) => marked.or(veiled),
        }
    }

    fn all_there(&self, kind: KindId) -> Option<u32> {
        self.transaction.all_there(kind)
    }

    fn is_there(&self, kind: KindId, row: u32) -> bool {
        self.transaction.is_there(kind, row)
    }

    fn make(&mut self, kind: KindId, name: Option<&str>, side: &str) -> Result<u32, PieceError> {
        let row = self.transaction.make(kind, name, side)?;
        self.made.push((kind, row));
        Ok(row)
    }

    fn remove(&mut self, kind: KindId, row: u32) {
        if !self.is_unknown() && self.is_there(kind, row) {
            self.transaction.remove(kind, row);
            self.removed.push((kind, row));
        }
    }

    fn name(&self, kind: KindId, row: u32) -> &str {
        self.transaction.name(kind, row)
    }

    fn area_at(&self, column: i64, row: i64, level: i64) -> Option<u32> {
        self.transaction.area_at(column, row, level)
    }

    fn scenario(&self) -> &str {
        self.transaction.scenario()
    }

    fn is_unknown(&self) -> bool {
        self.read.get().is_some()
    }

    fn text(&self, id: i64) -> &str {
        self.transaction.text(id)
    }

    fn intern(&mut self, text: &str) -> Option<i64> {
        self.transaction.intern(text)
    }
}
