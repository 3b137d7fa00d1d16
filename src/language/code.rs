//! What rule text is compiled to: flat instructions on numbered registers.
//!
//! Every value is one 64-bit word: whole numbers as they are, fractions packed (see [`super::number`]), flags 0
//! and 1, words by their place in the set, pieces by their row (`none` is -1), texts by the tabletop's
//! text number, lists as start and length in the machine's list store.

mod program;

pub use program::{Binding, Function, Limits, PlanColumns, Program, Telling, TextPart, Way};

use super::number::Rounding;
use super::schema::{ChartId, ColumnId, DeckId, FunctionId, KindId, ListId, RuleId, Type};
use super::syntax::Operator;

/// A register of the present function.
pub type Reg = u16;
/// The place of an instruction.
pub type Target = u32;

/// Arithmetic on whole numbers that is not among the commonest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WholeOp {
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
}

/// Arithmetic on fractions.
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

/// How an instruction changes a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// To the value, which must be within the limits.
    Set,
    /// By the value, stopping at the limits.
    Bump,
}

/// A question about the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanOp {
    /// Areas across, down and levels between two areas.
    Steps,
    /// The nearest of the eight directions.
    Direction,
    /// Whether they share a row or column on one level.
    Line,
}

/// How a number is compared with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// It is that number.
    Equal,
    /// It is another.
    NotEqual,
    /// It is above it.
    Over,
    /// It is that number or below it.
    NotOver,
}

impl Test {
    /// Whether the number passes.
    #[inline(always)]
    pub fn holds(self, number: i64, n: i64) -> bool {
        match self {
            Test::Equal => number == n,
            Test::NotEqual => number != n,
            Test::Over => number > n,
            Test::NotOver => number <= n,
        }
    }

    /// The test that every number passes that does not pass this one.
    pub fn otherwise(self) -> Test {
        match self {
            Test::Equal => Test::NotEqual,
            Test::NotEqual => Test::Equal,
            Test::Over => Test::NotOver,
            Test::NotOver => Test::Over,
        }
    }
}

/// A condition on a cell of a member that is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellTest {
    /// The column.
    pub column: ColumnId,
    /// How its cell is compared.
    pub test: Test,
    /// With what.
    pub n: i16,
}

/// The place of a filter in [`Program::filters`]: only members that pass it are gone through. The first one
/// lets all through.
pub type FilterId = u16;

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

/// What is gathered into a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sweep {
    /// All pieces of a kind.
    Pieces(KindId),
    /// The pieces whose cell in this column is not as it was at the start.
    Marked(ColumnId),
    /// The list of the piece in the register.
    Of(ListId, Reg),
    /// The list in the register.
    In(Reg),
}

/// One instruction. `d` is the register written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the registers are named alike throughout, see the module")]
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
    Add {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Whole {
        op: WholeOp,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Negate {
        d: Reg,
        a: Reg,
    },
    Absolute {
        d: Reg,
        a: Reg,
    },
    Equal {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    NotEqual {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Less {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AtMost {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Not {
        d: Reg,
        a: Reg,
    },
    /// `a` and a small number.
    AddSmall {
        d: Reg,
        a: Reg,
        n: i32,
    },
    /// A whole number as a fraction.
    Widen {
        d: Reg,
        a: Reg,
    },
    Number {
        op: NumberOp,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    NumberNegate {
        d: Reg,
        a: Reg,
    },
    NumberAbsolute {
        d: Reg,
        a: Reg,
    },
    Round {
        how: Rounding,
        d: Reg,
        a: Reg,
    },
    /// Two lists hold the same.
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
    /// If it is this very number.
    JumpIfEqual {
        a: Reg,
        n: i16,
        to: Target,
    },
    /// If it is any other number.
    JumpIfNotEqual {
        a: Reg,
        n: i16,
        to: Target,
    },
    /// If it is above this number.
    JumpIfOver {
        a: Reg,
        n: i16,
        to: Target,
    },
    /// If it is not above this number.
    JumpIfNotOver {
        a: Reg,
        n: i16,
        to: Target,
    },
    /// If two registers hold the same.
    JumpIfSame {
        a: Reg,
        b: Reg,
        to: Target,
    },
    /// If two registers do not hold the same.
    JumpIfNotSame {
        a: Reg,
        b: Reg,
        to: Target,
    },
    /// If `a` is below `b`.
    JumpIfLess {
        a: Reg,
        b: Reg,
        to: Target,
    },
    /// If `a` is not below `b`.
    JumpIfNotLess {
        a: Reg,
        b: Reg,
        to: Target,
    },
    /// If the cell of the piece in `row` passes.
    JumpIfCell {
        test: Test,
        column: ColumnId,
        row: Reg,
        n: i16,
        to: Target,
    },
    /// If nobody reads what would be told.
    JumpIfSilent {
        to: Target,
    },
    /// If nobody reads even verdicts and lines.
    JumpIfMute {
        to: Target,
    },
    /// If the piece in `a` is no longer on the table.
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
        how: Change,
        column: ColumnId,
        row: Reg,
        value: Reg,
    },
    /// A list that is written in the ruleset, by its place in the program.
    Listed {
        d: Reg,
        list: u16,
    },
    /// The list of the piece in `row`.
    GetList {
        d: Reg,
        list: ListId,
        row: Reg,
    },
    SetList {
        list: ListId,
        row: Reg,
        value: Reg,
    },
    ListAdd {
        list: ListId,
        row: Reg,
        value: Reg,
    },
    ListTake {
        list: ListId,
        row: Reg,
        value: Reg,
    },
    /// Whether the list of the piece in `row` holds `value`.
    Holds {
        d: Reg,
        list: ListId,
        row: Reg,
        value: Reg,
    },
    /// Whether the list in `a` holds `value`.
    InList {
        d: Reg,
        a: Reg,
        value: Reg,
    },
    Size {
        d: Reg,
        a: Reg,
    },
    /// The member of list `a` at place `n` from 1. Negative places count from the end. Past its ends it is -1,
    /// unless there must be one.
    Nth {
        d: Reg,
        a: Reg,
        n: Reg,
        must: bool,
    },
    /// There is nothing to choose from.
    NoMember,
    /// The number must be within the limits of a parameter.
    Within {
        a: Reg,
        limits: u16,
        fraction: bool,
    },
    /// Where the list store ends.
    Mark {
        d: Reg,
    },
    /// Adds to the end of the list store.
    Push {
        a: Reg,
    },
    /// The members of list `a`, then those of list `b`.
    Join {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// All that is swept over and passes, as a list.
    Gather {
        d: Reg,
        over: Sweep,
        filter: FilterId,
    },
    /// What was pushed since the mark in `a`, as a list.
    Collect {
        d: Reg,
        a: Reg,
    },
    /// Cuts the list store to the mark in `a`.
    Release {
        a: Reg,
    },
    /// `d` and how many of all that is swept over pass.
    Tally {
        d: Reg,
        over: Sweep,
        filter: FilterId,
    },
    /// The next piece of a kind from row `at` on, which moves past it.
    NextPiece {
        d: Reg,
        at: Reg,
        kind: KindId,
        filter: FilterId,
        end: Target,
    },
    /// The next piece whose cell in this column is not as it was at the start.
    NextMarked {
        d: Reg,
        at: Reg,
        column: ColumnId,
        filter: FilterId,
        end: Target,
    },
    /// The next member of the list of the piece in `row`.
    NextOf {
        d: Reg,
        at: Reg,
        list: ListId,
        row: Reg,
        filter: FilterId,
        end: Target,
    },
    /// The next member of the list in `a`.
    NextIn {
        d: Reg,
        at: Reg,
        a: Reg,
        filter: FilterId,
        end: Target,
    },
    /// The only member of the list in `a`, if it has one and that passes.
    Only {
        d: Reg,
        a: Reg,
        filter: FilterId,
        end: Target,
    },
    /// The area `n` steps from `a` in direction `b`, if there is one and it passes.
    StepTo {
        d: Reg,
        a: Reg,
        b: Reg,
        n: Reg,
        filter: FilterId,
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
    Return {
        a: Reg,
    },
    /// Calls a rule, and reports that it begins.
    CallRule {
        rule: RuleId,
        base: Reg,
        value: ValueUse,
    },
    /// Reports that one turn of a rule's sweep begins, with these of the program's bindings.
    TurnBegins {
        bindings: u16,
    },
    /// Reports the member at which a loop stands, with these of the program's bindings.
    Bound {
        bindings: u16,
    },
    /// A chart looked up.
    Chart {
        d: Reg,
        chart: ChartId,
        a: Reg,
        b: Reg,
    },
    /// The steps of the shortest way; its condition, if any, is a function of the arguments at `base`, the first of them the place.
    Way {
        d: Reg,
        way: u16,
    },
    Plan {
        op: PlanOp,
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
        pool: u16,
    },
    /// `count` dice of `sides`, summed.
    RollDice {
        d: Reg,
        count: Reg,
        sides: Reg,
    },
    /// A modifier with its reason; nought is not told.
    Modify {
        value: Reg,
        template: u32,
        fraction: bool,
    },
    /// One throw of the check, judged if it has a need.
    Throw {
        natural: Reg,
        total: Reg,
        passed: Reg,
        judged: bool,
        fraction: bool,
    },
    /// What the total is compared with.
    Need {
        operator: Operator,
        value: Reg,
        fraction: bool,
    },
    /// What came out, in words.
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
    /// A new piece; its name is the text, or the next free one if there is none (`u32::MAX`).
    Make {
        d: Reg,
        kind: KindId,
        template: u32,
    },
    Remove {
        kind: KindId,
        row: Reg,
    },
    /// Empties a deck before it is filled anew.
    Empty {
        deck: DeckId,
    },
    /// Says that a deck has been shuffled.
    Shuffled {
        deck: DeckId,
    },
    Put {
        deck: DeckId,
        count: Reg,
        value: Reg,
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
    /// The total met no row.
    NoRow {
        total: Reg,
    },
    /// The reg must not be over the limit of `repeat`.
    Repeats {
        a: Reg,
    },
}

impl Op {
    /// The jump that is taken exactly where this one is not, to another target.
    pub fn otherwise(self, to: Target) -> Option<Op> {
        Some(match self {
            Op::JumpIf { a, .. } => Op::JumpIfNot { a, to },
            Op::JumpIfNot { a, .. } => Op::JumpIf { a, to },
            Op::JumpIfEqual { a, n, .. } => Op::JumpIfNotEqual { a, n, to },
            Op::JumpIfNotEqual { a, n, .. } => Op::JumpIfEqual { a, n, to },
            Op::JumpIfOver { a, n, .. } => Op::JumpIfNotOver { a, n, to },
            Op::JumpIfNotOver { a, n, .. } => Op::JumpIfOver { a, n, to },
            Op::JumpIfSame { a, b, .. } => Op::JumpIfNotSame { a, b, to },
            Op::JumpIfNotSame { a, b, .. } => Op::JumpIfSame { a, b, to },
            Op::JumpIfLess { a, b, .. } => Op::JumpIfNotLess { a, b, to },
            Op::JumpIfNotLess { a, b, .. } => Op::JumpIfLess { a, b, to },
            Op::JumpIfCell { test, column, row, n, .. } => {
                Op::JumpIfCell { test: test.otherwise(), column, row, n, to }
            }
            _ => return None,
        })
    }

    /// Which members it goes through, to be read or changed.
    pub fn filter_mut(&mut self) -> Option<&mut FilterId> {
        match self {
            Op::NextPiece { filter, .. }
            | Op::NextMarked { filter, .. }
            | Op::NextOf { filter, .. }
            | Op::NextIn { filter, .. }
            | Op::Only { filter, .. }
            | Op::StepTo { filter, .. }
            | Op::Tally { filter, .. }
            | Op::Gather { filter, .. } => Some(filter),
            _ => None,
        }
    }

    /// Where it may lead besides the next instruction, to be read or changed.
    pub fn target_mut(&mut self) -> Option<&mut Target> {
        match self {
            Op::Jump { to }
            | Op::JumpIf { to, .. }
            | Op::JumpIfNot { to, .. }
            | Op::JumpIfEqual { to, .. }
            | Op::JumpIfNotEqual { to, .. }
            | Op::JumpIfOver { to, .. }
            | Op::JumpIfNotOver { to, .. }
            | Op::JumpIfSame { to, .. }
            | Op::JumpIfNotSame { to, .. }
            | Op::JumpIfLess { to, .. }
            | Op::JumpIfNotLess { to, .. }
            | Op::JumpIfCell { to, .. }
            | Op::JumpIfSilent { to }
            | Op::JumpIfMute { to }
            | Op::JumpIfGone { to, .. }
            | Op::NextPiece { end: to, .. }
            | Op::NextMarked { end: to, .. }
            | Op::NextOf { end: to, .. }
            | Op::NextIn { end: to, .. }
            | Op::Only { end: to, .. }
            | Op::StepTo { end: to, .. }
            | Op::NextNumber { end: to, .. } => Some(to),
            _ => None,
        }
    }
}
