//! The most common instructions.
//!
//! All of them are executed in a single loop (`Run::run_straight`), so that the Rust compiler can
//! store the loop's variables in processor registers.

use super::arithmetic::{number_op, unary_op, word_op};
use super::cells::set_cell;
use super::interrupt::Interrupt;
use super::lists::{MAX_FREE_COPY, join_lists, push_member, push_members};
use super::pieces::next_changed_piece;
use super::plan::area_in_direction;
use super::{Halt, Host, PlayFault, World};
use crate::language::code::{EVERY_PIECE, Op, Program, Reg, Target, pack, unpack};
use crate::language::schema::Schema;

/// The instruction to continue with.
pub(super) enum NextOp {
    /// Continue with the following instruction.
    Following,
    /// Continue with the instruction at this index.
    At(Target),
}

/// The variables that the common instructions use.
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
    /// Executes a common instruction. Returns `None` if the instruction halted, read something
    /// unknown, or is not a common one.
    #[inline(always)]
    pub(super) fn execute_op(&mut self, op: Op) -> Option<NextOp> {
        match op {
            Op::Small { d, n } => self.write(d, n.into()),
            Op::Const { d, k } => self.write(d, self.program.constants[k as usize]),
            Op::Move { d, s } => self.write(d, self.value(s)),
            Op::Number { d, op, fraction: false, a, b } => {
                let value =
                    self.value_or_halt(number_op(op, false, self.value(a), self.value(b)))?;
                self.write(d, value)
            }
            Op::Word { d, op, a, b } => {
                let value = self.value_or_halt(word_op(op, self.value(a), self.value(b)))?;
                self.write(d, value)
            }
            Op::Unary { d, op, a } => {
                let value = self.value_or_halt(unary_op(op, self.value(a)))?;
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
                self.value_or_halt(set)?;
                self.go_to_following()
            }
            Op::RollPool { d, pool } => {
                let total = self.host.roll_pool(&self.program.pools[pool as usize]);
                let total = self.value_or_halt(total)?;
                if self.host.is_full() {
                    return self.halt(PlayFault::TooMuch);
                }
                self.write(d, total)
            }
            _ => self.execute_jump(op),
        }
    }

    /// Executes a jump, or passes any other instruction on to `execute_list_op`.
    #[inline(always)]
    fn execute_jump(&mut self, op: Op) -> Option<NextOp> {
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
            Op::JumpIfSilent { to } => self.jump_if(!self.host.wants_reports(), to),
            Op::JumpIfMute { to } => self.jump_if(!self.host.wants_words(), to),
            Op::JumpIfGone { kind, a, to } => {
                let row = u32::try_from(self.value(a));
                self.jump_if(!row.is_ok_and(|row| self.table.is_on_table(kind, row)), to)
            }
            _ => self.execute_list_op(op),
        }
    }

    /// Makes or changes a list in the list store, or passes any other instruction on to
    /// `next_loop_turn`.
    #[inline(always)]
    fn execute_list_op(&mut self, op: Op) -> Option<NextOp> {
        match op {
            Op::GetList { d, list, row } => {
                let row = self.row(row)?;
                let members = self.table.list(list, row);
                if self.table.has_read_unknown() || members.len() > MAX_FREE_COPY {
                    return None;
                }
                let made = push_members(self.store, members);
                let made = self.value_or_halt(made)?;
                self.write(d, made)
            }
            Op::Mark { d } => self.write(d, pack(self.store.len(), 0)),
            Op::Push { a } => {
                let pushed = push_member(self.store, self.value(a));
                self.value_or_halt(pushed)?;
                self.go_to_following()
            }
            Op::Narrow { d, a, only } if self.value(only) == i64::from(EVERY_PIECE) => {
                self.write(d, self.value(a))
            }
            Op::Collect { d, a } => {
                let (start, _) = unpack(self.value(a));
                self.write(d, pack(start, self.store.len().saturating_sub(start)))
            }
            Op::Join { d, a, b } if self.length_of_both(a, b) <= MAX_FREE_COPY => {
                let joined = join_lists(self.store, self.value(a), self.value(b));
                let joined = self.value_or_halt(joined)?;
                self.write(d, joined)
            }
            Op::Step { d, a, b, n } => {
                let row = self.row(a)?;
                let direction = self.value(b);
                let count = self.value(n);
                let area = area_in_direction(self.program, self.table, row, direction, count);
                if self.table.has_read_unknown() {
                    return None;
                }
                let made = push_members(self.store, area.as_slice());
                let made = self.value_or_halt(made)?;
                self.write(d, made)
            }
            Op::Release { a } => {
                self.store.truncate(unpack(self.value(a)).0);
                self.go_to_following()
            }
            _ => self.next_loop_turn(op),
        }
    }

    /// Returns the total number of members of two lists.
    #[inline(always)]
    fn length_of_both(&self, a: Reg, b: Reg) -> usize {
        unpack(self.value(a)).1 + unpack(self.value(b)).1
    }

    /// Goes to the next member of a loop, or to the end of the loop. Returns `None` if the
    /// instruction isn't the head of a loop.
    #[inline(always)]
    fn next_loop_turn(&mut self, op: Op) -> Option<NextOp> {
        match op {
            Op::NextPiece { d, at, kind, end } => {
                let member = self.table.next_piece(kind, self.value(at) as u32);
                self.begin_loop_turn(d, at, member.map(|row| (row.into(), i64::from(row) + 1)), end)
            }
            Op::NextMarked { d, at, column, end } => {
                let member = next_changed_piece(self.table, column, self.value(at) as u32);
                self.begin_loop_turn(d, at, member.map(|row| (row.into(), i64::from(row) + 1)), end)
            }
            Op::NextOf { d, at, list, row, end } => {
                let row = self.row(row)?;
                let from = self.value(at);
                let member = self.table.list(list, row).get(from as usize).copied();
                self.begin_loop_turn(d, at, member.map(|member| (member.into(), from + 1)), end)
            }
            Op::NextIn { d, at, a, end } => {
                let (start, length) = unpack(self.value(a));
                let from = self.value(at);
                let inside = (from as usize) < length;
                let member = self.store.get(start + from as usize).filter(|_| inside).copied();
                self.begin_loop_turn(d, at, member.map(|member| (member.into(), from + 1)), end)
            }
            Op::NextNumber { d, at, last, end } => {
                if self.host.stops_at_turn() {
                    return self.halt(Halt::Branch);
                }
                let next = Some(self.value(at)).filter(|next| *next <= self.value(last));
                self.begin_loop_turn(d, at, next.map(|n| (n, n.saturating_add(1))), end)
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn value(&self, reg: Reg) -> i64 {
        self.registers[usize::from(reg)]
    }

    /// Returns the row of the piece in a register, or halts if the piece is `none`.
    #[inline(always)]
    fn row(&mut self, reg: Reg) -> Option<u32> {
        match u32::try_from(self.value(reg)) {
            Ok(row) => Some(row),
            Err(_) => self.halt(PlayFault::OfNone),
        }
    }

    /// Returns the value, or `None` after recording why the instruction halted.
    #[inline(always)]
    fn value_or_halt<V>(&mut self, result: Result<V, impl Into<Interrupt>>) -> Option<V> {
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

    /// Writes a value into a register, unless it depends on something unknown.
    #[inline(always)]
    fn write(&mut self, d: Reg, value: i64) -> Option<NextOp> {
        if self.table.has_read_unknown() {
            return None;
        }
        self.registers[usize::from(d)] = value;
        Some(NextOp::Following)
    }

    #[inline(always)]
    fn go_to_following(&self) -> Option<NextOp> {
        (!self.table.has_read_unknown()).then_some(NextOp::Following)
    }

    #[inline(always)]
    fn jump_if(&self, holds: bool, to: Target) -> Option<NextOp> {
        if self.table.has_read_unknown() {
            return None;
        }
        Some(if holds { NextOp::At(to) } else { NextOp::Following })
    }

    /// Begins the iteration for the next member of a loop, and stores the position of the member
    /// after it. Ends the loop if there is no next member.
    #[inline(always)]
    fn begin_loop_turn(
        &mut self,
        d: Reg,
        at: Reg,
        member: Option<(i64, i64)>,
        end: Target,
    ) -> Option<NextOp> {
        if self.table.has_read_unknown() {
            return None;
        }
        let Some((member, behind)) = member else { return Some(NextOp::At(end)) };
        self.registers[usize::from(d)] = member;
        self.registers[usize::from(at)] = behind;
        Some(NextOp::Following)
    }
}
