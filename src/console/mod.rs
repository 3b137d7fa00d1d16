//! The console on this machine. Lines come from a keyboard or a pipe, replies go to a terminal or a
//! file, and records go to a disk.
//!
//! The engine ([`adjutant_engine::console`]) carries out the lines. [`Game`] does the input and
//! output that the engine requests. `keyboard` and [`pipe`] are the two sources of lines.

mod alias;
mod busy;
mod editor;
mod game;
pub(crate) mod interrupt;
mod json;
pub(crate) mod keyboard;
pub mod pipe;
mod quiet;
mod requests;
#[cfg(feature = "screen")]
mod screen;
mod transcript;
mod waiting_thread;
mod written;

pub(crate) use alias::Aliases;
pub use busy::BusySign;
pub use game::{Frontend, Game, PromptInput, ReadFilesAgain};
pub(crate) use json::GameAnswer;
pub(crate) use written::OwnFiles;
