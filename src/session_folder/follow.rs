//! A session that another program plays, followed by its journal. Nothing is written.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use adjutant_engine::session::{Session, StoreError};

use super::folder::{JOURNAL, look, refused};

/// A session, and the journal that says how it goes on.
#[derive(Debug)]
pub struct Follower {
    session: Session,
    path: PathBuf,
    /// Open since the beginning: the folder may get another name.
    file: File,
}

impl Follower {
    /// Reads a session as far as it is played.
    ///
    /// # Errors
    /// If there is no session in the folder, or its journal cannot be trusted.
    pub fn open(folder: &Path) -> Result<Follower, StoreError> {
        let session = look(folder)?.session;
        let path = folder.join(JOURNAL);
        let file = File::open(&path).map_err(|e| refused(&path, &e.into()))?;
        Ok(Follower { session, path: folder.to_owned(), file })
    }

    /// Returns the session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Takes in what was written since, calling `each` after each thing that happened. Returns true if there was any.
    ///
    /// # Errors
    /// If the journal cannot be read, or is no longer the one it was.
    pub fn catch_up(&mut self, each: impl FnMut(&Session)) -> Result<bool, StoreError> {
        let failed = |path: &Path, error: std::io::Error| refused(path, &error.into());
        let known = self.session.journal_length();
        let there = self.file.metadata().map_err(|e| failed(&self.path, e))?;
        if there.len() < known || is_gone(&there) {
            return Err(StoreError::Replaced(self.path.display().to_string()));
        }
        if there.len() == known {
            return Ok(false);
        }
        let mut added = Vec::new();
        self.file.seek(SeekFrom::Start(known)).map_err(|e| failed(&self.path, e))?;
        self.file.read_to_end(&mut added).map_err(|e| failed(&self.path, e))?;
        // A line without its end is still being written.
        let whole = added.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        added.truncate(whole);
        self.session.take_lines(&added.into(), each)?;
        Ok(whole > 0)
    }
}

/// Returns true if an open file was removed, or another put in its place.
#[cfg(unix)]
fn is_gone(open: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(open) == 0
}

/// Other systems keep a file that is open.
#[cfg(not(unix))]
fn is_gone(_: &Metadata) -> bool {
    false
}
