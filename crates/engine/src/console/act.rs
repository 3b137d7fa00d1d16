//! Carries out a line of the game: reads it as an action, resolves the action, and accepts the
//! outcome.

use super::play::Play;
use super::reply::{Failure, Replied, Reply};
use super::resolve::{Attempt, resolve};
use super::suggest::{self, LineSearch};
use super::words::left;
use crate::command::{self, Command, TypedLine};
use crate::language::machine::Halt;
use crate::language::schema::{KindId, Type};
use crate::referee::{Action, AttemptResult, Inputs};
use crate::render;
use crate::render::markup::{Line, Role, Text};
use crate::session::{CommandInput, Session};
use crate::tabletop::Argument;

/// The maximum number of commands that are searched for the cause of a refusal.
const MOST_CAUSES: usize = 20;

/// A line of the game, with its command.
struct TypedCommand<'a> {
    line: &'a str,
    command: &'a Command,
}

impl Attempt for TypedCommand<'_> {
    type Done = ();

    fn attempt(&self, session: &Session, input: &CommandInput) -> Result<AttemptResult, Failure> {
        let Command { verb, action, insist, .. } = self.command;
        Ok(session.attempt(verb, action, *insist, input))
    }

    /// Returns the failure for a refusal. The hints give the acting piece's name if it was
    /// abbreviated, name the earlier command that caused the refusal, if there is one, and suggest
    /// `!` if that would help.
    fn refused(&self, play: &Play, reason: String, input: &CommandInput) -> Failure {
        let Command { verb, action, insist, .. } = self.command;
        let mut hints = Vec::new();
        // If only a short form of a piece's name was typed, show the full name.
        if let [(kind, row)] = play.acting_pieces(action).as_slice() {
            let name = play.session.table().piece_name(*kind, *row);
            if !self.line.split(' ').any(|word| word.eq_ignore_ascii_case(&name)) {
                hints.push(format!("it was taken to mean {name}"));
            }
        }
        let restated = self.command.restated.as_deref().unwrap_or(self.line);
        if let Some((shorter, refused)) = play.line_without_refused_pieces(action, restated) {
            hints.push(format!("without {refused}, `{shorter}` would be accepted"));
        }
        if let Some((number, line)) = play.cause_of_refusal(action) {
            let last = play.session.entries().last().is_some_and(|entry| entry.number == number);
            let word = if last { "oops".to_owned() } else { format!("amend {number}") };
            hints.push(format!("type `{word} {line} …` if something was forgotten there"));
        }
        let insisting = play.session.attempt(verb, action, true, input).done;
        if !insist && !matches!(insisting, Err(Halt::Refused(_) | Halt::Fault(_))) {
            hints.push("add `!` at the end of the line to insist".to_owned());
        }
        Failure::Refused(reason, hints)
    }
}

impl Play {
    /// Reads the line as an action, and carries it out unless a warning is given first.
    pub(super) async fn act(&mut self, typed: &TypedLine<'_>) -> Replied {
        let referee = self.session.referee();
        let table = self.session.table();
        let Some(command) = command::parse(referee, table, typed.line)? else {
            return Ok(Reply::default());
        };
        match self.warning_before(&command, None) {
            Some(warning) => Ok(warning),
            None => {
                let line = command.restated.as_deref().unwrap_or(typed.line);
                self.carry_out(line, &command).await
            }
        }
    }

    /// Returns the reason why the rules would refuse a command now, or the fault that would stop
    /// it; `None` if there is neither.
    pub(super) fn refusal(&self, command: &Command) -> Option<String> {
        let Command { verb, action, insist, .. } = command;
        let attempted = self.session.attempt(verb, action, *insist, &CommandInput::default());
        match attempted.done {
            Err(Halt::Refused(reason)) => Some(reason),
            Err(Halt::Fault(fault)) => Some(fault.to_string()),
            _ => None,
        }
    }

    /// Returns a warning before a command that ends a phase, if no one has acted in the phase
    /// although someone could have, or if `against` gives another reason not to go on. The warning
    /// is given only once, and only if there is an umpire who can still react. A command that
    /// insists or would be refused causes no warning.
    pub(super) fn warning_before(
        &mut self,
        command: &Command,
        against: Option<&str>,
    ) -> Option<Reply> {
        let here = self.session.log().len();
        let warned = self.warned == Some(here);
        if !self.ends_a_phase(&command.action) || command.insist || !self.is_interactive || warned {
            return None;
        }
        let idle = self.idle_phase();
        if idle.is_none() && against.is_none() {
            return None;
        }
        // A command that is refused anyway ends no phase.
        let Command { verb, action, insist, .. } = command;
        let attempted = self.session.attempt(verb, action, *insist, &CommandInput::default());
        if matches!(attempted.done, Err(Halt::Refused(_))) {
            return None;
        }
        self.warned = Some(here);
        let mut text = Text::new();
        text.extend(Text::from_iter(idle));
        let again = format!("repeat `{}` to continue", command.verb);
        text.line(Role::Quiet, against.unwrap_or(&again));
        Some(Reply::for_people(text))
    }

    /// Returns true if an action ends a phase, or the current part of one.
    fn ends_a_phase(&self, action: &Action) -> bool {
        match action {
            Action::Next => true,
            Action::Rule { rule, .. } => self.referee().ruleset().schema.rules[rule.index()].warns,
            _ => false,
        }
    }

    /// Returns a notice for a phase in which no one has acted, with the pieces that could act or an
    /// example of an action; `None` if someone has acted, if no one could, or if the umpire has
    /// already let a phase with the same verbs pass.
    fn idle_phase(&self) -> Option<Line> {
        let phase = self.referee().phase_index(self.session.table())?;
        if self.let_pass.contains(&self.alike(phase)) || self.has_anybody_acted() {
            return None;
        }
        let left = self.left_undone();
        if !left.is_empty() {
            return Some(left::left_paragraph("no one has acted: ", &left));
        }
        let example = self.possible_action(phase)?;
        let phases = &self.referee().ruleset().phases;
        let words = format!("no one has acted in phase {} ({}): ", phase + 1, phases[phase].title);
        let example = format!("you could type `{example}`, for example");
        Some(Line::of(Role::Notice, words).and(Role::Plain, example).with_hanging_indent(2))
    }

    /// Returns the things left to do in this phase that the umpire should be warned about. Returns an
    /// empty list if finding them takes too long.
    fn left_undone(&self) -> Vec<String> {
        // A warning that takes too long to find isn't worth waiting for.
        let left = self.referee().unfinished_business(self.session.table()).unwrap_or_default();
        let left = left.iter().filter(|business| business.warns);
        left.map(|business| left::by_owner(self, business)).collect()
    }

    /// Returns true if a verb of the game has been typed since this phase, or this part of it,
    /// began.
    fn has_anybody_acted(&self) -> bool {
        let board = self.session.board();
        let current = self.session.entries().iter().rev().filter(|e| board.is_current(e.number));
        for entry in current {
            let action = entry.action.to_action(self.referee(), self.session.table());
            match action {
                Ok(action) if self.ends_a_phase(&action) => return false,
                Ok(Action::Rule { rule, .. }) => {
                    if self.referee().ruleset().schema.rules[rule.index()].usage.is_some() {
                        return true;
                    }
                }
                // The piece may be gone, but it has acted.
                Err(_) => return true,
                Ok(_) => {}
            }
        }
        false
    }

    /// Returns a line for a piece that could act now, with a verb that belongs to this phase, if
    /// one is found in a few trials.
    fn possible_action(&self, phase: usize) -> Option<String> {
        let ruleset = self.referee().ruleset();
        let verbs = ruleset.phases[phase].verbs.iter();
        let acts = |verb: &&str| {
            let rules = ruleset.rules_for_verb(verb);
            rules.iter().any(|id| ruleset.schema.rules[id.index()].acting_piece().is_some())
        };
        let verbs = verbs.map(|(verb, _)| verb.as_str()).filter(acts);
        suggest::accepted_line(self.words, self.referee(), self.session.table(), verbs)
    }

    /// Returns the first phase with the same verbs as this one. An umpire who has let one of these
    /// phases pass, for any side, has seen the warning for all of them.
    fn alike(&self, phase: usize) -> usize {
        let phases = &self.referee().ruleset().phases;
        let verbs = |index: usize| phases[index].verbs.iter().map(|(verb, _)| verb);
        (0..phase).find(|&earlier| verbs(earlier).eq(verbs(phase))).unwrap_or(phase)
    }

    /// Returns a line that lists the things left undone in the phase that an action ends. If there
    /// are none, but the umpire has let such a phase pass before, the line reports that no one
    /// acted. Returns `None` if there is nothing to report, if there is no umpire, or if the umpire
    /// has just been warned. In the last case, records that the umpire let the phase pass.
    fn leave_phase(&mut self, action: &Action) -> Option<Line> {
        let phase = self.referee().phase_index(self.session.table());
        let phase = phase.filter(|_| self.is_interactive && self.ends_a_phase(action))?;
        if self.warned == Some(self.session.log().len()) {
            self.let_pass.insert(self.alike(phase));
            return None;
        }
        let left = self.left_undone();
        let line = if !left.is_empty() {
            left::left_paragraph("not done: ", &left)
        } else if self.let_pass.contains(&self.alike(phase)) && !self.has_anybody_acted() {
            let title = &self.referee().ruleset().phases[phase].title;
            let words = format!("no one acted in phase {} ({title})", phase + 1);
            Line::of(Role::Notice, words).with_hanging_indent(2)
        } else {
            return None;
        };
        Some(line.and(Role::Quiet, "; `undo` goes back to it"))
    }

    /// Resolves a command, asking for missing answers and faces, and accepts the outcome. If the
    /// command fails after dice from the seed have been shown, records that they were seen.
    pub(super) async fn carry_out(&mut self, line: &str, command: &Command) -> Replied {
        let mut seen = false;
        let attempt = TypedCommand { line, command };
        let outcome = match resolve(self, &attempt, CommandInput::default(), &mut seen).await {
            Ok(((), outcome)) => outcome,
            Err(failure) => {
                if seen {
                    self.record(|session, at| session.record_look(None, line.trim(), at)).await?;
                }
                return Err(failure);
            }
        };
        let left = self.leave_phase(&command.action);
        let requests = self.host.taken_requests();
        // The command is stored before its outcome is shown.
        let entry = self
            .record(|session, at| {
                let (line, requests) = (line.trim(), requests.clone());
                session.accept_requested(line, command, requests, outcome.clone(), at)
            })
            .await?;
        let view = self.view(self.width);
        let before = |words: &str| {
            let mut earlier = self.session.entries().iter().rev().skip(1);
            earlier
                .any(|e| render::outcome::reminder_texts(&e.outcome).any(|before| before == words))
        };
        let mut text = Text::from_iter(left);
        text.extend(render::outcome::outcome_after(
            &view,
            &entry.outcome,
            Some(entry.number),
            &before,
        ));
        let mut data = self.entry_data(&entry);
        if let Some(head) = self.session.log().last().and_then(|l| self.session.head_at(l)) {
            let head = head.to_string();
            text.append(Role::Quiet, &format!(" · head {head}"));
            data.head = Some(head);
        }
        if let Action::Roll { dice, .. } = &command.action {
            for expression in dice {
                text.extend(render::chances::notation_hint(expression));
            }
        }
        Ok(Reply::new(text, data))
    }

    /// Returns the pieces that act in an action, if it calls a rule with acting pieces.
    pub(super) fn acting_pieces(&self, action: &Action) -> Vec<(KindId, u32)> {
        let Action::Rule { rule, arguments, .. } = action else { return Vec::new() };
        let rule = &self.referee().ruleset().schema.rules[rule.index()];
        let Some(index) = rule.acting_piece() else { return Vec::new() };
        let Type::Piece(kind) = rule.params[index].ty.member_or_self() else { return Vec::new() };
        let rows = arguments.get(index).and_then(Option::as_ref).map(Argument::piece_rows);
        rows.into_iter().flatten().map(|row| (kind, row)).collect()
    }

    /// Returns a line without those of its acting pieces for which it would be refused, and the names
    /// of these pieces. Returns `None` if none or all would be refused, or if the line doesn't list
    /// the pieces by name.
    pub(super) fn line_without_refused_pieces(
        &self,
        action: &Action,
        line: &str,
    ) -> Option<(String, String)> {
        let table = self.session.table();
        let acting = self.acting_pieces(action).into_iter();
        let names: Vec<String> = acting.map(|(kind, row)| table.piece_name(kind, row)).collect();
        if names.len() < 2 {
            return None;
        }
        let with_only = |kept: &dyn Fn(&str) -> bool| {
            let is_kept = |name: &&str| !names.iter().any(|one| one == name) || kept(name);
            let words = line
                .split(' ')
                .map(|word| word.split(',').filter(is_kept).collect::<Vec<_>>().join(","));
            words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let search = LineSearch::new(self.words, self.referee(), table);
        let (accepted, refused): (Vec<&String>, Vec<&String>) =
            names.iter().partition(|name| search.accepts(&with_only(&|one| one == **name)));
        if accepted.is_empty() || refused.is_empty() {
            return None;
        }
        let shorter = with_only(&|one| accepted.iter().any(|name| *name == one));
        let refused: Vec<&str> = refused.into_iter().map(String::as_str).collect();
        (shorter != line && search.accepts(&shorter)).then(|| (shorter, refused.join(", ")))
    }

    /// Returns the number and line of the command that causes an action to be refused, if that
    /// command was given in this phase for the same piece and left out an optional part.
    fn cause_of_refusal(&self, action: &Action) -> Option<(u64, String)> {
        let referee = self.referee();
        let mut table = self.session.table().clone();
        let here = (referee.turn_number(&table), referee.phase_name(&table).to_owned());
        for entry in self.session.entries().iter().rev().take(MOST_CAUSES) {
            if !self.session.board().is_current(entry.number)
                || (entry.turn, entry.phase.as_deref().unwrap_or_default()) != (here.0, &here.1)
                || entry.outcome.revert(&mut table).is_err()
            {
                return None;
            }
            let resolved = referee.resolve(&table, action, &Inputs::without_dice());
            if !matches!(resolved, Err(Halt::Refused(_))) {
                let before = entry.action.to_action(referee, &table).ok()?;
                // Only an earlier command for the same piece can be the cause.
                let ours = self.acting_pieces(action);
                let theirs = self.acting_pieces(&before);
                if !ours.iter().any(|piece| theirs.contains(piece)) {
                    return None;
                }
                let Action::Rule { rule, arguments, .. } = before else { return None };
                let usage = referee.ruleset().schema.rules[rule.index()].usage.is_some();
                let more = usage && arguments.iter().any(Option::is_none);
                return more.then(|| (entry.number, entry.line.clone()));
            }
        }
        None
    }
}
