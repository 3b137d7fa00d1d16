//! The game in order, with undone commands crossed out, and a script that repeats the game.

use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexSet;

use super::board::Board;
use super::history::{Amendment, Entry, HistoryStep, UndoDirection};
use super::record::{Record, RecordError};
use super::replay::quote_answer;
use super::report_item::ReportItem;
use super::{LoggedRecord, RealDice, Session};
use crate::command::without_remark_and_insist;
use crate::referee::{AnsweredQuestion, Event, Outcome, Referee, SeenTable, Viewer};
use crate::tabletop::Tabletop;

/// The status of a command: it counts, or the reason why it doesn't.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The command is in force.
    Stands,
    /// The command was undone.
    TakenBack,
    /// The command was amended, or affected by an amendment.
    Amended,
}

impl Session {
    /// Returns, for each event in order, whether it counts.
    pub(crate) fn standings(&self) -> Vec<Standing> {
        let standing: IndexSet<*const Entry> =
            self.history.commands_in_force().iter().map(Arc::as_ptr).collect();
        // Amended is not the same as undone.
        let mut amended: IndexSet<*const Entry> = IndexSet::new();
        for logged in &self.log {
            for step in &logged.steps {
                match (&logged.what, step) {
                    (Record::Amend(_), HistoryStep::Amendment(a)) => {
                        amended.extend(a.before.iter().map(Arc::as_ptr));
                    }
                    (Record::Undo(_), HistoryStep::Command(entry)) => {
                        amended.swap_remove(&Arc::as_ptr(entry));
                    }
                    _ => {}
                }
            }
        }
        let of = |logged: &LoggedRecord| match logged.command().map(Arc::as_ptr) {
            Some(entry) if standing.contains(&entry) => Standing::Stands,
            Some(entry) if amended.contains(&entry) => Standing::Amended,
            Some(_) => Standing::TakenBack,
            None => Standing::Stands,
        };
        self.log.iter().map(of).collect()
    }

    /// Returns the board after the first `count` records, 0 for the set-up.
    pub(crate) fn board_after(&self, count: usize) -> Result<Board, WalkError> {
        let mut board = self.board.clone();
        for logged in self.log.iter().skip(count).rev() {
            logged.reverse(&mut board).map_err(WalkError)?;
        }
        Ok(board)
    }

    /// Replays some of the events in order, with the board after each.
    pub fn walk_records(
        &self,
        part: Range<usize>,
        mut show: impl FnMut(&Board, &LoggedRecord),
    ) -> Result<(), WalkError> {
        let mut board = self.board_after(part.start)?;
        for logged in self.log.get(part).unwrap_or_default() {
            logged.replay(&mut board).map_err(WalkError)?;
            show(&board, logged);
        }
        Ok(())
    }

    /// Returns the viewer that this viewer counts as now. Once the game is over, or its seed is
    /// revealed, everyone sees as much as the umpire.
    pub fn effective_viewer(&self, viewer: &Viewer) -> Viewer {
        let sees_all =
            *viewer == Viewer::Umpire || self.last_before_reveal().is_some() || self.is_over();
        if sees_all { Viewer::Umpire } else { viewer.clone() }
    }

    /// Returns true if a rule has ended the game.
    fn is_over(&self) -> bool {
        let mut events = self.entries().iter().flat_map(|entry| &entry.outcome.events);
        events.any(|event| matches!(event, Event::Ended { .. }))
    }

    /// Replays the game in order as a viewer saw it: the set-up, each visible command in force, and
    /// the other events of the session. Only the umpire sees what was undone or amended.
    pub(crate) fn walk_as_seen(
        &self,
        viewer: &Viewer,
        mut show: impl FnMut(&Referee, &LoggedRecord, Option<&Witnessed>),
    ) -> Result<(), WalkError> {
        let viewer = self.effective_viewer(viewer);
        let mut board = self.board_after(0)?;
        for logged in &self.log {
            let nothing = Entry::default();
            let entry = match &logged.what {
                Record::Start(start) => &Entry { outcome: start.set_up.clone().into(), ..nothing },
                Record::Command(entry) => {
                    let Some(index) = self.history.index_of(entry.number) else { continue };
                    let standing = &self.history.commands_in_force()[index];
                    board
                        .apply([(UndoDirection::Forward, standing)])
                        .map_err(|e| WalkError(e.into()))?;
                    standing.as_ref()
                }
                Record::Reload(_) => {
                    logged.replay(&mut board).map_err(WalkError)?;
                    show(board.referee(), logged, None);
                    continue;
                }
                Record::Dice(_)
                | Record::Words(_)
                | Record::Players(_)
                | Record::Report(ReportItem::Date(_) | ReportItem::Venue(_))
                | Record::AskRandom(_)
                | Record::Resume(_) => {
                    show(board.referee(), logged, None);
                    continue;
                }
                // The umpire's own words may give secrets away.
                Record::Report(ReportItem::Paragraph(_) | ReportItem::Photo(_)) => {
                    if viewer == Viewer::Umpire {
                        show(board.referee(), logged, None);
                    }
                    continue;
                }
                // These show what is no longer in force, or what is secret.
                Record::Undo(_) | Record::Redo(_) | Record::Amend(_) => continue,
                Record::Look(_) | Record::Reveal(_) => continue,
            };
            // Everything that is shown of a command shares one budget.
            let (referee, table) = board.referee_and_table_of(entry.number);
            let referee = &referee.with_budget();
            if let Some(witnessed) = Witnessed::of(referee, table, entry, &viewer) {
                show(referee, logged, Some(&witnessed));
            }
        }
        Ok(())
    }

    /// Returns the part of an undo, redo or amendment that a viewer saw, with the board before and
    /// after it; `None` if nothing was visible.
    pub(crate) fn witnessed_correction(
        &self,
        index: usize,
        viewer: &Viewer,
    ) -> Result<Option<WitnessedCorrection>, WalkError> {
        let Some(logged) = self.log.get(index) else { return Ok(None) };
        let seen = WitnessedCorrection::of(&self.board_after(index + 1)?, logged, viewer)?;
        Ok((!seen.commands().is_empty()).then_some(seen))
    }

    /// Returns all lines typed so far, with answers and the faces of real dice as separate lines:
    /// used as input with the same seed and words, they repeat the game, including what was undone.
    pub fn script(&self) -> Vec<String> {
        self.log.iter().flat_map(LoggedRecord::script).collect()
    }
}

impl LoggedRecord {
    /// Splits an undo or redo into records of one step each, and shows each with the board after
    /// that step. The given board is in the state after the last step.
    pub(crate) fn walk_steps(
        &self,
        board: &Board,
        mut show: impl FnMut(&Board, &LoggedRecord),
    ) -> Result<(), WalkError> {
        let mut board = board.clone();
        self.reverse(&mut board).map_err(WalkError)?;
        for step in &self.steps {
            board.apply(step.acts(self.what.direction())).map_err(|e| WalkError(e.into()))?;
            show(&board, &LoggedRecord { steps: vec![step.clone()], ..self.clone() });
        }
        Ok(())
    }
}

/// The part of a command, or of the set-up, that a viewer saw.
#[derive(Clone, Debug)]
pub struct Witnessed {
    /// The number of the command, which is hidden from the viewer because it would reveal that
    /// there are other commands. The set-up is number 0.
    pub number: u64,
    /// The turn after the command.
    pub turn: i64,
    /// The visible part of the command, without its number and throw; the line is empty if it was
    /// hidden.
    pub entry: Arc<Entry>,
    /// The table after the command.
    pub sight: SeenTable,
}

/// An undo, redo or amendment, as far as a viewer saw it.
#[derive(Debug)]
pub(crate) struct WitnessedCorrection {
    /// The commands that were undone or redone, in this order.
    acts: Vec<(UndoDirection, Witnessed)>,
    /// The board before the undo, redo or amendment.
    pub before: Board,
    /// The board after the undo, redo or amendment.
    pub after: Board,
}

impl WitnessedCorrection {
    /// Returns the part of an undo, redo or amendment that a viewer saw; `board` is the board
    /// after it.
    pub(crate) fn of(
        board: &Board,
        logged: &LoggedRecord,
        viewer: &Viewer,
    ) -> Result<WitnessedCorrection, WalkError> {
        let mut before = board.clone();
        logged.reverse(&mut before).map_err(WalkError)?;
        let mut after = before.clone();
        let mut acts = Vec::new();
        for (direction, entry) in logged.what.acts(&logged.steps) {
            let apply =
                |to: &mut Board| to.apply([(direction, entry)]).map_err(|e| WalkError(e.into()));
            // Each command is shown as it was seen when it was done, on the table after it.
            if direction == UndoDirection::Forward {
                apply(&mut after)?;
            }
            let (referee, table) = after.referee_and_table_of(entry.number);
            let witnessed = Witnessed::of(referee, table, entry, viewer);
            acts.extend(witnessed.map(|witnessed| (direction, witnessed)));
            if direction == UndoDirection::Backward {
                apply(&mut after)?;
            }
        }
        Ok(WitnessedCorrection { acts, before, after })
    }

    /// Returns the commands that were undone or redone, in order.
    pub(crate) fn acts(&self) -> impl Iterator<Item = (UndoDirection, &Arc<Entry>)> {
        self.acts.iter().map(|(direction, witnessed)| (*direction, &witnessed.entry))
    }

    /// Returns a pair for each command, in order: the commands that it removes from the board, and
    /// those that it adds. The command itself is in one list, and the other list is empty.
    pub(crate) fn exchanges(&self) -> impl Iterator<Item = (&[Arc<Entry>], &[Arc<Entry>])> {
        self.acts.iter().map(|(direction, witnessed)| {
            let entry = std::slice::from_ref(&witnessed.entry);
            match direction {
                UndoDirection::Backward => (entry, &[] as &[_]),
                UndoDirection::Forward => (&[] as &[_], entry),
            }
        })
    }

    /// Returns the new commands or, if there are none, the commands that were undone.
    pub(crate) fn commands(&self) -> Vec<&Witnessed> {
        let in_direction = |direction: UndoDirection| {
            let acts = self.acts.iter().filter(move |(of, _)| *of == direction);
            acts.map(|(_, witnessed)| witnessed)
        };
        let mut gone: Vec<&Witnessed> = in_direction(UndoDirection::Backward).collect();
        let mut new = Vec::new();
        for done in in_direction(UndoDirection::Forward) {
            match gone.iter().position(|undone| undone.looks_like(done)) {
                // It was undone and redone.
                Some(index) => drop(gone.remove(index)),
                None => new.push(done),
            }
        }
        if new.is_empty() { gone } else { new }
    }
}

impl Witnessed {
    /// Returns true if the viewer saw the same in another command.
    fn looks_like(&self, other: &Witnessed) -> bool {
        self.entry.line == other.entry.line
            && self.entry.reason == other.entry.reason
            && *self.entry.outcome == *other.entry.outcome
    }

    /// Returns what a viewer saw of a command that led to this table; `None` if nothing was
    /// visible.
    pub(crate) fn of(
        referee: &Referee,
        table: &Tabletop,
        entry: &Entry,
        viewer: &Viewer,
    ) -> Option<Witnessed> {
        let seen = referee.seen_outcome(table, &entry.outcome, viewer);
        if entry.number > 0 && seen.is_nothing() {
            return None;
        }
        let line = if seen.line { without_remark_and_insist(&entry.line) } else { String::new() };
        Some(Witnessed {
            number: entry.number,
            turn: referee.turn_number(table),
            sight: seen.sight,
            entry: Arc::new(Entry {
                number: 0,
                line,
                reason: entry.reason.clone().filter(|_| seen.line),
                throw: None,
                outcome: seen.outcome.into(),
                ..entry.clone()
            }),
        })
    }
}

/// The reason why a game cannot be replayed: a record does not fit the board.
#[derive(Debug, thiserror::Error)]
#[error("the events cannot be shown in order: {0}")]
pub struct WalkError(RecordError);

impl Entry {
    /// Returns the lines to type to repeat the command: its own line, answers and the faces of real
    /// dice.
    pub(super) fn script(&self) -> Vec<String> {
        let asked = self.outcome.answered_questions().map(|asked| Some(answer_as_typed(&asked)));
        let answers = input_lines(&self.outcome, asked.collect());
        std::iter::once(self.line.clone()).chain(answers).collect()
    }
}

impl Amendment {
    /// Returns the lines to type to repeat the amendment.
    pub(super) fn script(&self) -> Vec<String> {
        let (Some(old), Some(new)) = (self.before.first(), self.now.first()) else {
            return Vec::new();
        };
        let mut lines = vec![format!("amend {} {}", self.number, new.line)];
        lines.extend(amended_input_lines(old, new));
        lines
    }
}

impl RealDice {
    /// Returns the lines that set which dice the players roll.
    pub(super) fn script(&self) -> Vec<String> {
        if self.all {
            return vec!["dice physical".to_owned()];
        }
        let of = self.of.iter().map(|of| format!("dice physical {of}"));
        std::iter::once("dice auto".to_owned()).chain(of).collect()
    }
}

/// Returns the lines with answers and faces, in the order of the requests. `answers` has `None` for
/// an answer that can be left out.
fn input_lines(outcome: &Outcome, answers: Vec<Option<String>>) -> Vec<String> {
    let mut answers = answers.into_iter();
    if !outcome.physical {
        return answers.flatten().collect();
    }
    let mut faces = outcome.faces();
    let mut typed = Vec::new();
    for &wanted in &outcome.prompts {
        if wanted == 0 {
            typed.extend(answers.next().flatten());
        } else {
            let rolled = faces.by_ref().take(wanted as usize).map(|face| face.to_string());
            typed.push(rolled.collect::<Vec<_>>().join(" "));
        }
    }
    typed
}

/// Returns an answer as it would be typed.
fn answer_as_typed(asked: &AnsweredQuestion) -> String {
    if asked.random { "?".to_owned() } else { quote_answer(&asked.answer) }
}

/// Returns the input typed for an amendment: answers to new questions, and the faces of real dice unless only the
/// line changed.
fn amended_input_lines(old: &Entry, new: &Entry) -> Vec<String> {
    let mut before = old.outcome.answered_questions();
    let answers = new.outcome.answered_questions().map(|asked| {
        (!before.any(|b| b.question == asked.question)).then(|| answer_as_typed(&asked))
    });
    let answers: Vec<Option<String>> = answers.collect();
    let stayed = new.outcome.physical
        && old.line != new.line
        && old.outcome.dice == new.outcome.dice
        && answers.iter().all(Option::is_none);
    if stayed { Vec::new() } else { input_lines(&new.outcome, answers) }
}
