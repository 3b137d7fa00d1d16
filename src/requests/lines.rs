//! Reads a file of JSON values, one per line, to which another process appends.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::MAX_FILE_BYTES;
use crate::files::PlainFile;

/// A reader that follows a file of JSON lines. It never fails: a file that can't be read counts as
/// having no lines, and a line without a valid value is skipped.
#[derive(Debug)]
pub(super) struct LineFollower<T> {
    path: PathBuf,
    /// The file stays open, because its folder may be renamed.
    file: Option<PlainFile>,
    /// The number of bytes that have been read.
    read: u64,
    values: PhantomData<T>,
}

impl<T: DeserializeOwned> LineFollower<T> {
    /// Returns a reader that starts with the first line of the file at this path.
    pub(super) fn of(path: &Path) -> LineFollower<T> {
        let file = PlainFile::open(path).ok();
        LineFollower { path: path.to_owned(), file, read: 0, values: PhantomData }
    }

    /// Returns the values that were added since the last call. If the file was replaced or
    /// truncated, it is read again from the beginning. A line without a line break is still being
    /// written, so it is left for the next call.
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
            // Another program has rewritten the file.
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

/// Parses the values in these lines. Lines that don't contain a valid value are skipped.
pub(super) fn parse<T: DeserializeOwned>(lines: &[u8]) -> Vec<T> {
    let lines = lines.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}
