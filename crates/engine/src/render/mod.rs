//! Views, which make documents from the events and the table, and printers, which write documents
//! in several formats. Nothing in this module writes to a terminal.

pub mod amend;
mod brief;
pub(crate) mod cards;
pub mod chances;
pub(crate) mod chart;
mod check;
pub mod diagnostic;
pub mod document;
pub mod fair;
pub mod hands;
pub mod json;
pub(crate) mod looks;
pub mod luck;
pub mod markup;
pub mod message;
pub(crate) mod nodes;
pub(crate) mod odds;
pub mod outcome;
pub mod pack;
pub mod paper;
pub mod plan;
mod print;
pub mod reload;
pub mod report;
pub mod rule;
pub mod screen;
pub mod setup;
pub mod show;
pub mod simulation;
pub(crate) mod standing;
pub mod summary;
pub mod table;
pub mod transcript;
pub mod view;
pub mod why;

pub use print::{Format, PrintLayout};
