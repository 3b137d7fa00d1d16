//! What was done, taken back and done again, over one table.
//!
//! Nothing is erased: what is taken back is kept to be done again, and every step stands in the log of the
//! session besides.

use std::sync::Arc;

use super::board::Board;
use crate::referee::Outcome;

/// A command that was accepted.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number, from 1; the set-up is number 0.
    pub number: u64,
    /// The line as typed.
    pub line: String,
    /// For an overruling: the reason.
    pub reason: Option<String>,
    /// The turn when it was typed.
    pub turn: i64,
    /// The place of the phase in the turn when it was typed; none during set-up.
    pub phase: Option<usize>,
    /// What came of it.
    pub outcome: Outcome,
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

/// Something that can be taken back.
#[derive(Clone, Debug)]
pub enum Step {
    /// A command.
    Command(Arc<Entry>),
    /// An amendment.
    Amendment(Arc<Amendment>),
}

/// What was done and can be taken back. A command is named only: an amendment may have put another in its place.
#[derive(Clone, Debug)]
enum Done {
    Command(u64),
    Amendment(Arc<Amendment>),
}

/// What was done to a table, with what was taken back.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// The commands that stand, in order of their numbers.
    standing: Vec<Arc<Entry>>,
    done: Vec<Done>,
    undone: Vec<Step>,
}

impl History {
    /// The commands that stand.
    pub fn standing(&self) -> &[Arc<Entry>] {
        &self.standing
    }

    /// The place of a command among those that stand.
    pub fn place(&self, number: u64) -> Option<usize> {
        self.standing.binary_search_by_key(&number, |e| e.number).ok()
    }

    /// What the next step back would take back: a command, or an amendment.
    pub fn step_back(&self) -> Option<Step> {
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

    /// What would be done again next.
    pub fn step_again(&self) -> Option<&Step> {
        self.undone.last()
    }

    /// Takes in a command whose changes have been made.
    pub fn did(&mut self, entry: Arc<Entry>) {
        self.undone.clear();
        self.done.push(Done::Command(entry.number));
        self.standing.push(entry);
    }

    /// Takes the last command back, and gives it. Amendments made since then stay.
    pub fn take_back_command(&mut self, board: &mut Board) -> Option<Arc<Entry>> {
        let entry = self.standing.pop()?;
        board.revert(&entry);
        board.settle();
        while let Some(done) = self.done.pop() {
            if matches!(done, Done::Command(n) if n == entry.number) {
                break;
            }
        }
        self.undone.push(Step::Command(entry.clone()));
        Some(entry)
    }

    /// Takes the last amendment back, if that was the last step.
    pub fn take_back_amendment(&mut self, board: &mut Board) -> Option<Arc<Amendment>> {
        let Some(Step::Amendment(amendment)) = self.step_back() else { return None };
        while !matches!(self.done.pop(), None | Some(Done::Amendment(_))) {}
        self.replace(board, &amendment.now, &amendment.before);
        self.undone.push(Step::Amendment(amendment.clone()));
        Some(amendment)
    }

    /// Does the last step taken back again.
    pub fn again(&mut self, board: &mut Board) -> Option<Step> {
        let step = self.undone.pop()?;
        match &step {
            Step::Command(entry) => {
                board.apply(entry);
                board.settle();
                self.done.push(Done::Command(entry.number));
                self.standing.push(entry.clone());
            }
            Step::Amendment(amendment) => {
                self.replace(board, &amendment.before, &amendment.now);
                self.done.push(Done::Amendment(amendment.clone()));
            }
        }
        Some(step)
    }

    /// Makes an amendment whose commands have been resolved.
    pub fn amend(&mut self, board: &mut Board, amendment: Arc<Amendment>) {
        self.undone.clear();
        self.replace(board, &amendment.before, &amendment.now);
        self.done.push(Done::Amendment(amendment));
    }

    /// Takes the last commands back for good and makes these in their place.
    fn replace(&mut self, board: &mut Board, old: &[Arc<Entry>], new: &[Arc<Entry>]) {
        for entry in old.iter().rev() {
            self.standing.pop();
            board.revert(entry);
        }
        for entry in new {
            board.apply(entry);
            self.standing.push(entry.clone());
        }
        board.settle();
    }

    /// The board before a command, and all that stand from it on.
    pub fn before(&self, board: &Board, place: usize) -> (Board, &[Arc<Entry>]) {
        let tail = self.standing.get(place..).unwrap_or_default();
        let mut board = board.clone();
        for entry in tail.iter().rev() {
            board.revert(entry);
        }
        board.settle();
        (board, tail)
    }
}
