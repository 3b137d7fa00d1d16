//! Views, which make documents of events and table, and the printers of documents. Nothing here writes to a terminal.

pub(crate) mod amend;
mod brief;
pub mod chances;
pub(crate) mod chart;
mod check;
pub mod diagnostic;
pub mod document;
pub(crate) mod fair;
pub(crate) mod hands;
pub(crate) mod json;
pub(crate) mod luck;
pub(crate) mod markup;
pub(crate) mod message;
pub(crate) mod odds;
pub(crate) mod outcome;
pub mod paper;
pub(crate) mod plan;
mod prelude;
mod print;
pub(crate) mod reload;
pub(crate) mod rule;
pub mod screen;
pub(crate) mod setup;
pub(crate) mod show;
pub mod simulation;
pub(crate) mod summary;
pub(crate) mod table;
pub mod transcript;
pub(crate) mod why;

use crate::session::{Entry, Session};

pub use print::Format;

/// Returns what a command of a session brought about, as the prompt shows it to the umpire.
pub fn entry(session: &Session, entry: &Entry, width: usize) -> document::Document {
    let board = session.board();
    let view = outcome::View::at(session, board, width);
    outcome::outcome(&view.of_command(board, entry.number), &entry.outcome, Some(entry.number))
}
