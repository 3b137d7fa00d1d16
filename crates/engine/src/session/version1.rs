//! Journals of version 1: read, and brought into the present form.
//!
//! They do not say where a call ends, what its names stood for, or which check decided a change. Ends are put in
//! where the depth of the calls shows them; a change counts as decided by the last check of the calls under way.

use std::slice::from_mut;
use std::sync::Arc;

use adjutant_dice::parse_pool;
use serde_json::{Value, json};

use super::history::Way;
use super::record::Record;
use super::{Session, phase_name};
use crate::referee::{Event, Outcome};
use crate::tabletop::{Change, Splice};

/// The keys of what version 1 keeps as a row of values.
const KEYS: [(&str, &[&str]); 9] = [
    ("phase", &["turn", "phase", "place", "skipped"]),
    ("rolled", &["written", "shown", "total"]),
    ("taken", &["deck", "what", "of"]),
    ("shuffled", &["deck", "count"]),
    ("asked", &["question", "answer", "random"]),
    ("set", &["kind", "piece", "attribute", "old", "new"]),
    ("list", &["kind", "piece", "attribute", "old", "new"]),
    ("made", &["kind", "piece"]),
    ("removed", &["kind", "piece"]),
];

/// Reads a record and brings it into the present form; none if it is no record of version 1. Turn and phase of its
/// commands are missing still.
pub(super) fn upgraded(written: &str) -> Result<Option<Record>, serde_json::Error> {
    let Some(record) = upgrade(serde_json::from_str(written)?) else { return Ok(None) };
    serde_json::from_str(&record.to_string()).map(Some)
}

fn upgrade(record: Value) -> Option<Value> {
    let (name, mut of) = variant(record)?;
    match name.as_str() {
        "start" => outcome(of.get_mut("set_up")?)?,
        "command" => command(&mut of)?,
        "amend" => of.get_mut("now")?.as_array_mut()?.iter_mut().try_for_each(command)?,
        "undo" | "redo" => of = json!([{ "command": of }]),
        "undo-amend" | "redo-amend" => of = json!([{ "amendment": of }]),
        _ => {}
    }
    Some(json!({ name.trim_end_matches("-amend"): of }))
}

/// Returns the name and the content of the one variant that an object holds.
fn variant(value: Value) -> Option<(String, Value)> {
    let Value::Object(object) = value else { return None };
    object.into_iter().next()
}

fn command(command: &mut Value) -> Option<()> {
    outcome(command.get_mut("out")?)?;
    command.as_object_mut()?.insert("turn".to_owned(), json!(0));
    Some(())
}

fn outcome(outcome: &mut Value) -> Option<()> {
    let physical = outcome.get("by_hand").cloned().unwrap_or(json!(false));
    let Some(old) = outcome.get_mut("events") else { return Some(()) };
    let mut events = Vec::new();
    // For each call under way, its rule and the last check made in it; the first is what ran outside calls.
    let mut calls: Vec<(Value, Option<usize>)> = vec![(Value::Null, None)];
    let end_calls = |calls: &mut Vec<_>, left: usize, events: &mut Vec<Value>| {
        events.extend((left..calls.len()).map(|_| json!("end")));
        calls.truncate(left);
    };
    for event in old.as_array_mut()?.drain(..) {
        let (name, of) = variant(event)?;
        let event = match name.as_str() {
            "rule" => {
                let depth = usize::try_from(of.get(1)?.as_u64()?).ok()?;
                end_calls(&mut calls, depth.saturating_add(1), &mut events);
                let rule = of.get(0)?.clone();
                calls.push((rule.clone(), None));
                json!({ "call": { "rule": rule } })
            }
            "check" => {
                // Calls of other rules made since then have ended.
                let rule = of.get("rule").unwrap_or(&Value::Null);
                let place = calls.iter().rposition(|(r, _)| r == rule).unwrap_or(0);
                end_calls(&mut calls, place + 1, &mut events);
                calls[place].1 = Some(events.len());
                json!({ "check": check(of, &physical)? })
            }
            "changed" => {
                let check = calls.iter().rev().find_map(|(_, check)| *check);
                json!({ "changed": { "change": change(of)?, "check": check } })
            }
            _ => {
                if name == "phase" {
                    end_calls(&mut calls, 1, &mut events);
                    calls[0].1 = None;
                }
                keyed(&name, of)?
            }
        };
        events.push(event);
    }
    end_calls(&mut calls, 1, &mut events);
    *old = Value::Array(events);
    Some(())
}

/// Returns a variant with a key for each value of its row; words alone stay as they are.
fn keyed(name: &str, of: Value) -> Option<Value> {
    let Value::Array(row) = of else { return Some(json!({ name: of })) };
    let (_, keys) = KEYS.iter().find(|(known, _)| *known == name)?;
    let keys = keys.iter().map(|key| (*key).to_owned());
    let mut values = serde_json::Map::new();
    values.extend(keys.zip(row));
    Some(json!({ name: values }))
}

fn check(mut old: Value, physical: &Value) -> Option<Value> {
    let pools = old.get("pools")?.as_array()?.iter().zip(old.get("dice")?.as_array()?);
    let roll = |(pool, shown): (&Value, &Value)| {
        // Some pools were written in a form that cannot be read.
        let written = pool.get(0)?.as_str().filter(|text| parse_pool(text).is_ok());
        Some(json!({ "pool": written, "total": pool.get(1)?, "shown": shown }))
    };
    let rolls: Option<Vec<Value>> = pools.map(roll).collect();
    let throws = old.get("throws")?.as_array()?.iter().map(|throw| {
        let (natural, total) = (throw.get(0)?, throw.get(1)?);
        Some(json!({ "natural": natural, "total": total, "passed": throw.get(2) }))
    });
    let throws: Option<Vec<Value>> = throws.collect();
    let check = old.as_object_mut()?;
    check.insert("rolls".to_owned(), json!(rolls?));
    check.insert("throws".to_owned(), json!(throws?));
    check.insert("physical".to_owned(), physical.clone());
    Some(old)
}

fn change(old: Value) -> Option<Value> {
    let Value::Array(mut row) = old else { return None };
    let name = (!row.is_empty()).then(|| row.remove(0))?;
    match (name.as_str()?, row.as_slice()) {
        ("deck", [deck, Value::Array(old), Value::Array(new)]) => {
            let Splice { at, old, new } = Splice::between(old, new);
            Some(json!({ "deck": { "deck": deck, "at": at, "old": old, "new": new } }))
        }
        (name, _) => keyed(name, Value::Array(row.clone())),
    }
}

/// Puts in the turn and phase of each command of a record: those of the board before it. What does not fit the
/// board is found when the record is made.
pub(super) fn add_phases(record: &mut Record, session: &Session) {
    let mut board = session.board.clone();
    let entries = match record {
        Record::Command(entry) => from_mut(entry),
        Record::Amend(amend) => {
            let amend = Arc::make_mut(amend);
            let Some(place) = session.history.place(amend.number) else { return };
            let (_, tail) = session.history.split(place);
            let _ = board.take_back(tail);
            &mut amend.now
        }
        _ => return,
    };
    for entry in entries {
        let (referee, table) = board.of(entry.number);
        let dated = Arc::make_mut(entry);
        (dated.turn, dated.phase) = (referee.turn(table), phase_name(referee, table));
        let _ = board.act([(Way::Forth, &*entry)]);
    }
}

/// Returns an outcome without what version 1 does not keep, to be compared with one that was kept so.
pub(super) fn without_calls(outcome: &Outcome) -> Outcome {
    let event = |event: &Event| match event {
        Event::End | Event::Bound(_) => None,
        // It told each card put into a deck by itself; what a deck holds shows in what is drawn from it.
        Event::Changed { change: Change::Deck { .. }, .. } => None,
        Event::Call { rule, .. } => Some(Event::Call { rule: rule.clone(), bound: Vec::new() }),
        Event::Changed { change, .. } => {
            Some(Event::Changed { change: change.clone(), check: None })
        }
        other => Some(other.clone()),
    };
    Outcome { events: outcome.events.iter().filter_map(event).collect(), ..outcome.clone() }
}
