//! The sum of many equal dice.

use num_bigint::BigUint;

use super::Distribution;
use super::arithmetic::{pack, unpack};
use super::poly::{to_integer, trimmed};
use super::work::{OddsError, Work, words};

/// Returns the sum of `count` dice, each with the odds `one`.
pub(crate) fn power(
    one: &Distribution,
    count: u32,
    work: &mut Work,
) -> Result<Distribution, OddsError> {
    let (low, sides) = (one.lowest(), one.entries.len());
    if count == 0 {
        return Ok(Distribution::constant(0));
    }
    if sides == 1 {
        return Ok(Distribution::constant(low * i64::from(count)));
    }
    let even = one.entries.iter().all(|e| e.1 == one.entries[0].1);
    let gapless = one.highest().abs_diff(low) + 1 == sides as u64;
    if even && gapless {
        return run_power(low, sides, count, work);
    }
    let span = one.highest().abs_diff(low) * u64::from(count) + 1;
    let bits = one.total.bits() * u64::from(count);
    let width = usize::try_from(bits.div_ceil(64)).unwrap_or(usize::MAX);
    work.room(span, width)?;
    let length = span * width as u64;
    // The last squaring, of half that length, dominates.
    work.spend(length * length.isqrt() / 2)?;
    let packed = pack(one, width).pow(count);
    unpack(&packed, low * i64::from(count), width).ok_or(OddsError::TooMuchWork)
}

/// Returns the sum of fair dice with faces `low` to `low + sides - 1`.
///
/// With f = ((1-x^s)/(1-x))^n, from f'/f follows (1-x)(1-x^s) f' = n (1 - s x^(s-1) + (s-1) x^s) f,
/// and so each weight from three before it:
///
/// (k+1) f[k+1] = (n+k) f[k] - (ns+s-k-1) f[k+1-s] + (ns-n+s-k) f[k-s]
///
/// The weights are symmetric, so only the first half is computed; there the weights only grow, and
/// the three factors are positive.
fn run_power(
    low: i64,
    sides: usize,
    count: u32,
    work: &mut Work,
) -> Result<Distribution, OddsError> {
    let (n, s) = (u64::from(count), sides as u64);
    let highest = n * (s - 1);
    let total = BigUint::from(s).pow(count);
    // One word more than the total needs leaves room for the factor k+1.
    let width = words(&total) + 1;
    work.room(highest + 1, width)?;
    work.spend(highest * width as u64 * 2)?;
    let half = highest as usize / 2;
    let mut f = vec![0u64; (half + 1) * width];
    f[0] = 1;
    let mut used = 1;
    for next in 1..=half {
        let k = next as u64 - 1;
        let end = (used + 1).min(width);
        let (done, rest) = f.split_at_mut(next * width);
        let place = &mut rest[..end];
        let row = |back: usize| match next.checked_sub(back) {
            Some(i) => &done[i * width..i * width + end],
            None => &[],
        };
        let factors = [n + k, n * s + s - k - 1, n * s - n + s - k].map(i128::from);
        combine(place, [row(1), row(sides), row(sides + 1)], factors);
        divide_exactly(place, next as u64);
        used = trimmed(place).len().max(used);
    }
    let mut scratch = Vec::new();
    let mut entries = Vec::with_capacity(highest as usize + 1);
    let mut value = low * i64::from(count);
    for weight in f.chunks_exact(width) {
        entries.push((value, to_integer(trimmed(weight), &mut scratch)));
        value += 1;
    }
    for mirrored in (0..=highest as usize - half - 1).rev() {
        let weight = entries[mirrored].1.clone();
        entries.push((value, weight));
        value += 1;
    }
    Ok(Distribution { entries, total })
}

/// Computes `place = a f - b g + c h`, where a missing row is zero. The factors are far below 2^60,
/// so every sum fits an i128.
fn combine(place: &mut [u64], [f, g, h]: [&[u64]; 3], [a, b, c]: [i128; 3]) {
    let mut carry = 0i128;
    let digit = |row: &[u64], i: usize| i128::from(row.get(i).copied().unwrap_or(0));
    for (i, word) in place.iter_mut().enumerate() {
        let sum = carry + a * digit(f, i) - b * digit(g, i) + c * digit(h, i);
        *word = sum as u64;
        carry = sum >> 64;
    }
}

/// Divides by a number known to leave no remainder, from the lowest word up, with a multiplication
/// by the inverse modulo 2^64 in place of each slow division.
fn divide_exactly(number: &mut [u64], divisor: u64) {
    let twos = divisor.trailing_zeros();
    let odd = divisor >> twos;
    // Each round doubles the correct bits, from three to more than 64.
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    let mut borrow = 0u64;
    for i in 0..number.len() {
        let above = number.get(i + 1).copied().unwrap_or(0);
        let word = if twos == 0 { number[i] } else { number[i] >> twos | above << (64 - twos) };
        let (rest, under) = word.overflowing_sub(borrow);
        let quotient = rest.wrapping_mul(inverse);
        number[i] = quotient;
        borrow = ((u128::from(quotient) * u128::from(odd)) >> 64) as u64 + u64::from(under);
    }
}
