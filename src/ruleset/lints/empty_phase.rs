//! Phases in which nothing happens and nothing can be done.
//!
//! ```toml
//! [[phase]]
//! name = "dusk"   # neither `do` nor `end`, no verbs, no reminders
//! ```

use super::prelude::*;
use crate::ruleset::Phase;

pub(super) fn lint(ruleset: &Ruleset) -> Vec<Finding> {
    let empty = |p: &&Phase| {
        let is_played = |rule: &RuleText| rule.phases.iter().any(|(name, _)| *name == p.name);
        let does = p.begin.is_some() || p.end.is_some() || !p.reminders.is_empty();
        !does && p.verbs.is_empty() && !ruleset.schema.rules.iter().any(is_played)
    };
    let tell = |p: &Phase| {
        let message = format!("nothing happens in the phase `{}`", p.name);
        Finding::new("empty-phase", &p.name, p.span, message)
            .help("write `do` for what happens by itself, `verbs` for what the players do")
    };
    ruleset.phases.iter().filter(empty).map(tell).collect()
}
