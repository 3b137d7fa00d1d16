//! The odds of verbs: against every fall of the dice followed one by one on small rulesets, and against the
//! frequency of the same verb resolved as at the table, for every line of every worked example of the
//! shipped rulesets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop where something is wrong"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant::command::{self, Command};
use adjutant::dice::{Scripted, Seed, SourceError};
use adjutant::language::machine::Halt;
use adjutant::referee::odds::{Basis, Odds};
use adjutant::referee::{Action, Dice, Event, Inputs, Outcome, Referee};
use adjutant::ruleset::{Example, FileText, load, shipped};
use adjutant::tabletop::Tabletop;

/// How often each line is resolved; more with `ODDS_RUNS` in the environment.
const RUNS: u64 = 1_000;

fn referee_of(files: Vec<FileText>) -> Referee {
    Referee::new(Arc::new(load(files).map_err(|f| f.faults).unwrap()))
}

fn action(referee: &Referee, table: &Tabletop, line: &str) -> Option<(Action, bool)> {
    match command::parse(referee, table, line).ok()?? {
        Command::Act(action, insist) => Some((action, insist)),
        Command::Next(_) => Some((Action::Next, false)),
        _ => None,
    }
}

fn apply(table: &mut Tabletop, outcome: &Outcome) {
    outcome.changes().for_each(|change| table.apply(change));
}

/// The last words of an outcome, as the referee's odds tell them.
fn words(outcome: &Outcome) -> String {
    let mut last = String::new();
    for event in &outcome.events {
        match event {
            Event::Check(check) => {
                if let Some(verdict) = &check.verdict {
                    last.clone_from(verdict);
                }
            }
            Event::Said(text) => last.clone_from(text),
            Event::Taken { deck: Some(_), what, .. } => last.clone_from(what),
            _ => {}
        }
    }
    last
}

/// What came of one way or run: the last words and, for each part of the odds that is a cell of a piece on
/// the table, its value.
fn tale(
    referee: &Referee,
    table: &Tabletop,
    odds: &Odds,
    result: Result<Outcome, Halt>,
) -> Vec<(String, String)> {
    let mut told = Vec::new();
    match result {
        Ok(outcome) => {
            let mut after = table.clone();
            apply(&mut after, &outcome);
            told.push((String::new(), words(&outcome)));
            for part in &odds.parts {
                if let Some(value) = value_of(referee, &after, &part.what) {
                    told.push((part.what.clone(), value));
                }
            }
        }
        Err(Halt::Refused(reason)) => told.push((String::new(), reason)),
        Err(halt) => panic!("{halt:?}"),
    }
    told
}

fn value_of(referee: &Referee, table: &Tabletop, what: &str) -> Option<String> {
    let (piece, name) = what.split_once(' ')?;
    let (kind, row) = table.find(piece)?;
    let attributes = &referee.ruleset().schema.kind(kind).attributes;
    let place = attributes.iter().position(|a| a.name == name)?;
    // Named numbers are told by their names.
    if !attributes[place].names.is_empty() {
        return None;
    }
    let value = referee.attribute(table, kind, row, place)?;
    // An empty list.
    Some(if value.is_empty() { "none".to_owned() } else { value })
}

/// What the odds say of one thing: nothing for the last words.
fn said<'o>(odds: &'o Odds, what: &str) -> BTreeMap<&'o str, f64> {
    let values = match what {
        "" => &odds.words,
        what => &odds.parts.iter().find(|p| p.what == what).unwrap().values,
    };
    values.iter().map(|(value, chance)| (value.as_str(), chance.to_f64())).collect()
}

mod trees {
    use super::*;

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
            let dice = Dice::Scripted(Scripted::new(faces.clone()));
            let inputs = Inputs { ask_random: true, ..Inputs::of(dice) };
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
        let text = include_str!("fixtures/odds/chains.toml").to_owned();
        let file = FileText { name: "chains.toml".into(), text, scenario: None };
        let referee = referee_of(vec![file]);
        let scenario = referee.ruleset().scenario("start").unwrap();
        let seed = Seed::from_text("set out");
        let (table, _) = referee.set_out(scenario, &Inputs::seeded(&seed, 0)).unwrap();
        let (action, insist) = action(&referee, &table, line).unwrap();
        let odds = referee.odds(&table, &action, insist).unwrap();
        assert!(matches!(odds.basis, Basis::Exact(_)), "{line} is followed to its ends");
        let brute = brute(&referee, &table, &action, &odds);
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
        agrees("shoot f2");
    }

    #[test]
    fn cards_agree() {
        agrees("cards");
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
}

mod frequencies {
    use super::*;

    /// The table of an example before each of its lines.
    fn positions(referee: &Referee, example: &Example) -> Vec<(Tabletop, Action, bool, String)> {
        let seed = Seed::from_text("examples");
        let random = |n| Inputs { ask_random: true, insist: true, ..Inputs::seeded(&seed, n) };
        let scenario = referee.ruleset().scenario(&example.scenario).unwrap();
        let (mut table, _) = referee.set_out(scenario, &random(0)).unwrap();
        if let Some(phase) = &example.phase {
            referee.put_into_phase(&mut table, phase);
        }
        let options = example.options.iter().map(|(name, value)| format!("option {name} {value}"));
        let before = options.chain(example.set.iter().map(|(line, _)| line.clone()));
        for (i, line) in before.enumerate() {
            let Some((action, _)) = action(referee, &table, &line) else { return Vec::new() };
            let Ok(outcome) = referee.resolve(&table, &action, &random(1000 + i as u64)) else {
                return Vec::new();
            };
            apply(&mut table, &outcome);
        }
        let mut found = Vec::new();
        for (line, _) in &example.run {
            let Some((action, insist)) = action(referee, &table, line) else { break };
            found.push((table.clone(), action.clone(), insist, line.clone()));
            let Ok(outcome) = referee.resolve(&table, &action, &random(7)) else { break };
            apply(&mut table, &outcome);
        }
        found
    }

    /// Pearson's statistic beyond what chance gives in one of a million tables.
    fn is_too_far(expected: &BTreeMap<&str, f64>, seen: &BTreeMap<String, u64>, runs: u64) -> bool {
        let impossible = seen.keys().any(|value| !expected.contains_key(value.as_str()));
        let (mut statistic, mut cells) = (0.0, 0);
        let (mut rare, mut rare_seen) = (0.0, 0);
        for (value, chance) in expected {
            let (wanted, found) =
                (chance * runs as f64, seen.get(*value).copied().unwrap_or_default());
            if wanted < 5.0 {
                rare += wanted;
                rare_seen += found;
            } else {
                statistic += (found as f64 - wanted).powi(2) / wanted;
                cells += 1;
            }
        }
        // Values that are rare by themselves count together.
        if rare >= 5.0 {
            statistic += (rare_seen as f64 - rare).powi(2) / rare;
            cells += 1;
        } else if rare_seen as f64 > rare + 20.0 {
            return true;
        }
        let freedom = f64::from(cells - 1).max(1.0);
        impossible || statistic > freedom + 5.0 * (2.0 * freedom).sqrt() + 17.0
    }

    fn agrees(game: &str) {
        let runs = std::env::var("ODDS_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(RUNS);
        let referee = referee_of(shipped::files(game).unwrap());
        let seed = Seed::from_text("frequencies");
        let (mut compared, mut known) = (0, Vec::new());
        for example in &referee.ruleset().examples {
            for (table, action, insist, line) in positions(&referee, example) {
                let odds = match referee.odds(&table, &action, insist) {
                    Ok(odds) => odds,
                    Err(Halt::Refused(_)) => continue,
                    Err(halt) => panic!("{game}: {line}: {halt:?}"),
                };
                let certain = odds.words.len() == 1 && odds.parts.is_empty();
                let sampled = matches!(odds.basis, Basis::Sampled(_));
                if certain || sampled || known.contains(&odds) {
                    continue;
                }
                let mut seen: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
                for run in 0..runs {
                    let inputs =
                        Inputs { ask_random: true, insist, ..Inputs::seeded(&seed, run + 1) };
                    let result = referee.resolve(&table, &action, &inputs);
                    for (what, value) in tale(&referee, &table, &odds, result) {
                        *seen.entry(what).or_default().entry(value).or_default() += 1;
                    }
                }
                for (what, values) in &seen {
                    let counted: u64 = values.values().sum();
                    // What is taken off in some endings has no value in them.
                    if counted == runs {
                        let expected = said(&odds, what);
                        assert!(
                            !is_too_far(&expected, values, runs),
                            "{game}: {line}: {what}: {values:?} of {runs} for {expected:?}"
                        );
                        compared += 1;
                    }
                }
                known.push(odds);
            }
        }
        assert!(compared > 10, "{game}: only {compared} tables were compared");
    }

    #[test]
    fn blitz() {
        agrees("blitz");
    }

    #[test]
    fn firefight() {
        agrees("firefight");
    }

    #[test]
    fn house_clearing() {
        agrees("house-clearing");
    }

    #[test]
    fn mtb() {
        agrees("mtb");
    }

    #[test]
    fn tarr() {
        agrees("tarr");
    }

    #[test]
    fn a_wrong_table_is_told() {
        let expected = BTreeMap::from([("catches", 0.5), ("no", 0.5)]);
        let of = |a, b| BTreeMap::from([("catches".to_owned(), a), ("no".to_owned(), b)]);
        assert!(!is_too_far(&expected, &of(510, 490), 1000));
        // A roll of 4 for one of 3.
        assert!(is_too_far(&expected, &of(667, 333), 1000));
    }
}
