//! Phases in which nothing happens and nothing can be done.
//!
//! ```toml
//! [[phase]]
//! name = "dusk"   # neither `do` nor `end`, no verbs, no reminders
//! ```

use super::Finding;
use crate::diagnostic::Diagnostic;
use crate::ruleset::Ruleset;

pub(super) fn lint(ruleset: &Ruleset) -> Vec<Finding> {
    let empty = |p: &&crate::ruleset::Phase| {
        p.begin.is_none() && p.end.is_none() && p.verbs.is_empty() && p.reminders.is_empty()
    };
    let tell = |p: &crate::ruleset::Phase| {
        let message = format!("nothing happens in the phase `{}`", p.name);
        let warning = Diagnostic::warning("empty-phase", p.span, message);
        let help = "write `do` for what happens by itself, `verbs` for what the players do";
        Finding { about: p.name.clone(), warning: warning.help(help) }
    };
    ruleset.phases.iter().filter(empty).map(tell).collect()
}
