//! Decks that a rule looks into after cards were drawn and chance has decided something else: against values worked out
//! by hand and against every roll and draw followed one by one.

use adjutant_dice::Seed;
use adjutant_engine::referee::Inputs;
use adjutant_engine::referee::odds::{Odds, OddsMethod, OddsQuestion, OddsStep};
use adjutant_engine::ruleset::FileText;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::trees::{brute_force, odds_in};
use super::{action, referee_of, said};

/// More than any probability of 20,000 samples strays from the right one.
const FAR: f64 = 0.03;

fn ruleset() -> String {
    include_str!("../../fixtures/odds/decks.toml").to_owned()
}

/// Checks the odds of a line of a ruleset against every roll and draw, and returns them.
fn checked_in(text: String, line: &str) -> Odds {
    let (odds, expected) = brute_force(text, line);
    let tolerance = match odds.basis {
        OddsMethod::Exact(_) => 1e-9,
        OddsMethod::Sampled(_) => FAR,
    };
    for ((what, value), share) in &expected {
        let found = said(&odds, what).get(value.as_str()).copied().unwrap_or(0.0);
        let basis = &odds.basis;
        assert!(
            (found - share).abs() < tolerance,
            "{line}: {what} {value}: {found}, not {share} ({basis:?})"
        );
    }
    let ends: f64 = odds.endings.iter().map(|ending| ending.chance.to_f64()).sum();
    let rest = odds.rest.as_ref().map_or(0.0, |(_, chance)| chance.to_f64());
    assert!((ends + rest - 1.0).abs() < 1e-9, "{line}: the endings add up to {}", ends + rest);
    odds
}

/// Checks that the odds are exact and that the last words have these probabilities.
fn words_are(odds: &Odds, expected: &[(&str, &str)]) {
    assert!(matches!(odds.basis, OddsMethod::Exact(_)), "{:?}", odds.basis);
    let words: Vec<(&str, String)> =
        odds.words.iter().map(|(words, chance)| (words.as_str(), chance.to_string())).collect();
    let words: Vec<(&str, &str)> = words.iter().map(|(words, n)| (*words, n.as_str())).collect();
    assert_eq!(words, expected);
}

#[test]
fn three_of_six_cards_drawn_in_two_calls() {
    // Three of six cards are out, and each is as likely to be among them: 3/6.
    words_are(&checked_in(ruleset(), "two-calls"), &[("in", "1/2"), ("out", "1/2")]);
}

#[test]
fn a_roll_between_the_draw_and_the_look() {
    // One of six cards is out; the roll has nothing to do with it.
    words_are(&checked_in(ruleset(), "roll-between"), &[("in", "5/6"), ("out", "1/6")]);
}

#[test]
fn a_question_between_the_draw_and_the_look() {
    // A yes counts 1, the ace in the pack 2. Two of six cards are out: the ace is in 4/6 of the time, a yes comes half
    // of the time. So 0 and 1 take 1/3 * 1/2 each, 2 and 3 take 2/3 * 1/2.
    let odds = checked_in(ruleset(), "question-between");
    let part = odds.parts.iter().find(|part| part.what == "shots").unwrap();
    let values: Vec<String> =
        part.values.iter().map(|(n, chance)| format!("{n}: {chance}")).collect();
    assert_eq!(values, ["0: 1/6", "1: 1/6", "2: 1/3", "3: 1/3"]);
}

#[test]
fn a_pick_between_the_draw_and_the_look() {
    words_are(&checked_in(ruleset(), "pick-between"), &[("in", "5/6"), ("out", "1/6")]);
}

#[test]
fn the_order_of_what_is_left() {
    // The ace lies second of six. It becomes the first if the card on top of it is drawn.
    words_are(&checked_in(ruleset(), "on-top"), &[("blank", "5/6"), ("ace", "1/6")]);
}

#[test]
fn the_order_of_what_is_left_where_it_is_sampled() {
    let odds = odds_in(ruleset(), "on-top-after-a-roll");
    assert!(matches!(odds.basis, OddsMethod::Sampled(_)), "{:?}", odds.basis);
    let ace = said(&odds, "")["ace"];
    assert!((ace - 1.0 / 6.0).abs() < FAR, "{ace}");
}

#[test]
fn a_cup_that_may_be_empty() {
    // Its one chit is gone if both rolls of 1d2 are a 1.
    words_are(&checked_in(ruleset(), "may-be-empty"), &[("drawn", "3/4"), ("empty", "1/4")]);
}

#[test]
fn cards_that_turn_out_not_to_be_alike() {
    // Before the second `put` the cup holds one blank or one ace, both, or nothing after a blank or an ace was drawn: b
    // 1/4, nothing 1/4, ba 1/4, a 1/8, b after an ace 1/8. Half of the time an ace comes to it. The last card drawn is an
    // ace: 1/4 * 1/2 * 1/2 + 1/4 * 1/2 + 1/4 * (1/2 * 1/2 + 1/2 * 2/3) + 1/8 + 1/8 * 1/2 * 1/2 = 47/96.
    words_are(&checked_in(ruleset(), "start-again"), &[("Blank", "49/96"), ("Ace", "47/96")]);
}

#[test]
fn a_deck_of_which_any_number_of_cards_may_be_gone() {
    // The ace is as likely at any place among the 61 cards.
    words_are(&odds_in(ruleset(), "many-heights"), &[("blank", "60/61"), ("ace", "1/61")]);
}

#[test]
fn a_card_drawn_by_a_line_that_is_refused_is_still_there() {
    let file = FileText { name: "decks.toml".into(), text: ruleset(), scenario: None };
    let referee = referee_of(vec![file]);
    let scenario = referee.ruleset().scenario("start").unwrap();
    let seed = Seed::from_text("set out");
    let (table, _) = referee.set_up(scenario, &Inputs::seeded(&seed, 0)).unwrap();
    let steps = ["fill-cup", "draw-in-vain", "draw-last"].map(|line| {
        let (action, insist) = action(&referee, &table, line).unwrap();
        OddsStep { action, insist }
    });
    let question = OddsQuestion { steps: steps.into(), ..OddsQuestion::default() };
    let odds = referee.odds_of_question(&table, &question).unwrap();
    let words: Vec<&str> = odds.words.iter().map(|(words, _)| words.as_str()).collect();
    assert_eq!(words, ["drawn"]);
}

#[test]
fn a_piece_taken_off_leaves_the_deck_it_is_in() {
    // One of three is drawn. Two are left if that was the piece taken off: 1/3.
    words_are(&checked_in(ruleset(), "taken-off"), &[("one", "2/3"), ("two", "1/3")]);
}

#[test]
fn a_new_piece_put_into_a_deck_is_drawn_too() {
    // It is there half of the time, with three others: 1/2 * 1/4.
    words_are(&checked_in(ruleset(), "put-in"), &[("old", "7/8"), ("new", "1/8")]);
}

/// Statements from which rules are made up: they draw, put in and look into decks, with rolls in between.
const STATEMENTS: [&str; 18] = [
    "repeat 1 times { let c = draw from pack }",
    "repeat 1 times { let c = draw from cup }",
    "if (roll 1d2) = 1 { let c = draw from pack }",
    "if (roll 1d2) = 1 { let c = draw from cup }",
    "repeat (roll 1d2) times { let c = draw from pack; if c != none { state.shots += c.worth } }",
    "if true { let c = draw from cup; if c = none { ann.hits += 1 } }",
    "if true { let f = draw from hat; if f != none { f.hits += 1 } }",
    "repeat 1 times { let f = draw from bag }",
    "if (roll 1d2) = 1 { put card.ace into cup }",
    "put card.blank into pack",
    "if (roll 1d2) = 1 { state.shots += 1 }",
    "if ask \"Sure?\" { ann.fresh = not ann.fresh }",
    "state.shots += count c in pack where c.worth = 1",
    "if (count c in cup) = 0 { say \"empty\" }",
    "if any c in pack: c.worth = 1 { ann.hits += 2 }",
    "if true { let c = first c in pack; if c != none { state.shots += c.worth + 1 } }",
    "if (count f in hat) = 1 { ben.hits += 1 }",
    "each f in bag { f.hits += 1 }",
];

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(2),
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn rules_made_up_of_draws_and_looks_agree(
        picked in proptest::collection::vec(0..STATEMENTS.len(), 3..7),
    ) {
        let mut text = ruleset();
        text.push_str("\n[rule.made-up]\nusage = \"made-up\"\nafter = '''\n");
        for (name, piece) in [("ann", "f1"), ("ben", "f2")] {
            text.push_str(&format!("let {name} = first f in figures where name(f) = \"{piece}\"\n"));
        }
        text.push_str("shuffle pack; shuffle cup; shuffle hat; shuffle bag\n");
        for index in picked {
            text.push_str(STATEMENTS[index]);
            text.push('\n');
        }
        text.push_str("'''\n");
        checked_in(text, "made-up");
    }
}
