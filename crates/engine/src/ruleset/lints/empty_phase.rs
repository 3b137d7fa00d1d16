//! Warns about phases in which nothing happens: they have no automatic actions, verbs or reminders,
//! and don't reveal orders.
//!
//! ```toml
//! [[phase]]
//! name = "dusk"   # neither `do` nor `end`, no verbs, no reminders
//! ```

use crate::diagnostic::Fault;
use crate::language::rule::RuleText;
use crate::ruleset::lints::findings::Findings;
use crate::ruleset::{Phase, Ruleset};

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    let empty = |p: &&Phase| {
        let is_played = |rule: &RuleText| rule.phases.iter().any(|(name, _)| *name == p.name);
        let does =
            p.begin.is_some() || p.end.is_some() || p.reveals_orders || !p.reminders.is_empty();
        !does && p.verbs.is_empty() && !ruleset.schema.rules.iter().any(is_played)
    };
    for phase in ruleset.phases.iter().filter(empty) {
        let message = format!("nothing happens in the phase `{}`", phase.name);
        let help = "write `do` for automatic actions, or `verbs` for the players' actions";
        found.add("empty-phase", &phase.name, phase.span, message).help(help);
    }
}
