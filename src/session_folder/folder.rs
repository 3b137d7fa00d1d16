//! A session's folder on disk.
//!
//! ```text
//! journal.jsonl     one record per line, only ever appended to
//! transcript.md     the transcript, written by the console during play
//! ruleset/          the ruleset and scenarios as they were at the start
//! screen.json       the keys of the players' screen
//! requests.jsonl    the players' requests, written by the players' screen
//! requests.lock     held by the players' screen that takes requests
//! decisions.jsonl   the requests that the umpire sent back, written by the console
//! lock              held by the console that plays the session
//! journal.torn-1    an incomplete line that was set aside when the session was resumed
//! ```

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adjutant_engine::console::SessionCopy;
use adjutant_engine::ruleset::MAX_FILE;
use adjutant_engine::session::{
    JournalEnd, JournalOrigin, LoadedSession, Notice, OpenedSession, RULESET_FOLDER, Session,
    SessionError,
};

use super::error::StoreError;
use super::name::check_session_name;
use crate::files::{Disk, DiskError, DiskFile, FileKind, LockResult, SystemDisk, create_folders};
use crate::shipped;

/// The file name of a session's journal.
pub(super) const JOURNAL_FILE: &str = "journal.jsonl";
/// The file name of a session's transcript.
pub(crate) const TRANSCRIPT_FILE: &str = "transcript.md";
/// The name of the file with the keys of the players' screen.
pub(crate) const PAGE_KEYS_FILE: &str = "screen.json";
/// The name of the file with the players' requests.
pub(crate) const REQUESTS_FILE: &str = "requests.jsonl";
/// The name of the file that is locked while requests are taken.
pub(crate) const REQUESTS_LOCK_FILE: &str = "requests.lock";
/// The name of the file with the requests that the umpire sent back.
pub(crate) const DECISIONS_FILE: &str = "decisions.jsonl";
/// The maximum size of a journal, in bytes. A journal of 50,000 commands takes 44 MB.
pub(super) const MAX_JOURNAL_BYTES: u64 = 64 << 20;
const LOCK_FILE: &str = "lock";
/// The beginning of the name of a file with an incomplete line of a journal.
const TORN_LINE_PREFIX: &str = "journal.torn";
/// The end of the name of a folder under construction.
const HALF_MADE_SUFFIX: &str = ".making";

fn system_disk() -> Arc<dyn Disk> {
    Arc::new(SystemDisk)
}

/// Returns the last part of a path, or the whole path if it has no such part.
pub(super) fn folder_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into())
}

/// Returns the folder that contains a path, which is `.` for a path with only one part.
fn parent_folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A session's folder, open for writing.
#[derive(Debug)]
pub struct Folder {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    journal: Box<dyn DiskFile>,
    /// The lock, which is held while the folder is open if the disk supports locks.
    lock: LockFile,
    length: u64,
}

/// Changes a session with `act`. If the session is saved in a folder, stores the change, or rolls
/// it back if it can't be stored.
///
/// # Errors
/// Fails if `act` or [`Folder::append`] fails.
pub fn record<T>(
    folder: Option<&mut Folder>,
    session: &mut Session,
    act: impl FnOnce(&mut Session) -> Result<T, SessionError>,
) -> Result<T, StoreError> {
    match folder {
        Some(folder) => folder.record(session, act),
        None => Ok(act(session)?),
    }
}

impl Folder {
    /// Creates a folder with a copy of a session. Fails if something exists at its path.
    pub(super) fn create(
        disk: &Arc<dyn Disk>,
        path: &Path,
        copy: &SessionCopy,
    ) -> Result<Folder, StoreError> {
        let name = folder_name(path);
        create_folders(&**disk, parent_folder(path))
            .map_err(|e| disk_refusal(parent_folder(path), &e))?;
        if disk.kind(path).map_err(|e| disk_refusal(path, &e))?.is_some() {
            return Err(StoreError::Exists(name));
        }
        remove_half_made_folders(&**disk, parent_folder(path));
        // The folder is renamed when it is complete, so a folder with the final name is never
        // incomplete.
        let making =
            path.with_file_name(format!(".{name}.{}{HALF_MADE_SUFFIX}", std::process::id()));
        disk.create_folder(&making, true).map_err(|e| disk_refusal(&making, &e))?;
        let filled = Folder::fill(disk, &making, copy).and_then(|mut folder| {
            folder.rename(path)?;
            Ok(folder)
        });
        if filled.is_err() {
            let _ = remove_session_files(&**disk, &making);
        }
        filled
    }

    fn fill(disk: &Arc<dyn Disk>, path: &Path, copy: &SessionCopy) -> Result<Folder, StoreError> {
        let lock = LockFile::take(&**disk, path)?;
        let copies = path.join(RULESET_FOLDER);
        disk.create_folder(&copies, true).map_err(|e| disk_refusal(&copies, &e))?;
        for (name, text) in &copy.files {
            let file = path.join(name);
            write_new_file(&**disk, &file, text.as_bytes()).map_err(|e| disk_refusal(&file, &e))?;
        }
        disk.sync_folder(&copies).map_err(|e| disk_refusal(&copies, &e))?;
        let file = path.join(JOURNAL_FILE);
        let journal =
            write_new_file(&**disk, &file, &copy.journal).map_err(|e| disk_refusal(&file, &e))?;
        disk.sync_folder(path).map_err(|e| disk_refusal(path, &e))?;
        let length = copy.journal.len() as u64;
        Ok(Folder { disk: disk.clone(), path: path.to_owned(), journal, lock, length })
    }

    /// Opens and locks a folder to continue its journal, and returns the folder with the bytes of
    /// the journal. Fails if there is no journal, or if another program holds the lock.
    pub(super) fn open(disk: &Arc<dyn Disk>, path: &Path) -> Result<(Folder, Vec<u8>), StoreError> {
        let file = journal_path(&**disk, path)?;
        let lock = LockFile::take(&**disk, path)?;
        let mut journal = disk.open(&file).map_err(|e| disk_refusal(&file, &e))?;
        let bytes = journal.read(MAX_JOURNAL_BYTES).map_err(|e| disk_refusal(&file, &e))?;
        let length = bytes.len() as u64;
        Ok((Folder { disk: disk.clone(), path: path.to_owned(), journal, lock, length }, bytes))
    }

    /// Removes incomplete transcripts that were left over when the program that wrote them was
    /// killed. They are removed because they may contain secrets. No other program is writing them,
    /// because this folder is locked. A failure to remove them is ignored.
    fn remove_unfinished_transcripts(&self) {
        let beginning = format!(".{TRANSCRIPT_FILE}.");
        for file in self.disk.entries(&self.path).unwrap_or_default() {
            let name = folder_name(&file);
            let number = name.strip_prefix(&beginning).and_then(|rest| rest.strip_suffix(".new"));
            let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
            if number.is_some_and(is_number) {
                let _ = self.disk.remove(&file);
            }
        }
    }

    /// Truncates the journal after its last complete line, and adds that line's end if it is
    /// missing. The removed part, if any, is saved in a file next to the journal, and the name of
    /// that file is returned.
    fn cut_off_torn_line(&mut self, end: &JournalEnd) -> Result<Option<String>, StoreError> {
        let mut mend = || {
            let aside = match &end.rest[..] {
                [] => None,
                torn => Some(self.save_torn_line(torn)?),
            };
            if end.whole as u64 != self.length {
                self.journal.truncate(end.whole as u64)?;
                self.length = end.whole as u64;
            }
            if end.unended {
                self.journal.append(b"\n")?;
                self.length += 1;
            }
            self.journal.sync()?;
            Ok(aside)
        };
        let mended: Result<_, DiskError> = mend();
        mended.map_err(|e| disk_refusal(&self.path, &e))
    }

    /// Writes the incomplete line to a new file, and returns the name of the file.
    fn save_torn_line(&self, torn: &[u8]) -> Result<String, DiskError> {
        let mut number = 1;
        loop {
            let name = format!("{TORN_LINE_PREFIX}-{number}");
            match self.disk.create(&self.path.join(&name), true) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => number += 1,
                made => {
                    let mut file = made?;
                    file.append(torn)?;
                    file.sync()?;
                    self.disk.sync_folder(&self.path)?;
                    return Ok(name);
                }
            }
        }
    }
}

impl Folder {
    /// Adds one or more lines to the journal. When this returns without an error, the lines survive
    /// a power cut. After an error, the journal is as before, except after [`StoreError::Unsure`].
    ///
    /// # Errors
    /// Fails if another program has changed the length of the journal, if the journal would become
    /// too long, or if the disk reports an error.
    pub fn append(&mut self, line: &[u8]) -> Result<(), StoreError> {
        let file = self.path.join(JOURNAL_FILE);
        // An open file can be written to even after its folder was removed or another file has
        // taken its place, and two programs can write to the same file.
        let there = self.journal.length_at(&file).map_err(|e| disk_refusal(&file, &e))?;
        if there != Some(self.length) {
            return Err(StoreError::Changed(file.display().to_string()));
        }
        // A longer journal couldn't be opened again.
        if self.length + line.len() as u64 > MAX_JOURNAL_BYTES {
            let path = file.display().to_string();
            let reason = DiskError::Long(MAX_JOURNAL_BYTES).to_string();
            return Err(StoreError::Io { path, reason });
        }
        let written = self.journal.append(line).and_then(|()| self.journal.sync());
        if let Err(error) = written {
            // A partial line is useless, and the next line must not be appended to it.
            return Err(
                match self.journal.truncate(self.length).and_then(|()| self.journal.sync()) {
                    Ok(()) => disk_refusal(&file, &error),
                    Err(_) => StoreError::Unsure(file.display().to_string(), error.to_string()),
                },
            );
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Changes a session with `act`, and appends the new lines of its journal, if any. If they
    /// can't be appended, the change is rolled back.
    ///
    /// # Errors
    /// Fails if `act` or [`Folder::append`] fails.
    pub fn record<T>(
        &mut self,
        session: &mut Session,
        act: impl FnOnce(&mut Session) -> Result<T, SessionError>,
    ) -> Result<T, StoreError> {
        let savepoint = session.savepoint();
        let done = act(session)?;
        let lines = session.journal_since(&savepoint);
        if !lines.is_empty()
            && let Err(error) = self.append(&lines)
        {
            session.roll_back(savepoint);
            return Err(error);
        }
        Ok(done)
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the folder to another path. Nothing may exist there yet.
    ///
    /// # Errors
    /// Fails if something exists there, or the disk reports an error.
    pub fn rename(&mut self, to: &Path) -> Result<(), StoreError> {
        if self.disk.kind(to).map_err(|e| disk_refusal(to, &e))?.is_some() {
            return Err(StoreError::Exists(folder_name(to)));
        }
        let closed = self.journal.close().and_then(|()| self.lock.file.close());
        let renamed = closed.and_then(|()| self.disk.rename(&self.path, to));
        let renamed = renamed.map_err(|e| match e.kind() {
            // Another program has just used this name.
            io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => {
                StoreError::Exists(folder_name(to))
            }
            _ => disk_refusal(&self.path, &e),
        });
        if renamed.is_ok() {
            to.clone_into(&mut self.path);
        }
        if cfg!(windows) {
            let file = self.path.join(JOURNAL_FILE);
            self.lock = LockFile::take(&*self.disk, &self.path)?;
            self.journal = self.disk.open(&file).map_err(|e| disk_refusal(&file, &e))?;
        }
        renamed?;
        self.disk.sync_folder(parent_folder(to)).map_err(|e| disk_refusal(to, &e))
    }

    /// Returns false if the disk does not support locks. Another program could then write to the
    /// folder at the same time.
    pub fn is_locked(&self) -> bool {
        self.lock.held
    }
}

/// Creates a file with these bytes, syncs it, and returns it open.
fn write_new_file(
    disk: &dyn Disk,
    file: &Path,
    bytes: &[u8],
) -> Result<Box<dyn DiskFile>, DiskError> {
    let mut open = disk.create(file, true)?;
    open.append(bytes)?;
    open.sync()?;
    Ok(open)
}

/// The lock of a folder.
#[derive(Debug)]
struct LockFile {
    file: Box<dyn DiskFile>,
    /// False on a disk that does not support locks.
    held: bool,
}

impl LockFile {
    /// Takes the lock of a folder, and creates its file if it is missing. Fails if another program
    /// holds the lock. If the disk does not support locks, `held` is false.
    fn take(disk: &dyn Disk, folder: &Path) -> Result<LockFile, StoreError> {
        let path = folder.join(LOCK_FILE);
        let opened = match disk.create(&path, true) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => disk.open(&path),
            made => made,
        };
        let mut file = opened.map_err(|e| disk_refusal(&path, &e))?;
        match file.lock().map_err(|e| disk_refusal(&path, &e))? {
            LockResult::Busy => Err(StoreError::Busy(folder_name(folder))),
            lock => Ok(LockFile { file, held: lock == LockResult::Held }),
        }
    }
}

/// Removes incomplete folders that were left over in a folder of sessions when a program was
/// killed. Failures are ignored. A folder that another program is still creating is locked, so it
/// is not removed.
fn remove_half_made_folders(disk: &dyn Disk, root: &Path) {
    for path in disk.entries(root).unwrap_or_default() {
        let name = folder_name(&path);
        let half_made = name.starts_with('.') && name.ends_with(HALF_MADE_SUFFIX);
        if half_made && matches!(disk.kind(&path), Ok(Some(FileKind::Folder))) {
            // An empty folder has no lock yet.
            let _ = disk.remove_folder(&path).or_else(|_| match LockFile::take(disk, &path) {
                Ok(lock) if lock.held => remove_session_files(disk, &path).map(drop),
                _ => Ok(()),
            });
        }
    }
}

/// Removes all files of a session, and its folder if nothing else is in it. Returns the names of
/// the files and folders that remain.
fn remove_session_files(disk: &dyn Disk, folder: &Path) -> Result<Vec<String>, DiskError> {
    let copies = folder.join(RULESET_FOLDER);
    if disk.kind(&copies)? == Some(FileKind::Folder) {
        for copy in disk.entries(&copies)? {
            let name = folder_name(&copy);
            let number = name.split_once('-').map_or("", |(number, _)| number);
            if number.len() > 1 && number.bytes().all(|b| b.is_ascii_digit()) {
                disk.remove(&copy)?;
            }
        }
        let _ = disk.remove_folder(&copies);
    }
    // The journal is removed first: without it there is no session, even if the removal is
    // interrupted. The lock is removed last.
    let ours = |name: &str| {
        let new = name.strip_prefix('.').and_then(|n| n.strip_prefix(TRANSCRIPT_FILE));
        let known = [
            JOURNAL_FILE,
            TRANSCRIPT_FILE,
            PAGE_KEYS_FILE,
            REQUESTS_FILE,
            REQUESTS_LOCK_FILE,
            DECISIONS_FILE,
        ];
        known.contains(&name)
            || name.starts_with(TORN_LINE_PREFIX)
            || new.is_some_and(|n| n.ends_with(".new"))
    };
    let mut files = disk.entries(folder)?;
    files.sort_by_key(|file| (folder_name(file) != JOURNAL_FILE, folder_name(file)));
    let mut left = Vec::new();
    for file in files {
        match folder_name(&file) {
            name if name == LOCK_FILE => {}
            name if ours(&name) => disk.remove(&file)?,
            name => left.push(name),
        }
    }
    let lock = folder.join(LOCK_FILE);
    if disk.kind(&lock)?.is_some() {
        disk.remove(&lock)?;
    }
    if left.is_empty() {
        disk.remove_folder(folder)?;
        disk.sync_folder(parent_folder(folder))?;
    }
    Ok(left)
}

/// Removes a session permanently, and its folder unless anything else is in it. Returns the names
/// of the files and folders that remain.
///
/// # Errors
/// Fails if there is no such session, another console is playing it, or the disk reports an error.
pub fn remove_session(path: &Path) -> Result<Vec<String>, StoreError> {
    let disk = SystemDisk;
    journal_path(&disk, path)?;
    // On some systems an open file can't be removed, so the lock is released before the files are
    // removed.
    drop(LockFile::take(&disk, path)?);
    remove_session_files(&disk, path).map_err(|e| disk_refusal(path, &e))
}

/// Returns the path of the journal in a folder. Fails if the journal is missing or is not a regular
/// file.
fn journal_path(disk: &dyn Disk, path: &Path) -> Result<PathBuf, StoreError> {
    let file = path.join(JOURNAL_FILE);
    let shown = || file.display().to_string();
    match disk.kind(&file) {
        Ok(Some(FileKind::File)) => Ok(file),
        Ok(Some(FileKind::Folder | FileKind::Other)) => Err(StoreError::NotPlain(shown())),
        Ok(None) => Err(StoreError::Missing(folder_name(path))),
        // This error doesn't mean that there is no journal.
        Err(error) => Err(StoreError::Io { path: shown(), reason: error.to_string() }),
    }
}

/// Saves a session, with everything that has happened so far, in a new folder at this path.
///
/// # Errors
/// Fails if the path already exists, or the disk reports an error.
pub fn save_new(session: &Session, path: &Path) -> Result<Folder, StoreError> {
    save_new_on(&system_disk(), session, path)
}

/// Like [`save_new`], but on a given disk.
///
/// # Errors
/// Fails under the same conditions as [`save_new`].
pub fn save_new_on(
    disk: &Arc<dyn Disk>,
    session: &Session,
    path: &Path,
) -> Result<Folder, StoreError> {
    Folder::create(disk, path, &SessionCopy::of(session))
}

/// Saves a copy of a session under a name in this folder of sessions.
///
/// # Errors
/// Fails if the name is not valid or is taken, or the disk reports an error.
pub fn save(copy: &SessionCopy, root: &Path, name: &str) -> Result<Folder, StoreError> {
    check_session_name(name)?;
    Folder::create(&system_disk(), &root.join(name), copy)
}

/// Renames a saved session within its folder of sessions.
///
/// # Errors
/// Fails if the name is not valid or is taken, or the disk reports an error.
pub fn rename(folder: &mut Folder, name: &str) -> Result<(), StoreError> {
    check_session_name(name)?;
    let to = parent_folder(folder.path()).join(name);
    folder.rename(&to)
}

/// A session that was opened to be resumed.
#[derive(Debug)]
pub struct ResumedSession {
    /// The session, in its last state.
    pub session: Session,
    /// The notices for the umpire.
    pub notices: Vec<Notice>,
    /// The folder of the session, open for writing.
    pub folder: Folder,
}

/// Opens a session to resume it, and records that in its journal. An incomplete last line is moved
/// to a file next to the journal. `at` is the current time, in milliseconds since 1970. If a line
/// of the journal is damaged, [`recover`] can copy everything before that line.
///
/// # Errors
/// Fails if there is no session, another console is playing it, its journal is damaged, the copy of
/// its ruleset has changed or does not load, or the disk reports an error.
pub fn open(path: &Path, at: u64) -> Result<ResumedSession, StoreError> {
    open_on(&system_disk(), path, at)
}

/// Like [`open`], but on a given disk.
///
/// # Errors
/// Fails under the same conditions as [`open`].
pub fn open_on(disk: &Arc<dyn Disk>, path: &Path, at: u64) -> Result<ResumedSession, StoreError> {
    let (mut folder, bytes) = Folder::open(disk, path)?;
    let LoadedSession { opened, end } = load(&**disk, path, bytes, Session::from_journal)?;
    let OpenedSession { mut session, mut notices } = opened;
    if let Some(aside) = folder.cut_off_torn_line(&end)? {
        notices.push(Notice::SetAside(aside));
    }
    if folder.is_locked() {
        folder.remove_unfinished_transcripts();
    } else {
        notices.push(Notice::NoLocks);
    }
    folder.record(&mut session, |session| session.record_resume(at))?;
    Ok(ResumedSession { session, notices, folder })
}

/// Reads a session without opening it for play. Nothing is written, and another program may play
/// the session in the meantime.
///
/// # Errors
/// Fails if there is no session, a line of its journal is damaged, the copy of its ruleset has
/// changed or does not load, or the disk reports an error.
pub fn read_session(path: &Path) -> Result<OpenedSession, StoreError> {
    let bytes = read_journal(&SystemDisk, path)?;
    load(&SystemDisk, path, bytes, Session::from_journal).map(|loaded| loaded.opened)
}

/// Copies a damaged session up to the damage into a new folder, opens the copy, and records in its
/// journal that it was resumed at the time `at`. The damaged session is not changed.
///
/// # Errors
/// Fails if there is no session, its first line is damaged, the copy of its ruleset has changed or
/// does not load, the new folder already exists, or the disk reports an error.
pub fn recover(path: &Path, to: &Path, at: u64) -> Result<ResumedSession, StoreError> {
    let bytes = read_journal(&SystemDisk, path)?;
    let opened = load(&SystemDisk, path, bytes, Session::from_damaged_journal)?.opened;
    let OpenedSession { mut session, notices } = opened;
    let mut folder = save_new(&session, to)?;
    folder.record(&mut session, |session| session.record_resume(at))?;
    Ok(ResumedSession { session, notices, folder })
}

/// A function that restores a session from a journal: either [`Session::from_journal`] or
/// [`Session::from_damaged_journal`].
type ReadJournal = fn(JournalOrigin<'_>, Vec<u8>) -> Result<LoadedSession, SessionError>;

/// Restores a session from its folder with the function `read`.
fn load(
    disk: &dyn Disk,
    path: &Path,
    bytes: Vec<u8>,
    read: ReadJournal,
) -> Result<LoadedSession, StoreError> {
    let name = path.join(JOURNAL_FILE).display().to_string();
    // The session gets only the reason as text. The caller gets the disk's own error.
    let disk_error = RefCell::new(None);
    let file = |copy: &str| {
        read_copy(disk, path, copy).map_err(|error| match error {
            StoreError::Session(error) => error,
            error => {
                let reason = error.to_string();
                disk_error.replace(Some(error));
                SessionError::File(reason)
            }
        })
    };
    let loaded = read(JournalOrigin { name: &name, file: &file, shipped: shipped::files }, bytes);
    loaded.map_err(|error| disk_error.take().unwrap_or(StoreError::Session(error)))
}

/// Returns the bytes of the copy of a ruleset's file in a session's folder.
fn read_copy(disk: &dyn Disk, folder: &Path, copy: &str) -> Result<Vec<u8>, StoreError> {
    let file = folder.join(copy);
    disk.read(&file, MAX_FILE as u64).map_err(|e| match e.kind() {
        // A copy that is missing, isn't a regular file or is far too long counts as changed.
        io::ErrorKind::NotFound | io::ErrorKind::InvalidInput => {
            SessionError::Ruleset(file.display().to_string()).into()
        }
        _ => disk_refusal(&file, &e),
    })
}

/// Returns the bytes of the journal in a folder, without locking the folder. Fails if there is no
/// journal, or if it is too long.
fn read_journal(disk: &dyn Disk, path: &Path) -> Result<Vec<u8>, StoreError> {
    let file = path.join(JOURNAL_FILE);
    disk.read(&file, MAX_JOURNAL_BYTES).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => StoreError::Missing(folder_name(path)),
        _ => disk_refusal(&file, &e),
    })
}

/// Turns an error from the disk into an error about this path.
pub(super) fn disk_refusal(path: &Path, error: &DiskError) -> StoreError {
    let shown = path.display().to_string();
    match error {
        DiskError::NotPlain => StoreError::NotPlain(shown),
        DiskError::Long(_) => StoreError::TooLong(shown, error.to_string()),
        DiskError::Io(_) => match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full(shown),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly(shown)
            }
            io::ErrorKind::NotFound => StoreError::Vanished(shown),
            _ => StoreError::Io { path: shown, reason: error.to_string() },
        },
    }
}
