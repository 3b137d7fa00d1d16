//! The file of the requests: written by the players' screen, read by the console.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{MAX_FILE_BYTES, REQUESTS_FILE, Request};
use crate::files::{Disk, DiskError, DiskFile, PlainFile, SystemDisk};

/// The maximum number of requests of one player. A game of four hours needs a few dozen.
const MAX_OF_PLAYER: usize = 2_000;

/// The reason why a request is not kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// There is another request with this id.
    #[error("another request has this id")]
    OtherContent,
    /// The player has sent too many, or the file is full.
    #[error("no more requests are accepted this evening")]
    Full,
    /// The disk refuses.
    #[error("the request could not be stored: {0}")]
    Disk(#[from] DiskError),
}

/// The requests of a session, and the file to which new ones are appended.
#[derive(Debug)]
pub struct RequestQueue {
    file: Box<dyn DiskFile>,
    length: u64,
    known: BTreeMap<String, Request>,
}

impl RequestQueue {
    /// Opens the requests of the session in a folder. A last line that was written only in part is
    /// removed: nobody was told that it was stored.
    ///
    /// # Errors
    /// Fails if the disk refuses.
    pub fn open(folder: &Path) -> Result<RequestQueue, QueueError> {
        RequestQueue::open_on(&SystemDisk, folder)
    }

    /// Opens the requests on a disk.
    ///
    /// # Errors
    /// Fails if the disk refuses.
    pub fn open_on(disk: &dyn Disk, folder: &Path) -> Result<RequestQueue, QueueError> {
        let path = folder.join(REQUESTS_FILE);
        if disk.kind(&path)?.is_none() {
            disk.create(&path, true)?;
            disk.sync_folder(folder)?;
        }
        let mut file = disk.open(&path)?;
        let bytes = file.read(MAX_FILE_BYTES)?;
        let whole = whole_lines(&bytes);
        if whole < bytes.len() {
            file.truncate(whole as u64)?;
            file.sync()?;
        }
        let requests = parse(&bytes[..whole]);
        let known = requests.into_iter().map(|request| (request.id.clone(), request)).collect();
        Ok(RequestQueue { file, length: whole as u64, known })
    }

    /// Stores a request, so that it survives a power cut. A request that was stored before, which a
    /// phone sends again if it lost the answer, is not stored again.
    ///
    /// # Errors
    /// Fails if another request has this id, there are too many, or the disk refuses. Then nothing
    /// was stored.
    pub fn add(&mut self, request: Request) -> Result<(), QueueError> {
        if let Some(known) = self.known.get(&request.id) {
            let is_same = (&known.player, &known.kind) == (&request.player, &request.kind);
            return if is_same { Ok(()) } else { Err(QueueError::OtherContent) };
        }
        let of_player = self.known.values().filter(|known| known.player == request.player).count();
        let mut line = serde_json::to_vec(&request).map_err(|e| io_error(io::Error::other(e)))?;
        line.push(b'\n');
        if of_player >= MAX_OF_PLAYER || self.length + line.len() as u64 > MAX_FILE_BYTES {
            return Err(QueueError::Full);
        }
        if let Err(error) = self.file.append(&line).and_then(|()| self.file.sync()) {
            // What was written in part must not be the beginning of the next line.
            self.file.truncate(self.length)?;
            return Err(error.into());
        }
        self.length += line.len() as u64;
        self.known.insert(request.id.clone(), request);
        Ok(())
    }

    /// Returns the requests of a player, the oldest first.
    pub fn of_player(&self, player: &str) -> Vec<&Request> {
        let own = self.known.values().filter(|request| request.player == player);
        let mut own: Vec<&Request> = own.collect();
        own.sort_by(|one, other| (one.at, &one.id).cmp(&(other.at, &other.id)));
        own
    }
}

fn io_error(error: io::Error) -> QueueError {
    QueueError::Disk(error.into())
}

/// Follows the file of the requests. It never fails: a file that cannot be read has no requests.
#[derive(Debug)]
pub struct RequestReader {
    path: PathBuf,
    /// The number of bytes that were read.
    read: u64,
}

impl RequestReader {
    /// Returns a reader of the requests of the session in a folder, from the first.
    pub fn of(folder: &Path) -> RequestReader {
        RequestReader { path: folder.join(REQUESTS_FILE), read: 0 }
    }

    /// Returns the requests that have arrived since the last time. A line without its end is still
    /// being written.
    pub fn catch_up(&mut self) -> Vec<Request> {
        let Ok(mut file) = PlainFile::open(&self.path) else { return Vec::new() };
        let Ok(length) = file.length() else { return Vec::new() };
        if length == self.read {
            return Vec::new();
        }
        if length < self.read {
            // Only what was never whole is removed.
            self.read = 0;
        }
        let Ok(bytes) = file.read_from(self.read, MAX_FILE_BYTES) else { return Vec::new() };
        let whole = whole_lines(&bytes);
        self.read += whole as u64;
        parse(&bytes[..whole])
    }
}

/// Returns the number of bytes up to the end of the last whole line.
pub(super) fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

/// Returns the requests of these lines. What is no request is left out.
fn parse(lines: &[u8]) -> Vec<Request> {
    let lines = lines.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}
