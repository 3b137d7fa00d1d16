//! `more`: shows the last answer in full.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::command::TypedLine;
use crate::render::json::answers::answer;
use crate::render::json::objects;
use crate::render::markup::Text;

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

/// The answer to `more`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct MoreAnswer {
    /// The answers to the last line, repeated in the same form.
    #[schemars(schema_with = "objects")]
    pub again: Vec<Value>,
}

pub(super) const MORE: Word = Word {
    name: "more",
    usage: "more",
    help: "show the last answer in full",
    sample: &["an answer that is too long for the screen is first shown in a shorter form"],
    yields: true,
    looks: true,
    ..Word::of(
        Handler::immediate(more)
            .with_answers(&[|| answer::<MoreAnswer>("answers to more", "`more`")]),
    )
};

fn more(play: &mut Play, _: &TypedLine<'_>) -> Replied {
    if play.answers.is_empty() {
        return Err(Failure::of("nothing has been answered yet"));
    }
    let mut text = Text::new();
    for reply in &play.answers {
        text.extend(reply.text.unabridged());
    }
    let answers = play.answers.clone();
    Ok(Reply::with_large_data(text, move || MoreAnswer {
        again: answers.iter().map(|reply| reply.data().clone()).collect(),
    }))
}
