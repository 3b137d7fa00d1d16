//! What is exact because like dice and like cards are counted: against the same worked out by other means.

use std::collections::BTreeMap;

use adjutant_dice::{Distribution, Seed};
use adjutant_engine::referee::Inputs;
use adjutant_engine::referee::odds::{Odds, OddsMethod};
use adjutant_engine::ruleset::FileText;
use num_bigint::BigUint;

use super::{action, referee_of};

fn odds(line: &str) -> Odds {
    odds_in(include_str!("../../fixtures/odds/volley.toml").to_owned(), "start", line)
}

fn odds_in(text: String, scenario: &str, line: &str) -> Odds {
    let referee = referee_of(vec![FileText { name: "volley.toml".into(), text, scenario: None }]);
    let scenario = referee.ruleset().scenario(scenario).unwrap();
    let (table, _) = referee.set_up(scenario, &Inputs::seeded(&Seed::from_text("x"), 0)).unwrap();
    let (action, insist) = action(&referee, &table, line).unwrap();
    referee.odds(&table, &action, insist).unwrap()
}

/// A distribution of whole weights.
fn of(weights: &[(i64, u32)]) -> Distribution {
    Distribution::from_weights(weights.iter().map(|&(n, w)| (n, BigUint::from(w)))).unwrap()
}

fn is(odds: &Odds, what: &str, wanted: &Distribution) {
    let part = odds.parts.iter().find(|part| part.what == what).unwrap();
    let told: Vec<(i64, String)> =
        part.values.iter().map(|(n, chance)| (n.parse().unwrap(), chance.to_string())).collect();
    let wanted_values: Vec<(i64, String)> = wanted
        .entries()
        .iter()
        .map(|&(n, _)| (n, wanted.probability(|v| v == n).to_string()))
        .collect();
    assert_eq!(told, wanted_values);
    assert_eq!(part.mean.as_ref().unwrap(), &wanted.mean());
    let (least, chance) = &part.at_least()[0];
    let least: i64 = least.parse().unwrap();
    assert_eq!(chance, &wanted.probability(|v| v >= least));
}

#[test]
fn a_whole_volley_is_exact() {
    let odds = odds("volley u1 36");
    match odds.basis {
        OddsMethod::Exact(places) => assert!(places < 20_000, "{places}"),
        OddsMethod::Sampled(runs) => panic!("tried {runs} times"),
    }
    // Of each attack by itself: a point is shrugged off one time in three.
    let point = of(&[(0, 1), (1, 2)]);
    let (two, one) = (point.add(&point).unwrap(), BigUint::from(1u32));
    let three = two.add(&point).unwrap();
    let damage = [(one.clone(), &point), (one.clone(), &two), (one, &three)];
    let damage = Distribution::mixture(&damage).unwrap();
    let nothing = Distribution::constant(0);
    // Hits on 3 or more, wounds on 4 or more, is not saved on 3 or less: one time in six.
    let attack = [(BigUint::from(5u32), &nothing), (BigUint::from(1u32), &damage)];
    let attack = Distribution::mixture(&attack).unwrap();
    let mut all = Distribution::constant(0);
    for _ in 0..36 {
        all = all.add(&attack).unwrap();
    }
    is(&odds, "u1 lost", &all);
    assert!(!odds.parts.iter().any(|part| part.what.contains("tally")));
    // What shows on the table is not told twice.
    assert!(odds.numbers.is_empty(), "{:?}", odds.numbers);
}

/// Nine machine guns of the game in `docs/examples`, that do D3 points of damage, at a dozen hulks.
#[test]
fn a_volley_of_the_modern_skirmish_is_exact() {
    let mut text = include_str!("../../../docs/examples/modern-skirmish.toml").to_owned();
    for (from, to) in [
        (r#""Machine gun", 4, 36, 4, 1, 1,"#, r#""Machine gun", 4, 36, 4, 1, "D3","#),
        (
            r#"["carbine", "carbine", "carbine", "mortar"]"#,
            &format!("[{}]", [r#""machine""#; 9].join(",")),
        ),
        (r#"troop = "hulks", models = 4"#, r#"troop = "hulks", models = 12"#),
    ] {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    let odds = odds_in(text, "crossroads", "shoot bravo at claws with machine 30");
    assert!(matches!(odds.basis, OddsMethod::Exact(_)), "{:?}", odds.basis);
    // Hits on 4 or more, wounds on 5 or more, is saved on 5 or more: one time in nine. A point is shrugged off one time
    // in three.
    let point = of(&[(0, 1), (1, 2)]);
    let (two, one) = (point.add(&point).unwrap(), BigUint::from(1u32));
    let three = two.add(&point).unwrap();
    let damage =
        Distribution::mixture(&[(one.clone(), &point), (one.clone(), &two), (one.clone(), &three)])
            .unwrap();
    let nothing = Distribution::constant(0);
    let attack = Distribution::mixture(&[(BigUint::from(8u32), &nothing), (one, &damage)]).unwrap();
    let mut all = nothing;
    for _ in 0..36 {
        all = all.add(&attack).unwrap();
    }
    // Three points bring a model down.
    let left = |pain: i64| 12 - (pain / 3).min(12);
    let hurt = |pain: i64| if left(pain) == 0 { 0 } else { pain % 3 };
    for (what, value) in [("claws models", &left as &dyn Fn(i64) -> i64), ("claws hurt", &hurt)] {
        let mut weights: BTreeMap<i64, BigUint> = BTreeMap::new();
        for (pain, weight) in all.entries() {
            *weights.entry(value(*pain)).or_default() += weight;
        }
        is(&odds, what, &Distribution::from_weights(weights).unwrap());
    }
}

#[test]
fn cards_drawn_without_replacement_are_counted() {
    let odds = odds("hand u1 10");
    match odds.basis {
        OddsMethod::Exact(places) => assert!(places < 1_000, "{places}"),
        OddsMethod::Sampled(runs) => panic!("tried {runs} times"),
    }
    let choose = |n: u64, k: u64| (0..k).fold(BigUint::from(1u32), |c, i| c * (n - i) / (i + 1));
    let clubs = (0..=10).map(|k| (k as i64, choose(13, k) * choose(39, 10 - k)));
    is(&odds, "u1 lost", &Distribution::from_weights(clubs).unwrap());
}

#[test]
fn a_rule_that_only_says_a_number_tells_it() {
    let odds = odds("tell");
    assert_eq!(odds.words.len(), 16);
    assert!(odds.endings.iter().all(|ending| !ending.words.is_empty()));
    let [number] = odds.numbers.as_slice() else { panic!("{:?}", odds.numbers) };
    assert_eq!((number.what.as_str(), number.values.len()), ("n", 16));
    assert_eq!(number.mean.as_ref().unwrap().to_f64(), 10.5);
    let shown = adjutant_engine::render::chances::verb_text("tell", &odds, false, 80).plain(80);
    assert!(shown.contains("on average 10.5; at least 7: 90.7%; at least 11: 50%"), "{shown}");
    assert!(!shown.contains("nothing changes"), "{shown}");
}
