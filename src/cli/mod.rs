//! The command line: one file per subcommand.

mod answers;
mod candidates;
mod check;
mod completions;
mod config;
mod explain;
mod export;
mod games;
mod library;
mod man;
mod new;
mod odds;
mod output;
mod play;
mod print;
mod report;
mod roll;
mod rules;
mod schema;
#[cfg(feature = "screen")]
mod screen;
mod sessions;
mod simulate;
mod usage;

use std::convert::Infallible;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use adjutant_engine::render::PrintLayout;
use adjutant_engine::render::markup::{Role, Text, sanitize, sanitize_lines};
pub use answers::answers;
use clap::{Args, ColorChoice, CommandFactory, Parser, Subcommand};
use library::LibraryError;
use output::Screen;
use usage::UsageError;

use crate::console::OwnFiles;
use crate::files;
use crate::files::SystemDisk;
use crate::session_folder::StoreError;

/// The result of a subcommand.
type Ended = Result<Code, Failed>;

/// The exit code of a subcommand that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Done,
    /// A check found faults, or a line failed; the message has been shown.
    Failed,
}

/// The failure of a subcommand.
#[derive(Debug, thiserror::Error)]
enum Failed {
    /// A failure with its message.
    #[error("{0}")]
    Message(String),
    /// Wrong usage of the command line.
    #[error("{0}")]
    Usage(String),
    /// Something could not be written.
    #[error("cannot write: {0}")]
    Write(#[from] std::io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Library(#[from] LibraryError),
}

impl Failed {
    /// Returns a failure with the message of an error.
    fn of(error: impl Display) -> Failed {
        Failed::Message(error.to_string())
    }
}

const EXAMPLES: &str = "\
Examples:
  adjutant play blitz                    umpire the game's first scenario
  adjutant play my-rules/ --seed candle  play your own ruleset, with dice fixed by a seed
  adjutant new my-rules/                 write a ruleset to start from
  adjutant check my-rules/               show errors and warnings, and run the worked examples
  adjutant rules blitz                   print the referee's sheet
  adjutant roll 4d6kh3 2d6+1             roll dice";

/// A referee's assistant for miniatures games played with real figures on a real table.
#[derive(Debug, Parser)]
#[command(name = "adjutant", version = env!("ADJUTANT_VERSION"), about, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    everywhere: Everywhere,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

/// The options of every subcommand.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Options of every command")]
struct Everywhere {
    /// Print JSON, for other programs
    #[arg(long, global = true)]
    json: bool,
    /// When to use colours; `auto` uses them at a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Print long answers all at once, not one screen at a time
    #[arg(long, global = true)]
    no_pager: bool,
    /// Print one fact per line, without columns, drawings or colours, for screen readers
    #[arg(long, global = true)]
    plain: bool,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Umpire a game at the prompt, or with lines from a pipe
    Play(play::Arguments),
    /// Continue a saved game
    Resume(sessions::Resume),
    /// List the saved games
    Sessions(sessions::Sessions),
    /// Print a record of a saved game as text, Markdown or HTML
    Transcript(sessions::TranscriptArguments),
    /// Show a game to the players in a browser while it is played
    #[cfg(feature = "screen")]
    Screen(screen::Arguments),
    /// Check a saved game: derive every die from the seed again, and every result from the rules
    Verify(sessions::Verify),
    /// List the games that come with the program, with their scenarios
    #[command(after_help = "Examples:\n  adjutant games\n  adjutant games --json")]
    Games,
    /// Print a game's charts and rules as a referee's sheet, with probabilities
    Rules(rules::Arguments),
    /// Print the papers for an evening: quick reference, cards, briefings, markers and plan
    Print(print::Arguments),
    /// Roll dice
    Roll(roll::Arguments),
    /// Print the exact odds of dice
    Odds(odds::Arguments),
    /// Simulate many games of a scenario without players, and print statistics
    Simulate(simulate::Arguments),
    /// Check rulesets for faults, and run their worked examples
    Check(check::Arguments),
    /// Write a small ruleset that passes `check`, to start from
    New(new::Arguments),
    /// Write the rules of a game to a folder where you can edit them, or the table of a session to
    /// a scenario file
    Export(export::Arguments),
    /// Print the JSON Schema of ruleset, scenario or settings files, for editors
    Schema(schema::Arguments),
    /// Show your settings, and the path of their file
    #[command(
        after_help = "Examples:\n  adjutant config\n  adjutant schema config > config.schema.json"
    )]
    Config,
    /// Print or install completions for a shell
    Completions(completions::Arguments),
    /// Write the manual pages to a folder
    Man(man::Arguments),
}

/// Parses the command line, runs the subcommand, and returns the exit code: 0 for success, 1 for
/// failure, 2 for wrong usage.
pub fn run() -> ExitCode {
    match completions::complete() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(_) => return ExitCode::from(1),
    }
    let cli = match Cli::try_parse_from(guarded(std::env::args_os().collect())) {
        Ok(cli) => cli,
        Err(error) => return usage_error(&error),
    };
    let mut screen = Screen::new(cli.everywhere);
    let ended = match cli.command {
        Some(CliCommand::Play(arguments)) => play::run(&arguments, &mut screen),
        Some(CliCommand::Resume(arguments)) => play::resume(&arguments, &mut screen),
        Some(CliCommand::Sessions(arguments)) => sessions::sessions(&arguments, &mut screen),
        Some(CliCommand::Transcript(arguments)) => {
            sessions::write_transcript(&arguments, &mut screen)
        }
        #[cfg(feature = "screen")]
        Some(CliCommand::Screen(arguments)) => screen::show(arguments, &mut screen),
        Some(CliCommand::Verify(arguments)) => sessions::verify(&arguments, &mut screen),
        Some(CliCommand::Games) => games::run(&mut screen),
        Some(CliCommand::Rules(arguments)) => rules::run(&arguments, &mut screen),
        Some(CliCommand::Print(arguments)) => print::run(&arguments, &mut screen),
        Some(CliCommand::Roll(arguments)) => roll::run(&arguments, &mut screen),
        Some(CliCommand::Odds(arguments)) => odds::run(&arguments, &mut screen),
        Some(CliCommand::Simulate(arguments)) => simulate::run(&arguments, &mut screen),
        Some(CliCommand::Check(arguments)) => check::run(&arguments, &mut screen),
        Some(CliCommand::New(arguments)) => new::run(&arguments, &mut screen),
        Some(CliCommand::Export(arguments)) => export::run(&arguments, &mut screen),
        Some(CliCommand::Schema(arguments)) => schema::run(&arguments, &mut screen),
        Some(CliCommand::Config) => config::run(&mut screen),
        Some(CliCommand::Completions(arguments)) => completions::run(&arguments, &mut screen),
        Some(CliCommand::Man(arguments)) => man::run(&arguments, &mut screen),
        None => play::choose(&mut screen),
    };
    let ended = ended.and_then(|code| {
        screen.flush()?;
        Ok(code)
    });
    match ended {
        Ok(Code::Done) => ExitCode::SUCCESS,
        Ok(Code::Failed) => ExitCode::from(1),
        Err(Failed::Write(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failed) => {
            screen.error(&failed.to_string());
            ExitCode::from(if matches!(failed, Failed::Usage(_)) { 2 } else { 1 })
        }
    }
}

/// Returns a path in a form that is safe to show.
fn shown(path: &Path) -> String {
    sanitize(&path.display().to_string())
}

/// Returns the failure for a file that could not be written.
fn cannot_write(path: &Path, error: impl Display) -> Failed {
    Failed::Message(format!("cannot write `{}`: {error}", shown(path)))
}

/// Returns the files that this program wrote for this user.
fn own_files() -> OwnFiles {
    let data_folder = sessions::root().ok().and_then(|root| Some(root.parent()?.to_owned()));
    OwnFiles::in_folder(data_folder.as_deref())
}

/// Fails if a file that is not empty has this path, and either this program didn't write it or it
/// has been changed since.
fn check_not_foreign(own: &OwnFiles, path: &Path) -> Result<(), Failed> {
    if own.is_foreign(path) {
        let reason = "either adjutant didn't write it, or it has changed since; name a new file, or move the existing one";
        return Err(cannot_write(path, reason));
    }
    Ok(())
}

/// Writes a file, and returns its path in a form that is safe to show. An existing file is
/// replaced only if it is empty, or if this program wrote it and it has not been changed since.
fn write_file(own: &mut OwnFiles, path: &Path, content: &[u8]) -> Result<String, Failed> {
    check_not_foreign(own, path)?;
    files::replace(&SystemDisk, path, content).map_err(|e| cannot_write(path, e))?;
    own.remember(path, content);
    Ok(shown(path))
}

/// Writes a new file, and returns its path in a form that is safe to show. Fails if the name is
/// already taken.
fn new_file(path: &Path, content: &[u8]) -> Result<String, Failed> {
    files::create(&SystemDisk, path, content).map_err(|e| cannot_write(path, e))?;
    Ok(shown(path))
}

/// Puts a space in front of dice such as `-1` and `-d6+7`, which would otherwise be read as
/// options. All options begin with `--`, except `-h` and `-V`.
fn guarded(arguments: Vec<OsString>) -> Vec<OsString> {
    let dice = arguments.iter().any(|a| a == "roll" || a == "odds");
    let guard = |argument: OsString| match argument.as_encoded_bytes() {
        [b'-', first, ..] if dice && !matches!(first, b'-' | b'h' | b'V') => {
            let mut guarded = OsString::from(" ");
            guarded.push(argument);
            guarded
        }
        _ => argument,
    };
    arguments.into_iter().map(guard).collect()
}

/// Removes the space that [`guarded`] put in front of an argument.
fn unguarded(argument: &str) -> Result<String, Infallible> {
    Ok(argument.strip_prefix(' ').unwrap_or(argument).to_owned())
}

/// The width of the explanation of wrong usage, in columns.
const USAGE_WIDTH: usize = 80;

/// Prints the message of the command-line parser. Returns exit code 0 for help and versions, and 2
/// for wrong usage.
fn usage_error(error: &clap::Error) -> ExitCode {
    let command = Cli::command();
    let subcommands: Vec<String> =
        command.get_subcommands().map(|subcommand| subcommand.get_name().to_owned()).collect();
    if let Some(UsageError { message, help }) = usage::explain(error, &subcommands) {
        let mut text = Text::of(Role::Bad, format!("error: {message}"));
        for line in help {
            text.line(Role::Plain, line);
        }
        // If this message can't be written, no other message can be written either.
        let _ = anstream::stderr().write_all(text.styled(USAGE_WIDTH).as_bytes());
        return ExitCode::from(2);
    }
    let plain = error.render().to_string();
    let mut clean = sanitize_lines(&plain);
    if std::env::args().any(|argument| argument == "--plain") {
        clean = Text::of(Role::Plain, &clean).lay_out(PrintLayout::Linear);
    }
    // The message quotes arguments, and the name of a file can contain any characters, so the
    // cleaned text is printed. If it can't be written, no other message can be written either.
    let _ = match (clean == plain, error.use_stderr()) {
        (true, _) => error.print(),
        (false, true) => anstream::stderr().write_all(clean.as_bytes()),
        (false, false) => anstream::stdout().write_all(clean.as_bytes()),
    };
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
