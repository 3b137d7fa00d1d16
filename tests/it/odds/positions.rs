//! The odds of every verb and every change of phase, in positions that random play has reached, against the same lines
//! resolved as at the table.
//!
//! Each table of odds is compared with 3,000 resolutions. Where these stray, 30,000 others decide: so a whole run over
//! some thousands of tables calls right odds wrong less often than once in a million, and still finds a shift of a few
//! points.

use adjutant::shipped;
use adjutant_dice::{Fraction, Seed, SeededSource};
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::odds::{Odds, OddsMethod};
use adjutant_engine::referee::{Action, Inputs, Referee};
use adjutant_engine::ruleset::FileText;
use adjutant_engine::tabletop::Tabletop;

use super::evening::{Umpire, midst};
use super::frequencies::{Trial, compare, odds};
use super::lines::Line;
use super::referee_of;
use crate::kit::{cases, file};

/// What strays as far comes once in a hundred tables, and is looked at again.
const FIRST: Trial = Trial { seed: "positions", runs: 3_000, far: 1e-2 };
/// A right table comes to this with the probability 1e-2 times 1e-9.
const SECOND: Trial = Trial { seed: "positions again", runs: 30_000, far: 1e-9 };
/// Odds that were themselves sampled stray as far as the rolls do.
const SAMPLED: Trial = Trial { seed: "positions", runs: 300, far: 1e-10 };
/// The positions of each game and example: the number of phases played before.
const POSITIONS: [u64; 4] = [3, 10, 18, 30];
/// The most tries to find a line for a verb that is not refused.
const TRIES: u32 = 20;
/// The fewest shifts that are planted in right odds.
const SHIFTS: usize = 20;

/// Compares the odds of a line with resolutions.
fn agree(referee: &Referee, line: &Line, odds: &Odds) -> Result<usize, String> {
    if let OddsMethod::Sampled(_) = odds.basis {
        return compare(referee, line, odds, SAMPLED);
    }
    let first = compare(referee, line, odds, FIRST);
    first.or_else(|_| compare(referee, line, odds, SECOND))
}

/// A line for each verb that is not refused here, and for each change of phase, with its odds.
fn lines_of_position(
    referee: &Referee,
    table: &Tabletop,
    umpire: &mut Umpire,
) -> Vec<(Line, Odds)> {
    let rules = &referee.ruleset().schema.rules;
    let seed = Seed::from_text("goes wrong");
    let mut found = Vec::new();
    for (rule, text) in rules.iter().enumerate().filter(|(_, text)| text.usage.is_some()) {
        for _ in 0..TRIES {
            let Some(action) = umpire.action(referee, table, rule) else { break };
            let mut table = table.clone();
            if let Some((phase, _)) = text.phases.first() {
                referee.put_into_phase(&mut table, phase);
            }
            // The umpire insists, so that much comes of made-up lines. What can't be worked out is tried with other
            // pieces.
            let line = Line { text: text.name.clone(), table, action, insist: true };
            // What goes wrong in a report is not foretold: odds make none.
            let inputs = Inputs { ask_random: true, insist: true, ..Inputs::seeded(&seed, 1) };
            let goes_wrong =
                matches!(referee.resolve(&line.table, &line.action, &inputs), Err(Halt::Fault(_)));
            if let (false, Ok(told)) = (goes_wrong, referee.odds(&line.table, &line.action, true)) {
                found.push((line, told));
                break;
            }
        }
    }
    for phase in &referee.ruleset().phases {
        let mut table = table.clone();
        referee.put_into_phase(&mut table, &phase.name);
        let text = format!("next after {}", phase.name);
        let line = Line { text, table, action: Action::Next, insist: true };
        found.extend(odds(referee, &line).map(|told| (line, told)));
    }
    found
}

/// The rulesets of the documents, by name.
fn documented() -> Vec<(String, Vec<FileText>)> {
    let rulesets = cases("docs/examples", "toml");
    assert!(rulesets.len() >= 7, "{rulesets:?}");
    let whole = |(name, text): (String, String)| (name.clone(), vec![file(&name, text)]);
    rulesets.into_iter().map(whole).collect()
}

fn every_position(mut visit: impl FnMut(&str, &Referee, Vec<(Line, Odds)>)) {
    let shipped =
        shipped::names().into_iter().map(|game| (game.clone(), shipped::files(&game).unwrap()));
    for (game, files) in shipped.chain(documented()) {
        let referee = referee_of(files);
        for (n, phases) in POSITIONS.into_iter().enumerate() {
            let seed = format!("{game} {n}");
            let mut umpire = Umpire(SeededSource::new(&Seed::from_text(&seed), 0));
            let table = midst(&referee, &mut umpire, &seed, phases);
            let lines = lines_of_position(&referee, &table, &mut umpire);
            visit(&seed, &referee, lines);
        }
    }
}

/// Moves five points of probability from one value of a part to another, if they are there.
fn shift(odds: &Odds, part: usize) -> Option<Odds> {
    let mut wrong = odds.clone();
    let values = &mut wrong.parts[part].values;
    let from = values.iter().position(|(_, chance)| chance.to_f64() >= 0.06)?;
    let to = (0..values.len()).find(|&index| index != from)?;
    let points = Fraction::new(1.into(), 20u32.into());
    let minus = Fraction::new((-1).into(), 20u32.into());
    values[from].1 = &values[from].1 + &minus;
    values[to].1 = &values[to].1 + &points;
    Some(wrong)
}

#[test]
#[ignore = "3,000 resolutions of every verb and phase in 48 positions: fifteen minutes"]
#[allow(clippy::print_stdout, reason = "the figures are asked for by hand")]
fn odds_in_many_positions_agree_with_rolls_long() {
    let (mut lines, mut tables, mut exact, mut planted) = (0, 0, 0, 0);
    let mut wrong_odds = Vec::new();
    every_position(|position, referee, all| {
        for (line, odds) in &all {
            lines += 1;
            exact += usize::from(matches!(odds.basis, OddsMethod::Exact(_)));
            match agree(referee, line, odds) {
                Ok(compared) => tables += compared,
                Err(far) => wrong_odds.push(format!("{position}: {far}")),
            }
        }
        // One shift in each position.
        let shifted =
            all.iter().rev().filter(|(_, odds)| matches!(odds.basis, OddsMethod::Exact(_)));
        let mut shifted = shifted.flat_map(|(line, odds)| {
            let wrong = (0..odds.parts.len()).filter_map(move |part| shift(odds, part));
            wrong.map(move |wrong| (line, wrong))
        });
        if let Some((line, wrong)) = shifted.next() {
            assert!(
                agree(referee, line, &wrong).is_err(),
                "{position}: {} goes unnoticed",
                line.text
            );
            planted += 1;
        }
    });
    println!("{lines} lines, {exact} exact; {tables} tables agree; {planted} shifts found");
    assert!(wrong_odds.is_empty(), "{}", wrong_odds.join("\n"));
    assert!(planted >= SHIFTS && tables > 1_000, "{planted} planted, {tables} compared");
}
