//! Warns about tables that break their own order: misplaced rows, and single values out of
//! sequence.
//!
//! ```toml
//! [chart.hoses]
//! by   = "distance: whole"
//! rows = { "1" = 6, "2" = 5, "3" = 4, "4" = 33, "5" = 2 }   # 33
//! ```

use crate::diagnostic::Fault;
use crate::language::number::Number;
use crate::language::schema::{Chart, RowRange, Type};
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;
use crate::source::Span;

/// The minimum number of values in a column that is checked. With fewer values, an order with one
/// exception may be a coincidence.
const MIN_VALUES: usize = 5;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    for rule in &ruleset.schema.rules {
        let rows: Vec<(RowRange, Span)> =
            rule.table.iter().filter(|r| r.matches_totals()).map(|r| (r.on, r.span)).collect();
        rows_out_of_order(&rule.name, "rule", &rows, found);
    }
    for chart in &ruleset.schema.charts {
        if chart.axes.first().is_some_and(|a| a.ty == Type::Whole) {
            let rows: Vec<(RowRange, Span)> =
                chart.rows.iter().copied().zip(chart.row_spans.iter().copied()).collect();
            rows_out_of_order(&chart.name, "chart", &rows, found);
            columns_out_of_order(chart, found);
        }
    }
}

/// Reports the row that breaks the order of a table, if there is one. Rows are normally in
/// ascending or descending order, so such a row is misplaced or misprinted.
fn rows_out_of_order(name: &str, what: &str, rows: &[(RowRange, Span)], found: &mut Findings) {
    let rising = |a: RowRange, b: RowRange| a.low < b.low;
    let breaks = |up: bool| rows.windows(2).position(|w| rising(w[0].0, w[1].0) != up);
    let (Some(up), Some(down)) = (breaks(true), breaks(false)) else { return };
    // The row after the longest run in either direction.
    let at = up.max(down) + 1;
    let message =
        format!("the rows of the {what} `{name}` are in neither ascending nor descending order");
    let fault = found.add("row-order", name, rows[at].1, message);
    fault.label("this one is out of order").help("put the rows in order");
}

/// Reports the columns in which a single value, neither first nor last, breaks the order.
fn columns_out_of_order(chart: &Chart, found: &mut Findings) {
    if !matches!(chart.gives, Type::Whole | Type::Number) {
        return;
    }
    let columns = chart.columns.len().max(1);
    // Use the order of the axis, because rows out of order are reported separately.
    let mut order: Vec<usize> = (0..chart.rows.len()).collect();
    order.sort_by_key(|&row| chart.rows[row]);
    for column in 0..columns {
        let values: Vec<i64> =
            order.iter().map(|row| chart.values[row * columns + column]).collect();
        let Some(at) = odd_one_out(&values) else { continue };
        let shown = |value: i64| match chart.gives {
            Type::Number => Number::from_bits(value).to_string(),
            _ => value.to_string(),
        };
        let row = order[at];
        let before = values[at - 1];
        let value = values[at];
        let after = values[at + 1];
        let message = format!(
            "the values of the chart `{}` are in order except for the middle one of {}, {}, {}",
            chart.name,
            shown(before),
            shown(value),
            shown(after)
        );
        let Some(&span) = chart.row_spans.get(row) else { continue };
        let help = "compare it with the printed chart; if it is right, silence this warning with `[[allow]]`";
        found.add("value-order", &chart.name, span, message).help(help);
    }
}

/// Returns the index of the one value, neither first nor last, without which the values never
/// decrease or never increase. Returns `None` if there is no such value, or more than one, as in
/// tables with a peak in the middle.
fn odd_one_out(values: &[i64]) -> Option<usize> {
    // Two equal values are more like a misprint than an order. Only a real change counts as a
    // direction.
    let ordered = |skip: Option<usize>, up: bool| {
        let kept = values.iter().enumerate().filter(|(i, _)| Some(*i) != skip).map(|(_, v)| v);
        let kept: Vec<&i64> = kept.collect();
        kept.windows(2).all(|w| if up { w[0] <= w[1] } else { w[0] >= w[1] })
    };
    if values.len() < MIN_VALUES || ordered(None, true) || ordered(None, false) {
        return None;
    }
    let inner = 1..values.len() - 1;
    let odd = |&at: &usize| {
        let low = values[at - 1].min(values[at + 1]);
        let high = values[at - 1].max(values[at + 1]);
        // The value must be outside the range of its neighbours. If the neighbours are equal, the
        // value is a peak.
        let outside = values[at] < low || values[at] > high;
        outside && low != high && (ordered(Some(at), true) || ordered(Some(at), false))
    };
    let mut found = inner.filter(odd);
    match (found.next(), found.next()) {
        (Some(at), None) => Some(at),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::odd_one_out;

    #[test]
    fn one_misprint_is_found_and_a_peak_is_none() {
        assert_eq!(odd_one_out(&[1, 2, 9, 4, 5]), Some(2));
        assert_eq!(odd_one_out(&[10, 8, 1, 5, 3, 2]), Some(2));
        assert_eq!(odd_one_out(&[1, 2, 3, 4, 5]), None);
        assert_eq!(odd_one_out(&[1, 3, 5, 3, 1]), None, "a peak");
        assert_eq!(odd_one_out(&[1, 2, 3, 4, 0]), None, "the last may fall");
        assert_eq!(odd_one_out(&[1, 9, 2]), None, "too few");
        assert_eq!(odd_one_out(&[1, 5, 2, 6, 3, 7]), None, "no order at all");
        assert_eq!(odd_one_out(&[2, 2, 2, 2]), None);
    }
}
