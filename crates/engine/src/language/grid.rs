//! The geometry of a drawn plan: squares, or hexes in either orientation.
//!
//! An area has a column and a row, both numbered from 1. On hexes these are offset coordinates: with
//! a point at the top, every even row is half a hex further right; with a flat top, every even
//! column is half a hex further down. Calculations convert them to axial coordinates `q` and `r`.
//! Together with `s = -q - r`, these form cube coordinates: the distance between two hexes is the
//! largest of the three absolute differences, all hexes in a straight line share one coordinate, and
//! a clockwise rotation by one side (60 degrees) is `(q, r, s) -> (-r, -s, -q)`. Plans drawn with a
//! space between the hexes use doubled coordinates. Source: Amit Patel, "Hexagonal Grids",
//! <https://www.redblobgames.com/grids/hexagons/> (layouts odd-r and odd-q, doublewidth and
//! doubleheight).

/// The shape of the areas of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grid {
    /// Squares.
    #[default]
    Square,
    /// Hexes with a point at the top, in rows.
    Hex,
    /// Hexes with a flat top, in columns.
    HexFlat,
}

/// A column and a row, both numbered from 1.
pub(crate) type Seat = (i64, i64);

/// The offset to the next hex in each direction, in axial coordinates, clockwise from north-east if
/// the hexes have a point at the top. If they have a flat top, the last offset belongs to their
/// first direction, north.
const HEX_OFFSETS: [(i64, i64); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];
/// The offset to the next square, in columns and rows, in each direction, clockwise from north.
const SQUARE_OFFSETS: [(i64, i64); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

impl Grid {
    /// All grids.
    pub(crate) const ALL: [Grid; 3] = [Grid::Square, Grid::Hex, Grid::HexFlat];

    /// Returns the name of the grid, as written in rulesets. Squares can also be written as `true`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Grid::Square => "square",
            Grid::Hex => "hex",
            Grid::HexFlat => "hex-flat",
        }
    }

    /// Returns true if the areas are hexes.
    pub(crate) fn is_hexes(self) -> bool {
        match self {
            Grid::Square => false,
            Grid::Hex | Grid::HexFlat => true,
        }
    }

    /// Returns the words for the directions, clockwise.
    pub(crate) fn directions(self) -> &'static [&'static str] {
        match self {
            Grid::Square => &[
                "north",
                "north-east",
                "east",
                "south-east",
                "south",
                "south-west",
                "west",
                "north-west",
            ],
            Grid::Hex => &["north-east", "east", "south-east", "south-west", "west", "north-west"],
            Grid::HexFlat => {
                &["north", "north-east", "south-east", "south", "south-west", "north-west"]
            }
        }
    }

    /// Returns the numbers of the directions in which an area has a neighbour: on squares, all but
    /// the diagonal ones.
    pub(crate) fn neighbour_directions(self) -> impl Iterator<Item = usize> {
        let step = match self {
            Grid::Square => 2,
            Grid::Hex | Grid::HexFlat => 1,
        };
        (0..self.directions().len()).step_by(step)
    }

    /// Returns the coordinates used for distances: the column and row of a square, or `q` and `r`
    /// of a hex.
    fn to_axial(self, (column, row): Seat) -> (i64, i64) {
        match self {
            Grid::Square => (column, row),
            Grid::Hex => (column - (row - 1).div_euclid(2), row),
            Grid::HexFlat => (column, row - (column - 1).div_euclid(2)),
        }
    }

    /// Returns the offset from one seat to another in the coordinates used for distances.
    fn axial_offset(self, a: Seat, b: Seat) -> (i64, i64) {
        let (q, r) = self.to_axial(a);
        let (x, y) = self.to_axial(b);
        (x - q, y - r)
    }

    /// Returns the seat that is `count` areas away in the direction with this number.
    #[inline]
    pub(crate) fn seat_in_direction(self, (column, row): Seat, direction: i64, count: i64) -> Seat {
        let (across, down) = match self {
            Grid::Square => {
                SQUARE_OFFSETS[direction.rem_euclid(SQUARE_OFFSETS.len() as i64) as usize]
            }
            Grid::Hex => HEX_OFFSETS[direction.rem_euclid(HEX_OFFSETS.len() as i64) as usize],
            Grid::HexFlat => {
                HEX_OFFSETS[(direction.rem_euclid(HEX_OFFSETS.len() as i64) as usize + 5) % 6]
            }
        };
        let (q, r) = self.to_axial((column, row));
        let q = q + across * count;
        let r = r + down * count;
        match self {
            Grid::Square => (q, r),
            Grid::Hex => (q + (r - 1).div_euclid(2), r),
            Grid::HexFlat => (q, r + (q - 1).div_euclid(2)),
        }
    }

    /// Returns the number of steps from one seat to another. On squares, a step goes across or
    /// down, never diagonally.
    pub(crate) fn steps(self, a: Seat, b: Seat) -> i64 {
        let (q, r) = self.axial_offset(a, b);
        match self {
            Grid::Square => q.abs() + r.abs(),
            Grid::Hex | Grid::HexFlat => self.distance(a, b),
        }
    }

    /// Returns the number of steps from one seat to another. On squares, a step goes in any of the
    /// eight directions.
    pub(crate) fn distance(self, a: Seat, b: Seat) -> i64 {
        let (q, r) = self.axial_offset(a, b);
        match self {
            Grid::Square => q.abs().max(r.abs()),
            Grid::Hex | Grid::HexFlat => q.abs().max(r.abs()).max((q + r).abs()),
        }
    }

    /// Returns true if two different seats are in one straight line of areas: on squares, across or
    /// down; on hexes, in any of the six directions.
    pub(crate) fn in_line(self, a: Seat, b: Seat) -> bool {
        let (q, r) = self.axial_offset(a, b);
        let is_straight = match self {
            Grid::Square => q == 0 || r == 0,
            Grid::Hex | Grid::HexFlat => q == 0 || r == 0 || q + r == 0,
        };
        is_straight && (q, r) != (0, 0)
    }

    /// Returns the number of the direction that is nearest to the bearing from one seat to another,
    /// or 0 if they are the same seat.
    pub(crate) fn nearest_direction(self, a: Seat, b: Seat) -> i64 {
        if self.is_hexes() {
            // Halfway between two directions, the first one clockwise counts as the nearest.
            return self.bearing(a, b).map_or(0, |quarters| (quarters + 1) / 4 % 6);
        }
        let (across, down) = self.axial_offset(a, b);
        // Each direction covers about an eighth of the circle: 5/12 is the tangent of 22.6 degrees.
        let straight_down = across.abs() * 12 < down.abs() * 5;
        let straight_across = down.abs() * 12 < across.abs() * 5;
        match (across.signum(), down.signum()) {
            (0, 0) => 0,
            (_, -1) if straight_down => 0,
            (_, 1) if straight_down => 4,
            (1, _) if straight_across => 2,
            (-1, _) if straight_across => 6,
            (1, -1) => 1,
            (1, _) => 3,
            (_, 1) => 5,
            _ => 7,
        }
    }

    /// Returns the bearing from one hex to another, 0 to 23, in quarters of a side, clockwise from
    /// the first direction; `None` for the same hex. The six directions have the bearings 0, 4, 8,
    /// …, and the lines halfway between two directions have 2, 6, 10, …. Every bearing in between
    /// is given as the odd number between its two neighbours.
    pub(crate) fn bearing(self, a: Seat, b: Seat) -> Option<i64> {
        let (mut q, mut r) = self.axial_offset(a, b);
        let first = match self {
            Grid::Square | Grid::Hex => 0,
            Grid::HexFlat => 1,
        };
        for way in 0..6 {
            // The components of the offset along this direction and along the next one.
            let along = -r;
            let next = q + r;
            if along > 0 && next >= 0 {
                let quarters = match next.cmp(&along) {
                    _ if next == 0 => 0,
                    std::cmp::Ordering::Less => 1,
                    std::cmp::Ordering::Equal => 2,
                    std::cmp::Ordering::Greater => 3,
                };
                return Some((way + first) % 6 * 4 + quarters);
            }
            (q, r) = (q + r, -q);
        }
        None
    }

    /// Returns the column and row, both numbered from 0, of the hex at a position in a plan drawn
    /// with a space between the hexes; `None` for a position between hexes.
    pub(crate) fn hex_at_text_position(self, across: usize, down: usize) -> Option<(usize, usize)> {
        let seat = match self {
            Grid::Square | Grid::HexFlat => (across, down / 2),
            Grid::Hex => (across / 2, down),
        };
        (across % 2 == down % 2).then_some(seat)
    }

    /// Returns the position, across and down, of a hex in a plan drawn with a space between the
    /// hexes: the inverse of [`Grid::hex_at_text_position`].
    pub(crate) fn text_position(self, column: usize, row: usize) -> (usize, usize) {
        match self {
            Grid::Square => (column, row),
            Grid::Hex => (2 * column + row % 2, row),
            Grid::HexFlat => (column, 2 * row + column % 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Grid, Seat};

    #[test]
    fn a_turn_of_neighbours_closes() {
        for grid in [Grid::Hex, Grid::HexFlat] {
            for start in [(4, 4), (4, 5), (5, 4), (5, 5)] {
                for direction in 0..6 {
                    let next = grid.seat_in_direction(start, direction, 1);
                    assert_eq!(grid.nearest_direction(start, next), direction);
                    assert_eq!(grid.bearing(start, next), Some(4 * direction));
                    assert_eq!(grid.distance(start, next), 1);
                    assert_eq!(
                        grid.seat_in_direction(next, direction + 2, 1),
                        grid.seat_in_direction(start, direction + 1, 1)
                    );
                    let far = grid.seat_in_direction(start, direction, 7);
                    assert!(grid.in_line(start, far) && grid.distance(start, far) == 7);
                    let side = grid.seat_in_direction(far, direction + 2, 7);
                    assert_eq!(grid.bearing(start, side), Some(4 * ((direction + 1) % 6)));
                    let half = grid.seat_in_direction(far, direction + 1, 7);
                    assert_eq!(grid.bearing(start, half), Some(4 * direction + 2));
                    assert_eq!(
                        (grid.nearest_direction(start, half), grid.distance(start, half)),
                        (direction, 14)
                    );
                    assert!(!grid.in_line(start, half));
                }
            }
        }
    }

    #[test]
    fn a_neighbour_lies_in_line_and_in_its_direction() {
        for grid in Grid::ALL {
            for start in [(4, 4), (4, 5), (5, 4), (5, 5)] {
                for direction in grid.neighbour_directions() {
                    let direction = direction as i64;
                    for count in 1..4 {
                        let far = grid.seat_in_direction(start, direction, count);
                        assert_eq!(grid.nearest_direction(start, far), direction, "{grid:?}");
                        assert_eq!(grid.distance(start, far), count, "{grid:?}");
                        assert!(grid.in_line(start, far), "{grid:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_grid_is_in_the_documents_and_messages() {
        let texts = [
            ("docs/rule-language.md", include_str!("../../../../docs/rule-language.md")),
            ("docs/faults.md", include_str!("../../../../docs/faults.md")),
            ("docs/json.md", include_str!("../../../../docs/json.md")),
            ("the help of `unknown-plan`", include_str!("../ruleset/declare.rs")),
            ("the description of `plan`", include_str!("../ruleset/format/forms.rs")),
        ];
        for grid in Grid::ALL.into_iter().filter(|grid| grid.is_hexes()) {
            for (place, text) in texts {
                assert!(text.contains(grid.name()), "{place} doesn't name `{}`", grid.name());
            }
        }
    }

    #[test]
    fn the_steps_are_the_shortest_way_over_neighbours() {
        for grid in Grid::ALL {
            let directions: Vec<usize> = grid.neighbour_directions().collect();
            assert_shortest_ways(grid, &directions, Grid::steps);
        }
    }

    #[test]
    fn the_distance_is_the_shortest_way_in_all_directions() {
        for grid in Grid::ALL {
            let directions: Vec<usize> = (0..grid.directions().len()).collect();
            assert_shortest_ways(grid, &directions, Grid::distance);
        }
    }

    /// Visits the seats around a start, ring by ring, and asserts that `length` returns the number
    /// of the ring. Ring `n` must have `n` seats for each direction.
    fn assert_shortest_ways(
        grid: Grid,
        directions: &[usize],
        length: impl Fn(Grid, Seat, Seat) -> i64,
    ) {
        let start = (6, 7);
        let mut ring = vec![start];
        let mut inside: Vec<Seat> = Vec::new();
        for steps in 0..6 {
            for &seat in &ring {
                assert_eq!(length(grid, start, seat), steps, "{grid:?} {seat:?}");
            }
            let beyond =
                |&seat| directions.iter().map(move |&d| grid.seat_in_direction(seat, d as i64, 1));
            let next: Vec<Seat> = ring.iter().flat_map(beyond).collect();
            inside.append(&mut ring);
            ring = next;
            ring.retain(|seat| !inside.contains(seat));
            ring.sort_unstable();
            ring.dedup();
            assert_eq!(ring.len(), directions.len() * (steps as usize + 1), "{grid:?}");
        }
    }

    #[test]
    fn rows_and_columns_lie_as_the_reference_says() {
        // With a point at the top, a2 is south-east of a1; with a flat top, b1 is.
        assert_eq!(Grid::Hex.seat_in_direction((1, 1), 2, 1), (1, 2));
        assert_eq!(Grid::HexFlat.seat_in_direction((1, 1), 2, 1), (2, 1));
        assert_eq!(Grid::Hex.hex_at_text_position(3, 1), Some((1, 1)));
        assert_eq!(Grid::HexFlat.hex_at_text_position(3, 1), Some((3, 0)));
        assert_eq!(Grid::Hex.hex_at_text_position(2, 1), None);
        for grid in [Grid::Hex, Grid::HexFlat] {
            for seat in [(0, 0), (3, 0), (0, 3), (2, 1), (5, 7)] {
                let (across, down) = grid.text_position(seat.0, seat.1);
                assert_eq!(grid.hex_at_text_position(across, down), Some(seat));
            }
        }
    }
}
