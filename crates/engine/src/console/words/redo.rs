//! `redo`: redoes undone steps.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{TypedLine, parse_count};
use crate::render::json::answers::answer;
use crate::render::markup::Text;
use crate::render::transcript;

use super::undo::StepAnswer;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

/// The answer to `redo`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RedoAnswer {
    /// The steps that were redone, in order.
    pub redone: Vec<StepAnswer>,
}

pub(super) const REDO: Word = Word {
    name: "redo",
    usage: "redo [N]",
    help: "redo the commands that were undone last",
    most: 1,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(redo(play, typed)))
            .with_answers(&[|| answer::<RedoAnswer>("answers to redo", "`redo`")]),
    )
};

async fn redo(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let n = typed.words_after_first().first().map(parse_count).transpose()?.unwrap_or(1);
    let steps = play.record(|session, at| session.redo(n, at)).await?;
    if steps.is_empty() {
        return Err(Failure::of("nothing to redo"));
    }
    let view = play.view(play.width);
    let done = play.session.log().last();
    let board = play.session.board();
    let text = done.map_or_else(Text::new, |done| transcript::logged_outcome(&view, board, done));
    Ok(Reply::new(text, RedoAnswer { redone: steps.iter().map(StepAnswer::of).collect() }))
}
