//! `log`: the commands so far; `log FILE` writes the transcript and keeps it up to date.

use super::prelude::*;
use crate::console::transcript::TranscriptLog;
use crate::render::{outcome, summary};

pub(super) const LOG: Word = Word {
    name: "log",
    usage: "log [NUMBER|FILE]",
    help: "list the commands so far, show one, or write the transcript to a file",
    sample: &[
        "`log` lists the commands with their numbers; `log 3` shows what came of command 3; `log battle.md` writes the transcript to a file and keeps it up to date, as Markdown, as HTML (`.html`) or else as text",
    ],
    most: MANY,
    ..Word::of(log as Run)
};

fn log(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    match typed.text() {
        Some(word) => match word.parse() {
            Ok(number) => one(play, number, ui.width()),
            Err(_) => write(play, &word),
        },
        None => Ok(list(play)),
    }
}

fn write(play: &mut Play, path: &str) -> Replied {
    let mut log = TranscriptLog::new(path);
    log.write(&play.session, &play.game).map_err(|error| {
        let message = format!("cannot write `{path}`: {error}");
        LineError::new(None, message).help("write `log FILE` with a file in a folder that is there")
    })?;
    play.logs.retain(|other| other.path() != log.path());
    play.logs.push(log);
    Ok(Reply::new(Text::of(Role::Plain, format!("written to {path}")), json!({ "written": path })))
}

/// Shows what came of a command.
fn one(play: &Play, number: u64, width: usize) -> Replied {
    let entry = play.session.entries().iter().find(|entry| entry.number == number);
    let entry = entry.ok_or_else(|| {
        Failure::of(format!("there is no command {number}; `log` lists them with their numbers"))
    })?;
    let view = play.view(width).of_command(play.session.board(), number);
    let mut text = Text::of(Role::Strong, &entry.line);
    text.extend(outcome::outcome(&view, &entry.outcome, Some(number)));
    Ok(Reply::new(text, play.entry_data(entry)))
}

fn list(play: &Play) -> Reply {
    let mut text = Text::new();
    let mut data: Vec<Value> = Vec::new();
    for entry in play.session.entries() {
        let mut line = Line::of(Role::Quiet, format!("{:>4}  ", entry.number));
        line.push(Role::Strong, &entry.line);
        let view = play.view(80).of_command(play.session.board(), entry.number);
        text.push(summary::of(line, Role::Quiet, &view, &entry.outcome).hanging(8));
        data.push(json!({ "number": entry.number, "line": entry.line, "turn": entry.turn }));
    }
    if text.is_empty() {
        text.line(Role::Quiet, "nothing has been done yet");
    }
    Reply::new(text, json!({ "log": data }))
}
