//! Phases in which nothing happens and nothing can be done.
//!
//! ```toml
//! [[phase]]
//! name = "dusk"   # neither `do` nor `end`, no verbs, no reminders
//! ```

use super::Finding;
use crate::ruleset::{Phase, Ruleset};

pub(super) fn lint(ruleset: &Ruleset) -> Vec<Finding> {
    let empty = |p: &&Phase| {
        p.begin.is_none() && p.end.is_none() && p.verbs.is_empty() && p.reminders.is_empty()
    };
    let tell = |p: &Phase| {
        let message = format!("nothing happens in the phase `{}`", p.name);
        Finding::new("empty-phase", &p.name, p.span, message)
            .help("write `do` for what happens by itself, `verbs` for what the players do")
    };
    ruleset.phases.iter().filter(empty).map(tell).collect()
}
