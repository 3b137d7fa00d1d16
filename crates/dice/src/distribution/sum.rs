//! The odds of the sum of many identical dice.

use num_bigint::BigUint;

use super::Distribution;
use super::arithmetic::{pack_weights, unpack_weights};
use super::poly::{add_product_of_words, to_integer, to_words, trim_leading_zeros};
use super::work::{OddsError, WorkBudget, word_count};

/// Returns the odds of the sum of `count` dice, each with the odds `one`.
pub(crate) fn sum_of_identical(
    one: &Distribution,
    count: u32,
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let low = one.lowest();
    let sides = one.entries.len();
    if count == 0 {
        return Ok(Distribution::constant(0));
    }
    if sides == 1 {
        return Ok(Distribution::constant(low * i64::from(count)));
    }
    let even = one.entries.iter().all(|e| e.1 == one.entries[0].1);
    let gapless = one.highest().abs_diff(low) + 1 == sides as u64;
    if even && gapless {
        return sum_of_fair(low, sides, count, work);
    }
    let span = one.highest().abs_diff(low) * u64::from(count) + 1;
    let bits = one.total.bits() * u64::from(count);
    let width = usize::try_from(bits.div_ceil(64)).unwrap_or(usize::MAX);
    work.check_size(span, width)?;
    let length = span * width as u64;
    // The last squaring, of a number half as long, takes most of the time.
    work.spend(length * length.isqrt() / 2)?;
    let packed = pack_weights(one, width).pow(count);
    unpack_weights(&packed, low * i64::from(count), width).ok_or(OddsError::TooMuchWork)
}

/// Returns the odds of the sum of `count` dice with `sides` faces starting at `low`, all equally
/// likely.
///
/// The generating function of the sum is F = (N/D)^n with N = 1-x^sides and D = 1-x. It follows
/// that N D F' = n (N' D - N D') F, which gives each weight from three earlier ones. Only the first
/// half of the weights is computed; the second half mirrors it.
fn sum_of_fair(
    low: i64,
    sides: usize,
    count: u32,
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let highest = (sides as u64 - 1) * u64::from(count);
    let total = BigUint::from(sides).pow(count);
    // One word more than the total needs leaves room for the factors.
    let width = word_count(&total) + 1;
    work.check_size(highest + 1, width)?;
    work.spend(highest * width as u64 * 3 / 2)?;
    let n = count as usize;
    let highest = highest as usize;
    // The number of rows of zeros in front of the first weight.
    let before = sides + 1;
    let half = highest / 2;
    let mut rows = vec![0u64; (before + half + 1) * width];
    rows[before * width] = 1;
    let mut used = 1;
    let mut scratch = Vec::new();
    let low = low * i64::from(count);
    let mut entries = Vec::with_capacity(highest + 1);
    entries.push((low, BigUint::from(1u32)));
    for next in 1..=half {
        let (done, rest) = rows.split_at_mut((before + next) * width);
        let end = (used + 1).min(width);
        let row = |back: usize| &done[(before + next - back) * width..][..end];
        let slot = &mut rest[..end];
        let more = [(row(1), n + next - 1), (row(sides + 1), n * (sides - 1) + sides + 1 - next)];
        linear_combination(slot, more, (row(sides), n * sides + sides - next));
        divide_exactly(slot, next as u64);
        let weight = trim_leading_zeros(slot);
        used = weight.len();
        entries.push((low + next as i64, to_integer(weight, &mut scratch)));
    }
    for mirrored in (0..highest - half).rev() {
        let weight = entries[mirrored].1.clone();
        entries.push((low + (highest - mirrored) as i64, weight));
    }
    Ok(Distribution { entries, total })
}

/// Returns the odds of the sum of `count` fair dice with faces 1 to `sides` that explode on the
/// highest face, each with up to `limit` extra dice.
///
/// In terms of generating functions, let s be the number of sides, h = x + … + x^(s-1) the other
/// faces, y = x^s / s and Y = y^(limit+1). The function of one die is s^limit (h g + s Y), where g
/// = (1-Y) / (1-y). Without the power of s, the function of n dice is therefore the sum over m of
/// C(n,m) (s Y)^m h^(n-m) g^(n-m). It is computed from m = 0 on, with one multiplication by g for
/// each m. The row at k is the weight of x^(k mod s) y^(k/s), a small number; the missing power of
/// s is multiplied in at the end.
pub(crate) fn sum_of_exploding(
    sides: u32,
    limit: u32,
    count: u32,
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let whole = BigUint::from(sides);
    let top = u64::from(sides) * u64::from(limit + 1);
    let last = top * u64::from(count);
    let total = whole.pow((limit + 1) * count);
    let longest = word_count(&total);
    work.check_size(last + 1, longest)?;
    let width = word_count(&(&whole * top).pow(count));
    work.spend(last * width as u64 * (u64::from(count) + longest as u64) / 2)?;
    let s = sides as usize;
    let top = top as usize;
    let last = last as usize;
    // Zeros before the first row, and room beyond the last for whole steps.
    let start = top * width;
    let step = s * width;
    let mut rows = vec![0; start + (last + s) * width];
    let mut next = rows.clone();
    let mut ways = BigUint::from(1u32);
    for m in 0..=count {
        let at = start * (m as usize + 1);
        if m > 0 {
            apply_sliding_window(&rows[..at + (count - m) as usize * step], &mut next, start, step);
            std::mem::swap(&mut rows, &mut next);
            ways = ways * (count + 1 - m) * sides / m;
        }
        let mut factor = &ways * whole.pow((count - m) / sides);
        for (value, weight) in
            sum_of_identical(&Distribution::die(sides - 1), count - m, work)?.entries
        {
            if value % i64::from(sides) == 0 && value > i64::from(count - m) {
                factor *= sides;
            }
            let row = &mut rows[at + value as usize * width..][..width];
            add_product_of_words(row, &to_words(&weight), &to_words(&factor));
        }
    }
    let mut entries = Vec::with_capacity(last);
    let mut product = vec![0; longest];
    let mut scratch = Vec::new();
    let mut factor = to_words(&whole.pow(limit * count));
    for (highest, block) in (0u32..).zip(rows[start..].chunks_exact(step)) {
        // With more than `limit * count` highest faces, a row has surplus powers of s.
        let surplus = whole.pow(highest.saturating_sub(limit * count));
        let first = i64::from(highest * sides);
        for (weight, value) in block.chunks_exact(width).map(trim_leading_zeros).zip(first..) {
            if weight.is_empty() {
                continue;
            }
            product.fill(0);
            add_product_of_words(&mut product, &factor, weight);
            let mut number = to_integer(trim_leading_zeros(&product), &mut scratch);
            if highest > limit * count {
                number /= &surplus;
            }
            entries.push((value, number));
        }
        if highest < limit * count {
            divide_exactly(&mut factor, s as u64);
            factor.truncate(trim_leading_zeros(&factor).len());
        }
    }
    Ok(Distribution { entries, total })
}

/// Computes the product of `rows` and (1 - x^window) / (1 - x^step), starting at the index
/// `window`.
fn apply_sliding_window(rows: &[u64], product: &mut [u64], window: usize, step: usize) {
    let mut carry = 0i128;
    for at in (window..rows.len()).step_by(step) {
        let (before, slot) = product.split_at_mut(at);
        let sums = slot[..step].iter_mut().zip(&before[at - step..]);
        let changes = rows[at..].iter().zip(&rows[at - window..]);
        for ((word, &old), (&new, &gone)) in sums.zip(changes) {
            let sum = carry + i128::from(old) + i128::from(new) - i128::from(gone);
            *word = sum as u64;
            carry = sum >> 64;
        }
    }
}

/// Computes the sum of two rows minus a third, each multiplied by its factor. The factors are far
/// below 2^60, so the sums of the products fit into the carry.
fn linear_combination(slot: &mut [u64], more: [(&[u64], usize); 2], less: (&[u64], usize)) {
    let [(a, by), (b, times)] = more;
    let mut carry = 0i128;
    for (((word, &first), &second), &c) in slot.iter_mut().zip(a).zip(b).zip(less.0) {
        let added = u128::from(first) * by as u128 + u128::from(second) * times as u128;
        let less = u128::from(c) * less.1 as u128;
        let sum = carry + added as i128 - less as i128;
        *word = sum as u64;
        carry = sum >> 64;
    }
}

/// Divides a number by a divisor that is known to leave no remainder, from the lowest word up. A
/// multiplication by the inverse modulo 2^64 replaces each slow division.
fn divide_exactly(number: &mut [u64], divisor: u64) {
    let twos = divisor.trailing_zeros();
    let odd = divisor >> twos;
    // Each round doubles the number of correct bits, from three to more than 64.
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
