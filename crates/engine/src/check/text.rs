//! Outcomes as text. Examples search this text for words, and reports of leaks show the lines that
//! differ.

use crate::referee::{Outcome, SeenTable};
use crate::render;
use crate::render::view::View;

/// A width, in columns, at which no line is wrapped.
pub(super) const UNBROKEN_WIDTH: usize = 10_000;

/// Returns an outcome as text without wrapped lines, for the umpire or, if `sight` is given, for
/// the viewer with that view of the table. `view` is the umpire's.
pub(super) fn unbroken_text(
    view: View<'_>,
    outcome: &Outcome,
    sight: Option<&SeenTable>,
) -> String {
    render::outcome::outcome(&view.seen_by(sight), outcome, None).plain(UNBROKEN_WIDTH)
}
