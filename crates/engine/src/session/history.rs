//! Undoes and redoes the commands of a session.
//!
//! Nothing is erased: an undone step can be redone until a new command or amendment is entered, and
//! the log of the session contains every step.

use std::fmt;
use std::slice::from_ref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::RecordedAction;
use super::record::{Record, RecordError};
use super::reload::RulesReload;
use super::stored_outcome::StoredOutcome;

/// A command that was accepted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The number of the command, from 1; the set-up is number 0.
    #[serde(rename = "n")]
    pub number: u64,
    /// The line that the umpire typed.
    pub line: String,
    /// The action of the command in its recorded form. It is used instead of parsing the line
    /// again.
    #[serde(rename = "do")]
    pub action: RecordedAction,
    /// True if the umpire insisted, so that any refusal was overridden.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub insist: bool,
    /// The reason for the ruling, if the command overruled a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The players' requests that the command carried out. A command that replaces another in an
    /// amendment carries out none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<TakenRequest>,
    /// The number of the turn in which the command was typed.
    pub turn: i64,
    /// The name of the phase in which the command was typed; `None` during set-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The number of the command's throw, which is also the number of the stream for its dice.
    /// `None` if no dice were rolled from the seed.
    #[serde(rename = "throw", default, skip_serializing_if = "Option::is_none")]
    pub throw: Option<u64>,
    /// The outcome of the command.
    #[serde(rename = "out")]
    pub outcome: StoredOutcome,
}

impl Entry {
    /// Returns true if the command rolled dice from the seed.
    pub(crate) fn throws(&self) -> bool {
        self.outcome.has_seeded_dice()
    }
}

/// A player's request that the umpire carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakenRequest {
    /// The id that the player's page assigned to the request.
    pub id: String,
    /// The name of the player.
    pub player: String,
}

/// An amendment as the journal stores it, without the commands that it leaves unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AmendRecord {
    /// The number of the amended command.
    #[serde(rename = "n")]
    pub number: u64,
    /// The amended command and the later commands, without those that did not change.
    pub now: Vec<Arc<Entry>>,
    /// The numbers of the later commands that are no longer possible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<u64>,
}

/// The amendment of a command, with its consequences for later commands.
#[derive(Clone, Debug)]
pub struct Amendment {
    /// The number of the command.
    pub number: u64,
    /// The command and all later commands, before the amendment.
    pub before: Vec<Arc<Entry>>,
    /// The command and all later commands that are still possible, after the amendment.
    pub now: Vec<Arc<Entry>>,
    /// The numbers of the later commands that are no longer possible.
    pub dropped: Vec<u64>,
}

/// A step in the history.
#[derive(Clone, Debug)]
pub enum HistoryStep {
    /// A command.
    Command(Arc<Entry>),
    /// An amendment.
    Amendment(Arc<Amendment>),
    /// A reload of the rules, which cannot be undone.
    Rules(Arc<RulesReload>),
}

/// A step that can be undone, as the journal stores it: its sort and the number of its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HistoryStepName {
    /// A command.
    Command(u64),
    /// The amendment of a command.
    Amendment(u64),
}

impl fmt::Display for HistoryStepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HistoryStepName::Command(number) => write!(f, "command {number}"),
            HistoryStepName::Amendment(number) => write!(f, "the amendment of command {number}"),
        }
    }
}

/// The direction in which a step is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UndoDirection {
    /// The changes are made.
    Forward,
    /// The changes are reversed.
    Backward,
}

impl UndoDirection {
    /// Returns the other direction.
    pub(super) fn reversed(self) -> UndoDirection {
        match self {
            UndoDirection::Forward => UndoDirection::Backward,
            UndoDirection::Backward => UndoDirection::Forward,
        }
    }
}

impl HistoryStep {
    /// Returns the commands that a step removes from the commands in force, and the commands that
    /// it adds.
    fn exchange(&self, direction: UndoDirection) -> (&[Arc<Entry>], &[Arc<Entry>]) {
        let (before, now): (&[_], &[_]) = match self {
            HistoryStep::Command(entry) => (&[], from_ref(entry)),
            HistoryStep::Amendment(amendment) => (&amendment.before, &amendment.now),
            HistoryStep::Rules(_) => (&[], &[]),
        };
        match direction {
            UndoDirection::Forward => (before, now),
            UndoDirection::Backward => (now, before),
        }
    }

    /// Returns the commands whose changes a step makes or reverses, in the order in which the
    /// changes happen.
    pub(super) fn acts(
        &self,
        direction: UndoDirection,
    ) -> impl DoubleEndedIterator<Item = (UndoDirection, &Arc<Entry>)> {
        let (off, on) = self.exchange(direction);
        let back = off.iter().rev().map(|e| (UndoDirection::Backward, e));
        back.chain(on.iter().map(|e| (UndoDirection::Forward, e)))
    }

    pub(super) fn name(&self) -> Option<HistoryStepName> {
        match self {
            HistoryStep::Command(entry) => Some(HistoryStepName::Command(entry.number)),
            HistoryStep::Amendment(amendment) => Some(HistoryStepName::Amendment(amendment.number)),
            HistoryStep::Rules(_) => None,
        }
    }
}

/// The steps of a session, including undone steps that can be redone.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// The commands in force, in the order of their numbers.
    standing: Vec<Arc<Entry>>,
    /// The steps that were made and not undone, the latest last. An amendment may have replaced or
    /// dropped some of these commands.
    done: Vec<HistoryStep>,
    undone: Vec<HistoryStep>,
}

impl History {
    /// Returns the commands in force.
    pub(super) fn commands_in_force(&self) -> &[Arc<Entry>] {
        &self.standing
    }

    /// Returns the index of a command among those in force; `None` if the command isn't in force.
    pub(super) fn index_of(&self, number: u64) -> Option<usize> {
        self.standing.binary_search_by_key(&number, |e| e.number).ok()
    }

    /// Returns the commands in force before an index, and the commands from that index on.
    pub(super) fn split_at(&self, index: usize) -> (&[Arc<Entry>], &[Arc<Entry>]) {
        self.standing.split_at(index.min(self.standing.len()))
    }

    /// Returns the step that `undo` reverses next; `None` if no command is in force.
    fn next_undo(&self) -> Option<HistoryStep> {
        let last = self.standing.last()?;
        let stands = |done: &&HistoryStep| match done {
            // An amendment may have dropped the command.
            HistoryStep::Command(entry) => entry.number == last.number,
            HistoryStep::Amendment(_) | HistoryStep::Rules(_) => true,
        };
        match self.done.iter().rev().find(stands)? {
            HistoryStep::Command(_) => Some(HistoryStep::Command(last.clone())),
            step => Some(step.clone()),
        }
    }

    /// Returns the names of the next `count` steps to undo, the latest first, or of all such steps
    /// if there are fewer.
    pub(super) fn undo_names(&self, count: usize) -> Vec<HistoryStepName> {
        // The history is copied only for a second step, since copying takes time and most users
        // undo one step.
        let mut ahead: Option<History> = None;
        let mut names = Vec::new();
        while names.len() < count
            && let Some(step) = ahead.as_ref().unwrap_or(self).next_undo()
        {
            names.extend(step.name());
            if names.len() < count {
                ahead
                    .get_or_insert_with(|| self.clone())
                    .apply_step(UndoDirection::Backward, &step);
            }
        }
        names
    }

    /// Returns the names of all commands in force with a number higher than `number`, the latest
    /// first.
    pub(super) fn commands_after(&self, number: u64) -> Vec<HistoryStepName> {
        let after = self.standing.iter().rev().take_while(|e| e.number > number);
        after.map(|e| HistoryStepName::Command(e.number)).collect()
    }

    /// Returns the names of the next `count` steps to redo, beginning with the next one, or of all
    /// undone steps if there are fewer.
    pub(super) fn redo_names(&self, count: usize) -> Vec<HistoryStepName> {
        self.undone.iter().rev().take(count).filter_map(HistoryStep::name).collect()
    }

    /// Finds the steps with these names, or fails with the first name that isn't the next step.
    /// Each step is looked up in the history as it is after the previous steps, which are applied
    /// to a copy, so the history itself does not change.
    pub(super) fn find_steps(
        &self,
        names: &[HistoryStepName],
        direction: UndoDirection,
    ) -> Result<Vec<HistoryStep>, RecordError> {
        // The history is copied only for a second step, since copying takes time and most records
        // have one step.
        let mut ahead = None;
        let mut steps = Vec::new();
        for &name in names {
            let history: &History = ahead.as_ref().unwrap_or(self);
            let step = match (direction, name) {
                (UndoDirection::Forward, _) => history.undone.last().cloned(),
                // A command can be undone even if an amendment was made after it.
                (UndoDirection::Backward, HistoryStepName::Command(_)) => {
                    history.standing.last().cloned().map(HistoryStep::Command)
                }
                (UndoDirection::Backward, HistoryStepName::Amendment(_)) => history.next_undo(),
            };
            let step =
                step.filter(|s| s.name() == Some(name)).ok_or(RecordError::HistoryStep(name))?;
            if steps.len() + 1 < names.len() {
                ahead.get_or_insert_with(|| self.clone()).apply_step(direction, &step);
            }
            steps.push(step);
        }
        Ok(steps)
    }

    /// Returns the complete amendment for its record, including the commands that it leaves
    /// unchanged. Fails if the amended command isn't in force, or is among the dropped commands.
    pub(super) fn amendment(&self, record: &AmendRecord) -> Result<Amendment, RecordError> {
        let number = record.number;
        let missing = || RecordError::HistoryStep(HistoryStepName::Command(number));
        let (_, before) = self.split_at(self.index_of(number).ok_or_else(missing)?);
        let now = before.iter().filter(|e| !record.dropped.contains(&e.number)).map(|old| {
            match record.now.iter().find(|new| new.number == old.number) {
                Some(new) if new != old => new.clone(),
                // The same `Arc` shows that the command is still in force.
                _ => old.clone(),
            }
        });
        let now: Vec<Arc<Entry>> = now.collect();
        if now.first().is_none_or(|e| e.number != number) {
            return Err(missing());
        }
        Ok(Amendment { number, before: before.to_vec(), now, dropped: record.dropped.clone() })
    }

    /// Applies a record to the history. `steps` is the result of [`Record::steps`] for this record.
    pub(super) fn apply_steps(&mut self, record: &Record, steps: &[HistoryStep]) {
        // After a new command or amendment, there is nothing to redo.
        if matches!(record, Record::Command(_) | Record::Amend(_)) {
            self.undone.clear();
        }
        if let Record::Command(entry) = record {
            self.apply_step(UndoDirection::Forward, &HistoryStep::Command(entry.clone()));
        }
        for step in steps {
            self.apply_step(record.direction(), step);
        }
    }

    fn apply_step(&mut self, direction: UndoDirection, step: &HistoryStep) {
        if step.name().is_none() {
            return;
        }
        match direction {
            UndoDirection::Forward => {
                self.undone.pop();
                self.done.push(step.clone());
            }
            UndoDirection::Backward => {
                // Later amendments are removed from the list together with the command.
                while self.done.pop().is_some_and(|done| done.name() != step.name()) {}
                self.undone.push(step.clone());
            }
        }
        let (off, on) = step.exchange(direction);
        self.standing.truncate(self.standing.len().saturating_sub(off.len()));
        self.standing.extend_from_slice(on);
    }
}
