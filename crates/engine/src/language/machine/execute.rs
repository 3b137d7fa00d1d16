//! The loop that executes instructions.

use adjutant_dice::{DiceValue, MAX_DICE, MAX_SIDES};

use super::arithmetic::number_op;
use super::common::{NextOp, StraightRun};
use super::host::{Hearers, bound_parameters};
use super::interrupt::Interrupt;
use super::lists::{
    MEMBERS_COMPARED_PER_STEP, append_member, collect_sorted, join_lists, push_key, push_members,
    without_member,
};
use super::run::Run;
use super::state::CallReport;
use super::stop::{STEPS_BETWEEN_CHECKS, StopHandle};
use super::{
    Answers, BoundName, Halt, Host, MAX_CALLS, MAX_REPEATS, Machine, PlayError, PlayFault,
    Question, RandomLot, World, value_text,
};
use crate::language::code::{
    AddresseeReg, BindingsId, Call, MessageKind, NamedRegister, NativeContext, Op, Reg, TemplateId,
    ValueUse, unpack,
};
use crate::language::number::Number;
use crate::language::schema::{FunctionId, Type};

impl Machine<'_> {
    /// Runs a function to its end, and returns its value or the reason why it stopped early.
    pub(crate) fn call<T: World, H: Host>(
        &mut self,
        function: FunctionId,
        arguments: &[i64],
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        let depth = self.frames.len();
        self.begin(function, arguments);
        let result = Run { machine: self, table, host, base: 0, halted: None }.run_to_depth(depth);
        if matches!(result, Err(Halt::Ended(_))) {
            self.end_calls(depth, host);
        }
        if !matches!(result, Err(Halt::Branch)) {
            self.frames.truncate(depth);
        }
        result
    }
}

impl<'p, T: World, H: Host> Run<'_, 'p, T, H> {
    /// Runs until only `depth` frames are left. Returns the value of the function that returned last.
    pub(super) fn run_to_depth(&mut self, depth: usize) -> Result<i64, Halt> {
        let Some(frame) = self.machine.frames.last() else { return Ok(0) };
        let mut at = frame.at as usize;
        self.base = frame.base as usize;
        let mut code = self.machine.function(frame.function);
        loop {
            at = self.run_straight(&code.code, at);
            self.machine.steps += 1;
            let frames = self.machine.frames.len();
            let lists = self.machine.store.len();
            let done = match (self.halted.take(), self.machine.check_may_go_on(), code.code.get(at))
            {
                (Some(reason), ..) => Err(reason),
                (None, Err(reason), _) => Err(reason),
                (None, Ok(()), _) if self.table.has_read_unknown() => Ok(()),
                (None, Ok(()), None) => return Ok(0),
                (None, Ok(()), Some(&Op::Call { call })) => match self.report_call(call) {
                    Ok(called) => {
                        self.machine.set_position(at + 1);
                        at = 0;
                        self.base += usize::from(call.base);
                        self.machine.push_frame(call.function, self.base, called);
                        code = self.machine.function(call.function);
                        continue;
                    }
                    Err(fault) => Err(fault.into()),
                },
                (None, Ok(()), Some(&Op::Return { a })) => {
                    let value = self.machine.pop_frame(self.value(a), self.host);
                    self.machine.registers[self.base] = value;
                    match self.machine.frames.last() {
                        Some(caller) if self.machine.frames.len() > depth => {
                            code = self.machine.function(caller.function);
                            at = caller.at as usize;
                            self.base = caller.base as usize;
                        }
                        _ => return Ok(value),
                    }
                    continue;
                }
                (None, Ok(()), Some(op)) => self.execute_step(op),
            };
            if self.table.has_read_unknown() {
                // The instruction is executed again once the host knows the value that it read.
                self.machine.frames.truncate(frames);
                self.machine.store.truncate(lists);
                self.machine.set_position(at);
                return Err(Halt::Branch);
            }
            match done {
                Ok(()) => at += 1,
                Err(Interrupt::Halt(halt)) => {
                    // A host that branches resumes the run at this instruction.
                    self.machine.set_position(at);
                    return Err(halt);
                }
                Err(Interrupt::Fault(fault)) => {
                    let span = code.spans.get(at).copied().unwrap_or_default();
                    let rule = code.name.clone();
                    return Err(Halt::Fault(Box::new(PlayError { fault, rule, span })));
                }
            }
        }
    }

    /// Executes the common instructions starting at `from`, and returns the index of the first
    /// instruction that is not a common one or did not finish. Returns earlier if the step limit is
    /// exceeded or a stop was requested. Common instructions run twice as fast because this
    /// function does nothing else.
    #[inline(never)]
    fn run_straight(&mut self, ops: &[Op], from: usize) -> usize {
        let Machine { registers, store, program, schema, steps, max_steps, stop, .. } =
            &mut *self.machine;
        let mut common = StraightRun {
            registers: registers.get_mut(self.base..).unwrap_or_default(),
            store,
            program,
            schema,
            table: &mut *self.table,
            host: &mut *self.host,
            halted: &mut self.halted,
        };
        let mut at = from;
        loop {
            let most = (*max_steps + 1).saturating_sub(*steps).min(STEPS_BETWEEN_CHECKS);
            let mut left = most;
            while left > 0 {
                let Some(op) = ops.get(at) else { break };
                match common.execute_op(*op) {
                    Some(NextOp::Following) => at += 1,
                    Some(NextOp::At(to)) => at = to.0 as usize,
                    None => break,
                }
                left -= 1;
            }
            *steps += most - left;
            if left > 0 || *steps > *max_steps || stop.is_some_and(StopHandle::is_stopped) {
                return at;
            }
        }
    }

    /// Executes one instruction that neither calls a function nor returns from one. Returns the
    /// index of the next instruction.
    pub(super) fn execute_single(&mut self, ops: &[Op], at: usize) -> Result<usize, Interrupt> {
        let Some(op) = ops.get(at) else { return Ok(at) };
        let Machine { registers, store, program, schema, .. } = &mut *self.machine;
        let mut common = StraightRun {
            registers: registers.get_mut(self.base..).unwrap_or_default(),
            store,
            program,
            schema,
            table: &mut *self.table,
            host: &mut *self.host,
            halted: &mut self.halted,
        };
        match common.execute_op(*op) {
            Some(NextOp::Following) => return Ok(at + 1),
            Some(NextOp::At(to)) => return Ok(to.0 as usize),
            None => {}
        }
        match self.halted.take() {
            Some(reason) => Err(reason),
            None => self.execute_step(op).map(|()| at + 1),
        }
    }

    /// Executes an instruction that is not a common one, or that copies too many members to be one.
    #[inline(never)]
    fn execute_step(&mut self, op: &Op) -> Result<(), Interrupt> {
        let (d, result) = match *op {
            Op::Number { d, op, fraction, a, b } => {
                (d, number_op(op, fraction, self.value(a), self.value(b))?)
            }
            Op::SameList { d, a, b } => {
                (d, i64::from(self.list_members(a) == self.list_members(b)))
            }
            Op::SetList { how, list, row, value } => {
                return discard_value(self.set_list(how, list, self.row(row)?, self.value(value)));
            }
            Op::Holds { d, list, row, value } => {
                let members = self.table.list(list, self.row(row)?);
                self.machine.steps += members.len() as u64 / MEMBERS_COMPARED_PER_STEP;
                (d, i64::from(members.iter().any(|&m| i64::from(m) == self.value(value))))
            }
            Op::GetList { d, list, row } => {
                let members = self.table.list(list, self.row(row)?);
                self.machine.steps += members.len() as u64;
                (d, push_members(&mut self.machine.store, members)?)
            }
            Op::Join { d, a, b } => {
                self.machine.steps +=
                    (self.list_members(a).len() + self.list_members(b).len()) as u64;
                let [a, b] = [a, b].map(|list| self.value(list));
                (d, join_lists(&mut self.machine.store, a, b)?)
            }
            Op::Append { d, a, value } => {
                let list = self.value(a);
                let member = self.value(value);
                let (list, copied) = append_member(&mut self.machine.store, list, member)?;
                self.machine.steps += copied as u64;
                (d, list)
            }
            Op::Without { d, a, value } => {
                self.machine.steps += self.list_members(a).len() as u64;
                let list = self.value(a);
                let member = self.value(value);
                (d, without_member(&mut self.machine.store, list, member)?)
            }
            Op::PushKey { a } => {
                let key = self.value(a);
                return discard_value(push_key(&mut self.machine.store, key));
            }
            Op::CollectSorted { d, a, fraction } => {
                let (start, _) = unpack(self.value(a));
                let list = collect_sorted(&mut self.machine.store, start, fraction);
                let (_, length) = unpack(list);
                self.machine.steps += length as u64 * u64::from(length.max(1).ilog2() + 1);
                (d, list)
            }
            Op::InList { d, a, value } => {
                let members = self.list_members(a);
                let found = members.iter().any(|&m| i64::from(m) == self.value(value));
                self.machine.steps += members.len() as u64;
                (d, i64::from(found))
            }
            Op::Nth { d, a, n, must } => {
                (d, self.machine.nth_member(self.value(a), self.value(n), must)?)
            }
            Op::End { period } => return Err(Halt::Ended(period).into()),
            Op::NoMember {} => return Err(PlayFault::NothingToChoose.into()),
            Op::Within { a, limits, fraction } => {
                return discard_value(self.machine.check_param_limits(
                    limits,
                    self.value(a),
                    fraction,
                ));
            }
            Op::Narrow { d, a, only } => {
                (d, self.machine.narrow_to_piece(self.value(a), self.value(only))?)
            }
            Op::Bound { bindings, turn } => {
                if self.host.wants_reports() {
                    self.host.on_names_bound(&self.bound_names(bindings), turn);
                }
                return Ok(());
            }
            Op::Chart { d, chart, a, b } => {
                (d, self.machine.look_up_chart(chart, self.value(a), self.value(b))?)
            }
            Op::Way { d, way } => (d, self.find_way(way)?),
            Op::Native { d, function, a, b } => {
                let context = NativeContext { plan: self.machine.program.plan, table: self.table };
                (d, function(&context, self.value(a), self.value(b))?)
            }
            Op::Text { d, template } => {
                let text = self.render_template(template)?;
                (d, self.table.intern(&text).ok_or(PlayFault::TooMuchText)?)
            }
            Op::CheckBegin {} => {
                self.host.on_check_begin();
                return Ok(());
            }
            Op::Reroll {} => {
                self.host.on_reroll();
                return Ok(());
            }
            Op::RollDice { d, count, sides } => {
                let count = check_dice_number(self.value(count).max(0), MAX_DICE, "dice")?;
                let sides = check_dice_number(self.value(sides), MAX_SIDES, "sides")?;
                let total = if count == 0 { 0 } else { self.host.roll_dice(count, sides)? };
                self.check_not_full()?;
                (d, total)
            }
            Op::RollValue { d, count, dice } => {
                let value = DiceValue::from_bits(self.value(dice));
                let times = check_dice_number(self.value(count).max(0), MAX_DICE, "dice")?;
                let thrown = i64::from(times) * i64::from(value.count);
                let thrown = check_dice_number(thrown, MAX_DICE, "dice")?;
                let total =
                    if thrown == 0 { 0 } else { self.host.roll_dice(thrown, value.sides)? };
                let fixed = value.fixed * i64::from(times);
                if thrown > 0 && fixed != 0 {
                    self.host.on_number_added(fixed);
                }
                self.check_not_full()?;
                (d, total + fixed)
            }
            Op::Modify { value, template, fraction } => {
                let by = self.number(value, fraction)?;
                if by != Number::ZERO {
                    self.host.on_modifier(by, self.render_template(template)?);
                }
                return Ok(());
            }
            Op::Throw { natural, total, passed, fraction } => {
                if self.host.wants_reports() {
                    let natural = self.number(natural, fraction)?;
                    let total = self.number(total, fraction)?;
                    let passed = passed.map(|passed| self.value(passed) != 0);
                    self.host.on_throw(natural, total, passed);
                }
                return Ok(());
            }
            Op::Need { operator, value, fraction } => {
                if self.host.wants_reports() {
                    self.host.on_need(operator, self.number(value, fraction)?);
                }
                return Ok(());
            }
            Op::Verdict { template } => {
                return discard_value(
                    self.render_template(template).map(|words| self.host.on_verdict(words)),
                );
            }
            Op::CheckEnd { label } => {
                return discard_value(
                    self.render_template(label).map(|label| self.host.on_check_end(label)),
                );
            }
            Op::Tell { how, template } => {
                self.check_not_full()?;
                let text = self.render_template(template)?;
                match how {
                    MessageKind::Say => {
                        self.report_numbers(template);
                        self.host.on_say(text);
                    }
                    MessageKind::Instruct => self.host.on_instruct(text),
                    MessageKind::Remind => self.host.on_remind(text),
                    MessageKind::Refuse => self.host.refuse(text)?,
                }
                return Ok(());
            }
            Op::SayTo { template, to } => {
                self.check_not_full()?;
                let text = self.render_template(template)?;
                self.report_numbers(template);
                match to {
                    AddresseeReg::All => self.host.on_say_to(Hearers::All, text),
                    AddresseeReg::Umpire => self.host.on_say_to(Hearers::Umpire, text),
                    AddresseeReg::Side(side) => {
                        let side: Vec<u32> = u32::try_from(self.value(side)).into_iter().collect();
                        self.host.on_say_to(Hearers::Sides(&side), text);
                    }
                    AddresseeReg::Sides(sides) => {
                        let sides = self.list_members(sides).to_vec();
                        self.host.on_say_to(Hearers::Sides(&sides), text);
                    }
                }
                return Ok(());
            }
            Op::Make { d, kind, template, owner } => {
                let name = template.map(|template| self.render_template(template)).transpose()?;
                let side = owner.map_or(String::new(), |of| self.side_of_new_piece(kind, of));
                if self.table.has_read_unknown() {
                    return Ok(());
                }
                let row =
                    self.table.make_piece(kind, name.as_deref(), &side).map_err(PlayFault::from)?;
                self.host.on_piece_made(kind, row, self.table.name(kind, row));
                (d, i64::from(row))
            }
            Op::Remove { kind, row } => {
                return discard_value(self.row(row).map(|row| self.take_off(kind, row)));
            }
            Op::Deck { op, deck } => return discard_value(self.execute_deck_op(op, deck)),
            Op::Draw { d, deck } => (d, self.draw_card(deck)?),
            Op::Pick { d, a, kind } => {
                let members = self.list_members(a).to_vec();
                let index = self.draw_lot(RandomLot { kind, members: &members, deck: None })?;
                (d, index.map_or(-1, |index| i64::from(members[index])))
            }
            Op::PickPiece { d, kind } => (d, self.pick_piece(kind)?),
            Op::AskAmong { d, a, template, ty } => (d, self.ask_among(a, template, ty)?),
            Op::Best { a } => {
                self.machine.best_answer = Some(self.value(a));
                return Ok(());
            }
            Op::AskBetween { d, low, high, template } => {
                let low = self.value(low);
                let high = self.value(high);
                let text = self.render_template(template)?;
                if low > high {
                    return Err(PlayFault::NoAnswer(text).into());
                }
                let answers = Answers::Between(low, high);
                (d, self.host.ask(Question { text, answers, best: None })?)
            }
            Op::AskFlag { d, template } => {
                let best = self.machine.best_answer.take();
                let text = self.render_template(template)?;
                (d, self.host.ask(Question { text, answers: Answers::yes_or_no(), best })?)
            }
            Op::NoRow { total } => return Err(PlayFault::NoRow(self.value(total)).into()),
            Op::Repeats { a } => {
                return match self.value(a) {
                    times if times > MAX_REPEATS => Err(PlayFault::TooOften(times).into()),
                    _ => Ok(()),
                };
            }
            // `run_straight` and `run_to_depth` execute these instructions.
            Op::Call { .. }
            | Op::Return { .. }
            | Op::Small { .. }
            | Op::Const { .. }
            | Op::Move { .. }
            | Op::Get { .. }
            | Op::Set { .. }
            | Op::Jump { .. }
            | Op::JumpTest { .. }
            | Op::JumpCell { .. }
            | Op::JumpIf { .. }
            | Op::JumpIfNot { .. }
            | Op::JumpIfSilent { .. }
            | Op::JumpIfMute { .. }
            | Op::JumpIfGone { .. }
            | Op::Mark { .. }
            | Op::Push { .. }
            | Op::Collect { .. }
            | Op::Step { .. }
            | Op::Word { .. }
            | Op::Unary { .. }
            | Op::Release { .. }
            | Op::NextPiece { .. }
            | Op::NextMarked { .. }
            | Op::NextOf { .. }
            | Op::NextIn { .. }
            | Op::NextNumber { .. }
            | Op::RollPool { .. } => return Ok(()),
        };
        if !self.table.has_read_unknown() {
            self.set_value(d, result);
        }
        Ok(())
    }

    /// Reports a call, and returns the data needed to report its end. Fails if calls are nested too
    /// deeply or there are too many events.
    fn report_call(&mut self, call: Call) -> Result<CallReport, PlayFault> {
        if let (Some(rule), true) = (call.rule, self.host.wants_reports()) {
            let given = &self.machine.registers[self.base + usize::from(call.base)..];
            self.host.on_call_begin(rule, &bound_parameters(self.machine.schema, rule, given));
        }
        self.check_not_full()?;
        let frames = &self.machine.frames;
        if frames.len() >= MAX_CALLS {
            return Err(PlayFault::TooDeep);
        }
        let value_used = match call.value {
            ValueUse::Used => true,
            ValueUse::Unused => false,
            ValueUse::Returned => frames.last().is_some_and(|f| f.called.value_used),
        };
        Ok(CallReport { rule: call.rule.is_some(), value_used })
    }

    /// Returns the names in one of the program's lists of names, with their current values.
    fn bound_names(&self, bindings: BindingsId) -> Vec<BoundName<'p>> {
        let bound = |binding: &'p NamedRegister| {
            let value = self.value(binding.reg);
            BoundName { name: &binding.name, ty: binding.ty, value }
        };
        self.machine.program.bindings[bindings.0 as usize].iter().map(bound).collect()
    }

    fn ask_among(&mut self, list: Reg, template: TemplateId, ty: Type) -> Result<i64, Interrupt> {
        let best = self.machine.best_answer.take();
        let members = self.list_members(list).to_vec();
        let text = self.render_template(template)?;
        if members.is_empty() {
            return Err(PlayFault::NoAnswer(text).into());
        }
        let wants_names = self.host.wants_words();
        let named = |member: u32| match i64::from(member) {
            n if wants_names => (n, value_text(self.machine.schema, self.table, n, ty)),
            n => (n, String::new()),
        };
        let answers = Answers::Named(members.into_iter().map(named).collect());
        Ok(self.host.ask(Question { text, answers, best })?)
    }
}

/// Converts the result of an operation that returns no value: a fault becomes an interrupt.
#[inline(always)]
fn discard_value(result: Result<(), PlayFault>) -> Result<(), Interrupt> {
    result.map_err(Interrupt::Fault)
}

fn check_dice_number(count: i64, most: u32, what: &'static str) -> Result<u32, PlayFault> {
    let fits = u32::try_from(count).ok().filter(|n| *n <= most);
    fits.ok_or(PlayFault::BadDice { count, what })
}
