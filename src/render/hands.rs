//! What the hands must change on the table, net of all that happened.

use std::collections::BTreeMap;

use super::markup::{Line, Role, Text};
use super::outcome::View;
use crate::language::machine::{World, shown};
use crate::language::schema::{
    ColumnId, Element, KindId, ListId, OPTION, Role as Kinds, STATE, Type,
};
use crate::tabletop::{Cell, Change};

/// What became of an attribute from first to last.
enum Net {
    Cell { column: ColumnId, old: Cell, new: Cell },
    List { list: ListId, old: Vec<u32>, new: Vec<u32> },
}

/// What became of a piece.
#[derive(Default)]
struct PieceNet {
    /// There before, there now; none if it was there all along.
    made: bool,
    removed: bool,
    name: Option<String>,
    attributes: Vec<Net>,
}

/// All pieces that changed, in the order they first did.
struct Nets {
    order: Vec<(KindId, u32)>,
    pieces: BTreeMap<(KindId, u32), PieceNet>,
}

impl Nets {
    fn of<'c>(view: &View<'_>, changes: impl Iterator<Item = &'c Change>) -> Nets {
        let schema = &view.referee.ruleset().schema;
        let mut nets = Nets { order: Vec::new(), pieces: BTreeMap::new() };
        for change in changes {
            let key = match change {
                Change::Cell { column, row, .. } => (schema.columns[column.index()].0, *row),
                Change::List { list, row, .. } => (schema.lists[list.index()].0, *row),
                Change::Made { kind, row, .. } | Change::Removed { kind, row } => (*kind, *row),
            };
            let net = nets.pieces.entry(key).or_insert_with(|| {
                nets.order.push(key);
                PieceNet::default()
            });
            net.take(change);
        }
        nets
    }
}

impl PieceNet {
    fn take(&mut self, change: &Change) {
        match change {
            Change::Made { name, .. } => {
                self.name = Some(name.clone());
                match self.removed {
                    true => self.removed = false,
                    false => self.made = true,
                }
            }
            Change::Removed { .. } => match self.made {
                true => self.made = false,
                false => self.removed = true,
            },
            Change::Cell { column, old, new, .. } => {
                for net in &mut self.attributes {
                    if let Net::Cell { column: c, new: n, .. } = net
                        && c == column
                    {
                        *n = new.clone();
                        return;
                    }
                }
                self.attributes.push(Net::Cell {
                    column: *column,
                    old: old.clone(),
                    new: new.clone(),
                });
            }
            Change::List { list, old, new, .. } => {
                for net in &mut self.attributes {
                    if let Net::List { list: l, new: n, .. } = net
                        && l == list
                    {
                        *n = new.clone();
                        return;
                    }
                }
                self.attributes.push(Net::List { list: *list, old: old.clone(), new: new.clone() });
            }
        }
    }
}

/// The changes that take an outcome back.
pub fn backwards<'c>(changes: impl DoubleEndedIterator<Item = &'c Change>) -> Vec<Change> {
    changes
        .rev()
        .map(|change| match change.clone() {
            Change::Cell { column, row, old, new } => {
                Change::Cell { column, row, old: new, new: old }
            }
            Change::List { list, row, old, new } => Change::List { list, row, old: new, new: old },
            Change::Made { kind, row, .. } => Change::Removed { kind, row },
            Change::Removed { kind, row } => Change::Made { kind, row, name: String::new() },
        })
        .collect()
}

/// `On the table:` and what to change, piece by piece; empty if nothing is shown by a marker.
pub fn lines<'c>(view: &View<'_>, changes: impl Iterator<Item = &'c Change>) -> Text {
    let all = items(view, changes);
    let mut text = Text::new();
    if all.is_empty() {
        return text;
    }
    let all = gathered(&all);
    let mut line = Line::of(Role::Notice, "On the table:").and(Role::Plain, "  ").hanging(15);
    let last = all.len() - 1;
    for (i, (piece, changes)) in all.iter().enumerate() {
        line.push(Role::Strong, piece);
        if !piece.is_empty() && !changes.is_empty() {
            line.push(Role::Plain, " ");
        }
        line.push(Role::Plain, changes.join(", "))
            .push(Role::Plain, if i < last { "; " } else { "" });
    }
    text.push(line);
    text
}

/// So many pieces with the same change are named together.
const TOGETHER: usize = 3;

/// Where the same is to be done to several pieces, they are named together, where the first stood.
fn gathered(all: &[(String, Vec<String>)]) -> Vec<(String, Vec<String>)> {
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    let mut taken = vec![false; all.len()];
    for (i, (name, words)) in all.iter().enumerate() {
        if taken[i] {
            continue;
        }
        let same: Vec<usize> =
            (i..all.len()).filter(|&j| all[j].1 == *words && !all[j].0.is_empty()).collect();
        if same.len() < TOGETHER {
            out.push((name.clone(), words.clone()));
            continue;
        }
        same.iter().for_each(|&j| taken[j] = true);
        let names: Vec<&str> = same.iter().map(|&j| all[j].0.as_str()).collect();
        let mut words = words.clone();
        if let Some(last) = words.last_mut() {
            last.push_str(" each");
        }
        out.push((names.join(", "), words));
    }
    out
}

/// What to change: for each piece, the words. The state has no name.
pub fn items<'c>(
    view: &View<'_>,
    changes: impl Iterator<Item = &'c Change>,
) -> Vec<(String, Vec<String>)> {
    let schema = &view.referee.ruleset().schema;
    let nets = Nets::of(view, changes);
    let mut found = Vec::new();
    for key in &nets.order {
        let net = &nets.pieces[key];
        let kind = schema.kind(key.0);
        // What was put out and taken back was never seen.
        if net.name.is_some() && !net.made && !net.removed && !view.table.is_there(key.0, key.1) {
            continue;
        }
        let name = net.name.clone().filter(|n| !n.is_empty());
        let name = name.unwrap_or_else(|| view.table.name(key.0, key.1).to_owned());
        if net.removed {
            if kind.marker.is_some() {
                found.push((name, vec!["off".to_owned()]));
            }
            continue;
        }
        let mut words: Vec<String> = Vec::new();
        for attribute in &net.attributes {
            words.extend(marked(view, attribute));
        }
        if net.made
            && let Some(marker) = &kind.marker
        {
            // Where it is set out is one thing with setting it out.
            let to = words.iter().position(|w| w.starts_with("to ")).map(|i| words.remove(i));
            let at = to.map_or(String::new(), |to| format!(" at {}", &to["to ".len()..]));
            words.insert(0, format!("({marker}) set out{at}"));
        }
        if !words.is_empty() {
            found.push((if key.0 == STATE { String::new() } else { name }, words));
        }
    }
    found
}

/// An attribute shown by a marker, in words; none if it has no marker or is as it was.
fn marked(view: &View<'_>, net: &Net) -> Option<String> {
    let schema = &view.referee.ruleset().schema;
    match net {
        Net::Cell { column, old, new } if old != new => {
            let attribute = schema.column(*column);
            let marker = attribute.marker.as_deref()?;
            Some(cell_words(view, *column, marker, new))
        }
        Net::List { list, old, new } if old != new => {
            let attribute = schema.list(*list)?;
            let marker = attribute.marker.as_deref()?;
            let name = |member: u32| match attribute.ty {
                Type::List(of) => shown(schema, view.table, i64::from(member), of.member()),
                _ => String::new(),
            };
            let on: Vec<String> =
                new.iter().filter(|m| !old.contains(m)).map(|&m| name(m)).collect();
            let off: Vec<String> =
                old.iter().filter(|m| !new.contains(m)).map(|&m| name(m)).collect();
            Some(match (on.is_empty(), off.is_empty()) {
                _ if new.is_empty() => format!("{marker} off"),
                (false, true) => format!("{marker} to {}", on.join(", ")),
                (true, false) => format!("{marker} off {}", off.join(", ")),
                (false, false) => {
                    format!("{marker} to {} and off {}", on.join(", "), off.join(", "))
                }
                (true, true) => {
                    let all: Vec<String> = new.iter().map(|&m| name(m)).collect();
                    format!("{marker} {}", all.join(", "))
                }
            })
        }
        _ => None,
    }
}

fn cell_words(view: &View<'_>, column: ColumnId, marker: &str, new: &Cell) -> String {
    let schema = &view.referee.ruleset().schema;
    let attribute = schema.column(column);
    let value = match new {
        Cell::Text(words) if words.is_empty() => return format!("{marker} off"),
        Cell::Text(words) => return format!("{marker} “{words}”"),
        Cell::Word(value) => *value,
    };
    match attribute.ty {
        Type::Flag if value != 0 => marker.to_owned(),
        Type::Flag => format!("{marker} off"),
        Type::Whole => {
            match attribute.names.get(usize::try_from(value - attribute.low).unwrap_or(usize::MAX))
            {
                Some(name) => format!("{marker} {value} ({name})"),
                None if value == 0 => format!("{marker} off"),
                None => format!("{marker} {value}"),
            }
        }
        Type::Piece(_) if value < 0 => format!("{marker} off"),
        Type::Piece(kind) => {
            let name = view.table.name(kind, value as u32);
            let of = schema.kind(kind);
            match of.role == Kinds::Pieces {
                true if schema.is_place(column) => format!("to {name}"),
                true => format!("{marker} to {name}"),
                false => format!("{marker} {name}"),
            }
        }
        ty => match shown(schema, view.table, value, ty).as_str() {
            "none" => format!("{marker} off"),
            word => format!("{marker} {word}"),
        },
    }
}

/// Every change in words, markers or not.
pub fn kept<'c>(
    view: &View<'_>,
    changes: impl Iterator<Item = &'c Change>,
) -> Vec<(String, Vec<String>)> {
    in_words(view, changes, true)
}

/// The changes that no marker shows, in words.
pub fn unmarked<'c>(
    view: &View<'_>,
    changes: impl Iterator<Item = &'c Change>,
) -> Vec<(String, Vec<String>)> {
    in_words(view, changes, false)
}

fn in_words<'c>(
    view: &View<'_>,
    changes: impl Iterator<Item = &'c Change>,
    marked_too: bool,
) -> Vec<(String, Vec<String>)> {
    let schema = &view.referee.ruleset().schema;
    let nets = Nets::of(view, changes);
    let mut found = Vec::new();
    for key in &nets.order {
        let net = &nets.pieces[key];
        let mut words = Vec::new();
        let pieces = marked_too || schema.kind(key.0).marker.is_none();
        if net.made && pieces {
            words.push(format!("a new {}", schema.kind(key.0).name));
        }
        if net.removed && pieces {
            words.push("taken off".to_owned());
        }
        let told = |n: &&Net| {
            let marked = match n {
                Net::Cell { column, .. } => schema.column(*column).marker.is_some(),
                Net::List { list, .. } => schema.list(*list).is_some_and(|a| a.marker.is_some()),
            };
            !net.removed && (marked_too || !marked)
        };
        for attribute in net.attributes.iter().filter(told) {
            match attribute {
                Net::Cell { column, old, new } if old != new => {
                    let name = &schema.column(*column).name;
                    let value = |c: &Cell| cell_value(view, *column, c);
                    words.push(format!("{name} {} → {}", value(old), value(new)));
                }
                Net::List { list, old, new } if old != new => {
                    if let Some(attribute) = schema.list(*list)
                        && let Type::List(of) = attribute.ty
                    {
                        let value = |l: &[u32]| list_value(view, l, of);
                        let name = &attribute.name;
                        words.push(format!("{name} {} → {}", value(old), value(new)));
                    }
                }
                _ => {}
            }
        }
        if words.is_empty() {
            continue;
        }
        let name = match key.0 {
            STATE => "state".to_owned(),
            OPTION => "option".to_owned(),
            kind => match net.name.clone().filter(|n| !n.is_empty()) {
                Some(name) => name,
                None => view.table.name(kind, key.1).to_owned(),
            },
        };
        found.push((name, words));
    }
    found
}

/// The value of a recorded cell in words.
pub(crate) fn cell_value(view: &View<'_>, column: ColumnId, cell: &Cell) -> String {
    let schema = &view.referee.ruleset().schema;
    match cell {
        Cell::Text(words) => format!("“{words}”"),
        Cell::Word(value) => shown(schema, view.table, *value, schema.column(column).ty),
    }
}

/// The members of a recorded list in words.
pub(crate) fn list_value(view: &View<'_>, members: &[u32], of: Element) -> String {
    if members.is_empty() {
        return "nothing".to_owned();
    }
    let schema = &view.referee.ruleset().schema;
    let words: Vec<String> =
        members.iter().map(|&m| shown(schema, view.table, i64::from(m), of.member())).collect();
    words.join(" ")
}
