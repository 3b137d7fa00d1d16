//! `next`: on through phases, each an outcome of its own.

use crate::command::actions::{self, Onward};
use crate::command::{Command, TypedLine};
use crate::referee::Action;
use crate::render::json::CommandAnswer;
use crate::render::json::answers::answer;

use crate::console::play::{Handler, Play};
use crate::console::reply::{Replied, Reply};

/// Carries out the word.
pub(super) const HANDLER: Handler = Handler::stepwise(|play, typed| Box::pin(next(play, typed)))
    .answering(&[|| {
        answer::<CommandAnswer>("answers of commands", "each command of the game, and `log NUMBER`")
    }]);

async fn next(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let goal = actions::onward(play.referee().ruleset(), typed)?;
    let began = play.referee().turn(play.session.table());
    let most = match goal {
        Onward::Phases(n) => n,
        Onward::Turn | Onward::Phase(_) => {
            (play.referee().steps_of_turn(play.session.table()) * 2).max(1)
        }
    };
    let command = Command { verb: "next".to_owned(), action: Action::Next, insist: typed.insist };
    let here = play.referee().phase(play.session.table());
    let there_already = match goal {
        Onward::Phase(place) if here == Some(place) => {
            Some("this is that phase already: the line typed again goes on to the next turn")
        }
        _ => None,
    };
    if let Some(warning) = play.warning(&command, there_already) {
        return Ok(warning);
    }
    for done in 1.. {
        let reply = play.carry_out(if typed.insist { "next !" } else { "next" }, &command).await?;
        let table = play.session.table();
        let arrived = match goal {
            Onward::Phases(_) => done == most,
            Onward::Turn => done == most || play.referee().turn(table) > began,
            Onward::Phase(place) => play.referee().phase(table) == Some(place),
        };
        if arrived {
            return Ok(reply);
        }
        play.show(reply).await;
        if play.stop.take() {
            return Ok(Reply::remark("stopped here"));
        }
        if done == most {
            break;
        }
    }
    let title = match goal {
        Onward::Phase(place) => play.referee().ruleset().phases[place].title.as_str(),
        Onward::Phases(_) | Onward::Turn => "",
    };
    Ok(Reply::remark(format!("`{title}` is passed over: there is nothing to do in it")))
}
