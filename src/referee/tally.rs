//! The counts of a simulation: whole numbers with how often each came, so that the order in which games
//! end does not matter.

use std::collections::BTreeMap;

/// The number of times that each value came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    counts: BTreeMap<i64, u64>,
    total: u64,
}

impl Spread {
    /// Counts a value.
    pub fn add(&mut self, value: i64) {
        *self.counts.entry(value).or_default() += 1;
        self.total += 1;
    }

    /// Takes the counts of another in.
    pub fn merge(&mut self, other: &Spread) {
        for (&value, &count) in &other.counts {
            *self.counts.entry(value).or_default() += count;
        }
        self.total += other.total;
    }

    /// The values in ascending order, with how often each came.
    pub fn counts(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        self.counts.iter().map(|(&value, &count)| (value, count))
    }

    /// Returns the number of values counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The lowest value; nought if nothing was counted.
    pub fn lowest(&self) -> i64 {
        self.counts.keys().next().copied().unwrap_or(0)
    }

    /// The highest value; nought if nothing was counted.
    pub fn highest(&self) -> i64 {
        self.counts.keys().next_back().copied().unwrap_or(0)
    }

    fn moment(&self, of: impl Fn(i128) -> i128) -> i128 {
        let each = |(&value, &count): (&i64, &u64)| of(i128::from(value)) * i128::from(count);
        self.counts.iter().map(each).fold(0, i128::saturating_add)
    }

    /// The mean; nought if nothing was counted.
    pub fn mean(&self) -> f64 {
        match self.total {
            0 => 0.0,
            n => self.moment(|v| v) as f64 / n as f64,
        }
    }

    /// The standard deviation of what was counted.
    pub fn sd(&self) -> f64 {
        let n = i128::from(self.total);
        if n == 0 {
            return 0.0;
        }
        let (sum, squares) = (self.moment(|v| v), self.moment(|v| v.saturating_mul(v)));
        // n times the squares less the square of the sum, exactly where it fits.
        let spread = squares.saturating_mul(n).saturating_sub(sum.saturating_mul(sum));
        (spread.max(0) as f64).sqrt() / n as f64
    }

    /// The least value such that at least `part` in `of` of all are no higher.
    pub fn quantile(&self, part: u32, of: u32) -> i64 {
        let mut below = 0u128;
        for (&value, &count) in &self.counts {
            below += u128::from(count);
            if below * u128::from(of) >= u128::from(self.total) * u128::from(part) {
                return value;
            }
        }
        self.highest()
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn figures_are_those_of_the_values() {
        let mut spread = Spread::default();
        [1, 2, 2, 3, 7].into_iter().for_each(|v| spread.add(v));
        assert_eq!(spread.mean(), 3.0);
        assert!((spread.sd() - (22.0f64 / 5.0).sqrt()).abs() < 1e-12);
        assert_eq!(
            (spread.quantile(1, 2), spread.quantile(1, 10), spread.quantile(1, 1)),
            (2, 1, 7)
        );
        let mut twice = spread.clone();
        twice.merge(&spread);
        assert_eq!((twice.total(), twice.mean(), twice.sd()), (10, 3.0, spread.sd()));
    }
}
