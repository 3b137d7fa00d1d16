//! The code that rule text is compiled to: flat instructions on numbered registers.
//!
//! Every value is one 64-bit word: whole numbers as they are, fractions packed (see
//! [`super::number`]), flags 0 and 1, words by their index in the set, pieces by their row (`none`
//! is -1), texts by the tabletop's text number, lists as start and length in the machine's list
//! store.

mod list_value;
mod native;
mod op;
mod operands;
mod program;
mod silent;

pub(super) use list_value::{pack, unpack};
pub use native::{Native, NativeContext, PlanColumns};
pub use op::{Op, OpEffect};
pub use operands::{
    AddresseeReg, BindingsId, Call, CellChange, DeckOp, EVERY_PIECE, JumpTest, ListChange,
    MessageKind, NumberOp, Reg, Target, TemplateId, UNPATCHED, UnaryOp, ValueUse, WaySearchId,
    WordOp,
};
pub use program::{Function, NamedRegister, ParamLimits, Program, TextPart, WaySearch};
