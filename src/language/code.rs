//! The code that rule text is compiled to: flat instructions on numbered registers.
//!
//! Every value is one 64-bit word: whole numbers as they are, fractions packed (see [`super::number`]), flags 0
//! and 1, words by their place in the set, pieces by their row (`none` is -1), texts by the tabletop's
//! text number, lists as start and length in the machine's list store.

mod program;

pub use program::{Binding, Function, Limits, PlanColumns, Program, Telling, TextPart, Way};

use super::machine::{PlayFault, World};
use super::number::Rounding;
use super::schema::{ChartId, ColumnId, DeckId, FunctionId, KindId, ListId, RuleId, Type};
use super::syntax::Operator;

/// A register of the function that runs.
pub type Reg = u16;
/// The index of an instruction in its function.
pub type Target = u32;

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-a`, whole.
    Negate,
    /// `not a`.
    Not,
    /// A whole number as a fraction.
    Widen,
    /// `-a`, a fraction.
    NumberNegate,
    /// A fraction rounded to a whole number.
    Round(Rounding),
    /// The number of members of a list.
    Size,
}

/// An operation on two words: whole numbers, or flags, words and pieces where they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WholeOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a mod b`, never negative
    Mod,
    /// The lower.
    Min,
    /// The higher.
    Max,
    /// `a / b` rounded.
    Div(Rounding),
    /// `a = b`, a flag
    Equal,
    /// `a != b`, a flag
    NotEqual,
    /// `a < b`, a flag
    Less,
    /// `a <= b`, a flag
    AtMost,
}

/// An operation on two fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// The lower.
    Min,
    /// The higher.
    Max,
    /// `a < b`, a flag
    Less,
    /// `a <= b`, a flag
    AtMost,
}

/// The way in which an instruction changes a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellChange {
    /// To the value, which must be within the limits.
    Set,
    /// By the value, stopping at the limits.
    Bump,
}

/// The way in which an instruction changes a list attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListChange {
    /// To the members of the list in the register.
    Set,
    /// By adding the member in the register.
    Add,
    /// By taking the member in the register out, once.
    Take,
}

/// The surroundings that a built-in function may look at besides its arguments.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The program that runs.
    pub program: &'a Program,
    /// The state of the game.
    pub table: &'a dyn World,
}

impl Context<'_> {
    /// Returns the columns, rows and levels of the plan from one area to another.
    pub fn between(&self, a: i64, b: i64) -> Result<(i64, i64, i64), PlayFault> {
        let row = |area| u32::try_from(area).map_err(|_| PlayFault::OfNone);
        let (a, b) = (row(a)?, row(b)?);
        let plan = self.program.plan.ok_or(PlayFault::OfNone)?;
        let by = |column| self.table.get(column, b) - self.table.get(column, a);
        Ok((by(plan.column), by(plan.row), by(plan.level)))
    }
}

/// A built-in function of two values, computed without instructions; one of a single value gets it twice.
pub type Native = fn(&Context<'_>, i64, i64) -> Result<i64, PlayFault>;

/// Something done with a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeckOp {
    /// Takes everything out, before it is filled anew.
    Empty,
    /// Puts the piece or row in `value` in, `count` times.
    Put {
        /// The register of the number.
        count: Reg,
        /// The register of the piece or row.
        value: Reg,
    },
    /// Reports that it has been shuffled.
    Shuffled,
}

impl DeckOp {
    /// Returns the registers that are read.
    fn reads(self) -> impl Iterator<Item = Reg> {
        let reads = match self {
            DeckOp::Put { count, value } => [Some(count), Some(value)],
            DeckOp::Empty | DeckOp::Shuffled => [None, None],
        };
        reads.into_iter().flatten()
    }
}

/// The use that a caller makes of the value of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueUse {
    /// The call stands in an expression.
    Used,
    /// The call is a statement of its own.
    Unused,
    /// The caller returns the value: its own caller decides.
    Returned,
}

/// One instruction. `d` is the register written.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the registers have the same names throughout, see the module")]
pub enum Op {
    /// A small whole number, flag, word or row.
    Small {
        d: Reg,
        n: i32,
    },
    /// A constant of the program.
    Const {
        d: Reg,
        k: u32,
    },
    Move {
        d: Reg,
        s: Reg,
    },
    Unary {
        op: UnaryOp,
        d: Reg,
        a: Reg,
    },
    Whole {
        op: WholeOp,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Number {
        op: NumberOp,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// A flag: two lists hold the same members in the same order.
    SameList {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Jump {
        to: Target,
    },
    JumpIf {
        a: Reg,
        to: Target,
    },
    JumpIfNot {
        a: Reg,
        to: Target,
    },
    /// Jumps if the host wants no events.
    JumpIfSilent {
        to: Target,
    },
    /// Jumps if the host wants neither verdicts nor lines.
    JumpIfMute {
        to: Target,
    },
    /// Jumps if the piece in `a` is no longer on the table.
    JumpIfGone {
        kind: KindId,
        a: Reg,
        to: Target,
    },
    /// The cell of the piece in `row`.
    Get {
        d: Reg,
        column: ColumnId,
        row: Reg,
    },
    Set {
        how: CellChange,
        column: ColumnId,
        row: Reg,
        value: Reg,
    },
    /// The list of the piece in `row`.
    GetList {
        d: Reg,
        list: ListId,
        row: Reg,
    },
    SetList {
        how: ListChange,
        list: ListId,
        row: Reg,
        value: Reg,
    },
    /// A flag: the list of the piece in `row` holds `value`.
    Holds {
        d: Reg,
        list: ListId,
        row: Reg,
        value: Reg,
    },
    /// A flag: the list in `a` holds `value`.
    InList {
        d: Reg,
        a: Reg,
        value: Reg,
    },
    /// The member of list `a` at place `n` from 1; negative places count from the end. Beyond its ends it is -1,
    /// or a fault where there must be a member.
    Nth {
        d: Reg,
        a: Reg,
        n: Reg,
        must: bool,
    },
    /// Fails: there is nothing to choose from.
    NoMember,
    /// Fails unless the number is within the limits of a parameter.
    Within {
        a: Reg,
        limits: u32,
        fraction: bool,
    },
    /// The end of the list store.
    Mark {
        d: Reg,
    },
    /// Adds a member at the end of the list store.
    Push {
        a: Reg,
    },
    /// The members of list `a`, then those of list `b`.
    Join {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// The members pushed since the mark in `a`, as a list.
    Collect {
        d: Reg,
        a: Reg,
    },
    /// Cuts the list store to the mark in `a`.
    Release {
        a: Reg,
    },
    /// The next piece of a kind from row `at` on, which moves past it.
    NextPiece {
        d: Reg,
        at: Reg,
        kind: KindId,
        end: Target,
    },
    /// The next piece whose cell in this column differs from its start.
    NextMarked {
        d: Reg,
        at: Reg,
        column: ColumnId,
        end: Target,
    },
    /// The next member of the list of the piece in `row`.
    NextOf {
        d: Reg,
        at: Reg,
        list: ListId,
        row: Reg,
        end: Target,
    },
    /// The next member of the list in `a`.
    NextIn {
        d: Reg,
        at: Reg,
        a: Reg,
        end: Target,
    },
    /// The next whole number up to `last`.
    NextNumber {
        d: Reg,
        at: Reg,
        last: Reg,
        end: Target,
    },
    /// Arguments stand from `base` on; the value comes to `base`.
    Call {
        function: FunctionId,
        base: Reg,
        value: ValueUse,
    },
    /// Calls a rule, and reports that it begins.
    CallRule {
        rule: RuleId,
        base: Reg,
        value: ValueUse,
    },
    Return {
        a: Reg,
    },
    /// Reports that one turn of a rule's sweep begins, with these of the program's bindings.
    TurnBegins {
        bindings: u32,
    },
    /// Reports the member at which a loop stands, with these of the program's bindings.
    Bound {
        bindings: u32,
    },
    /// Looks a chart up.
    Chart {
        d: Reg,
        chart: ChartId,
        a: Reg,
        b: Reg,
    },
    /// The shortest way: its number of steps or its places.
    Way {
        d: Reg,
        way: u32,
    },
    Native {
        function: Native,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// The list of at most one area `n` steps from `a` in direction `b`.
    Step {
        d: Reg,
        a: Reg,
        b: Reg,
        n: Reg,
    },
    /// A text made of words and values.
    Text {
        d: Reg,
        template: u32,
    },
    /// A check begins; what follows belongs to it.
    CheckBegin,
    RollPool {
        d: Reg,
        pool: u32,
    },
    /// `count` dice of `sides`, summed.
    RollDice {
        d: Reg,
        count: Reg,
        sides: Reg,
    },
    /// A modifier with its reason; one of 0 is not reported.
    Modify {
        value: Reg,
        template: u32,
        fraction: bool,
    },
    /// One throw of the check, judged if `passed` is given.
    Throw {
        natural: Reg,
        total: Reg,
        passed: Option<Reg>,
        fraction: bool,
    },
    /// The number that the total is compared with.
    Need {
        operator: Operator,
        value: Reg,
        fraction: bool,
    },
    /// The verdict of the check, in words.
    Verdict {
        template: u32,
    },
    CheckEnd {
        label: u32,
    },
    /// Tells the umpire: a line, a reminder, or a refusal that stops the command.
    Tell {
        how: Telling,
        template: u32,
    },
    /// A new piece, called by the text or by the next free name of its kind.
    Make {
        d: Reg,
        kind: KindId,
        template: Option<u32>,
    },
    Remove {
        kind: KindId,
        row: Reg,
    },
    Deck {
        op: DeckOp,
        deck: DeckId,
    },
    Draw {
        d: Reg,
        deck: DeckId,
    },
    Pick {
        d: Reg,
        a: Reg,
        kind: KindId,
    },
    AskAmong {
        d: Reg,
        a: Reg,
        template: u32,
        ty: Type,
    },
    AskBetween {
        d: Reg,
        low: Reg,
        high: Reg,
        template: u32,
    },
    AskFlag {
        d: Reg,
        template: u32,
    },
    /// Fails: no row of the table has the total.
    NoRow {
        total: Reg,
    },
    /// Fails if the number is over the limit of `repeat`.
    Repeats {
        a: Reg,
    },
}

/// Something an instruction reads, writes or leads to.
#[derive(Debug)]
pub enum Effect<'a> {
    /// A register that is read.
    Read(Reg),
    /// A register that is written if the next instruction follows.
    Written(Reg),
    /// The first of the registers that hold the arguments of a function; its value comes back there.
    Arguments(FunctionId, Reg),
    /// As `Arguments`, for the function of a rule.
    RuleArguments(RuleId, Reg),
    /// A text of the program.
    Template(u32),
    /// A search for a way of the program.
    Way(u32),
    /// Bindings of the program.
    Bindings(u32),
    /// An instruction that may be next instead of the following one.
    Target(&'a mut Target),
    /// The following instruction is never next.
    Leaves,
}

impl Op {
    /// Calls `see` with everything the instruction reads, writes and leads to. No instruction may be left to a
    /// wildcard here: the exact odds forget the registers that nothing reads.
    pub fn effects(&mut self, see: &mut dyn FnMut(Effect<'_>)) {
        use Effect::{Arguments, Bindings, Leaves, Read, RuleArguments, Target, Template, Written};
        match self {
            Op::CheckBegin => {}
            Op::Deck { op, .. } => op.reads().for_each(|reg| see(Read(reg))),
            Op::NoMember => see(Leaves),
            Op::Small { d, .. }
            | Op::Const { d, .. }
            | Op::Mark { d }
            | Op::RollPool { d, .. }
            | Op::Draw { d, .. } => see(Written(*d)),
            Op::Move { d, s: a }
            | Op::Unary { d, a, .. }
            | Op::Collect { d, a }
            | Op::Get { d, row: a, .. }
            | Op::GetList { d, row: a, .. }
            | Op::Pick { d, a, .. } => {
                see(Read(*a));
                see(Written(*d));
            }
            Op::Whole { d, a, b, .. }
            | Op::Number { d, a, b, .. }
            | Op::SameList { d, a, b }
            | Op::Join { d, a, b }
            | Op::Chart { d, a, b, .. }
            | Op::Native { d, a, b, .. }
            | Op::Holds { d, row: a, value: b, .. }
            | Op::InList { d, a, value: b }
            | Op::Nth { d, a, n: b, .. }
            | Op::RollDice { d, count: a, sides: b } => {
                see(Read(*a));
                see(Read(*b));
                see(Written(*d));
            }
            Op::Step { d, a, b, n } => {
                [a, b, n].into_iter().for_each(|reg| see(Read(*reg)));
                see(Written(*d));
            }
            Op::Push { a }
            | Op::Release { a }
            | Op::Within { a, .. }
            | Op::Repeats { a }
            | Op::Remove { row: a, .. }
            | Op::Need { value: a, .. } => see(Read(*a)),
            Op::Set { row: a, value: b, .. } | Op::SetList { row: a, value: b, .. } => {
                see(Read(*a));
                see(Read(*b));
            }
            Op::Throw { natural, total, passed, .. } => {
                see(Read(*natural));
                see(Read(*total));
                passed.iter().for_each(|reg| see(Read(*reg)));
            }
            Op::Return { a } | Op::NoRow { total: a } => {
                see(Read(*a));
                see(Leaves);
            }
            Op::Jump { to } => {
                see(Target(to));
                see(Leaves);
            }
            Op::JumpIfSilent { to } | Op::JumpIfMute { to } => see(Target(to)),
            Op::JumpIf { a, to } | Op::JumpIfNot { a, to } | Op::JumpIfGone { a, to, .. } => {
                see(Read(*a));
                see(Target(to));
            }
            Op::NextPiece { d, at, end, .. } | Op::NextMarked { d, at, end, .. } => {
                see(Read(*at));
                see(Written(*d));
                see(Target(end));
            }
            Op::NextOf { d, at, row: a, end, .. }
            | Op::NextIn { d, at, a, end }
            | Op::NextNumber { d, at, last: a, end } => {
                see(Read(*at));
                see(Read(*a));
                see(Written(*d));
                see(Target(end));
            }
            Op::Call { function, base, .. } => see(Arguments(*function, *base)),
            Op::CallRule { rule, base, .. } => see(RuleArguments(*rule, *base)),
            Op::Way { d, way } => {
                see(Effect::Way(*way));
                see(Written(*d));
            }
            Op::TurnBegins { bindings } | Op::Bound { bindings } => see(Bindings(*bindings)),
            Op::Verdict { template }
            | Op::CheckEnd { label: template }
            | Op::Tell { template, .. } => {
                see(Template(*template));
            }
            Op::Modify { value, template, .. } => {
                see(Read(*value));
                see(Template(*template));
            }
            Op::Text { d, template } | Op::AskFlag { d, template } => {
                see(Template(*template));
                see(Written(*d));
            }
            Op::Make { d, template, .. } => {
                template.iter().for_each(|template| see(Template(*template)));
                see(Written(*d));
            }
            Op::AskAmong { d, a, template, .. } => {
                see(Read(*a));
                see(Template(*template));
                see(Written(*d));
            }
            Op::AskBetween { d, low, high, template } => {
                see(Read(*low));
                see(Read(*high));
                see(Template(*template));
                see(Written(*d));
            }
        }
    }
}
