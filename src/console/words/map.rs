//! `map`: the drawn plan.

use super::prelude::*;
use crate::command::number;
use crate::render::plan;

pub(super) const MAP: Word = Word {
    name: "map",
    usage: "map [LEVEL]",
    help: "show the plan",
    sample: &["`map 2` shows level 2 alone"],
    ..Word::of(map as Run)
};

fn map(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let level = typed.rest().first().map(number).transpose()?;
    let view = play.view(ui.width());
    match (plan::map(&view, level), level) {
        (Some(text), _) => Ok(Reply::new(text, plan::data(&view, level))),
        (None, Some(level)) if play.referee().ruleset().schema.plan_kind().is_some() => {
            Err(Failure::of(format!("the plan has no level {level}")))
        }
        (None, _) => Err(Failure::of("this game has no drawn plan; `show` tells what is kept")),
    }
}
