//! The log of the changes to a table, for rollback.

use crate::language::schema::{ColumnId, KindId, ListId};

/// A logged change, with the data needed to undo it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoggedChange {
    /// The cell at this column and row changed; the last field is its old value.
    Cell(ColumnId, u32, i64),
    /// The list at this row changed; the last field is the index of its first old member in the
    /// log.
    List(ListId, u32, u32),
    /// The piece in this row was added.
    Made(KindId, u32),
    /// The piece in this row was removed.
    Removed(KindId, u32),
}

/// The changes to a table since the log began.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangeLog {
    pub(super) changes: Vec<LoggedChange>,
    pub(super) old: Vec<u32>,
    /// The number of texts when the log began.
    pub(super) texts: usize,
}
