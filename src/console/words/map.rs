//! `map`: the drawn plan.

use super::prelude::*;
use super::{offer_viewers, viewer};
use crate::command::number;
use crate::render::plan;

pub(super) const MAP: Word = Word {
    name: "map",
    usage: "map [LEVEL]… [as SIDE]",
    help: "show the plan",
    sample: &["`map 2` shows level 2 alone, `map 1 2` both; `map as red` what red may see"],
    complete: offer_viewers,
    most: MANY,
    looks: true,
    ..Word::of(map as Run)
};

fn map(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let (viewer, words) = viewer(play, typed.rest())?;
    let levels: Vec<i64> = words.iter().map(number).collect::<Result<_, LineError>>()?;
    let sight = play.sight(&viewer);
    let view = play.view(ui.width()).through(&sight);
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
