//! `adjutant completions`: a shell's completions, printed or written to the file where the shell
//! looks for them.

use std::path::PathBuf;

use adjutant_engine::render::markup::{Role, Text};
use clap::CommandFactory;
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};
use etcetera::BaseStrategy;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::Screen;
use crate::cli::{Cli, Code, Ended, Failed, cannot_write, own_files, write_file};
use crate::files;
use crate::files::SystemDisk;

/// The environment variable through which a shell's script asks for completions.
const VARIABLE: &str = "ADJUTANT_COMPLETE";

/// The arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant completions fish --install\n  adjutant completions bash > ~/.local/share/bash-completion/completions/adjutant"
)]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
    /// Write the completions to the file where this shell looks for them
    #[arg(long)]
    install: bool,
}

/// The answer to `completions SHELL --install`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct InstalledAnswer {
    /// The file that was written.
    path: String,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let words = script(arguments.shell)?;
    if !arguments.install {
        screen.write(&String::from_utf8_lossy(&words))?;
        return Ok(Code::Done);
    }
    let (path, hint) = place(arguments.shell)?;
    if let Some(folder) = path.parent() {
        files::create_folders(&SystemDisk, folder).map_err(|e| cannot_write(&path, e))?;
    }
    let shown = write_file(&mut own_files(), &path, &words)?;
    let mut text = Text::of(Role::Plain, format!("written: {shown}"));
    text.line(Role::Quiet, hint);
    screen.answer(&text, &InstalledAnswer { path: shown })
}

/// Prints the completions of a line if a script made by [`script`] requests them. Returns true in
/// that case.
pub(super) fn complete() -> clap::error::Result<bool> {
    let here = std::env::current_dir().ok();
    let completer = CompleteEnv::with_factory(Cli::command).var(VARIABLE);
    completer.try_complete(std::env::args_os(), here.as_deref())
}

/// Returns the script that connects a shell to this program. The script gets its completions from
/// the program, because the program knows the sessions and scenarios.
fn script(shell: Shell) -> Result<Vec<u8>, Failed> {
    let name = shell.to_string();
    let shells = Shells::builtins();
    let known = shells.completer(&name);
    let known = known.ok_or_else(|| Failed::Message(format!("{shell} has no completions")))?;
    let mut words = Vec::new();
    known.write_registration(VARIABLE, "adjutant", "adjutant", "adjutant", &mut words)?;
    Ok(words)
}

/// Returns the path of the file where a shell looks for this user's completions, and a sentence
/// about the next step for the user.
fn place(shell: Shell) -> Result<(PathBuf, &'static str), Failed> {
    let base = etcetera::choose_base_strategy()
        .map_err(|e| Failed::Message(format!("there is no home folder: {e}")))?;
    let at_once = "the next shell you open completes `adjutant` with Tab";
    match shell {
        Shell::Bash => Ok((base.data_dir().join("bash-completion/completions/adjutant"), at_once)),
        Shell::Fish => Ok((base.config_dir().join("fish/completions/adjutant.fish"), at_once)),
        Shell::Zsh => Ok((
            base.data_dir().join("zsh/site-functions/_adjutant"),
            "zsh finds the completions if its `fpath` includes that folder: put \
             `fpath+=(~/.local/share/zsh/site-functions)` before `compinit` in ~/.zshrc",
        )),
        _ => Err(Failed::Message(format!(
            "{shell} has no folder for completions\nprint them with `adjutant completions {shell}`, and load them from the shell's profile"
        ))),
    }
}
