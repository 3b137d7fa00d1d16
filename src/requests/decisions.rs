//! The file that records which requests the umpire sent back. The console writes it, and the
//! players' screen reads it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::lines::{LineFollower, whole_lines};
use super::queue::open_secret;
use super::{DECISIONS_FILE, MAX_FILE_BYTES};
use crate::files::{DiskFile, Result, SystemDisk};

/// The decision to send a request back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentBack {
    /// The id of the request.
    pub id: String,
    /// The time of the decision, in milliseconds since 1970.
    pub at: u64,
    /// The reason that is shown to the player; it can be empty.
    pub reason: String,
}

/// The file of the requests that were sent back.
#[derive(Clone, Copy, Debug)]
pub struct DecisionLog;

impl DecisionLog {
    /// Stores a decision, and makes it survive a power cut.
    ///
    /// # Errors
    /// Fails if the file isn't a regular file or is too long, or the disk reports an error.
    pub fn append(folder: &Path, decision: &SentBack) -> Result<()> {
        let mut file: Box<dyn DiskFile> = open_secret(&SystemDisk, folder, DECISIONS_FILE)?;
        let bytes = file.read(MAX_FILE_BYTES)?;
        // A partial line doesn't count as a decision.
        let whole = whole_lines(&bytes);
        if whole < bytes.len() {
            file.truncate(whole as u64)?;
        }
        let mut line = serde_json::to_vec(decision).unwrap_or_default();
        line.push(b'\n');
        file.append(&line)?;
        file.sync()
    }

    /// Returns the decisions of the session in a folder, in order. If the file can't be read, the
    /// list is empty.
    pub fn read(folder: &Path) -> Vec<SentBack> {
        LineFollower::of(&folder.join(DECISIONS_FILE)).catch_up()
    }
}

/// A reader that follows the decisions file. It never fails: a file that can't be read counts as
/// having no decisions.
#[derive(Debug)]
pub struct DecisionReader {
    lines: LineFollower<SentBack>,
    by_id: BTreeMap<String, SentBack>,
}

impl DecisionReader {
    /// Returns a reader of the decisions of the session in a folder. It has already read the
    /// existing decisions.
    pub fn of(folder: &Path) -> DecisionReader {
        let lines = LineFollower::of(&folder.join(DECISIONS_FILE));
        let mut reader = DecisionReader { lines, by_id: BTreeMap::new() };
        reader.catch_up();
        reader
    }

    /// Reads the decisions that were added since the last call. Returns true if there were any.
    pub fn catch_up(&mut self) -> bool {
        let before = self.by_id.len();
        for decision in self.lines.catch_up() {
            self.by_id.entry(decision.id.clone()).or_insert(decision);
        }
        self.by_id.len() > before
    }

    /// Returns the decision about the request with this id; `None` if it was not sent back.
    pub fn get(&self, id: &str) -> Option<&SentBack> {
        self.by_id.get(id)
    }
}
