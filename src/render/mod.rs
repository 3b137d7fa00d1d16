//! Data to text: outcomes, tables, plans, charts, rules, faults. Nothing here writes to a terminal.

pub mod amend;
pub mod chances;
mod check;
pub mod diagnostic;
mod grid;
pub mod hands;
pub mod json;
pub mod luck;
pub mod markup;
pub mod message;
pub mod odds;
pub mod outcome;
pub mod paper;
pub mod plan;
pub mod reload;
pub mod rule;
pub mod show;
pub mod simulation;
pub mod summary;
pub mod table;
pub mod transcript;
pub mod why;

/// The format of a printed page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Plain text; a transcript as lines that can be fed back, with everything else behind `#`.
    Text,
    /// Markdown.
    Markdown,
    /// One HTML file that needs nothing else.
    Html,
}
