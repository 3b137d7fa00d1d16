//! The probabilities of rolls, checks and rows, and how they are written.

use adjutant_dice::{Distribution, Fraction, Pool};
use num_bigint::{BigInt, BigUint};

use crate::language::rule::{RuleText, TableRow};
use crate::language::syntax::{Expr, ExprKind, Operator};

/// Writes a probability for a sentence, such as `16.7%` or `50%`.
pub(crate) fn percent(part: &Fraction) -> String {
    let shown = percent_column(part);
    let whole = part.percent(0);
    if shown == format!("{whole}.0%") { format!("{whole}%") } else { shown }
}

/// Writes a probability for a column, such as `16.7%` or `50.0%`.
pub(crate) fn percent_column(part: &Fraction) -> String {
    let shown = part.percent(1);
    match shown.as_str() {
        "0.0" if *part.numerator() != BigInt::ZERO => "<0.1%".to_owned(),
        "100.0" if part.numerator().magnitude() != part.denominator() => ">99.9%".to_owned(),
        _ => format!("{shown}%"),
    }
}

/// Returns the odds of a roll; `None` if they depend on the pieces or cannot be computed.
pub(crate) fn roll_distribution(roll: &Expr) -> Option<Distribution> {
    match &roll.kind {
        ExprKind::Whole(n) => Some(Distribution::constant(*n)),
        ExprKind::Dice(dice) => dice.pool.as_ref().ok()?.distribution().ok(),
        ExprKind::Negative(inner) => Some(roll_distribution(inner)?.map(|v| -v)),
        ExprKind::Roll(inner, _) => roll_distribution(inner),
        ExprKind::Call(name, given) if name.text == "dice" => match given.as_slice() {
            [Expr { kind: ExprKind::Whole(n), .. }, Expr { kind: ExprKind::Whole(sides), .. }] => {
                let n = u32::try_from(*n).ok()?;
                let sides = u32::try_from(*sides).ok()?;
                Pool::plain(n, sides)?.distribution().ok()
            }
            _ => None,
        },
        ExprKind::Binary(operator, left, right) => {
            let left = roll_distribution(left)?;
            let right = roll_distribution(right)?;
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

/// Returns the odds of the dice of a rule, without modifiers; `None` if it rolls no dice or the
/// odds are unknown.
pub(crate) fn rule_distribution(rule: &RuleText) -> Option<Distribution> {
    rule.roll.as_ref().and_then(roll_distribution)
}

/// Returns the odds of the value that is looked up in a rule's table, without modifiers: the dice
/// or, in an opposed roll, the margin. Returns `None` if the odds are unknown, or if a row for an
/// opposed roll has a condition.
pub(crate) fn table_distribution(rule: &RuleText) -> Option<Distribution> {
    let ours = rule_distribution(rule)?;
    let Some(opposing) = &rule.versus else { return Some(ours) };
    if rule.table.iter().any(|row| row.when.is_some()) {
        return None;
    }
    ours.add(&roll_distribution(&opposing.roll)?.map(|v| -v)).ok()
}

/// Returns the probability of a row of a table; `None` if, for some value, the first row that may
/// apply depends on the pieces.
pub(crate) fn row_chance(
    odds: &Distribution,
    rows: &[TableRow],
    row: &TableRow,
) -> Option<Fraction> {
    let mut known = true;
    let chance = odds.probability(|value| {
        let first = rows.iter().find(|other| row_takes(other, value) != Some(false));
        known &= first.is_none_or(|first| row_takes(first, value).is_some());
        first.is_some_and(|first| std::ptr::eq(first, row))
    });
    known.then_some(chance)
}

/// Returns true if a row applies to a value; `None` if that depends on the pieces.
fn row_takes(row: &TableRow, value: i64) -> Option<bool> {
    match &row.when {
        Some(when) => condition_holds(when, value, false),
        None => Some(row.on.holds(value)),
    }
}

/// Returns true if a condition holds for one result of the dice; `None` if the condition depends on
/// anything but the result and its success.
fn condition_holds(condition: &Expr, face: i64, passed: bool) -> Option<bool> {
    match &condition.kind {
        ExprKind::Name(name) if name == "passed" => Some(passed),
        ExprKind::Not(inner) => Some(!condition_holds(inner, face, passed)?),
        ExprKind::Binary(operator @ (Operator::And | Operator::Or), a, b) => {
            let a = condition_holds(a, face, passed)?;
            let b = condition_holds(b, face, passed)?;
            Some(if *operator == Operator::And { a && b } else { a || b })
        }
        ExprKind::Binary(operator, a, b) => operator.holds(evaluate(a, face)?, evaluate(b, face)?),
        _ => None,
    }
}

/// Returns the value of a literal number, or the face for the names `natural` and `total`; `None`
/// for anything else.
fn evaluate(expr: &Expr, face: i64) -> Option<i64> {
    match &expr.kind {
        ExprKind::Whole(n) => Some(*n),
        ExprKind::Name(name) if name == "natural" || name == "total" => Some(face),
        _ => None,
    }
}

/// Returns the probability of passing a check without modifiers; `None` unless the check needs a
/// literal number and its probability is known.
pub(crate) fn need_chance(rule: &RuleText) -> Option<Fraction> {
    let (operator, value) = rule.needs.as_ref()?;
    let ExprKind::Whole(value) = value.kind else { return None };
    comparison_chance(rule, *operator, value)
}

/// Returns the probability of passing a rule's check without modifiers, if the check needs this
/// comparison with a number; `None` if the probability is unknown.
pub(crate) fn comparison_chance(
    rule: &RuleText,
    operator: Operator,
    value: i64,
) -> Option<Fraction> {
    let odds = rule_distribution(rule)?;
    let mut all = BigUint::ZERO;
    let mut passing = BigUint::ZERO;
    let mut passing_at_once = BigUint::ZERO;
    let mut thrown_again = BigUint::ZERO;
    for (face, weight) in odds.entries() {
        let compared = operator.holds(*face, value)?;
        let passes = match &rule.passes {
            Some(whole) => condition_holds(whole, *face, compared)?,
            None => compared,
        };
        let is_again = match &rule.reroll {
            Some(reroll) => condition_holds(reroll, *face, passes)?,
            None => false,
        };
        all += weight;
        if passes {
            passing += weight;
        }
        if is_again {
            thrown_again += weight;
        } else if passes {
            passing_at_once += weight;
        }
    }
    // A rerolled die passes with the same probability as any other.
    let passing = passing_at_once * &all + thrown_again * passing;
    Some(Fraction::new(passing.into(), &all * &all))
}
