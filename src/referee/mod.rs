//! Resolves one action against a ruleset and a tabletop into an [`Outcome`].
//!
//! The tabletop given is never changed: everything happens on a copy, and the outcome lists the changes.
//! A question in mid-rule stops the run ([`Halt::Question`], [`Halt::Dice`]); the caller finds the answer and
//! resolves again from the start with one answer more, on the same dice.

mod chance;
mod end;
mod event;
pub mod odds;
mod outcome;
mod phases;
mod record;
mod secrets;
mod sides;
pub mod simulate;
pub mod study;
pub mod tally;

use std::sync::Arc;

pub use event::{Binding, Check, Event, Roll, Throw};
pub use outcome::{Context, Outcome};
pub use secrets::{Hidden, Seen, Sight, Viewer};

use crate::diagnostic::Diagnostic;
use crate::dice::{Expression, Scripted, Seed, Seeded, Supplied};
use crate::language::code::EVERY;
use crate::language::code::Program;
use crate::language::compile::{compile_more, filters};
use crate::language::machine::{
    Halt, Host, Machine, PieceError, PlayError, PlayFault, World, parameters, shown, side_named,
};
use crate::language::number::Number;
use crate::language::schema::{ColumnId, FunctionId, KindId, RuleId, STATE, Storage, Type, Unit};
use crate::language::syntax::Expr;
use crate::ruleset::{Measure, Ruleset};
use crate::tabletop::{Given, PieceGiven, Scenario, Tabletop};
use record::Recorder;

/// Where the faces of a command come from.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "one is made for each command, and it is never stored"
)]
pub enum Dice {
    /// From the session's seed.
    Seeded(Seeded),
    /// From a list, for worked examples.
    Scripted(Scripted),
    /// Rolled by hand.
    Physical(Supplied),
}

/// An answer to a question of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The member, the number, or 0 and 1.
    Value(i64),
    /// Chance answers.
    Random,
}

/// The dice and answers of a command.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The dice.
    pub dice: Dice,
    /// Answers to questions, in order.
    pub answers: Vec<Answer>,
    /// Cards by name, in the order they are drawn; then chance decides.
    pub draws: Vec<String>,
    /// True if chance answers what is not answered.
    pub ask_random: bool,
    /// True if the umpire insists on what the rules refuse.
    pub insist: bool,
}

impl Inputs {
    /// Returns inputs with the dice of stream `number` of the seed.
    pub fn seeded(seed: &Seed, number: u64) -> Inputs {
        Inputs::of(Dice::Seeded(Seeded::new(seed, number)))
    }

    /// Returns inputs for what throws no dice.
    pub fn none() -> Inputs {
        Inputs::of(Dice::Scripted(Scripted::new([])))
    }

    /// Returns inputs with these dice and nothing else.
    pub fn of(dice: Dice) -> Inputs {
        Inputs { dice, answers: Vec::new(), draws: Vec::new(), ask_random: false, insist: false }
    }
}

/// Something the umpire does that changes the table or takes dice.
#[derive(Clone, Debug)]
pub enum Action {
    /// A rule, with what was given for each parameter, and the pieces a sweep is narrowed to.
    Rule {
        /// Which.
        rule: RuleId,
        /// For each parameter, what was given.
        arguments: Vec<Option<Given>>,
        /// For each source of the sweep, the piece; shorter if not all are given.
        only: Vec<u32>,
    },
    /// On to the next phase.
    Next,
    /// Dice for their own sake.
    Roll {
        /// The dice.
        dice: Vec<Expression>,
        /// They are for the umpire alone.
        secret: bool,
    },
    /// A piece set out.
    Add(PieceGiven),
    /// An attribute changed by the umpire's word.
    Set {
        /// The kind.
        kind: KindId,
        /// The piece.
        row: u32,
        /// Places in the kind's attributes, and values.
        values: Vec<(usize, Given)>,
    },
    /// A piece taken off.
    Remove(KindId, u32),
    /// Words for the transcript.
    Note(String),
    /// Orders that a side writes; without words, its orders are read out.
    Order {
        /// The side, as a value of its type.
        side: i64,
        /// The words.
        text: Option<String>,
    },
}

/// Resolves actions by one ruleset.
#[derive(Clone, Debug)]
pub struct Referee {
    ruleset: Arc<Ruleset>,
    /// Where the turn and the phase are kept.
    turn: Option<ColumnId>,
    phase: Option<ColumnId>,
}

impl Referee {
    /// A referee for this ruleset.
    pub fn new(ruleset: Arc<Ruleset>) -> Self {
        let state = ruleset.schema.kind(STATE);
        let (turn, phase) = (state.column("turn"), state.column("phase"));
        Referee { ruleset, turn, phase }
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// A table with a scenario set out on it: pieces, their `on_add`, the scenario's own statements.
    pub fn set_out(
        &self,
        scenario: &Scenario,
        inputs: &Inputs,
    ) -> Result<(Tabletop, Outcome), Halt> {
        let (mut table, mut record) = self.lay_out(scenario, inputs)?;
        if let Some(begin) = scenario.begin {
            self.machine().call(begin, &[], &mut table, &mut record)?;
        }
        let outcome = record.outcome(&table);
        Ok((table, outcome))
    }

    /// A table with a scenario set out on it, before the scenario's own statements.
    fn lay_out<'i>(
        &'i self,
        scenario: &Scenario,
        inputs: &'i Inputs,
    ) -> Result<(Tabletop, Recorder<'i>), Halt> {
        let rules = &self.ruleset;
        let mut table = Tabletop::new(rules.schema.clone(), &rules.program.indexed);
        table.set_out(scenario).map_err(|error| {
            let (fault, rule) = (PlayFault::from(error), scenario.name.clone());
            Halt::Fault(Box::new(PlayError { fault, rule, span: crate::source::Span::default() }))
        })?;
        let mut record = Recorder::new(&rules.schema, inputs);
        let mut machine = self.machine();
        if let Some(plan) = rules.schema.plan_kind()
            && let Some(on_add) = rules.schema.kind(plan).on_add
        {
            let areas: Vec<u32> = table.present(plan).collect();
            for area in areas {
                machine.call(on_add, &[i64::from(area)], &mut table, &mut record)?;
            }
        }
        for piece in &scenario.pieces {
            let kind = rules.schema.kind(piece.kind);
            let Some(on_add) = kind.on_add.filter(|_| !kind.plan) else { continue };
            let Some((_, row)) = table.find(&piece.name) else { continue };
            machine.call(on_add, &[i64::from(row)], &mut table, &mut record)?;
            // What the scenario gives stands; recorded, as everything after the first statement is.
            self.give(piece.kind, row, &piece.values, &mut table, &mut record)?;
        }
        Ok((table, record))
    }

    /// Resolves an action. The table is as it was; the outcome says what changes.
    pub fn resolve(
        &self,
        table: &Tabletop,
        action: &Action,
        inputs: &Inputs,
    ) -> Result<Outcome, Halt> {
        let (done, table, record) = self.act(action, table, inputs);
        done.map(|()| record.outcome(&table))
    }

    /// As [`Referee::resolve`]; and how many faces and named cards of a script were left over.
    pub fn resolve_counting(
        &self,
        table: &Tabletop,
        action: &Action,
        inputs: &Inputs,
    ) -> Result<(Outcome, (usize, usize)), Halt> {
        let (done, table, record) = self.act(action, table, inputs);
        let left = record.left_over();
        done.map(|()| (record.outcome(&table), left))
    }

    /// Returns the events of an action up to where it halts, and the table there: so that who is asked in mid-rule
    /// sees what led to it.
    pub fn up_to_halt(
        &self,
        table: &Tabletop,
        action: &Action,
        inputs: &Inputs,
    ) -> (Outcome, Tabletop) {
        // Why it halts is known already.
        let (_, table, record) = self.act(action, table, inputs);
        (record.outcome(&table), table)
    }

    /// Carries out an action on a copy of the table, up to where it ends or halts.
    fn act<'i>(
        &'i self,
        action: &Action,
        table: &Tabletop,
        inputs: &'i Inputs,
    ) -> (Result<(), Halt>, Tabletop, Recorder<'i>) {
        let mut table = table.clone();
        let mut record = Recorder::new(&self.ruleset.schema, inputs);
        let done = self.act_on(action, &mut table, &mut record);
        (done, table, record)
    }

    fn act_on(
        &self,
        action: &Action,
        table: &mut Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<(), Halt> {
        let over = self.end(table).is_some();
        record.name(self.named_by(action, table));
        match action {
            Action::Rule { rule, arguments, only } => {
                let rule = (*rule, arguments.as_slice(), only.as_slice());
                self.rule(rule, table, record)?;
            }
            Action::Next => self.next_phase(table, record)?,
            Action::Roll { dice, secret } => {
                for expression in dice {
                    let rolled = expression.roll(&mut record.source()).map_err(Halt::Dice)?;
                    let (written, shown) = (expression.to_string(), rolled.to_string());
                    let told = Event::Rolled { written, shown, total: rolled.total };
                    match secret {
                        true => record.tell_to(&[], told),
                        false => record.tell(told),
                    }
                }
            }
            Action::Add(piece) => self.add(piece, table, record)?,
            Action::Set { kind, row, values } => {
                self.give(*kind, *row, values, table, record)?;
                self.run_on(self.ruleset.schema.kind(*kind).on_set, *row, table, record)?;
            }
            Action::Remove(kind, row) => self.machine().take_off(*kind, *row, table, record),
            Action::Note(words) => record.tell(Event::Said(words.clone())),
            Action::Order { side, text: Some(words) } => {
                self.order(*side, words, table, record)?;
            }
            Action::Order { side, text: None } => self.read_orders(Some(*side), table, record),
        }
        self.tell_end(over, table, record);
        Ok(())
    }

    /// A rule that the umpire calls: refused in another phase and to another side. Where the move passes on piece by
    /// piece, it does when one has acted.
    fn rule(
        &self,
        (rule, arguments, only): (RuleId, &[Option<Given>], &[u32]),
        table: &mut Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<(), Halt> {
        self.check_phase(rule, table, record)?;
        if let Some(reason) = self.check_side(rule, arguments, table) {
            record.refuse(reason)?;
        }
        let before = self.left_to_move(table);
        self.call(rule, arguments, only, table, record)?;
        if before > self.left_to_move(table)
            && let Some((side, _)) = self.other_side(table)
        {
            self.give_move(side, table, record);
        }
        Ok(())
    }

    /// Refuses a verb that belongs to another phase.
    fn check_phase(
        &self,
        rule: RuleId,
        table: &Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<(), Halt> {
        let rule = &self.ruleset.schema.rules[rule.index()];
        let now = self.phase_name(table);
        if rule.phases.is_empty() || rule.phases.iter().any(|(p, _)| p == now) {
            return Ok(());
        }
        let titles: Vec<String> = rule.phases.iter().map(|(p, _)| self.phase_title(p)).collect();
        let verb = rule.verb();
        let (titles, now) = (titles.join(" or "), self.phase_title(now));
        record.refuse(format!("`{verb}` belongs to {titles}, but this is {now}"))
    }

    fn call(
        &self,
        id: RuleId,
        arguments: &[Option<Given>],
        only: &[u32],
        table: &mut Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<i64, Halt> {
        let rules = &self.ruleset;
        let mut machine = self.machine();
        for argument in arguments.iter().flatten() {
            if let Given::Text(words) = argument {
                let no_room = || Halt::Refused(PieceError::TooMuchText.to_string());
                table.intern(words).ok_or_else(no_room)?;
            }
        }
        let (function, values) = self.prepare(id, arguments, only, &mut machine, table);
        // An entry calls the rule itself, and so tells its beginning.
        if rules.schema.rules[id.index()].entry.is_some() {
            return machine.call(function, &values, table, record);
        }
        record.call_begins(id, &parameters(&rules.schema, id, &values));
        let value = machine.call(function, &values, table, record)?;
        record.call_ends(false);
        Ok(value)
    }

    /// The function that carries out a rule, and the values of its parameters.
    fn prepare<T: World>(
        &self,
        id: RuleId,
        arguments: &[Option<Given>],
        only: &[u32],
        machine: &mut Machine<'_>,
        table: &mut T,
    ) -> (FunctionId, Vec<i64>) {
        let rules = &self.ruleset;
        let rule = &rules.schema.rules[id.index()];
        let mut values: Vec<i64> = Vec::new();
        for (i, param) in rule.params.iter().enumerate() {
            values.push(match arguments.get(i).and_then(Option::as_ref) {
                Some(Given::Value(value)) => *value,
                Some(Given::Members(members)) => machine.list_argument(members),
                Some(Given::Text(words)) => table.intern(words).unwrap_or(0),
                Some(Given::Named(_)) => -1,
                None if matches!(param.ty, Type::Piece(_)) => -1,
                None => 0,
            });
        }
        if rule.entry.is_some() {
            for (i, default) in rule.defaults.iter().enumerate() {
                if default.is_some() {
                    let given = arguments.get(i).is_some_and(Option::is_some);
                    values.push(i64::from(given));
                }
            }
        }
        for i in 0..filters(&rules.schema, rule).len() {
            values.push(only.get(i).map_or(i64::from(EVERY), |&row| i64::from(row)));
        }
        (rule.entry.unwrap_or(rule.function), values)
    }

    fn add(
        &self,
        piece: &PieceGiven,
        table: &mut Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<(), Halt> {
        let schema = &self.ruleset.schema;
        let owner = schema.owner_if_hidden(piece.kind);
        let owner = owner.and_then(|owner| match piece.values.iter().find(|v| v.0 == owner)? {
            (_, Given::Value(of)) => Some((*of, schema.kind(piece.kind).attributes[owner].ty)),
            (_, Given::Text(_) | Given::Members(_) | Given::Named(_)) => None,
        });
        let side = owner.map_or(String::new(), |(of, ty)| side_named(schema, table, of, ty));
        let name = Some(piece.name.as_str()).filter(|name| !name.is_empty());
        let row = table.make(piece.kind, name, &side);
        let row = row.map_err(|error| Halt::Refused(error.to_string()))?;
        record.made(piece.kind, row, "");
        if self.ruleset.schema.kind(piece.kind).secret.is_some() {
            record.name(vec![table.spot(piece.kind, row, usize::MAX)]);
        }
        self.give(piece.kind, row, &piece.values, table, record)?;
        let on_add = self.ruleset.schema.kind(piece.kind).on_add;
        if on_add.is_some() {
            self.run_on(on_add, row, table, record)?;
            self.give(piece.kind, row, &piece.values, table, record)?;
        }
        Ok(())
    }

    /// Runs the statements of a kind for one of its pieces, if it has any.
    fn run_on(
        &self,
        statements: Option<FunctionId>,
        row: u32,
        table: &mut Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<(), Halt> {
        let Some(function) = statements else { return Ok(()) };
        self.machine().call(function, &[i64::from(row)], table, record).map(|_| ())
    }

    fn give(
        &self,
        kind: KindId,
        row: u32,
        values: &[(usize, Given)],
        table: &mut Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<(), Halt> {
        let schema = self.ruleset.schema.clone();
        for (place, given) in values {
            let Some(attribute) = schema.kind(kind).attributes.get(*place) else { continue };
            let give = |table: &mut Tabletop| {
                table.give(kind, row, *place, given).map_err(|e| Halt::Refused(e.to_string()))
            };
            match attribute.storage {
                Storage::Cell(column) => {
                    let old = table.get(column, row);
                    give(table)?;
                    record.cell_changed(column, row, old, table.get(column, row));
                }
                Storage::List(list) => {
                    let old = table.list(list, row).to_vec();
                    give(table)?;
                    record.list_changed(list, row, &old, table.list(list, row));
                }
                Storage::Computed(_) => {
                    let name = &attribute.name;
                    let reason = format!("`{name}` is computed from others and cannot be set");
                    return Err(Halt::Refused(reason));
                }
            }
        }
        Ok(())
    }

    /// The value of an attribute of a piece, derived or kept; none if the rule went wrong.
    pub fn attribute(
        &self,
        table: &Tabletop,
        kind: KindId,
        row: u32,
        attribute: usize,
    ) -> Option<String> {
        let rules = &self.ruleset;
        let attribute = rules.schema.kind(kind).attributes.get(attribute)?;
        match attribute.storage {
            Storage::Cell(column) => {
                Some(shown(&rules.schema, table, table.get(column, row), attribute.ty))
            }
            Storage::List(list) => Some(self.members(table, table.list(list, row), attribute.ty)),
            Storage::Computed(function) => {
                self.value(function, &[row.into()], &mut table.clone()).map(|(_, shown)| shown)
            }
        }
    }

    /// Returns the value of a measure, or that of each of its pieces; none if the rule went wrong.
    pub fn measured(&self, table: &Tabletop, measure: &Measure) -> Option<Vec<Figure>> {
        let mut copy = table.clone();
        let mut figure = |of: Option<String>, arguments: &[i64]| {
            let (value, shown) = self.value(measure.function, arguments, &mut copy)?;
            Some(Figure { of, value: Number::from_bits(value), shown })
        };
        let Some(each) = measure.each else { return Some(vec![figure(None, &[])?]) };
        let all = table.all_of(each).into_iter().map(i64::from);
        all.map(|of| figure(Some(shown(&self.ruleset.schema, table, of, each)), &[of])).collect()
    }

    /// Returns the value of an expression over the table, with its type and as text, or the faults of the expression
    /// or of its run. The table stays as it is.
    pub fn evaluate(
        &self,
        table: &mut Tabletop,
        want: Option<Type>,
        expr: &Expr,
    ) -> Result<(i64, Type, String), Vec<Diagnostic>> {
        let rules = &self.ruleset;
        let mut faults = Vec::new();
        let names = |name: &str| table.find(name);
        let program = (*rules.program).clone();
        let text = Unit::Value(want, expr.clone());
        let (program, function, ty) =
            compile_more(&rules.schema, program, Some(&names), &text, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        match self.value_by(&program, (function, ty), &[], table) {
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

    /// A machine for the rules.
    fn machine(&self) -> Machine<'_> {
        Machine::new(&self.ruleset.schema, &self.ruleset.program)
    }

    /// Returns the value of a function of the rules that throws no dice; none if it cannot be computed.
    fn compute<T: World>(
        &self,
        function: FunctionId,
        arguments: &[i64],
        table: &mut T,
    ) -> Option<i64> {
        let inputs = Inputs::none();
        let mut record = Recorder::new(&self.ruleset.schema, &inputs);
        self.machine().call(function, arguments, table, &mut record).ok()
    }

    /// Returns what a reminder says now; nothing if it went wrong.
    fn reminders_of(&self, function: FunctionId, table: &Tabletop) -> Vec<String> {
        let (inputs, mut copy) = (Inputs::none(), table.clone());
        let mut record = Recorder::new(&self.ruleset.schema, &inputs);
        let done = self.machine().call(function, &[], &mut copy, &mut record);
        let events = record.outcome(&copy).events.into_iter().filter(|_| done.is_ok());
        let words = events.filter_map(|event| match event {
            Event::Reminded(words) => Some(words),
            _ => None,
        });
        words.collect()
    }

    /// Returns the value of a function of the rules as a number and in words; none if it cannot be computed.
    fn value(
        &self,
        function: FunctionId,
        arguments: &[i64],
        table: &mut Tabletop,
    ) -> Option<(i64, String)> {
        let program = &self.ruleset.program;
        let (ty, _) = program.results.get(function.index()).copied()?;
        self.value_by(program, (function, ty), arguments, table).ok()
    }

    /// Returns the value of a function of this program as a number and in words.
    fn value_by(
        &self,
        program: &Program,
        (function, ty): (FunctionId, Type),
        arguments: &[i64],
        table: &mut Tabletop,
    ) -> Result<(i64, String), Halt> {
        let (schema, inputs) = (&self.ruleset.schema, Inputs::none());
        let mut machine = Machine::new(schema, program);
        let mut record = Recorder::new(schema, &inputs);
        let value = machine.call(function, arguments, table, &mut record)?;
        let shown = match ty {
            Type::List(_) => self.members(table, machine.members(value), ty),
            ty => shown(schema, table, value, ty),
        };
        Ok((value, shown))
    }

    /// Returns the members of a list of this type in words.
    fn members(&self, table: &Tabletop, members: &[u32], ty: Type) -> String {
        let Type::List(of) = ty else { return String::new() };
        let shown = |&m: &u32| shown(&self.ruleset.schema, table, i64::from(m), of.member());
        members.iter().map(shown).collect::<Vec<_>>().join(" ")
    }
}

/// The value of a measure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The piece or the word that it is of; none if it is one of the game.
    pub of: Option<String>,
    /// The value.
    pub value: Number,
    /// The value in words.
    pub shown: String,
}
