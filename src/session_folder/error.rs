//! The error type for sessions on disk.

use adjutant_engine::session::SessionError;

use super::name::NameError;

/// The reason why a session can't be stored or opened. The messages are shown to people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The name is not valid for a session.
    #[error(transparent)]
    Name(#[from] NameError),
    /// There is already a session with this name.
    #[error("the session `{0}` already exists; choose another name")]
    Exists(String),
    /// There is no session with this name.
    #[error("there is no session `{0}`")]
    Missing(String),
    /// Another console is playing the session.
    #[error("another console is playing the session `{0}`; close it first")]
    Busy(String),
    /// The folder or a file in it was not found.
    #[error("the folder `{0}` has vanished; nothing more is saved there")]
    Vanished(String),
    /// The journal does not have the expected length, because another program changed it.
    #[error("`{0}` was changed by another program; nothing more is written to it")]
    Changed(String),
    /// The journal is shorter than before, or is no longer at its path.
    #[error("the journal in `{0}` was replaced by another file")]
    Replaced(String),
    /// The disk is full, or a quota is used up.
    #[error("the disk is full: `{0}` could not be written")]
    Full(String),
    /// The disk or the file is read-only, or may not be accessed.
    #[error("`{0}` cannot be written: it is read-only")]
    ReadOnly(String),
    /// The file is a link, a pipe, a device or a folder.
    #[error("`{0}` is a link or not a regular file, so it is not changed")]
    NotPlain(String),
    /// A file is larger than allowed. The fields are the file, and the reason, which states the
    /// limit.
    #[error("`{0}` is not changed: {1}")]
    TooLong(String, String),
    /// The disk failed, and a partial line could not be removed. The fields are the file and the
    /// operating system's error.
    #[error(
        "the disk failed while `{0}` was being written ({1}), so the last line may be missing; `adjutant resume` checks it"
    )]
    Unsure(String, String),
    /// Any other error from the operating system.
    #[error("`{path}`: {reason}")]
    Io {
        /// The file or folder.
        path: String,
        /// The operating system's error.
        reason: String,
    },
    /// An error in the session, not on the disk.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl StoreError {
    /// Returns true if play could continue in memory after this error, without saving.
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
