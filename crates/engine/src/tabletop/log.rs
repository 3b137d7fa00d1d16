//! The log of what is done to a table.

use crate::language::schema::{ColumnId, KindId, ListId};

/// One thing done, with what is needed to undo it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoggedChange {
    /// A cell, and what it was.
    Cell(ColumnId, u32, i64),
    /// A list, and the index from which its old members are stored in the log.
    List(ListId, u32, u32),
    /// A piece set out.
    Made(KindId, u32),
    /// A piece taken off.
    Removed(KindId, u32),
}

/// The changes of a table since the log was begun.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangeLog {
    pub(super) changes: Vec<LoggedChange>,
    pub(super) old: Vec<u32>,
    /// The number of texts at the beginning.
    pub(super) texts: usize,
}
