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
pub(crate) use folder::KEYS;
pub(crate) use folder::TRANSCRIPT;
pub use folder::{
    Folder, Resumed, keep, keep_on, look, open, open_on, record, recover, remove, rename, save,
};
#[cfg(feature = "screen")]
pub use follow::Follower;
pub use list::{Summary, free_name, list, summary};
pub use name::{NameError, check_session_name};
