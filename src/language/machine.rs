//! Runs compiled rule text over a table, asking a host for dice and answers and telling it what happens.
//!
//! The machine holds all of its state in flat stores, so that a run can be stopped at a roll, copied, and
//! gone on with. It has limits of steps, depth and memory, and every error names the rule it came from.

mod host;
mod pause;
mod places;
mod rare;
mod run;
#[cfg(test)]
mod tests;
mod text;

pub use host::{Answers, Bound, Halt, Host, Lot, PlayError, Question, Table, parameters};
pub use pause::{Flow, Reader};
pub use text::shown;

use super::code::{Change, Function, NumberOp, Op, Program, Reg, WholeOp};
use super::number::{Number, Rounding};
use super::schema::{ColumnId, FunctionId, KindId, Schema, Type};

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Frame {
    function: FunctionId,
    at: u32,
    base: u32,
    /// How long the list store was when it was called.
    lists: u32,
    registers: u32,
    called: Called,
}

/// A call, as far as its end is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

    /// Makes it ready for another command: nothing is under way, and no steps have been run.
    pub fn renew(&mut self) {
        self.frames.clear();
        self.store.clear();
        self.steps = 0;
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
        self.enter(code, function, base, Called::default());
        for (i, &argument) in arguments.iter().enumerate().take(code.registers as usize) {
            self.registers[base + i] = argument;
        }
        let result = self.run(code, code, depth, table, host);
        if !matches!(result, Err(Halt::Branch)) {
            self.frames.truncate(depth);
        }
        result
    }

    fn enter(&mut self, code: &Function, function: FunctionId, base: usize, called: Called) {
        let needed = base + code.registers as usize;
        if self.registers.len() < needed {
            self.registers.resize(needed, 0);
        }
        self.registers[base + code.params as usize..needed].fill(0);
        let lists = self.store.len() as u32;
        let registers = u32::from(code.registers);
        self.frames.push(Frame { function, at: 0, base: base as u32, lists, registers, called });
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
        match self.steps > MAX_STEPS {
            true => Err(too_long()),
            false => Ok(()),
        }
    }

    fn descend<'c>(
        &mut self,
        program: &'c Program,
        function: FunctionId,
        base: usize,
        called: Called,
    ) -> Result<&'c Function, Trouble> {
        if self.frames.len() >= MAX_CALLS {
            return Err(trouble(format!("rules call each other more than {MAX_CALLS} deep")));
        }
        self.tick()?;
        let code = &program.functions[function.index()];
        self.enter(code, function, base, called);
        Ok(code)
    }

    /// Takes a frame off: its lists go, but the one it gives stays.
    fn leave<H: Host>(&mut self, code: &Function, value: i64, host: &mut H) -> i64 {
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
            if frame.called.rule && host.reports() {
                host.call_ends(frame.called.value_used);
            }
        }
        value
    }

    fn row(&self, base: usize, reg: Reg) -> Result<u32, Trouble> {
        row_of(self.registers[base + reg as usize])
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
            return Err(too_many_members());
        }
        let member = u32::try_from(member)
            .map_err(|_| trouble("a list can hold neither `none` nor a negative number"))?;
        self.store.push(member);
        Ok(())
    }

    fn push_all(&mut self, members: &[u32]) -> Result<i64, Trouble> {
        let start = self.store.len();
        if start + members.len() > MAX_MEMBERS {
            return Err(too_many_members());
        }
        self.store.extend_from_slice(members);
        Ok(pack(start, members.len()))
    }

    fn set<T: Table, H: Host>(
        &self,
        how: Change,
        column: ColumnId,
        row: i64,
        given: i64,
        table: &mut T,
        host: &mut H,
    ) -> Step {
        let row = row_of(row)?;
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
            (Type::Piece(kind), _) => {
                self.still_there(kind, given, table)?;
                given
            }
            _ => given,
        };
        if new != old {
            table.set(column, row, new);
            host.cell_changed(column, row, old, new);
        }
        Ok(())
    }

    /// Nothing can point to a piece that has been taken off.
    fn still_there<T: Table>(&self, kind: KindId, row: i64, table: &T) -> Step {
        let Ok(row) = u32::try_from(row) else { return Ok(()) };
        if table.is_there(kind, row) {
            return Ok(());
        }
        let name = table.name(kind, row);
        Err(trouble(format!("`{name}` has been taken off, so nothing can point to it")))
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
}

fn beyond(schema: &Schema, column: ColumnId, value: &str) -> Trouble {
    let attribute = schema.column(column);
    let (low, high) = (attribute.low, attribute.high);
    trouble(format!("`{}` would become {value}, but is from {low} to {high}", attribute.name))
}

#[cold]
fn too_many_members() -> Trouble {
    trouble(format!("lists have more than {MAX_MEMBERS} members"))
}

#[cold]
fn too_long() -> Trouble {
    trouble(format!("this runs longer than {MAX_STEPS} steps"))
}

/// The row of a piece that must not be `none`.
#[inline]
fn row_of(value: i64) -> Result<u32, Trouble> {
    u32::try_from(value).map_err(|_| none_asked())
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
