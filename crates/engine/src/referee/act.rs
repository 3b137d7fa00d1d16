//! Carries out actions: calls of rules, and changes by the umpire.

use super::event::Event;
use super::record::Recorder;
use super::{Action, Inputs, Referee};
use crate::language::machine::{
    Halt, Host, Machine, PieceError, PlayError, PlayFault, World, bound_parameters, side_name,
    value_text,
};
use crate::language::schema::{AttributeStorage, ColumnId, FunctionId, KindId, RuleId, Type};
use crate::tabletop::{Argument, PieceSetup, Scenario, Tabletop, WHOLE_PIECE};

/// The maximum number of attributes named from which another one is computed.
const MAX_SOURCES: usize = 4;

/// A run of rules: the table that they change, and the host that supplies their dice and receives
/// their events.
pub(super) struct RuleRun<'f, 'r, T, H> {
    pub referee: &'r Referee,
    pub machine: &'f mut Machine<'r>,
    pub table: &'f mut T,
    pub host: &'f mut H,
}

impl<T: World, H: Host> RuleRun<'_, '_, T, H> {
    /// Runs a function of the rules with these arguments, and returns its value.
    pub(super) fn run_function(
        &mut self,
        function: FunctionId,
        values: &[i64],
    ) -> Result<i64, Halt> {
        self.machine.call(function, values, self.table, self.host)
    }

    /// Sets a value of the state, and reports the change to the host if the value is different. Has
    /// no effect if `column` is `None`.
    pub(super) fn set_state(&mut self, column: Option<ColumnId>, value: i64) {
        let Some(column) = column else { return };
        let old = self.table.get(column, 0);
        if old != value {
            self.table.set(column, 0, value);
            self.host.on_cell_change(column, 0, old, value);
        }
    }
}

impl Referee {
    /// Returns a table with a scenario on it, and the recorder of its set-up. Unless the scenario
    /// is complete, the statements that set out its pieces have run. The statements of the scenario
    /// have not run yet.
    pub(super) fn lay_out_scenario<'i>(
        &'i self,
        scenario: &Scenario,
        inputs: &'i Inputs,
    ) -> Result<(Tabletop, Recorder<'i>), Halt> {
        let schema = &self.ruleset.schema;
        let mut table = Tabletop::new(schema.clone(), &self.ruleset.program.indexed);
        table.set_up(scenario).map_err(|error| {
            let fault = PlayFault::from(error);
            let rule = scenario.name.clone();
            Halt::Fault(Box::new(PlayError { fault, rule, span: crate::source::Span::default() }))
        })?;
        let mut record = Recorder::new(schema, inputs);
        if scenario.complete {
            return Ok((table, record));
        }
        let machine = &mut self.new_machine();
        let areas =
            schema.plan_kind().map_or(Vec::new(), |plan| table.present_pieces(plan).collect());
        let mut field = RuleRun { referee: self, machine, table: &mut table, host: &mut record };
        for area in areas {
            for hook in
                schema.plan_kind().iter().flat_map(|plan| schema.kind(*plan).set_out_hooks())
            {
                field.run_kind_hook(Some(hook), area)?;
            }
        }
        for piece in &scenario.pieces {
            let kind = schema.kind(piece.kind);
            if kind.plan {
                continue;
            }
            let Some((_, row)) = field.table.find(&piece.name) else { continue };
            for hook in kind.set_out_hooks() {
                field.run_kind_hook(Some(hook), row)?;
                // The values of the scenario take precedence over the values that the hook set.
                // Like the changes of the hook, they are recorded.
                field.set_values(piece.kind, row, &piece.values)?;
            }
        }
        Ok((table, record))
    }

    /// Carries out an action on a copy of the table. Returns the result, the changed copy, and the
    /// recorder, even if the action halts.
    pub(super) fn perform<'i>(
        &'i self,
        action: &Action,
        table: &Tabletop,
        inputs: &'i Inputs,
    ) -> (Result<(), Halt>, Tabletop, Recorder<'i>) {
        let mut table = table.clone();
        table.set_names(inputs.names.clone());
        let mut record = Recorder::new(&self.ruleset.schema, inputs);
        // All conditions and values that are computed in addition to the rule share one budget.
        let referee = &self.with_budget();
        let machine = &mut referee.new_machine();
        let done = RuleRun { referee, machine, table: &mut table, host: &mut record }
            .perform(action)
            .and_then(|()| self.check_not_stopped())
            .and_then(|()| referee.check_budget());
        (done, table, record)
    }
}

impl RuleRun<'_, '_, Tabletop, Recorder<'_>> {
    fn perform(&mut self, action: &Action) -> Result<(), Halt> {
        let over = self.referee.current_end(self.table).is_some();
        self.host.record_names(self.referee.paths_named_by(action, self.table));
        match self.carry_out(action) {
            Err(Halt::Ended(period)) => self.end_period(period)?,
            done => done?,
        }
        self.report_end(over);
        Ok(())
    }

    /// Carries out an action. Fails with [`Halt::Ended`] at a statement that ends the phase or
    /// turn.
    fn carry_out(&mut self, action: &Action) -> Result<(), Halt> {
        match action {
            Action::Rule { rule, arguments, only } => self.play_rule(*rule, arguments, only)?,
            Action::Next => self.next_phase()?,
            Action::Roll { dice, secret } => {
                for expression in dice {
                    let rolled =
                        expression.roll(&mut self.host.dice_source()).map_err(Halt::Dice)?;
                    let written = expression.to_string();
                    let shown = rolled.to_string();
                    let told = Event::Rolled { written, shown, total: rolled.total };
                    if *secret {
                        self.host.record_event_for(&[], told);
                    } else {
                        self.host.record_event(told);
                    }
                }
            }
            Action::Add(piece) => self.add_piece(piece)?,
            Action::Set { kind, rows, values } => {
                for &row in rows {
                    self.set_values(*kind, row, values)?;
                    self.run_kind_hook(self.referee.ruleset.schema.kind(*kind).on_set, row)?;
                }
            }
            Action::Remove(kind, row) => {
                self.machine.take_off(*kind, *row, self.table, self.host);
            }
            Action::Note(words) => self.host.record_event(Event::Said(words.clone())),
            Action::Order { side, text: Some(words) } => self.write_orders(*side, words)?,
            Action::Order { side, text: None } => self.read_orders(Some(*side)),
        }
        Ok(())
    }

    /// Runs a rule that the umpire calls. Refuses the rule in the wrong phase or for the wrong
    /// side, unless the umpire insists. If the sides alternate piece by piece and a piece has
    /// acted, the move then passes to the next side.
    fn play_rule(
        &mut self,
        rule: RuleId,
        arguments: &[Option<Argument>],
        only: &[u32],
    ) -> Result<(), Halt> {
        self.check_phase(rule)?;
        if let Some(reason) = self.referee.wrong_side_reason(rule, arguments, self.table) {
            self.host.refuse(reason)?;
        }
        let before = self.referee.count_left_to_move(self.table);
        self.call_rule(rule, arguments, only)?;
        self.pass_move_if_piece_acted(before);
        Ok(())
    }

    /// Refuses a verb that belongs to other phases, unless the umpire insists.
    fn check_phase(&mut self, rule: RuleId) -> Result<(), Halt> {
        let referee = self.referee;
        let rule = &referee.ruleset.schema.rules[rule.index()];
        let now = referee.phase_name(self.table);
        if rule.phases.is_empty() || rule.phases.iter().any(|(p, _)| p == now) {
            return Ok(());
        }
        let titles: Vec<String> = rule.phases.iter().map(|(p, _)| referee.phase_title(p)).collect();
        let verb = rule.verb();
        let titles = titles.join(" or ");
        let now = referee.phase_title(now);
        self.host.refuse(format!("`{verb}` belongs to {titles}, but this is {now}"))
    }

    fn call_rule(
        &mut self,
        id: RuleId,
        arguments: &[Option<Argument>],
        only: &[u32],
    ) -> Result<i64, Halt> {
        let schema = &self.referee.ruleset.schema;
        for argument in arguments.iter().flatten() {
            if let Argument::Text(words) = argument {
                let no_room = || Halt::Refused(PieceError::TooMuchText.to_string());
                self.table.intern(words).ok_or_else(no_room)?;
            }
        }
        let (function, values) =
            self.referee.prepare_call(id, arguments, only, self.machine, self.table);
        // An entry function calls the rule itself, so the rule reports its own beginning and end.
        if schema.rules[id.index()].entry.is_some() {
            return self.run_function(function, &values);
        }
        self.host.on_call_begin(id, &bound_parameters(schema, id, &values));
        let value = self.run_function(function, &values);
        if matches!(value, Ok(_) | Err(Halt::Ended(_))) {
            self.host.on_call_end(false);
        }
        value
    }

    fn add_piece(&mut self, piece: &PieceSetup) -> Result<(), Halt> {
        let schema = &self.referee.ruleset.schema;
        let kind = schema.kind(piece.kind);
        let owner = schema.owner_if_hidden(piece.kind);
        let owner = owner.and_then(|owner| match piece.values.iter().find(|v| v.0 == owner)? {
            (_, Argument::Value(of)) => Some((*of, kind.attributes[owner].ty)),
            (_, Argument::Text(_) | Argument::Members(_) | Argument::Named(_)) => None,
        });
        let side = owner.map_or(String::new(), |(of, ty)| side_name(schema, self.table, of, ty));
        let name = Some(piece.name.as_str()).filter(|name| !name.is_empty());
        let row = self.table.make_piece(piece.kind, name, &side);
        let row = row.map_err(|error| Halt::Refused(error.to_string()))?;
        self.host.on_piece_made(piece.kind, row, "");
        if kind.secret.is_some() {
            self.host.record_names(vec![self.table.attribute_path(piece.kind, row, WHOLE_PIECE)]);
        }
        self.set_values(piece.kind, row, &piece.values)?;
        for hook in kind.set_out_hooks() {
            self.run_kind_hook(Some(hook), row)?;
            self.set_values(piece.kind, row, &piece.values)?;
        }
        Ok(())
    }

    /// Runs a hook of a kind, such as `on_add` or `on_set`, for one of its pieces. Has no effect
    /// if the kind has no such hook.
    fn run_kind_hook(&mut self, statements: Option<FunctionId>, row: u32) -> Result<(), Halt> {
        let run = |function| self.run_function(function, &[i64::from(row)]).map(|_| ());
        statements.map_or(Ok(()), run)
    }

    fn set_values(
        &mut self,
        kind: KindId,
        row: u32,
        values: &[(usize, Argument)],
    ) -> Result<(), Halt> {
        for (index, given) in values {
            let attributes = &self.referee.ruleset.schema.kind(kind).attributes;
            let Some(attribute) = attributes.get(*index) else { continue };
            let give = |table: &mut Tabletop| {
                table
                    .set_attribute(kind, row, *index, given)
                    .map_err(|e| Halt::Refused(e.to_string()))
            };
            match attribute.storage {
                AttributeStorage::Cell(column) => {
                    let old = self.table.get(column, row);
                    give(self.table)?;
                    self.host.on_cell_change(column, row, old, self.table.get(column, row));
                }
                AttributeStorage::List(list) => {
                    let old = self.table.list(list, row).to_vec();
                    give(self.table)?;
                    self.host.on_list_change(list, row, &old, self.table.list(list, row));
                }
                AttributeStorage::Computed(function) => {
                    let reason = self.why_not_set(kind, row, &attribute.name, function);
                    return Err(Halt::Refused(reason));
                }
            }
        }
        Ok(())
    }

    /// Returns the reason why a computed attribute of a piece can't be set, with the attributes that it is
    /// computed from and that can be.
    fn why_not_set(&self, kind: KindId, row: u32, name: &str, function: FunctionId) -> String {
        let rules = &self.referee.ruleset;
        let read = rules.program.storage_read(function);
        let kinds = || rules.schema.all_kinds();
        let path = |storage: &AttributeStorage| {
            let (of, attribute) = kinds().find_map(|(of, described)| {
                let mut all = described.attributes.iter();
                Some((of, all.find(|a| a.storage == *storage && a.can_be_set())?))
            })?;
            let piece = if of == kind {
                value_text(&rules.schema, self.table, i64::from(row), Type::Piece(kind))
            } else {
                rules.schema.kind(of).name.to_uppercase()
            };
            Some(format!("`set {piece}.{} VALUE`", attribute.name))
        };
        let paths: Vec<String> = read.iter().filter_map(path).take(MAX_SOURCES).collect();
        if paths.is_empty() {
            return format!("`{name}` is computed by the rules and cannot be set");
        }
        format!(
            "`{name}` is computed from other attributes and cannot be set; set what it follows from: {}",
            paths.join(", ")
        )
    }

    /// Stores the written orders of a side as a secret piece of that side, and reports this to the
    /// side.
    fn write_orders(&mut self, side: i64, words: &str) -> Result<(), Halt> {
        let rules = &self.referee.ruleset;
        let (Some(kind), Some(ty)) = (rules.schema.orders_kind(), rules.schema.sides) else {
            return Err(Halt::Refused("sides have no written orders in this game".to_owned()));
        };
        let of = value_text(&rules.schema, self.table, side, ty);
        let numbered = (2..).map(|n| format!("{of}-orders-{n}"));
        let mut names = std::iter::once(format!("{of}-orders")).chain(numbered);
        let name = names.find(|name| self.table.find_latest(name).is_none()).unwrap_or_default();
        let when = match rules.phases.iter().find(|p| p.reveals_orders) {
            Some(phase) => format!("until {}", self.referee.phase_title(&phase.name)),
            None => format!("until `reveal {of}`"),
        };
        self.host.record_event_for(&[&of], Event::Said(format!("orders of {of}, secret {when}")));
        let values = vec![(0, Argument::Value(side)), (1, Argument::Text(words.to_owned()))];
        self.add_piece(&PieceSetup { kind, name, values })
    }
}
