//! A disk in memory that fails where a test wants it to, and forgets what was not synced when the power goes.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use adjutant::files::{Disk, DiskError, DiskFile, FileKind, LockResult, Result};

/// What goes wrong at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call does nothing and fails.
    Refused(ErrorKind),
    /// The call does half of what it should and fails; a sync does nothing.
    Half,
    /// This and all later calls that write fail: the disk has become read-only.
    ReadOnly,
    /// This and all later calls fail: the power is off. The call itself was done in part.
    Power,
    /// The folder of the session is gone.
    Vanished,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Folder,
    File(usize),
}

#[derive(Clone, Debug, Default)]
struct Content {
    live: Vec<u8>,
    synced: Vec<u8>,
    locked: bool,
}

#[derive(Clone, Debug, Default)]
struct State {
    names: BTreeMap<PathBuf, Node>,
    synced_names: BTreeMap<PathBuf, Node>,
    /// The names of moved folders, and those they had.
    moved: BTreeMap<PathBuf, PathBuf>,
    files: Vec<Content>,
    calls: usize,
    fault: Option<(usize, Fault)>,
    off: bool,
    read_only: bool,
    lockless: bool,
}

/// A disk in memory.
#[derive(Clone, Debug, Default)]
pub struct SimulatedDisk(Arc<Mutex<State>>);

/// What a power cut leaves of names and bytes that were not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing.
    Synced,
    /// All.
    All,
    /// All names, half of the bytes.
    Half,
    /// All names and lengths, but the first half of the new bytes was never written.
    Hole,
    /// All bytes, but none of the names.
    Nameless,
}

impl SimulatedDisk {
    /// An empty disk.
    pub fn new() -> SimulatedDisk {
        let disk = SimulatedDisk::default();
        disk.state().names.insert("/".into(), Node::Folder);
        disk.state().synced_names.insert("/".into(), Node::Folder);
        disk
    }

    /// A disk on which this call goes wrong in this way; calls are counted from 0.
    pub fn failing(call: usize, fault: Fault) -> SimulatedDisk {
        let disk = SimulatedDisk::new();
        disk.state().fault = Some((call, fault));
        disk
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Forgets all locks, as the end of a program does.
    pub fn unlocked(&self) -> SimulatedDisk {
        self.state().files.iter_mut().for_each(|file| file.locked = false);
        self.clone()
    }

    /// Returns the disk as one that knows no locks.
    pub fn without_locks(self) -> SimulatedDisk {
        self.state().lockless = true;
        self
    }

    /// Returns the number of calls so far.
    pub fn calls(&self) -> usize {
        self.state().calls
    }

    /// Returns true if the power is off.
    pub fn is_off(&self) -> bool {
        self.state().off
    }

    /// Returns true if there is a file or folder of this name.
    pub fn has(&self, path: &Path) -> bool {
        self.state().names.contains_key(path)
    }

    /// Returns the names of all files and folders.
    pub fn names(&self) -> Vec<PathBuf> {
        self.state().names.keys().cloned().collect()
    }

    /// Returns the disk as it is after the program was killed, healthy again.
    pub fn after_kill(&self) -> SimulatedDisk {
        let mut state = self.state().clone();
        (state.fault, state.off, state.read_only) = (None, false, false);
        state.files.iter_mut().for_each(|file| file.locked = false);
        SimulatedDisk(Arc::new(Mutex::new(state)))
    }

    /// Returns the disk as it is after a power cut, healthy again.
    pub fn after_power_cut(&self, left: Left) -> SimulatedDisk {
        let disk = self.after_kill();
        let mut state = disk.state();
        if matches!(left, Left::Synced | Left::Nameless) {
            let names = state.synced_names.clone();
            let reached = |path: &&PathBuf| path.ancestors().skip(1).all(|p| names.contains_key(p));
            state.names = names
                .iter()
                .filter(|(path, _)| reached(path))
                .map(|(p, n)| (p.clone(), *n))
                .collect();
        }
        for file in &mut state.files {
            let grown = file.live.len().saturating_sub(file.synced.len());
            let half = file.synced.len() + grown / 2;
            match left {
                Left::Synced => file.live = file.synced.clone(),
                Left::All | Left::Nameless => {}
                Left::Half => file.live.truncate(half.min(file.live.len())),
                Left::Hole if grown > 0 => file.live[half - grown / 2..half].fill(0),
                Left::Hole => {}
            }
        }
        drop(state);
        disk
    }

    /// Counts a call. Returns how it is to be done: whole, or in half with this error.
    fn call(&self, writes: bool) -> Result<Option<DiskError>> {
        let mut state = self.state();
        let number = state.calls;
        state.calls += 1;
        let off = || DiskError::Io(Error::other("the power is off"));
        if state.off {
            return Err(off());
        }
        if state.read_only && writes {
            return Err(Error::from(ErrorKind::ReadOnlyFilesystem).into());
        }
        match state.fault.filter(|(call, _)| *call == number) {
            None => Ok(None),
            Some((_, Fault::Refused(kind))) => Err(Error::from(kind).into()),
            Some((_, Fault::Half)) => Ok(Some(Error::from(ErrorKind::StorageFull).into())),
            Some((_, Fault::ReadOnly)) => {
                state.read_only = true;
                if writes {
                    Err(Error::from(ErrorKind::ReadOnlyFilesystem).into())
                } else {
                    Ok(None)
                }
            }
            Some((_, Fault::Power)) => {
                state.off = true;
                Ok(Some(off()))
            }
            Some((_, Fault::Vanished)) => {
                state.names.retain(|path, _| path.components().count() < 3);
                Ok(None)
            }
        }
    }
}

fn not_found() -> DiskError {
    Error::from(ErrorKind::NotFound).into()
}

fn already_there() -> DiskError {
    Error::from(ErrorKind::AlreadyExists).into()
}

impl Disk for SimulatedDisk {
    fn kind(&self, path: &Path) -> Result<Option<FileKind>> {
        self.call(false)?.map_or(Ok(()), Err)?;
        Ok(self.state().names.get(path).map(|node| match node {
            Node::Folder => FileKind::Folder,
            Node::File(_) => FileKind::File,
        }))
    }

    fn entries(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        self.call(false)?.map_or(Ok(()), Err)?;
        let state = self.state();
        if !state.names.contains_key(folder) {
            return Err(not_found());
        }
        Ok(state.names.keys().filter(|path| path.parent() == Some(folder)).cloned().collect())
    }

    fn create_folder(&self, path: &Path, _: bool) -> Result<()> {
        let half = self.call(true)?;
        let mut state = self.state();
        if state.names.contains_key(path) {
            return Err(already_there());
        }
        state.names.insert(path.to_owned(), Node::Folder);
        half.map_or(Ok(()), Err)
    }

    fn create(&self, path: &Path, _: bool) -> Result<Box<dyn DiskFile>> {
        let half = self.call(true)?;
        let mut state = self.state();
        if state.names.contains_key(path) {
            return Err(already_there());
        }
        if !path.parent().is_some_and(|above| state.names.contains_key(above)) {
            return Err(not_found());
        }
        let number = state.files.len();
        state.files.push(Content::default());
        state.names.insert(path.to_owned(), Node::File(number));
        half.map_or(Ok(()), Err)?;
        Ok(Box::new(SimulatedFile { disk: self.clone(), number }))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn DiskFile>> {
        self.call(false)?.map_or(Ok(()), Err)?;
        match self.state().names.get(path) {
            Some(&Node::File(number)) => Ok(Box::new(SimulatedFile { disk: self.clone(), number })),
            Some(Node::Folder) => Err(DiskError::NotPlain),
            None => Err(not_found()),
        }
    }

    fn read(&self, path: &Path, _: u64) -> Result<Vec<u8>> {
        self.call(false)?.map_or(Ok(()), Err)?;
        let state = self.state();
        match state.names.get(path) {
            Some(&Node::File(number)) => Ok(state.files[number].live.clone()),
            Some(Node::Folder) => Err(DiskError::NotPlain),
            None => Err(not_found()),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let half = self.call(true)?;
        let mut state = self.state();
        let moved: Vec<_> = state.names.keys().filter(|p| p.starts_with(from)).cloned().collect();
        if moved.is_empty() {
            return Err(not_found());
        }
        for path in moved {
            let node = state.names.remove(&path).unwrap();
            let rest = path.strip_prefix(from).unwrap();
            let path = if rest.as_os_str().is_empty() { to.to_owned() } else { to.join(rest) };
            state.names.insert(path, node);
        }
        state.moved.insert(to.to_owned(), from.to_owned());
        half.map_or(Ok(()), Err)
    }

    fn remove(&self, file: &Path) -> Result<()> {
        let half = self.call(true)?;
        self.state().names.remove(file).ok_or_else(not_found)?;
        half.map_or(Ok(()), Err)
    }

    fn remove_folder(&self, folder: &Path) -> Result<()> {
        let half = self.call(true)?;
        let mut state = self.state();
        if state.names.keys().any(|p| p.parent() == Some(folder)) {
            return Err(Error::from(ErrorKind::DirectoryNotEmpty).into());
        }
        state.names.remove(folder).ok_or_else(not_found)?;
        half.map_or(Ok(()), Err)
    }

    fn sync_folder(&self, folder: &Path) -> Result<()> {
        self.call(false)?.map_or(Ok(()), Err)?;
        let mut state = self.state();
        let state = &mut *state;
        let before = state.synced_names.clone();
        state
            .synced_names
            .retain(|path, _| path.parent() != Some(folder) || state.names.contains_key(path));
        for (path, node) in state.names.iter().filter(|(p, _)| p.parent() == Some(folder)) {
            state.synced_names.insert(path.clone(), *node);
            // What was synced within a folder before it was moved here comes with it.
            let Some(old) = state.moved.get(path) else { continue };
            for (inner, node) in before.iter().filter(|(p, _)| p.starts_with(old) && p != &old) {
                state.synced_names.insert(path.join(inner.strip_prefix(old).unwrap()), *node);
            }
        }
        Ok(())
    }
}

#[derive(Debug)]
struct SimulatedFile {
    disk: SimulatedDisk,
    number: usize,
}

impl SimulatedFile {
    fn with<T>(&self, act: impl FnOnce(&mut Content) -> T) -> T {
        act(&mut self.disk.state().files[self.number])
    }
}

impl DiskFile for SimulatedFile {
    fn read(&mut self, _: u64) -> Result<Vec<u8>> {
        self.disk.call(false)?.map_or(Ok(()), Err)?;
        Ok(self.with(|file| file.live.clone()))
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let half = self.disk.call(true)?;
        let written = if half.is_some() { &bytes[..bytes.len() / 2] } else { bytes };
        self.with(|file| file.live.extend_from_slice(written));
        half.map_or(Ok(()), Err)
    }

    fn sync(&mut self) -> Result<()> {
        self.disk.call(false)?.map_or(Ok(()), Err)?;
        self.with(|file| file.synced = file.live.clone());
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> Result<()> {
        self.disk.call(true)?.map_or(Ok(()), Err)?;
        self.with(|file| file.live.truncate(length as usize));
        Ok(())
    }

    fn lock(&mut self) -> Result<LockResult> {
        self.disk.call(false)?.map_or(Ok(()), Err)?;
        if self.disk.state().lockless {
            return Ok(LockResult::Unknown);
        }
        Ok(self.with(|file| {
            if std::mem::replace(&mut file.locked, true) {
                LockResult::Busy
            } else {
                LockResult::Held
            }
        }))
    }

    fn restrict(&mut self) -> Result<()> {
        self.disk.call(true)?.map_or(Ok(()), Err)
    }

    fn length_at(&self, path: &Path) -> Result<Option<u64>> {
        self.disk.call(false)?.map_or(Ok(()), Err)?;
        let state = self.disk.state();
        match state.names.get(path) {
            Some(&Node::File(number)) if number == self.number => {
                Ok(Some(state.files[number].live.len() as u64))
            }
            Some(_) => Ok(None),
            None => Err(not_found()),
        }
    }
}
