//! The description of a format: its name, the files that mean it, and the function that writes it. The list is in `mod.rs`.

use std::fmt;

use crate::render::document::Document;

/// A format of printed pages. Each has its own file, with everything about it.
#[derive(Clone, Copy)]
pub struct Format {
    /// The name that an argument gives it.
    pub name: &'static str,
    /// The description for umpires, in a few words.
    pub description: &'static str,
    /// The extensions of files that mean it, in lower case.
    pub(super) extensions: &'static [&'static str],
    /// True if a page can hold pictures.
    pub(in crate::render) has_pictures: bool,
    /// Writes a page; the number of columns matters to plain text alone.
    pub(super) print: fn(&Document, usize) -> String,
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.name).finish()
    }
}

impl Document {
    /// Writes a page; `width` is for text alone.
    pub fn print(&self, format: Format, width: usize) -> String {
        (format.print)(self, width)
    }
}
