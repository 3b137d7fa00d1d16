//! The program around the engine: the command line, the console, the disk and the players' screen.
//!
//! Everything about rules, dice and games is in the crates `adjutant-engine` and `adjutant-dice`.
//! This crate uses the terminal, files, the clock, the network and the environment, and contains
//! the program itself.
//!
//! A module imports only from those below it in this list; `tests/it/architecture.rs` checks that.
//!
//! | module | contents |
//! |---|---|
//! | `main` | arguments in, exit code out |
//! | [`cli`] | one file per subcommand |
//! | [`console`] | the prompt: reading lines, completion, help, asking; the loop of a game |
//! | `screen` | the players' screen: a process that follows a journal and shows it to browsers |
//! | [`requests`] | players' requests: stored next to the journal until the umpire decides |
//! | [`session_folder`] | sessions in folders: opened, stored, listed, followed |
//! | [`shipped`] | the rulesets that come with the program |
//! | [`files`] | the disk: plain files only, and never through a link |
//! | `clock` | the clock of this machine |

#![cfg_attr(not(test), warn(clippy::shadow_unrelated))]

pub mod cli;
mod clock;
pub mod console;
pub mod files;
pub mod requests;
#[cfg(feature = "screen")]
pub mod screen;
pub mod session_folder;
pub mod shipped;
