//! Journals of version 1: read, and brought into the present form.
//!
//! They do not say where a call ends, what its names stood for, or which check decided a change. Ends are put in
//! where the depth of the calls shows them; a change counts as decided by the last check of the calls under way.

use std::sync::Arc;

use serde::Deserialize;

use super::glance::Glance;
use super::history::{AmendRecord, Entry, StepName, Way};
use super::record::{self, FileRecord, Record, ReloadRecord, StartRecord};
use super::{RealDice, Session, phase_name};
use crate::dice::parse_pool;
use crate::language::number::Number;
use crate::language::syntax::Operator;
use crate::referee::{self, Event, Outcome, Roll, Throw};
use crate::tabletop::{Change, Splice, Spot, Value};

/// A line.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Body {
    at: u64,
    turn: i64,
    #[serde(rename = "do")]
    what: Record1,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Record1 {
    Start(Box<Start>),
    Command(Command),
    Undo(u64),
    UndoAmend(u64),
    Redo(u64),
    RedoAmend(u64),
    Amend(Amend),
    Dice(RealDice),
    Words(String),
    Reload(ReloadRecord),
    AskRandom(bool),
    Reveal(String),
    Resume(String),
}

#[derive(Clone, Debug, Deserialize)]
struct Start {
    program: String,
    game: String,
    title: String,
    scenario: String,
    seed: String,
    seed_text: Option<String>,
    seal: String,
    #[serde(default)]
    words: Vec<String>,
    files: Vec<FileRecord>,
    set_up: Outcome1,
}

#[derive(Clone, Debug, Deserialize)]
struct Command {
    n: u64,
    line: String,
    reason: Option<String>,
    out: Outcome1,
}

#[derive(Clone, Debug, Deserialize)]
struct Amend {
    n: u64,
    now: Vec<Command>,
    #[serde(default)]
    dropped: Vec<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Outcome1 {
    #[serde(default)]
    dice: Vec<(u32, Vec<u32>)>,
    #[serde(default)]
    by_hand: bool,
    #[serde(default)]
    prompts: Vec<u32>,
    #[serde(default)]
    events: Vec<Event1>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Event1 {
    Rule(String, usize),
    Phase(i64, String, usize, bool),
    Check(Box<Check>),
    Rolled(String, String, i64),
    Taken(Option<String>, String, usize),
    Shuffled(String, usize),
    Asked(String, String, bool),
    Said(String),
    Reminded(String),
    Insisted(String),
    Changed(Change1),
}

/// The first word of a change.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Tag {
    Set,
    List,
    Deck,
    Made,
    Removed,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Change1 {
    /// `["set", kind, piece, attribute, old, new]`
    Set(Tag, String, String, String, Value, Value),
    /// `["list", kind, piece, attribute, old, new]`
    List(Tag, String, String, String, Vec<Value>, Vec<Value>),
    /// `["deck", deck, old, new]`
    Deck(Tag, String, Vec<Value>, Vec<Value>),
    /// `["made", kind, piece]`, `["removed", kind, piece]`
    Piece(Tag, String, String),
}

#[derive(Clone, Debug, Deserialize)]
struct Check {
    rule: Option<String>,
    label: String,
    dice: Vec<String>,
    pools: Vec<(String, i64)>,
    throws: Vec<(Number, Number, Option<bool>)>,
    #[serde(default)]
    modifiers: Vec<(Number, String)>,
    need: Option<(Operator, Number)>,
    verdict: Option<String>,
}

/// Returns what a list of sessions shows of a line.
pub(super) fn glance(body: Body) -> Glance {
    let mut glance = Glance { at: body.at, turn: body.turn, ..Glance::default() };
    match body.what {
        Record1::Start(start) => glance.game = Some([start.game, start.title, start.scenario]),
        Record1::Command(command) => glance.line = Some(command.line),
        Record1::Undo(_) | Record1::UndoAmend(_) => glance.line = Some("undo".to_owned()),
        Record1::Redo(_) | Record1::RedoAmend(_) => glance.line = Some("redo".to_owned()),
        Record1::Amend(amend) => {
            let line = amend.now.first().map_or("", |c| c.line.as_str());
            glance.line = Some(format!("amend {} {line}", amend.n));
        }
        Record1::Reload(_) => glance.line = Some("reload".to_owned()),
        Record1::Dice(_)
        | Record1::Words(_)
        | Record1::AskRandom(_)
        | Record1::Reveal(_)
        | Record1::Resume(_) => {}
    }
    glance
}

/// Returns a line in the present form; the session is as it was before it.
pub(super) fn upgrade(body: Body, session: Option<&Session>) -> record::Body {
    let command = |n| vec![StepName::Command(n)];
    let amendment = |n| vec![StepName::Amendment(n)];
    let what = match body.what {
        Record1::Start(start) => Record::Start(Arc::new(StartRecord {
            program: start.program,
            game: start.game,
            title: start.title,
            scenario: start.scenario,
            seed: start.seed,
            seed_text: start.seed_text,
            seal: start.seal,
            words: start.words,
            files: start.files,
            set_up: outcome(start.set_up),
        })),
        Record1::Command(command) => {
            let when = session.map(|s| (s.turn(), s.phase()));
            Record::Command(Arc::new(entry(command, when.unwrap_or_default())))
        }
        Record1::Undo(n) => Record::Undo(command(n)),
        Record1::UndoAmend(n) => Record::Undo(amendment(n)),
        Record1::Redo(n) => Record::Redo(command(n)),
        Record1::RedoAmend(n) => Record::Redo(amendment(n)),
        Record1::Amend(amend) => Record::Amend(Arc::new(amended(amend, session))),
        Record1::Dice(dice) => Record::Dice(dice),
        Record1::Words(words) => Record::Words(words),
        Record1::Reload(reload) => Record::Reload(Arc::new(reload)),
        Record1::AskRandom(random) => Record::AskRandom(random),
        Record1::Reveal(seed) => Record::Reveal(seed),
        Record1::Resume(version) => Record::Resume(version),
    };
    record::Body { v: 1, at: body.at, turn: body.turn, what }
}

/// The turn and the phase of each command are those of the board as the amendment leaves it there. What does not
/// fit the board is found when the amendment is made.
fn amended(amend: Amend, session: Option<&Session>) -> AmendRecord {
    let mut board = session.and_then(|session| {
        let (_, tail) = session.history.split(session.history.place(amend.n)?);
        let mut board = session.board.clone();
        board.act(tail.iter().rev().map(|e| (Way::Back, e))).ok()?;
        Some(board)
    });
    let mut now = Vec::new();
    for command in amend.now {
        let when = board.as_ref().map_or((0, None), |board| {
            let (referee, table) = board.of(command.n);
            (referee.turn(table), phase_name(referee, table))
        });
        let entry = Arc::new(entry(command, when));
        if let Some(board) = &mut board {
            let _ = board.act([(Way::Forth, &entry)]);
        }
        now.push(entry);
    }
    AmendRecord { number: amend.n, now, dropped: amend.dropped }
}

fn entry(command: Command, (turn, phase): (i64, Option<String>)) -> Entry {
    let Command { n: number, line, reason, out } = command;
    Entry { number, line, reason, turn, phase, stream: None, outcome: outcome(out) }
}

fn outcome(old: Outcome1) -> Outcome {
    let physical = old.by_hand;
    let mut events = Vec::with_capacity(old.events.len());
    // For each call under way, its rule and the last check made in it; the first is what ran outside calls.
    let mut calls: Vec<(Option<String>, Option<usize>)> = vec![(None, None)];
    for event in old.events {
        match event {
            Event1::Rule(rule, depth) => {
                end_calls(&mut calls, depth + 1, &mut events);
                calls.push((Some(rule.clone()), None));
                events.push(Event::Call { rule, bound: Vec::new() });
            }
            Event1::Phase(turn, phase, place, skipped) => {
                end_calls(&mut calls, 1, &mut events);
                calls[0] = (None, None);
                events.push(Event::Phase { turn, phase, place, skipped });
            }
            Event1::Check(old) => {
                // Calls of other rules made since then have ended.
                let place = calls.iter().rposition(|(rule, _)| *rule == old.rule).unwrap_or(0);
                end_calls(&mut calls, place + 1, &mut events);
                calls[place].1 = Some(events.len());
                events.push(Event::Check(Box::new(check(*old, physical))));
            }
            Event1::Rolled(written, shown, total) => {
                events.push(Event::Rolled { written, shown, total });
            }
            Event1::Taken(deck, what, of) => events.push(Event::Taken { deck, what, of }),
            Event1::Shuffled(deck, count) => events.push(Event::Shuffled { deck, count }),
            Event1::Asked(question, answer, random) => {
                events.push(Event::Asked { question, answer, random });
            }
            Event1::Said(words) => events.push(Event::Said(words)),
            Event1::Reminded(words) => events.push(Event::Reminded(words)),
            Event1::Insisted(reason) => events.push(Event::Insisted(reason)),
            Event1::Changed(old) => {
                let check = calls.iter().rev().find_map(|(_, check)| *check);
                events.push(Event::Changed { change: change(old), check });
            }
        }
    }
    end_calls(&mut calls, 1, &mut events);
    Outcome { dice: old.dice, physical, prompts: old.prompts, events, ..Outcome::default() }
}

/// Ends the innermost calls, so that so many are left.
fn end_calls<T>(calls: &mut Vec<T>, left: usize, events: &mut Vec<Event>) {
    while calls.len() > left {
        calls.pop();
        events.push(Event::End);
    }
}

fn check(old: Check, physical: bool) -> referee::Check {
    let rolls = old.pools.into_iter().zip(old.dice).map(|((pool, total), shown)| Roll {
        pool: parse_pool(&pool).ok(),
        shown,
        total,
    });
    let throw = |(natural, total, passed)| Throw { natural, total, passed };
    referee::Check {
        rule: old.rule,
        label: old.label,
        rolls: rolls.collect(),
        throws: old.throws.into_iter().map(throw).collect(),
        modifiers: old.modifiers,
        need: old.need,
        verdict: old.verdict,
        physical,
    }
}

fn change(old: Change1) -> Change {
    match old {
        Change1::Set(Tag::Set, kind, piece, attribute, old, new) => {
            Change::Set { of: Spot { kind, piece, attribute }, old, new }
        }
        Change1::List(Tag::List, kind, piece, attribute, old, new) => {
            Change::List { of: Spot { kind, piece, attribute }, old, new }
        }
        Change1::Deck(Tag::Deck, deck, old, new) => {
            Change::Deck { deck, splice: Splice::between(&old, &new) }
        }
        Change1::Piece(Tag::Made, kind, piece) => Change::Made { kind, piece },
        Change1::Piece(Tag::Removed, kind, piece) => Change::Removed { kind, piece },
        // What is no change fits no table, so that its line is refused.
        Change1::Set(..) | Change1::List(..) | Change1::Deck(..) | Change1::Piece(..) => {
            Change::Removed { kind: String::new(), piece: String::new() }
        }
    }
}

/// Returns an outcome without what version 1 does not keep, to be compared with one that was kept so.
pub(super) fn without_calls(outcome: &Outcome) -> Outcome {
    let event = |event: &Event| match event {
        Event::End | Event::Bound(_) => None,
        Event::Call { rule, .. } => Some(Event::Call { rule: rule.clone(), bound: Vec::new() }),
        Event::Changed { change, .. } => {
            Some(Event::Changed { change: change.clone(), check: None })
        }
        other => Some(other.clone()),
    };
    Outcome { events: outcome.events.iter().filter_map(event).collect(), ..outcome.clone() }
}
