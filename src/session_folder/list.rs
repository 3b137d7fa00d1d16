//! Lists the sessions in a folder without opening them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use adjutant_engine::session::{JournalLine, Record, other_form, records_backwards};

use super::error::StoreError;
use super::folder::{JOURNAL_FILE, MAX_JOURNAL_BYTES, disk_refusal, folder_name};
use super::name::{check_session_name, is_plain};
use crate::files::{Disk, DiskError, PlainFile, SystemDisk};

/// The number of bytes that are read first: from the beginning of a journal to find its first line,
/// and from its end to find its last command.
const TAIL_BYTES: u64 = 1 << 16;
/// The maximum number of bytes that are read from the beginning of a journal to find its first
/// line, and from its end to find its last command.
const MAX_BYTES_READ: u64 = 16 << 20;

/// Returns a free name in a folder of sessions: the base with its invalid characters replaced by
/// hyphens, or that name with a number from 2 upwards.
pub fn free_name(root: &Path, base: &str) -> String {
    let base: String = base.chars().take(70).map(|c| if is_plain(c) { c } else { '-' }).collect();
    let base = base.trim_matches(['-', '_', '.']);
    let base = if base.is_empty() { "session" } else { base };
    let numbered = (2..).map(|n| format!("{base}-{n}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    let free =
        |n: &String| check_session_name(n).is_ok() && fs::symlink_metadata(root.join(n)).is_err();
    names.find(free).unwrap_or_else(|| base.to_owned())
}

/// A session in a list of sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionSummary {
    /// The name of the session.
    pub name: String,
    /// The path of the session's folder.
    pub path: PathBuf,
    /// The game that was chosen: the name of a game that comes with the program, or a path.
    pub game: String,
    /// The game's title.
    pub title: String,
    /// The name of the scenario.
    pub scenario: String,
    /// The number of the turn after the last record.
    pub turn: i64,
    /// The time of the first record, in milliseconds since 1970.
    pub began: u64,
    /// The time of the last record, in milliseconds since 1970.
    pub last: u64,
    /// The line of the last command, or that of the undo, redo, amendment or reload after it;
    /// `None` if there is none.
    pub line: Option<String>,
    /// The error, if the session can't be read.
    pub fault: Option<String>,
}

impl SessionSummary {
    /// Returns true if anything was played in the session, or if the session can't be read.
    pub fn is_played(&self) -> bool {
        self.line.is_some() || self.fault.is_some()
    }
}

/// Returns the summaries of all sessions in a folder, the most recently played first. Only the
/// beginning and the end of each journal are read. If the folder does not exist, the list is empty.
pub fn list_sessions(root: &Path) -> Result<Vec<SessionSummary>, StoreError> {
    let entries = match SystemDisk.entries(root) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|e| disk_refusal(root, &e))?,
    };
    let mut found: Vec<SessionSummary> =
        entries.iter().filter(|p| !is_half_made(p)).filter_map(|p| session_summary(p)).collect();
    found.sort_by(|a, b| b.last.cmp(&a.last).then_with(|| a.name.cmp(&b.name)));
    Ok(found)
}

/// Returns true for a folder whose name begins with a dot. Such a folder is still being created.
fn is_half_made(path: &Path) -> bool {
    folder_name(path).starts_with('.')
}

/// Returns a session's summary; `None` if the folder has no journal.
pub fn session_summary(path: &Path) -> Option<SessionSummary> {
    let mut summary = SessionSummary {
        name: folder_name(path),
        path: path.to_owned(),
        ..SessionSummary::default()
    };
    let read = match PlainFile::open(&path.join(JOURNAL_FILE)) {
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return None;
        }
        opened => opened.map_err(Unreadable::from).and_then(|journal| summary.read(journal)),
    };
    summary.fault = read.err().map(|fault| fault.to_string());
    Some(summary)
}

/// The reason why a journal cannot be summarised.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error("its journal cannot be read: {0}")]
    Disk(#[from] DiskError),
    #[error("its journal is in format {0}, which this version of adjutant can't read")]
    Form(u32),
    #[error("its first line cannot be read")]
    First,
    #[error("there is no command near the end of its journal")]
    Last,
}

impl SessionSummary {
    /// Fills in the summary from the first line of the journal, its last record and its last
    /// command. Fails if the first line can't be read, or if there is no command near the end of a
    /// long journal.
    fn read(&mut self, mut journal: PlainFile) -> Result<(), Unreadable> {
        let length = journal.length()?;
        if length > MAX_JOURNAL_BYTES {
            return Err(DiskError::Long(MAX_JOURNAL_BYTES).into());
        }
        let first = first_line(&mut journal, length)?;
        let body = records_backwards(&first).next();
        let Some(JournalLine { at, turn, what: Record::Start(start), .. }) = body else {
            return Err(other_form(&first).map_or(Unreadable::First, Unreadable::Form));
        };
        (self.began, self.last, self.turn) = (at, at, turn);
        self.game.clone_from(&start.game);
        self.title.clone_from(&start.title);
        self.scenario.clone_from(&start.scenario);
        // A single record can be longer than the part that is read first. Therefore, larger and
        // larger parts are read until one contains a line for the list.
        let mut taken = TAIL_BYTES.min(length);
        loop {
            let tail = journal.read_part(length - taken, taken)?;
            let mut bodies = records_backwards(&tail).peekable();
            if let Some(last) = bodies.peek() {
                (self.last, self.turn) = (last.at, last.turn);
            }
            self.line = bodies.find_map(|line| line.what.list_line());
            if self.line.is_some() || taken == length {
                return Ok(());
            }
            if taken >= MAX_BYTES_READ {
                return Err(Unreadable::Last);
            }
            taken = taken.saturating_mul(8).min(MAX_BYTES_READ).min(length);
        }
    }
}

/// Returns the first line of a journal of this length, without its line feed; the whole journal if
/// it has none.
fn first_line(journal: &mut PlainFile, length: u64) -> Result<Vec<u8>, Unreadable> {
    let mut taken = TAIL_BYTES.min(length);
    loop {
        let mut line = journal.read_part(0, taken)?;
        if let Some(end) = line.iter().position(|b| *b == b'\n') {
            line.truncate(end);
            return Ok(line);
        }
        if taken == length {
            return Ok(line);
        }
        if taken >= MAX_BYTES_READ {
            return Err(Unreadable::First);
        }
        taken = taken.saturating_mul(8).min(MAX_BYTES_READ).min(length);
    }
}
