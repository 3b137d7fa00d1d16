//! Text in HTML and SVG.

use crate::render::markup::sanitize;

/// Returns words without control characters, for HTML.
pub(in crate::render) fn clean_and_escape(words: &str) -> String {
    escape(&sanitize(words))
}

/// Returns text that has no control characters, including line ends, for HTML.
pub(super) fn escape(words: &str) -> String {
    html_escape::encode_double_quoted_attribute(words).into_owned()
}
