//! A session's folder on disk. Nothing else of a session touches the disk.
//!
//! ```text
//! journal.jsonl     one record a line, only ever added to
//! transcript.md     the transcript, written by the console as play goes on
//! ruleset/          the ruleset and scenarios as they were at the start
//! lock              held by the console that plays the session
//! ```

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::journal::{self, Damage};
use super::record::{Body, FileRecord, Record};
use super::seal::sha256;
use crate::ruleset::{FileText, MAX_FILE};

const JOURNAL: &str = "journal.jsonl";
const RULESET: &str = "ruleset";
const LOCK: &str = "lock";
/// So many characters of a reason are shown.
const REASON: usize = 300;
/// How far from the end of a journal its last record is looked for.
const TAIL: u64 = 1 << 20;

/// Why a session could not be kept or read. Messages are for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The name cannot be that of a folder.
    #[error(
        "`{0}` cannot be the name of a session: letters, digits, `-`, `_` and `.`, a letter or digit first"
    )]
    Name(String),
    /// There is a session of that name.
    #[error("there is a session `{0}` already; take another name")]
    Exists(String),
    /// There is none.
    #[error("there is no session `{0}`")]
    Missing(String),
    /// Another console plays it.
    #[error("another console plays the session `{0}`; close it first")]
    Busy(String),
    /// The folder or the journal is gone.
    #[error("the folder `{0}` has vanished; nothing more is kept there")]
    Vanished(String),
    /// Somebody else wrote to the journal.
    #[error("`{0}` was changed by another program; nothing more is written to it")]
    Changed(String),
    /// The disk is full.
    #[error("the disk is full: `{0}` could not be written")]
    Full(String),
    /// Writing is not allowed.
    #[error("`{0}` cannot be written: it is read-only")]
    ReadOnly(String),
    /// Anything else the system refuses.
    #[error("`{path}`: {reason}")]
    Io {
        /// Which file or folder.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A line of the journal cannot be trusted.
    #[error(
        "line {} of `{path}` is damaged: {}; {} before it can be recovered",
        damage.line, shortened(&damage.reason), before(damage.line, *commands)
    )]
    Damaged {
        /// The journal.
        path: String,
        /// Which line, and why.
        damage: Damage,
        /// How many commands stand in the lines before it.
        commands: usize,
    },
    /// The journal holds no beginning.
    #[error("`{0}` holds no session: not even its first line was written")]
    Empty(String),
    /// A copy of the ruleset is not as it was.
    #[error("`{0}` is not as it was when the session began; put the old file back")]
    Ruleset(String),
    /// The ruleset of the session is refused by this program.
    #[error("the ruleset of this session no longer loads: {0}")]
    Refused(String),
}

/// What stands before a damaged line.
fn before(line: usize, commands: usize) -> String {
    match (line, commands) {
        (1, _) => "nothing".to_owned(),
        (_, 1) => "the 1 command".to_owned(),
        (_, n) => format!("the {n} commands"),
    }
}

/// A reason that may name anything that stands in a file, at a length for people.
fn shortened(reason: &str) -> String {
    match reason.char_indices().nth(REASON) {
        Some((end, _)) => format!("{}…", reason.get(..end).unwrap_or_default()),
        None => reason.to_owned(),
    }
}

impl StoreError {
    /// What the system's error means for this path.
    fn of(path: &Path, error: &io::Error) -> StoreError {
        let shown = path.display().to_string();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full(shown),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly(shown)
            }
            io::ErrorKind::NotFound => StoreError::Vanished(shown),
            _ => StoreError::Io { path: shown, reason: error.to_string() },
        }
    }

    /// Whether play could go on in memory, with nothing kept.
    pub fn can_go_on(&self) -> bool {
        matches!(
            self,
            StoreError::Vanished(_)
                | StoreError::Changed(_)
                | StoreError::Full(_)
                | StoreError::ReadOnly(_)
                | StoreError::Io { .. }
        )
    }
}

/// Where the lines of a journal are kept.
pub trait Keep: fmt::Debug + Send {
    /// Adds a line. When this returns without error, the line outlasts a power cut.
    fn append(&mut self, line: &[u8]) -> Result<(), StoreError>;
    /// The folder, for messages.
    fn path(&self) -> &Path;
    /// Moves everything to another folder that is not there yet.
    fn rename(&mut self, to: &Path) -> Result<(), StoreError>;
}

/// Whether a folder may be called so.
pub fn check_session_name(name: &str) -> Result<(), StoreError> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let first = name.chars().next().is_some_and(char::is_alphanumeric);
    if first && name.chars().all(fits) && name.chars().count() <= 80 {
        return Ok(());
    }
    let shown: String = name.chars().take(80).flat_map(char::escape_default).collect();
    Err(StoreError::Name(shown))
}

/// A name that is free in the folder of sessions: the base, or the base with a number.
pub fn free_name(root: &Path, base: &str) -> String {
    let fits = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let base: String = base.chars().take(70).map(fits).collect();
    let base = base.trim_start_matches(['-', '_', '.']);
    let base = if base.is_empty() { "session" } else { base };
    let numbered = (2..).map(|n| format!("{base}-{n}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    names.find(|n| !root.join(n).exists()).unwrap_or_else(|| base.to_owned())
}

/// The last part of a path, for messages.
fn folder_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into())
}

/// A session's folder, open for writing.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    journal: File,
    /// Held as long as the folder is open.
    _lock: File,
    length: u64,
}

impl Folder {
    /// Makes a folder with everything a session has so far.
    pub fn create(path: &Path, files: &[FileText], journal: &[u8]) -> Result<Folder, StoreError> {
        let name = folder_name(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| StoreError::of(parent, &e))?;
        }
        if path.exists() {
            return Err(StoreError::Exists(name));
        }
        // Whoever sees the folder sees all of it: it gets its name last.
        let making = path.with_file_name(format!(".{name}.{}.making", std::process::id()));
        let _ = fs::remove_dir_all(&making);
        fs::create_dir(&making).map_err(|e| StoreError::of(&making, &e))?;
        let filled = Folder::fill(&making, files, journal).and_then(|mut folder| {
            folder.rename(path)?;
            Ok(folder)
        });
        if filled.is_err() {
            let _ = fs::remove_dir_all(&making);
        }
        filled
    }

    fn fill(path: &Path, files: &[FileText], journal: &[u8]) -> Result<Folder, StoreError> {
        let lock = lock(path)?;
        let copies = path.join(RULESET);
        fs::create_dir(&copies).map_err(|e| StoreError::of(&copies, &e))?;
        for (file, record) in files.iter().zip(file_records(files)) {
            let copy = path.join(&record.copy);
            write_synced(&copy, file.text.as_bytes()).map_err(|e| StoreError::of(&copy, &e))?;
        }
        sync_folder(&copies);
        let file = path.join(JOURNAL);
        let made = OpenOptions::new().create_new(true).append(true).open(&file);
        let mut open = made.map_err(|e| StoreError::of(&file, &e))?;
        let written = open.write_all(journal).and_then(|()| open.sync_all());
        written.map_err(|e| StoreError::of(&file, &e))?;
        sync_folder(path);
        if let Some(parent) = path.parent() {
            sync_folder(parent);
        }
        let length = journal.len() as u64;
        Ok(Folder { path: path.to_owned(), journal: open, _lock: lock, length })
    }

    /// Opens a folder to go on writing after the first `whole` bytes of its journal; what follows them is a
    /// line that was never finished.
    pub fn open(path: &Path) -> Result<(Folder, Vec<u8>), StoreError> {
        let file = path.join(JOURNAL);
        if !file.is_file() {
            return Err(StoreError::Missing(folder_name(path)));
        }
        let lock = lock(path)?;
        let opened = OpenOptions::new().read(true).append(true).open(&file);
        let mut journal = opened.map_err(|e| StoreError::of(&file, &e))?;
        let mut bytes = Vec::new();
        journal.read_to_end(&mut bytes).map_err(|e| StoreError::of(&file, &e))?;
        let length = bytes.len() as u64;
        Ok((Folder { path: path.to_owned(), journal, _lock: lock, length }, bytes))
    }

    /// Whether a file found by its name is the open one: another may have been put in its place, and what is
    /// written to the open one would go with it.
    #[cfg(unix)]
    fn is_open(&self, there: &fs::Metadata) -> bool {
        use std::os::unix::fs::MetadataExt;
        let open = self.journal.metadata();
        open.is_ok_and(|open| (open.dev(), open.ino()) == (there.dev(), there.ino()))
    }

    /// Other systems do not let an open file be replaced.
    #[cfg(not(unix))]
    fn is_open(&self, _: &fs::Metadata) -> bool {
        true
    }

    /// Cuts off what follows the last whole line, and ends that line if its end is missing.
    pub fn mend(&mut self, whole: usize, unended: bool) -> Result<(), StoreError> {
        let fail = |e: &io::Error| StoreError::of(&self.path, e);
        if whole as u64 != self.length {
            self.journal.set_len(whole as u64).map_err(|e| fail(&e))?;
            self.length = whole as u64;
        }
        if unended {
            self.journal.write_all(b"\n").map_err(|e| fail(&e))?;
            self.length += 1;
        }
        self.journal.sync_all().map_err(|e| fail(&e))
    }
}

impl Keep for Folder {
    fn append(&mut self, line: &[u8]) -> Result<(), StoreError> {
        let file = self.path.join(JOURNAL);
        // An open file can be written long after its folder is gone, and two programs can write to one file.
        let there = fs::metadata(&file).map_err(|e| StoreError::of(&file, &e))?;
        if there.len() != self.length || !self.is_open(&there) {
            return Err(StoreError::Changed(file.display().to_string()));
        }
        let written = self.journal.write_all(line).and_then(|()| self.journal.sync_data());
        if let Err(error) = written {
            // Half a line is as good as none, and must not stand before the next.
            let _ = self.journal.set_len(self.length);
            return Err(StoreError::of(&file, &error));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn rename(&mut self, to: &Path) -> Result<(), StoreError> {
        if to.exists() {
            return Err(StoreError::Exists(folder_name(to)));
        }
        fs::rename(&self.path, to).map_err(|e| match e.kind() {
            // Another program was quicker.
            io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => {
                StoreError::Exists(folder_name(to))
            }
            _ => StoreError::of(&self.path, &e),
        })?;
        if let Some(parent) = to.parent() {
            sync_folder(parent);
        }
        self.path = to.to_owned();
        Ok(())
    }
}

/// Takes the lock of a folder, or says who has it.
fn lock(path: &Path) -> Result<File, StoreError> {
    let file = path.join(LOCK);
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&file);
    let lock = opened.map_err(|e| StoreError::of(&file, &e))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy(folder_name(path))),
        // Some network folders know no locks; that is no reason to keep nothing.
        Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => Ok(lock),
        Err(TryLockError::Error(e)) => Err(StoreError::of(&file, &e)),
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes new names in a folder outlast a power cut, where the system can.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(path) {
        let _ = folder.sync_all();
    }
}

/// How the files of a ruleset stand in a session's folder.
pub(super) fn file_records(files: &[FileText]) -> Vec<FileRecord> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let records = files.iter().enumerate().map(|(place, file)| {
        let last = file.name.rsplit(['/', '\\']).next().unwrap_or("");
        let last: String = last.chars().filter(|&c| plain(c)).take(60).collect();
        FileRecord {
            name: file.name.clone(),
            scenario: file.scenario.clone(),
            copy: format!("{RULESET}/{place:02}-{last}"),
            sha256: sha256(file.text.as_bytes()),
        }
    });
    records.collect()
}

/// The bytes of a file; none if it is not there, is longer than that, or is no file: a pipe or a device would
/// never end.
fn read_plain(path: &Path, longest: u64) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Ok(about) if about.is_file() && about.len() <= longest => {}
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => return Ok(None),
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(longest + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Whether a copy of a ruleset's file lies where copies lie, and nowhere else on the disk.
pub(super) fn is_copy(copy: &str) -> bool {
    let name = copy.strip_prefix(RULESET).and_then(|rest| rest.strip_prefix('/'));
    name.is_some_and(|n| !matches!(n, "" | "." | "..") && !n.contains(['/', '\\', ':']))
}

/// The files of a ruleset from a session's folder, as they were at the start.
pub(super) fn read_files(path: &Path, records: &[FileRecord]) -> Result<Vec<FileText>, StoreError> {
    let read = |record: &FileRecord| {
        let file = path.join(&record.copy);
        let bytes = match read_plain(&file, MAX_FILE as u64) {
            // A file that is gone, or is a folder, a device or far too long, is not as it was either.
            Ok(None) => return Err(StoreError::Ruleset(file.display().to_string())),
            Ok(Some(bytes)) => bytes,
            Err(e) => return Err(StoreError::of(&file, &e)),
        };
        if sha256(&bytes) != record.sha256 {
            return Err(StoreError::Ruleset(file.display().to_string()));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| StoreError::Ruleset(file.display().to_string()))?;
        Ok(FileText { name: record.name.clone(), text, scenario: record.scenario.clone() })
    };
    records.iter().map(read).collect()
}

/// The bytes of a journal, without opening the session.
pub(super) fn read_journal(path: &Path) -> Result<Vec<u8>, StoreError> {
    let file = path.join(JOURNAL);
    let read = read_plain(&file, u64::MAX - 1).map_err(|e| StoreError::of(&file, &e))?;
    read.ok_or_else(|| StoreError::Missing(folder_name(path)))
}

/// A session in a list of sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub path: PathBuf,
    /// The game, as it was chosen.
    pub game: String,
    /// The game's title.
    pub title: String,
    /// The scenario.
    pub scenario: String,
    /// The turn.
    pub turn: i64,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// When something last happened.
    pub last: u64,
    /// The last command's line; none if there was none yet.
    pub line: Option<String>,
    /// What is wrong with it, if something is.
    pub fault: Option<String>,
}

/// All sessions in a folder, the latest first. Only the ends of the journals are read.
pub fn list(root: &Path) -> Result<Vec<Summary>, StoreError> {
    let entries = match fs::read_dir(root) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|e| StoreError::of(root, &e))?,
    };
    let mut found: Vec<Summary> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| !hidden(p))
        .filter_map(|p| summary(&p))
        .collect();
    found.sort_by(|a, b| b.last.cmp(&a.last).then_with(|| a.name.cmp(&b.name)));
    Ok(found)
}

/// A folder that is only being made.
fn hidden(path: &Path) -> bool {
    folder_name(path).starts_with('.')
}

/// A session's summary; none if the folder holds no journal.
pub fn summary(path: &Path) -> Option<Summary> {
    let file = path.join(JOURNAL);
    if !file.is_file() {
        return None;
    }
    let file = File::open(file).ok()?;
    let mut summary = Summary {
        name: folder_name(path),
        path: path.to_owned(),
        game: String::new(),
        title: String::new(),
        scenario: String::new(),
        turn: 0,
        began: 0,
        last: 0,
        line: None,
        fault: None,
    };
    let mut reader = BufReader::new(file);
    let mut first = Vec::new();
    let read = reader.read_until(b'\n', &mut first);
    let body = journal::backwards(&first).next();
    let (Ok(_), Some(Body { at, turn, what: Record::Start(start), .. })) = (read, body) else {
        summary.fault = Some("its first line cannot be read".to_owned());
        return Some(summary);
    };
    (summary.began, summary.last, summary.turn) = (at, at, turn);
    (summary.game, summary.title, summary.scenario) = (start.game, start.title, start.scenario);
    let mut file = reader.into_inner();
    let length = file.metadata().map_or(0, |m| m.len());
    let mut tail = Vec::new();
    let sought = file.seek(SeekFrom::Start(length.saturating_sub(TAIL)));
    if sought.and_then(|_| file.read_to_end(&mut tail)).is_err() {
        return Some(summary);
    }
    let mut bodies = journal::backwards(&tail).peekable();
    if let Some(body) = bodies.peek() {
        (summary.last, summary.turn) = (body.at, body.turn);
    }
    summary.line = bodies.find_map(|body| line_of(&body.what));
    Some(summary)
}

/// What was typed for a record.
fn line_of(record: &Record) -> Option<String> {
    match record {
        Record::Command(c) => Some(c.line.clone()),
        Record::Undo(_) | Record::UndoAmend(_) => Some("undo".to_owned()),
        Record::Redo(_) | Record::RedoAmend(_) => Some("redo".to_owned()),
        Record::Amend(amend) => {
            let line = amend.now.first().map_or("", |c| c.line.as_str());
            Some(format!("amend {} {line}", amend.n))
        }
        Record::Start(_) | Record::Dice(_) | Record::Words(_) | Record::AskRandom(_) => None,
        Record::Reload(_) => Some("reload".to_owned()),
        Record::Reveal(_) | Record::Resume(_) => None,
    }
}
