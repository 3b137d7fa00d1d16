//! Runs a worked example: its set-up, its lines with scripted dice, and its expectations.

use std::sync::Arc;

use adjutant_dice::{ScriptedSource, Seed, SourceError};
use indexmap::{IndexMap, IndexSet};

use super::text::unbroken_text;
use crate::command::actions::{self, ACTIONS, NEXT, NextGoal};
use crate::command::{self, LineError, Reading, TypedLine};
use crate::diagnostic::{Diagnostic, Fault};
use crate::language::machine::Halt;
use crate::language::schema::{KindRole, RuleId, Type};
use crate::language::syntax::{Expr, ExprKind};
use crate::referee::{Action, Dice, Event, Inputs, Outcome, Referee, SeenTable};
use crate::render::view::View;
use crate::ruleset::{Example, Ruleset};
use crate::source::Span;
use crate::tabletop::Tabletop;

/// The number of faces added when a line's dice run out, to find out the line's next step.
const ASSUMED_FACES: usize = 100;

/// Results shared by the examples of a ruleset.
#[derive(Debug, Default)]
pub(super) struct SharedWork {
    /// The rules whose verbs were typed.
    pub(super) asked: IndexSet<RuleId>,
    /// All rules that were called.
    pub(super) called: IndexSet<RuleId>,
    /// The titles of the examples that showed a reminder.
    pub(super) reminding: IndexSet<String>,
    /// The table after the set-up of each scenario. A set-up always uses the same dice, so it runs
    /// only once.
    set_out: IndexMap<String, Tabletop>,
}

/// Returns the table after an example; `None` if the example fails.
pub(super) fn table_after(
    ruleset: &Arc<Ruleset>,
    example: &Example,
    common: &mut SharedWork,
) -> Option<Tabletop> {
    let mut run = ExampleRun::new(ruleset, example, common).ok()?;
    run.play_and_report();
    run.faults.is_empty().then_some(run.table)
}

/// Runs an example and returns its faults. The list is empty if the example passes.
pub(super) fn run_example(
    ruleset: &Arc<Ruleset>,
    example: &Example,
    common: &mut SharedWork,
) -> Vec<Diagnostic> {
    // Only `says`, `seen`, `unseen` and faults need the output.
    let asks = !(example.says.is_empty() && example.seen.is_empty() && example.unseen.is_empty());
    for shows in [asks, true] {
        match ExampleRun::new(ruleset, example, common) {
            Ok(run) => {
                let mut run = ExampleRun { shows, ..run };
                run.play_and_report();
                if shows || run.faults.is_empty() {
                    return run.faults;
                }
            }
            Err(fault) => return vec![*fault],
        }
    }
    Vec::new()
}

impl SharedWork {
    /// Returns a table on which an example's scenario has been set up; fails if there is no such
    /// scenario, or if it cannot be set up.
    fn table(&mut self, referee: &Referee, example: &Example) -> Result<Tabletop, Box<Diagnostic>> {
        let name = &example.scenario;
        if let Some(table) = self.set_out.get(name) {
            return Ok(table.clone());
        }
        let fault = |message: String| {
            let fault = Diagnostic::error("example", example.span, message);
            Box::new(fault.other_span(example.span, format!("in “{}”", example.title)))
        };
        let scenario = referee.ruleset().scenario(name);
        let scenario = scenario.ok_or_else(|| fault("this example has no scenario".to_owned()))?;
        let seed = Seed::from_text("examples");
        let inputs = Inputs { ask_random: true, ..Inputs::seeded(&seed, 0) };
        let set_out = referee.set_up(scenario, &inputs);
        let said = |halt| fault(format!("the scenario cannot be set up: {halt}"));
        let (table, _) = set_out.map_err(said)?;
        self.set_out.insert(name.clone(), table.clone());
        Ok(table)
    }
}

/// The reason why an example stops.
pub(super) enum ExampleStop {
    /// A line cannot be read, or the rules refuse it. An example may expect its last line to be
    /// refused.
    Refused(Span, String),
    Fault(Span, String),
}

/// A running example.
pub(super) struct ExampleRun<'a> {
    pub(super) referee: Referee,
    example: &'a Example,
    pub(super) table: Tabletop,
    /// The outcome of the last line.
    pub(super) last: Outcome,
    /// True if the output of the lines is collected.
    shows: bool,
    /// The output of the lines.
    pub(super) shown: String,
    /// The output that each viewer named in `seen` or `unseen` saw.
    seen: IndexMap<String, String>,
    /// The number of faces used so far.
    faces: usize,
    /// The number of cards drawn from decks so far.
    draws: usize,
    /// The number of answers used so far.
    answers: usize,
    /// The reason why the last line was refused, if the example expects a refusal and there was
    /// one.
    refusal: Option<String>,
    common: &'a mut SharedWork,
    pub(super) faults: Vec<Diagnostic>,
}

impl<'a> ExampleRun<'a> {
    /// Sets up an example's scenario, on which the example can then be played.
    pub(super) fn new(
        ruleset: &Arc<Ruleset>,
        example: &'a Example,
        common: &'a mut SharedWork,
    ) -> Result<ExampleRun<'a>, Box<Diagnostic>> {
        let referee = Referee::new(ruleset.clone());
        let table = common.table(&referee, example)?;
        Ok(ExampleRun {
            referee,
            example,
            table,
            last: Outcome::default(),
            shows: true,
            shown: String::new(),
            seen: IndexMap::new(),
            faces: 0,
            draws: 0,
            answers: 0,
            refusal: None,
            common,
            faults: Vec::new(),
        })
    }

    /// Reports an error in the example. The first error also shows the output so far.
    fn fault(&mut self, span: Span, message: impl Into<String>) {
        let mut fault = Diagnostic::error("example", span, message);
        let shown = self.shown.trim_end();
        let first = self.faults.is_empty() && !shown.is_empty();
        fault.help = first.then(|| format!("the result:\n{shown}"));
        self.faults
            .push(fault.other_span(self.example.span, format!("in “{}”", self.example.title)));
    }

    /// Plays the example to its end, and reports any errors.
    pub(super) fn play_and_report(&mut self) {
        match self.play() {
            Ok(()) => self.compare_result(),
            Err(ExampleStop::Fault(span, message)) => self.fault(span, message),
            Err(ExampleStop::Refused(span, reason)) => {
                self.fault(span, format!("this is refused: {reason}"));
            }
        }
    }

    fn play(&mut self) -> Result<(), ExampleStop> {
        self.set_up()?;
        let example = self.example;
        for (i, (line, span)) in example.run.iter().enumerate() {
            match self.play_line(line, *span) {
                Ok(()) => {}
                Err(ExampleStop::Refused(_, reason))
                    if i + 1 == example.run.len() && example.refused.is_some() =>
                {
                    self.refusal = Some(reason);
                }
                Err(ExampleStop::Refused(_, reason)) => {
                    return Err(ExampleStop::Fault(
                        *span,
                        format!("`{line}` is refused: {reason}"),
                    ));
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    pub(super) fn set_up(&mut self) -> Result<(), ExampleStop> {
        let example = self.example;
        for (name, value) in &example.options {
            self.play_set_up_line(&format!("option {name} {value}"), example.span, 0)?;
        }
        if let Some(phase) = &example.phase {
            self.referee.put_into_phase(&mut self.table, phase);
        }
        let mut lines = (1..).zip(&example.set);
        lines.try_for_each(|(number, (line, span))| self.play_set_up_line(line, *span, number))
    }

    /// Plays a line of the set-up with arbitrary dice that depend only on `number`, and answers its
    /// questions at random.
    pub(super) fn play_set_up_line(
        &mut self,
        line: &str,
        span: Span,
        number: u64,
    ) -> Result<(), ExampleStop> {
        let actions = read_actions(&self.referee, &self.table, line);
        let actions = actions.map_err(|error| ExampleStop::Fault(span, error.with_help()))?;
        let seed = Seed::from_text("examples");
        for (action, insist) in actions {
            let inputs =
                Inputs { ask_random: true, insist, ..Inputs::seeded(&seed, 1000 + number) };
            let outcome = self.referee.resolve(&self.table, &action, &inputs);
            let outcome = outcome.map_err(|halt| self.stop_reason(halt, span))?;
            // The rules have just made these changes to a copy of the table, so they fit the table.
            _ = outcome.apply(&mut self.table);
        }
        Ok(())
    }

    /// Plays a line of the example.
    fn play_line(&mut self, line: &str, span: Span) -> Result<(), ExampleStop> {
        let actions = read_actions(&self.referee, &self.table, line);
        let actions = actions.map_err(|error| ExampleStop::Refused(span, error.with_help()))?;
        let mut actions = actions.into_iter();
        actions.try_for_each(|(action, insist)| self.act(line, &action, insist, span))
    }

    fn act(
        &mut self,
        line: &str,
        action: &Action,
        insist: bool,
        span: Span,
    ) -> Result<(), ExampleStop> {
        // The verb counts as typed even if the rule refuses the command.
        if let Action::Rule { rule, .. } = action {
            self.common.asked.insert(*rule);
        }
        let example = self.example;
        let faces = example.dice.get(self.faces..).unwrap_or(&[]).to_vec();
        let draws = example.draws.get(self.draws..).unwrap_or(&[]).to_vec();
        let dice = Dice::Scripted(ScriptedSource::new(faces));
        let mut inputs = Inputs { draws, insist, ..Inputs::with_dice(dice) };
        let outcome = loop {
            match self.referee.resolve(&self.table, action, &inputs) {
                Ok(outcome) => break outcome,
                Err(Halt::Question(question)) => {
                    let Some(text) = example.answers.get(self.answers + inputs.answers.typed.len())
                    else {
                        let message = format!("the example gives no answer to “{}”", question.text);
                        return Err(ExampleStop::Fault(span, message));
                    };
                    let wrong = |error: LineError| {
                        let error = error.with_help();
                        ExampleStop::Fault(
                            span,
                            format!("the answer to “{}” is invalid: {error}", question.text),
                        )
                    };
                    inputs
                        .answers
                        .typed
                        .push(command::parse_answer(&question, text).map_err(wrong)?);
                }
                Err(Halt::Dice(SourceError::Exhausted { sides, .. })) => {
                    return Err(self.missing_die(sides, span, action, &inputs));
                }
                Err(halt) => return Err(self.stop_reason(halt, span)),
            }
        };
        self.faces += outcome.face_count();
        self.answers += inputs.answers.typed.len();
        for event in &outcome.events {
            match event {
                Event::Taken { deck: Some(_), .. } => self.draws += 1,
                Event::Call { rule, .. } => {
                    let index = self.referee.ruleset().schema.rules.index_of(rule);
                    self.common.called.extend(index.map(RuleId::from_index));
                }
                Event::Reminded(_) => _ = self.common.reminding.insert(example.title.clone()),
                _ => {}
            }
        }
        _ = outcome.apply(&mut self.table);
        if self.shows {
            self.add_shown(&outcome);
            self.add_seen(line, &outcome);
        }
        self.last = outcome;
        Ok(())
    }

    fn add_shown(&mut self, outcome: &Outcome) {
        let text = self.output(outcome, None);
        self.shown.push_str(&text);
    }

    /// Returns the output of a line for the umpire or, if `sight` is given, for the viewer with
    /// that view of the table.
    fn output(&self, outcome: &Outcome, sight: Option<&SeenTable>) -> String {
        let view = View::of("example", &self.referee, &self.table, 100);
        unbroken_text(view, outcome, sight)
    }

    /// Returns the viewers named in `seen` or `unseen`, each once.
    fn viewers_named(&self) -> IndexSet<&'a str> {
        let example = self.example;
        example.seen.iter().chain(&example.unseen).map(|of| of.viewer.as_str()).collect()
    }

    /// Adds the part of a line's output that each viewer named in `seen` or `unseen` saw.
    fn add_seen(&mut self, line: &str, outcome: &Outcome) {
        let viewers = self.referee.viewers(&self.table);
        for name in self.viewers_named() {
            let Some((_, viewer)) = viewers.iter().find(|(known, _)| known == name) else {
                continue;
            };
            let seen = self.referee.seen_outcome(&self.table, outcome, viewer);
            let mut text = if seen.line { format!("{line}\n") } else { String::new() };
            if !seen.is_nothing() {
                text.push_str(&self.output(&seen.outcome, Some(&seen.sight)));
            }
            self.seen.entry(name.to_owned()).or_default().push_str(&text);
        }
    }

    /// Compares the output that viewers saw, and the pieces that they see at the end, with the
    /// example's expectations, and reports each difference.
    fn compare_seen(&mut self) {
        let example = self.example;
        let viewers = self.referee.viewers(&self.table);
        let sides = example.seen.iter().map(|of| (of, true));
        for (of, must_see) in sides.chain(example.unseen.iter().map(|of| (of, false))) {
            let Some((_, viewer)) = viewers.iter().find(|(known, _)| *known == of.viewer) else {
                let known: Vec<&str> = viewers.iter().map(|(name, _)| name.as_str()).collect();
                let message = format!("there is no side or player `{}`", of.viewer);
                let available = crate::names::quote_names(&known);
                self.fault(of.span, format!("{message}; available: {available}"));
                continue;
            };
            let sight = self.referee.seen_table(&self.table, viewer);
            let text = self.seen.get(&of.viewer).cloned().unwrap_or_default();
            for (words, span) in &of.texts {
                let line = text.lines().find(|line| line.contains(words.as_str()));
                let on_table = sight.table.find(words).is_some_and(|(kind, _)| {
                    let kind = sight.table.schema().kind(kind);
                    kind.role == KindRole::Pieces && !kind.plan
                });
                match line {
                    Some(line) if !must_see => {
                        let message = format!("`{}` sees `{words}`: {}", of.viewer, line.trim());
                        self.fault(*span, message);
                    }
                    None if on_table && !must_see => {
                        self.fault(*span, format!("`{}` sees `{words}` on the table", of.viewer));
                    }
                    None if !on_table && must_see => {
                        self.fault(*span, format!("`{}` does not see `{words}`", of.viewer));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Applies the effects that an action had before its dice ran out, adds them to the output if
    /// it is collected, and returns the fault.
    fn missing_die(
        &mut self,
        sides: u32,
        span: Span,
        action: &Action,
        inputs: &Inputs,
    ) -> ExampleStop {
        let so_far = self.referee.attempt(&self.table, action, inputs).outcome;
        let is_pick = self.is_pick_next(action, inputs, so_far.events.len());
        // The example ends here: its table need not be complete.
        _ = so_far.apply(&mut self.table);
        if self.shows {
            self.add_shown(&so_far);
        }
        let n = self.example.dice.len();
        let message = if is_pick {
            format!(
                "a number is missing: after the {n} given, one of {sides} is picked at random by a number from 1 to {sides}"
            )
        } else {
            format!("a die is missing: a d{sides} is rolled after the {n} given")
        };
        ExampleStop::Fault(if n == 0 { span } else { self.example.dice_span }, message)
    }

    /// Returns true if an action whose dice run out after `count` events would next draw or pick
    /// something.
    fn is_pick_next(&self, action: &Action, inputs: &Inputs, count: usize) -> bool {
        let given = self.example.dice.get(self.faces..).unwrap_or(&[]);
        let faces = [given, &[1; ASSUMED_FACES]].concat();
        let dice = Dice::Scripted(ScriptedSource::new(faces));
        let inputs = Inputs { dice, ..inputs.clone() };
        let events = self.referee.attempt(&self.table, action, &inputs).outcome.events;
        let mut following = events.iter().skip(count);
        let next = following.find(|event| !matches!(event, Event::Bound(_)));
        matches!(next, Some(Event::Taken { .. }))
    }

    /// Returns the reason why the example stops at the line with this span.
    fn stop_reason(&self, halt: Halt, span: Span) -> ExampleStop {
        match halt {
            Halt::Dice(error) => ExampleStop::Fault(self.example.dice_span, error.to_string()),
            Halt::Fault(error) => {
                let fault_span = if error.span.end > 0 { error.span } else { span };
                ExampleStop::Fault(fault_span, format!("`{}` failed: {}", error.rule, error.fault))
            }
            Halt::Refused(reason) => ExampleStop::Refused(span, reason),
            Halt::Question(_)
            | Halt::NoSuchAnswer(_)
            | Halt::Ended(_)
            | Halt::Branch
            | Halt::Stopped => ExampleStop::Fault(span, halt.to_string()),
        }
    }

    /// Compares the outcome with the example's expectations, and reports each difference. Unless a
    /// refusal is expected, also reports unused dice, draws and answers.
    fn compare_result(&mut self) {
        let example = self.example;
        if let Some((wanted, span)) = &example.refused {
            match self.refusal.take() {
                Some(refusal) if refusal.contains(wanted.as_str()) => {}
                Some(refusal) => {
                    self.fault(*span, format!("the refusal is worded differently: {refusal}"));
                }
                None => self.fault(*span, "the last line is not refused"),
            }
        }
        for (expr, text) in &example.expect {
            match self.referee.evaluate(&mut self.table, Some(Type::Flag), expr) {
                Ok((0, ..)) => {
                    let mut message = format!("this is false: `{}`", text.value.trim());
                    if let Some(is) = self.comparison_values(expr) {
                        message.push_str(&format!(" ({is})"));
                    }
                    self.fault(expr.span, message);
                }
                Ok(_) => {}
                Err(faults) => {
                    let title = format!("in “{}”", example.title);
                    let told =
                        faults.into_iter().map(|f| f.other_span(example.span, title.clone()));
                    self.faults.extend(told);
                }
            }
        }
        for (words, span) in &example.says {
            if !self.shown.contains(words.as_str()) {
                self.fault(*span, format!("the outcome does not contain `{words}`"));
            }
        }
        self.compare_seen();
        if example.refused.is_some() {
            return;
        }
        let left = [
            ("dice", example.dice.len(), self.faces, example.dice_span),
            ("draws", example.draws.len(), self.draws, example.span),
            ("answers", example.answers.len(), self.answers, example.span),
        ];
        for (key, given, used, span) in left {
            if used < given {
                self.fault(span, format!("only {used} of the {given} `{key}` are used"));
            }
        }
    }

    /// Returns the values on both sides of a comparison, in words, or only the left value if the
    /// right side has none. Returns `None` if the expression is not a comparison, or if its left
    /// side has no value.
    fn comparison_values(&mut self, expr: &Expr) -> Option<String> {
        let ExprKind::Binary(operator, left, right) = &expr.kind else { return None };
        if !operator.is_comparison() {
            return None;
        }
        let (_, _, is) = self.referee.evaluate(&mut self.table, None, left).ok()?;
        // A bare word on the right has no value without a type.
        match self.referee.evaluate(&mut self.table, None, right) {
            Ok((_, _, against)) => Some(format!("it is {is}, not {against}")),
            Err(_) => Some(format!("it is {is}")),
        }
    }
}

/// Returns the actions in a line, each with a flag that is set if the line overrides a refusal.
/// `next 3` is three actions.
pub(super) fn read_actions(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Result<Vec<(Action, bool)>, LineError> {
    let typed = TypedLine::read(line)?;
    let Some(first) = typed.tokens.first() else { return Ok(Vec::new()) };
    let only = "an example can contain only verbs, `next`, `set`, `add`, `remove` and `option`";
    let reading = Reading::new(referee, table, line);
    match command::find_console_word(referee, table, ACTIONS, &typed) {
        Err(error) if reading.verbs_begun(ACTIONS, first).is_empty() => Err(error.help(only)),
        Ok(Some(word)) if word.name == NEXT.name => {
            match actions::parse_next(referee.ruleset(), referee.phase_index(table), &typed)? {
                NextGoal::Phases(n) => Ok(vec![(Action::Next, typed.insist); n]),
                NextGoal::Phase(_) | NextGoal::Turn | NextGoal::Side => {
                    let message = "an example advances phase by phase: write `next` or `next 2`";
                    Err(LineError::new(None, message))
                }
            }
        }
        Ok(_) | Err(_) => {
            let command = command::parse(referee, table, line)?;
            Ok(command.map(|c| (c.action, c.insist)).into_iter().collect())
        }
    }
}
