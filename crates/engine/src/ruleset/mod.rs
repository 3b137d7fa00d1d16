//! Rulesets: read from TOML, checked in full, compiled, with their scenarios and worked examples.
//!
//! [`load()`] reports every fault of all files in one run, each with its place. A ruleset it returns is sound: what
//! can still fail at play is a typed error of the machine. Nothing here reads the disk or plays a game.

mod charts;
mod declare;
mod ends;
mod examples;
pub mod format;
pub mod lints;
mod lists;
mod load;
mod loader;
mod looks;
mod parts;
mod phases;
mod raw;
mod rules;
pub(crate) mod scenario_text;
mod scenarios;
mod secrets;
mod sides;
mod values;

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
pub use load::{FaultyRuleset, FileText, MAX_TOTAL, ShippedFiles, load, load_to_play};
pub use loader::SET_UP;
pub use parts::{AllowedWarning, Example, GameEnd, Measure, Phase, SideTurns};
pub use raw::MAX_FILE;
pub(crate) use sides::{SIDE_TO_MOVE, SIDES_WAITING};

use crate::diagnostic::Diagnostic;
use crate::language::code::{Op, Program};
use crate::language::compile::LintNotes;
use crate::language::schema::{Attribute, FunctionId, OPTION_KIND, RuleId, Schema};
use crate::source::Sources;
use crate::tabletop::Scenario;

/// The title of a game, its author and its source.
#[derive(Clone, Debug, Default)]
pub struct GameInfo {
    /// Its title.
    pub title: String,
    /// Who wrote the rules.
    pub author: String,
    /// Which edition.
    pub edition: String,
    /// The game in one sentence.
    pub about: String,
    /// Where they were published.
    pub source: String,
    /// A remark for the umpire.
    pub note: String,
    /// True if players throw a d6 and halve it for a d3.
    pub halved_d3: bool,
}

/// A ruleset, checked and compiled.
#[derive(Clone, Debug, Default)]
pub struct Ruleset {
    /// Its title, author and source.
    pub game: GameInfo,
    /// Its declarations.
    pub schema: Arc<Schema>,
    /// The verbs of its rules in their order, each once.
    verbs: IndexSet<String>,
    /// Its rule text, compiled.
    pub program: Arc<Program>,
    /// The facts about its rule text that are lost in the program.
    pub(crate) notes: LintNotes,
    /// The steps of a turn, in order.
    pub phases: Vec<Phase>,
    /// The measures of a simulation.
    pub measures: Vec<Measure>,
    /// The ends of the game; the first that holds counts.
    pub ends: Vec<GameEnd>,
    /// Scenarios, the one to learn with first.
    pub scenarios: Vec<Scenario>,
    /// Worked examples.
    pub examples: Vec<Example>,
    /// Warnings its author has thought about.
    pub allowed: Vec<AllowedWarning>,
    /// Its files, for the places of errors.
    pub sources: Arc<Sources>,
    /// The warnings of the loader.
    pub warnings: Vec<Diagnostic>,
}

impl Ruleset {
    /// Returns the house-rule switches.
    pub(crate) fn options(&self) -> &[Attribute] {
        &self.schema.kind(OPTION_KIND).attributes
    }

    /// Returns the scenario of that name.
    pub fn scenario(&self, name: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|s| s.name == name)
    }

    /// Returns the rules that a verb may mean, in the order of the ruleset: those whose usage begins with it, and
    /// the rule of that name.
    pub(crate) fn rules_for_verb(&self, verb: &str) -> Vec<RuleId> {
        let all = self.schema.rules.iter().enumerate();
        let all = all.filter(|(_, rule)| rule.verb() == verb);
        let mut found: Vec<RuleId> = all.map(|(i, _)| RuleId::from_index(i)).collect();
        if found.is_empty() {
            found.extend(self.schema.rule_named(verb));
        }
        found
    }

    /// Returns the other words for verbs, each with its verb.
    pub(crate) fn synonyms(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.schema.rules.iter();
        all.flat_map(|rule| rule.also.iter().map(|(phrase, _)| (phrase.as_str(), rule.verb())))
    }

    /// Returns true if the umpire types a verb: one of its rules has a usage, or needs no more than its name.
    pub(crate) fn is_typed_verb(&self, verb: &str) -> bool {
        let rules = self.rules_for_verb(verb);
        rules.iter().any(|id| self.schema.rules[id.index()].is_for_umpire())
    }

    /// Returns the calls of rules by other functions: the one that calls, and the rule. Defaults that are filled in on
    /// the way are part of the rule.
    pub fn rule_calls(&self) -> Vec<(FunctionId, RuleId)> {
        let mut rules: IndexMap<FunctionId, RuleId> = IndexMap::new();
        for (index, rule) in self.schema.rules.iter().enumerate() {
            let functions = [Some(rule.function), rule.entry].into_iter().flatten();
            rules.extend(functions.map(|function| (function, RuleId::from_index(index))));
        }
        let mut calls = Vec::new();
        for (index, function) in self.program.functions.iter().enumerate() {
            let caller = FunctionId::from_index(index);
            let called = function.code.iter().filter_map(|op| match op {
                Op::Call { call } => rules.get(&call.function),
                _ => None,
            });
            let others = called.filter(|&rule| rules.get(&caller) != Some(rule));
            calls.extend(others.map(|&rule| (caller, rule)));
        }
        calls
    }

    /// Returns all verbs in the order of the ruleset, each once.
    pub fn verbs(&self) -> impl Iterator<Item = &str> + Clone {
        self.verbs.iter().map(String::as_str)
    }

    /// Returns true if the game has this verb, in capitals or not.
    pub fn has_verb(&self, name: &str) -> bool {
        self.verbs().any(|verb| verb.eq_ignore_ascii_case(name))
    }
}
