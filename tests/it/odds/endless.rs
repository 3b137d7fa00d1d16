//! Rules that branch without end, grow, or throw more than can be foretold: an answer comes all the same, or a
//! message. What bounds it is counted, so that every machine gives the same answer.

use adjutant_dice::Seed;
use adjutant_engine::language::machine::{Halt, PlayFault};
use adjutant_engine::referee::odds::{Odds, OddsMethod};
use adjutant_engine::referee::{Inputs, Referee};
use adjutant_engine::ruleset::FileText;

use super::{action, referee_of};

fn game() -> Referee {
    let text = include_str!("../../fixtures/odds/endless.toml").to_owned();
    referee_of(vec![FileText { name: "endless.toml".into(), text, scenario: None }])
}

fn odds(line: &str) -> Result<Odds, Halt> {
    let referee = game();
    let scenario = referee.ruleset().scenario("start").unwrap();
    let seed = Seed::from_text("set out");
    let (table, _) = referee.set_up(scenario, &Inputs::seeded(&seed, 0)).unwrap();
    let (action, insist) = action(&referee, &table, line).unwrap();
    referee.odds(&table, &action, insist)
}

fn sampled(line: &str) -> u64 {
    match odds(line).unwrap().basis {
        OddsMethod::Sampled(runs) => runs,
        exact => panic!("{line}: {exact:?}"),
    }
}

fn exact(line: &str) -> usize {
    match odds(line).unwrap().basis {
        OddsMethod::Exact(states) => states,
        sampled => panic!("{line}: {sampled:?}"),
    }
}

#[test]
fn counting_a_thousand_dice_is_tried_not_followed() {
    let runs = sampled("count-sixes");
    assert!((100..20_000).contains(&runs), "{runs}");
}

#[test]
fn throwing_until_it_falls_is_followed_to_the_last() {
    // A state for each throw of a thousand.
    assert!((1_000..10_000).contains(&exact("until-a-six")));
}

#[test]
fn throws_of_too_many_values_are_tried() {
    for line in ["great-throw", "long-die", "hard-throw", "many-throws"] {
        assert!(sampled(line) >= 100, "{line}");
    }
}

#[test]
fn words_that_grow_do_not_fill_the_memory() {
    let runs = sampled("babble");
    assert!((10..10_000).contains(&runs), "{runs}");
}

#[test]
fn a_rule_without_end_is_told() {
    for line in ["forever", "roll-forever"] {
        match odds(line) {
            Err(Halt::Fault(error)) => {
                assert!(error.fault == PlayFault::TooLong, "{line}: {error}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn pieces_without_end_are_told() {
    match odds("breed") {
        Err(Halt::Fault(error)) => assert!(error.to_string().contains("pieces already"), "{error}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_fault_in_some_ends_only_is_one_of_them() {
    let odds = odds("divide").unwrap();
    let wrong = odds.endings.iter().find(|e| e.refused).unwrap();
    assert!(wrong.words.contains("divided by zero"), "{wrong:?}");
    assert_eq!(wrong.chance.to_string(), "1/6");
}

#[test]
fn a_silent_try_has_not_the_words_of_a_refused_one_before_it() {
    let odds = odds("halt-or-hush").unwrap();
    assert!(matches!(odds.basis, OddsMethod::Sampled(_)), "{:?}", odds.basis);
    let words: Vec<&str> = odds.words.iter().map(|(words, _)| words.as_str()).collect();
    assert!(!words.contains(&"halt"), "{words:?}");
    assert!(words.contains(&""), "{words:?}");
}
