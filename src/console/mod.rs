//! The console: a game played line by line, from a keyboard or a pipe.
//!
//! [`play`] takes a line and gives text; it knows no terminal. [`dispatch`] leads each command to what
//! does it, and is the place to connect what is new.

pub mod dispatch;
mod help;
pub mod keep;
pub mod keyboard;
pub mod log;
pub mod pipe;
pub mod play;
mod reload;
mod seal;
mod throws;
mod transcript;
