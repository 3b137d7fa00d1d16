//! An outcome in a few words: for lists of commands, and for what is taken back.

use super::hands;
use super::outcome::View;
use crate::referee::{Event, Outcome};

/// So many parts are told; the rest is counted.
const PARTS: usize = 4;

/// What came of a command: its checks that led to something, else what it said, else what it changed.
pub fn words(view: &View<'_>, outcome: &Outcome) -> String {
    let phases: Vec<String> = outcome
        .events
        .iter()
        .filter_map(|e| match e {
            Event::Phase { turn, place, skipped: false } => {
                let phase = &view.referee.ruleset().phases[*place];
                Some(format!("turn {turn}, {} {}", place + 1, super::outcome::lower(&phase.title)))
            }
            _ => None,
        })
        .collect();
    let loud: Vec<String> = outcome
        .checks()
        .filter(|c| c.throws.iter().any(|t| t.passed != Some(false)))
        .map(|c| {
            let (_, words) = super::check::verdict(c);
            let dice = c.dice.concat();
            match words.is_empty() {
                true => format!("{} {dice}", c.label).trim().to_owned(),
                false => format!("{} {words}", c.label).trim().to_owned(),
            }
        })
        .collect();
    let mut parts = loud;
    if parts.is_empty() {
        parts = outcome
            .events
            .iter()
            .filter_map(|e| match e {
                Event::Said(words) => words.lines().next().map(str::to_owned),
                Event::Rolled(rolled, _) => Some(format!("{rolled} = {}", rolled.total)),
                _ => None,
            })
            .collect();
    }
    if parts.is_empty() && phases.is_empty() {
        parts = hands::kept(view, outcome.changes())
            .into_iter()
            .map(|(piece, changes)| format!("{piece}: {}", changes.join(", ")))
            .collect();
    }
    let more = parts.len().saturating_sub(PARTS);
    parts.truncate(PARTS);
    let mut words = parts.join("; ");
    if more > 0 {
        words.push_str(&format!("; and {more} more"));
    }
    match (phases.is_empty(), words.is_empty()) {
        (true, _) => words,
        (false, true) => phases.join("; "),
        (false, false) => format!("{}: {words}", phases.join("; ")),
    }
}
