//! Warns about a `needs` that no roll can meet or that every roll meets.
//!
//! ```toml
//! roll  = '1d6'
//! needs = '>= 7'
//! ```

use crate::diagnostic::Fault;
use crate::language::syntax::ExprKind;
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::{Findings, constant_result};

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    for rule in &ruleset.schema.rules {
        // If there are modifiers or a further condition, the dice don't decide the result on their
        // own.
        let (Some(roll), Some((operator, need)), true) =
            (&rule.roll, &rule.needs, rule.modifiers.is_empty() && rule.passes.is_none())
        else {
            continue;
        };
        let (ExprKind::Dice(dice), ExprKind::Whole(n)) = (&roll.kind, &need.kind) else { continue };
        let (text, Ok(pool)) = (&dice.text, &dice.pool) else { continue };
        let low = pool.bounds().lowest;
        let high = pool.bounds().highest;
        let Some(holds) = constant_result(*operator, *n, (low, high)) else { continue };
        let what = if holds { "miss" } else { "meet" };
        let message = format!("no roll of {text} can {what} this");
        let fault = found.add("certain-roll", &rule.name, need.span, message);
        fault.label(format!("{text} gives {low} to {high}"));
    }
}
