//! Every verb of every shipped game, and every change of phase, in the midst of its largest scenario. The standing cases
//! are exact; what is truly joined, bombs that may fall anywhere on a large table, may be sampled.

use std::time::Instant;

use adjutant::shipped;
use adjutant_dice::{Seed, SeededSource, Source};
use adjutant_engine::language::machine::Halt;
use adjutant_engine::language::number::Number;
use adjutant_engine::language::rule::RuleText;
use adjutant_engine::language::schema::{RuleId, Type};
use adjutant_engine::referee::odds::{Odds, OddsMethod};
use adjutant_engine::referee::{Action, Inputs, Referee};
use adjutant_engine::tabletop::Argument;
use adjutant_engine::tabletop::Tabletop;

use super::{apply, referee_of};

/// What chance puts anywhere on the table is joined with all of it, and may be sampled: bombs, and a step of a
/// simulation in which everybody fires at somebody who is still there. So may a circle on three bodies of men, as the
/// umpire counts the men within it for each: a dozen and more answers, multiplied. After `damp`, the next phase is
/// the bomb run.
const JOINED: [&str; 8] = [
    "advance",
    "bomb-run",
    "bomb-load",
    "burst-men",
    "drop",
    "firefight",
    "next after damp",
    "play-all-chits",
];

/// So many phases are played before.
const PHASES: u64 = 25;
/// So often a verb is tried with other arguments until so many were not refused.
const TRIES: u32 = 60;
const WANTED: u32 = 3;

/// Makes up arguments.
pub(super) struct Umpire(pub SeededSource);

impl Umpire {
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0.face(u32::try_from(count.max(1)).unwrap()).unwrap() as usize - 1
    }

    fn value(&mut self, referee: &Referee, table: &Tabletop, ty: Type) -> Option<i64> {
        let schema = &referee.ruleset().schema;
        Some(match ty {
            Type::Flag => self.below(2) as i64,
            Type::Word(set) => self.below(schema.word_set(set).values.len()) as i64,
            Type::Piece(kind) => {
                let rows = schema.kind(kind).rows.len();
                let there: Vec<u32> = match rows {
                    0 => table.present_pieces(kind).collect(),
                    rows => (0..rows as u32).collect(),
                };
                if there.is_empty() {
                    return None;
                }
                i64::from(there[self.below(there.len())])
            }
            _ => 1 + self.below(12) as i64,
        })
    }

    fn argument(
        &mut self,
        referee: &Referee,
        table: &Tabletop,
        ty: Type,
        bounds: Option<(i64, i64)>,
    ) -> Option<Argument> {
        Some(match (ty, bounds) {
            (Type::Whole, Some((low, high))) => {
                Argument::Value(low + self.below((high - low).clamp(0, 40) as usize + 1) as i64)
            }
            (Type::Number, _) => {
                Argument::Value(Number::whole(1 + self.below(12) as i64)?.to_bits())
            }
            (Type::Text, _) => Argument::Text("words".to_owned()),
            (Type::List(of), _) => {
                let several = 1 + self.below(3);
                let members =
                    (0..several).filter_map(|_| self.value(referee, table, of.member_type()));
                let mut members: Vec<u32> = members.map(|m| u32::try_from(m).unwrap()).collect();
                members.sort_unstable();
                members.dedup();
                Argument::Members(members)
            }
            (ty, _) => Argument::Value(self.value(referee, table, ty)?),
        })
    }

    pub(super) fn action(
        &mut self,
        referee: &Referee,
        table: &Tabletop,
        rule: usize,
    ) -> Option<Action> {
        let text: &RuleText = &referee.ruleset().schema.rules[rule];
        let mut arguments = Vec::new();
        for param in &text.params {
            let optional = param.default.is_some() || param.optional;
            arguments.push(if optional && self.below(2) == 0 {
                None
            } else {
                Some(self.argument(referee, table, param.ty, param.bounds)?)
            });
        }
        Some(Action::Rule { rule: RuleId::from_index(rule), arguments, only: Vec::new() })
    }
}

/// The largest scenario in the midst of a game: phases went by, and in each some verbs were used.
pub(super) fn midst(referee: &Referee, umpire: &mut Umpire, seed: &str, phases: u64) -> Tabletop {
    let seed = Seed::from_text(seed);
    let inputs = |n| Inputs { ask_random: true, insist: true, ..Inputs::seeded(&seed, n) };
    let set_out = |s| referee.set_up(s, &inputs(0)).unwrap().0;
    let pieces = |table: &Tabletop| -> u32 {
        let kinds = referee.ruleset().schema.kinds.len();
        (2..kinds)
            .map(|k| {
                table.present_pieces(adjutant_engine::language::schema::KindId(k as u16)).count()
                    as u32
            })
            .sum()
    };
    let mut table =
        referee.ruleset().scenarios.iter().map(set_out).max_by_key(|t| pieces(t)).unwrap();
    let rules = referee.ruleset().schema.rules.len();
    for n in 0..phases {
        if let Ok(outcome) = referee.resolve(&table, &Action::Next, &inputs(100 * n + 1)) {
            apply(&mut table, &outcome);
        }
        for i in 0..30 {
            let rule = umpire.below(rules);
            let Some(action) = umpire.action(referee, &table, rule) else { continue };
            let ruled = Inputs { insist: i % 3 == 0, ..inputs(100 * n + 2 + i) };
            if let Ok(outcome) = referee.resolve(&table, &action, &ruled) {
                apply(&mut table, &outcome);
            }
        }
    }
    table
}

/// The time an answer takes, for whoever sets `ODDS_TIMES`; no test hangs on it.
#[allow(clippy::print_stderr, reason = "it is asked for by hand")]
fn tell(game: &str, what: &str, odds: &Odds, began: Instant) {
    if std::env::var_os("ODDS_TIMES").is_some() {
        eprintln!("{:>6} ms  {game} {what} {:?}", began.elapsed().as_millis(), odds.basis);
    }
}

fn answers(game: &str) {
    let referee = referee_of(shipped::files(game).unwrap());
    let mut umpire = Umpire(SeededSource::new(&Seed::from_text(game), 0));
    let table = midst(&referee, &mut umpire, "evening", PHASES);
    let (mut told, mut sampled) = (0, Vec::new());
    for (rule, text) in referee.ruleset().schema.rules.iter().enumerate() {
        let mut given = 0;
        for _ in 0..TRIES {
            let Some(action) = umpire.action(&referee, &table, rule) else { break };
            let began = Instant::now();
            let odds = match referee.odds(&table, &action, false) {
                Ok(odds) => odds,
                Err(Halt::Refused(_) | Halt::Fault(_)) => continue,
                Err(halt) => panic!("{game}: {}: {halt:?}", text.name),
            };
            let sum: f64 = odds.endings.iter().map(|e| e.chance.to_f64()).sum();
            let rest = odds.rest.as_ref().map_or(0.0, |(_, chance)| chance.to_f64());
            assert!((sum + rest - 1.0).abs() < 1e-9, "{game}: {}: {sum} + {rest}", text.name);
            tell(game, &text.name, &odds, began);
            if let OddsMethod::Sampled(runs) = odds.basis {
                assert!(runs >= 100, "{game}: {}: tried only {runs} times", text.name);
                sampled.push(text.name.clone());
            }
            told += 1;
            given += 1;
            if given == WANTED {
                break;
            }
        }
    }
    let phases: Vec<String> = referee.ruleset().phases.iter().map(|p| p.name.clone()).collect();
    for phase in phases {
        let mut table = table.clone();
        referee.put_into_phase(&mut table, &phase);
        let began = Instant::now();
        let odds = referee.odds(&table, &Action::Next, true).unwrap();
        tell(game, &format!("next after {phase}"), &odds, began);
        if let OddsMethod::Sampled(_) = odds.basis {
            sampled.push(format!("next after {phase}"));
        }
        told += 1;
    }
    sampled.retain(|name| !JOINED.contains(&name.as_str()));
    assert!(told > 50 && sampled.is_empty(), "{game}: of {told} were sampled: {sampled:?}");
}

#[test]
fn blitz() {
    answers("blitz");
}

#[test]
fn firefight() {
    answers("firefight");
}

#[test]
fn house_clearing() {
    answers("house-clearing");
}

#[test]
fn mtb() {
    answers("mtb");
}

#[test]
fn tarr() {
    answers("tarr");
}
