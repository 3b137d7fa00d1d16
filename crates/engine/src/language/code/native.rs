//! The interface for built-in functions that are implemented in Rust rather than as instructions.

use crate::language::grid::{Grid, Seat};
use crate::language::machine::{PlayFault, World};
use crate::language::schema::ColumnId;

/// The grid of the plan and the columns of its built-in attributes.
#[derive(Clone, Copy, Debug)]
pub struct PlanColumns {
    /// The grid that the plan's areas form.
    pub grid: Grid,
    /// The column of the attribute `column`.
    pub column: ColumnId,
    /// The column of the attribute `row`.
    pub row: ColumnId,
    /// The column of the attribute `level`.
    pub level: ColumnId,
}

/// The data that a built-in function can read in addition to its arguments.
#[derive(Clone, Copy)]
pub struct NativeContext<'a> {
    /// The plan, if there is one.
    pub plan: Option<PlanColumns>,
    /// The state of the game.
    pub table: &'a dyn World,
}

impl NativeContext<'_> {
    /// Returns the grid of the plan, the seats of two areas, and the number of levels from the first
    /// area up to the second. Fails if an area is `none` or there is no plan.
    pub(crate) fn seats_of(&self, a: i64, b: i64) -> Result<(Grid, Seat, Seat, i64), PlayFault> {
        let row = |area| u32::try_from(area).map_err(|_| PlayFault::OfNone);
        let a = row(a)?;
        let b = row(b)?;
        let plan = self.plan.ok_or(PlayFault::OfNone)?;
        let seat = |area| (self.table.get(plan.column, area), self.table.get(plan.row, area));
        let levels = self.table.get(plan.level, b) - self.table.get(plan.level, a);
        Ok((plan.grid, seat(a), seat(b), levels))
    }
}

/// A built-in function of two values, implemented in Rust. A function of one value receives it
/// twice.
pub type Native = fn(&NativeContext<'_>, i64, i64) -> Result<i64, PlayFault>;
