//! A web of rings and sectors as a picture, with a counter for each piece on it, turned in the
//! direction of the piece's heading, if it has one.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write;

use indexmap::{IndexMap, IndexSet};
use unicode_width::UnicodeWidthStr;

use crate::language::machine::World;
use crate::language::schema::{AttributeStorage, KindId, Type, WebLook};
use crate::render::plan::counters::{
    Counters, LABEL_HEIGHT, LABEL_TOP, LETTER_WIDTH, label_width, picture_svg, tag_svg, text_svg,
};
use crate::render::view::View;

/// The radius of the ring in the middle, and the width of the other rings, in SVG units.
const MIDDLE: f64 = 210.0;
const RING: f64 = 130.0;
/// The width of the band outside the rings, for pieces of a kind without rings.
const OUTSIDE: f64 = 110.0;
/// The height of a counter together with the words below it.
const PITCH: f64 = 78.0;

/// A seat on the web: the number of its ring, counted from the middle, and the number of its
/// sector, counted from the top. A ring that isn't divided has one sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct WebSeat {
    ring: usize,
    sector: i64,
}

/// A piece on the web.
struct WebPiece {
    name: String,
    /// The piece's seat; `None` if the piece's ring is not part of the web, or if its seat is
    /// hidden.
    seat: Option<WebSeat>,
    /// The number of the sector in the direction of the piece's heading; `None` if the heading is
    /// hidden or there is none.
    heading: Option<i64>,
}

/// The web of a game, which comes from the kind of piece with the most rings.
struct Web<'a> {
    look: &'a WebLook,
    kind: KindId,
    rings: Vec<&'a str>,
    sectors: Vec<&'a str>,
}

impl<'a> Web<'a> {
    fn of(view: &View<'a>) -> Option<Web<'a>> {
        let schema = &view.referee.ruleset().schema;
        let looks = schema.piece_kinds().filter_map(|(id, kind)| Some((id, kind.web.as_ref()?)));
        let (kind, look) = looks.max_by_key(|(_, look)| look.rings.len())?;
        let words = |index: usize| match schema.kind(kind).attributes[index].ty {
            Type::Word(set) => schema.word_set(set).values.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        };
        let ring_words: Vec<&str> = look.ring.map_or(Vec::new(), words);
        let rings = look
            .rings
            .iter()
            .filter_map(|&ring| ring_words.get(usize::try_from(ring).ok()?).copied());
        Some(Web { look, kind, rings: rings.collect(), sectors: words(look.sector) })
    }

    /// Returns the pieces of all kinds with a web, each with its seat if the seat is visible.
    fn pieces(&self, view: &View<'_>) -> Vec<WebPiece> {
        let schema = &view.referee.ruleset().schema;
        let mut pieces = Vec::new();
        for (kind, of) in schema.piece_kinds() {
            let Some(look) = &of.web else { continue };
            for row in view.table.present_pieces(kind) {
                let value = |index: usize| match of.attributes[index].storage {
                    _ if view.hidden.is_some_and(|h| h.hides_cell(kind, row, index)) => None,
                    AttributeStorage::Cell(column) => Some(view.table.get(column, row)),
                    AttributeStorage::List(_) | AttributeStorage::Computed(_) => None,
                };
                let ring = match look.ring {
                    None => Some(self.rings.len()),
                    Some(ring) => {
                        let word = value(ring);
                        look.rings.iter().position(|known| Some(*known) == word)
                    }
                };
                let is_undivided = self.look.undivided && ring == Some(0) && kind == self.kind;
                let sector = if is_undivided { Some(0) } else { value(look.sector) };
                let seat = ring.zip(sector).map(|(ring, sector)| WebSeat { ring, sector });
                let heading = look.heading.and_then(value);
                pieces.push(WebPiece {
                    name: view.table.name(kind, row).to_owned(),
                    seat,
                    heading,
                });
            }
        }
        pieces
    }

    /// Returns a name for a seat, under which its content is compared to detect changes.
    fn seat_name(&self, seat: WebSeat) -> String {
        format!("{}/{}", seat.ring, seat.sector)
    }

    fn outer_radius(&self) -> f64 {
        MIDDLE + RING * self.rings.len().saturating_sub(1) as f64
    }

    /// Returns the point at a distance from the middle, in this direction. The direction is a
    /// number of sectors, clockwise from the top.
    fn point(&self, radius: f64, sector: f64) -> (i64, i64) {
        let angle = TAU * sector / self.sectors.len().max(1) as f64;
        ((radius * angle.sin()).round() as i64, (-radius * angle.cos()).round() as i64)
    }

    /// Returns the inner and the outer radius of a ring.
    fn radii(&self, ring: usize) -> (f64, f64) {
        let outer = MIDDLE + RING * ring as f64;
        if ring == 0 { (0.0, outer) } else { (outer - RING, outer) }
    }

    /// Returns the outline of a seat as an SVG path.
    fn outline(&self, seat: WebSeat) -> String {
        let (inner, outer) = self.radii(seat.ring);
        if seat.ring == 0 && self.look.undivided {
            let (_, top) = self.point(outer, 0.0);
            let down = 2 * -top;
            return format!(
                "M0 {top}a{outer} {outer} 0 1 1 0 {down}a{outer} {outer} 0 1 1 0-{down}z"
            );
        }
        let from = seat.sector as f64 - 0.5;
        let to = from + 1.0;
        let [a, b, c, d] = [(inner, from), (outer, from), (outer, to), (inner, to)]
            .map(|(radius, sector)| self.point(radius, sector));
        format!(
            "M{} {}L{} {}A{outer} {outer} 0 0 1 {} {}L{} {}A{inner} {inner} 0 0 0 {} {}z",
            a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1, a.0, a.1
        )
    }

    /// Returns the positions of the counters on a seat.
    fn places(&self, seat: WebSeat, count: usize, wide: f64) -> Vec<(i64, i64)> {
        if seat.ring == 0 && self.look.undivided {
            let across = (count as f64).sqrt().ceil().max(1.0) as usize;
            let rows = count.div_ceil(across);
            let place = |index: usize| {
                let row = index / across;
                let in_row = if row + 1 == rows { count - across * row } else { across };
                let x = (index % across) as f64 - (in_row as f64 - 1.0) / 2.0;
                let y = row as f64 - (rows as f64 - 1.0) / 2.0;
                ((x * wide) as i64, (y * PITCH) as i64 - 8)
            };
            return (0..count).map(place).collect();
        }
        let (inner, outer) = if seat.ring < self.rings.len() {
            self.radii(seat.ring)
        } else {
            (self.outer_radius(), self.outer_radius() + OUTSIDE)
        };
        let radius = (inner + outer) / 2.0;
        let length = radius * TAU / self.sectors.len().max(1) as f64;
        // Counters are side by side in sectors at the top and the bottom, and one below another in
        // sectors at the sides.
        let angle = TAU * seat.sector as f64 / self.sectors.len().max(1) as f64;
        let room = wide * angle.cos().abs() + PITCH * angle.sin().abs();
        let step = room.min(length / count.max(1) as f64) / length;
        let place = |index: usize| {
            let aside = (index as f64 - (count as f64 - 1.0) / 2.0) * step;
            let (x, y) = self.point(radius, seat.sector as f64 + aside);
            (x, y - 8)
        };
        (0..count).map(place).collect()
    }
}

/// The room that a counter takes up on each side of its centre.
const COUNTER_RADIUS: i64 = 27;

/// A rectangle in the picture.
struct Area {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Area {
    fn around((x, y): (i64, i64), radius: i64) -> Area {
        Area { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius }
    }

    /// Returns the area of the words below a counter at this position.
    fn of_label((x, y): (i64, i64), words: &str) -> Area {
        let half = label_width(words) / 2;
        let top = y + LABEL_TOP;
        Area { left: x - half, top, right: x + half, bottom: top + LABEL_HEIGHT }
    }

    fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// Joins texts with semicolons into lines of at most this many columns. A longer text gets its own
/// line.
fn joined_lines(words: &[String], most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in words {
        match lines.last_mut() {
            Some(line) if line.width() + part.width() + 2 <= most => {
                line.push_str("; ");
                line.push_str(part);
            }
            Some(_) | None => lines.push(part.clone()),
        }
    }
    lines
}

/// Returns the content of each seat of the web, by the seat's name, to detect changes.
pub(super) fn web_contents(view: &View<'_>) -> IndexMap<String, String> {
    let Some(web) = Web::of(view) else { return IndexMap::new() };
    let mut contents: IndexMap<String, String> = IndexMap::new();
    for piece in web.pieces(view) {
        let Some(seat) = piece.seat else { continue };
        let words = format!("{}>{:?} ", piece.name, piece.heading);
        contents.entry(web.seat_name(seat)).or_default().push_str(&words);
    }
    contents
}

/// Returns the web as SVG, with the changed seats marked. Returns `None` if the game has no web.
pub(super) fn web_svg(view: &View<'_>, changed: &IndexSet<String>, alone: bool) -> Option<String> {
    let web = Web::of(view)?;
    let pieces = web.pieces(view);
    let counters = Counters::of(view);
    let mut out = String::new();
    let mut seats: Vec<WebSeat> = Vec::new();
    for ring in 0..web.rings.len() {
        let count = if ring == 0 && web.look.undivided { 1 } else { web.sectors.len() };
        seats.extend((0..count as i64).map(|sector| WebSeat { ring, sector }));
    }
    for seat in &seats {
        let path = web.outline(*seat);
        let _ = write!(out, r#"<path class="g g3 c-blue" d="{path}"/>"#);
    }
    for seat in &seats {
        if changed.contains(&web.seat_name(*seat)) {
            let path = web.outline(*seat);
            let _ = write!(out, r#"<path class="new" d="{path}"/>"#);
        }
    }
    let edge = web.outer_radius();
    let has_outside = pieces.iter().any(|p| p.seat.is_some_and(|s| s.ring == web.rings.len()));
    let margin = if has_outside { OUTSIDE } else { 0.0 } + 44.0;
    for (index, sector) in web.sectors.iter().enumerate() {
        let (x, y) = web.point(edge + margin - 16.0, index as f64);
        let wide = 12 * sector.chars().count() as i64 + 4;
        // Words at the sides are moved until they are completely outside the web.
        let x = x + wide * (x - (edge + margin) as i64) / (2 * (edge + margin) as i64);
        out.push_str(&tag_svg((x, y - 11), sector));
    }
    for (ring, name) in web.rings.iter().enumerate() {
        let (_, outer) = web.radii(ring);
        let (x, y) = web.point(outer - 18.0, if ring == 0 { 0.0 } else { 0.5 });
        let wide = 12 * name.chars().count() as i64 + 4;
        out.push_str(&tag_svg((x - wide / 2, y - 11), name));
    }
    let mut by_seat: BTreeMap<WebSeat, Vec<&WebPiece>> = BTreeMap::new();
    let mut beside: Vec<&str> = Vec::new();
    for piece in &pieces {
        match piece.seat {
            Some(seat) => by_seat.entry(seat).or_default().push(piece),
            None => beside.push(&piece.name),
        }
    }
    let turn = 360 / web.sectors.len().max(1) as i64;
    let mut placed: Vec<(&WebPiece, (i64, i64))> = Vec::new();
    for (seat, here) in by_seat {
        let wide = here.iter().map(|piece| counters.words_width(&piece.name)).max();
        let places = web.places(seat, here.len(), wide.unwrap_or(0) as f64 + 10.0);
        placed.extend(here.into_iter().zip(places));
    }
    let mut taken: Vec<Area> =
        placed.iter().map(|(_, place)| Area::around(*place, COUNTER_RADIUS)).collect();
    let mut listed: Vec<String> = Vec::new();
    for (own, (piece, place)) in placed.iter().enumerate() {
        let name = &piece.name;
        let Some(heading) = piece.heading else {
            let left = place.0 - counters.width(name) / 2;
            out.push_str(&counters.counter_svg(name, (left, place.1 - 12), None));
            continue;
        };
        let words = counters.words(name);
        let number = (listed.len() + 1).to_string();
        let is_free = |label: &&String| {
            let label = Area::of_label(*place, label);
            let others = taken.iter().enumerate().filter(|(index, _)| *index != own);
            others.into_iter().all(|(_, other)| !other.overlaps(&label))
        };
        // If there is no room for everything, the rest is listed below the web.
        let label = [&words, name].into_iter().find(is_free).unwrap_or(&number).clone();
        if label == number {
            listed.push(format!("{number} {words}"));
        } else if label != words {
            listed.push(words.clone());
        }
        taken.push(Area::of_label(*place, &label));
        out.push_str(&counters.turned_svg(name, *place, turn * heading, &label));
    }
    let half = (edge + margin) as i64 + 220;
    let high = (edge + margin) as i64 + 20;
    let mut bottom = high;
    if !beside.is_empty() {
        listed.push(format!("next to the web: {}", beside.join(", ")));
    }
    for line in joined_lines(&listed, (2 * half / LETTER_WIDTH as i64) as usize) {
        bottom += 30;
        out.push_str(&text_svg("note", (-half, bottom - 8), &line));
    }
    if !changed.is_empty() {
        bottom += 30;
        out.push_str(&text_svg("note", (-half, bottom - 8), "a dashed frame marks a change"));
    }
    Some(picture_svg(
        "the plan",
        &out,
        (-half - 4, -high - 4, 2 * half + 8, high + bottom + 8),
        alone,
    ))
}
