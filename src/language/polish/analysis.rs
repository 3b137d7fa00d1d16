//! What is known of each register at each place of a function.
//!
//! A forward data-flow analysis over the lattice "nothing has come here, one number, a row that is there,
//! anything", with copies followed to where they come from; conditional constant propagation as Wegman and
//! Zadeck describe it (TOPLAS 13, 1991), on registers instead of single assignments.

use super::super::code::{CellTest, FilterId, Function, Op, Program, Reg, Sweep, Test, WholeOp};
use super::super::flow::{self, Use, falls_through, target, written};
use super::super::schema::{ColumnId, ListId, Schema};
use super::facts::Facts;
use super::landings;

/// What is known of a register's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Any,
    /// A row, not `none`; or any other number that is not negative.
    There,
    Exactly(i64),
    /// A list without members.
    Empty,
    /// A list of one member at most.
    One,
    /// The list of the piece in that register, as it stands.
    Of(ListId, Reg),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub value: Value,
    /// The register it was copied from, which still holds the same.
    pub same: Option<Reg>,
    /// If it marks a place of the list store: how many members at most have been put there since.
    pub pushed: Option<u8>,
}

impl Known {
    const fn of(value: Value) -> Known {
        Known { value, same: None, pushed: None }
    }
}

pub(super) type State = Vec<Known>;

/// What is needed to analyse a function.
pub(super) struct Analysis<'a> {
    pub schema: &'a Schema,
    pub program: &'a Program,
    pub facts: &'a Facts,
}

/// The states at the beginnings of blocks; none where nothing comes.
pub(super) type Entries = Vec<Option<State>>;

impl Analysis<'_> {
    /// What is known wherever a block begins.
    pub fn entries(&self, function: &Function) -> Entries {
        let code = &function.code;
        let landings = landings(code);
        let mut entries: Entries = vec![None; code.len() + 1];
        let start = (0..function.registers.max(function.params))
            .map(|reg| match reg < function.params {
                true => Known::of(Value::Any),
                false => Known::of(Value::Exactly(0)),
            })
            .collect();
        entries[0] = Some(start);
        let mut work = vec![0];
        while let Some(block) = work.pop() {
            let Some(mut state) = entries[block].clone() else { continue };
            let mut at = block;
            while let Some(&op) = code.get(at) {
                let (falls, jumps) = self.step(op, &mut state);
                if let Some((to, state)) = jumps {
                    meet(&mut entries, to, &state, &mut work);
                }
                if !falls {
                    break;
                }
                at += 1;
                if landings[at] {
                    meet(&mut entries, at, &state, &mut work);
                    break;
                }
            }
        }
        entries
    }

    /// Calls `see` with each instruction that can be reached and what is known before it.
    pub fn reached(
        &self,
        function: &Function,
        entries: &Entries,
        mut see: impl FnMut(usize, Op, &State),
    ) {
        let landings = landings(&function.code);
        for (block, entry) in entries.iter().enumerate() {
            let Some(mut state) = entry.clone() else { continue };
            let mut at = block;
            while let Some(&op) = function.code.get(at) {
                see(at, op, &state);
                if !self.step(op, &mut state).0 {
                    break;
                }
                at += 1;
                if landings[at] {
                    break;
                }
            }
        }
    }

    /// Goes through an instruction: whether the next one can follow, then with `state` brought up to date;
    /// and where else it may lead, with what is known there.
    pub(super) fn step(&self, op: Op, state: &mut State) -> (bool, Option<(usize, State)>) {
        if let Some(to) = target(op) {
            let to = to as usize;
            return match self.decided(op, state) {
                Some(true) => (false, Some((to, self.taken(op, state)))),
                Some(false) => {
                    self.passed(op, state);
                    (true, None)
                }
                None => {
                    let there = self.taken(op, state);
                    self.passed(op, state);
                    (true, Some((to, there)))
                }
            };
        }
        self.passed(op, state);
        (falls_through(op), None)
    }

    /// Whether it is known that an instruction leads to its target, or that it does not.
    pub(super) fn decided(&self, op: Op, state: &State) -> Option<bool> {
        let of = |reg: Reg| state[usize::from(reg)].value;
        let exact = |reg: Reg| exactly(of(reg));
        match op {
            Op::Jump { .. } => Some(true),
            Op::JumpIf { a, .. } => passes(of(a), Test::NotEqual, 0),
            Op::JumpIfNot { a, .. } => passes(of(a), Test::Equal, 0),
            Op::JumpIfEqual { a, n, .. } => passes(of(a), Test::Equal, i64::from(n)),
            Op::JumpIfNotEqual { a, n, .. } => passes(of(a), Test::NotEqual, i64::from(n)),
            Op::JumpIfOver { a, n, .. } => passes(of(a), Test::Over, i64::from(n)),
            Op::JumpIfNotOver { a, n, .. } => passes(of(a), Test::NotOver, i64::from(n)),
            Op::JumpIfSame { a, b, .. } => self.equal(a, b, state),
            Op::JumpIfNotSame { a, b, .. } => self.equal(a, b, state).map(|same| !same),
            Op::JumpIfLess { a, b, .. } => Some(exact(a)? < exact(b)?),
            Op::JumpIfNotLess { a, b, .. } => Some(exact(a)? >= exact(b)?),
            Op::JumpIfCell { test, column, row, n, .. } => {
                // A row that may be `none` must still be asked.
                matches!(of(row), Value::There | Value::Exactly(0..)).then_some(())?;
                Some(test.holds(self.facts.cell(column)?, i64::from(n)))
            }
            Op::JumpIfSilent { .. } | Op::JumpIfMute { .. } if self.facts.silent => Some(true),
            Op::NextPiece { kind, filter, .. } => {
                (self.facts.has_none(kind) || self.lets_none_through(filter)).then_some(true)
            }
            Op::NextMarked { column, filter, .. } => {
                self.marks_none(column, filter).then_some(true)
            }
            Op::NextOf { list, filter, .. } => {
                (self.facts.is_empty(list) || self.lets_none_through(filter)).then_some(true)
            }
            Op::StepTo { a, filter, .. } => {
                // A row that may be `none` must still be asked.
                matches!(of(a), Value::There | Value::Exactly(0..)).then_some(())?;
                self.lets_none_through(filter).then_some(true)
            }
            Op::NextIn { a, filter, .. } | Op::Only { a, filter, .. } => {
                (self.is_empty(of(a)) || self.lets_none_through(filter)).then_some(true)
            }
            _ => None,
        }
    }

    pub(super) fn is_empty(&self, value: Value) -> bool {
        match value {
            Value::Empty => true,
            Value::Of(list, _) => self.facts.is_empty(list),
            _ => false,
        }
    }

    pub(super) fn marks_none(&self, column: ColumnId, filter: FilterId) -> bool {
        let kind = self.schema.columns[column.index()].0;
        let start = self.schema.column(column).start;
        self.facts.has_none(kind)
            || self.facts.cell(column) == Some(start)
            || self.lets_none_through(filter)
    }

    pub(super) fn tests(&self, filter: FilterId) -> &[CellTest] {
        self.program.filters.get(usize::from(filter)).map_or(&[], Vec::as_slice)
    }

    pub(super) fn lets_none_through(&self, filter: FilterId) -> bool {
        self.tests(filter).iter().any(|t| self.known_test(t) == Some(false))
    }

    pub(super) fn known_test(&self, test: &CellTest) -> Option<bool> {
        Some(test.test.holds(self.facts.cell(test.column)?, i64::from(test.n)))
    }

    pub(super) fn equal(&self, a: Reg, b: Reg, state: &State) -> Option<bool> {
        let (x, y) = (state[usize::from(a)], state[usize::from(b)]);
        if x.same.unwrap_or(a) == y.same.unwrap_or(b) {
            return Some(true);
        }
        match (x.value, y.value) {
            (Value::Exactly(x), Value::Exactly(y)) => Some(x == y),
            (Value::Exactly(n), Value::There) | (Value::There, Value::Exactly(n)) if n < 0 => {
                Some(false)
            }
            _ => None,
        }
    }

    /// What is known when an instruction leads to its target.
    pub(super) fn taken(&self, op: Op, state: &State) -> State {
        let mut state = state.clone();
        match op {
            Op::JumpIfNot { a, .. } => learn(&mut state, a, Value::Exactly(0)),
            Op::JumpIfEqual { a, n, .. } => {
                learn(&mut state, a, Value::Exactly(i64::from(n)));
            }
            Op::JumpIfCell { row, .. } | Op::StepTo { a: row, .. } => {
                learn(&mut state, row, Value::There);
            }
            Op::NextPiece { at, .. }
            | Op::NextMarked { at, .. }
            | Op::NextOf { at, .. }
            | Op::NextIn { at, .. }
            | Op::NextNumber { at, .. } => write(&mut state, at, Value::Any),
            _ => {}
        }
        state
    }

    /// What is known when the next instruction follows.
    pub(super) fn passed(&self, op: Op, state: &mut State) {
        match op {
            Op::Move { d, s } => {
                let from = state[usize::from(s)];
                let root = from.same.unwrap_or(s);
                write(state, d, from.value);
                if root != d {
                    state[usize::from(d)].same = Some(root);
                }
                return;
            }
            Op::Call { base, .. } | Op::CallRule { base, .. } => {
                // What is called has its registers from there on.
                for reg in base..state.len() as Reg {
                    write(state, reg, Value::Any);
                }
                count_pushed(op, state);
                return;
            }
            Op::JumpIf { a, .. } => return learn(state, a, Value::Exactly(0)),
            Op::JumpIfNotEqual { a, n, .. } => {
                return learn(state, a, Value::Exactly(i64::from(n)));
            }
            _ => {}
        }
        let value = self.value(op, state);
        count_pushed(op, state);
        // An instruction that asks a piece goes on only if it is one.
        match op {
            Op::Get { row, .. }
            | Op::GetList { row, .. }
            | Op::Holds { row, .. }
            | Op::Set { row, .. }
            | Op::JumpIfCell { row, .. }
            | Op::StepTo { a: row, .. }
            | Op::NextOf { row, .. } => learn(state, row, Value::There),
            _ => {}
        }
        let mut moved = op;
        flow::registers(&mut moved, |how, reg| {
            if how == Use::Moves {
                write(state, *reg, Value::Any);
            }
        });
        if let Some(d) = written(op) {
            // What was worked out before speaks of registers as they were.
            let value = match value {
                Value::Of(_, row) if row == d => Value::Any,
                value => value,
            };
            write(state, d, value);
            if let Op::Mark { d } = op {
                state[usize::from(d)].pushed = Some(0);
            }
        }
    }

    /// What is known of the value an instruction makes.
    pub(super) fn value(&self, op: Op, state: &State) -> Value {
        let of = |reg: Reg| state[usize::from(reg)].value;
        let exact = |reg: Reg| exactly(of(reg));
        let both = |a: Reg, b: Reg| exact(a).zip(exact(b));
        let flag = |flag: Option<bool>| flag.map(i64::from);
        let number = match op {
            Op::Small { n, .. } => Some(i64::from(n)),
            Op::Const { k, .. } => self.program.constants.get(k as usize).copied(),
            Op::Add { a, b, .. } => both(a, b).and_then(|(a, b)| a.checked_add(b)),
            Op::Sub { a, b, .. } => both(a, b).and_then(|(a, b)| a.checked_sub(b)),
            Op::AddSmall { a, n, .. } => exact(a).and_then(|a| a.checked_add(i64::from(n))),
            Op::Whole { op, a, b, .. } => both(a, b).and_then(|(a, b)| whole(op, a, b)),
            Op::Negate { a, .. } => exact(a).and_then(i64::checked_neg),
            Op::Not { a, .. } => flag(passes(of(a), Test::Equal, 0)),
            Op::Equal { a, b, .. } => flag(self.equal(a, b, state)),
            Op::NotEqual { a, b, .. } => flag(self.equal(a, b, state).map(|same| !same)),
            Op::Less { a, b, .. } => flag(both(a, b).map(|(a, b)| a < b)),
            Op::AtMost { a, b, .. } => flag(both(a, b).map(|(a, b)| a <= b)),
            Op::Get { column, .. } => self.facts.cell(column),
            Op::Holds { list, .. } if self.facts.is_empty(list) => Some(0),
            Op::InList { a, .. } | Op::Size { a, .. } if self.is_empty(of(a)) => Some(0),
            _ => None,
        };
        if let Some(n) = number {
            return Value::Exactly(n);
        }
        match op {
            Op::Mark { .. } => Value::Empty,
            Op::Collect { a, .. } => match state[usize::from(a)].pushed {
                Some(0) => Value::Empty,
                Some(_) => Value::One,
                None => Value::Any,
            },
            Op::Step { .. } => Value::One,
            Op::Gather { over, filter, .. } if self.gathers_none(over, filter, state) => {
                Value::Empty
            }
            Op::GetList { list, .. } if self.facts.is_empty(list) => Value::Empty,
            Op::GetList { list, row, .. } if self.facts.is_steady(list) => {
                Value::Of(list, state[usize::from(row)].same.unwrap_or(row))
            }
            Op::Join { a, b, .. } if self.is_empty(of(b)) => of(a),
            Op::Join { a, b, .. } if self.is_empty(of(a)) => of(b),
            Op::NextPiece { .. }
            | Op::NextMarked { .. }
            | Op::NextOf { .. }
            | Op::NextIn { .. }
            | Op::Only { .. }
            | Op::StepTo { .. }
            | Op::Size { .. } => Value::There,
            _ => Value::Any,
        }
    }

    pub(super) fn gathers_none(&self, over: Sweep, filter: FilterId, state: &State) -> bool {
        match over {
            Sweep::Pieces(kind) => self.facts.has_none(kind) || self.lets_none_through(filter),
            Sweep::Marked(column) => self.marks_none(column, filter),
            Sweep::In(list) => self.is_empty(state[usize::from(list)].value),
            Sweep::Of(list, row) => {
                // A row that may be `none` must still be asked.
                matches!(state[usize::from(row)].value, Value::There | Value::Exactly(0..))
                    && (self.facts.is_empty(list) || self.lets_none_through(filter))
            }
        }
    }
}

/// Keeps count of what stands in the list store above each mark.
fn count_pushed(op: Op, state: &mut State) {
    match op {
        Op::Push { .. } | Op::Step { .. } => {
            for known in state.iter_mut() {
                known.pushed = match known.pushed {
                    Some(0) => Some(1),
                    _ => None,
                };
            }
        }
        Op::GetList { .. }
        | Op::Listed { .. }
        | Op::Join { .. }
        | Op::Gather { .. }
        | Op::Way { .. }
        | Op::Call { .. }
        | Op::CallRule { .. } => state.iter_mut().for_each(|known| known.pushed = None),
        // What stands above an earlier mark grows no more by it; a later mark is not used again.
        Op::Release { a } => state[usize::from(a)].pushed = Some(0),
        _ => {}
    }
}

pub(super) fn exactly(value: Value) -> Option<i64> {
    match value {
        Value::Exactly(n) => Some(n),
        _ => None,
    }
}

fn passes(value: Value, test: Test, n: i64) -> Option<bool> {
    match value {
        Value::Exactly(value) => Some(test.holds(value, n)),
        Value::There if n < 0 => Some(matches!(test, Test::NotEqual | Test::Over)),
        _ => None,
    }
}

fn whole(op: WholeOp, a: i64, b: i64) -> Option<i64> {
    match op {
        WholeOp::Mul => a.checked_mul(b),
        WholeOp::Mod => a.checked_rem_euclid(b),
        WholeOp::Min => Some(a.min(b)),
        WholeOp::Max => Some(a.max(b)),
        WholeOp::Div(_) => None,
    }
}

/// A register gets a new value: what was a copy of it is one no longer.
fn write(state: &mut State, reg: Reg, value: Value) {
    for known in state.iter_mut() {
        if known.same == Some(reg) {
            known.same = None;
        }
        if matches!(known.value, Value::Of(_, row) if row == reg) {
            known.value = Value::Any;
        }
    }
    if let Some(known) = state.get_mut(usize::from(reg)) {
        *known = Known::of(value);
    }
}

/// More is known of a register's value, and so of what it was copied from.
fn learn(state: &mut State, reg: Reg, value: Value) {
    let root = state[usize::from(reg)].same;
    for reg in [Some(reg), root].into_iter().flatten() {
        let known = &mut state[usize::from(reg)].value;
        if !matches!(known, Value::Exactly(_)) {
            *known = value;
        }
    }
}

/// Another way leads to a block: only what is known on all of them is known there.
fn meet(entries: &mut Entries, to: usize, state: &State, work: &mut Vec<usize>) {
    let Some(place) = entries.get_mut(to) else { return };
    let Some(known) = place else {
        *place = Some(state.clone());
        work.push(to);
        return;
    };
    let mut changed = false;
    for (a, b) in known.iter_mut().zip(state) {
        let value = match (a.value, b.value) {
            (x, y) if x == y => x,
            (Value::Exactly(0..) | Value::There, Value::Exactly(0..) | Value::There) => {
                Value::There
            }
            (Value::Empty | Value::One, Value::Empty | Value::One) => Value::One,
            _ => Value::Any,
        };
        let same = a.same.filter(|_| a.same == b.same);
        let pushed = a.pushed.zip(b.pushed).map(|(a, b)| a.max(b));
        let met = Known { value, same, pushed };
        changed |= met != *a;
        *a = met;
    }
    if changed {
        work.push(to);
    }
}
