//! Whether what was counted can have come of what was foretold: Pearson's test.

use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Cells of which fewer are expected count together.
const SMALLEST: f64 = 10.0;

/// The chance that counts as far from the odds as these, or farther, come about by themselves. `sampled`
/// is how often was tried what the odds were found by, if they are not exact.
pub fn chance(
    odds: &BTreeMap<&str, f64>,
    seen: &BTreeMap<String, u64>,
    sampled: Option<u64>,
) -> f64 {
    let runs = seen.values().sum::<u64>() as f64;
    let unforeseen = seen.keys().any(|value| !odds.contains_key(value.as_str()));
    if unforeseen && sampled.is_none() {
        return 0.0;
    }
    let mut cells: Vec<(f64, f64)> = odds
        .iter()
        .map(|(value, chance)| {
            (chance * runs, seen.get(*value).copied().unwrap_or_default() as f64)
        })
        .collect();
    let missed: u64 =
        seen.iter().filter(|(v, _)| !odds.contains_key(v.as_str())).map(|(_, n)| n).sum();
    cells.push((0.0, missed as f64));
    cells.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut pooled: Vec<(f64, f64)> = Vec::new();
    for (wanted, found) in cells {
        match pooled.last_mut() {
            // In ascending order, so that what is small goes to the next until it is large enough.
            Some(last) if last.0 < SMALLEST => *last = (last.0 + wanted, last.1 + found),
            _ => pooled.push((wanted, found)),
        }
    }
    let statistic: f64 = pooled.iter().map(|(w, f)| (f - w).powi(2) / w).sum();
    // What was itself tried only so often strays too.
    let spread = sampled.map_or(1.0, |tries| 1.0 + runs / tries as f64);
    match pooled.len() {
        0 | 1 => 1.0,
        cells => tail(statistic / spread, cells - 1),
    }
}

/// The chance of a chi-squared value of so many degrees of freedom at least this large.
fn tail(value: f64, freedom: usize) -> f64 {
    let half = value / 2.0;
    // From one or two degrees upwards in steps of two.
    let (mut a, mut sum, mut term) = match freedom % 2 {
        0 => (1.0, (-half).exp(), half * (-half).exp()),
        _ => (0.5, erfc(half.sqrt()), 2.0 * (half / PI).sqrt() * (-half).exp()),
    };
    while a < freedom as f64 / 2.0 - 0.25 {
        sum += term;
        a += 1.0;
        term *= half / a;
    }
    sum.min(1.0)
}

/// The complement of the error function, after Numerical Recipes, to a part in ten million.
fn erfc(x: f64) -> f64 {
    const TERMS: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x);
    t * (TERMS.iter().rev().fold(0.0, |sum, term| sum * t + term) - x * x).exp()
}

#[test]
fn quantiles_are_those_of_the_tables() {
    for (value, freedom, chance) in [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (5.991, 2, 0.05),
        (16.266, 3, 0.001),
        (18.307, 10, 0.05),
        (37.697, 15, 0.001),
        (124.342, 100, 0.05),
    ] {
        let found = tail(value, freedom);
        assert!((found / chance - 1.0).abs() < 0.002, "{value} of {freedom}: {found}");
    }
}

#[test]
fn a_wrong_table_is_told() {
    let odds = BTreeMap::from([("catches", 0.5), ("no", 0.5)]);
    let of = |a, b| BTreeMap::from([("catches".to_owned(), a), ("no".to_owned(), b)]);
    assert!(chance(&odds, &of(510, 490), None) > 0.1);
    // A roll of 4 for one of 3.
    assert!(chance(&odds, &of(667, 333), None) < 1e-20);
    let unforeseen = BTreeMap::from([("catches".to_owned(), 500), ("grows".to_owned(), 500)]);
    assert_eq!(chance(&odds, &unforeseen, None), 0.0);
    // Two samples of 1,000 stray farther from each other than one from the truth.
    let (one, two) = (chance(&odds, &of(550, 450), None), chance(&odds, &of(550, 450), Some(1000)));
    assert!(one < 0.002 && two > 0.02, "{one} {two}");
}
