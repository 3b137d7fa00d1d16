//! A file of JSON, one value per line, that another process appends to.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::MAX_FILE_BYTES;
use crate::files::PlainFile;

/// Follows such a file. It never fails: a file that cannot be read counts as having no lines.
#[derive(Debug)]
pub(super) struct LineFollower<T> {
    path: PathBuf,
    /// It stays open, because the folder may be renamed.
    file: Option<PlainFile>,
    /// The number of bytes that were read.
    read: u64,
    values: PhantomData<T>,
}

impl<T: DeserializeOwned> LineFollower<T> {
    /// Returns a follower of the file with this path, from its first line.
    pub(super) fn of(path: &Path) -> LineFollower<T> {
        let file = PlainFile::open(path).ok();
        LineFollower { path: path.to_owned(), file, read: 0, values: PhantomData }
    }

    /// Returns the values that were added since the last time. A line without its end is still
    /// being written.
    pub(super) fn catch_up(&mut self) -> Vec<T> {
        if self.file.as_ref().is_none_or(|file| file.is_gone().unwrap_or(true)) {
            self.file = PlainFile::open(&self.path).ok();
            self.read = 0;
        }
        let Some(file) = &mut self.file else { return Vec::new() };
        let Ok(length) = file.length() else { return Vec::new() };
        if length == self.read {
            return Vec::new();
        }
        if length < self.read {
            // Another program has written it.
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

/// Returns the values of these lines. Lines that don't hold such a value are left out.
pub(super) fn parse<T: DeserializeOwned>(lines: &[u8]) -> Vec<T> {
    let lines = lines.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}
