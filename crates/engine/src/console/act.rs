//! A line of the game: read as an action, resolved, and accepted.

use serde_json::Value;

use super::play::Play;
use super::reply::{Failure, Replied, Reply};
use super::resolve::{Attempt, resolve};
use super::words::left;
use crate::command::{self, Command, TypedLine};
use crate::language::machine::Halt;
use crate::language::schema::{KindId, Type};
use crate::referee::{Action, AttemptResult, Inputs};
use crate::render;
use crate::render::markup::{Role, Text};
use crate::session::{CommandInput, Session};
use crate::tabletop::Argument;

/// The most commands among which the cause of a refusal is looked for.
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

    /// Names the earlier command that brought the refusal about, and `!` where it helps.
    fn refused(&self, play: &Play, reason: String, input: &CommandInput) -> Failure {
        let Command { verb, action, insist, .. } = self.command;
        let mut hints = Vec::new();
        // A piece that was typed in short is named.
        if let [(kind, row)] = play.acting_pieces(action).as_slice() {
            let name = play.session.table().piece_name(*kind, *row);
            if !self.line.split(' ').any(|word| word.eq_ignore_ascii_case(&name)) {
                hints.push(format!("it was read for {name}"));
            }
        }
        if let Some((number, line)) = play.cause_of_refusal(action) {
            let last = play.session.entries().last().is_some_and(|entry| entry.number == number);
            let word = if last { "oops".to_owned() } else { format!("amend {number}") };
            hints.push(format!("`{word} {line} …` if something was forgotten there"));
        }
        let insisting = play.session.attempt(verb, action, true, input).done;
        if !insist && !matches!(insisting, Err(Halt::Refused(_) | Halt::Fault(_))) {
            hints.push("a `!` at the end of the line insists".to_owned());
        }
        Failure::Refused(reason, hints)
    }
}

impl Play {
    /// Reads the line as an action and carries it out.
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

    /// Returns a warning before a command that ends something unfinished, or that something else speaks against. It
    /// is given once, and only to an umpire who can still react.
    pub(super) fn warning_before(
        &mut self,
        command: &Command,
        against: Option<&str>,
    ) -> Option<Reply> {
        let referee = self.referee();
        let here = self.session.log().len();
        let ends = match &command.action {
            Action::Next => true,
            Action::Rule { rule, .. } => referee.ruleset().schema.rules[rule.index()].warns,
            _ => false,
        };
        if !ends || command.insist || !self.is_interactive || self.warned == Some(here) {
            return None;
        }
        let mut left = referee.unfinished_business(self.session.table());
        left.retain(|(_, warns)| *warns);
        if left.is_empty() && against.is_none() {
            return None;
        }
        // What is refused anyway does not go on.
        let Command { verb, action, insist, .. } = command;
        let attempted = self.session.attempt(verb, action, *insist, &CommandInput::default());
        if matches!(attempted.done, Err(Halt::Refused(_))) {
            return None;
        }
        self.warned = Some(here);
        let mut text = Text::new();
        if !left.is_empty() {
            text.push(left::left_paragraph("before you go on: ", &left));
        }
        let again = format!("`{}` again goes on", command.verb);
        text.line(Role::Quiet, against.unwrap_or(&again));
        Some(Reply::new(text, Value::Null))
    }

    /// Resolves a command, asking for what is missing, and accepts the outcome.
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
        // It is stored before it is shown.
        let entry = self
            .record(|session, at| session.accept(line.trim(), command, outcome.clone(), at))
            .await?;
        let view = self.view(self.width);
        let before = |words: &str| {
            let mut earlier = self.session.entries().iter().rev().skip(1);
            earlier
                .any(|e| render::outcome::reminder_texts(&e.outcome).any(|before| before == words))
        };
        let mut text =
            render::outcome::outcome_after(&view, &entry.outcome, Some(entry.number), &before);
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

    /// Returns the pieces that act.
    fn acting_pieces(&self, action: &Action) -> Vec<(KindId, u32)> {
        let Action::Rule { rule, arguments, .. } = action else { return Vec::new() };
        let rule = &self.referee().ruleset().schema.rules[rule.index()];
        let Some(index) = rule.acting_piece() else { return Vec::new() };
        let Type::Piece(kind) = rule.params[index].ty.member_or_self() else { return Vec::new() };
        let rows = arguments.get(index).and_then(Option::as_ref).map(Argument::piece_rows);
        rows.into_iter().flatten().map(|row| (kind, row)).collect()
    }

    /// Returns the last line of this phase without which an action would not be refused.
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
                // What another did is no slip of the one who is refused.
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
