//! `redo`: does again what was taken back.

use adjutant_engine::command::{TypedLine, positive};
use adjutant_engine::render::json::array;
use adjutant_engine::render::markup::Text;
use adjutant_engine::render::transcript;
use serde_json::json;

use super::undo::step_data;
use crate::console::play::{Frontend, Play};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::words::{Run, Word};

pub(super) const REDO: Word = Word {
    name: "redo",
    usage: "redo [N]",
    help: "do again what was taken back",
    most: 1,
    ..Word::of(redo as Run)
};

fn redo(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let n = typed.rest().first().map(positive).transpose()?.unwrap_or(1);
    let steps = play.record(ui, |session, at| session.redo(n, at))?;
    if steps.is_empty() {
        return Err(Failure::of("there is nothing to do again"));
    }
    let (view, done) = (play.view(ui.width()), play.session.log().last());
    let board = play.session.board();
    let text = done.map_or_else(Text::new, |done| transcript::answer(&view, board, done));
    Ok(Reply::new(text, json!({ "redone": array(&steps, step_data) })))
}
