//! The copies of a ruleset's files in a session's folder.

use super::record::FileRecord;
use super::seal::sha256;
use crate::ruleset::FileText;

/// The folder of the ruleset's files in a session's.
pub const RULESET: &str = "ruleset";

/// Returns the records of a ruleset's files in a session's folder.
pub(super) fn file_records(files: &[FileText]) -> Vec<FileRecord> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let records = files.iter().enumerate().map(|(place, file)| {
        let last = file.name.rsplit(['/', '\\']).next().unwrap_or("");
        let last: String = last.chars().filter(|&c| plain(c)).take(60).collect();
        FileRecord {
            name: file.name.clone(),
            scenario: file.scenario.clone(),
            copy: format!("{RULESET}/{place:02}-{last}"),
            sha256: sha256(file.text.as_bytes()),
        }
    });
    records.collect()
}

/// Returns true if the path of a ruleset's copy is one in the folder of copies, and nowhere else on the disk.
pub(super) fn is_copy(copy: &str) -> bool {
    let name = copy.strip_prefix(RULESET).and_then(|rest| rest.strip_prefix('/'));
    name.is_some_and(|n| !matches!(n, "" | "." | "..") && !n.contains(['/', '\\', ':']))
}
