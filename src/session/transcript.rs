//! The game in order, with what was taken back struck out; and as a script that gives the same game.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::board::Board;
use super::history::{Entry, Step};
use super::record::{Record, RecordError};
use super::replay::{Given, quoted};
use super::{Logged, RealDice, Session};
use crate::referee::Outcome;

/// True if a command still counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It stands.
    Stands,
    /// It was taken back.
    TakenBack,
    /// It was amended, or followed from one that was.
    Amended,
}

/// Everything a transcript shows.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The game's title.
    pub title: String,
    /// The scenario's heading, or its name.
    pub scenario: String,
    /// The hash of the seed.
    pub seal: String,
    /// The players' words, each with the first command they count for.
    pub words: Vec<(u64, String)>,
    /// The seed, if it has been told.
    pub seed: Option<String>,
    /// True if the command still counts, for each thing that happened, in order.
    pub standing: Vec<Standing>,
}

impl Session {
    /// The transcript as it stands.
    pub fn transcript(&self) -> Transcript {
        let standing: BTreeSet<*const Entry> =
            self.history.standing().iter().map(Arc::as_ptr).collect();
        // What was amended away is not the same as what was taken back.
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
        let of = |logged: &Logged| {
            let Some(entry) = logged.command() else { return Standing::Stands };
            if standing.contains(&Arc::as_ptr(entry)) {
                Standing::Stands
            } else if amended.contains(&Arc::as_ptr(entry)) {
                Standing::Amended
            } else {
                Standing::TakenBack
            }
        };
        let game = &self.referee().ruleset().game;
        let scenario = self.scenario_set_out().map(|s| s.title.clone());
        let scenario = scenario.filter(|t| !t.is_empty());
        Transcript {
            title: game.title.clone(),
            scenario: scenario.unwrap_or_else(|| self.start.scenario.clone()),
            seal: self.start.seal.clone(),
            words: self.keys.words().to_vec(),
            seed: self.revealed().map(|_| self.keys.secret().to_hex()),
            standing: self.log.iter().map(of).collect(),
        }
    }

    /// Goes through everything that happened in order, with the board as it was after each.
    pub fn walk(&self, mut show: impl FnMut(&Board, &Logged)) -> Result<(), WalkError> {
        let board = self.board.at_the_beginning(self.history.standing());
        let mut board = board.map_err(|e| WalkError(e.into()))?;
        for logged in &self.log {
            logged.replay(&mut board).map_err(WalkError)?;
            show(&board, logged);
        }
        Ok(())
    }

    /// All lines typed so far, with answers and the faces of real dice in lines of their own: fed back with the
    /// same seed and words they give the same game, what was taken back included.
    pub fn script(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for logged in &self.log {
            lines.extend(script_of(logged));
        }
        lines
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
            lines.push(entry.line.clone());
            answers(&entry.outcome, &mut lines);
        }
        Record::Undo(names) => lines.extend(names.iter().map(|_| "undo".to_owned())),
        Record::Redo(names) => lines.extend(names.iter().map(|_| "redo".to_owned())),
        Record::Amend(_) => {
            if let [Step::Amendment(amendment)] = logged.steps.as_slice()
                && let (Some(old), Some(new)) = (amendment.before.first(), amendment.now.first())
            {
                lines.push(format!("amend {} {}", amendment.number, new.line));
                answers_anew(old, new, &mut lines);
            }
        }
        Record::Dice(dice) => lines.extend(dice_lines(dice)),
        // The rules are those the script is fed to; the file may have been changed since.
        Record::Start(_) | Record::Words(_) | Record::Reload(_) => {}
        Record::AskRandom(_) | Record::Reveal(_) | Record::Resume(_) => {}
    }
    lines
}

/// Answers and faces, in the order they are asked for.
fn answers(outcome: &Outcome, lines: &mut Vec<String>) {
    let mut asked = outcome
        .asked()
        .map(|(_, answer, random)| if random { "?".to_owned() } else { quoted(answer) });
    if !outcome.physical {
        lines.extend(asked);
        return;
    }
    let mut faces = outcome.faces();
    for &wanted in &outcome.prompts {
        match wanted {
            0 => lines.extend(asked.next()),
            count => lines.push(thrown(&mut faces, count)),
        }
    }
}

/// Adds what was given when a command was amended: answers to what had not been asked, and the faces of real dice,
/// unless other words were put to dice that stayed as they fell.
fn answers_anew(old: &Entry, new: &Entry, lines: &mut Vec<String>) {
    let asked = Given::of(&old.outcome).asked;
    let mut before = asked.iter();
    let mut answers =
        Given::of(&new.outcome).asked.into_iter().map(|(question, answer, random)| {
            match before.any(|b| b.0 == question) {
                true => None,
                false if random => Some("?".to_owned()),
                false => Some(quoted(&answer)),
            }
        });
    if !new.outcome.physical {
        lines.extend(answers.flatten());
        return;
    }
    let answers: Vec<Option<String>> = answers.by_ref().collect();
    let stayed = old.line != new.line
        && old.outcome.dice == new.outcome.dice
        && answers.iter().all(Option::is_none);
    if stayed {
        return;
    }
    let mut answers = answers.into_iter();
    let mut faces = new.outcome.faces();
    for &wanted in &new.outcome.prompts {
        match wanted {
            0 => lines.extend(answers.next().flatten()),
            count => lines.push(thrown(&mut faces, count)),
        }
    }
}

/// Returns the next faces as they are typed.
fn thrown(faces: &mut impl Iterator<Item = u32>, count: u32) -> String {
    let faces: Vec<String> = faces.take(count as usize).map(|f| f.to_string()).collect();
    faces.join(" ")
}

/// The lines that say whose dice are thrown.
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
