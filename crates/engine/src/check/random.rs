//! Random choices for games that are played at random.

use adjutant_dice::{SeededSource, Source};

/// Returns a random number below `count`, or 0 if `count` is 0. All numbers are equally likely.
pub(super) fn random_below(dice: &mut SeededSource, count: usize) -> usize {
    let sides = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    dice.face(sides).map_or(0, |face| face as usize - 1)
}
