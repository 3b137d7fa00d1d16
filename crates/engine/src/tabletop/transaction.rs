//! Rolls a table back with the help of its log.
//!
//! All changes that rules make to a table are logged, so the cost of a rollback depends on the
//! number of changes, not on the size of the table. A rollback removes added pieces together with
//! their rows and names, so the next run uses the same names again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Tabletop;
use super::log::{ChangeLog, LoggedChange};
use crate::language::machine::World;
use crate::language::schema::{ColumnId, Type};

impl Tabletop {
    /// Returns the table with an empty log, which records all later changes.
    #[must_use]
    pub(crate) fn with_log(mut self) -> Tabletop {
        self.log = Some(ChangeLog { texts: self.text_count(), ..ChangeLog::default() });
        self
    }

    /// Returns a mark that the table can be rolled back to: the number of logged changes.
    pub(crate) fn savepoint(&self) -> usize {
        self.logged_changes().len()
    }

    /// Returns all changes since the log began, in order; empty if the table has no log.
    pub(crate) fn logged_changes(&self) -> &[LoggedChange] {
        self.log.as_ref().map_or(&[], |log| &log.changes)
    }

    /// Undoes all changes since a mark. Has no effect if the table has no log.
    pub(crate) fn roll_back(&mut self, mark: usize) {
        // The log is taken out, because the rollback itself must not be logged.
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

    /// Drops all texts that were stored after the log began, if there is a log. All changes must
    /// have been rolled back first.
    pub fn forget_texts(&mut self) {
        self.forget_texts_from(self.log.as_ref().map_or(usize::MAX, |log| log.texts));
    }

    fn forget_texts_from(&mut self, mark: usize) {
        if self.text_count() > mark {
            let texts = Arc::make_mut(&mut self.texts);
            texts.bytes -= texts.all.drain(mark..).map(|text| text.len()).sum::<usize>();
        }
    }

    /// Returns the number of different texts that are stored.
    pub(crate) fn text_count(&self) -> usize {
        self.texts.all.len()
    }

    /// Drops the texts after the first `mark` texts, except those to which a cell changed since the
    /// log began still refers. These texts get new numbers, so no copy of the table may refer to
    /// them.
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
            // The text was stored before, so there is room for it.
            let id = self.intern(&text).unwrap_or(0);
            self.cells[column.index()].set(row, id);
        }
    }
}
