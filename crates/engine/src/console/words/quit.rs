//! `quit`: leaves the game. If the game is not saved, the umpire is asked first.

use super::head::closing_head;
use crate::command::TypedLine;
use crate::render::markup::{Role, Text};

use crate::console::confirm;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

pub(super) const QUIT: Word = Word {
    name: "quit",
    short: &["q", "exit"],
    usage: "quit",
    help: "leave the game; if it is not saved, you are asked first",
    ..Word::of(Handler::stepwise(|play, typed| Box::pin(quit(play, typed))))
};

async fn quit(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    // After a list, `q` may have been meant for the pager, which a short list doesn't use.
    if typed.verb() == "q" && play.looked && play.is_interactive {
        return Ok(Reply::remark("type `q` again to leave the game"));
    }
    let leave = closing_head(play).leaving();
    if !play.unsaved || play.session.log().is_empty() || !play.is_interactive {
        return Ok(leave);
    }
    let words = "unsaved commands are lost when you leave; `save NAME` saves everything";
    match confirm::ask_yes_no(Text::of(Role::Notice, words), "leave?", &play.host).await {
        Ok(true) | Err(Failure::End(_)) => Ok(leave),
        Ok(false) => Err(Failure::of("you are still in the game")),
        Err(failure) => Err(failure),
    }
}
