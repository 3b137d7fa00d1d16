//! The copies of a ruleset's files in a session's folder.

use super::record::FileRecord;
use super::seal::sha256;
use crate::ruleset::FileText;

/// The folder of the ruleset's files in a session's.
pub const RULESET_FOLDER: &str = "ruleset";

/// Returns the records of a ruleset's files in a session's folder.
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

/// Returns true for a character that a file name can have on every system.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// Returns true if the path of a ruleset's copy is one in the folder of copies, and nowhere else on the disk.
pub(super) fn is_copy(copy: &str) -> bool {
    let name = copy.strip_prefix(RULESET_FOLDER).and_then(|rest| rest.strip_prefix('/'));
    name.is_some_and(|n| !matches!(n, "" | "." | "..") && !n.contains(['/', '\\', ':']))
}
