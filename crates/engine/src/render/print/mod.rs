//! The printers of a document, one for each format.

pub(in crate::render) mod dice;
pub(in crate::render) mod escape;
mod format;
mod grid;
pub(in crate::render) mod html;
mod linear;
pub(super) mod markdown;
mod script;
mod standing;
mod text;

pub use format::Format;
pub use linear::PrintLayout;

/// All formats of printed pages.
static FORMATS: [Format; 3] = [text::FORMAT, markdown::FORMAT, html::FORMAT];

impl Format {
    /// Plain text. A transcript is written as lines that can be typed again.
    pub const TEXT: Format = text::FORMAT;
    /// Markdown.
    pub const MARKDOWN: Format = markdown::FORMAT;
    /// One HTML file.
    pub const HTML: Format = html::FORMAT;

    /// Returns all formats, in the order in which they are listed.
    pub fn all() -> &'static [Format] {
        &FORMATS
    }

    /// Returns the format for a file extension, or plain text if the extension is unknown.
    pub(crate) fn of_extension(extension: &str) -> Format {
        let extension = extension.to_ascii_lowercase();
        let meant = FORMATS.iter().find(|format| format.extensions.contains(&extension.as_str()));
        meant.copied().unwrap_or(Format::TEXT)
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn an_extension_means_the_format_that_is_written_so() {
        let meant = ["txt", "", "md", "Markdown", "html", "HTM", "pdf"];
        let names = meant.map(|extension| Format::of_extension(extension).name);
        assert_eq!(names, ["text", "text", "markdown", "markdown", "html", "html", "text"]);
    }
}
