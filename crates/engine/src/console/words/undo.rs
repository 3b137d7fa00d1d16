//! `undo`: undoes the latest commands and amendments.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{LineError, TypedLine, parse_count};
use crate::render::json::PieceChangesAnswer;
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};
use crate::render::{hands, json, transcript};
use crate::session::HistoryStep;

use crate::console::play::{Handler, LineOfSeveral, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

/// The answer to `undo`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct UndoAnswer {
    /// The steps that were undone, the latest first.
    pub undone: Vec<StepAnswer>,
    /// The changes that the players have to make on the table.
    pub on_the_table: Vec<PieceChangesAnswer>,
}

/// A step of `undo` or `redo`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum StepAnswer {
    /// An amendment.
    Amendment {
        /// The number of the command.
        number: u64,
        /// The line of the command; for an amendment, the new line.
        line: Option<String>,
        /// The line before the amendment.
        amended: Option<String>,
    },
    /// A command.
    Command {
        /// The number of the command.
        number: u64,
        /// The line of the command; for an amendment, the new line.
        line: String,
    },
    /// A `reload`; the new rules stay in force.
    Rules {
        /// The number of the first command under these rules.
        rules_from: u64,
    },
}

pub(super) const UNDO: Word = Word {
    name: "undo",
    short: &["u"],
    usage: "undo [N|to NUMBER]",
    help: "undo the last command",
    sample: &[
        "`undo` undoes one command, `undo 3` three, `undo to 12` everything after command 12, and `undo to 0` everything back to the set-up; `log` shows the numbers",
    ],
    complete: |_, given, to| to.offer_first(given, ["to"]),
    most: 2,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(undo(play, typed)))
            .with_answers(&[|| answer::<UndoAnswer>("answers to undo", "`undo`")]),
    )
};

/// The maximum number of commands that are undone without asking. A larger number may be meant as the
/// number of a command.
const MAX_UNASKED: usize = 5;

/// The point at which `undo` stops.
enum UndoGoal {
    Steps(usize),
    /// The point at which this command is the last one.
    Command(u64),
}

fn parse_goal(typed: &TypedLine<'_>) -> Result<UndoGoal, LineError> {
    match typed.words_after_first() {
        [] => Ok(UndoGoal::Steps(1)),
        [to] if to.text == "to" => {
            let error = LineError::new(None, "back to which command?");
            Err(error.help("write `undo to 12`; `log` shows the numbers"))
        }
        [n] => Ok(UndoGoal::Steps(parse_count(n)?)),
        [to, n] if to.text == "to" && n.text == "0" => Ok(UndoGoal::Command(0)),
        [to, n] if to.text == "to" => Ok(UndoGoal::Command(parse_count(n)? as u64)),
        [_, excess, ..] => {
            let message = format!("unexpected `{}`", excess.text);
            Err(LineError::new(Some(excess), message).help("write `undo 2` or `undo to 12`"))
        }
    }
}

async fn undo(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let goal = parse_goal(typed)?;
    if let UndoGoal::Steps(count) = goal
        && play.is_interactive
        && count > MAX_UNASKED
        && play.session.entries().iter().any(|entry| entry.number == count as u64)
    {
        let text = format!(
            "`undo {count}` undoes the last {count} commands; `undo to {count}` undoes everything after command {count}, \
             `amend {count} note left out` leaves out that command alone"
        );
        let asked = format!("undo {count} commands?");
        play.ask_agreement(Text::of(Role::Notice, text), &asked, "nothing was undone").await?;
    }
    let width = play.width;
    let steps = play.record(|session, at| match goal {
        UndoGoal::Steps(n) => session.undo(n, at),
        UndoGoal::Command(number) => session.undo_to(number, at),
    });
    let steps = steps.await?;
    if steps.is_empty() {
        return Err(Failure::of("nothing to undo"));
    }
    let view = play.view(width);
    let board = play.session.board();
    let done = play.session.log().last();
    let mut text =
        done.map_or_else(Text::new, |done| transcript::logged_outcome(&view, board, done));
    let earlier = |step: &HistoryStep| match step {
        HistoryStep::Command(entry) => !board.is_current(entry.number),
        HistoryStep::Amendment(amendment) => !board.is_current(amendment.number),
        HistoryStep::Rules(_) => false,
    };
    if steps.iter().any(earlier) {
        text.line(Role::Quiet, "the rules that were read last stay in force");
    }
    if let Some(several) = &play.several
        && let [HistoryStep::Command(entry)] = steps.as_slice()
        && entry.number == several.last
    {
        let LineOfSeveral { line, before, count, .. } = several;
        let rest = format!("`{line}` was {count} commands; `undo to {before}` undoes all of them");
        text.line(Role::Notice, rest);
    }
    let changes = hands::undo_changes(&steps);
    let items = match done {
        Some(logged) => hands::items_after_correction(&view, board, logged, &changes),
        None => Vec::new(),
    };
    Ok(Reply::new(
        text,
        UndoAnswer {
            undone: steps.iter().map(StepAnswer::of).collect(),
            on_the_table: json::item_answers(items),
        },
    ))
}

impl StepAnswer {
    /// Returns the answer for a step.
    pub(super) fn of(step: &HistoryStep) -> StepAnswer {
        match step {
            HistoryStep::Command(entry) => {
                StepAnswer::Command { number: entry.number, line: entry.line.clone() }
            }
            HistoryStep::Amendment(amendment) => StepAnswer::Amendment {
                number: amendment.number,
                line: amendment.now.first().map(|entry| entry.line.clone()),
                amended: amendment.before.first().map(|entry| entry.line.clone()),
            },
            HistoryStep::Rules(rules) => StepAnswer::Rules { rules_from: rules.from },
        }
    }
}
