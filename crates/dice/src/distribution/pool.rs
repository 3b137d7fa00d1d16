//! The odds of a pool, computed from the same modifiers that a roll applies.
//!
//! The dice are independent before the first choice among them, and again after the last choice.
//! The odds of a pool are therefore computed from the odds of one die, the choice, and the final
//! value of each chosen die. The parser refuses pools for which this method doesn't work.

use num_bigint::BigUint;

use super::Distribution;
use super::explode::{self, ExplosionChain};
use super::keep::{self, WeightedFace};
use super::sum;
use super::work::{OddsError, WorkBudget};
use crate::die::{ComparePoint, Comparison, Die};
use crate::modifier::{DiceEnd, DiceModifier};
use crate::notation::EXPLOSION_LIMIT;
use crate::pool::Pool;

impl Pool {
    /// Returns the exact odds of every total; fails if they exceed the limits on time and memory.
    pub fn distribution(&self) -> Result<Distribution, OddsError> {
        pool_distribution(self, &mut WorkBudget::new())
    }
}

pub(crate) fn pool_distribution(
    pool: &Pool,
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let one = die_distribution(pool.die);
    // Applying a modifier to a die takes a few operations on small numbers for each face.
    let steps = one.entries.len() as u64 * pool.modifiers.len() as u64;
    work.spend(steps * 1_000)?;
    let highest = ComparePoint { comparison: Comparison::Equal, value: pool.die.highest() };
    let explodes_highest = pool.modifiers.first() == Some(&DiceModifier::Explode(highest));
    if let (Die::Plain(sides), true, [_], None) =
        (pool.die, explodes_highest, &*pool.modifiers, pool.successes)
    {
        return sum::sum_of_exploding(sides, EXPLOSION_LIMIT, pool.count, work);
    }
    let Some(first) = pool.modifiers.iter().position(|m| m.selects_dice()) else {
        let one = die_worth(pool, &one, &pool.modifiers, work)?.reduced();
        return sum::sum_of_identical(&one, pool.count, work);
    };
    let (before, after) = pool.modifiers.split_at(first);
    if let Some(at) = before.iter().position(|m| matches!(m, DiceModifier::Explode(_))) {
        let DiceModifier::Explode(point) = before[at] else { return Err(OddsError::TooMuchWork) };
        let start = modified_die(pool.die, &one, &before[..at]);
        let chain =
            ExplosionChain::new(&start, &one, point, |d| modified_die(pool.die, d, &before[at..]));
        let faces = weighted_faces(pool, &chain.values(), &after[1..], work)?;
        if let (true, [_], DiceModifier::Keep(DiceEnd::Highest, n)) =
            (explodes_highest, before, after[0])
        {
            return explode::sum_of_highest(faces, pool.count, n, work).map(Distribution::reduced);
        }
        return explode::sum_of_chosen(&chain, &faces, pool.count, after[0], work)
            .map(Distribution::reduced);
    }
    let one = modified_die(pool.die, &one, before).reduced();
    let faces = weighted_faces(pool, &one, after, work)?;
    let kept = kept_ranks(pool.count, after);
    keep::sum_of_ranks(faces, pool.count, kept, work).map(Distribution::reduced)
}

/// Returns the ranks of the dice that are finally kept, counted from 0 for the highest. Between two
/// choices only `min` and `max` are allowed, which preserve the order. Modifiers after the last
/// choice don't affect the ranks.
fn kept_ranks(count: u32, modifiers: &[DiceModifier]) -> std::ops::Range<u32> {
    let mut kept = 0..count;
    for modifier in modifiers {
        match *modifier {
            DiceModifier::Keep(DiceEnd::Highest, n) => kept.end = kept.start + n,
            DiceModifier::Keep(DiceEnd::Lowest, n) => kept.start = kept.end - n,
            DiceModifier::Drop(DiceEnd::Highest, n) => kept.start += n,
            DiceModifier::Drop(DiceEnd::Lowest, n) => kept.end -= n,
            DiceModifier::Minimum(_) | DiceModifier::Maximum(_) => {}
            DiceModifier::Explode(_) | DiceModifier::Reroll { .. } => {}
        }
    }
    kept
}

/// Returns every value that a die can have when dice are chosen, in ascending order, each with the
/// odds of the die's final value if it is chosen. All these odds have the same total weight.
fn weighted_faces(
    pool: &Pool,
    one: &Distribution,
    after: &[DiceModifier],
    work: &mut WorkBudget,
) -> Result<Vec<WeightedFace>, OddsError> {
    let mut faces = Vec::with_capacity(one.entries.len());
    for (value, weight) in &one.entries {
        let worth = die_worth(pool, &Distribution::constant(*value), after, work)?.reduced();
        faces.push(WeightedFace { value: *value, weight: weight.clone(), worth });
    }
    keep::equalize_weights(&mut faces);
    Ok(faces)
}

/// Returns the odds of the amount that a die adds to the total, including the extra dice of its
/// explosions.
fn die_worth(
    pool: &Pool,
    start: &Distribution,
    modifiers: &[DiceModifier],
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let count = |d: Distribution| match pool.successes {
        Some(point) => d.map(|v| i64::from(point.holds(v))),
        None => d,
    };
    let exploding = modifiers.iter().position(|m| matches!(m, DiceModifier::Explode(_)));
    let Some((at, DiceModifier::Explode(point))) = exploding.map(|at| (at, modifiers[at])) else {
        return Ok(count(modified_die(pool.die, start, modifiers)));
    };
    let start = modified_die(pool.die, start, &modifiers[..at]);
    if start.filter(|v| point.holds(v)).is_none() {
        return Ok(count(modified_die(pool.die, &start, &modifiers[at..])));
    }
    let fresh = die_distribution(pool.die);
    let chain = ExplosionChain::new(&start, &fresh, point, |d| {
        count(modified_die(pool.die, d, &modifiers[at..]))
    });
    chain.sum(EXPLOSION_LIMIT, work)
}

/// Returns the odds of a newly rolled die.
fn die_distribution(die: Die) -> Distribution {
    let one = BigUint::from(1u32);
    let entries =
        (0..die.face_count()).map(|r| (i64::from(die.face_of_rank(r)), one.clone())).collect();
    Distribution { entries, total: die.face_count().into() }
}

/// Returns the odds of a die after rerolls, `min` and `max`. Other modifiers don't change a single
/// die.
fn modified_die(die: Die, start: &Distribution, modifiers: &[DiceModifier]) -> Distribution {
    let mut now = start.clone();
    for modifier in modifiers {
        now = match *modifier {
            DiceModifier::Minimum(n) => now.map(|v| v.max(n.into())),
            DiceModifier::Maximum(n) => now.map(|v| v.min(n.into())),
            DiceModifier::Reroll { point, once } => rerolled_die(die, now, point, once),
            DiceModifier::Keep(..) | DiceModifier::Drop(..) | DiceModifier::Explode(_) => now,
        };
    }
    now
}

/// Returns the odds of a rerolled die. A die that is rerolled without limit ends on one of the
/// remaining faces, all equally likely.
fn rerolled_die(die: Die, now: Distribution, point: ComparePoint, once: bool) -> Distribution {
    let Some(again) = now.filter(|v| point.holds(v)) else { return now };
    let fresh = die_distribution(die);
    let new = if once { Some(fresh) } else { fresh.filter(|v| !point.holds(v)) };
    let stays = now.filter(|v| !point.holds(v));
    let mut parts = Vec::new();
    if let Some(new) = &new {
        parts.push((again.total, new));
    }
    if let Some(stays) = &stays {
        parts.push((stays.total.clone(), stays));
    }
    Distribution::mixture(&parts).unwrap_or(now)
}
