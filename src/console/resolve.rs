//! Something resolved step by step: what the rules ask, and the dice that the players throw, are asked for until it is
//! done. Nothing is changed before.

use std::collections::VecDeque;

use super::ask::{self, Thrown};
use super::play::{Frontend, Play};
use super::purpose::{Purpose, SUPPOSED, Throwing};
use super::reply::Failure;
use crate::command;
use crate::dice::SourceError;
use crate::language::machine::Halt;
use crate::names::counted;
use crate::referee::{Answer, Attempted, Outcome};
use crate::render::markup::{Role, Text};
use crate::render::outcome::View;
use crate::render::{message, outcome};
use crate::session::{Found, Session};
use crate::tabletop::Tabletop;

/// Something that can be resolved with what is known so far.
pub(super) trait Attempt {
    /// The result.
    type Done;

    /// Resolves it as far as it goes. The table is given if it may be shown before the end.
    fn attempt(&self, session: &Session, found: &Found) -> Result<Attempted<Self::Done>, Failure>;

    /// Returns a refusal with what mends it.
    fn refused(&self, play: &Play, reason: String, found: &Found) -> Failure;
}

/// Something that is being resolved, with all that is known.
struct Resolving<'a, A> {
    what: &'a A,
    found: Found,
    /// The state before each line that was typed, and the number of events shown then.
    before: Vec<(Found, usize)>,
    /// The events before a question that have been shown.
    shown: usize,
    /// The fault of the last line, to be shown with the next question.
    wrong: Text,
}

/// Resolves something, asking for answers and faces; returns its result and outcome. What was typed beyond what is wanted
/// is asked for again. `seen` is set once dice of the seed have been shown, which is before the end if it asks.
pub(super) fn resolve<A: Attempt>(
    play: &mut Play,
    what: &A,
    found: Found,
    ui: &mut dyn Frontend,
    seen: &mut bool,
) -> Result<(A::Done, Outcome), Failure> {
    let mut now = Resolving { what, found, before: Vec::new(), shown: 0, wrong: Text::new() };
    let mut throwing = Throwing::default();
    // Answers that were typed ahead.
    let mut ahead: VecDeque<String> = VecDeque::new();
    loop {
        let attempted = what.attempt(&play.session, &now.found)?;
        let excess = match &attempted.done {
            Ok(_) => match now.found.faces.len().saturating_sub(attempted.outcome.face_count()) {
                0 => ahead.front().map(|word| format!("`{word}` is too much")),
                n => Some(format!("{} too many", counted(n, "face"))),
            },
            Err(Halt::Dice(error @ SourceError::OutOfRange { .. })) => Some(error.to_string()),
            Err(_) => None,
        };
        if let Some(words) = excess {
            let known = now.before.pop().filter(|_| ui.is_interactive());
            (now.found, now.shown) =
                known.ok_or_else(|| Failure::of(format!("{words}: nothing was changed")))?;
            ahead.clear();
            now.wrong = Text::of(Role::Bad, format!("{words}; this line again:"));
            continue;
        }
        match attempted.done {
            Ok(done) => return Ok((done, attempted.outcome)),
            Err(Halt::Question(question)) => {
                let known = now.found.clone();
                if let Some(word) = ahead.pop_front() {
                    match command::answer(&question, &word) {
                        Ok(answer) => {
                            now.found.answers.push(answer);
                            continue;
                        }
                        Err(error) if !ui.is_interactive() => {
                            return Err(Failure::Line(error, Some(word)));
                        }
                        Err(error) => {
                            ahead.clear();
                            now.wrong = message::line_error(&error, &word);
                        }
                    }
                }
                let text = now.so_far(&attempted.outcome, attempted.table, play, ui, seen);
                let of = now.card(&attempted.outcome, &play.session, ui);
                match ask::answer(text, &question, &of, play, ui)? {
                    Some((answer, rest)) => {
                        now.found.answers.push(answer);
                        ahead.extend(rest);
                        now.before.push((known, now.shown));
                    }
                    None => now.back()?,
                }
            }
            // A die with one face need not be thrown.
            Err(Halt::Dice(SourceError::Wanted { count, sides: 1 })) if ui.is_interactive() => {
                now.found.faces.extend(std::iter::repeat_n(1, count as usize));
            }
            Err(Halt::Dice(SourceError::Wanted { count, sides })) => {
                let text = now.so_far(&attempted.outcome, attempted.table, play, ui, seen);
                let supposing = |faces: &[u32]| {
                    let mut found = now.found.clone();
                    found.faces.extend_from_slice(faces);
                    let supposed = what.attempt(&play.session, &found).ok()?.outcome;
                    Some(supposed).filter(|outcome| !outcome.events.is_empty())
                };
                let rules = &play.referee().ruleset().schema.rules;
                let fallen = now.found.faces.len();
                let purpose = match ui.is_interactive() {
                    true => throwing.purpose(rules, &supposing, fallen, (count, sides)),
                    false => Purpose::default(),
                };
                // Only people throw a die of three as one of six.
                let halved =
                    sides == 3 && ui.is_interactive() && play.referee().ruleset().game.halved_d3;
                let dice = Thrown { count, sides, halved };
                match ask::throw(text, &purpose, dice, play, ui)? {
                    Some(faces) => {
                        now.before.push((now.found.clone(), now.shown));
                        now.found.faces.extend(faces);
                    }
                    None => now.back()?,
                }
            }
            Err(Halt::Refused(reason)) => return Err(what.refused(play, reason, &now.found)),
            Err(halt) => return Err(halt.into()),
        }
    }
}

impl<A: Attempt> Resolving<'_, A> {
    /// Returns what happened before it asks, as far as it has not been shown, and what was wrong with the last line.
    fn so_far(
        &mut self,
        here: &Outcome,
        table: Option<Tabletop>,
        play: &Play,
        ui: &dyn Frontend,
        seen: &mut bool,
    ) -> Text {
        let mut text = Text::new();
        if let Some(table) = table.filter(|_| ui.is_interactive()) {
            let view = View { table: &table, ..play.view(ui.width()) };
            text = outcome::so_far(&view, here, self.shown);
            self.shown = here.events.len();
            *seen |= here.throws();
        }
        text.extend(std::mem::take(&mut self.wrong));
        text
    }

    /// Returns for whom the next real card is, and how many more are to come.
    fn card(&self, here: &Outcome, session: &Session, ui: &dyn Frontend) -> String {
        if !here.physical || !ui.is_interactive() {
            return String::new();
        }
        let mut ahead = self.found.clone();
        ahead.answers.extend(std::iter::repeat_n(Answer::Random, SUPPOSED));
        ahead.faces.extend_from_slice(&[1; SUPPOSED]);
        let ahead = self.what.attempt(session, &ahead);
        ahead.map_or(String::new(), |ahead| Throwing::card(&ahead.outcome, here.events.len()))
    }

    /// Goes back to what was known before the last line that was typed, of which no more is shown. Before the first line
    /// all of it is taken back.
    fn back(&mut self) -> Result<(), Failure> {
        (self.found, self.shown) = self.before.pop().ok_or(Failure::Cancelled)?;
        Ok(())
    }
}
