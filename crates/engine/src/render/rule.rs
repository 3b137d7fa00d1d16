//! A rule in words, and as an answer for machines.

use schemars::JsonSchema;
use serde::Serialize;

pub use super::paper::rule_page;
use crate::command::usage_text;
use crate::language::rule::RuleText;
use crate::language::schema::RuleId;
use crate::ruleset::Ruleset;
use crate::source::Sources;

/// A rule, with its usage and its dice.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RuleSummary {
    /// The name of the rule.
    pub name: String,
    /// The title of the rule.
    pub title: String,
    /// The page in the rule book, or an empty string.
    pub cite: String,
    /// A remark, or an empty string.
    pub note: String,
    /// The usage: the line to type at the prompt. For a rule without a usage, its name and its
    /// parameters.
    pub usage: String,
    /// The dice that the rule rolls, if any.
    pub roll: Option<String>,
}

/// A rule, as `rule` prints it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RuleAnswer {
    #[serde(flatten)]
    pub summary: RuleSummary,
    /// The phases that the rule belongs to. If there are none, the rule can be used in all phases.
    pub phases: Vec<String>,
}

/// Returns the keys that every answer about a rule has.
pub(crate) fn rule_summary(sources: &Sources, rule: &RuleText) -> RuleSummary {
    RuleSummary {
        name: rule.name.clone(),
        title: rule.title.clone(),
        cite: rule.cite.clone(),
        note: rule.note.clone(),
        usage: usage_text(rule),
        roll: rule.roll.as_ref().map(|roll| sources.text(roll.span).trim().to_owned()),
    }
}

/// Returns a rule for machines.
pub(crate) fn rule_answer(ruleset: &Ruleset, id: RuleId) -> RuleAnswer {
    let rule = &ruleset.schema.rules[id.index()];
    let phases = rule.phases.iter().map(|(phase, _)| phase.clone()).collect();
    RuleAnswer { summary: rule_summary(&ruleset.sources, rule), phases }
}
