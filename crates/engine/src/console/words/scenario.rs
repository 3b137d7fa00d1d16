//! `scenario`: writes the current table, or only the pieces of one side, as a scenario.

use crate::command::{LineError, TypedLine, find_named};
use crate::render::markup::{Role, Text};

use super::log::WrittenAnswer;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

pub(super) const SCENARIO: Word = Word {
    name: "scenario",
    usage: "scenario write FILE [SIDE]",
    help: "write the current state of the table to a file, as a scenario to continue from",
    sample: &[
        "`scenario write monday.toml` writes everything that is stored, secrets included; `--scenario monday.toml` continues from there",
        "`scenario write red.toml red` writes only the pieces of red, for another game",
    ],
    complete: |reading, given, to| match given {
        [] => to.offer("write"),
        [_, _] => reading.sides().iter().for_each(|side| to.offer(side)),
        _ => {}
    },
    most: 3,
    ..Word::of(Handler::stepwise(|play, typed| Box::pin(scenario(play, typed))))
};

async fn scenario(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let (write, words) = match typed.words_after_first() {
        [write, words @ ..] if write.text == "write" => (write, words),
        [other, ..] => {
            let error = LineError::new(Some(other), format!("unexpected `{}`", other.text));
            return Err(error.help("`scenario write FILE` writes the current table").into());
        }
        [] => return Err(LineError::new(None, "expected `write`").into()),
    };
    let (file, side) = match words {
        [] => return Err(LineError::new(Some(write), "to which file?").into()),
        [file] => (file, None),
        [file, side, ..] => {
            let sides = play.referee().sides(play.session.table());
            let named = sides.iter().map(|name| (name.as_str(), name.as_str()));
            (file, Some(find_named(side, named, "side")?.to_owned()))
        }
    };
    if !file.text.ends_with(".toml") {
        let error = LineError::new(Some(file), "the name of a scenario file must end in `.toml`");
        return Err(error.help(format!("`scenario write {}.toml`", file.text)).into());
    }
    let text = play.session.scenario_text(side.as_deref());
    play.write_named_file(&file.text, text.into_bytes()).await?;
    Ok(Reply::new(
        Text::of(Role::Plain, format!("written to {}", file.text)),
        WrittenAnswer { written: file.text.clone() },
    ))
}
