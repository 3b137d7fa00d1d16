//! The battle report: a story of the game for people who weren't there, to be published.
//!
//! Like every view it is made from events and table, for one viewer. The sentences are those that the ruleset has for what is
//! notable; what belongs here is their choice and their order, not their words. The log of all commands is the transcript's.

mod battle_report;
mod game_story;
mod moments;
mod print;
#[cfg(test)]
mod tests;

pub use battle_report::{Report, ReportPhoto};
pub use print::ReportFormat;
