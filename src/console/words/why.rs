//! `why`: what caused a piece to be as it is.

use adjutant_engine::command::{MANY, TypedLine, actions};
use adjutant_engine::render;
use adjutant_engine::render::json::array;
use adjutant_engine::session::Why;
use serde_json::{Value, json};

use crate::console::play::{Frontend, Play};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::words::{Run, Word};

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
    ..Word::of(why as Run)
};

fn why(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let why = play.session.why(&typed.need_text(WHY.usage)?).map_err(Failure::of)?;
    Ok(Reply::new(render::why::why(&play.view(ui.width()), &why), data(play, &why)))
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
