//! `left`: what is left to do before the phase ends.

use crate::command::TypedLine;
use crate::render::json::array;
use crate::render::markup::{Line, Role, Text};
use serde_json::json;

use crate::console::play::{Play, Run, Word};
use crate::console::reply::{Replied, Reply};

pub(super) const LEFT: Word = Word {
    name: "left",
    usage: "left",
    help: "list what is left to do in this phase, and who has not acted",
    sample: &["`next` warns of what matters before it leaves the phase; `next` again goes on"],
    yields: true,
    looks: true,
    ..Word::of(Run::Now(left))
};

fn left(play: &mut Play, _: &TypedLine<'_>) -> Replied {
    let left = play.referee().left(play.session.table());
    let data = array(&left, |(words, _)| json!(words));
    let text = if left.is_empty() {
        Text::of(Role::Quiet, "nothing is left to do in this phase")
    } else {
        Text::from_iter([listed("left in this phase: ", &left)])
    };
    Ok(Reply::new(text, json!({ "left": data })))
}

/// Returns what is left to do in one paragraph.
pub(in crate::console) fn listed(head: &str, left: &[(String, bool)]) -> Line {
    let words: Vec<&str> = left.iter().map(|(words, _)| words.as_str()).collect();
    Line::of(Role::Notice, head).and(Role::Plain, words.join("; ")).hanging(2)
}
