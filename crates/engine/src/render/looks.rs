//! The appearance that a ruleset declares: pictures of pieces, colours of sides, and the names by
//! which players know pieces.

use std::collections::BTreeMap;

use crate::language::machine::World;
use crate::language::schema::{AttributeStorage, Colour, Glyph, KindId, KindRole, Type};
use crate::render::view::View;

/// The colours of sides, by name. A side without a declared colour is missing.
pub(crate) struct SideColours(BTreeMap<String, Colour>);

impl SideColours {
    /// Returns the colours of the sides of a game.
    pub(crate) fn of(view: &View<'_>) -> SideColours {
        let colours = &view.referee.ruleset().schema.side_colours;
        SideColours(sides_in_order(view).into_iter().zip(colours.iter().copied()).collect())
    }

    /// Returns the CSS class of a side's colour; empty if the side has none.
    pub(crate) fn class(&self, side: Option<&str>) -> &'static str {
        side.and_then(|side| self.0.get(side)).map_or("", |colour| colour_class(*colour))
    }
}

/// Returns the CSS class of a colour.
pub(crate) fn colour_class(colour: Colour) -> &'static str {
    match colour {
        Colour::Red => "c-red",
        Colour::Orange => "c-orange",
        Colour::Yellow => "c-yellow",
        Colour::Green => "c-green",
        Colour::Blue => "c-blue",
        Colour::Purple => "c-purple",
        Colour::Brown => "c-brown",
        Colour::Black => "c-black",
        Colour::Grey => "c-grey",
        Colour::White => "c-white",
    }
}

/// Returns the sides in the order of the ruleset or, if the sides are pieces, in the order of the
/// table.
pub(crate) fn sides_in_order(view: &View<'_>) -> Vec<String> {
    let schema = &view.referee.ruleset().schema;
    match schema.sides {
        Some(Type::Word(set)) => {
            schema.word_set(set).values.iter().filter(|word| *word != "none").cloned().collect()
        }
        Some(Type::Piece(kind)) => {
            let rows = view.table.present_pieces(kind);
            rows.map(|row| view.table.name(kind, row).to_owned()).collect()
        }
        _ => view.referee.sides(view.table).into_iter().collect(),
    }
}

/// Returns the words by which players know a piece, in addition to its name; `None` if there are
/// none, or they are hidden.
pub(crate) fn caption(view: &View<'_>, kind: KindId, row: u32) -> Option<String> {
    let schema = &view.referee.ruleset().schema;
    let index = schema.kind(kind).caption_attribute?;
    let words = words_of_value(view, kind, row, index)?;
    (!words.is_empty() && words != "none").then_some(words)
}

/// Returns the value of an attribute in words; `None` if it is hidden or cannot be computed. A row
/// of a list is shown by its title, and words are shown without hyphens.
pub(crate) fn words_of_value(
    view: &View<'_>,
    kind: KindId,
    row: u32,
    index: usize,
) -> Option<String> {
    if view.hidden.is_some_and(|hidden| hidden.hides_cell(kind, row, index)) {
        return None;
    }
    let schema = &view.referee.ruleset().schema;
    let attribute = schema.kind(kind).attributes.get(index)?;
    if let (Type::Piece(of), AttributeStorage::Cell(column)) = (attribute.ty, attribute.storage)
        && schema.kind(of).role == KindRole::List
    {
        let list_row = usize::try_from(view.table.get(column, row)).ok()?;
        return Some(schema.row_title(of, schema.kind(of).rows.get(list_row)?));
    }
    let words = view.referee.attribute_text(view.table, kind, row, index)?;
    Some(if matches!(attribute.ty, Type::Word(_)) { words.replace('-', " ") } else { words })
}

/// Returns the picture of a piece that a view shows, if there is one.
pub(crate) fn glyph(view: &View<'_>, kind: KindId, row: u32) -> Option<Glyph> {
    let is_visible =
        |attribute| view.hidden.is_none_or(|hidden| !hidden.hides_cell(kind, row, attribute));
    view.referee.glyph(view.table, kind, row, is_visible)
}

/// Returns the signs on the counter of a piece: one for each attribute that has a sign, unless its
/// value is hidden, or is the initial value, the number 0, or no.
pub(crate) fn status_signs(view: &View<'_>, kind: KindId, row: u32) -> Vec<String> {
    let of = view.referee.ruleset().schema.kind(kind);
    let mut signs = Vec::new();
    for (index, attribute) in of.attributes.iter().enumerate() {
        let AttributeStorage::Cell(column) = attribute.storage else { continue };
        let is_hidden = view.hidden.is_some_and(|hidden| hidden.hides_cell(kind, row, index));
        let value = view.table.get(column, row);
        if attribute.signs.is_empty() || is_hidden || value == attribute.start {
            continue;
        }
        let of_word = usize::try_from(value).ok().filter(|_| attribute.signs.len() > 1);
        let sign = attribute.signs.get(of_word.unwrap_or(0)).map_or("", String::as_str);
        match attribute.ty {
            Type::Whole if value == 0 => {}
            Type::Whole => signs.push(format!("{sign}{value}")),
            Type::Flag if value == 0 => {}
            _ if sign.is_empty() => {}
            _ => signs.push(sign.to_owned()),
        }
    }
    signs
}

/// Returns the outline of a picture as an SVG path in a square 20 units wide.
pub(crate) fn glyph_path(glyph: Glyph) -> &'static str {
    match glyph {
        Glyph::Person => {
            "M10 2a3 3 0 1 1 0 6a3 3 0 1 1 0-6M5 19v-6a4 4 0 0 1 4-4h2a4 4 0 0 1 4 4v6z"
        }
        Glyph::People => {
            "M6 3a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 1 1 0-5.2M14 3a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 1 1 0-5.2M1 18v-5a4 4 0 0 1 4-4h2a3 3 0 0 1 2.5 1.4v7.6zM10.500 18v-7.600a3 3 0 0 1 2.500-1.400h2a4 4 0 0 1 4 4v5z"
        }
        Glyph::Leader => {
            "M10 1l1.600 3.200 3.600.5-2.600 2.500.6 3.600-3.200-1.700-3.200 1.700.6-3.600-2.600-2.500 3.600-.5zM4 19v-3a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v3z"
        }
        Glyph::Medic => "M7 2h6v5h5v6h-5v5h-6v-5h-5v-6h5z",
        Glyph::Lying => {
            "M4 8a2.500 2.500 0 1 1 0 5a2.500 2.500 0 1 1 0-5M8 9h10v5h-10zM1 16h18v2h-18z"
        }
        Glyph::Horse => "M2 9h9l3-6 4 2.500-1 3-2-.5v11h-3v-6h-5v6h-3v-6l-2 3z",
        Glyph::Gun => "M1 8h13v-2h5v5h-7l-1 2a4 4 0 1 1-6 0l-1-2h-3zM8 13a2.500 2.500 0 1 0 .01 0z",
        Glyph::Vehicle => "M1 5h11v3h4l3 4v4h-2a2.500 2.500 0 0 1-5 0h-4a2.500 2.500 0 0 1-5 0h-2z",
        Glyph::Tank => "M6 5h6v1.500h7v2h-7v1.500h4l3 3-3 4h-12l-3-4 3-3h2z",
        Glyph::Trailer => "M4 5h13v8h-4a3 3 0 0 1-6 0h-6v-2h3z",
        Glyph::Boat => "M1 11h4l1-4h4v4h9l-4 6h-11z",
        Glyph::Ship => "M1 12h3v-5h3v-4h2v4h3v2h3v3h4l-3 6h-12z",
        Glyph::Aircraft => {
            "M10 1l1.500 5 7.500 4v2.500l-7.500-1.500-.5 4 2.500 2v1.500l-3.500-1-3.500 1v-1.500l2.500-2-.5-4-7.500 1.500v-2.500l7.500-4z"
        }
        Glyph::Building => "M10 1l9 7h-2v11h-5v-6h-4v6h-5v-11h-2z",
        Glyph::Flag => "M3 1h2v1h13l-3 4.500 3 4.500h-13v8h-2z",
    }
}
