//! Warns about phases that offer verbs of other phases, or don't offer their own verbs.
//!
//! ```toml
//! [[phase]]
//! name = "fire"
//! verbs = ["march"]   # `march` has `phases = ["movement"]`
//! ```

use crate::diagnostic::Fault;
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    let rules = &ruleset.schema.rules;
    for phase in &ruleset.phases {
        for (verb, span) in &phase.verbs {
            let mut bound =
                ruleset.rules_for_verb(verb).into_iter().map(|id| &rules[id.index()].phases);
            if bound.all(|phases| {
                !phases.is_empty() && phases.iter().all(|(other, _)| *other != phase.name)
            }) {
                let message =
                    format!("`{verb}` is offered in `{}`, but not played in it", phase.name);
                let help = format!("add `{}` to the `phases` of the rule", phase.name);
                found.add("phase-verbs", &phase.name, *span, message).help(help);
            }
        }
        for rule in rules.iter().filter(|rule| rule.usage.is_some()) {
            let verb = rule.verb();
            let offered = phase.verbs.iter().any(|(v, _)| v == verb || *v == rule.name);
            let own = rule.phases.iter().find(|(name, _)| *name == phase.name && !offered);
            if let Some((_, span)) = own {
                let message =
                    format!("`{verb}` is played in `{}`, but not offered in it", phase.name);
                let help = "add it to the `verbs` of the phase";
                found.add("phase-verbs", &phase.name, *span, message).help(help);
            }
        }
    }
}
