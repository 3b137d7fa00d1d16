//! The interface between a machine and the state of a game.

use super::error::PieceError;
use crate::language::schema::{ColumnId, KindId, ListId};

/// The state of a game that rules can read and change.
pub trait World {
    /// Returns the value of a piece's cell.
    fn get(&self, column: ColumnId, row: u32) -> i64;
    /// Sets the value of a piece's cell.
    fn set(&mut self, column: ColumnId, row: u32, value: i64);
    /// Returns the members of a list of a piece.
    fn list(&self, list: ListId, row: u32) -> &[u32];
    /// Replaces the members of a list of a piece.
    fn set_list(&mut self, list: ListId, row: u32, members: &[u32]);
    /// Returns the row of the first piece of a kind that is on the table, at or after the row
    /// `from`.
    fn next_piece(&self, kind: KindId, from: u32) -> Option<u32>;
    /// Returns 64 bits, one for each row from `64 * word` on. A bit is set if the piece is on the
    /// table and its cell differs from the start value. Returns `None` after the last row.
    fn changed_rows_mask(&self, column: ColumnId, word: u32) -> Option<u64>;
    /// Returns the number of pieces of a kind; `None` if one has been removed.
    fn count_if_none_removed(&self, kind: KindId) -> Option<u32>;
    /// Returns true if a piece is on the table.
    fn is_on_table(&self, kind: KindId, row: u32) -> bool;
    /// Adds a new piece. If no name is given, it gets the next free name of its side or, if `side`
    /// is empty, of its kind.
    fn make_piece(
        &mut self,
        kind: KindId,
        name: Option<&str>,
        side: &str,
    ) -> Result<u32, PieceError>;
    /// Removes a piece.
    fn remove_piece(&mut self, kind: KindId, row: u32);
    /// Returns the name of a piece or row.
    fn name(&self, kind: KindId, row: u32) -> &str;
    /// Returns the area of the plan at a column, row and level, if there is one.
    fn area_at(&self, column: i64, row: i64, level: i64) -> Option<u32>;
    /// Returns true if the run has read a value that isn't known yet, so that it must stop. Only
    /// the odds use unknown values.
    #[inline(always)]
    fn has_read_unknown(&self) -> bool {
        false
    }
    /// Returns the text with this number.
    fn text(&self, id: i64) -> &str;
    /// Returns the number of a text, and stores the text if it is new; `None` if there is no room
    /// for another text.
    fn intern(&mut self, text: &str) -> Option<i64>;
    /// Returns the name of the scenario that was set up.
    fn scenario(&self) -> &str;
}
