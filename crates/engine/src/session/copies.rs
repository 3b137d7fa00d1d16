//! The copies of a ruleset's files in a session's folder.

use super::record::FileRecord;
use super::seal::sha256;
use crate::ruleset::FileText;

/// The subfolder of a session's folder that contains the files of the ruleset.
pub const RULESET_FOLDER: &str = "ruleset";

/// Returns a record of each file of a ruleset, with the path of its copy in the session's folder.
pub(super) fn file_records(files: &[FileText]) -> Vec<FileRecord> {
    let mut records = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let last = file.name.rsplit(['/', '\\']).next().unwrap_or("");
        let plain: String = last.chars().filter(|&c| is_plain(c)).take(60).collect();
        records.push(FileRecord {
            name: file.name.clone(),
            scenario: file.scenario.clone(),
            copy: format!("{RULESET_FOLDER}/{index:02}-{plain}"),
            sha256: sha256(file.text.as_bytes()),
        });
    }
    records
}

/// Returns true for the characters that are used in the names of copies, because every system
/// allows them.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// Returns true if a path names a file directly in [`RULESET_FOLDER`]. A journal from someone else
/// could name a path elsewhere on the disk.
pub(super) fn is_copy(copy: &str) -> bool {
    let name = copy.strip_prefix(RULESET_FOLDER).and_then(|rest| rest.strip_prefix('/'));
    name.is_some_and(|n| !matches!(n, "" | "." | "..") && !n.contains(['/', '\\', ':']))
}
