//! A rule in words, and as data.

use serde_json::{Value, json};

pub use super::paper::rule;
use crate::command::usage_text;
use crate::language::schema::RuleId;
use crate::ruleset::Ruleset;

/// Returns a rule for machines: how it is typed and what it rolls.
pub fn data(ruleset: &Ruleset, id: RuleId) -> Value {
    let rule = &ruleset.schema.rules[id.index()];
    let sources = &ruleset.sources;
    json!({
        "name": rule.name, "title": rule.title, "cite": rule.cite, "note": rule.note,
        "usage": usage_text(rule),
        "roll": rule.roll.as_ref().map(|r| sources.text(r.span).trim()),
        "phases": rule.phases.iter().map(|(phase, _)| phase).collect::<Vec<_>>(),
    })
}
