//! Comparisons of an attribute with a number it can never reach, or never leave.
//!
//! ```toml
//! [kind.area]
//! fire = { from = 0, to = 5 }
//!
//! [rule.burn]
//! require = [{ that = 'a.fire < 6', because = "…" }]   # always holds
//! ```

use super::prelude::*;
use crate::language::schema::Attribute;
use crate::language::walk::Part;
use crate::ruleset::lints::certain;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    walk::schema(&ruleset.schema, &mut |part| {
        let Part::Expr(expr) = part else { return };
        let ExprKind::Binary(operator, left, right) = &expr.kind else { return };
        let (ExprKind::Member(of, name), ExprKind::Whole(n)) = (&left.kind, &right.kind) else {
            return;
        };
        let Some((low, high)) = limits(ruleset, of, &name.text) else { return };
        let Some(holds) = certain(*operator, *n, (low, high)) else { return };
        let what = if holds { "always" } else { "never" };
        let message = format!("this {what} holds: `{}` is from {low} to {high}", name.text);
        found.add("fixed-condition", &name.text, expr.span, message);
    });
}

/// Returns the limits of a whole number attribute of that name, if all attributes so called have the same.
pub(super) fn limits(ruleset: &Ruleset, of: &Expr, name: &str) -> Option<(i64, i64)> {
    let kinds = &ruleset.schema.kinds;
    let single = match &of.kind {
        ExprKind::Name(n) if n == "state" => Some(STATE.index()),
        ExprKind::Name(n) if n == "option" => Some(OPTION.index()),
        _ => None,
    };
    let meant = kinds.iter().enumerate().filter(|(place, _)| single.is_none_or(|s| s == *place));
    let mut attributes = meant.filter_map(|(_, kind)| kind.attribute(name));
    let first = attributes.next()?;
    let same = |a: &Attribute| a.ty == Type::Whole && (a.low, a.high) == (first.low, first.high);
    (same(first) && attributes.all(same)).then_some((first.low, first.high))
}
