//! The sum of many equal dice.

use num_bigint::BigUint;

use super::Distribution;
use super::arithmetic::{pack, unpack};
use super::poly::{to_integer, to_words, trimmed};
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
        let one = Quotient {
            over: vec![(0, 1), (sides, -1)],
            rare: Vec::new(),
            scale: (1, 0),
            under: vec![(0, 1), (1, -1)],
            degree: sides - 1,
        };
        return one.power(low, count, true, &BigUint::from(1u32), work);
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

/// Returns the sum of `count` fair dice with faces 1 to `sides` that bring another on the highest face, up to `limit`
/// others each.
///
/// Let g = x^s be that face, h = x + … + x^(s-1) the others and S = s^(limit+1) the whole weight of a die. Then a die is
/// (h (S - g^(limit+1)) + g^(limit+1) (s - g)) / (s - g), and with (1-x) above and below few terms are left.
pub(crate) fn exploding(
    sides: u32,
    limit: u32,
    count: u32,
    work: &mut Work,
) -> Result<Distribution, OddsError> {
    let (s, top) = (sides as usize, (sides * (limit + 1)) as usize);
    let n = i64::from(sides);
    let one = Quotient {
        over: vec![(0, 1), (s - 1, -1)],
        rare: vec![(top - 1, n), (top, -n - 1), (top + s, 1)],
        scale: (sides, limit + 1),
        under: vec![(0, n), (1, -n), (s, -1), (s + 1, 1)],
        degree: top - 1,
    };
    one.power(1, count, false, &BigUint::from(sides).pow(limit), work)
}

/// Terms of a polynomial: the exponent and the factor of each.
type Terms = Vec<(usize, i64)>;

/// A die as a quotient of polynomials with few terms: (scale * over + rare) / under.
struct Quotient {
    over: Terms,
    rare: Terms,
    /// A number and its power.
    scale: (u32, u32),
    under: Terms,
    /// The highest exponent of the quotient.
    degree: usize,
}

/// A weight further back and its factor for the weight at a place: `a - b * (place - back)`.
struct Back {
    back: usize,
    a: i64,
    b: i64,
}

/// From F = (N/D)^n follows N D F' = n (N' D - N D') F, and so each weight from those before it.
fn backs(over: &Terms, under: &Terms, count: i64) -> Vec<Back> {
    let mut found: std::collections::BTreeMap<usize, (i64, i64)> = Default::default();
    for &(i, a) in over {
        for &(j, b) in under {
            if i != j {
                found.entry(i + j).or_default().0 += count * (i as i64 - j as i64) * a * b;
            }
            found.entry(i + j).or_default().1 += a * b;
        }
    }
    let kept = found.into_iter().filter(|&(back, f)| back > 0 && f != (0, 0));
    kept.map(|(back, (a, b))| Back { back, a, b }).collect()
}

impl Quotient {
    /// Returns the sum of `count` such dice, of which the lowest value is `low` and weighs `first`. If it is symmetric,
    /// only the first half is worked out.
    fn power(
        &self,
        low: i64,
        count: u32,
        symmetric: bool,
        first: &BigUint,
        work: &mut Work,
    ) -> Result<Distribution, OddsError> {
        let highest = self.degree * count as usize;
        let (near, far) = (
            backs(&self.over, &self.under, count.into()),
            backs(&self.rare, &self.under, count.into()),
        );
        let die: BigUint = match symmetric {
            true => BigUint::from(self.degree as u64 + 1),
            false => BigUint::from(self.scale.0).pow(self.scale.1),
        };
        let total = die.pow(count);
        // One word more than the total needs leaves room for the factors, and for a sign.
        let width = words(&total) + 1;
        work.room(highest as u64 + 1, width)?;
        let terms = (near.len() + far.len()) as u64;
        work.spend(highest as u64 * width as u64 * terms.max(2) / 2)?;
        let last = if symmetric { highest / 2 } else { highest };
        let divisors = single_words(self.scale.0, self.scale.1);
        // Rows are read a little beyond the total, where sums are divided later.
        let width = if far.is_empty() { width } else { width + divisors.len() + 1 };
        let leading = self.under[0].1.unsigned_abs();
        let mut f = vec![0u64; (last + 1) * width];
        let start = to_words(&first.pow(count));
        f[..start.len()].copy_from_slice(&start);
        let mut used = vec![start.len() as u32];
        let mut rare = Vec::new();
        let mut rows = Rows::default();
        for next in 1..=last {
            let (done, rest) = f.split_at_mut(next * width);
            let longest = rows.gather(&far, next, &used, width);
            let mut extra = 0;
            if longest > 0 {
                rare.clear();
                rare.resize(longest + 1 + divisors.len(), 0);
                combine(&mut rare, done, &rows);
                divisors.iter().for_each(|&divisor| divide_exactly(&mut rare, divisor));
                extra = longest + 1;
            }
            let longest = rows.gather(&near, next, &used, width);
            let end = (longest.max(extra) + 1).min(width);
            let place = &mut rest[..end];
            combine(place, done, &rows);
            if extra > 0 {
                add_signed(place, &rare);
            }
            divide_exactly(place, leading * next as u64);
            used.push(trimmed(place).len() as u32);
        }
        let mut scratch = Vec::new();
        let low = low * i64::from(count);
        let mut entries = Vec::with_capacity(highest + 1);
        for ((weight, used), value) in f.chunks_exact(width).zip(used).zip(low..) {
            if used > 0 {
                entries.push((value, to_integer(&weight[..used as usize], &mut scratch)));
            }
        }
        if symmetric {
            for mirrored in (0..highest - last).rev() {
                let weight = entries[mirrored].1.clone();
                entries.push((low + (highest - mirrored) as i64, weight));
            }
        }
        Ok(Distribution { entries, total })
    }
}

/// Rows further back, by their place and their factor: those that are added, and those that are subtracted.
#[derive(Default)]
struct Rows {
    more: Vec<(usize, u64)>,
    less: Vec<(usize, u64)>,
}

impl Rows {
    /// Gathers the rows for a place; returns the length of the longest.
    fn gather(&mut self, backs: &[Back], next: usize, used: &[u32], width: usize) -> usize {
        self.more.clear();
        self.less.clear();
        let mut longest = 0;
        for Back { back, a, b } in backs {
            let Some(from) = next.checked_sub(*back) else { break };
            let factor = a - b * from as i64;
            let rows = if factor < 0 { &mut self.less } else { &mut self.more };
            rows.push((from * width, factor.unsigned_abs()));
            longest = longest.max(used[from]);
        }
        longest as usize
    }
}

/// Returns powers of `base` that fit a word and together make up its power of this exponent.
fn single_words(base: u32, exponent: u32) -> Vec<u64> {
    let mut found = vec![1u64];
    for _ in 0..exponent {
        match found.last_mut().and_then(|last| last.checked_mul(base.into())) {
            Some(product) => found.last_mut().into_iter().for_each(|last| *last = product),
            None => found.push(base.into()),
        }
    }
    found
}

/// Computes the sum of rows, each by its place and its factor, less that of others. The factors are far below 2^40, so
/// that sums of a few of them fit.
fn combine(place: &mut [u64], done: &[u64], rows: &Rows) {
    let sum = |rows: &[(usize, u64)], i: usize| {
        rows.iter().fold(0u128, |sum, &(from, factor)| {
            let digit = done.get(from + i).copied().unwrap_or(0);
            sum + u128::from(digit) * u128::from(factor)
        })
    };
    let mut carry = 0i128;
    for (i, word) in place.iter_mut().enumerate() {
        let sum = carry + sum(&rows.more, i) as i128 - sum(&rows.less, i) as i128;
        *word = sum as u64;
        carry = sum >> 64;
    }
}

/// Computes `a += b`, where the sign of `b` goes on beyond its words.
fn add_signed(a: &mut [u64], b: &[u64]) {
    let sign = b.last().map_or(0, |&top| ((top as i64) >> 63) as u64);
    let mut carry = 0u128;
    for (i, word) in a.iter_mut().enumerate() {
        let sum = u128::from(*word) + u128::from(b.get(i).copied().unwrap_or(sign)) + carry;
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
    let sign = number.last().map_or(0, |&top| ((top as i64) >> 63) as u64);
    let mut borrow = 0u64;
    for i in 0..number.len() {
        let above = number.get(i + 1).copied().unwrap_or(sign);
        let word = if twos == 0 { number[i] } else { number[i] >> twos | above << (64 - twos) };
        let (rest, under) = word.overflowing_sub(borrow);
        let quotient = rest.wrapping_mul(inverse);
        number[i] = quotient;
        borrow = ((u128::from(quotient) * u128::from(odd)) >> 64) as u64 + u64::from(under);
    }
}
