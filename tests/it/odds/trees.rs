//! Against every fall of the dice followed one by one, on a small ruleset.

use std::collections::BTreeMap;

use adjutant_dice::{ScriptedSource, Seed, SourceError};
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::odds::{Odds, OddsMethod};
use adjutant_engine::referee::{Action, Dice, Inputs, Referee};
use adjutant_engine::ruleset::FileText;
use adjutant_engine::tabletop::Tabletop;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{action, referee_of, said, tale};

/// Follows every fall of the dice, face by face, through the referee itself.
fn brute(
    referee: &Referee,
    table: &Tabletop,
    action: &Action,
    odds: &Odds,
) -> BTreeMap<(String, String), f64> {
    let mut shares: BTreeMap<(String, String), f64> = BTreeMap::new();
    let mut open = vec![(Vec::new(), 1.0)];
    while let Some((faces, share)) = open.pop() {
        let dice = Dice::Scripted(ScriptedSource::new(faces.clone()));
        let inputs = Inputs { ask_random: true, ..Inputs::with_dice(dice) };
        match referee.resolve(table, action, &inputs) {
            Err(Halt::Dice(SourceError::Exhausted { sides, .. })) => {
                for face in 1..=sides {
                    let mut longer = faces.clone();
                    longer.push(face);
                    open.push((longer, share / f64::from(sides)));
                }
            }
            result => {
                for entry in tale(referee, table, odds, result) {
                    *shares.entry(entry).or_default() += share;
                }
            }
        }
    }
    shares
}

fn agrees(line: &str) {
    agrees_in(include_str!("../../fixtures/odds/chains.toml").to_owned(), line);
}

/// Returns the odds of a line of a ruleset.
pub fn odds_in(text: String, line: &str) -> Odds {
    found(text, line, |_, _, _, _| ()).0
}

/// Returns the odds of a line of a ruleset, and the probability of everything that comes of it, found by following every
/// roll and draw.
pub fn brute_force(text: String, line: &str) -> (Odds, BTreeMap<(String, String), f64>) {
    found(text, line, brute)
}

/// Returns the odds of a line of a ruleset, and what something else finds in them.
fn found<T>(
    text: String,
    line: &str,
    find: impl FnOnce(&Referee, &Tabletop, &Action, &Odds) -> T,
) -> (Odds, T) {
    let file = FileText { name: "rules.toml".into(), text, scenario: None };
    let referee = referee_of(vec![file]);
    let scenario = referee.ruleset().scenario("start").unwrap();
    let seed = Seed::from_text("set out");
    let (table, _) = referee.set_up(scenario, &Inputs::seeded(&seed, 0)).unwrap();
    let (action, insist) = action(&referee, &table, line).unwrap();
    let odds = referee.odds(&table, &action, insist).unwrap();
    let found = find(&referee, &table, &action, &odds);
    (odds, found)
}

fn agrees_in(text: String, line: &str) {
    let (odds, brute) = brute_force(text, line);
    assert!(matches!(odds.basis, OddsMethod::Exact(_)), "{line} is followed to its ends");
    for ((what, value), share) in &brute {
        let told = said(&odds, what).get(value.as_str()).copied().unwrap_or(0.0);
        assert!((told - share).abs() < 1e-9, "{line}: {what} {value}: {told} for {share}");
    }
    for what in brute.keys().map(|(what, _)| what) {
        let sum: f64 = said(&odds, what).values().sum();
        assert!((sum - 1.0).abs() < 1e-9, "{line}: {what} adds up to {sum}");
    }
    let sum: f64 = odds.endings.iter().map(|e| e.chance.to_f64()).sum();
    let rest = odds.rest.as_ref().map_or(0.0, |(_, chance)| chance.to_f64());
    assert!((sum + rest - 1.0).abs() < 1e-9);
}

#[test]
fn repeated_shots_agree() {
    agrees("shoot f1");
}

#[test]
#[ignore = "every fall of many dice: half a minute"]
fn more_repeated_shots_agree_long() {
    agrees("shoot f2");
}

#[test]
fn cards_agree() {
    agrees("cards");
}

#[test]
fn cards_that_are_alike_agree() {
    agrees("deal");
}

#[test]
fn fires_that_grow_agree() {
    agrees("grow");
}

#[test]
fn questions_and_new_pieces_agree() {
    agrees("quest");
}

#[test]
fn sweeps_agree() {
    agrees("panic");
}

#[test]
fn dice_that_hang_on_dice_agree() {
    agrees("cascade");
}

/// Statements from which rules are made up: they read what others have left open, and join it or not.
const STATEMENTS: [&str; 16] = [
    "each f in figures { if (roll 1d2) = 1 { f.hits += 1 } }",
    "each f in figures where f.hits > 1 { f.cover = true }",
    "each f in figures where f.cover { if (roll 1d3) = 1 { f.hits -= 1; say \"{f} {f.hits}\" } }",
    "if ann.hits > ben.hits { ben.health = wounded }",
    "ben.cover = not ben.cover",
    "state.shots += count f in figures: f.hits > 1",
    "state.shots += highest f in figures: f.hits",
    "repeat 1 times { let n = roll 1d3; state.shots += n }",
    "if true { let n = 0; repeat 3 times { if (roll 1d3) = 1 { n += 1 } }; ann.hits += n }",
    "if true { let n = 0; let m = 1; repeat 2 times { let d = roll 1d3; n = n + d; if d = 3 { m += ben.hits } }; state.shots += n * m }",
    "if true { let n = 0; repeat 2 times { n += 1; if (roll 1d2) = 1 { n += n } }; ben.hits += n }",
    "repeat min(state.shots, 2) times { if (roll 1d2) = 1 { ben.hits += 1 } }",
    "shuffle pack; repeat 2 times { let c = draw from pack; if c.worth > 0 { ann.hits += 1 } }",
    "if (count c in pack) > 0 { repeat 1 times { let c = draw from pack; ann.cover = c.worth > 0 } }",
    "repeat 1 times { let one = pick f among figures where f.hits > 0; if one != none { one.next = ann } }",
    "if (roll 1d3) = 1 { make figure { hits = ann.hits } }",
];

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn rules_made_up_agree(picked in proptest::collection::vec(0..STATEMENTS.len(), 2..5)) {
        let mut text = include_str!("../../fixtures/odds/chains.toml").to_owned();
        text.push_str("\n[rule.made-up]\nusage = \"made-up\"\nafter = '''\n");
        for (name, piece) in [("ann", "f1"), ("ben", "f2")] {
            text.push_str(&format!("let {name} = first f in figures where name(f) = \"{piece}\"\n"));
        }
        for place in picked {
            text.push_str(STATEMENTS[place]);
            text.push('\n');
        }
        text.push_str("'''\n");
        agrees_in(text, "made-up");
    }
}
