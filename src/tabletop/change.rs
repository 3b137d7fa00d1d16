//! What a command changed, so that it can be applied, taken back and kept.

use serde::{Deserialize, Serialize};

use super::Tabletop;
use crate::language::machine::Table;
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
    /// Makes a recorded change. A change that was made before and reverted is made again.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Cell { column, row, new, .. } => {
                let value = self.value_of(new);
                self.set(*column, *row, value);
            }
            Change::List { list, row, new, .. } => self.set_list(*list, *row, new),
            Change::Made { kind, row, name } => {
                if *row < self.rows(*kind) {
                    self.put(*kind, *row, true);
                } else if self.add(*kind, name).is_ok() {
                    self.remember_number(*kind, name);
                }
            }
            Change::Removed { kind, row } => self.remove(*kind, *row),
        }
    }

    /// Takes a change back.
    pub fn revert(&mut self, change: &Change) {
        match change {
            Change::Cell { column, row, old, .. } => {
                let value = self.value_of(old);
                self.set(*column, *row, value);
            }
            Change::List { list, row, old, .. } => self.set_list(*list, *row, old),
            // The row stays, unseen, so that the numbers of later rows and names are the same for ever.
            Change::Made { kind, row, .. } => self.remove(*kind, *row),
            Change::Removed { kind, row } => self.put(*kind, *row, true),
        }
    }

    /// Names given by the machine go on from the highest seen.
    fn remember_number(&mut self, kind: KindId, name: &str) {
        let prefix = &self.schema.kind(kind).prefix;
        let number = name.strip_prefix(prefix.as_str()).and_then(|n| n.parse::<u32>().ok());
        let pieces = &mut self.pieces[kind.index()];
        pieces.named = pieces.named.max(number.unwrap_or(0));
    }
}
