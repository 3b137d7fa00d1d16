//! The plan as a picture: levels side by side, what lies on the areas as badges, and the stands by name. Every colour is
//! a variable of the style, and none is the only sign of anything.

use std::collections::BTreeMap;
use std::fmt::Write;

use indexmap::{IndexMap, IndexSet};
use unicode_width::UnicodeWidthStr;

use crate::language::grid::Grid;
use crate::language::machine::World;
use crate::language::schema::AttributeStorage;
use crate::render::markup::{Line, Role, Text};
use crate::render::plan::{Areas, Drawing, level_title, levels};
use crate::render::print::escape::clean_and_escape;
use crate::render::view::View;

/// The style of plans, for the page that they stand in.
pub const STYLE: &str = include_str!("plan.css");

/// Plans of more areas than this are not drawn.
const MOST_AREAS: usize = 4_000;
/// Plans of more areas than this name only areas with something on them.
const MOST_NAMES: usize = 600;
/// The width of a square.
const AREA_WIDTH: i64 = 100;
/// The room between two levels.
const LEVEL_GAP: i64 = 40;
/// The width of a letter of a stand's name.
const LETTER_WIDTH: usize = 10;
/// The room for names in an area.
const MAX_NAME_WIDTH: i64 = 88;

/// Returns the content of each area of the plan, by name, to tell what changed.
pub fn area_contents(view: &View<'_>) -> IndexMap<String, String> {
    let Some((plan, levels)) = levels(view, &[]) else { return IndexMap::new() };
    let drawing = Drawing::of(view, plan);
    let mut contents = IndexMap::new();
    for &area in levels.values().flat_map(BTreeMap::values) {
        let names = drawing.names(area).join(" ");
        let ground = drawing.ground(area).map_or("", |g| g.1);
        let signs = drawing.markers(area).1.join(" ");
        let name = view.table.name(plan, area).to_owned();
        contents.insert(name, format!("{ground}|{signs}|{names}"));
    }
    contents
}

/// Returns the plan of these levels, or of all if none is given, with the areas marked that differ from what they held
/// before. `None` if there is no such plan, or it is too large. `alone` puts the style into the picture.
pub fn plan_svg(
    view: &View<'_>,
    only: &[i64],
    before: Option<&IndexMap<String, String>>,
    alone: bool,
) -> Option<String> {
    let (plan, levels) = levels(view, only)?;
    let count = levels.values().map(BTreeMap::len).sum::<usize>();
    if count > MOST_AREAS {
        return None;
    }
    let drawing = Drawing::of(view, plan);
    let changed: IndexSet<String> = match before {
        None => IndexSet::new(),
        Some(before) => area_contents(view)
            .into_iter()
            .filter(|(name, content)| before.get(name) != Some(content))
            .map(|(name, _)| name)
            .collect(),
    };
    let mut picture = Picture {
        drawing: &drawing,
        sides: view.referee.sides(view.table).into_iter().collect(),
        changed,
        names_all: count <= MOST_NAMES,
        out: String::new(),
        left: Vec::new(),
    };
    let mut x = 0;
    let mut y = 0;
    let mut wide = 0;
    let mut row = 0;
    for (number, areas) in &levels {
        let (width, height) = picture.size(areas);
        // Levels stand side by side as long as the picture is no wider than a screen.
        if x > 0 && (x + width > 1_800 || x + width > 2 * height.max(row)) {
            (x, y, row) = (0, y + row + LEVEL_GAP, 0);
        }
        picture.draw_level(*number, areas, (x, y));
        (x, wide, row) = (x + width + LEVEL_GAP, wide.max(x + width), row.max(height));
    }
    let wide = wide.max(6 * AREA_WIDTH);
    let mut y = y + row + LEVEL_GAP;
    let mut notes: Vec<String> = picture.left.clone();
    notes.push(drawing.legend().join(", "));
    if !picture.changed.is_empty() {
        notes.push("a dashed frame: changed".to_owned());
    }
    let notes: Text = notes.iter().map(|note| Line::of(Role::Plain, note)).collect();
    for note in notes.plain(wide as usize / LETTER_WIDTH).lines() {
        picture.draw_text("note", (0, y), note);
        y += 24;
    }
    let style = if alone { format!("<style>{STYLE}</style>") } else { String::new() };
    // In a page the name space is known.
    let space = if alone { " xmlns=\"http://www.w3.org/2000/svg\"" } else { "" };
    let width = wide + 8;
    let height = y + 4;
    Some(format!(
        r#"<svg class="plan"{space} viewBox="-4 -4 {width} {height}" width="{width}" height="{height}" role="img" aria-label="the plan">{style}<rect class="paper" x="-4" y="-4" width="{width}" height="{height}"/>{}</svg>"#,
        picture.out
    ))
}

/// A picture that is being drawn.
struct Picture<'a> {
    drawing: &'a Drawing<'a>,
    sides: Vec<String>,
    changed: IndexSet<String>,
    names_all: bool,
    out: String,
    /// The stands of areas that have no room for all of them.
    left: Vec<String>,
}

impl Picture<'_> {
    /// Returns the place of an area's corner on the level.
    fn area_corner(&self, (row, column): (i64, i64)) -> (i64, i64) {
        match self.drawing.grid() {
            Grid::Square => (column * AREA_WIDTH, row * AREA_WIDTH),
            Grid::Hex => (column * AREA_WIDTH + hex_shift(row), row * 87),
            Grid::HexFlat => (column * 87, row * AREA_WIDTH + hex_shift(column)),
        }
    }

    /// Returns the outline of an area, from its corner, and its width and height.
    fn area_outline(&self) -> (&'static str, i64, i64) {
        match self.drawing.grid() {
            Grid::Square => ("h100v100h-100z", AREA_WIDTH, AREA_WIDTH),
            Grid::Hex => ("m50 0l50 29v58l-50 28l-50-28v-58z", AREA_WIDTH, 115),
            Grid::HexFlat => ("m29 0h58l28 50l-28 50h-58l-29-50z", 115, AREA_WIDTH),
        }
    }

    /// Returns the corner of a level, and its far corner.
    fn bounds(&self, areas: &Areas) -> ((i64, i64), (i64, i64)) {
        let (_, wide, high) = self.area_outline();
        let across = areas.keys().map(|at| self.area_corner(*at).0);
        let down = areas.keys().map(|at| self.area_corner(*at).1);
        let left = across.clone().min().unwrap_or(0);
        let top = down.clone().min().unwrap_or(0);
        let right = across.max().unwrap_or(0) + wide;
        let bottom = down.max().unwrap_or(0) + high;
        ((left, top), (right, bottom))
    }

    /// Returns width and height of a level, with its title.
    fn size(&self, areas: &Areas) -> (i64, i64) {
        let ((left, top), (right, bottom)) = self.bounds(areas);
        (right - left, bottom - top + LEVEL_GAP)
    }

    fn draw_level(&mut self, number: i64, areas: &Areas, (x, y): (i64, i64)) {
        let ((left, top), _) = self.bounds(areas);
        self.draw_text("title", (x, y + 24), &level_title(number));
        let left = x - left;
        let top = y + LEVEL_GAP - top;
        let _ = write!(self.out, r#"<g transform="translate({left} {top})">"#);
        let (shape, ..) = self.area_outline();
        let mut grounds: [String; 5] = Default::default();
        for (&at, &area) in areas {
            let ground = self.drawing.ground(area).map_or(0, |g| g.0 % 5);
            let (across, down) = self.area_corner(at);
            let _ = write!(grounds[ground], "M{across} {down}{shape}");
        }
        for (ground, path) in grounds.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            self.draw_path(&format!("g g{ground}"), path);
        }
        for (&at, &area) in areas {
            self.draw_area(area, self.area_corner(at));
        }
        self.draw_walls(areas);
        self.out.push_str("</g>");
    }

    /// Draws what is on an area.
    fn draw_area(&mut self, area: u32, (x, y): (i64, i64)) {
        let drawing = self.drawing;
        let (_, wide, high) = self.area_outline();
        // Into the square in the middle.
        let x = x + (wide - AREA_WIDTH) / 2;
        let y = y + (high - AREA_WIDTH) / 2;
        let (role, signs) = drawing.markers(area);
        let table = drawing.view.table;
        let stands = drawing.pieces.get(&area);
        let name = table.name(drawing.plan, area);
        let is_changed = self.changed.contains(name);
        let inset = if drawing.grid().is_hexes() { 22 } else { 0 };
        if self.names_all || is_changed || !signs.is_empty() || stands.is_some() {
            let ground = drawing.ground(area).map_or("", |g| g.1);
            self.draw_text("quiet", (x + 7 + inset, y + 17), &format!("{name} {ground}"));
        }
        if !signs.is_empty() {
            let words = signs.join(" ");
            let class = match role {
                Role::Low => "low",
                Role::Middle => "middle",
                Role::High => "high",
                _ => "",
            };
            let long = (14 * words.width() as i64 + 14).min(AREA_WIDTH - 8);
            let at = (x + (AREA_WIDTH - long) / 2, y + 22);
            self.draw_label(
                (&format!("badge {class}"), &format!("on on{class}")),
                at,
                (long, 28),
                &words,
            );
        }
        self.draw_stands(area, (x, y + if signs.is_empty() { 28 } else { 53 }), y + AREA_WIDTH);
        if is_changed {
            let (shape, ..) = self.area_outline();
            let x = x - (wide - AREA_WIDTH) / 2;
            let y = y - (high - AREA_WIDTH) / 2;
            self.draw_path("new", &format!("M{x} {y}{shape}"));
        }
    }

    /// Draws the stands on an area in rows, as far as there is room.
    fn draw_stands(&mut self, area: u32, (x, y): (i64, i64), end: i64) {
        let names = self.drawing.names(area);
        let Some(pieces) = self.drawing.pieces.get(&area) else { return };
        let mut at = 0;
        let mut top = y;
        for (index, (name, piece)) in names.iter().zip(pieces).enumerate() {
            let width = stand_width(name);
            if at > 0 && at + width > MAX_NAME_WIDTH {
                at = 0;
                top += 23;
            }
            if top + 21 > end {
                let area = self.drawing.view.table.name(self.drawing.plan, area);
                let all = names.join(" ");
                self.left.push(format!("{area}: {all}"));
                let more = format!("+{}", names.len() - index);
                return self.draw_text("name", (x + AREA_WIDTH - 14, end - AREA_WIDTH + 18), &more);
            }
            let view = self.drawing.view;
            let side = view
                .table
                .find(piece)
                .and_then(|(k, r)| view.referee.side_of_piece(view.table, k, r));
            let side = side.and_then(|side| self.sides.iter().position(|s| *s == side));
            let colour = side.map_or(0, |side| side % 4);
            let stand = format!("stand s{colour}");
            self.draw_label((&stand, "name"), (x + 6 + at, top), (width, 20), name);
            at += width + 3;
        }
    }

    fn draw_text(&mut self, class: &str, (x, y): (i64, i64), words: &str) {
        let words = clean_and_escape(words);
        let _ = write!(self.out, r#"<text class="{class}" x="{x}" y="{y}">{words}</text>"#);
    }

    fn draw_path(&mut self, class: &str, path: &str) {
        let _ = write!(self.out, r#"<path class="{class}" d="{path}"/>"#);
    }

    /// Draws words in a frame, pressed together if they are too wide for it.
    fn draw_label(
        &mut self,
        (frame, text): (&str, &str),
        (x, y): (i64, i64),
        (width, height): (i64, i64),
        words: &str,
    ) {
        let fit = if width >= MAX_NAME_WIDTH {
            format!(r#" textLength="{}" lengthAdjust="spacingAndGlyphs""#, width - 9)
        } else {
            String::new()
        };
        let _ = write!(
            self.out,
            r#"<rect class="{frame}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{}"/><text class="{text}" x="{}" y="{}"{fit}>{}</text>"#,
            height / 4 + 2,
            x + width / 2,
            y + 3 * height / 4 + 1,
            clean_and_escape(words)
        );
    }

    /// Draws the walls: between areas that lie side by side and are no neighbours.
    fn draw_walls(&mut self, areas: &Areas) {
        let drawing = self.drawing;
        let kind = drawing.view.referee.ruleset().schema.kind(drawing.plan);
        let Some(AttributeStorage::List(beside)) = kind.attribute("beside").map(|a| a.storage)
        else {
            return;
        };
        let grid = drawing.grid();
        let (_, wide, high) = self.area_outline();
        let half = if grid.is_hexes() { 29 } else { AREA_WIDTH / 2 };
        for (&(row, column), &area) in areas {
            for side in grid.neighbour_directions() {
                let (to, down) = grid.seat_in_direction((column, row), side as i64, 1);
                let Some(&other) = areas.get(&(down, to)).filter(|other| **other > area) else {
                    continue;
                };
                if drawing.view.table.list(beside, area).contains(&other) {
                    continue;
                }
                let a = self.area_corner((row, column));
                let b = self.area_corner((down, to));
                let x = (a.0 + b.0 + wide) / 2;
                let y = (a.1 + b.1 + high) / 2;
                // At a right angle to the way from one to the other.
                let dx = half * (a.1 - b.1) / AREA_WIDTH;
                let dy = half * (b.0 - a.0) / AREA_WIDTH;
                let path = format!("M{} {}L{} {}", x - dx, y - dy, x + dx, y + dy);
                self.draw_path("wall", &path);
            }
        }
    }
}

/// Returns how far a row or column of hexes is shifted: every even one, by half an area.
fn hex_shift(line: i64) -> i64 {
    if line % 2 == 0 { AREA_WIDTH / 2 } else { 0 }
}

/// Returns the width of a stand with its name.
fn stand_width(name: &str) -> i64 {
    ((LETTER_WIDTH * name.width()) as i64 + 12).min(MAX_NAME_WIDTH)
}
