//! The file of the requests that the umpire sent back: written by the console, read by the players'
//! screen.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::queue::whole_lines;
use super::{DECISIONS_FILE, MAX_FILE_BYTES};
use crate::files::{Disk, Result, SystemDisk};

/// The decision to send a request back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentBack {
    /// The id of the request.
    pub id: String,
    /// The time of the decision, in milliseconds since 1970.
    pub at: u64,
    /// The reason, for the player; it can be empty.
    pub reason: String,
}

/// The requests that were sent back.
#[derive(Clone, Copy, Debug)]
pub struct DecisionLog;

impl DecisionLog {
    /// Stores a decision, so that it survives a power cut.
    ///
    /// # Errors
    /// Fails if the disk refuses.
    pub fn append(folder: &Path, decision: &SentBack) -> Result<()> {
        let disk = SystemDisk;
        let path = folder.join(DECISIONS_FILE);
        if disk.kind(&path)?.is_none() {
            disk.create(&path, true)?;
            disk.sync_folder(folder)?;
        }
        let mut file = disk.open(&path)?;
        let bytes = file.read(MAX_FILE_BYTES)?;
        // A line that was written only in part was no decision.
        let whole = whole_lines(&bytes);
        if whole < bytes.len() {
            file.truncate(whole as u64)?;
        }
        let mut line = serde_json::to_vec(decision).unwrap_or_default();
        line.push(b'\n');
        file.append(&line)?;
        file.sync()
    }

    /// Returns the decisions of the session in a folder, in order; none if they can't be read.
    pub fn read(folder: &Path) -> Vec<SentBack> {
        let bytes = SystemDisk.read(&folder.join(DECISIONS_FILE), MAX_FILE_BYTES);
        let bytes = bytes.unwrap_or_default();
        let lines = bytes[..whole_lines(&bytes)].split(|byte| *byte == b'\n');
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }
}
