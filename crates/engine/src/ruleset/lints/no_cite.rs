//! Warns about rules that roll dice but don't cite a page of the rule book.
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
        let message = format!("the rule `{}` has no reference to the rule book", rule.name);
        let help = "write `cite = \"p. 8\"`, or the heading of the section";
        found.add("no-cite", &rule.name, rule.span, message).help(help);
    }
}
