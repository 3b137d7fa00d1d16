//! Parameters of rules, definitions and charts.

use super::types::Type;
use crate::language::syntax::Expr;
use crate::source::Span;

/// A parameter of a rule, a definition, a chart or a unit of rule text.
#[derive(Clone, Debug, Default)]
pub struct Param {
    /// The name in rule text.
    pub name: String,
    /// The type of its value.
    pub ty: Type,
    /// The lowest and highest value, if the parameter is a number with limits.
    pub bounds: Option<(i64, i64)>,
    /// True if it can be left out because the usage puts it in brackets.
    pub optional: bool,
    /// The default value, if the parameter is optional and has one.
    pub default: Option<Expr>,
    /// The span of the declaration, for messages.
    pub span: Span,
}

impl Param {
    /// Returns a parameter that has no limits and doesn't come from a ruleset.
    pub(crate) fn built_in(name: &str, ty: Type) -> Param {
        Param { name: name.to_owned(), ty, ..Param::default() }
    }
}
