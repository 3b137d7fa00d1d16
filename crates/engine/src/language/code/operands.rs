//! The fields of instructions: registers, targets, indices into the program, and operations.

use std::num::NonZeroU32;

use crate::language::number::Rounding;
use crate::language::schema::{FunctionId, RuleId};

/// A register of the running function.
pub type Reg = u16;

/// The index of an instruction in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(pub u32);

/// The value that makes a sweep filter let every piece pass. It is neither a row nor `none`.
pub const EVERY_PIECE: i32 = -2;

/// The target of a jump until its real target is known.
pub const UNPATCHED: Target = Target(0);

/// The index of a text in [`Program::templates`](super::Program::templates).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateId(NonZeroU32);

impl TemplateId {
    /// Returns the id of the text at an index.
    pub(crate) fn from_index(index: usize) -> TemplateId {
        TemplateId(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// Returns the index of the text.
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The index of a search in [`Program::ways`](super::Program::ways).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaySearchId(pub u32);

/// The index of a list of names in [`Program::bindings`](super::Program::bindings).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BindingsId(pub u32);

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-a` for a whole number.
    Negate,
    /// `not a`.
    Not,
    /// A whole number as a fraction.
    Widen,
    /// `-a` for a fraction.
    NumberNegate,
    /// A fraction rounded to a whole number.
    Round(Rounding),
    /// The number of members of a list.
    Size,
}

/// An operation on two whole numbers or two fractions. The comparisons of whole numbers are also
/// used for flags, words and pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// The lower value.
    Min,
    /// The higher value.
    Max,
    /// `a < b`, a flag
    Less,
    /// `a <= b`, a flag
    AtMost,
}

/// An operation on two values that is not a [`NumberOp`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordOp {
    /// `a mod b` of whole numbers, never negative
    Mod,
    /// `a / b` of whole numbers, rounded.
    Div(Rounding),
    /// `a / b` of fractions.
    Quotient,
    /// `a = b`, a flag
    Equal,
    /// `a != b`, a flag
    NotEqual,
}

/// The test of two values in a conditional jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JumpTest {
    /// `a < b`, for whole numbers and for words of a set
    Less,
    /// `a = b`
    Equal,
}

impl JumpTest {
    /// Returns true if two values pass the test.
    #[inline]
    pub(crate) fn holds(self, a: i64, b: i64) -> bool {
        match self {
            JumpTest::Less => a < b,
            JumpTest::Equal => a == b,
        }
    }
}

/// A change that an instruction makes to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellChange {
    /// Sets the cell to the value, which must be within the limits of the attribute.
    Set,
    /// Adds the value to the cell, stopping at the limits of the attribute.
    Bump,
}

/// A change that an instruction makes to a list attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListChange {
    /// Replaces the members of the attribute with the members of the list in the register.
    Set,
    /// Adds the member in the register.
    Add,
    /// Adds the member in the register, unless the list already has it.
    Link,
    /// Removes the first occurrence of the member in the register.
    Take,
}

/// The purpose of a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// A line of the outcome.
    Say,
    /// An item under "On the table".
    Instruct,
    /// A line under "Remember".
    Remind,
    /// The reason why the command is refused, unless the umpire insists.
    Refuse,
}

/// The viewers to whom a line is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddresseeReg {
    /// All players.
    All,
    /// Only the umpire.
    Umpire,
    /// The side in the register.
    Side(Reg),
    /// The sides in the list that the register holds.
    Sides(Reg),
}

/// An operation on a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeckOp {
    /// Removes all cards before the deck is filled again.
    Empty,
    /// Adds the piece or row in `value`, `count` times.
    Put {
        /// The register of the number of times.
        count: Reg,
        /// The register of the piece or row.
        value: Reg,
    },
    /// Reports that the deck has been shuffled.
    Shuffled,
}

/// The use that a caller makes of the value of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueUse {
    /// The call is part of an expression.
    Used,
    /// The call is a statement.
    Unused,
    /// The caller returns the value, so the caller's own caller decides.
    Returned,
}

/// A call of a function. The arguments are in the registers starting at `base`; the value is
/// returned in `base`.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The called function.
    pub function: FunctionId,
    /// The rule that the function belongs to, if the call is to be reported.
    pub rule: Option<RuleId>,
    /// The first register of the called function.
    pub base: Reg,
    /// The use that the caller makes of the value.
    pub value: ValueUse,
}
