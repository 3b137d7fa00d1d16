//! A table whose changes are logged, so that they can be rolled back.
//!
//! Whatever rules do to it is logged, so that taking it back costs as much as was done, however large the
//! table is. Pieces set out are taken back with their rows and names, so that the next try gives the same
//! names again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Logged, Tabletop};
use crate::language::machine::World;
use crate::language::schema::{ColumnId, KindId, ListId, Type};

/// One thing done, with what is needed to undo it.
#[derive(Clone, Copy, Debug)]
enum LoggedChange {
    /// A cell, and what it was.
    Cell(ColumnId, u32, i64),
    /// A list; what it was stands from this place on among the old members.
    List(ListId, u32, u32),
    /// A piece set out.
    Made(KindId),
    /// A piece taken off.
    Removed(KindId, u32),
}

/// A table with a log.
#[derive(Clone, Debug)]
pub struct Transaction {
    table: Tabletop,
    log: Vec<LoggedChange>,
    old: Vec<u32>,
    texts: usize,
}

impl Transaction {
    /// Tries on this table.
    pub fn new(table: Tabletop) -> Transaction {
        let texts = table.texts.all.len();
        Transaction { table, log: Vec::new(), old: Vec::new(), texts }
    }

    /// The table as it stands now.
    pub fn table(&self) -> &Tabletop {
        &self.table
    }

    /// Returns a point to which the table can be rolled back.
    pub fn savepoint(&self) -> usize {
        self.log.len()
    }

    /// Takes back what was done since the mark.
    pub fn roll_back(&mut self, mark: usize) {
        while self.log.len() > mark {
            match self.log.pop() {
                Some(LoggedChange::Cell(column, row, old)) => self.table.set(column, row, old),
                Some(LoggedChange::List(list, row, start)) => {
                    let start = start as usize;
                    self.table.set_list(list, row, &self.old[start..]);
                    self.old.truncate(start);
                }
                Some(LoggedChange::Made(kind)) => self.table.pop(kind),
                Some(LoggedChange::Removed(kind, row)) => {
                    self.table.pieces[kind.index()].there.set(row, true);
                }
                None => {}
            }
        }
    }

    /// Forgets texts that were made on the way; only after everything has been taken back.
    pub fn forget_texts(&mut self) {
        self.forget_texts_from(self.texts);
    }

    fn forget_texts_from(&mut self, mark: usize) {
        if self.table.texts.all.len() <= mark {
            return;
        }
        let texts = Arc::make_mut(&mut self.table.texts);
        texts.bytes -= texts.all.drain(mark..).map(|text| text.len()).sum::<usize>();
    }

    /// Returns the number of texts.
    pub fn texts(&self) -> usize {
        self.table.texts.all.len()
    }

    /// Forgets the texts made since the mark that stand in no cell any more; the others get new numbers. What
    /// was written down before may speak of none of them.
    pub fn forget_unused_texts(&mut self, mark: usize) {
        let mut used: BTreeMap<(ColumnId, u32), Arc<str>> = BTreeMap::new();
        for &step in &self.log {
            let LoggedChange::Cell(column, row, _) = step else { continue };
            if self.table.schema.column(column).ty != Type::Text {
                continue;
            }
            let id = usize::try_from(self.table.get(column, row)).unwrap_or(0);
            if let Some(text) = self.table.texts.all.get_index(id).filter(|_| id >= mark) {
                used.insert((column, row), text.clone());
            }
        }
        self.forget_texts_from(mark);
        for ((column, row), text) in used {
            // It had room with the others.
            let id = self.table.intern(&text).unwrap_or(0);
            self.table.set(column, row, id);
        }
    }

    /// Sets out a piece again that had been taken back, under its old name.
    pub fn make_again(&mut self, kind: KindId, name: &str) {
        if self.table.add(kind, name).is_ok() {
            self.log_made(kind);
        }
    }
}

impl Logged for Transaction {
    #[inline]
    fn state(&self) -> &Tabletop {
        &self.table
    }

    #[inline]
    fn state_mut(&mut self) -> &mut Tabletop {
        &mut self.table
    }

    #[inline]
    fn log_cell(&mut self, column: ColumnId, row: u32) {
        self.log.push(LoggedChange::Cell(column, row, self.table.get(column, row)));
    }

    fn log_list(&mut self, list: ListId, row: u32) {
        self.log.push(LoggedChange::List(list, row, self.old.len() as u32));
        self.old.extend_from_slice(self.table.list(list, row));
    }

    fn log_made(&mut self, kind: KindId) {
        self.log.push(LoggedChange::Made(kind));
    }

    fn log_removed(&mut self, kind: KindId, row: u32) {
        self.log.push(LoggedChange::Removed(kind, row));
    }
}
