//! Lines whose parts have roles instead of colours.
//!
//! The printers choose widths and colours. Control characters are removed when a part is added.

use std::sync::Arc;

use unicode_width::UnicodeWidthStr;

use crate::names::is_invisible;
pub use crate::names::sanitize;
use crate::referee::Check;

pub use super::document::Document as Text;

/// The meaning of a part of a line. The printers choose a colour for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Running text.
    #[default]
    Plain,
    /// A heading, such as the first line of an answer.
    Header,
    /// An important name or word.
    Strong,
    /// Less important text.
    Quiet,
    /// Faces of dice.
    Dice,
    /// Good news, such as a success.
    Good,
    /// Bad news, such as a failure.
    Bad,
    /// An instruction for the table, or a reminder for the umpire.
    Notice,
    /// An area of the plan whose marker has a low value.
    Low,
    /// An area of the plan whose marker has a middle value.
    Middle,
    /// An area of the plan whose marker has a high value.
    High,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The meaning of the part.
    pub role: Role,
    /// The text of the part, without control characters.
    pub text: String,
}

/// One line, before it is wrapped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The parts, from left to right.
    pub parts: Vec<Part>,
    /// The indentation, in columns, of the later rows when the line is wrapped.
    pub hang: usize,
    /// True for a line that is never wrapped, such as a row of a plan.
    pub whole: bool,
    /// The check in this line, if any, with its label, for printers that draw dice.
    pub check: Option<Arc<(String, Check)>>,
}

impl Line {
    /// Returns an empty line.
    pub(crate) fn new() -> Line {
        Line::default()
    }

    /// Returns a line with one part. If the line is wrapped, its later rows are indented by two
    /// more columns than the first.
    pub fn of(role: Role, text: impl AsRef<str>) -> Line {
        let text = sanitize(text.as_ref());
        let hang = text.len() - text.trim_start_matches(' ').len() + 2;
        Line { parts: vec![Part { role, text }], hang, ..Line::default() }
    }

    /// Adds a part, unless its text is empty.
    pub fn push(&mut self, role: Role, text: impl AsRef<str>) -> &mut Line {
        let text = sanitize(text.as_ref());
        if !text.is_empty() {
            self.parts.push(Part { role, text });
        }
        self
    }

    /// Adds a part, unless its text is empty, and returns the line.
    #[must_use]
    pub fn and(mut self, role: Role, text: impl AsRef<str>) -> Line {
        self.push(role, text);
        self
    }

    /// Adds the reference to the rule book, if there is one.
    #[must_use]
    pub(crate) fn with_cite(self, cite: &str) -> Line {
        if cite.is_empty() { self } else { self.and(Role::Quiet, format!(" · {cite}")) }
    }

    /// Sets the indentation, in columns, of the later rows when the line is wrapped.
    #[must_use]
    pub fn with_hanging_indent(mut self, hang: usize) -> Line {
        self.hang = hang;
        self
    }

    /// Marks the line as one that is never wrapped, and returns it.
    #[must_use]
    pub fn unbreakable(mut self) -> Line {
        self.whole = true;
        self
    }

    /// Returns the width of the line without wrapping, in columns.
    pub(crate) fn width(&self) -> usize {
        self.parts.iter().map(|p| p.text.width()).sum()
    }

    /// Adds spaces up to this column, but at least `least` of them.
    pub fn pad_to(&mut self, column: usize, least: usize) -> &mut Line {
        let blanks = column.saturating_sub(self.width()).max(least);
        self.push(Role::Plain, " ".repeat(blanks))
    }

    /// Returns the text without roles.
    pub fn plain_text(&self) -> String {
        self.parts.iter().map(|p| p.text.as_str()).collect()
    }
}

/// Sanitizes a text of several lines like [`sanitize`], but preserves the line feeds.
pub fn sanitize_lines(text: &str) -> String {
    if !text.contains(|c| c != '\n' && is_invisible(c)) {
        return text.to_owned();
    }
    text.split_inclusive('\n').fold(String::new(), |out, line| match line.strip_suffix('\n') {
        Some(line) => out + &sanitize(line.strip_suffix('\r').unwrap_or(line)) + "\n",
        None => out + &sanitize(line),
    })
}
