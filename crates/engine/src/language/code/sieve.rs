//! Loops that ask their members for their cells by themselves, and collect or count them.
//!
//! ```text
//! 3: next marked d            3: collect all marked that burn, but not higher than 4
//! 4: to 3 if d.fire < 1
//! 5: to 3 if not d.fire < 5
//! 6: push d
//! 7: to 3
//! ```

use super::silent::led_to;
use super::{NO_SIEVE, NumberOp, Op, Reg, SieveId, Test};
use crate::language::machine::World;
use crate::language::schema::{ColumnId, Schema, Type};

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
    /// The number of steps, no more than `MAX_REPEATS`.
    pub n: i16,
}

impl Sieve {
    /// Returns true if a piece passes.
    #[inline(always)]
    pub fn passes(&self, table: &impl World, row: u32) -> bool {
        let mut asks = self.asks.iter();
        while let Some(ask) = asks.next() {
            if !ask.holds(table.get(ask.column, row)) {
                if !ask.or {
                    return false;
                }
            } else if ask.or {
                // The others joined to it are not asked.
                while asks.next().is_some_and(|next| next.or) {}
            }
        }
        true
    }

    /// Returns which pieces pass, of those marked among the 64 rows from `64 * word` on: a bit for each row.
    pub fn passing(&self, table: &impl World, word: u32, rows: u64) -> u64 {
        let (mut left, mut found) = (rows, 0);
        for ask in &self.asks {
            for bit in bits(left & !found) {
                let holds = ask.holds(table.get(ask.column, 64 * word + bit));
                found |= u64::from(holds) << bit;
            }
            if !ask.or {
                (left, found) = (found, 0);
            }
        }
        left
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

    /// Returns the column in which every member of a loop that passes differs from its start, if there is just one.
    fn only_mark(&self, head: Op) -> Option<ColumnId> {
        match (head, &self.marked[..]) {
            (Op::NextMarked { column, .. }, _) | (_, &[column]) => Some(column),
            _ => None,
        }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The places of the bits that are set, lowest first.
pub fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(lowest)
    })
}

/// A function whose loops come to ask their members by themselves.
pub(super) struct Loops<'a> {
    code: &'a mut [Op],
    schema: &'a Schema,
    /// True if a register still matters at an instruction.
    is_read: &'a dyn Fn(usize, Reg) -> bool,
    /// The number of places from which each instruction is led to.
    led_to: Vec<usize>,
    /// The instructions that become needless.
    gone: Vec<bool>,
}

/// The head of a loop over pieces.
#[derive(Clone, Copy)]
struct Head {
    at: usize,
    /// The register of the member.
    member: Reg,
    /// The place behind the loop.
    end: usize,
    /// The place where it goes on with another member, if there can be one.
    fails: usize,
}

impl<'a> Loops<'a> {
    pub(super) fn of(
        code: &'a mut [Op],
        schema: &'a Schema,
        is_read: &'a dyn Fn(usize, Reg) -> bool,
    ) -> Self {
        let (led_to, gone) = (led_to(code), vec![false; code.len()]);
        Loops { code, schema, is_read, led_to, gone }
    }

    /// Lets loops ask their members by themselves; returns which instructions that makes needless.
    pub(super) fn sift(mut self, sieves: &mut Vec<Sieve>) -> Vec<bool> {
        for at in 0..self.code.len() {
            let Some((member, _)) = self.code[at].next_member() else { continue };
            let id = match u16::try_from(sieves.len()).map(SieveId) {
                Ok(id) if id != NO_SIEVE => id,
                _ => break,
            };
            let end = self.code[at].leads_to().map_or(at, |to| to.0 as usize);
            let fails = if let Op::Beyond { .. } = self.code[at] { end } else { at };
            let head = Head { at, member, end, fails };
            let mut sieve = Sieve::default();
            let behind = self.conditions(head, &mut sieve);
            self.use_made(head, behind, &mut sieve);
            if let Op::NextPiece { .. } = self.code[at] {
                sieve.marked = sieve.columns_marked(self.schema);
            }
            if let Some(column) = sieve.only_mark(self.code[at]) {
                sieve.drop_known(self.schema, column);
            }
            if self.all_pass(head, &sieve, sieves) {
                sieve.asks.clear();
            }
            let at = self.directions(head, &mut sieve);
            let plain = sieve.then == Then::Turn
                && sieve.asks.is_empty()
                && sieve.marked.is_empty()
                && sieve.towards.is_none();
            if let Some((_, place)) = self.code[at].next_member().filter(|_| !plain) {
                *place = id;
                sieves.push(sieve);
            }
        }
        self.gone
    }

    /// Returns true if an instruction does nothing but go on with another member, and no other place leads to it.
    fn goes_on(&self, head: Head, at: usize) -> bool {
        let jump =
            matches!(self.code.get(at), Some(Op::Jump { to }) if to.0 as usize == head.fails);
        jump && self.led_to[at] == 0
    }

    /// Takes the conditions at the beginning of a loop into its sieve, and returns the place behind them.
    fn conditions(&mut self, head: Head, sieve: &mut Sieve) -> usize {
        let mut at = head.at + 1;
        // A member that fails is not written.
        if (self.is_read)(head.fails, head.member) {
            return at;
        }
        while let Some(&Op::JumpCell { test, when, column, row, n, to }) = self.code.get(at)
            && row == head.member
            && self.led_to[at] == 0
        {
            if to.0 as usize == head.fails {
                sieve.add(Ask::of(column, test, n, !when, false));
                self.gone[at] = true;
                at += 1;
                continue;
            }
            // Members that pass one of several conditions may all lead to the same place.
            let leads = |op: &&Op| matches!(op, Op::JumpCell { row: of, to: on, .. } if (*of, *on) == (row, to));
            let alike = self.code[at..].iter().take_while(leads).count();
            let last = at + alike;
            if self.led_to[at + 1..last].iter().any(|count| *count > 0) || !self.goes_on(head, last)
            {
                break;
            }
            for (place, op) in (at..).zip(&self.code[at..last]) {
                if let Op::JumpCell { test, when, column, n, .. } = *op {
                    sieve.add(Ask::of(column, test, n, when, place + 1 < last));
                }
            }
            self.gone[at..=last].fill(true);
            if to.0 as usize != last + 1 {
                // The first that passes ends the loop.
                (self.code[at], self.gone[at]) = (Op::Jump { to }, false);
                break;
            }
            at = last + 1;
            self.led_to[at] -= alike;
        }
        at
    }

    /// Takes the use that a loop makes of its members into its sieve, if it needs no turns for it.
    fn use_made(&mut self, head: Head, at: usize, sieve: &mut Sieve) {
        let is_read = self.is_read;
        let (then, length) = match self.code.get(at..).unwrap_or_default() {
            [Op::Push { a }, ..] if *a == head.member => (Then::Gather, 2),
            &[
                Op::Small { d: one, n: 1 },
                Op::Number { d, op: NumberOp::Add, fraction: false, a, b },
                ..,
            ] if d == a && b == one && !is_read(head.end, one) => (Then::Count(d), 3),
            _ => return,
        };
        let behind = at + length;
        if head.fails == head.at
            && self.led_to[at..behind].iter().all(|count| *count == 0)
            && self.goes_on(head, behind - 1)
            && !is_read(head.end, head.member)
        {
            sieve.then = then;
            self.gone[at..behind].fill(true);
        }
    }

    /// Returns true if the members of a loop were gathered by the same conditions just before, and no turn changes what
    /// they ask of others.
    fn all_pass(&self, head: Head, sieve: &Sieve, sieves: &[Sieve]) -> bool {
        let mut before = (0..head.at).rev().filter(|at| !self.gone[*at]);
        let (Op::NextIn { a: list, at: place, .. }, Some(starts), Some(collects), Some(gathers)) =
            (self.code[head.at], before.next(), before.next(), before.next())
        else {
            return false;
        };
        let mut gather = self.code[gathers];
        let gathered = gather.next_member().and_then(|(_, id)| sieves.get(usize::from(id.0)));
        let Some(gathered) = gathered.filter(|sieve| sieve.then == Then::Gather) else {
            return false;
        };
        let mut asked = sieve.clone();
        if let Some(column) = gathered.only_mark(gather) {
            asked.drop_known(self.schema, column);
        }
        // A kind has each piece once.
        let listed = matches!(gather, Op::NextPiece { .. } | Op::NextMarked { .. })
            && gather.leads_to().is_some_and(|end| end.0 as usize == collects)
            && matches!(self.code[collects], Op::Collect { d, .. } if d == list)
            && matches!(self.code[starts], Op::Small { d, n: 0 } if d == place)
            && (self.led_to[collects], self.led_to[starts]) == (1, 0);
        listed && asked.asks == gathered.asks && self.keeps(head, list, sieve)
    }

    /// Returns true if no turn of a loop changes its list, or what it asks of members that are still to come.
    fn keeps(&self, head: Head, list: Reg, sieve: &Sieve) -> bool {
        let (mut open, mut seen) = (vec![head.at + 1], vec![false; self.code.len()]);
        let mut back = 0;
        while let Some(at) = open.pop() {
            if at == head.end || seen.get(at).is_none_or(|seen| *seen) {
                continue;
            }
            seen[at] = true;
            let op = self.code[at];
            let changes = match op {
                Op::Call { .. } | Op::Way { .. } | Op::Make { .. } | Op::Remove { .. } => true,
                Op::Set { column, row, .. } => {
                    row != head.member && sieve.asks.iter().any(|ask| ask.column == column)
                }
                // No other changes a cell by itself.
                _ => {
                    let mut written = op.writes().into_iter().chain(op.place());
                    written.any(|reg| reg == head.member || reg == list)
                }
            };
            if changes {
                return false;
            }
            let jump = op.leads_to().map(|to| to.0 as usize);
            back += usize::from(jump == Some(head.at));
            let on = Some(at + 1).filter(|_| !op.leaves());
            open.extend(jump.into_iter().chain(on).filter(|at| *at != head.at));
        }
        back == self.led_to[head.at]
    }

    /// Lets a loop over directions ask for the area itself; returns the place of its head.
    fn directions(&mut self, head: Head, sieve: &mut Sieve) -> usize {
        if let (Op::Beyond { d, a, b, n, .. }, Some(before)) =
            (self.code[head.at], head.at.checked_sub(1))
            && let Op::NextIn { d: direction, sieve: NO_SIEVE, end, .. } = self.code[before]
            && (direction, before, self.led_to[head.at]) == (b, head.fails, 0)
            && ![d, direction].into_iter().any(|reg| (self.is_read)(end.0 as usize, reg))
        {
            sieve.towards = Some(Towards { d, from: a, n });
            self.gone[head.at] = true;
            return before;
        }
        head.at
    }
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
