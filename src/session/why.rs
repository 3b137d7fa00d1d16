//! Why something is as it is: the chain of causes back through the journal, with the dice.

use std::sync::Arc;

use super::Session;
use super::history::Entry;
use crate::language::machine::World;
use crate::language::schema::{KindId, Storage};
use crate::referee::{Check, Event, Referee};
use crate::tabletop::{Cell, Change, Tabletop};

/// How many causes one thread goes back.
const LONGEST: usize = 50;

/// Why a piece is as it is.
#[derive(Clone, Debug)]
pub struct Why {
    /// Its name.
    pub piece: String,
    /// For each attribute that was asked for or has changed: its causes. What changed last comes first.
    pub threads: Vec<Thread>,
}

/// Why one attribute is as it is.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The attribute's name.
    pub attribute: String,
    /// Its value now, in words.
    pub value: String,
    /// What made it so, the last first; it goes over to other pieces where they were the cause. Empty if it is
    /// as the scenario set it out.
    pub causes: Vec<Cause>,
}

/// One link of a chain.
#[derive(Clone, Debug)]
pub struct Cause {
    /// Whose attribute was changed.
    pub piece: String,
    /// Which.
    pub attribute: String,
    /// What it was.
    pub old: String,
    /// What it became.
    pub new: String,
    /// The command that did it; 0 is the set-up.
    pub number: u64,
    /// Its line.
    pub line: String,
    /// For an overruling: why.
    pub reason: Option<String>,
    /// The turn.
    pub turn: i64,
    /// The title of the phase.
    pub phase: Option<String>,
    /// The rule that changed it, by its name, if one did.
    pub rule: Option<String>,
    /// The dice that decided it.
    pub check: Option<Check>,
    /// What the rule said about it.
    pub said: Vec<String>,
    /// The piece that was the cause, where the chain goes on.
    pub from: Option<String>,
}

/// A place in the history: which command that stands, and which of its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    entry: usize,
    event: usize,
}

/// The attribute of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    kind: KindId,
    row: u32,
    attribute: usize,
}

impl Session {
    /// Why a piece, or one attribute of it, is as it is: `c3`, `c3.fire`, `state.wind`. The error is for people.
    pub fn why(&self, target: &str) -> Result<Why, String> {
        let standing = self.entries().iter();
        let began = match self.log().first().map(|l| &l.what) {
            Some(super::Happening::Began(outcome)) => outcome.clone(),
            _ => Arc::default(),
        };
        let entry = Arc::new(Entry {
            number: 0,
            line: String::new(),
            reason: None,
            turn: 0,
            phase: None,
            outcome: Arc::unwrap_or_clone(began),
        });
        let mut entries = vec![self.restated(&entry)];
        entries.extend(standing.map(|e| self.restated(e)));
        let (referee, table) = (self.referee(), self.table());
        Asked { referee, table, entries }.why(target.trim())
    }
}

/// A session in which something is asked for.
struct Asked<'s> {
    referee: &'s Referee,
    table: &'s Tabletop,
    /// The set-up, then every command that stands, in terms of the rules that are in force now.
    entries: Vec<Arc<Entry>>,
}

impl Asked<'_> {
    fn why(&self, target: &str) -> Result<Why, String> {
        let schema = &self.referee.ruleset().schema;
        let (kind, row, attribute) = self.why_target(target)?;
        let mut spots: Vec<(Option<At>, Spot)> = Vec::new();
        for place in 0..schema.kind(kind).attributes.len() {
            let spot = Spot { kind, row, attribute: place };
            let last = self.last_change(spot, None);
            if attribute == Some(place) || (attribute.is_none() && last.is_some()) {
                spots.push((last, spot));
            }
        }
        spots.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.attribute.cmp(&b.1.attribute)));
        let thread = |(last, spot): (Option<At>, Spot)| Thread {
            attribute: schema.kind(kind).attributes[spot.attribute].name.clone(),
            value: self
                .referee
                .attribute(self.table, kind, row, spot.attribute)
                .unwrap_or_default(),
            causes: self.causes(spot, last),
        };
        let piece = self.table.name(kind, row).to_owned();
        Ok(Why { piece, threads: spots.into_iter().map(thread).collect() })
    }

    fn why_target(&self, target: &str) -> Result<(KindId, u32, Option<usize>), String> {
        use crate::language::schema::{OPTION, STATE};
        let schema = &self.referee.ruleset().schema;
        let piece = |name: &str| match name {
            "state" => Some((STATE, 0)),
            "option" => Some((OPTION, 0)),
            name => self.table.find(name).or_else(|| self.table.known(name)),
        };
        if let Some((kind, row)) = piece(target) {
            return Ok((kind, row, None));
        }
        // `b3.2.fire`: the piece is all up to the last point.
        let Some((name, attribute)) = target.rsplit_once('.') else {
            return Err(format!(
                "there is no `{target}`; write `why PIECE` or `why PIECE.ATTRIBUTE`"
            ));
        };
        let (kind, row) = piece(name).ok_or_else(|| format!("there is no `{name}`"))?;
        let attributes = &schema.kind(kind).attributes;
        match attributes.iter().position(|a| a.name == attribute) {
            Some(place) => match attributes[place].storage {
                Storage::Computed(_) => {
                    let what = &schema.kind(kind).name;
                    Err(format!(
                        "`{attribute}` of a {what} is computed from other attributes; ask why of these"
                    ))
                }
                _ => Ok((kind, row, Some(place))),
            },
            None => {
                let known = attributes.iter().map(|a| a.name.as_str());
                let near = crate::names::nearest(attribute, known);
                let hint = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                Err(format!("a {} has no `{attribute}`{hint}", schema.kind(kind).name))
            }
        }
    }

    /// The outcomes in order: the set-up, then every command that stands.
    fn events_of(&self, entry: usize) -> &[Event] {
        self.entries.get(entry).map_or(&[], |e| e.outcome.events.as_slice())
    }

    /// Where an attribute was last changed before a place, or at all.
    fn last_change(&self, spot: Spot, before: Option<At>) -> Option<At> {
        let end = At { entry: self.entries.len().saturating_sub(1), event: usize::MAX };
        let before = before.unwrap_or(end);
        for entry in (0..=before.entry).rev() {
            let events = self.events_of(entry);
            let until = if entry == before.entry { before.event } else { usize::MAX };
            let until = until.min(events.len());
            for event in (0..until).rev() {
                if let Event::Changed(change) = &events[event]
                    && self.is_of(change, spot)
                {
                    return Some(At { entry, event });
                }
            }
        }
        None
    }

    fn is_of(&self, change: &Change, spot: Spot) -> bool {
        let schema = &self.referee.ruleset().schema;
        match change {
            Change::Cell { column, row, .. } => {
                *row == spot.row && schema.columns[column.index()] == (spot.kind, spot.attribute)
            }
            Change::List { list, row, .. } => {
                *row == spot.row && schema.lists[list.index()] == (spot.kind, spot.attribute)
            }
            _ => false,
        }
    }

    /// The chain of causes from the last change of an attribute back to the first.
    fn causes(&self, spot: Spot, last: Option<At>) -> Vec<Cause> {
        let schema = &self.referee.ruleset().schema;
        let mut causes: Vec<Cause> = Vec::new();
        let (mut spot, mut next) = (spot, last);
        while let Some(at) = next
            && causes.len() < LONGEST
        {
            let Some((mut cause, began, sources)) = self.cause(spot, at) else { break };
            // An attribute that had been as it begins goes back to what caused it; else to its own past.
            if !began && let Some(earlier) = self.last_change(spot, Some(at)) {
                causes.push(cause);
                next = Some(earlier);
                continue;
            }
            let name = schema.kind(spot.kind).attributes[spot.attribute].name.clone();
            let source = sources.into_iter().find_map(|(kind, row)| {
                let attributes = &schema.kind(kind).attributes;
                let same = attributes.iter().position(|a| a.name == name);
                let places = same.into_iter().chain(0..attributes.len());
                let mut spots = places.map(|attribute| Spot { kind, row, attribute });
                spots.find_map(|s| Some((s, self.last_change(s, Some(at))?)))
            });
            match source {
                Some((from, earlier)) => {
                    cause.from = Some(self.table.name(from.kind, from.row).to_owned());
                    spot = from;
                    next = Some(earlier);
                }
                None => next = None,
            }
            causes.push(cause);
        }
        causes
    }

    /// One change: the cause, whether the attribute was as it begins before, and the other pieces concerned.
    #[allow(clippy::type_complexity, reason = "used in one place")]
    fn cause(&self, spot: Spot, at: At) -> Option<(Cause, bool, Vec<(KindId, u32)>)> {
        let schema = &self.referee.ruleset().schema;
        let events = self.events_of(at.entry);
        let Event::Changed(change) = events.get(at.event)? else { return None };
        let attribute = schema.kind(spot.kind).attributes.get(spot.attribute)?;
        let (old, new, began) = match change {
            Change::Cell { old, new, .. } => {
                let began = match old {
                    Cell::Word(value) => *value == attribute.start,
                    Cell::Text(words) => words.is_empty(),
                };
                (self.shown(spot, old), self.shown(spot, new), began)
            }
            Change::List { old, new, .. } => {
                (self.shown_list(spot, old), self.shown_list(spot, new), old.is_empty())
            }
            _ => return None,
        };
        let piece = self.table.name(spot.kind, spot.row).to_owned();
        let (rule, check, said) = decided(events, at.event, &piece);
        let entry = self.entries.get(at.entry).filter(|e| e.number > 0);
        let mut sources = Vec::new();
        let mut take = |text: &str| {
            for word in text.split(|c: char| !(c.is_alphanumeric() || "-_.".contains(c))) {
                let found = self.table.known(word.trim_matches('.'));
                if let Some(found) = found.filter(|f| *f != (spot.kind, spot.row))
                    && !sources.contains(&found)
                {
                    sources.push(found);
                }
            }
        };
        if let Some(check) = check {
            take(&check.label);
        }
        // Turn and phase as they were when it happened, which a command may itself have begun.
        let mut when = entry.map_or((0, None), |e| (e.turn, e.phase));
        for event in &events[..at.event] {
            if let Event::Phase { turn, place, .. } = event {
                when = (*turn, Some(*place));
            }
        }
        let line = entry.map_or(String::new(), |e| e.line.clone());
        take(&line);
        let phases = &self.referee.ruleset().phases;
        let cause = Cause {
            piece,
            attribute: attribute.name.clone(),
            old,
            new,
            number: entry.map_or(0, |e| e.number),
            line,
            reason: entry.and_then(|e| e.reason.clone()),
            turn: when.0,
            phase: when.1.and_then(|p| phases.get(p)).map(|p| p.title.clone()),
            rule: rule.and_then(|r| schema.rules.get(r.index()).map(|r| r.name.clone())),
            check: check.cloned(),
            said,
            from: None,
        };
        Some((cause, began, sources))
    }

    fn shown(&self, spot: Spot, cell: &Cell) -> String {
        let schema = &self.referee.ruleset().schema;
        let attribute = &schema.kind(spot.kind).attributes[spot.attribute];
        match cell {
            Cell::Text(words) => words.clone(),
            Cell::Word(value) => {
                let place = value.checked_sub(attribute.low).and_then(|p| usize::try_from(p).ok());
                match place.and_then(|p| attribute.names.get(p)) {
                    Some(name) => name.clone(),
                    None => {
                        crate::language::machine::shown(schema, self.table, *value, attribute.ty)
                    }
                }
            }
        }
    }

    fn shown_list(&self, spot: Spot, members: &[u32]) -> String {
        use crate::language::schema::Type;
        let schema = &self.referee.ruleset().schema;
        let Type::List(of) = schema.kind(spot.kind).attributes[spot.attribute].ty else {
            return String::new();
        };
        let words: Vec<String> = members
            .iter()
            .map(|&m| {
                crate::language::machine::shown(schema, self.table, i64::from(m), of.member())
            })
            .collect();
        if words.is_empty() { "none".to_owned() } else { words.join(" ") }
    }
}

/// The rule that made a change, the check that decided it, and what was said on the way.
fn decided<'e>(
    events: &'e [Event],
    until: usize,
    piece: &str,
) -> (Option<crate::language::schema::RuleId>, Option<&'e Check>, Vec<String>) {
    // The rules that run, each with the last check made in it.
    let mut running: Vec<(crate::language::schema::RuleId, Option<usize>)> = Vec::new();
    let mut loose: Option<usize> = None;
    for (place, event) in events.iter().enumerate().take(until) {
        match event {
            Event::Rule(rule, depth) => {
                running.truncate(*depth);
                running.push((*rule, None));
            }
            Event::Check(check) => {
                // A rule called in between may have ended: the check belongs where its rule runs.
                match running.iter().rposition(|r| Some(r.0) == check.rule) {
                    Some(depth) => {
                        running.truncate(depth + 1);
                        running[depth].1 = Some(place);
                    }
                    None => loose = Some(place),
                }
            }
            Event::Phase { .. } => {
                running.clear();
                loose = None;
            }
            _ => {}
        }
    }
    let found = running.iter().rev().find_map(|r| r.1).or(loose);
    let check = found.and_then(|place| match &events[place] {
        Event::Check(check) => Some(check),
        _ => None,
    });
    let from = found.map_or(0, |place| place + 1);
    let said = events[from..until].iter().filter_map(|event| match event {
        Event::Said(words) | Event::Insisted(words) if names(words, piece) => Some(words.clone()),
        _ => None,
    });
    (running.last().map(|r| r.0), check, said.collect())
}

/// Whether a text speaks of a piece.
fn names(text: &str, piece: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || "-_.".contains(c)))
        .any(|word| word.trim_matches('.') == piece)
}
