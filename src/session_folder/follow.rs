//! Follows a session that another program is playing, by reading the session's journal. Nothing is
//! written.

use std::path::{Path, PathBuf};

use adjutant_engine::session::Session;

use super::error::StoreError;
use super::folder::{JOURNAL_FILE, MAX_JOURNAL_BYTES, disk_refusal, read_session};
use crate::files::PlainFile;

/// A session, and its journal, to which another program may append.
#[derive(Debug)]
pub struct Follower {
    session: Session,
    path: PathBuf,
    /// The journal, which stays open because its folder may be renamed.
    file: PlainFile,
}

impl Follower {
    /// Reads a session in its current state, and opens its journal.
    ///
    /// # Errors
    /// Fails if there is no session in the folder, or it cannot be read, for example because its
    /// journal is damaged.
    pub fn open(folder: &Path) -> Result<Follower, StoreError> {
        let session = read_session(folder)?.session;
        let path = folder.join(JOURNAL_FILE);
        let file = PlainFile::open(&path).map_err(|e| disk_refusal(&path, &e))?;
        Ok(Follower { session, path: folder.to_owned(), file })
    }

    /// Returns the session, as of the last line that was read.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Applies the new complete lines of the journal to the session, and calls `each` after each
    /// line. Returns true if there were any.
    ///
    /// # Errors
    /// Fails if the journal cannot be read, is damaged, or was replaced.
    pub fn catch_up(&mut self, each: impl FnMut(&Session)) -> Result<bool, StoreError> {
        let known = self.session.journal_length();
        let there = self.file.length().map_err(|e| disk_refusal(&self.path, &e))?;
        if there < known || self.file.is_gone().map_err(|e| disk_refusal(&self.path, &e))? {
            return Err(StoreError::Replaced(self.path.display().to_string()));
        }
        if there == known {
            return Ok(false);
        }
        let longest = MAX_JOURNAL_BYTES.saturating_sub(known);
        let added = self.file.read_from(known, longest);
        let mut added = added.map_err(|e| disk_refusal(&self.path, &e))?;
        // A line without its end is still being written.
        let whole = added.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        added.truncate(whole);
        self.session.apply_added_lines(&added.into(), each)?;
        Ok(whole > 0)
    }
}
