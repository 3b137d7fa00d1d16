//! Why a session can't be stored or opened.

use adjutant_engine::session::SessionError;

use super::name::NameError;

/// The reason why a session can't be stored or opened. Messages are for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No folder can have the name.
    #[error(transparent)]
    Name(#[from] NameError),
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
    /// The journal that was followed is shorter than before, or was replaced by another.
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
    /// The disk failed, and what it had written could not be removed: the file, and the system's error.
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
    /// The session itself, whatever the disk does.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl StoreError {
    /// Returns true if play could continue in memory, with nothing saved.
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
