//! The program of simulations: rule text for hosts that want no events, in fewer and larger instructions.
//!
//! Instructions that only report go. Faults of limits that the whole rules would meet (too many members, calls or steps)
//! may come later or not at all. A loop asks its members for their cells by itself, and collects them:
//!
//! ```text
//! 3: next marked d            3: collect all marked that burn, but not higher than 4
//! 4: to 3 if d.fire < 1
//! 5: to 3 if not d.fire < 5
//! 6: push d
//! 7: to 3
//! ```

use std::cell::LazyCell;
use std::sync::Arc;

use super::{Facts, Function, NO_SIEVE, NumberOp, Op, Program, Reg, SieveId, Target, Test};
use crate::language::machine::{Live, World};
use crate::language::schema::{ColumnId, FunctionId, Schema, Type};
use crate::source::Span;

/// Conditions that a loop asks of each member, and the use it makes of those that pass.
#[derive(Clone, Debug, Default)]
pub struct Sieve {
    /// The conditions.
    pub asks: Vec<Ask>,
    /// The use made of those that pass.
    pub then: Then,
    /// The columns in one of which every piece that passes differs from its start, of a loop over a kind; empty if
    /// there are none.
    pub marked: Vec<ColumnId>,
    /// The members are directions: what is asked, and has its turn, is the area there.
    pub towards: Option<Towards>,
}

/// An area some steps from another, in the direction that is a loop's member.
#[derive(Clone, Copy, Debug)]
pub struct Towards {
    /// The register for the area.
    pub d: Reg,
    /// The register of the area from which the steps are counted.
    pub from: Reg,
    /// The number of steps.
    pub n: i16,
}

impl Sieve {
    /// Returns true if a piece passes.
    #[inline(always)]
    pub fn passes(&self, table: &impl World, row: u32) -> bool {
        let mut found = false;
        for ask in &self.asks {
            found = found || ask.holds(table.get(ask.column, row));
            if !ask.or {
                if !found {
                    return false;
                }
                found = false;
            }
        }
        true
    }

    /// Adds a condition, or narrows the one before.
    fn add(&mut self, ask: Ask) {
        let apart = self.asks.len() < 2 || !self.asks[self.asks.len() - 2].or;
        match self.asks.last_mut() {
            Some(last)
                if apart
                    && (last.column, last.within, last.or) == (ask.column, true, false)
                    && (ask.within, ask.or) == (true, false) =>
            {
                last.low = last.low.max(ask.low);
                last.high = last.high.min(ask.high);
            }
            _ => self.asks.push(ask),
        }
    }

    /// Drops the conditions that every piece meets whose cell in a column differs from its start, and that are not joined by
    /// `or`. A whole number is always within its limits; the cells of fractions are no such numbers.
    fn drop_known(&mut self, schema: &Schema, column: ColumnId) {
        let of = schema.column(column);
        let (low, high) = match of.ty {
            Type::Whole => (of.low, of.high),
            _ => (i64::MIN, i64::MAX),
        };
        let low = low.saturating_add(i64::from(low == of.start));
        let high = high.saturating_sub(i64::from(high == of.start));
        let mut joined = false;
        self.asks.retain(|ask| {
            let alone = !joined && !ask.or;
            joined = ask.or;
            let met = match ask.within {
                true => ask.low <= low && high <= ask.high,
                false => (ask.low, ask.high) == (of.start, of.start),
            };
            !(alone && ask.column == column && met)
        });
    }

    /// Returns the columns in one of which every piece that passes differs from its start.
    fn columns_marked(&self, schema: &Schema) -> Vec<ColumnId> {
        let start = |ask: &Ask| schema.column(ask.column).start;
        let differs = |ask: &Ask| !ask.holds(start(ask));
        let mut joined = self.asks.split_inclusive(|ask| !ask.or);
        let found = joined.find(|asks| asks.iter().all(differs)).unwrap_or_default();
        found.iter().map(|ask| ask.column).collect()
    }
}

/// The use that a loop makes of the members that pass its sieve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Then {
    /// Each has its turn.
    #[default]
    Turn,
    /// They are added at the end of the list store; there are no turns.
    Gather,
    /// A register grows by their number; there are no turns.
    Count(Reg),
}

/// A condition on a cell of a member: that it is within limits, or that it is not.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the limits are the lowest and the highest value")]
pub struct Ask {
    pub column: ColumnId,
    pub low: i64,
    pub high: i64,
    pub within: bool,
    /// This or the following is enough.
    pub or: bool,
}

impl Ask {
    /// Returns the condition that the test of a cell with a number comes out as `when`.
    fn of(column: ColumnId, test: Test, n: i32, when: bool, or: bool) -> Ask {
        let n = i64::from(n);
        let (low, high, within) = match test {
            Test::Less if when => (i64::MIN, n - 1, true),
            Test::Less => (n, i64::MAX, true),
            Test::Equal => (n, n, when),
        };
        Ask { column, low, high, within, or }
    }

    #[inline]
    fn holds(&self, value: i64) -> bool {
        (self.low <= value && value <= self.high) == self.within
    }
}

/// The most times that functions are made shorter and put in the place of their calls.
const MOST_ROUNDS: usize = 8;
/// The most jumps to jumps that are made one.
const MOST_HOPS: usize = 4;

impl Program {
    /// Returns the program for hosts that want no events, of games in which only the functions `run` are called, and these
    /// facts hold as they begin. Other functions stay as they are. It runs over a table of which all is known, and in one
    /// go: what a loop asks by itself is neither done again nor written down.
    pub fn silent(&self, schema: &Schema, run: &[FunctionId], facts: Facts) -> Program {
        let mut program = self.clone();
        let reached = self.called_from(run);
        for id in &reached {
            let function = Arc::make_mut(&mut program.functions[id.index()]);
            for op in &mut function.code {
                if let Op::JumpIfSilent { to } | Op::JumpIfMute { to } = *op {
                    *op = Op::Jump { to };
                }
            }
            let gone: Vec<bool> = function.code.iter().map(|op| op.only_reports()).collect();
            function.remove(&gone);
        }
        program.inline_calls(&reached);
        let (facts, mut changed) = facts.lasting(&program, schema, run);
        for _ in 0..MOST_ROUNDS {
            for id in changed {
                let shorter = program.functions[id.index()].shortened(&program, schema, id, &facts);
                program.functions[id.index()] = shorter.into();
            }
            // Some are short only now, and others no longer called.
            changed = program.inline_calls(&program.called_from(run));
        }
        let reached = program.called_from(run);
        let whole = program.clone();
        for id in &reached {
            let before = &whole.functions[id.index()];
            let function = Arc::make_mut(&mut program.functions[id.index()]);
            let live = LazyCell::new(|| Live::of(&whole, before));
            let is_read = |at: usize, reg| live.has(at, reg);
            let gone = sift(&mut function.code, &mut program.sieves, schema, &is_read);
            function.remove(&gone);
        }
        program.indexed.extend(program.sieves.iter().flat_map(|sieve| &sieve.marked));
        program
    }
}

impl Function {
    /// Takes instructions out, and jumps over none.
    pub(super) fn remove(&mut self, gone: &[bool]) {
        (self.code, self.spans) = without(&self.code, &self.spans, gone);
    }
}

/// Takes instructions out, and jumps over none.
fn without(code: &[Op], spans: &[Span], gone: &[bool]) -> (Vec<Op>, Vec<Span>) {
    // How many instructions are kept from each on, and so where each goes.
    let mut kept = vec![0; code.len() + 1];
    for (at, op) in code.iter().enumerate().rev() {
        let over_none = matches!(*op, Op::Jump { to }
            if to.0 as usize > at && kept[to.0 as usize] == kept[at + 1]);
        kept[at] = kept[at + 1] + u32::from(!gone[at] && !over_none);
    }
    let place = |at: usize| kept[0] - kept[at];
    let stays = |at: &usize| kept[*at] != kept[at + 1];
    let moved = |at: usize| {
        let mut op = code[at];
        op.lead(|mut to| {
            // What a jump leads to may be a jump itself.
            for _ in 0..MOST_HOPS {
                let Op::Jump { to: on } = code[to.0 as usize] else { break };
                to = on;
            }
            Target(place(to.0 as usize))
        });
        op
    };
    let ops = (0..code.len()).filter(stays).map(moved).collect();
    (ops, (0..code.len()).filter(stays).map(|at| spans[at]).collect())
}

/// Lets loops ask their members by themselves; returns which instructions that makes needless. `is_read` says whether a
/// register still matters at an instruction.
fn sift(
    code: &mut [Op],
    sieves: &mut Vec<Sieve>,
    schema: &Schema,
    is_read: &dyn Fn(usize, Reg) -> bool,
) -> Vec<bool> {
    // From how many places each instruction is led to.
    let mut led_to = vec![0; code.len() + 1];
    code.iter().filter_map(|op| op.leads_to()).for_each(|to| led_to[to.0 as usize] += 1);
    let mut gone = vec![false; code.len()];
    for head in 0..code.len() {
        let (Some((member, _)), Ok(id)) = (code[head].next_member(), u16::try_from(sieves.len()))
        else {
            continue;
        };
        if SieveId(id) == NO_SIEVE {
            break;
        }
        let end = code[head].leads_to().map_or(head, |to| to.0 as usize);
        // Where it goes on with another member, if there can be one.
        let fails = if let Op::Beyond { .. } = code[head] { end } else { head };
        let mut sieve = Sieve::default();
        let mut at = head + 1;
        let back = |code: &[Op], led_to: &[usize], at: usize| {
            let jump = matches!(code.get(at), Some(Op::Jump { to }) if to.0 as usize == fails);
            jump && led_to[at] == 0
        };
        // A member that fails is not written.
        let asked = !is_read(fails, member);
        while let Some(&Op::JumpCell { test, when, column, row, n, to }) = code.get(at)
            && row == member
            && led_to[at] == 0
            && asked
        {
            if to.0 as usize == fails {
                sieve.add(Ask::of(column, test, n, !when, false));
                gone[at] = true;
                at += 1;
                continue;
            }
            // Members that pass one of several conditions may all lead to the same place.
            let leads = |op: &&Op| matches!(op, Op::JumpCell { row, to: on, .. } if (*row, *on) == (member, to));
            let alike = code[at..].iter().take_while(leads).count();
            let last = at + alike;
            if led_to[at + 1..last].iter().any(|count| *count > 0) || !back(code, &led_to, last) {
                break;
            }
            for (place, op) in (at..).zip(&code[at..last]) {
                if let Op::JumpCell { test, when, column, n, .. } = *op {
                    sieve.add(Ask::of(column, test, n, when, place + 1 < last));
                }
            }
            gone[at..=last].fill(true);
            if to.0 as usize != last + 1 {
                // The first that passes ends the loop.
                (code[at], gone[at]) = (Op::Jump { to }, false);
                break;
            }
            at = last + 1;
            led_to[at] -= alike;
        }
        let (then, length) = match code.get(at..).unwrap_or_default() {
            [Op::Push { a }, ..] if *a == member => (Then::Gather, 2),
            &[
                Op::Small { d: one, n: 1 },
                Op::Number { d, op: NumberOp::Add, fraction: false, a, b },
                ..,
            ] if d == a && b == one && !is_read(end, one) => (Then::Count(d), 3),
            _ => (Then::Turn, 0),
        };
        let behind = at + length;
        let straight = led_to[at..behind].iter().all(|count| *count == 0);
        if length > 0
            && fails == head
            && straight
            && back(code, &led_to, behind - 1)
            && !is_read(end, member)
        {
            sieve.then = then;
            gone[at..behind].fill(true);
        }
        if let Op::NextPiece { .. } = code[head] {
            sieve.marked = sieve.columns_marked(schema);
        }
        match (code[head], &sieve.marked[..]) {
            (Op::NextMarked { column, .. }, _) | (_, &[column]) => sieve.drop_known(schema, column),
            _ => {}
        }
        // A loop over directions asks for the area itself.
        let mut head = head;
        if let (Op::Beyond { d, a, b, n, .. }, Some(before)) = (code[head], head.checked_sub(1))
            && let Op::NextIn { d: direction, sieve: NO_SIEVE, end, .. } = code[before]
            && (direction, before, led_to[head]) == (b, fails, 0)
            && ![d, direction].into_iter().any(|reg| is_read(end.0 as usize, reg))
        {
            sieve.towards = Some(Towards { d, from: a, n });
            gone[head] = true;
            head = before;
        }
        let plain = sieve.then == Then::Turn
            && sieve.asks.is_empty()
            && sieve.marked.is_empty()
            && sieve.towards.is_none();
        if let Some((_, place)) = code[head].next_member().filter(|_| !plain) {
            *place = SieveId(id);
            sieves.push(sieve);
        }
    }
    gone
}

impl Op {
    /// Returns the register of the member that a loop over pieces goes on to, and the place of its sieve.
    fn next_member(&mut self) -> Option<(Reg, &mut SieveId)> {
        match self {
            Op::NextPiece { d, sieve, .. }
            | Op::NextMarked { d, sieve, .. }
            | Op::NextOf { d, sieve, .. }
            | Op::NextIn { d, sieve, .. }
            | Op::Beyond { d, sieve, .. } => Some((*d, sieve)),
            _ => None,
        }
    }
}
