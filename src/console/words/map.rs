//! `map`: the drawn plan.

use super::prelude::*;
use crate::command::number;
use crate::render::plan;

pub(super) const MAP: Word = Word {
    name: "map",
    usage: "map [LEVEL]…",
    help: "show the plan",
    sample: &["`map 2` shows level 2 alone, `map 1 2` both"],
    most: MANY,
    looks: true,
    ..Word::of(map as Run)
};

fn map(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let levels: Vec<i64> = typed.rest().iter().map(number).collect::<Result<_, LineError>>()?;
    let view = play.view(ui.width());
    if play.referee().ruleset().schema.plan_kind().is_none() {
        return Err(LineError::new(None, "this game has no drawn plan")
            .help("`show` tells what is kept")
            .into());
    }
    if let Some(level) = levels.iter().find(|level| plan::map(&view, &[**level]).is_none()) {
        return Err(LineError::new(None, format!("the plan has no level {level}"))
            .help("`map` shows all levels")
            .into());
    }
    let text = plan::map(&view, &levels).unwrap_or_default();
    Ok(Reply::new(text, plan::data(&view, &levels)))
}
