//! The battle report: a story of the game to publish, for people who weren't there.
//!
//! Like every view, the report is made from the events and the table, for one viewer. The ruleset
//! supplies the sentences about notable events; this module only selects and orders them. The log
//! of all commands comes from the transcript.

mod battle_report;
mod course;
mod game_story;
mod moments;
mod naming;
mod notables;
mod print;
mod sentences;
mod standing;
#[cfg(test)]
mod tests;

pub use battle_report::{Report, ReportPhoto};
pub use print::ReportFormat;
pub(crate) use standing::values_in_words;
