//! `screen`: the players' screen, a page in the browser that follows the game.

use adjutant_engine::command::{LineError, TypedLine};
use adjutant_engine::render::markup::{Line, Role};
use serde_json::json;

use crate::console::play::{Frontend, Play};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::screen::Beside;
use crate::console::words::{Run, Word};
use crate::screen::Said;

pub(super) const SCREEN: Word = Word {
    name: "screen",
    usage: "screen [lan|hold|show|new SIDE|SIDE|off]",
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
    ..Word::of(screen as Run)
};

fn screen(play: &mut Play, typed: &TypedLine<'_>, _: &mut dyn Frontend) -> Replied {
    let words: Vec<&str> = typed.rest().iter().map(|word| word.text.as_str()).collect();
    let sides = play.referee().sides(play.session.table());
    let side = |word: &str| sides.contains(word) || word == "all";
    let line = match words.as_slice() {
        ["off"] => {
            let was = play.screen.take().is_some();
            return Ok(Reply::remark(if was { "the screen is off" } else { "there is no screen" }));
        }
        [] | ["lan"] => "who".to_owned(),
        [word @ ("hold" | "show")] => (*word).to_owned(),
        ["new", name] if side(name) => format!("new {name}"),
        [name] if sides.contains(*name) => format!("where {name}"),
        _ => {
            let wrong = typed.rest().last();
            let message = format!("`{}` is nothing the screen knows", words.join(" "));
            return Err(LineError::new(wrong, message).or_usage(SCREEN.usage).into());
        }
    };
    if play.session.folder().is_none() {
        let refused = LineError::new(None, "a screen follows a game that is kept");
        return Err(refused.help("`save NAME` keeps this one").into());
    }
    let lan = words == ["lan"];
    let running = play.screen.take().filter(|screen| screen.lan || !lan);
    let mut said = None;
    let mut beside = match running {
        Some(beside) => beside,
        None => {
            let (beside, first) = Beside::start(play, lan)
                .map_err(|e| Failure::of(format!("the screen cannot be started: {e}")))?;
            said = Some(first.ok_or_else(silent)?);
            beside
        }
    };
    let said = match said.filter(|_| line == "who") {
        Some(said) => said,
        None => beside.ask(&line).ok_or_else(silent)?,
    };
    play.screen = Some(beside);
    Ok(reply(&said))
}

/// The screen that was asked is gone.
fn silent() -> Failure {
    Failure::of("the screen does not answer; `screen` starts it again")
}

fn reply(said: &Said) -> Reply {
    let line = |line: &String| Line::of(Role::Plain, line).unbroken();
    Reply::new(said.lines.iter().map(line).collect(), json!({ "screen": said.data }))
}
