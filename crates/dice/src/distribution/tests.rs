//! The odds compared with every result of the dice, rolled by the code that rolls at the table.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::keep::{self, WeightedFace};
use super::work::{OddsError, WorkBudget};
use super::{Distribution, Fraction, sum};
use crate::die::Comparison;
use crate::parser::modifier::modifier_words;
use crate::{
    DiceTray, Expression, ScriptedSource, Seed, SeededSource, Source, SourceError, parse,
    parse_pool,
};

/// Walks through every result of the dice: a list of faces that counts up like an odometer.
struct EveryRoll {
    /// The face and the sides of every die so far.
    dice: Vec<(u32, u32)>,
    used: usize,
    /// The maximum number of faces in a result that is followed to its end.
    depth: usize,
}

impl Source for EveryRoll {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        for face in faces {
            if self.used == self.depth {
                return Err(SourceError::Stuck { sides });
            }
            if self.used == self.dice.len() {
                self.dice.push((1, sides));
            }
            *face = self.dice[self.used].0;
            self.used += 1;
        }
        Ok(())
    }
}

impl EveryRoll {
    /// Moves on to the next result; returns false after the last.
    fn advance(&mut self) -> bool {
        self.dice.truncate(self.used);
        while let Some((face, sides)) = self.dice.pop() {
            if face < sides {
                self.dice.push((face + 1, sides));
                return true;
            }
        }
        false
    }
}

/// Returns the probability of every total, and of all results that were too unlikely to be
/// followed.
fn enumerate(
    expression: &Expression,
    falls: usize,
    depth: usize,
) -> Option<(BTreeMap<i64, Fraction>, Fraction)> {
    let mut every = EveryRoll { dice: Vec::new(), used: 0, depth };
    let mut tray = DiceTray::default();
    // Results with the same total and the same weight are counted first and added up later, which
    // is faster.
    let mut counted: BTreeMap<(Option<i64>, BigUint), u64> = BTreeMap::new();
    for _ in 0..falls {
        every.used = 0;
        let total = match expression.roll(&mut every) {
            Ok(rolled) => Some(rolled.total),
            Err(SourceError::Stuck { .. }) => None,
            Err(error) => panic!("{error}"),
        };
        // A roll that computes only the total gives the same total.
        let faces: Vec<u32> = every.dice[..every.used].iter().map(|(face, _)| *face).collect();
        let alone = tray.roll_expression(expression, &mut ScriptedSource::new(faces)).ok();
        assert_eq!(alone, total, "{expression}");
        let weight: BigUint = every.dice[..every.used].iter().map(|d| BigUint::from(d.1)).product();
        *counted.entry((total, weight)).or_default() += 1;
        if !every.advance() {
            let mut odds = BTreeMap::new();
            let mut lost = Fraction::new(0.into(), 1u32.into());
            for ((result, part_of), count) in counted {
                let part = Fraction::new(count.into(), part_of);
                match result {
                    Some(result) => {
                        let sum = odds
                            .remove(&result)
                            .map_or(part.clone(), |f| sum_of_fractions(&f, &part));
                        odds.insert(result, sum);
                    }
                    None => lost = sum_of_fractions(&lost, &part),
                }
            }
            return Some((odds, lost));
        }
    }
    None
}

fn sum_of_fractions(a: &Fraction, b: &Fraction) -> Fraction {
    let numerator = a.numerator() * BigInt::from(b.denominator().clone())
        + b.numerator() * BigInt::from(a.denominator().clone());
    Fraction::new(numerator, a.denominator() * b.denominator())
}

/// Compares the odds with the enumeration; returns false if there are too many results to
/// enumerate.
fn odds_agree(text: &str, falls: usize) -> bool {
    let expression = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    // If there are too many results, stop following the least likely ones earlier.
    let seen = enumerate(&expression, falls, 60).or_else(|| enumerate(&expression, falls, 10));
    let Some((counted, lost)) = seen else { return false };
    let odds = expression.distribution().unwrap_or_else(|e| panic!("{text}: {e}"));
    let weights: BigUint = odds.entries().iter().map(|e| &e.1).sum();
    assert_eq!(&weights, odds.total_weight(), "{text}");
    assert!(odds.entries().iter().all(|e| e.1 != BigUint::ZERO), "{text}");
    assert!(odds.entries().is_sorted_by(|a, b| a.0 < b.0), "{text}");
    let bounds = expression.bounds();
    let within = bounds.lowest <= odds.lowest() && odds.highest() <= bounds.highest;
    assert!(within, "{text}: {bounds:?} leave out {} to {}", odds.lowest(), odds.highest());
    let exact = lost.numerator() == &BigInt::ZERO;
    if exact {
        assert_eq!(odds.entries().len(), counted.len(), "{text}");
    }
    for (value, times) in &counted {
        let told = odds.probability(|v| v == *value);
        if exact {
            assert_eq!(&told, times, "{text}: {value}");
        } else {
            assert!(*times <= told, "{text}: {value}");
            assert!(told <= sum_of_fractions(times, &lost), "{text}: {value}");
        }
    }
    true
}

/// Returns a runner that tries the same cases on every machine and in every run.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn odds_agree_with_every_fall() {
    for text in [
        "3d6",
        "2d66",
        "4dF",
        "4d6kh3",
        "4d6dl1",
        "5d4kl2",
        "5d4dl1dh1",
        "5d3dh2dl1min2",
        "5d4kh3kl2",
        "4d4kh4",
        "4dFkh2max0",
        "5d6>=5",
        "4d6kh2>=5",
        "4dF=-1",
        "3d6min2max5",
        "4d6ro1",
        "3d6ro<=2kh2",
        "3d4kh2ro<=2",
        "3d4dl1dh1ro<=2",
        "3d6ro1min3ro3",
        "2d3!",
        "1d6!",
        "1d4!>=3",
        "2d3!kh1",
        "2d3!kl1",
        "2d3!dl1",
        "2d3!dh1",
        "2d3!3min2dl1",
        "2d3!3ro1dl1ro2",
        "2d3min2!kh2=3",
        "2d3kh1!",
        "3d3kh2!3ro1",
        "2d3!3>=2",
        "1d2!",
        "3d6+5>=14",
        "(2d6)>=(1d8+1)",
        "(2d4)>(1d6)",
        "(2d4)<=(1d6)",
        "(2d4)<(1d6+1)",
        "(2d4)=(1d6+1)",
        "floor(2d6/2)-ceil(d4/3)*2",
        "round((d6-4)/2)",
        "d6*d4-d4/2>=d6/3",
        "-d6*d3",
        "100*d6-d4",
        "2d6=2-2d6>=5",
    ] {
        assert!(odds_agree(text, 300_000), "{text} has too many falls");
    }
}

/// A new modifier is thus tested as soon as it is documented.
#[test]
fn the_samples_of_the_document_agree_with_every_fall() {
    let document = include_str!("../../../../docs/dice.md");
    let (_, pools) = document.split_once("## Pools").unwrap();
    let (pools, _) = pools.split_once("\n## ").unwrap();
    let spelled = pools.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
    let samples = spelled.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let mut seen = 0;
    let samples: Vec<&str> = samples.collect();
    for word in modifier_words() {
        let is_shown = samples.iter().any(|sample| sample.contains(word));
        assert!(is_shown, "docs/dice.md has no sample of the modifier `{word}`");
    }
    for text in samples {
        parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        seen += u32::from(odds_agree(text, 50_000));
    }
    assert!(seen >= 9, "only {seen} are small enough");
}

#[test]
fn rerolls_without_end_are_told_as_their_limit() {
    let of = |text: &str| parse(text).unwrap().distribution().unwrap().reduced();
    assert_eq!(of("4d6r1"), of("4d5+4"));
    assert_eq!(of("3d6r<=3kh2"), of("3d3kh2+6"));
    assert!(odds_agree("1d6r1", 10_000));
    assert!(odds_agree("1d66r11", 10_000));
    for text in ["1d6r1", "2d4r>=3", "2d3kh1r3", "2d4r1kh1", "2d3r2!", "1dFr=-1"] {
        // These rolls can go on without end, so only some of them are tried.
        let expression = parse(text).unwrap();
        let odds = expression.distribution().unwrap();
        let mut source = SeededSource::new(&Seed::from_text(text), 0);
        for _ in 0..2_000 {
            let total = expression.roll(&mut source).unwrap().total;
            assert!(odds.entries().iter().any(|e| e.0 == total), "{text}: {total}");
        }
    }
}

/// Returns any small pool that the notation allows.
fn pool_texts() -> impl Strategy<Value = String> {
    let words = prop::sample::select(modifier_words());
    let worded = (words, "([<>]=)?[1-4]").prop_map(|(word, faces)| format!("{word}{faces}"));
    let modifier = prop_oneof![8 => worded, 1 => "![34]"];
    let success = prop_oneof![3 => Just(String::new()), 1 => "(>=|<=|=|<|>)[1-4]"];
    let sides = prop_oneof![4 => "[2-4]", 1 => Just("F".to_owned()), 1 => Just("66".to_owned())];
    (1..=4u32, sides, proptest::collection::vec(modifier, 0..4), success)
        .prop_map(|(n, sides, modifiers, success)| {
            format!("{n}d{sides}{}{success}", modifiers.concat())
        })
        .prop_filter("no sense", |text| parse_pool(text).is_ok())
}

#[test]
fn odds_of_any_small_pool_agree_with_every_fall() {
    let seen = std::cell::Cell::new(0);
    runner(150)
        .run(&pool_texts(), |text| {
            seen.set(seen.get() + u32::from(odds_agree(&text, 20_000)));
            Ok(())
        })
        .unwrap();
    assert!(seen.get() > 60, "only {} were small enough", seen.get());
}

#[test]
fn expressions_are_written_as_they_are_read() {
    let text =
        (pool_texts(), pool_texts(), 0..5i64).prop_map(|(a, b, n)| format!("({a})*2-({b})+{n}"));
    runner(300)
        .run(&text, |text| {
            let expression = parse(&text).unwrap();
            prop_assert_eq!(parse(&expression.to_string()).unwrap(), expression);
            Ok(())
        })
        .unwrap();
}

#[test]
fn any_text_is_read_or_refused() {
    let text = "[0-9d!khrlo<>=()+*/\\-\\[\\]a é−≥]{0,24}";
    runner(2_000)
        .run(&text, |text| {
            match parse(&text) {
                Ok(expression) => {
                    let again = parse(&expression.to_string()).unwrap();
                    prop_assert_eq!(again, expression);
                }
                Err(error) => {
                    prop_assert!(text.get(error.span).is_some());
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn large_sums_come_out_right() {
    for (text, middle) in [("100d6", 350), ("30d20", 315)] {
        let odds = parse(text).unwrap().distribution().unwrap();
        let weights: BigUint = odds.entries().iter().map(|e| &e.1).sum();
        assert_eq!(&weights, odds.total_weight());
        assert_eq!(odds.mean().to_string(), middle.to_string());
        assert_eq!(odds.quantile(1, 2), middle);
    }
    // Compare with the other method of computing a sum.
    let half = parse("37d6").unwrap().distribution().unwrap();
    let rest = parse("36d6").unwrap().distribution().unwrap();
    assert_eq!(half.add(&rest).unwrap(), parse("73d6").unwrap().distribution().unwrap());
    // The lowest dice mirror the highest.
    let best = parse("20d20kh10").unwrap().distribution().unwrap();
    let worst = parse("20d20kl10").unwrap().distribution().unwrap();
    assert_eq!(best.map(|v| 210 - v).entries(), worst.entries());
}

#[test]
fn values_at_the_ends_of_the_range_are_refused() {
    let far = Distribution::die(2).map(|v| if v == 1 { i64::MIN } else { i64::MAX });
    assert!(far.add(&far).is_err());
    assert!(far.multiply(&far).is_err());
    assert!(far.add(&Distribution::constant(0)).is_ok());
}

#[test]
fn dice_that_explode_on_the_highest_face_agree_with_those_that_explode_from_it_on() {
    for (quick, slow) in [
        ("1d2!", "1d2!>=2"),
        ("3d4!", "3d4!>=4"),
        ("10d6!", "10d6!>=6"),
        ("4d10!", "4d10!>=10"),
        ("2d20!", "2d20!>=20"),
        ("4d6!kh3", "4d6!>=6kh3"),
        ("3d4!kh1", "3d4!>=4kh1"),
        ("22d3!kh22", "22d3!>=3kh22"),
        ("3d3!kh3min2", "3d3!>=3kh3min2"),
        ("2d4!kh2>=3", "2d4!>=4kh2>=3"),
        ("22d3!kh22", "22d3!>=3kh22"),
        ("2d4!kh1ro1", "2d4!>=4kh1ro1"),
        ("3d3!dl1ro<=2", "3d3!>=3dl1ro<=2"),
    ] {
        let odds = |text| parse(text).unwrap().distribution().unwrap().reduced();
        assert_eq!(odds(quick), odds(slow), "{quick}");
    }
    for text in ["100d6!", "20d20!kh10", "5000d6", "12d6kh10ro1"] {
        let odds = parse(text).unwrap().distribution().unwrap();
        let sum: BigUint = odds.entries().iter().map(|entry| &entry.1).sum();
        assert_eq!(&sum, odds.total_weight(), "{text}");
    }
}

#[test]
fn an_explosion_that_cannot_happen_changes_nothing() {
    for (exploding, plain) in [
        ("d6max5!6", "d6max5"),
        ("d6ro1max5!6", "d6ro1max5"),
        ("3d6max5!6ro2", "3d6max5ro2"),
        ("4d6kh3max5!6min2", "4d6kh3max5min2"),
    ] {
        let odds = |text| parse(text).unwrap().distribution().unwrap().reduced();
        assert_eq!(odds(exploding), odds(plain), "{exploding}");
    }
}

#[test]
fn both_ways_to_choose_agree() {
    let faces: Vec<WeightedFace> = [(7, 1u32), (5, 3), (4, 2), (1, 2)]
        .into_iter()
        .map(|(value, weight)| WeightedFace {
            value,
            weight: weight.into(),
            worth: Distribution::die(3).map(|v| v * value),
        })
        .collect();
    for keep in 1..=6 {
        let best = keep::sum_of_best(&faces, 6, keep, 2, &mut WorkBudget::new()).unwrap();
        let middle = keep::sum_of_middle(&faces, 6, 0..keep, 2, &mut WorkBudget::new()).unwrap();
        assert_eq!(best.into_distribution(), middle.into_distribution());
    }
}

/// Every expression has odds or is refused. If this test hangs, the last expression should have
/// been refused.
#[test]
fn what_costs_too_much_is_refused() {
    let mut cases: Vec<(String, bool)> = [
        ("10000d6", false),
        ("1000d6", true),
        ("10000d6kh5000", false),
        ("1000d1000", false),
        ("10000d6>=5", false),
        ("1000d6>=5", true),
        ("d1000000", true),
        ("2d1000000", false),
        ("2d10000kh1", true),
        ("2d1000000kh1", false),
        ("2d1000000*1d1000000", false),
        ("d1000*d1000*d1000", false),
        ("1000d100kh500", false),
        ("20d10dl5dh5", true),
        ("200d20dl50dh50", false),
        ("10d10!kh3", true),
        ("20d6!", true),
        ("4d6!dl1r1", true),
        ("1000d6!", false),
        ("1000d6kh500!", false),
        ("1d1000000!kh1", false),
    ]
    .map(|(text, told)| (text.to_owned(), told))
    .into();
    cases.push((vec!["d1000000"; 100].join("+"), false));
    cases.push((vec!["9d99"; 190].join("+"), false));
    for (text, told) in cases {
        let odds = parse(&text).unwrap().distribution();
        assert_eq!(odds.is_ok(), told, "{text}");
    }
}

/// A die of `s` sides has the mean (s + 1) / 2 and the variance (s^2 - 1) / 12; for several dice,
/// the means and the variances are added up.
#[test]
fn means_and_variances_are_those_of_the_formulas() {
    for sides in [2_i64, 3, 6, 10, 20] {
        for count in [1_i64, 2, 5] {
            let odds = parse(&format!("{count}d{sides}")).unwrap().distribution().unwrap();
            let variance = odds.variance().to_f64();
            let expected = (count * (sides * sides - 1)) as f64 / 12.0;
            assert!((variance - expected).abs() < 1e-9, "{count}d{sides}: {variance}");
            let mean = odds.mean().to_f64();
            assert!((mean - (count * (sides + 1)) as f64 / 2.0).abs() < 1e-9, "{mean}");
        }
    }
    // Adding a fixed number doesn't change the variance.
    let moved = parse("1d6+100").unwrap().distribution().unwrap();
    assert!((moved.variance().to_f64() - 35.0 / 12.0).abs() < 1e-9);
}

/// Compares the mean and the variance of values with gaps between them with their definitions.
#[test]
fn means_and_variances_follow_their_definition() {
    let cases: [&[(i64, u32)]; 5] = [
        &[(7, 3)],
        &[(-3, 1), (-2, 2), (4, 5)],
        &[(0, 2), (1, 1), (2, 4), (9, 1), (10, 3)],
        &[(-1_000_000_007, 1), (12, 6), (13, 1)],
        &[(i64::MIN, 1), (i64::MAX, 1)],
    ];
    for weights in cases {
        let of = |power: u32| -> BigInt {
            weights.iter().map(|(value, weight)| BigInt::from(*value).pow(power) * weight).sum()
        };
        let total: u32 = weights.iter().map(|(_, weight)| weight).sum();
        let odds = Distribution::from_weights(weights.iter().map(|(v, w)| (*v, (*w).into())));
        let odds = odds.unwrap();
        let mean = Fraction::new(of(1), total.into());
        assert_eq!(odds.mean().to_string(), mean.to_string(), "{weights:?}");
        let square = BigUint::from(total).pow(2);
        let variance = Fraction::new(of(2) * total - of(1).pow(2), square);
        assert_eq!(odds.variance().to_string(), variance.to_string(), "{weights:?}");
    }
}

#[test]
fn pairs_cost_a_step_for_each_pair() {
    let spread = |count: i64| {
        let values = (0..count).map(|value| (value * 1_000_003, BigUint::from(1u32)));
        Distribution { entries: values.collect(), total: BigUint::from(count as u64) }
    };
    assert!(spread(30).add(&spread(30)).is_ok());
    // 9,000,000 pairs are too many, although 6,000 values are few.
    assert!(matches!(spread(3000).add(&spread(3000)), Err(OddsError::TooMuchWork)));
}

/// Returns values with small weights that are close together, or so far apart that most numbers
/// between them are missing.
fn small_distributions() -> impl Strategy<Value = Distribution> {
    let values = prop_oneof![-8..8i64, -5_000..5_000i64];
    proptest::collection::btree_map(values, 1..9u32, 1..6).prop_map(|weights| {
        let weights = weights.into_iter().map(|(value, weight)| (value, BigUint::from(weight)));
        Distribution::from_weights(weights).unwrap()
    })
}

/// Returns the odds of the value computed from each pair of values, by listing all pairs.
fn list_pairs(
    a: &Distribution,
    b: &Distribution,
    together: impl Fn(i64, i64) -> i64,
) -> BTreeMap<i64, Fraction> {
    let mut listed = BTreeMap::new();
    for (x, _) in a.entries() {
        for (y, _) in b.entries() {
            let of_x = a.probability(|value| value == *x);
            let of_y = b.probability(|value| value == *y);
            let numerator = of_x.numerator() * of_y.numerator();
            let pair = Fraction::new(numerator, of_x.denominator() * of_y.denominator());
            let sum =
                listed.get(&together(*x, *y)).map_or(pair.clone(), |f| sum_of_fractions(f, &pair));
            listed.insert(together(*x, *y), sum);
        }
    }
    listed
}

#[test]
fn sums_products_and_comparisons_agree_with_a_list_of_all_pairs() {
    let agree = |odds: &Distribution, listed: BTreeMap<i64, Fraction>| {
        let probabilities = odds.entries().iter().map(|(value, _)| *value);
        let probabilities: BTreeMap<i64, Fraction> =
            probabilities.map(|value| (value, odds.probability(|v| v == value))).collect();
        prop_assert_eq!(probabilities, listed);
        Ok(())
    };
    runner(300)
        .run(&(small_distributions(), small_distributions()), |(a, b)| {
            agree(&a.add(&b).unwrap(), list_pairs(&a, &b, |x, y| x + y))?;
            agree(&a.multiply(&b).unwrap(), list_pairs(&a, &b, |x, y| x * y))?;
            let compare = |comparison| a.compare(comparison, &b);
            agree(&compare(Comparison::AtLeast), list_pairs(&a, &b, |x, y| i64::from(x >= y)))?;
            agree(&compare(Comparison::More), list_pairs(&a, &b, |x, y| i64::from(x > y)))?;
            agree(&compare(Comparison::AtMost), list_pairs(&a, &b, |x, y| i64::from(x <= y)))?;
            agree(&compare(Comparison::Less), list_pairs(&a, &b, |x, y| i64::from(x < y)))?;
            agree(&compare(Comparison::Equal), list_pairs(&a, &b, |x, y| i64::from(x == y)))
        })
        .unwrap();
}

#[test]
fn sums_of_equal_dice_are_those_of_adding_them_one_by_one() {
    runner(200)
        .run(&(small_distributions(), any::<bool>(), 0..6u32), |(one, is_fair, count)| {
            let one = if is_fair {
                let values = one.entries().iter().map(|(value, _)| (*value, BigUint::from(1u32)));
                Distribution::from_weights(values).unwrap()
            } else {
                one
            };
            let mut expected = BTreeMap::from([(0, Fraction::new(1.into(), 1u32.into()))]);
            for _ in 0..count {
                let mut next = BTreeMap::new();
                for (sum, chance) in &expected {
                    for (value, _) in one.entries() {
                        let of_value = one.probability(|v| v == *value);
                        let both = Fraction::new(
                            chance.numerator() * of_value.numerator(),
                            chance.denominator() * of_value.denominator(),
                        );
                        let known = next.get(&(sum + value));
                        let known = known.map_or(both.clone(), |f| sum_of_fractions(f, &both));
                        next.insert(sum + value, known);
                    }
                }
                expected = next;
            }
            let sum = sum::sum_of_identical(&one, count, &mut WorkBudget::new()).unwrap();
            let values = sum.entries().iter().map(|(value, _)| *value);
            let probabilities: BTreeMap<i64, Fraction> =
                values.map(|value| (value, sum.probability(|v| v == value))).collect();
            prop_assert_eq!(probabilities, expected);
            Ok(())
        })
        .unwrap();
}

/// Exploding dice among which some are chosen have too many results to list, but few totals. The
/// expected probabilities were calculated on paper: a die of `s` sides shows its highest face `t`
/// times and then another face with the probability `s^-t (s-1)/s`, and its chain ends after 20
/// more dice in any case.
#[test]
fn chosen_exploding_dice_have_the_shares_worked_out_by_hand() {
    let fraction = |numerator: u64, denominator: u64| {
        Fraction::new(BigInt::from(numerator), BigUint::from(denominator))
    };
    // Two dice of two sides roll no twos, one two, or more.
    let two = [(2, (1, 4)), (3, (1, 4)), (4, (1, 2))];
    let three = [(3, (1, 8)), (4, (3, 16)), (5, (3, 16)), (6, (1, 2))];
    // The highest of three dice of three sides is 3 if any of them shows a 3; otherwise it is the
    // highest of three dice of two sides.
    let best = [(1, (1, 27)), (2, (7, 27)), (3, (19, 27))];
    // If no die shows a 3, the total is the sum of two dice with two sides each. With a single 3
    // (8/27), it is 3 plus the higher of two such dice. With more, it is 6.
    let pair = [(2, (3, 27)), (3, (6, 27)), (4, (5, 27)), (5, (6, 27)), (6, (7, 27))];
    for (text, expected) in [
        ("2d2!kh2", &two[..]),
        ("2d2!>=2kh2", &two[..]),
        ("3d2!kh3", &three[..]),
        ("3d2!>=2kh3", &three[..]),
        ("3d3!kh1", &best[..]),
        ("3d3!>=3kh1", &best[..]),
        ("2d3!kh2", &pair[..]),
        ("2d3!>=3kh2", &pair[..]),
    ] {
        let expected: Vec<_> =
            expected.iter().map(|(value, (n, d))| (*value, fraction(*n, *d))).collect();
        assert_eq!(probabilities(text), expected, "{text}");
    }
    // Two ones and `t` twos can be divided between the two dice in `t + 1` ways. Then the highest
    // die, or the lowest, is dropped.
    let twos = |t: i64| fraction(t as u64 + 1, 4 << t);
    let mut without_highest = vec![(1, twos(0))];
    without_highest.extend((1..=20).map(|t| (2 * t, twos(t))));
    assert_eq!(probabilities("2d2!dh1")[..21], without_highest);
    let without_lowest: Vec<_> = (0..=20).map(|t| (2 * t + 1, twos(t))).collect();
    assert_eq!(probabilities("2d2!dl1")[..21], without_lowest);
    // The lowest die is 3 only if both chains consist of 21 threes.
    let whole = BigUint::from(3u32).pow(21);
    let above_one = (&whole + 1u32).pow(2);
    let denominator = whole.pow(2) * 4u32;
    let share = |numerator: BigUint| Fraction::new(numerator.into(), denominator.clone());
    let lowest = vec![
        (1, share(&denominator - &above_one)),
        (2, share(&above_one - 4u32)),
        (3, share(BigUint::from(4u32))),
    ];
    assert_eq!(probabilities("2d3!kl1"), lowest);
}

fn probabilities(text: &str) -> Vec<(i64, Fraction)> {
    let odds = parse(text).unwrap().distribution().unwrap();
    let values = odds.entries().iter().map(|(value, _)| *value);
    values.map(|value| (value, odds.probability(|v| v == value))).collect()
}
