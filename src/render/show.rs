//! The state of the game, as tables.

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::document::Block;
use super::json::array;
use super::markup::{Line, Role, Text};
use super::outcome::View;
use super::table::{self, Listing, title_of};
use crate::language::machine::World;
use crate::language::schema::{Attribute, KindId, Role as Kinds, STATE, Storage, Type};

/// The attributes that every area of a drawn plan has: its neighbours.
const WAYS: [&str; 7] = ["beside", "above", "below", "north", "east", "south", "west"];

/// The number of pieces of a kind that are listed.
const MOST: usize = 200;

/// Something that `show` can show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// All pieces of a kind, or all rows of a list.
    Kind(KindId),
    /// One piece.
    Piece(KindId, u32),
    /// All pieces of a side.
    Side(String),
    /// The state of the game.
    State,
}

/// Shows what was asked for, or everything that is not as at the beginning.
pub(crate) fn show(view: &View<'_>, what: &[Subject]) -> Text {
    if what.is_empty() {
        return everything(view);
    }
    let mut text = Text::new();
    for what in what {
        text.gap();
        match what {
            Subject::State => text.extend(piece(view, STATE, 0)),
            Subject::Piece(kind, row) => text.extend(piece(view, *kind, *row)),
            Subject::Kind(kind) => text.extend(all_of(view, *kind, None, true)),
            Subject::Side(side) => text.extend(roster(view, side)),
        };
    }
    text
}

/// Returns what [`show`] shows, with all attributes, for machines.
pub(crate) fn data(view: &View<'_>, what: &[Subject]) -> Value {
    let schema = &view.referee.ruleset().schema;
    let mut rows: Vec<(KindId, u32)> = Vec::new();
    let mut take = |subject: &Subject| match subject {
        Subject::State => rows.push((STATE, 0)),
        Subject::Piece(kind, row) => rows.push((*kind, *row)),
        Subject::Kind(kind) => rows.extend(view.table.present(*kind).map(|row| (*kind, row))),
        Subject::Side(side) => {
            let all = |kind| of_side(view, kind, side).into_iter().map(move |row| (kind, row));
            rows.extend(kinds_of_pieces(view).flat_map(all));
        }
    };
    what.iter().for_each(&mut take);
    if what.is_empty() {
        take(&Subject::State);
        kinds_of_pieces(view).for_each(|kind| take(&Subject::Kind(kind)));
    }
    let piece = |&(kind, row): &(KindId, u32)| {
        let of = schema.kind(kind);
        let values = of.attributes.iter().enumerate().filter_map(|(place, attribute)| {
            let value = view.referee.attribute(view.table, kind, row, place)?;
            Some((attribute.name.clone(), Value::from(value)))
        });
        let values: serde_json::Map<String, Value> = values.collect();
        json!({ "kind": of.name, "name": view.table.name(kind, row), "attributes": values })
    };
    json!({ "pieces": array(&rows, piece) })
}

fn everything(view: &View<'_>) -> Text {
    let mut text = piece(view, STATE, 0);
    for kind in kinds_of_pieces(view).filter(|&kind| view.table.present(kind).next().is_some()) {
        text.gap();
        text.extend(all_of(view, kind, None, false));
    }
    text
}

/// Returns the kinds of pieces, without lists and the state.
fn kinds_of_pieces<'v>(view: &View<'v>) -> impl Iterator<Item = KindId> + use<'v> {
    let kinds = view.referee.ruleset().schema.kinds.iter().enumerate();
    let pieces = kinds.filter(|(_, kind)| kind.role == Kinds::Pieces);
    pieces.map(|(place, _)| KindId::from_index(place))
}

/// Returns the pieces of a kind that are on a side.
fn of_side(view: &View<'_>, kind: KindId, side: &str) -> Vec<u32> {
    let on = |row: &u32| view.referee.side(view.table, kind, *row).as_deref() == Some(side);
    view.table.present(kind).filter(on).collect()
}

/// Shows the pieces of a side.
fn roster(view: &View<'_>, side: &str) -> Text {
    let mut text = Text::new();
    for kind in kinds_of_pieces(view) {
        let rows = of_side(view, kind, side);
        if !rows.is_empty() {
            text.gap().extend(all_of(view, kind, Some(rows), true));
        }
    }
    if text.blocks.is_empty() {
        text.line(Role::Quiet, format!("{side} has no pieces"));
    }
    text
}

/// The value of an attribute in words; empty if it says nothing.
fn value(view: &View<'_>, kind: KindId, row: u32, place: usize) -> String {
    let attribute = &view.referee.ruleset().schema.kind(kind).attributes[place];
    let shown = view.referee.attribute(view.table, kind, row, place).unwrap_or("?".to_owned());
    let named = match (attribute.ty, attribute.storage) {
        (Type::Whole, Storage::Cell(column)) if !attribute.names.is_empty() => {
            let at = view.table.get(column, row) - attribute.low;
            usize::try_from(at).ok().and_then(|i| attribute.names.get(i))
        }
        _ => None,
    };
    match (named, shown.as_str()) {
        (Some(name), number) => format!("{number} {name}"),
        (None, "none" | "no") => "–".to_owned(),
        (None, _) => shown,
    }
}

/// Returns true if an attribute is as it was at the beginning.
fn at_start(view: &View<'_>, attribute: &Attribute, row: u32) -> bool {
    match attribute.storage {
        Storage::Cell(column) => view.table.get(column, row) == attribute.start,
        Storage::List(list) => view.table.list(list, row).is_empty(),
        Storage::Computed(_) => true,
    }
}

/// Returns one piece with all its attributes.
fn piece(view: &View<'_>, kind: KindId, row: u32) -> Text {
    let of = view.referee.ruleset().schema.kind(kind);
    let name = match kind {
        STATE => "the game".to_owned(),
        _ => format!("{} {}", of.name, view.table.name(kind, row)),
    };
    let told = of.attributes.iter().enumerate().filter_map(|(place, attribute)| {
        match value(view, kind, row, place) {
            value if !value.is_empty() && value != "–" => Some((attribute.name.as_str(), value)),
            _ if attribute.ty == Type::Flag => Some((attribute.name.as_str(), "no".to_owned())),
            _ => None,
        }
    });
    let values = row_of(Line::of(Role::Plain, "  "), &told.collect::<Vec<_>>());
    Text::from_iter([Line::of(Role::Header, name), values])
}

/// Attributes and values in a row. The sign between two belongs to the value before it: no row begins with one.
fn row_of(mut line: Line, told: &[(&str, String)]) -> Line {
    for (i, (name, value)) in told.iter().enumerate() {
        let sign = if i + 1 == told.len() { "" } else { "; " };
        line.push(Role::Quiet, format!("{name} ")).push(Role::Plain, format!("{value}{sign}"));
    }
    line
}

/// Returns true if a table has room for its columns without breaking a word.
fn fits(headings: &[String], cells: &[Vec<String>], width: usize) -> bool {
    let widest = |text: &String| text.split(' ').map(UnicodeWidthStr::width).max().unwrap_or(0);
    let column = |i: usize| {
        let rows = cells.iter().filter_map(|row| row.get(i)).map(widest).max().unwrap_or(0);
        rows.max(headings.get(i).map_or(0, widest)) + 2
    };
    2 + (0..headings.len()).map(column).sum::<usize>() <= width
}

/// All pieces of a kind in a table; of a drawn plan only the areas on which something is, if not `full`.
/// Shows all pieces of a kind, or these.
fn all_of(view: &View<'_>, kind: KindId, rows: Option<Vec<u32>>, full: bool) -> Text {
    let schema = &view.referee.ruleset().schema;
    let of = schema.kind(kind);
    if of.role == Kinds::List {
        return table::listing(view.referee.ruleset(), Listing::List(kind), None);
    }
    let stored: Vec<(usize, &Attribute)> = of
        .attributes
        .iter()
        .enumerate()
        .filter(|(_, a)| !matches!(a.storage, Storage::Computed(_)) && !a.fixed)
        .collect();
    let mut rows = rows.unwrap_or_else(|| view.table.present(kind).collect());
    let all = rows.len();
    if of.plan {
        let is_marked = |a: &Attribute, row| a.marker.is_some() && !at_start(view, a, row);
        rows.retain(|&row| stored.iter().any(|(_, a)| is_marked(a, row)));
    }
    let count = match of.plan && rows.len() < all {
        true => format!(" ({} of {all} with something on)", rows.len()),
        false => format!(" ({all})"),
    };
    let title = Line::of(Role::Header, &of.plural).and(Role::Quiet, count);
    let mut text = Text::from_iter([title]);
    let hidden = rows.len().saturating_sub(MOST);
    rows.truncate(MOST);
    // A column that is the same as at the beginning for all says nothing.
    let used: Vec<&(usize, &Attribute)> = stored
        .iter()
        .filter(|(_, a)| {
            // Where it lies is seen on the plan.
            let told = !of.plan || a.marker.is_some() || (full && !WAYS.contains(&a.name.as_str()));
            told && rows.iter().any(|&row| !at_start(view, a, row))
        })
        .collect();
    if rows.is_empty() {
        return text;
    }
    let mut headings = vec![String::new()];
    headings.extend(used.iter().map(|(_, a)| title_of(a)));
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|&row| {
            let name = view.table.name(kind, row).to_owned();
            let values = used.iter().map(|(place, _)| value(view, kind, row, *place));
            std::iter::once(name).chain(values).collect()
        })
        .collect();
    // Too many columns for the width: a line a piece reads better.
    if !fits(&headings, &cells, view.width) {
        for (row, cells) in rows.iter().zip(&cells) {
            let told: Vec<(&str, String)> = used
                .iter()
                .zip(&cells[1..])
                .filter(|((_, a), value)| {
                    // A word says something even where it is the usual one.
                    let usual = !matches!(a.ty, Type::Word(_)) && at_start(view, a, *row);
                    !value.is_empty() && *value != "–" && !usual
                })
                .map(|((_, a), value)| (a.name.as_str(), value.clone()))
                .collect();
            let sign = if told.is_empty() { "" } else { ": " };
            let name = format!("  {}{sign}", cells[0]);
            text.push(row_of(Line::of(Role::Strong, name).hanging(6), &told));
        }
    } else {
        text.blocks.push(Block::table(headings, cells));
    }
    if hidden > 0 {
        text.line(Role::Quiet, format!("  … and {hidden} more"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_table_fits_if_no_word_is_broken() {
        let headings = ["".to_owned(), "depth charges".to_owned()];
        let cells = [vec!["mtb1".to_owned(), "1".to_owned()]];
        // Two columns before the table, and two after each of its own: 2 + 6 + 9.
        assert!(fits(&headings, &cells, 17));
        assert!(!fits(&headings, &cells, 16));
    }
}
