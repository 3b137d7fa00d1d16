//! Comparisons of an attribute with a number it can never reach, or never leave.
//!
//! ```toml
//! [kind.area]
//! fire = { from = 0, to = 5 }
//!
//! [rule.burn]
//! require = [{ that = 'a.fire < 6', because = "…" }]   # always holds
//! ```

use super::Finding;
use crate::diagnostic::Diagnostic;
use crate::language::schema::{OPTION, STATE, Type};
use crate::language::syntax::{Expr, ExprKind, Operator};
use crate::language::walk::{self, Visitor};
use crate::ruleset::Ruleset;

struct Conditions<'a> {
    ruleset: &'a Ruleset,
    found: Vec<Finding>,
}

pub(super) fn lint(ruleset: &Ruleset) -> Vec<Finding> {
    let mut conditions = Conditions { ruleset, found: Vec::new() };
    walk::schema(&ruleset.schema, &mut conditions);
    conditions.found
}

/// The limits of the values of attributes.
pub(super) struct Limits<'a>(pub &'a Ruleset);

impl Limits<'_> {
    /// The limits of a whole number attribute of that name, if all attributes so called have the same.
    pub fn of(&self, of: &Expr, name: &str) -> Option<(i64, i64)> {
        let kinds = &self.0.schema.kinds;
        let single = match &of.kind {
            ExprKind::Name(n) if n == "state" => Some(STATE.index()),
            ExprKind::Name(n) if n == "option" => Some(OPTION.index()),
            _ => None,
        };
        let mut limits = None;
        for (place, kind) in kinds.iter().enumerate() {
            if single.is_some_and(|s| s != place) {
                continue;
            }
            let Some(attribute) = kind.attribute(name) else { continue };
            let these = (attribute.ty == Type::Whole).then_some((attribute.low, attribute.high))?;
            if limits.is_some_and(|l| l != these) {
                return None;
            }
            limits = Some(these);
        }
        limits
    }
}

impl Visitor for Conditions<'_> {
    fn reads(&mut self, expr: &Expr) {
        let ExprKind::Binary(operator, left, right) = &expr.kind else { return };
        let (ExprKind::Member(of, name), ExprKind::Whole(n)) = (&left.kind, &right.kind) else {
            return;
        };
        let Some((low, high)) = Limits(self.ruleset).of(of, &name.text) else { return };
        let n = *n;
        let (never, always) = match operator {
            Operator::Equal => (n < low || n > high, low == high && n == low),
            Operator::NotEqual => (low == high && n == low, n < low || n > high),
            Operator::Less => (n <= low, n > high),
            Operator::AtMost => (n < low, n >= high),
            Operator::Greater => (n >= high, n < low),
            Operator::AtLeast => (n > high, n <= low),
            _ => return,
        };
        let what = match (never, always) {
            (true, _) => "never",
            (_, true) => "always",
            _ => return,
        };
        let message = format!("this {what} holds: `{}` is from {low} to {high}", name.text);
        self.found.push(Finding {
            about: name.text.clone(),
            warning: Diagnostic::warning("fixed-condition", expr.span, message),
        });
    }
}
