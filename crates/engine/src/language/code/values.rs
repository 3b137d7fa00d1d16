//! The values in a function's registers, followed along the ways that can be taken (Wegman and Zadeck, "Constant
//! propagation with conditional branches", 1991).

use std::borrow::Cow;

use super::facts::Facts;
use super::{Effect, Function, Op, Program, Reg, Target, UnaryOp};
use crate::language::machine::{number_op, unary, word_op};
use crate::language::schema::{ListId, Schema};

/// The most values that are followed in one function.
const MOST_VALUES: usize = 1_000_000;

/// Knowledge of a value whenever an instruction is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certain {
    Is(i32),
    /// The row of some piece, not `none`.
    Row,
    /// A list without members; so is a mark.
    Empty,
    /// A mark at the end of the list store.
    End,
    /// A mark behind which one member has been added, the value of a register.
    Pushed(Reg),
    /// The list of one member, the value of a register.
    One(Reg),
    /// The list of at most one area, as [`Op::Step`] makes it of these registers.
    Step(Reg, Reg, Reg),
    /// The members of a list that no rule changes, of the piece whose row is in a register.
    Members(ListId, Reg),
    Any,
}

impl Certain {
    fn meet(self, other: Certain) -> Certain {
        match (self, other) {
            (a, b) if a == b => a,
            (a, b) if a.is_row() && b.is_row() => Certain::Row,
            (a, b) if a.is_empty() && b.is_empty() => Certain::Empty,
            _ => Certain::Any,
        }
    }

    pub(super) fn is_row(self) -> bool {
        matches!(self, Certain::Row | Certain::Is(0..))
    }

    pub(super) fn is_empty(self) -> bool {
        matches!(self, Certain::Empty | Certain::End | Certain::Pushed(_))
    }

    /// Returns true if a list has one member at most.
    fn is_short(self) -> bool {
        matches!(self, Certain::One(_) | Certain::Step(..))
    }

    /// Returns true if a register of which this holds is spoken of.
    fn speaks_of(self, these: impl Fn(Reg) -> bool) -> bool {
        match self {
            Certain::Members(_, a) | Certain::One(a) | Certain::Pushed(a) => these(a),
            Certain::Step(a, b, n) => these(a) || these(b) || these(n),
            Certain::Is(_) | Certain::Row | Certain::Empty | Certain::End | Certain::Any => false,
        }
    }

    fn number(self) -> Option<i64> {
        match self {
            Certain::Is(n) => Some(n.into()),
            _ => None,
        }
    }
}

/// Knowledge of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    value: Certain,
    /// The register that it is a copy of; itself if of none.
    source: Reg,
}

/// Knowledge of all registers of a function.
#[derive(Clone, Debug)]
pub(super) struct Values(Box<[Known]>);

impl Values {
    fn unknown(registers: Reg) -> Values {
        Values((0..registers).map(|source| Known { value: Certain::Any, source }).collect())
    }

    pub(super) fn of(&self, reg: Reg) -> Certain {
        self.0[usize::from(reg)].value
    }

    pub(super) fn source(&self, reg: Reg) -> Reg {
        self.0[usize::from(reg)].source
    }

    /// Records that a register holds a piece, as the instruction would fail otherwise.
    fn is_a_row(&mut self, reg: Reg) {
        let value = &mut self.0[usize::from(reg)].value;
        *value = if value.is_row() { *value } else { Certain::Row };
    }

    fn write(&mut self, d: Reg, value: Certain) {
        let value = if value.speaks_of(|reg| reg == d) { Certain::Any } else { value };
        for (reg, known) in self.0.iter_mut().enumerate() {
            if known.source == d {
                known.source = reg as Reg;
            }
            if known.value.speaks_of(|reg| reg == d) {
                known.value = Certain::Any;
            }
        }
        self.0[usize::from(d)] = Known { value, source: d };
    }

    /// Records that the list store ends elsewhere now: behind a member more, the value of a register, if one is given.
    fn move_end(&mut self, pushed: Option<Reg>) {
        for known in &mut self.0 {
            known.value = match (known.value, pushed) {
                (Certain::End, Some(reg)) => Certain::Pushed(reg),
                (Certain::End | Certain::Pushed(_), _) => Certain::Empty,
                (value, _) => value,
            };
        }
    }

    fn copy(&mut self, d: Reg, s: Reg) {
        let known = self.0[usize::from(s)];
        if known.source != d {
            self.write(d, known.value);
            self.0[usize::from(d)].source = known.source;
        }
    }

    /// Forgets the registers from this one on.
    fn forget_from(&mut self, base: Reg) {
        for (reg, known) in self.0.iter_mut().enumerate() {
            if known.value.speaks_of(|reg| reg >= base) || reg >= usize::from(base) {
                known.value = Certain::Any;
            }
            if known.source.max(reg as Reg) >= base {
                known.source = reg as Reg;
            }
        }
    }

    /// Keeps what others know as well; true if that is less than before.
    fn meet(&mut self, other: &Values) -> bool {
        let mut changed = false;
        for (reg, (known, other)) in self.0.iter_mut().zip(&other.0).enumerate() {
            let source = if known.source == other.source { known.source } else { reg as Reg };
            let met = Known { value: known.value.meet(other.value), source };
            changed |= met != *known;
            *known = met;
        }
        changed
    }
}

/// The values in a function's registers at each of its instructions; none where it is never reached.
pub(super) struct ValueFlow<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    schema: &'a Schema,
    facts: &'a Facts,
    pub(super) states: Vec<Option<Values>>,
}

/// Where a function may go on after an instruction.
pub(super) struct Ways {
    following: bool,
    jump: Option<Target>,
}

impl<'a> ValueFlow<'a> {
    /// Follows the values through a function; none if it is too large for that.
    pub(super) fn of(
        program: &'a Program,
        schema: &'a Schema,
        function: &'a Function,
        facts: &'a Facts,
    ) -> Option<Self> {
        let code = &function.code;
        if code.len() * usize::from(function.registers) > MOST_VALUES {
            return None;
        }
        let mut states = vec![None; code.len()];
        *states.first_mut()? = Some(Values::unknown(function.registers));
        let mut flow = ValueFlow { program, function, schema, facts, states };
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            let Some(before) = flow.states.get_mut(at).and_then(Option::take) else { continue };
            let mut after = before.clone();
            let ways = flow.go_on(at, &mut after);
            // Coming back at once brings nothing new.
            if let Some(to) = ways.jump.map(|to| to.0 as usize).filter(|to| *to != at)
                && flow.arrive(to, Cow::Borrowed(&before))
            {
                work.push(to);
            }
            flow.states[at] = Some(before);
            if ways.following && flow.arrive(at + 1, Cow::Owned(after)) {
                work.push(at + 1);
            }
        }
        Some(flow)
    }

    /// Returns true if an instruction is reached.
    pub(super) fn reaches(&self, at: usize) -> bool {
        matches!(self.states.get(at), Some(Some(_)))
    }

    /// Returns the number in a register whenever an instruction is reached, if it is always the same.
    pub(super) fn number(&self, at: usize, reg: Reg) -> Option<i64> {
        self.states.get(at)?.as_ref()?.of(reg).number()
    }

    /// Takes in the values with which an instruction is reached; true if they are not as they were before.
    fn arrive(&mut self, at: usize, values: Cow<'_, Values>) -> bool {
        match self.states.get_mut(at) {
            Some(Some(state)) => state.meet(&values),
            Some(state) => {
                *state = Some(values.into_owned());
                true
            }
            None => false,
        }
    }

    /// Returns the way that a conditional jump takes, if that is known.
    pub(super) fn holds(&self, op: Op, state: &Values) -> Option<bool> {
        let number = |reg| state.of(reg).number();
        match op {
            Op::JumpIf { a, .. } => Some(number(a)? != 0),
            Op::JumpIfNot { a, .. } => Some(number(a)? == 0),
            Op::JumpTest { test, when, a, b, .. } => {
                Some(test.holds(number(a)?, number(b)?) == when)
            }
            Op::JumpNumber { test, when, a, n, .. } => {
                Some(test.holds(number(a)?, n.into()) == when)
            }
            Op::JumpCell { test, when, column, row, n, .. } => {
                let cell = self.facts.cell(column).filter(|_| state.of(row).is_row())?;
                Some(test.holds(cell, n.into()) == when)
            }
            Op::NextPiece { kind, .. } => self.facts.is_empty(kind).then_some(true),
            Op::NextMarked { column, .. } => {
                let start = self.schema.column(column).start;
                let none = self.facts.is_empty(self.schema.columns[column.index()].0)
                    || self.facts.cell(column) == Some(start);
                none.then_some(true)
            }
            Op::NextIn { a, .. } if state.of(a).is_empty() => Some(true),
            Op::NextIn { a, at, .. } if state.of(a).is_short() => {
                match (number(at)?, state.of(a)) {
                    (0, Certain::One(_)) => Some(false),
                    (at, _) => (at > 0).then_some(true),
                }
            }
            Op::NextOf { list, row, .. } => {
                let none = state.of(row).is_row() && self.facts.list(list) == Some(true);
                none.then_some(true)
            }
            _ => None,
        }
    }

    /// Carries out an instruction on what is known of the registers.
    pub(super) fn go_on(&self, at: usize, state: &mut Values) -> Ways {
        let op = self.function.code[at];
        let holds = self.holds(op, state);
        let mut ways = Ways { following: !op.leaves() && holds != Some(true), jump: None };
        let (mut written, mut called) = (None, None);
        let mut each = op;
        each.effects(&mut |effect| match effect {
            Effect::Target(to) => ways.jump = (holds != Some(false)).then_some(*to),
            Effect::Written(d) => written = Some(*d),
            Effect::Call(call) => called = Some(call.base),
            _ => {}
        });
        let result = self.result(at, state);
        if let Op::Get { row, .. }
        | Op::JumpCell { row, .. }
        | Op::Set { row, .. }
        | Op::Step { a: row, .. } = op
        {
            state.is_a_row(row);
        }
        match op {
            Op::Release { a } if state.of(a) == Certain::End => {}
            Op::Release { a } => {
                state.move_end(None);
                state.0[usize::from(a)].value = Certain::End;
            }
            Op::Push { a } => {
                state.is_a_row(a);
                state.move_end(Some(state.source(a)));
            }
            op if op.may_push() => state.move_end(None),
            _ => {}
        }
        if let Some(place) = op.place() {
            let behind = match op {
                Op::NextIn { a, .. } if state.of(a).is_short() => Certain::Is(1),
                _ => Certain::Any,
            };
            state.write(place, behind);
        }
        match (op, written) {
            (Op::Move { d, s }, _) => state.copy(d, s),
            (_, Some(d)) => state.write(d, result),
            _ => {}
        }
        called.into_iter().for_each(|base| state.forget_from(base));
        ways
    }

    /// Returns what is known of the value that an instruction makes.
    pub(super) fn result(&self, at: usize, state: &Values) -> Certain {
        let number = |reg| state.of(reg).number();
        let both = |a, b| Some((number(a)?, number(b)?));
        let made: Option<i64> = match self.function.code[at] {
            Op::Small { n, .. } => Some(n.into()),
            Op::Const { k, .. } => self.program.constants.get(k as usize).copied(),
            Op::Move { s, .. } => return state.of(s),
            Op::NextPiece { .. }
            | Op::NextMarked { .. }
            | Op::NextOf { .. }
            | Op::NextIn { .. }
            | Op::Beyond { .. } => {
                return Certain::Row;
            }
            Op::Get { column, row, .. } => {
                self.facts.cell(column).filter(|_| state.of(row).is_row())
            }
            Op::Number { op, fraction, a, b, .. } => {
                both(a, b).and_then(|(a, b)| number_op(op, fraction, a, b).ok())
            }
            Op::Word { op, a, b, .. } => both(a, b).and_then(|(a, b)| word_op(op, a, b).ok()),
            Op::Unary { op, a, .. } if op != UnaryOp::Size => {
                number(a).and_then(|a| unary(op, a).ok())
            }
            Op::Mark { .. } => return Certain::End,
            Op::Collect { a, .. } => {
                return match state.of(a) {
                    Certain::End => Certain::Empty,
                    Certain::Pushed(reg) => Certain::One(reg),
                    _ => Certain::Any,
                };
            }
            Op::Step { a, b, n, .. } => {
                return Certain::Step(state.source(a), state.source(b), state.source(n));
            }
            Op::GetList { list, row, .. } => {
                return match self.facts.list(list).filter(|_| state.of(row).is_row()) {
                    Some(true) => Certain::Empty,
                    Some(false) => Certain::Members(list, state.source(row)),
                    None => Certain::Any,
                };
            }
            _ => None,
        };
        let small = made.and_then(|n| i32::try_from(n).ok());
        small.map_or(Certain::Any, Certain::Is)
    }
}

impl Op {
    /// Returns true if the instruction gives a register a number, the value of another, or a place in the list store.
    pub(super) fn is_plain(self) -> bool {
        use Op::{Collect, Const, Mark, Move, Small};
        matches!(self, Small { .. } | Const { .. } | Move { .. } | Mark { .. } | Collect { .. })
    }

    /// Returns true if the instruction may add to the list store.
    fn may_push(self) -> bool {
        use Op::{
            Beyond, Get, Jump, JumpCell, JumpIf, JumpIfGone, JumpIfNot, JumpNumber, JumpTest,
            Number, RollPool, Set, Unary, Word,
        };
        let adds_nothing = match self {
            Unary { .. } | Number { .. } | Word { .. } | Get { .. } | Set { .. } => true,
            Jump { .. } | JumpIf { .. } | JumpIfNot { .. } | JumpTest { .. } => true,
            JumpNumber { .. } | JumpCell { .. } | JumpIfGone { .. } => true,
            Beyond { .. } | RollPool { .. } => true,
            _ => self.is_plain() || self.place().is_some(),
        };
        // Of all others it is believed, which is safe.
        !adds_nothing
    }

    /// Returns the register of the place of a loop, which it moves on.
    pub(super) fn place(self) -> Option<Reg> {
        match self {
            Op::NextPiece { at, .. }
            | Op::NextMarked { at, .. }
            | Op::NextOf { at, .. }
            | Op::NextIn { at, .. }
            | Op::NextNumber { at, .. } => Some(at),
            _ => None,
        }
    }
}
