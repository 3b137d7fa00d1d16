//! Exact odds: every result with its weight, a whole number.
//!
//! No floating-point number takes part until a result is shown. The ways to get there, one a file:
//! - `sum`: the sum of many equal dice;
//! - `keep`: the best or worst of several dice;
//! - `explode`: the same where the dice explode first and so are not all of a number;
//! - `pool` and `expression` put these together as the notation says;
//! - `arithmetic`: what can be done with finished distributions;
//! - `poly` and `work`: wide numbers in rows, and the limit on time and memory.

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

/// Every value a roll can have, in ascending order, each with its weight: a positive whole number,
/// its share of the total weight being its probability. There is always at least one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    entries: Vec<(i64, BigUint)>,
    total: BigUint,
}

impl Distribution {
    /// Always this value.
    pub fn constant(value: i64) -> Distribution {
        Distribution { entries: vec![(value, BigUint::from(1u32))], total: BigUint::from(1u32) }
    }

    /// A fair die with faces from 1 to `sides`; a die without sides counts as one with a single
    /// side.
    pub fn die(sides: u32) -> Distribution {
        let sides = sides.max(1);
        let entries = (1..=i64::from(sides)).map(|v| (v, BigUint::from(1u32))).collect();
        Distribution { entries, total: BigUint::from(sides) }
    }

    /// The values with these weights; equal values are added up, and those without weight left out.
    /// None if nothing has weight.
    pub fn from_weights(weights: impl IntoIterator<Item = (i64, BigUint)>) -> Option<Distribution> {
        let mut entries: Vec<(i64, BigUint)> = weights.into_iter().collect();
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

    /// The values in ascending order with their weights.
    pub fn entries(&self) -> &[(i64, BigUint)] {
        &self.entries
    }

    /// The sum of all weights.
    pub fn total_weight(&self) -> &BigUint {
        &self.total
    }

    /// The lowest value there is.
    pub fn lowest(&self) -> i64 {
        self.entries.first().map_or(0, |e| e.0)
    }

    /// The highest value there is.
    pub fn highest(&self) -> i64 {
        self.entries.last().map_or(0, |e| e.0)
    }

    /// The weight of one value; zero if it cannot come up.
    pub fn weight(&self, value: i64) -> BigUint {
        match self.entries.binary_search_by_key(&value, |e| e.0) {
            Ok(i) => self.entries[i].1.clone(),
            Err(_) => BigUint::ZERO,
        }
    }

    /// The probability that the value is one of those `holds` accepts.
    pub fn probability(&self, mut holds: impl FnMut(i64) -> bool) -> Fraction {
        let weight: BigUint = self.entries.iter().filter(|e| holds(e.0)).map(|e| &e.1).sum();
        Fraction::new(weight.into(), self.total.clone())
    }

    /// The mean.
    pub fn mean(&self) -> Fraction {
        let sum: BigInt = self.entries.iter().map(|(v, w)| BigInt::from(w.clone()) * v).sum();
        Fraction::new(sum, self.total.clone())
    }

    /// The variance.
    pub fn variance(&self) -> Fraction {
        let (mut sum, mut squares) = (BigInt::ZERO, BigInt::ZERO);
        for (value, weight) in &self.entries {
            let weighted = BigInt::from(weight.clone()) * value;
            squares += &weighted * value;
            sum += weighted;
        }
        let total = BigInt::from(self.total.clone());
        Fraction::new(squares * &total - &sum * &sum, &self.total * &self.total)
    }

    /// The standard deviation.
    pub fn standard_deviation(&self) -> f64 {
        self.variance().to_f64().sqrt()
    }

    /// The least value such that at least `part` in `of` of all rolls are no higher: `quantile(1,
    /// 2)` is the median. A part above the whole counts as the whole.
    pub fn quantile(&self, part: u32, of: u32) -> i64 {
        let mut below = BigUint::ZERO;
        for (value, weight) in &self.entries {
            below += weight;
            if &below * of >= &self.total * part {
                return *value;
            }
        }
        self.highest()
    }

    /// The same odds in the smallest whole numbers.
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
