//! `quit`: leaves the game, and asks first if it would be lost.

use adjutant_engine::command::TypedLine;
use adjutant_engine::render::markup::{Role, Text};

use crate::console::ask;
use crate::console::play::{Frontend, Play};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::words::{Run, Word};

pub(super) const QUIT: Word = Word {
    name: "quit",
    short: &["q", "exit"],
    usage: "quit",
    help: "leave; the session is kept",
    ..Word::of(quit as Run)
};

fn quit(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    // Behind a list it may have been meant for the pager, which a short list does not need.
    if typed.verb() == "q" && play.looked && ui.is_interactive() {
        return Ok(Reply::remark("`q` again leaves the game"));
    }
    let leave = Reply { leaves: true, ..Reply::default() };
    if !play.unkept || play.session.log().is_empty() || !ui.is_interactive() {
        return Ok(leave);
    }
    let words = "what is not kept is lost when you leave; `save NAME` keeps all of it";
    match ask::confirmed(Text::of(Role::Notice, words), "leave?", ui) {
        Ok(true) | Err(Failure::End(_)) => Ok(leave),
        Ok(false) => Err(Failure::of("not left")),
        Err(failure) => Err(failure),
    }
}
