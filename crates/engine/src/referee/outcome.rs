//! The outcome of a command: its dice, events and changes.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::AnsweredQuestion;
use super::event::{Binding, Check, Event, is_false};
use crate::language::machine::Halt;
use crate::tabletop::{AttributePath, Change, ChangeError, Tabletop, Value};

/// The complete result of a command: its dice, events and prompts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// All faces rolled, in order. Each entry has a number of sides, and the faces of successive
    /// dice with that number of sides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<(u32, Vec<u32>)>,
    /// True if the players roll real dice.
    #[serde(default, rename = "by_hand", skip_serializing_if = "is_false")]
    pub physical: bool,
    /// If real dice are used, the requests in order, each of which is a number of dice, or 0 for an
    /// answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<u32>,
    /// The events, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// The indices of the events that not everyone may see, each with the sides that may see it.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub seen_by: IndexMap<usize, Vec<String>>,
    /// The secret pieces and attributes that the line of the command names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<AttributePath>,
}

/// The result of an action up to its end, or up to the point where it halted.
#[derive(Clone, Debug)]
pub struct AttemptResult<T = ()> {
    /// The result, or the reason for the halt.
    pub done: Result<T, Halt>,
    /// Everything that happened up to the end or the halt.
    pub outcome: Outcome,
    /// The table at the end or the halt; `None` if no one may see it yet.
    pub table: Option<Tabletop>,
}

/// The calls in which an event of an outcome occurred.
#[derive(Clone, Debug, Default)]
pub struct EventContext<'o> {
    /// The running calls, the outermost first. Each has the name of its rule and the values of its
    /// names, the innermost name last.
    pub calls: Vec<(&'o str, Vec<&'o Binding>)>,
    /// The index of the event that begins the innermost call, or the current turn of its sweep.
    pub since: usize,
}

impl Outcome {
    /// Returns true if rules were called and did nothing but print text.
    pub(crate) fn only_looks(&self) -> bool {
        let calls = |event: &Event| matches!(event, Event::Call { .. });
        let says = |event: &Event| {
            matches!(event, Event::End | Event::Bound(_) | Event::Said(_) | Event::SaidTo { .. })
        };
        self.dice.is_empty()
            && self.events.iter().any(calls)
            && self.events.iter().all(|event| calls(event) || says(event))
    }

    /// Adds the faces of dice with this number of sides.
    pub(crate) fn add_faces(&mut self, sides: u32, faces: &[u32]) {
        match self.dice.last_mut() {
            Some((last, fallen)) if *last == sides => fallen.extend_from_slice(faces),
            _ if faces.is_empty() => {}
            _ => self.dice.push((sides, faces.to_vec())),
        }
    }

    /// Returns true if dice were rolled from the seed.
    pub fn has_seeded_dice(&self) -> bool {
        !self.dice.is_empty() && !self.physical
    }

    /// Returns all faces rolled, in order.
    pub fn faces(&self) -> impl Iterator<Item = u32> + '_ {
        self.dice.iter().flat_map(|(_, faces)| faces.iter().copied())
    }

    /// Returns the number of dice rolled.
    pub fn face_count(&self) -> usize {
        self.dice.iter().map(|(_, faces)| faces.len()).sum()
    }

    /// Returns the changes to the table, in order.
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = &Change> + Clone + '_ {
        self.events.iter().filter_map(|e| match e {
            Event::Changed { change, .. } => Some(change),
            _ => None,
        })
    }

    /// Applies all changes. After an error, the table is inconsistent and must be discarded.
    pub fn apply(&self, table: &mut Tabletop) -> Result<(), ChangeError> {
        self.changes().try_for_each(|change| table.apply(change))
    }

    /// Reverses all changes, the last one first. After an error, the table is inconsistent and must
    /// be discarded.
    pub fn revert(&self, table: &mut Tabletop) -> Result<(), ChangeError> {
        self.changes().rev().try_for_each(|change| table.revert(change))
    }

    /// Returns the checks, in order.
    pub fn checks(&self) -> impl Iterator<Item = &Check> + '_ {
        self.events.iter().filter_map(|e| match e {
            Event::Check(check) => Some(check.as_ref()),
            _ => None,
        })
    }

    /// Returns the questions that were asked, with their answers, in order.
    pub(crate) fn answered_questions(&self) -> impl Iterator<Item = AnsweredQuestion> + '_ {
        self.events.iter().filter_map(|e| match e {
            Event::Asked { question, answer, random } => Some(AnsweredQuestion {
                question: question.clone(),
                answer: answer.clone(),
                random: *random,
            }),
            _ => None,
        })
    }

    /// Returns the part of this outcome that is about a piece: the checks, lines and answers that name it,
    /// or that belong to a call or a turn of a sweep for it, in their phases and calls, with the cards that
    /// were drawn just before them. Changes are left out. Returns `None` if nothing is about it.
    pub(crate) fn about_piece(&self, name: &str) -> Option<Outcome> {
        let is_it = |binding: &Binding| matches!(&binding.value, Value::Text(of) if of == name);
        let names_it = |words: &str| {
            let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
            let mut parts = words.split(|c| !is_part(c));
            parts.any(|part| part.trim_end_matches('.') == name)
        };
        // For each running call, whether its parameters are about the piece, and whether the names of its
        // loops are.
        let mut calls: Vec<(bool, bool)> = Vec::new();
        let mut events = Vec::new();
        // The number of events up to the last one that is about the piece, and the number before the phase
        // that is read. A phase without such an event is left out.
        let mut kept = 0;
        let mut phase_from = 0;
        // Cards drawn just before an event about the piece decided it.
        let mut drawn: Vec<&Event> = Vec::new();
        for event in &self.events {
            let is_in_call = calls.last().is_some_and(|(by_call, by_loop)| *by_call || *by_loop);
            let is_about_it = match event {
                Event::Call { bound, .. } => {
                    calls.push((bound.iter().any(is_it), false));
                    events.push(event.clone());
                    continue;
                }
                Event::End => {
                    calls.pop();
                    events.push(event.clone());
                    continue;
                }
                Event::Bound(bound) => {
                    if let Some(call) = calls.last_mut() {
                        call.1 = bound.iter().any(is_it);
                    }
                    events.push(event.clone());
                    continue;
                }
                Event::Phase { .. } => {
                    if kept <= phase_from {
                        events.truncate(phase_from);
                    }
                    phase_from = events.len();
                    events.push(event.clone());
                    continue;
                }
                Event::Check(check) => is_in_call || names_it(&check.label),
                Event::Said(words) | Event::SaidTo { words, .. } => is_in_call || names_it(words),
                Event::Asked { question, answer, .. } => {
                    is_in_call || names_it(question) || names_it(answer)
                }
                Event::Taken { what, .. } if is_in_call || what == name => true,
                Event::Taken { .. } => {
                    drawn.push(event);
                    continue;
                }
                Event::Insisted(_) => is_in_call,
                Event::Rolled { .. }
                | Event::Shuffled { .. }
                | Event::Ended { .. }
                | Event::Instructed(_)
                | Event::Reminded(_)
                | Event::Changed { .. } => false,
            };
            if is_about_it {
                events.extend(drawn.iter().map(|&card| card.clone()));
                events.push(event.clone());
                kept = events.len();
            }
            if is_about_it || !event.is_silent() {
                drawn.clear();
            }
        }
        if kept <= phase_from {
            events.truncate(phase_from);
        }
        (kept > 0).then(|| Outcome { physical: self.physical, events, ..Outcome::default() })
    }

    /// Returns the calls that are running at the event with this index.
    pub(crate) fn event_context(&self, index: usize) -> EventContext<'_> {
        let mut context = EventContext::default();
        // For each running call, the value of `since` before it, and its parameters.
        let mut left = Vec::new();
        for (at, event) in self.events.iter().enumerate().take(index) {
            match event {
                Event::Call { rule, bound } => {
                    context.calls.push((rule, bound.iter().collect()));
                    left.push((context.since, bound));
                    context.since = at;
                }
                Event::End => {
                    context.calls.pop();
                    context.since = left.pop().map_or(0, |(since, _)| since);
                }
                Event::Bound(bound) => {
                    context.since = at;
                    // The event has the names of all running loops, so it replaces the names of
                    // loops that are over.
                    if let (Some(call), Some((_, params))) = (context.calls.last_mut(), left.last())
                    {
                        call.1 = params.iter().chain(bound).collect();
                    }
                }
                // No other event begins or ends a call.
                _ => {}
            }
        }
        context
    }
}
