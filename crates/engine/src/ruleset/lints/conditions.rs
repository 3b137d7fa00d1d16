//! Warns if a comparison of an attribute with a number is always true or never true, given the
//! limits of the attribute.
//!
//! ```toml
//! [kind.area]
//! fire = { from = 0, to = 5 }
//!
//! [rule.burn]
//! require = [{ that = 'a.fire < 6', because = "…" }]   # always holds
//! ```

use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::{Findings, constant_result};

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    for (&span, compared) in &ruleset.notes.compared {
        let (low, high) = compared.limits;
        let Some(holds) = constant_result(compared.operator, compared.with, (low, high)) else {
            continue;
        };
        let what = if holds { "always" } else { "never" };
        let name = ruleset.sources.text(span);
        let message = format!("this is {what} true: `{name}` is from {low} to {high}");
        found.add("fixed-condition", name, compared.span, message);
    }
}
