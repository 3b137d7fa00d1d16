//! Arithmetic and comparison of the values in registers.

use super::PlayFault;
use crate::language::code::{NumberOp, UnaryOp, WordOp, unpack};
use crate::language::number::{Number, Rounding};

/// Returns the result of an operation on one value.
pub(super) fn unary_op(op: UnaryOp, a: i64) -> Result<i64, PlayFault> {
    let number = Number::from_bits(a);
    match op {
        UnaryOp::Negate => whole_or_fault(a.checked_neg()),
        UnaryOp::Not => Ok(i64::from(a == 0)),
        UnaryOp::Widen => fraction_or_fault(Number::whole(a)),
        UnaryOp::NumberNegate => Ok(number.negated().to_bits()),
        UnaryOp::Round(how) => Ok(number.round(how)),
        UnaryOp::Size => Ok(unpack(a).1 as i64),
    }
}

/// Returns the result of an operation on two fractions.
fn fraction_op(op: NumberOp, a: i64, b: i64) -> Result<i64, PlayFault> {
    let a = Number::from_bits(a);
    let b = Number::from_bits(b);
    match op {
        NumberOp::Add => fraction_or_fault(a.checked_add(b)),
        NumberOp::Sub => fraction_or_fault(a.checked_sub(b)),
        NumberOp::Mul => fraction_or_fault(a.checked_mul(b)),
        NumberOp::Min => Ok(a.min(b).to_bits()),
        NumberOp::Max => Ok(a.max(b).to_bits()),
        NumberOp::Less => Ok(i64::from(a < b)),
        NumberOp::AtMost => Ok(i64::from(a <= b)),
    }
}

/// Returns the result of an operation on two fractions or two whole numbers.
#[inline]
pub(super) fn number_op(op: NumberOp, is_fraction: bool, a: i64, b: i64) -> Result<i64, PlayFault> {
    if is_fraction {
        return fraction_op(op, a, b);
    }
    match op {
        NumberOp::Add => whole_or_fault(a.checked_add(b)),
        NumberOp::Sub => whole_or_fault(a.checked_sub(b)),
        NumberOp::Mul => whole_or_fault(a.checked_mul(b)),
        NumberOp::Min => Ok(a.min(b)),
        NumberOp::Max => Ok(a.max(b)),
        NumberOp::Less => Ok(i64::from(a < b)),
        NumberOp::AtMost => Ok(i64::from(a <= b)),
    }
}

/// Returns the result of an operation on two values that is not a [`NumberOp`].
#[inline]
pub(super) fn word_op(op: WordOp, a: i64, b: i64) -> Result<i64, PlayFault> {
    match op {
        WordOp::Mod => a.checked_rem_euclid(b).ok_or(PlayFault::DividedByZero),
        WordOp::Div(how) => divide(how, a, b),
        WordOp::Quotient => quotient(a, b),
        WordOp::Equal => Ok(i64::from(a == b)),
        WordOp::NotEqual => Ok(i64::from(a != b)),
    }
}

fn quotient(a: i64, b: i64) -> Result<i64, PlayFault> {
    match Number::from_bits(b) {
        Number::ZERO => Err(PlayFault::DividedByZero),
        b => fraction_or_fault(Number::from_bits(a).checked_div(b)),
    }
}

fn divide(how: Rounding, a: i64, b: i64) -> Result<i64, PlayFault> {
    let a = i128::from(a);
    let b = i128::from(b);
    let (a, b) = if b < 0 { (-a, -b) } else { (a, b) };
    if b == 0 {
        return Err(PlayFault::DividedByZero);
    }
    whole_or_fault(i64::try_from(how.quotient(a, b)).ok())
}

#[inline]
fn whole_or_fault(value: Option<i64>) -> Result<i64, PlayFault> {
    // Unlike `ok_or`, a `match` doesn't construct and drop a fault for each valid value.
    match value {
        Some(value) => Ok(value),
        None => Err(PlayFault::TooLarge),
    }
}

fn fraction_or_fault(value: Option<Number>) -> Result<i64, PlayFault> {
    value.map(Number::to_bits).ok_or(PlayFault::TooLargeOrFine)
}
