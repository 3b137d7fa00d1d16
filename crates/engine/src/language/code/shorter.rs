//! Instructions that are needless where the values in registers are known.
//!
//! Nothing is asked that is decided, a copy is read where it came from, a jump goes straight to where its way ends, and
//! no value is made that nobody reads. A condition that a rule calls, for example, is asked at once:
//!
//! ```text
//! 0: next piece d                 0: next piece d
//! 1: e = d                        1: to 0 if not d.fire = 5
//! 2: to 5 if not e.fire = 5       2: push d
//! 3: f = 1                        3: to 0
//! 4: to 6
//! 5: f = 0
//! 6: to 0 if not f
//! 7: push d
//! 8: to 0
//! ```

use std::collections::HashSet;

use super::facts::Facts;
use super::silent::led_to;
use super::values::{Certain, ValueFlow, Values};
use super::{EVERY, Effect, Function, NO_SIEVE, NumberOp, Op, Program, Reg, Target, Test, WordOp};
use crate::language::machine::{Live, MAX_REPEATS};
use crate::language::schema::{FunctionId, Schema};

/// The most times that a function is made shorter.
const MOST_ROUNDS: usize = 8;
/// The most instructions that a jump passes over.
const MOST_HOPS: usize = 32;
/// The most instructions looked at for who reads the end of the list store.
const MOST_SEEN: usize = 1000;

impl ValueFlow<'_> {
    /// Returns true if an instruction does nothing but make a value, and cannot fail.
    fn only_makes(&self, at: usize, state: &Values) -> bool {
        match self.function.code[at] {
            op if op.is_plain() => true,
            Op::Join { .. } | Op::SameList { .. } | Op::InList { .. } => true,
            Op::Get { row, .. } | Op::GetList { row, .. } | Op::Holds { row, .. } => {
                state.of(row).is_row()
            }
            Op::Step { a, .. } => state.of(a).is_row(),
            Op::Number { op, fraction, .. } => {
                use NumberOp::{AtMost, Less, Max, Min};
                !fraction && matches!(op, Less | AtMost | Min | Max)
            }
            Op::Word { op, .. } => matches!(op, WordOp::Equal | WordOp::NotEqual),
            _ => false,
        }
    }

    /// Returns the place to which the way leads from an instruction on: over jumps, and values that nobody reads there.
    fn straight_to(&self, from: usize, state: &Values, live: &Live) -> Option<usize> {
        let passes = |op: &Op| op.is_plain() || op.leads_to().is_some();
        self.function.code.get(from).filter(|op| passes(op))?;
        let (mut at, mut state, mut written) = (from, state.clone(), Vec::new());
        let (mut jumped, mut best) = (false, None);
        for _ in 0..MOST_HOPS {
            let op = *self.function.code.get(at)?;
            match (op, self.holds(op, &state)) {
                (Op::Jump { to }, _) => (at, jumped) = (to.0 as usize, true),
                (op, _) if op.is_plain() => {
                    self.go_on(at, &mut state);
                    written.extend(op.writes());
                    at += 1;
                }
                (op, Some(holds)) if holds || op.writes().is_none() => {
                    let jump = op.leads_to().filter(|_| holds);
                    (at, jumped) = (jump.map_or(at + 1, |to| to.0 as usize), true);
                }
                _ => break,
            }
            if jumped && written.iter().all(|d| !live.has(at, *d)) {
                best = Some(at);
            }
        }
        best
    }

    /// Returns the function without what is never reached, asked or used; none if nothing can go.
    fn shorter(&self, id: FunctionId) -> Option<Function> {
        let mut function = self.function.clone();
        // The values behind the first are read by the caller.
        let gives_more = self.program.further.contains_key(&id);
        let live = (!gives_more).then(|| Live::of(self.program, self.function));
        let is_read = |at, d| live.as_ref().is_none_or(|live| live.has(at, d));
        let led_to = led_to(&self.function.code);
        let mut changed = false;
        let mut gone = vec![false; self.states.len()];
        for (at, state) in self.states.iter().enumerate() {
            let (op, Some(state)) = (&mut function.code[at], state) else {
                gone[at] = true;
                continue;
            };
            if let Some(simpler) = self.has_one_turn(at, state, &is_read) {
                (*op, changed) = (simpler, true);
                continue;
            }
            let holds = self.holds(*op, state).filter(|holds| *holds || op.writes().is_none());
            let needless = match (*op, op.writes()) {
                (Op::Release { a }, _) => state.of(a) == Certain::End,
                (Op::Push { a }, _) => state.of(a).is_row() && self.is_cut_off(at + 1),
                _ if self.asks_for_nothing(at, state, &is_read) => true,
                (_, Some(d)) => !is_read(at + 1, d) && self.only_makes(at, state),
                _ => false,
            };
            if needless || holds == Some(false) {
                gone[at] = true;
                continue;
            }
            if let Some(to) = op.leads_to().filter(|_| holds == Some(true)) {
                (*op, changed) = (Op::Jump { to }, true);
            } else if let Some(end) = self.ends_at_once(at, state, &is_read) {
                (*op, changed) = (Op::Jump { to: end }, true);
            } else {
                changed |= self.read_at_source(at, op, state, led_to[at] > 0);
            }
            let Some(live) = &live else { continue };
            if op.is_plain() {
                if let Some(to) = self.straight_to(at, state, live) {
                    (*op, changed) = (Op::Jump { to: Target(to as u32) }, true);
                }
            } else {
                op.lead(|to| {
                    let on = self.straight_to(to.0 as usize, state, live);
                    let on = on.map_or(to, |on| Target(on as u32));
                    changed |= on != to;
                    on
                });
            }
        }
        function.remove(&gone);
        (changed || gone.contains(&true)).then_some(function)
    }

    /// Returns true if a conditional jump leads to where the way goes on anyway.
    fn asks_for_nothing(
        &self,
        at: usize,
        state: &Values,
        is_read: &dyn Fn(usize, Reg) -> bool,
    ) -> bool {
        let code = &self.function.code;
        let asks = match code[at] {
            Op::JumpIf { .. } | Op::JumpIfNot { .. } | Op::JumpTest { .. } => true,
            Op::JumpNumber { .. } | Op::JumpIfGone { .. } => true,
            Op::JumpCell { row, .. } => state.of(row).is_row(),
            Op::Beyond { d, a, .. } => state.of(a).is_row() && !is_read(at + 1, d),
            _ => false,
        };
        let to = code[at].leads_to().map(|to| to.0 as usize);
        let on = match code.get(at + 1) {
            Some(Op::Jump { to }) => to.0 as usize,
            _ => at + 1,
        };
        let open = self.holds(code[at], state).is_none();
        asks && open && (to == Some(at + 1) || to == Some(on))
    }

    /// Returns what does the work of the head of a loop that has one turn at most and is not come back to.
    fn has_one_turn(
        &self,
        head: usize,
        state: &Values,
        is_read: &dyn Fn(usize, Reg) -> bool,
    ) -> Option<Op> {
        let Op::NextIn { d, at, a, end, .. } = self.function.code[head] else { return None };
        let first = state.of(at) == Certain::Is(0) && !is_read(head + 1, at);
        match state.of(a) {
            Certain::One(s) if first => Some(Op::Move { d, s }),
            Certain::Step(a, b, n) if first => {
                let n = self.number(head, n)?.clamp(-MAX_REPEATS, MAX_REPEATS) as i16;
                Some(Op::Beyond { d, a, b, n, sieve: NO_SIEVE, end })
            }
            _ => None,
        }
    }

    /// Returns true if the list store is cut off at an older mark, or left, before anybody collects from an older mark. Marks
    /// lie in each other, and each stays in its register.
    fn is_cut_off(&self, from: usize) -> bool {
        let mut open = vec![(from, Vec::new())];
        let mut seen = HashSet::new();
        while let Some((at, mut marks)) = open.pop() {
            let Some(&op) = self.function.code.get(at) else { continue };
            match op {
                Op::Collect { a, .. } if !marks.contains(&a) => return false,
                Op::Release { a } if !marks.contains(&a) => continue,
                _ => {}
            }
            if !seen.insert((at, marks.clone())) {
                continue;
            }
            if seen.len() > MOST_SEEN {
                return false;
            }
            let jump = op.leads_to().map(|to| to.0 as usize);
            open.extend(jump.map(|to| (to, marks.clone())));
            marks.retain(|mark| op.writes() != Some(*mark));
            if let Op::Mark { d } = op {
                marks.push(d);
            }
            if !op.leaves() {
                open.push((at + 1, marks));
            }
        }
        true
    }

    /// Returns the end of a loop that goes through pieces and does nothing with them.
    fn ends_at_once(
        &self,
        head: usize,
        state: &Values,
        is_read: &dyn Fn(usize, Reg) -> bool,
    ) -> Option<Target> {
        let (op, code) = (self.function.code[head], &self.function.code);
        let idle = matches!(code.get(head + 1), Some(Op::Jump { to }) if to.0 as usize == head);
        let fails = matches!(op, Op::NextOf { row, .. } if !state.of(row).is_row());
        let (end, place, d) = (op.leads_to()?, op.place()?, op.writes()?);
        let read = [place, d].into_iter().any(|reg| is_read(end.0 as usize, reg));
        (idle && !fails && !read).then_some(end)
    }

    /// Makes an instruction read its values where they came from, or give a number that is known. Returns true if it
    /// changed. `led_to` says whether a jump leads to it.
    fn read_at_source(&self, at: usize, op: &mut Op, state: &Values, led_to: bool) -> bool {
        if let (Certain::Is(n), Some(&mut d)) = (self.result(at, state), op.written()) {
            let known = matches!(op, Op::Small { .. });
            *op = Op::Small { d, n };
            return !known;
        }
        let empty = |reg| state.of(reg).is_empty();
        let simpler = match *op {
            Op::Join { d, a, b } if empty(a) => Some(Op::Move { d, s: b }),
            Op::Join { d, a, b } if empty(b) => Some(Op::Move { d, s: a }),
            Op::Narrow { d, a, only } if state.of(only) == Certain::Is(EVERY) => {
                Some(Op::Move { d, s: a })
            }
            Op::NextIn { d, at, a, sieve, end } => match state.of(a) {
                Certain::Members(list, row) => Some(Op::NextOf { d, at, list, row, sieve, end }),
                _ => None,
            },
            Op::JumpTest { test, when, a, b, to } => match (test, state.of(a), state.of(b)) {
                (_, _, Certain::Is(n)) => Some(Op::JumpNumber { test, when, a, n, to }),
                (Test::Equal, Certain::Is(n), _) => {
                    Some(Op::JumpNumber { test, when, a: b, n, to })
                }
                // `n < b` is not `b < n + 1`.
                (Test::Less, Certain::Is(n), _) => {
                    n.checked_add(1).map(|n| Op::JumpNumber { test, when: !when, a: b, n, to })
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(simpler) = simpler {
            *op = simpler;
            return true;
        }
        if let Op::JumpIf { a, to } | Op::JumpIfNot { a, to } = *op
            && let Some(compares) =
                at.checked_sub(1).and_then(|before| self.function.code.get(before))
            && compares.writes() == Some(a)
            && let Some((test, holds, x, y)) = compares.compared()
            && ![x, y].contains(&a)
            && !led_to
        {
            let when = holds == matches!(op, Op::JumpIf { .. });
            *op = Op::JumpTest { test, when, a: x, b: y, to };
            return true;
        }
        let (place, mut changed) = (op.place(), false);
        op.effects(&mut |effect| {
            if let Effect::Read(reg) = effect
                && place != Some(*reg)
            {
                let from = state.source(*reg);
                changed |= *reg != from;
                *reg = from;
            }
        });
        changed
    }
}

impl Function {
    /// Returns the function as it is where these facts hold: without what is never reached, asked or used.
    pub(super) fn shortened(
        &self,
        program: &Program,
        schema: &Schema,
        id: FunctionId,
        facts: &Facts,
    ) -> Function {
        let mut function = self.clone();
        for _ in 0..MOST_ROUNDS {
            let flow = ValueFlow::of(program, schema, &function, facts);
            let Some(shorter) = flow.and_then(|flow| flow.shorter(id)) else { break };
            function = shorter;
        }
        function
    }
}
