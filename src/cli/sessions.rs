//! `adjutant sessions`, `resume`, `transcript` and `verify`: the subcommands for saved games.

use std::path::{Path, PathBuf};

use adjutant_engine::names;
use adjutant_engine::names::count_with_noun;
use adjutant_engine::referee::Viewer;
use adjutant_engine::render::json::CommandAnswer;
use adjutant_engine::render::markup::{Line, Role, Text};
use adjutant_engine::render::outcome::for_each_command;
use adjutant_engine::render::transcript::transcript;
use adjutant_engine::render::view::View;
use adjutant_engine::render::{fair, json};
use adjutant_engine::session::{
    Head, LedgerEntry, OpenedSession, Receipt, Review, Session, SessionError, WalkError,
};
use etcetera::BaseStrategy;
use jiff_core::Timestamp;
use jiff_core::tz::Offset;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Screen, TranscriptFormat, WrittenFiles, transcript_format_names};
use crate::cli::play::Ask;
use crate::cli::report::{ReportRequest, write_report};
use crate::cli::{Code, Ended, Failed, candidates, own_files, write_file};
use crate::clock::current_time;
use crate::session_folder;
use crate::session_folder::{
    Folder, ResumedSession, SessionSummary, StoreError, check_session_name, free_name,
    list_sessions, session_summary,
};

/// The arguments of `resume`.
#[derive(Debug, Default, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant resume\n  adjutant resume club-night\n  adjutant resume club-night --recover rescued"
)]
pub(super) struct Resume {
    /// The session's name or folder [default: the last one played]
    #[arg(add = candidates::sessions())]
    pub(super) session: Option<String>,
    /// Copy everything up to a damaged line into a new session with this name, and continue that session
    #[arg(long, value_name = "NAME")]
    pub(super) recover: Option<String>,
    /// Who answers the rules' questions from now on [default: as before]
    #[arg(long, value_enum)]
    pub(super) ask: Option<Ask>,
    /// Save nothing from now on; for a session on a read-only disk
    #[arg(long, conflicts_with = "recover")]
    pub(super) in_memory: bool,
    /// If a line from a pipe fails, continue with the next, and report at the end how many failed
    #[arg(long)]
    pub(super) keep_going: bool,
}

/// The arguments of `sessions`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant sessions\n  adjutant sessions --json\n  adjutant sessions remove club-night"
)]
pub(super) struct Sessions {
    #[command(subcommand)]
    action: Option<SessionsAction>,
}

/// An action on a saved session.
#[derive(Debug, clap::Subcommand)]
enum SessionsAction {
    /// Delete a session permanently, after asking twice; nothing else ever deletes one
    Remove {
        /// The session's name or folder
        #[arg(add = candidates::sessions())]
        session: String,
    },
}

/// The arguments of `transcript`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant transcript club-night --format html > evening.html\n  adjutant transcript club-night --for players --format html > players.html\n  adjutant transcript club-night --format report --to report.html\n  adjutant transcript club-night | adjutant play blitz --seed candle"
)]
pub(super) struct TranscriptArguments {
    /// The session's name or folder
    #[arg(add = candidates::sessions())]
    session: String,
    /// The format of the transcript
    #[arg(long, value_parser = transcript_format_names(), default_value = "text")]
    format: TranscriptFormat,
    /// Include only what `players` or a side may see [default: everything, for the umpire]
    #[arg(long = "for", value_name = "players|SIDE")]
    viewer: Option<String>,
    /// Write to this file, and copy the photos of a report into its folder
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

/// The arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant verify club-night\n  adjutant verify club-night --reveal\n  adjutant verify club-night --ledger\n  adjutant verify club-night --head 3:k7w2m9xq4tbd"
)]
pub(super) struct Verify {
    /// The session's name or folder
    #[arg(add = candidates::sessions())]
    session: String,
    /// Reveal the seed and end the session
    #[arg(long)]
    reveal: bool,
    /// Check a head, the code that was read out at the start of a turn, such as 3:k7w2m9xq4tbd; can be repeated
    #[arg(long, value_name = "HEAD")]
    head: Vec<Head>,
    /// List every decision with its time, including secret ones; nothing else is needed to replay
    /// the session
    #[arg(long)]
    ledger: bool,
}

/// The answer to `sessions`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SessionsAnswer {
    /// The sessions, the most recently played first.
    sessions: Vec<SessionListing>,
}

/// A session in the list of `sessions`.
#[derive(Debug, Serialize, JsonSchema)]
struct SessionListing {
    /// The name that `resume` takes.
    name: String,
    /// The folder of the session.
    path: String,
    /// The game: a shipped name or a path.
    game: String,
    /// The title of the game.
    title: String,
    /// The name of the scenario.
    scenario: String,
    /// The turn; 0 during the set-up.
    turn: i64,
    /// The time of the first record, in milliseconds since 1970.
    began: u64,
    /// The time of the last record, in milliseconds since 1970.
    last: u64,
    /// The line of the last command, if there is one.
    line: Option<String>,
    /// True if the session has a command, or cannot be read.
    played: bool,
    /// The reason why the session cannot be read.
    fault: Option<String>,
}

/// The answer to `sessions remove`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RemovedAnswer {
    /// The name of the session that was removed.
    removed: String,
    /// The other files in the session's folder, which are not removed.
    left: Vec<String>,
}

/// The answer to `transcript`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TranscriptAnswer {
    /// The name of the game.
    game: String,
    /// The name of the scenario.
    scenario: String,
    /// The transcript, in the format of `--format`.
    text: String,
    /// The commands that have not been undone.
    commands: Vec<CommandAnswer>,
}

/// The answer to `verify`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VerificationAnswer {
    /// The number of commands that were checked.
    commands: usize,
    /// The number of dice that were derived from the seed.
    dice: usize,
    /// The number of dice that the players rolled, which cannot be derived from the seed.
    #[serde(rename = "by-hand")]
    by_hand: usize,
    /// The seal of the session.
    seal: String,
    /// The seed in hexadecimal, once it has been revealed.
    seed: Option<String>,
    /// The first difference between the journal and the rules. If there is one, the exit code is 1.
    mismatch: Option<MismatchAnswer>,
    /// Everything that was fixed before the first die was rolled.
    receipt: Receipt,
    /// Everything that a player may want to ask about.
    review: Review,
    /// The heads that were given with `--head`.
    heads: Vec<CheckedHead>,
    /// With `--ledger`, every decision in the journal, in order. Everything else in the journal
    /// follows from these decisions and the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<Vec<LedgerEntry>>,
}

/// A difference between the journal and the rules.
#[derive(Debug, Serialize, JsonSchema)]
struct MismatchAnswer {
    /// The number of the command; 0 is the set-up.
    command: u64,
    /// The line of the command.
    line: String,
    /// The difference, in words.
    message: String,
}

/// A head that a player gave.
#[derive(Debug, Serialize, JsonSchema)]
struct CheckedHead {
    /// The head, as given.
    head: String,
    /// True if the journal has this head.
    fits: bool,
}

/// Returns the folder that contains the folders of all sessions.
pub(super) fn root() -> Result<PathBuf, Failed> {
    let base = etcetera::choose_base_strategy()
        .map_err(|e| Failed::Message(format!("there is no home folder for sessions: {e}")))?;
    Ok(base.data_dir().join("adjutant").join("sessions"))
}

/// Returns the folder of the session with this name, or at this path.
fn folder(name: &str) -> Result<PathBuf, Failed> {
    let path = Path::new(name);
    if name.contains(['/', '\\']) || path.join("journal.jsonl").is_file() {
        return Ok(path.to_owned());
    }
    let root = root()?;
    let folder = root.join(name);
    if folder.is_dir() {
        return Ok(folder);
    }
    let all = list_sessions(&root)?;
    let names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
    if let Some(name) = names::find_name(name, names.iter().copied()).only() {
        return Ok(root.join(name));
    }
    let there_is = "`adjutant sessions` lists the sessions";
    Err(Failed::Message(names::no_such_name("session", name, names, there_is)))
}

/// Returns the path of the folder for a new session, with the given name or one made from the game,
/// scenario and date.
pub(super) fn place(name: Option<&str>, game: &str, scenario: &str) -> Result<PathBuf, Failed> {
    let root = root()?;
    match name {
        Some(name) => {
            check_session_name(name).map_err(|e| Failed::Usage(e.to_string()))?;
            Ok(root.join(name))
        }
        None => {
            let base = format!("{game}-{scenario}-{}", date(current_time()));
            Ok(root.join(free_name(&root, &base)))
        }
    }
}

/// Returns the UTC date of a time given in milliseconds since 1970, such as `2026-11-21`.
fn date(at: u64) -> String {
    let time = i64::try_from(at).ok().and_then(|at| Timestamp::from_millisecond(at).ok());
    let day = time.unwrap_or_default().to_datetime(Offset::UTC).date();
    format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day())
}

/// Returns the UTC date and time, to the millisecond, of a time given in milliseconds since 1970,
/// such as `2026-11-21 19:04:07.250`.
fn exact_time(at: u64) -> String {
    let time = i64::try_from(at).ok().and_then(|at| Timestamp::from_millisecond(at).ok());
    let Some(time) = time else { return at.to_string() };
    let time = time.to_datetime(Offset::UTC).time();
    let [hour, minute, second] = [time.hour(), time.minute(), time.second()];
    format!("{} {hour:02}:{minute:02}:{second:02}.{:03}", date(at), at % 1000)
}

/// Returns a list of the decisions in a journal, one per line, each with its time and the number of
/// the command that it makes or changes.
fn ledger(entries: &[LedgerEntry]) -> Text {
    let mut text = Text::new();
    for entry in entries {
        let number = entry.command.map_or(String::new(), |number| format!("{number} "));
        let words = format!("{}  {number}{}", exact_time(entry.at), entry.words);
        text.push(Line::of(Role::Plain, words).with_hanging_indent(4));
    }
    text
}

/// Returns how long ago a time was, in words.
fn age(then: u64) -> String {
    let seconds = current_time().saturating_sub(then) / 1000;
    let words = match seconds {
        s if s < 60 => return "just now".to_owned(),
        s if s < 3_600 => count_with_noun(s as usize / 60, "minute"),
        s if s < 86_400 => count_with_noun(s as usize / 3_600, "hour"),
        s => count_with_noun(s as usize / 86_400, "day"),
    };
    words + " ago"
}

pub(super) fn sessions(arguments: &Sessions, screen: &mut Screen) -> Ended {
    if let Some(SessionsAction::Remove { session }) = &arguments.action {
        return remove_session(session, screen);
    }
    let all = list_sessions(&root()?)?;
    let mut text = Text::new();
    for session in all.iter().filter(|s| s.is_played()) {
        text.push(one(session));
    }
    let left: Vec<&str> = all.iter().filter(|s| !s.is_played()).map(|s| s.name.as_str()).collect();
    if !left.is_empty() {
        let words = format!("set up, but not played yet: {}", left.join(", "));
        text.line(Role::Quiet, words);
    }
    if text.is_empty() {
        text.line(Role::Quiet, "no session has been saved yet; `adjutant play GAME` begins one");
    }
    screen.answer(&text, &SessionsAnswer { sessions: all.into_iter().map(listing).collect() })
}

/// Returns a session as data for JSON output.
fn listing(session: SessionSummary) -> SessionListing {
    SessionListing {
        played: session.is_played(),
        name: session.name,
        path: session.path.display().to_string(),
        game: session.game,
        title: session.title,
        scenario: session.scenario,
        turn: session.turn,
        began: session.began,
        last: session.last,
        line: session.line,
        fault: session.fault,
    }
}

/// Returns a line that describes a session.
pub(super) fn one(session: &SessionSummary) -> Line {
    let mut line = Line::of(Role::Strong, &session.name).with_hanging_indent(4);
    if let Some(fault) = &session.fault {
        line.push(Role::Bad, format!("  {fault}"));
        return line;
    }
    let turn = match session.turn {
        0 => "set-up".to_owned(),
        n => format!("turn {n}"),
    };
    line.push(Role::Plain, format!("  {turn}, {}", age(session.last)));
    if let Some(words) = &session.line {
        line.push(Role::Quiet, format!("  last: {words}"));
    }
    line
}

/// Returns the session that was played last. If none was played, returns the latest one that was
/// only set up; `None` if there are no sessions. Sessions that cannot be read don't count.
pub(super) fn last() -> Result<Option<SessionSummary>, Failed> {
    let all = list_sessions(&root()?)?;
    let (played, left): (Vec<_>, Vec<_>) =
        all.into_iter().filter(|s| s.fault.is_none()).partition(SessionSummary::is_played);
    Ok(played.into_iter().chain(left).next())
}

/// Asks a question on standard error, and returns the line that is typed.
fn ask(screen: &mut Screen, question: Line) -> Result<String, Failed> {
    screen.tell_error(&Text::from_iter([question]));
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(answer.trim().to_owned())
}

/// Asks twice for confirmation, and then removes a session.
fn remove_session(name: &str, screen: &mut Screen) -> Ended {
    let path = folder(name)?;
    let Some(summary) = session_summary(&path) else {
        return Err(StoreError::Missing(name.to_owned()).into());
    };
    let mut question = one(&summary);
    question.push(Role::Plain, "\ndelete it permanently, with its transcript? (y or n)");
    let mut sure = matches!(ask(screen, question)?.as_str(), "y" | "yes");
    if sure {
        let words = format!(
            "this cannot be undone; to delete the session, type its name, `{}`",
            summary.name
        );
        sure = ask(screen, Line::of(Role::Notice, words))? == summary.name;
    }
    if !sure {
        return Err(Failed::Message("nothing was removed".to_owned()));
    }
    let left = session_folder::remove_session(&path)?;
    let mut text = Text::of(Role::Plain, format!("removed {}", summary.name));
    if !left.is_empty() {
        let words =
            format!("its folder has other files, which were not deleted: {}", left.join(", "));
        text.line(Role::Notice, words);
    }
    screen.answer(&text, &RemovedAnswer { removed: summary.name, left })
}

/// Returns the folder of the session with this name or path. Without a name, returns the folder of
/// the session that was played last.
pub(super) fn folder_or_last(name: Option<&str>) -> Result<PathBuf, Failed> {
    let none = || Failed::Message("no session has been saved yet".to_owned());
    match name {
        Some(name) => folder(name),
        None => Ok(last()?.ok_or_else(none)?.path),
    }
}

/// Opens the session to continue. Returns it with its folder, or with `None` if nothing is saved
/// from now on.
pub(super) fn resume(arguments: &Resume) -> Result<(OpenedSession, Option<Folder>), Failed> {
    let path = folder_or_last(arguments.session.as_deref())?;
    if arguments.in_memory && arguments.recover.is_none() {
        return Ok((session_folder::read_session(&path).map_err(|e| not_resumed(e, &path))?, None));
    }
    let resumed = match &arguments.recover {
        None => session_folder::open(&path, current_time()),
        Some(name) => {
            check_session_name(name).map_err(|e| Failed::Usage(e.to_string()))?;
            session_folder::recover(&path, &root()?.join(name), current_time())
        }
    };
    let ResumedSession { session, notices, folder } = resumed.map_err(|e| not_resumed(e, &path))?;
    Ok((OpenedSession { session, notices }, Some(folder)))
}

/// Returns the failure to resume a session, with advice for the umpire.
fn not_resumed(error: StoreError, path: &Path) -> Failed {
    match &error {
        StoreError::Session(SessionError::Damaged { damage, .. }) if damage.line > 1 => {
            Failed::Message(format!(
                "{error}\n`adjutant resume {} --recover NAME` continues from there under another name",
                path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned())
            ))
        }
        _ if error.can_go_on() => {
            Failed::Message(format!("{error}\n`--in-memory` reads the session and saves nothing"))
        }
        _ => Failed::Store(error),
    }
}

/// Reads a session without locking it, and shows its notices.
pub(super) fn look(name: &str, screen: &mut Screen) -> Result<Session, Failed> {
    let opened = session_folder::read_session(&folder(name)?)?;
    for notice in &opened.notices {
        screen.tell_error(&Text::of(Role::Notice, notice.to_string()));
    }
    Ok(opened.session)
}

/// Returns those commands of a session that have not been undone, as data for JSON output, with the
/// part of each outcome that the viewer saw.
fn commands(
    session: &Session,
    width: usize,
    viewer: &Viewer,
) -> Result<Vec<CommandAnswer>, WalkError> {
    let mut seen = Vec::new();
    let numbered = session.effective_viewer(viewer) == Viewer::Umpire;
    let view = View::of_session(session, session.board(), width);
    for_each_command(session, view, viewer, |view, number, entry| {
        seen.push(json::command_answer(view, numbered.then_some(number), entry));
    })?;
    Ok(seen)
}

/// Returns the viewer with this name: `umpire`, `players`, a side or a player. Without a name,
/// returns the umpire.
fn viewer(session: &Session, name: Option<&str>) -> Result<Viewer, Failed> {
    let Some(name) = name else { return Ok(Viewer::Umpire) };
    let viewers = session.referee().viewers(session.table());
    let known = viewers.iter().map(|(side, viewer)| (side.as_str(), viewer));
    names::find(name, known).only().cloned().ok_or_else(|| {
        let sides: Vec<&str> = viewers.iter().map(|(side, _)| side.as_str()).collect();
        let there_is = format!("available: {}", names::quote_names(&sides));
        Failed::Message(names::no_such_name("side", name, sides, &there_is))
    })
}

pub(super) fn write_transcript(arguments: &TranscriptArguments, screen: &mut Screen) -> Ended {
    let session = look(&arguments.session, screen)?;
    let viewer = viewer(&session, arguments.viewer.as_deref())?;
    let format = match arguments.format {
        TranscriptFormat::Log(format) => format,
        TranscriptFormat::Report(format) => {
            let to = arguments.to.clone();
            let session = &session;
            let request = ReportRequest { session, viewer, format, to };
            return write_report(&request, screen);
        }
    };
    let text = transcript(&session, format, &viewer).map_err(Failed::of)?;
    if let Some(path) = &arguments.to {
        let path = write_file(&mut own_files(), path, text.as_bytes())?;
        let words = Text::of(Role::Plain, format!("written to {path}"));
        return screen.answer(&words, &WrittenFiles { files: vec![path.clone()], path });
    }
    if screen.json {
        screen.document(&TranscriptAnswer {
            game: session.heading().to_owned(),
            scenario: session.scenario().to_owned(),
            text,
            commands: commands(&session, screen.width(), &viewer).map_err(Failed::of)?,
        })?;
    } else {
        screen.write(&text)?;
    }
    Ok(Code::Done)
}

pub(super) fn verify(arguments: &Verify, screen: &mut Screen) -> Ended {
    if arguments.reveal {
        let path = folder(&arguments.session)?;
        // The session is locked only if something has to be written.
        if session_folder::read_session(&path)?.session.last_before_reveal().is_none() {
            let mut resumed = session_folder::open(&path, current_time())?;
            resumed
                .folder
                .record(&mut resumed.session, |session| session.reveal(current_time()))?;
        }
    }
    let session = look(&arguments.session, screen)?;
    // While a game is in progress, its seed would give away the dice that are still to be rolled.
    let seed = session.last_before_reveal().map(|_| session.seed().to_hex());
    let found = session.verify();
    let review = session.review();
    let heads: Vec<(&Head, bool)> =
        arguments.head.iter().map(|head| (head, session.has_head(head))).collect();
    let mut text = Text::new();
    for words in fair::receipt(&session.receipt()) {
        text.line(Role::Plain, words);
    }
    let sealed = "the seed is still secret; `verify --reveal`, or `reveal` at the prompt, reveals it after the game";
    match &seed {
        Some(seed) => text.line(Role::Plain, format!("seed {seed}")),
        None => text.push(Line::of(Role::Quiet, sealed).with_hanging_indent(2)),
    };
    text.extend(fair::verification(&found));
    for (head, fits) in &heads {
        let (role, words) = if *fits {
            (Role::Good, "nothing before it has been changed since it was read out")
        } else {
            (Role::Bad, "something before it has been changed or rolled back since it was read out")
        };
        text.line(role, format!("head {head}: {words}"));
    }
    let known = heads.iter().filter(|(_, fits)| *fits).map(|(head, _)| head.turn).max();
    text.extend(fair::review(&review, found.mismatch.as_ref(), known));
    if arguments.ledger {
        text.extend(ledger(&found.ledger));
    }
    let whole = found.mismatch.is_none() && heads.iter().all(|(_, fits)| *fits);
    let mismatch = found.mismatch.map(|mismatch| MismatchAnswer {
        command: mismatch.number,
        line: mismatch.line,
        message: mismatch.what,
    });
    let heads =
        heads.iter().map(|(head, fits)| CheckedHead { head: head.to_string(), fits: *fits });
    screen.answer(
        &text,
        &VerificationAnswer {
            commands: found.commands,
            dice: found.dice,
            by_hand: found.by_hand,
            seal: session.seal().to_owned(),
            seed,
            mismatch,
            receipt: session.receipt(),
            review,
            heads: heads.collect(),
            ledger: arguments.ledger.then_some(found.ledger),
        },
    )?;
    Ok(if whole { Code::Done } else { Code::Failed })
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_have_their_date() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400_000), "2000-02-29");
        assert_eq!(date(1_795_219_200_000), "2026-11-21");
    }
}
