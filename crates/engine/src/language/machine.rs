//! Runs compiled rule text over the state of a game, asking a host for dice and answers and reporting what happens.
//!
//! The machine holds all of its state in flat stores, so that a run can be stopped at a roll, copied, and
//! resumed. Its steps, depth and memory are limited, and every error names the rule it came from.

mod arithmetic;
mod cells;
mod common;
mod decks;
mod error;
mod host;
mod lists;
mod liveness;
mod pause;
mod pieces;
mod places;
mod run;
#[cfg(test)]
mod tests;
mod text;

pub use error::{PieceError, PlayError, PlayFault};
pub use host::{Answers, Bound, Halt, Host, Lot, Question, World, parameters};
pub use pause::{EqualTurns, LiveRegisters, SnapshotReader};
pub use text::{shown, side_named};

use self::run::Run;
use super::code::{Function, Program};
use super::schema::{FunctionId, Schema};

/// The most instructions that one command may run.
pub const MAX_STEPS: u64 = 50_000_000;
/// The most rules and definitions that may call each other, one inside the other.
pub const MAX_CALLS: usize = 64;
/// The most members that all lists of a command may have together.
pub const MAX_MEMBERS: usize = 1_000_000;
/// The most rounds of `repeat` and `times`.
pub const MAX_REPEATS: i64 = 1000;
/// The length of a way that does not exist, in steps.
pub const NO_WAY: i64 = 1_000_000;
/// The longest text a rule may make, in bytes.
pub const MAX_TEXT: usize = 10_000;

#[derive(Clone, Copy, Debug)]
struct Frame {
    function: FunctionId,
    /// The instruction to go on with; up to date while a function it called runs, or when the run has stopped.
    at: u32,
    base: u32,
    /// The length of the list store when the function was called.
    lists: u32,
    registers: u32,
    called: Called,
}

/// A call, as far as its end is reported.
#[derive(Clone, Copy, Debug, Default)]
struct Called {
    /// It is a rule that was called.
    rule: bool,
    /// The caller goes on by the value.
    value_used: bool,
}

/// A run of rule text.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    schema: &'p Schema,
    program: &'p Program,
    registers: Vec<i64>,
    frames: Vec<Frame>,
    store: Vec<u32>,
    /// The numbers from 0 on, as far as they were needed: the rows of a kind none of which has been taken off.
    rows: Vec<u32>,
    steps: u64,
}

/// The reason why an instruction did not finish; the place is added where it is known.
enum Interrupt {
    Fault(PlayFault),
    Halt(Halt),
}

impl From<PlayFault> for Interrupt {
    fn from(fault: PlayFault) -> Self {
        Interrupt::Fault(fault)
    }
}

impl From<Halt> for Interrupt {
    fn from(halt: Halt) -> Self {
        Interrupt::Halt(halt)
    }
}

impl<'p> Machine<'p> {
    /// Makes a machine for a program.
    pub fn new(schema: &'p Schema, program: &'p Program) -> Self {
        Machine {
            schema,
            program,
            registers: Vec::new(),
            frames: Vec::new(),
            store: program.literals.clone(),
            rows: Vec::new(),
            steps: 0,
        }
    }

    /// Makes it ready for another command: nothing is under way, and no steps have been run.
    pub fn renew(&mut self) {
        self.frames.clear();
        self.store.truncate(self.program.literals.len());
        self.steps = 0;
    }

    /// Puts a list into the store, to be given as an argument.
    pub fn list_argument(&mut self, members: &[u32]) -> i64 {
        let start = self.store.len();
        self.store.extend_from_slice(members);
        pack(start, members.len())
    }

    /// Returns the members of a list value.
    pub fn members(&self, list: i64) -> &[u32] {
        let (start, length) = unpack(list);
        self.store.get(start..start + length).unwrap_or(&[])
    }

    /// Runs a function to its end and returns its value.
    pub fn call<T: World, H: Host>(
        &mut self,
        function: FunctionId,
        arguments: &[i64],
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        let depth = self.frames.len();
        self.begin(function, arguments);
        let result = Run { machine: self, table, host, base: 0, halted: None }.until(depth);
        if !matches!(result, Err(Halt::Branch)) {
            self.frames.truncate(depth);
        }
        result
    }

    /// Makes ready to run a function; nothing is run yet.
    pub fn begin(&mut self, function: FunctionId, arguments: &[i64]) {
        let base = self.frames.last().map_or(0, |f| (f.base + f.registers) as usize);
        self.enter(function, base, Called::default());
        self.registers[base..base + arguments.len()].copy_from_slice(arguments);
    }

    fn enter(&mut self, function: FunctionId, base: usize, called: Called) {
        let code = self.code(function);
        let needed = base + usize::from(code.registers);
        if self.registers.len() < needed {
            self.registers.resize(needed, 0);
        }
        self.registers[base + usize::from(code.params)..needed].fill(0);
        let lists = self.store.len() as u32;
        let registers = u32::from(code.registers);
        self.frames.push(Frame { function, at: 0, base: base as u32, lists, registers, called });
    }

    fn code(&self, function: FunctionId) -> &'p Function {
        &self.program.functions[function.index()]
    }

    fn tick(&self) -> Result<(), PlayFault> {
        match self.steps > MAX_STEPS {
            true => Err(PlayFault::TooLong),
            false => Ok(()),
        }
    }

    /// Takes a frame off. Its lists go with it, but the one that is its value stays.
    fn leave<H: Host>(&mut self, value: i64, host: &mut H) -> i64 {
        let Some(frame) = self.frames.pop() else { return value };
        let lists = frame.lists as usize;
        let mut value = value;
        let mut end = lists;
        if self.code(frame.function).gives_list {
            let (start, length) = unpack(value);
            if start + length <= self.store.len() && start >= lists {
                self.store.copy_within(start..start + length, lists);
                end = lists + length;
                value = pack(lists, length);
            }
        }
        self.store.truncate(end);
        if frame.called.rule && host.reports() {
            host.call_ends(frame.called.value_used);
        }
        value
    }

    fn stand_at(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = at as u32;
        }
    }
}

/// Makes a list value: the place of its members in the store, and their number.
pub(super) fn pack(start: usize, length: usize) -> i64 {
    ((start as i64) << 32) | length as i64
}

fn unpack(list: i64) -> (usize, usize) {
    ((list >> 32) as usize, (list & 0xffff_ffff) as usize)
}
