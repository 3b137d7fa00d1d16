//! The odds of dice that explode. Each die whose face matches adds another die, up to a limit.

use indexmap::IndexMap;
use num_bigint::BigUint;

use super::Distribution;
use super::arithmetic;
use super::keep::{self, WeightedFace, total_worth};
use super::poly::{Polynomial, to_words};
use super::sum;
use super::work::{OddsError, WorkBudget};
use crate::die::ComparePoint;
use crate::modifier::{DiceEnd, DiceModifier};
use crate::notation::EXPLOSION_LIMIT;

/// A die that stops or explodes: the weight of each case, and the odds of the die in that case.
struct ExplosionLink {
    stop: Option<(BigUint, Distribution)>,
    go: Option<(BigUint, Distribution)>,
}

impl ExplosionLink {
    fn new(
        die: &Distribution,
        point: ComparePoint,
        then: &impl Fn(&Distribution) -> Distribution,
    ) -> ExplosionLink {
        let part = |go: bool| {
            let part = die.filter(|v| point.holds(v) == go)?;
            let after = then(&part).reduced();
            Some((part.total, after))
        };
        ExplosionLink { stop: part(false), go: part(true) }
    }

    fn cases(&self) -> impl Iterator<Item = &(BigUint, Distribution)> {
        self.stop.iter().chain(&self.go)
    }
}

/// The chain of dice that starts with one die of the pool.
pub(crate) struct ExplosionChain {
    /// The die of the pool itself.
    first: ExplosionLink,
    /// Each further die.
    extra: ExplosionLink,
}

impl ExplosionChain {
    /// Returns the chain of dice that explode on matching faces, with the modifiers `then` applied
    /// afterwards.
    pub(crate) fn new(
        first: &Distribution,
        extra: &Distribution,
        point: ComparePoint,
        then: impl Fn(&Distribution) -> Distribution,
    ) -> ExplosionChain {
        ExplosionChain {
            first: ExplosionLink::new(first, point, &then),
            extra: ExplosionLink::new(extra, point, &then),
        }
    }

    /// Returns all values that the dice can have. Their weights are meaningless.
    pub(crate) fn values(&self) -> Distribution {
        let parts: Vec<_> =
            self.first.cases().chain(self.extra.cases()).map(|(w, d)| (w.clone(), d)).collect();
        Distribution::mixture(&parts).unwrap_or_else(|| Distribution::constant(0))
    }

    /// Returns the odds of the sum of the first die and up to `limit` further dice.
    pub(crate) fn sum(&self, limit: u32, work: &mut WorkBudget) -> Result<Distribution, OddsError> {
        let mut tail: Option<Distribution> = None;
        for round in (0..=limit).rev() {
            let link = if round == 0 { &self.first } else { &self.extra };
            let go = match (&link.go, &tail) {
                (Some((weight, die)), Some(tail)) => {
                    Some((weight.clone(), arithmetic::sum(die, tail, work)?))
                }
                (Some(last), None) => Some(last.clone()),
                (None, _) => None,
            };
            let parts: Vec<_> = link.stop.iter().chain(&go).map(|(w, d)| (w.clone(), d)).collect();
            tail = Distribution::mixture(&parts).map(Distribution::reduced);
        }
        tail.ok_or(OddsError::TooMuchWork)
    }
}

/// Returns the odds of the sum of the `keep` highest dice, if every die that shows the highest face
/// adds another die. The dice with that face are kept first, then the best dice without it, so only
/// the number of dice of each sort matters.
pub(crate) fn sum_of_highest(
    mut faces: Vec<WeightedFace>,
    count: u32,
    keep: u32,
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let Some(top) = faces.pop() else { return Err(OddsError::TooMuchWork) };
    faces.iter_mut().for_each(|face| face.weight = BigUint::from(1u32));
    let others = BigUint::from(faces.len());
    let sides = BigUint::from(faces.len() + 1);
    // The weights, indexed by two numbers: the number of highest faces rolled, counted up to
    // `keep`, and the number of dice that exploded as often as allowed.
    let most = keep as usize;
    let limit = EXPLOSION_LIMIT as usize;
    let mut ways = IndexMap::from([((0, 0), BigUint::from(1u32))]);
    for _ in 0..count {
        work.spend((ways.len() * (limit + 2) * 200) as u64)?;
        let mut next = IndexMap::<(usize, u32), BigUint>::new();
        for ((tops, full), weight) in &ways {
            let mut of = weight * sides.pow(EXPLOSION_LIMIT) * &others;
            for more in 0..=limit {
                *next.entry(((tops + more).min(most), *full)).or_default() += &of;
                of /= &sides;
            }
            *next.entry(((tops + limit + 1).min(most), full + 1)).or_default() += weight;
        }
        ways = next;
    }
    let mut parts = Vec::new();
    for ((tops, full), weight) in ways {
        let highest = sum::sum_of_identical(&top.worth, tops as u32, work)?;
        // Only `count - full` dice show another face: a chain that exploded as often as allowed
        // consists of highest faces only.
        let lower = match keep - tops as u32 {
            0 => Distribution::constant(0),
            left => keep::sum_of_ranks(faces.clone(), count - full, 0..left, work)?,
        };
        parts.push((weight, arithmetic::sum(&highest, &lower, work)?));
    }
    let parts: Vec<_> = parts.iter().map(|(weight, part)| (weight.clone(), part)).collect();
    Distribution::mixture(&parts).ok_or(OddsError::TooMuchWork)
}

/// A link of the chain, with a weight for each face. All weights are over one denominator.
struct WeightedLink {
    stop: Vec<(usize, BigUint)>,
    go: Vec<(usize, BigUint)>,
    total: BigUint,
}

impl WeightedLink {
    fn new(link: &ExplosionLink, faces: &[WeightedFace]) -> WeightedLink {
        let whole: BigUint = link.cases().map(|p| &p.0).sum();
        let common = link
            .cases()
            .fold(BigUint::from(1u32), |c, (_, d)| num_integer::lcm(c, d.total.clone()));
        let side = |part: &Option<(BigUint, Distribution)>| {
            let mut indices = Vec::new();
            if let Some((weight, die)) = part {
                let factor = &common / &die.total * weight;
                for (value, own) in &die.entries {
                    if let Ok(index) = faces.binary_search_by_key(value, |f| f.value) {
                        indices.push((index, own * &factor));
                    }
                }
            }
            indices
        };
        WeightedLink { stop: side(&link.stop), go: side(&link.go), total: whole * common }
    }
}

/// The odds of the total value of the dice that count, for each number of dice beyond the threshold
/// and each number of chosen dice exactly at it.
type WorthTable = Vec<Polynomial>;

/// A way to choose dice from the end `from` of the scale: `beyond` dice that show faces beyond the
/// face `at`, and `on` more dice that show the face `at`. Because the number of dice is not known
/// in advance, ranks are counted from the end where the choice begins.
struct ChoiceThreshold<'a> {
    faces: &'a [WeightedFace],
    at: usize,
    from: DiceEnd,
    beyond: u32,
    on: u32,
    /// True if the chosen dice count, false if the others do.
    keep: bool,
    width: usize,
}

/// Returns the odds of an exploding pool's sum after one choice among all its dice.
///
/// As in `keep::sum_of_best`, outcomes are grouped by the last face chosen and the number of dice
/// beyond it; the chains are then followed die by die.
pub(crate) fn sum_of_chosen(
    chain: &ExplosionChain,
    faces: &[WeightedFace],
    count: u32,
    choice: DiceModifier,
    work: &mut WorkBudget,
) -> Result<Distribution, OddsError> {
    let (from, n, keep) = match choice {
        DiceModifier::Keep(end, n) => (end, n, true),
        DiceModifier::Drop(end, n) => (end, n, false),
        // These modifiers don't choose dice.
        DiceModifier::Explode(_) | DiceModifier::Reroll { .. } => {
            return Err(OddsError::TooMuchWork);
        }
        DiceModifier::Minimum(_) | DiceModifier::Maximum(_) => return Err(OddsError::TooMuchWork),
    };
    let first = WeightedLink::new(&chain.first, faces);
    let extra = WeightedLink::new(&chain.extra, faces);
    let each = faces.first().map_or(BigUint::from(1u32), |f| f.worth.total.clone());
    let limit = u64::from(EXPLOSION_LIMIT);
    let bits = first.total.bits() + extra.total.bits() * limit + each.bits() * (limit + 1);
    let width = usize::try_from((bits * u64::from(count)).div_ceil(64)).unwrap_or(usize::MAX);
    work.check_size(1, width)?;
    let mut result = Polynomial::zero(width);
    for at in 0..faces.len() {
        for beyond in 0..n {
            let threshold =
                ChoiceThreshold { faces, at, from, beyond, on: n - beyond, keep, width };
            let mut counts = threshold.empty_table();
            counts[0] = Polynomial::one(width);
            for _ in 0..count {
                counts = threshold.add_chain(&counts, &first, &extra, work)?;
            }
            if let Some(full) = counts.last() {
                result.add_scaled(full, 0, &[1], work)?;
            }
        }
    }
    result.into_distribution().ok_or(OddsError::TooMuchWork)
}

impl ChoiceThreshold<'_> {
    fn empty_table(&self) -> WorthTable {
        vec![Polynomial::zero(self.width); (self.beyond as usize + 1) * (self.on as usize + 1)]
    }

    /// Returns the table after one more die of the pool with its chain.
    fn add_chain(
        &self,
        counts: &WorthTable,
        first: &WeightedLink,
        extra: &WeightedLink,
        work: &mut WorkBudget,
    ) -> Result<WorthTable, OddsError> {
        let each = self.faces.first().map_or(BigUint::from(1u32), |f| f.worth.total.clone());
        // A die that is not thrown still counts with its weight, so that all chains have the same
        // total weight.
        let unthrown = &extra.total * each;
        let mut done = self.empty_table();
        self.add_die(counts, &first.stop, &unthrown.pow(EXPLOSION_LIMIT), &mut done, work)?;
        let mut going = self.empty_table();
        self.add_die(counts, &first.go, &BigUint::from(1u32), &mut going, work)?;
        for left in (0..EXPLOSION_LIMIT).rev() {
            if going.iter().all(Polynomial::is_zero) {
                break;
            }
            self.add_die(&going, &extra.stop, &unthrown.pow(left), &mut done, work)?;
            let mut next = self.empty_table();
            let onward = if left == 0 { &mut done } else { &mut next };
            self.add_die(&going, &extra.go, &BigUint::from(1u32), onward, work)?;
            going = next;
        }
        Ok(done)
    }

    /// Adds to the table `to` the results of `counts` after one more die, which shows one of these
    /// faces.
    fn add_die(
        &self,
        counts: &WorthTable,
        falls: &[(usize, BigUint)],
        scale: &BigUint,
        to: &mut WorthTable,
        work: &mut WorkBudget,
    ) -> Result<(), OddsError> {
        let row = self.on as usize + 1;
        for (i, before) in counts.iter().enumerate().filter(|(_, p)| !p.is_zero()) {
            let beyond = i / row;
            let on = i % row;
            for (face, weight) in falls {
                let (is_beyond, is_on) = match self.from {
                    DiceEnd::Highest => (*face > self.at, *face == self.at),
                    DiceEnd::Lowest => (*face < self.at, *face == self.at),
                };
                if is_beyond && beyond == self.beyond as usize {
                    continue;
                }
                let chosen = is_beyond || is_on && on < self.on as usize;
                let index = (beyond + usize::from(is_beyond)) * row
                    + on
                    + usize::from(is_on && on < self.on as usize);
                let weight = weight * scale;
                let face = &self.faces[*face];
                if chosen == self.keep {
                    let worth = total_worth(face, 1, self.width, work)?;
                    to[index].add_product(before, &worth, &to_words(&weight), work)?;
                } else {
                    let weight = weight * &face.worth.total;
                    to[index].add_scaled(before, 0, &to_words(&weight), work)?;
                }
            }
        }
        Ok(())
    }
}
