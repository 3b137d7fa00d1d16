//! Snapshots of runs: a run that stops before a random event can be resumed from there any number
//! of times.

use super::liveness::{CodeLoop, Liveness};
use super::run::Run;
use super::state::{CallReport, Frame};
use super::{Halt, Host, Machine, World};
use crate::language::code::{Op, Program, Reg};
use crate::language::schema::{FunctionId, ListId};

/// The live registers of functions, computed once for each function.
#[derive(Clone, Debug, Default)]
pub struct LiveRegisters {
    functions: Vec<Option<Liveness>>,
}

/// The remaining iterations of a counted loop whose iterations are all equal: their only effect is
/// the sum of the numbers that they add to the counters.
#[derive(Clone, Debug)]
pub struct EqualTurns {
    /// The number of remaining iterations, including the current one.
    pub left: u64,
    depth: usize,
    head: u32,
    /// The registers that hold the number of the next iteration, the number of the last one, and
    /// the counters.
    at: usize,
    last: usize,
    counters: Vec<usize>,
}

/// A reader that returns the numbers of a snapshot one after another.
#[derive(Clone, Debug)]
pub struct SnapshotReader<'a> {
    words: &'a [i64],
}

impl<'a> SnapshotReader<'a> {
    /// Returns a reader that begins at the first of these numbers.
    pub(crate) fn new(words: &'a [i64]) -> Self {
        SnapshotReader { words }
    }

    /// Returns the next number, or 0 at the end.
    pub(crate) fn next_number(&mut self) -> i64 {
        let (&first, rest) = self.words.split_first().unwrap_or((&0, &[]));
        self.words = rest;
        first
    }

    /// Returns the next number as a count or index; 0 at the end or if the number is negative.
    pub(crate) fn next_count(&mut self) -> usize {
        usize::try_from(self.next_number()).unwrap_or(0)
    }
}

impl Machine<'_> {
    /// Runs until the end, or until the host stops the run.
    pub(crate) fn resume<T: World, H: Host>(
        &mut self,
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        Run { machine: self, table, host, base: 0, halted: None }.run_to_depth(0)
    }

    /// Returns the number of steps taken since the machine was made, reset or restored.
    pub(crate) fn steps_run(&self) -> u64 {
        self.steps
    }

    /// Appends to `out` everything on which the rest of the run depends.
    pub(crate) fn write_snapshot(&self, flow: &mut LiveRegisters, out: &mut Vec<i64>) {
        out.push(self.frames.len() as i64);
        for frame in &self.frames {
            out.extend([
                i64::from(frame.function.0),
                i64::from(frame.at),
                i64::from(frame.base),
                i64::from(frame.lists),
                i64::from(frame.called.rule),
                i64::from(frame.called.value_used),
            ]);
        }
        for (i, frame) in self.frames.iter().enumerate() {
            let begin = out.len();
            let live: Vec<usize> = self.live_registers(flow, i).collect();
            out.extend(live.iter().map(|&index| self.registers[index]));
            // If nothing reads the numbers of a counted loop, only the number of remaining
            // iterations matters.
            for this in flow.liveness_of(self.program, frame.function).loops() {
                let Some(last) = this.last.filter(|_| (this.head..this.end).contains(&frame.at))
                else {
                    continue;
                };
                let index =
                    |reg| live.iter().position(|&p| p == frame.base as usize + usize::from(reg));
                if let (Some(at), Some(last)) = (index(this.at), index(last)) {
                    out[begin + at] = out[begin + at].saturating_sub(out[begin + last]);
                    out[begin + last] = 0;
                }
            }
        }
        let made = self.store.get(self.program.literals.len()..).unwrap_or_default();
        out.push(made.len() as i64);
        out.extend(made.iter().map(|&m| i64::from(m)));
    }

    /// Writes the progress of the run as numbers that only grow: for each frame, the iterations of
    /// the running loops and the current instruction. Two runs with equal numbers are at the same
    /// position.
    pub(crate) fn write_progress(&self, flow: &mut LiveRegisters, out: &mut Vec<i64>) {
        for (i, frame) in self.frames.iter().enumerate() {
            // The caller of a function is still at its call.
            let at = frame.at.saturating_sub(u32::from(i + 1 < self.frames.len()));
            let loops = flow.liveness_of(self.program, frame.function).loops();
            for this in loops.iter().filter(|l| (l.head..l.end).contains(&at)) {
                let turn = self.registers[frame.base as usize + usize::from(this.at)];
                out.extend([
                    i64::from(this.head),
                    this.turn_number(turn, self.last_loop_number(frame, this)),
                ]);
            }
            out.push(i64::from(at));
        }
    }

    /// Returns the remaining iterations of the innermost loop, if its code makes them all equal.
    pub(crate) fn equal_turns(&self, flow: &mut LiveRegisters) -> Option<EqualTurns> {
        let frame = self.frames.last()?;
        let loops = flow.liveness_of(self.program, frame.function).loops();
        let this = loops.iter().rev().find(|l| (l.head..l.end).contains(&frame.at))?;
        let index = |reg: Reg| frame.base as usize + usize::from(reg);
        let (last, counters) = this.counters.as_ref()?;
        let at = index(this.at);
        let last = index(*last);
        let counters = counters.iter().map(|&reg| index(reg)).collect();
        // The position register already holds the number of the next iteration.
        let left = self.registers[last].checked_sub(self.registers[at])?.checked_add(2)?;
        let left = u64::try_from(left).ok()?;
        Some(EqualTurns { left, depth: self.frames.len(), head: this.head, at, last, counters })
    }

    /// Returns true if the run has stopped before the next of these iterations.
    pub(crate) fn is_at_turn(&self, turns: &EqualTurns) -> bool {
        self.frames.len() == turns.depth && self.frames.last().is_some_and(|f| f.at == turns.head)
    }

    /// Returns the values of the counters.
    pub(crate) fn counter_values(&self, turns: &EqualTurns) -> Vec<i64> {
        turns.counters.iter().map(|&index| self.registers[index]).collect()
    }

    /// Moves the run to the beginning of the next of these iterations.
    pub(crate) fn go_to_next_turn(&mut self, turns: &EqualTurns) {
        self.set_position(turns.head as usize);
    }

    /// Moves the run to the end of these iterations, and adds their sums, `added`, to the counters.
    pub(crate) fn finish_turns(&mut self, turns: &EqualTurns, added: &[i64]) {
        for (&index, more) in turns.counters.iter().zip(added) {
            self.registers[index] = self.registers[index].saturating_add(*more);
        }
        self.registers[turns.at] = self.registers[turns.last].saturating_add(1);
        self.set_position(turns.head as usize);
    }

    /// Returns the last number of a counted loop whose numbers only the loop itself reads; `None`
    /// for other loops.
    fn last_loop_number(&self, frame: &Frame, this: &CodeLoop) -> Option<i64> {
        this.last.map(|last| self.registers[frame.base as usize + usize::from(last)])
    }

    /// Restores a run from a snapshot that [`Machine::write_snapshot`] made with the same program.
    pub(crate) fn restore_snapshot(
        &mut self,
        flow: &mut LiveRegisters,
        from: &mut SnapshotReader<'_>,
    ) {
        self.frames.clear();
        self.steps = 0;
        for _ in 0..from.next_count() {
            let function = FunctionId(from.next_number() as u16);
            let at = from.next_number() as u32;
            let base = from.next_number() as u32;
            let lists = from.next_number() as u32;
            let called =
                CallReport { rule: from.next_number() != 0, value_used: from.next_number() != 0 };
            let registers = u32::from(self.function(function).registers);
            self.frames.push(Frame { function, at, base, lists, registers, called });
        }
        let end = self.frames.iter().map(|f| (f.base + f.registers) as usize).max().unwrap_or(0);
        self.registers.clear();
        self.registers.resize(end, 0);
        for i in 0..self.frames.len() {
            for index in self.live_registers(flow, i).collect::<Vec<_>>() {
                self.registers[index] = from.next_number();
            }
        }
        self.store.truncate(self.program.literals.len());
        for _ in 0..from.next_count() {
            self.store.push(from.next_number() as u32);
        }
    }

    /// Returns the indices of the live registers that belong to a frame itself. While a call is
    /// running, the registers from the one for its value onwards belong to the called function.
    fn live_registers<'f>(
        &self,
        flow: &'f mut LiveRegisters,
        frame: usize,
    ) -> impl Iterator<Item = usize> + use<'f> {
        let own = self.frames[frame];
        let called = self.frames.get(frame + 1).map(|called| called.base.saturating_sub(own.base));
        let limit = called.map_or(own.registers, |before| before.min(own.registers)) as u16;
        let live = flow.liveness_of(self.program, own.function);
        let kept = (0..limit).filter(move |&reg| live.is_live(own.at as usize, reg));
        kept.map(move |reg| own.base as usize + usize::from(reg))
    }
}

impl LiveRegisters {
    /// Returns true if no instruction reads the members of a list; a loop may still count them.
    pub(crate) fn only_counts(&mut self, program: &Program, list: ListId) -> bool {
        (0..program.functions.len()).map(FunctionId::from_index).all(|function| {
            let code = &program.functions[function.index()].code;
            let ops = code.iter().enumerate();
            let mut seen = ops.filter(|(at, op)| match **op {
                Op::NextOf { d, list: of, .. } => {
                    of == list && self.liveness_of(program, function).is_live(at + 1, d)
                }
                Op::GetList { list: of, .. } | Op::Holds { list: of, .. } => of == list,
                _ => false,
            });
            seen.next().is_none()
        })
    }

    /// Returns the live registers of a function.
    fn liveness_of(&mut self, program: &Program, function: FunctionId) -> &Liveness {
        if self.functions.len() < program.functions.len() {
            self.functions.resize(program.functions.len(), None);
        }
        let code = &program.functions[function.index()];
        self.functions[function.index()].get_or_insert_with(|| Liveness::analyze(program, code))
    }
}
