//! Units of length in a typed line. The names of a ruleset's parameters show in which unit it measures:
//! `<paces:1..150>`.

use super::restate::is_one_of;
use super::{LineError, Reading, Token, TypedLine};
use crate::language::schema::Type;

/// Units other than inches that name a parameter.
const OTHER_UNITS: [&str; 9] =
    ["paces", "yards", "feet", "metres", "meters", "centimetres", "centimeters", "cm", "miles"];

/// Words for inches behind a number.
const INCHES: [&str; 6] = ["inches", "inch", "ins", "\"", "″", "''"];

/// Signs for inches at the end of a number.
pub(super) const INCH_SIGNS: [&str; 7] = ["\"", "″", "''", "inches", "inch", "ins", "in"];

/// Returns the error for a line that gives a distance in inches, if the ruleset measures only in
/// another unit. The program doesn't know how many of these an inch is.
pub(super) fn inches_error(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Option<LineError> {
    // Few lines have inches, so the rules are looked at last.
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    let at = typed.tokens.iter().enumerate().position(|(index, token)| {
        let sign = INCH_SIGNS.iter().find_map(|sign| token.text.strip_suffix(sign));
        let before = index.checked_sub(1).map(|before| &typed.tokens[before]);
        let follows_number = before.is_some_and(|before: &Token| is_number(&before.text));
        !token.quoted
            && (sign.is_some_and(is_number) || follows_number && is_one_of(&token.text, &INCHES))
    })?;
    let unit = other_unit(reading)?;
    let message = format!("this game measures in {unit}, not in inches");
    Some(LineError::new(typed.tokens.get(at), message).help(format!("type the number of {unit}")))
}

/// Returns the unit in which the ruleset measures, if it isn't the inch.
fn other_unit(reading: &Reading<'_>) -> Option<&'static str> {
    let rules = reading.ruleset().schema.rules.iter().filter(|rule| rule.usage.is_some());
    let mut unit = None;
    for param in rules.flat_map(|rule| &rule.params) {
        if !matches!(param.ty, Type::Whole | Type::Number) {
            continue;
        }
        if is_one_of(&param.name, &INCHES) {
            return None;
        }
        unit = unit.or_else(|| OTHER_UNITS.into_iter().find(|other| *other == &*param.name));
    }
    unit
}
