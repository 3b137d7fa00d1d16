//! The instructions that rules are mostly made of.
//!
//! All of it is put into the one loop that carries them out (`Run::straight`), which so keeps what it works with in
//! registers of the processor.

use super::arithmetic::{number_op, unary, word_op};
use super::cells::set_cell;
use super::interrupt::Interrupt;
use super::lists::{join, push, push_all};
use super::pieces::next_marked;
use super::plan::area_beyond;
use super::{Halt, Host, PlayFault, World};
use crate::language::code::{EVERY, Op, Program, Reg, Target, pack, unpack};
use crate::language::schema::Schema;

/// The instruction that is next.
pub(super) enum Next {
    /// The following one.
    Following,
    /// The one at a place.
    At(Target),
}

/// Everything that the common instructions work with.
pub(super) struct StraightRun<'r, T, H> {
    /// The registers of the function.
    pub(super) registers: &'r mut [i64],
    /// The list store.
    pub(super) store: &'r mut Vec<u32>,
    pub(super) program: &'r Program,
    pub(super) schema: &'r Schema,
    pub(super) table: &'r mut T,
    pub(super) host: &'r mut H,
    /// The reason why an instruction did not finish.
    pub(super) halted: &'r mut Option<Interrupt>,
}

impl<T: World, H: Host> StraightRun<'_, T, H> {
    /// Carries out a common instruction. `None` if it did not finish, or if it is not one of them.
    #[inline(always)]
    pub(super) fn carry_out(&mut self, op: Op) -> Option<Next> {
        match op {
            Op::Small { d, n } => self.write(d, n.into()),
            Op::Const { d, k } => self.write(d, self.program.constants[k as usize]),
            Op::Move { d, s } => self.write(d, self.value(s)),
            Op::Number { d, op, fraction: false, a, b } => {
                let value = self.finished(number_op(op, false, self.value(a), self.value(b)))?;
                self.write(d, value)
            }
            Op::Word { d, op, a, b } => {
                let value = self.finished(word_op(op, self.value(a), self.value(b)))?;
                self.write(d, value)
            }
            Op::Unary { d, op, a } => {
                let value = self.finished(unary(op, self.value(a)))?;
                self.write(d, value)
            }
            Op::Get { d, column, row } => {
                let row = self.row(row)?;
                self.write(d, self.table.get(column, row))
            }
            Op::Set { how, column, row, value } => {
                let row = self.row(row)?;
                let value = self.value(value);
                let set = set_cell(self.schema, self.table, self.host, how, (column, row), value);
                self.finished(set)?;
                self.follow()
            }
            Op::RollPool { d, pool } => {
                let total = self.host.roll(&self.program.pools[pool as usize]);
                let total = self.finished(total)?;
                if self.host.is_full() {
                    return self.halt(PlayFault::TooMuch);
                }
                self.write(d, total)
            }
            _ => self.jump(op),
        }
    }

    /// Carries out a jump.
    #[inline(always)]
    fn jump(&mut self, op: Op) -> Option<Next> {
        match op {
            Op::Jump { to } => self.jump_if(true, to),
            Op::JumpTest { test, when, a, b, to } => {
                self.jump_if(test.holds(self.value(a), self.value(b)) == when, to)
            }
            Op::JumpCell { test, when, column, row, n, to } => {
                let row = self.row(row)?;
                self.jump_if(test.holds(self.table.get(column, row), n.into()) == when, to)
            }
            Op::JumpIf { a, to } => self.jump_if(self.value(a) != 0, to),
            Op::JumpIfNot { a, to } => self.jump_if(self.value(a) == 0, to),
            Op::JumpIfSilent { to } => self.jump_if(!self.host.reports(), to),
            Op::JumpIfMute { to } => self.jump_if(!self.host.words(), to),
            Op::JumpIfGone { kind, a, to } => {
                let row = u32::try_from(self.value(a));
                self.jump_if(!row.is_ok_and(|row| self.table.is_there(kind, row)), to)
            }
            _ => self.list(op),
        }
    }

    /// Makes or changes a list in the list store.
    #[inline(always)]
    fn list(&mut self, op: Op) -> Option<Next> {
        match op {
            Op::GetList { d, list, row } => {
                let row = self.row(row)?;
                let members = self.table.list(list, row);
                if self.table.is_unknown() {
                    return None;
                }
                let made = push_all(self.store, members);
                let made = self.finished(made)?;
                self.write(d, made)
            }
            Op::Mark { d } => self.write(d, pack(self.store.len(), 0)),
            Op::Push { a } => {
                let pushed = push(self.store, self.value(a));
                self.finished(pushed)?;
                self.follow()
            }
            Op::Narrow { d, a, only } if self.value(only) == i64::from(EVERY) => {
                self.write(d, self.value(a))
            }
            Op::Collect { d, a } => {
                let (start, _) = unpack(self.value(a));
                self.write(d, pack(start, self.store.len().saturating_sub(start)))
            }
            Op::Join { d, a, b } => {
                let joined = join(self.store, self.value(a), self.value(b));
                let joined = self.finished(joined)?;
                self.write(d, joined)
            }
            Op::Step { d, a, b, n } => {
                let row = self.row(a)?;
                let direction = self.value(b);
                let count = self.value(n);
                let area = area_beyond(self.program, self.table, row, direction, count);
                if self.table.is_unknown() {
                    return None;
                }
                let made = push_all(self.store, area.as_slice());
                let made = self.finished(made)?;
                self.write(d, made)
            }
            Op::Release { a } => {
                self.store.truncate(unpack(self.value(a)).0);
                self.follow()
            }
            _ => self.turn(op),
        }
    }

    /// Goes on to the next member of a loop, or to its end.
    #[inline(always)]
    fn turn(&mut self, op: Op) -> Option<Next> {
        match op {
            Op::NextPiece { d, at, kind, end } => {
                let member = self.table.next_piece(kind, self.value(at) as u32);
                self.go_on(d, at, member.map(|row| (row.into(), i64::from(row) + 1)), end)
            }
            Op::NextMarked { d, at, column, end } => {
                let member = next_marked(self.table, column, self.value(at) as u32);
                self.go_on(d, at, member.map(|row| (row.into(), i64::from(row) + 1)), end)
            }
            Op::NextOf { d, at, list, row, end } => {
                let row = self.row(row)?;
                let from = self.value(at);
                let member = self.table.list(list, row).get(from as usize).copied();
                self.go_on(d, at, member.map(|member| (member.into(), from + 1)), end)
            }
            Op::NextIn { d, at, a, end } => {
                let (start, length) = unpack(self.value(a));
                let from = self.value(at);
                let inside = (from as usize) < length;
                let member = self.store.get(start + from as usize).filter(|_| inside).copied();
                self.go_on(d, at, member.map(|member| (member.into(), from + 1)), end)
            }
            Op::NextNumber { d, at, last, end } => {
                if self.host.stops_at_turn() {
                    return self.halt(Halt::Branch);
                }
                let next = Some(self.value(at)).filter(|next| *next <= self.value(last));
                self.go_on(d, at, next.map(|n| (n, n.saturating_add(1))), end)
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn value(&self, reg: Reg) -> i64 {
        self.registers[usize::from(reg)]
    }

    /// Returns the row of the piece in a register, which must not be `none`.
    #[inline(always)]
    fn row(&mut self, reg: Reg) -> Option<u32> {
        match u32::try_from(self.value(reg)) {
            Ok(row) => Some(row),
            Err(_) => self.halt(PlayFault::OfNone),
        }
    }

    /// Returns what came of something; `None` if it went wrong.
    #[inline(always)]
    fn finished<V>(&mut self, result: Result<V, impl Into<Interrupt>>) -> Option<V> {
        match result {
            Ok(value) => Some(value),
            Err(reason) => self.halt(reason),
        }
    }

    /// Records why an instruction did not finish.
    #[inline(always)]
    fn halt<V>(&mut self, reason: impl Into<Interrupt>) -> Option<V> {
        *self.halted = Some(reason.into());
        None
    }

    /// Writes a value into a register, unless it comes of something that is not known yet.
    #[inline(always)]
    fn write(&mut self, d: Reg, value: i64) -> Option<Next> {
        if self.table.is_unknown() {
            return None;
        }
        self.registers[usize::from(d)] = value;
        Some(Next::Following)
    }

    #[inline(always)]
    fn follow(&self) -> Option<Next> {
        (!self.table.is_unknown()).then_some(Next::Following)
    }

    #[inline(always)]
    fn jump_if(&self, holds: bool, to: Target) -> Option<Next> {
        if self.table.is_unknown() {
            return None;
        }
        Some(if holds { Next::At(to) } else { Next::Following })
    }

    /// Begins the turn of the next member of a loop and stores where to go on; ends the loop if there is no member.
    #[inline(always)]
    fn go_on(&mut self, d: Reg, at: Reg, member: Option<(i64, i64)>, end: Target) -> Option<Next> {
        if self.table.is_unknown() {
            return None;
        }
        let Some((member, behind)) = member else { return Some(Next::At(end)) };
        self.registers[usize::from(d)] = member;
        self.registers[usize::from(at)] = behind;
        Some(Next::Following)
    }
}
