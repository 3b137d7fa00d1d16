//! The log of the changes to a table, for rollback.

use crate::language::schema::{ColumnId, KindId, ListId};

/// A logged change, with the data to undo it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoggedChange {
    /// A cell, and its old value.
    Cell(ColumnId, u32, i64),
    /// A list, and the index of its old members in the log.
    List(ListId, u32, u32),
    /// A piece was added.
    Made(KindId, u32),
    /// A piece was removed.
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
