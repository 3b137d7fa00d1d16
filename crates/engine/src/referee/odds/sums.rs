//! The sums that the equal iterations of a loop add to its counters.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::effort::Effort;

/// The maximum number of different sums. If there are more, the iterations are followed one by one.
const MOST_SUMS: usize = 20_000;
/// The cost of each product of two weights, in steps.
const PRODUCT_STEPS: u64 = 12;

/// The sums that iterations can add to the counters, with their weights.
pub(super) type TurnSums = Vec<(Vec<i64>, BigUint)>;

/// For each type of iteration, the sums of one iteration, two iterations and so on, as far as they
/// have been computed.
#[derive(Default)]
pub(super) struct TurnSumCache(Vec<Vec<TurnSums>>);

impl TurnSumCache {
    /// Returns the sums of `count` iterations, where `one` holds the sums of a single one; `None`
    /// if there are too many sums, or if the effort is used up.
    pub(super) fn sums_of_turns(
        &mut self,
        one: TurnSums,
        count: u64,
        effort: &mut Effort,
    ) -> Option<&TurnSums> {
        let known = self.0.iter().position(|sums| sums[0] == one);
        let index = known.unwrap_or_else(|| {
            self.0.push(vec![one]);
            self.0.len() - 1
        });
        let sums = &mut self.0[index];
        while (sums.len() as u64) < count {
            let next = product_of_sums(sums.last()?, &sums[0], effort)?;
            sums.push(next);
        }
        sums.get(usize::try_from(count).ok()?.checked_sub(1)?)
    }
}

/// Returns the sums of two independent groups of iterations; `None` if there are too many sums, or
/// if the effort is used up.
pub(super) fn product_of_sums(a: &TurnSums, b: &TurnSums, effort: &mut Effort) -> Option<TurnSums> {
    effort.spend_each(a.len().saturating_mul(b.len()), PRODUCT_STEPS);
    let mut sums: BTreeMap<Vec<i64>, BigUint> = BTreeMap::new();
    for (counts, weight) in a {
        for (more, times) in b {
            let both = counts
                .iter()
                .zip(more)
                .map(|(count, added)| count.saturating_add(*added))
                .collect();
            *sums.entry(both).or_default() += weight * times;
        }
    }
    (sums.len() <= MOST_SUMS && !effort.is_spent()).then(|| sums.into_iter().collect())
}
