//! `watch`: lists the things that must not be forgotten.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::TypedLine;
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};

use super::left;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

/// The answer to `watch`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct WatchAnswer {
    /// The things that must not be forgotten, one phrase each.
    pub watch: Vec<String>,
}

pub(super) const WATCH: Word = Word {
    name: "watch",
    usage: "watch",
    help: "list the things that must not be forgotten, in any phase",
    sample: &[
        "anything that is due also appears when its phase begins; the ruleset declares it in `[[watch]]`",
    ],
    most: 0,
    yields: true,
    looks: true,
    shows_table: true,
    ..Word::of(
        Handler::immediate(watch)
            .with_answers(&[|| answer::<WatchAnswer>("answers to watch", "`watch`")]),
    )
};

fn watch(play: &mut Play, _: &TypedLine<'_>) -> Replied {
    let due = play.referee().watch_list(play.session.table())?;
    let watch: Vec<String> = due.iter().map(|item| left::by_owner(play, item)).collect();
    let mut text = Text::new();
    for words in &watch {
        text.push(Line::of(Role::Plain, format!("  {words}")).with_hanging_indent(4));
    }
    if watch.is_empty() {
        text.line(Role::Quiet, "there is nothing to remember now");
    }
    Ok(Reply::new(text, WatchAnswer { watch }))
}
