//! The state of a machine: its registers, call frames and list store.

use super::error::PlayFault;
use super::host::{Halt, Host};
use super::interrupt::Interrupt;
use super::limits::MAX_STEPS;
use super::stop::StopHandle;
use crate::language::code::{Function, Program, pack, unpack};
use crate::language::schema::{FunctionId, Schema};

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// The instruction to continue with; up to date only while a called function runs or after the
    /// run has stopped.
    pub(super) at: u32,
    pub(super) base: u32,
    /// The length of the list store when the function was called.
    pub(super) lists: u32,
    pub(super) registers: u32,
    pub(super) called: CallReport,
}

/// The data about a call that is needed to report its end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallReport {
    /// True if a rule was called.
    pub(super) rule: bool,
    /// True if the caller uses the value.
    pub(super) value_used: bool,
}

/// A machine that runs rule text.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    pub(super) schema: &'p Schema,
    pub(super) program: &'p Program,
    pub(super) registers: Vec<i64>,
    pub(super) frames: Vec<Frame>,
    pub(super) store: Vec<u32>,
    /// The numbers from 0 up to the highest needed so far. If no piece of a kind has been removed,
    /// a prefix of these numbers is the list of the kind's rows.
    pub(super) rows: Vec<u32>,
    pub(super) steps: u64,
    /// The maximum number of steps that one command may take.
    pub(super) max_steps: u64,
    /// The handle that can stop the machine, if there is one.
    pub(super) stop: Option<&'p StopHandle>,
    /// The best answer to the next question, if the rule states one.
    pub(super) best_answer: Option<i64>,
}

impl<'p> Machine<'p> {
    /// Returns a machine that runs a program.
    pub(crate) fn new(schema: &'p Schema, program: &'p Program) -> Self {
        Machine {
            schema,
            program,
            registers: Vec::new(),
            frames: Vec::new(),
            store: program.literals.clone(),
            rows: Vec::new(),
            steps: 0,
            max_steps: MAX_STEPS,
            stop: None,
            best_answer: None,
        }
    }

    /// Sets the handle that can stop the machine. Returns the machine.
    pub(crate) fn stopped_by(self, stop: &'p StopHandle) -> Self {
        Machine { stop: Some(stop), ..self }
    }

    /// Sets the maximum number of steps for each command; the default is [`MAX_STEPS`]. Returns the
    /// machine.
    pub(crate) fn limited_to(self, max_steps: u64) -> Self {
        Machine { max_steps, ..self }
    }

    /// Sets the number of steps taken so far.
    pub(crate) fn start_at_step(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Returns the number of steps taken so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Resets the machine for another command.
    pub fn reset(&mut self) {
        self.frames.clear();
        self.store.truncate(self.program.literals.len());
        self.steps = 0;
    }

    /// Appends a list to the list store and returns its value, which can be passed as an argument.
    pub(crate) fn list_argument(&mut self, members: &[u32]) -> i64 {
        let start = self.store.len();
        self.store.extend_from_slice(members);
        pack(start, members.len())
    }

    /// Returns the members of a list value.
    pub(crate) fn members(&self, list: i64) -> &[u32] {
        let (start, length) = unpack(list);
        self.store.get(start..start + length).unwrap_or(&[])
    }

    /// Prepares to run a function, without running anything yet.
    pub(crate) fn begin(&mut self, function: FunctionId, arguments: &[i64]) {
        let base = self.frames.last().map_or(0, |f| (f.base + f.registers) as usize);
        self.push_frame(function, base, CallReport::default());
        self.registers[base..base + arguments.len()].copy_from_slice(arguments);
    }

    pub(super) fn push_frame(&mut self, function: FunctionId, base: usize, called: CallReport) {
        let code = self.function(function);
        let needed = base + usize::from(code.registers);
        if self.registers.len() < needed {
            self.registers.resize(needed, 0);
        }
        self.registers[base + usize::from(code.params)..needed].fill(0);
        let lists = self.store.len() as u32;
        let registers = u32::from(code.registers);
        self.frames.push(Frame { function, at: 0, base: base as u32, lists, registers, called });
    }

    pub(super) fn function(&self, function: FunctionId) -> &'p Function {
        &self.program.functions[function.index()]
    }

    /// Returns true if a stop was requested.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(StopHandle::is_stopped)
    }

    /// Fails if the run has taken too many steps or was stopped.
    pub(super) fn check_may_go_on(&self) -> Result<(), Interrupt> {
        if self.steps > self.max_steps {
            Err(PlayFault::TooLong.into())
        } else if self.is_stopped() {
            Err(Halt::Stopped.into())
        } else {
            Ok(())
        }
    }

    /// Removes the innermost frame and the lists made since its call, and reports the end of the
    /// call if a rule was called. Returns `value`, the value of the function. If it is a list, that
    /// list is preserved but may move within the list store, which changes the value.
    pub(super) fn pop_frame<H: Host>(&mut self, value: i64, host: &mut H) -> i64 {
        let Some(frame) = self.frames.pop() else { return value };
        let lists = frame.lists as usize;
        let mut value = value;
        let mut end = lists;
        if self.function(frame.function).gives_list {
            let (start, length) = unpack(value);
            if start + length <= self.store.len() && start >= lists {
                self.store.copy_within(start..start + length, lists);
                end = lists + length;
                value = pack(lists, length);
            }
        }
        self.store.truncate(end);
        if frame.called.rule && host.wants_reports() {
            host.on_call_end(frame.called.value_used);
        }
        value
    }

    /// Ends the running calls down to `depth`, and reports the end of each.
    pub(super) fn end_calls<H: Host>(&mut self, depth: usize, host: &mut H) {
        while self.frames.len() > depth {
            if host.wants_reports() {
                host.on_names_bound(&[], false);
            }
            self.pop_frame(0, host);
        }
    }

    pub(super) fn set_position(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = at as u32;
        }
    }
}
