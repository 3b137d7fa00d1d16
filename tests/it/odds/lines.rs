//! Lines to try odds on: those of the worked examples, on the table as it then stands, and what they throw
//! dice for.

use std::collections::BTreeMap;

use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::language::code::Op;
use adjutant_engine::referee::{Action, Event, Inputs, Referee};
use adjutant_engine::ruleset::{Example, FileText};
use adjutant_engine::tabletop::Tabletop;

use super::{action, apply};

/// A line that can be typed, and the table it is typed at.
pub struct Line {
    pub text: String,
    pub table: Tabletop,
    pub action: Action,
    pub insist: bool,
}

/// A shipped ruleset with the set-ups of these tests: what no worked example reaches.
pub fn files(game: &str) -> Vec<FileText> {
    let mut files = shipped::files(game).unwrap();
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/odds").join(game);
    let Ok(found) = std::fs::read_dir(folder) else { return files };
    for path in found.map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let scenario = (name != "examples").then_some(name);
        files.push(FileText { name: path.display().to_string(), text, scenario });
    }
    shipped::in_order(files)
}

/// The lines of all worked examples.
pub fn all(referee: &Referee) -> Vec<Line> {
    referee.ruleset().examples.iter().flat_map(|example| of(referee, example)).collect()
}

fn of(referee: &Referee, example: &Example) -> Vec<Line> {
    let seed = Seed::from_text("examples");
    let random = |n| Inputs { ask_random: true, insist: true, ..Inputs::seeded(&seed, n) };
    let scenario = referee.ruleset().scenario(&example.scenario).unwrap();
    let (mut table, _) = referee.set_up(scenario, &random(0)).unwrap();
    if let Some(phase) = &example.phase {
        referee.put_into_phase(&mut table, phase);
    }
    let options = example.options.iter().map(|(name, value)| format!("option {name} {value}"));
    let before = options.chain(example.set.iter().map(|(line, _)| line.clone()));
    for (i, line) in before.enumerate() {
        let (action, _) = action(referee, &table, &line).unwrap_or_else(|| panic!("`{line}`"));
        let outcome = referee.resolve(&table, &action, &random(1000 + i as u64));
        apply(&mut table, &outcome.unwrap_or_else(|halt| panic!("`{line}`: {halt:?}")));
    }
    let mut found = Vec::new();
    for (text, _) in &example.run {
        let Some((action, insist)) = action(referee, &table, text) else { break };
        let (text, before) = (text.clone(), table.clone());
        found.push(Line { text, table: before, action: action.clone(), insist });
        let Ok(outcome) = referee.resolve(&table, &action, &random(7)) else { break };
        apply(&mut table, &outcome);
    }
    found
}

/// The rules of a ruleset in whose own text chance decides: dice, a card, a piece picked.
pub fn procedures(referee: &Referee) -> Vec<String> {
    let program = &referee.ruleset().program;
    let rules = referee.ruleset().schema.rules.iter().filter(|rule| {
        use Op::{Draw, Pick, PickPiece, RollDice, RollPool, RollValue};
        let mut code = program.functions[rule.function.index()].code.iter();
        code.any(|op| {
            matches!(
                op,
                RollPool { .. }
                    | RollDice { .. }
                    | RollValue { .. }
                    | Draw { .. }
                    | Pick { .. }
                    | PickPiece { .. }
            )
        })
    });
    rules.map(|rule| rule.name.clone()).collect()
}

/// How often a run of the line comes to each procedure, of a hundred, and what the runs cost: the things that
/// happen in them.
pub fn reached(referee: &Referee, line: &Line) -> (BTreeMap<String, u32>, usize) {
    let seed = Seed::from_text("reached");
    let (mut found, mut cost) = (BTreeMap::new(), 0);
    for run in 0..100 {
        let inputs = Inputs { ask_random: true, insist: line.insist, ..Inputs::seeded(&seed, run) };
        let Ok(outcome) = referee.resolve(&line.table, &line.action, &inputs) else { continue };
        cost += 5 + outcome.events.len() + outcome.face_count();
        let mut begun = Vec::new();
        if let Action::Rule { rule, .. } = &line.action {
            begun.push(referee.ruleset().schema.rules[rule.index()].name.clone());
        }
        let mut thrown: Vec<String> = Vec::new();
        for event in &outcome.events {
            match event {
                Event::Call { rule, .. } => begun.push(rule.clone()),
                Event::Check(check) => thrown.extend(check.rule.clone()),
                // Which rule took it is not told; one of those that have begun.
                Event::Taken { .. } => thrown.extend(begun.iter().cloned()),
                _ => {}
            }
        }
        thrown.sort_unstable();
        thrown.dedup();
        for name in thrown {
            *found.entry(name).or_default() += 1;
        }
    }
    (found, cost)
}
