//! Reads phases, rounds, reminders and measures.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use crate::diagnostic::Declaration;
use crate::language::rule::{ReminderText, RuleText};
use crate::language::schema::{Attribute, CodeUnit, FunctionId, Param, Schema, Type};
use crate::language::syntax::Name;
use crate::ruleset::declare::is_single_word;
use crate::ruleset::format::forms;
use crate::ruleset::loader::{Loader, NamedTable, SET_UP};
use crate::ruleset::parts::{
    BetterNumbers, LeftRemark, Measure, Phase, Round, SideTurns, WatchItem,
};
use crate::ruleset::raw::Section;

impl Loader<'_> {
    pub(super) fn read_phases(&mut self, entries: &[NamedTable<'_>]) {
        for entry in entries.iter().filter(|e| e.section == "phase") {
            let Some(section) = self.r.section("the phase", entry.node) else { continue };
            let name = section.prose("name", &mut self.r);
            if name.is_empty() {
                section.check_keys(&forms::PHASE, &mut self.r);
                continue;
            }
            section.prose("note", &mut self.r);
            for (phase_name, step) in self.read_steps(&section, &name) {
                self.step = step;
                let phase = self.read_phase(&section, phase_name);
                self.step = None;
                self.made.phases.push(phase);
            }
            section.check_keys(&forms::PHASE, &mut self.r);
        }
    }

    /// Returns the names of the phases that a section declares: a single phase, or one for each
    /// step, with the number of the step. Reports steps with invalid names, and leaves them out.
    pub(super) fn read_steps(
        &mut self,
        section: &Section<'_>,
        name: &str,
    ) -> Vec<(String, Option<i64>)> {
        let Some(steps) = section.table("steps", &mut self.r) else {
            return vec![(name.to_owned(), None)];
        };
        let mut found = Vec::new();
        for (step, node) in steps.entries() {
            let number = self.r.whole_number(*node);
            if self.r.check_name(step, "a step") {
                found.push((format!("{name}-{}", step.text), Some(number.unwrap_or_default())));
            }
        }
        found
    }

    fn read_phase(&mut self, section: &Section<'_>, name: String) -> Phase {
        let title = section.title(&name, &mut self.r);
        let step = self.step.map_or(String::new(), |step| step.to_string());
        let phase = Phase {
            title: title.replace("{step}", &step),
            cite: section.prose("cite", &mut self.r),
            reads: section.prose("reads", &mut self.r),
            turns: self.read_turns(section),
            round: None,
            activation: self.read_activation(&name),
            skip: self.read_value_function(section, "skip", Some(Type::Flag)),
            reveals_orders: section.flag("reveal_orders", &mut self.r),
            begin: self.read_statements_function(section, "do", None),
            verbs: section.prose_lines("verbs", &mut self.r),
            reminders: self.read_reminders(section),
            left: self.read_left_remarks(section),
            orders: self.read_statements_function(section, "orders", None),
            end: self.read_statements_function(section, "end", None),
            span: section.key_span("name"),
            name,
        };
        let named = [
            ("skip", phase.skip),
            ("do", phase.begin),
            ("orders", phase.orders),
            ("end", phase.end),
        ];
        for (key, function) in named {
            self.name_function(function, format!("phase {} {key}", phase.name));
        }
        phase
    }

    fn read_reminders(&mut self, section: &Section<'_>) -> Vec<FunctionId> {
        let mut found = Vec::new();
        for node in section.array("remind", &mut self.r) {
            // A text without a condition is always shown.
            let texts = match node.value {
                toml::de::DeValue::String(_) => {
                    let say = self.read_template(node);
                    say.map(|say| ReminderText { each: Vec::new(), when: None, say })
                        .into_iter()
                        .collect()
                }
                _ => {
                    self.read_tables([node], "the reminder", &forms::REMINDER, Self::read_reminder)
                }
            };
            found.extend(
                texts
                    .into_iter()
                    .map(|text| self.add_function(Some(CodeUnit::Remind(Box::new(text))))),
            );
        }
        found
    }

    fn read_reminder(&mut self, part: &Section<'_>) -> Option<ReminderText> {
        let each = self.read_each(part);
        let when = self.parse_expr_key(part, "when");
        Some(ReminderText { each, when, say: self.read_template_key(part, "say")? })
    }

    fn read_left_remarks(&mut self, section: &Section<'_>) -> Vec<LeftRemark> {
        let nodes = section.array("left", &mut self.r);
        self.read_tables(nodes, "the `left`", &forms::LEFT, |l, part| {
            let title = part.prose("title", &mut l.r);
            let warns = part.flag("warn", &mut l.r);
            let text = CodeUnit::Remind(Box::new(l.read_reminder(part)?));
            Some(LeftRemark { title, function: l.add_function(Some(text)), warns })
        })
    }

    /// Reads the rounds, and gives their turns and verbs to their phases. In rules that list a
    /// round, replaces it with its phases.
    pub(super) fn read_rounds(&mut self, entries: &[NamedTable<'_>]) {
        for entry in entries.iter().filter(|e| e.section == "round") {
            let Some(section) = self.r.section("the round", entry.node) else { continue };
            section.prose("note", &mut self.r);
            let name = section.name("name", &mut self.r);
            let turns = self.read_turns(&section);
            let named = section.array("phases", &mut self.r);
            let named: Vec<Name> = named.into_iter().filter_map(|node| self.r.name(node)).collect();
            let verbs = section.prose_lines("verbs", &mut self.r);
            let title = section.title(name.as_ref().map_or("", |name| &name.text), &mut self.r);
            let cite = section.prose("cite", &mut self.r);
            let reminders = self.read_reminders(&section);
            section.check_keys(&forms::ROUND, &mut self.r);
            let Some(name) = name else { continue };
            let is_new = self.is_new_round(&name);
            let (Some(phases), Some(turns), true) = (self.phases_of_round(&named), turns, is_new)
            else {
                continue;
            };
            self.name_function(turns.order, format!("round {} order", name.text));
            for phase in &mut self.made.phases[phases.clone()] {
                phase.round = Some(self.made.rounds.len());
                phase.turns = Some(SideTurns { order: turns.order, alternate: None });
                phase.verbs.extend(verbs.iter().cloned());
            }
            for rule in self.schema.rules.iter_mut() {
                if let Some(index) = rule.phases.iter().position(|(p, _)| *p == name.text) {
                    let (_, span) = rule.phases.remove(index);
                    let all = self.made.phases[phases.clone()].iter();
                    rule.phases.splice(index..index, all.map(|phase| (phase.name.clone(), span)));
                }
            }
            let span = name.span;
            self.made.rounds.push(Round { name: name.text, title, cite, phases, reminders, span });
        }
    }

    /// Returns true if a new round can have this name; otherwise, reports a fault and returns
    /// false.
    fn is_new_round(&mut self, name: &Name) -> bool {
        let is_phase = self.made.phases.iter().any(|phase| phase.name == name.text);
        let is_round = self.made.rounds.iter().any(|round| round.name == name.text);
        if is_phase || is_round {
            let other = if is_phase { "a phase and a round" } else { "two rounds" };
            self.r.error("twice", name.span, format!("{other} are named `{}`", name.text));
        }
        !is_phase && !is_round && self.r.check_name(name, "a round")
    }

    /// Returns the range of phases that a round names. Returns `None` if it names none, or after
    /// reporting the faults.
    fn phases_of_round(&mut self, named: &[Name]) -> Option<RangeInclusive<usize>> {
        let mut found: Option<RangeInclusive<usize>> = None;
        let mut is_sound = true;
        for name in named {
            let Some(index) = self.made.phases.iter().position(|phase| phase.name == name.text)
            else {
                self.report_unknown_phase(name);
                is_sound = false;
                continue;
            };
            let phase = &self.made.phases[index];
            let fault = if let Some(other) = phase.round {
                let other = &self.made.rounds[other].name;
                Some((
                    "a phase can belong to only one round",
                    format!("`{}` is already in the round `{other}`", name.text),
                ))
            } else if phase.turns.is_some() {
                let message = format!("`{}` has its own `by`", name.text);
                Some(("leave it out, because the round has `by`", message))
            } else if found.as_ref().is_some_and(|found| found.end() + 1 != index) {
                let message =
                    format!("`{}` doesn't directly follow the phase listed before it", name.text);
                Some(("list the phases in the order of the turn, without gaps", message))
            } else {
                None
            };
            if let Some((help, message)) = fault {
                self.r.error_with_help("round-phases", name.span, message, help);
                is_sound = false;
            }
            found = Some(found.map_or(index..=index, |found| *found.start()..=index));
        }
        found.filter(|_| is_sound)
    }

    /// Reads `[[watch]]`. An item with `phases` also becomes a reminder in those phases and rounds.
    pub(super) fn read_watch_items(&mut self, entries: &[NamedTable<'_>]) {
        let nodes: Vec<_> =
            entries.iter().filter(|e| e.section == "watch").map(|e| e.node).collect();
        let items = self.read_tables(nodes, "`[[watch]]`", &forms::WATCH, |l, part| {
            let title = part.prose("title", &mut l.r);
            let named = part.array("phases", &mut l.r);
            let phases: Vec<Name> = named.into_iter().filter_map(|node| l.r.name(node)).collect();
            let text = CodeUnit::Remind(Box::new(l.read_reminder(part)?));
            Some((WatchItem { title, function: l.add_function(Some(text)) }, phases))
        });
        for (item, phases) in items {
            for name in phases {
                let phase = self.made.phases.iter_mut().find(|phase| phase.name == name.text);
                let round = self.made.rounds.iter_mut().find(|round| round.name == name.text);
                let phase = phase.map(|phase| &mut phase.reminders);
                match phase.or_else(|| round.map(|round| &mut round.reminders)) {
                    Some(reminders) => reminders.push(item.function),
                    None => self.report_unknown_phase(&name),
                }
            }
            self.made.watch.push(item);
        }
    }

    pub(super) fn read_measures(&mut self, entries: &[NamedTable<'_>]) {
        for entry in entries.iter().filter(|e| e.section == "measure") {
            let name = &entry.name;
            if !self.r.check_name(name, "a measure") {
                continue;
            }
            let what = format!("the measure `{}`", name.text);
            let Some(section) = self.r.section(what, entry.node) else { continue };
            let title = section.title(&name.text, &mut self.r);
            section.prose("note", &mut self.r);
            let score = section.prose("score", &mut self.r);
            let score = (!score.is_empty()).then_some(score);
            let better = section.name("better", &mut self.r);
            let better = better.and_then(|word| self.read_better_numbers(&word));
            let sources = self.read_each(&section);
            let expr = self.parse_expr_key(&section, "is");
            section.check_keys(&forms::MEASURE, &mut self.r);
            let Some(expr) = expr else { continue };
            let (each, unit) = match sources.as_slice() {
                [] => (None, CodeUnit::Value(Vec::new(), Some(Type::Number), expr)),
                [source] => {
                    let over = match &source.over.kind {
                        crate::language::syntax::ExprKind::Name(n) => {
                            let kind = self.schema.plural_named(n).map(Type::Piece);
                            kind.or_else(|| self.schema.words_named(n).map(Type::Word))
                        }
                        _ => None,
                    };
                    let Some(each) = over else {
                        let message = "a measure can only loop over the pieces of a kind, the rows of a list or the words of a set";
                        self.r.error("wrong-type", source.over.span, message);
                        continue;
                    };
                    let params = vec![Param::built_in(&source.name.text, each)];
                    (Some(each), CodeUnit::Value(params, Some(Type::Number), expr))
                }
                [_, second, ..] => {
                    let message = "a measure has at most one loop";
                    self.r.error("wrong-type", second.name.span, message);
                    continue;
                }
            };
            let function = self.add_function(Some(unit));
            let name = name.text.clone();
            self.made.measures.push(Measure { name, title, score, better, each, function });
        }
    }

    fn read_better_numbers(&mut self, word: &Name) -> Option<BetterNumbers> {
        match word.text.as_str() {
            "more" => Some(BetterNumbers::More),
            "fewer" => Some(BetterNumbers::Fewer),
            other => {
                let message =
                    format!("`better` must be `more` or `fewer`, not `{}`", other.escape_debug());
                self.r.error("unknown-word", word.span, message);
                None
            }
        }
    }

    /// Reports phases that list a verb that does not exist, and rules that list a phase that does
    /// not exist.
    pub(super) fn check_phase_names(&mut self, schema: &Schema) {
        let verbs: BTreeSet<&str> = schema.rules.iter().map(|rule| rule.verb()).collect();
        let phases: BTreeSet<&str> = self.made.phases.iter().map(|p| p.name.as_str()).collect();
        for (verb, span) in self.made.phases.iter().flat_map(|p| &p.verbs) {
            if !verbs.contains(verb.as_str()) && schema.rule_named(verb).is_none() {
                let message = format!("there is no verb `{}`", verb.escape_debug());
                let cause = Declaration::Callable(verb.clone());
                let name = Name { text: verb.clone(), span: *span };
                self.r.report_unknown("unknown-verb", &name, cause, message, verbs.iter().copied());
            }
        }
        let mut unknown = Vec::new();
        for (phase, span) in schema.rules.iter().flat_map(|r| &r.phases) {
            if !phases.contains(phase.as_str()) && phase != SET_UP {
                unknown.push(Name { text: phase.clone(), span: *span });
            }
        }
        for name in &unknown {
            self.report_unknown_phase(name);
        }
    }

    /// Reports a phase or round that doesn't exist. Later faults about the same name follow from
    /// the first, so only the first is shown.
    pub(super) fn report_unknown_phase(&mut self, name: &Name) {
        let phases = self.made.phases.iter().map(|phase| phase.name.as_str());
        let known = phases.chain(self.made.rounds.iter().map(|round| round.name.as_str()));
        let cause = Declaration::Name(name.text.clone());
        let is_reported = self.r.faults.iter().any(|fault| fault.spoils.contains(&cause));
        let fault = self.r.report_no_such("unknown-phase", "phase", name, known);
        if !is_reported {
            fault.spoils.push(cause);
        }
    }

    /// Reports other words for an attribute that aren't single words, or that already mean something
    /// else in a question.
    pub(super) fn check_other_words_for_attributes(&mut self, schema: &Schema) {
        for (_, kind) in schema.all_kinds() {
            for attribute in &kind.attributes {
                for (word, span) in &attribute.also {
                    if !is_single_word(word) {
                        let message = "another word for an attribute is a single word of lower-case letters and hyphens";
                        self.r.error("other-word", *span, message);
                        continue;
                    }
                    let means_it = |other: &&Attribute| other.is_called(word);
                    let use_of = if kind.attributes.iter().filter(means_it).count() > 1 {
                        "the name of another attribute, or another word for it"
                    } else if schema.all_kinds().any(|(_, other)| other.plural == *word) {
                        "the plural of a kind"
                    } else if schema.words.iter().any(|set| set.values.contains(word)) {
                        "a word"
                    } else if attribute.name == *word {
                        "the name of the attribute itself"
                    } else {
                        continue;
                    };
                    let message = format!("`{word}` is {use_of}");
                    let help = "leave it out, or use another word";
                    self.r.error_with_help("other-word", *span, message, help);
                }
            }
        }
    }

    /// Reports other words for a verb that are invalid or already used.
    pub(super) fn check_synonyms(&mut self, schema: &Schema) {
        for (phrase, span) in schema.rules.iter().flat_map(|rule| &rule.also) {
            let is_letter = |c: char| c.is_ascii_lowercase() || c == '-' || c == ' ';
            let is_plain = phrase.starts_with(|c: char| c.is_ascii_lowercase())
                && phrase.chars().all(is_letter)
                && !phrase.ends_with(' ')
                && !phrase.contains("  ");
            if !is_plain {
                let message = "other words for a verb can contain only lower-case letters, hyphens and single spaces";
                self.r.error("bad-usage", *span, message);
                continue;
            }
            // The name of a rule that only other rules call may be another word for a verb.
            let is_verb = |rule: &RuleText| rule.is_for_umpire() && rule.verb() == phrase;
            let use_of = if schema.rules.iter().any(is_verb) {
                "a verb"
            } else if schema.words.iter().any(|set| set.values.contains(phrase)) {
                "a word"
            } else if schema.all_kinds().any(|(_, kind)| kind.name == *phrase) {
                "a kind"
            } else {
                continue;
            };
            let message = format!("`{phrase}` is {use_of} of this game");
            let help = "leave it out: existing words take precedence over other words for a verb";
            self.r.error_with_help("bad-usage", *span, message, help);
        }
    }
}
