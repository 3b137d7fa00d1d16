//! The highest, lowest or middle dice of a known number of dice.

use std::ops::Range;

use num_bigint::BigUint;
use num_integer::Integer;

use super::Distribution;
use super::poly::{Poly, to_words};
use super::sum;
use super::work::{OddsError, Work};

/// A value a die can have when dice are chosen.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    pub(crate) value: i64,
    pub(crate) weight: BigUint,
    /// The amount the die adds to the total if it is chosen: its value or a success, after further
    /// modifiers.
    pub(crate) worth: Distribution,
}

/// Brings the worths of all faces to the same total weight.
pub(crate) fn level(faces: &mut [Face]) {
    let common = faces.iter().fold(BigUint::from(1u32), |c, f| c.lcm(&f.worth.total));
    for face in faces {
        let factor = &common / &face.worth.total;
        if factor != BigUint::from(1u32) {
            face.worth.entries.iter_mut().for_each(|e| e.1 *= &factor);
            face.worth.total.clone_from(&common);
        }
    }
}

/// Returns the sum of `count` chosen dice that show this face.
pub(crate) fn worth_of(
    face: &Face,
    count: u32,
    width: usize,
    work: &mut Work,
) -> Result<Poly, OddsError> {
    let sum = sum::power(&face.worth, count, work)?;
    // The sum may be reduced further than the worths.
    let factor = face.worth.total.pow(count) / &sum.total;
    let sum = Poly::from_distribution(&sum, width, work)?;
    if factor == BigUint::from(1u32) {
        return Ok(sum);
    }
    let mut scaled = Poly::zero(width);
    scaled.add_scaled(&sum, 0, &to_words(&factor), work)?;
    Ok(scaled)
}

/// Returns the sum of the dice with these ranks, counted from the highest of `count`. The faces are
/// in ascending order.
pub(crate) fn choose(
    mut faces: Vec<Face>,
    count: u32,
    kept: Range<u32>,
    work: &mut Work,
) -> Result<Distribution, OddsError> {
    let whole: BigUint = faces.iter().map(|f| &f.weight).sum();
    let each = faces.first().map_or(BigUint::from(1u32), |f| f.worth.total.clone());
    let keep = kept.end - kept.start;
    let bits = whole.bits() * u64::from(count) + each.bits() * u64::from(keep);
    let width = usize::try_from(bits.div_ceil(64)).unwrap_or(usize::MAX);
    work.room(1, width)?;
    let result = if kept.start == 0 {
        faces.reverse();
        best(&faces, count, keep, width, work)?
    } else if kept.end == count {
        best(&faces, count, keep, width, work)?
    } else {
        faces.reverse();
        middle(&faces, count, kept, width, work)?
    };
    result.into_distribution().ok_or(OddsError::TooMuchWork)
}

/// Returns the first `keep` of `count` dice. The faces are sorted from the best on.
///
/// Let `t` be the last face kept and `a` the number of dice better than it: these are `a` free dice
/// with better faces, the remaining `keep - a` are all `t`, and of the other dice at most `count -
/// keep` are worse than `t`.
pub(crate) fn best(
    faces: &[Face],
    count: u32,
    keep: u32,
    width: usize,
    work: &mut Work,
) -> Result<Poly, OddsError> {
    work.spend(faces.len() as u64 * (2_000 + u64::from(keep) * (100 + width as u64)))?;
    let mut result = Poly::zero(width);
    let mut better = Poly::zero(width);
    let mut worse: BigUint = faces.iter().map(|f| &f.weight).sum();
    for face in faces {
        worse -= &face.weight;
        let rest = at_most_worse(&worse, &face.weight, count - keep, count);
        let mut power = Poly::one(width);
        let mut ways = BigUint::from(1u32);
        for (a, others) in (0..keep).zip(rest.iter().rev()) {
            let equal = worth_of(face, keep - a, width, work)?;
            result.add_product(&power, &equal, &to_words(&(&ways * others)), work)?;
            if better.is_zero() {
                break;
            }
            power = match better.run() {
                Some((low, length)) => power.times_run(low, length, work)?,
                None => {
                    let mut next = Poly::zero(width);
                    next.add_product(&power, &better, &[1], work)?;
                    next
                }
            };
            ways = ways * (count - a) / (a + 1);
        }
        let one = worth_of(face, 1, width, work)?;
        better.add_scaled(&one, 0, &to_words(&face.weight), work)?;
    }
    Ok(result)
}

/// Returns, for every number of dice from `spare + 1` to `count`, the number of ways in which at
/// most `spare` of them are worse and all others equal.
///
/// One more die may be either, but not worse if `spare` dice already are:
/// T(n+1) = (e + w) T(n) - w C(n, spare) w^spare e^(n-spare).
fn at_most_worse(worse: &BigUint, equal: &BigUint, spare: u32, count: u32) -> Vec<BigUint> {
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

/// Returns the dice of these ranks. The faces are sorted from the first rank on; face by face, the
/// dice that show it take the next ranks.
pub(crate) fn middle(
    faces: &[Face],
    count: u32,
    kept: Range<u32>,
    width: usize,
    work: &mut Work,
) -> Result<Poly, OddsError> {
    let mut placed = vec![Poly::zero(width); count as usize + 1];
    placed[0] = Poly::one(width);
    for (i, face) in faces.iter().enumerate() {
        let mut next = vec![Poly::zero(width); count as usize + 1];
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
                    let worth = worth_of(face, chosen, width, work)?;
                    let to = &mut next[(from + more) as usize];
                    to.add_product(before, &worth, &to_words(&ways), work)?;
                }
                ways = ways * (count - from - more) / (more + 1) * &face.weight;
            }
        }
        placed = next;
    }
    Ok(placed.pop().unwrap_or_else(|| Poly::zero(width)))
}
