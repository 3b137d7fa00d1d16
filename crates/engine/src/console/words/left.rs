//! `left`: what is left to do before the phase ends.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::TypedLine;
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

/// The answer of `left`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct LeftAnswer {
    /// The things left to do in this phase, a phrase each.
    pub left: Vec<String>,
}

pub(super) const LEFT: Word = Word {
    name: "left",
    usage: "left",
    help: "list what is left to do in this phase, and who has not acted",
    sample: &["`next` warns of what matters before it leaves the phase; `next` again goes on"],
    yields: true,
    looks: true,
    ..Word::of(
        Handler::immediate(left)
            .with_answers(&[|| answer::<LeftAnswer>("answers of left", "`left`")]),
    )
};

fn left(play: &mut Play, _: &TypedLine<'_>) -> Replied {
    let left = play.referee().unfinished_business(play.session.table());
    let data = left.iter().map(|(words, _)| words.clone()).collect();
    let text = if left.is_empty() {
        Text::of(Role::Quiet, "nothing is left to do in this phase")
    } else {
        Text::from_iter([left_paragraph("left in this phase: ", &left)])
    };
    Ok(Reply::new(text, LeftAnswer { left: data }))
}

/// Returns everything that is left to do, as one paragraph.
pub(in crate::console) fn left_paragraph(head: &str, left: &[(String, bool)]) -> Line {
    let words: Vec<&str> = left.iter().map(|(words, _)| words.as_str()).collect();
    Line::of(Role::Notice, head).and(Role::Plain, words.join("; ")).with_hanging_indent(2)
}
