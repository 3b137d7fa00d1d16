//! The game in order, with what was taken back struck out; and as a script that gives the same game.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::board::Board;
use super::history::{Entry, Step};
use super::record::{Record, RecordError};
use super::replay::{Given, quoted};
use super::{Logged, RealDice, Session};
use crate::referee::Outcome;

/// The standing of a command: it counts, or the reason why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It stands.
    Stands,
    /// It was taken back.
    TakenBack,
    /// It was amended, or followed from one that was.
    Amended,
}

impl Session {
    /// Returns for each thing that happened, in order, whether it counts.
    pub fn standings(&self) -> Vec<Standing> {
        let standing: BTreeSet<*const Entry> =
            self.history.standing().iter().map(Arc::as_ptr).collect();
        // Amended is not the same as taken back.
        let mut amended: BTreeSet<*const Entry> = BTreeSet::new();
        for logged in &self.log {
            for step in &logged.steps {
                match (&logged.what, step) {
                    (Record::Amend(_), Step::Amendment(a)) => {
                        amended.extend(a.before.iter().map(Arc::as_ptr));
                    }
                    (Record::Undo(_), Step::Command(entry)) => {
                        amended.remove(&Arc::as_ptr(entry));
                    }
                    _ => {}
                }
            }
        }
        let of = |logged: &Logged| match logged.command().map(Arc::as_ptr) {
            Some(entry) if standing.contains(&entry) => Standing::Stands,
            Some(entry) if amended.contains(&entry) => Standing::Amended,
            Some(_) => Standing::TakenBack,
            None => Standing::Stands,
        };
        self.log.iter().map(of).collect()
    }

    /// Returns the board as the scenario set it out.
    pub(crate) fn beginning(&self) -> Result<Board, WalkError> {
        self.board.at_the_beginning(self.history.standing()).map_err(|e| WalkError(e.into()))
    }

    /// Goes through everything that happened in order, with the board as it was after each.
    pub fn walk(&self, mut show: impl FnMut(&Board, &Logged)) -> Result<(), WalkError> {
        let mut board = self.beginning()?;
        for logged in &self.log {
            logged.replay(&mut board).map_err(WalkError)?;
            show(&board, logged);
        }
        Ok(())
    }

    /// Returns all lines typed so far, with answers and the faces of real dice in lines of their own: fed back with the
    /// same seed and words they give the same game, what was taken back included.
    pub fn script(&self) -> Vec<String> {
        self.log.iter().flat_map(script_of).collect()
    }
}

/// Why a game cannot be gone through again: what was done does not fit the board.
#[derive(Debug, thiserror::Error)]
#[error("what happened cannot be shown in order: {0}")]
pub struct WalkError(RecordError);

/// Returns the lines that make something happen again.
pub fn script_of(logged: &Logged) -> Vec<String> {
    let mut lines = Vec::new();
    match &logged.what {
        Record::Command(entry) => {
            let asked =
                entry.outcome.asked().map(|(_, answer, random)| Some(given(answer, random)));
            lines.push(entry.line.clone());
            lines.extend(typed(&entry.outcome, asked.collect()));
        }
        Record::Undo(names) => lines.extend(names.iter().map(|_| "undo".to_owned())),
        Record::Redo(names) => lines.extend(names.iter().map(|_| "redo".to_owned())),
        Record::Amend(_) => {
            if let [Step::Amendment(amendment)] = logged.steps.as_slice()
                && let (Some(old), Some(new)) = (amendment.before.first(), amendment.now.first())
            {
                lines.push(format!("amend {} {}", amendment.number, new.line));
                lines.extend(answers_anew(old, new));
            }
        }
        Record::Dice(dice) => lines.extend(dice_lines(dice)),
        // The rules are those the script is fed to; the file may have been changed since.
        Record::Start(_) | Record::Reload(_) => {}
        Record::Words(words) => lines.push(format!("mix {words}")),
        Record::AskRandom(_) | Record::Look(_) | Record::Reveal(_) | Record::Resume(_) => {}
    }
    lines
}

/// Returns answers and faces in the order they are asked for; `None` for an answer that need not be given.
fn typed(outcome: &Outcome, answers: Vec<Option<String>>) -> Vec<String> {
    let mut answers = answers.into_iter();
    if !outcome.physical {
        return answers.flatten().collect();
    }
    let mut faces = outcome.faces();
    let one = |&wanted: &u32| match wanted {
        0 => answers.next().flatten(),
        count => {
            let faces = faces.by_ref().take(count as usize).map(|f| f.to_string());
            Some(faces.collect::<Vec<_>>().join(" "))
        }
    };
    outcome.prompts.iter().filter_map(one).collect()
}

/// Returns an answer as it is typed.
fn given(answer: &str, random: bool) -> String {
    if random { "?".to_owned() } else { quoted(answer) }
}

/// Returns what was given when a command was amended: answers to what had not been asked, and the faces of real
/// dice, unless other words were put to dice that stayed as they fell.
fn answers_anew(old: &Entry, new: &Entry) -> Vec<String> {
    let asked = Given::of(&old.outcome).asked;
    let mut before = asked.iter();
    let answers = Given::of(&new.outcome).asked.into_iter().map(|(question, answer, random)| {
        (!before.any(|b| b.0 == question)).then(|| given(&answer, random))
    });
    let answers: Vec<Option<String>> = answers.collect();
    let stayed = new.outcome.physical
        && old.line != new.line
        && old.outcome.dice == new.outcome.dice
        && answers.iter().all(Option::is_none);
    if stayed { Vec::new() } else { typed(&new.outcome, answers) }
}

/// Returns the lines that say which dice the players throw.
fn dice_lines(dice: &RealDice) -> Vec<String> {
    let mut lines = Vec::new();
    if dice.all {
        lines.push("dice physical".to_owned());
    } else {
        lines.push("dice auto".to_owned());
        lines.extend(dice.of.iter().map(|of| format!("dice physical {of}")));
    }
    lines
}
