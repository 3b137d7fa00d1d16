//! `setup`: lists the pieces to lay out before the game.

use crate::command::TypedLine;
use crate::referee::Viewer;
use crate::render::json::answers::answer;
use crate::render::setup as render;
use crate::render::setup::SetupAnswer;
use crate::render::view::View;

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

pub(super) const SETUP: Word = Word {
    name: "setup",
    short: &["layout"],
    usage: "setup",
    help: "list the pieces to lay out before the game, by side",
    sample: &["`layout` does the same, for games that have their own verb `setup`"],
    yields: true,
    ..Word::of(Handler::immediate(setup).with_answers(&[|| {
        answer::<SetupAnswer>("answers to setup", "`setup`, and `adjutant rules GAME --setup`")
    }]))
};

fn setup(play: &mut Play, _: &TypedLine<'_>) -> Replied {
    let board = play.session.board_after(0).map_err(Failure::of)?;
    let referee = &board.referee().with_budget();
    let table = board.table();
    // Hidden pieces stay on their owner's map.
    let sight = referee.has_secrets().then(|| referee.seen_table(table, &Viewer::Players));
    let view = View { referee, table, ..play.view(play.width) }.seen_by(&sight);
    let text = render::setup_text(&view);
    let answer = render::setup_answer(&view);
    referee.check_budget()?;
    if text.is_empty() {
        return Ok(Reply::remark("this scenario has nothing to lay out"));
    }
    Ok(Reply::new(text, answer))
}
