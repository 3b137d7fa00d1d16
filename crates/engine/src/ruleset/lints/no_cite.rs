//! Rules with dice whose page in the rule book is not named.
//!
//! ```toml
//! [rule.burn]
//! roll = '1d6'   # without `cite`
//! ```

use crate::diagnostic::Fault;
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    let rules = ruleset.schema.rules.iter();
    for rule in rules.filter(|r| r.roll.is_some() && r.cite.is_empty()) {
        let message = format!("the rule `{}` does not say where it stands in the book", rule.name);
        let help = "write `cite = \"p. 8\"`, or the heading of the section";
        found.add("no-cite", &rule.name, rule.span, message).help(help);
    }
}
