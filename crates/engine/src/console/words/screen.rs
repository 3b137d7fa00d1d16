//! `screen`: the players' screen, a page in the browser that follows the game.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{LineError, TypedLine};
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::step::{ScreenFacts, ScreenRequest};

/// The answer of `screen`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ScreenAnswer {
    /// The report of the players' screen.
    pub screen: ScreenFacts,
}

const USAGE: &str = "screen [lan|hold|show|new SIDE|SIDE|off]";

pub(super) const SCREEN: Word = Word {
    name: "screen",
    usage: USAGE,
    help: "show the game to the players in a browser; say who looks",
    sample: &[
        "`screen` starts it for this machine and says where it is, `screen lan` for the network; once it runs, `screen` says who looks and at what",
        "`screen hold` shows modifiers and odds of what follows but no dice, until `screen show`",
        "`screen SIDE` says where the page of a side is, and `screen new SIDE` gives it another key; `new all` for the page of all",
    ],
    complete: |reading, given, to| {
        if given.is_empty() || given.last().is_some_and(|word| word.text == "new") {
            reading.sides().iter().for_each(|side| to.offer(side));
        }
        to.offer_first(given, ["lan", "hold", "show", "new", "off"]);
    },
    most: 2,
    looks: true,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(screen(play, typed)))
            .with_answers(&[|| answer::<ScreenAnswer>("answers of screen", "`screen`")]),
    )
};

async fn screen(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let words: Vec<&str> =
        typed.words_after_first().iter().map(|word| word.text.as_str()).collect();
    let sides = play.referee().sides(play.session.table());
    let request = match words.as_slice() {
        ["off"] => ScreenRequest::Off,
        [] => ScreenRequest::Start { lan: false },
        ["lan"] => ScreenRequest::Start { lan: true },
        ["hold"] => ScreenRequest::Hold,
        ["show"] => ScreenRequest::Release,
        ["new", name] if *name == "all" || sides.contains(*name) => {
            ScreenRequest::NewKey((*name).to_owned())
        }
        [name] if sides.contains(*name) => ScreenRequest::Address((*name).to_owned()),
        _ => {
            let wrong = typed.words_after_first().last();
            let message = format!("`{}` is nothing the screen knows", words.join(" "));
            return Err(LineError::new(wrong, message).or_usage(USAGE).into());
        }
    };
    if request == ScreenRequest::Off {
        let was = play.host.screen(request).await.map_err(Failure::of)?.is_some();
        return Ok(Reply::remark(if was { "the screen is off" } else { "there is no screen" }));
    }
    if play.folder.is_none() {
        let refused = LineError::new(None, "a screen follows a game that is kept");
        return Err(refused.help("`save NAME` keeps this one").into());
    }
    let report = play.host.screen(request).await.map_err(Failure::of)?.unwrap_or_default();
    let lines = report.lines.iter().map(|line| Line::of(Role::Plain, line).unbreakable());
    Ok(Reply::new(lines.collect(), ScreenAnswer { screen: report.data }))
}
