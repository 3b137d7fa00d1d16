//! `why`: what caused a piece to be as it is.

use crate::command::{MANY, TypedLine, actions};
use crate::render;
use crate::render::json::array;
use crate::session::Why;
use serde_json::{Value, json};

use crate::console::play::{Play, Run, Word};
use crate::console::reply::{Failure, Replied, Reply};

pub(super) const WHY: Word = Word {
    name: "why",
    usage: "why PIECE[.ATTRIBUTE]",
    help: "tell why something is as it is",
    complete: |reading, given, to| {
        if given.is_empty() {
            actions::complete_set(reading, given, to);
        }
    },
    most: MANY,
    looks: true,
    ..Word::of(Run::Now(why))
};

fn why(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let why = play.session.why(&typed.need_text(WHY.usage)?).map_err(Failure::of)?;
    Ok(Reply::new(render::why::why(&play.view(play.width), &why), data(play, &why)))
}

fn data(play: &Play, why: &Why) -> Value {
    let phases = &play.referee().ruleset().phases;
    let title = |name: &String| phases.iter().find(|p| p.name == *name).map(|p| &p.title);
    let threads = array(&why.threads, |thread| {
        let causes = array(&thread.causes, |cause| {
            json!({
                "piece": cause.piece, "attribute": cause.attribute, "from": cause.old,
                "to": cause.new, "number": cause.number, "line": cause.line,
                "reason": cause.reason, "turn": cause.turn, "phase": cause.phase.as_ref().and_then(title),
                "rule": cause.rule, "bound": cause.bound, "said": cause.said,
                "check": cause.check.as_ref().map(render::json::check_data),
                "because_of": cause.from,
            })
        });
        json!({ "attribute": thread.attribute, "value": thread.value, "causes": causes })
    });
    json!({ "piece": why.piece, "why": threads })
}
