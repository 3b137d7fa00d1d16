//! Rolls dice, and records the status of each.

use std::fmt::{self, Write};

use crate::bounds::align_denominators;
use crate::die::{ComparePoint, Die};
use crate::expression::{DiceNode, Expression, Factor};
use crate::modifier::{DiceEnd, DiceModifier};
use crate::notation::{EXPLOSION_LIMIT, REROLL_LIMIT};
use crate::pool::Pool;
use crate::source::{Source, SourceError};

/// The status of a die that was rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DieStatus {
    /// The die counts towards the total.
    Kept,
    /// The die was dropped by `k…` or `d…`.
    Dropped,
    /// The die was rolled again. Its new face is later in the list.
    Rerolled,
}

/// One die that was rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThrownDie {
    /// The face rolled, before any modifier.
    pub face: i32,
    /// The value after `min` and `max`.
    pub value: i32,
    /// The status: counted, dropped or rerolled.
    pub status: DieStatus,
    /// True if the die exploded, so that another die was rolled.
    pub exploded: bool,
    /// True if the pool counts the die as a success.
    pub success: bool,
}

impl fmt::Display for ThrownDie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = match self.status {
            DieStatus::Kept => ("", ""),
            DieStatus::Dropped => ("(", ")"),
            DieStatus::Rerolled => ("~", ""),
        };
        write!(f, "{open}{}", self.face)?;
        if self.value != self.face {
            write!(f, "→{}", self.value)?;
        }
        let marks = (if self.exploded { "!" } else { "" }, if self.success { "*" } else { "" });
        write!(f, "{}{}{close}", marks.0, marks.1)
    }
}

/// The result of a pool. It is written as in `[5 3 (1) 6! 2]`: `(1)` was dropped, `~1` was
/// rerolled, `6!` exploded, `1→2` was raised or lowered, and `7*` counts as a success.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PoolRoll {
    /// Every die, in the order of the rolls: the pool first, then rerolls and extra dice.
    pub dice: Vec<ThrownDie>,
    /// The sum of the dice that count, or the number of successes.
    pub total: i64,
}

impl fmt::Display for PoolRoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, die) in self.dice.iter().enumerate() {
            write!(f, "{}{die}", if i == 0 { "[" } else { " " })?;
        }
        f.write_str("]")
    }
}

impl PoolRoll {
    /// Parses dice in the form in which a [`PoolRoll`] is written; `None` if the text is not valid.
    pub fn parse_dice(written: &str) -> Option<Vec<ThrownDie>> {
        written
            .strip_prefix('[')?
            .strip_suffix(']')?
            .split_whitespace()
            .map(ThrownDie::parse)
            .collect()
    }
}

impl ThrownDie {
    fn parse(written: &str) -> Option<ThrownDie> {
        let dropped = written.strip_prefix('(').and_then(|die| die.strip_suffix(')'));
        let again = written.strip_prefix('~');
        let status = match (dropped, again) {
            (Some(_), _) => DieStatus::Dropped,
            (None, Some(_)) => DieStatus::Rerolled,
            (None, None) => DieStatus::Kept,
        };
        let die = dropped.or(again).unwrap_or(written);
        let (die, success) = die.strip_suffix('*').map_or((die, false), |die| (die, true));
        let (die, exploded) = die.strip_suffix('!').map_or((die, false), |die| (die, true));
        let (face, value) = die.split_once('→').unwrap_or((die, die));
        let face = face.parse().ok()?;
        let value = value.parse().ok()?;
        Some(ThrownDie { face, value, status, exploded, success })
    }
}

/// The result of an expression. It is written as the expression with the dice in place of each
/// pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpressionRoll {
    /// The pools, in the order in which they were rolled.
    pub pools: Vec<PoolRoll>,
    /// The total; 1 or 0 for a comparison.
    pub total: i64,
    shown: String,
}

impl fmt::Display for ExpressionRoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl Pool {
    /// Rolls the pool.
    pub fn roll<S: Source + ?Sized>(&self, source: &mut S) -> Result<PoolRoll, SourceError> {
        let mut tray = DiceTray::default();
        let total = tray.roll_into_tray(self, source)?;
        Ok(PoolRoll { dice: tray.dice, total })
    }
}

/// The maximum number of dice that are rolled without allocating memory.
const MAX_STACK_DICE: usize = 32;

/// Reusable memory for rolling one pool after another, for callers that need only totals.
#[derive(Clone, Debug, Default)]
pub struct DiceTray {
    dice: Vec<ThrownDie>,
    /// The value of each kept die, with its sign chosen so that the dice to keep have the lowest
    /// numbers.
    distances: Vec<i64>,
}

impl DiceTray {
    /// Rolls the pools of an expression from left to right, and returns the total.
    pub fn roll_expression<S: Source + ?Sized>(
        &mut self,
        of: &Expression,
        source: &mut S,
    ) -> Result<i64, SourceError> {
        of.root.evaluate(&mut |pool| self.roll_pool(pool, source)).map(|(total, _)| total)
    }

    /// Rolls a pool and returns the total. If the pool consists of a few plain dice, and all of
    /// them, the highest or the lowest are kept, the dice are not recorded one by one.
    pub fn roll_pool<S: Source + ?Sized>(
        &mut self,
        of: &Pool,
        source: &mut S,
    ) -> Result<i64, SourceError> {
        let kept = match (&of.modifiers[..], of.successes) {
            ([], None) => Some((DiceEnd::Highest, of.count)),
            ([DiceModifier::Keep(end, n)], None) => Some((*end, (*n).min(of.count))),
            ([DiceModifier::Drop(end, n)], None) => {
                Some((end.opposite(), of.count.saturating_sub(*n)))
            }
            _ => None,
        };
        let mut few = [0; MAX_STACK_DICE];
        let (Die::Plain(sides), Some((end, n)), Some(faces)) =
            (of.die, kept, few.get_mut(..of.count as usize))
        else {
            return self.roll_into_tray(of, source);
        };
        source.fill(sides, faces)?;
        let dropped = faces.len() - n as usize;
        if dropped > 1 {
            faces.sort_unstable();
        }
        let sum = |some: &[u32]| some.iter().map(|&face| i64::from(face)).sum::<i64>();
        let worst = match (dropped, end) {
            (0, _) => 0,
            // The most common case avoids sorting, whose branches are unpredictable for random
            // faces.
            (1, DiceEnd::Highest) => faces.iter().min().map_or(0, |&face| i64::from(face)),
            (1, DiceEnd::Lowest) => faces.iter().max().map_or(0, |&face| i64::from(face)),
            (_, DiceEnd::Highest) => sum(&faces[..dropped]),
            (_, DiceEnd::Lowest) => sum(&faces[n as usize..]),
        };
        Ok(sum(faces) - worst)
    }

    /// Rolls a pool into the tray and returns the total.
    fn roll_into_tray<S: Source + ?Sized>(
        &mut self,
        of: &Pool,
        source: &mut S,
    ) -> Result<i64, SourceError> {
        self.dice.clear();
        self.throw_more(of.die, of.count, source)?;
        for &modifier in &of.modifiers {
            match modifier {
                DiceModifier::Keep(end, n) => self.keep_nearest(end, n as usize),
                DiceModifier::Drop(end, n) => {
                    let kept = self.kept_dice().count().saturating_sub(n as usize);
                    self.keep_nearest(end.opposite(), kept);
                }
                // Each round throws one more die for every chain that continues, so the limit on
                // rounds is also the limit on the extra dice of a chain.
                DiceModifier::Explode(point) => {
                    let mark = |die: &mut ThrownDie| die.exploded = true;
                    self.throw_for_matching(of.die, point, EXPLOSION_LIMIT, mark, source)?;
                }
                DiceModifier::Reroll { point, once } => {
                    let rounds = if once { 1 } else { REROLL_LIMIT };
                    let mark = |die: &mut ThrownDie| die.status = DieStatus::Rerolled;
                    if !self.throw_for_matching(of.die, point, rounds, mark, source)? && !once {
                        return Err(SourceError::Stuck { sides: of.die.sides_and_count().0 });
                    }
                }
                DiceModifier::Minimum(n) => self.kept_dice().for_each(|d| d.value = d.value.max(n)),
                DiceModifier::Maximum(n) => self.kept_dice().for_each(|d| d.value = d.value.min(n)),
            }
        }
        if let Some(point) = of.successes {
            self.kept_dice().for_each(|d| d.success = point.holds(d.value));
        }
        let worth = |d: &ThrownDie| match of.successes {
            Some(_) => i64::from(d.success),
            None => i64::from(d.value),
        };
        let kept = |d: &ThrownDie| i64::from(d.status == DieStatus::Kept);
        Ok(self.dice.iter().map(|d| kept(d) * worth(d)).sum())
    }

    /// Rolls more dice together and appends them.
    fn throw_more<S: Source + ?Sized>(
        &mut self,
        die: Die,
        count: u32,
        source: &mut S,
    ) -> Result<(), SourceError> {
        let (sides, each) = die.sides_and_count();
        let mut few = [0; MAX_STACK_DICE];
        let mut many = Vec::new();
        let length = (count * each) as usize;
        let faces = match few.get_mut(..length) {
            Some(few) => few,
            None => {
                many.resize(length, 0);
                &mut many[..]
            }
        };
        source.fill(sides, faces)?;
        let thrown = |face: i32| {
            let status = DieStatus::Kept;
            ThrownDie { face, value: face, status, exploded: false, success: false }
        };
        let faces = faces.iter().map(|&face| face as i32);
        match die {
            Die::Plain(_) => self.dice.extend(faces.map(thrown)),
            Die::Fudge => self.dice.extend(faces.map(|face| thrown(face - 2))),
            Die::Tens => {
                let units = faces.clone().skip(1).step_by(2);
                let pairs = faces.step_by(2).zip(units);
                self.dice.extend(pairs.map(|(tens, ones)| thrown(tens * 10 + ones)));
            }
        }
        Ok(())
    }

    fn kept_dice(&mut self) -> impl Iterator<Item = &mut ThrownDie> {
        self.dice.iter_mut().filter(|d| d.status == DieStatus::Kept)
    }

    /// Drops all dice except the `n` nearest to one end of the scale. If dice are equal, the ones
    /// rolled first are kept.
    fn keep_nearest(&mut self, end: DiceEnd, n: usize) {
        let sign = match end {
            DiceEnd::Highest => -1,
            DiceEnd::Lowest => 1,
        };
        let distance = |die: &ThrownDie| sign * i64::from(die.value);
        let DiceTray { dice, distances } = self;
        let kept = |die: &ThrownDie| die.status == DieStatus::Kept;
        distances.clear();
        distances.extend(dice.iter().filter(|die| kept(die)).map(distance));
        if n >= distances.len() {
            return;
        }
        let (nearer, &mut first_dropped, _) = distances.select_nth_unstable(n);
        let mut equal =
            nearer.iter().map(|&near| usize::from(near == first_dropped)).sum::<usize>();
        // The loop has no branches, because it is unpredictable which dice are dropped.
        for die in dice {
            let distance = distance(die);
            let stays = (distance < first_dropped) | (distance == first_dropped) & (equal > 0);
            equal -= usize::from(kept(die) & stays & (distance == first_dropped));
            die.status = if kept(die) & !stays { DieStatus::Dropped } else { die.status };
        }
    }

    /// Rolls another die for each die that matches, one round at a time, and marks the dice that
    /// matched. Returns true once no new die matches, or false if all rounds have been used.
    fn throw_for_matching<S: Source + ?Sized>(
        &mut self,
        die: Die,
        point: ComparePoint,
        rounds: u32,
        mark: fn(&mut ThrownDie),
        source: &mut S,
    ) -> Result<bool, SourceError> {
        let mut from = 0;
        for _ in 0..rounds {
            let mut more = 0;
            for thrown in &mut self.dice[from..] {
                if thrown.status == DieStatus::Kept && point.holds(thrown.value) {
                    mark(thrown);
                    more += 1;
                }
            }
            if more == 0 {
                return Ok(true);
            }
            from = self.dice.len();
            self.throw_more(die, more, source)?;
        }
        Ok(false)
    }
}

impl Expression {
    /// Rolls all pools, from left to right.
    pub fn roll<S: Source + ?Sized>(&self, source: &mut S) -> Result<ExpressionRoll, SourceError> {
        let mut pools = Vec::new();
        let (total, _) = self.root.evaluate(&mut |pool| {
            let rolled = pool.roll(source)?;
            let total = rolled.total;
            pools.push(rolled);
            Ok(total)
        })?;
        let mut shown = String::new();
        let mut next = pools.iter();
        // Writing to a string cannot fail.
        let _ = self.root.write(&mut shown, &mut |_, f: &mut dyn Write| {
            next.next().map_or(Ok(()), |rolled| write!(f, "{rolled}"))
        });
        Ok(ExpressionRoll { pools, total, shown })
    }
}

impl DiceNode {
    /// Returns the value as a numerator and a denominator. The bounds were checked when the text
    /// was parsed, so nothing here overflows.
    #[inline(always)]
    fn evaluate(
        &self,
        pool: &mut impl FnMut(&Pool) -> Result<i64, SourceError>,
    ) -> Result<(i64, i64), SourceError> {
        // Most parts are leaves, which need no further call.
        match self {
            DiceNode::Number(n) => Ok((*n, 1)),
            DiceNode::Pool(inner) => Ok((pool(inner)?, 1)),
            part => part.evaluate_operand(pool),
        }
    }

    fn evaluate_operand(
        &self,
        pool: &mut impl FnMut(&Pool) -> Result<i64, SourceError>,
    ) -> Result<(i64, i64), SourceError> {
        Ok(match self {
            DiceNode::Number(n) => (*n, 1),
            DiceNode::Pool(inner) => (pool(inner)?, 1),
            DiceNode::Group(inner) | DiceNode::Label(inner, _) => inner.evaluate(pool)?,
            DiceNode::Rounded(rounding, inner) => {
                let (n, scale) = inner.evaluate(pool)?;
                (rounding.apply(n, scale), 1)
            }
            DiceNode::Sum(terms) => {
                let mut sum = 0;
                let mut scale = 1;
                for term in terms {
                    let (n, other) = term.node.evaluate(pool)?;
                    let (common, ours, theirs) = align_denominators(scale, other);
                    let n = n * theirs;
                    sum = sum * ours + if term.negative { -n } else { n };
                    scale = common;
                }
                (sum, scale)
            }
            DiceNode::Product(first, rest) => {
                let (mut product, mut scale) = first.evaluate(pool)?;
                for factor in rest {
                    match factor {
                        Factor::Over(n) => scale *= n,
                        Factor::Times(node) => {
                            let (n, other) = node.evaluate(pool)?;
                            product *= n;
                            scale *= other;
                        }
                    }
                }
                (product, scale)
            }
            DiceNode::Compare(comparison, sides) => {
                let (left, a) = sides[0].evaluate(pool)?;
                let (right, b) = sides[1].evaluate(pool)?;
                let (_, ours, theirs) = align_denominators(a, b);
                let holds = comparison.holds(left * ours, right * theirs);
                (i64::from(holds), 1)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::PoolRoll;
    use crate::{ScriptedSource, parse_pool};

    #[test]
    fn dice_are_written_as_they_fell_and_read_back() {
        for (text, faces, written, total) in [
            ("3d6kl2", &[5, 3, 1][..], "[(5) 3 1]", 4),
            ("2d6!", &[6, 2, 4], "[6! 2 4]", 12),
            ("2d6ro1", &[1, 2, 5], "[~1 2 5]", 7),
            ("2d6min3", &[1, 5], "[1→3 5]", 8),
            ("3d6>=4", &[4, 1, 6], "[4* 1 6*]", 2),
        ] {
            let mut source = ScriptedSource::new(faces.to_vec());
            let rolled = parse_pool(text).unwrap().roll(&mut source).unwrap();
            assert_eq!((rolled.to_string().as_str(), rolled.total), (written, total), "{text}");
            assert_eq!(PoolRoll::parse_dice(written), Some(rolled.dice), "{text}");
        }
        assert_eq!(PoolRoll::parse_dice("[5 x]"), None);
        assert_eq!(PoolRoll::parse_dice("5 3"), None);
    }
}
