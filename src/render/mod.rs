//! Data to text: outcomes, tables, plans, charts, rules, faults. Nothing here writes to a terminal.

pub mod amend;
pub mod chances;
mod check;
pub mod diagnostic;
pub mod document;
pub mod hands;
pub mod json;
pub mod luck;
pub mod markup;
pub mod message;
pub mod odds;
pub mod outcome;
pub mod paper;
pub mod plan;
mod print;
pub mod reload;
pub mod rule;
pub mod show;
pub mod simulation;
pub mod summary;
pub mod table;
pub mod transcript;
pub mod why;

pub use print::Format;
