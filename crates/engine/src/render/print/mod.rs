//! The printers of a document, one for each format.

pub(in crate::render) mod dice;
pub(in crate::render) mod escape;
mod grid;
pub(in crate::render) mod html;
pub(super) mod markdown;
mod script;
mod standing;
mod text;

use super::document::{Block, Document};

/// The format of a printed page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Plain text, a transcript as lines that can be typed again.
    Text,
    /// Markdown.
    Markdown,
    /// One HTML file.
    Html,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Text, Format::Markdown, Format::Html];

    /// Returns the name that an argument gives it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Markdown => "markdown",
            Format::Html => "html",
        }
    }

    /// Returns what an umpire should know of it, in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Format::Text => {
                "Plain text; a transcript as lines that can be fed back, with everything else behind `#`"
            }
            Format::Markdown => "Markdown",
            Format::Html => "One HTML file, for the browser and the printer",
        }
    }

    /// Returns the format that the extension of a file means, or plain text if it means none.
    pub(crate) fn of_ending(ending: &str) -> Format {
        match ending.to_ascii_lowercase().as_str() {
            "md" | "markdown" => Format::Markdown,
            "html" | "htm" => Format::Html,
            _ => Format::Text,
        }
    }
}

impl Document {
    /// Writes a page; `width` is for text alone.
    pub fn print(&self, format: Format, width: usize) -> String {
        let is_typed = |block: &Block| matches!(block, Block::Typed { .. });
        match format {
            Format::Text if self.blocks.iter().any(is_typed) => script::page(self),
            Format::Text => self.plain(width),
            Format::Markdown => markdown::page(self),
            Format::Html => html::page(self),
        }
    }
}
