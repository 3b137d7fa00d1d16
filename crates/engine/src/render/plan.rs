//! The drawn plan, level by level: letters across, numbers down, and the content of each area.

mod counters;
mod svg;
mod web;

use std::collections::BTreeMap;

pub use counters::STYLE;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
pub use svg::{area_contents, plan_svg};
use unicode_width::UnicodeWidthStr;

use crate::language::grid::Grid;
use crate::language::machine::{World, value_text};
use crate::language::schema::{
    Attribute, AttributeStorage, Colour, ColumnId, DIRECTION_WORDS, KindId, Type,
};
use crate::render::document::Block;
use crate::render::looks;
use crate::render::markup::{Line, Role, Text};
use crate::render::table::attribute_heading;
use crate::render::view::View;
use crate::tabletop::{Argument, area_name};

/// The plan, as a list of areas.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PlanAnswer {
    /// The grid: `square`, `hex` or `hex-flat`.
    pub grid: String,
    /// The areas of the plan, level by level.
    pub areas: Vec<AreaAnswer>,
}

/// An area of the plan.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct AreaAnswer {
    /// The name of the area.
    pub name: String,
    /// The level. The ground is 0.
    pub level: i64,
    /// The row, counted from 1.
    pub row: i64,
    /// The column, counted from 1. The letters of the area's name are derived from it.
    pub column: i64,
    /// The names of the pieces on the area.
    pub pieces: Vec<String>,
}

/// A displayed attribute of an area: one with a sign, or with a letter for its marker.
struct Sign<'a> {
    /// The signs: one, or one for each word.
    letters: Vec<String>,
    column: ColumnId,
    attribute: &'a Attribute,
}

/// A marker on an area, as it is drawn.
pub(super) struct Marker {
    /// The marker's sign, with its number if it has one.
    words: String,
    colour: Option<Colour>,
    role: Role,
}

/// The arrows on a plan of hexes.
const ARROWS: [(&str, char); 8] = [
    ("north", '↑'),
    ("north-east", '↗'),
    ("east", '→'),
    ("south-east", '↘'),
    ("south", '↓'),
    ("south-west", '↙'),
    ("west", '←'),
    ("north-west", '↖'),
];

impl Sign<'_> {
    /// Returns the sign of a value; empty if it has none.
    fn letter(&self, value: i64) -> &str {
        let index = if self.letters.len() > 1 { usize::try_from(value).unwrap_or(0) } else { 0 };
        self.letters.get(index).map_or("", String::as_str)
    }
}

/// The areas of a level by row and column.
type Areas = BTreeMap<(i64, i64), u32>;

/// Returns the kind of the plan's areas and, by level, row and column, the areas of these levels,
/// or of all levels if no level is given. `None` if there are no such areas.
fn levels(view: &View<'_>, only: &[i64]) -> Option<(KindId, BTreeMap<i64, Areas>)> {
    let schema = &view.referee.ruleset().schema;
    let plan = schema.plan_kind()?;
    let coordinate =
        |row: u32, name: &str| Some(view.table.get(schema.kind(plan).column(name)?, row));
    let mut levels: BTreeMap<i64, Areas> = BTreeMap::new();
    for area in view.table.present_pieces(plan) {
        let column = coordinate(area, "column")?;
        let row = coordinate(area, "row")?;
        levels.entry(coordinate(area, "level")?).or_default().insert((row, column), area);
    }
    levels.retain(|n, _| only.is_empty() || only.contains(n));
    (!levels.is_empty()).then_some((plan, levels))
}

/// Returns the plan of these levels, or of all levels if no level is given, for machines: each area
/// with its position and the pieces on it. `None` if there are no such areas.
pub(crate) fn plan_answer(view: &View<'_>, only: &[i64]) -> Option<PlanAnswer> {
    let (plan, levels) = levels(view, only)?;
    let pieces = pieces_by_area(view, plan);
    let mut areas = Vec::new();
    for (&level, on_level) in &levels {
        for (&(row, column), &area) in on_level {
            areas.push(AreaAnswer {
                name: view.table.name(plan, area).to_owned(),
                level,
                row,
                column,
                pieces: pieces.get(&area).cloned().unwrap_or_default(),
            });
        }
    }
    let grid = view.referee.ruleset().schema.kind(plan).grid;
    Some(PlanAnswer { grid: grid.name().to_owned(), areas })
}

/// Returns the plan of these levels, or of all levels if no level is given. `None` if there are no
/// such areas.
pub(crate) fn plan_text(view: &View<'_>, only: &[i64]) -> Option<Text> {
    let (plan, levels) = levels(view, only)?;
    let drawing = Drawing::of(view, plan);
    let mut text = Text::new();
    for (number, areas) in &levels {
        text.push_empty_line().line(Role::Header, level_title(*number));
        drawing.draw_level(areas, &mut text);
    }
    let mut items = drawing.legend();
    items.extend(drawing.sides.iter().map(|(side, sign)| format!("{sign} {side}")));
    if !items.is_empty() {
        let line = Line::of(Role::Quiet, format!("  {}", items.join(", "))).with_hanging_indent(2);
        text.push_empty_line().push(line);
    }
    let described = drawing.describe(&levels);
    Some(vec![Block::Drawn { drawing: text, described }].into())
}

fn level_title(number: i64) -> String {
    match number {
        0 => "ground".to_owned(),
        n if n < 0 => format!("below ground, level b{}", -n),
        n => format!("level {n}"),
    }
}

/// A plan to be drawn, with the signs and pieces to show on its areas.
struct Drawing<'a> {
    view: &'a View<'a>,
    plan: KindId,
    signs: Vec<Sign<'a>>,
    grounds: Option<GroundKinds<'a>>,
    pieces: IndexMap<u32, Vec<String>>,
    /// The sides, each with its own sign in text; empty if the game has no sides.
    sides: Vec<(String, char)>,
}

/// Returns the signs of the attributes: the declared signs and, for other markers, a free letter,
/// if possible from the attribute's name.
fn signs<'a>(attributes: &'a [Attribute], ground: Option<ColumnId>) -> Vec<Sign<'a>> {
    let declared: Vec<&str> =
        attributes.iter().flat_map(|a| &a.signs).map(String::as_str).collect();
    let mut signs: Vec<Sign<'a>> = Vec::new();
    for attribute in attributes {
        let AttributeStorage::Cell(column) = attribute.storage else { continue };
        let shown = attribute.marker.is_some() || !attribute.signs.is_empty();
        if !shown || ground == Some(column) || matches!(attribute.ty, Type::Text | Type::Piece(_)) {
            continue;
        }
        // Each sign has only one meaning.
        let used = |c: &str| signs.iter().any(|s| s.letters.iter().any(|l| l == c));
        let own = attribute.signs.iter().all(|sign| sign.is_empty() || !used(sign));
        if own && !attribute.signs.is_empty() {
            signs.push(Sign { letters: attribute.signs.clone(), column, attribute });
            continue;
        }
        let letters = || attribute.name.chars().filter(char::is_ascii_alphabetic);
        let free = letters()
            .map(|c| c.to_ascii_uppercase())
            .chain(letters())
            .chain('A'..='Z')
            .map(String::from)
            .find(|c| !used(c) && !declared.contains(&c.as_str()));
        if let Some(letter) = free {
            signs.push(Sign { letters: vec![letter], column, attribute });
        }
    }
    // Numbers come first, because they change most often.
    signs.sort_by_key(|s| s.attribute.ty != Type::Whole);
    signs
}

/// The signs that are used for sides in text.
const SIDE_SIGNS: [char; 8] = ['@', '&', '$', '%', '!', '?', '+', '^'];

/// Returns, for each side of the game, a sign that has no other meaning. If there are not enough
/// signs, the last sides have none.
fn side_signs(
    view: &View<'_>,
    signs: &[Sign<'_>],
    grounds: Option<&GroundKinds<'_>>,
) -> Vec<(String, char)> {
    if view.referee.ruleset().schema.sides.is_none() {
        return Vec::new();
    }
    let of_signs = signs.iter().flat_map(|sign| &sign.letters).map(String::as_str);
    let of_grounds = grounds.iter().flat_map(|g| &g.signs).map(|(_, sign, _)| sign.as_str());
    let used: Vec<&str> = of_signs.chain(of_grounds).collect();
    let free = SIDE_SIGNS.into_iter().filter(|sign| !used.contains(&sign.to_string().as_str()));
    looks::sides_in_order(view).into_iter().zip(free).collect()
}

/// The types of ground: the column that holds them, and the value, the sign and the name of each.
struct GroundKinds<'a> {
    column: ColumnId,
    signs: Vec<(i64, String, &'a str)>,
    /// The colour of each value; empty if the ruleset declares no colours.
    colours: &'a [Colour],
}

/// Returns the letters of the scenario's legend that mean a type of ground and nothing else.
fn legend_letters(view: &View<'_>, plan: KindId, ground: ColumnId) -> BTreeMap<i64, char> {
    let rules = view.referee.ruleset();
    let attributes = &rules.schema.kind(plan).attributes;
    let Some(scenario) = rules.scenario(view.table.scenario()) else { return BTreeMap::new() };
    let mut letters = BTreeMap::new();
    for (letter, values) in &scenario.legend {
        let [(index, Argument::Value(value))] = values.as_slice() else { continue };
        let is_ground =
            matches!(attributes[*index].storage, AttributeStorage::Cell(c) if c == ground);
        if is_ground && *letter != '.' && !letters.values().any(|other| other == letter) {
            letters.entry(*value).or_insert(*letter);
        }
    }
    letters
}

/// Returns the types of ground in use: the words of the first attribute of the areas that has words
/// and no marker. Returns `None` if there is no such attribute.
fn ground_kinds<'a>(view: &View<'a>, plan: KindId) -> Option<GroundKinds<'a>> {
    let schema = &view.referee.ruleset().schema;
    let kind = schema.kind(plan);
    let (column, set, own, colours) =
        kind.attributes.iter().find_map(|a| match (a.ty, a.storage, &a.marker) {
            (Type::Word(set), AttributeStorage::Cell(column), None) => {
                Some((column, set, &a.signs, &a.colours))
            }
            _ => None,
        })?;
    // On hexes, most of the plan is open ground or sea, so these get the lightest signs.
    let drawn = match kind.grid {
        Grid::Square => ["#", "=", ".", "~", ":", "%", "\"", "+", "*"],
        Grid::Hex | Grid::HexFlat => [".", "~", "#", "=", ":", "%", "\"", "+", "*"],
    };
    let words = &schema.word_set(set).values;
    let letters = legend_letters(view, plan, column);
    let mut signs = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let used =
            view.table.present_pieces(plan).any(|row| view.table.get(column, row) == i as i64);
        if used {
            let other = drawn.get(signs.len()).copied().unwrap_or("?");
            let sign = match own.get(i) {
                Some(own) => own.clone(),
                None => letters.get(&(i as i64)).map_or(other.to_owned(), char::to_string),
            };
            signs.push((i as i64, sign, word.as_str()));
        }
    }
    Some(GroundKinds { column, signs, colours })
}

/// Returns the pieces on each area. The area of a piece is its location or, if its location is not
/// an area, the first area that it refers to.
fn pieces_by_area(view: &View<'_>, plan: KindId) -> IndexMap<u32, Vec<String>> {
    let schema = &view.referee.ruleset().schema;
    let mut found: IndexMap<u32, Vec<String>> = IndexMap::new();
    for (id, kind) in schema.piece_kinds().filter(|(_, kind)| !kind.plan) {
        let to_area = |a: &&Attribute| a.ty == Type::Piece(plan);
        let is_stored = |a: &&Attribute| matches!(a.storage, AttributeStorage::Cell(_));
        let at = kind.location().filter(to_area);
        let first = || kind.attributes.iter().filter(is_stored).find(to_area);
        let Some(at) = at.or_else(first) else { continue };
        for row in view.table.present_pieces(id) {
            let area = view.referee.attribute_value(view.table, row, at);
            if let Some(area) = area.and_then(|area| u32::try_from(area).ok()) {
                found.entry(area).or_default().push(view.table.name(id, row).to_owned());
            }
        }
    }
    found
}

impl<'a> Drawing<'a> {
    fn of(view: &'a View<'a>, plan: KindId) -> Drawing<'a> {
        let attributes = &view.referee.ruleset().schema.kind(plan).attributes;
        let grounds = ground_kinds(view, plan);
        let signs = signs(attributes, grounds.as_ref().map(|g| g.column));
        let sides = side_signs(view, &signs, grounds.as_ref());
        Drawing { view, plan, signs, grounds, pieces: pieces_by_area(view, plan), sides }
    }

    /// Returns the sign of a piece in text: the sign of its side, or `@`.
    fn piece_sign(&self, name: &str) -> char {
        let found = self.view.table.find(name);
        let side = found
            .and_then(|(kind, row)| self.view.referee.side_of_piece(self.view.table, kind, row));
        let sign = self.sides.iter().find(|(of, _)| Some(of) == side.as_ref());
        sign.map_or('@', |(_, letter)| *letter)
    }

    /// Returns the sign for the pieces in an area: the sign of their side, or `*` for several
    /// sides.
    fn stack_sign(&self, pieces: &[String]) -> char {
        let signs: Vec<char> = pieces.iter().map(|piece| self.piece_sign(piece)).collect();
        match signs.as_slice() {
            [first, others @ ..] if others.iter().any(|other| other != first) => '*',
            [first, ..] => *first,
            [] => '@',
        }
    }

    /// Returns the names of the pieces in an area as text. If the game has sides, each name is
    /// preceded by the sign of its side.
    fn names_in_letters(&self, area: u32) -> Vec<String> {
        let Some(pieces) = self.pieces.get(&area) else { return Vec::new() };
        let names = self.names_of(pieces);
        if self.sides.is_empty() {
            return names;
        }
        let signed = pieces.iter().zip(names);
        signed.map(|(piece, name)| format!("{}{name}", self.piece_sign(piece))).collect()
    }

    /// Returns the ground of an area, if it has one: its index among the types in use, and its
    /// sign.
    fn ground(&self, area: u32) -> Option<(usize, &str)> {
        let grounds = self.grounds.as_ref()?;
        let value = self.view.table.get(grounds.column, area);
        let index = grounds.signs.iter().position(|s| s.0 == value)?;
        Some((index, &grounds.signs[index].1))
    }

    /// Returns the markers on an area.
    fn shown_markers(&self, area: u32) -> Vec<Marker> {
        let mut markers = Vec::new();
        for sign @ Sign { column, attribute, .. } in &self.signs {
            let value = self.view.table.get(*column, area);
            if value == attribute.start || (attribute.ty == Type::Flag && value == 0) {
                continue;
            }
            let of_word = usize::try_from(value).ok().filter(|_| attribute.colours.len() > 1);
            let colour = attribute.colours.get(of_word.unwrap_or(0)).copied();
            let mut words = sign.letter(value).to_owned();
            let mut role = Role::Plain;
            if attribute.ty == Type::Whole {
                words.push_str(&value.to_string());
                if attribute.marker.is_some() {
                    let span = (attribute.high - attribute.low).max(1);
                    let part = (value - attribute.low).saturating_mul(3).saturating_sub(1) / span;
                    role = match part {
                        i64::MIN..=0 => Role::Low,
                        1 => Role::Middle,
                        _ => Role::High,
                    };
                }
            }
            if !words.is_empty() {
                markers.push(Marker { words, colour, role });
            }
        }
        markers
    }

    /// Returns the signs of the markers on an area, and the first role among them that isn't plain.
    fn markers(&self, area: u32) -> (Role, Vec<String>) {
        let markers = self.shown_markers(area);
        let role = markers.iter().map(|marker| marker.role).find(|role| *role != Role::Plain);
        let words = markers.into_iter().map(|marker| marker.words).collect();
        (role.unwrap_or(Role::Plain), words)
    }

    /// Returns the declared colour of an area's ground, if there is one.
    fn ground_colour(&self, area: u32) -> Option<Colour> {
        let grounds = self.grounds.as_ref()?;
        let value = usize::try_from(self.view.table.get(grounds.column, area)).ok()?;
        grounds.colours.get(value).copied()
    }

    /// Returns the content of an area's cell.
    fn cell(&self, area: u32) -> (Role, String) {
        let ground = self.ground(area).map(|g| g.1);
        match self.markers(area) {
            (_, words) if words.is_empty() => (Role::Quiet, ground.unwrap_or("·").to_owned()),
            (role, words) => (role, format!("{}{}", ground.unwrap_or_default(), words.concat())),
        }
    }

    /// Returns the names of the pieces on an area. On hexes, each name is followed by an arrow for
    /// the piece's heading, if it has a visible one.
    fn names(&self, area: u32) -> Vec<String> {
        self.pieces.get(&area).map_or(Vec::new(), |pieces| self.names_of(pieces))
    }

    fn names_of(&self, pieces: &[String]) -> Vec<String> {
        let shown = |name: &String| name.chars().chain(self.heading(name)).collect::<String>();
        pieces.iter().map(shown).collect()
    }

    /// Returns each area on one line: its ground, its markers, and its pieces.
    fn describe(&self, levels: &BTreeMap<i64, Areas>) -> Text {
        let mut text = Text::new();
        for (number, areas) in levels {
            text.line(Role::Header, level_title(*number));
            for &area in areas.values() {
                let words = self.area_in_words(area);
                let words = if words.is_empty() { "nothing".to_owned() } else { words.join(", ") };
                let name = self.view.table.name(self.plan, area);
                text.line(Role::Plain, format!("{name}  {words}"));
            }
        }
        text
    }

    /// Returns the ground, the markers and the pieces of an area, in words.
    fn area_in_words(&self, area: u32) -> Vec<String> {
        let table = self.view.table;
        let ground =
            self.ground(area).and_then(|(index, _)| self.grounds.as_ref()?.signs.get(index));
        let mut words: Vec<String> = ground.map(|ground| ground.2.to_owned()).into_iter().collect();
        for Sign { column, attribute, .. } in &self.signs {
            let value = table.get(*column, area);
            if value == attribute.start || (attribute.ty == Type::Flag && value == 0) {
                continue;
            }
            let name = attribute_heading(attribute);
            words.push(match attribute.ty {
                Type::Flag => name,
                ty => {
                    let schema = &self.view.referee.ruleset().schema;
                    format!("{name} {}", value_text(schema, table, value, ty))
                }
            });
        }
        for name in self.pieces.get(&area).into_iter().flatten() {
            words.push(match self.direction(name) {
                Some(direction) => format!("{name} heading {direction}"),
                None => name.clone(),
            });
        }
        words
    }

    /// Returns an arrow for the heading of a piece; `None` unless the plan has hexes and the piece
    /// has a visible heading.
    fn heading(&self, name: &str) -> Option<char> {
        let word = self.heading_word(name)?;
        let arrow = ARROWS.iter().find(|(direction, _)| *direction == word)?;
        Some(arrow.1)
    }

    /// Returns the heading of a piece in degrees, clockwise from the top; `None` unless the plan
    /// has hexes and the piece has a visible heading.
    fn heading_angle(&self, name: &str) -> Option<i64> {
        let word = self.heading_word(name)?;
        let directions = self.grid().directions();
        let index = directions.iter().position(|direction| *direction == word)? as i64;
        match self.grid() {
            Grid::Square => None,
            Grid::Hex => Some(30 + 60 * index),
            Grid::HexFlat => Some(60 * index),
        }
    }

    /// Returns the word for the heading of a piece; `None` unless the plan has hexes and the piece
    /// has a visible heading.
    fn heading_word(&self, name: &str) -> Option<&'static str> {
        self.direction(name).filter(|_| self.grid().is_hexes())
    }

    /// Returns the value of a piece's first attribute that holds a direction, if the value is
    /// visible.
    fn direction(&self, name: &str) -> Option<&'static str> {
        let schema = &self.view.referee.ruleset().schema;
        let (kind, row) = self.view.table.find(name)?;
        let attributes = schema.kind(kind).attributes.iter().enumerate();
        let mut headings = attributes.filter_map(|(index, attribute)| match attribute.storage {
            AttributeStorage::Cell(column) if attribute.ty == Type::Word(DIRECTION_WORDS) => {
                Some((index, column))
            }
            AttributeStorage::Cell(_)
            | AttributeStorage::List(_)
            | AttributeStorage::Computed(_) => None,
        });
        let (index, column) = headings.next()?;
        if self.view.hidden.is_some_and(|hidden| hidden.hides_cell(kind, row, index)) {
            return None;
        }
        let heading = usize::try_from(self.view.table.get(column, row)).ok()?;
        self.grid().directions().get(heading).copied()
    }

    fn grid(&self) -> Grid {
        self.view.referee.ruleset().schema.kind(self.plan).grid
    }

    /// Draws a level, with letters across and numbers down. Pieces are drawn by name if there is
    /// room, and otherwise listed below the plan. On hexes with a point at the top, every even row
    /// is shifted; with a flat top, every even column is one line further down.
    fn draw_level(&self, areas: &Areas, text: &mut Text) {
        let columns = areas.keys().map(|k| k.1);
        let first = columns.clone().min().unwrap_or(0);
        let last = columns.max().unwrap_or(0);
        let rows = areas.keys().map(|k| k.0);
        let top = rows.clone().min().unwrap_or(1);
        let bottom = rows.max().unwrap_or(0);
        let across = (last - first + 1).max(1) as usize;
        let room = self.view.width.saturating_sub(5);
        let room = match self.grid() {
            Grid::Square => room / across,
            Grid::Hex => 2 * room / (2 * across + 1),
            // A cell extends over the next column, whose cells are on the lines between.
            Grid::HexFlat => 2 * room / (across + 1),
        };
        // A square cell needs at least a letter and a space. A cell this narrow shows only the most
        // important sign.
        let is_compact = !self.grid().is_hexes() && room < 4 && across > 1;
        let room = room.clamp(3, 9) - 1;
        let mut hidden: Vec<(u32, String)> = Vec::new();
        let mut cells: IndexMap<(i64, i64), (Role, String)> = IndexMap::new();
        for (&at, &area) in areas {
            let (role, mut words) = self.cell(area);
            let names = self.names_in_letters(area).join(" ");
            if is_compact {
                let (letter_role, letter, rest) = self.compact_cell(area, &names);
                cells.insert(at, (letter_role, letter));
                hidden.extend(rest.map(|rest| (area, rest)));
                continue;
            }
            if !names.is_empty() {
                if words.width() + 1 + names.width() <= room {
                    words.push_str(&format!(" {names}"));
                } else {
                    let here = self.pieces.get(&area).map_or(&[][..], Vec::as_slice);
                    let alone = here.first().filter(|_| here.len() == 1 && self.sides.is_empty());
                    let arrow = alone.and_then(|piece| self.heading(piece));
                    words.push(arrow.unwrap_or(self.stack_sign(here)));
                    hidden.push((area, names));
                }
            }
            cells.insert(at, (role, words));
        }
        let wide = if is_compact {
            room_of_compact(self.view.width, across)
        } else {
            cells.values().map(|c| c.1.width()).max().unwrap_or(1).max(2) + 1
        };
        let pitch = match self.grid() {
            Grid::HexFlat => wide.div_ceil(2).max(if last > 26 { 3 } else { 2 }),
            Grid::Square | Grid::Hex => wide,
        };
        // A plan that is too wide is divided into strips, each with an even number of columns.
        let margin = if self.grid().is_hexes() { 5 + wide / 2 } else { 5 };
        let fit = self.view.width.saturating_sub(margin) / pitch;
        let strip = if fit >= across { across } else { (fit / 2 * 2).max(2) };
        for left in (first..=last).step_by(strip) {
            let right = last.min(left + strip as i64 - 1);
            self.draw_columns((left, right), (top, bottom), (wide, pitch), &cells, text);
        }
        let sign = if self.sides.is_empty() { "@ " } else { "" };
        let mut line = Line::of(Role::Plain, format!("     {sign}")).with_hanging_indent(7);
        for (index, (area, names)) in hidden.iter().enumerate() {
            line.push(Role::Plain, if index > 0 { "; " } else { "" });
            line.push(Role::Strong, self.view.table.name(self.plan, *area));
            line.push(Role::Plain, format!(" {names}"));
        }
        text.extend((!hidden.is_empty()).then_some(line).into_iter().collect());
    }

    /// Returns the single character for an area on a plan with many columns, and the rest of the
    /// area's content, if there is more, to be listed below the plan.
    fn compact_cell(&self, area: u32, names: &str) -> (Role, String, Option<String>) {
        let ground = self.ground(area).map_or("·", |ground| ground.1).to_owned();
        let (role, markers) = self.markers(area);
        let letter = match (self.pieces.get(&area), markers.first()) {
            (Some(pieces), _) => self.stack_sign(pieces).to_string(),
            (None, Some(marker)) => marker.chars().take(1).collect(),
            (None, None) => return (Role::Quiet, ground.chars().take(1).collect(), None),
        };
        let rest = [markers.join(""), names.to_owned()].join(" ").trim().to_owned();
        let is_more = rest != letter;
        (role, letter, is_more.then_some(rest))
    }

    /// Draws the cells of some columns of the plan. Each cell is `wide` columns of text wide, and
    /// the cells are `pitch` apart.
    fn draw_columns(
        &self,
        (first, last): (i64, i64),
        (top, bottom): (i64, i64),
        (wide, pitch): (usize, usize),
        cells: &IndexMap<(i64, i64), (Role, String)>,
        text: &mut Text,
    ) {
        let mut head = Line::of(Role::Plain, "     ");
        for column in first..=last {
            let name = area_name(usize::try_from(column - 1).unwrap_or(0), 0, 0);
            let letters = name.trim_end_matches('1');
            head.push(Role::Quiet, format!("{letters:<pitch$}"));
        }
        text.push(head.unbreakable());
        let (halves, shifts_even_rows) = match self.grid() {
            Grid::Square => (1, false),
            Grid::Hex => (1, true),
            Grid::HexFlat => (2, false),
        };
        for (row, half) in (top..=bottom).flat_map(|row| (0..halves).map(move |half| (row, half))) {
            let label = if half == 0 { format!("{row:>4} ") } else { " ".repeat(5) };
            let mut line = Line::of(Role::Quiet, label);
            let mut end = 0;
            for column in (first..=last).filter(|c| halves == 1 || (c - 1) % 2 == half) {
                let shifted = shifts_even_rows && row % 2 == 0;
                let start = (column - first) as usize * pitch + if shifted { wide / 2 } else { 0 };
                line.push(Role::Plain, " ".repeat(start.saturating_sub(end)));
                let blank = (Role::Plain, String::new());
                let (role, words) = cells.get(&(row, column)).unwrap_or(&blank);
                line.push(*role, words);
                end = start + words.width();
            }
            text.push(line.unbreakable());
        }
    }

    /// Returns the legend of the signs in use.
    fn legend(&self) -> Vec<String> {
        let grounds = self.grounds.iter().flat_map(|g| &g.signs);
        let mut items: Vec<String> =
            grounds.map(|(_, sign, word)| format!("{sign} {word}")).collect();

        for sign @ Sign { letters, column, attribute } in &self.signs {
            let values = self
                .view
                .table
                .present_pieces(self.plan)
                .map(|row| self.view.table.get(*column, row));
            let mut used: Vec<i64> = values.filter(|value| *value != attribute.start).collect();
            used.sort_unstable();
            used.dedup();
            let name = attribute_heading(attribute);
            if letters.len() > 1 {
                let schema = &self.view.referee.ruleset().schema;
                let word = |value| value_text(schema, self.view.table, value, attribute.ty);
                items
                    .extend(used.iter().map(|&v| format!("{} {name} {}", sign.letter(v), word(v))));
                continue;
            }
            if used.is_empty() {
                continue;
            }
            let marker = attribute.marker.as_ref().filter(|m| !m.is_empty() && **m != name);
            let marker = marker.map_or(String::new(), |marker| format!(" ({marker})"));
            items.push(format!("{} {name}{marker}", sign.letter(0)));
        }
        items
    }
}

/// Returns the width of an area on a plan with many columns, in columns of text.
fn room_of_compact(width: usize, across: usize) -> usize {
    (width.saturating_sub(5) / across).clamp(2, 3)
}
