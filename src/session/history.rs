//! Commands done, taken back and done again, over one table.
//!
//! Nothing is erased: what is taken back is kept to be done again, and every step stands in the log of the
//! session besides.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::record::{Record, RecordError};
use super::reload::Reloaded;
use crate::referee::Outcome;

/// A command that was accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number, from 1; the set-up is number 0.
    #[serde(rename = "n")]
    pub number: u64,
    /// The line as typed.
    pub line: String,
    /// For an overruling: the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The turn when it was typed.
    pub turn: i64,
    /// The name of the phase when it was typed; none during set-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The stream of the seed its dice came from, if that is not its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<u64>,
    /// Its outcome.
    #[serde(rename = "out")]
    pub outcome: Outcome,
}

impl Entry {
    /// Returns the stream of the seed its dice come from.
    pub fn dice_stream(&self) -> u64 {
        self.stream.unwrap_or(self.number)
    }
}

/// A command that got other words, as it is kept: what it repeats of what stood is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AmendRecord {
    /// Its number.
    #[serde(rename = "n")]
    pub number: u64,
    /// It and what followed and came out otherwise.
    pub now: Vec<Arc<Entry>>,
    /// Later commands that no longer hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<u64>,
}

/// A command that got other words, and what followed from that.
#[derive(Clone, Debug)]
pub struct Amendment {
    /// Which command.
    pub number: u64,
    /// It and what followed, as they were.
    pub before: Vec<Arc<Entry>>,
    /// It and what followed, as they are now.
    pub now: Vec<Arc<Entry>>,
    /// Later commands that no longer hold.
    pub dropped: Vec<u64>,
}

/// Something that was done.
#[derive(Clone, Debug)]
pub enum Step {
    /// A command.
    Command(Arc<Entry>),
    /// An amendment.
    Amendment(Arc<Amendment>),
    /// Rules that were read again; these cannot be taken back.
    Rules(Arc<Reloaded>),
}

/// A step as it is kept: by the number of its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepName {
    /// A command.
    Command(u64),
    /// The amendment of a command.
    Amendment(u64),
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepName::Command(number) => write!(f, "command {number}"),
            StepName::Amendment(number) => write!(f, "the amendment of command {number}"),
        }
    }
}

/// Which way a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Its changes are made.
    Forth,
    /// Its changes are taken back.
    Back,
}

impl Way {
    pub fn other(self) -> Way {
        match self {
            Way::Forth => Way::Back,
            Way::Back => Way::Forth,
        }
    }
}

impl Step {
    /// Returns the commands whose changes are made or taken back, in order.
    pub(super) fn acts(&self, way: Way) -> Vec<(Way, &Arc<Entry>)> {
        match (self, way) {
            (Step::Command(entry), way) => vec![(way, entry)],
            (Step::Amendment(amendment), way) => {
                let (old, new) = match way {
                    Way::Forth => (&amendment.before, &amendment.now),
                    Way::Back => (&amendment.now, &amendment.before),
                };
                let back = old.iter().rev().map(|e| (Way::Back, e));
                back.chain(new.iter().map(|e| (Way::Forth, e))).collect()
            }
            (Step::Rules(_), _) => Vec::new(),
        }
    }

    pub(super) fn name(&self) -> Option<StepName> {
        match self {
            Step::Command(entry) => Some(StepName::Command(entry.number)),
            Step::Amendment(amendment) => Some(StepName::Amendment(amendment.number)),
            Step::Rules(_) => None,
        }
    }
}

/// A step that can be taken back. A command is named only: an amendment may have put another in its place.
#[derive(Clone, Debug)]
enum Done {
    Command(u64),
    Amendment(Arc<Amendment>),
}

/// The steps done to a table, with those taken back.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// The commands that stand, in order of their numbers.
    standing: Vec<Arc<Entry>>,
    done: Vec<Done>,
    undone: Vec<Step>,
}

impl History {
    /// Returns the commands that stand.
    pub fn standing(&self) -> &[Arc<Entry>] {
        &self.standing
    }

    /// Returns the place of a command among those that stand.
    pub fn place(&self, number: u64) -> Option<usize> {
        self.standing.binary_search_by_key(&number, |e| e.number).ok()
    }

    /// Returns the commands that stand before a place, and from it on.
    pub fn split(&self, place: usize) -> (&[Arc<Entry>], &[Arc<Entry>]) {
        self.standing.split_at(place.min(self.standing.len()))
    }

    /// Returns what the next step back would take back: a command, or an amendment.
    fn step_back(&self) -> Option<Step> {
        let last = self.standing.last()?;
        let stands = |done: &&Done| match done {
            // An amendment may have dropped it.
            Done::Command(number) => *number == last.number,
            Done::Amendment(_) => true,
        };
        match self.done.iter().rev().find(stands)? {
            Done::Command(_) => Some(Step::Command(last.clone())),
            Done::Amendment(amendment) => Some(Step::Amendment(amendment.clone())),
        }
    }

    /// Returns the names of the next steps back, as many as there are.
    pub fn steps_back(&self, count: usize) -> Vec<StepName> {
        self.names(count, Way::Back, |history| history.step_back())
    }

    /// Returns the names of all commands after this one, the last first.
    pub fn commands_after(&self, number: u64) -> Vec<StepName> {
        let after = self.standing.iter().rev().take_while(|e| e.number > number);
        after.map(|e| StepName::Command(e.number)).collect()
    }

    /// Returns the names of the steps that would be done again next, as many as there are.
    pub fn steps_again(&self, count: usize) -> Vec<StepName> {
        self.undone.iter().rev().take(count).filter_map(Step::name).collect()
    }

    fn names(
        &self,
        count: usize,
        way: Way,
        next: impl Fn(&History) -> Option<Step>,
    ) -> Vec<StepName> {
        let mut ahead = None;
        let mut names = Vec::new();
        for _ in 0..count {
            let now = ahead.as_ref().unwrap_or(self);
            let Some(step) = next(now) else { break };
            names.extend(step.name());
            if names.len() < count {
                ahead.get_or_insert_with(|| self.clone()).take(way, &step);
            }
        }
        names
    }

    /// Finds the steps of a record, and which way they go. Nothing is changed.
    pub fn steps_of(&self, record: &Record) -> Result<(Way, Vec<Step>), RecordError> {
        match record {
            Record::Command(entry) => Ok((Way::Forth, vec![Step::Command(entry.clone())])),
            Record::Undo(names) => Ok((Way::Back, self.named(names, Way::Back)?)),
            Record::Redo(names) => Ok((Way::Forth, self.named(names, Way::Forth)?)),
            Record::Amend(record) => {
                Ok((Way::Forth, vec![Step::Amendment(Arc::new(self.amendment(record)?))]))
            }
            Record::Start(_)
            | Record::Dice(_)
            | Record::Words(_)
            | Record::Reload(_)
            | Record::AskRandom(_)
            | Record::Reveal(_)
            | Record::Resume(_) => Ok((Way::Forth, Vec::new())),
        }
    }

    fn named(&self, names: &[StepName], way: Way) -> Result<Vec<Step>, RecordError> {
        let mut ahead = None;
        let mut steps = Vec::new();
        for (place, &name) in names.iter().enumerate() {
            let now = ahead.as_ref().unwrap_or(self);
            let step = match (way, name) {
                (Way::Forth, _) => now.undone.last().cloned(),
                // Commands are taken back over amendments that were made since.
                (Way::Back, StepName::Command(_)) => {
                    now.standing.last().cloned().map(Step::Command)
                }
                (Way::Back, StepName::Amendment(_)) => now.step_back(),
            };
            let fits = step.filter(|s| s.name() == Some(name)).ok_or(RecordError::Step(name))?;
            if place + 1 < names.len() {
                ahead.get_or_insert_with(|| self.clone()).take(way, &fits);
            }
            steps.push(fits);
        }
        Ok(steps)
    }

    /// Returns an amendment with what it leaves as it was.
    fn amendment(&self, record: &AmendRecord) -> Result<Amendment, RecordError> {
        let number = record.number;
        let missing = || RecordError::Step(StepName::Command(number));
        let (_, before) = self.split(self.place(number).ok_or_else(missing)?);
        let now = before.iter().filter(|e| !record.dropped.contains(&e.number)).map(|old| {
            match record.now.iter().find(|new| new.number == old.number) {
                Some(new) if new != old => new.clone(),
                // The very one, so that it is seen to stand.
                _ => old.clone(),
            }
        });
        let now: Vec<Arc<Entry>> = now.collect();
        if now.first().is_none_or(|e| e.number != number) {
            return Err(missing());
        }
        Ok(Amendment { number, before: before.to_vec(), now, dropped: record.dropped.clone() })
    }

    /// Takes in the steps of a record, as [`History::steps_of`] found them.
    pub fn take_all(&mut self, record: &Record, way: Way, steps: &[Step]) {
        // After something new there is nothing to be done again.
        if matches!(record, Record::Command(_) | Record::Amend(_)) {
            self.undone.clear();
        }
        for step in steps {
            self.take(way, step);
        }
    }

    fn take(&mut self, way: Way, step: &Step) {
        match (way, step) {
            (Way::Forth, Step::Command(entry)) => {
                self.undone.pop();
                self.done.push(Done::Command(entry.number));
                self.standing.push(entry.clone());
            }
            (Way::Forth, Step::Amendment(amendment)) => {
                self.undone.pop();
                self.replace(amendment.before.len(), &amendment.now);
                self.done.push(Done::Amendment(amendment.clone()));
            }
            (Way::Back, Step::Command(entry)) => {
                self.standing.pop();
                while let Some(done) = self.done.pop() {
                    if matches!(done, Done::Command(n) if n == entry.number) {
                        break;
                    }
                }
                self.undone.push(step.clone());
            }
            (Way::Back, Step::Amendment(amendment)) => {
                while !matches!(self.done.pop(), None | Some(Done::Amendment(_))) {}
                self.replace(amendment.now.len(), &amendment.before);
                self.undone.push(step.clone());
            }
            (_, Step::Rules(_)) => {}
        }
    }

    /// Puts commands in place of the last ones.
    fn replace(&mut self, count: usize, new: &[Arc<Entry>]) {
        self.standing.truncate(self.standing.len().saturating_sub(count));
        self.standing.extend_from_slice(new);
    }
}
