//! The limit on what one question about odds may cost.

use num_bigint::BigUint;

/// Why no odds can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OddsError {
    /// There are too many different results.
    #[error("there are too many different results for exact odds")]
    TooManyValues,
    /// It would take too long.
    #[error("exact odds would take too long to work out")]
    TooMuchWork,
}

/// The most values a distribution may have.
const MAX_VALUES: u64 = 1 << 20;
/// The most 64-bit words the weights of a distribution may take.
const MAX_WORDS: u64 = 1 << 22;
/// Steps, each about a multiplication of two words and so one or two nanoseconds.
const MAX_STEPS: u64 = 250_000_000;

/// What is left to be spent on one question.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    left: u64,
}

impl Work {
    pub(crate) fn new() -> Work {
        Work { left: MAX_STEPS }
    }

    /// Takes that many steps off what is left.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), OddsError> {
        self.left = self.left.checked_sub(steps).ok_or(OddsError::TooMuchWork)?;
        Ok(())
    }

    /// Makes sure that a row of so many weights fits.
    pub(crate) fn room(&self, values: u64, width: usize) -> Result<(), OddsError> {
        if values > MAX_VALUES || values.saturating_mul(width as u64) > MAX_WORDS {
            return Err(OddsError::TooManyValues);
        }
        Ok(())
    }
}

/// How many words a number takes.
pub(crate) fn words(n: &BigUint) -> usize {
    usize::try_from(n.bits().div_ceil(64)).unwrap_or(usize::MAX).max(1)
}
