//! The odds of a pool, from the same modifiers that rolling carries out.
//!
//! Up to the first choice among dice, and again after the last, the dice are independent. So a pool
//! is one die, the choice, and the final worth of each chosen die. Pools for which this does not
//! hold are refused when they are parsed.

use num_bigint::BigUint;

use super::Distribution;
use super::explode::{self, ExplosionChain};
use super::keep::{self, Face};
use super::sum;
use super::work::{OddsError, Work};
use crate::die::{Comparison, Die, Point};
use crate::modifier::{DiceEnd, DiceModifier};
use crate::notation::EXPLOSION_LIMIT;
use crate::pool::Pool;

impl Pool {
    /// Returns the exact odds of every total.
    pub fn distribution(&self) -> Result<Distribution, OddsError> {
        odds(self, &mut Work::new())
    }
}

pub(crate) fn odds(pool: &Pool, work: &mut Work) -> Result<Distribution, OddsError> {
    let one = fresh(pool.die);
    // Changing a die costs a few small numbers a face.
    let steps = one.entries.len() as u64 * pool.modifiers.len() as u64;
    work.spend(steps * 1_000)?;
    let highest = Point { comparison: Comparison::Equal, value: pool.die.highest() };
    let explodes_highest = pool.modifiers.first() == Some(&DiceModifier::Explode(highest));
    if let (Die::Plain(sides), true, [_], None) =
        (pool.die, explodes_highest, &*pool.modifiers, pool.successes)
    {
        return sum::exploding(sides, EXPLOSION_LIMIT, pool.count, work);
    }
    let Some(first) = pool.modifiers.iter().position(|m| m.selects()) else {
        let one = worth(pool, &one, &pool.modifiers, work)?.reduced();
        return sum::power(&one, pool.count, work);
    };
    let (before, after) = pool.modifiers.split_at(first);
    if let Some(at) = before.iter().position(|m| matches!(m, DiceModifier::Explode(_))) {
        let DiceModifier::Explode(point) = before[at] else { return Err(OddsError::TooMuchWork) };
        let start = changed(pool.die, &one, &before[..at]);
        let chain =
            ExplosionChain::new(&start, &one, point, |d| changed(pool.die, d, &before[at + 1..]));
        let faces = faces(pool, &chain.values(), &after[1..], work)?;
        if let (true, [_], DiceModifier::Keep(DiceEnd::Highest, n)) =
            (explodes_highest, before, after[0])
        {
            return explode::best(faces, pool.count, n, work).map(Distribution::reduced);
        }
        return explode::choose(&chain, &faces, pool.count, after[0], work)
            .map(Distribution::reduced);
    }
    let one = changed(pool.die, &one, before).reduced();
    let faces = faces(pool, &one, after, work)?;
    let kept = ranks(pool.count, after);
    keep::choose(faces, pool.count, kept, work).map(Distribution::reduced)
}

/// Returns the ranks of the dice kept in the end, counted from the highest. Between two choices only
/// `min` and `max` are allowed, and they keep the order; what follows the last choice does not
/// matter here.
fn ranks(count: u32, modifiers: &[DiceModifier]) -> std::ops::Range<u32> {
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

/// Returns every value a die can have when dice are chosen, in ascending order, with its worth if
/// chosen. All worths have the same total weight.
fn faces(
    pool: &Pool,
    one: &Distribution,
    after: &[DiceModifier],
    work: &mut Work,
) -> Result<Vec<Face>, OddsError> {
    let mut faces = Vec::with_capacity(one.entries.len());
    for (value, weight) in &one.entries {
        let worth = worth(pool, &Distribution::constant(*value), after, work)?.reduced();
        faces.push(Face { value: *value, weight: weight.clone(), worth });
    }
    keep::level(&mut faces);
    Ok(faces)
}

/// Returns what a die adds to the total, with the dice it brings by exploding.
fn worth(
    pool: &Pool,
    start: &Distribution,
    modifiers: &[DiceModifier],
    work: &mut Work,
) -> Result<Distribution, OddsError> {
    let count = |d: Distribution| match pool.successes {
        Some(point) => d.map(|v| i64::from(point.holds(v))),
        None => d,
    };
    let exploding = modifiers.iter().position(|m| matches!(m, DiceModifier::Explode(_)));
    let Some((at, DiceModifier::Explode(point))) = exploding.map(|at| (at, modifiers[at])) else {
        return Ok(count(changed(pool.die, start, modifiers)));
    };
    let start = changed(pool.die, start, &modifiers[..at]);
    if start.only(|v| point.holds(v)).is_none() {
        return Ok(count(changed(pool.die, &start, &modifiers[at + 1..])));
    }
    let fresh = fresh(pool.die);
    let chain = ExplosionChain::new(&start, &fresh, point, |d| {
        count(changed(pool.die, d, &modifiers[at + 1..]))
    });
    chain.sum(EXPLOSION_LIMIT, work)
}

/// Returns the odds of a die just thrown.
fn fresh(die: Die) -> Distribution {
    let one = BigUint::from(1u32);
    let entries = (0..die.faces()).map(|r| (i64::from(die.face(r)), one.clone())).collect();
    Distribution { entries, total: die.faces().into() }
}

/// Returns the odds of a die after rerolls, `min` and `max`.
fn changed(die: Die, start: &Distribution, modifiers: &[DiceModifier]) -> Distribution {
    let mut now = start.clone();
    for modifier in modifiers {
        now = match *modifier {
            DiceModifier::Minimum(n) => now.map(|v| v.max(n.into())),
            DiceModifier::Maximum(n) => now.map(|v| v.min(n.into())),
            DiceModifier::Reroll { point, once } => rerolled(die, now, point, once),
            DiceModifier::Keep(..) | DiceModifier::Drop(..) | DiceModifier::Explode(_) => now,
        };
    }
    now
}

/// Returns the odds of a rerolled die. Rerolled until it stays, it shows one of the faces that stay,
/// all equally likely.
fn rerolled(die: Die, now: Distribution, point: Point, once: bool) -> Distribution {
    let Some(again) = now.only(|v| point.holds(v)) else { return now };
    let fresh = fresh(die);
    let new = if once { Some(fresh) } else { fresh.only(|v| !point.holds(v)) };
    let stays = now.only(|v| !point.holds(v));
    let mut parts = Vec::new();
    if let Some(new) = &new {
        parts.push((again.total, new));
    }
    if let Some(stays) = &stays {
        parts.push((stays.total.clone(), stays));
    }
    Distribution::mixture(&parts).unwrap_or(now)
}
