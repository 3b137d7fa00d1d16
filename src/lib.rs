//! The program around the engine: the command line, the console, the disk and the players' screen.
//!
//! The rule language, the dice and the console's words are in the crates `adjutant-engine` and
//! `adjutant-dice`. This crate contains the program itself, and everything that uses the terminal,
//! files, the clock, the network or the environment.
//!
//! A module imports only from the modules below it in this list; `tests/it/architecture.rs` checks
//! this.
//!
//! | module | contents |
//! |---|---|
//! | `main` | arguments in, exit code out |
//! | [`cli`] | one file per subcommand |
//! | [`console`] | the prompt: reading lines, completion, help and questions; the main loop of a game |
//! | `screen` | the players' screen: a process that follows a journal and shows it to browsers |
//! | [`requests`] | the players' requests, which wait next to the journal until the umpire decides |
//! | [`session_folder`] | sessions in folders: opening, storing, listing and following them |
//! | [`shipped`] | the rulesets that come with the program |
//! | [`files`] | the disk: only regular files, and only the links that the user named |
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
