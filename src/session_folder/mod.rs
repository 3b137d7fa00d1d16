//! Sessions in folders of their own: opened, stored, listed, followed.
//!
//! What a session is, and the form of its journal, is in [`adjutant_engine::session`]. This module is about
//! where it is on the disk.

mod error;
mod folder;
#[cfg(feature = "screen")]
mod follow;
mod list;
mod name;

pub use error::StoreError;
#[cfg(feature = "screen")]
pub(crate) use folder::PAGE_KEYS_FILE;
pub(crate) use folder::TRANSCRIPT_FILE;
pub use folder::{
    Folder, ResumedSession, open, open_on, read_session, record, recover, remove_session, rename,
    save, save_new, save_new_on,
};
#[cfg(feature = "screen")]
pub use follow::Follower;
pub use list::{SessionSummary, free_name, list_sessions, session_summary};
pub use name::{NameError, check_session_name};
