//! Stores, opens, lists, follows and removes sessions in folders on disk.
//!
//! [`adjutant_engine::session`] defines sessions and the format of their journals. This module
//! deals only with the disk.

mod error;
mod folder;
#[cfg(feature = "screen")]
mod follow;
mod list;
mod name;
#[cfg(test)]
pub(crate) mod testing;

pub use error::StoreError;
#[cfg(feature = "screen")]
pub(crate) use folder::PAGE_KEYS_FILE;
pub(crate) use folder::{DECISIONS_FILE, REQUESTS_FILE, REQUESTS_LOCK_FILE, TRANSCRIPT_FILE};
pub use folder::{
    Folder, ResumedSession, open, open_on, read_session, record, recover, remove_session, rename,
    save, save_new, save_new_on,
};
#[cfg(feature = "screen")]
pub use follow::Follower;
pub use list::{SessionSummary, free_name, list_sessions, session_summary};
pub use name::{NameError, check_session_name};
