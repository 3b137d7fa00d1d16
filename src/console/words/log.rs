//! `log`: the commands so far; `log FILE` writes the transcript and keeps it up to date.

use super::prelude::*;
use super::{offer_viewers, viewer};
use crate::command::text_of;
use crate::console::transcript::TranscriptLog;
use crate::referee::Viewer;
use crate::render::outcome::View;
use crate::render::{json, outcome, summary};

pub(super) const LOG: Word = Word {
    name: "log",
    usage: "log [NUMBER|FILE] [as SIDE]",
    help: "list the commands so far, show one, or write the transcript to a file",
    sample: &[
        "`log` lists the commands with their numbers; `log 3` shows what came of command 3; `log battle.md` writes the transcript to a file and keeps it up to date, as Markdown, as HTML (`.html`) or else as text",
        "`log as red` lists what red may see of the game as it stands, and `log red.html as red` writes it to a file",
    ],
    complete: |reading, given, to| offer_viewers(reading, given, to),
    most: MANY,
    ..Word::of(log as Run)
};

fn log(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let (viewer, words) = viewer(play, typed.rest())?;
    match words {
        [] if viewer == Viewer::Umpire => Ok(list(play)),
        [] => list_seen(play, &viewer),
        words => {
            let word = text_of(typed.line, words);
            match word.parse() {
                Ok(number) if viewer == Viewer::Umpire => one(play, number, ui.width()),
                Ok(number) => one_seen(play, number, &viewer, ui.width()),
                Err(_) => write(play, &word, viewer),
            }
        }
    }
}

fn write(play: &mut Play, path: &str, viewer: Viewer) -> Replied {
    let mut log = TranscriptLog::new(path, viewer);
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
    let entry = entry.ok_or_else(|| missing(number))?;
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

fn missing(number: u64) -> Failure {
    Failure::of(format!("there is no command {number}; `log` lists them with their numbers"))
}

/// Shows what a viewer saw of a command.
fn one_seen(play: &Play, number: u64, viewer: &Viewer, width: usize) -> Replied {
    let mut found = None;
    let view = play.view(width);
    let walked = play.session.walk_seen(viewer, |referee, _, witnessed| {
        if let Some(seen) = witnessed.filter(|seen| seen.number == number && number > 0) {
            let view = View { referee, ..view }.through(&seen.sight);
            let mut text = Text::of(Role::Strong, &seen.entry.line);
            text.extend(outcome::outcome(&view, &seen.entry.outcome, None));
            found = Some(Reply::new(text, json::entry(&view, &seen.entry)));
        }
    });
    walked.map_err(Failure::of)?;
    if let Some(reply) = found {
        return Ok(reply);
    }
    match play.session.entries().iter().any(|entry| entry.number == number) {
        true => Ok(Reply::remark(format!("nothing of it is seen by {viewer}"))),
        false => Err(missing(number)),
    }
}

/// Lists what a viewer may see.
fn list_seen(play: &Play, viewer: &Viewer) -> Replied {
    let mut text = Text::new();
    let mut data: Vec<Value> = Vec::new();
    let view = play.view(80);
    let walked = play.session.walk_seen(viewer, |referee, _, witnessed| {
        let Some(seen) = witnessed.filter(|seen| seen.number > 0) else { return };
        let view = View { referee, ..view }.through(&seen.sight);
        let line = Line::of(Role::Plain, "  ").and(Role::Strong, &seen.entry.line);
        text.push(summary::of(line, Role::Quiet, &view, &seen.entry.outcome).hanging(8));
        data.push(json!({ "line": seen.entry.line, "turn": seen.entry.turn }));
    });
    walked.map_err(Failure::of)?;
    if text.is_empty() {
        text.line(Role::Quiet, "nothing has been done yet");
    }
    Ok(Reply::new(text, json!({ "log": data })))
}
