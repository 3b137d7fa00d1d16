//! The parts of a picture of the table: counters, framed words, and the SVG element around them.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use crate::render::looks::{self, SideColours};
use crate::render::print::escape::clean_and_escape;
use crate::render::view::View;

/// The CSS for plans, which the page that contains them must include.
pub const STYLE: &str = concat!(include_str!("../looks.css"), include_str!("plan.css"));

/// The width of a letter of the plan, in SVG units.
pub(super) const LETTER_WIDTH: usize = 12;
/// The height of a counter and of a badge.
pub(super) const COUNTER_HEIGHT: i64 = 24;
/// The maximum width of the names in an area.
pub(super) const MAX_NAME_WIDTH: i64 = 92;
/// The height of words with a background, and their distance below the middle of a turned counter.
pub(super) const LABEL_HEIGHT: i64 = 22;
pub(super) const LABEL_TOP: i64 = 24;
/// The size of a glyph on a counter.
const GLYPH_SIZE: i64 = 20;

/// Returns an SVG picture of these elements, with a name for screen readers.
pub(super) fn picture_svg(
    name: &str,
    elements: &str,
    (left, top, width, height): (i64, i64, i64, i64),
    alone: bool,
) -> String {
    let style = if alone { format!("<style>{STYLE}</style>") } else { String::new() };
    // Inside an HTML page, SVG needs no namespace declaration.
    let space = if alone { " xmlns=\"http://www.w3.org/2000/svg\"" } else { "" };
    format!(
        r#"<svg class="plan"{space} viewBox="{left} {top} {width} {height}" width="{width}" height="{height}" role="img" aria-label="{name}">{style}<rect class="paper" x="{left}" y="{top}" width="{width}" height="{height}"/>{elements}</svg>"#
    )
}

/// Returns an SVG text element with words at a point.
pub(super) fn text_svg(class: &str, (x, y): (i64, i64), words: &str) -> String {
    let words = clean_and_escape(words);
    format!(r#"<text class="{class}" x="{x}" y="{y}">{words}</text>"#)
}

/// Returns the width of words with a background.
pub(super) fn label_width(words: &str) -> i64 {
    (LETTER_WIDTH * words.width()) as i64 + 4
}

/// Returns words with a background that has its top left corner at a point.
pub(super) fn tag_svg((x, y): (i64, i64), words: &str) -> String {
    let width = label_width(words);
    let tag = format!(
        r#"<rect class="tag" x="{x}" y="{y}" width="{width}" height="{LABEL_HEIGHT}" rx="3"/>"#
    );
    tag + &text_svg("label", (x + 2, y + 18), words)
}

/// Returns an SVG path element with this outline.
pub(super) fn path_svg(class: &str, path: &str) -> String {
    format!(r#"<path class="{class}" d="{path}"/>"#)
}

/// Returns words in a frame, condensed if they are too wide for it.
pub(super) fn framed_svg(
    (frame, text): (&str, &str),
    (x, y): (i64, i64),
    (width, height): (i64, i64),
    words: &str,
) -> String {
    let middle = x + width / 2;
    let base = y + 3 * height / 4 + 1;
    let fit = pressed(words, width - 6);
    let words = clean_and_escape(words);
    let round = height / 4 + 2;
    format!(
        r#"<rect class="{frame}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}"/><text class="{text}" x="{middle}" y="{base}"{fit}>{words}</text>"#
    )
}

/// Returns the SVG attributes that condense words to fit a width; empty if the words fit without
/// them.
fn pressed(words: &str, width: i64) -> String {
    if (LETTER_WIDTH * words.width()) as i64 <= width {
        return String::new();
    }
    format!(r#" textLength="{width}" lengthAdjust="spacingAndGlyphs""#)
}

/// The painter of counters, with the sides and their colours.
pub(super) struct Counters<'a> {
    view: &'a View<'a>,
    colours: SideColours,
    sides: Vec<String>,
}

/// A drawable counter: its text, its CSS class and its glyph.
struct Counter {
    words: String,
    /// The CSS class of the side's colour, or one that distinguishes sides without colours.
    class: &'static str,
    glyph: Option<&'static str>,
}

impl<'a> Counters<'a> {
    pub(super) fn of(view: &'a View<'a>) -> Counters<'a> {
        Counters { view, colours: SideColours::of(view), sides: looks::sides_in_order(view) }
    }

    fn counter(&self, name: &str) -> Counter {
        let view = self.view;
        let Some((kind, row)) = view.table.find(name) else {
            return Counter { words: name.to_owned(), class: "", glyph: None };
        };
        let side = view.referee.side_of_piece(view.table, kind, row);
        let number = side.as_ref().and_then(|side| self.sides.iter().position(|s| s == side));
        let class = match self.colours.class(side.as_deref()) {
            "" => ["", "s1", "s2", "s3"][number.unwrap_or(0) % 4],
            class => class,
        };
        let signs = looks::status_signs(view, kind, row);
        let words = [vec![name.to_owned()], signs].concat().join(" ");
        let glyph = looks::glyph(view, kind, row).map(looks::glyph_path);
        Counter { words, class, glyph }
    }

    /// Returns the text on the counter of a piece.
    pub(super) fn words(&self, name: &str) -> String {
        self.counter(name).words
    }

    /// Returns the width of the text on the counter of a piece.
    pub(super) fn words_width(&self, name: &str) -> i64 {
        label_width(&self.counter(name).words)
    }

    /// Returns the width of the counter of a piece.
    pub(super) fn width(&self, name: &str) -> i64 {
        let counter = self.counter(name);
        let glyph = if counter.glyph.is_some() { GLYPH_SIZE + 2 } else { 0 };
        ((LETTER_WIDTH * counter.words.width()) as i64 + 10 + glyph).min(MAX_NAME_WIDTH)
    }

    /// Returns the counter of a piece, with its top left corner at a point.
    pub(super) fn counter_svg(
        &self,
        name: &str,
        (x, y): (i64, i64),
        arrow: Option<char>,
    ) -> String {
        let counter = self.counter(name);
        let width = self.width(name);
        let class = counter.class;
        let round = COUNTER_HEIGHT / 4 + 2;
        let mut out = format!(
            r#"<rect class="stand {class}" x="{x}" y="{y}" width="{width}" height="{COUNTER_HEIGHT}" rx="{round}"/>"#
        );
        let mut left = x + 3;
        if let Some(path) = counter.glyph {
            let top = y + 2;
            let _ = write!(
                out,
                r#"<path class="glyph {class}" transform="translate({left} {top})" d="{path}"/>"#
            );
            left += GLYPH_SIZE + 1;
        }
        let room = x + width - 3 - left;
        let words: String = counter.words.chars().chain(arrow).collect();
        let fit = pressed(&words, room);
        let _ = write!(
            out,
            r#"<text class="name {class}" x="{}" y="{}"{fit}>{}</text>"#,
            left + room / 2,
            y + 19,
            clean_and_escape(&words)
        );
        out
    }

    /// Returns a counter that is turned around a point by an angle, in degrees clockwise from the
    /// top, with words below the counter.
    pub(super) fn turned_svg(
        &self,
        name: &str,
        (x, y): (i64, i64),
        angle: i64,
        words: &str,
    ) -> String {
        let counter = self.counter(name);
        let class = counter.class;
        let mut out = format!(
            r#"<path class="stand {class}" transform="translate({x} {y}) rotate({angle})" d="M0-27L15-13V19H-15V-13z"/>"#
        );
        if let Some(path) = counter.glyph {
            let left = x - GLYPH_SIZE / 2;
            let top = y - GLYPH_SIZE / 2;
            let _ = write!(
                out,
                r#"<path class="glyph {class}" transform="translate({left} {top})" d="{path}"/>"#
            );
        }
        out + &tag_svg((x - label_width(words) / 2, y + LABEL_TOP), words)
    }
}
