//! The code to which rule text is compiled: flat lists of instructions that work on numbered
//! registers.
//!
//! Every value is one 64-bit machine word. A whole number is stored as it is, a fraction or dice in
//! packed form (see [`super::number`] and [`adjutant_dice::DiceValue`]), a flag as 0 or 1, a word
//! of a set as its index, a piece as its row (`none` is -1), a text as its number in the tabletop's
//! store of texts, and a list as its start and length in the machine's list store.

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
