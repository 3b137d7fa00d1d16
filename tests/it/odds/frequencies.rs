//! The odds of lines of the shipped games against how often each thing comes when the same line is resolved
//! as at the table.
//!
//! Every dice procedure (a rule in whose own text chance decides) is compared in the least costly line that comes to
//! it over 10,000 resolutions; every other line of the worked examples, and those whose odds are themselves sampled,
//! over 100. The long tests take ten times as many.

use std::collections::{BTreeMap, HashMap};

use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::odds::{Odds, OddsMethod};
use adjutant_engine::referee::{Answer, Inputs, Outcome, Referee};

use super::lines::{self, Line};
use super::{chi_squared, referee_of, said, tale, words};

/// Resolutions of each dice procedure; of every other line, a hundredth of them.
const RUNS: u64 = 10_000;
const LONG_RUNS: u64 = 100_000;
/// Resolutions in which a fault of a ruleset must show.
const CATCHING_RUNS: u64 = 25_000;
/// Odds are wrong if what was seen comes by chance less often than this: some 2,000 tables are compared, so
/// that a right ruleset would fail with one seed in five million.
const FAR: f64 = 1e-10;

/// The odds of a line, if anything hangs on chance in it.
pub(super) fn odds(referee: &Referee, line: &Line) -> Option<Odds> {
    match referee.odds(&line.table, &line.action, line.insist) {
        Ok(odds) if odds.words.len() == 1 && odds.parts.is_empty() => None,
        Ok(odds) => Some(odds),
        Err(Halt::Refused(_)) => None,
        Err(halt) => panic!("{}: {halt:?}", line.text),
    }
}

/// The rolls that odds are compared with.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    /// The text that fixes them.
    pub seed: &'static str,
    /// The number of resolutions.
    pub runs: u64,
    /// Odds are wrong if what was seen comes by chance less often than this.
    pub far: f64,
}

impl Trial {
    fn of_runs(runs: u64) -> Trial {
        Trial { seed: "frequencies", runs, far: FAR }
    }
}

/// Resolves a line with dice of the seed. As in the odds, a question gets the best answer if the rule states one, and
/// otherwise a random answer.
fn resolve_with_best_answers(
    referee: &Referee,
    line: &Line,
    seed: &Seed,
    stream: u64,
) -> Result<Outcome, Halt> {
    let mut inputs = Inputs { insist: line.insist, ..Inputs::seeded(seed, stream) };
    loop {
        match referee.resolve(&line.table, &line.action, &inputs) {
            Err(Halt::Question(question)) => {
                inputs.answers.typed.push(question.best.map_or(Answer::Random, Answer::Value));
            }
            result => return result,
        }
    }
}

/// Resolves a line so many times and compares each table of its odds: how many were compared, and the
/// first that strays too far.
pub(super) fn compare(
    referee: &Referee,
    line: &Line,
    odds: &Odds,
    trial: Trial,
) -> Result<usize, String> {
    let Trial { seed, runs, far } = trial;
    let seed = Seed::from_text(seed);
    // Equal faces lead to equal ends.
    let mut fell: HashMap<Vec<u32>, (u64, u64)> = HashMap::new();
    let resolve = |run| resolve_with_best_answers(referee, line, &seed, run + 1);
    let mut seen: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    let mut count = |told: Vec<(String, String)>, times: u64| {
        for (what, value) in told {
            *seen.entry(what).or_default().entry(value).or_default() += times;
        }
    };
    for run in 0..runs {
        match resolve(run) {
            Ok(outcome) => fell.entry(outcome.faces().collect()).or_insert((run, 0)).1 += 1,
            result => count(tale(referee, &line.table, odds, result), 1),
        }
    }
    // Many faces lead to the same end.
    let mut ends: HashMap<(String, String), (u64, u64)> = HashMap::new();
    for (run, times) in fell.into_values() {
        let outcome = resolve(run).unwrap();
        let changes = format!("{:?}", outcome.changes().collect::<Vec<_>>());
        ends.entry((words(&outcome), changes)).or_insert((run, 0)).1 += times;
    }
    for (run, times) in ends.into_values() {
        count(tale(referee, &line.table, odds, resolve(run)), times);
    }
    let sampled = match odds.basis {
        OddsMethod::Sampled(tries) => Some(tries),
        OddsMethod::Exact(_) => None,
    };
    let mut compared = 0;
    for (what, values) in &seen {
        // What is set out in some endings only has no value in the others.
        if values.values().sum::<u64>() < runs {
            continue;
        }
        let expected = said(odds, what);
        let chance = chi_squared::chance(&expected, values, sampled);
        if chance < far {
            let line = &line.text;
            return Err(format!("{line}: {what}: {values:?} of {runs} for {expected:?}"));
        }
        compared += 1;
    }
    Ok(compared)
}

/// For each procedure the place of the least costly line with exact odds that comes to it.
fn chosen(referee: &Referee, lines: &[(Line, Odds)]) -> BTreeMap<String, usize> {
    let mut best: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (place, (line, odds)) in lines.iter().enumerate() {
        if matches!(odds.basis, OddsMethod::Sampled(_)) {
            continue;
        }
        let (reached, cost) = lines::reached(referee, line);
        for (procedure, times) in reached {
            // What is seldom come to is seldom tried.
            let cost = cost * 100 / times as usize;
            let known = best.entry(procedure).or_insert((cost, place));
            *known = (*known).min((cost, place));
        }
    }
    best.into_iter().map(|(procedure, (_, place))| (procedure, place)).collect()
}

fn agrees(game: &str, runs: u64) {
    let referee = referee_of(lines::files(game));
    let mut all: Vec<(Line, Odds)> = Vec::new();
    for line in lines::all(&referee) {
        if let Some(odds) = odds(&referee, &line)
            && !all.iter().any(|(_, known)| *known == odds)
        {
            all.push((line, odds));
        }
    }
    let chosen = chosen(&referee, &all);
    let missing: Vec<String> =
        lines::procedures(&referee).into_iter().filter(|p| !chosen.contains_key(p)).collect();
    assert!(missing.is_empty(), "{game}: no line comes to {missing:?}");
    let mut compared = 0;
    for (place, (line, odds)) in all.iter().enumerate() {
        let often = chosen.values().any(|&c| c == place);
        let runs = if often { runs } else { runs / 100 };
        compared += compare(&referee, line, odds, Trial::of_runs(runs))
            .unwrap_or_else(|far| panic!("{game}: {far}"));
    }
    assert!(compared > 40, "{game}: only {compared} tables were compared");
}

#[test]
fn blitz() {
    agrees("blitz", RUNS);
}

#[test]
fn firefight() {
    agrees("firefight", RUNS);
}

#[test]
fn house_clearing() {
    agrees("house-clearing", RUNS);
}

#[test]
fn mtb() {
    agrees("mtb", RUNS);
}

#[test]
fn tarr() {
    agrees("tarr", RUNS);
}

#[test]
#[ignore = "100,000 throws a procedure: two minutes"]
fn every_game_long() {
    for game in shipped::names() {
        agrees(&game, LONG_RUNS);
    }
}

/// Odds by a ruleset with a fault in it, against the right one at the table.
fn is_caught(game: &str, line: &str, edits: &[(&str, &str)]) {
    let right = referee_of(lines::files(game));
    let mut files = lines::files(game);
    for (from, to) in edits {
        let holds: Vec<usize> =
            (0..files.len()).filter(|&i| files[i].text.contains(from)).collect();
        let [one] = holds.as_slice() else { panic!("`{from}` is in {} files", holds.len()) };
        files[*one].text = files[*one].text.replacen(from, to, 1);
    }
    let wrong = referee_of(files);
    let all = lines::all(&right);
    let differs = |l: &&Line| l.text == line && odds(&right, l) != odds(&wrong, l);
    let line = all.iter().find(differs).expect("the fault changes the odds of the line");
    let trial = Trial::of_runs(CATCHING_RUNS);
    let agrees = |referee| compare(&right, line, &odds(referee, line).unwrap(), trial);
    assert_eq!(agrees(&right).err(), None);
    assert!(agrees(&wrong).is_err(), "{game}: {edits:?} goes unnoticed");
}

#[test]
fn a_row_that_is_shifted_is_caught() {
    let edits = [(r#"on = "2-3",  say"#, r#"on = "2",  say"#), (r#""4-11""#, r#""3-11""#)];
    is_caught("blitz", "bomb-run", &edits);
    let edits = [
        (r#""3-4", say = "medium"#, r#""3", say = "medium"#),
        (r#""5-6", say = "fast"#, r#""4-6", say = "fast"#),
    ];
    is_caught("tarr", "wind-force", &edits);
}

#[test]
fn a_wrong_modifier_is_caught() {
    let label = r#"label = "{from} (fire {from.fire}) → {into}""#;
    let of = |by| format!("{label}\nmodifiers = [\n  {{ by = '{by}'");
    is_caught("blitz", "spread c3 d3", &[(&of("into.damp"), &of("0"))]);
}

#[test]
fn a_wrong_die_is_caught() {
    let of = |die| format!("let result = damage-result.suppressed'\nroll  = '{die}'");
    is_caught("firefight", "damage braun", &[(&of("1d10"), &of("1d12"))]);
}

#[test]
fn a_wrong_need_is_caught() {
    let line = "shot 120 with rifle range 13 seen 5";
    is_caught("house-clearing", line, &[("needs    = '<= seen'", "needs    = '< seen'")]);
}

#[test]
fn a_wrong_cell_of_a_chart_is_caught() {
    let of = |effect| format!("five  = [\"{effect}\",");
    is_caught("mtb", "damage s1", &[(&of("flooding"), &of("superficial"))]);
}
