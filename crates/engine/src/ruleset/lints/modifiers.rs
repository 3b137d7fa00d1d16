//! Warns about modifiers that can never apply or are always 0.
//!
//! ```toml
//! modifiers = [{ by = '-1', when = 'a.fire = 1 and a.fire = 2', because = "…" }]
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::language::rule::{Modifier, RuleText};
use crate::language::schema::Type;
use crate::language::syntax::{Expr, ExprKind, Operator};
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    for rule in &ruleset.schema.rules {
        let opposing = rule.versus.iter().flat_map(|opposing| &opposing.modifiers);
        for modifier in rule.modifiers.iter().chain(opposing) {
            if let Some((expr, message)) = idle_condition(ruleset, rule, modifier) {
                found.add("idle-modifier", &rule.name, expr.span, message);
            }
        }
    }
}

fn idle_condition<'m>(
    ruleset: &Ruleset,
    rule: &RuleText,
    modifier: &'m Modifier,
) -> Option<(&'m Expr, String)> {
    if matches!(modifier.by.kind, ExprKind::Whole(0)) {
        return Some((&modifier.by, "this modifier is always 0".into()));
    }
    let when = modifier.when.as_ref()?;
    let mut parts = Vec::new();
    add_conjuncts(when, &mut parts);
    if parts.iter().any(|p| matches!(p.kind, ExprKind::Flag(false))) {
        return Some((when, "this modifier never applies".into()));
    }
    let mut asked: BTreeMap<&str, Demands<'_>> = BTreeMap::new();
    for part in &parts {
        let ExprKind::Binary(operator, left, right) = &part.kind else { continue };
        let text = ruleset.sources.text(left.span).trim();
        let (limits, judged) = limits_of(ruleset, rule, left);
        let of = asked.entry(text).or_insert_with(|| Demands::within(limits, judged));
        of.parts += 1;
        of.add_comparison(ruleset, rule, *operator, right);
    }
    for (text, of) in asked {
        // A single comparison with an attribute's limits is reported by the lint on conditions.
        if !of.is_possible() && (of.parts > 1 || !of.judged) {
            let why = match of.limits {
                Some((low, high)) if of.parts == 1 => format!("is from {low} to {high}"),
                _ => "cannot satisfy all of these comparisons at once".to_owned(),
            };
            return Some((when, format!("this modifier never applies: `{text}` {why}")));
        }
    }
    None
}

/// Adds the parts of a condition that are joined by `and` to a list.
fn add_conjuncts<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(Operator::And, left, right) => {
            add_conjuncts(left, parts);
            add_conjuncts(right, parts);
        }
        _ => parts.push(expr),
    }
}

/// Returns the limits of a name or attribute, and true if the lint on conditions also checks it.
fn limits_of(ruleset: &Ruleset, rule: &RuleText, expr: &Expr) -> (Option<(i64, i64)>, bool) {
    match &expr.kind {
        ExprKind::Member(_, name) => {
            (ruleset.notes.compared.get(&name.span).map(|compared| compared.limits), true)
        }
        ExprKind::Name(name) => {
            let param = rule.params.iter().find(|p| p.name == *name && p.ty == Type::Whole);
            (param.and_then(|p| p.bounds), false)
        }
        _ => (None, false),
    }
}

/// The requirements that a condition places on one value.
#[derive(Default)]
struct Demands<'e> {
    parts: usize,
    /// The limits of the value. If `judged` is true, the lint on conditions also checks them.
    limits: Option<(i64, i64)>,
    judged: bool,
    /// The comparisons with numbers.
    numbers: Vec<(Operator, i64)>,
    /// The words that the value must equal. No value can equal two of them.
    words: BTreeSet<&'e str>,
}

impl<'e> Demands<'e> {
    fn within(limits: Option<(i64, i64)>, judged: bool) -> Demands<'e> {
        let numbers =
            limits.map(|(low, high)| [(Operator::AtLeast, low), (Operator::AtMost, high)]);
        Demands {
            numbers: numbers.into_iter().flatten().collect(),
            limits,
            judged,
            ..Demands::default()
        }
    }

    fn add_comparison(
        &mut self,
        ruleset: &Ruleset,
        rule: &RuleText,
        by: Operator,
        right: &'e Expr,
    ) {
        match (&right.kind, by) {
            (ExprKind::Range(from, to), Operator::In) => {
                if let (ExprKind::Whole(from), ExprKind::Whole(to)) = (&from.kind, &to.kind) {
                    self.numbers.extend([(Operator::AtLeast, *from), (Operator::AtMost, *to)]);
                }
            }
            (ExprKind::Whole(n), _) if by.is_comparison() => self.numbers.push((by, *n)),
            (ExprKind::Name(word), Operator::Equal) => {
                let is_word = ruleset.schema.words.iter().any(|w| w.values.contains(word));
                let is_name = rule.params.iter().any(|p| p.name == *word)
                    || rule.each.iter().any(|s| s.name.text == *word);
                self.words.extend((is_word && !is_name).then_some(word.as_str()));
            }
            _ => {}
        }
    }

    /// Returns true if some value satisfies all requirements. Between the numbers in the
    /// comparisons, the results of the comparisons don't change.
    fn is_possible(&self) -> bool {
        let mut near =
            self.numbers.iter().flat_map(|(_, n)| [n.saturating_sub(1), *n, n.saturating_add(1)]);
        let fits = |m: i64| self.numbers.iter().all(|(by, n)| by.holds(m, *n) == Some(true));
        self.words.len() < 2 && (self.numbers.is_empty() || near.any(fits))
    }
}
