//! Changes by names: what the journal keeps instead of numbers of columns and rows.
//!
//! A number of a column means something only to the program that compiled the ruleset; a name means the same
//! to every later one. So a journal is read without running a rule, by any program that knows its ruleset.

use serde_json::Value;

use crate::language::machine::World;
use crate::language::number::Number;
use crate::language::schema::{
    ColumnId, Element, KindId, ListId, Role, STATE, Schema, Storage, Type,
};
use crate::tabletop::{Cell, Change, Tabletop};

/// Writes a number with fractions: whole ones as numbers, others as text, `"7/2"`.
pub(super) fn write_number(number: Number) -> Value {
    match number.denominator() {
        1 => Value::from(number.numerator()),
        d => Value::from(format!("{}/{d}", number.numerator())),
    }
}

/// Reads what [`write_number`] wrote.
pub(super) fn read_number(value: &Value) -> Result<Number, String> {
    let number = match value {
        Value::Number(n) => n.as_i64().and_then(Number::whole),
        Value::String(text) => Number::parse(text),
        _ => None,
    };
    number.ok_or_else(|| format!("`{value}` is no number"))
}

/// The name of a row, of a piece or in a printed list. The second piece of that name, after the first was taken
/// off, is `name#2`.
fn row_name(table: &Tabletop, kind: KindId, row: i64) -> Value {
    let Ok(row) = u32::try_from(row) else { return Value::Null };
    let name = table.name(kind, row);
    match table.schema().kind(kind).role {
        Role::Pieces => match table.namesake(kind, row) {
            1 => Value::from(name),
            nth => Value::from(format!("{name}#{nth}")),
        },
        _ => Value::from(name),
    }
}

fn row_named(table: &Tabletop, kind: KindId, name: &str) -> Result<u32, String> {
    let of = table.schema().kind(kind);
    let found = match of.role {
        Role::Pieces => match name.rsplit_once('#') {
            Some((name, nth)) => nth.parse().ok().and_then(|nth| table.named(kind, name, nth)),
            None => table.named(kind, name, 1),
        },
        Role::List => of.row(name),
        Role::Single => Some(0),
    };
    found.ok_or_else(|| format!("there is no {} called `{name}`", of.name))
}

/// A value as the journal keeps it.
fn write_value(table: &Tabletop, ty: Type, value: i64) -> Value {
    let schema = table.schema();
    match ty {
        Type::Number => write_number(Number::from_bits(value)),
        Type::Flag => Value::from(value != 0),
        Type::Word(set) => {
            let words = &schema.word_set(set).values;
            let word = usize::try_from(value).ok().and_then(|i| words.get(i));
            word.map_or(Value::Null, |w| Value::from(w.as_str()))
        }
        Type::Piece(kind) => row_name(table, kind, value),
        _ => Value::from(value),
    }
}

fn read_value(table: &Tabletop, ty: Type, value: &Value) -> Result<i64, String> {
    let schema = table.schema();
    match (ty, value) {
        (Type::Number, value) => read_number(value).map(Number::to_bits),
        (Type::Flag, Value::Bool(flag)) => Ok(i64::from(*flag)),
        (Type::Word(set), Value::String(word)) => {
            let place = schema.word_set(set).values.iter().position(|w| w == word);
            place.map(|p| p as i64).ok_or_else(|| format!("there is no word `{word}`"))
        }
        (Type::Piece(_), Value::Null) => Ok(-1),
        (Type::Piece(kind), Value::String(name)) => row_named(table, kind, name).map(i64::from),
        (_, Value::Number(n)) => n.as_i64().ok_or_else(|| format!("`{n}` is too large")),
        (_, value) => Err(format!("`{value}` is no value of {}", schema.type_name(ty))),
    }
}

pub(super) fn write_cell(table: &Tabletop, column: ColumnId, cell: &Cell) -> Value {
    match cell {
        Cell::Text(words) => Value::from(words.as_str()),
        Cell::Word(value) => write_value(table, table.schema().column(column).ty, *value),
    }
}

pub(super) fn read_cell(table: &Tabletop, column: ColumnId, value: &Value) -> Result<Cell, String> {
    let ty = table.schema().column(column).ty;
    match (ty, value) {
        (Type::Text, Value::String(words)) => Ok(Cell::Text(words.clone())),
        (ty, value) => read_value(table, ty, value).map(Cell::Word),
    }
}

/// What a list is of.
fn member_type(schema: &Schema, list: ListId) -> Type {
    match schema.list(list).map(|a| a.ty) {
        Some(Type::List(element)) => element.member(),
        Some(ty) => ty,
        None => {
            let deck = schema.decks.iter().find(|d| d.list == list);
            deck.map_or(Type::Whole, |d| Element::Piece(d.of).member())
        }
    }
}

pub(super) fn write_members(table: &Tabletop, list: ListId, members: &[u32]) -> Value {
    let ty = member_type(table.schema(), list);
    members.iter().map(|&m| write_value(table, ty, i64::from(m))).collect()
}

pub(super) fn read_members(
    table: &Tabletop,
    list: ListId,
    value: &Value,
) -> Result<Vec<u32>, String> {
    let ty = member_type(table.schema(), list);
    let Value::Array(members) = value else { return Err(format!("`{value}` is no list")) };
    let read = |v| {
        let value = read_value(table, ty, v)?;
        u32::try_from(value).map_err(|_| format!("`{v}` cannot be in a list"))
    };
    members.iter().map(read).collect()
}

/// The names of the kind and attribute of a column.
fn names_of(schema: &Schema, (kind, attribute): (KindId, usize)) -> (&str, &str) {
    let of = schema.kind(kind);
    (of.name.as_str(), of.attributes.get(attribute).map_or("", |a| a.name.as_str()))
}

/// A change by names. The table is as it is when the change has been made.
pub(super) fn write_change(table: &Tabletop, change: &Change) -> Value {
    let schema = table.schema();
    match change {
        Change::Cell { column, row, old, new } => {
            let place = schema.columns[column.index()];
            let (kind, attribute) = names_of(schema, place);
            let name = row_name(table, place.0, i64::from(*row));
            let (old, new) = (write_cell(table, *column, old), write_cell(table, *column, new));
            serde_json::json!(["set", kind, name, attribute, old, new])
        }
        Change::List { list, row, old, new } => {
            let place = schema.lists[list.index()];
            let (old, new) = (write_members(table, *list, old), write_members(table, *list, new));
            if let Some(deck) = schema.decks.iter().find(|d| d.list == *list) {
                return serde_json::json!(["deck", deck.name, old, new]);
            }
            let (kind, attribute) = names_of(schema, place);
            let name = row_name(table, place.0, i64::from(*row));
            serde_json::json!(["list", kind, name, attribute, old, new])
        }
        Change::Made { kind, name, .. } => {
            serde_json::json!(["made", schema.kind(*kind).name, name])
        }
        Change::Removed { kind, row } => {
            let name = row_name(table, *kind, i64::from(*row));
            serde_json::json!(["removed", schema.kind(*kind).name, name])
        }
    }
}

/// Reads what [`write_change`] wrote. The table is as it is before the change is made.
pub(super) fn read_change(table: &Tabletop, value: &Value) -> Result<Change, String> {
    let schema = table.schema();
    let kind_named = |name: &Value| {
        let name = name.as_str().unwrap_or("");
        schema.kind_named(name).ok_or_else(|| format!("there is no kind `{name}`"))
    };
    let attribute_named = |kind: KindId, name: &Value| {
        let name = name.as_str().unwrap_or("");
        let found = schema.kind(kind).attribute(name).map(|a| a.storage);
        found.ok_or_else(|| format!("a {} has no `{name}`", schema.kind(kind).name))
    };
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let parts = value.as_array().map_or(&[][..], Vec::as_slice);
    match parts {
        [what, kind, name, attribute, old, new] if what == "set" || what == "list" => {
            let kind = kind_named(kind)?;
            let row = row_named(table, kind, &text(name))?;
            match attribute_named(kind, attribute)? {
                Storage::Cell(column) if what == "set" => Ok(Change::Cell {
                    column,
                    row,
                    old: read_cell(table, column, old)?,
                    new: read_cell(table, column, new)?,
                }),
                Storage::List(list) if what == "list" => Ok(Change::List {
                    list,
                    row,
                    old: read_members(table, list, old)?,
                    new: read_members(table, list, new)?,
                }),
                _ => Err(format!("`{attribute}` is kept in another way")),
            }
        }
        [what, deck, old, new] if what == "deck" => {
            let name = text(deck);
            let found = schema.decks.iter().find(|d| d.name == name);
            let list = found.map(|d| d.list).ok_or_else(|| format!("there is no deck `{name}`"))?;
            Ok(Change::List {
                list,
                row: 0,
                old: read_members(table, list, old)?,
                new: read_members(table, list, new)?,
            })
        }
        [what, kind, name] if what == "made" => {
            let kind = kind_named(kind)?;
            Ok(Change::Made { kind, row: table.rows(kind), name: text(name) })
        }
        [what, kind, name] if what == "removed" => {
            let kind = kind_named(kind)?;
            Ok(Change::Removed { kind, row: row_named(table, kind, &text(name))? })
        }
        _ => Err(format!("`{value}` is no change of the table")),
    }
}

/// A change of one table in terms of another with other rules; none if these have no such thing.
pub(super) fn restate_change(from: &Tabletop, to: &Tabletop, change: &Change) -> Option<Change> {
    let (old, new) = (from.schema(), to.schema());
    let kind_now = |kind: KindId| new.kind_named(&old.kind(kind).name);
    let row_now = |kind: KindId, row: u32| match old.kind(kind).role {
        Role::Single => Some(row),
        _ => to.named(kind_now(kind)?, from.name(kind, row), from.namesake(kind, row)),
    };
    let storage_now = |(kind, attribute): (KindId, usize)| {
        let name = &old.kind(kind).attributes.get(attribute)?.name;
        Some(new.kind(kind_now(kind)?).attribute(name)?.storage)
    };
    match change {
        Change::Cell { column, row, old: before, new: after } => {
            let place = old.columns[column.index()];
            let Some(Storage::Cell(now)) = storage_now(place) else { return None };
            let cell = |cell| read_cell(to, now, &write_cell(from, *column, cell)).ok();
            let row = row_now(place.0, *row)?;
            Some(Change::Cell { column: now, row, old: cell(before)?, new: cell(after)? })
        }
        Change::List { list, row, old: before, new: after } => {
            let place = old.lists[list.index()];
            let now = match old.decks.iter().find(|d| d.list == *list) {
                Some(deck) => new.decks.iter().find(|d| d.name == deck.name)?.list,
                None => match storage_now(place) {
                    Some(Storage::List(now)) => now,
                    _ => return None,
                },
            };
            let members = |m: &[u32]| read_members(to, now, &write_members(from, *list, m)).ok();
            let row = row_now(place.0, *row)?;
            Some(Change::List { list: now, row, old: members(before)?, new: members(after)? })
        }
        Change::Made { kind, row, name } => {
            let (kind, row) = (kind_now(*kind)?, row_now(*kind, *row)?);
            Some(Change::Made { kind, row, name: name.clone() })
        }
        Change::Removed { kind, row } => {
            Some(Change::Removed { kind: kind_now(*kind)?, row: row_now(*kind, *row)? })
        }
    }
}

/// Everything on a table by names, a line for each value that is not as it begins; for comparing two tables.
pub fn inventory(table: &Tabletop) -> Vec<String> {
    let schema = table.schema();
    let mut lines = Vec::new();
    for (index, kind) in schema.kinds.iter().enumerate() {
        let id = KindId::from_index(index);
        if kind.role == Role::List {
            continue;
        }
        for row in 0..table.rows(id) {
            let name = table.name(id, row);
            let there = if table.is_there(id, row) { "" } else { " (taken off)" };
            lines.push(format!("{name} {}{there}", kind.name));
            for attribute in &kind.attributes {
                let value = match attribute.storage {
                    Storage::Cell(column) => {
                        let cell = table.cell(column, table.get(column, row));
                        write_cell(table, column, &cell)
                    }
                    Storage::List(list) => write_members(table, list, table.list(list, row)),
                    Storage::Computed(_) => continue,
                };
                lines.push(format!("{name}.{} {value}", attribute.name));
            }
        }
        if id == STATE {
            for deck in &schema.decks {
                let members = write_members(table, deck.list, table.list(deck.list, 0));
                lines.push(format!("deck {} {members}", deck.name));
            }
        }
    }
    lines
}
