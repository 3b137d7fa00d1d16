//! Rules with dice whose page in the rule book is not named.
//!
//! ```toml
//! [rule.burn]
//! roll = '1d6'   # without `cite`
//! ```

use super::Finding;
use crate::diagnostic::Diagnostic;
use crate::ruleset::Ruleset;

pub(super) fn lint(ruleset: &Ruleset) -> Vec<Finding> {
    let rules = ruleset.schema.rules.iter();
    rules
        .filter(|r| r.roll.is_some() && r.cite.is_empty())
        .map(|rule| {
            let message =
                format!("the rule `{}` does not say where it stands in the book", rule.name);
            let warning = Diagnostic::warning("no-cite", rule.span, message);
            Finding {
                about: rule.name.clone(),
                warning: warning.help("write `cite = \"p. 8\"`, or the heading of the section"),
            }
        })
        .collect()
}
