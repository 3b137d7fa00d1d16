//! `amend`: replaces an earlier command. It shows the changes and asks before it makes them. If the
//! command is the last one, or without an umpire at the keyboard, it makes them at once.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{ANY_NUMBER, LineError, TypedLine, parse_count};
use crate::referee::{AttemptResult, Outcome};
use crate::render;
use crate::render::json::answers::answer;
use crate::render::markup::Role;
use crate::session::{AmendmentPlan, ChangedCommand, CommandInput, LineMisfit, Session};

use super::overrule::OVERRULE;
use crate::console::corrections;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::resolve::{Attempt, resolve};

/// The answer to `amend` and `oops`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct AmendAnswer {
    /// The number of the command.
    pub number: u64,
    /// The new line of the command.
    pub line: String,
    /// The commands whose results change.
    pub differences: Vec<DifferenceAnswer>,
}

/// A command whose result changes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct DifferenceAnswer {
    /// The number of the command.
    pub number: u64,
    /// The line of the command before the amendment.
    pub was: String,
    /// The line of the command after the amendment; `null` if the command is no longer possible.
    pub line: Option<String>,
    /// The reason why the command is no longer possible; `null` if it still is.
    pub no_longer_holds: Option<String>,
}

pub(super) const AMEND: Word = Word {
    name: "amend",
    usage: "amend NUMBER|last LINE",
    help: "replace an earlier command; the dice stay the same",
    line: |given| given.get(1..),
    most: ANY_NUMBER,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(amend(play, typed)))
            .with_answers(&[|| answer::<AmendAnswer>("answers to amend", "`amend` and `oops`")]),
    )
};

async fn amend(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let usage = "write `amend NUMBER LINE` or `amend last LINE`";
    let (first, line) = typed.need_word("which command?", usage)?;
    if line.is_empty() {
        let number = &first.text;
        let help = format!(
            "{usage}; `amend {number} note left out` leaves the command out and keeps those after it"
        );
        return Err(LineError::new(None, "replace it with what?").help(help).into());
    }
    let number = if first.text.eq_ignore_ascii_case(corrections::LAST) {
        let last = corrections::last_replaceable(play)
            .ok_or_else(|| LineError::new(Some(first), "there is no command to replace yet"))?;
        last.number
    } else {
        parse_count(first)? as u64
    };
    let line = typed.inner_line_to_end(line);
    require_game_command(play, &line)?;
    replace_line(play, number, &line).await
}

/// Rejects a line that can't be read, or that begins with a console word other than `overrule` and
/// the words for actions.
pub(super) fn require_game_command(play: &Play, line: &str) -> Result<(), Failure> {
    match play.non_action_word(line) {
        Ok(Some(word)) if word != OVERRULE.name => {
            let message = format!("`{line}` is not a command that changes the game");
            Err(LineError::new(None, message).help("type it separately").into())
        }
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Line(error, Some(line.to_owned()))),
    }
}

/// Replaces a command. If that changes something and the command is not the last one, the umpire is
/// asked first.
pub(super) async fn replace_line(play: &mut Play, number: u64, line: &str) -> Replied {
    let plan = plan_amendment(play, number, line).await?;
    let planned =
        render::amend::planned_differences(&play.view(play.width), play.session.board(), &plan);
    let data = AmendAnswer {
        number,
        line: line.to_owned(),
        differences: plan.differences.iter().map(difference_data).collect(),
    };
    if plan.changes_nothing() {
        return Ok(Reply::new(planned, data));
    }
    // The last command can be amended without asking: nothing follows it.
    let last = play.session.entries().last().is_some_and(|entry| entry.number == number);
    let agreed = if last {
        Ok(planned)
    } else {
        play.ask_agreement(planned, "make this change?", "nothing was amended").await
    };
    // An umpire who refuses the change has still seen the dice.
    let seen = plan.differences.iter().any(|d| d.now.as_ref().is_ok_and(|e| e.throws()));
    if seen && agreed.is_err() {
        play.record(|session, at| session.record_look(Some(number), line, at)).await?;
    }
    let mut text = agreed?;
    let amendment = play.record(|session, at| session.amend(&plan, at)).await?;
    text.line(Role::Plain, format!("command {number} is amended"));
    let changes = render::hands::replacement_changes(&amendment.before, &amendment.now);
    let view = play.view(play.width);
    if let Some(logged) = play.session.log().last() {
        let board = play.session.board();
        text.extend(render::hands::after_correction(&view, board, logged, &changes));
    }
    Ok(Reply::new(text, data))
}

/// An amendment to be resolved: the number of a command, and the line that replaces it.
struct Amending<'a> {
    number: u64,
    line: &'a str,
}

impl Attempt for Amending<'_> {
    type Done = AmendmentPlan;

    fn attempt(
        &self,
        session: &Session,
        input: &CommandInput,
    ) -> Result<AttemptResult<AmendmentPlan>, Failure> {
        let (done, outcome) = match session.plan_amend(self.number, self.line, input) {
            Ok(plan) => {
                let entry = plan.entry().cloned();
                (Ok(plan), entry.map_or(Outcome::default(), |e| Outcome::clone(&e.outcome)))
            }
            Err(LineMisfit::Halt(halt)) => (Err(halt), Outcome::default()),
            Err(error) => return Err(Failure::of(error)),
        };
        Ok(AttemptResult { done, outcome, table: None })
    }

    fn refused(&self, play: &Play, reason: String, _: &CommandInput) -> Failure {
        let old = play.session.entries().iter().find(|e| e.number == self.number);
        let stands = old.map(|old| format!("it would replace `{}`", old.line));
        Failure::Refused(reason, stands.into_iter().collect())
    }
}

/// Computes the changes that an amendment would make, and asks for missing answers and faces.
async fn plan_amendment(
    play: &mut Play,
    number: u64,
    line: &str,
) -> Result<AmendmentPlan, Failure> {
    let mut input = CommandInput::default();
    let session = &play.session;
    let old = session.entries().iter().find(|e| e.number == number);
    if let Some(old) = old.filter(|e| e.outcome.physical) {
        // The same words again mean that the faces were typed wrongly. With other words, the dice
        // stay as rolled if the new line needs exactly these dice.
        let planned = session.plan_amend(number, line, &input).ok();
        let stay = planned.filter(|_| line != old.line).is_some_and(|plan| {
            plan.entry().is_some_and(|new| new.outcome.dice == old.outcome.dice)
        });
        input.faces = (!stay).then(Vec::new);
    }
    Ok(resolve(play, &Amending { number, line }, input, &mut false).await?.0)
}

fn difference_data(difference: &ChangedCommand) -> DifferenceAnswer {
    let (line, lapsed) = match &difference.now {
        Ok(entry) => (Some(entry.line.clone()), None),
        Err(reason) => (None, Some(reason.to_string())),
    };
    DifferenceAnswer {
        number: difference.number,
        was: difference.before.line.clone(),
        line,
        no_longer_holds: lapsed,
    }
}
