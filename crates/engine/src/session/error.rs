//! Why something can't happen to a session, or why one can't be read.

use super::journal::DamagedLine;

/// The number of characters of a reason that are shown.
const MAX_REASON: usize = 300;

/// The reason why a session can't be read, or why something can't happen to it. Messages are for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// A line of the journal cannot be trusted.
    #[error(
        "line {} of `{path}` is damaged: {}; {} before it can be recovered",
        damage.line, shorten_reason(&damage.reason), recoverable_before(damage.line, *commands)
    )]
    Damaged {
        /// The journal.
        path: String,
        /// Which line, and why.
        damage: DamagedLine,
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
    /// A record does not fit the game as it is now.
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
    /// A file of the session that [`Origin::file`] can't give, with the reason.
    ///
    /// [`Origin::file`]: super::JournalOrigin::file
    #[error("{0}")]
    File(String),
}

/// Returns what can be recovered before a damaged line.
fn recoverable_before(line: usize, commands: usize) -> String {
    match (line, commands) {
        (1, _) => "nothing".to_owned(),
        (_, 1) => "the 1 command".to_owned(),
        (_, n) => format!("the {n} commands"),
    }
}

/// Returns a reason, which may quote anything from a file, at a length for people.
pub(super) fn shorten_reason(reason: &str) -> String {
    match reason.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", reason.get(..end).unwrap_or_default()),
        None => reason.to_owned(),
    }
}
