//! Choices of players: the odds of a block with choices and rerolls equal a brute-force expectimax.
//!
//! The expectimax knows nothing of the rules' text: it follows every fall of the dice, tries every choice, and takes
//! the one with the best mean for the player who decides. Only the thresholds for a reroll are its own means, as the
//! author of such a game would compute them.

use std::collections::BTreeMap;

use adjutant_dice::{Fraction, Seed};
use adjutant_engine::command::read_condition;
use adjutant_engine::referee::Inputs;
use adjutant_engine::referee::odds::{OddsMethod, OddsQuestion, OddsStep};
use num_bigint::{BigInt, BigUint};

use super::{action, apply, referee_of};
use crate::kit::file;

/// A block: some dice with a value for each face, of which one is chosen, and some rerolls of all of them.
struct Block {
    /// The value of each face.
    values: [u64; 6],
    dice: u32,
    rerolls: u32,
    /// True if the defender chooses the die, so that the lowest value counts.
    defender: bool,
}

/// The weights of each final value, out of `6^(dice * (rerolls + 1))`.
type Weights = BTreeMap<u64, u128>;

impl Block {
    fn rolls(&self) -> u128 {
        6u128.pow(self.dice)
    }

    /// The sum of all values by their weights, with this many rerolls left.
    fn total(weights: &Weights) -> u128 {
        weights.iter().map(|(value, weight)| u128::from(*value) * weight).sum()
    }

    /// Every final value under the best play of both players.
    fn expectimax(&self, rerolls: u32) -> Weights {
        let again = (rerolls > 0).then(|| self.expectimax(rerolls - 1));
        // What one roll now weighs, as the dice that are not rolled are counted, too.
        let rest = self.rolls().pow(rerolls);
        let mut weights = Weights::new();
        for roll in 0..self.rolls() {
            let mut faces = Vec::new();
            let mut left = roll;
            for _ in 0..self.dice {
                faces.push(self.values[(left % 6) as usize]);
                left /= 6;
            }
            // Each choice of a die leads to a mean, since the attacker may reroll after it.
            let mean_after = |value: u64| {
                let kept = u128::from(value) * rest;
                again.as_ref().map_or(kept, |again| kept.max(Block::total(again)))
            };
            let chosen = faces
                .iter()
                .copied()
                .reduce(|one, other| {
                    let better = if self.defender {
                        (mean_after(other), other) < (mean_after(one), one)
                    } else {
                        (mean_after(other), other) > (mean_after(one), one)
                    };
                    if better { other } else { one }
                })
                .unwrap();
            match &again {
                Some(again) if Block::total(again) > u128::from(chosen) * rest => {
                    for (value, weight) in again {
                        *weights.entry(*value).or_default() += weight;
                    }
                }
                _ => *weights.entry(chosen).or_default() += rest,
            }
        }
        weights
    }

    fn rules(&self) -> String {
        let unit = self.rolls().pow(self.rerolls);
        let thresholds: Vec<String> = (0..=3)
            .map(|left| {
                let mean = match left {
                    1..=3 if left <= self.rerolls => {
                        let again = self.expectimax(left - 1);
                        Block::total(&again) * unit / self.rolls().pow(left)
                    }
                    _ => 0,
                };
                format!("\"{left}\" = {mean}")
            })
            .collect();
        let values: Vec<String> = self
            .values
            .iter()
            .zip(1..)
            .map(|(value, face)| format!("\"{face}\" = {value}"))
            .collect();
        let (who, by) = if self.defender { ("blue", "0 - v") } else { ("red", "v") };
        format!(
            r#"
[game]
title = "Blocks"
[words.team]
values = ["red", "blue"]
[sides]
are = "team"
[kind.player]
side  = {{ one_of = "team" }}
score = {{ from = 0, to = 99, marker = "score" }}
[chart.worth]
by   = "face: 1..6"
rows = {{ {} }}
[chart.again]
by   = "left: 0..3"
rows = {{ {} }}
[rule.block]
usage = "block <player:player>"
after = '''
let kept = 0
let left = {rerolls}
repeat {turns} times {{
  let rolled = []
  repeat {dice} times {{
    let die = roll 1d6 "block"
    add worth(die) to rolled
  }}
  let chosen = ask {who} "Which die counts?" among v in rolled by {by}
  kept = chosen
  if left = 0 {{ break }}
  if not ask red "Roll again?" by kept * {unit} < again(left) {{ break }}
  left -= 1
}}
player.score = kept
'''
[scenario.one.pieces.player]
ann = {{ side = "red" }}
"#,
            values.join(", "),
            thresholds.join(", "),
            rerolls = self.rerolls,
            turns = self.rerolls + 1,
            dice = self.dice,
        )
    }
}

#[test]
fn the_odds_of_choices_and_rerolls_are_those_of_an_expectimax() {
    let mut state = 35u64;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut rerolled = 0;
    for case in 0..40 {
        let block = Block {
            values: std::array::from_fn(|_| next(9)),
            dice: 1 + next(2) as u32,
            rerolls: next(3) as u32,
            defender: next(2) == 0,
        };
        let text = block.rules();
        let referee = referee_of(vec![file("blocks.toml", text.as_str())]);
        let scenario = &referee.ruleset().scenarios[0];
        let inputs = Inputs::seeded(&Seed::from_text("choices"), 0);
        let (table, _) = referee.set_up(scenario, &inputs).unwrap();
        let (block_ann, _) = action(&referee, &table, "block ann").unwrap();
        let odds = referee.odds(&table, &block_ann, false).unwrap();
        assert!(matches!(odds.basis, OddsMethod::Exact(_)), "case {case}");
        assert_eq!(odds.asked, [""; 0], "case {case}");
        let who = if block.defender { "blue" } else { "red" };
        assert!(odds.chosen.contains(&format!("{who}: Which die counts?")), "{:?}", odds.chosen);
        let weights = block.expectimax(block.rerolls);
        let all = BigUint::from(block.rolls().pow(block.rerolls + 1));
        let mut expected: BTreeMap<String, Fraction> = BTreeMap::new();
        for (value, weight) in &weights {
            expected.insert(value.to_string(), Fraction::new(BigInt::from(*weight), all.clone()));
        }
        let part = odds.parts.iter().find(|part| part.what == "ann score");
        let found: BTreeMap<String, Fraction> = match part {
            Some(part) => part.values.iter().cloned().collect(),
            // It is certain: 0 as before, or another value in every case.
            None => weights
                .keys()
                .map(|v| (v.to_string(), Fraction::new(1.into(), 1u32.into())))
                .collect(),
        };
        assert_eq!(found, expected, "case {case}:\n{text}");
        rerolled += usize::from(odds.chosen.contains(&"red: Roll again?".to_owned()));
    }
    assert!(rerolled > 15, "{rerolled}");
}

/// What each face of a block die is worth to a blocker who is steady, against a target without skills, and whether the
/// target falls by it: blocker down, both down, push twice, stumble, knock-down.
const BLOCK_FACES: [(u32, bool); 6] =
    [(0, false), (4, true), (3, false), (3, false), (5, true), (5, true)];

/// Returns the probability that the target of a block falls: so many dice are rolled, again if they are hopeless, and the
/// coach of the stronger player chooses one.
fn chance_of_a_fall(dice: u32, blocker_chooses: bool) -> Fraction {
    let mut falls = 0u32;
    let all = 6u32.pow(dice);
    for first in 0..all {
        let faces =
            |number: u32| (0..dice).map(move |d| BLOCK_FACES[(number / 6u32.pow(d) % 6) as usize]);
        let is_bad = |(worth, _): (u32, bool)| worth < 2;
        let is_hopeless =
            if blocker_chooses { faces(first).all(is_bad) } else { faces(first).any(is_bad) };
        let does_fall = |number: u32| {
            let chosen = if blocker_chooses { faces(number).max() } else { faces(number).min() };
            chosen.unwrap().1
        };
        if is_hopeless {
            falls += (0..all).filter(|&second| does_fall(second)).count() as u32;
        } else if does_fall(first) {
            falls += all;
        }
    }
    Fraction::new(falls.into(), (all * all).into())
}

#[test]
fn blocks_of_the_ball_game_fall_as_its_dice_and_choices_make_them() {
    let text = include_str!("../../../docs/examples/shrovetide.toml");
    let referee = referee_of(vec![file("shrovetide.toml", text)]);
    let scenario = referee.ruleset().scenarios.iter().find(|s| s.name == "scrum").unwrap();
    let inputs = Inputs::seeded(&Seed::from_text("block"), 0);
    for (blocker, target, dice, blocker_chooses) in [
        ("farmhand", "farmhand", 1, true),
        ("miller", "farmhand", 2, true),
        ("miller", "tumbler", 3, true),
        ("tumbler", "farmhand", 2, false),
        ("tumbler", "miller", 3, false),
    ] {
        let (mut table, _) = referee.set_up(scenario, &inputs).unwrap();
        let roles = [format!("set elm.role {blocker}"), format!("set tench.role {target}")];
        for line in [&["next".to_owned()][..], &roles].concat() {
            let (done, _) = action(&referee, &table, &line).unwrap();
            let outcome = referee.resolve(&table, &done, &inputs).unwrap();
            apply(&mut table, &outcome);
        }
        let (block, _) = action(&referee, &table, "block elm against tench").unwrap();
        let steps = vec![OddsStep { action: block, insist: false }];
        let question = OddsQuestion { steps, ..OddsQuestion::default() };
        let falls = read_condition(&referee, &table, &[], "Tench.stance != standing").unwrap();
        let odds = referee.chance_of_condition(&table, &question, &falls).unwrap();
        assert!(matches!(odds.basis, OddsMethod::Exact(_)), "{blocker} against {target}");
        assert_eq!(
            odds.chance,
            chance_of_a_fall(dice, blocker_chooses),
            "{blocker} against {target}"
        );
    }
}
