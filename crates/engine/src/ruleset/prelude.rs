//! Names that nearly every part of the loader uses.

pub(super) use std::collections::BTreeMap;
pub(super) use std::sync::Arc;

pub(super) use toml::de::DeValue;

pub(super) use crate::diagnostic::{Cause, Diagnostic, Fault};
pub(super) use crate::language::number::Number;
pub(super) use crate::language::schema::{
    Attribute, ColumnId, Element, FunctionId, KindId, ListId, OPTION, Param, Role, STATE, Schema,
    Storage, Type, Unit, WordsId,
};
pub(super) use crate::language::syntax::{Expr, Name};
pub(super) use crate::ruleset::format::{Form, forms};
pub(super) use crate::ruleset::load::{Entry, Loader};
pub(super) use crate::ruleset::raw::{Node, Section, Text};
pub(super) use crate::source::{Sources, Span};
pub(super) use crate::tabletop::Given;
