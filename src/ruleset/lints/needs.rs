//! Needs that no roll can meet, or that none can miss.
//!
//! ```toml
//! roll  = '1d6'
//! needs = '>= 7'
//! ```

use super::Finding;
use crate::diagnostic::Diagnostic;
use crate::language::syntax::{ExprKind, Operator};
use crate::ruleset::Ruleset;

pub(super) fn lint(ruleset: &Ruleset) -> Vec<Finding> {
    let mut found = Vec::new();
    for rule in &ruleset.schema.rules {
        // With modifiers, or a need that is computed, it depends on the table.
        let (Some(roll), Some((operator, need)), true) =
            (&rule.roll, &rule.needs, rule.modifiers.is_empty())
        else {
            continue;
        };
        let (ExprKind::Dice(dice), ExprKind::Whole(n)) = (&roll.kind, &need.kind) else { continue };
        let (text, Ok(pool)) = (&dice.text, &dice.pool) else { continue };
        let (low, high) = (pool.bounds().lowest, pool.bounds().highest);
        let n = *n;
        let (never, always) = match operator {
            Operator::AtLeast => (n > high, n <= low),
            Operator::Greater => (n >= high, n < low),
            Operator::AtMost => (n < low, n >= high),
            Operator::Less => (n <= low, n > high),
            Operator::Equal => (n < low || n > high, false),
            _ => (false, false),
        };
        let message = match (never, always) {
            (true, _) => format!("no roll of {text} can meet this"),
            (_, true) => format!("no roll of {text} can miss this"),
            _ => continue,
        };
        let warning = Diagnostic::warning("certain-roll", need.span, message);
        found.push(Finding {
            about: rule.name.clone(),
            warning: warning.label(format!("{text} gives {low} to {high}")),
        });
    }
    found
}
