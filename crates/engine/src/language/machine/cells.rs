//! Changes cells within their limits, and looks up values in charts.

use super::{Host, Machine, PlayFault, World};
use crate::language::code::CellChange;
use crate::language::number::Number;
use crate::language::schema::{Attribute, ChartId, ColumnId, KindId, RowRange, Schema, Type};

/// Changes a cell, and reports the change if the new value differs from the old one. Fails if the
/// attribute cannot have the new value.
pub(super) fn set_cell<T: World, H: Host>(
    schema: &Schema,
    table: &mut T,
    host: &mut H,
    how: CellChange,
    (column, row): (ColumnId, u32),
    given: i64,
) -> Result<(), PlayFault> {
    let old = table.get(column, row);
    let attribute = schema.column_attribute(column);
    let new = match attribute.ty {
        Type::Whole => new_whole_value(attribute, how, old, given)?,
        Type::Number => new_fraction_value(attribute, how, old, given)?,
        Type::Piece(kind) => {
            check_present(table, kind, given)?;
            given
        }
        Type::Dice | Type::Flag | Type::Word(_) | Type::Text => given,
        // No column holds values of these types.
        Type::List(_) | Type::Nothing | Type::Unknown => given,
    };
    if new != old {
        table.set(column, row, new);
        host.on_cell_change(column, row, old, new);
    }
    Ok(())
}

/// Fails if a piece has been removed, because nothing may point to a removed piece.
pub(super) fn check_present<T: World>(table: &T, kind: KindId, row: i64) -> Result<(), PlayFault> {
    match u32::try_from(row) {
        Ok(row) if !table.is_on_table(kind, row) => {
            Err(PlayFault::TakenOff(table.name(kind, row).to_owned()))
        }
        _ => Ok(()),
    }
}

impl Machine<'_> {
    /// Fails unless a number is within the limits of a parameter.
    pub(super) fn check_param_limits(
        &self,
        limits: u32,
        value: i64,
        fraction: bool,
    ) -> Result<(), PlayFault> {
        let limits = &self.program.limits[limits as usize];
        let low = limits.low;
        let high = limits.high;
        let number = Number::from_bits;
        let fits = if fraction {
            number(low) <= number(value) && number(value) <= number(high)
        } else {
            (low..=high).contains(&value)
        };
        if fits {
            return Ok(());
        }
        let show = |n: i64| if fraction { number(n).to_string() } else { n.to_string() };
        let value = show(value);
        let low = show(low);
        let high = show(high);
        Err(PlayFault::Argument { name: limits.name.clone(), value, low, high })
    }

    /// Returns the value of a chart for `a` and, if the chart has columns, `b`. Fails if there is
    /// none.
    pub(super) fn look_up_chart(&self, chart: ChartId, a: i64, b: i64) -> Result<i64, PlayFault> {
        let chart = &self.schema.charts[chart.index()];
        let row = range_index(&chart.rows, a, &chart.name)?;
        if chart.columns.is_empty() {
            return Ok(chart.values[row]);
        }
        let column = range_index(&chart.columns, b, &chart.name)?;
        Ok(chart.values[row * chart.columns.len() + column])
    }
}

/// Returns the index of a chart's first range that contains a value. Fails if there is none.
fn range_index(ranges: &[RowRange], value: i64, chart: &str) -> Result<usize, PlayFault> {
    let index = ranges.iter().position(|range| range.holds(value));
    index.ok_or_else(|| PlayFault::NotInChart { chart: chart.to_owned(), value })
}

fn new_whole_value(
    attribute: &Attribute,
    how: CellChange,
    old: i64,
    given: i64,
) -> Result<i64, PlayFault> {
    let low = attribute.low;
    let high = attribute.high;
    match how {
        CellChange::Set if given < low || given > high => {
            Err(out_of_range(attribute, given.to_string()))
        }
        CellChange::Set => Ok(given),
        CellChange::Bump => Ok(old.saturating_add(given).clamp(low, high)),
    }
}

fn new_fraction_value(
    attribute: &Attribute,
    how: CellChange,
    old: i64,
    given: i64,
) -> Result<i64, PlayFault> {
    let low = Number::saturating(attribute.low);
    let high = Number::saturating(attribute.high);
    let given = Number::from_bits(given);
    let new = match how {
        CellChange::Set => given,
        CellChange::Bump => {
            let sum = Number::from_bits(old).checked_add(given).ok_or(PlayFault::TooFine)?;
            sum.clamp(low, high.max(low))
        }
    };
    if low <= new && new <= high {
        Ok(new.to_bits())
    } else {
        Err(out_of_range(attribute, new.to_string()))
    }
}

pub(super) fn out_of_range(attribute: &Attribute, value: String) -> PlayFault {
    let low = attribute.low;
    let high = attribute.high;
    PlayFault::BeyondLimits { attribute: attribute.name.clone(), value, low, high }
}
