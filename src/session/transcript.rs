//! What was played, in order, with what was taken back struck out; and as a script that gives the same game.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::board::Board;
use super::history::{Amendment, Entry, Step};
use super::reload::Reloaded;
use super::replay::{Given, quoted};
use super::verify::swap;
use super::{Happening, Logged, RealDice, Session};
use crate::referee::{Event, Outcome};

/// What became of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
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
    /// Who wrote the rules.
    pub author: String,
    /// The scenario's heading, or its name.
    pub scenario: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// The hash of the seed.
    pub seal: String,
    /// The players' words, each with the first command they count for.
    pub words: Vec<(u64, String)>,
    /// The seed, if it has been told.
    pub seed: Option<String>,
    /// What came of the set-up.
    pub set_up: Arc<Outcome>,
    /// What happened, in order.
    pub items: Vec<Item>,
}

/// One thing in a transcript.
#[derive(Clone, Debug)]
pub enum Item {
    /// A command, and what became of it.
    Command(Arc<Entry>, Fate),
    /// A step was taken back.
    TookBack(Step),
    /// A step was done again.
    DidAgain(Step),
    /// A command got other words; what it and what followed came to then, and what became of that.
    Amended(Arc<Amendment>, Fate),
    /// Whose dice are thrown from here on.
    Dice(RealDice),
    /// The players mixed words into the dice.
    Words(String),
    /// The rules were read again.
    Reloaded(Arc<Reloaded>),
    /// Who answers questions from here on: chance, or the umpire.
    AskRandom(bool),
    /// The seed was told.
    Revealed,
    /// Play went on after a break.
    Resumed,
}

impl Session {
    /// The transcript as it stands.
    pub fn transcript(&self) -> Transcript {
        let standing: BTreeSet<*const Entry> =
            self.history.standing().iter().map(Arc::as_ptr).collect();
        // What was amended away is not the same as what was taken back.
        let mut amended: BTreeSet<*const Entry> = BTreeSet::new();
        for logged in &self.log {
            match &logged.what {
                Happening::Amended(a) => amended.extend(a.before.iter().map(Arc::as_ptr)),
                Happening::TookBack(Step::Command(entry)) => {
                    amended.remove(&Arc::as_ptr(entry));
                }
                _ => {}
            }
        }
        let fate = |entry: &Arc<Entry>| {
            if standing.contains(&Arc::as_ptr(entry)) {
                Fate::Stands
            } else if amended.contains(&Arc::as_ptr(entry)) {
                Fate::Amended
            } else {
                Fate::TakenBack
            }
        };
        let item = |what: &Happening| match what {
            Happening::Began(_) => None,
            Happening::Did(entry) => Some(Item::Command(entry.clone(), fate(entry))),
            Happening::TookBack(step) => Some(Item::TookBack(step.clone())),
            Happening::DidAgain(step) => Some(Item::DidAgain(step.clone())),
            Happening::Amended(a) => {
                let fate = a.now.first().map_or(Fate::Stands, fate);
                Some(Item::Amended(a.clone(), fate))
            }
            Happening::Dice(dice) => Some(Item::Dice(dice.clone())),
            Happening::Words(words) => Some(Item::Words(words.clone())),
            Happening::Reloaded(reloaded) => Some(Item::Reloaded(reloaded.clone())),
            Happening::AskRandom(random) => Some(Item::AskRandom(*random)),
            Happening::Revealed => Some(Item::Revealed),
            Happening::Resumed(_) => Some(Item::Resumed),
        };
        let game = &self.referee().ruleset().game;
        let scenario = self.scenario_set_out().map(|s| s.title.clone());
        let scenario = scenario.filter(|t| !t.is_empty());
        let first = self.log.first();
        let set_up = match first.map(|l| &l.what) {
            Some(Happening::Began(outcome)) => outcome.clone(),
            _ => Arc::default(),
        };
        Transcript {
            title: game.title.clone(),
            author: game.author.clone(),
            scenario: scenario.unwrap_or_else(|| self.start.scenario.clone()),
            began: first.map_or(0, |l| l.at),
            seal: self.start.seal.clone(),
            words: self.keys.words().to_vec(),
            seed: self.revealed().map(|_| self.keys.secret().to_hex()),
            set_up,
            items: self.log.iter().filter_map(|l| item(&l.what)).collect(),
        }
    }

    /// Goes through everything that happened in order, with the board as it was after each.
    pub fn walk(&self, mut show: impl FnMut(&Board, &Logged)) {
        let mut board = self.board.at_the_beginning(self.history.standing());
        let mut standing: Vec<Arc<Entry>> = Vec::new();
        for logged in &self.log {
            match &logged.what {
                Happening::Did(entry) | Happening::DidAgain(Step::Command(entry)) => {
                    swap(&mut board, &mut standing, 0, std::slice::from_ref(entry));
                }
                Happening::TookBack(Step::Command(_)) => swap(&mut board, &mut standing, 1, &[]),
                Happening::TookBack(Step::Amendment(a)) => {
                    swap(&mut board, &mut standing, a.now.len(), &a.before);
                }
                Happening::DidAgain(Step::Amendment(a)) | Happening::Amended(a) => {
                    swap(&mut board, &mut standing, a.before.len(), &a.now);
                }
                Happening::Reloaded(reloaded) => {
                    // It was possible then, so it is now.
                    let _ = board.read_again(reloaded.from, reloaded.referee.clone());
                }
                _ => {}
            }
            show(&board, logged);
        }
    }

    /// All lines typed so far, with answers and the faces of real dice in lines of their own: fed back with the
    /// same seed and words they give the same game, what was taken back included.
    pub fn script(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for logged in &self.log {
            script_lines(&logged.what, &mut lines);
        }
        lines
    }
}

/// The lines that make something happen again.
pub fn script_of(what: &Happening) -> Vec<String> {
    let mut lines = Vec::new();
    script_lines(what, &mut lines);
    lines
}

fn script_lines(what: &Happening, lines: &mut Vec<String>) {
    match what {
        Happening::Did(entry) => {
            lines.push(entry.line.clone());
            answers(&entry.outcome, lines);
        }
        Happening::TookBack(_) => lines.push("undo".to_owned()),
        Happening::DidAgain(_) => lines.push("redo".to_owned()),
        Happening::Amended(amendment) => {
            if let (Some(old), Some(new)) = (amendment.before.first(), amendment.now.first()) {
                lines.push(format!("amend {} {}", amendment.number, new.line));
                answers_anew(old, new, lines);
            }
        }
        Happening::Dice(dice) => lines.extend(dice_lines(dice)),
        // The rules are those the script is fed to; the file may have been changed since.
        Happening::Began(_) | Happening::Words(_) | Happening::Reloaded(_) => {}
        Happening::AskRandom(_) | Happening::Revealed | Happening::Resumed(_) => {}
    }
}

/// Answers and faces, in the order they are asked for.
fn answers(outcome: &Outcome, lines: &mut Vec<String>) {
    let mut asked = outcome.events.iter().filter_map(|event| match event {
        Event::Asked { answer, random, .. } => {
            Some(if *random { "?".to_owned() } else { quoted(answer) })
        }
        _ => None,
    });
    if !outcome.physical {
        lines.extend(asked);
        return;
    }
    let mut faces = outcome.faces.iter();
    for &wanted in &outcome.prompts {
        match wanted {
            0 => lines.extend(asked.next()),
            count => lines.push(thrown(&mut faces, count)),
        }
    }
}

/// What was given when a command was amended: answers to what had not been asked, and the faces of real dice,
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
        && (&old.outcome.faces, &old.outcome.sides) == (&new.outcome.faces, &new.outcome.sides)
        && answers.iter().all(Option::is_none);
    if stayed {
        return;
    }
    let mut answers = answers.into_iter();
    let mut faces = new.outcome.faces.iter();
    for &wanted in &new.outcome.prompts {
        match wanted {
            0 => lines.extend(answers.next().flatten()),
            count => lines.push(thrown(&mut faces, count)),
        }
    }
}

/// So many faces as they are typed.
fn thrown<'f>(faces: &mut impl Iterator<Item = &'f u32>, count: u32) -> String {
    let faces: Vec<String> = faces.take(count as usize).map(u32::to_string).collect();
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
