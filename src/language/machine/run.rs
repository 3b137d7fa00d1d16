//! The loop that carries out instructions, one match for all of them.

use super::arithmetic::{number_op, unary, word_op};
use super::host::parameters;
use super::{
    Answers, Bound, Called, Halt, Host, Interrupt, Lot, MAX_CALLS, MAX_REPEATS, Machine, PlayError,
    PlayFault, Question, World, pack, shown, unpack,
};
use crate::dice::{DiceValue, MAX_DICE, MAX_SIDES};
use crate::language::code::{
    Binding, BindingsId, Call, Context, EVERY, Op, Reg, Target, Telling, TemplateId, ValueUse,
};
use crate::language::number::Number;
use crate::language::schema::{FunctionId, Type};

/// A machine at work over a table, with the host it asks.
pub(super) struct Run<'r, 'p, T, H> {
    pub(super) machine: &'r mut Machine<'p>,
    pub(super) table: &'r mut T,
    pub(super) host: &'r mut H,
    /// Where the registers of the function begin.
    pub(super) base: usize,
}

/// Where a run goes on after an instruction.
enum Next {
    /// With the following instruction.
    On,
    /// With a function whose registers begin here.
    Call(FunctionId, usize, Called),
    /// In the caller, with this value.
    Return(i64),
}

impl<'p, T: World, H: Host> Run<'_, 'p, T, H> {
    /// Runs until the frames are back at `depth`.
    pub(super) fn until(&mut self, depth: usize) -> Result<i64, Halt> {
        let Some(frame) = self.machine.frames.last() else { return Ok(0) };
        let mut at = frame.at as usize;
        self.base = frame.base as usize;
        let mut code = self.machine.code(frame.function);
        let mut ops = code.code.as_slice();
        // Those since the machine was last told; a run goes on for long only by going back and by calls.
        let mut steps = 0;
        loop {
            let Some(op) = ops.get(at) else { return Ok(0) };
            steps += 1;
            let (frames, lists) = (self.machine.frames.len(), self.machine.store.len());
            let to = self.quick(op, at);
            if let Some(to) = to.filter(|to| *to > at && !self.table.is_unknown()) {
                at = to;
                continue;
            }
            self.machine.steps += std::mem::take(&mut steps);
            let next = match (self.machine.tick(), to) {
                (Err(fault), _) => Err(fault.into()),
                (Ok(()), Some(_)) if self.table.is_unknown() => Ok(Next::On),
                (Ok(()), Some(to)) => {
                    at = to;
                    continue;
                }
                (Ok(()), None) => self.step(op),
            };
            if self.table.is_unknown() {
                // What it read must be known first: it is carried out again.
                self.machine.frames.truncate(frames);
                self.machine.store.truncate(lists);
                self.machine.stand_at(at);
                return Err(Halt::Branch);
            }
            match next {
                Ok(Next::On) => at += 1,
                Ok(Next::Call(function, base, called)) => {
                    self.machine.stand_at(at + 1);
                    self.machine.enter(function, base, called);
                    code = self.machine.code(function);
                    ops = &code.code;
                    (at, self.base) = (0, base);
                }
                Ok(Next::Return(value)) => {
                    let value = self.machine.leave(value, self.host);
                    self.machine.registers[self.base] = value;
                    match self.machine.frames.last() {
                        Some(frame) if self.machine.frames.len() > depth => {
                            code = self.machine.code(frame.function);
                            ops = &code.code;
                            (at, self.base) = (frame.at as usize, frame.base as usize);
                        }
                        _ => return Ok(value),
                    }
                }
                Err(Interrupt::Halt(halt)) => {
                    // A host that branches goes on with this instruction.
                    self.machine.stand_at(at);
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

    #[inline(always)]
    pub(super) fn value(&self, reg: Reg) -> i64 {
        self.machine.registers[self.base + usize::from(reg)]
    }

    #[inline(always)]
    fn set_value(&mut self, reg: Reg, value: i64) {
        self.machine.registers[self.base + usize::from(reg)] = value;
    }

    /// Returns the row of the piece in a register, which must not be `none`.
    #[inline(always)]
    pub(super) fn row(&self, reg: Reg) -> Result<u32, PlayFault> {
        u32::try_from(self.value(reg)).map_err(|_| PlayFault::OfNone)
    }

    /// Returns the number in a register that holds a fraction or a whole number.
    fn number(&self, reg: Reg, fraction: bool) -> Result<Number, PlayFault> {
        match fraction {
            true => Ok(Number::from_bits(self.value(reg))),
            false => Number::whole(self.value(reg)).ok_or(PlayFault::TooLarge),
        }
    }

    /// Stops a command that brings about more than can be recorded.
    pub(super) fn not_too_much(&self) -> Result<(), PlayFault> {
        match self.host.is_full() {
            true => Err(PlayFault::TooMuch),
            false => Ok(()),
        }
    }

    /// Carries out one of the instructions that rules are mostly made of, and returns the place of the next. None if it
    /// is another, or cannot be carried out; nothing has been done then.
    #[inline(always)]
    fn quick(&mut self, op: &Op, at: usize) -> Option<usize> {
        let jump_if = |holds: bool, to: Target| Some(if holds { to.0 as usize } else { at + 1 });
        let (d, result) = match *op {
            Op::Small { d, n } => (d, i64::from(n)),
            Op::Const { d, k } => (d, self.machine.program.constants[k as usize]),
            Op::Move { d, s } => (d, self.value(s)),
            Op::Get { d, column, row } => (d, self.table.get(column, self.row(row).ok()?)),
            Op::Jump { to } => return Some(to.0 as usize),
            Op::JumpTest { test, when, a, b, to } => {
                return jump_if(test.holds(self.value(a), self.value(b)) == when, to);
            }
            Op::JumpCell { test, when, column, row, n, to } => {
                let cell = self.table.get(column, self.row(row).ok()?);
                return jump_if(test.holds(cell, i64::from(n)) == when, to);
            }
            Op::JumpIfOther { only, member, to } => {
                let only = self.value(only);
                return jump_if(only != i64::from(EVERY) && only != self.value(member), to);
            }
            Op::JumpIf { a, to } => return jump_if(self.value(a) != 0, to),
            Op::JumpIfNot { a, to } => return jump_if(self.value(a) == 0, to),
            Op::JumpIfSilent { to } => return jump_if(!self.host.reports(), to),
            Op::JumpIfMute { to } => return jump_if(!self.host.words(), to),
            Op::JumpIfGone { kind, a, to } => {
                let there = self.row(a).is_ok_and(|row| self.table.is_there(kind, row));
                return jump_if(!there, to);
            }
            Op::NextPiece { d, at: place, kind, end } => {
                let next = self.table.next_piece(kind, self.value(place) as u32);
                return jump_if(!self.advance(next.map(i64::from), d, place), end);
            }
            Op::NextMarked { d, at: place, column, end } => {
                let next = self.table.next_marked(column, self.value(place) as u32);
                return jump_if(!self.advance(next.map(i64::from), d, place), end);
            }
            Op::NextOf { d, at: place, list, row, end } => {
                let members = self.table.list(list, self.row(row).ok()?);
                let next = members.get(self.value(place) as usize).copied();
                return jump_if(!self.take_next(next, d, place), end);
            }
            Op::NextIn { d, at: place, a, end } => {
                let next = self.members(a).get(self.value(place) as usize).copied();
                return jump_if(!self.take_next(next, d, place), end);
            }
            Op::NextNumber { d, at: place, last, end } if !self.host.stops_at_turn() => {
                let next = Some(self.value(place)).filter(|next| *next <= self.value(last));
                return jump_if(!self.advance(next, d, place), end);
            }
            _ => return None,
        };
        if !self.table.is_unknown() {
            self.set_value(d, result);
        }
        Some(at + 1)
    }

    /// Carries out any other instruction.
    #[inline(never)]
    fn step(&mut self, op: &Op) -> Result<Next, Interrupt> {
        let (d, result) = match *op {
            Op::Unary { d, op, a } => (d, unary(op, self.value(a))?),
            Op::Number { d, op, fraction, a, b } => {
                (d, number_op(op, fraction, self.value(a), self.value(b))?)
            }
            Op::Word { d, op, a, b } => (d, word_op(op, self.value(a), self.value(b))?),
            Op::SameList { d, a, b } => (d, i64::from(self.members(a) == self.members(b))),
            Op::Set { how, column, row, value } => {
                return on(self.set(how, column, self.row(row)?, self.value(value)));
            }
            Op::GetList { d, list, row } => {
                (d, self.machine.push_all(self.table.list(list, self.row(row)?))?)
            }
            Op::SetList { how, list, row, value } => {
                return on(self.set_list(how, list, self.row(row)?, self.value(value)));
            }
            Op::Holds { d, list, row, value } => {
                let members = self.table.list(list, self.row(row)?);
                (d, i64::from(members.iter().any(|&m| i64::from(m) == self.value(value))))
            }
            Op::InList { d, a, value } => {
                let members = self.members(a);
                let found = members.iter().any(|&m| i64::from(m) == self.value(value));
                self.machine.steps += members.len() as u64;
                (d, i64::from(found))
            }
            Op::Nth { d, a, n, must } => (d, self.machine.nth(self.value(a), self.value(n), must)?),
            Op::NoMember {} => return Err(PlayFault::NothingToChoose.into()),
            Op::Within { a, limits, fraction } => {
                return on(self.machine.within(limits, self.value(a), fraction));
            }
            Op::Mark { d } => (d, pack(self.machine.store.len(), 0)),
            Op::Push { a } => return on(self.machine.push(self.value(a))),
            Op::Join { d, a, b } => (d, self.machine.join(self.value(a), self.value(b))?),
            Op::Collect { d, a } => {
                let (start, _) = unpack(self.value(a));
                (d, pack(start, self.machine.store.len().saturating_sub(start)))
            }
            Op::Release { a } => {
                let (start, _) = unpack(self.value(a));
                self.machine.store.truncate(start);
                return Ok(Next::On);
            }
            Op::Call { call } => return self.descend(call),
            Op::Return { a } => return Ok(Next::Return(self.value(a))),
            Op::Bound { bindings, turn } => {
                if self.host.reports() {
                    self.host.bound(&self.bound(bindings), turn);
                }
                return Ok(Next::On);
            }
            Op::Chart { d, chart, a, b } => {
                (d, self.machine.chart(chart, self.value(a), self.value(b))?)
            }
            Op::Way { d, way } => (d, self.way(way)?),
            Op::Native { d, function, a, b } => {
                let context = Context { program: self.machine.program, table: self.table };
                (d, function(&context, self.value(a), self.value(b))?)
            }
            Op::Step { d, a, b, n } => {
                let area = self.area_beyond(self.row(a)?, self.value(b), self.value(n));
                (d, self.machine.push_all(area.as_slice())?)
            }
            Op::Text { d, template } => {
                let text = self.render(template)?;
                (d, self.table.intern(&text).ok_or(PlayFault::TooMuchText)?)
            }
            Op::CheckBegin {} => {
                self.host.check_begins();
                return Ok(Next::On);
            }
            Op::Reroll {} => {
                self.host.thrown_again();
                return Ok(Next::On);
            }
            Op::RollPool { d, pool } => {
                let total = self.host.roll(&self.machine.program.pools[pool as usize])?;
                self.not_too_much()?;
                (d, total)
            }
            Op::RollDice { d, count, sides } => {
                let count = dice_limit(self.value(count).max(0), MAX_DICE, "dice")?;
                let sides = dice_limit(self.value(sides), MAX_SIDES, "sides")?;
                let total = if count == 0 { 0 } else { self.host.dice(count, sides)? };
                self.not_too_much()?;
                (d, total)
            }
            Op::RollValue { d, count, dice } => {
                let value = DiceValue::from_bits(self.value(dice));
                let times = dice_limit(self.value(count).max(0), MAX_DICE, "dice")?;
                let thrown = i64::from(times) * i64::from(value.count);
                let thrown = dice_limit(thrown, MAX_DICE, "dice")?;
                let total = if thrown == 0 { 0 } else { self.host.dice(thrown, value.sides)? };
                let fixed = value.fixed * i64::from(times);
                if thrown > 0 && fixed != 0 {
                    self.host.added(fixed);
                }
                self.not_too_much()?;
                (d, total + fixed)
            }
            Op::Modify { value, template, fraction } => {
                let by = self.number(value, fraction)?;
                if by != Number::ZERO {
                    self.host.modifier(by, self.render(template)?);
                }
                return Ok(Next::On);
            }
            Op::Throw { natural, total, passed, fraction } => {
                if self.host.reports() {
                    let natural = self.number(natural, fraction)?;
                    let total = self.number(total, fraction)?;
                    let passed = passed.map(|passed| self.value(passed) != 0);
                    self.host.thrown(natural, total, passed);
                }
                return Ok(Next::On);
            }
            Op::Need { operator, value, fraction } => {
                if self.host.reports() {
                    self.host.need(operator, self.number(value, fraction)?);
                }
                return Ok(Next::On);
            }
            Op::Verdict { template } => {
                return on(self.render(template).map(|words| self.host.verdict(words)));
            }
            Op::CheckEnd { label } => {
                return on(self.render(label).map(|label| self.host.check_ends(label)));
            }
            Op::Tell { how, template } => {
                self.not_too_much()?;
                let text = self.render(template)?;
                match how {
                    Telling::Say => {
                        if self.host.counts() {
                            let numbers = self.numbers(template);
                            numbers.into_iter().for_each(|(what, n)| self.host.number(what, n));
                        }
                        self.host.said(text);
                    }
                    Telling::Remind => self.host.reminded(text),
                    Telling::Refuse => self.host.refuse(text)?,
                }
                return Ok(Next::On);
            }
            Op::Make { d, kind, template, owner } => {
                let name = template.map(|template| self.render(template)).transpose()?;
                let side = owner.map_or(String::new(), |of| self.side_of_new(kind, of));
                if self.table.is_unknown() {
                    return Ok(Next::On);
                }
                let row = self.table.make(kind, name.as_deref(), &side).map_err(PlayFault::from)?;
                self.host.made(kind, row, self.table.name(kind, row));
                (d, i64::from(row))
            }
            Op::Remove { kind, row } => {
                return on(self.row(row).map(|row| self.take_off(kind, row)));
            }
            Op::Deck { op, deck } => return on(self.deck(op, deck)),
            Op::Draw { d, deck } => (d, self.draw(deck)?),
            Op::Pick { d, a, kind } => {
                let members = self.members(a).to_vec();
                let place = self.take_lot(Lot { kind, members: &members, deck: None })?;
                (d, place.map_or(-1, |place| i64::from(members[place])))
            }
            Op::PickPiece { d, kind } => (d, self.pick_piece(kind)?),
            Op::AskAmong { d, a, template, ty } => (d, self.ask_among(a, template, ty)?),
            Op::AskBetween { d, low, high, template } => {
                let (low, high) = (self.value(low), self.value(high));
                let text = self.render(template)?;
                if low > high {
                    return Err(PlayFault::NoAnswer(text).into());
                }
                (d, self.host.ask(Question::new(text, Answers::Between(low, high)))?)
            }
            Op::AskFlag { d, template } => {
                (d, self.host.ask(Question::new(self.render(template)?, Answers::Flag))?)
            }
            Op::NoRow { total } => return Err(PlayFault::NoRow(self.value(total)).into()),
            Op::Repeats { a } => {
                return match self.value(a) {
                    times if times > MAX_REPEATS => Err(PlayFault::TooOften(times).into()),
                    _ => Ok(Next::On),
                };
            }
            // Carried out by `quick`, but of no piece.
            Op::Small { .. }
            | Op::Const { .. }
            | Op::Move { .. }
            | Op::Get { .. }
            | Op::Jump { .. }
            | Op::JumpTest { .. }
            | Op::JumpCell { .. }
            | Op::JumpIfOther { .. }
            | Op::JumpIf { .. }
            | Op::JumpIfNot { .. }
            | Op::JumpIfSilent { .. }
            | Op::JumpIfMute { .. }
            | Op::JumpIfGone { .. }
            | Op::NextPiece { .. }
            | Op::NextMarked { .. }
            | Op::NextOf { .. }
            | Op::NextIn { .. } => return Err(PlayFault::OfNone.into()),
            // The host stops before the next turn.
            Op::NextNumber { .. } => return Err(Halt::Branch.into()),
        };
        if !self.table.is_unknown() {
            self.set_value(d, result);
        }
        Ok(Next::On)
    }

    fn members(&self, list: Reg) -> &[u32] {
        self.machine.members(self.value(list))
    }

    /// Sets the member of a loop over ascending numbers and moves its place past it; false if there is none.
    fn advance(&mut self, next: Option<i64>, d: Reg, at: Reg) -> bool {
        let Some(member) = next else { return false };
        if !self.table.is_unknown() {
            self.set_value(d, member);
            self.set_value(at, member.saturating_add(1));
        }
        true
    }

    /// Sets the member of a loop over a list and moves its place on by one; false if there is none.
    fn take_next(&mut self, next: Option<u32>, d: Reg, at: Reg) -> bool {
        let Some(member) = next else { return false };
        if !self.table.is_unknown() {
            self.set_value(d, i64::from(member));
            self.set_value(at, self.value(at) + 1);
        }
        true
    }

    fn descend(&mut self, call: Call) -> Result<Next, Interrupt> {
        let base = self.base + usize::from(call.base);
        if let (Some(rule), true) = (call.rule, self.host.reports()) {
            let given = &self.machine.registers[base..];
            self.host.call_begins(rule, &parameters(self.machine.schema, rule, given));
        }
        self.not_too_much()?;
        let frames = &self.machine.frames;
        if frames.len() >= MAX_CALLS {
            return Err(PlayFault::TooDeep.into());
        }
        let value_used = match call.value {
            ValueUse::Used => true,
            ValueUse::Unused => false,
            ValueUse::Returned => frames.last().is_some_and(|f| f.called.value_used),
        };
        let called = Called { rule: call.rule.is_some(), value_used };
        Ok(Next::Call(call.function, base, called))
    }

    /// Returns names of the program with the values they stand for now.
    fn bound(&self, bindings: BindingsId) -> Vec<Bound<'p>> {
        let bound = |binding: &'p Binding| {
            let value = self.value(binding.reg);
            Bound { name: &binding.name, ty: binding.ty, value }
        };
        self.machine.program.bindings[bindings.0 as usize].iter().map(bound).collect()
    }

    fn ask_among(&mut self, list: Reg, template: TemplateId, ty: Type) -> Result<i64, Interrupt> {
        let members = self.members(list).to_vec();
        let text = self.render(template)?;
        if members.is_empty() {
            return Err(PlayFault::NoAnswer(text).into());
        }
        let option = |&member: &u32| shown(self.machine.schema, self.table, i64::from(member), ty);
        let options = match self.host.reports() {
            true => members.iter().map(option).collect(),
            false => Vec::new(),
        };
        Ok(self.host.ask(Question { text, answers: Answers::Among(ty, members), options })?)
    }
}

/// Goes on with the following instruction, unless something went wrong.
#[inline(always)]
fn on(result: Result<(), PlayFault>) -> Result<Next, Interrupt> {
    result.map(|()| Next::On).map_err(Interrupt::Fault)
}

fn dice_limit(count: i64, most: u32, what: &'static str) -> Result<u32, PlayFault> {
    let fits = u32::try_from(count).ok().filter(|n| *n <= most);
    fits.ok_or(PlayFault::BadDice { count, what })
}
