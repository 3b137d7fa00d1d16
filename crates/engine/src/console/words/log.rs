//! `log`: lists the commands so far, or shows the outcome of one; `log to FILE` writes the
//! transcript and updates it during play.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{ANY_NUMBER, LineError, TypedLine, typed_text};
use crate::referee::Viewer;
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};
use crate::render::outcome::{self, for_each_command};
use crate::render::transcript::{Format, transcript};
use crate::render::{json, summary};

use super::viewers::{offer_viewers, split_viewer};
use crate::console::play::{Handler, Play, TranscriptLog, Word};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::step::EffectFault;

/// The answer to `log`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct LogAnswer {
    /// The commands in force, in order.
    pub log: Vec<LoggedCommand>,
}

/// A command in the list of `log`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct LoggedCommand {
    /// The line of the command.
    pub line: String,
    /// The turn in which the command was typed.
    pub turn: i64,
    /// The number of the command; left out of the views of players and sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
}

/// The answer to a word that wrote a file: `log to FILE`, `map --svg FILE` and `scenario write
/// FILE`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct WrittenAnswer {
    /// The path of the file, as it was typed.
    pub written: String,
}

pub(super) const LOG: Word = Word {
    name: "log",
    usage: "log [NUMBER|WORD|to FILE] [as SIDE]",
    help: "list the commands so far, find or show one, or write the transcript to a file",
    sample: &[
        "`log` lists the commands with their numbers; `log 3` shows the outcome of command 3, and `log charge` lists the commands with `charge` in their line; `log to battle.md` writes the transcript to a file (as Markdown for `.md`, as HTML for `.html`, and otherwise as text) and keeps it up to date",
        "`log as red` lists the part of the game that red may see, and `log to red.html as red` writes it to a file",
    ],
    complete: |reading, given, to| offer_viewers(reading, given, to),
    most: ANY_NUMBER,
    ..Word::of(Handler::stepwise(|play, typed| Box::pin(log(play, typed))).with_answers(&[
        || answer::<LogAnswer>("answers to log", "`log`"),
        || {
            let lines = "`log to FILE`, `map --svg FILE` and `scenario write FILE`";
            answer::<WrittenAnswer>("answers to log to FILE", lines)
        },
    ]))
};

async fn log(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let (viewer, words) = split_viewer(play, typed.words_after_first())?;
    match words {
        [] => return list_commands(play, &viewer, None),
        [to, file @ ..] if to.text == "to" && !to.quoted => {
            if file.is_empty() {
                return Err(LineError::new(Some(to), "to which file?").into());
            }
            return write_transcript(play, &typed_text(typed.line, file), viewer).await;
        }
        _ => {}
    }
    let word = typed_text(typed.line, words);
    match word.parse() {
        Ok(number) => show_command(play, number, &viewer, play.width),
        Err(_) => list_commands(play, &viewer, Some(&word)),
    }
}

async fn write_transcript(play: &mut Play, path: &str, viewer: Viewer) -> Replied {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let format = Format::of_extension(ending);
    let length = play.session.log().len();
    let log = TranscriptLog { path: path.to_owned(), format, viewer, length };
    let text = transcript(&play.session, log.format, &log.viewer).map_err(Failure::of)?;
    play.write_named_file(path, text.into_bytes()).await?;
    play.logs.retain(|other| other.path != log.path);
    play.logs.push(log);
    Ok(Reply::new(
        Text::of(Role::Plain, format!("written to {path}")),
        WrittenAnswer { written: path.to_owned() },
    ))
}

/// Writes the transcript of the entire game so far.
async fn write_whole_transcript(play: &Play, log: &TranscriptLog) -> Result<(), EffectFault> {
    let text = transcript(&play.session, log.format, &log.viewer);
    let text = text.map_err(EffectFault::of)?;
    play.host.write_file(log.path.clone(), text.into_bytes(), true).await
}

/// Updates the transcripts that the umpire asked for. A transcript that can't be written is
/// dropped. Returns a notice for each transcript that was dropped.
pub(in crate::console) async fn update_transcripts(play: &mut Play) -> Vec<Text> {
    let length = play.session.log().len();
    let mut notices = Vec::new();
    let mut logs = Vec::new();
    for mut log in std::mem::take(&mut play.logs) {
        if log.length != length {
            log.length = length;
            if let Err(error) = write_whole_transcript(play, &log).await {
                let path = &log.path;
                let words = format!(
                    "the transcript `{path}` cannot be written: {error}; the game itself is saved"
                );
                notices.push(Text::of(Role::Notice, words));
                continue;
            }
        }
        logs.push(log);
    }
    play.logs = logs;
    notices
}

/// Shows the part of a command that a viewer saw.
fn show_command(play: &Play, wanted: u64, viewer: &Viewer, width: usize) -> Replied {
    if !play.session.entries().iter().any(|entry| entry.number == wanted) {
        let words = format!("there is no command {wanted}; `log` lists them with their numbers");
        return Err(Failure::of(words));
    }
    let mut found = None;
    for_each_command(&play.session, play.view(width), viewer, |view, number, entry| {
        if entry.number == wanted {
            let shown = (*viewer == Viewer::Umpire).then_some(number);
            let mut text = Text::of(Role::Strong, &entry.line);
            text.extend(outcome::outcome(view, &entry.outcome, shown));
            found = Some(Reply::new(text, json::command_answer(view, shown, entry)));
        }
    })
    .map_err(Failure::of)?;
    Ok(found.unwrap_or_else(|| Reply::remark(format!("{viewer} sees none of it"))))
}

/// Lists the commands as a viewer saw them: all commands, or only those whose line contains these
/// words.
fn list_commands(play: &Play, viewer: &Viewer, wanted: Option<&str>) -> Replied {
    let wanted_words = wanted.map(str::to_lowercase);
    let is_wanted =
        |line: &str| wanted_words.as_ref().is_none_or(|words| line.to_lowercase().contains(words));
    let mut text = Text::new();
    let mut data = Vec::new();
    for_each_command(&play.session, play.view(80), viewer, |view, number, entry| {
        if !is_wanted(&entry.line) {
            return;
        }
        let shown = (*viewer == Viewer::Umpire).then_some(number);
        let head = shown.map_or("  ".to_owned(), |shown| format!("{shown:>4}  "));
        let line = Line::of(Role::Quiet, head).and(Role::Strong, &entry.line);
        text.push(
            summary::append_summary(line, Role::Quiet, view, &entry.outcome).with_hanging_indent(8),
        );
        data.push(LoggedCommand { line: entry.line.clone(), turn: entry.turn, number: shown });
    })
    .map_err(Failure::of)?;
    if text.is_empty() {
        let words = match wanted {
            None => "no commands yet".to_owned(),
            Some(wanted) => format!(
                "no command has `{wanted}` in its line; `log to FILE` writes the transcript"
            ),
        };
        text.line(Role::Quiet, words);
    }
    Ok(Reply::new(text, LogAnswer { log: data }))
}
