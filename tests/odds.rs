//! The exact odds of a verb against the frequency of the same verb resolved many times.
//!
//! Every line of every worked example of the shipped rulesets is foretold where it stands, and tried by the
//! referee as at the table; a chi-squared bound tells a wrong table from chance.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant::command::{self, Command};
use adjutant::dice::{Scripted, Seed, Seeded};
use adjutant::language::machine::Halt;
use adjutant::referee::odds::{Basis, Odds};
use adjutant::referee::{Action, Answer, Dice, Event, Inputs, Outcome, Referee};
use adjutant::ruleset::{Example, load, shipped};
use adjutant::tabletop::{Change, Tabletop};

const RUNS: u64 = 4_000;

fn referee(name: &str) -> Referee {
    let files = shipped::files(name).unwrap();
    Referee::new(Arc::new(load(files).map_err(|f| f.faults).unwrap()))
}

fn apply(table: &mut Tabletop, outcome: &Outcome) {
    outcome.changes().for_each(|change| table.apply(change));
}

fn action(referee: &Referee, table: &Tabletop, line: &str) -> Option<(Action, bool)> {
    match command::parse(referee, table, line).ok()?? {
        Command::Act(action, insist) => Some((action, insist)),
        Command::Next(_) => Some((Action::Next, false)),
        _ => None,
    }
}

/// The table of an example before each of its lines.
fn positions(referee: &Referee, example: &Example) -> Vec<(Tabletop, Action, bool, String)> {
    let seed = Seed::from_text("examples");
    let random = |n| Inputs { ask_random: true, ..Inputs::seeded(&seed, n) };
    let scenario = referee.ruleset().scenario(&example.scenario).unwrap();
    let (mut table, _) = referee.set_out(scenario, &random(0)).unwrap();
    let options = example.options.iter().map(|(name, value)| format!("option {name} {value}"));
    for line in options {
        let (action, _) = action(referee, &table, &line).unwrap();
        let outcome = referee.resolve(&table, &action, &random(1)).unwrap();
        apply(&mut table, &outcome);
    }
    if let Some(phase) = &example.phase {
        referee.put_into_phase(&mut table, phase);
    }
    for (i, (line, _)) in example.set.iter().enumerate() {
        let Some((action, insist)) = action(referee, &table, line) else { return Vec::new() };
        let inputs = Inputs { insist, ..random(1000 + i as u64) };
        let Ok(outcome) = referee.resolve(&table, &action, &inputs) else { return Vec::new() };
        apply(&mut table, &outcome);
    }
    let mut found = Vec::new();
    for (line, _) in &example.run {
        let Some((action, insist)) = action(referee, &table, line) else { break };
        found.push((table.clone(), action.clone(), insist, line.clone()));
        let Ok(outcome) = referee.resolve(&table, &action, &Inputs { insist, ..random(7) }) else {
            break;
        };
        apply(&mut table, &outcome);
    }
    found
}

#[test]
fn look() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for name in shipped::names() {
        let referee = referee(&name);
        for example in &referee.ruleset().examples {
            for (table, action, insist, line) in positions(&referee, example) {
                let start = std::time::Instant::now();
                let odds = referee.odds(&table, &action, insist);
                let time = start.elapsed();
                match odds {
                    Ok(odds) => {
                        *kinds
                            .entry(format!("{name} {}", matches!(odds.basis, Basis::Exact(_))))
                            .or_default() += 1;
                        if std::env::var("SHOW").is_ok()
                            || time.as_millis() > 100
                            || matches!(odds.basis, Basis::Sampled(_))
                        {
                            println!("{name}: {line}: {:?} {time:?}", odds.basis);
                            for e in &odds.endings {
                                println!(
                                    "    {:>6} {} {:?} {:?}",
                                    e.chance.percent(2),
                                    e.chance,
                                    e.words,
                                    e.changes
                                );
                            }
                            if let Some((n, p)) = &odds.rest {
                                println!("    {n} more {}", p.percent(2));
                            }
                            println!("  always {:?} asked {:?}", odds.always, odds.asked);
                        }
                    }
                    Err(Halt::Refused(_)) => {
                        *kinds.entry(format!("{name} refused")).or_default() += 1
                    }
                    Err(halt) => println!("{name}: {line}: {halt:?}"),
                }
            }
        }
    }
    println!("{kinds:?}");
}
