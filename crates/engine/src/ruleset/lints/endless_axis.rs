//! Reports an error for charts whose last row or column has an upper limit although its axis has
//! none.
//!
//! ```toml
//! [chart.hoses]
//! by   = "distance: whole"
//! rows = { "0-4" = 1, "5-8" = 2 }   # nothing for 9
//! ```

use crate::diagnostic::{Fault, Severity};
use crate::language::schema::Type;
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    for chart in &ruleset.schema.charts {
        for (axis, ranges) in chart.axes.iter().zip([&chart.rows, &chart.columns]) {
            let last = ranges.iter().map(|range| range.high).max().unwrap_or(i64::MAX);
            if axis.ty != Type::Whole || axis.bounds.is_some() || last == i64::MAX {
                continue;
            }
            let name = &axis.name;
            let after = last + 1;
            let message =
                format!("the chart `{}` has no value for a {name} of {after}", chart.name);
            let fault = found.add("endless-axis", &chart.name, axis.span, message);
            let fault = fault.label(format!("`{name}` has no upper limit"));
            let range = format!("{name}: 0..{last}");
            let help =
                format!("end it with `{after} or more`, or give the axis its range: `{range}`");
            fault.help(help).severity = Severity::Error;
        }
    }
}
