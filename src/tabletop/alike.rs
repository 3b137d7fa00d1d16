//! What is alike all over a table: the start of what never changes in a game.

use super::Tabletop;
use super::columns::{Cells, Lists};
use crate::language::polish::Facts;

impl Tabletop {
    /// What holds of every piece on this table, taken off or not: columns whose cells are all alike, lists
    /// that have no members anywhere, kinds of which there is no piece. Every list may yet be steady.
    pub fn alike(&self) -> Facts {
        Facts {
            cells: self.cells.iter().map(Cells::alike).collect(),
            empty: self.lists.iter().map(Lists::are_empty).collect(),
            steady: vec![true; self.lists.len()],
            none: self.pieces.iter().map(|p| p.names.is_empty()).collect(),
            silent: false,
        }
    }
}
