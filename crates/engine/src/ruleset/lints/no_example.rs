//! Warns about rules with a usage or a roll that no worked example reaches.
//!
//! ```toml
//! [rule.burn]
//! usage = "burn <a:area>"   # no `[[example]]` runs it
//! ```

use indexmap::IndexSet;

use crate::diagnostic::Fault;
use crate::language::schema::RuleId;
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;

/// Finds the rules with a usage or a roll that no example reached. A ruleset without examples gets
/// a single warning.
pub(super) fn lint(ruleset: &Ruleset, reached: &IndexSet<RuleId>, found: &mut Findings) {
    for (index, rule) in ruleset.schema.rules.iter().enumerate() {
        // A rule that is not typed and rolls no dice can hardly contain an error.
        let judged = rule.usage.is_some() || rule.roll.is_some();
        if !judged || reached.contains(&RuleId::from_index(index)) {
            continue;
        }
        if ruleset.examples.is_empty() {
            let message = "no `[[example]]` tests this ruleset".to_owned();
            let help = "write one for each rule, with the dice and numbers of the rule book";
            found.add("no-example", "", rule.span, message).help(help);
            return;
        }
        let message = format!("no example tests the rule `{}`", rule.name);
        let help = "write an `[[example]]` with the dice and numbers of the rule book";
        found.add("no-example", &rule.name, rule.span, message).help(help);
    }
}
