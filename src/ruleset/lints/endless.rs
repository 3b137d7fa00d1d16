//! Rules, definitions and derived attributes that call themselves whatever happens.
//!
//! ```toml
//! [rule.burn]
//! after = 'burn()'
//! ```

use super::prelude::*;
use crate::diagnostic::Severity;
use crate::language::schema::{Storage, Unit};
use crate::language::syntax::{Block, StatementKind};

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    let schema = &ruleset.schema;
    let mut tell = |about: &str, what: &str, span: Span| {
        let message = format!("{what} `{about}` calls itself whatever happens");
        let fault = found.add("endless", about, span, message);
        fault.help("call it only under a condition that ends").severity = Severity::Error;
    };
    for rule in &schema.rules {
        // What stands behind a roll or in a sweep happens only sometimes.
        if rule.each.is_empty() {
            let blocks = [&rule.before, &rule.after];
            if blocks.into_iter().any(|b| calls(b, &rule.name)) {
                tell(&rule.name, "the rule", rule.span);
            }
        }
    }
    for unit in schema.units.iter().flatten() {
        if let Unit::Define(id, e) = unit {
            let define = &schema.defines[id.index()];
            if expr_calls(e, &|e| is_call(e, &define.name)) {
                tell(&define.name, "the definition", define.span);
            }
        }
    }
    for kind in &schema.kinds {
        for attribute in &kind.attributes {
            let Storage::Computed(function) = attribute.storage else { continue };
            let Some(Some(Unit::Computed(_, e))) = schema.units.get(function.index()) else {
                continue;
            };
            let of_itself = |e: &Expr| {
                let ExprKind::Member(of, name) = &e.kind else { return false };
                matches!(&of.kind, ExprKind::Name(n) if n == "self") && name.text == attribute.name
            };
            if expr_calls(e, &of_itself) {
                tell(&format!("{}.{}", kind.name, attribute.name), "the attribute", attribute.span);
            }
        }
    }
}

fn is_call(e: &Expr, name: &str) -> bool {
    matches!(&e.kind, ExprKind::Call(n, _) if n.text == name)
}

/// Returns true if statements call a rule on every path.
fn calls(block: &Block, name: &str) -> bool {
    block.iter().any(|s| match &s.kind {
        StatementKind::Do(e) | StatementKind::Let(_, e) => expr_calls(e, &|e| is_call(e, name)),
        StatementKind::If(_, yes, no) => calls(yes, name) && calls(no, name),
        // What stands in a loop, or is only looked at, may not happen.
        _ => false,
    }) && !block.iter().any(|s| leaves(&s.kind))
}

/// Returns true if a statement may leave the rule early.
fn leaves(statement: &StatementKind) -> bool {
    match statement {
        StatementKind::Stop | StatementKind::Refuse(_) => true,
        StatementKind::If(_, yes, no) => yes.iter().chain(no).any(|s| leaves(&s.kind)),
        StatementKind::Each(_, block) | StatementKind::Repeat(_, block) => {
            block.iter().any(|s| leaves(&s.kind))
        }
        StatementKind::Let(..)
        | StatementKind::Assign(..)
        | StatementKind::Do(_)
        | StatementKind::Say(_)
        | StatementKind::Remind(_)
        | StatementKind::Remove(_)
        | StatementKind::Add(..)
        | StatementKind::Take(..)
        | StatementKind::Clear(_)
        | StatementKind::Link(..)
        | StatementKind::Reveal(..)
        | StatementKind::Deck(..) => false,
    }
}

/// Returns true if an expression asks something on every path.
fn expr_calls(e: &Expr, asks: &dyn Fn(&Expr) -> bool) -> bool {
    if asks(e) {
        return true;
    }
    let all = |items: &[Expr]| items.iter().any(|i| expr_calls(i, asks));
    match &e.kind {
        ExprKind::Call(_, items) | ExprKind::List(items) => all(items),
        ExprKind::Member(of, _) | ExprKind::Not(of) | ExprKind::Negative(of) => {
            expr_calls(of, asks)
        }
        // The right side of `and` and `or` is asked only sometimes.
        ExprKind::Binary(Operator::And | Operator::Or, a, _) => expr_calls(a, asks),
        ExprKind::Binary(_, a, b) => expr_calls(a, asks) || expr_calls(b, asks),
        ExprKind::Choice(c, a, b) => {
            expr_calls(c, asks) || (expr_calls(a, asks) && expr_calls(b, asks))
        }
        _ => false,
    }
}
