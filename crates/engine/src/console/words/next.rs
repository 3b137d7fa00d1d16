//! `next`: advances through phases, each with its own outcome.

use crate::command::actions::{self, NextGoal};
use crate::command::{Command, TypedLine};
use crate::referee::Action;
use crate::render::json::CommandAnswer;
use crate::render::json::answers::answer;

use crate::console::play::{Handler, Play};
use crate::console::reply::{Replied, Reply};

/// The handler of `next`.
pub(super) const HANDLER: Handler = Handler::stepwise(|play, typed| Box::pin(next(play, typed)))
    .with_answers(&[|| {
        answer::<CommandAnswer>("answers of commands", "each command of the game, and `log NUMBER`")
    }]);

async fn next(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let here = play.referee().phase_index(play.session.table());
    let goal = actions::parse_next(play.referee().ruleset(), here, typed)?;
    let began = play.referee().turn_number(play.session.table());
    let began_with = play.referee().side_to_move(play.session.table());
    let most = match goal {
        NextGoal::Phases(n) => n,
        NextGoal::Turn | NextGoal::Side | NextGoal::Phase(_) => {
            (play.referee().steps_of_turn(play.session.table()) * 2).max(1)
        }
    };
    let command = Command {
        verb: "next".to_owned(),
        action: Action::Next,
        insist: typed.insist,
        restated: None,
    };
    let there_already = match goal {
        NextGoal::Phase(index) if here == Some(index) => {
            Some("this phase has already begun; repeat the line to go on until it begins again")
        }
        _ => None,
    };
    if let Some(warning) = play.warning_before(&command, there_already) {
        return Ok(warning);
    }
    for done in 1.. {
        let reply = play.carry_out(if typed.insist { "next !" } else { "next" }, &command).await?;
        let table = play.session.table();
        let arrived = match goal {
            NextGoal::Phases(_) => done == most,
            NextGoal::Turn => done == most || play.referee().turn_number(table) > began,
            NextGoal::Side => {
                done == most
                    || play.referee().turn_number(table) > began
                    || play.referee().side_to_move(table) != began_with
            }
            NextGoal::Phase(index) => play.referee().phase_index(table) == Some(index),
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
        NextGoal::Phase(index) => play.referee().ruleset().phases[index].title.as_str(),
        NextGoal::Phases(_) | NextGoal::Turn | NextGoal::Side => "",
    };
    Ok(Reply::remark(format!("`{title}` is skipped: there is nothing to do in it")))
}
