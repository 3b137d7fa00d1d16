//! The referee, which resolves an action on a table under a ruleset, and returns its [`Outcome`].
//!
//! The referee never changes the given table: rules run on a copy, and the outcome lists the
//! changes. A question or a request for real dice in the middle of a rule stops the run
//! ([`Halt::Question`], [`Halt::Dice`]). The caller then gets the answer, and resolves the action
//! again from the start, with one more answer and the same dice.

mod act;
mod budget;
mod chance;
mod end;
mod event;
mod inputs;
mod notable;
pub mod odds;
mod outcome;
mod partial;
mod phases;
mod players;
mod record;
mod secrets;
mod sides;
pub mod simulate;
pub mod study;
pub mod tally;
mod viewer;

use std::sync::Arc;

pub use event::{Audience, Binding, Check, Event, Roll, Throw};
pub use inputs::{Answer, AnsweredQuestion, Dice, GivenAnswers, Inputs};
pub use outcome::{AttemptResult, EventContext, Outcome};
pub(crate) use partial::{PartialArgument, PartialCall};
pub(crate) use phases::UnfinishedBusiness;
pub use secrets::{HiddenCells, SeenOutcome, SeenTable};
pub use viewer::{Player, Viewer};

use crate::diagnostic::Diagnostic;
use crate::language::code::EVERY_PIECE;
use crate::language::code::Program;
use crate::language::compile::{compile_addition, sweep_filter_kinds};
use crate::language::machine::{Halt, Host, MAX_STEPS, Machine, StopHandle, World, value_text};
use crate::language::number::Number;
use crate::language::schema::{
    AttributeStorage, CodeUnit, ColumnId, FunctionId, Glyph, KindId, ListId, RuleId, STATE_KIND,
    Type,
};
use crate::language::syntax::Expr;
use crate::ruleset::{Measure, Ruleset, SIDE_TO_MOVE, SIDES_WAITING};
use crate::tabletop::{Argument, PieceSetup, Scenario, Tabletop};
use adjutant_dice::Expression;
use budget::StepBudget;
use record::Recorder;

/// An action of the umpire: it changes the table, rolls dice or adds a note.
#[derive(Clone, Debug)]
pub enum Action {
    /// A rule is called.
    Rule {
        /// The rule that is called.
        rule: RuleId,
        /// The argument for each parameter; `None` if it was left out.
        arguments: Vec<Option<Argument>>,
        /// The row of a piece for each source of the sweep that is narrowed to a single piece. The
        /// list is shorter than the list of sources if the last sources are not narrowed.
        only: Vec<u32>,
    },
    /// The next phase begins.
    Next,
    /// Dice are rolled outside any rule.
    Roll {
        /// The dice to roll.
        dice: Vec<Expression>,
        /// True if only the umpire sees the results.
        secret: bool,
    },
    /// A piece is added.
    Add(PieceSetup),
    /// Attributes of pieces of one kind are changed without a rule.
    Set {
        /// The kind of the pieces.
        kind: KindId,
        /// The rows of the pieces.
        rows: Vec<u32>,
        /// The new values of each piece, each with the index of its attribute in the kind.
        values: Vec<(usize, Argument)>,
    },
    /// A piece is removed.
    Remove(KindId, u32),
    /// A note is added to the transcript.
    Note(String),
    /// The written orders of a side are stored or, if there is no text, revealed.
    Order {
        /// The side, as a value of its type.
        side: i64,
        /// The text of the orders; `None` to reveal them.
        text: Option<String>,
    },
}

/// A referee, which resolves actions under one ruleset.
#[derive(Clone, Debug)]
pub struct Referee {
    ruleset: Arc<Ruleset>,
    /// The columns of the turn, the phase, the side to move, and the list of the sides still to
    /// move.
    turn: Option<ColumnId>,
    phase: Option<ColumnId>,
    moving: Option<ColumnId>,
    waiting: Option<ListId>,
    /// The handle that can stop this referee's runs.
    stop: StopHandle,
    /// The maximum number of steps in one run.
    max_steps: u64,
    /// The budget that all computations other than calls of rules share; `None` if each has a
    /// separate limit.
    budget: Option<StepBudget>,
}

impl Referee {
    /// Returns a referee for this ruleset.
    pub fn new(ruleset: Arc<Ruleset>) -> Self {
        let state = ruleset.schema.kind(STATE_KIND);
        let turn = state.column("turn");
        let phase = state.column("phase");
        let moving = ruleset.schema.sides.and(state.column(SIDE_TO_MOVE));
        let waiting = state.list(SIDES_WAITING);
        let stop = StopHandle::default();
        Referee { ruleset, turn, phase, moving, waiting, stop, max_steps: MAX_STEPS, budget: None }
    }

    /// Returns a copy of this referee that stops each run after `max_steps` steps, for lines that
    /// are only tried out.
    pub(crate) fn limited_to(&self, max_steps: u64) -> Referee {
        Referee { max_steps, ..self.clone() }
    }

    /// Returns a copy of this referee with a budget. Its computations other than calls of rules
    /// (displayed values, end conditions, and the conditions under which sides see pieces) together
    /// take no more steps than one run. A copy of the copy shares its budget.
    pub(crate) fn with_budget(&self) -> Referee {
        let budget = self.budget.clone().unwrap_or_default();
        Referee { budget: Some(budget), ..self.clone() }
    }

    /// Fails if the budget was used up, so that some values are missing. Never fails if there is no
    /// budget.
    pub(crate) fn check_budget(&self) -> Result<(), Halt> {
        self.budget.as_ref().map_or(Ok(()), StepBudget::check)
    }

    /// Calls a function on a machine, within the budget if there is one.
    fn call_within_budget<T: World, H: Host>(
        &self,
        machine: &mut Machine<'_>,
        (function, arguments): (FunctionId, &[i64]),
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        match &self.budget {
            Some(budget) => budget.call(machine, (function, arguments), table, host),
            None => machine.call(function, arguments, table, host),
        }
    }

    /// Returns a copy of this referee whose runs `stop` can stop. Runs for display should not be
    /// stopped, because their values would be missing from a transcript.
    pub(crate) fn stopped_by(&self, stop: &StopHandle) -> Referee {
        Referee { stop: stop.clone(), ..self.clone() }
    }

    /// Fails if a stop was requested, because some computed values may be missing.
    fn check_not_stopped(&self) -> Result<(), Halt> {
        if self.stop.is_stopped() { Err(Halt::Stopped) } else { Ok(()) }
    }

    /// Returns the ruleset that the referee applies.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// Sets up a scenario on a new table: adds its pieces, runs the statements that set them out
    /// (such as `on_add`) unless the scenario is complete, and runs the statements of the scenario.
    /// Returns the table and the outcome of the set-up.
    pub fn set_up(
        &self,
        scenario: &Scenario,
        inputs: &Inputs,
    ) -> Result<(Tabletop, Outcome), Halt> {
        let (mut table, mut record) = self.lay_out_scenario(scenario, inputs)?;
        if let Some(begin) = scenario.begin {
            self.new_machine().call(begin, &[], &mut table, &mut record)?;
        }
        let outcome = record.into_outcome(&table);
        Ok((table, outcome))
    }

    /// Resolves an action, and returns its outcome, which lists the changes. The table itself does
    /// not change.
    pub fn resolve(
        &self,
        table: &Tabletop,
        action: &Action,
        inputs: &Inputs,
    ) -> Result<Outcome, Halt> {
        let (done, table, record) = self.perform(action, table, inputs);
        done.map(|()| record.into_outcome(&table))
    }

    /// Resolves an action up to its end, or up to the point where it halts, for example at a
    /// question. The person who answers the question can see the events before it.
    pub(crate) fn attempt(
        &self,
        table: &Tabletop,
        action: &Action,
        inputs: &Inputs,
    ) -> AttemptResult {
        let (done, table, record) = self.perform(action, table, inputs);
        AttemptResult { done, outcome: record.into_outcome(&table), table: Some(table) }
    }

    /// Returns the function that a call of a rule runs, and the values of the function's
    /// parameters.
    fn prepare_call<T: World>(
        &self,
        id: RuleId,
        arguments: &[Option<Argument>],
        only: &[u32],
        machine: &mut Machine<'_>,
        table: &mut T,
    ) -> (FunctionId, Vec<i64>) {
        let rules = &self.ruleset;
        let rule = &rules.schema.rules[id.index()];
        let mut values: Vec<i64> = Vec::new();
        for (i, param) in rule.params.iter().enumerate() {
            values.push(match arguments.get(i).and_then(Option::as_ref) {
                Some(Argument::Value(value)) => *value,
                Some(Argument::Members(members)) => machine.list_argument(members),
                Some(Argument::Text(words)) => table.intern(words).unwrap_or(0),
                Some(Argument::Named(_)) => -1,
                None if matches!(param.ty, Type::Piece(_)) => -1,
                None => 0,
            });
        }
        if rule.entry.is_some() {
            for (i, param) in rule.params.iter().enumerate() {
                if param.default.is_some() {
                    let given = arguments.get(i).is_some_and(Option::is_some);
                    values.push(i64::from(given));
                }
            }
        }
        for i in 0..sweep_filter_kinds(&rules.schema, rule).len() {
            values.push(only.get(i).map_or(i64::from(EVERY_PIECE), |&row| i64::from(row)));
        }
        (rule.entry.unwrap_or(rule.function), values)
    }

    /// Returns the value of an attribute of a piece, stored or derived, as text. Returns `None` if
    /// there is no such attribute, or if its computation failed.
    pub fn attribute_text(
        &self,
        table: &Tabletop,
        kind: KindId,
        row: u32,
        attribute: usize,
    ) -> Option<String> {
        let rules = &self.ruleset;
        let attribute = rules.schema.kind(kind).attributes.get(attribute)?;
        match attribute.storage {
            AttributeStorage::Cell(column) => {
                Some(value_text(&rules.schema, table, table.get(column, row), attribute.ty))
            }
            AttributeStorage::List(list) => {
                Some(self.members_text(table, table.list(list, row), attribute.ty))
            }
            AttributeStorage::Computed(function) => self
                .value_and_text(function, &[row.into()], &mut table.clone())
                .map(|(_, shown)| shown),
        }
    }

    /// Returns the picture of a piece: the first picture that the ruleset declares for the value of
    /// one of the piece's attributes, or else the picture of its kind, if there is one. `is_visible`
    /// tells by its index whether an attribute may be used.
    pub(crate) fn glyph(
        &self,
        table: &Tabletop,
        kind: KindId,
        row: u32,
        is_visible: impl Fn(usize) -> bool,
    ) -> Option<Glyph> {
        let of = self.ruleset.schema.kind(kind);
        let of_attribute = of.attributes.iter().enumerate().find_map(|(index, attribute)| {
            if attribute.glyphs.is_empty() || !is_visible(index) {
                return None;
            }
            let word = self.attribute_text(table, kind, row, index)?;
            attribute.glyphs.get(&word).copied()
        });
        of_attribute.or(of.glyph)
    }

    /// Returns the members of an attribute that is a list, stored or derived. Returns `None` if the
    /// attribute is not a list, or if its computation failed.
    pub(crate) fn attribute_members(
        &self,
        table: &Tabletop,
        kind: KindId,
        row: u32,
        attribute: usize,
    ) -> Option<Vec<u32>> {
        let attribute = self.ruleset.schema.kind(kind).attributes.get(attribute)?;
        match (attribute.ty, attribute.storage) {
            (Type::List(_), AttributeStorage::List(list)) => Some(table.list(list, row).to_vec()),
            (Type::List(_), AttributeStorage::Computed(function)) => {
                let program = &self.ruleset.program;
                let inputs = Inputs::without_dice();
                let mut machine = Machine::new(&self.ruleset.schema, program);
                let mut record = Recorder::new(&self.ruleset.schema, &inputs);
                let mut table = table.clone();
                let value = machine.call(function, &[row.into()], &mut table, &mut record).ok()?;
                Some(machine.members(value).to_vec())
            }
            _ => None,
        }
    }

    /// Returns the value of a measure, or one value for each of its pieces or words. Returns `None`
    /// if the computation failed.
    pub(crate) fn measure(
        &self,
        table: &Tabletop,
        measure: &Measure,
    ) -> Option<Vec<MeasuredValue>> {
        let referee = self.with_budget();
        let mut copy = table.clone();
        let mut figure = |of: Option<String>, arguments: &[i64]| {
            let (value, shown) = referee.value_and_text(measure.function, arguments, &mut copy)?;
            Some(MeasuredValue { of, value: Number::from_bits(value), shown })
        };
        let Some(each) = measure.each else { return Some(vec![figure(None, &[])?]) };
        let all = table.all_members(each).into_iter().map(i64::from);
        all.map(|of| figure(Some(value_text(&self.ruleset.schema, table, of, each)), &[of]))
            .collect()
    }

    /// Returns the measures that the ruleset declares as the score, each with its name in the score
    /// and its values. Measures that can't be computed are left out.
    pub(crate) fn score(&self, table: &Tabletop) -> Vec<(&str, Vec<MeasuredValue>)> {
        let scores = self.ruleset.measures.iter().filter_map(|measure| {
            let name = measure.score.as_deref()?;
            Some((name, self.measure(table, measure)?))
        });
        scores.collect()
    }

    /// Returns the value of an expression on the table, its type, and the value as text. Fails with
    /// the errors found when the expression is compiled or run. No value on the table changes, but
    /// texts may be added to the table's store of texts.
    pub fn evaluate(
        &self,
        table: &mut Tabletop,
        want: Option<Type>,
        expr: &Expr,
    ) -> Result<(i64, Type, String), Vec<Diagnostic>> {
        let (program, function, ty) = self.compile_for_table(table, want, expr)?;
        match self.program_value_and_text(&program, (function, ty), &[], table) {
            Ok((value, shown)) => Ok((value, ty, shown)),
            Err(halt) => {
                let reason = match halt {
                    Halt::Fault(error) => error.fault.to_string(),
                    _ => "this cannot be computed".to_owned(),
                };
                Err(vec![Diagnostic::error("fails-at-play", expr.span, reason)])
            }
        }
    }

    /// Compiles an expression that may name pieces on a table. Returns the program with the
    /// expression added, the function of the expression, and its type.
    fn compile_for_table(
        &self,
        table: &Tabletop,
        want: Option<Type>,
        expr: &Expr,
    ) -> Result<(Program, FunctionId, Type), Vec<Diagnostic>> {
        let rules = &self.ruleset;
        let mut faults = Vec::new();
        // As in typed lines, capitals in a piece's name don't matter, unless the ruleset has
        // another meaning for the name as written.
        let schema = &rules.schema;
        let means_something = |name: &str| {
            schema.plural_named(name).is_some()
                || schema.words.iter().any(|set| set.index_of(name).is_some())
                || schema.kinds.iter().any(|kind| kind.row(name).is_some())
        };
        let names = |name: &str| {
            let found = table.find_as_written(name);
            if found.is_some() || means_something(name) {
                return found;
            }
            table.find(name)
        };
        let program = (*rules.program).clone();
        let text = CodeUnit::Value(Vec::new(), want, expr.clone());
        let compiled = compile_addition(&rules.schema, program, Some(&names), &text, &mut faults);
        if faults.is_empty() { Ok(compiled) } else { Err(faults) }
    }

    /// Returns a new machine for the compiled rules.
    fn new_machine(&self) -> Machine<'_> {
        self.new_machine_for(&self.ruleset.program)
    }

    /// Returns a new machine for a program: the compiled rules, with or without additional
    /// functions.
    fn new_machine_for<'a>(&'a self, program: &'a Program) -> Machine<'a> {
        let machine = Machine::new(&self.ruleset.schema, program);
        machine.stopped_by(&self.stop).limited_to(self.max_steps)
    }

    /// Returns the value of a function of the rules that rolls no dice, or `None` if it can't be
    /// computed.
    fn compute_value<T: World>(
        &self,
        function: FunctionId,
        arguments: &[i64],
        table: &mut T,
    ) -> Option<i64> {
        let inputs = Inputs::without_dice();
        let mut record = Recorder::new(&self.ruleset.schema, &inputs);
        let machine = &mut self.new_machine();
        self.call_within_budget(machine, (function, arguments), table, &mut record).ok()
    }

    /// Returns the lines of a reminder, or no lines if its function failed.
    fn reminder_texts(&self, function: FunctionId, table: &Tabletop) -> Vec<String> {
        let inputs = Inputs::without_dice();
        let mut copy = table.clone();
        let mut record = Recorder::new(&self.ruleset.schema, &inputs);
        let machine = &mut self.new_machine();
        let done = self.call_within_budget(machine, (function, &[]), &mut copy, &mut record);
        let events = record.into_outcome(&copy).events.into_iter().filter(|_| done.is_ok());
        let words = events.filter_map(|event| match event {
            Event::Reminded(words) => Some(words),
            _ => None,
        });
        words.collect()
    }

    /// Computes a function of the rules, and returns its value as a number and as text. Returns
    /// `None` if it can't be computed.
    fn value_and_text(
        &self,
        function: FunctionId,
        arguments: &[i64],
        table: &mut Tabletop,
    ) -> Option<(i64, String)> {
        let program = &self.ruleset.program;
        let (ty, _) = program.results.get(function.index()).copied()?;
        self.program_value_and_text(program, (function, ty), arguments, table).ok()
    }

    /// Computes a function of a program, and returns its value as a number and as text.
    fn program_value_and_text(
        &self,
        program: &Program,
        (function, ty): (FunctionId, Type),
        arguments: &[i64],
        table: &mut Tabletop,
    ) -> Result<(i64, String), Halt> {
        let schema = &self.ruleset.schema;
        let inputs = Inputs::without_dice();
        let mut machine = Machine::new(schema, program);
        let mut record = Recorder::new(schema, &inputs);
        let value =
            self.call_within_budget(&mut machine, (function, arguments), table, &mut record)?;
        let shown = match ty {
            Type::List(_) => self.members_text(table, machine.members(value), ty),
            ty => value_text(schema, table, value, ty),
        };
        Ok((value, shown))
    }

    /// Returns the members of a list of this type as text, separated by spaces.
    fn members_text(&self, table: &Tabletop, members: &[u32], ty: Type) -> String {
        let Type::List(of) = ty else { return String::new() };
        let shown =
            |&m: &u32| value_text(&self.ruleset.schema, table, i64::from(m), of.member_type());
        members.iter().map(shown).collect::<Vec<_>>().join(" ")
    }
}

/// A computed value of a measure.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredValue {
    /// The piece or word that the value belongs to; `None` if it belongs to the whole game.
    pub of: Option<String>,
    /// The value as a number.
    pub value: Number,
    /// The value in words.
    pub shown: String,
}

#[cfg(test)]
pub(crate) mod testing;
