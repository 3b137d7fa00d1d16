//! The state of the game, as tables.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::language::machine::World;
use crate::language::schema::{Attribute, AttributeStorage, KindId, KindRole, STATE_KIND, Type};
use crate::render::document::Block;
use crate::render::markup::{Line, Role, Text};
use crate::render::table;
use crate::render::table::{Listing, attribute_heading};
use crate::render::view::View;

/// The attributes that `link` can change in an area of a drawn plan. They list the area's
/// neighbours.
const NEIGHBOUR_LISTS: [&str; 4] = ["beside", "around", "above", "below"];

/// The maximum number of pieces of one kind that are listed.
const MAX_LISTED_PIECES: usize = 200;

/// The answer to `show`: pieces with their attributes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShowAnswer {
    /// The pieces that were asked for or, if nothing was asked for, the state and all pieces.
    pub pieces: Vec<PieceAnswer>,
}

/// A piece with its attributes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PieceAnswer {
    /// The kind of the piece.
    pub kind: String,
    /// The name of the piece.
    pub name: String,
    /// The attributes by name, with their values as text.
    pub attributes: BTreeMap<String, String>,
}

/// A target of `show`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ShowSubject {
    /// All pieces of a kind, or all rows of a list.
    Kind(KindId),
    /// The pieces of a kind that match the typed words.
    Found(KindId, Vec<u32>),
    /// One piece.
    Piece(KindId, u32),
    /// The state of the game.
    State,
}

/// The amount of detail that `show` displays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShowExtent {
    /// A kind as a part of the overview, with fewer details about areas.
    Overview,
    /// The important attributes.
    Roster,
    /// The important attributes, for a players' page, without hints on what to type.
    Page,
    /// All attributes, including bookkeeping and unchanged values.
    All,
}

/// Shows the subjects or, if there are none, an overview of the state and of all pieces.
pub(crate) fn show(view: &View<'_>, what: &[ShowSubject], extent: ShowExtent) -> Text {
    if what.is_empty() {
        return show_changed(view, extent);
    }
    let mut text = Text::new();
    for subject in what {
        text.push_empty_line();
        match subject {
            ShowSubject::State => text.extend(piece_card(view, STATE_KIND, 0, extent)),
            ShowSubject::Piece(kind, row) => text.extend(piece_card(view, *kind, *row, extent)),
            ShowSubject::Kind(kind) => text.extend(kind_table(view, *kind, None, extent)),
            ShowSubject::Found(kind, rows) => {
                text.extend(kind_table(view, *kind, Some(rows), extent))
            }
        };
    }
    text
}

/// Returns the pieces that [`show`] would show, with their visible attributes, for machines.
pub(crate) fn show_answer(view: &View<'_>, what: &[ShowSubject]) -> ShowAnswer {
    let schema = &view.referee.ruleset().schema;
    let mut rows: Vec<(KindId, u32)> = Vec::new();
    for subject in what {
        match *subject {
            ShowSubject::State => rows.push((STATE_KIND, 0)),
            ShowSubject::Piece(kind, row) => rows.push((kind, row)),
            ShowSubject::Kind(kind) => {
                rows.extend(view.table.present_pieces(kind).map(|row| (kind, row)));
            }
            ShowSubject::Found(kind, ref found) => {
                rows.extend(found.iter().map(|&row| (kind, row)));
            }
        }
    }
    if what.is_empty() {
        rows.push((STATE_KIND, 0));
        for (kind, _) in schema.piece_kinds() {
            rows.extend(view.table.present_pieces(kind).map(|row| (kind, row)));
        }
    }
    let piece = |&(kind, row): &(KindId, u32)| {
        let of = schema.kind(kind);
        let open = |index| view.hidden.is_none_or(|hidden| !hidden.hides_cell(kind, row, index));
        let values = of.attributes.iter().enumerate().filter(|(index, _)| open(*index));
        // A list of the pieces in a place repeats the places of those pieces, and finding them
        // requires a look at every piece.
        let values = values.filter(|(_, attribute)| !attribute.pieces_there);
        let values = values.filter_map(|(index, attribute)| {
            let value = view.referee.attribute_text(view.table, kind, row, index)?;
            Some((attribute.name.clone(), value))
        });
        PieceAnswer {
            kind: of.name.clone(),
            name: view.table.name(kind, row).to_owned(),
            attributes: values.collect(),
        }
    };
    ShowAnswer { pieces: rows.iter().map(piece).collect() }
}

fn show_changed(view: &View<'_>, extent: ShowExtent) -> Text {
    let mut text = piece_card(view, STATE_KIND, 0, extent);
    for (id, _) in view.referee.ruleset().schema.piece_kinds() {
        if view.table.present_pieces(id).next().is_some() {
            text.push_empty_line();
            let extent = if extent == ShowExtent::All { extent } else { ShowExtent::Overview };
            text.extend(kind_table(view, id, None, extent));
        }
    }
    text
}

/// Returns the value of an attribute in words: `?` if it is hidden or cannot be computed, `–` for
/// none and no, and a number together with its name if it has one.
fn value_in_words(view: &View<'_>, kind: KindId, row: u32, index: usize) -> String {
    if view.hidden.is_some_and(|hidden| hidden.hides_cell(kind, row, index)) {
        return "?".to_owned();
    }
    let attribute = &view.referee.ruleset().schema.kind(kind).attributes[index];
    let shown = view.referee.attribute_text(view.table, kind, row, index).unwrap_or("?".to_owned());
    let column = attribute.storage.cell().filter(|_| attribute.ty == Type::Whole);
    let named = column.and_then(|column| attribute.name_of_number(view.table.get(column, row)));
    match (named, shown.as_str()) {
        (Some(name), number) => format!("{number} {name}"),
        (None, "none" | "no") => "–".to_owned(),
        (None, _) => shown,
    }
}

/// Returns true if an attribute still has its initial value, or is computed.
fn at_start(view: &View<'_>, attribute: &Attribute, row: u32) -> bool {
    match attribute.storage {
        AttributeStorage::Cell(column) => view.table.get(column, row) == attribute.start,
        AttributeStorage::List(list) => view.table.list(list, row).is_empty(),
        AttributeStorage::Computed(_) => true,
    }
}

/// Returns true if an attribute of a piece is worth showing: it is hidden, it has changed, or it is
/// computed and not empty.
fn is_worth_showing(
    view: &View<'_>,
    (kind, row): (KindId, u32),
    index: usize,
    attribute: &Attribute,
) -> bool {
    match attribute.storage {
        _ if view.hidden.is_some_and(|hidden| hidden.hides_cell(kind, row, index)) => true,
        AttributeStorage::Computed(_) => {
            !matches!(value_in_words(view, kind, row, index).as_str(), "" | "–")
        }
        AttributeStorage::Cell(_) | AttributeStorage::List(_) => !at_start(view, attribute, row),
    }
}

/// Returns the card of a piece: the important attributes first, then the other attributes that this
/// extent includes.
fn piece_card(view: &View<'_>, kind: KindId, row: u32, extent: ShowExtent) -> Text {
    let of = view.referee.ruleset().schema.kind(kind);
    let name = match kind {
        STATE_KIND => "the game".to_owned(),
        _ => format!("{} {}", of.name, view.table.name(kind, row)),
    };
    let first = of.roster.iter().copied().filter(|_| extent != ShowExtent::All);
    let others = (0..of.attributes.len()).filter(|index| {
        let attribute = &of.attributes[*index];
        match extent {
            ShowExtent::All => true,
            // The header of the page shows the turn and the phase.
            ShowExtent::Page if kind == STATE_KIND && attribute.fixed => false,
            _ if of.roster.is_empty() => !attribute.bookkeeping,
            ShowExtent::Overview | ShowExtent::Roster | ShowExtent::Page => {
                let at_start = at_start(view, attribute, row);
                !of.roster.contains(index) && !attribute.bookkeeping && !at_start
            }
        }
    });
    let mut text = Text::from_iter([Line::of(Role::Header, name)]);
    for indices in [first.collect::<Vec<_>>(), others.collect()] {
        let told: Vec<(&str, String)> = indices
            .into_iter()
            .filter(|&index| extent != ShowExtent::Page || !is_unset_flag(view, kind, row, index))
            .filter_map(|index| name_and_value(view, kind, row, index))
            .collect();
        if !told.is_empty() {
            text.push(append_values(Line::of(Role::Plain, "  "), &told));
        }
    }
    if extent == ShowExtent::Page {
        return if text.blocks.len() == 1 { Text::new() } else { text };
    }
    let referring = pieces_referring_to(view, kind, row);
    if !referring.is_empty() {
        let told: Vec<(&str, String)> =
            referring.into_iter().map(|(plural, names)| (plural, names.join(", "))).collect();
        text.push(append_values(Line::of(Role::Plain, "  "), &told));
    }
    text
}

/// Returns the names of the pieces that refer to a piece, by the plural of their kind: the men of a
/// squad, or what is in an area. Only references that the viewer sees count.
fn pieces_referring_to<'a>(
    view: &View<'a>,
    kind: KindId,
    row: u32,
) -> Vec<(&'a str, Vec<&'a str>)> {
    let schema = &view.referee.ruleset().schema;
    if kind == STATE_KIND {
        return Vec::new();
    }
    let name = view.table.name(kind, row);
    let mut found = Vec::new();
    for (id, of) in schema.piece_kinds() {
        let refers: Vec<usize> = (0..of.attributes.len())
            .filter(|&index| {
                let attribute = &of.attributes[index];
                attribute.ty == Type::Piece(kind)
                    && !attribute.bookkeeping
                    && attribute.storage.cell().is_some()
            })
            .collect();
        let rows = view.table.present_pieces(id).filter(|&other| {
            refers.iter().any(|&index| value_in_words(view, id, other, index) == name)
        });
        let names: Vec<&str> = rows.map(|other| view.table.name(id, other)).collect();
        if !names.is_empty() {
            found.push((of.plural.as_str(), names));
        }
    }
    found
}

/// Returns true if an attribute is a flag that isn't set.
fn is_unset_flag(view: &View<'_>, kind: KindId, row: u32, index: usize) -> bool {
    let attribute = &view.referee.ruleset().schema.kind(kind).attributes[index];
    attribute.ty == Type::Flag && value_in_words(view, kind, row, index) == "–"
}

/// Returns the name of an attribute and its value in words; `None` if there is nothing to show.
fn name_and_value<'a>(
    view: &View<'a>,
    kind: KindId,
    row: u32,
    index: usize,
) -> Option<(&'a str, String)> {
    let attribute = &view.referee.ruleset().schema.kind(kind).attributes[index];
    match value_in_words(view, kind, row, index).as_str() {
        "" | "–" if attribute.ty == Type::Flag => Some((&attribute.name, "no".to_owned())),
        "" | "–" => None,
        value => Some((&attribute.name, value.to_owned())),
    }
}

/// Appends attributes and their values to a line. Each separator belongs to the value before it, so
/// that no row begins with a separator.
fn append_values(mut line: Line, told: &[(&str, String)]) -> Line {
    for (i, (name, value)) in told.iter().enumerate() {
        let sign = if i + 1 == told.len() { "" } else { "; " };
        line.push(Role::Quiet, format!("{name} ")).push(Role::Plain, format!("{value}{sign}"));
    }
    line
}

/// Returns true if a table has room for its columns without breaking a word.
fn table_fits(headings: &[String], cells: &[Vec<String>], width: usize) -> bool {
    let columns = headings.iter().enumerate().map(|(index, heading)| {
        let cells = cells.iter().filter_map(|row| row.get(index));
        cells.chain([heading]).map(|text| longest_word(text)).max().unwrap_or(0) + 2
    });
    2 + columns.sum::<usize>() <= width
}

fn longest_word(text: &str) -> usize {
    text.split(' ').map(UnicodeWidthStr::width).max().unwrap_or(0)
}

/// Returns a table of all pieces of a kind or, if given, of the pieces in `found`. Without `found`,
/// only the areas with something on them are listed for a drawn plan. For a printed list, returns
/// its page.
fn kind_table(view: &View<'_>, kind: KindId, found: Option<&Vec<u32>>, extent: ShowExtent) -> Text {
    let schema = &view.referee.ruleset().schema;
    let of = schema.kind(kind);
    if of.role == KindRole::List {
        return table::listing_page(view.referee.ruleset(), Listing::List(kind), None);
    }
    let is_all = extent == ShowExtent::All;
    let stored = of.attributes.iter().enumerate().filter(|(_, a)| {
        !matches!(a.storage, AttributeStorage::Computed(_))
            && !a.fixed
            && (is_all || !a.bookkeeping)
    });
    let stored: Vec<(usize, &Attribute)> = if of.roster.is_empty() || is_all {
        stored.collect()
    } else {
        of.roster.iter().map(|&index| (index, &of.attributes[index])).collect()
    };
    let mut rows: Vec<u32> = view.table.present_pieces(kind).collect();
    let all = rows.len();
    if let Some(found) = found {
        rows.clone_from(found);
    } else if of.plan {
        let is_marked = |a: &Attribute, row| a.marker.is_some() && !at_start(view, a, row);
        rows.retain(|&row| stored.iter().any(|(_, a)| is_marked(a, row)));
    }
    let count = match (found, rows.len() < all) {
        (None, true) => format!(" ({} of {all} with something on them)", rows.len()),
        (Some(_), true) => format!(" ({} of {all})", rows.len()),
        (_, false) => format!(" ({all})"),
    };
    let title = Line::of(Role::Header, &of.plural).and(Role::Quiet, count);
    let mut text = Text::from_iter([title]);
    let hidden = rows.len().saturating_sub(MAX_LISTED_PIECES);
    rows.truncate(MAX_LISTED_PIECES);
    // A column in which nothing has changed since the beginning is left out.
    let used: Vec<&(usize, &Attribute)> = stored
        .iter()
        .filter(|(index, a)| {
            // The plan already shows the position of an area.
            let told = !of.plan
                || a.marker.is_some()
                || (extent != ShowExtent::Overview && !NEIGHBOUR_LISTS.contains(&a.name.as_str()));
            told && rows.iter().any(|&row| is_worth_showing(view, (kind, row), *index, a))
        })
        .collect();
    if rows.is_empty() {
        return text;
    }
    let mut headings = vec![String::new()];
    headings.extend(used.iter().map(|(_, a)| attribute_heading(a)));
    let mut cells: Vec<Vec<String>> = rows
        .iter()
        .map(|&row| {
            let name = view.table.name(kind, row).to_owned();
            let values = used.iter().map(|(index, _)| value_in_words(view, kind, row, *index));
            std::iter::once(name).chain(values).collect()
        })
        .collect();
    // A roster leaves out its last columns until it fits.
    let mut no_room: Vec<String> = Vec::new();
    while !of.roster.is_empty()
        && !is_all
        && headings.len() > 2
        && !table_fits(&headings, &cells, view.width)
    {
        no_room.extend(headings.pop());
        cells.iter_mut().for_each(|row| drop(row.pop()));
    }
    // If there are too many columns for the width, one line for each piece reads better.
    if !table_fits(&headings, &cells, view.width) {
        for (row, texts) in rows.iter().zip(&cells) {
            let told: Vec<(&str, String)> = used
                .iter()
                .zip(&texts[1..])
                .filter(|((_, a), value)| {
                    // A word is informative even if it is the usual one.
                    let usual = !matches!(a.ty, Type::Word(_)) && at_start(view, a, *row);
                    !value.is_empty() && *value != "–" && !usual
                })
                .map(|((_, a), value)| (a.name.as_str(), value.clone()))
                .collect();
            let sign = if told.is_empty() { "" } else { ": " };
            let name = format!("  {}{sign}", texts[0]);
            text.push(append_values(Line::of(Role::Strong, name).with_hanging_indent(6), &told));
        }
    } else {
        text.blocks.push(Block::table(headings, cells));
    }
    if hidden > 0 {
        text.line(Role::Quiet, format!("  … and {hidden} more"));
    }
    if !no_room.is_empty() && extent != ShowExtent::Page {
        no_room.reverse();
        let words = format!(
            "there is no room for {}; `show all {}` shows everything",
            no_room.join(", "),
            of.plural
        );
        text.line(Role::Quiet, format!("  {words}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::table_fits;

    #[test]
    fn a_table_fits_if_no_word_is_broken() {
        let headings = ["".to_owned(), "depth charges".to_owned()];
        let cells = [vec!["mtb1".to_owned(), "1".to_owned()]];
        // Two columns before the table, and two after each of the table's columns: 2 + 6 + 9.
        assert!(table_fits(&headings, &cells, 17));
        assert!(!table_fits(&headings, &cells, 16));
    }
}
