//! The measures that show who is doing well (`better` in the ruleset), after each command.

use std::ops::Range;

use crate::names::capitalized;
use crate::referee::{MeasuredValue, Referee};
use crate::ruleset::Measure;
use crate::tabletop::Tabletop;

/// The measures after a command.
#[derive(Clone, Debug)]
pub(super) struct CoursePoint {
    /// The turn to which the command belongs; 0 is the set-up.
    pub turn: i64,
    /// The values of each measure that shows who is doing well, in the order of the ruleset.
    pub values: Vec<Vec<MeasuredValue>>,
    /// The indices of the command's notable events in the story.
    pub notables: Range<usize>,
}

/// Returns the values of the measures that show who is doing well. A measure has no values if it
/// can't be computed, or if it is taken for pieces other than the sides.
pub(super) fn course_values(referee: &Referee, table: &Tabletop) -> Vec<Vec<MeasuredValue>> {
    let values = course_measures(referee).map(|measure| {
        let is_by_side = measure.each.is_some() && measure.each == referee.ruleset().schema.sides;
        let is_usable = measure.each.is_none() || is_by_side;
        let values = is_usable.then(|| referee.measure(table, measure));
        values.flatten().unwrap_or_default()
    });
    values.collect()
}

/// Returns the measures with a key `better`, in the order of the ruleset.
pub(super) fn course_measures(referee: &Referee) -> impl Iterator<Item = &Measure> {
    referee.ruleset().measures.iter().filter(|measure| measure.better.is_some())
}

/// Returns the values of a measure in words: `Red 3, Blue 2`.
pub(crate) fn values_in_words(values: &[MeasuredValue]) -> String {
    let words = values.iter().map(|value| match value.of.as_deref() {
        Some(of) => format!("{} {}", capitalized(of), value.shown),
        None => value.shown.clone(),
    });
    words.collect::<Vec<_>>().join(", ")
}
