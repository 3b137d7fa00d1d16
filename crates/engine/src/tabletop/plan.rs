//! Sets up the plan as drawn: turns its letters into areas, and links neighbouring areas.

use std::sync::Arc;

use indexmap::IndexSet;

use super::Tabletop;
use super::areas::AreaIndex;
use crate::language::machine::{PieceError, World};
use crate::language::schema::{KindId, ListId};

/// The maximum number of areas on all levels of a plan.
pub const MAX_AREAS: usize = 40_000;

/// One level of a plan, as drawn.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// The number of the level; 0 is the ground, and levels below it are negative.
    pub number: i64,
    /// The column and row of each area, both counted from 0, and its letter.
    pub areas: Vec<(usize, usize, char)>,
}

/// Returns the name of an area: `b3` on the ground, `b3.2` on level 2, and `b3.b1` on level -1. The
/// column and the row are counted from 0.
pub fn area_name(column: usize, row: usize, level: i64) -> String {
    let letters = column_letters(column);
    let row = row + 1;
    match level {
        0 => format!("{letters}{row}"),
        l if l < 0 => format!("{letters}{row}.b{}", -l),
        l => format!("{letters}{row}.{l}"),
    }
}

/// Returns the letters of a column, which is counted from 0: `a` to `z`, then `aa`, `ab` and so on.
fn column_letters(column: usize) -> String {
    let before = (column / 26).checked_sub(1).map_or(String::new(), column_letters);
    format!("{before}{}", char::from(b'a' + (column % 26) as u8))
}

impl Tabletop {
    /// Adds the areas of all levels, and links neighbouring areas. The lists `beside` and `around`
    /// omit neighbours that a wall blocks; the lists for directions contain them.
    pub(super) fn set_up_plan(
        &mut self,
        kind: KindId,
        levels: &[Level],
        walls: &[(String, String)],
    ) -> Result<(), PieceError> {
        let of = self.schema.kind(kind);
        let grid = of.grid;
        let cells = ["column", "row", "level"].map(|name| of.column(name));
        let sides: Vec<_> = grid
            .neighbour_directions()
            .map(|side| (side, of.list(grid.directions()[side])))
            .collect();
        let [beside_list, above, below] = ["beside", "above", "below"].map(|name| of.list(name));
        // The ruleset may declare an attribute of this name, which must not be filled. The built-in
        // attribute has no span.
        let around_list = of.attribute("around").filter(|a| a.is_built_in());
        let around_list = around_list.and_then(|a| a.storage.list());
        let mut at = AreaIndex::default();
        let mut all = Vec::new();
        for level in levels {
            for &(column, row, _) in &level.areas {
                let area = self.add_piece(kind, &area_name(column, row, level.number))?;
                at.insert(column, row, level.number, area);
                let column = column as i64 + 1;
                let row = row as i64 + 1;
                all.push((level.number, row, column, area));
                for (cell, value) in cells.into_iter().zip([column, row, level.number]) {
                    cell.into_iter().for_each(|cell| self.set(cell, area, value));
                }
            }
        }
        let blocked: IndexSet<(u32, u32)> = walls
            .iter()
            .filter_map(|(a, b)| Some((self.find(a)?.1, self.find(b)?.1)))
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .collect();
        for (level, row, column, area) in all {
            let mut beside = Vec::new();
            for &(side, list) in &sides {
                let (column, row) = grid.seat_in_direction((column, row), side as i64, 1);
                let neighbour = at.get(column, row, level);
                self.set_members(list, area, neighbour.as_slice());
                beside.extend(neighbour.filter(|&n| !blocked.contains(&(area, n))));
            }
            self.set_members(beside_list, area, &beside);
            if around_list.is_some() {
                let neighbours = (0..grid.directions().len() as i64).map(|direction| {
                    let (column, row) = grid.seat_in_direction((column, row), direction, 1);
                    at.get(column, row, level)
                });
                let around = reached_around(area, &neighbours.collect::<Vec<_>>(), &blocked);
                self.set_members(around_list, area, &around);
            }
            for (list, other) in [(above, level + 1), (below, level - 1)] {
                let neighbour = at.get(column, row, other);
                self.set_members(list, area, neighbour.as_slice());
            }
        }
        self.places = Arc::new(at);
        Ok(())
    }

    fn set_members(&mut self, list: Option<ListId>, area: u32, members: &[u32]) {
        list.into_iter().for_each(|list| self.set_list(list, area, members));
    }
}

/// Returns the squares around `area` that can be reached from it in one step. `neighbours` has the
/// squares around it, clockwise from the north. A diagonal step must be possible through at least
/// one of the two squares next to it.
fn reached_around(
    area: u32,
    neighbours: &[Option<u32>],
    blocked: &IndexSet<(u32, u32)>,
) -> Vec<u32> {
    let is_open = |a: u32, b: u32| !blocked.contains(&(a, b));
    let count = neighbours.len();
    let is_reached = |direction: usize, found: u32| {
        if direction.is_multiple_of(2) {
            return is_open(area, found);
        }
        let corner = [neighbours[direction - 1], neighbours[(direction + 1) % count]];
        corner.into_iter().flatten().any(|side| is_open(area, side) && is_open(side, found))
    };
    let there = neighbours.iter().enumerate().filter_map(|(d, found)| Some((d, (*found)?)));
    there.filter(|&(d, found)| is_reached(d, found)).map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::area_name;

    #[test]
    fn names_go_on_after_z() {
        assert_eq!(area_name(1, 2, 0), "b3");
        assert_eq!(area_name(25, 0, 2), "z1.2");
        assert_eq!(area_name(26, 0, 0), "aa1");
        assert_eq!(area_name(27, 9, -1), "ab10.b1");
    }
}
