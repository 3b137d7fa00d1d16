//! The table used for odds: some of its values are unknown, and a run that reads one of them stops
//! there.

use std::cell::Cell;
use std::rc::Rc;

use super::joint::RandomVariable;
use crate::language::machine::{PieceError, World};
use crate::language::schema::{ColumnId, KindId, ListId};
use crate::tabletop::{LoggedChange, Tabletop};

/// A table with a veil over some of its cells and lists. A copy of it, on which a computed value is
/// evaluated, notes what it reads in the original, too.
#[derive(Clone, Debug)]
pub(super) struct VeiledTable {
    /// The table under the veil.
    pub under: Tabletop,
    /// For each column, the rows whose cells are veiled, in ascending order.
    cells: Vec<Vec<u32>>,
    lists: Vec<(ListId, u32)>,
    /// The first veiled variable that the run has read, if any.
    read: Rc<Cell<Option<RandomVariable>>>,
    /// The index of the run's first change in the table's log.
    start: usize,
    /// The variables from which the run has lifted the veil.
    lifted: Vec<RandomVariable>,
    /// The deck from which a card is drawn, and the cards shown in it.
    shown: Option<(ListId, Vec<u32>)>,
    /// The decks with substitutes for their cards.
    vague: Vec<ListId>,
    /// The decks with substitutes at the beginning of the run.
    laid: Vec<ListId>,
    /// A deck with substitutes to which the run has added cards.
    pub spoilt: Option<ListId>,
}

/// The pieces that runs have added and removed, by kind and row.
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
            read: Rc::default(),
            start: 0,
            lifted: Vec::new(),
            shown: None,
            vague: Vec::new(),
            laid: Vec::new(),
            spoilt: None,
        }
    }

    /// Undoes everything, so that the table is as it was at the beginning, without a veil.
    pub(super) fn reset(&mut self) {
        self.under.roll_back(0);
        self.cells.iter_mut().for_each(Vec::clear);
        self.lists.clear();
        self.vague.clear();
        self.begin_run();
    }

    /// Marks the table as laid out. Undoing any later run returns to this state.
    pub(super) fn end_layout(&mut self) {
        self.laid.clone_from(&self.vague);
        self.begin_run();
    }

    /// Begins a run, in which nothing has been read yet.
    pub(super) fn begin_run(&mut self) {
        self.read.set(None);
        self.set_savepoint();
        self.lifted.clear();
        self.shown = None;
        self.spoilt = None;
    }

    /// Sets the savepoint: only later changes belong to the run.
    pub(super) fn set_savepoint(&mut self) {
        self.start = self.under.savepoint();
    }

    /// Undoes a run by rolling the table back to the savepoint `mark`, and restores the veils that
    /// the run lifted.
    pub(super) fn undo_run(&mut self, mark: usize) {
        self.under.roll_back(mark);
        for var in std::mem::take(&mut self.lifted) {
            self.veil_variable(var);
        }
        self.vague.clone_from(&self.laid);
        self.begin_run();
    }

    /// Veils a variable.
    pub(super) fn veil_variable(&mut self, var: RandomVariable) {
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

    /// Lifts the veil from a variable for this run.
    pub(super) fn lift_veil(&mut self, var: RandomVariable) {
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

    /// Shows these cards as the contents of a deck until one of them is drawn.
    pub(super) fn show_cards(&mut self, list: ListId, cards: Vec<u32>) {
        self.shown = Some((list, cards));
    }

    /// Shows substitutes for the cards of a deck.
    pub(super) fn show_substitutes(&mut self, list: ListId, row: u32, cards: &[u32]) {
        self.under.set_list(list, row, cards);
        if !self.vague.contains(&list) {
            self.vague.push(list);
        }
    }

    /// Returns the veiled variable that the run has read and needs, if any.
    pub(super) fn missing_value(&self) -> Option<RandomVariable> {
        self.read.get()
    }

    /// Returns the variables that the run has changed, in order, each once.
    pub(super) fn changed_variables(&self) -> Vec<RandomVariable> {
        let changes = self.under.logged_changes()[self.start..].iter();
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

    /// Returns true if, since this mark, the run has neither changed anything nor read an unknown
    /// value.
    pub(super) fn is_untouched(&self, mark: usize) -> bool {
        self.missing_value().is_none() && self.under.savepoint() == mark
    }

    /// Returns the pieces added and removed.
    pub(super) fn piece_changes(&self) -> PieceChanges {
        let mut pieces = PieceChanges::default();
        for change in self.under.logged_changes() {
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

    fn note_read(&self, var: RandomVariable) {
        if self.read.get().is_none() {
            self.read.set(Some(var));
        }
    }
}

impl World for VeiledTable {
    fn get(&self, column: ColumnId, row: u32) -> i64 {
        if self.is_veiled(column, row) {
            self.note_read(RandomVariable::Cell(column, row));
        }
        self.under.get(column, row)
    }

    fn set(&mut self, column: ColumnId, row: u32, value: i64) {
        if self.has_read_unknown() {
            return;
        }
        if self.is_veiled(column, row) {
            self.lift_veil(RandomVariable::Cell(column, row));
        }
        self.under.set(column, row, value);
    }

    fn list(&self, list: ListId, row: u32) -> &[u32] {
        if let Some((_, cards)) = self.shown.as_ref().filter(|(of, _)| *of == list) {
            return cards;
        }
        if self.lists.contains(&(list, row)) {
            self.note_read(RandomVariable::List(list, row));
        }
        self.under.list(list, row)
    }

    fn set_list(&mut self, list: ListId, row: u32, members: &[u32]) {
        if self.has_read_unknown() {
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
        self.lift_veil(RandomVariable::List(list, row));
        self.under.set_list(list, row, members);
    }

    fn next_piece(&self, kind: KindId, from: u32) -> Option<u32> {
        self.under.next_piece(kind, from)
    }

    fn changed_rows_mask(&self, column: ColumnId, word: u32) -> Option<u64> {
        // Veiled rows count as changed, because their values may differ. A loop over the marked rows
        // then reads the value itself.
        let rows = &self.cells[column.index()];
        let kind = self.under.schema().columns[column.index()].0;
        let veiled = &rows[rows.partition_point(|&row| row / 64 < word)..];
        let here = veiled.iter().take_while(|row| *row / 64 == word);
        let there = here.filter(|row| self.is_on_table(kind, **row));
        let bits = there.fold(0, |bits, row| bits | 1 << (row % 64));
        let more = (!veiled.is_empty()).then_some(bits);
        self.under.changed_rows_mask(column, word).map_or(more, |marked| Some(marked | bits))
    }

    fn count_if_none_removed(&self, kind: KindId) -> Option<u32> {
        self.under.count_if_none_removed(kind)
    }

    fn is_on_table(&self, kind: KindId, row: u32) -> bool {
        self.under.is_on_table(kind, row)
    }

    fn make_piece(
        &mut self,
        kind: KindId,
        name: Option<&str>,
        side: &str,
    ) -> Result<u32, PieceError> {
        self.under.make_piece(kind, name, side)
    }

    fn remove_piece(&mut self, kind: KindId, row: u32) {
        if !self.has_read_unknown() {
            self.under.remove_piece(kind, row);
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

    fn has_read_unknown(&self) -> bool {
        self.read.get().is_some()
    }

    fn text(&self, id: i64) -> &str {
        self.under.text(id)
    }

    fn intern(&mut self, text: &str) -> Option<i64> {
        self.under.intern(text)
    }
}
