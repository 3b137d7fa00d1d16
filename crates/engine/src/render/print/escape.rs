//! Text in HTML and SVG.

use crate::render::markup::clean;

/// Returns words without control characters, for HTML.
pub(in crate::render) fn escaped(words: &str) -> String {
    encoded(&clean(words))
}

/// Returns words that are clean already, line ends and all, for HTML.
pub(super) fn encoded(words: &str) -> String {
    html_escape::encode_double_quoted_attribute(words).into_owned()
}
