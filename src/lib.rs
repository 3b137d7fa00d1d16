//! Adjutant, a referee's assistant for miniatures games played with real figures on a real table.

pub mod check;
pub mod cli;
pub mod command;
pub mod console;
pub mod diagnostic;
pub mod dice;
pub mod language;
pub mod referee;
pub mod render;
pub mod ruleset;
pub mod session;
pub mod source;
pub mod tabletop;
