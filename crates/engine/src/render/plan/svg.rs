//! The plan as a picture: the ground, each house with its upper levels, the markers as coloured
//! badges, lines such as ropes, and the pieces as counters. Every colour is a CSS variable, and no
//! meaning depends only on colour.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use indexmap::{IndexMap, IndexSet};
use unicode_width::UnicodeWidthStr;

use crate::language::grid::Grid;
use crate::language::machine::World;
use crate::language::schema::{AttributeStorage, KindId, RouteLine};
use crate::render::looks::colour_class;
use crate::render::markup::{Line, Role, Text};
use crate::render::plan::counters::{
    COUNTER_HEIGHT, Counters, LETTER_WIDTH, MAX_NAME_WIDTH, framed_svg, path_svg, picture_svg,
    tag_svg, text_svg,
};
use crate::render::plan::{Areas, Drawing, Marker, level_title, levels, web};
use crate::render::view::View;

/// Plans with more areas than this are not drawn.
const MOST_AREAS: usize = 4_000;
/// On plans with more areas than this, only areas that changed or have something on them show their
/// names.
const MOST_NAMES: usize = 600;
/// If there are more houses than this, the upper levels are not divided into houses.
const MOST_HOUSES: usize = 24;
/// The width of a square, in SVG units.
const AREA_WIDTH: i64 = 100;
/// The space between two levels, in SVG units.
const LEVEL_GAP: i64 = 40;

/// Returns the content of each area of the plan or, in a game without a plan, of each seat of the
/// web, by name. Comparing two results shows the areas that have changed.
pub fn area_contents(view: &View<'_>) -> IndexMap<String, String> {
    let Some((plan, levels)) = levels(view, &[]) else { return web::web_contents(view) };
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

/// Returns the plan of these levels, or of all levels if no level is given. Areas whose content
/// differs from `before` are marked. In a game without a plan, returns the web of rings and
/// sectors, if there is one. Returns `None` if there is neither a plan nor a web, or if the plan
/// has more than `MOST_AREAS` areas. If `alone` is true, the picture includes the style sheet.
pub fn plan_svg(
    view: &View<'_>,
    only: &[i64],
    before: Option<&IndexMap<String, String>>,
    alone: bool,
) -> Option<String> {
    let changed: IndexSet<String> = match before {
        None => IndexSet::new(),
        Some(before) => area_contents(view)
            .into_iter()
            .filter(|(name, content)| before.get(name) != Some(content))
            .map(|(name, _)| name)
            .collect(),
    };
    let Some((plan, levels)) = levels(view, only) else {
        return web::web_svg(view, &changed, alone);
    };
    let count = levels.values().map(BTreeMap::len).sum::<usize>();
    if count > MOST_AREAS {
        return None;
    }
    let drawing = Drawing::of(view, plan);
    let mut picture = Picture {
        drawing: &drawing,
        counters: Counters::of(view),
        changed,
        names_all: count <= MOST_NAMES,
        out: String::new(),
        left: Vec::new(),
        centres: IndexMap::new(),
    };
    let panels = picture.panels(&levels);
    let mut wide = 6 * AREA_WIDTH;
    let mut high = 0;
    for (panel, at) in &panels {
        let (width, height) = picture.size(&panel.areas);
        picture.draw_ground(panel, *at);
        wide = wide.max(at.0 + width);
        high = high.max(at.1 + height);
    }
    picture.draw_routes();
    for (panel, at) in &panels {
        picture.draw_contents(panel, *at);
    }
    let mut y = high + LEVEL_GAP;
    let mut notes: Vec<String> = picture.left.clone();
    notes.push(drawing.legend().join(", "));
    if !picture.changed.is_empty() {
        notes.push("a dashed frame marks a change".to_owned());
    }
    let notes: Text = notes.iter().map(|note| Line::of(Role::Plain, note)).collect();
    for note in notes.plain(wide as usize / LETTER_WIDTH).lines() {
        picture.out.push_str(&text_svg("note", (0, y), note));
        y += 26;
    }
    Some(picture_svg("the plan", &picture.out, (-4, -4, wide + 8, y + 4), alone))
}

/// A part of a level that is drawn separately: the whole level, or the part over one house.
struct Panel {
    level: i64,
    areas: Areas,
}

/// A picture under construction.
struct Picture<'a> {
    drawing: &'a Drawing<'a>,
    counters: Counters<'a>,
    changed: IndexSet<String>,
    names_all: bool,
    out: String,
    /// For each area without room for all its counters, a line that lists the pieces on the area.
    left: Vec<String>,
    /// The centre of each drawn area, and the index of its panel.
    centres: IndexMap<u32, (usize, (i64, i64))>,
}

impl Picture<'_> {
    /// Returns the drawn parts with their positions: the whole lowest level, and next to it the
    /// levels above each house, the highest on top.
    fn panels(&self, levels: &BTreeMap<i64, Areas>) -> Vec<(Panel, (i64, i64))> {
        let mut levels = levels.iter();
        let Some((first, ground)) = levels.next() else { return Vec::new() };
        let above: Vec<(i64, &Areas)> = levels.map(|(level, areas)| (*level, areas)).collect();
        let (width, height) = self.size(ground);
        let mut panels = vec![(Panel { level: *first, areas: ground.clone() }, (0, 0))];
        let mut x = width + LEVEL_GAP;
        let mut y = 0;
        let mut column = 0;
        for house in self.houses(&above) {
            let sizes = house.iter().map(|panel| self.size(&panel.areas));
            let wide = sizes.clone().map(|size| size.0).max().unwrap_or(0).max(2 * AREA_WIDTH);
            let high: i64 = sizes.map(|size| size.1 + LEVEL_GAP / 4).sum();
            if y > 0 && y + high > height.max(3 * AREA_WIDTH) {
                (x, y, column) = (x + column + LEVEL_GAP, 0, 0);
            }
            for panel in house {
                let size = self.size(&panel.areas);
                panels.push((panel, (x, y)));
                y += size.1 + LEVEL_GAP / 4;
            }
            y += LEVEL_GAP / 2;
            column = column.max(wide);
        }
        panels
    }

    /// Returns the parts of the upper levels, grouped by house, the highest first.
    fn houses(&self, levels: &[(i64, &Areas)]) -> Vec<Vec<Panel>> {
        let mut seats: BTreeSet<(i64, i64)> =
            levels.iter().flat_map(|(_, areas)| areas.keys().copied()).collect();
        let grid = self.drawing.grid();
        let mut houses = Vec::new();
        while let Some(first) = seats.pop_first() {
            let mut house = BTreeSet::from([first]);
            let mut open = vec![first];
            while let Some((row, column)) = open.pop() {
                for side in grid.neighbour_directions() {
                    let (to, down) = grid.seat_in_direction((column, row), side as i64, 1);
                    if seats.remove(&(down, to)) {
                        house.insert((down, to));
                        open.push((down, to));
                    }
                }
            }
            houses.push(house);
        }
        if houses.len() > MOST_HOUSES {
            houses = vec![houses.into_iter().flatten().collect()];
        }
        let panels = houses.iter().map(|house| {
            let parts = levels.iter().rev().map(|(level, areas)| Panel {
                level: *level,
                areas: areas
                    .iter()
                    .filter(|(seat, _)| house.contains(seat))
                    .map(|(seat, area)| (*seat, *area))
                    .collect(),
            });
            parts.filter(|panel| !panel.areas.is_empty()).collect()
        });
        panels.collect()
    }

    /// Returns the position of an area's top left corner on the level.
    fn area_corner(&self, (row, column): (i64, i64)) -> (i64, i64) {
        match self.drawing.grid() {
            Grid::Square => (column * AREA_WIDTH, row * AREA_WIDTH),
            Grid::Hex => (column * AREA_WIDTH + hex_shift(row), row * 87),
            Grid::HexFlat => (column * 87, row * AREA_WIDTH + hex_shift(column)),
        }
    }

    /// Returns the outline of an area, relative to its corner, and its width and height.
    fn area_outline(&self) -> (&'static str, i64, i64) {
        match self.drawing.grid() {
            Grid::Square => ("h100v100h-100z", AREA_WIDTH, AREA_WIDTH),
            Grid::Hex => ("m50 0l50 29v58l-50 28l-50-28v-58z", AREA_WIDTH, 115),
            Grid::HexFlat => ("m29 0h58l28 50l-28 50h-58l-29-50z", 115, AREA_WIDTH),
        }
    }

    /// Returns the top left and the bottom right corners of a level.
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

    /// Returns the width and the height of a level, with its title.
    fn size(&self, areas: &Areas) -> (i64, i64) {
        let ((left, top), (right, bottom)) = self.bounds(areas);
        (right - left, bottom - top + LEVEL_GAP)
    }

    /// Returns the offset from the corners of a panel's areas to their positions in the picture.
    fn offset(&self, panel: &Panel, (x, y): (i64, i64)) -> (i64, i64) {
        let ((left, top), _) = self.bounds(&panel.areas);
        (x - left, y + LEVEL_GAP - top)
    }

    /// Draws the title and the ground of a panel, and its walls.
    fn draw_ground(&mut self, panel: &Panel, at: (i64, i64)) {
        let offset = self.offset(panel, at);
        let number = self.centres.values().last().map_or(0, |(number, _)| number + 1);
        self.out.push_str(&text_svg("title", (at.0, at.1 + 28), &level_title(panel.level)));
        let (shape, wide, high) = self.area_outline();
        let mut grounds: BTreeMap<(usize, &str), String> = BTreeMap::new();
        for (&seat, &area) in &panel.areas {
            let (across, down) = self.area_corner(seat);
            let across = across + offset.0;
            let down = down + offset.1;
            self.centres.insert(area, (number, (across + wide / 2, down + high / 2)));
            let ground = self.drawing.ground(area).map_or(0, |ground| ground.0 % 5);
            let colour = self.drawing.ground_colour(area).map_or("", colour_class);
            let path = grounds.entry((ground, colour)).or_default();
            let _ = write!(path, "M{across} {down}{shape}");
        }
        for ((ground, colour), path) in grounds {
            self.out.push_str(&path_svg(&format!("g g{ground} {colour}"), &path));
        }
        self.draw_walls(&panel.areas, offset);
    }

    /// Draws the content of the areas of a panel.
    fn draw_contents(&mut self, panel: &Panel, at: (i64, i64)) {
        let offset = self.offset(panel, at);
        for (&seat, &area) in &panel.areas {
            let (across, down) = self.area_corner(seat);
            self.draw_area(area, (across + offset.0, down + offset.1));
        }
    }

    /// Draws the content of an area.
    fn draw_area(&mut self, area: u32, (x, y): (i64, i64)) {
        let drawing = self.drawing;
        let (shape, wide, high) = self.area_outline();
        let corner = (x, y);
        // Draw into the square in the middle of the area.
        let x = x + (wide - AREA_WIDTH) / 2;
        let y = y + (high - AREA_WIDTH) / 2;
        let markers = drawing.shown_markers(area);
        let stands = drawing.pieces.get(&area);
        let name = drawing.view.table.name(drawing.plan, area);
        let is_changed = self.changed.contains(name);
        let inset = if drawing.grid().is_hexes() { 22 } else { 0 };
        if self.names_all || is_changed || !markers.is_empty() || stands.is_some() {
            let ground = drawing.ground(area).map_or("", |ground| ground.1);
            self.out.push_str(&tag_svg((x + 4 + inset, y + 3), &format!("{name} {ground}")));
        }
        let top = self.draw_markers(&markers, (x, y + 27));
        self.draw_stands(area, (x, top), y + AREA_WIDTH);
        if is_changed {
            self.out.push_str(&path_svg("new", &format!("M{} {}{shape}", corner.0, corner.1)));
        }
    }

    /// Draws markers in rows, and returns the vertical position below them.
    fn draw_markers(&mut self, markers: &[Marker], (x, y): (i64, i64)) -> i64 {
        let mut at = 0;
        let mut top = y;
        for marker in markers {
            let width = ((LETTER_WIDTH * marker.words.width()) as i64 + 10).min(MAX_NAME_WIDTH);
            if at > 0 && at + width > MAX_NAME_WIDTH {
                (at, top) = (0, top + COUNTER_HEIGHT + 2);
            }
            let class = match (marker.colour, marker.role) {
                (Some(colour), _) => colour_class(colour),
                (None, Role::Low) => "low",
                (None, Role::Middle) => "middle",
                (None, Role::High) => "high",
                _ => "",
            };
            let text = match class {
                "high" => "on onhigh".to_owned(),
                class => format!("on {class}"),
            };
            self.out.push_str(&framed_svg(
                (&format!("badge {class}"), &text),
                (x + 4 + at, top),
                (width, COUNTER_HEIGHT),
                &marker.words,
            ));
            at += width + 3;
        }
        if markers.is_empty() { y } else { top + COUNTER_HEIGHT + 2 }
    }

    /// Draws the counters on an area in rows. On hexes, a single piece is turned to its heading. If
    /// there is no room for all counters, draws only their number, and lists the pieces below the
    /// plan.
    fn draw_stands(&mut self, area: u32, (x, y): (i64, i64), end: i64) {
        let Some(pieces) = self.drawing.pieces.get(&area) else { return };
        if let [piece] = pieces.as_slice()
            && let Some(angle) = self.drawing.heading_angle(piece)
        {
            let middle = (x + AREA_WIDTH / 2, end - AREA_WIDTH / 2 + 4);
            let words = self.counters.words(piece);
            self.out.push_str(&self.counters.turned_svg(piece, middle, angle, &words));
            return;
        }
        let mut at = 0;
        let mut top = y;
        let mut drawn = String::new();
        for piece in pieces {
            let width = self.counters.width(piece);
            if at > 0 && at + width > MAX_NAME_WIDTH {
                (at, top) = (0, top + COUNTER_HEIGHT + 1);
            }
            if top + COUNTER_HEIGHT > end {
                let area = self.drawing.view.table.name(self.drawing.plan, area);
                self.left.push(format!("{area}: {}", self.drawing.names_of(pieces).join(" ")));
                let words = format!("×{}", pieces.len());
                let count_width = (LETTER_WIDTH * words.width()) as i64 + 12;
                let place = (x + AREA_WIDTH - count_width - 4, end - COUNTER_HEIGHT - 2);
                let count =
                    framed_svg(("stand", "name"), place, (count_width, COUNTER_HEIGHT), &words);
                self.out.push_str(&count);
                return;
            }
            let arrow = self.drawing.heading(piece);
            drawn.push_str(&self.counters.counter_svg(piece, (x + 4 + at, top), arrow));
            at += width + 3;
        }
        self.out.push_str(&drawn);
    }

    /// Draws the lines that pieces lay across the plan, each with a small offset from the others.
    fn draw_routes(&mut self) {
        let drawing = self.drawing;
        let view = drawing.view;
        let schema = &view.referee.ruleset().schema;
        let mut number = 0;
        for (kind, of) in schema.piece_kinds() {
            for (index, attribute) in of.attributes.iter().enumerate() {
                let Some(line) = attribute.line else { continue };
                let class = attribute.colours.first().map_or("", |colour| colour_class(*colour));
                for row in view.table.present_pieces(kind) {
                    let is_hidden =
                        |cell| view.hidden.is_some_and(|hidden| hidden.hides_cell(kind, row, cell));
                    let from = match line {
                        RouteLine::Along => None,
                        RouteLine::From(from) => Some(from),
                    };
                    if is_hidden(index) || from.is_some_and(is_hidden) {
                        continue;
                    }
                    let areas = route_areas(view, (kind, row), index, from);
                    number += usize::from(!areas.is_empty());
                    self.draw_route(&areas, class, (number % 4) as i64 * 9 - 13);
                }
            }
        }
    }

    /// Draws a line over areas, with a dot at each end. The line is split where it crosses from one
    /// panel to another.
    fn draw_route(&mut self, areas: &[u32], class: &str, aside: i64) {
        let points: Vec<(usize, (i64, i64))> =
            areas.iter().filter_map(|area| self.centres.get(area).copied()).collect();
        for part in points.chunk_by(|one, next| one.0 == next.0) {
            let mut path = String::new();
            for (index, (_, (x, y))) in part.iter().enumerate() {
                let step = if index == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{step}{} {}", x + aside, y + aside + 14);
            }
            if part.len() > 1 {
                self.out.push_str(&path_svg("casing", &path));
                self.out.push_str(&path_svg(&format!("route {class}"), &path));
            }
        }
        for (_, (x, y)) in points.first().into_iter().chain(points.last()) {
            let x = x + aside;
            let y = y + aside + 14;
            let _ = write!(self.out, r#"<circle class="end {class}" cx="{x}" cy="{y}" r="8"/>"#);
        }
    }

    /// Draws a wall between each pair of areas that are adjacent in the grid but aren't neighbours.
    fn draw_walls(&mut self, areas: &Areas, offset: (i64, i64)) {
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
                let x = (a.0 + b.0 + wide) / 2 + offset.0;
                let y = (a.1 + b.1 + high) / 2 + offset.1;
                // The wall is at right angles to the line between the two centres.
                let dx = half * (a.1 - b.1) / AREA_WIDTH;
                let dy = half * (b.0 - a.0) / AREA_WIDTH;
                let path = format!("M{} {}L{} {}", x - dx, y - dy, x + dx, y + dy);
                self.out.push_str(&path_svg("wall", &path));
            }
        }
    }
}

/// Returns the areas that a line crosses; empty if one of its ends is missing.
fn route_areas(
    view: &View<'_>,
    (kind, row): (KindId, u32),
    index: usize,
    from: Option<usize>,
) -> Vec<u32> {
    let attributes = &view.referee.ruleset().schema.kind(kind).attributes;
    let areas = |of: usize| match attributes[of].storage {
        AttributeStorage::List(list) => view.table.list(list, row).to_vec(),
        AttributeStorage::Cell(column) => {
            u32::try_from(view.table.get(column, row)).into_iter().collect()
        }
        AttributeStorage::Computed(_) => Vec::new(),
    };
    let mut all = from.map_or(Vec::new(), areas);
    let to = areas(index);
    if from.is_some() && (all.is_empty() || to.is_empty()) {
        return Vec::new();
    }
    all.extend(to);
    all
}

/// Returns the shift of a row or column of hexes: half the width of an area for an even number,
/// otherwise 0.
fn hex_shift(line: i64) -> i64 {
    if line % 2 == 0 { AREA_WIDTH / 2 } else { 0 }
}
