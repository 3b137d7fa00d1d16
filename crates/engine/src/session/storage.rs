//! Storing a session: the errors, and the names of its files.

use super::journal::Damage;
use super::record::FileRecord;
use super::seal::sha256;
use crate::ruleset::FileText;

/// The folder of the ruleset's files in a session's.
pub const RULESET: &str = "ruleset";
/// The number of characters of a reason that are shown.
const REASON: usize = 300;

/// Why a session could not be kept or read. Messages are for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The name cannot be that of a folder.
    #[error(
        "`{0}` cannot be the name of a session: letters, digits, `-`, `_` and `.`, a letter or digit first, no `.` \
         last, and no device of Windows such as `con` or `com1`"
    )]
    Name(String),
    /// There is a session of that name.
    #[error("there is a session `{0}` already; take another name")]
    Exists(String),
    /// There is none.
    #[error("there is no session `{0}`")]
    Missing(String),
    /// Another console plays it.
    #[error("another console plays the session `{0}`; close it first")]
    Busy(String),
    /// The folder or the journal is gone.
    #[error("the folder `{0}` has vanished; nothing more is kept there")]
    Vanished(String),
    /// Somebody else wrote to the journal.
    #[error("`{0}` was changed by another program; nothing more is written to it")]
    Changed(String),
    /// The journal that was followed is shorter than it was, or another is in its place.
    #[error("the journal in `{0}` is no longer the one it was")]
    Replaced(String),
    /// The disk is full.
    #[error("the disk is full: `{0}` could not be written")]
    Full(String),
    /// Writing is not allowed.
    #[error("`{0}` cannot be written: it is read-only")]
    ReadOnly(String),
    /// It is a link, a pipe, a device or a folder.
    #[error("`{0}` is a link or not a plain file; it is left alone")]
    NotPlain(String),
    /// It is longer than it can be: the file, and the most it may have.
    #[error("`{0}` is left alone: {1}")]
    TooLong(String, String),
    /// The disk failed, and what it had taken could not be taken back: the file, and the system's error.
    #[error(
        "the disk failed while `{0}` was written ({1}): whether the last line is kept there is not known; \
         `adjutant resume` will tell"
    )]
    Unsure(String, String),
    /// Anything else the system refuses.
    #[error("`{path}`: {reason}")]
    Io {
        /// Which file or folder.
        path: String,
        /// The system's error.
        reason: String,
    },
    /// A line of the journal cannot be trusted.
    #[error(
        "line {} of `{path}` is damaged: {}; {} before it can be recovered",
        damage.line, shortened(&damage.reason), before(damage.line, *commands)
    )]
    Damaged {
        /// The journal.
        path: String,
        /// Which line, and why.
        damage: Damage,
        /// The number of commands in the lines before it.
        commands: usize,
    },
    /// The journal has another form: the journal, and the form.
    #[error(
        "`{0}` has form {1}, which this adjutant doesn't read; its transcript (`transcript.md`) can still be read"
    )]
    OtherForm(String, u32),
    /// The journal holds no beginning.
    #[error("`{0}` holds no session: not even its first line was written")]
    Empty(String),
    /// A copy of the ruleset is not as it was.
    #[error("`{0}` is not as it was when the session began; put the old file back")]
    Ruleset(String),
    /// A record does not fit the game as it stands.
    #[error("{0}")]
    Misfit(String),
    /// A record cannot be put into words.
    #[error("a record cannot be written: {0}")]
    Record(String),
    /// A plan that no longer holds.
    #[error("something else happened since then; try again")]
    Stale,
    /// The ruleset of the session is refused by this program.
    #[error("the ruleset of this session no longer loads: {0}")]
    Refused(String),
}

/// Returns what can be recovered before a damaged line.
fn before(line: usize, commands: usize) -> String {
    match (line, commands) {
        (1, _) => "nothing".to_owned(),
        (_, 1) => "the 1 command".to_owned(),
        (_, n) => format!("the {n} commands"),
    }
}

/// Returns a reason, which may name anything that stands in a file, at a length for people.
pub(super) fn shortened(reason: &str) -> String {
    match reason.char_indices().nth(REASON) {
        Some((end, _)) => format!("{}…", reason.get(..end).unwrap_or_default()),
        None => reason.to_owned(),
    }
}

impl StoreError {
    /// Returns true if play could go on in memory, with nothing kept.
    pub fn can_go_on(&self) -> bool {
        matches!(
            self,
            StoreError::Vanished(_)
                | StoreError::Changed(_)
                | StoreError::Full(_)
                | StoreError::ReadOnly(_)
                | StoreError::NotPlain(_)
                | StoreError::Unsure(..)
                | StoreError::Io { .. }
        )
    }
}

/// Checks that a folder can have this name.
pub fn check_session_name(name: &str) -> Result<(), StoreError> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let first = name.chars().next().is_some_and(char::is_alphanumeric);
    let long = name.chars().count() > 80;
    if first && !long && name.chars().all(fits) && !name.ends_with('.') && !is_device(name) {
        return Ok(());
    }
    let shown: String = name.chars().take(80).flat_map(char::escape_default).collect();
    Err(StoreError::Name(shown))
}

/// Returns true for names that Windows keeps for devices, whatever follows behind a `.`.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let numbered = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
    matches!(&*stem, "con" | "prn" | "aux" | "nul")
        || numbered.is_some_and(|n| n.len() == 1 && n.chars().all(|c| c.is_ascii_digit()))
}

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
