//! Goes through the game in order, for transcripts, and writes scripts that repeat the game.

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

/// The status of a command in a transcript: in force, undone or amended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The command is in force.
    Stands,
    /// The command was undone.
    TakenBack,
    /// The command was amended, or an amendment changed or dropped it.
    Amended,
}

impl Session {
    /// Returns the status of each record in the log, in order. Records that are not commands always
    /// count as in force.
    pub(crate) fn standings(&self) -> Vec<Standing> {
        let standing: IndexSet<*const Entry> =
            self.history.commands_in_force().iter().map(Arc::as_ptr).collect();
        // The commands that an amendment, not an undo, put out of force.
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

    /// Returns the board after the first `count` records of the log; for 0, the board after the
    /// set-up.
    pub(crate) fn board_after(&self, count: usize) -> Result<Board, WalkError> {
        let mut board = self.board.clone();
        for logged in self.log.iter().skip(count).rev() {
            logged.reverse(&mut board).map_err(WalkError)?;
        }
        Ok(board)
    }

    /// Replays a range of the log in order, and calls `show` for each record, with the board after
    /// it.
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

    /// Returns the viewer whose view this viewer now has. Once the game is over or its seed is
    /// revealed, everyone sees as much as the umpire.
    pub fn effective_viewer(&self, viewer: &Viewer) -> Viewer {
        let sees_all =
            *viewer == Viewer::Umpire || self.last_before_reveal().is_some() || self.is_over();
        if sees_all { Viewer::Umpire } else { viewer.clone() }
    }

    /// Returns true if the game has ended.
    fn is_over(&self) -> bool {
        let mut events = self.entries().iter().flat_map(|entry| &entry.outcome.events);
        events.any(|event| matches!(event, Event::Ended { .. }))
    }

    /// Replays the game in order as a viewer sees it: the set-up, the visible part of each command
    /// in force as last amended, and the other records of the session. Undone commands and the
    /// records of corrections, previews and the reveal are left out, and so are the report's
    /// paragraphs and photos for viewers other than the umpire.
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
                // The umpire's text and photos may give secrets away.
                Record::Report(ReportItem::Paragraph(_) | ReportItem::Photo(_)) => {
                    if viewer == Viewer::Umpire {
                        show(board.referee(), logged, None);
                    }
                    continue;
                }
                // These records show commands that are no longer in force, or secrets.
                Record::Undo(_) | Record::Redo(_) | Record::Amend(_) => continue,
                Record::Look(_) | Record::Reveal(_) => continue,
            };
            // All views of one command share one budget.
            let (referee, table) = board.referee_and_table_of(entry.number);
            let referee = &referee.with_budget();
            if let Some(witnessed) = Witnessed::of(referee, table, entry, &viewer) {
                show(referee, logged, Some(&witnessed));
            }
        }
        Ok(())
    }

    /// Returns the part of an undo, redo or amendment that a viewer saw, with the boards before and
    /// after it. `index` is the index of its record in the log. Returns `None` if there is no such
    /// record, or if nothing that changed was visible.
    pub(crate) fn witnessed_correction(
        &self,
        index: usize,
        viewer: &Viewer,
    ) -> Result<Option<WitnessedCorrection>, WalkError> {
        let Some(logged) = self.log.get(index) else { return Ok(None) };
        let seen = WitnessedCorrection::of(&self.board_after(index + 1)?, logged, viewer)?;
        Ok((!seen.commands().is_empty()).then_some(seen))
    }

    /// Returns the lines that repeat the game, including the undone commands, if they are typed in
    /// a session with the same rules, scenario and seed. Answers and the faces of real dice are
    /// separate lines.
    pub fn script(&self) -> Vec<String> {
        self.log.iter().flat_map(LoggedRecord::script).collect()
    }
}

impl LoggedRecord {
    /// Splits an undo or redo into records of one step each, and calls `show` with each record and
    /// the board after it. `board` is the board after the last step.
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
    /// The number of the command; the set-up is number 0. It must not be shown to the viewer,
    /// because gaps between numbers would reveal hidden commands.
    pub number: u64,
    /// The number of the turn after the command.
    pub turn: i64,
    /// The visible part of the command, without its number and throw. The line is empty if the
    /// viewer did not see it.
    pub entry: Arc<Entry>,
    /// The table after the command, as the viewer sees it.
    pub sight: SeenTable,
}

/// The part of an undo, redo or amendment that a viewer saw.
#[derive(Debug)]
pub(crate) struct WitnessedCorrection {
    /// The visible commands that were undone or done, in the order in which this happened.
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
            // Each command is shown as the viewer saw it when it was done: on the table after it.
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

    /// Returns the visible commands that were undone or done, in the order in which this happened.
    pub(crate) fn acts(&self) -> impl Iterator<Item = (UndoDirection, &Arc<Entry>)> {
        self.acts.iter().map(|(direction, witnessed)| (*direction, &witnessed.entry))
    }

    /// Returns a pair of lists for each visible command, in order. If the command was undone, it is
    /// in the first list; if it was done, it is in the second. The other list is empty.
    pub(crate) fn exchanges(&self) -> impl Iterator<Item = (&[Arc<Entry>], &[Arc<Entry>])> {
        self.acts.iter().map(|(direction, witnessed)| {
            let entry = std::slice::from_ref(&witnessed.entry);
            match direction {
                UndoDirection::Backward => (entry, &[] as &[_]),
                UndoDirection::Forward => (&[] as &[_], entry),
            }
        })
    }

    /// Returns the commands that are new to the viewer. If there are none, returns the commands
    /// that were undone and not done again in the same form.
    pub(crate) fn commands(&self) -> Vec<&Witnessed> {
        let in_direction = |direction: UndoDirection| {
            let acts = self.acts.iter().filter(move |(of, _)| *of == direction);
            acts.map(|(_, witnessed)| witnessed)
        };
        let mut gone: Vec<&Witnessed> = in_direction(UndoDirection::Backward).collect();
        let mut new = Vec::new();
        for done in in_direction(UndoDirection::Forward) {
            match gone.iter().position(|undone| undone.looks_like(done)) {
                // The command was undone and done again.
                Some(index) => drop(gone.remove(index)),
                None => new.push(done),
            }
        }
        if new.is_empty() { gone } else { new }
    }
}

impl Witnessed {
    /// Returns true if the viewer cannot tell this command from another one: the visible line,
    /// reason and outcome are the same.
    fn looks_like(&self, other: &Witnessed) -> bool {
        self.entry.line == other.entry.line
            && self.entry.reason == other.entry.reason
            && *self.entry.outcome == *other.entry.outcome
    }

    /// Returns the part of a command that a viewer saw; `None` if nothing was visible, except for
    /// the set-up, which is always returned. `table` is the table after the command.
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

/// The reason why a game cannot be replayed: one of its records does not fit the board.
#[derive(Debug, thiserror::Error)]
#[error("the events cannot be shown in order: {0}")]
pub struct WalkError(RecordError);

impl Entry {
    /// Returns the lines that repeat the command when they are typed: its line, the answers and the
    /// faces of real dice.
    pub(super) fn script(&self) -> Vec<String> {
        let asked = self.outcome.answered_questions().map(|asked| Some(answer_as_typed(&asked)));
        let answers = input_lines(&self.outcome, asked.collect());
        std::iter::once(self.line.clone()).chain(answers).collect()
    }
}

impl Amendment {
    /// Returns the lines that repeat the amendment when they are typed: the amended line, and its
    /// input.
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
    /// Returns the lines that set the same real dice when they are typed.
    pub(super) fn script(&self) -> Vec<String> {
        if self.all {
            return vec!["dice physical".to_owned()];
        }
        let of = self.of.iter().map(|of| format!("dice physical {of}"));
        std::iter::once("dice auto".to_owned()).chain(of).collect()
    }
}

/// Returns the lines with the answers and with the faces of real dice, in the order in which the
/// command asked for them. In `answers`, an answer that needn't be typed is `None`.
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

/// Returns an answer as it would be typed; `?` leaves the answer to chance.
fn answer_as_typed(asked: &AnsweredQuestion) -> String {
    if asked.random { "?".to_owned() } else { quote_answer(&asked.answer) }
}

/// Returns the lines of input for an amendment: the answers to new questions, and the faces of real
/// dice. Returns none if there are no new questions and the line changed but the dice did not.
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
