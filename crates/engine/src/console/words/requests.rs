//! `requests`: lists the requests that players have sent from their pages, carries them out, or
//! sends them back.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{ANY_NUMBER, LineError, TypedLine, typed_text};
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::requests::{self, TAKE};
use crate::console::step::{Prompt, ScreenRequest};
use crate::console::wish::{PlayerWish, WaitingRequest};

/// The answer to `requests`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RequestsAnswer {
    /// The waiting requests, oldest first.
    pub requests: Vec<RequestAnswer>,
}

/// A request of a player.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RequestAnswer {
    /// The id that the player's page gave the request.
    pub id: String,
    /// The name of the player.
    pub player: String,
    /// The line that would carry out the request, or the faces of the dice; empty if no line of
    /// this game would carry it out.
    pub line: String,
}

const USAGE: &str = "requests [take PLAYER|no REASON|on|off]";
/// The word in front of the reason for sending a request back.
const NO: &str = "no";

pub(super) const REQUESTS: Word = Word {
    name: requests::WORD,
    usage: USAGE,
    help: "list the requests that players have sent from their pages; take them, or send them back",
    sample: &[
        "`requests on` lets the players send orders and dice, and report that they are ready, from their phones; `requests off` stops this",
        "Ctrl-T on an empty line, or `take`, offers the first request, and Enter accepts it; `take PLAYER` offers the first request from this player",
        "`requests no too late` sends the first request back with this reason",
    ],
    complete: |reading, given, to| {
        if given.last().is_some_and(|word| word.text == TAKE) {
            reading.players().iter().for_each(|player| to.offer(&player.name));
        }
        to.offer_first(given, [TAKE, NO, "on", "off"]);
    },
    most: ANY_NUMBER,
    looks: true,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(requests(play, typed)))
            .with_answers(&[|| answer::<RequestsAnswer>("answers to requests", "`requests`")]),
    )
};

async fn requests(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let words = typed.words_after_first();
    match words {
        [] => list(play).await,
        [on] if on.text == "on" => allow(play, true).await,
        [off] if off.text == "off" => allow(play, false).await,
        [take] if take.text == TAKE => take_first(play, None).await,
        [take, player] if take.text == TAKE => take_first(play, Some(&player.text)).await,
        [no, reason @ ..] if no.text == NO && !reason.is_empty() => {
            let reason = typed_text(typed.line, reason);
            match play.host.waiting_requests().await.into_iter().next() {
                Some(first) => send_back(play, first, reason).await,
                None => Ok(Reply::remark(NONE_WAITING)),
            }
        }
        [.., last] => {
            let message = format!("`requests` has no option `{}`", last.text);
            Err(LineError::new(Some(last), message).or_usage(USAGE).into())
        }
    }
}

/// The reply if no requests are waiting.
const NONE_WAITING: &str = "no requests are waiting";

/// Lists the waiting requests.
async fn list(play: &Play) -> Replied {
    let waiting = play.host.waiting_requests().await;
    let mut text = Text::new();
    for one in &waiting {
        let player = &one.request.player;
        let line =
            Line::of(Role::Strong, player).and(Role::Plain, format!("  {}", words(play, one)));
        text.push(line.with_hanging_indent(4));
    }
    if waiting.is_empty() {
        text.line(Role::Quiet, NONE_WAITING);
    } else {
        text.line(
            Role::Quiet,
            "Ctrl-T or `take` offers the first; `requests no REASON` sends it back",
        );
    }
    let requests = waiting.into_iter().map(|one| RequestAnswer {
        line: line_of(play, &one).unwrap_or_default(),
        id: one.request.id,
        player: one.request.player,
    });
    Ok(Reply::new(text, RequestsAnswer { requests: requests.collect() }))
}

/// Allows or forbids requests from the players.
async fn allow(play: &mut Play, allowed: bool) -> Replied {
    if play.folder.is_none() {
        let refused = LineError::new(None, "requests need a saved game");
        return Err(refused.help("`save NAME` saves this one").into());
    }
    if allowed && play.referee().players(play.session.table()).is_empty() {
        let refused = LineError::new(None, "this ruleset doesn't name its players");
        return Err(refused.help("a ruleset names them in `[players]`").into());
    }
    let request = ScreenRequest::Requests(allowed);
    let report = play.host.screen(request).await.map_err(Failure::of)?.unwrap_or_default();
    let lines = report.lines.iter().map(|line| Line::of(Role::Plain, line).unbreakable());
    Ok(Reply::for_people(lines.collect()))
}

/// Offers the line for the first request, or for the first from a player. A request that reports
/// dice, or that no line of this game carries out, is only shown.
async fn take_first(play: &mut Play, wanted: Option<&str>) -> Replied {
    let waiting = play.host.waiting_requests().await;
    let is_meant = |one: &&WaitingRequest| {
        wanted.is_none_or(|name| one.request.player.eq_ignore_ascii_case(name))
    };
    let Some(first) = waiting.iter().find(is_meant).cloned() else {
        let none = NONE_WAITING.to_owned();
        return Ok(Reply::remark(
            wanted.map_or(none, |name| format!("no requests from `{name}` are waiting")),
        ));
    };
    let player = first.request.player.clone();
    let Some(line) = line_of(play, &first).filter(|_| matches!(first.wish, PlayerWish::Orders(_)))
    else {
        let words = format!("{player} has sent this: {}", words(play, &first));
        let mut text = Text::of(Role::Plain, words);
        let help = match first.wish {
            PlayerWish::Faces(_) => "dice can be taken only when the program asks for them",
            PlayerWish::Orders(_) => "no line of this game does exactly this: type your own",
        };
        text.line(Role::Quiet, format!("{help}; `requests no REASON` sends the request back"));
        return Ok(Reply::for_people(text));
    };
    let prompt = Prompt {
        asked: format!("what {player} has sent"),
        text: Text::of(
            Role::Quiet,
            format!("{player} asks for this (Enter accepts it; `no REASON` sends it back)"),
        ),
        prompt: format!("{player}> "),
        initial: line,
        ..Prompt::default()
    };
    let answer = play.host.ask(prompt).await?;
    let typed = TypedLine::read(&answer)?;
    match typed.tokens.split_first() {
        None => Ok(Reply::remark("nothing was done; the request is still waiting")),
        Some((no, reason)) if no.text.trim_end_matches(',') == NO => {
            let reason = typed_text(&answer, reason);
            send_back(play, first, reason).await
        }
        Some(_) => {
            play.host.take_request(first.request);
            let done = play.act(&typed).await;
            play.looked = false;
            // A request that was refused is still waiting.
            play.host.taken_requests();
            done
        }
    }
}

/// Sends a request back.
async fn send_back(play: &Play, of: WaitingRequest, reason: String) -> Replied {
    let player = of.request.player;
    play.host.send_back(of.request.id, reason).await.map_err(Failure::of)?;
    Ok(Reply::remark(format!("sent back to {player}")))
}

/// Returns the line that would carry out a request; for a request that reports dice, returns their
/// faces. Returns `None` if no line of this game would carry it out.
fn line_of(play: &Play, waiting: &WaitingRequest) -> Option<String> {
    match &waiting.wish {
        PlayerWish::Orders(orders) => {
            let (referee, table) = (play.referee(), play.session.table());
            requests::orders_line(referee, table, &waiting.request.player, orders)
        }
        PlayerWish::Faces(faces) => {
            Some(faces.iter().map(u32::to_string).collect::<Vec<_>>().join(" "))
        }
    }
}

/// Returns a request in words.
fn words(play: &Play, waiting: &WaitingRequest) -> String {
    match &waiting.wish {
        PlayerWish::Orders(orders) => orders.text(),
        PlayerWish::Faces(_) => format!("dice {}", line_of(play, waiting).unwrap_or_default()),
    }
}
