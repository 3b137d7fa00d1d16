//! The drawn plan, level by level: letters across, numbers down, and what is on each area.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::markup::{Line, Role, Text};
use super::outcome::View;
use crate::language::machine::World;
use crate::language::schema::{Attribute, ColumnId, KindId, Role as Kinds, Storage, Type};
use crate::tabletop::area_name;

/// The part of an area that is shown: an attribute with a marker, by a letter.
struct Sign<'a> {
    letter: char,
    column: ColumnId,
    attribute: &'a Attribute,
}

/// The areas of a level by row and column.
type Areas = BTreeMap<(i64, i64), u32>;

/// Returns the areas of the plan by level, row and column, of one level or all; none if there are none.
fn levels(view: &View<'_>, level: Option<i64>) -> Option<(KindId, BTreeMap<i64, Areas>)> {
    let schema = &view.referee.ruleset().schema;
    let plan = schema.plan_kind()?;
    let place = |row: u32, name: &str| {
        let attribute = schema.kind(plan).attribute(name)?;
        match attribute.storage {
            Storage::Cell(column) => Some(view.table.get(column, row)),
            _ => None,
        }
    };
    let mut levels: BTreeMap<i64, Areas> = BTreeMap::new();
    for area in view.table.present(plan) {
        let (column, row) = (place(area, "column")?, place(area, "row")?);
        levels.entry(place(area, "level")?).or_default().insert((row, column), area);
    }
    levels.retain(|n, _| level.is_none_or(|l| l == *n));
    (!levels.is_empty()).then_some((plan, levels))
}

/// Returns the plan for machines: each area with its place and the pieces on it.
pub(crate) fn data(view: &View<'_>, level: Option<i64>) -> Value {
    let Some((plan, levels)) = levels(view, level) else { return Value::Null };
    let pieces = pieces_by_area(view, plan);
    let mut areas: Vec<Value> = Vec::new();
    for (level, on_level) in &levels {
        for ((row, column), &area) in on_level {
            areas.push(json!({
                "name": view.table.name(plan, area), "level": level, "row": row,
                "column": column, "pieces": pieces.get(&area).map_or(&[][..], Vec::as_slice),
            }));
        }
    }
    json!({ "areas": areas })
}

/// The plan of one level or all; none if there is no such plan.
pub fn map(view: &View<'_>, level: Option<i64>) -> Option<Text> {
    let schema = &view.referee.ruleset().schema;
    let (plan, levels) = levels(view, level)?;
    let signs = signs(&schema.kind(plan).attributes);
    let grounds = grounds(view, plan, &signs);
    let pieces = pieces_by_area(view, plan);
    let mut text = Text::new();
    for (number, areas) in &levels {
        text.gap();
        let title = match (number, levels.len()) {
            (0, _) => "ground".to_owned(),
            (n, _) if *n < 0 => format!("below ground, level b{}", -n),
            (n, _) => format!("level {n}"),
        };
        text.line(Role::Header, title);
        draw(view, areas, &signs, grounds.as_ref(), &pieces, &mut text);
    }
    legend(view, &signs, grounds.as_ref(), &mut text);
    Some(text)
}

/// The markers of an area, each with a letter: the first of its marker's words, or of its name.
fn signs(attributes: &[Attribute]) -> Vec<Sign<'_>> {
    let mut signs: Vec<Sign<'_>> = Vec::new();
    for attribute in attributes {
        let (Some(_), Storage::Cell(column)) = (&attribute.marker, attribute.storage) else {
            continue;
        };
        if matches!(attribute.ty, Type::Text | Type::Piece(_)) {
            continue;
        }
        let taken = |c: char| signs.iter().any(|s| s.letter == c);
        let letters = || attribute.name.chars().filter(char::is_ascii_alphabetic);
        let free = letters()
            .map(|c| c.to_ascii_uppercase())
            .chain(letters())
            .chain('A'..='Z')
            .find(|&c| !taken(c));
        if let Some(letter) = free {
            signs.push(Sign { letter, column, attribute });
        }
    }
    // Numbers first: they are what changes most.
    signs.sort_by_key(|s| s.attribute.ty != Type::Whole);
    signs
}

/// The first attribute of the areas that is a word and has no marker: what the ground is.
struct Grounds<'a> {
    column: ColumnId,
    signs: Vec<(i64, char, &'a str)>,
}

fn grounds<'a>(view: &View<'a>, plan: KindId, _signs: &[Sign<'_>]) -> Option<Grounds<'a>> {
    let schema = &view.referee.ruleset().schema;
    let kind = schema.kind(plan);
    let (column, set) =
        kind.attributes.iter().find_map(|a| match (a.ty, a.storage, &a.marker) {
            (Type::Word(set), Storage::Cell(column), None) => Some((column, set)),
            _ => None,
        })?;
    let drawn = ['#', '=', '.', '~', ':', '%', '"', '+', '*'];
    let words = &schema.word_set(set).values;
    let mut signs = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let used = view.table.present(plan).any(|row| view.table.get(column, row) == i as i64);
        if used {
            let sign = drawn.get(signs.len()).copied().unwrap_or('?');
            signs.push((i as i64, sign, word.as_str()));
        }
    }
    Some(Grounds { column, signs })
}

/// The pieces on each area: those whose place, or else first reference to an area, is it.
fn pieces_by_area(view: &View<'_>, plan: KindId) -> BTreeMap<u32, Vec<String>> {
    let schema = &view.referee.ruleset().schema;
    let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (i, kind) in schema.kinds.iter().enumerate() {
        if kind.role != Kinds::Pieces || kind.plan {
            continue;
        }
        let id = KindId::from_index(i);
        let to_area = |a: &&Attribute| a.ty == Type::Piece(plan);
        let at = kind.place().filter(to_area);
        let Some(at) = at.or_else(|| kind.attributes.iter().find(to_area)) else { continue };
        let Storage::Cell(column) = at.storage else { continue };
        for row in view.table.present(id) {
            let area = view.table.get(column, row);
            if let Ok(area) = u32::try_from(area) {
                found.entry(area).or_default().push(view.table.name(id, row).to_owned());
            }
        }
    }
    found
}

/// The content of an area's cell.
fn cell(
    view: &View<'_>,
    area: u32,
    signs: &[Sign<'_>],
    grounds: Option<&Grounds<'_>>,
) -> (Role, String) {
    let ground = grounds.and_then(|g| {
        let value = view.table.get(g.column, area);
        g.signs.iter().find(|s| s.0 == value).map(|s| s.1)
    });
    let mut words = String::new();
    let mut role = Role::Plain;
    for sign in signs {
        let value = view.table.get(sign.column, area);
        if value == sign.attribute.start {
            continue;
        }
        let shown = match sign.attribute.ty {
            Type::Flag if value == 0 => continue,
            Type::Flag => sign.letter.to_string(),
            Type::Whole => format!("{}{value}", sign.letter),
            _ => sign.letter.to_string(),
        };
        if role == Role::Plain && sign.attribute.ty == Type::Whole {
            let (low, high) = (sign.attribute.low, sign.attribute.high);
            let span = (high - low).max(1);
            role = match (value - low).saturating_mul(3).saturating_sub(1) / span {
                i64::MIN..=0 => Role::Low,
                1 => Role::Middle,
                _ => Role::High,
            };
        }
        words.push_str(&shown);
    }
    match (words.is_empty(), ground) {
        (true, ground) => (Role::Quiet, ground.unwrap_or('·').to_string()),
        (false, Some(ground)) => (role, format!("{ground}{words}")),
        (false, None) => (role, words),
    }
}

fn draw(
    view: &View<'_>,
    areas: &BTreeMap<(i64, i64), u32>,
    signs: &[Sign<'_>],
    grounds: Option<&Grounds<'_>>,
    pieces: &BTreeMap<u32, Vec<String>>,
    text: &mut Text,
) {
    let columns = |f: fn(i64, i64) -> i64, start| areas.keys().map(|k| k.1).fold(start, f);
    let (first, last) = (columns(i64::min, i64::MAX), columns(i64::max, 0));
    let rows = areas.keys().map(|k| k.0);
    let (top, bottom) = (rows.clone().min().unwrap_or(1), rows.max().unwrap_or(0));
    // A piece is shown by its name, as far as the width allows; the rest is told beside the plan.
    let room =
        (view.width.saturating_sub(5) / ((last - first + 1).max(1) as usize)).clamp(3, 9) - 1;
    let cells: BTreeMap<(i64, i64), (Role, String)> = areas
        .iter()
        .map(|(&at, &area)| {
            let (role, mut words) = cell(view, area, signs, grounds);
            if let Some(here) = pieces.get(&area) {
                let names = here.join(" ");
                match words.width() + 1 + names.width() <= room {
                    true => words.push_str(&format!(" {names}")),
                    false => words.push('@'),
                }
            }
            (at, (role, words))
        })
        .collect();
    let wide = cells.values().map(|c| c.1.width()).max().unwrap_or(1).max(2) + 1;
    let mut head = Line::of(Role::Plain, "     ");
    for column in first..=last {
        let name = area_name(usize::try_from(column - 1).unwrap_or(0), 0, 0);
        let letters = name.trim_end_matches('1');
        head.push(Role::Quiet, format!("{letters:<wide$}"));
    }
    text.push(head.unbroken());
    for row in top..=bottom {
        let mut line = Line::of(Role::Quiet, format!("{row:>4} "));
        for column in first..=last {
            let blank = (Role::Plain, String::new());
            let (role, words) = cells.get(&(row, column)).unwrap_or(&blank);
            let gap = " ".repeat(wide.saturating_sub(words.width()));
            line.push(*role, words).push(Role::Plain, gap);
        }
        text.push(line.unbroken());
    }
    let hidden: Vec<(&u32, &Vec<String>)> = areas
        .iter()
        .filter(|(at, _)| cells.get(at).is_some_and(|c| c.1.ends_with('@')))
        .filter_map(|(_, area)| pieces.get_key_value(area))
        .collect();
    if !hidden.is_empty() {
        let plan = view.referee.ruleset().schema.plan_kind().unwrap_or(KindId(0));
        let mut line = Line::of(Role::Plain, "     @ ").hanging(7);
        for (i, (area, names)) in hidden.iter().enumerate() {
            line.push(Role::Plain, if i > 0 { "; " } else { "" });
            line.push(Role::Strong, view.table.name(plan, **area));
            line.push(Role::Plain, format!(" {}", names.join(" ")));
        }
        text.push(line);
    }
}

fn legend(view: &View<'_>, signs: &[Sign<'_>], grounds: Option<&Grounds<'_>>, text: &mut Text) {
    let schema = &view.referee.ruleset().schema;
    let Some(plan) = schema.plan_kind() else { return };
    let mut items: Vec<String> = Vec::new();
    if let Some(grounds) = grounds {
        items.extend(grounds.signs.iter().map(|(_, sign, word)| format!("{sign} {word}")));
    }
    for sign in signs {
        let used = view
            .table
            .present(plan)
            .any(|row| view.table.get(sign.column, row) != sign.attribute.start);
        if used {
            let name = sign.attribute.title.clone();
            let name = name.unwrap_or_else(|| sign.attribute.name.replace('-', " "));
            let marker = sign.attribute.marker.clone().unwrap_or_default();
            items.push(match marker == name || marker.is_empty() {
                true => format!("{} {name}", sign.letter),
                false => format!("{} {name} ({marker})", sign.letter),
            });
        }
    }
    if !items.is_empty() {
        text.gap();
        text.push(Line::of(Role::Quiet, format!("  {}", items.join(", "))).hanging(2));
    }
}
