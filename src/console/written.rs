//! The files that this program wrote for the umpire: apart from empty files, only these are
//! replaced without asking.
//!
//! They are recognized by their paths and the hash of all their bytes. A file with another path or
//! other bytes is never recognized, however similar it is, so a file that has been edited since is
//! not recognized either.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf, absolute};

use sha2::{Digest, Sha256};

use crate::files::{self, Disk, FileKind, PlainFile, SystemDisk};

/// The maximum number of files that are remembered.
const MAX_REMEMBERED: usize = 500;
/// The maximum size of a file that is compared, in bytes. A longer file counts as foreign.
const MAX_COMPARED: u64 = 1 << 28;
/// The maximum size of the record, in bytes: two hashes per line.
const MAX_RECORD: u64 = MAX_REMEMBERED as u64 * 130;

/// The hashes of the files that this program wrote, and the file in which they are stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnFiles {
    /// The file with the hashes; `None` if there is no data folder.
    record: Option<PathBuf>,
    /// The hashes of the files written by this process, by the hashes of their paths.
    own: BTreeMap<String, String>,
}

impl OwnFiles {
    /// Returns the files recorded in the data folder of this program. Without such a folder, no
    /// files are recorded.
    pub(crate) fn in_folder(folder: Option<&Path>) -> OwnFiles {
        let record = folder.map(|folder| folder.join("written"));
        OwnFiles { record, own: BTreeMap::new() }
    }

    /// Returns true if the path is that of a regular file that this program didn't write, that has
    /// been changed since, or that can't be compared. An empty file never counts as foreign.
    pub(crate) fn is_foreign(&self, path: &Path) -> bool {
        let Ok(Some(FileKind::File)) = SystemDisk.kind(path) else { return false };
        match PlainFile::open(path).and_then(|mut file| file.read_from(0, MAX_COMPARED)) {
            Ok(bytes) if bytes.is_empty() => false,
            Ok(bytes) => {
                let key = path_key(path);
                let hash = hex(&bytes);
                self.own.get(&key) != Some(&hash) && !self.recorded().contains(&(key, hash))
            }
            Err(_) => true,
        }
    }

    /// Remembers a file that was written. If that can't be recorded, the file counts as foreign in
    /// later runs of the program, which does no harm.
    pub(crate) fn remember(&mut self, path: &Path, bytes: &[u8]) {
        let key = path_key(path);
        let hash = hex(bytes);
        if self.own.insert(key.clone(), hash.clone()).as_ref() == Some(&hash) {
            return;
        }
        let Some(record) = &self.record else { return };
        let mut lines = self.recorded();
        lines.retain(|(other, _)| *other != key);
        lines.push((key, hash));
        let oldest = lines.len().saturating_sub(MAX_REMEMBERED);
        let text = lines[oldest..].iter().fold(String::new(), |mut text, (of, is)| {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{of} {is}");
            text
        });
        let folder = record.parent().unwrap_or(Path::new(""));
        let _ = files::create_folders(&SystemDisk, folder)
            .and_then(|()| files::replace_secret(&SystemDisk, record, text.as_bytes()));
    }

    /// Returns the recorded hashes of paths and files, the oldest first. Returns an empty list if
    /// the record can't be read.
    fn recorded(&self) -> Vec<(String, String)> {
        let read = self.record.as_ref().and_then(|path| SystemDisk.read(path, MAX_RECORD).ok());
        let text = String::from_utf8(read.unwrap_or_default()).unwrap_or_default();
        let pair = |line: &str| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()));
        text.lines().filter_map(pair).collect()
    }
}

/// Returns the hash of the absolute form of a path, so that the record doesn't show the path
/// itself.
fn path_key(path: &Path) -> String {
    let whole = absolute(path).unwrap_or_else(|_| path.to_owned());
    hex(whole.as_os_str().as_encoded_bytes())
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_what_was_written_here_and_left_alone_is_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.svg");
        let mut written = OwnFiles::in_folder(Some(&folder.path().join("data")));
        assert!(!written.is_foreign(&path), "nothing is there");
        fs::write(&path, "<svg>one</svg>").unwrap();
        assert!(written.is_foreign(&path));
        written.remember(&path, b"<svg>one</svg>");
        assert!(!written.is_foreign(&path));
        // Another run of the program finds the file in the record.
        let later = OwnFiles::in_folder(Some(&folder.path().join("data")));
        assert!(!later.is_foreign(&path));
        // Without a data folder, the file is remembered until the game ends.
        let mut nowhere = OwnFiles::in_folder(None);
        assert!(nowhere.is_foreign(&path));
        nowhere.remember(&path, b"<svg>one</svg>");
        assert!(!nowhere.is_foreign(&path));
        // A file that only begins with the same bytes is a different file.
        fs::write(&path, "<svg>one</svg> and my own words").unwrap();
        assert!(later.is_foreign(&path) && written.is_foreign(&path));
        // A file with the same bytes in another folder is someone's copy.
        let copy = folder.path().join("copy.svg");
        fs::write(&copy, "<svg>one</svg>").unwrap();
        assert!(later.is_foreign(&copy));
        fs::write(&copy, "").unwrap();
        assert!(!later.is_foreign(&copy));
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let path = |n: usize| folder.path().join(n.to_string());
        let mut written = OwnFiles::in_folder(Some(&data));
        for n in 0..=MAX_REMEMBERED {
            written.remember(&path(n), b"words");
        }
        let later = OwnFiles::in_folder(Some(&data));
        for (n, is_foreign) in [(0, true), (1, false), (MAX_REMEMBERED, false)] {
            fs::write(path(n), "words").unwrap();
            assert_eq!(later.is_foreign(&path(n)), is_foreign, "{n}");
        }
        // A damaged record counts as empty.
        fs::write(data.join("written"), [0xff; 100]).unwrap();
        assert!(later.is_foreign(&path(1)));
    }
}
