//! The answers to `why`: the chains of causes that led to the current state, traced back through
//! the events, with the dice.
//!
//! A change can have three causes: the call that made it, the pieces that the names of the running
//! calls refer to, and the check that decided it. The chain continues with those pieces: first with
//! their attribute of the same name, then with other attributes that changed in play. A value of
//! the set-up is a cause only if it is a number, it belongs to an attribute of the same name, and a
//! check decided the change.

use super::Session;
use crate::language::machine::World;
use crate::language::schema::{Attribute, AttributeStorage, OPTION_KIND, STATE_KIND, Schema, Type};
use crate::names::nearest;
use crate::referee::{Binding, Check, Event, Outcome, Referee};
use crate::tabletop::{AttributePath, Change, Tabletop, Value, join_values};

/// The maximum number of causes in a chain.
const MAX_CAUSES: usize = 50;
/// The maximum number of lines printed by a rule that are shown with a cause. If there are more,
/// only the last ones are shown.
const MAX_LINES: usize = 2;

/// The reasons for the current state of a piece.
#[derive(Clone, Debug)]
pub struct Why {
    /// The name of the piece.
    pub piece: String,
    /// The causes of the attribute that was asked for or, if none was named, of each attribute that
    /// has changed in play, except bookkeeping, and of the presence of the piece. The thread with
    /// the latest change comes first.
    pub threads: Vec<CauseThread>,
}

/// The reasons why one attribute has its current value.
#[derive(Clone, Debug)]
pub struct CauseThread {
    /// The attribute's name; empty for the presence of the piece on the table.
    pub attribute: String,
    /// The current value, in words.
    pub value: String,
    /// The changes that led to this value, the latest first. The chain continues with other pieces
    /// if they were the cause. Empty if the attribute was never changed.
    pub causes: Vec<Cause>,
    /// True if the value before the first of these changes came from the set-up.
    pub set_out: bool,
}

/// One link in a chain of causes: a change.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The piece that was changed.
    pub piece: String,
    /// The name of the attribute; empty for the piece itself.
    pub attribute: String,
    /// The old value, in words.
    pub old: String,
    /// The new value, in words.
    pub new: String,
    /// The number of the command that made the change; 0 for the set-up.
    pub number: u64,
    /// The line of that command; empty for the set-up.
    pub line: String,
    /// The umpire's reason, if the command was a ruling.
    pub reason: Option<String>,
    /// The number of the turn in which the value changed.
    pub turn: i64,
    /// The name of the phase in which the value changed; `None` during set-up.
    pub phase: Option<String>,
    /// The name of the rule that made the change, if any.
    pub rule: Option<String>,
    /// The names in the call of that rule, with their values.
    pub bound: Vec<Binding>,
    /// The check that decided the change, if any.
    pub check: Option<Check>,
    /// The last lines that the call of that rule printed before the change, after its check if it
    /// has one.
    pub said: Vec<String>,
    /// The piece with which the chain continues; `None` if it continues with the same piece or
    /// ends.
    pub from: Option<String>,
}

/// The reason why `why` has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhyError {
    /// No piece has, or had, this name.
    #[error("there is no `{0}`; write `why PIECE` or `why PIECE.ATTRIBUTE`")]
    Piece(String),
    /// The kind has no such attribute.
    #[error(
        "a {kind} has no `{attribute}`{}",
        near.as_ref().map_or("; `show` lists its attributes".into(), |n| format!("; did you mean `{n}`?"))
    )]
    Attribute {
        /// The name of the piece's kind.
        kind: String,
        /// The word that was typed.
        attribute: String,
        /// The nearest name of an attribute, if it is similar.
        near: Option<String>,
    },
    /// The attribute is derived.
    #[error("`{attribute}` of a {kind} is computed from other attributes; ask `why` about those")]
    Computed {
        /// The name of the piece's kind.
        kind: String,
        /// The name of the attribute.
        attribute: String,
    },
}

/// A position in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ChangePosition {
    command: usize,
    event: usize,
}

impl Session {
    /// Returns the reasons for the current state of a piece (`c3`) or of one attribute (`c3.fire`,
    /// `state.wind`). Fails if there is no such piece or attribute, or if the attribute is
    /// computed.
    pub fn why(&self, target: &str) -> Result<Why, WhyError> {
        ChangeHistory { session: self, referee: self.referee(), table: self.table() }
            .why(target.trim())
    }
}

/// A session, in which the changes that led to the current table are looked up.
struct ChangeHistory<'s> {
    session: &'s Session,
    referee: &'s Referee,
    table: &'s Tabletop,
}

impl ChangeHistory<'_> {
    fn schema(&self) -> &Schema {
        &self.referee.ruleset().schema
    }

    fn why(&self, target: &str) -> Result<Why, WhyError> {
        let (piece, attribute) = self.parse_target(target)?;
        let mut spots: Vec<(Option<ChangePosition>, AttributePath)> = Vec::new();
        for of in self.piece_spots(&piece) {
            let last = self.last_change(&of, None);
            let wanted = match &attribute {
                Some(attribute) => of.attribute == *attribute,
                // A value of the set-up is explained only if its attribute is named.
                None => last.is_some_and(|at| at.command > 0) && !self.is_bookkeeping(&of),
            };
            if wanted {
                spots.push((last, of));
            }
        }
        spots.sort_by_key(|s| std::cmp::Reverse(s.0));
        let threads = spots.into_iter().map(|(last, of)| {
            let (causes, set_out) = self.cause_chain(of.clone(), last);
            CauseThread { value: self.value_now(&of), attribute: of.attribute, causes, set_out }
        });
        Ok(Why { threads: threads.collect(), piece: piece.piece })
    }

    /// Parses the target of `why`. Returns the path of the piece, whose attribute is empty, and the
    /// name of the attribute if the target has one.
    fn parse_target(&self, target: &str) -> Result<(AttributePath, Option<String>), WhyError> {
        let piece = |name: &str| match name {
            "state" => Some((STATE_KIND, 0)),
            "option" => Some((OPTION_KIND, 0)),
            name => {
                let table = &self.table;
                table.find(name).or_else(|| table.find_latest(name))
            }
        };
        let itself = |(kind, row)| self.table.attribute_path(kind, row, usize::MAX);
        if let Some(found) = piece(target) {
            return Ok((itself(found), None));
        }
        // `b3.2.fire`: the piece is everything before the last dot.
        let missing = |name: &str| WhyError::Piece(name.to_owned());
        let (name, attribute) = target.rsplit_once('.').ok_or_else(|| missing(target))?;
        let found = piece(name).ok_or_else(|| missing(name))?;
        let of = self.schema().kind(found.0);
        let kind = of.name.clone();
        let attribute = attribute.to_owned();
        match of.attribute(&attribute).map(|a| a.storage) {
            Some(AttributeStorage::Cell(_) | AttributeStorage::List(_)) => {
                Ok((itself(found), Some(attribute)))
            }
            Some(AttributeStorage::Computed(_)) => Err(WhyError::Computed { kind, attribute }),
            None => {
                let near = nearest(&attribute, of.attributes.iter().map(|a| a.name.as_str()));
                let near = near.map(str::to_owned);
                Err(WhyError::Attribute { kind, attribute, near })
            }
        }
    }

    /// Returns the paths of all attributes of a piece in order, followed by the path of the piece
    /// itself, whose attribute is empty.
    fn piece_spots(&self, piece: &AttributePath) -> Vec<AttributePath> {
        let attributes =
            self.schema().kind_named(&piece.kind).map(|k| &self.schema().kind(k).attributes);
        let names = attributes.into_iter().flat_map(|all| all.iter().map(|a| a.name.clone()));
        names
            .chain([String::new()])
            .map(|attribute| AttributePath { attribute, ..piece.clone() })
            .collect()
    }

    fn attribute(&self, of: &AttributePath) -> Option<&Attribute> {
        self.schema().attribute_at(of)
    }

    fn is_bookkeeping(&self, of: &AttributePath) -> bool {
        self.attribute(of).is_some_and(|a| a.bookkeeping)
    }

    /// Returns true if a change at this position can be a cause of `cause`. A value of the set-up
    /// can be a cause only if it is a number and `cause` has a check, because rolls are compared
    /// with numbers.
    fn can_lead_to(&self, of: &AttributePath, at: ChangePosition, cause: &Cause) -> bool {
        let counted = |a: &Attribute| matches!(a.ty, Type::Whole | Type::Number);
        at.command > 0 || cause.check.is_some() && self.attribute(of).is_some_and(counted)
    }

    /// Returns the outcome of the set-up if `command` is 0; otherwise, returns the outcome of the
    /// command at this position among the commands in force, counted from 1. Returns `None` if
    /// fewer commands are in force.
    fn outcome(&self, command: usize) -> Option<&Outcome> {
        match command.checked_sub(1) {
            None => Some(&self.session.start.set_up),
            Some(index) => self.session.entries().get(index).map(|e| &*e.outcome),
        }
    }

    /// Returns the position of the last change at this path, or of the last such change before a
    /// given position. Returns `None` if there is none.
    fn last_change(
        &self,
        of: &AttributePath,
        before: Option<ChangePosition>,
    ) -> Option<ChangePosition> {
        let end = ChangePosition { command: self.session.entries().len(), event: usize::MAX };
        let before = before.unwrap_or(end);
        (0..=before.command).rev().find_map(|command| {
            let events = &self.outcome(command)?.events;
            let until = if command == before.command { before.event } else { usize::MAX };
            let until = until.min(events.len());
            let found = events[..until].iter().rposition(
                |event| matches!(event, Event::Changed { change, .. } if is_change_of(change, of)),
            );
            found.map(|event| ChangePosition { command, event })
        })
    }

    /// Returns the chain of causes back from the change at `last`, and true if the value before the
    /// earliest of these changes came from the set-up.
    fn cause_chain(
        &self,
        mut of: AttributePath,
        last: Option<ChangePosition>,
    ) -> (Vec<Cause>, bool) {
        let mut causes: Vec<Cause> = Vec::new();
        let mut set_out = false;
        let mut next = last;
        while let Some(at) = next
            && causes.len() < MAX_CAUSES
        {
            let Some((mut cause, began)) = self.cause(&of, at) else { break };
            // If the attribute had its initial value before the change, or no earlier change of it
            // can be a cause, the chain continues with another piece; otherwise, it continues with
            // the previous change of the same attribute.
            let earlier = self.last_change(&of, Some(at));
            set_out = !began && earlier.is_none() && at.command > 0;
            let earlier = earlier.filter(|earlier| self.can_lead_to(&of, *earlier, &cause));
            if !began && let Some(earlier) = earlier {
                causes.push(cause);
                next = Some(earlier);
                continue;
            }
            next = None;
            if let Some((from, changed)) = self.preceding_change(&of, at, &cause) {
                cause.from = Some(from.piece.clone());
                of = from;
                next = Some(changed);
            }
            causes.push(cause);
        }
        (causes, set_out)
    }

    /// Returns the path and position of the change with which the chain continues, which is an
    /// earlier change of another piece that the running calls refer to. Returns `None` if there is
    /// no such change.
    fn preceding_change(
        &self,
        of: &AttributePath,
        at: ChangePosition,
        cause: &Cause,
    ) -> Option<(AttributePath, ChangePosition)> {
        let context = self.outcome(at.command)?.event_context(at.event);
        let bound = context.calls.iter().rev().flat_map(|(_, bound)| bound.iter().rev());
        let pieces = bound.filter_map(|b| match (&b.kind, &b.value) {
            (Some(kind), Value::Text(piece)) if *kind != of.kind || *piece != of.piece => {
                Some(AttributePath {
                    kind: kind.clone(),
                    piece: piece.clone(),
                    attribute: String::new(),
                })
            }
            _ => None,
        });
        let pieces: Vec<AttributePath> = pieces.collect();
        let changed =
            |from: AttributePath| Some((from.clone(), self.last_change(&from, Some(at))?));
        let same = pieces.iter().find_map(|piece| {
            let from = AttributePath { attribute: of.attribute.clone(), ..piece.clone() };
            changed(from).filter(|(from, earlier)| {
                !from.attribute.is_empty() && self.can_lead_to(from, *earlier, cause)
            })
        });
        let other = || {
            pieces.iter().find_map(|piece| {
                let spots = self.piece_spots(piece).into_iter().filter(|s| !self.is_bookkeeping(s));
                let in_play = spots.filter_map(changed).filter(|(_, last)| last.command > 0);
                in_play.max_by_key(|(_, last)| *last)
            })
        };
        same.or_else(other)
    }

    /// Returns the change at a position as a cause, and true if the attribute had its initial value
    /// before it. Returns `None` if the event does not change a value or a piece.
    fn cause(&self, of: &AttributePath, at: ChangePosition) -> Option<(Cause, bool)> {
        let outcome = self.outcome(at.command)?;
        let Event::Changed { change, check } = outcome.events.get(at.event)? else { return None };
        let (old, new, began) = match change {
            Change::Set { old, new, .. } => (
                self.value_in_words(of, old),
                self.value_in_words(of, new),
                self.is_starting_value(of, old),
            ),
            Change::List { old, new, .. } => (join_values(old), join_values(new), old.is_empty()),
            Change::Made { .. } => (OFF.to_owned(), ON.to_owned(), true),
            Change::Removed { .. } => (ON.to_owned(), OFF.to_owned(), false),
            Change::Deck { .. } => return None,
        };
        let entry = at.command.checked_sub(1).and_then(|index| self.session.entries().get(index));
        // The turn and the phase of the change; the command itself may have begun them.
        let mut when = entry.map_or((0, None), |e| (e.turn, e.phase.clone()));
        for event in &outcome.events[..at.event] {
            if let Event::Phase { turn, phase, .. } = event {
                when = (*turn, Some(phase.clone()));
            }
        }
        let context = outcome.event_context(at.event);
        let call = context.calls.last();
        let check = check.and_then(|index| match outcome.events.get(index) {
            Some(Event::Check(deciding)) => Some((index, deciding.as_ref().clone())),
            _ => None,
        });
        let since = check.as_ref().map_or(0, |(index, _)| *index).max(context.since);
        Some((
            Cause {
                piece: of.piece.clone(),
                attribute: of.attribute.clone(),
                old,
                new,
                number: entry.map_or(0, |e| e.number),
                line: entry.map_or(String::new(), |e| e.line.clone()),
                reason: entry.and_then(|e| e.reason.clone()),
                turn: when.0,
                phase: when.1,
                rule: call.map(|(rule, _)| (*rule).to_owned()),
                bound: call.map_or(Vec::new(), |(_, b)| b.iter().map(|b| (*b).clone()).collect()),
                check: check.map(|(_, check)| check),
                said: last_lines(&outcome.events[since..at.event]),
                from: None,
            },
            began,
        ))
    }

    fn is_starting_value(&self, of: &AttributePath, value: &Value) -> bool {
        self.attribute(of).is_none_or(|a| match value {
            Value::Text(words) if words.is_empty() => true,
            value => self.table.to_value(a.ty, a.start) == *value,
        })
    }

    /// Returns a value as text for people.
    fn value_in_words(&self, of: &AttributePath, value: &Value) -> String {
        let named = self.attribute(of).and_then(|a| a.name_of_value(value));
        named.map_or_else(|| value.to_string(), str::to_owned)
    }

    fn value_now(&self, of: &AttributePath) -> String {
        let Ok((kind, row)) = self.table.piece_named(&of.kind, &of.piece) else {
            return String::new();
        };
        match self.schema().kind(kind).attributes.index_of(&of.attribute) {
            Some(index) => {
                self.referee.attribute_text(self.table, kind, row, index).unwrap_or_default()
            }
            None => if self.table.is_on_table(kind, row) { ON } else { OFF }.to_owned(),
        }
    }
}

/// The state of a piece that is on the table.
const ON: &str = "on the table";
/// The state of a piece that has been removed or has not been added yet.
const OFF: &str = "off the table";

/// Returns true if a change affects the attribute at this path or, if the path has no attribute,
/// adds or removes the piece.
fn is_change_of(change: &Change, of: &AttributePath) -> bool {
    match change {
        Change::Set { of: spot, .. } | Change::List { of: spot, .. } => spot == of,
        Change::Made { kind, piece } | Change::Removed { kind, piece } => {
            of.attribute.is_empty() && *kind == of.kind && *piece == of.piece
        }
        Change::Deck { .. } => false,
    }
}

/// Returns the last lines that the current call printed, at most [`MAX_LINES`], without the lines
/// of calls inside it.
fn last_lines(events: &[Event]) -> Vec<String> {
    let mut depth = 0;
    let mut said = Vec::new();
    for event in events.iter().rev() {
        match event {
            Event::End => depth += 1,
            Event::Call { .. } => depth -= 1,
            Event::Said(words) | Event::SaidTo { words, .. } | Event::Insisted(words)
                if depth == 0 =>
            {
                said.push(words.clone());
            }
            _ => {}
        }
    }
    said.truncate(MAX_LINES);
    said.reverse();
    said
}
