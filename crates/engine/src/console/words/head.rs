//! `head`: a short code that identifies everything that has happened so far.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::TypedLine;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};

/// The answer to `head` and to `quit`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct HeadAnswer {
    /// The head of everything that has happened so far.
    pub head: String,
}

pub(super) const HEAD: Word = Word {
    name: "head",
    usage: "head",
    help: "show the head: a short code that identifies everything that has happened so far",
    sample: &[
        "a player who writes the head down can check at the end that nothing before it was changed: `adjutant verify SESSION --head HEAD`; see docs/fair-dice.md",
    ],
    yields: true,
    looks: true,
    ..Word::of(
        Handler::immediate(head)
            .with_answers(&[|| answer::<HeadAnswer>("answers to head", "`head`")]),
    )
};

fn head(play: &mut Play, _: &TypedLine<'_>) -> Replied {
    let head = play.session.head().ok_or_else(|| Failure::of("nothing has happened yet"))?;
    let head = head.to_string();
    Ok(Reply::new(Text::of(Role::Plain, format!("head {head}")), HeadAnswer { head }))
}

/// Returns the head at the end of a sitting, for the players to write down. The reply is empty if
/// nothing has happened yet.
pub(super) fn closing_head(play: &Play) -> Reply {
    let Some(head) = play.session.head() else { return Reply::default() };
    let head = head.to_string();
    Reply::new(Text::of(Role::Plain, format!("closing head {head}")), HeadAnswer { head })
}
