//! The requests file: written by the players' screen, read by the console.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::lines::{LineFollower, parse, whole_lines};
use super::{DECISIONS_FILE, MAX_FILE_BYTES, REQUESTS_FILE, REQUESTS_LOCK_FILE, Request};
use crate::files::{self, Disk, DiskError, DiskFile, LockResult, SystemDisk};

/// The maximum number of requests from one player. A game of four hours needs a few dozen.
const MAX_OF_PLAYER: usize = 2_000;
/// The maximum size of one player's requests, in bytes. A player who sends as much as possible
/// still leaves room for fifteen others.
const MAX_BYTES_OF_PLAYER: u64 = MAX_FILE_BYTES / 16;

/// The reason why a request is not stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// Another request has this id.
    #[error("another request has this id")]
    OtherContent,
    /// Another screen is taking the requests of this session.
    #[error("another screen is taking the requests of this session; close it first")]
    Busy,
    /// The player has sent too many requests, or the file is full.
    #[error("no more requests are accepted this evening")]
    Full,
    /// The disk reported an error.
    #[error("the request could not be stored: {0}")]
    Disk(#[from] DiskError),
}

/// The exclusive right to receive the requests of a session. A second process would not know which
/// ids the first one has stored.
#[derive(Debug)]
pub struct QueueLock {
    /// A separate file, because on some systems no other process can read a locked file.
    _file: Box<dyn DiskFile>,
}

impl QueueLock {
    /// Takes the lock of the session in a folder, until the result is dropped. On a disk that does
    /// not support locks, every process gets it.
    ///
    /// # Errors
    /// Fails if another process holds the lock, or the disk reports an error.
    pub fn take(folder: &Path) -> Result<QueueLock, QueueError> {
        let mut file = open_secret(&SystemDisk, folder, REQUESTS_LOCK_FILE)?;
        match file.lock()? {
            LockResult::Busy => Err(QueueError::Busy),
            LockResult::Held | LockResult::Unknown => Ok(QueueLock { _file: file }),
        }
    }
}

/// The requests of a session, and the file to which new ones are appended.
#[derive(Debug)]
pub struct RequestQueue {
    path: PathBuf,
    file: Box<dyn DiskFile>,
    length: u64,
    /// True if the file may end with a partial line.
    is_torn: bool,
    /// The requests by id, the oldest first.
    known: IndexMap<String, Request>,
    /// The share of the file that each player has used.
    used: BTreeMap<String, UsedPart>,
}

/// The share of the file that a player has used: the number of requests, and their size in bytes.
#[derive(Clone, Copy, Debug, Default)]
struct UsedPart {
    requests: usize,
    bytes: u64,
}

impl UsedPart {
    /// Returns the share that will have been used after one more request.
    fn with(self, line: &[u8]) -> UsedPart {
        UsedPart { requests: self.requests + 1, bytes: self.bytes + line.len() as u64 }
    }
}

impl RequestQueue {
    /// Opens the requests of the session in a folder, and creates the file of the decisions if it
    /// is missing. A partial last line is removed: no page has been told that the request in it was
    /// stored.
    ///
    /// # Errors
    /// Fails if one of the files isn't a regular file or is too long, or the disk reports an error.
    pub fn open(folder: &Path) -> Result<RequestQueue, QueueError> {
        RequestQueue::open_on(&SystemDisk, folder)
    }

    /// Like [`RequestQueue::open`], on another disk.
    ///
    /// # Errors
    /// Fails as [`RequestQueue::open`] does.
    pub fn open_on(disk: &dyn Disk, folder: &Path) -> Result<RequestQueue, QueueError> {
        let path = folder.join(REQUESTS_FILE);
        let mut file = open_secret(disk, folder, REQUESTS_FILE)?;
        // Readers of the decisions must open this file before the folder is renamed, so it is
        // created now.
        drop(open_secret(disk, folder, DECISIONS_FILE)?);
        let bytes = file.read(MAX_FILE_BYTES)?;
        let whole = whole_lines(&bytes);
        if whole < bytes.len() {
            file.truncate(whole as u64)?;
            file.sync()?;
        }
        let mut queue = RequestQueue {
            path,
            file,
            length: whole as u64,
            is_torn: false,
            known: IndexMap::new(),
            used: BTreeMap::new(),
        };
        for request in parse::<Request>(&bytes[..whole]) {
            let used = queue.used_with(&request.player, &line_of(&request)?);
            queue.remember(request, used);
        }
        Ok(queue)
    }

    /// Stores a request, and makes it survive a power cut. If a phone doesn't get the answer, it
    /// sends the request again. Such a request is not stored twice.
    ///
    /// # Errors
    /// Fails if another request has this id, there are too many requests, or the disk reports an
    /// error. After a disk error, the request may be in the file all the same; it can be sent
    /// again.
    pub fn add(&mut self, request: Request) -> Result<(), QueueError> {
        if let Some(known) = self.known.get(&request.id) {
            let is_same = (&known.player, &known.kind) == (&request.player, &request.kind);
            return if is_same { Ok(()) } else { Err(QueueError::OtherContent) };
        }
        let line = line_of(&request)?;
        let length = line.len() as u64;
        let used = self.used_with(&request.player, &line);
        if used.requests > MAX_OF_PLAYER
            || used.bytes > MAX_BYTES_OF_PLAYER
            || self.length + length >= MAX_FILE_BYTES
        {
            return Err(QueueError::Full);
        }
        if let Err(error) = self.append(&line) {
            // The line may be in the file in spite of the error, and the console may have read it.
            // So the file is never truncated. The next request begins on a new line.
            self.is_torn = true;
            let there = self.file.length_at(&self.path).ok().flatten();
            self.length = there.unwrap_or(self.length + length);
            return Err(error.into());
        }
        self.remember(request, used);
        Ok(())
    }

    /// Returns the share of the file that a player will have used after one more line.
    fn used_with(&self, player: &str, line: &[u8]) -> UsedPart {
        self.used.get(player).copied().unwrap_or_default().with(line)
    }

    /// Adds a stored request to the known requests.
    fn remember(&mut self, request: Request, used: UsedPart) {
        self.used.insert(request.player.clone(), used);
        self.known.entry(request.id.clone()).or_insert(request);
    }

    /// Appends a line. If the file may end with a partial line, ends that line first.
    fn append(&mut self, line: &[u8]) -> files::Result<()> {
        if self.is_torn {
            self.file.append(b"\n")?;
            self.length += 1;
            self.is_torn = false;
        }
        self.file.append(line)?;
        self.file.sync()?;
        self.length += line.len() as u64;
        Ok(())
    }

    /// Returns the stored request with this id; `None` if there is none.
    pub fn get(&self, id: &str) -> Option<&Request> {
        self.known.get(id)
    }

    /// Returns a player's requests, the oldest first.
    pub fn of_player(&self, player: &str) -> impl DoubleEndedIterator<Item = &Request> {
        self.known.values().filter(move |request| request.player == player)
    }
}

/// Opens a file in a folder, and creates the file if it is missing. Only its owner can read it.
pub(super) fn open_secret(
    disk: &dyn Disk,
    folder: &Path,
    name: &str,
) -> files::Result<Box<dyn DiskFile>> {
    let path = folder.join(name);
    if disk.kind(&path)?.is_none() {
        drop(disk.create(&path, true)?);
        disk.sync_folder(folder)?;
    }
    let mut file = disk.open(&path)?;
    file.restrict()?;
    Ok(file)
}

/// Returns a request as a line of the file.
fn line_of(request: &Request) -> Result<Vec<u8>, QueueError> {
    let mut line = serde_json::to_vec(request).map_err(|e| DiskError::from(io::Error::other(e)))?;
    line.push(b'\n');
    Ok(line)
}

/// A reader that follows the requests file. It never fails: a file that can't be read counts as
/// having no requests.
#[derive(Debug)]
pub struct RequestReader(LineFollower<Request>);

impl RequestReader {
    /// Returns a reader that starts with the first request of the session in a folder.
    pub fn of(folder: &Path) -> RequestReader {
        RequestReader(LineFollower::of(&folder.join(REQUESTS_FILE)))
    }

    /// Returns the requests that have arrived since the last call. If the disk failed or the file
    /// was replaced in between, requests may appear twice.
    pub fn catch_up(&mut self) -> Vec<Request> {
        self.0.catch_up()
    }
}
