//! `setup`: the list of what to lay out before the game.

use adjutant_engine::command::TypedLine;
use adjutant_engine::referee::Viewer;
use adjutant_engine::render::outcome::View;
use adjutant_engine::render::setup as render;

use crate::console::play::{Frontend, Play};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::words::{Run, Word};

pub(super) const SETUP: Word = Word {
    name: "setup",
    short: &["layout"],
    usage: "setup",
    help: "list what to lay out before the game, side by side",
    sample: &["`layout` is the same, where a game has a verb `setup`"],
    yields: true,
    ..Word::of(setup as Run)
};

fn setup(play: &mut Play, _: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let board = play.session.board_after(0).map_err(Failure::of)?;
    let (referee, table) = (board.referee(), board.table());
    // What is hidden stays on its owner's map.
    let sight = referee.has_secrets().then(|| referee.sight(table, &Viewer::Players));
    let view = View { referee, table, ..play.view(ui.width()) }.through(&sight);
    let text = render::text(&view);
    if text.is_empty() {
        return Ok(Reply::remark("this scenario lays nothing out"));
    }
    Ok(Reply::new(text, render::data(&view)))
}
