//! Luck: the dice rolled compared with their averages, and the probability of that much luck.

use std::rc::Rc;
use std::sync::Arc;

use adjutant_dice::{Fraction, Pool};
use indexmap::IndexMap;
use num_bigint::BigInt;

use super::{Entry, Session};
use crate::language::number::Number;
use crate::language::rule::RuleText;
use crate::language::syntax::Operator;
use crate::referee::{Check, Event, Outcome, Roll, Throw};
use crate::tabletop::{Tabletop, Value};

/// With fewer throws than this nothing can be said about luck.
pub const TOO_FEW: usize = 12;
/// The most sums that the throws of one group may have; beyond that the bell curve stands in.
const MOST_SUMS: usize = 20_000;
/// The most values a pool may have to be counted.
const VALUES: usize = 20_000;

/// Luck of a session, from the commands that stand.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Luck {
    /// All dice together.
    pub all: LuckGroup,
    /// By side, where pieces have one; in the order of the alphabet.
    pub sides: Vec<LuckGroup>,
    /// By side and verb, in the order of the alphabet.
    pub verbs: Vec<LuckGroup>,
    /// The number of throws left out, as their odds are not known.
    pub left_out: usize,
}

/// Luck of some throws.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct LuckGroup {
    /// Whose, if pieces have sides.
    pub side: Option<String>,
    /// The verb; none for all.
    pub verb: Option<String>,
    /// The dice as they fell, without modifiers.
    pub dice: Option<LuckKind>,
    /// The throws that passed, where something was needed.
    pub passes: Option<LuckKind>,
}

/// Expected against actual.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct LuckKind {
    /// The number of throws.
    pub throws: usize,
    /// The average of their total.
    pub expected: f64,
    /// Their total.
    pub actual: i64,
    /// The probability of at least so much.
    pub at_least: f64,
    /// The probability of at most so much.
    pub at_most: f64,
    /// True if the probabilities are exact, and not from the bell curve.
    pub exact: bool,
}

impl LuckKind {
    /// Returns true if there are too few throws to speak of luck.
    pub fn too_few(&self) -> bool {
        self.throws < TOO_FEW
    }
}

/// The odds of one throw, by value.
#[derive(Clone, Debug)]
struct Odds {
    low: i64,
    weights: Vec<f64>,
}

impl Odds {
    fn of_pool(pool: &Pool) -> Option<Odds> {
        let odds = pool.distribution().ok()?;
        let (low, high) = (odds.lowest(), odds.highest());
        let span = usize::try_from(high.checked_sub(low)?).ok()?;
        if span >= VALUES {
            return None;
        }
        let mut weights = vec![0.0; span + 1];
        for (value, weight) in odds.entries() {
            let share = Fraction::new(BigInt::from(weight.clone()), odds.total_weight().clone());
            weights[usize::try_from(value - low).ok()?] = share.to_f64();
        }
        Some(Odds { low, weights })
    }

    fn passing(chance: f64) -> Odds {
        Odds { low: 0, weights: vec![1.0 - chance, chance] }
    }

    /// Returns the mean of what is made of each value.
    fn mean_of(&self, of: impl Fn(i64) -> f64) -> f64 {
        self.weights.iter().zip(self.low..).map(|(weight, value)| of(value) * weight).sum()
    }

    fn chance(&self, holds: impl Fn(i64) -> bool) -> f64 {
        self.mean_of(|value| f64::from(holds(value)))
    }

    fn mean(&self) -> f64 {
        self.mean_of(|value| value as f64)
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        self.mean_of(|value| (value as f64 - mean).powi(2))
    }
}

/// A throw whose odds are known.
struct Thrown {
    side: Option<String>,
    verb: String,
    /// Its dice, as they are written.
    pool: String,
    odds: Rc<Odds>,
    total: i64,
    /// The chance that it passed, and whether it did, where something was needed.
    judged: Option<(f64, bool)>,
}

impl Session {
    /// Luck so far, by side and verb.
    pub fn luck(&self) -> Luck {
        self.luck_of(self.entries(), self.table())
    }

    /// Luck of these commands, as somebody saw them who sees this table.
    pub fn luck_of(&self, entries: &[Arc<Entry>], table: &Tabletop) -> Luck {
        let mut known: IndexMap<String, Option<Rc<Odds>>> = IndexMap::new();
        let mut all: Vec<Thrown> = Vec::new();
        let mut left_out = 0;
        for entry in entries {
            for (place, event) in entry.outcome.events.iter().enumerate() {
                let Event::Check(check) = event else { continue };
                let (side, verb) =
                    (self.side_of(&entry.outcome, place, table), self.verb_of(entry, check));
                // Only where the comparison alone decides, its chance is that of passing.
                let rule = self.rule_of(check);
                let alone = rule.is_none_or(|r| r.passes.is_none() && r.reroll.is_none());
                for (place, Roll { pool, total, .. }) in check.rolls.iter().enumerate() {
                    let name = pool.as_ref().map_or(String::new(), Pool::to_string);
                    let odds = known
                        .entry(name.clone())
                        .or_insert_with(|| pool.as_ref().and_then(Odds::of_pool).map(Rc::new));
                    let Some(odds) = odds.clone() else {
                        left_out += 1;
                        continue;
                    };
                    let judged = judged(check, place, *total, &odds).filter(|_| alone);
                    let (side, verb) = (side.clone(), verb.clone());
                    all.push(Thrown { side, verb, pool: name, odds, total: *total, judged });
                }
            }
        }
        all.sort_by(|a, b| (&a.side, &a.verb).cmp(&(&b.side, &b.verb)));
        let verbs = all.chunk_by(|a, b| (&a.side, &a.verb) == (&b.side, &b.verb));
        let sides = all.chunk_by(|a, b| a.side == b.side).filter(|throws| throws[0].side.is_some());
        Luck {
            all: group(&all, None, None),
            sides: sides.map(|t| group(t, t[0].side.clone(), None)).collect(),
            verbs: verbs.map(|t| group(t, t[0].side.clone(), Some(t[0].verb.clone()))).collect(),
            left_out,
        }
    }

    /// Returns whose throw it is: the side of the first piece that the rule's names stand for, the inner calls first.
    fn side_of(&self, outcome: &Outcome, place: usize, table: &Tabletop) -> Option<String> {
        let context = outcome.context(place);
        let mut bound = context.calls.iter().rev().flat_map(|(_, bound)| bound);
        bound.find_map(|b| {
            let (kind, Value::Text(piece)) = (b.kind.as_deref()?, &b.value) else { return None };
            let (kind, row) = table.piece_named(kind, piece).ok()?;
            self.referee().side(table, kind, row)
        })
    }

    /// Returns the rule that a check belongs to.
    fn rule_of(&self, check: &Check) -> Option<&RuleText> {
        self.referee().ruleset().schema.rules.named(check.rule.as_ref()?)
    }

    /// Returns the purpose of a throw: the heading of its rule, or the verb that was typed.
    fn verb_of(&self, entry: &Entry, check: &Check) -> String {
        let words = match self.rule_of(check) {
            Some(rule) if rule.title.is_empty() => &rule.name,
            Some(rule) => &rule.title,
            None => entry.line.split_whitespace().next().unwrap_or(""),
        };
        words.to_owned()
    }
}

/// Returns the chance that a roll of a check passed, and whether it did. Rolls and throws belong together one by one
/// only where each throw is one roll.
fn judged(check: &Check, place: usize, total: i64, odds: &Odds) -> Option<(f64, bool)> {
    let paired = check.rolls.len() == check.throws.len();
    let throw =
        check.throws.get(place).filter(|t| paired && Number::whole(total) == Some(t.natural))?;
    Some((chance(odds, throw, check.need?)?, throw.passed?))
}

/// The chance that a throw with these modifiers passes.
fn chance(odds: &Odds, throw: &Throw, (operator, need): (Operator, Number)) -> Option<f64> {
    let shift = throw.total.checked_sub(throw.natural)?;
    let needed = need.checked_sub(shift)?;
    let holds = |value: i64| operator.holds(Number::whole(value)?, needed);
    Some(odds.chance(|value| holds(value) == Some(true)))
}

/// Luck of throws that are counted together.
fn group(throws: &[Thrown], side: Option<String>, verb: Option<String>) -> LuckGroup {
    // Sums of fractions do not depend on the order of play.
    let mut dice: Vec<&Thrown> = throws.iter().collect();
    dice.sort_by_key(|t| &t.pool);
    let dice: Vec<&Odds> = dice.iter().map(|t| &*t.odds).collect();
    let judged = throws.iter().filter_map(|t| t.judged);
    let passed = judged.clone().filter(|(_, passed)| *passed).count();
    let judged: Vec<Odds> = judged.map(|(chance, _)| Odds::passing(chance)).collect();
    LuckGroup {
        side,
        verb,
        dice: luck(&dice, throws.iter().map(|t| t.total).sum()),
        passes: luck(&judged.iter().collect::<Vec<_>>(), passed as i64),
    }
}

/// The sum of throws against what it could be.
fn luck(throws: &[&Odds], actual: i64) -> Option<LuckKind> {
    if throws.is_empty() {
        return None;
    }
    let expected = throws.iter().map(|o| o.mean()).sum();
    let span: usize = throws.iter().map(|o| o.weights.len()).sum();
    let kind = |at_least: f64, at_most: f64, exact: bool| LuckKind {
        throws: throws.len(),
        expected,
        actual,
        at_least: at_least.clamp(0.0, 1.0),
        at_most: at_most.clamp(0.0, 1.0),
        exact,
    };
    if span > MOST_SUMS {
        let deviation = throws.iter().map(|o| o.variance()).sum::<f64>().sqrt();
        let actual = actual as f64;
        let at_least = 1.0 - below((actual - 0.5 - expected) / deviation);
        return Some(kind(at_least, below((actual + 0.5 - expected) / deviation), false));
    }
    let mut sum = Odds { low: 0, weights: vec![1.0] };
    for odds in throws {
        let mut weights = vec![0.0; sum.weights.len() + odds.weights.len() - 1];
        for (i, a) in sum.weights.iter().enumerate() {
            for (j, b) in odds.weights.iter().enumerate() {
                weights[i + j] += a * b;
            }
        }
        sum = Odds { low: sum.low + odds.low, weights };
    }
    Some(kind(sum.chance(|v| v >= actual), sum.chance(|v| v <= actual), true))
}

/// Returns the share of the bell curve below this many deviations.
fn below(deviations: f64) -> f64 {
    // Abramowitz and Stegun 7.1.26, right to seven places.
    let x = deviations.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = t
        * (0.254_829_592
            + t * (-0.284_496_736
                + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let half = 1.0 - series * (-x * x).exp();
    if deviations < 0.0 { (1.0 - half) / 2.0 } else { (1.0 + half) / 2.0 }
}
