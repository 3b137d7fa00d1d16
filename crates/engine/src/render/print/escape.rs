//! Escapes text for HTML and SVG.

use crate::render::markup::sanitize;

/// Removes control characters from words, and escapes the words for HTML.
pub(in crate::render) fn clean_and_escape(words: &str) -> String {
    escape(&sanitize(words))
}

/// Escapes text for HTML. The text must not contain control characters other than line ends.
pub(super) fn escape(words: &str) -> String {
    html_escape::encode_double_quoted_attribute(words).into_owned()
}
