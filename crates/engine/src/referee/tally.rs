//! The counts of a simulation: numbers with their frequencies. They do not depend on the order in
//! which games end.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::language::number::Number;

/// The frequency of each value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "HistogramCounts")]
pub struct Histogram {
    counts: BTreeMap<Number, u64>,
    total: u64,
}

/// The stored form of a histogram, without the total.
#[derive(Deserialize)]
struct HistogramCounts {
    counts: Vec<(Number, u64)>,
}

impl From<HistogramCounts> for Histogram {
    fn from(kept: HistogramCounts) -> Histogram {
        let mut spread = Histogram::default();
        kept.counts.into_iter().for_each(|(value, count)| spread.count_times(value, count));
        spread
    }
}

impl Histogram {
    /// Counts a value once.
    pub fn add(&mut self, value: Number) {
        self.count_times(value, 1);
    }

    fn count_times(&mut self, value: Number, times: u64) {
        let ours = self.counts.entry(value).or_default();
        *ours = ours.saturating_add(times);
        self.total = self.total.saturating_add(times);
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        other.counts().for_each(|(value, count)| self.count_times(value, count));
    }

    /// Returns the values in ascending order, with their frequencies.
    pub fn counts(&self) -> impl Iterator<Item = (Number, u64)> + '_ {
        self.counts.iter().map(|(&value, &count)| (value, count))
    }

    /// Returns the number of values counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the lowest value, or 0 if nothing was counted.
    pub fn lowest(&self) -> Number {
        self.counts.keys().next().copied().unwrap_or(Number::ZERO)
    }

    /// Returns the highest value, or 0 if nothing was counted.
    pub fn highest(&self) -> Number {
        self.counts.keys().next_back().copied().unwrap_or(Number::ZERO)
    }

    /// Returns the sum of `of(value)` over all counted values.
    fn sum_of(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.counts.iter().map(|(value, &count)| of(value.to_f64()) * count as f64).sum()
    }

    /// Returns the mean, or 0 if nothing was counted.
    pub fn mean(&self) -> f64 {
        self.sum_of(|v| v) / self.total.max(1) as f64
    }

    /// Returns the standard deviation of the values, or 0 if nothing was counted.
    pub fn standard_deviation(&self) -> f64 {
        let mean = self.mean();
        (self.sum_of(|v| (v - mean) * (v - mean)) / self.total.max(1) as f64).sqrt()
    }

    /// Returns the quantile `part / of`: the smallest counted value such that at least this share
    /// of the values are not greater. Returns 0 if nothing was counted.
    pub(crate) fn quantile(&self, part: u32, of: u32) -> Number {
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
    use super::Histogram;
    use crate::language::number::Number;

    fn histogram_of(values: &[&str]) -> Histogram {
        let mut spread = Histogram::default();
        values.iter().for_each(|v| spread.add(Number::parse(v).unwrap()));
        spread
    }

    #[test]
    fn figures_are_those_of_the_values() {
        let spread = histogram_of(&["1", "2", "2", "3", "7"]);
        assert_eq!(spread.mean(), 3.0);
        assert!((spread.standard_deviation() - (22.0f64 / 5.0).sqrt()).abs() < 1e-12);
        let quantiles = [(1, 2), (1, 10), (1, 1)].map(|(part, of)| spread.quantile(part, of));
        assert_eq!(quantiles.map(|q| q.to_string()), ["2", "1", "7"]);
        let mut twice = spread.clone();
        twice.merge(&spread);
        assert_eq!(
            (twice.total(), twice.mean(), twice.standard_deviation()),
            (10, 3.0, spread.standard_deviation())
        );
    }

    #[test]
    fn fractions_are_counted_as_they_are() {
        let spread = histogram_of(&["1/3", "2/3", "1/3", "7/2"]);
        assert!((spread.mean() - (4.0 / 3.0 + 3.5) / 4.0).abs() < 1e-12);
        assert_eq!(spread.quantile(1, 2).to_string(), "1/3");
        assert_eq!(spread.highest().to_string(), "3.5");
    }
}
