//! What always holds of a table, whatever happens on it.

use super::super::code::CellTest;
use super::super::schema::{ColumnId, KindId, ListId};

/// What is known of the table, and of who listens, whatever has happened before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// By column: the one value that every cell has.
    pub cells: Vec<Option<i64>>,
    /// By list: whether it has no members on any piece.
    pub empty: Vec<bool>,
    /// By list: whether it is never changed.
    pub steady: Vec<bool>,
    /// By kind: whether there is none.
    pub none: Vec<bool>,
    /// Whether nobody reads what would be told.
    pub silent: bool,
}

impl Facts {
    pub(super) fn cell(&self, column: ColumnId) -> Option<i64> {
        self.cells.get(column.index()).copied().flatten()
    }

    /// Whether every cell passes.
    pub fn holds_always(&self, test: &CellTest) -> bool {
        self.cell(test.column).is_some_and(|cell| test.test.holds(cell, i64::from(test.n)))
    }

    pub(super) fn is_empty(&self, list: ListId) -> bool {
        self.empty.get(list.index()).copied().unwrap_or(false)
    }

    pub(super) fn is_steady(&self, list: ListId) -> bool {
        self.steady.get(list.index()).copied().unwrap_or(false)
    }

    pub(super) fn has_none(&self, kind: KindId) -> bool {
        self.none.get(kind.index()).copied().unwrap_or(false)
    }
}
