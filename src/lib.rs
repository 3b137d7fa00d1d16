//! Adjutant, a referee's assistant for miniatures games played with real figures on a real table.

pub mod diagnostic;
pub mod dice;
pub mod source;
pub mod language;
pub mod render;
pub mod ruleset;
pub mod tabletop;
