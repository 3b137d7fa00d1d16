//! The description of a format: its name, its file extensions, and the function that writes it. The
//! list is in `mod.rs`.

use std::fmt;

use crate::render::document::Document;

/// A format for printed pages. Each format is defined in its own file.
#[derive(Clone, Copy)]
pub struct Format {
    /// The name of the format in command-line arguments.
    pub name: &'static str,
    /// The description for umpires, in a few words.
    pub description: &'static str,
    /// The file extensions of the format, in lower case.
    pub(super) extensions: &'static [&'static str],
    /// True if a page in this format can contain pictures.
    pub(in crate::render) has_pictures: bool,
    /// The function that writes a page. The number of columns matters only for plain text.
    pub(super) print: fn(&Document, usize) -> String,
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.name).finish()
    }
}

impl Document {
    /// Writes the document as a page. `width` is the number of columns, which matters only for
    /// plain text.
    pub fn print(&self, format: Format, width: usize) -> String {
        (format.print)(self, width)
    }
}
