//! Names that nearly every lint uses.

pub(super) use std::collections::BTreeSet;

pub(super) use indexmap::IndexSet;

pub(super) use crate::diagnostic::Fault;
pub(super) use crate::language::rule::RuleText;
pub(super) use crate::language::schema::{OPTION, STATE, Type};
pub(super) use crate::language::syntax::{Expr, ExprKind, Operator};
pub(super) use crate::ruleset::Ruleset;
pub(super) use crate::ruleset::lints::Findings;
pub(super) use crate::source::Span;
