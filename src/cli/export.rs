//! `adjutant export`: a shipped ruleset as a folder to edit, or the table of a session as a scenario.

use std::fs;
use std::path::{Path, PathBuf};

use adjutant_engine::names;
use adjutant_engine::render::markup::{Role, Text};

use crate::cli::output::{Screen, WrittenFiles};
use crate::cli::{Ended, Failed, library, new_file, sessions, shown};
use crate::files::{Disk, SystemDisk};
use crate::shipped;

/// The arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant export blitz my-blitz/\n  adjutant check my-blitz/\n  adjutant export club-night monday.toml\n  adjutant play blitz --scenario monday.toml\n  adjutant export club-night warband.toml red"
)]
pub(super) struct Arguments {
    /// A game that comes with the program, or a saved session
    #[arg(value_name = "GAME|SESSION")]
    from: String,
    /// For a game, a new or empty folder; for a session, a new file whose name ends in .toml
    to: PathBuf,
    /// For a session, save only the pieces of this side
    side: Option<String>,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    if shipped::names().contains(&arguments.from) {
        if arguments.side.is_some() {
            let message =
                "a side can be named only for a session: `adjutant export SESSION FILE SIDE`";
            return Err(Failed::Usage(message.to_owned()));
        }
        return export_ruleset(&arguments.from, &arguments.to, screen);
    }
    export_table(arguments, screen)
}

/// Writes the files of a shipped ruleset to a folder.
fn export_ruleset(game: &str, folder: &Path, screen: &mut Screen) -> Ended {
    let shipped = library::shipped_files(game)?;
    if fs::symlink_metadata(folder).is_ok()
        && !SystemDisk.entries(folder).is_ok_and(|entries| entries.is_empty())
    {
        let message = format!("`{}` already exists: choose a new or empty folder", shown(folder));
        return Err(Failed::Message(message));
    }
    let mut written: Vec<String> = Vec::new();
    for file in &shipped {
        let name = Path::new(&file.name).file_name().unwrap_or_default();
        let within =
            if file.scenario.is_some() { folder.join("scenarios") } else { folder.to_owned() };
        let path = within.join(name);
        written.push(new_file(&path, file.text.as_bytes())?);
    }
    let path = shown(folder);
    let mut text = Text::of(Role::Strong, format!("written: {path}"));
    text.line(
        Role::Plain,
        format!("  adjutant check {path}   find errors, and run the worked examples"),
    );
    text.line(Role::Plain, format!("  adjutant play {path}    play the game"));
    screen.answer(&text, &WrittenFiles { path, files: written })
}

/// Writes the table of a session to a scenario file.
fn export_table(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let to = &arguments.to;
    let session = sessions::look(&arguments.from, screen)?;
    if to.extension().is_none_or(|extension| extension != "toml") {
        let message = format!("`{}`: the name of a scenario file must end in `.toml`", shown(to));
        return Err(Failed::Usage(message));
    }
    let sides = session.referee().sides(session.table());
    let side = match &arguments.side {
        None => None,
        Some(name) => {
            let known = sides.iter().map(|side| (side.as_str(), side));
            let found = names::find(name, known).only();
            Some(found.ok_or_else(|| {
                let listed: Vec<&str> = sides.iter().map(String::as_str).collect();
                let there_is = format!("available: {}", names::quote_names(&listed));
                Failed::Message(names::no_such_name("side", name, listed, &there_is))
            })?)
        }
    };
    let text = session.scenario_text(side.map(String::as_str));
    let path = new_file(to, text.as_bytes())?;
    let mut shown_text = Text::of(Role::Strong, format!("written: {path}"));
    if side.is_none() {
        let words = format!("  adjutant play {} --scenario {path}", session.game());
        shown_text.line(Role::Plain, words);
    }
    screen.answer(&shown_text, &WrittenFiles { path: path.clone(), files: vec![path] })
}
