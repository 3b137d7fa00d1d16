//! The console: a game played line by line, from a keyboard or a pipe.
//!
//! [`play`] takes a line and gives a reply; it knows no terminal. A word of the console is a file in `words` with
//! everything of it: how it is typed, its help, its completion, and what carries it out. `keyboard` and [`pipe`]
//! are the two places lines come from.

mod ask;
mod clock;
mod complete;
mod json;
pub(crate) mod keyboard;
pub mod pipe;
pub mod play;
mod purpose;
pub mod reply;
mod resolve;
#[cfg(feature = "screen")]
mod screen;
pub(crate) mod tour;
mod transcript;
mod words;

use std::time::{SystemTime, UNIX_EPOCH};

pub use complete::complete;
pub use words::is_word;
pub(crate) use words::words;

/// Returns the time in milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
