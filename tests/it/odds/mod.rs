//! The odds of verbs: against every fall of the dice followed one by one on a small ruleset, and against the
//! frequency of the same verbs resolved as at the table, for every dice procedure of the shipped rulesets.

mod answers;
mod chi_squared;
mod choices;
mod decks;
mod endless;
mod evening;
mod frequencies;
mod lines;
mod opposed;
mod positions;
mod questions;
mod told;
mod trees;
mod volley;

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_engine::command;
use adjutant_engine::language::machine::Halt;
use adjutant_engine::language::schema::STATE_KIND;
use adjutant_engine::referee::odds::Odds;
use adjutant_engine::referee::{Action, Event, Outcome, Referee};
use adjutant_engine::ruleset::{FileText, load};
use adjutant_engine::tabletop::Tabletop;

fn referee_of(files: Vec<FileText>) -> Referee {
    Referee::new(Arc::new(load(files).map_err(|f| f.faults).unwrap()))
}

fn action(referee: &Referee, table: &Tabletop, line: &str) -> Option<(Action, bool)> {
    command::parse(referee, table, line).ok()?.map(|c| (c.action, c.insist))
}

fn apply(table: &mut Tabletop, outcome: &Outcome) {
    outcome.apply(table).unwrap();
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
            Event::Said(text) | Event::SaidTo { words: text, .. } => last.clone_from(text),
            Event::Taken { deck: Some(_), what, .. } => last.clone_from(what),
            _ => {}
        }
    }
    last
}

/// What came of one way or run: the last words, and the value of each part of the odds.
fn tale(
    referee: &Referee,
    table: &Tabletop,
    odds: &Odds,
    result: Result<Outcome, Halt>,
) -> Vec<(String, String)> {
    let (after, last) = match result {
        Ok(outcome) => {
            let mut after = table.clone();
            apply(&mut after, &outcome);
            (after, words(&outcome))
        }
        Err(halt) => (table.clone(), halt.to_string()),
    };
    let mut told = vec![(String::new(), last)];
    for part in &odds.parts {
        if let Some(value) = part_value(referee, table, &after, &part.what) {
            told.push((part.what.clone(), value));
        }
    }
    told
}

/// What a part is afterwards, as the odds tell it: `c3 fire`, a thing of the state, or a piece that comes
/// or goes.
fn part_value(
    referee: &Referee,
    before: &Tabletop,
    after: &Tabletop,
    what: &str,
) -> Option<String> {
    let state = referee.ruleset().schema.kind(STATE_KIND);
    let (kind, row, name) = match what.split_once(' ') {
        Some((piece, name)) => {
            let (kind, row) = before.find(piece)?;
            (kind, row, name)
        }
        None if state.attribute(what).is_some() => (STATE_KIND, 0, what),
        None => {
            let words = match (before.find(what).is_some(), after.find(what).is_some()) {
                (true, true) => "stays",
                (true, false) => "taken off",
                (false, true) => "set out",
                (false, false) => "not there",
            };
            return Some(words.to_owned());
        }
    };
    // What is taken off is told by the piece alone.
    let there = kind == STATE_KIND || after.present_pieces(kind).any(|r| r == row);
    let table = if there { after } else { before };
    let attributes = &referee.ruleset().schema.kind(kind).attributes;
    let place = attributes.iter().position(|a| a.name == name)?;
    let value = referee.attribute_text(table, kind, row, place)?;
    let attribute = &attributes[place];
    Some(match value.parse::<i64>() {
        _ if value.is_empty() => "none".to_owned(),
        Ok(n) if !attribute.names.is_empty() => {
            attribute.names[usize::try_from(n - attribute.low).unwrap()].clone()
        }
        _ => value,
    })
}

/// What the odds say of one thing: nothing for the last words.
fn said<'o>(odds: &'o Odds, what: &str) -> BTreeMap<&'o str, f64> {
    let values = match what {
        "" => &odds.words,
        what => &odds.parts.iter().find(|p| p.what == what).unwrap().values,
    };
    values.iter().map(|(value, chance)| (value.as_str(), chance.to_f64())).collect()
}
