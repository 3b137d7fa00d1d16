//! Tests of the syntax of an expression, which determine its wording.

use crate::language::syntax::{Expr, ExprKind, Operator};

/// Returns true if an expression is this name.
pub(super) fn is_name(e: &Expr, wanted: &str) -> bool {
    matches!(&e.kind, ExprKind::Name(name) if name == wanted)
}

/// Returns true if an operator adds or subtracts.
pub(super) fn is_sum(op: Operator) -> bool {
    matches!(op, Operator::Add | Operator::Subtract)
}

/// Returns true if the result of an operator is a condition.
pub(super) fn is_condition(op: Operator) -> bool {
    op.is_comparison()
        || matches!(op, Operator::In | Operator::NotIn | Operator::And | Operator::Or)
}

/// Returns the conditions, split at every `and`, without parts that are literally true.
pub(super) fn conjuncts<'e>(conditions: impl Iterator<Item = &'e Expr>) -> Vec<&'e Expr> {
    let mut all = Vec::new();
    conditions.for_each(|e| flatten(e, Operator::And, &mut all));
    all.retain(|e| !matches!(e.kind, ExprKind::Flag(true)));
    all
}

/// Adds to a list the operands that are joined by an operator.
pub(super) fn flatten<'e>(e: &'e Expr, op: Operator, to: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary(found, left, right) if *found == op => {
            flatten(left, op, to);
            flatten(right, op, to);
        }
        _ => to.push(e),
    }
}
