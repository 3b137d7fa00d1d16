//! The errors that can occur when a session is read or changed.

use super::journal::DamagedLine;

/// The maximum length of a reason in a message, in characters.
const MAX_REASON: usize = 300;

/// The reason why a session can't be read or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// A damaged line of the journal.
    #[error(
        "line {} of `{path}` is damaged: {}; {} before it can be recovered",
        damage.line, shorten_reason(&damage.reason), recoverable_before(damage.line, *commands)
    )]
    Damaged {
        /// The name of the journal.
        path: String,
        /// The damaged line, and the reason why it counts as damaged.
        damage: DamagedLine,
        /// The number of commands in the lines before the damaged line.
        commands: usize,
    },
    /// This program cannot read the format of the journal. The fields are the journal's name and
    /// the version number of its format.
    #[error(
        "`{0}` is in journal format {1}, which this version of adjutant can't read; its transcript (`transcript.md`) is still readable"
    )]
    OtherForm(String, u32),
    /// The journal has no first record.
    #[error("`{0}` contains no session: not even its first line was written")]
    Empty(String),
    /// The copy of a file of the ruleset was changed or is missing. The field is its path.
    #[error("`{0}` has changed since the session began; restore the old file")]
    Ruleset(String),
    /// A record does not fit the state of the game, for this reason.
    #[error("{0}")]
    Misfit(String),
    /// A record cannot be written.
    #[error("a record cannot be written: {0}")]
    Record(String),
    /// The session has changed since the amendment was planned.
    #[error("something else happened in the meantime; try again")]
    Stale,
    /// This program can't load the ruleset of the session. The field is the message of the first
    /// fault.
    #[error("the ruleset of this session no longer loads: {0}")]
    Refused(String),
    /// A file of the session can't be supplied by [`Origin::file`]. The field is the message.
    ///
    /// [`Origin::file`]: super::JournalOrigin::file
    #[error("{0}")]
    File(String),
}

/// Returns a phrase for the commands before a damaged line, which can be recovered.
fn recoverable_before(line: usize, commands: usize) -> String {
    match (line, commands) {
        (1, _) => "nothing".to_owned(),
        (_, 1) => "the 1 command".to_owned(),
        (_, n) => format!("the {n} commands"),
    }
}

/// Returns a reason, cut off after [`MAX_REASON`] characters because it may quote long text from a
/// file.
pub(super) fn shorten_reason(reason: &str) -> String {
    match reason.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", reason.get(..end).unwrap_or_default()),
        None => reason.to_owned(),
    }
}
