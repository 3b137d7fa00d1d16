//! Rolls a table back using its log.
//!
//! Everything that rules do to a table is logged, so the cost of a rollback depends on the number
//! of changes, not on the size of the table. Added pieces are removed with their rows and names, so
//! the next run uses the same names again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Tabletop;
use super::log::{ChangeLog, LoggedChange};
use crate::language::machine::World;
use crate::language::schema::{ColumnId, Type};

impl Tabletop {
    /// Returns the table with a log of all later changes.
    #[must_use]
    pub(crate) fn with_log(mut self) -> Tabletop {
        self.log = Some(ChangeLog { texts: self.text_count(), ..ChangeLog::default() });
        self
    }

    /// Returns a point to which the table can be rolled back.
    pub(crate) fn savepoint(&self) -> usize {
        self.logged_changes().len()
    }

    /// Returns all changes since the log was begun, in order.
    pub(crate) fn logged_changes(&self) -> &[LoggedChange] {
        self.log.as_ref().map_or(&[], |log| &log.changes)
    }

    /// Undoes all changes since the mark.
    pub(crate) fn roll_back(&mut self, mark: usize) {
        // Without its log the table does not log this.
        let Some(mut log) = self.log.take() else { return };
        for change in log.changes.drain(mark.min(log.changes.len())..).rev() {
            match change {
                LoggedChange::Cell(column, row, old) => self.set(column, row, old),
                LoggedChange::List(list, row, start) => {
                    self.set_list(list, row, &log.old[start as usize..]);
                    log.old.truncate(start as usize);
                }
                LoggedChange::Made(kind, _) => self.remove_last_row(kind),
                LoggedChange::Removed(kind, row) => self.set_present(kind, row, true),
            }
        }
        self.log = Some(log);
    }

    /// Drops texts that were made after the log began. Everything must have been rolled back first.
    pub fn forget_texts(&mut self) {
        self.forget_texts_from(self.log.as_ref().map_or(usize::MAX, |log| log.texts));
    }

    fn forget_texts_from(&mut self, mark: usize) {
        if self.text_count() > mark {
            let texts = Arc::make_mut(&mut self.texts);
            texts.bytes -= texts.all.drain(mark..).map(|text| text.len()).sum::<usize>();
        }
    }

    /// Returns the number of texts.
    pub(crate) fn text_count(&self) -> usize {
        self.texts.all.len()
    }

    /// Drops the texts made since the mark that no cell contains any longer; the others get new
    /// numbers. Earlier snapshots must not refer to any of them.
    pub(crate) fn forget_unused_texts(&mut self, mark: usize) {
        let mut used: BTreeMap<(ColumnId, u32), Arc<str>> = BTreeMap::new();
        for change in self.logged_changes() {
            let LoggedChange::Cell(column, row, _) = *change else { continue };
            if self.schema.column_attribute(column).ty != Type::Text {
                continue;
            }
            let id = usize::try_from(self.get(column, row)).unwrap_or(0);
            if let Some(text) = self.texts.all.get_index(id).filter(|_| id >= mark) {
                used.insert((column, row), text.clone());
            }
        }
        self.forget_texts_from(mark);
        for ((column, row), text) in used {
            // There was room for it before.
            let id = self.intern(&text).unwrap_or(0);
            self.cells[column.index()].set(row, id);
        }
    }
}
