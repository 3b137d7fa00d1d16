//! Transcripts written as play goes on: the one beside the journal, and those that `log FILE` asks for.

use std::path::{Path, PathBuf};

use adjutant_engine::referee::Viewer;
use adjutant_engine::render::markup::{Role, Text};
use adjutant_engine::render::transcript::{Format, Running, Update, transcript};
use adjutant_engine::session::{Session, WalkError};

use super::play::Play;
use crate::files::{self, Disk, DiskError, SystemDisk};
use crate::session_folder::TRANSCRIPT;

/// The most bytes of a transcript that is gone on with; a longer one is written again.
const MAX_TRANSCRIPT: u64 = 256 << 20;

/// The transcript in the folder of a session.
#[derive(Debug, Default)]
pub(super) struct TranscriptFile {
    running: Running,
    /// The folder it is in.
    folder: Option<PathBuf>,
    /// True if it could not be written and the umpire was told.
    failed: bool,
}

/// A transcript that the umpire asked for.
#[derive(Debug)]
pub(super) struct TranscriptLog {
    path: PathBuf,
    format: Format,
    /// Who may read it.
    viewer: Viewer,
    /// The number of happenings in it.
    length: usize,
}

impl TranscriptLog {
    /// Returns a log in the format that the name of its file ends in; plain text without one.
    pub(crate) fn new(path: &str, viewer: Viewer) -> TranscriptLog {
        let path = PathBuf::from(path);
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let format = Format::of_ending(ending);
        TranscriptLog { path, format, viewer, length: 0 }
    }

    /// Returns the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the game so far.
    pub(crate) fn write(&mut self, session: &Session) -> Result<(), TranscriptError> {
        self.length = session.log().len();
        replace(&self.path, &transcript(session, self.format, &self.viewer)?)
    }
}

impl Play {
    /// Brings the transcript's file up to date. An error is reported once and is no reason to stop: the game itself is
    /// in the journal.
    pub(super) fn transcribe(&mut self) {
        let Some(folder) = self.session.folder().map(Path::to_owned) else { return };
        let file = &mut self.transcript;
        let path = folder.join(TRANSCRIPT);
        // A folder that got another name took the file with it.
        if file.folder.as_ref() != Some(&folder) {
            // One that was resumed goes on in its file; without one, all is written.
            let resumed = match (&file.folder, written(&path)) {
                (Some(_), Some(_)) => None,
                (None, Some(written)) => Running::resumed(&self.session, &written).ok(),
                (_, None) => Some(Running::default()),
            };
            file.running = resumed.unwrap_or_else(|| std::mem::take(&mut file.running));
            file.folder = Some(folder);
        }
        let written = match file.running.update(&self.session) {
            Ok(Update::Nothing) => return,
            Ok(Update::Add(words)) => add(&path, &words),
            Ok(Update::All(words)) => replace_secret(&path, &words),
            Err(error) => Err(error.into()),
        };
        let failed_before = std::mem::replace(&mut file.failed, written.is_err());
        if let Err(error) = written {
            file.running = Running::default();
            if !failed_before {
                self.notice = Some(unwritten(&path, &error));
            }
        }
    }

    /// Brings the transcripts that the umpire asked for up to date, and gives up any that cannot be written.
    pub(super) fn write_logs(&mut self) {
        let (session, notice) = (&self.session, &mut self.notice);
        self.logs.retain_mut(|log| {
            if log.length == session.log().len() {
                return true;
            }
            let written = log.write(session);
            if let Err(error) = &written {
                *notice = Some(unwritten(&log.path, error));
            }
            written.is_ok()
        });
    }
}

/// Why a transcript cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum TranscriptError {
    /// The disk refuses.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The game cannot be walked through.
    #[error(transparent)]
    Walk(#[from] WalkError),
}

fn unwritten(path: &Path, error: &TranscriptError) -> Text {
    let path = path.display();
    let words =
        format!("the transcript `{path}` cannot be written: {error}; the game itself is kept");
    Text::of(Role::Notice, words)
}

/// Returns the transcript that is there; none if there is none, or it cannot be one.
fn written(path: &Path) -> Option<String> {
    let bytes = SystemDisk.read(path, MAX_TRANSCRIPT).ok()?;
    String::from_utf8(bytes).ok()
}

fn add(path: &Path, words: &str) -> Result<(), TranscriptError> {
    let mut file = SystemDisk.open(path)?;
    // It holds every side's secrets; earlier programs let all read it.
    file.restrict()?;
    Ok(file.append(words.as_bytes())?)
}

fn replace_secret(path: &Path, words: &str) -> Result<(), TranscriptError> {
    Ok(files::replace_secret(&SystemDisk, path, words.as_bytes())?)
}

fn replace(path: &Path, words: &str) -> Result<(), TranscriptError> {
    Ok(files::replace(&SystemDisk, path, words.as_bytes())?)
}
