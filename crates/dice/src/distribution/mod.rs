//! Exact odds: each possible result has a whole number as its weight.
//!
//! Floating-point numbers are used only to show results. Each method has a separate file:
//! - `sum`: the sum of many identical dice;
//! - `keep`: the highest, lowest or middle of several dice;
//! - `explode`: dice that explode, so that their number varies: the sum of one die and its extra
//!   dice, and the highest or lowest of several;
//! - `pool` and `expression`: pools and expressions, as the notation describes them;
//! - `arithmetic`: sums, products and comparisons of distributions;
//! - `poly` and `work`: polynomials with wide coefficients, and the limits on time and memory.

mod arithmetic;
mod explode;
mod expression;
mod fraction;
mod keep;
mod poly;
mod pool;
mod sum;
mod work;

#[cfg(test)]
mod tests;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

pub use fraction::Fraction;
pub use work::OddsError;

/// The odds of a roll: every value that it can have, in ascending order, each with a weight, which
/// is a positive whole number. The probability of a value is its weight divided by the total
/// weight. There is always at least one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    entries: Vec<(i64, BigUint)>,
    total: BigUint,
}

impl Distribution {
    /// Returns the distribution of a constant.
    pub fn constant(value: i64) -> Distribution {
        Distribution { entries: vec![(value, BigUint::from(1u32))], total: BigUint::from(1u32) }
    }

    /// Returns the distribution of a fair die with faces from 1 to `sides`; 0 sides count as 1.
    pub fn die(sides: u32) -> Distribution {
        let sides = sides.max(1);
        let entries = (1..=i64::from(sides)).map(|v| (v, BigUint::from(1u32))).collect();
        Distribution { entries, total: BigUint::from(sides) }
    }

    /// Returns the distribution of values with these weights; `None` if all weights are zero. The
    /// weights of equal values are added.
    pub fn from_weights(weights: impl IntoIterator<Item = (i64, BigUint)>) -> Option<Distribution> {
        Self::from_entries(weights.into_iter().collect())
    }

    fn from_entries(mut entries: Vec<(i64, BigUint)>) -> Option<Distribution> {
        entries.sort_by_key(|&(value, _)| value);
        Self::from_sorted(entries)
    }

    fn from_sorted(entries: Vec<(i64, BigUint)>) -> Option<Distribution> {
        let mut merged: Vec<(i64, BigUint)> = Vec::with_capacity(entries.len());
        let mut total = BigUint::ZERO;
        for (value, weight) in entries {
            if weight == BigUint::ZERO {
                continue;
            }
            total += &weight;
            match merged.last_mut() {
                Some((last, sum)) if *last == value => *sum += weight,
                _ => merged.push((value, weight)),
            }
        }
        (!merged.is_empty()).then_some(Distribution { entries: merged, total })
    }

    /// Returns the values in ascending order with their weights.
    pub fn entries(&self) -> &[(i64, BigUint)] {
        &self.entries
    }

    /// Returns the sum of all weights.
    pub fn total_weight(&self) -> &BigUint {
        &self.total
    }

    /// Returns the lowest value.
    pub fn lowest(&self) -> i64 {
        self.entries.first().map_or(0, |e| e.0)
    }

    /// Returns the highest value.
    pub fn highest(&self) -> i64 {
        self.entries.last().map_or(0, |e| e.0)
    }

    /// Returns the probability of the values that `holds` accepts.
    pub fn probability(&self, mut holds: impl FnMut(i64) -> bool) -> Fraction {
        let weight: BigUint = self.entries.iter().filter(|e| holds(e.0)).map(|e| &e.1).sum();
        Fraction::new(weight.into(), self.total.clone())
    }

    /// Returns the mean.
    pub fn mean(&self) -> Fraction {
        let above_lowest = self.moments_above_lowest().0;
        let sum = BigInt::from(above_lowest) + BigInt::from(self.total.clone()) * self.lowest();
        Fraction::unreduced(sum, self.total.clone())
    }

    /// Returns the variance.
    pub fn variance(&self) -> Fraction {
        let (sum, squares) = self.moments_above_lowest();
        Fraction::unreduced((squares * &self.total - &sum * &sum).into(), &self.total * &self.total)
    }

    /// Returns two sums over all weights: in the first, each weight is multiplied by the distance
    /// of its value from the lowest value; in the second, by the square of this distance. If the
    /// values are consecutive, wide numbers are only added, because multiplying them would take
    /// longer than computing most distributions.
    fn moments_above_lowest(&self) -> (BigUint, BigUint) {
        // Let `T(n)` be the weight of all distances of at least `n`. The first sum is then the sum
        // of all `T(n)`, and the second is the sum of all `(2n - 1) T(n)`, for `n` from 1. To add
        // up `n T(n)` without multiplying, add up the partial sums of `T` from each `n` on.
        let mut weight_from = BigUint::ZERO;
        let mut sum = BigUint::ZERO;
        let mut sum_of_sums = BigUint::ZERO;
        for pair in self.entries.windows(2).rev() {
            let [(below, _), (value, weight)] = pair else { continue };
            weight_from += weight;
            let gap = value.abs_diff(*below);
            if gap == 1 {
                sum += &weight_from;
                sum_of_sums += &sum;
            } else {
                let gap = u128::from(gap);
                let pairs = BigUint::from(gap) * (gap + 1) / 2u32;
                sum_of_sums += &sum * gap + &weight_from * pairs;
                sum += &weight_from * gap;
            }
        }
        let squares = sum_of_sums * 2u32 - &sum;
        (sum, squares)
    }

    /// Returns the standard deviation.
    pub fn standard_deviation(&self) -> f64 {
        self.variance().to_f64().sqrt()
    }

    /// Returns the smallest value `v` for which at least the fraction `part / of` of all rolls is
    /// `v` or less. For example, `quantile(1, 2)` is the median. A fraction above 1 counts as 1.
    pub fn quantile(&self, part: u32, of: u32) -> i64 {
        let mut below = BigUint::ZERO;
        let wanted = (&self.total * part).div_ceil(&BigUint::from(of.max(1)));
        for (value, weight) in &self.entries {
            below += weight;
            if below >= wanted {
                return *value;
            }
        }
        self.highest()
    }

    /// Returns the same odds with the smallest whole weights.
    #[must_use]
    pub fn reduced(mut self) -> Distribution {
        let one = BigUint::from(1u32);
        let mut common = self.total.clone();
        for (_, weight) in &self.entries {
            if common == one {
                return self;
            }
            common = common.gcd(weight);
        }
        if common != one {
            self.entries.iter_mut().for_each(|e| e.1 /= &common);
            self.total /= common;
        }
        self
    }
}
