//! `screen`: the players' screen, a page in the browser that follows the game.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{LineError, TypedLine};
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::step::{ScreenFacts, ScreenRequest};

/// The answer to `screen`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ScreenAnswer {
    /// The report of the players' screen.
    pub screen: ScreenFacts,
}

const USAGE: &str = "screen [lan|hold|show|new SIDE|SIDE|off]";

pub(super) const SCREEN: Word = Word {
    name: "screen",
    usage: USAGE,
    help: "show the game to the players in a browser; list who is watching",
    sample: &[
        "`screen` starts the players' screen for this machine and shows its address, and `screen lan` starts it for the network; once it is running, `screen` lists who is watching which page",
        "`screen hold` shows the modifiers and odds of later rolls, but no dice until `screen show`",
        "`screen SIDE` shows the address of a side's or a player's page, and `screen new SIDE` gives it another key; `screen new all` gives the page for everyone another key",
    ],
    complete: |reading, given, to| {
        if given.is_empty() || given.last().is_some_and(|word| word.text == "new") {
            reading.sides().iter().for_each(|side| to.offer(side));
            reading.players().iter().for_each(|player| to.offer(&player.name));
        }
        to.offer_first(given, ["lan", "hold", "show", "new", "off"]);
    },
    most: 2,
    looks: true,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(screen(play, typed)))
            .with_answers(&[|| answer::<ScreenAnswer>("answers to screen", "`screen`")]),
    )
};

async fn screen(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let words: Vec<&str> =
        typed.words_after_first().iter().map(|word| word.text.as_str()).collect();
    let (referee, table) = (play.referee(), play.session.table());
    let mut owners = referee.sides(table);
    owners.extend(referee.players(table).into_iter().map(|player| player.name));
    let request = match words.as_slice() {
        ["off"] => ScreenRequest::Off,
        [] => ScreenRequest::Start { lan: false },
        ["lan"] => ScreenRequest::Start { lan: true },
        ["hold"] => ScreenRequest::Hold,
        ["show"] => ScreenRequest::Release,
        ["new", name] if *name == "all" || owners.contains(*name) => {
            ScreenRequest::NewKey((*name).to_owned())
        }
        [name] if owners.contains(*name) => ScreenRequest::Address((*name).to_owned()),
        _ => {
            let wrong = typed.words_after_first().last();
            let message = format!("`screen` has no option `{}`", words.join(" "));
            return Err(LineError::new(wrong, message).or_usage(USAGE).into());
        }
    };
    if request == ScreenRequest::Off {
        let was = play.host.screen(request).await.map_err(Failure::of)?.is_some();
        return Ok(Reply::remark(if was { "the screen is off" } else { "there is no screen" }));
    }
    if play.folder.is_none() {
        let refused = LineError::new(None, "the screen needs a saved game");
        return Err(refused.help("`save NAME` saves this one").into());
    }
    let report = play.host.screen(request).await.map_err(Failure::of)?.unwrap_or_default();
    let lines = report.lines.iter().map(|line| Line::of(Role::Plain, line).unbreakable());
    Ok(Reply::new(lines.collect(), ScreenAnswer { screen: report.data }))
}
