//! Probabilities of rolls, checks and rows, and how they are written.

use num_bigint::BigInt;

use crate::dice::{Distribution, Fraction};
use crate::language::rule::{RuleText, TableRow};
use crate::language::syntax::{Expr, ExprKind, Operator};

/// Writes a probability for a sentence: `16.7%`, `50%`.
pub(crate) fn percent(part: &Fraction) -> String {
    let (shown, whole) = (column(part), part.percent(0));
    if shown == format!("{whole}.0%") { format!("{whole}%") } else { shown }
}

/// Writes a probability for a column: `16.7%`, `50.0%`.
pub(crate) fn column(part: &Fraction) -> String {
    let shown = part.percent(1);
    match shown.as_str() {
        "0.0" if *part.numerator() != BigInt::ZERO => "<0.1%".to_owned(),
        "100.0" if part.numerator().magnitude() != part.denominator() => ">99.9%".to_owned(),
        _ => format!("{shown}%"),
    }
}

/// Returns the odds of a roll, if it does not depend on the pieces.
pub(crate) fn of_roll(roll: &Expr) -> Option<Distribution> {
    match &roll.kind {
        ExprKind::Whole(n) => Some(Distribution::constant(*n)),
        ExprKind::Dice(dice) => dice.pool.as_ref().ok()?.distribution().ok(),
        ExprKind::Negative(inner) => Some(of_roll(inner)?.map(|v| -v)),
        ExprKind::Roll(inner, _) => of_roll(inner),
        ExprKind::Call(name, given) if name.text == "dice" => match given.as_slice() {
            [Expr { kind: ExprKind::Whole(n), .. }, Expr { kind: ExprKind::Whole(sides), .. }] => {
                crate::dice::parse(&format!("{n}d{sides}")).ok()?.distribution().ok()
            }
            _ => None,
        },
        ExprKind::Binary(operator, left, right) => {
            let (left, right) = (of_roll(left)?, of_roll(right)?);
            match operator {
                Operator::Add => left.add(&right).ok(),
                Operator::Subtract => left.add(&right.map(|v| -v)).ok(),
                Operator::Multiply => left.multiply(&right).ok(),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the odds of the dice of a rule, without modifiers.
pub(crate) fn of_rule(rule: &RuleText) -> Option<Distribution> {
    rule.roll.as_ref().and_then(of_roll)
}

/// Returns the probability of a row.
pub(crate) fn of_row(odds: &Distribution, row: &TableRow) -> Fraction {
    odds.probability(|v| row.on.holds(v))
}

/// Returns the probability of passing a check without modifiers, if it needs a plain number.
pub(crate) fn of_need(rule: &RuleText) -> Option<Fraction> {
    let (operator, value) = rule.needs.as_ref()?;
    let ExprKind::Whole(value) = value.kind else { return None };
    of_comparison(rule, *operator, value)
}

/// Returns the probability that a comparison holds between the dice of a rule, without modifiers, and a number.
pub(crate) fn of_comparison(rule: &RuleText, operator: Operator, value: i64) -> Option<Fraction> {
    let holds = |v: i64| match operator {
        Operator::Equal => v == value,
        Operator::NotEqual => v != value,
        Operator::Less => v < value,
        Operator::AtMost => v <= value,
        Operator::Greater => v > value,
        Operator::AtLeast => v >= value,
        _ => false,
    };
    Some(of_rule(rule)?.probability(holds))
}
