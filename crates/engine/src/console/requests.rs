//! Players' requests: the messages that their pages send to the umpire, and the lines that carry
//! them out.
//!
//! A request on its own changes nothing. The console turns it into a line that the umpire can edit
//! and then accept with Enter, like any other line. The program around the console stores the
//! waiting requests; the journal shows which were carried out.

use super::play::Play;
use super::wish::{PlayerWish, WaitingRequest, WrittenOrders};
use crate::command;
use crate::language::schema::Type;
use crate::referee::{Action, Player, Referee};
use crate::tabletop::{Argument, Tabletop};

/// The console word for requests.
pub(super) const WORD: &str = "requests";
/// The word that offers the first request, on its own or after `requests`.
pub(super) const TAKE: &str = "take";
/// The line that offers the first request. In a game with a verb `take`, `take` on its own means
/// that verb.
pub const TAKE_LINE: &str = "requests take";

/// Returns the first waiting request that reports dice rolled by this player or side, and the faces
/// as they would be typed. An empty name means anybody's dice. Returns `None` if there is no such
/// request.
pub(super) async fn waiting_faces(play: &Play, whose: &str) -> Option<(WaitingRequest, String)> {
    let players = play.referee().players(play.session.table());
    let may_roll = |player: &str| {
        let known = players.iter().find(|known| known.name == player);
        known.is_some_and(|known| {
            whose.is_empty() || known.name == whose || known.side.as_deref() == Some(whose)
        })
    };
    play.host.waiting_requests().await.into_iter().find_map(|waiting| {
        let PlayerWish::Faces(faces) = &waiting.wish else { return None };
        let faces: Vec<String> = faces.iter().map(u32::to_string).collect();
        may_roll(&waiting.request.player).then(|| (waiting.clone(), faces.join(" ")))
    })
}

/// Returns the line that records the orders of a player. In a game with written orders, these are
/// orders of the player's side; otherwise the line gives the orders with the rule that `[players]`
/// names. Returns `None` if the texts would be read as anything but these orders from this player.
pub(super) fn orders_line(
    referee: &Referee,
    table: &Tabletop,
    player: &str,
    orders: &WrittenOrders,
) -> Option<String> {
    let players = referee.players(table);
    let player = players.iter().find(|known| known.name == player)?;
    if orders.to.is_empty() {
        return None;
    }
    let schema = &referee.ruleset().schema;
    match (&player.side, schema.orders_kind()) {
        (Some(side), Some(_)) => {
            let text = orders.text();
            let line = format!("orders {}: {text}", player.name);
            let side = referee.side_value(table, side);
            // A player with the name of a side writes as the side.
            let written = [format!("{}: {text}", player.name), text];
            let fits = |action: &Action| match action {
                Action::Order { side: of, text: Some(words) } => {
                    *of == side && written.contains(words)
                }
                _ => false,
            };
            is_read_as(referee, table, &line, fits).then_some(line)
        }
        _ => {
            let line = schema.orders_line.as_deref()?;
            let line = line
                .replace("{player}", &player.name.to_lowercase())
                .replace("{text}", &format!("\"{}\"", orders.deed()))
                .replace("{who}", &orders.who);
            let fits = |action: &Action| gives_own_orders(referee, table, action, player, orders);
            is_read_as(referee, table, &line, fits).then_some(line)
        }
    }
}

/// Returns true if a line is read, as typed and without a `!`, as an action that satisfies a
/// condition.
fn is_read_as(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    fits: impl Fn(&Action) -> bool,
) -> bool {
    match command::parse(referee, table, line) {
        Ok(Some(command)) => !command.insist && command.restated.is_none() && fits(&command.action),
        Ok(None) | Err(_) => false,
    }
}

/// Returns true if an action calls a rule with exactly this text, and with no other arguments
/// except this player's pieces.
fn gives_own_orders(
    referee: &Referee,
    table: &Tabletop,
    action: &Action,
    player: &Player,
    orders: &WrittenOrders,
) -> bool {
    let Action::Rule { rule, arguments, .. } = action else { return false };
    let params = &referee.ruleset().schema.rules[rule.index()].params;
    let mut has_text = false;
    for (param, argument) in params.iter().zip(arguments) {
        let Some(argument) = argument else { continue };
        match param.ty.member_or_self() {
            Type::Text => {
                has_text = matches!(argument, Argument::Text(text) if *text == orders.deed());
                if !has_text {
                    return false;
                }
            }
            Type::Piece(kind) => {
                let is_own = |row: u32| {
                    let owner = referee.player_of_piece(table, kind, row);
                    owner.as_ref() == Some(&player.name)
                };
                if !argument.piece_rows().into_iter().all(is_own) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    has_text
}

#[cfg(test)]
mod tests;
