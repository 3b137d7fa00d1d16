//! Rulesets, which are read from TOML, fully checked and compiled, together with their scenarios
//! and worked examples.
//!
//! [`load()`] reports the faults in all files in one run, each with its span if it has one. Faults
//! that only follow from others are left out. A ruleset that it returns is valid: the few errors
//! that remain possible during play are typed errors of the machine. This module doesn't read the
//! disk or play games.

mod activation;
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
mod places;
mod players;
mod raw;
mod rules;
pub(crate) mod scenario_text;
mod scenarios;
mod secrets;
mod sides;
mod values;

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
pub use load::{FaultyRuleset, FileText, MAX_FILES, MAX_TOTAL, ShippedFiles, load, load_to_play};
pub use loader::SET_UP;
pub use parts::{
    AllowedWarning, BetterNumbers, Example, GameEnd, Measure, Phase, Round, SideTurns, ViewerTexts,
    WatchItem,
};
pub(crate) use players::PLAYER_ATTRIBUTE;
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
    /// The title of the game.
    pub title: String,
    /// The author of the rules.
    pub author: String,
    /// The edition of the rules.
    pub edition: String,
    /// The game in one sentence.
    pub about: String,
    /// The publication in which the rules appeared.
    pub source: String,
    /// A comment for the umpire.
    pub note: String,
    /// True if a d3 is rolled as a d6 and halved.
    pub halved_d3: bool,
}

/// A checked and compiled ruleset.
#[derive(Clone, Debug, Default)]
pub struct Ruleset {
    /// The title, the author and the source.
    pub game: GameInfo,
    /// The declarations that the rule text can use.
    pub schema: Arc<Schema>,
    /// The verbs of the rules in order, without duplicates.
    verbs: IndexSet<String>,
    /// The compiled rule text.
    pub program: Arc<Program>,
    /// Facts about the rule text that are not in the compiled program, for the lints.
    pub(crate) notes: LintNotes,
    /// The phases of a turn, in order.
    pub phases: Vec<Phase>,
    /// The rounds, whose phases each side plays through before the next side does.
    pub rounds: Vec<Round>,
    /// The measures of a simulation.
    pub measures: Vec<Measure>,
    /// The things that must not be forgotten.
    pub watch: Vec<WatchItem>,
    /// The ends of the scenarios and of the game. The first that applies to the scenario played and
    /// whose condition is true counts.
    pub ends: Vec<GameEnd>,
    /// The scenarios. The first is for learning the game.
    pub scenarios: Vec<Scenario>,
    /// The worked examples; empty if the ruleset was loaded only for play.
    pub examples: Vec<Example>,
    /// The warnings that the author has silenced.
    pub allowed: Vec<AllowedWarning>,
    /// The files, for the spans of errors.
    pub sources: Arc<Sources>,
    /// The warnings of the loader.
    pub warnings: Vec<Diagnostic>,
}

impl Ruleset {
    /// Returns the options: the house rules that can be changed.
    pub(crate) fn options(&self) -> &[Attribute] {
        &self.schema.kind(OPTION_KIND).attributes
    }

    /// Returns the scenario with this name; `None` if there is none.
    pub fn scenario(&self, name: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|s| s.name == name)
    }

    /// Returns the rules that a verb can mean, in the order of the ruleset: the rules whose usage
    /// begins with the verb or, if there are none, the rule with this name. A rule that only other
    /// rules call doesn't count if the umpire can type another of these rules.
    pub(crate) fn rules_for_verb(&self, verb: &str) -> Vec<RuleId> {
        let all = self.schema.rules.iter().enumerate();
        let all = all.filter(|(_, rule)| rule.verb() == verb);
        let mut found: Vec<RuleId> = all.map(|(i, _)| RuleId::from_index(i)).collect();
        let is_typed = |id: &RuleId| self.schema.rules[id.index()].is_for_umpire();
        if found.iter().any(is_typed) {
            found.retain(is_typed);
        }
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

    /// Returns true if a verb has a usage with the umpire's own words.
    pub(crate) fn takes_text(&self, verb: &str) -> bool {
        let rules = self.rules_for_verb(verb);
        rules.iter().any(|id| self.schema.rules[id.index()].takes_text())
    }

    /// Returns true if the umpire can type a verb, that is, if one of its rules has a usage or
    /// needs only its name.
    pub(crate) fn is_typed_verb(&self, verb: &str) -> bool {
        let rules = self.rules_for_verb(verb);
        rules.iter().any(|id| self.schema.rules[id.index()].is_for_umpire())
    }

    /// Returns the calls of rules by other functions, each as the caller and the rule. Functions
    /// that fill in defaults count as part of the rule.
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

    /// Returns true if the game has this verb. Capitals make no difference.
    pub fn has_verb(&self, name: &str) -> bool {
        self.verbs().any(|verb| verb.eq_ignore_ascii_case(name))
    }
}
