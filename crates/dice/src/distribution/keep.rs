//! The odds of the highest, lowest or middle dice among a known number of dice.

use std::ops::Range;

use num_bigint::BigUint;
use num_integer::Integer;

use super::Distribution;
use super::poly::{Polynomial, to_words};
use super::sum;
use super::work::{OddsError, WorkBudget};

/// A possible value of a die when dice are chosen.
#[derive(Clone, Debug)]
pub(crate) struct WeightedFace {
    pub(crate) value: i64,
    pub(crate) weight: BigUint,
    /// The odds of the amount that the die adds to the total if it is chosen: its value or the
    /// number of its successes, after further modifiers.
    pub(crate) worth: Distribution,
}

/// Scales the weights in the `worth` of each face so that all faces have the same total weight.
pub(crate) fn equalize_weights(faces: &mut [WeightedFace]) {
    let common = faces.iter().fold(BigUint::from(1u32), |c, f| c.lcm(&f.worth.total));
    for face in faces {
        let factor = &common / &face.worth.total;
        if factor != BigUint::from(1u32) {
            face.worth.entries.iter_mut().for_each(|e| e.1 *= &factor);
            face.worth.total.clone_from(&common);
        }
    }
}

/// Returns the odds of the sum of `count` chosen dice that show this face.
pub(crate) fn total_worth(
    face: &WeightedFace,
    count: u32,
    width: usize,
    work: &mut WorkBudget,
) -> Result<Polynomial, OddsError> {
    let sum = sum::sum_of_identical(&face.worth, count, work)?;
    // The weights of the sum may have been reduced, so they are scaled back to the expected total.
    let factor = face.worth.total.pow(count) / &sum.total;
    let sum = Polynomial::from_distribution(&sum, width, work)?;
    if factor == BigUint::from(1u32) {
        return Ok(sum);
    }
    let mut scaled = Polynomial::zero(width);
    scaled.add_scaled(&sum, 0, &to_words(&factor), work)?;
    Ok(scaled)
}

/// Returns the odds of the sum of the dice with these ranks. Among `count` dice, the highest has
/// rank 0. The faces are in ascending order.
pub(crate) fn sum_of_ranks(
    mut faces: Vec<WeightedFace>,
    count: u32,
    kept: Range<u32>,
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let whole: BigUint = faces.iter().map(|f| &f.weight).sum();
    let each = faces.first().map_or(BigUint::from(1u32), |f| f.worth.total.clone());
    let keep = kept.end - kept.start;
    let bits = whole.bits() * u64::from(count) + each.bits() * u64::from(keep);
    let width = usize::try_from(bits.div_ceil(64)).unwrap_or(usize::MAX);
    work.check_size(1, width)?;
    let result = if kept.start == 0 {
        faces.reverse();
        sum_of_best(&faces, count, keep, width, work)?
    } else if kept.end == count {
        sum_of_best(&faces, count, keep, width, work)?
    } else {
        faces.reverse();
        sum_of_middle(&faces, count, kept, width, work)?
    };
    result.into_distribution().ok_or(OddsError::TooMuchWork)
}

/// Returns the odds of the sum of the best `keep` dice out of `count`. The faces are sorted from
/// the best to the worst.
///
/// Let `t` be the last face kept and `a` the number of dice better than it: these `a` dice show any
/// of the better faces. Of the other dice, at most `count - keep` are worse than `t`, and the rest
/// show `t`; `keep - a` of the dice that show `t` are kept.
pub(crate) fn sum_of_best(
    faces: &[WeightedFace],
    count: u32,
    keep: u32,
    width: usize,
    work: &mut WorkBudget,
) -> Result<Polynomial, OddsError> {
    work.spend(faces.len() as u64 * (2_000 + u64::from(keep) * (100 + width as u64)))?;
    let mut result = Polynomial::zero(width);
    let mut better = Polynomial::zero(width);
    let mut worse: BigUint = faces.iter().map(|f| &f.weight).sum();
    for face in faces {
        worse -= &face.weight;
        let rest = ways_at_most_worse(&worse, &face.weight, count - keep, count);
        let mut power = Polynomial::one(width);
        let mut ways = BigUint::from(1u32);
        for (a, others) in (0..keep).zip(rest.iter().rev()) {
            let equal = total_worth(face, keep - a, width, work)?;
            result.add_product(&power, &equal, &to_words(&(&ways * others)), work)?;
            if better.is_zero() {
                break;
            }
            power = match better.as_run() {
                Some((low, length)) => power.multiply_by_run(low, length, work)?,
                None => {
                    let mut next = Polynomial::zero(width);
                    next.add_product(&power, &better, &[1], work)?;
                    next
                }
            };
            ways = ways * (count - a) / (a + 1);
        }
        let one = total_worth(face, 1, width, work)?;
        better.add_scaled(&one, 0, &to_words(&face.weight), work)?;
    }
    Ok(result)
}

/// Returns, for every number of dice from `spare + 1` to `count`, the number of ways in which at
/// most `spare` of them are worse than a face and all others show it.
///
/// An additional die may be worse or equal, but not worse if `spare` dice are already worse:
/// T(n+1) = (e + w) T(n) - w C(n, spare) w^spare e^(n-spare).
fn ways_at_most_worse(worse: &BigUint, equal: &BigUint, spare: u32, count: u32) -> Vec<BigUint> {
    let either = worse + equal;
    let mut ways = either.pow(spare);
    let mut full = worse.pow(spare);
    let mut all = Vec::with_capacity((count - spare) as usize);
    for n in spare..count {
        ways = &either * ways - worse * &full;
        all.push(ways.clone());
        full = full * equal * (n + 1) / (n + 1 - spare);
    }
    all
}

/// Returns the odds of the sum of the dice with these ranks. The faces are sorted in the order of
/// the ranks, so the dice that show a face take the ranks after all dice that show an earlier face.
pub(crate) fn sum_of_middle(
    faces: &[WeightedFace],
    count: u32,
    kept: Range<u32>,
    width: usize,
    work: &mut WorkBudget,
) -> Result<Polynomial, OddsError> {
    let mut placed = vec![Polynomial::zero(width); count as usize + 1];
    placed[0] = Polynomial::one(width);
    for (i, face) in faces.iter().enumerate() {
        let mut next = vec![Polynomial::zero(width); count as usize + 1];
        for from in 0..=count {
            let before = &placed[from as usize];
            if before.is_zero() {
                continue;
            }
            // All remaining dice show the last face.
            let least = if i + 1 == faces.len() { count - from } else { 0 };
            let mut ways = BigUint::from(1u32);
            for more in 0..=count - from {
                work.spend(200 + width as u64)?;
                if more >= least {
                    let chosen = kept.end.min(from + more).saturating_sub(kept.start.max(from));
                    let worth = total_worth(face, chosen, width, work)?;
                    let to = &mut next[(from + more) as usize];
                    to.add_product(before, &worth, &to_words(&ways), work)?;
                }
                ways = ways * (count - from - more) / (more + 1) * &face.weight;
            }
        }
        placed = next;
    }
    Ok(placed.pop().unwrap_or_else(|| Polynomial::zero(width)))
}
