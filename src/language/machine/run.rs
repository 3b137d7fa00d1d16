//! The loop that carries out instructions, and those that stand in the way of a sweep.

use super::super::code::{CellTest, FilterId, Function, Op, ValueUse};
use super::host::parameters;
use super::{
    Called, Halt, Host, MAX_STEPS, Machine, Table, none_asked, pack, row_of, too_large, too_long,
    unpack,
};

impl Machine<'_> {
    /// Runs until the frames are back at `depth`. `first` is the code of the first frame above it, which may
    /// be none of the program's own, and `top` that of the last.
    pub(super) fn run<T: Table, H: Host>(
        &mut self,
        first: &Function,
        top: &Function,
        depth: usize,
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        let program = self.program;
        let filters: &[Vec<CellTest>] = &program.filters;
        let Some(frame) = self.frames.last() else { return Ok(0) };
        let mut code: &Function = top;
        let mut ops: &[Op] = &code.code;
        // The place and the base of the frame on top; what the frame itself holds is brought up to date
        // wherever somebody else may look at it. Registers and steps are held here, out of the machine, as
        // nothing is touched more often.
        let (mut at, mut base) = (frame.at as usize, frame.base as usize);
        let mut registers = std::mem::take(&mut self.registers);
        let mut steps = self.steps;
        /// A register of the present frame.
        macro_rules! reg {
            ($reg:expr) => {
                registers[base + usize::from($reg)]
            };
        }
        /// Goes on to the next row that is found and passes; every row looked at is a step.
        macro_rules! next_row {
            ($d:expr, $place:expr, $filter:expr, $end:expr, $find:expr) => {{
                let find = $find;
                let mut from = reg!($place) as u32;
                at = loop {
                    let Some(row) = find(from) else { break $end as usize };
                    from = row + 1;
                    if passes(filters, $filter, row, table) {
                        reg!($d) = i64::from(row);
                        break at;
                    }
                };
                steps += u64::from(from) - reg!($place) as u64;
                reg!($place) = i64::from(from);
            }};
        }
        /// Lets the machine work on what is held here.
        macro_rules! lend {
            ($work:expr) => {{
                self.registers = registers;
                self.steps = steps;
                self.stand_at(at);
                let done = $work;
                registers = std::mem::take(&mut self.registers);
                steps = self.steps;
                done
            }};
        }
        let result = loop {
            let Some(op) = ops.get(at) else { break Ok(0) };
            at += 1;
            steps += 1;
            if steps > MAX_STEPS {
                break Err(too_long());
            }
            let problem = match *op {
                Op::Small { d, n } => {
                    reg!(d) = i64::from(n);
                    continue;
                }
                Op::Move { d, s } => {
                    reg!(d) = reg!(s);
                    continue;
                }
                Op::Equal { d, a, b } => {
                    reg!(d) = i64::from(reg!(a) == reg!(b));
                    continue;
                }
                Op::NotEqual { d, a, b } => {
                    reg!(d) = i64::from(reg!(a) != reg!(b));
                    continue;
                }
                Op::Less { d, a, b } => {
                    reg!(d) = i64::from(reg!(a) < reg!(b));
                    continue;
                }
                Op::AtMost { d, a, b } => {
                    reg!(d) = i64::from(reg!(a) <= reg!(b));
                    continue;
                }
                Op::Not { d, a } => {
                    reg!(d) = i64::from(reg!(a) == 0);
                    continue;
                }
                Op::Get { d, column, row } => {
                    let row = reg!(row);
                    if row >= 0 {
                        reg!(d) = table.get(column, row as u32);
                        continue;
                    }
                    none_asked()
                }
                Op::Add { d, a, b } => match reg!(a).checked_add(reg!(b)) {
                    Some(sum) => {
                        reg!(d) = sum;
                        continue;
                    }
                    None => too_large(),
                },
                Op::AddSmall { d, a, n } => match reg!(a).checked_add(i64::from(n)) {
                    Some(sum) => {
                        reg!(d) = sum;
                        continue;
                    }
                    None => too_large(),
                },
                Op::Jump { to } => {
                    at = to as usize;
                    continue;
                }
                Op::JumpIf { a, to } => {
                    if reg!(a) != 0 {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfNot { a, to } => {
                    if reg!(a) == 0 {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfEqual { a, n, to } => {
                    if reg!(a) == i64::from(n) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfNotEqual { a, n, to } => {
                    if reg!(a) != i64::from(n) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfOver { a, n, to } => {
                    if reg!(a) > i64::from(n) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfNotOver { a, n, to } => {
                    if reg!(a) <= i64::from(n) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfSilent { to } => {
                    if !host.reports() {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfMute { to } => {
                    if !host.words() {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfGone { kind, a, to } => {
                    let row = reg!(a);
                    if row < 0 || !table.is_there(kind, row as u32) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfCell { test, column, row, n, to } => {
                    let row = reg!(row);
                    if row >= 0 {
                        if test.holds(table.get(column, row as u32), i64::from(n)) {
                            at = to as usize;
                        }
                        continue;
                    }
                    none_asked()
                }
                Op::JumpIfSame { a, b, to } => {
                    if reg!(a) == reg!(b) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfNotSame { a, b, to } => {
                    if reg!(a) != reg!(b) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfLess { a, b, to } => {
                    if reg!(a) < reg!(b) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfNotLess { a, b, to } => {
                    if reg!(a) >= reg!(b) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::NextPiece { d, at: place, kind, filter, end } => {
                    next_row!(d, place, filter, end, |from| table.next_piece(kind, from));
                    continue;
                }
                Op::NextMarked { d, at: place, column, filter, end } => {
                    next_row!(d, place, filter, end, |from| table.next_marked(column, from));
                    continue;
                }
                Op::NextOf { d, at: place, list, row, filter, end } => {
                    let row = reg!(row);
                    if row >= 0 {
                        let first = reg!(place) as usize;
                        let members = table.list(list, row as u32).get(first..).unwrap_or(&[]);
                        match passing(filters, filter, members, table) {
                            Some((passed_over, member)) => {
                                steps += passed_over as u64;
                                reg!(d) = i64::from(member);
                                reg!(place) = (first + passed_over + 1) as i64;
                            }
                            None => at = end as usize,
                        }
                        continue;
                    }
                    none_asked()
                }
                Op::NextIn { d, at: place, a, filter, end } => {
                    let (start, length) = unpack(reg!(a));
                    let first = reg!(place) as usize;
                    let members = self.store.get(start + first..start + length).unwrap_or(&[]);
                    match passing(filters, filter, members, table) {
                        Some((passed_over, member)) => {
                            steps += passed_over as u64;
                            reg!(d) = i64::from(member);
                            reg!(place) = (first + passed_over + 1) as i64;
                        }
                        None => at = end as usize,
                    }
                    continue;
                }
                Op::Only { d, a, filter, end } => {
                    let (start, length) = unpack(reg!(a));
                    match self.store.get(start).filter(|_| length > 0) {
                        Some(&member) if passes(filters, filter, member, table) => {
                            reg!(d) = i64::from(member);
                        }
                        _ => at = end as usize,
                    }
                    continue;
                }
                Op::StepTo { d, a, b, n, filter, end } => match row_of(reg!(a)) {
                    Ok(from) => {
                        match self.step(from, reg!(b), reg!(n), table) {
                            Some(area) if passes(filters, filter, area, table) => {
                                reg!(d) = i64::from(area);
                            }
                            _ => at = end as usize,
                        }
                        continue;
                    }
                    Err(problem) => problem,
                },
                Op::NextNumber { d, at: place, last, end } => {
                    let value = reg!(place);
                    if value > reg!(last) {
                        at = end as usize;
                    } else {
                        reg!(d) = value;
                        reg!(place) = value.saturating_add(1);
                    }
                    continue;
                }
                Op::Mark { d } => {
                    reg!(d) = pack(self.store.len(), 0);
                    continue;
                }
                Op::Release { a } => {
                    let (start, _) = unpack(reg!(a));
                    self.store.truncate(start);
                    continue;
                }
                Op::Sub { d, a, b } => match reg!(a).checked_sub(reg!(b)) {
                    Some(difference) => {
                        reg!(d) = difference;
                        continue;
                    }
                    None => too_large(),
                },
                Op::Const { d, k } => {
                    reg!(d) = program.constants[k as usize];
                    continue;
                }
                Op::RollPool { d, pool } => match host.roll(&program.pools[usize::from(pool)]) {
                    Ok(total) => match Self::not_too_much(host) {
                        Ok(()) => {
                            reg!(d) = total;
                            continue;
                        }
                        Err(problem) => problem,
                    },
                    Err(halt) => halt.into(),
                },
                Op::Set { how, column, row, value } => {
                    let (row, value) = (reg!(row), reg!(value));
                    match self.set(how, column, row, value, table, host) {
                        Ok(()) => continue,
                        Err(problem) => problem,
                    }
                }
                Op::Push { a } => match self.push(reg!(a)) {
                    Ok(()) => continue,
                    Err(problem) => problem,
                },
                Op::Collect { d, a } => {
                    let (start, _) = unpack(reg!(a));
                    reg!(d) = pack(start, self.store.len().saturating_sub(start));
                    continue;
                }
                Op::Listed { d, list } => match self.push_all(&program.listed[usize::from(list)]) {
                    Ok(pushed) => {
                        reg!(d) = pushed;
                        continue;
                    }
                    Err(problem) => problem,
                },
                Op::GetList { d, list, row } => {
                    let row = reg!(row);
                    match row_of(row).and_then(|row| self.push_all(table.list(list, row))) {
                        Ok(pushed) => {
                            reg!(d) = pushed;
                            continue;
                        }
                        Err(problem) => problem,
                    }
                }
                Op::Step { d, a, b, n } => {
                    let (from, towards, count) = (reg!(a), reg!(b), reg!(n));
                    let found = row_of(from).map(|from| self.step(from, towards, count, table));
                    match found.and_then(|found| self.push_all(found.as_slice())) {
                        Ok(pushed) => {
                            reg!(d) = pushed;
                            continue;
                        }
                        Err(problem) => problem,
                    }
                }
                Op::Call { .. } | Op::CallRule { .. } => {
                    let (function, rule, window, value) = match *op {
                        Op::CallRule { rule, base: arguments, value } => {
                            let window = base + usize::from(arguments);
                            if host.reports() {
                                let bound = parameters(self.schema, rule, &registers[window..]);
                                host.call_begins(rule, &bound);
                            }
                            (self.schema.rules[rule.index()].function, true, window, value)
                        }
                        Op::Call { function, base: arguments, value } => {
                            (function, false, base + usize::from(arguments), value)
                        }
                        _ => continue,
                    };
                    let value_used = match value {
                        ValueUse::Used => true,
                        ValueUse::Unused => false,
                        ValueUse::Returned => {
                            self.frames.last().is_some_and(|f| f.called.value_used)
                        }
                    };
                    let called = Called { rule, value_used };
                    let room = Self::not_too_much(host);
                    match lend!(room.and_then(|()| self.descend(program, function, window, called)))
                    {
                        Ok(entered) => {
                            (code, ops) = (entered, &entered.code);
                            (at, base) = (0, window);
                            continue;
                        }
                        Err(problem) => problem,
                    }
                }
                Op::Return { a } => {
                    let value = self.leave(code, reg!(a), host);
                    if let Some(place) = registers.get_mut(base) {
                        *place = value;
                    }
                    if self.frames.len() <= depth {
                        break Ok(value);
                    }
                    if let Some(frame) = self.frames.last() {
                        (at, base) = (frame.at as usize, frame.base as usize);
                        code = match self.frames.len() == depth + 1 {
                            true => first,
                            false => &program.functions[frame.function.index()],
                        };
                        ops = &code.code;
                    }
                    continue;
                }
                op => match lend!(self.simple(op, base, table, host)) {
                    Ok(()) => continue,
                    Err(problem) => problem,
                },
            };
            break Err(problem);
        };
        self.registers = registers;
        self.steps = steps;
        result.map_err(|problem| self.halted(problem, code, at - 1))
    }
}

/// Whether a piece passes a filter.
#[inline]
pub(super) fn passes<T: Table>(
    filters: &[Vec<CellTest>],
    filter: FilterId,
    row: u32,
    table: &T,
) -> bool {
    filter == 0
        || filters.get(usize::from(filter)).is_none_or(|tests| {
            tests.iter().all(|t| t.test.holds(table.get(t.column, row), i64::from(t.n)))
        })
}

/// The first member that passes a filter, and how many stand before it.
#[inline]
fn passing<T: Table>(
    filters: &[Vec<CellTest>],
    filter: FilterId,
    members: &[u32],
    table: &T,
) -> Option<(usize, u32)> {
    let place = members.iter().position(|&member| passes(filters, filter, member, table))?;
    Some((place, members[place]))
}
