//! Probabilities of rolls, checks and rows, and how they are written.

use adjutant_dice::{Distribution, Fraction, Pool};
use num_bigint::{BigInt, BigUint};

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
                let (n, sides) = (u32::try_from(*n).ok()?, u32::try_from(*sides).ok()?);
                Pool::plain(n, sides)?.distribution().ok()
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

/// Returns the probability of a row of a table, if no row before it asks the pieces.
pub(crate) fn of_row(odds: &Distribution, rows: &[TableRow], row: &TableRow) -> Option<Fraction> {
    let takes = |row: &TableRow, v: i64| match &row.when {
        Some(when) => holds(when, v, false),
        None => Some(row.on.holds(v)),
    };
    let mut known = true;
    let chance = odds.probability(|v| {
        let first = rows.iter().find(|row| takes(row, v) != Some(false));
        known &= first.is_none_or(|first| takes(first, v).is_some());
        first.is_some_and(|first| std::ptr::eq(first, row))
    });
    known.then_some(chance)
}

/// Returns true if a condition on one die holds, where the die and whether it passed decide it.
fn holds(condition: &Expr, face: i64, passed: bool) -> Option<bool> {
    let both = |a: &Expr, b: &Expr| Some((holds(a, face, passed)?, holds(b, face, passed)?));
    match &condition.kind {
        ExprKind::Name(name) if name == "passed" => Some(passed),
        ExprKind::Not(inner) => Some(!holds(inner, face, passed)?),
        ExprKind::Binary(Operator::And, a, b) => both(a, b).map(|(a, b)| a && b),
        ExprKind::Binary(Operator::Or, a, b) => both(a, b).map(|(a, b)| a || b),
        ExprKind::Binary(operator, a, b) => {
            let number = |e: &Expr| match &e.kind {
                ExprKind::Whole(n) => Some(*n),
                ExprKind::Name(name) if name == "natural" || name == "total" => Some(face),
                _ => None,
            };
            operator.holds(number(a)?, number(b)?)
        }
        _ => None,
    }
}

/// Returns the probability of passing a check without modifiers, if it needs a plain number.
pub(crate) fn of_need(rule: &RuleText) -> Option<Fraction> {
    let (operator, value) = rule.needs.as_ref()?;
    let ExprKind::Whole(value) = value.kind else { return None };
    of_comparison(rule, *operator, value)
}

/// Returns the probability that a comparison holds between the dice of a rule, without modifiers, and a number.
pub(crate) fn of_comparison(rule: &RuleText, operator: Operator, value: i64) -> Option<Fraction> {
    let odds = of_rule(rule)?;
    let passes = |face: i64| {
        let passed = operator.holds(face, value)?;
        rule.passes.as_ref().map_or(Some(passed), |whole| holds(whole, face, passed))
    };
    let again = |face: i64| match &rule.reroll {
        Some(reroll) => holds(reroll, face, passes(face)?),
        None => Some(false),
    };
    let faces = odds.entries().iter().map(|(face, n)| Some((passes(*face)?, again(*face)?, n)));
    let faces: Vec<(bool, bool, &BigUint)> = faces.collect::<Option<_>>()?;
    let weight = |counts: fn(bool, bool) -> bool| -> BigUint {
        faces.iter().filter(|(passed, again, _)| counts(*passed, *again)).map(|face| face.2).sum()
    };
    let all = weight(|_, _| true);
    // What is thrown again passes as any other throw.
    let kept = weight(|passed, again| passed && !again) * &all;
    let passed = kept + weight(|_, again| again) * weight(|passed, _| passed);
    Some(Fraction::new(passed.into(), &all * &all))
}
