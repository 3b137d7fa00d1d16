//! Random choices for games that are played at random.

use adjutant_dice::{SeededSource, Source};

/// Returns a random number below `count`, or 0 if `count` is 0. All numbers are equally likely.
pub(super) fn random_below(dice: &mut SeededSource, count: usize) -> usize {
    let sides = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    dice.face(sides).map_or(0, |face| face as usize - 1)
}

/// Returns a random whole number from `low` to `high` or, if the range is large, to 100 above
/// `low`. Returns `low` if `high` is lower.
pub(super) fn random_between(dice: &mut SeededSource, low: i64, high: i64) -> i64 {
    let span = usize::try_from(high.saturating_sub(low)).unwrap_or(0).min(100);
    low.saturating_add(random_below(dice, span + 1) as i64)
}
