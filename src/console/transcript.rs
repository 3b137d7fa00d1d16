//! The transcript beside the journal, for players to read: written as play goes on.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::play::Play;
use crate::render::markup::{Role, Text};
use crate::render::transcript::running::{Running, Update};

/// What it is called in the folder of a session.
const FILE: &str = "transcript.md";

/// The file of a transcript.
#[derive(Debug, Default)]
pub(super) struct TranscriptFile {
    running: Running,
    /// The folder it is in.
    folder: Option<PathBuf>,
    /// It could not be written, and that was told.
    failed: bool,
}

impl Play {
    /// Brings the transcript's file up to date. What goes wrong with it is told once and is no reason to stop:
    /// the game itself is in the journal.
    pub(super) fn transcribe(&mut self) -> Option<Text> {
        let folder = self.session.folder()?.to_owned();
        let file = &mut self.transcript;
        let path = folder.join(FILE);
        // A folder that got another name took the file with it.
        if file.folder.as_ref() != Some(&folder) {
            if file.folder.is_none() || !path.is_file() {
                file.running.forget();
            }
            file.folder = Some(folder);
        }
        let written = match file.running.update(&self.session, &self.game) {
            Update::Nothing => return None,
            Update::Add(words) => add(&path, &words),
            Update::All(words) => replace(&path, &words),
        };
        match written {
            Ok(()) => {
                file.failed = false;
                None
            }
            Err(error) => {
                file.running.forget();
                if std::mem::replace(&mut file.failed, true) {
                    return None;
                }
                let words = format!(
                    "the transcript `{}` cannot be written: {error}; the game itself is kept",
                    path.display()
                );
                Some(Text::of(Role::Notice, words))
            }
        }
    }
}

fn add(path: &Path, words: &str) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(words.as_bytes())
}

/// Whoever reads the file sees all of the old or all of the new.
fn replace(path: &Path, words: &str) -> io::Result<()> {
    let new = path.with_extension("md.new");
    fs::write(&new, words).and_then(|()| fs::rename(&new, path)).inspect_err(|_| {
        let _ = fs::remove_file(&new);
    })
}
