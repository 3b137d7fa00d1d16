//! `adjutant man`: the manual pages. There is one for the program, one for each subcommand, and one
//! for the prompt.

use std::path::PathBuf;

use adjutant_engine::console;
use adjutant_engine::render::markup::{Role, Text};
use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::output::{Screen, WrittenFiles};
use crate::cli::{
    Cli, Ended, Failed, cannot_write, check_not_foreign, own_files, shown, write_file,
};
use crate::files;
use crate::files::SystemDisk;

/// The arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant man ~/.local/share/man/man1\n  man adjutant-play\n  man adjutant-prompt"
)]
pub(super) struct Arguments {
    /// The folder to write to, such as ~/.local/share/man/man1
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let mut pages = Vec::new();
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let mut page = |command: clap::Command| -> std::io::Result<()> {
        let man = Man::new(command);
        let mut text = Vec::new();
        man.render(&mut text)?;
        pages.push((man.get_filename(), text));
        Ok(())
    };
    page(root.clone())?;
    root.get_subcommands().filter(|s| !s.is_hide_set()).cloned().try_for_each(page)?;
    pages.push(("adjutant-prompt.1".to_owned(), prompt().to_roff().into_bytes()));
    let folder = &arguments.folder;
    files::create_folders(&SystemDisk, folder).map_err(|e| cannot_write(folder, e))?;
    let mut own = own_files();
    // All files are checked first, so that either all of them are written or none.
    for (name, _) in &pages {
        check_not_foreign(&own, &folder.join(name))?;
    }
    let written = pages.iter().map(|(name, text)| write_file(&mut own, &folder.join(name), text));
    let written = written.collect::<Result<Vec<String>, Failed>>()?;
    let folder = shown(folder);
    let words = format!("{} manual pages written to {folder}", written.len());
    screen.answer(&Text::of(Role::Plain, words), &WrittenFiles { path: folder, files: written })
}

/// Returns the manual page of the prompt, with every word that can be typed in a game.
fn prompt() -> Roff {
    let mut page = Roff::new();
    page.control("TH", ["adjutant-prompt", "1"]);
    page.control("SH", ["NAME"]);
    page.text([roman("adjutant-prompt - what can be typed in a game")]);
    page.control("SH", ["DESCRIPTION"]);
    page.text([roman(
        "A line begins with a verb of the game or with one of the words below. Words may be shortened as long as they \
         are unambiguous, and Tab completes them. `help` lists the verbs of the game, and `help WORD` explains one.",
    )]);
    page.control("SH", ["WORDS"]);
    for (usage, help, sample) in console::words() {
        page.control("TP", []);
        page.text([bold(usage)]);
        page.text([roman(help)]);
        for line in sample {
            page.control("IP", []);
            page.text([roman(*line)]);
        }
    }
    page.control("SH", ["SEE ALSO"]);
    page.text([bold("adjutant-play"), roman("(1)")]);
    page
}
