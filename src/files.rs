//! The disk. Only regular files below a size limit are read. To replace a file, the program writes
//! a new one completely and then renames it. A link is followed only to read a file that the user
//! named, because a stranger could have pointed other links at any of the user's files.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The reason why an operation on the disk failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiskError {
    /// Something other than a regular file has this name.
    #[error("it is not a regular file")]
    NotPlain,
    /// The file is larger than allowed. The number is the limit in bytes.
    #[error("it is longer than {}", bytes_in_words(*.0))]
    Long(u64),
    /// An error from the operating system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl DiskError {
    /// Returns the kind of the operating system's error; `InvalidInput` for the other errors.
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            DiskError::NotPlain | DiskError::Long(_) => io::ErrorKind::InvalidInput,
            DiskError::Io(error) => error.kind(),
        }
    }
}

/// Returns a size in words: in megabytes if it is a whole number of them, otherwise in bytes.
fn bytes_in_words(bytes: u64) -> String {
    const MEGABYTE: u64 = 1 << 20;
    match bytes / MEGABYTE {
        megabytes if megabytes > 0 && bytes.is_multiple_of(MEGABYTE) => format!("{megabytes} MB"),
        _ => format!("{bytes} bytes"),
    }
}

/// The result of an operation on the disk.
pub type Result<T> = std::result::Result<T, DiskError>;

/// The type of an entry in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Anything else, such as a link, a pipe or a device.
    Other,
}

/// The result of trying to lock a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockResult {
    /// The lock is held until the file is closed.
    Held,
    /// Another program holds the lock.
    Busy,
    /// The file could not be locked, usually because the disk does not support locks.
    Unknown,
}

/// The disk operations that sessions, requests and transcripts need. Tests use a disk that fails,
/// writes only part of the data, or loses data that was not synced.
pub trait Disk: Debug + Send + Sync {
    /// Returns the type of the entry with this path, without following links; `None` if there is no
    /// such entry.
    fn kind(&self, path: &Path) -> Result<Option<FileKind>>;
    /// Returns the paths of everything in a folder, in any order.
    fn entries(&self, folder: &Path) -> Result<Vec<PathBuf>>;
    /// Creates a folder, whose parent must exist. If it is secret, only its owner can open it, on
    /// systems where folders have owners. Fails if the name is already taken.
    fn create_folder(&self, path: &Path, secret: bool) -> Result<()>;
    /// Creates a file and opens it for reading and appending. If it is secret, only its owner can
    /// read it, on systems where files have owners. Fails if the name is already taken, even by a
    /// broken link.
    fn create(&self, path: &Path, secret: bool) -> Result<Box<dyn DiskFile>>;
    /// Opens a regular file for reading and appending, without following links.
    fn open(&self, path: &Path) -> Result<Box<dyn DiskFile>>;
    /// Returns the bytes of a regular file, without following links. Fails, without reading it, if
    /// the file has more than `longest` bytes.
    fn read(&self, path: &Path, longest: u64) -> Result<Vec<u8>>;
    /// Renames a file or folder. An existing regular file with the new name is replaced atomically.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;
    /// Removes a file. If it is a link, only the link itself is removed.
    fn remove(&self, file: &Path) -> Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&self, folder: &Path) -> Result<()>;
    /// Makes the entries of a folder survive a power cut, if the system supports that.
    fn sync_folder(&self, folder: &Path) -> Result<()>;
}

/// A file that is open for reading and appending.
pub trait DiskFile: Debug + Send {
    /// Returns all bytes of the file. Fails, without reading it, if the file has more than
    /// `longest` bytes.
    fn read(&mut self, longest: u64) -> Result<Vec<u8>>;
    /// Appends bytes; after an error, some of them may have been written.
    fn append(&mut self, bytes: &[u8]) -> Result<()>;
    /// Makes the appended bytes survive a power cut.
    fn sync(&mut self) -> Result<()>;
    /// Truncates the file to this number of bytes.
    fn truncate(&mut self, length: u64) -> Result<()>;
    /// Tries to lock the file, without waiting.
    fn lock(&mut self) -> Result<LockResult>;
    /// Makes the file readable only by its owner, on systems where files have owners.
    fn restrict(&mut self) -> Result<()>;
    /// Closes the file on systems that can't rename a folder while files in it are open, and does
    /// nothing on others. The caller must open the file again afterwards.
    fn close(&mut self) -> Result<()> {
        Ok(())
    }
    /// Returns the length of the file at this path if it is still this file; `None` if something
    /// else has replaced it. Fails if nothing has this path.
    fn length_at(&self, path: &Path) -> Result<Option<u64>>;
}

/// The disk of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn kind(&self, path: &Path) -> Result<Option<FileKind>> {
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_file() => Ok(Some(FileKind::File)),
            Ok(found) if found.is_dir() => Ok(Some(FileKind::Folder)),
            Ok(_) => Ok(Some(FileKind::Other)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e.into()),
        }
    }

    fn entries(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    }

    fn create_folder(&self, path: &Path, secret: bool) -> Result<()> {
        let mut how = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut how, if secret { 0o700 } else { 0o777 });
        #[cfg(not(unix))]
        let _ = (secret, &mut how);
        Ok(how.create(path)?)
    }

    fn create(&self, path: &Path, secret: bool) -> Result<Box<dyn DiskFile>> {
        let mut how = append_options();
        how.create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut how, if secret { 0o600 } else { 0o666 });
        #[cfg(not(unix))]
        let _ = secret;
        Ok(Box::new(SystemFile(how.open(path)?)))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn DiskFile>> {
        if self.kind(path)?.is_some_and(|kind| kind != FileKind::File) {
            return Err(DiskError::NotPlain);
        }
        let file = SystemFile(append_options().open(path)?);
        // A link may have replaced the file in the meantime.
        match file.length_at(path)? {
            Some(_) => Ok(Box::new(file)),
            None => Err(DiskError::NotPlain),
        }
    }

    fn read(&self, path: &Path, longest: u64) -> Result<Vec<u8>> {
        PlainFile::open(path)?.read_from(0, longest)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        Ok(fs::rename(from, to)?)
    }

    fn remove(&self, file: &Path) -> Result<()> {
        Ok(fs::remove_file(file)?)
    }

    fn remove_folder(&self, folder: &Path) -> Result<()> {
        Ok(fs::remove_dir(folder)?)
    }

    #[cfg(unix)]
    fn sync_folder(&self, folder: &Path) -> Result<()> {
        match File::open(folder)?.sync_all() {
            // Some network folders can't be synced.
            Err(e)
                if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
            {
                Ok(())
            }
            synced => Ok(synced?),
        }
    }

    /// Does nothing: other systems flush directory entries to disk automatically.
    #[cfg(not(unix))]
    fn sync_folder(&self, _: &Path) -> Result<()> {
        Ok(())
    }
}

/// Returns the options for reading a file and appending to it. A file that was opened for appending
/// can't be truncated on Windows. So on Windows it is opened for writing, and [`SystemFile`] moves
/// to its end before each write.
fn append_options() -> OpenOptions {
    let mut how = OpenOptions::new();
    if cfg!(windows) { how.write(true) } else { how.append(true) }.read(true);
    never_waits(&mut how, LinkPolicy::Refused);
    how
}

/// The policy for a path that turns out to be a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkPolicy {
    Refused,
    Followed,
}

/// Sets the flags that make opening a pipe return at once, without waiting for its other end: a
/// pipe may have replaced the file after it was checked. If links are refused, opening one fails.
#[cfg(unix)]
fn never_waits(how: &mut OpenOptions, links: LinkPolicy) {
    let link = if links == LinkPolicy::Refused { libc::O_NOFOLLOW } else { 0 };
    std::os::unix::fs::OpenOptionsExt::custom_flags(how, libc::O_NONBLOCK | link);
}

/// Does nothing: other systems have no pipes among their files.
#[cfg(not(unix))]
fn never_waits(_: &mut OpenOptions, _: LinkPolicy) {}

/// A regular file that is open for reading. Each read has a size limit.
#[derive(Debug)]
pub struct PlainFile(File);

impl PlainFile {
    /// Opens a regular file without following links.
    ///
    /// # Errors
    /// Fails if there is no such file, it is not a regular file, or the disk reports an error.
    pub fn open(path: &Path) -> Result<PlainFile> {
        PlainFile::require_plain(path, &fs::symlink_metadata(path)?, LinkPolicy::Refused)
    }

    /// Opens a regular file that the user named, following links.
    ///
    /// # Errors
    /// Fails as [`PlainFile::open`] does.
    pub fn open_named(path: &Path) -> Result<PlainFile> {
        PlainFile::require_plain(path, &fs::metadata(path)?, LinkPolicy::Followed)
    }

    fn require_plain(path: &Path, there: &fs::Metadata, links: LinkPolicy) -> Result<PlainFile> {
        // Merely opening a device can have an effect.
        if !there.is_file() {
            return Err(DiskError::NotPlain);
        }
        let mut how = OpenOptions::new();
        how.read(true);
        never_waits(&mut how, links);
        let file = how.open(path)?;
        if file.metadata()?.is_file() { Ok(PlainFile(file)) } else { Err(DiskError::NotPlain) }
    }

    /// Returns the length of the file in bytes.
    pub fn length(&self) -> Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Returns true if the file was removed, or replaced by another file.
    #[cfg(unix)]
    pub fn is_gone(&self) -> Result<bool> {
        Ok(std::os::unix::fs::MetadataExt::nlink(&self.0.metadata()?) == 0)
    }

    /// Returns false: other systems don't remove an open file.
    #[cfg(not(unix))]
    pub fn is_gone(&self) -> Result<bool> {
        Ok(false)
    }

    /// Returns all bytes from the offset `start` on. Fails if there are more than `longest`.
    pub fn read_from(&mut self, start: u64, longest: u64) -> Result<Vec<u8>> {
        if self.length()?.saturating_sub(start) > longest {
            return Err(DiskError::Long(longest));
        }
        // The file may grow in the meantime.
        let bytes = self.read_part(start, longest.saturating_add(1))?;
        if bytes.len() as u64 > longest { Err(DiskError::Long(longest)) } else { Ok(bytes) }
    }

    /// Returns at most `most` bytes from the offset `start` on.
    pub fn read_part(&mut self, start: u64, most: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(start))?;
        (&self.0).take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Returns the bytes of a regular file that the user named, following links. Users link to rulesets
/// and settings that are stored elsewhere, and a typed path could lead anywhere even without a
/// link. Files found in a folder are read with [`Disk::read`], which doesn't follow links.
///
/// # Errors
/// Fails if it is not a regular file, it is longer than `longest` bytes, or the disk reports an
/// error.
pub fn read_named(path: &Path, longest: u64) -> Result<Vec<u8>> {
    PlainFile::open_named(path)?.read_from(0, longest)
}

#[derive(Debug)]
struct SystemFile(File);

impl DiskFile for SystemFile {
    fn read(&mut self, longest: u64) -> Result<Vec<u8>> {
        PlainFile(self.0.try_clone()?).read_from(0, longest)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        if cfg!(windows) {
            self.0.seek(SeekFrom::End(0))?;
        }
        Ok(self.0.write_all(bytes)?)
    }

    fn sync(&mut self) -> Result<()> {
        // This also syncs the length. Timestamps don't have to be synced.
        Ok(self.0.sync_data()?)
    }

    fn truncate(&mut self, length: u64) -> Result<()> {
        Ok(self.0.set_len(length)?)
    }

    fn lock(&mut self) -> Result<LockResult> {
        match self.0.try_lock() {
            Ok(()) => Ok(LockResult::Held),
            Err(TryLockError::WouldBlock) => Ok(LockResult::Busy),
            // Network folders reject locks with various errors. The session can be saved all the
            // same.
            Err(TryLockError::Error(_)) => Ok(LockResult::Unknown),
        }
    }

    #[cfg(unix)]
    fn restrict(&mut self) -> Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let mut permissions = self.0.metadata()?.permissions();
        if permissions.mode() & 0o077 != 0 {
            permissions.set_mode(0o600);
            self.0.set_permissions(permissions)?;
        }
        Ok(())
    }

    /// Does nothing: on other systems, only the user can read the user's folder.
    #[cfg(not(unix))]
    fn restrict(&mut self) -> Result<()> {
        Ok(())
    }

    #[cfg(windows)]
    fn close(&mut self) -> Result<()> {
        self.0 = File::open("NUL")?;
        Ok(())
    }

    fn length_at(&self, path: &Path) -> Result<Option<u64>> {
        let there = fs::symlink_metadata(path)?;
        Ok((there.is_file() && is_same(&self.0.metadata()?, &there)).then_some(there.len()))
    }
}

#[cfg(unix)]
fn is_same(open: &fs::Metadata, there: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (open.dev(), open.ino()) == (there.dev(), there.ino())
}

/// Returns true, because other systems don't report the identity of a file. The caller
/// still notices a file of another length.
#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Creates a folder and its missing parents, and makes them survive a power cut. Does nothing if
/// something with this path already exists.
pub fn create_folders(disk: &dyn Disk, path: &Path) -> Result<()> {
    if path.as_os_str().is_empty() || disk.kind(path)?.is_some() {
        return Ok(());
    }
    let above = path.parent().unwrap_or(Path::new(""));
    create_folders(disk, above)?;
    match disk.create_folder(path, false) {
        // Another program has just created it.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }?;
    disk.sync_folder(or_current_folder(above))
}

/// Writes a new file, and makes it survive a power cut. Its folder is created if it is missing.
///
/// # Errors
/// Fails if the name is already taken, or the disk reports an error.
pub fn create(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    create_folders(disk, folder)?;
    let mut file = disk.create(path, false)?;
    file.append(bytes)?;
    file.sync()?;
    disk.sync_folder(or_current_folder(folder))
}

/// Returns a folder's path; `.` if the path is empty.
fn or_current_folder(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Writes a file, and replaces an old one atomically: a reader sees either all of the old content
/// or all of the new content.
///
/// # Errors
/// Fails if something other than a regular file has this name, or the disk reports an error. The
/// old file is then unchanged.
pub fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<()> {
    replace_with_secrecy(disk, path, bytes, false)
}

/// Like [`replace`], but only the owner can read the new file.
///
/// # Errors
/// Fails as [`replace`] does.
pub fn replace_secret(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<()> {
    replace_with_secrecy(disk, path, bytes, true)
}

fn replace_with_secrecy(disk: &dyn Disk, path: &Path, bytes: &[u8], secret: bool) -> Result<()> {
    if disk.kind(path)?.is_some_and(|kind| kind != FileKind::File) {
        return Err(DiskError::NotPlain);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    // Removes the file that a killed process with the same id may have left. If it is a link, only
    // the link itself is removed.
    let _ = disk.remove(&new);
    let written = disk.create(&new, secret).and_then(|mut file| {
        file.append(bytes)?;
        file.sync()?;
        disk.rename(&new, path)
    });
    written.inspect_err(|_| {
        let _ = disk.remove(&new);
    })
}
