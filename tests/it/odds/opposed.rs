//! Opposed rolls: the odds of each verdict are those of all pairs of dice, counted one by one.

use std::collections::BTreeMap;

use adjutant_dice::{Fraction, Seed};
use adjutant_engine::referee::Inputs;
use num_bigint::{BigInt, BigUint};

use super::{action, referee_of};
use crate::kit::file;

/// A fight of a six-sided die against an eight-sided one, each with a modifier.
fn rules(ours: i64, theirs: i64) -> String {
    format!(
        r#"
[game]
title = "Opposed"
[kind.man]
skill = {{ from = -9, to = 9, title = "skill" }}
hits  = {{ from = 0, to = 9, marker = "hits" }}
[rule.fight]
usage = "fight <man:man> against <foe:man>"
roll  = '1d6'
label = "{{man}}"
modifiers = [{{ by = 'man.skill', because = "skill" }}]
versus = {{ roll = '1d8', label = "{{foe}}", modifiers = [{{ by = 'foe.skill', because = "skill" }}] }}
table = [
  {{ when = 'margin > 0 and total >= 2 * theirs', say = "destroyed", do = 'foe.hits += 2' }},
  {{ when = 'margin > 0', say = "beaten", do = 'foe.hits += 1' }},
  {{ when = 'margin = 0', say = "a tie" }},
  {{ say = "driven off by {{0 - margin}}", do = 'man.hits += 1' }},
]
[rule.push]
usage = "push <man:man> against <foe:man>"
roll  = '1d6'
label = "{{man}}"
versus = {{ roll = '1d8', label = "{{foe}}" }}
table = [
  {{ on = "2 or more", say = "pushed back" }},
  {{ on = "-1 to 1", say = "locked" }},
  {{ on = "-2 or less", say = "repelled" }},
]
[rule.wrestle]
usage = "wrestle <man:man> against <foe:man>"
roll  = '1d6'
label = "{{man}}"
modifiers = [{{ by = 'man.skill', because = "skill" }}]
versus = {{ roll = '1d8', label = "{{foe}}", modifiers = [{{ by = 'foe.skill', because = "skill" }}] }}
needs = '> theirs'
reroll = 'natural = 1'
pass_say = "down"
fail_say = "up"
[scenario.one.pieces.man]
ann = {{ skill = {ours} }}
bob = {{ skill = {theirs} }}
"#
    )
}

/// The verdict of each line, by the two faces and the face of a reroll.
fn verdict(line: &str, ours: i64, theirs: i64, dice: (i64, i64, i64)) -> String {
    let (mine, foe, again) = dice;
    match line {
        "push" => match mine - foe {
            2.. => "pushed back".to_owned(),
            -1..=1 => "locked".to_owned(),
            _ => "repelled".to_owned(),
        },
        "fight" => {
            let a = mine + ours;
            let b = foe + theirs;
            match a - b {
                1.. if a >= 2 * b => "destroyed".to_owned(),
                1.. => "beaten".to_owned(),
                0 => "a tie".to_owned(),
                lost => format!("driven off by {}", -lost),
            }
        }
        _ => {
            let mine = if mine == 1 { again } else { mine };
            if mine + ours > foe + theirs { "down".to_owned() } else { "up".to_owned() }
        }
    }
}

#[test]
fn the_odds_of_opposed_rolls_are_those_of_all_pairs_of_dice() {
    for (ours, theirs) in [(0, 0), (2, 0), (-1, 3), (4, -2), (1, 1)] {
        let referee = referee_of(vec![file("opposed.toml", rules(ours, theirs).as_str())]);
        let inputs = Inputs::seeded(&Seed::from_text("opposed"), 0);
        let scenario = &referee.ruleset().scenarios[0];
        let (table, _) = referee.set_up(scenario, &inputs).unwrap();
        for line in ["fight", "push", "wrestle"] {
            let typed = format!("{line} ann against bob");
            let (act, _) = action(&referee, &table, &typed).unwrap();
            let odds = referee.odds(&table, &act, false).unwrap();
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            for mine in 1..=6 {
                for foe in 1..=8 {
                    for again in 1..=6 {
                        *counts
                            .entry(verdict(line, ours, theirs, (mine, foe, again)))
                            .or_default() += 1;
                    }
                }
            }
            let expected: BTreeMap<String, Fraction> = counts
                .into_iter()
                .map(|(words, n)| (words, Fraction::new(BigInt::from(n), BigUint::from(288u32))))
                .collect();
            let found: BTreeMap<String, Fraction> = odds.words.iter().cloned().collect();
            assert_eq!(found, expected, "{typed}, {ours} against {theirs}");
        }
    }
}
