//! `adjutant completions`: the completions of a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use super::screen::Screen;
use super::{Cli, Code, Ended};

/// The arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant completions bash > ~/.local/share/bash-completion/completions/adjutant\n  adjutant completions fish > ~/.config/fish/completions/adjutant.fish"
)]
pub(super) struct Arguments {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let mut words = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "adjutant", &mut words);
    screen.write(&String::from_utf8_lossy(&words))?;
    Ok(Code::Done)
}
