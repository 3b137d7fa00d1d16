//! Names that nearly every part of the compiler uses.

pub(super) use crate::diagnostic::{Cause, Fault, Faults};
pub(super) use crate::language::code::{
    LATER, NumberOp, Op, Reg, TemplateId, UnaryOp, ValueUse, WordOp,
};
pub(super) use crate::language::compile::builder::Operand;
pub(super) use crate::language::compile::loops::Over;
pub(super) use crate::language::compile::{Bounds, Compiler};
pub(super) use crate::language::schema::{
    Element, KindId, Role, RuleId, STATE, Schema, Storage, Type,
};
pub(super) use crate::language::syntax::{Expr, ExprKind, Name, Operator, Source, Template};
pub(super) use crate::source::Span;
