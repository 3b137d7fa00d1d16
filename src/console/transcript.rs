//! The transcript next to the journal, written during play.

use std::path::{Path, PathBuf};

use adjutant_engine::render::markup::{Role, Text};
use adjutant_engine::render::transcript::{RunningTranscript, TranscriptUpdate};
use adjutant_engine::session::{Session, WalkError};

use crate::files::{self, Disk, DiskError, SystemDisk};
use crate::session_folder::TRANSCRIPT_FILE;

/// The maximum size of a transcript that is continued, in bytes. A longer one is rewritten from the
/// beginning.
const MAX_TRANSCRIPT: u64 = 256 << 20;

/// The transcript in the folder of a session.
#[derive(Debug, Default)]
pub(super) struct TranscriptFile {
    running: RunningTranscript,
    /// The folder of the session; `None` before the first update.
    folder: Option<PathBuf>,
    /// True if the last update could not be written. The umpire has then been warned.
    failed: bool,
}

impl TranscriptFile {
    /// Updates the file in the folder of a session. If this fails, returns a notice, but not again
    /// while it keeps failing. An error does not stop the game, because the game itself is stored
    /// in the journal.
    pub(super) fn update(&mut self, session: &Session, folder: &Path) -> Option<Text> {
        let path = folder.join(TRANSCRIPT_FILE);
        // If the folder was renamed, the file moved with it.
        if self.folder.as_deref() != Some(folder) {
            // A resumed session continues its file; if there is none, everything is written.
            let resumed = match (&self.folder, read_transcript(&path)) {
                (Some(_), Some(_)) => None,
                (None, Some(written)) => RunningTranscript::resume(session, &written).ok(),
                (_, None) => Some(RunningTranscript::default()),
            };
            self.running = resumed.unwrap_or_else(|| std::mem::take(&mut self.running));
            self.folder = Some(folder.to_owned());
        }
        let written = match self.running.update(session) {
            Ok(TranscriptUpdate::Nothing) => return None,
            Ok(TranscriptUpdate::Add(words)) => append(&path, &words),
            Ok(TranscriptUpdate::All(words)) => replace_secret(&path, &words),
            Err(error) => Err(error.into()),
        };
        let failed_before = std::mem::replace(&mut self.failed, written.is_err());
        let error = written.err()?;
        self.running = RunningTranscript::default();
        if failed_before {
            return None;
        }
        let words = format!(
            "the transcript `{}` cannot be written: {error}; the game itself is saved",
            path.display()
        );
        Some(Text::of(Role::Notice, words))
    }
}

/// The reason why a transcript cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum TranscriptError {
    /// The disk reported an error.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The game cannot be replayed.
    #[error(transparent)]
    Walk(#[from] WalkError),
}

/// Returns the existing transcript; `None` if there is none, or the file can't be read, is too long
/// or isn't UTF-8.
fn read_transcript(path: &Path) -> Option<String> {
    let bytes = SystemDisk.read(path, MAX_TRANSCRIPT).ok()?;
    String::from_utf8(bytes).ok()
}

fn append(path: &Path, words: &str) -> Result<(), TranscriptError> {
    let mut file = SystemDisk.open(path)?;
    // The transcript contains every side's secrets, and earlier versions of the program let
    // everyone read it.
    file.restrict()?;
    Ok(file.append(words.as_bytes())?)
}

fn replace_secret(path: &Path, words: &str) -> Result<(), TranscriptError> {
    Ok(files::replace_secret(&SystemDisk, path, words.as_bytes())?)
}
