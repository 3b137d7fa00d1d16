//! Warns about rules and phases whose statements appear in the printed rules as code, although
//! others are described in words.
//!
//! ```toml
//! [rule.burn]
//! reads = "The fire goes down by one."
//! after = 'area.fire -= 1'
//!
//! [rule.douse]
//! after = 'area.fire = 0'   # without `reads`
//! ```

use crate::diagnostic::Fault;
use crate::language::rule::RuleText;
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;

const HELP: &str = "write `reads = \"The fire goes down by one.\"`; the printed rules show it";

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    lint_rules(ruleset, found);
    let phases = &ruleset.phases;
    if phases.iter().any(|phase| !phase.reads.is_empty()) {
        for phase in phases.iter().filter(|phase| phase.reads.is_empty()) {
            if phase.begin.or(phase.end).is_some() {
                let message = format!("the phase `{}` has no description", phase.name);
                found.add("no-reads", &phase.name, phase.span, message).help(HELP);
            }
        }
    }
}

fn lint_rules(ruleset: &Ruleset, found: &mut Findings) {
    let rules = &ruleset.schema.rules;
    if rules.iter().all(|rule| rule.reads.is_empty()) {
        return;
    }
    for rule in rules.iter().filter(|rule| rule.reads.is_empty() && has_statements(rule)) {
        let message = format!("the rule `{}` has no description", rule.name);
        found.add("no-reads", &rule.name, rule.span, message).help(HELP);
    }
}

fn has_statements(rule: &RuleText) -> bool {
    let rows = rule.table.iter().map(|row| &row.block);
    let mut blocks = [&rule.before, &rule.pass, &rule.fail, &rule.after].into_iter().chain(rows);
    blocks.any(|block| !block.is_empty())
}
