//! Runs compiled rule text over a table, asking a host for dice and answers and telling it what happens.
//!
//! The machine holds all of its state in flat stores, so that a run can be stopped at a roll, copied, and
//! gone on with. It has limits of steps, depth and memory, and every error names the rule it came from.

mod pause;

use std::collections::BTreeMap;

pub use pause::{Flow, Reader};

use super::code::{
    Change, Function, NumberOp, Op, PlanOp, Program, Reg, Telling, TextPart, WholeOp,
};
use super::number::{Number, Rounding};
use super::schema::{
    ColumnId, DeckId, Element, FunctionId, KindId, ListId, RuleId, STATE, Schema, Storage, Type,
};
use super::syntax::Operator;
use crate::dice::{Pool, SourceError};
use crate::source::Span;

/// How many instructions a command may run.
pub const MAX_STEPS: u64 = 50_000_000;
/// How deep rules and definitions may call each other.
pub const MAX_CALLS: usize = 64;
/// How many members all lists of a command may have together.
pub const MAX_MEMBERS: usize = 1_000_000;
/// How often `repeat` and `times` may go round.
pub const MAX_REPEATS: i64 = 1000;
/// The steps of a way that does not exist.
pub const NO_WAY: i64 = 1_000_000;
/// The longest text a rule may make, in bytes.
pub const MAX_TEXT: usize = 10_000;

/// The state of a game, as far as rules see it.
pub trait Table {
    /// The cell of a piece.
    fn get(&self, column: ColumnId, row: u32) -> i64;
    /// Changes a cell.
    fn set(&mut self, column: ColumnId, row: u32, value: i64);
    /// The list of a piece.
    fn list(&self, list: ListId, row: u32) -> &[u32];
    /// Changes a list.
    fn set_list(&mut self, list: ListId, row: u32, members: &[u32]);
    /// The first piece of a kind from this row on.
    fn next_piece(&self, kind: KindId, from: u32) -> Option<u32>;
    /// The first piece from this row on whose cell is not as it was at the start.
    fn next_marked(&self, column: ColumnId, from: u32) -> Option<u32>;
    /// Whether a piece is on the table.
    fn is_there(&self, kind: KindId, row: u32) -> bool;
    /// Sets out a new piece; the error is for people.
    fn make(&mut self, kind: KindId, name: Option<&str>) -> Result<u32, String>;
    /// Takes a piece off.
    fn remove(&mut self, kind: KindId, row: u32);
    /// The name of a piece or row.
    fn name(&self, kind: KindId, row: u32) -> &str;
    /// The area of the plan at a column, row and level.
    fn area_at(&self, column: i64, row: i64, level: i64) -> Option<u32>;
    /// The text of a text number.
    fn text(&self, id: i64) -> &str;
    /// The text number of a text.
    fn intern(&mut self, text: &str) -> i64;
}

/// What is asked of the umpire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub text: String,
    /// What can be answered.
    pub answers: Answers,
    /// The names of what can be answered, if it is one of a list.
    pub options: Vec<String>,
}

/// What can be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answers {
    /// One of these members of a list of this type.
    Among(Type, Vec<u32>),
    /// A whole number from the first to the second.
    Between(i64, i64),
    /// Yes or no.
    Flag,
}

/// One thing taken at random.
#[derive(Clone, Copy, Debug)]
pub struct Lot<'a> {
    /// What they are.
    pub kind: KindId,
    /// What can come, equally likely each.
    pub members: &'a [u32],
    /// The deck it comes from, if it is a deck.
    pub deck: Option<DeckId>,
}

/// Gives dice and answers, and hears what happens.
pub trait Host {
    /// Whether lines for people are wanted; if not, they are not made.
    fn reports(&self) -> bool;
    /// Whether verdicts and lines are wanted; if not, they are not made.
    fn words(&self) -> bool {
        self.reports()
    }
    /// Throws a pool.
    fn roll(&mut self, pool: &Pool) -> Result<i64, Halt>;
    /// Throws `count` dice of `sides` sides.
    fn dice(&mut self, count: u32, sides: u32) -> Result<i64, Halt>;
    /// Takes one at random: its place in the list. Names are given where lines are wanted.
    fn lot(&mut self, lot: Lot<'_>, names: &[String]) -> Result<usize, Halt>;
    /// Asks the umpire: the member itself, the number, or 0 and 1.
    fn ask(&mut self, question: Question) -> Result<i64, Halt>;
    /// A command is to be refused; true: the umpire insists, go on.
    fn refused(&mut self, reason: String) -> bool;
    /// Whether more has been told than can be kept.
    fn is_full(&self) -> bool {
        false
    }
    /// A rule begins.
    fn rule_begins(&mut self, _rule: RuleId) {}
    /// A rule ends.
    fn rule_ends(&mut self) {}
    /// A check begins: dice and modifiers that follow are its.
    fn check_begins(&mut self) {}
    /// A modifier of the check.
    fn modifier(&mut self, _value: Number, _reason: String) {}
    /// A throw of the check has been added up, and judged if `passed` is given.
    fn thrown(&mut self, _natural: Number, _total: Number, _passed: Option<bool>) {}
    /// What the total is compared with.
    fn need(&mut self, _operator: Operator, _value: Number) {}
    /// What came out, in words.
    fn verdict(&mut self, _words: String) {}
    /// The check is over.
    fn check_ends(&mut self, _label: String) {}
    /// A line of the outcome.
    fn said(&mut self, _text: String) {}
    /// A line under "Remember".
    fn reminded(&mut self, _text: String) {}
    /// A cell has been changed.
    fn cell_changed(&mut self, _column: ColumnId, _row: u32, _old: i64, _new: i64) {}
    /// A list has been changed.
    fn list_changed(&mut self, _list: ListId, _row: u32, _old: &[u32], _new: &[u32]) {}
    /// A piece has been set out.
    fn made(&mut self, _kind: KindId, _row: u32, _name: &str) {}
    /// A piece has been taken off.
    fn removed(&mut self, _kind: KindId, _row: u32) {}
    /// A card or chit has been drawn, or a piece picked.
    fn taken(&mut self, _lot: Lot<'_>, _place: usize, _names: &[String]) {}
    /// A deck has been shuffled and now holds so many.
    fn shuffled(&mut self, _deck: DeckId, _count: usize) {}
    /// A phase has begun, or was passed over. The referee tells it, as a run knows no phases.
    fn phase(&mut self, _turn: i64, _place: usize, _skipped: bool) {}
}

/// Why a run stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// No dice: the script is at its end, or they must be rolled by hand.
    Dice(SourceError),
    /// A card must be drawn by hand.
    Draw(DeckId),
    /// A question must be answered first.
    Question(Question),
    /// The rules forbid it.
    Refused(String),
    /// The rule went wrong.
    Fault(Box<PlayError>),
    /// The host wants to go on with several values.
    Branch,
}

/// What can still go wrong in a rule that has been checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}, in `{rule}`")]
pub struct PlayError {
    /// What went wrong.
    pub message: String,
    /// The rule, definition or attribute.
    pub rule: String,
    /// Where in the ruleset.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Frame {
    function: FunctionId,
    at: u32,
    base: u32,
    /// How long the list store was when it was called.
    lists: u32,
    registers: u32,
    rule: bool,
}

/// A run of rule text.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    schema: &'p Schema,
    program: &'p Program,
    registers: Vec<i64>,
    frames: Vec<Frame>,
    store: Vec<u32>,
    steps: u64,
}

/// What an instruction leads to besides the next one.
type Step = Result<(), Trouble>;

/// Trouble inside an instruction; the place is added where it is known.
enum Trouble {
    Message(String),
    Halt(Halt),
}

impl From<Halt> for Trouble {
    fn from(halt: Halt) -> Self {
        Trouble::Halt(halt)
    }
}

fn trouble(message: impl Into<String>) -> Trouble {
    Trouble::Message(message.into())
}

impl<'p> Machine<'p> {
    /// A machine for this program.
    pub fn new(schema: &'p Schema, program: &'p Program) -> Self {
        Machine {
            schema,
            program,
            registers: Vec::new(),
            frames: Vec::new(),
            store: Vec::new(),
            steps: 0,
        }
    }

    /// Puts a list into the store, to be given as an argument.
    pub fn list_argument(&mut self, members: &[u32]) -> i64 {
        let start = self.store.len();
        self.store.extend_from_slice(members);
        pack(start, members.len())
    }

    /// The members of a list value.
    pub fn members(&self, list: i64) -> &[u32] {
        let (start, length) = unpack(list);
        self.store.get(start..start + length).unwrap_or(&[])
    }

    /// Runs a function to its end and gives its value.
    pub fn call<T: Table, H: Host>(
        &mut self,
        function: FunctionId,
        arguments: &[i64],
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        let program = self.program;
        let Some(code) = program.functions.get(function.index()) else { return Ok(0) };
        self.run_function(code, function, arguments, table, host)
    }

    /// Runs a function that may stand outside the program.
    pub fn run_function<T: Table, H: Host>(
        &mut self,
        code: &Function,
        function: FunctionId,
        arguments: &[i64],
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        let base = self.frames.last().map_or(0, |f| (f.base + f.registers) as usize);
        let depth = self.frames.len();
        self.enter(code, function, base, false);
        for (i, &argument) in arguments.iter().enumerate().take(code.registers as usize) {
            self.registers[base + i] = argument;
        }
        let result = self.run(code, code, depth, table, host);
        if !matches!(result, Err(Halt::Branch)) {
            self.frames.truncate(depth);
        }
        result
    }

    fn enter(&mut self, code: &Function, function: FunctionId, base: usize, rule: bool) {
        let needed = base + code.registers as usize;
        if self.registers.len() < needed {
            self.registers.resize(needed, 0);
        }
        self.registers[base + code.params as usize..needed].fill(0);
        let lists = self.store.len() as u32;
        let registers = u32::from(code.registers);
        self.frames.push(Frame { function, at: 0, base: base as u32, lists, registers, rule });
    }

    /// Runs until the frames are back at `depth`. `first` is the code of the first frame above it, which may
    /// be none of the program's own, and `top` that of the last.
    fn run<T: Table, H: Host>(
        &mut self,
        first: &Function,
        top: &Function,
        depth: usize,
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        /// A register of the present frame.
        macro_rules! reg {
            ($machine:ident, $base:ident, $reg:expr) => {
                $machine.registers[$base + usize::from($reg)]
            };
        }
        let program = self.program;
        let mut code: &Function = top;
        let Some(frame) = self.frames.last() else { return Ok(0) };
        // The place and the base of the frame on top; what the frame itself holds is brought up to date
        // wherever somebody else may look at it.
        let (mut at, mut base) = (frame.at as usize, frame.base as usize);
        loop {
            let Some(&op) = code.code.get(at) else { return Ok(0) };
            at += 1;
            self.steps += 1;
            let step = match op {
                Op::Small { d, n } => {
                    reg!(self, base, d) = i64::from(n);
                    continue;
                }
                Op::Move { d, s } => {
                    reg!(self, base, d) = reg!(self, base, s);
                    continue;
                }
                Op::Equal { d, a, b } => {
                    reg!(self, base, d) = i64::from(reg!(self, base, a) == reg!(self, base, b));
                    continue;
                }
                Op::NotEqual { d, a, b } => {
                    reg!(self, base, d) = i64::from(reg!(self, base, a) != reg!(self, base, b));
                    continue;
                }
                Op::Less { d, a, b } => {
                    reg!(self, base, d) = i64::from(reg!(self, base, a) < reg!(self, base, b));
                    continue;
                }
                Op::AtMost { d, a, b } => {
                    reg!(self, base, d) = i64::from(reg!(self, base, a) <= reg!(self, base, b));
                    continue;
                }
                Op::Not { d, a } => {
                    reg!(self, base, d) = i64::from(reg!(self, base, a) == 0);
                    continue;
                }
                Op::Get { d, column, row } => {
                    let row = reg!(self, base, row);
                    if row >= 0 {
                        reg!(self, base, d) = table.get(column, row as u32);
                        continue;
                    }
                    Err(none_asked())
                }
                Op::Add { d, a, b } => match reg!(self, base, a).checked_add(reg!(self, base, b)) {
                    Some(sum) => {
                        reg!(self, base, d) = sum;
                        continue;
                    }
                    None => Err(too_large()),
                },
                Op::Jump { to } => {
                    // Every loop comes by here.
                    at = to as usize;
                    if self.steps <= MAX_STEPS {
                        continue;
                    }
                    self.tick()
                }
                Op::JumpIf { a, to } => {
                    if reg!(self, base, a) != 0 {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfNot { a, to } => {
                    if reg!(self, base, a) == 0 {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfEqual { a, n, to } => {
                    if reg!(self, base, a) == i64::from(n) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfNotEqual { a, n, to } => {
                    if reg!(self, base, a) != i64::from(n) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfOver { a, n, to } => {
                    if reg!(self, base, a) > i64::from(n) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::JumpIfNotOver { a, n, to } => {
                    if reg!(self, base, a) <= i64::from(n) {
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
                    let row = reg!(self, base, a);
                    if row < 0 || !table.is_there(kind, row as u32) {
                        at = to as usize;
                    }
                    continue;
                }
                Op::NextPiece { d, at: place, kind, end } => {
                    match table.next_piece(kind, reg!(self, base, place) as u32) {
                        Some(row) => {
                            reg!(self, base, d) = i64::from(row);
                            reg!(self, base, place) = i64::from(row) + 1;
                        }
                        None => at = end as usize,
                    }
                    continue;
                }
                Op::NextMarked { d, at: place, column, end } => {
                    match table.next_marked(column, reg!(self, base, place) as u32) {
                        Some(row) => {
                            reg!(self, base, d) = i64::from(row);
                            reg!(self, base, place) = i64::from(row) + 1;
                        }
                        None => at = end as usize,
                    }
                    continue;
                }
                Op::NextOf { d, at: place, list, row, end } => {
                    let row = reg!(self, base, row);
                    if row >= 0 {
                        let n = reg!(self, base, place);
                        match table.list(list, row as u32).get(n as usize) {
                            Some(&member) => {
                                reg!(self, base, d) = i64::from(member);
                                reg!(self, base, place) = n + 1;
                            }
                            None => at = end as usize,
                        }
                        continue;
                    }
                    Err(none_asked())
                }
                Op::NextIn { d, at: place, a, end } => {
                    let (start, length) = unpack(reg!(self, base, a));
                    let n = reg!(self, base, place) as usize;
                    match self.store.get(start + n).filter(|_| n < length) {
                        Some(&member) => {
                            reg!(self, base, d) = i64::from(member);
                            reg!(self, base, place) = n as i64 + 1;
                        }
                        None => at = end as usize,
                    }
                    continue;
                }
                Op::NextNumber { d, at: place, last, end } => {
                    let value = reg!(self, base, place);
                    if value > reg!(self, base, last) {
                        at = end as usize;
                    } else {
                        reg!(self, base, d) = value;
                        reg!(self, base, place) = value + 1;
                    }
                    continue;
                }
                Op::Mark { d } => {
                    reg!(self, base, d) = pack(self.store.len(), 0);
                    continue;
                }
                Op::Release { a } => {
                    let (start, _) = unpack(reg!(self, base, a));
                    self.store.truncate(start);
                    continue;
                }
                Op::Call { .. } | Op::CallRule { .. } => {
                    self.stand_at(at);
                    let (function, arguments) = match op {
                        Op::CallRule { rule, base } => {
                            host.rule_begins(rule);
                            (self.schema.rules[rule.index()].function, base)
                        }
                        Op::Call { function, base } => (function, base),
                        _ => continue,
                    };
                    let rule = matches!(op, Op::CallRule { .. });
                    let window = base + usize::from(arguments);
                    match self.descend(program, function, window, rule, &mut code) {
                        Ok(()) => {
                            (at, base) = (0, window);
                            continue;
                        }
                        Err(problem) => Err(problem),
                    }
                }
                Op::Return { a } => {
                    let value = reg!(self, base, a);
                    let value = self.leave(code, value, base, host);
                    if self.frames.len() <= depth {
                        return Ok(value);
                    }
                    if let Some(frame) = self.frames.last() {
                        (at, base) = (frame.at as usize, frame.base as usize);
                        code = if self.frames.len() == depth + 1 {
                            first
                        } else {
                            &program.functions[frame.function.index()]
                        };
                    }
                    continue;
                }
                op => {
                    self.stand_at(at);
                    match self.simple(op, base, table, host) {
                        Ok(()) => continue,
                        Err(problem) => Err(problem),
                    }
                }
            };
            if let Err(problem) = step {
                return Err(self.halted(problem, code, at - 1));
            }
        }
    }

    /// Brings the frame on top up to date.
    fn stand_at(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = at as u32;
        }
    }

    /// What a step's trouble makes of the run.
    fn halted(&mut self, problem: Trouble, code: &Function, at: usize) -> Halt {
        match problem {
            Trouble::Halt(Halt::Branch) => {
                // The instruction is run again when the host goes on.
                if let Some(frame) = self.frames.last_mut() {
                    frame.at = at as u32;
                }
                Halt::Branch
            }
            Trouble::Halt(halt) => halt,
            Trouble::Message(message) => {
                let span = code.spans.get(at).copied().unwrap_or_default();
                Halt::Fault(Box::new(PlayError { message, rule: code.name.clone(), span }))
            }
        }
    }

    fn tick(&self) -> Step {
        if self.steps > MAX_STEPS {
            return Err(trouble(format!("this runs longer than {MAX_STEPS} steps")));
        }
        Ok(())
    }

    fn descend<'c>(
        &mut self,
        program: &'c Program,
        function: FunctionId,
        base: usize,
        rule: bool,
        code: &mut &'c Function,
    ) -> Step {
        if self.frames.len() >= MAX_CALLS {
            return Err(trouble(format!("rules call each other more than {MAX_CALLS} deep")));
        }
        self.tick()?;
        let called = &program.functions[function.index()];
        self.enter(called, function, base, rule);
        *code = called;
        Ok(())
    }

    /// Takes a frame off: its lists go, but the one it gives stays.
    fn leave<H: Host>(&mut self, code: &Function, value: i64, base: usize, host: &mut H) -> i64 {
        let mut value = value;
        if let Some(frame) = self.frames.pop() {
            let lists = frame.lists as usize;
            if code.gives_list {
                let (start, length) = unpack(value);
                if start + length <= self.store.len() && start >= lists {
                    self.store.copy_within(start..start + length, lists);
                    self.store.truncate(lists + length);
                    value = pack(lists, length);
                } else {
                    self.store.truncate(lists);
                }
            } else {
                self.store.truncate(lists);
            }
            if frame.rule {
                host.rule_ends();
            }
        }
        if let Some(place) = self.registers.get_mut(base) {
            *place = value;
        }
        value
    }

    fn row(&self, base: usize, reg: Reg) -> Result<u32, Trouble> {
        let row = self.registers[base + reg as usize];
        if row < 0 {
            return Err(none_asked());
        }
        Ok(row as u32)
    }

    fn number(&self, base: usize, reg: Reg) -> Number {
        Number::from_bits(self.registers[base + reg as usize])
    }

    fn as_number(&self, base: usize, reg: Reg, fraction: bool) -> Number {
        match fraction {
            true => self.number(base, reg),
            false => Number::whole(self.registers[base + reg as usize]).unwrap_or(Number::ZERO),
        }
    }

    /// What neither jumps nor calls, and is not so common that the loop itself does it.
    fn simple<T: Table, H: Host>(
        &mut self,
        op: Op,
        base: usize,
        table: &mut T,
        host: &mut H,
    ) -> Step {
        let value = |reg: Reg| self.registers[base + reg as usize];
        let (d, result) = match op {
            Op::Const { d, k } => (d, self.program.constants[k as usize]),
            Op::Sub { d, a, b } => (d, whole(value(a).checked_sub(value(b)))?),
            Op::Whole { op, d, a, b } => (d, whole_op(op, value(a), value(b))?),
            Op::Negate { d, a } => (d, whole(value(a).checked_neg())?),
            Op::Absolute { d, a } => (d, whole(value(a).checked_abs())?),
            Op::Widen { d, a } => (d, fraction(Number::whole(value(a)))?),
            Op::Number { op, d, a, b } => {
                (d, number_op(op, self.number(base, a), self.number(base, b))?)
            }
            Op::NumberNegate { d, a } => (d, self.number(base, a).negated().to_bits()),
            Op::NumberAbsolute { d, a } => {
                let n = self.number(base, a);
                (d, if n < Number::ZERO { n.negated() } else { n }.to_bits())
            }
            Op::Round { how, d, a } => (d, self.number(base, a).round(how)),
            Op::Holds { d, list, row, value: member } => {
                let member = value(member);
                let members = table.list(list, self.row(base, row)?);
                (d, i64::from(members.iter().any(|&m| i64::from(m) == member)))
            }
            Op::Set { how, column, row, value } => {
                return self.set(how, column, row, value, base, table, host);
            }
            Op::Push { a } => {
                let member = value(a);
                return self.push(member);
            }
            Op::Collect { d, a } => {
                let (start, _) = unpack(value(a));
                (d, pack(start, self.store.len().saturating_sub(start)))
            }
            Op::RollPool { d, pool } => (d, host.roll(&self.program.pools[pool as usize])?),
            Op::CheckBegin => {
                host.check_begins();
                return Ok(());
            }
            Op::Throw { natural, total, passed, judged, fraction } => {
                if host.reports() {
                    let passed = judged.then(|| value(passed) != 0);
                    let read = |reg| self.as_number(base, reg, fraction);
                    host.thrown(read(natural), read(total), passed);
                }
                return Ok(());
            }
            Op::Chart { d, chart, a, b } => (d, self.chart(chart.index(), value(a), value(b))?),
            other => return self.rare(other, base, table, host),
        };
        self.registers[base + d as usize] = result;
        Ok(())
    }

    fn push(&mut self, member: i64) -> Step {
        if self.store.len() >= MAX_MEMBERS {
            return Err(trouble(format!("lists have more than {MAX_MEMBERS} members")));
        }
        let member = u32::try_from(member)
            .map_err(|_| trouble("a list can hold neither `none` nor a negative number"))?;
        self.store.push(member);
        Ok(())
    }

    fn push_all(&mut self, members: &[u32]) -> Result<i64, Trouble> {
        let start = self.store.len();
        if start + members.len() > MAX_MEMBERS {
            return Err(trouble(format!("lists have more than {MAX_MEMBERS} members")));
        }
        self.store.extend_from_slice(members);
        Ok(pack(start, members.len()))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one instruction")]
    fn set<T: Table, H: Host>(
        &mut self,
        how: Change,
        column: ColumnId,
        row: Reg,
        value: Reg,
        base: usize,
        table: &mut T,
        host: &mut H,
    ) -> Step {
        let row = self.row(base, row)?;
        let given = self.registers[base + value as usize];
        let old = table.get(column, row);
        let attribute = self.schema.column(column);
        let (low, high) = (attribute.low, attribute.high);
        let new = match (attribute.ty, how) {
            (Type::Whole, Change::Set) if given < low || given > high => {
                return Err(beyond(self.schema, column, &given.to_string()));
            }
            (Type::Whole, Change::Bump) => old.saturating_add(given).clamp(low, high),
            (Type::Number, how) => {
                let limit = |n: i64| Number::whole(n).unwrap_or(Number::ZERO);
                let given = Number::from_bits(given);
                let (low, high) = (limit(low), limit(high));
                let new = match how {
                    Change::Set => given,
                    Change::Bump => {
                        let sum = Number::from_bits(old).checked_add(given);
                        let sum = sum.ok_or_else(|| trouble("a fraction grows too fine"))?;
                        sum.clamp(low, high.max(low))
                    }
                };
                if new < low || new > high {
                    return Err(beyond(self.schema, column, &new.to_string()));
                }
                new.to_bits()
            }
            _ => given,
        };
        if new != old {
            table.set(column, row, new);
            host.cell_changed(column, row, old, new);
        }
        Ok(())
    }

    fn chart(&self, chart: usize, a: i64, b: i64) -> Result<i64, Trouble> {
        let chart = &self.schema.charts[chart];
        let place =
            |ranges: &[super::schema::RowRange], n: i64| ranges.iter().position(|r| r.holds(n));
        let missing = |n: i64| trouble(format!("the chart `{}` has nothing for {n}", chart.name));
        let row = place(&chart.rows, a).ok_or_else(|| missing(a))?;
        let column = match chart.columns.is_empty() {
            true => 0,
            false => place(&chart.columns, b).ok_or_else(|| missing(b))?,
        };
        let width = chart.columns.len().max(1);
        chart.values.get(row * width + column).copied().ok_or_else(|| missing(a))
    }

    /// Stops a command of which more happens than can be kept.
    fn not_too_much<H: Host>(host: &H) -> Step {
        match host.is_full() {
            true => Err(trouble("more happens here than one command may bring about")),
            false => Ok(()),
        }
    }

    /// What is not in the way of a sweep.
    fn rare<T: Table, H: Host>(
        &mut self,
        op: Op,
        base: usize,
        table: &mut T,
        host: &mut H,
    ) -> Step {
        let value = |reg: Reg| self.registers[base + reg as usize];
        let (d, result) = match op {
            Op::SameList { d, a, b } => {
                let same = self.members(value(a)) == self.members(value(b));
                (d, i64::from(same))
            }
            Op::GetList { d, list, row } => {
                let row = self.row(base, row)?;
                (d, self.push_all(table.list(list, row))?)
            }
            Op::SetList { list, row, value } => {
                let row = self.row(base, row)?;
                let members = self.members(self.registers[base + value as usize]).to_vec();
                change_list(list, row, &members, table, host);
                return Ok(());
            }
            Op::ListAdd { list, row, value: member } => {
                Self::not_too_much(host)?;
                let row = self.row(base, row)?;
                let member = u32::try_from(value(member))
                    .map_err(|_| trouble("`none` cannot be added to a list"))?;
                let mut members = table.list(list, row).to_vec();
                if members.len() >= MAX_MEMBERS / 10 {
                    return Err(trouble("this list has grown too long"));
                }
                members.push(member);
                change_list(list, row, &members, table, host);
                return Ok(());
            }
            Op::ListTake { list, row, value: member } => {
                let row = self.row(base, row)?;
                let member = value(member);
                let mut members = table.list(list, row).to_vec();
                if let Some(i) = members.iter().position(|&m| i64::from(m) == member) {
                    members.remove(i);
                    change_list(list, row, &members, table, host);
                }
                return Ok(());
            }
            Op::InList { d, a, value: member } => {
                let member = value(member);
                let found = self.members(value(a)).iter().any(|&m| i64::from(m) == member);
                (d, i64::from(found))
            }
            Op::Size { d, a } => (d, unpack(value(a)).1 as i64),
            Op::Nth { d, a, n } => {
                let members = self.members(value(a));
                let n = value(n);
                let place = if n < 0 { members.len() as i64 + n } else { n - 1 };
                let member = usize::try_from(place).ok().and_then(|p| members.get(p));
                (d, member.map_or(-1, |&m| i64::from(m)))
            }
            Op::PushList { a } => {
                let members = self.members(value(a)).to_vec();
                self.push_all(&members)?;
                return Ok(());
            }
            Op::Way { d, way } => (d, self.way(way as usize, base, table, host)?),
            Op::Plan { op, d, a, b } => {
                let (a, b) = (self.row(base, a)?, self.row(base, b)?);
                (d, self.plan(op, a, b, table))
            }
            Op::Step { d, a, b, n } => {
                let found = self.step(self.row(base, a)?, value(b), value(n), table);
                (d, self.push_all(found.as_slice())?)
            }
            Op::Text { d, template } => {
                let text = self.render(template, base, table)?;
                (d, table.intern(&text))
            }
            Op::RollDice { d, count, sides } => {
                let limit = |n: i64, max: u32, what: &str| {
                    u32::try_from(n)
                        .ok()
                        .filter(|n| *n <= max)
                        .ok_or_else(|| trouble(format!("{n} {what} cannot be rolled")))
                };
                let count = limit(value(count).max(0), crate::dice::MAX_DICE, "dice")?;
                let sides = limit(value(sides), crate::dice::MAX_SIDES, "sides")?;
                (d, if count == 0 { 0 } else { host.dice(count, sides)? })
            }
            Op::Modify { value, template, fraction } => {
                let by = self.as_number(base, value, fraction);
                if by != Number::ZERO {
                    let reason = self.render(template, base, table)?;
                    host.modifier(by, reason);
                }
                return Ok(());
            }
            Op::Need { operator, value, fraction } => {
                if host.reports() {
                    host.need(operator, self.as_number(base, value, fraction));
                }
                return Ok(());
            }
            Op::Verdict { template } => {
                let words = self.render(template, base, table)?;
                host.verdict(words);
                return Ok(());
            }
            Op::CheckEnd { label } => {
                let label = self.render(label, base, table)?;
                host.check_ends(label);
                return Ok(());
            }
            Op::Tell { how, template } => {
                Self::not_too_much(host)?;
                let text = self.render(template, base, table)?;
                return match how {
                    Telling::Say => {
                        host.said(text);
                        Ok(())
                    }
                    Telling::Remind => {
                        host.reminded(text);
                        Ok(())
                    }
                    Telling::Refuse if host.refused(text.clone()) => Ok(()),
                    Telling::Refuse => Err(Halt::Refused(text).into()),
                };
            }
            Op::Make { d, kind, template } => {
                let name = match template {
                    u32::MAX => None,
                    t => Some(self.render(t, base, table)?),
                };
                let row = table.make(kind, name.as_deref()).map_err(Trouble::Message)?;
                host.made(kind, row, table.name(kind, row));
                (d, i64::from(row))
            }
            Op::Remove { kind, row } => {
                let row = self.row(base, row)?;
                self.take_off(kind, row, table, host);
                return Ok(());
            }
            Op::Empty { deck } => {
                let list = self.schema.decks[deck.index()].list;
                change_list(list, 0, &[], table, host);
                return Ok(());
            }
            Op::Shuffled { deck } => {
                let list = self.schema.decks[deck.index()].list;
                host.shuffled(deck, table.list(list, 0).len());
                return Ok(());
            }
            Op::Put { deck, count, value: member } => {
                return self.put(deck, value(count), value(member), table, host);
            }
            Op::Draw { d, deck } => (d, self.draw(deck, table, host)?),
            Op::Pick { d, a, kind } => {
                let members = self.members(value(a)).to_vec();
                if members.is_empty() {
                    (d, -1)
                } else {
                    let lot = Lot { kind, members: &members, deck: None };
                    let names = names_of(lot, table, host);
                    let place = host.lot(lot, &names)?;
                    host.taken(lot, place, &names);
                    (d, members.get(place).map_or(-1, |&m| i64::from(m)))
                }
            }
            Op::AskAmong { d, a, template, ty } => {
                let members = self.members(value(a)).to_vec();
                let text = self.render(template, base, table)?;
                if members.is_empty() {
                    return Err(trouble(format!("nothing can be the answer to \"{text}\"")));
                }
                let options = match host.reports() {
                    true => members
                        .iter()
                        .map(|&m| shown(self.schema, table, i64::from(m), ty))
                        .collect(),
                    false => Vec::new(),
                };
                let answers = Answers::Among(ty, members);
                (d, host.ask(Question { text, answers, options })?)
            }
            Op::AskBetween { d, low, high, template } => {
                let (low, high) = (value(low), value(high));
                let text = self.render(template, base, table)?;
                if low > high {
                    return Err(trouble(format!("nothing can be the answer to \"{text}\"")));
                }
                let answers = Answers::Between(low, high);
                (d, host.ask(Question { text, answers, options: Vec::new() })?)
            }
            Op::AskFlag { d, template } => {
                let text = self.render(template, base, table)?;
                let answers = Answers::Flag;
                (d, host.ask(Question { text, answers, options: Vec::new() })?)
            }
            Op::NoRow { total } => {
                let total = value(total);
                return Err(trouble(format!("no row of the table has the total {total}")));
            }
            Op::Repeats { a } if value(a) > MAX_REPEATS => {
                let n = value(a);
                return Err(trouble(format!("{n} times is more often than {MAX_REPEATS}")));
            }
            _ => return Ok(()),
        };
        self.registers[base + d as usize] = result;
        Ok(())
    }

    /// Takes a piece off the table.
    pub fn take_off<T: Table, H: Host>(
        &mut self,
        kind: KindId,
        row: u32,
        table: &mut T,
        host: &mut H,
    ) {
        if table.is_there(kind, row) {
            self.forget(kind, row, table, host);
            table.remove(kind, row);
            host.removed(kind, row);
        }
    }

    /// Nothing points to a piece that is taken off: references become `none`, and lists let it go.
    fn forget<T: Table, H: Host>(&self, kind: KindId, gone: u32, table: &mut T, host: &mut H) {
        for (index, &(of, attribute)) in self.schema.columns.iter().enumerate() {
            if self.schema.kind(of).attributes[attribute].ty != Type::Piece(kind) {
                continue;
            }
            let column = ColumnId::from_index(index);
            let mut from = 0;
            while let Some(row) = table.next_piece(of, from) {
                from = row + 1;
                if table.get(column, row) == i64::from(gone) {
                    table.set(column, row, -1);
                    host.cell_changed(column, row, i64::from(gone), -1);
                }
            }
        }
        let decks = self.schema.decks.iter().map(|d| (d.list, STATE, d.of));
        let lists =
            self.schema.lists.iter().enumerate().filter_map(|(index, &(of, attribute))| match self
                .schema
                .kind(of)
                .attributes
                .get(attribute)?
                .ty
            {
                Type::List(Element::Piece(k)) => Some((ListId::from_index(index), of, k)),
                _ => None,
            });
        for (list, of, _) in decks.chain(lists).filter(|&(_, _, k)| k == kind) {
            let mut from = 0;
            while let Some(row) = table.next_piece(of, from) {
                from = row + 1;
                if table.list(list, row).contains(&gone) {
                    let kept: Vec<u32> =
                        table.list(list, row).iter().copied().filter(|&m| m != gone).collect();
                    change_list(list, row, &kept, table, host);
                }
            }
        }
    }

    fn put<T: Table, H: Host>(
        &mut self,
        deck: DeckId,
        count: i64,
        member: i64,
        table: &mut T,
        host: &mut H,
    ) -> Step {
        Self::not_too_much(host)?;
        let list = self.schema.decks[deck.index()].list;
        let member =
            u32::try_from(member).map_err(|_| trouble("`none` cannot be put into a deck"))?;
        if count > MAX_REPEATS {
            return Err(trouble(format!("{count} times is more often than {MAX_REPEATS}")));
        }
        let mut members = table.list(list, 0).to_vec();
        members.extend(std::iter::repeat_n(member, usize::try_from(count).unwrap_or(0)));
        if members.len() > MAX_MEMBERS / 10 {
            return Err(trouble("this deck has grown too large"));
        }
        change_list(list, 0, &members, table, host);
        Ok(())
    }

    fn draw<T: Table, H: Host>(
        &mut self,
        deck: DeckId,
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Trouble> {
        Self::not_too_much(host)?;
        let of = &self.schema.decks[deck.index()];
        let mut members = table.list(of.list, 0).to_vec();
        if members.is_empty() {
            return Ok(-1);
        }
        let lot = Lot { kind: of.of, members: &members, deck: Some(deck) };
        let names = names_of(lot, table, host);
        let place = host.lot(lot, &names)?;
        host.taken(lot, place, &names);
        let drawn = members.get(place).copied();
        if place < members.len() {
            members.remove(place);
        }
        change_list(of.list, 0, &members, table, host);
        Ok(drawn.map_or(-1, i64::from))
    }

    /// Breadth first: the steps of the shortest way, or the list of its places without the first. Of ways
    /// of one length the one whose places stand first in the lists.
    fn way<T: Table, H: Host>(
        &mut self,
        index: usize,
        base: usize,
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Trouble> {
        let way = self.program.ways[index];
        let (from, to) = (self.row(base, way.from)?, self.row(base, way.to)?);
        let first = base + way.base as usize + 1;
        let captured =
            self.registers.get(first..first + way.captured as usize).unwrap_or(&[]).to_vec();
        // From where each place was reached first.
        let mut reached = BTreeMap::from([(from, from)]);
        let mut front = vec![from];
        let mut steps = 0;
        while !front.is_empty() && !reached.contains_key(&to) {
            steps += 1;
            let mut next = Vec::new();
            for &place in &front {
                for neighbour in self.leads(way.along, place, table, host)? {
                    if reached.contains_key(&neighbour) {
                        continue;
                    }
                    if let Some(filter) = way.filter {
                        let mut arguments = vec![i64::from(neighbour)];
                        arguments.extend_from_slice(&captured);
                        if self.call(filter, &arguments, table, host)? == 0 {
                            continue;
                        }
                    }
                    reached.insert(neighbour, place);
                    next.push(neighbour);
                }
            }
            self.steps += front.len() as u64;
            self.tick()?;
            front = next;
        }
        let found = reached.contains_key(&to);
        if !way.places {
            return Ok(if found { steps } else { NO_WAY });
        }
        let mut places = Vec::new();
        let mut place = to;
        while found && place != from {
            places.push(place);
            place = reached.get(&place).copied().unwrap_or(from);
        }
        places.reverse();
        self.push_all(&places)
    }

    /// Where a place leads on to.
    fn leads<T: Table, H: Host>(
        &mut self,
        along: Storage,
        place: u32,
        table: &mut T,
        host: &mut H,
    ) -> Result<Vec<u32>, Trouble> {
        Ok(match along {
            Storage::List(list) => table.list(list, place).to_vec(),
            Storage::Computed(function) => {
                let lists = self.store.len();
                let list = self.call(function, &[i64::from(place)], table, host)?;
                let members = self.members(list).to_vec();
                self.store.truncate(lists);
                members
            }
            Storage::Cell(_) => Vec::new(),
        })
    }

    fn plan<T: Table>(&self, op: PlanOp, a: u32, b: u32, table: &T) -> i64 {
        let Some(plan) = self.program.plan else { return 0 };
        let by = |column| table.get(column, b) - table.get(column, a);
        let (across, down, levels) = (by(plan.column), by(plan.row), by(plan.level));
        match op {
            PlanOp::Steps => across.abs() + down.abs() + levels.abs(),
            PlanOp::Line => i64::from(levels == 0 && (across == 0) != (down == 0)),
            PlanOp::Direction => {
                // An eighth of the circle each; 5/12 is the tangent of 22.6 degrees.
                let straight_down = across.abs() * 12 < down.abs() * 5;
                let straight_across = down.abs() * 12 < across.abs() * 5;
                match (across.signum(), down.signum()) {
                    (0, 0) => 0,
                    (_, -1) if straight_down => 0,
                    (_, 1) if straight_down => 4,
                    (1, _) if straight_across => 2,
                    (-1, _) if straight_across => 6,
                    (1, -1) => 1,
                    (1, _) => 3,
                    (_, 1) => 5,
                    _ => 7,
                }
            }
        }
    }

    /// The area so many steps from another in a direction, whatever lies between.
    fn step<T: Table>(&self, from: u32, direction: i64, count: i64, table: &T) -> Option<u32> {
        const COMPASS: [(i64, i64); 8] =
            [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
        let plan = self.program.plan?;
        let (across, down) = COMPASS[direction.rem_euclid(8) as usize];
        let at = |column| table.get(column, from);
        let count = count.clamp(-MAX_REPEATS, MAX_REPEATS);
        table.area_at(at(plan.column) + across * count, at(plan.row) + down * count, at(plan.level))
    }

    /// Makes a text of words and values.
    fn render<T: Table>(&self, template: u32, base: usize, table: &T) -> Result<String, Trouble> {
        let mut text = String::new();
        for part in &self.program.templates[template as usize] {
            match part {
                TextPart::Words(words) => text.push_str(words),
                TextPart::Value(reg, ty) => {
                    let value = self.registers[base + *reg as usize];
                    self.show(value, *ty, table, &mut text);
                }
                TextPart::Named(reg, column) => {
                    let value = self.registers[base + *reg as usize];
                    let attribute = self.schema.column(*column);
                    let place = usize::try_from(value - attribute.low).ok();
                    match place.and_then(|p| attribute.names.get(p)) {
                        Some(name) => text.push_str(name),
                        None => text.push_str(&value.to_string()),
                    }
                }
            }
            if text.len() > MAX_TEXT {
                return Err(trouble(format!("a text is longer than {MAX_TEXT} bytes")));
            }
        }
        Ok(text)
    }

    fn show<T: Table>(&self, value: i64, ty: Type, table: &T, text: &mut String) {
        match ty {
            Type::List(element) => {
                for (i, &member) in self.members(value).iter().enumerate() {
                    if i > 0 {
                        text.push_str(", ");
                    }
                    self.show(i64::from(member), element.member(), table, text);
                    if text.len() > MAX_TEXT {
                        return;
                    }
                }
                if self.members(value).is_empty() {
                    text.push_str("none");
                }
            }
            _ => text.push_str(&shown(self.schema, table, value, ty)),
        }
    }
}

/// A single value as people read it.
pub fn shown<T: Table>(schema: &Schema, table: &T, value: i64, ty: Type) -> String {
    match ty {
        Type::Number => Number::from_bits(value).to_string(),
        Type::Flag => if value == 0 { "no" } else { "yes" }.to_owned(),
        Type::Word(set) => {
            let words = &schema.word_set(set).values;
            let word = usize::try_from(value).ok().and_then(|i| words.get(i));
            word.cloned().unwrap_or_default()
        }
        Type::Piece(STATE) => "the state".to_owned(),
        Type::Piece(_) if value < 0 => "none".to_owned(),
        Type::Piece(kind) => table.name(kind, value as u32).to_owned(),
        Type::Text => table.text(value).to_owned(),
        Type::Nothing => "none".to_owned(),
        Type::List(Element::Any) | Type::List(_) | Type::Whole | Type::Unknown => value.to_string(),
    }
}

/// The names of what can come, where they are wanted.
fn names_of<T: Table, H: Host>(lot: Lot<'_>, table: &T, host: &H) -> Vec<String> {
    match host.reports() {
        true => lot.members.iter().map(|&m| table.name(lot.kind, m).to_owned()).collect(),
        false => Vec::new(),
    }
}

fn change_list<T: Table, H: Host>(
    list: ListId,
    row: u32,
    members: &[u32],
    table: &mut T,
    host: &mut H,
) {
    let old = table.list(list, row);
    if old != members {
        host.list_changed(list, row, old, members);
        table.set_list(list, row, members);
    }
}

fn beyond(schema: &Schema, column: ColumnId, value: &str) -> Trouble {
    let attribute = schema.column(column);
    let (low, high) = (attribute.low, attribute.high);
    trouble(format!("`{}` would become {value}, but is from {low} to {high}", attribute.name))
}

#[cold]
fn none_asked() -> Trouble {
    trouble("an attribute of `none` is asked")
}

#[cold]
fn too_large() -> Trouble {
    trouble("a number grows too large")
}

fn whole(value: Option<i64>) -> Result<i64, Trouble> {
    value.ok_or_else(too_large)
}

fn fraction(value: Option<Number>) -> Result<i64, Trouble> {
    value.map(Number::to_bits).ok_or_else(|| trouble("a number grows too large or too fine"))
}

fn whole_op(op: WholeOp, a: i64, b: i64) -> Result<i64, Trouble> {
    let nought = || trouble("something is divided by nought");
    match op {
        WholeOp::Mul => whole(a.checked_mul(b)),
        WholeOp::Mod => a.checked_rem_euclid(b).ok_or_else(nought),
        WholeOp::Min => Ok(a.min(b)),
        WholeOp::Max => Ok(a.max(b)),
        WholeOp::Div(how) => {
            if b == 0 {
                return Err(nought());
            }
            let (a, b) = (i128::from(a), i128::from(b));
            let (a, b) = if b < 0 { (-a, -b) } else { (a, b) };
            let rounded = match how {
                Rounding::Floor => a.div_euclid(b),
                Rounding::Ceil => -(-a).div_euclid(b),
                Rounding::Round => {
                    let size = (2 * a.abs() + b).div_euclid(2 * b);
                    if a < 0 { -size } else { size }
                }
            };
            whole(i64::try_from(rounded).ok())
        }
    }
}

fn number_op(op: NumberOp, a: Number, b: Number) -> Result<i64, Trouble> {
    match op {
        NumberOp::Add => fraction(a.checked_add(b)),
        NumberOp::Sub => fraction(a.checked_sub(b)),
        NumberOp::Mul => fraction(a.checked_mul(b)),
        NumberOp::Div if b == Number::ZERO => Err(trouble("something is divided by nought")),
        NumberOp::Div => fraction(a.checked_div(b)),
        NumberOp::Min => Ok(a.min(b).to_bits()),
        NumberOp::Max => Ok(a.max(b).to_bits()),
        NumberOp::Less => Ok(i64::from(a < b)),
        NumberOp::AtMost => Ok(i64::from(a <= b)),
    }
}

/// A list value: where its members stand in the store, and how many they are.
fn pack(start: usize, length: usize) -> i64 {
    ((start as i64) << 32) | length as i64
}

fn unpack(list: i64) -> (usize, usize) {
    ((list >> 32) as usize, (list & 0xffff_ffff) as usize)
}
