//! Makes a worked example from a command that was played.
//!
//! Each difference between the table before the command and the table with which the scenario's
//! examples begin becomes a line of the example's set-up. If such lines don't lead to the same
//! outcome, for example because cards were drawn from a deck, the example instead plays the lines
//! that came before the command, with their dice. Lines that don't affect the outcome are left out.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;

use super::examples::{ExampleRun, SharedWork};
use super::minimize;
use crate::language::machine::World;
use crate::language::parser;
use crate::language::schema::{KindRole, Type};
use crate::referee::{Event, Outcome};
use crate::ruleset::scenario_text::toml_string;
use crate::ruleset::{Example, Ruleset};
use crate::session::{Entry, Session, quote_answer};
use crate::source::{Span, StringMap};
use crate::tabletop::{AttributePath, Change, Tabletop, Value, inventory};

/// The maximum number of lines played to find out which lines an example doesn't need. Beyond this
/// limit, no more lines are left out.
const MAX_LINES_TO_SHORTEN: usize = 10_000;

/// Returns the lines of an `[[example]]` that shows a command and passes in its ruleset; `None` if
/// no lines lead to the same outcome, or if there is nothing to expect.
pub(crate) fn example_lines(session: &Session, entry: &Arc<Entry>) -> Option<Vec<String>> {
    let ruleset = session.referee().ruleset();
    let before = session.table_before(entry.number)?;
    let wanted = comparable_events(&entry.outcome);
    let mut common = SharedWork::default();
    let blank = Example {
        title: entry.line.clone(),
        scenario: session.scenario().to_owned(),
        ..Example::default()
    };
    let tried = Cell::new(0);
    let mut comes_out = |example: &Example| {
        tried.set(tried.get() + example.set.len() + example.run.len());
        let mut run = ExampleRun::new(ruleset, example, &mut common).ok()?;
        run.play_and_report();
        (run.faults.is_empty() && comparable_events(&run.last) == wanted)
            .then_some((run.table, run.shown))
    };
    let in_time = || tried.get() < MAX_LINES_TO_SHORTEN;
    let earlier: Vec<&Arc<Entry>> =
        session.entries().iter().filter(|e| e.number < entry.number).collect();
    let last = Example { phase: entry.phase.clone(), ..blank.clone() };
    let set = set_up_lines(ruleset, &last, &before);
    let example = [true, false].into_iter().find_map(|named| {
        let of = |lines: &[String]| Example {
            set: lines.iter().map(|line| (line.clone(), Span::default())).collect(),
            ..example_of_commands(&last, &[entry], named)
        };
        if comes_out(&of(&set)).is_some() {
            let holds = |fewer: &[String]| in_time() && comes_out(&of(fewer)).is_some();
            return Some(of(&minimize(set.clone(), holds)));
        }
        let replayed =
            |lines: &[&Arc<Entry>]| example_of_commands(&blank, &[lines, &[entry]].concat(), named);
        comes_out(&replayed(&earlier))?;
        let holds = |fewer: &[&Arc<Entry>]| in_time() && comes_out(&replayed(fewer)).is_some();
        Some(replayed(&minimize(earlier.clone(), holds)))
    })?;
    let (mut table, shown) = comes_out(&example)?;
    write_example(session, &example, &entry.outcome, &mut table, &shown)
}

/// Returns the events that an example must reproduce. Questions, the order of decks, the number of
/// cards before a draw, the check that decided a change, and the use of real dice are all ignored.
fn comparable_events(outcome: &Outcome) -> Vec<Event> {
    let events = outcome.events.iter().filter_map(|event| match event {
        Event::Asked { .. } | Event::Changed { change: Change::Deck { .. }, .. } => None,
        Event::Changed { change, .. } => {
            Some(Event::Changed { change: change.clone(), check: None })
        }
        Event::Taken { deck, what, .. } => {
            Some(Event::Taken { deck: deck.clone(), what: what.clone(), of: 0 })
        }
        Event::Check(check) => {
            let mut check = check.clone();
            check.physical = false;
            Some(Event::Check(check))
        }
        event => Some(event.clone()),
    });
    events.collect()
}

/// Returns an example that plays these commands with their dice. If `named` is true, the example
/// names the cards drawn; otherwise it draws them with the recorded dice.
fn example_of_commands(example: &Example, entries: &[&Arc<Entry>], named: bool) -> Example {
    let mut example = example.clone();
    for entry in entries {
        let outcome = &entry.outcome;
        example.run.push((entry.line.clone(), Span::default()));
        let mut dice: Vec<(u32, u32)> = Vec::new();
        for (sides, faces) in &outcome.dice {
            dice.extend(faces.iter().map(|face| (*sides, *face)));
        }
        let mut after = outcome.events.iter().skip(1);
        for event in &outcome.events {
            let next = after.next();
            match event {
                Event::Taken { deck: Some(_), what, of } if named => {
                    example.draws.push(what.clone());
                    if let Some(index) = dice.iter().position(|(sides, _)| *sides as usize == *of) {
                        dice.remove(index);
                    }
                }
                // With real dice, the umpire typed which card was drawn.
                Event::Asked { .. } if matches!(next, Some(Event::Taken { .. })) => {}
                Event::Asked { random: true, .. } => example.answers.push("?".to_owned()),
                Event::Asked { answer, .. } => example.answers.push(quote_answer(answer)),
                _ => {}
            }
        }
        example.dice.extend(dice.into_iter().map(|(_, face)| face));
    }
    example
}

/// Returns set-up lines with which an example recreates the table `wanted`, as far as possible.
fn set_up_lines(ruleset: &Arc<Ruleset>, example: &Example, wanted: &Tabletop) -> Vec<String> {
    let mut common = SharedWork::default();
    let Ok(mut run) = ExampleRun::new(ruleset, example, &mut common) else { return Vec::new() };
    // If the set-up fails, the table stays as it is at that point.
    _ = run.set_up();
    let schema = &ruleset.schema;
    let mut lines = Vec::new();
    let mut put = |copy: &mut ExampleRun<'_>, line: String| {
        if copy.play_set_up_line(&line, Span::default(), lines.len() as u64 + 1).is_ok() {
            lines.push(line);
        }
    };
    let plain = |piece: &str| piece.split('#').next().unwrap_or(piece).to_owned();
    let is_there = |table: &Tabletop, of: &AttributePath| {
        table.piece_named(&of.kind, &of.piece).ok().map(|(kind, row)| table.is_on_table(kind, row))
    };
    let pieces = |of: &AttributePath| {
        schema.kind_named(&of.kind).map(|id| schema.kind(id)).filter(|k| k.role == KindRole::Pieces)
    };
    for (of, _) in inventory(&run.table) {
        if pieces(&of).is_some() && is_there(wanted, &of) != is_there(&run.table, &of) {
            put(&mut run, format!("remove {}", plain(&of.piece)));
        }
    }
    let inventory_wanted = inventory(wanted);
    for (of, _) in inventory_wanted.iter().filter(|(of, _)| of.attribute.is_empty()) {
        if pieces(of).is_some() && is_there(&run.table, of).is_none() {
            put(&mut run, format!("add {} {}", of.kind, plain(&of.piece)));
            if is_there(wanted, of) == Some(false) {
                put(&mut run, format!("remove {}", plain(&of.piece)));
            }
        }
    }
    let now: IndexMap<AttributePath, Value> = inventory(&run.table).into_iter().collect();
    for (of, value) in &inventory_wanted {
        let Some(attribute) = schema.attribute_at(of).filter(|_| now.get(of) != Some(value)) else {
            continue;
        };
        if is_there(&run.table, of) != Some(true) {
            continue;
        }
        let value = match (attribute.ty, value) {
            (Type::List(_), Value::Text(members)) if members == "nothing" => "none".to_owned(),
            (Type::List(_), members) => members.to_string(),
            (_, Value::Text(words)) => quote_answer(&plain(words)),
            (_, value) => value.to_string(),
        };
        let piece = plain(&of.piece);
        put(&mut run, format!("set {piece}.{} {value}", of.attribute));
    }
    lines
}

/// Writes an example that expects the new values of attributes, the printed lines and the verdicts
/// of checks. Expectations that would fail are left out. Returns `None` if none remain.
fn write_example(
    session: &Session,
    example: &Example,
    outcome: &Outcome,
    table: &mut Tabletop,
    shown: &str,
) -> Option<Vec<String>> {
    let referee = session.referee();
    let schema = &referee.ruleset().schema;
    let mut expect = Vec::new();
    let mut says = Vec::new();
    for change in outcome.changes() {
        if let Change::Set { of, new, .. } = change {
            let spot = format!("{}.{}", of.piece, of.attribute);
            let holds = match new {
                Value::Flag(true) => spot,
                Value::Flag(false) => format!("not {spot}"),
                Value::Text(words)
                    if schema.attribute_at(of).is_some_and(|a| a.ty == Type::Text) =>
                {
                    format!("{spot} = {}", toml_string(words))
                }
                value => format!("{spot} = {value}"),
            };
            expect.push(holds);
        }
    }
    for event in &outcome.events {
        match event {
            Event::Said(words) | Event::SaidTo { words, .. } => says.push(words.clone()),
            Event::Check(check) => says.extend(check.verdict.clone()),
            _ => {}
        }
    }
    let mut once = BTreeSet::new();
    expect.retain(|text| {
        let expr = parser::parse_expression(text, &StringMap::default(), &mut Vec::new());
        let held = expr.map(|e| referee.evaluate(table, Some(Type::Flag), &e));
        once.insert(text.clone()) && matches!(held, Some(Ok((1, ..))))
    });
    says.retain(|words| {
        once.insert(words.clone()) && !words.is_empty() && shown.contains(words.as_str())
    });
    if expect.is_empty() && says.is_empty() {
        return None;
    }
    let mut text = vec!["[[example]]".to_owned()];
    write_key(&mut text, "title", &toml_string(&example.title));
    write_key(&mut text, "scenario", &toml_string(&example.scenario));
    example.phase.iter().for_each(|phase| write_key(&mut text, "phase", &toml_string(phase)));
    write_list(&mut text, "set", example.set.iter().map(|(line, _)| toml_string(line)));
    write_list(&mut text, "dice", example.dice.iter().map(u32::to_string));
    write_list(&mut text, "draws", example.draws.iter().map(toml_string));
    write_list(&mut text, "answers", example.answers.iter().map(toml_string));
    write_list(&mut text, "run", example.run.iter().map(|(line, _)| toml_string(line)));
    write_list(&mut text, "expect", expect.iter().map(toml_string));
    write_list(&mut text, "says", says.iter().map(toml_string));
    Some(text)
}

fn write_key(text: &mut Vec<String>, key: &str, value: &str) {
    text.push(format!("{key:8} = {value}"));
}

/// Writes a list unless it is empty, on one line if it is short.
fn write_list(text: &mut Vec<String>, key: &str, values: impl Iterator<Item = String>) {
    let values: Vec<String> = values.collect();
    let row = values.join(", ");
    match row.len() {
        0 => {}
        1..=100 => write_key(text, key, &format!("[{row}]")),
        _ => {
            write_key(text, key, "[");
            text.extend(values.iter().map(|value| format!("  {value},")));
            text.push("]".to_owned());
        }
    }
}
