//! Modifiers that can never apply, or add nothing.
//!
//! ```toml
//! modifiers = [{ by = '-1', when = 'a.fire = 1 and a.fire = 2', because = "…" }]
//! ```

use std::collections::BTreeMap;

use super::prelude::*;
use crate::language::rule::Modifier;
use crate::ruleset::lints::conditions::limits;
use crate::ruleset::lints::meeting;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    for rule in &ruleset.schema.rules {
        for modifier in &rule.modifiers {
            if let Some((expr, message)) = idle(ruleset, rule, modifier) {
                found.add("idle-modifier", &rule.name, expr.span, message);
            }
        }
    }
}

fn idle<'m>(
    ruleset: &Ruleset,
    rule: &RuleText,
    modifier: &'m Modifier,
) -> Option<(&'m Expr, String)> {
    if matches!(modifier.by.kind, ExprKind::Whole(0)) {
        return Some((&modifier.by, "this modifier adds nothing".into()));
    }
    let when = modifier.when.as_ref()?;
    let mut parts = Vec::new();
    conjunction(when, &mut parts);
    if parts.iter().any(|p| matches!(p.kind, ExprKind::Flag(false))) {
        return Some((when, "this modifier never applies".into()));
    }
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    for part in &parts {
        let ExprKind::Binary(operator, left, right) = &part.kind else { continue };
        let text = ruleset.sources.text(left.span).trim().to_owned();
        let (limits, told_already) = limits_of(ruleset, rule, left);
        let known = known.entry(text.clone()).or_insert_with(|| Known::within(limits));
        known.parts += 1;
        let possible = known.take(ruleset, rule, *operator, right);
        // One comparison with an attribute's limits is told where all conditions are.
        if !possible && (known.parts > 1 || !told_already) {
            let why = match limits {
                Some((low, high)) if known.parts == 1 => format!("is from {low} to {high}"),
                _ => "cannot be all of this at once".to_owned(),
            };
            let message = format!("this modifier never applies: `{text}` {why}");
            return Some((when, message));
        }
    }
    None
}

/// The parts of a condition that must all hold.
fn conjunction<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(Operator::And, left, right) => {
            conjunction(left, parts);
            conjunction(right, parts);
        }
        _ => parts.push(expr),
    }
}

/// The limits of a name or attribute, and whether the lint on conditions judges them.
fn limits_of(ruleset: &Ruleset, rule: &RuleText, expr: &Expr) -> (Option<(i64, i64)>, bool) {
    match &expr.kind {
        ExprKind::Member(of, name) => (limits(ruleset, of, &name.text), true),
        ExprKind::Name(name) => {
            let param = rule.params.iter().find(|p| p.name == *name && p.ty == Type::Whole);
            (param.and_then(|p| p.bounds), false)
        }
        _ => (None, false),
    }
}

/// The values that the parts of a condition leave possible for one thing.
struct Known {
    low: i64,
    high: i64,
    word: Option<String>,
    parts: usize,
}

impl Known {
    fn within(limits: Option<(i64, i64)>) -> Known {
        let (low, high) = limits.unwrap_or((i64::MIN, i64::MAX));
        Known { low, high, word: None, parts: 0 }
    }

    /// Takes in one comparison; false if nothing is left that could hold.
    fn take(&mut self, ruleset: &Ruleset, rule: &RuleText, by: Operator, right: &Expr) -> bool {
        let range = match (&right.kind, by) {
            (ExprKind::Range(from, to), Operator::In) => match (&from.kind, &to.kind) {
                (ExprKind::Whole(from), ExprKind::Whole(to)) => Some((*from, *to)),
                _ => None,
            },
            (ExprKind::Whole(n), _) => meeting(by, *n),
            (ExprKind::Name(word), Operator::Equal) => {
                let is_word = ruleset.schema.words.iter().any(|w| w.values.contains(word));
                let is_name = rule.params.iter().any(|p| p.name == *word)
                    || rule.each.iter().any(|s| s.name.text == *word);
                if !is_word || is_name {
                    return true;
                }
                let other = self.word.replace(word.clone());
                return other.is_none_or(|o| o == *word);
            }
            _ => None,
        };
        let Some((low, high)) = range else { return true };
        self.low = self.low.max(low);
        self.high = self.high.min(high);
        self.low <= self.high
    }
}
