//! Operations on distributions. An operation on two distributions assumes that their rolls are
//! independent.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_integer::Integer;

use super::Distribution;
use super::poly::{to_integer, trim_leading_zeros};
use super::work::{OddsError, WorkBudget, word_count};
use crate::die::Comparison;

impl Distribution {
    /// Returns the odds of the sum of two rolls, one from each distribution; fails if a limit is
    /// exceeded.
    pub fn add(&self, other: &Distribution) -> Result<Distribution, OddsError> {
        sum(self, other, &mut WorkBudget::new())
    }

    /// Returns the odds of the product of two rolls, one from each distribution; fails if a limit
    /// is exceeded.
    pub fn multiply(&self, other: &Distribution) -> Result<Distribution, OddsError> {
        combine_pairs(self, other, i64::checked_mul, &mut WorkBudget::new())
    }

    /// Returns the odds of the comparison's result: 1 if it holds between two rolls, one from each
    /// distribution, otherwise 0.
    #[must_use]
    pub fn compare(&self, comparison: Comparison, other: &Distribution) -> Distribution {
        let mut holds = BigUint::ZERO;
        // Both lists are in ascending order, so the total weights below and up to each value only
        // grow.
        let mut below = BigUint::ZERO;
        let mut up_to = BigUint::ZERO;
        let mut i = 0;
        let mut j = 0;
        for (value, weight) in &self.entries {
            while other.entries.get(i).is_some_and(|e| e.0 < *value) {
                below += &other.entries[i].1;
                i += 1;
            }
            while other.entries.get(j).is_some_and(|e| e.0 <= *value) {
                up_to += &other.entries[j].1;
                j += 1;
            }
            let part = match comparison {
                Comparison::AtLeast => up_to.clone(),
                Comparison::More => below.clone(),
                Comparison::AtMost => &other.total - &below,
                Comparison::Less => &other.total - &up_to,
                Comparison::Equal => &up_to - &below,
            };
            holds += part * weight;
        }
        let total = &self.total * &other.total;
        let fails = &total - &holds;
        let entries = [(0, fails), (1, holds)];
        let entries = entries.into_iter().filter(|e| e.1 != BigUint::ZERO).collect();
        Distribution { entries, total }
    }

    /// Returns the distribution with every value replaced by the result of `to`. The weights of
    /// values that become equal are added.
    #[must_use]
    pub fn map(&self, mut to: impl FnMut(i64) -> i64) -> Distribution {
        let mapped = self.entries.iter().map(|(v, w)| (to(*v), w.clone()));
        Distribution::from_weights(mapped).unwrap_or_else(|| self.clone())
    }

    /// Returns the odds of a roll from one of the parts, which is chosen at random with these
    /// weights; `None` if all weights are zero.
    pub fn mixture(parts: &[(BigUint, &Distribution)]) -> Option<Distribution> {
        let parts = || parts.iter().filter(|p| p.0 != BigUint::ZERO);
        let common = parts().fold(BigUint::from(1u32), |c, (_, part)| c.lcm(&part.total));
        let mut entries: BTreeMap<i64, BigUint> = BTreeMap::new();
        for (weight, part) in parts() {
            let factor = &common / &part.total * weight;
            for (value, own) in &part.entries {
                *entries.entry(*value).or_default() += own * &factor;
            }
        }
        Distribution::from_sorted(entries.into_iter().collect())
    }

    /// Returns the distribution of only those values that `holds` accepts, with the same weights;
    /// `None` if it accepts none.
    pub fn filter(&self, mut holds: impl FnMut(i64) -> bool) -> Option<Distribution> {
        Distribution::from_sorted(self.entries.iter().filter(|e| holds(e.0)).cloned().collect())
    }
}

/// Returns the odds of the sum of two rolls. If the values lie close together, each distribution is
/// packed into one large number with a fixed number of words per weight, so that a single
/// multiplication is enough.
pub(crate) fn sum(
    a: &Distribution,
    b: &Distribution,
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let ends = (a.lowest().checked_add(b.lowest()), a.highest().checked_add(b.highest()));
    let (Some(lowest), Some(_)) = ends else { return Err(OddsError::TooManyValues) };
    for (fixed, other) in [(a, b), (b, a)] {
        if let [(value, weight)] = &fixed.entries[..]
            && *weight == BigUint::from(1u32)
        {
            let mut moved = other.clone();
            moved.entries.iter_mut().for_each(|e| e.0 += value);
            return Ok(moved);
        }
    }
    let spans = [a, b].map(|d| d.highest().abs_diff(d.lowest()).saturating_add(1));
    if spans[0].saturating_add(spans[1]) > 8 * (a.entries.len() + b.entries.len()) as u64 {
        return combine_pairs(a, b, i64::checked_add, work);
    }
    let width = word_count(&(&a.total * &b.total));
    work.check_size(spans[0] + spans[1], width)?;
    let [short, long] = [spans[0].min(spans[1]), spans[0].max(spans[1])].map(|n| n * width as u64);
    work.spend(long * short.isqrt() * 2)?;
    let product = pack_weights(a, width) * pack_weights(b, width);
    unpack_weights(&product, lowest, width).ok_or(OddsError::TooMuchWork)
}

/// Returns the odds of the value that `together` computes from each pair of values. Fails if
/// `together` returns `None`, or if a limit is exceeded.
pub(crate) fn combine_pairs(
    a: &Distribution,
    b: &Distribution,
    together: impl Fn(i64, i64) -> Option<i64>,
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let width = word_count(&a.total) * word_count(&b.total);
    work.spend((a.entries.len() as u64) * (b.entries.len() as u64) * (100 + width as u64))?;
    let mut entries: BTreeMap<i64, BigUint> = BTreeMap::new();
    for (x, v) in &a.entries {
        for (y, w) in &b.entries {
            let value = together(*x, *y).ok_or(OddsError::TooManyValues)?;
            *entries.entry(value).or_default() += v * w;
        }
    }
    let entries: Vec<_> = entries.into_iter().collect();
    work.check_size(entries.len() as u64, word_count(&a.total) + word_count(&b.total))?;
    Ok(Distribution { entries, total: &a.total * &b.total })
}

/// Packs all weights into one number, with `width` words for each value from the lowest to the
/// highest.
pub(crate) fn pack_weights(from: &Distribution, width: usize) -> BigUint {
    let span = from.highest().abs_diff(from.lowest()) as usize + 1;
    let mut digits = vec![0u32; span * width * 2];
    for (value, weight) in &from.entries {
        let start = value.abs_diff(from.lowest()) as usize * width * 2;
        for (word, digit) in digits[start..].iter_mut().zip(weight.iter_u32_digits()) {
            *word = digit;
        }
    }
    BigUint::new(digits)
}

/// Unpacks a distribution from a number in the form of [`pack_weights`], whose first weight belongs
/// to the value `low`; `None` if all weights are zero.
pub(crate) fn unpack_weights(packed: &BigUint, low: i64, width: usize) -> Option<Distribution> {
    let words: Vec<u64> = packed.iter_u64_digits().collect();
    let mut scratch = Vec::new();
    let entries = words
        .chunks(width)
        .zip(low..)
        .map(|(weight, value)| (value, to_integer(trim_leading_zeros(weight), &mut scratch)));
    Distribution::from_sorted(entries.collect())
}
