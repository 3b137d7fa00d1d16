//! A session's folder on disk. Nothing else of the library touches the disk.
//!
//! ```text
//! journal.jsonl     one record a line, only ever added to
//! transcript.md     the transcript, written by the console as play goes on
//! ruleset/          the ruleset and scenarios as they were at the start
//! lock              held by the console that plays the session
//! ```

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::Session;
use super::glance::Glance;
use super::journal::{self, Lines, Written};
use super::load::{self, Opened, Origin};
use super::storage::{RULESET, Storage, StoreError, check_session_name, file_records};
use crate::ruleset::{FileText, MAX_FILE};

const JOURNAL: &str = "journal.jsonl";
const LOCK: &str = "lock";
/// The number of bytes at the end of a journal in which its last record is looked for.
const TAIL: u64 = 1 << 20;

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
            fs::create_dir_all(parent).map_err(|e| refused(parent, &e))?;
        }
        if path.exists() {
            return Err(StoreError::Exists(name));
        }
        // Whoever sees the folder sees all of it: it gets its name last.
        let making = path.with_file_name(format!(".{name}.{}.making", std::process::id()));
        let _ = fs::remove_dir_all(&making);
        fs::create_dir(&making).map_err(|e| refused(&making, &e))?;
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
        fs::create_dir(&copies).map_err(|e| refused(&copies, &e))?;
        for (file, record) in files.iter().zip(file_records(files)) {
            let copy = path.join(&record.copy);
            write_synced(&copy, file.text.as_bytes()).map_err(|e| refused(&copy, &e))?;
        }
        sync_folder(&copies);
        let file = path.join(JOURNAL);
        let made = OpenOptions::new().create_new(true).append(true).open(&file);
        let mut open = made.map_err(|e| refused(&file, &e))?;
        let written = open.write_all(journal).and_then(|()| open.sync_all());
        written.map_err(|e| refused(&file, &e))?;
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
        let mut journal = open_plain(&file, OpenOptions::new().read(true).append(true))?;
        let mut bytes = Vec::new();
        journal.read_to_end(&mut bytes).map_err(|e| refused(&file, &e))?;
        let length = bytes.len() as u64;
        Ok((Folder { path: path.to_owned(), journal, _lock: lock, length }, bytes))
    }

    /// Returns true if a file found by its name is the open one: another may have been put in its place, and what is
    /// written to the open one would go with it.
    fn is_open(&self, there: &fs::Metadata) -> bool {
        is_same(&self.journal, there)
    }

    /// Cuts off what follows the last whole line, and ends that line if its end is missing.
    pub fn mend(&mut self, whole: usize, unended: bool) -> Result<(), StoreError> {
        let fail = |e: &io::Error| refused(&self.path, e);
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

impl Storage for Folder {
    fn append(&mut self, line: &[u8]) -> Result<(), StoreError> {
        let file = self.path.join(JOURNAL);
        // An open file can be written long after its folder is gone, and two programs can write to one file.
        let there = fs::metadata(&file).map_err(|e| refused(&file, &e))?;
        if there.len() != self.length || !self.is_open(&there) {
            return Err(StoreError::Changed(file.display().to_string()));
        }
        let written = self.journal.write_all(line).and_then(|()| self.journal.sync_data());
        if let Err(error) = written {
            // Half a line is as good as none, and must not stand before the next.
            let _ = self.journal.set_len(self.length);
            return Err(refused(&file, &error));
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
            _ => refused(&self.path, &e),
        })?;
        if let Some(parent) = to.parent() {
            sync_folder(parent);
        }
        self.path = to.to_owned();
        Ok(())
    }
}

impl Session {
    /// Keeps the session in a new folder from now on, with all that happened so far.
    pub fn keep(&mut self, path: &Path) -> Result<(), StoreError> {
        let folder = Folder::create(path, &self.files, &self.journal)?;
        self.storage = Some(Box::new(folder));
        Ok(())
    }

    /// Keeps the session under another name beside where it is, or, if it is only in memory, in this folder of
    /// sessions.
    pub fn save(&mut self, root: &Path, name: &str) -> Result<(), StoreError> {
        check_session_name(name)?;
        match &mut self.storage {
            Some(storage) => {
                let root = storage.path().parent().unwrap_or(root).to_owned();
                storage.rename(&root.join(name))
            }
            None => self.keep(&root.join(name)),
        }
    }

    /// Opens a session to go on with it. It is refused while another console plays it, and if a line of its
    /// journal cannot be trusted; what stands before that line can be had by [`Session::recover`].
    pub fn open(path: &Path, at: u64) -> Result<Opened, StoreError> {
        let (mut folder, bytes) = Folder::open(path)?;
        let (mut opened, lines) = read_folder(path, &bytes, load::whole)?;
        folder.mend(lines.whole, lines.unended)?;
        opened.session.storage = Some(Box::new(folder));
        opened.session.resumed(at)?;
        Ok(opened)
    }

    /// Reads a session to look at it; nothing is written, and it may be played elsewhere meanwhile.
    pub fn look(path: &Path) -> Result<Opened, StoreError> {
        read_folder(path, &read_journal(path)?, load::whole).map(|(opened, _)| opened)
    }

    /// Copies a damaged session up to the damage into a new folder, and opens that. The damaged one is left as
    /// it is.
    pub fn recover(path: &Path, to: &Path, at: u64) -> Result<Opened, StoreError> {
        let (mut opened, _) = read_folder(path, &read_journal(path)?, load::up_to_damage)?;
        opened.session.keep(to)?;
        opened.session.resumed(at)?;
        Ok(opened)
    }
}

/// A way to read a journal: the whole, or up to the damage.
type ReadJournal = fn(Origin<'_>, &[u8]) -> Result<(Opened, Lines), StoreError>;

/// Reads a session's folder, the whole or up to the damage.
fn read_folder(
    path: &Path,
    bytes: &[u8],
    read: ReadJournal,
) -> Result<(Opened, Lines), StoreError> {
    let name = path.join(JOURNAL).display().to_string();
    read(Origin { name: &name, file: &|copy| read_copy(path, copy) }, bytes)
}

/// Takes the lock of a folder, or says who has it.
fn lock(path: &Path) -> Result<File, StoreError> {
    let file = path.join(LOCK);
    let lock = open_plain(&file, OpenOptions::new().create(true).truncate(false).write(true))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy(folder_name(path))),
        // Some network folders know no locks; that is no reason to keep nothing.
        Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => Ok(lock),
        Err(TryLockError::Error(e)) => Err(refused(&file, &e)),
    }
}

/// Opens a file of a session's folder for writing, if it is a plain file or not there: never through a link, which a
/// stranger could have led to any file of the user.
pub fn open_plain(path: &Path, how: &OpenOptions) -> Result<File, StoreError> {
    let not_plain = || StoreError::NotPlain(path.display().to_string());
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(not_plain());
    }
    let file = how.open(path).map_err(|e| refused(path, &e))?;
    // A link may have been put in its place meanwhile.
    let there = fs::symlink_metadata(path).map_err(|e| refused(path, &e))?;
    if is_same(&file, &there) { Ok(file) } else { Err(not_plain()) }
}

/// Returns true if a file found by its name is the open one.
#[cfg(unix)]
fn is_same(open: &File, there: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    open.metadata().is_ok_and(|open| (open.dev(), open.ino()) == (there.dev(), there.ino()))
}

/// Other systems do not let an open file be replaced; a link is told by its kind.
#[cfg(not(unix))]
fn is_same(_: &File, there: &fs::Metadata) -> bool {
    there.is_file()
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

/// The bytes of a file of the ruleset in a session's folder.
fn read_copy(folder: &Path, copy: &str) -> Result<Vec<u8>, StoreError> {
    let file = folder.join(copy);
    match read_plain(&file, MAX_FILE as u64) {
        Ok(Some(bytes)) => Ok(bytes),
        // A file that is gone, or is a folder, a device or far too long, is not as it was either.
        Ok(None) => Err(StoreError::Ruleset(file.display().to_string())),
        Err(e) => Err(refused(&file, &e)),
    }
}

/// The bytes of a journal, without opening the session.
pub(super) fn read_journal(path: &Path) -> Result<Vec<u8>, StoreError> {
    let file = path.join(JOURNAL);
    let read = read_plain(&file, u64::MAX - 1).map_err(|e| refused(&file, &e))?;
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
    /// The fault, if it cannot be read.
    pub fault: Option<String>,
}

/// All sessions in a folder, the latest first. Only the ends of the journals are read.
pub fn list(root: &Path) -> Result<Vec<Summary>, StoreError> {
    let entries = match fs::read_dir(root) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|e| refused(root, &e))?,
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
    let body = journal::backwards(&first).next().map(Written::glance);
    let (Ok(_), Some(Glance { at, turn, game: Some([game, title, scenario]), .. })) = (read, body)
    else {
        summary.fault = Some("its first line cannot be read".to_owned());
        return Some(summary);
    };
    (summary.began, summary.last, summary.turn) = (at, at, turn);
    (summary.game, summary.title, summary.scenario) = (game, title, scenario);
    let mut file = reader.into_inner();
    let length = file.metadata().map_or(0, |m| m.len());
    let mut tail = Vec::new();
    let sought = file.seek(SeekFrom::Start(length.saturating_sub(TAIL)));
    if sought.and_then(|_| file.read_to_end(&mut tail)).is_err() {
        return Some(summary);
    }
    let mut glances = journal::backwards(&tail).map(Written::glance).peekable();
    if let Some(last) = glances.peek() {
        (summary.last, summary.turn) = (last.at, last.turn);
    }
    summary.line = glances.find_map(|glance| glance.line);
    Some(summary)
}

/// Returns the system's error as one of this path.
fn refused(path: &Path, error: &io::Error) -> StoreError {
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
