//! What is known of each register at each place, and what can be left out because of it.
//!
//! A forward data-flow analysis over the lattice "nothing has come here, one number, a row that is there,
//! anything", with copies followed to where they come from; conditional constant propagation as Wegman and
//! Zadeck describe it (TOPLAS 13, 1991), on registers instead of single assignments. Jumps that are decided go
//! straight to where they lead.

use super::super::code::{
    CellTest, Change, FilterId, Function, Op, Program, Reg, Sweep, Test, WholeOp,
};
use super::super::flow::{self, Use, falls_through, target, written};
use super::super::schema::{ColumnId, KindId, ListId, Schema};
use super::{is_harmless, landings, retarget, take_out};

/// What is known of the table, and of who listens, whatever has happened before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// By column: the one value that every cell has.
    pub cells: Vec<Option<i64>>,
    /// By list: whether it has no members on any piece.
    pub empty: Vec<bool>,
    /// By list: whether it is never changed.
    pub steady: Vec<bool>,
    /// By kind: whether there is none.
    pub none: Vec<bool>,
    /// Whether nobody reads what would be told.
    pub silent: bool,
}

impl Facts {
    fn cell(&self, column: ColumnId) -> Option<i64> {
        self.cells.get(column.index()).copied().flatten()
    }

    /// Whether every cell passes.
    pub fn holds_always(&self, test: &CellTest) -> bool {
        self.cell(test.column).is_some_and(|cell| test.test.holds(cell, i64::from(test.n)))
    }

    fn is_empty(&self, list: ListId) -> bool {
        self.empty.get(list.index()).copied().unwrap_or(false)
    }

    fn is_steady(&self, list: ListId) -> bool {
        self.steady.get(list.index()).copied().unwrap_or(false)
    }

    fn has_none(&self, kind: KindId) -> bool {
        self.none.get(kind.index()).copied().unwrap_or(false)
    }
}

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
    same: Option<Reg>,
    /// If it marks a place of the list store: how many members at most have been put there since.
    pushed: Option<u8>,
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
    fn step(&self, op: Op, state: &mut State) -> (bool, Option<(usize, State)>) {
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
    fn decided(&self, op: Op, state: &State) -> Option<bool> {
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
            Op::NextIn { a, filter, .. } | Op::Only { a, filter, .. } => {
                (self.is_empty(of(a)) || self.lets_none_through(filter)).then_some(true)
            }
            _ => None,
        }
    }

    fn is_empty(&self, value: Value) -> bool {
        match value {
            Value::Empty => true,
            Value::Of(list, _) => self.facts.is_empty(list),
            _ => false,
        }
    }

    fn marks_none(&self, column: ColumnId, filter: FilterId) -> bool {
        let kind = self.schema.columns[column.index()].0;
        let start = self.schema.column(column).start;
        self.facts.has_none(kind)
            || self.facts.cell(column) == Some(start)
            || self.lets_none_through(filter)
    }

    fn tests(&self, filter: FilterId) -> &[CellTest] {
        self.program.filters.get(usize::from(filter)).map_or(&[], Vec::as_slice)
    }

    fn lets_none_through(&self, filter: FilterId) -> bool {
        self.tests(filter).iter().any(|t| self.known_test(t) == Some(false))
    }

    fn known_test(&self, test: &CellTest) -> Option<bool> {
        Some(test.test.holds(self.facts.cell(test.column)?, i64::from(test.n)))
    }

    fn equal(&self, a: Reg, b: Reg, state: &State) -> Option<bool> {
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
    fn taken(&self, op: Op, state: &State) -> State {
        let mut state = state.clone();
        match op {
            Op::JumpIfNot { a, .. } => learn(&mut state, a, Value::Exactly(0)),
            Op::JumpIfEqual { a, n, .. } => {
                learn(&mut state, a, Value::Exactly(i64::from(n)));
            }
            Op::JumpIfCell { row, .. } => learn(&mut state, row, Value::There),
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
    fn passed(&self, op: Op, state: &mut State) {
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
    fn value(&self, op: Op, state: &State) -> Value {
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
            | Op::Size { .. } => Value::There,
            _ => Value::Any,
        }
    }

    fn gathers_none(&self, over: Sweep, filter: FilterId, state: &State) -> bool {
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

    /// A shorter instruction that does the same; none if it does nothing at all.
    fn shorter(&self, op: Op, state: &State) -> Option<Op> {
        let of = |reg: Reg| state[usize::from(reg)].value;
        let there = |reg: Reg| matches!(of(reg), Value::There | Value::Exactly(0..));
        if self.facts.silent {
            match op {
                Op::CheckBegin
                | Op::Need { .. }
                | Op::Throw { .. }
                | Op::Verdict { .. }
                | Op::CheckEnd { .. }
                | Op::Shuffled { .. }
                | Op::Modify { .. } => return None,
                _ => {}
            }
        }
        let mut op = op;
        flow::registers(&mut op, |how, reg| {
            if how == Use::Reads {
                *reg = state[usize::from(*reg)].same.unwrap_or(*reg);
            }
        });
        let asks_nobody = match op {
            Op::Get { row, .. } | Op::Holds { row, .. } => there(row),
            _ => !matches!(op, Op::Move { .. }),
        };
        if let (Some(d), Value::Exactly(n)) = (written(op), self.value(op, state))
            && asks_nobody
            && target(op).is_none()
            && let Ok(n) = i32::try_from(n)
        {
            return Some(Op::Small { d, n });
        }
        if let Some(filter) = op.filter_mut()
            && self.tests(*filter).is_empty()
        {
            *filter = 0;
        }
        let small = |reg: Reg| exactly(of(reg)).and_then(|n| i32::try_from(n).ok());
        let of_piece = |reg: Reg| match of(reg) {
            Value::Of(list, row) if there(row) => Some((list, row)),
            _ => None,
        };
        let shorter = match op {
            Op::Move { d, s } if d == s => return None,
            Op::Move { d, s } => match small(s) {
                Some(n) => Op::Small { d, n },
                None => op,
            },
            Op::Add { d, a, b } | Op::Add { d, a: b, b: a } if small(b).is_some() => {
                added(d, a, small(b)?)
            }
            Op::Sub { d, a, b } => match small(b).and_then(i32::checked_neg) {
                Some(n) => added(d, a, n),
                None => op,
            },
            Op::Join { d, a, b } if self.is_empty(of(b)) => Op::Move { d, s: a },
            Op::Join { d, a, b } if self.is_empty(of(a)) => Op::Move { d, s: b },
            // A mark is a list without members.
            Op::Collect { d, a } if state[usize::from(a)].pushed == Some(0) => Op::Move { d, s: a },
            Op::Release { a } if state[usize::from(a)].pushed == Some(0) => return None,
            Op::Gather { d, .. } if self.value(op, state) == Value::Empty => Op::Mark { d },
            Op::Set { how: Change::Set, column, row, value }
                if there(row)
                    && self.facts.cell(column).is_some_and(|n| exactly(of(value)) == Some(n)) =>
            {
                return None;
            }
            Op::Gather { d, over: Sweep::In(a), filter: 0 } => Op::Move { d, s: a },
            Op::Gather { d, over: Sweep::In(a), filter } => match of_piece(a) {
                Some((list, row)) => Op::Gather { d, over: Sweep::Of(list, row), filter },
                None => op,
            },
            Op::NextIn { d, at, a, filter, end } => match of_piece(a) {
                Some((list, row)) => Op::NextOf { d, at, list, row, filter, end },
                None => op,
            },
            Op::InList { d, a, value } => match of_piece(a) {
                Some((list, row)) => Op::Holds { d, list, row, value },
                None => op,
            },
            Op::CallRule { rule, base } if self.facts.silent => {
                let function = self.schema.rules[rule.index()].function;
                Op::Call { function, base }
            }
            _ => op,
        };
        Some(shorter)
    }

    /// Where a jump can go on to at once, when what is passed by need not be done.
    fn beyond(&self, code: &[Op], live: &flow::Live, from: usize, state: &State) -> Option<usize> {
        let mut state = state.clone();
        let mut passed: Vec<Reg> = Vec::new();
        let (mut at, mut best) = (from, None);
        // Only forwards: the jump that ends a loop's round counts its steps.
        for _ in 0..32 {
            let op = *code.get(at)?;
            let next = match target(op) {
                Some(to) => match self.decided(op, &state)? {
                    true => {
                        state = self.taken(op, &state);
                        to as usize
                    }
                    false => {
                        self.passed(op, &mut state);
                        at + 1
                    }
                },
                None if is_harmless(op) || matches!(op, Op::Collect { .. }) => {
                    passed.extend(written(op));
                    self.passed(op, &mut state);
                    at + 1
                }
                None => return best,
            };
            if next <= at {
                return best;
            }
            // Values alone are no way gained.
            if target(op).is_some() && passed.iter().all(|&reg| !live.has(next, reg)) {
                best = Some(next);
            }
            at = next;
        }
        best
    }
}

/// Makes a function simpler by what is known; whether anything was found.
pub(super) fn fold(analysis: &Analysis<'_>, function: &mut Function) -> bool {
    let entries = analysis.entries(function);
    let live = flow::live(analysis.schema, analysis.program, function);
    let code = &function.code;
    let mut out = vec![true; code.len()];
    let mut new = code.clone();
    let mut changed = false;
    let mut single: Vec<(usize, u32)> = Vec::new();
    analysis.reached(function, &entries, |at, op, state| {
        out[at] = false;
        if let Some(to) = target(op) {
            if to as usize == at + 1
                && is_pure_jump(op, state)
                && written(op).is_none_or(|d| !live.has(at + 1, d))
            {
                out[at] = true;
                return;
            }
            if does_nothing(code, at, &live, state) {
                new[at] = Op::Jump { to };
                return;
            }
            if let Op::NextIn { d, at: place, a, filter, end } = op
                && matches!(state[usize::from(a)].value, Value::One)
                && !code[..at].iter().any(|&op| target(op) == Some(at as u32))
                && !live.has(end as usize, place)
            {
                // No second round.
                single.push((at, end));
                new[at] = Op::Only { d, a, filter, end };
                return;
            }
            match analysis.decided(op, state) {
                Some(true) => new[at] = Op::Jump { to },
                Some(false) => {
                    // What it would have set is not read, as a loop's member is known only inside.
                    out[at] = written(op).is_none();
                    return;
                }
                None => {
                    if let Some(shorter) = analysis.shorter(op, state) {
                        new[at] = shorter;
                    }
                }
            }
            let there = analysis.taken(op, state);
            if let Some(onward) = analysis.beyond(code, &live, to as usize, &there)
                && onward != to as usize
            {
                retarget(&mut new[at], onward as u32);
            }
            return;
        }
        match analysis.shorter(op, state) {
            Some(shorter) => new[at] = shorter,
            None => out[at] = true,
        }
        let there =
            |reg: Reg| matches!(state[usize::from(reg)].value, Value::There | Value::Exactly(0..));
        let unread = written(op).is_some_and(|d| !live.has(at + 1, d));
        let only_asks = match op {
            Op::Get { row, .. } | Op::GetList { row, .. } | Op::Holds { row, .. } => there(row),
            Op::Gather { over, .. } => match over {
                Sweep::Of(_, row) => there(row),
                _ => true,
            },
            Op::Step { a, .. } => there(a),
            Op::Join { .. } | Op::InList { .. } | Op::Size { .. } | Op::Collect { .. } => true,
            _ => false,
        };
        if unread && only_asks {
            out[at] = true;
        }
    });
    for (head, end) in single {
        for op in new[head + 1..].iter_mut().filter(|op| target(**op) == Some(head as u32)) {
            retarget(op, end);
        }
    }
    for at in 0..new.len() {
        changed |= out[at] || new[at] != code[at];
    }
    function.code = new;
    if out.iter().any(|o| *o) {
        take_out(function, &out);
    }
    changed
}

/// Whether a jump changes nothing besides where it leads, and cannot fail.
fn is_pure_jump(op: Op, state: &State) -> bool {
    match op {
        Op::JumpIfCell { row, .. } => {
            matches!(state[usize::from(row)].value, Value::There | Value::Exactly(0..))
        }
        Op::NextPiece { .. }
        | Op::NextMarked { .. }
        | Op::NextOf { .. }
        | Op::NextIn { .. }
        | Op::NextNumber { .. } => false,
        _ => true,
    }
}

/// Whether a loop begins here whose body is empty, and nothing of which is read later.
fn does_nothing(code: &[Op], at: usize, live: &flow::Live, state: &State) -> bool {
    let (d, place, end) = match code[at] {
        Op::NextPiece { d, at, end, .. }
        | Op::NextMarked { d, at, end, .. }
        | Op::NextIn { d, at, end, .. } => (d, at, end as usize),
        Op::NextOf { d, at, row, end, .. }
            if matches!(state[usize::from(row)].value, Value::There | Value::Exactly(0..)) =>
        {
            (d, at, end as usize)
        }
        _ => return false,
    };
    let empty = matches!(code.get(at + 1), Some(Op::Jump { to }) if *to as usize == at);
    empty && !live.has(end, d) && !live.has(end, place)
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

fn added(d: Reg, a: Reg, n: i32) -> Op {
    match n {
        0 => Op::Move { d, s: a },
        n => Op::AddSmall { d, a, n },
    }
}

fn exactly(value: Value) -> Option<i64> {
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
