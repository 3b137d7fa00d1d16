//! Measures luck: compares the sums and the successes of the rolls with their averages, and
//! computes how likely such results are.

use std::rc::Rc;
use std::sync::Arc;

use adjutant_dice::{Fraction, Pool};
use indexmap::IndexMap;
use num_bigint::BigInt;

use super::{Entry, Session};
use crate::language::number::Number;
use crate::language::rule::RuleText;
use crate::language::schema::Schema;
use crate::language::syntax::Operator;
use crate::referee::{Check, Event, Outcome, Roll, Throw};
use crate::tabletop::{Tabletop, Value};

/// The minimum number of rolls that are needed to judge luck.
pub const TOO_FEW: usize = 12;
/// The maximum number of possible values of the rolls in a group, added up over all rolls, for
/// which the exact distribution of the sum is computed. For more, the normal distribution is used.
const MOST_SUMS: usize = 20_000;
/// The maximum number of values of a pool, from the lowest to the highest. Rolls of pools with more
/// values are left out.
const MAX_POOL_VALUES: usize = 20_000;

/// The luck of a session, from the commands in force.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct Luck {
    /// The luck of all rolls together.
    pub all: LuckGroup,
    /// The luck of each side that rolled, in alphabetical order; empty if no roll has a known side.
    pub sides: Vec<LuckGroup>,
    /// The luck of each side with each purpose, sorted by side and then by purpose. Rolls without a
    /// known side come first.
    pub verbs: Vec<LuckGroup>,
    /// The number of rolls that are left out because their odds are unknown.
    pub left_out: usize,
}

/// The luck of a group of rolls.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct LuckGroup {
    /// The side that made the rolls; `None` if the group includes all sides, or the side is
    /// unknown.
    pub side: Option<String>,
    /// The purpose of the rolls: the title of a rule, or a verb. `None` if the group includes all
    /// purposes.
    pub verb: Option<String>,
    /// The sum of the rolls, without modifiers; `None` if there are no rolls.
    pub dice: Option<LuckKind>,
    /// The number of successful rolls among those with a known chance of success; `None` if there
    /// are no such rolls.
    pub passes: Option<LuckKind>,
}

/// An actual sum of rolls or number of successes, compared with the expected one.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct LuckKind {
    /// The number of rolls.
    pub throws: usize,
    /// The expected sum or number.
    pub expected: f64,
    /// The actual sum or number.
    pub actual: i64,
    /// The probability of at least this sum or number.
    pub at_least: f64,
    /// The probability of at most this sum or number.
    pub at_most: f64,
    /// True if these probabilities are exact; false if they come from the normal distribution.
    pub exact: bool,
}

impl LuckKind {
    /// Returns true if there are too few rolls to judge luck.
    pub fn has_too_few_throws(&self) -> bool {
        self.throws < TOO_FEW
    }
}

/// The probability of each value of one roll.
#[derive(Clone, Debug)]
struct ThrowOdds {
    low: i64,
    weights: Vec<f64>,
}

impl ThrowOdds {
    fn of_pool(pool: &Pool) -> Option<ThrowOdds> {
        let odds = pool.distribution().ok()?;
        let low = odds.lowest();
        let high = odds.highest();
        let span = usize::try_from(high.checked_sub(low)?).ok()?;
        if span >= MAX_POOL_VALUES {
            return None;
        }
        let mut weights = vec![0.0; span + 1];
        for (value, weight) in odds.entries() {
            let share = Fraction::new(BigInt::from(weight.clone()), odds.total_weight().clone());
            weights[usize::try_from(value - low).ok()?] = share.to_f64();
        }
        Some(ThrowOdds { low, weights })
    }

    fn with_chance(chance: f64) -> ThrowOdds {
        ThrowOdds { low: 0, weights: vec![1.0 - chance, chance] }
    }

    /// Returns the mean of a function of the roll's value.
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

/// A roll with known odds.
struct CountedThrow {
    side: Option<String>,
    verb: String,
    /// The dice, in dice notation.
    pool: String,
    odds: Rc<ThrowOdds>,
    total: i64,
    /// The probability of success, and true if the roll succeeded; `None` if this is unknown.
    judged: Option<(f64, bool)>,
}

impl Session {
    /// Returns the luck so far: of all rolls, by side, and by side and purpose.
    pub fn luck(&self) -> Luck {
        self.luck_of(self.entries(), self.table())
    }

    /// Returns the luck of these commands. `table` determines the sides of the pieces; for a
    /// viewer, it is the table as that viewer sees it.
    pub(crate) fn luck_of(&self, entries: &[Arc<Entry>], table: &Tabletop) -> Luck {
        let mut known: IndexMap<String, Option<Rc<ThrowOdds>>> = IndexMap::new();
        let mut all: Vec<CountedThrow> = Vec::new();
        let mut left_out = 0;
        for entry in entries {
            for (event_index, event) in entry.outcome.events.iter().enumerate() {
                let Event::Check(check) = event else { continue };
                let side = self.throwing_side(&entry.outcome, event_index, table);
                let verb = self.throw_purpose(entry, check);
                // The chance of the comparison is the chance of success only if the comparison is
                // decisive.
                let rule = self.rule_of(check);
                let alone = rule.is_none_or(|r| r.passes.is_none() && !r.may_reroll());
                for (index, Roll { pool, total, .. }) in check.rolls.iter().enumerate() {
                    let name = pool.as_ref().map_or(String::new(), Pool::to_string);
                    let odds = known
                        .entry(name.clone())
                        .or_insert_with(|| pool.as_ref().and_then(ThrowOdds::of_pool).map(Rc::new));
                    let Some(odds) = odds.clone() else {
                        left_out += 1;
                        continue;
                    };
                    let judged =
                        roll_chance_and_result(check, index, *total, &odds).filter(|_| alone);
                    all.push(CountedThrow {
                        side: side.clone(),
                        verb: verb.clone(),
                        pool: name,
                        odds,
                        total: *total,
                        judged,
                    });
                }
            }
        }
        all.sort_by(|a, b| (&a.side, &a.verb).cmp(&(&b.side, &b.verb)));
        let verbs = all.chunk_by(|a, b| (&a.side, &a.verb) == (&b.side, &b.verb));
        let sides = all.chunk_by(|a, b| a.side == b.side).filter(|throws| throws[0].side.is_some());
        Luck {
            all: luck_group(&all, None, None),
            sides: sides.map(|t| luck_group(t, t[0].side.clone(), None)).collect(),
            verbs: verbs
                .map(|t| luck_group(t, t[0].side.clone(), Some(t[0].verb.clone())))
                .collect(),
            left_out,
        }
    }

    /// Returns the side that rolled: the side of the first piece with a side among the values of
    /// the running calls, beginning with the innermost call. Returns `None` if there is no such
    /// piece.
    fn throwing_side(&self, outcome: &Outcome, index: usize, table: &Tabletop) -> Option<String> {
        let context = outcome.event_context(index);
        let mut bound = context.calls.iter().rev().flat_map(|(_, bound)| bound);
        bound.find_map(|b| {
            let (kind, Value::Text(piece)) = (b.kind.as_deref()?, &b.value) else { return None };
            let (kind, row) = table.piece_named(kind, piece).ok()?;
            self.referee().side_of_piece(table, kind, row)
        })
    }

    /// Returns the rule that a check belongs to; `None` if it belongs to none, or if the rules in
    /// force lack it.
    fn rule_of(&self, check: &Check) -> Option<&RuleText> {
        self.referee().ruleset().schema.rules.named(check.rule.as_ref()?)
    }

    /// Returns the purpose of a roll: the title of its rule, or the name if the rule has no title.
    /// A roll without a rule has the typed verb as its purpose.
    fn throw_purpose(&self, entry: &Entry, check: &Check) -> String {
        let words = match self.rule_of(check) {
            Some(rule) if rule.title.is_empty() => &rule.name,
            Some(rule) => &rule.title,
            None => entry.line.split_whitespace().next().unwrap_or(""),
        };
        words.to_owned()
    }
}

/// Returns the probability that a check had a result as unusual as this. For a check with a need,
/// this is the chance of at least this many successes or of at most this many, whichever is
/// smaller. For a single roll on a table, it is the chance of a total in the same row. Returns
/// `None` for other checks, for checks that may be rerolled or have a further condition, and for
/// dice with unknown odds.
pub(crate) fn check_chance(schema: &Schema, check: &Check) -> Option<f64> {
    let rule = check.rule.as_ref().and_then(|rule| schema.rules.named(rule));
    let counted: Vec<&Roll> = check.rolls.iter().filter(|roll| !roll.rerolled).collect();
    if rule.is_some_and(|rule| rule.passes.is_some() || rule.may_reroll()) {
        return None;
    }
    if check.need.is_some() {
        let mut judged = Vec::new();
        let mut passed = 0;
        for (index, roll) in check.rolls.iter().enumerate() {
            let odds = ThrowOdds::of_pool(roll.pool.as_ref()?)?;
            let (chance, result) = roll_chance_and_result(check, index, roll.total, &odds)?;
            judged.push(ThrowOdds::with_chance(chance));
            passed += i64::from(result);
        }
        let luck = luck_of_sum(&judged.iter().collect::<Vec<_>>(), passed)?;
        return Some(luck.at_least.min(luck.at_most));
    }
    let ([roll], [throw]) = (counted.as_slice(), check.throws.as_slice()) else { return None };
    let rows = rule?.table.iter();
    let total = whole_number(throw.total)?;
    let row = rows.filter(|row| row.matches_totals()).find(|row| row.on.holds(total))?;
    let shift = whole_number(throw.total.checked_sub(throw.natural)?)?;
    let odds = ThrowOdds::of_pool(roll.pool.as_ref()?)?;
    Some(odds.chance(|value| row.on.holds(value + shift)))
}

fn whole_number(number: Number) -> Option<i64> {
    (number.denominator() == 1).then(|| number.numerator())
}

/// Returns the probability that the roll at `index` succeeds, and true if it succeeded. Returns
/// `None` if the check has no need for success. Also returns `None` if the throws of the check
/// don't correspond to its rolls, because a throw consists of several rolls.
fn roll_chance_and_result(
    check: &Check,
    index: usize,
    total: i64,
    odds: &ThrowOdds,
) -> Option<(f64, bool)> {
    let paired = check.rolls.len() == check.throws.len();
    let throw =
        check.throws.get(index).filter(|t| paired && Number::whole(total) == Some(t.natural))?;
    Some((pass_chance(odds, throw, check.need?)?, throw.passed?))
}

/// Returns the probability that a roll with the modifiers of this throw succeeds; `None` if the
/// numbers are out of range.
fn pass_chance(
    odds: &ThrowOdds,
    throw: &Throw,
    (operator, need): (Operator, Number),
) -> Option<f64> {
    let shift = throw.total.checked_sub(throw.natural)?;
    let needed = need.checked_sub(shift)?;
    Some(odds.chance(|value| {
        Number::whole(value).and_then(|value| operator.holds(value, needed)) == Some(true)
    }))
}

/// Returns the luck of these rolls, as a group with this side and verb.
fn luck_group(throws: &[CountedThrow], side: Option<String>, verb: Option<String>) -> LuckGroup {
    // Floating-point sums depend on the order of the terms, so the rolls are sorted to make the
    // result independent of the order of play.
    let mut dice: Vec<&CountedThrow> = throws.iter().collect();
    dice.sort_by_key(|t| &t.pool);
    let dice: Vec<&ThrowOdds> = dice.iter().map(|t| &*t.odds).collect();
    let judged = throws.iter().filter_map(|t| t.judged);
    let passed = judged.clone().filter(|(_, passed)| *passed).count();
    let judged: Vec<ThrowOdds> = judged.map(|(chance, _)| ThrowOdds::with_chance(chance)).collect();
    LuckGroup {
        side,
        verb,
        dice: luck_of_sum(&dice, throws.iter().map(|t| t.total).sum()),
        passes: luck_of_sum(&judged.iter().collect::<Vec<_>>(), passed as i64),
    }
}

/// Returns the actual sum of some rolls, compared with the distribution of the sum; `None` if there
/// are no rolls.
fn luck_of_sum(throws: &[&ThrowOdds], actual: i64) -> Option<LuckKind> {
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
        let at_least = 1.0 - normal_share_below((actual - 0.5 - expected) / deviation);
        return Some(kind(
            at_least,
            normal_share_below((actual + 0.5 - expected) / deviation),
            false,
        ));
    }
    let mut sum = ThrowOdds { low: 0, weights: vec![1.0] };
    for odds in throws {
        let mut weights = vec![0.0; sum.weights.len() + odds.weights.len() - 1];
        for (i, a) in sum.weights.iter().enumerate() {
            for (j, b) in odds.weights.iter().enumerate() {
                weights[i + j] += a * b;
            }
        }
        sum = ThrowOdds { low: sum.low + odds.low, weights };
    }
    Some(kind(sum.chance(|v| v >= actual), sum.chance(|v| v <= actual), true))
}

/// Returns the probability that a normally distributed value is less than this number of standard
/// deviations above its mean.
fn normal_share_below(deviations: f64) -> f64 {
    // Formula 7.1.26 of Abramowitz and Stegun, with an error below 1.5e-7.
    let x = deviations.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = t
        * (0.254_829_592
            + t * (-0.284_496_736
                + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let half = 1.0 - series * (-x * x).exp();
    if deviations < 0.0 { (1.0 - half) / 2.0 } else { (1.0 + half) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::TestGame;
    use adjutant_dice::parse_pool;

    /// Shooting that hits on 5 or more, with +2 if aimed; volleys of many dice that hit on 4 or
    /// more; and checks that the comparison does not decide.
    const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[kind.man]
plural = "men"
side = { one_of = "army" }
[rule.shoot]
title = "Shooting"
usage = "shoot <who:man> at <whom:man> [aimed]"
roll = '1d6'
label = "{who}"
modifiers = [{ by = '+2', when = 'aimed', because = "aimed" }]
needs = '>= 5'
[rule.volley]
usage = "volley <who:man> <n:1..9>"
times = 'n'
roll = '1d6'
needs = '>= 4'
[rule.morale]
usage = "morale <who:man>"
roll = '2d6'
needs = '<= 7'
reroll = 'not passed'
[rule.luckless]
usage = "luckless <who:man>"
roll = '1d6'
needs = '>= 4 and natural > 1'
[rule.return-fire]
usage = "return <who:man> at <whom:man>"
after = 'shoot(whom, who, false)'
[[phase]]
name = "weather"
do = 'let n = roll 1d6 "wind"; say "{n}"'
[scenario.one.pieces.man]
ann = { side = "red" }
bob = { side = "blue" }
"#;

    fn odds(pool: &str) -> ThrowOdds {
        ThrowOdds::of_pool(&parse_pool(pool).unwrap()).unwrap()
    }

    fn whole(n: i64) -> Number {
        Number::whole(n).unwrap()
    }

    fn near(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-9, "{one} is not {other}");
    }

    #[test]
    fn odds_of_a_pool_are_those_of_its_values() {
        let two = odds("2d6");
        assert_eq!((two.low, two.weights.len()), (2, 11));
        near(two.weights[0], 1.0 / 36.0);
        near(two.weights[5], 6.0 / 36.0);
        near(two.mean(), 7.0);
        near(two.variance(), 35.0 / 6.0);
        near(two.chance(|value| value >= 9), 10.0 / 36.0);
        near(two.mean_of(|value| (value * value) as f64), 49.0 + 35.0 / 6.0);
        let third = ThrowOdds::with_chance(1.0 / 3.0);
        near(third.mean(), 1.0 / 3.0);
        near(third.variance(), 2.0 / 9.0);
        // A pool with too many values has no odds.
        assert_eq!(odds(&format!("1d{MAX_POOL_VALUES}")).weights.len(), MAX_POOL_VALUES);
        assert!(
            ThrowOdds::of_pool(&parse_pool(&format!("1d{}", MAX_POOL_VALUES + 1)).unwrap())
                .is_none()
        );
    }

    #[test]
    fn a_modifier_counts_towards_what_is_needed() {
        let throw =
            |natural, total| Throw { natural: whole(natural), total: whole(total), passed: None };
        let of = |by: i64, operator, need| {
            pass_chance(&odds("1d6"), &throw(3, 3 + by), (operator, whole(need))).unwrap()
        };
        near(of(0, Operator::AtLeast, 5), 2.0 / 6.0);
        // With +2, a 3 on the die is enough; with -2, no face is.
        near(of(2, Operator::AtLeast, 5), 4.0 / 6.0);
        near(of(-1, Operator::AtLeast, 5), 1.0 / 6.0);
        near(of(-2, Operator::AtLeast, 5), 0.0);
        near(of(1, Operator::AtMost, 3), 2.0 / 6.0);
        near(of(-1, Operator::Less, 3), 3.0 / 6.0);
        near(of(1, Operator::Equal, 3), 1.0 / 6.0);
    }

    #[test]
    fn a_roll_is_judged_where_it_is_one_throw_with_a_need() {
        let throw = Throw { natural: whole(4), total: whole(4), passed: Some(true) };
        let roll = |total| crate::referee::Roll {
            pool: Some(parse_pool("1d6").unwrap()),
            shown: String::new(),
            total,
            fixed: None,
            rerolled: false,
        };
        let check = Check {
            rolls: vec![roll(4)],
            throws: vec![throw],
            need: Some((Operator::AtLeast, whole(3))),
            ..Check::default()
        };
        let d6 = odds("1d6");
        let (chance, passed) = roll_chance_and_result(&check, 0, 4, &d6).unwrap();
        near(chance, 4.0 / 6.0);
        assert!(passed);
        assert!(roll_chance_and_result(&check, 1, 4, &d6).is_none());
        // The throw and the roll have different totals.
        assert!(roll_chance_and_result(&check, 0, 5, &d6).is_none());
        assert!(
            roll_chance_and_result(&Check { need: None, ..check.clone() }, 0, 4, &d6).is_none()
        );
        let unjudged = vec![Throw { passed: None, ..throw }];
        assert!(
            roll_chance_and_result(&Check { throws: unjudged, ..check.clone() }, 0, 4, &d6)
                .is_none()
        );
        let two = vec![roll(4), roll(4)];
        assert!(roll_chance_and_result(&Check { rolls: two, ..check }, 0, 4, &d6).is_none());
    }

    #[test]
    fn sums_are_exact_as_long_as_they_are_few() {
        let d6 = odds("1d6");
        let two = odds("2d6");
        let kind = luck_of_sum(&[&d6, &two], 13).unwrap();
        assert_eq!((kind.throws, kind.actual, kind.exact), (2, 13, true));
        near(kind.expected, 10.5);
        // Of the 216 results of three dice, 56 total 13 or more, and 181 total 13 or less.
        near(kind.at_least, 56.0 / 216.0);
        near(kind.at_most, 181.0 / 216.0);
        assert_eq!(luck_of_sum(&[], 0), None);
    }

    #[test]
    fn many_sums_follow_the_bell_curve() {
        let d100 = odds("1d100");
        let many = |count: usize, actual: i64| luck_of_sum(&vec![&d100; count], actual).unwrap();
        let mean = 10150;
        assert!(many(200, 10100).exact && !many(201, mean).exact);
        // A d100 has a variance of 9999 / 12. The sum of 201 has the mean 10150.5 and the standard
        // deviation 409.25.
        let even = many(201, mean);
        near(even.expected, 10150.5);
        assert!((even.at_least - 0.500_974_8).abs() < 1e-6, "{}", even.at_least);
        assert!((even.at_most - 0.5).abs() < 1e-6, "{}", even.at_most);
        // One standard deviation higher, the probability is 15.87 %, apart from the continuity
        // correction of one half.
        let high = many(201, 10560);
        assert!((high.at_least - 0.159).abs() < 0.001, "{}", high.at_least);
        assert!((high.at_most - 0.842).abs() < 0.001, "{}", high.at_most);
    }

    #[test]
    fn the_bell_curve_is_that_of_the_tables() {
        let table =
            [(0.0, 0.5), (1.0, 0.841_344_746), (-1.0, 0.158_655_254), (1.96, 0.975_002_105)];
        for (deviations, share) in table {
            assert!(
                (normal_share_below(deviations) - share).abs() < 2e-7,
                "{deviations}: {}",
                normal_share_below(deviations)
            );
        }
        assert!(normal_share_below(-6.0) < 1e-6 && normal_share_below(6.0) > 1.0 - 1e-6);
    }

    #[test]
    fn throws_are_counted_for_the_side_of_the_piece_that_acts() {
        let mut game = TestGame::of(RULES);
        game.throws("shoot ann at bob aimed", &[3]);
        game.throws("shoot ann at bob", &[4]);
        game.throws("shoot bob at ann", &[6]);
        let luck = game.session.luck();
        let dice = luck.all.dice.unwrap();
        assert_eq!((dice.throws, dice.actual, luck.left_out), (3, 13, 0));
        near(dice.expected, 10.5);
        near(dice.at_least, 56.0 / 216.0);
        near(dice.at_most, 181.0 / 216.0);
        // The chances of success are 4/6, 2/6 and 2/6. At least two successes have the probability
        // 11/27.
        let passes = luck.all.passes.unwrap();
        assert_eq!((passes.throws, passes.actual), (3, 2));
        near(passes.expected, 8.0 / 6.0);
        near(passes.at_least, 11.0 / 27.0);
        near(passes.at_most, 25.0 / 27.0);
        assert_eq!((luck.all.side, luck.all.verb), (None, None));
        let sides: Vec<_> =
            luck.sides.iter().map(|g| (g.side.as_deref(), g.verb.clone())).collect();
        assert_eq!(sides, [(Some("blue"), None), (Some("red"), None)]);
        let blue = luck.sides[0].passes.unwrap();
        let red = luck.sides[1].passes.unwrap();
        assert_eq!((blue.throws, blue.actual, red.throws, red.actual), (1, 1, 2, 1));
        near(red.expected, 1.0);
        assert_eq!(luck.sides[1].dice.unwrap().actual, 7);
        let named = |g: &LuckGroup| (g.side.clone().unwrap(), g.verb.clone().unwrap());
        let verbs: Vec<_> = luck.verbs.iter().map(named).collect();
        let throws = luck.verbs.iter().map(|group| group.dice.unwrap().throws);
        assert_eq!(throws.collect::<Vec<_>>(), [1, 2]);
        let expected = [("blue", "Shooting"), ("red", "Shooting")];
        assert_eq!(verbs, expected.map(|(side, verb)| (side.to_owned(), verb.to_owned())));
        assert!(dice.has_too_few_throws());
    }

    #[test]
    fn each_die_of_a_volley_is_a_throw() {
        let mut game = TestGame::of(RULES);
        game.throws("volley ann 4", &[6, 4, 3, 1]);
        let luck = game.session.luck();
        let dice = luck.all.dice.unwrap();
        let passes = luck.all.passes.unwrap();
        assert_eq!((dice.throws, dice.actual), (4, 14));
        near(dice.expected, 14.0);
        assert_eq!((passes.throws, passes.actual), (4, 2));
        near(passes.expected, 2.0);
        // Of the 16 results of four coins, 11 have at least two heads.
        near(passes.at_least, 11.0 / 16.0);
        assert_eq!(luck.verbs[0].verb.as_deref(), Some("volley"));
    }

    #[test]
    fn only_what_the_comparison_alone_decides_is_judged() {
        let mut game = TestGame::of(RULES);
        game.throws("morale ann", &[6, 5, 1, 2]);
        game.throws("luckless ann", &[5]);
        let luck = game.session.luck();
        // Both rolls of the die that was rerolled count.
        let dice = luck.all.dice.unwrap();
        assert_eq!((dice.throws, dice.actual), (3, 19));
        near(dice.expected, 17.5);
        assert_eq!(luck.all.passes, None);
    }

    #[test]
    fn the_inner_call_says_whose_throw_it_is() {
        let mut game = TestGame::of(RULES);
        game.throws("return ann at bob", &[2]);
        let luck = game.session.luck();
        assert_eq!(luck.sides.len(), 1);
        assert_eq!(luck.sides[0].side.as_deref(), Some("blue"));
    }

    #[test]
    fn dice_that_no_rule_throws_are_nobodys_and_go_by_the_line() {
        let mut game = TestGame::of(RULES);
        game.throws("next", &[5]);
        let luck = game.session.luck();
        assert!(luck.sides.is_empty());
        assert_eq!(luck.verbs.len(), 1);
        assert_eq!(
            (luck.verbs[0].side.as_deref(), luck.verbs[0].verb.as_deref()),
            (None, Some("next"))
        );
        assert_eq!(luck.all.dice.unwrap().actual, 5);
        assert_eq!(luck.all.passes, None);
        // Undone commands do not count.
        game.session.undo(1, 0).unwrap();
        assert_eq!(game.session.luck().all, LuckGroup::default());
    }

    #[test]
    fn throws_without_odds_are_left_out() {
        let mut game = TestGame::of(RULES);
        game.throws("volley ann 2", &[6, 4]);
        let mut entry = Entry::clone(&game.session.entries()[0]);
        let mut outcome = Outcome::clone(&entry.outcome);
        for event in &mut outcome.events {
            if let Event::Check(check) = event {
                check.rolls[1].pool = None;
            }
        }
        entry.outcome = outcome.into();
        let luck = game.session.luck_of(&[Arc::new(entry)], game.session.table());
        assert_eq!(luck.left_out, 1);
        assert_eq!(luck.all.dice.unwrap().throws, 1);
    }

    #[test]
    fn fewer_than_twelve_throws_are_too_few() {
        let d6 = odds("1d6");
        let kind = |count: usize| luck_of_sum(&vec![&d6; count], 0).unwrap();
        assert!(kind(11).has_too_few_throws() && !kind(12).has_too_few_throws());
    }
}
