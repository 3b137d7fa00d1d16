//! The disk. Files are read as plain files and up to a size, and written as new files that get their name last:
//! never through a link, which a stranger could have led to any file of the user.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why the disk refuses.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiskError {
    /// There is something else in the place of a file.
    #[error("it is not a plain file")]
    NotPlain,
    /// The file is longer than it may be.
    #[error("it is longer than {}", bytes_in_words(*.0))]
    Long(u64),
    /// The system's error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl DiskError {
    /// Returns the kind of the system's error.
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            DiskError::NotPlain | DiskError::Long(_) => io::ErrorKind::InvalidInput,
            DiskError::Io(error) => error.kind(),
        }
    }
}

/// Returns a number of bytes as people write it.
fn bytes_in_words(bytes: u64) -> String {
    const MEGABYTE: u64 = 1 << 20;
    match bytes / MEGABYTE {
        megabytes if megabytes > 0 && bytes.is_multiple_of(MEGABYTE) => format!("{megabytes} MB"),
        _ => format!("{bytes} bytes"),
    }
}

/// A result of the disk.
pub type Result<T> = std::result::Result<T, DiskError>;

/// The kinds of things that can have a name on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// A link, a pipe, a device.
    Other,
}

/// The answer to a request for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockResult {
    /// It is held until the file is closed.
    Held,
    /// Another program holds it.
    Busy,
    /// This disk knows no locks.
    Unknown,
}

/// A disk, as far as sessions and transcripts need one. Tests have one that fails, tears and forgets.
pub trait Disk: Debug + Send + Sync {
    /// Returns the kind of thing that has a name, links not followed; `None` if nothing has it.
    fn kind(&self, path: &Path) -> Result<Option<FileKind>>;
    /// Returns everything in a folder, in no order.
    fn entries(&self, folder: &Path) -> Result<Vec<PathBuf>>;
    /// Makes a folder in one that is there, which its owner alone may look into if it is a secret. Nothing may exist
    /// under its name.
    fn create_folder(&self, path: &Path, secret: bool) -> Result<()>;
    /// Makes a file to add to, which its owner alone may read if it is a secret. Nothing may exist under its name, not
    /// even a link that leads nowhere.
    fn create(&self, path: &Path, secret: bool) -> Result<Box<dyn DiskFile>>;
    /// Opens a plain file to read and to add to.
    fn open(&self, path: &Path) -> Result<Box<dyn DiskFile>>;
    /// Returns the bytes of a plain file. A link is not followed, and a file that is longer is refused unread.
    fn read(&self, path: &Path, longest: u64) -> Result<Vec<u8>>;
    /// Renames a file or folder. A plain file that has the name is replaced at once.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;
    /// Removes a file, or a link itself.
    fn remove(&self, file: &Path) -> Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&self, folder: &Path) -> Result<()>;
    /// Makes the names in a folder outlast a power cut, where the system can.
    fn sync_folder(&self, folder: &Path) -> Result<()>;
}

/// An open file that is only added to.
pub trait DiskFile: Debug + Send {
    /// Returns all its bytes. A file that is longer is refused unread.
    fn read(&mut self, longest: u64) -> Result<Vec<u8>>;
    /// Adds bytes at the end; after an error, some of them may be there.
    fn append(&mut self, bytes: &[u8]) -> Result<()>;
    /// Makes what was added outlast a power cut.
    fn sync(&mut self) -> Result<()>;
    /// Cuts the file off after this many bytes.
    fn truncate(&mut self, length: u64) -> Result<()>;
    /// Asks for the lock of the file.
    fn lock(&mut self) -> Result<LockResult>;
    /// Lets its owner alone read it, where files have owners.
    fn restrict(&mut self) -> Result<()>;
    /// Lets go of the file if the system renames no folder in which one is open. It must be opened again.
    fn close(&mut self) -> Result<()> {
        Ok(())
    }
    /// Returns the length of the file of this name if it is still this one; `None` if another took its place.
    fn length_at(&self, path: &Path) -> Result<Option<u64>>;
}

/// The disk of the machine.
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
        // A link may have been put in its place meanwhile.
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
            // Some network folders cannot.
            Err(e)
                if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
            {
                Ok(())
            }
            synced => Ok(synced?),
        }
    }

    /// Other systems write the names in a folder to disk automatically.
    #[cfg(not(unix))]
    fn sync_folder(&self, _: &Path) -> Result<()> {
        Ok(())
    }
}

/// Returns options for a file that is read and added to. What is opened on Windows to be added to alone cannot be cut
/// off; there it is written, at its end.
fn append_options() -> OpenOptions {
    let mut how = OpenOptions::new();
    if cfg!(windows) { how.write(true) } else { how.append(true) }.read(true);
    never_waits(&mut how, LinkPolicy::Refused);
    how
}

/// The treatment of a link in place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkPolicy {
    Refused,
    Followed,
}

/// Opens a pipe without waiting for its other end: one may be put in the place of a file after it was looked at.
#[cfg(unix)]
fn never_waits(how: &mut OpenOptions, links: LinkPolicy) {
    let link = if links == LinkPolicy::Refused { libc::O_NOFOLLOW } else { 0 };
    std::os::unix::fs::OpenOptionsExt::custom_flags(how, libc::O_NONBLOCK | link);
}

/// Other systems have no pipes among their files.
#[cfg(not(unix))]
fn never_waits(_: &mut OpenOptions, _: LinkPolicy) {}

/// A plain file that is open to be read, in parts or whole, and never without a limit.
#[derive(Debug)]
pub struct PlainFile(File);

impl PlainFile {
    /// Opens a plain file. A link is not followed.
    ///
    /// # Errors
    /// If there is none, something else has its name, or the disk refuses.
    pub fn open(path: &Path) -> Result<PlainFile> {
        PlainFile::require_plain(path, &fs::symlink_metadata(path)?, LinkPolicy::Refused)
    }

    /// Opens a plain file that the user named: a link to one is followed.
    ///
    /// # Errors
    /// As [`PlainFile::open`].
    pub fn open_named(path: &Path) -> Result<PlainFile> {
        PlainFile::require_plain(path, &fs::metadata(path)?, LinkPolicy::Followed)
    }

    fn require_plain(path: &Path, there: &fs::Metadata, links: LinkPolicy) -> Result<PlainFile> {
        // Merely to open a device can do something.
        if !there.is_file() {
            return Err(DiskError::NotPlain);
        }
        let mut how = OpenOptions::new();
        how.read(true);
        never_waits(&mut how, links);
        let file = how.open(path)?;
        if file.metadata()?.is_file() { Ok(PlainFile(file)) } else { Err(DiskError::NotPlain) }
    }

    /// Returns its length in bytes.
    pub fn length(&self) -> Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Returns true if it was removed, or another was put in its place.
    #[cfg(unix)]
    pub fn is_gone(&self) -> Result<bool> {
        Ok(std::os::unix::fs::MetadataExt::nlink(&self.0.metadata()?) == 0)
    }

    /// Other systems keep a file that is open.
    #[cfg(not(unix))]
    pub fn is_gone(&self) -> Result<bool> {
        Ok(false)
    }

    /// Returns all bytes from `start` on. If there are more than `longest`, they are refused unread.
    pub fn read_from(&mut self, start: u64, longest: u64) -> Result<Vec<u8>> {
        if self.length()?.saturating_sub(start) > longest {
            return Err(DiskError::Long(longest));
        }
        // It may grow meanwhile.
        let bytes = self.read_part(start, longest.saturating_add(1))?;
        if bytes.len() as u64 > longest { Err(DiskError::Long(longest)) } else { Ok(bytes) }
    }

    /// Returns the bytes from `start` on, `most` at most.
    pub fn read_part(&mut self, start: u64, most: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(start))?;
        (&self.0).take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Returns the bytes of a plain file that the user named: a link to one is followed. Users link rulesets and settings from
/// elsewhere, and a path that somebody typed could lead anywhere without a link, too. Files that are only found in a folder
/// are read by [`Disk::read`], which follows none.
///
/// # Errors
/// If it is no plain file, is longer than `longest` bytes, or the disk refuses.
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
        // The length comes with the data; times need not.
        Ok(self.0.sync_data()?)
    }

    fn truncate(&mut self, length: u64) -> Result<()> {
        Ok(self.0.set_len(length)?)
    }

    fn lock(&mut self) -> Result<LockResult> {
        match self.0.try_lock() {
            Ok(()) => Ok(LockResult::Held),
            Err(TryLockError::WouldBlock) => Ok(LockResult::Busy),
            // Network folders refuse locks in many ways; that is no reason to save nothing.
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

    /// On other systems the folder of the user is nobody else's to read.
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

/// Other systems do not report that; a file of another length is still detected.
#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Makes a folder, and those above it that are missing, so that they outlast a power cut.
pub fn create_folders(disk: &dyn Disk, path: &Path) -> Result<()> {
    if path.as_os_str().is_empty() || disk.kind(path)?.is_some() {
        return Ok(());
    }
    let above = path.parent().unwrap_or(Path::new(""));
    create_folders(disk, above)?;
    match disk.create_folder(path, false) {
        // Another program was quicker.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }?;
    disk.sync_folder(or_current_folder(above))
}

/// Writes a file under a name that is free, in a folder that is made if it is missing, so that it outlasts a power cut.
///
/// # Errors
/// If something has the name, or the disk refuses.
pub fn create(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    create_folders(disk, folder)?;
    let mut file = disk.create(path, false)?;
    file.append(bytes)?;
    file.sync()?;
    disk.sync_folder(or_current_folder(folder))
}

/// Returns a folder, or the one where the program was started for an empty path.
fn or_current_folder(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Writes a file so that a reader sees all of the old or all of the new.
///
/// # Errors
/// If the name is that of anything but a plain file, or the disk refuses; the old file is then as it was.
pub fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<()> {
    replace_with_secrecy(disk, path, bytes, false)
}

/// As [`replace`], for a file that its owner alone may read from then on.
///
/// # Errors
/// As [`replace`].
pub fn replace_secret(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<()> {
    replace_with_secrecy(disk, path, bytes, true)
}

fn replace_with_secrecy(disk: &dyn Disk, path: &Path, bytes: &[u8], secret: bool) -> Result<()> {
    if disk.kind(path)?.is_some_and(|kind| kind != FileKind::File) {
        return Err(DiskError::NotPlain);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    // What a killed program of the same number left; a link goes itself, and not the file it leads to.
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
