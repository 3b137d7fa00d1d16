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
        answer::<CommandAnswer>("answers to commands", "each command of the game, and `log NUMBER`")
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
    let mut before = here;
    let mut turn_before = began;
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
        let now = play.referee().phase_index(table);
        let turn = play.referee().turn_number(table);
        let is_skipped = match goal {
            NextGoal::Phase(index) => passes(index, before, now, turn > turn_before),
            NextGoal::Phases(_) | NextGoal::Turn | NextGoal::Side => false,
        };
        (before, turn_before) = (now, turn);
        play.show(reply).await;
        // Going on would play whole turns until there is something to do in that phase.
        if is_skipped {
            break;
        }
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
    Ok(Reply::remark(format!("`{title}` was skipped: there is nothing to do in it")))
}

/// Returns true if a phase was skipped on the way from the phase before to the one that began now.
/// A round may go back to an earlier phase in the same turn, which skips nothing.
fn passes(index: usize, before: Option<usize>, now: Option<usize>, is_new_turn: bool) -> bool {
    let is_after = before.is_none_or(|before| index > before);
    let is_before = now.is_some_and(|now| index < now);
    if is_new_turn && before.is_some() { is_after || is_before } else { is_after && is_before }
}

#[cfg(test)]
mod tests {
    use super::passes;

    #[test]
    fn a_phase_between_two_others_is_skipped() {
        assert!(passes(2, Some(1), Some(3), false));
        assert!(!passes(4, Some(1), Some(3), false));
        assert!(!passes(0, Some(1), Some(3), false));
        // From the last phase of a turn to the second of the next.
        assert!(passes(0, Some(3), Some(1), true));
        assert!(passes(4, Some(3), Some(0), true));
        assert!(!passes(2, Some(3), Some(1), true));
        // The first turn begins with its third phase.
        assert!(passes(1, None, Some(2), true));
        assert!(!passes(3, None, Some(2), true));
        // Another side begins the round again.
        assert!(!passes(2, Some(3), Some(1), false));
    }
}
