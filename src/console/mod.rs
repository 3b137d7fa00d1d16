//! The console on this machine: lines from a keyboard or a pipe, replies to a screen, records to a disk.
//!
//! What a line does is the engine's business ([`adjutant_engine::console`]). [`Game`] carries out what that asks for;
//! `keyboard` and [`pipe`] are the two places lines come from.

mod alias;
mod editor;
mod game;
pub(crate) mod interrupt;
mod json;
pub(crate) mod keyboard;
pub mod pipe;
mod quiet;
#[cfg(feature = "screen")]
mod screen;
mod transcript;
mod written;

pub(crate) use alias::Aliases;
pub(crate) use game::current_time;
pub use game::{Frontend, Game, PromptInput, ReadFilesAgain};
pub(crate) use json::GameAnswer;
pub(crate) use written::OwnFiles;
