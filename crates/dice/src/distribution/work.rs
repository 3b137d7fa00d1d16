//! The limits on time and memory for one computation of odds.

use num_bigint::BigUint;

/// The reason why odds cannot be computed within the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OddsError {
    /// There are too many different results.
    #[error("too many different results for exact odds")]
    TooManyValues,
    /// The computation would take too long.
    #[error("exact odds would take too long to work out")]
    TooMuchWork,
}

/// The maximum number of values a distribution may have.
const MAX_VALUES: u64 = 1 << 20;
/// The maximum number of 64-bit words the weights of a distribution may take.
const MAX_WORDS: u64 = 3 << 21;
/// The maximum number of steps. A step is about one multiplication of two words, which takes one or
/// two nanoseconds.
const MAX_STEPS: u64 = 250_000_000;

/// The number of steps that one computation of odds may still take.
#[derive(Clone, Debug)]
pub(crate) struct WorkBudget {
    left: u64,
}

impl WorkBudget {
    pub(crate) fn new() -> WorkBudget {
        WorkBudget { left: MAX_STEPS }
    }

    /// Subtracts steps from the budget. Fails if too few are left.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), OddsError> {
        self.left = self.left.checked_sub(steps).ok_or(OddsError::TooMuchWork)?;
        Ok(())
    }

    /// Checks that a row of weights is within the limits on values and memory.
    pub(crate) fn check_size(&self, values: u64, width: usize) -> Result<(), OddsError> {
        if values > MAX_VALUES || values.saturating_mul(width as u64) > MAX_WORDS {
            return Err(OddsError::TooManyValues);
        }
        Ok(())
    }
}

/// Returns the number of 64-bit words that a number takes, at least 1.
pub(crate) fn word_count(n: &BigUint) -> usize {
    usize::try_from(n.bits().div_ceil(64)).unwrap_or(usize::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::{MAX_STEPS, MAX_VALUES, MAX_WORDS, OddsError, WorkBudget, word_count};
    use num_bigint::BigUint;

    #[test]
    fn a_budget_is_spent_to_its_last_step() {
        let mut work = WorkBudget::new();
        assert_eq!(work.spend(MAX_STEPS - 3), Ok(()));
        assert_eq!(work.spend(3), Ok(()));
        assert_eq!(work.spend(0), Ok(()));
        assert_eq!(work.spend(1), Err(OddsError::TooMuchWork));
    }

    #[test]
    fn a_row_of_weights_has_room_up_to_its_limits() {
        let work = WorkBudget::new();
        assert_eq!(work.check_size(MAX_VALUES, 6), Ok(()));
        assert_eq!(work.check_size(MAX_VALUES + 1, 1), Err(OddsError::TooManyValues));
        assert_eq!(work.check_size(MAX_WORDS / 8, 8), Ok(()));
        assert_eq!(work.check_size(MAX_WORDS / 8 + 1, 8), Err(OddsError::TooManyValues));
    }

    #[test]
    fn a_number_takes_the_words_of_its_bits() {
        let bits = [0u32, 1, 63, 64, 65, 128].map(|n| word_count(&(BigUint::from(1u8) << n)));
        assert_eq!(bits, [1, 1, 1, 2, 2, 3]);
        assert_eq!(word_count(&BigUint::ZERO), 1);
    }
}
