//! `adjutant export`: a shipped ruleset as a folder to edit.

use std::fs;
use std::path::{Path, PathBuf};

use adjutant_engine::render::markup::{Role, Text};

use crate::cli::output::{Screen, WrittenFiles};
use crate::cli::{Ended, Failed, library, new_file, shown};
use crate::files::{Disk, SystemDisk};

/// The arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  adjutant export blitz my-blitz/\n  adjutant check my-blitz/")]
pub(super) struct Arguments {
    /// A shipped game
    game: String,
    /// A folder; nothing may be in it yet
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let shipped = library::shipped_files(&arguments.game)?;
    let folder = &arguments.folder;
    if fs::symlink_metadata(folder).is_ok()
        && !SystemDisk.entries(folder).is_ok_and(|entries| entries.is_empty())
    {
        let message = format!("`{}` is there already: name another folder", shown(folder));
        return Err(Failed::Message(message));
    }
    let mut written: Vec<String> = Vec::new();
    for file in &shipped {
        let name = Path::new(&file.name).file_name().unwrap_or_default();
        let within =
            if file.scenario.is_some() { folder.join("scenarios") } else { folder.clone() };
        let path = within.join(name);
        written.push(new_file(&path, file.text.as_bytes())?);
    }
    let path = shown(folder);
    let mut text = Text::of(Role::Strong, format!("written: {path}"));
    text.line(Role::Plain, format!("  adjutant check {path}   every fault and worked example"));
    text.line(Role::Plain, format!("  adjutant play {path}    play it"));
    screen.answer(&text, &WrittenFiles { path, files: written })
}
