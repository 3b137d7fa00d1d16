//! What a command changed, so that it can be applied, taken back and kept.

use serde::{Deserialize, Serialize};

use super::Tabletop;
use crate::language::machine::World;
use crate::language::schema::{ColumnId, KindId, ListId};

/// The value of a cell as it is kept: text by its words, everything else by its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number, flag, word, piece or row.
    Word(i64),
    /// A text.
    Text(String),
}

/// One change of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A cell.
    Cell {
        /// Which attribute.
        column: ColumnId,
        /// Of which piece.
        row: u32,
        /// What it was.
        old: Cell,
        /// What it is.
        new: Cell,
    },
    /// A list.
    List {
        /// Which attribute or deck.
        list: ListId,
        /// Of which piece.
        row: u32,
        /// What it was.
        old: Vec<u32>,
        /// What it is.
        new: Vec<u32>,
    },
    /// A piece has been set out.
    Made {
        /// Of which kind.
        kind: KindId,
        /// Its row.
        row: u32,
        /// Its name.
        name: String,
    },
    /// A piece has been taken off.
    Removed {
        /// Of which kind.
        kind: KindId,
        /// Its row.
        row: u32,
    },
}

impl Tabletop {
    /// Makes a recorded change.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Cell { column, row, new, .. } => {
                // What was recorded had room.
                let value = self.value_of(new).unwrap_or(0);
                self.set(*column, *row, value);
            }
            Change::List { list, row, new, .. } => self.set_list(*list, *row, new),
            Change::Made { kind, name, .. } => {
                // A name that is taken cannot come from a change made on this table.
                let _ = self.add(*kind, name);
            }
            Change::Removed { kind, row } => self.remove(*kind, *row),
        }
    }

    /// Takes a change back. Taken back in reverse order, changes leave the table exactly as it was, the
    /// numbers of rows and the names that come next among it.
    pub fn revert(&mut self, change: &Change) {
        match change {
            Change::Cell { column, row, old, .. } => {
                let value = self.value_of(old).unwrap_or(0);
                self.set(*column, *row, value);
            }
            Change::List { list, row, old, .. } => self.set_list(*list, *row, old),
            // Changes are taken back from the last, so what was made last is the last row.
            Change::Made { kind, row, .. } if *row + 1 == self.rows(*kind) => self.pop(*kind),
            Change::Made { kind, row, .. } => self.remove(*kind, *row),
            Change::Removed { kind, row } => self.put(*kind, *row, true),
        }
    }
}
