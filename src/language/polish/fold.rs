//! Leaves out what need not be done, because of what is known: values that are known are not worked out, jumps
//! that are decided go straight to where they lead, loops with one member are none.

use super::super::code::{Change, Function, Op, Reg, Sweep};
use super::super::flow::{self, Use, target, written};
use super::analysis::{Analysis, State, Value, exactly};
use super::{is_harmless, retarget, take_out};

impl Analysis<'_> {
    /// A shorter instruction that does the same; none if it does nothing at all.
    fn shorter(&self, op: Op, state: &State) -> Option<Op> {
        let of = |reg: Reg| state[usize::from(reg)].value;
        let there = |reg: Reg| of(reg).is_there();
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
            Op::CallRule { rule, base, value } if self.facts.silent => {
                let function = self.schema.rules[rule.index()].function;
                Op::Call { function, base, value }
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
        for _ in 0..32 {
            let op = *code.get(at)?;
            let idle = match op {
                // Nothing stands above the mark.
                Op::Release { a } => state[usize::from(a)].pushed == Some(0),
                _ => is_harmless(op) || matches!(op, Op::Collect { .. }),
            };
            let next = match target(op) {
                Some(_) if asks_of_none(op, &state) => return best,
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
                None if idle => {
                    passed.extend(written(op));
                    self.passed(op, &mut state);
                    at + 1
                }
                None => return best,
            };
            // Values alone are no way gained.
            let gained = target(op).is_some() || matches!(op, Op::Release { .. });
            if gained && passed.iter().all(|&reg| !live.has(next, reg)) {
                best = Some(next);
            }
            // Where a loop begins again.
            if next <= at {
                return best;
            }
            at = next;
        }
        best
    }
}

/// Makes a function simpler by what is known; whether anything was found.
pub(super) fn fold(analysis: &Analysis<'_>, function: &mut Function, live: &flow::Live) -> bool {
    let entries = analysis.entries(function);
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
            if does_nothing(code, at, live, state) {
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
                // Where it leads is known, but it must still be asked.
                Some(true) if asks_of_none(op, state) => return,
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
            if let Some(onward) = analysis.beyond(code, live, to as usize, &there)
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
        let there = |reg: Reg| state[usize::from(reg)].value.is_there();
        let unread = written(op).is_some_and(|d| !live.has(at + 1, d));
        let only_asks = match op {
            Op::Get { row, .. } | Op::GetList { row, .. } | Op::Holds { row, .. } => there(row),
            Op::Gather { over, .. } => match over {
                Sweep::Of(_, row) => there(row),
                _ => true,
            },
            Op::Step { a, .. } => there(a),
            Op::Listed { .. }
            | Op::Join { .. }
            | Op::InList { .. }
            | Op::Size { .. }
            | Op::Collect { .. } => true,
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

/// Whether a jump asks a piece that may be `none`, which stops the command.
fn asks_of_none(op: Op, state: &State) -> bool {
    match op {
        Op::JumpIfCell { row, .. } | Op::NextOf { row, .. } | Op::StepTo { a: row, .. } => {
            !state[usize::from(row)].value.is_there()
        }
        _ => false,
    }
}

/// Whether a jump changes nothing besides where it leads, and cannot fail.
fn is_pure_jump(op: Op, state: &State) -> bool {
    match op {
        Op::JumpIfCell { .. } | Op::StepTo { .. } => !asks_of_none(op, state),
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
        op @ Op::NextOf { d, at, end, .. } if !asks_of_none(op, state) => (d, at, end as usize),
        _ => return false,
    };
    let empty = matches!(code.get(at + 1), Some(Op::Jump { to }) if *to as usize == at);
    empty && !live.has(end, d) && !live.has(end, place)
}

fn added(d: Reg, a: Reg, n: i32) -> Op {
    match n {
        0 => Op::Move { d, s: a },
        n => Op::AddSmall { d, a, n },
    }
}
