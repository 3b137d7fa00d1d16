//! The loop that carries out instructions, one match for all of them.

use super::arithmetic::{number_op, unary, whole_op};
use super::decks::take_lot;
use super::host::parameters;
use super::{
    Answers, Bound, Called, Halt, Host, Interrupt, Lot, MAX_CALLS, MAX_REPEATS, MAX_STEPS, Machine,
    PlayError, PlayFault, Question, World, pack, row_of, shown, unpack,
};
use crate::dice::{MAX_DICE, MAX_SIDES};
use crate::language::code::{Binding, Context, Op, Reg, Target, Telling, ValueUse};
use crate::language::number::Number;
use crate::language::schema::{FunctionId, Type};

/// Where a run goes on after an instruction.
enum Next {
    /// With the following instruction.
    On,
    /// With another instruction of the function.
    Jump(Target),
    /// With a function whose registers begin here.
    Call(FunctionId, usize, Called),
    /// In the caller, with this value.
    Return(i64),
}

impl<'p> Machine<'p> {
    /// Runs until the frames are back at `depth`.
    pub(super) fn run<T: World, H: Host>(
        &mut self,
        depth: usize,
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        let Some(frame) = self.frames.last() else { return Ok(0) };
        let (mut at, mut base) = (frame.at as usize, frame.base as usize);
        let mut code = self.code(frame.function);
        loop {
            let Some(&op) = code.code.get(at) else { return Ok(0) };
            self.steps += 1;
            let next = match self.steps > MAX_STEPS {
                true => Err(PlayFault::TooLong.into()),
                false => self.step(op, base, table, host),
            };
            match next {
                Ok(Next::On) => at += 1,
                Ok(Next::Jump(to)) => at = to as usize,
                Ok(Next::Call(function, window, called)) => {
                    self.stand_at(at + 1);
                    self.enter(function, window, called);
                    code = self.code(function);
                    (at, base) = (0, window);
                }
                Ok(Next::Return(value)) => {
                    let value = self.leave(value, host);
                    self.registers[base] = value;
                    match self.frames.last() {
                        Some(frame) if self.frames.len() > depth => {
                            code = self.code(frame.function);
                            (at, base) = (frame.at as usize, frame.base as usize);
                        }
                        _ => return Ok(value),
                    }
                }
                Err(Interrupt::Halt(halt)) => {
                    // A host that branches goes on with this instruction.
                    self.stand_at(at);
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

    fn stand_at(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = at as u32;
        }
    }

    /// Carries out one instruction.
    #[inline(always)]
    fn step<T: World, H: Host>(
        &mut self,
        op: Op,
        base: usize,
        table: &mut T,
        host: &mut H,
    ) -> Result<Next, Interrupt> {
        let value = |reg: Reg| self.registers[base + usize::from(reg)];
        let jump_if = |holds, to| Ok(if holds { Next::Jump(to) } else { Next::On });
        let (d, result) = match op {
            Op::Small { d, n } => (d, i64::from(n)),
            Op::Const { d, k } => (d, self.program.constants[k as usize]),
            Op::Move { d, s } => (d, value(s)),
            Op::Unary { op, d, a } => (d, unary(op, value(a))?),
            Op::Whole { op, d, a, b } => (d, whole_op(op, value(a), value(b))?),
            Op::Number { op, d, a, b } => (d, number_op(op, value(a), value(b))?),
            Op::SameList { d, a, b } => {
                (d, i64::from(self.members(value(a)) == self.members(value(b))))
            }
            Op::Jump { to } => return Ok(Next::Jump(to)),
            Op::JumpIf { a, to } => return jump_if(value(a) != 0, to),
            Op::JumpIfNot { a, to } => return jump_if(value(a) == 0, to),
            Op::JumpIfSilent { to } => return jump_if(!host.reports(), to),
            Op::JumpIfMute { to } => return jump_if(!host.words(), to),
            Op::JumpIfGone { kind, a, to } => {
                let there = u32::try_from(value(a)).is_ok_and(|row| table.is_there(kind, row));
                return jump_if(!there, to);
            }
            Op::Get { d, column, row } => (d, table.get(column, row_of(value(row))?)),
            Op::Set { how, column, row, value: given } => {
                self.set(how, column, row_of(value(row))?, value(given), table, host)?;
                return Ok(Next::On);
            }
            Op::GetList { d, list, row } => {
                (d, self.push_all(table.list(list, row_of(value(row))?))?)
            }
            Op::SetList { how, list, row, value: given } => {
                self.set_list(how, list, row_of(value(row))?, value(given), table, host)?;
                return Ok(Next::On);
            }
            Op::Holds { d, list, row, value: member } => {
                let members = table.list(list, row_of(value(row))?);
                (d, i64::from(members.iter().any(|&m| i64::from(m) == value(member))))
            }
            Op::InList { d, a, value: member } => {
                let members = self.members(value(a));
                let found = members.iter().any(|&m| i64::from(m) == value(member));
                self.steps += members.len() as u64;
                (d, i64::from(found))
            }
            Op::Nth { d, a, n, must } => (d, self.nth(value(a), value(n), must)?),
            Op::NoMember => return Err(PlayFault::NothingToChoose.into()),
            Op::Within { a, limits, fraction } => {
                self.within(limits, value(a), fraction)?;
                return Ok(Next::On);
            }
            Op::Mark { d } => (d, pack(self.store.len(), 0)),
            Op::Push { a } => {
                self.push(value(a))?;
                return Ok(Next::On);
            }
            Op::Join { d, a, b } => (d, self.join(value(a), value(b))?),
            Op::Collect { d, a } => {
                let (start, _) = unpack(value(a));
                (d, pack(start, self.store.len().saturating_sub(start)))
            }
            Op::Release { a } => {
                let (start, _) = unpack(value(a));
                self.store.truncate(start);
                return Ok(Next::On);
            }
            Op::NextPiece { d, at, kind, end } => {
                let next = table.next_piece(kind, value(at) as u32);
                return Ok(self.advance(next.map(i64::from), base, d, at, end));
            }
            Op::NextMarked { d, at, column, end } => {
                let next = table.next_marked(column, value(at) as u32);
                return Ok(self.advance(next.map(i64::from), base, d, at, end));
            }
            Op::NextOf { d, at, list, row, end } => {
                let members = table.list(list, row_of(value(row))?);
                let next = members.get(value(at) as usize).copied();
                return Ok(self.take_next(next, base, d, at, end));
            }
            Op::NextIn { d, at, a, end } => {
                let next = self.members(value(a)).get(value(at) as usize).copied();
                return Ok(self.take_next(next, base, d, at, end));
            }
            Op::NextNumber { d, at, last, end } => {
                let next = Some(value(at)).filter(|next| *next <= value(last));
                return Ok(self.advance(next, base, d, at, end));
            }
            Op::Call { function, base: window, value } => {
                return self.descend(function, base + usize::from(window), false, value, host);
            }
            Op::CallRule { rule, base: window, value } => {
                let window = base + usize::from(window);
                if host.reports() {
                    let bound = parameters(self.schema, rule, &self.registers[window..]);
                    host.call_begins(rule, &bound);
                }
                let function = self.schema.rules[rule.index()].function;
                return self.descend(function, window, true, value, host);
            }
            Op::Return { a } => return Ok(Next::Return(value(a))),
            Op::TurnBegins { bindings } => {
                if host.reports() {
                    host.turn_begins(&self.bound(bindings, base));
                }
                return Ok(Next::On);
            }
            Op::Bound { bindings } => {
                if host.reports() {
                    self.bound(bindings, base).into_iter().for_each(|bound| host.bound(bound));
                }
                return Ok(Next::On);
            }
            Op::Chart { d, chart, a, b } => (d, self.chart(chart, value(a), value(b))?),
            Op::Way { d, way } => (d, self.way(way, base, table, host)?),
            Op::Native { function, d, a, b } => {
                let context = Context { program: self.program, table };
                (d, function(&context, value(a), value(b))?)
            }
            Op::Step { d, a, b, n } => {
                let area = self.area_beyond(row_of(value(a))?, value(b), value(n), table);
                (d, self.push_all(area.as_slice())?)
            }
            Op::Text { d, template } => {
                let text = self.render(template, base, table)?;
                (d, table.intern(&text).ok_or(PlayFault::TooMuchText)?)
            }
            Op::CheckBegin => {
                host.check_begins();
                return Ok(Next::On);
            }
            Op::RollPool { d, pool } => {
                let total = host.roll(&self.program.pools[pool as usize])?;
                Self::not_too_much(host)?;
                (d, total)
            }
            Op::RollDice { d, count, sides } => {
                let count = dice_limit(value(count).max(0), MAX_DICE, "dice")?;
                let sides = dice_limit(value(sides), MAX_SIDES, "sides")?;
                let total = if count == 0 { 0 } else { host.dice(count, sides)? };
                Self::not_too_much(host)?;
                (d, total)
            }
            Op::Modify { value, template, fraction } => {
                let by = self.number(base, value, fraction)?;
                if by != Number::ZERO {
                    let reason = self.render(template, base, table)?;
                    host.modifier(by, reason);
                }
                return Ok(Next::On);
            }
            Op::Throw { natural, total, passed, fraction } => {
                if host.reports() {
                    let natural = self.number(base, natural, fraction)?;
                    let total = self.number(base, total, fraction)?;
                    host.thrown(natural, total, passed.map(|passed| value(passed) != 0));
                }
                return Ok(Next::On);
            }
            Op::Need { operator, value, fraction } => {
                if host.reports() {
                    host.need(operator, self.number(base, value, fraction)?);
                }
                return Ok(Next::On);
            }
            Op::Verdict { template } => {
                let words = self.render(template, base, table)?;
                host.verdict(words);
                return Ok(Next::On);
            }
            Op::CheckEnd { label } => {
                let label = self.render(label, base, table)?;
                host.check_ends(label);
                return Ok(Next::On);
            }
            Op::Tell { how, template } => {
                Self::not_too_much(host)?;
                let text = self.render(template, base, table)?;
                match how {
                    Telling::Say => host.said(text),
                    Telling::Remind => host.reminded(text),
                    Telling::Refuse => {
                        if !host.refused(text.clone()) {
                            return Err(Halt::Refused(text).into());
                        }
                    }
                }
                return Ok(Next::On);
            }
            Op::Make { d, kind, template } => {
                let name = template.map(|t| self.render(t, base, table)).transpose()?;
                let row = table.make(kind, name.as_deref()).map_err(PlayFault::from)?;
                host.made(kind, row, table.name(kind, row));
                (d, i64::from(row))
            }
            Op::Remove { kind, row } => {
                let row = row_of(value(row))?;
                self.take_off(kind, row, table, host);
                return Ok(Next::On);
            }
            Op::Deck { op, deck } => {
                self.deck(op, deck, base, table, host)?;
                return Ok(Next::On);
            }
            Op::Draw { d, deck } => (d, self.draw(deck, table, host)?),
            Op::Pick { d, a, kind } => {
                let members = self.members(value(a)).to_vec();
                let lot = Lot { kind, members: &members, deck: None };
                let place = take_lot(lot, table, host)?;
                (d, place.map_or(-1, |place| i64::from(members[place])))
            }
            Op::AskAmong { d, a, template, ty } => {
                (d, self.ask_among(value(a), template, ty, base, table, host)?)
            }
            Op::AskBetween { d, low, high, template } => {
                let (low, high) = (value(low), value(high));
                let text = self.render(template, base, table)?;
                if low > high {
                    return Err(PlayFault::NoAnswer(text).into());
                }
                let answers = Answers::Between(low, high);
                (d, host.ask(Question { text, answers, options: Vec::new() })?)
            }
            Op::AskFlag { d, template } => {
                let text = self.render(template, base, table)?;
                let answers = Answers::Flag;
                (d, host.ask(Question { text, answers, options: Vec::new() })?)
            }
            Op::NoRow { total } => return Err(PlayFault::NoRow(value(total)).into()),
            Op::Repeats { a } => {
                return match value(a) > MAX_REPEATS {
                    true => Err(PlayFault::TooOften(value(a)).into()),
                    false => Ok(Next::On),
                };
            }
        };
        self.registers[base + usize::from(d)] = result;
        Ok(Next::On)
    }

    /// Sets the member of a loop over ascending numbers and moves its place past it, or ends the loop.
    fn advance(&mut self, next: Option<i64>, base: usize, d: Reg, at: Reg, end: Target) -> Next {
        let Some(member) = next else { return Next::Jump(end) };
        self.registers[base + usize::from(d)] = member;
        self.registers[base + usize::from(at)] = member.saturating_add(1);
        Next::On
    }

    /// Sets the member of a loop over a list and moves its place on by one, or ends the loop.
    fn take_next(&mut self, next: Option<u32>, base: usize, d: Reg, at: Reg, end: Target) -> Next {
        let Some(member) = next else { return Next::Jump(end) };
        self.registers[base + usize::from(d)] = i64::from(member);
        self.registers[base + usize::from(at)] += 1;
        Next::On
    }

    fn descend<H: Host>(
        &self,
        function: FunctionId,
        window: usize,
        rule: bool,
        value: ValueUse,
        host: &H,
    ) -> Result<Next, Interrupt> {
        Self::not_too_much(host)?;
        if self.frames.len() >= MAX_CALLS {
            return Err(PlayFault::TooDeep.into());
        }
        let value_used = match value {
            ValueUse::Used => true,
            ValueUse::Unused => false,
            ValueUse::Returned => self.frames.last().is_some_and(|f| f.called.value_used),
        };
        Ok(Next::Call(function, window, Called { rule, value_used }))
    }

    /// Returns names of the program with the values they stand for now.
    fn bound(&self, bindings: u32, base: usize) -> Vec<Bound<'p>> {
        let bound = |binding: &'p Binding| {
            let value = self.registers[base + usize::from(binding.reg)];
            Bound { name: &binding.name, ty: binding.ty, value }
        };
        self.program.bindings[bindings as usize].iter().map(bound).collect()
    }

    fn ask_among<T: World, H: Host>(
        &mut self,
        list: i64,
        template: u32,
        ty: Type,
        base: usize,
        table: &T,
        host: &mut H,
    ) -> Result<i64, Interrupt> {
        let members = self.members(list).to_vec();
        let text = self.render(template, base, table)?;
        if members.is_empty() {
            return Err(PlayFault::NoAnswer(text).into());
        }
        let option = |&member: &u32| shown(self.schema, table, i64::from(member), ty);
        let options = match host.reports() {
            true => members.iter().map(option).collect(),
            false => Vec::new(),
        };
        Ok(host.ask(Question { text, answers: Answers::Among(ty, members), options })?)
    }
}

fn dice_limit(count: i64, most: u32, what: &'static str) -> Result<u32, PlayFault> {
    let fits = u32::try_from(count).ok().filter(|n| *n <= most);
    fits.ok_or(PlayFault::BadDice { count, what })
}
