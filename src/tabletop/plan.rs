//! The drawn plan: letters to areas, areas to neighbours.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Tabletop;
use crate::language::machine::{PieceError, World};
use crate::language::schema::{KindId, Storage};

/// The most areas that all levels of a plan may have together.
pub const MAX_AREAS: usize = 40_000;

/// One level of a plan, as drawn.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// 0 is the ground.
    pub number: i64,
    /// For each area: column and row from 0, and the letter.
    pub areas: Vec<(usize, usize, char)>,
}

/// Where the areas are: by level, row and column.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    levels: Vec<(i64, Rows)>,
}

/// The areas of a level by row and column, both from 1; where there is none, `NOWHERE`.
type Rows = Vec<Vec<u32>>;

const NOWHERE: u32 = u32::MAX;

impl Places {
    fn put(&mut self, (level, row, column): (i64, usize, usize), area: u32) {
        let place = match self.levels.iter().position(|l| l.0 == level) {
            Some(place) => place,
            None => {
                self.levels.push((level, Vec::new()));
                self.levels.len() - 1
            }
        };
        let rows = &mut self.levels[place].1;
        if rows.len() <= row {
            rows.resize_with(row + 1, Vec::new);
        }
        let columns = &mut rows[row];
        if columns.len() <= column {
            columns.resize(column + 1, NOWHERE);
        }
        columns[column] = area;
    }

    /// The area there, if there is one.
    pub fn at(&self, level: i64, row: i64, column: i64) -> Option<u32> {
        let (_, rows) = self.levels.iter().find(|l| l.0 == level)?;
        let columns = rows.get(usize::try_from(row).ok()?)?;
        let area = columns.get(usize::try_from(column).ok()?).copied()?;
        (area != NOWHERE).then_some(area)
    }
}

/// The name of an area: `b3`, above the ground `b3.2`, below it `b3.-1` is written `b3.b1`.
pub fn area_name(column: usize, row: usize, level: i64) -> String {
    let mut letters = Vec::new();
    let mut rest = column;
    loop {
        letters.push(b'a' + (rest % 26) as u8);
        if rest < 26 {
            break;
        }
        rest = rest / 26 - 1;
    }
    letters.reverse();
    let letters = String::from_utf8_lossy(&letters).into_owned();
    match level {
        0 => format!("{letters}{}", row + 1),
        l if l < 0 => format!("{letters}{}.b{}", row + 1, -l),
        l => format!("{letters}{}.{l}", row + 1),
    }
}

impl Tabletop {
    /// Sets out the areas of the levels and links them; walls are pairs of names of areas that are no
    /// neighbours though side by side.
    pub(super) fn set_out_plan(
        &mut self,
        kind: KindId,
        levels: &[Level],
        walls: &[(String, String)],
    ) -> Result<(), PieceError> {
        let mut at: BTreeMap<(i64, usize, usize), u32> = BTreeMap::new();
        for level in levels {
            for &(column, row, _) in &level.areas {
                let name = area_name(column, row, level.number);
                let area = self.add(kind, &name)?;
                at.insert((level.number, row, column), area);
                let place = (level.number, row + 1, column + 1);
                Arc::make_mut(&mut self.places).put(place, area);
                let place = [("column", column), ("row", row)];
                for (attribute, value) in place {
                    self.set_cell(kind, attribute, area, value as i64 + 1);
                }
                self.set_cell(kind, "level", area, level.number);
            }
        }
        let blocked: BTreeSet<(u32, u32)> = walls
            .iter()
            .filter_map(|(a, b)| Some((self.find(a)?.1, self.find(b)?.1)))
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .collect();
        for (&(level, row, column), &area) in &at {
            let near =
                |row: Option<usize>, column: Option<usize>| Some(*at.get(&(level, row?, column?))?);
            let compass = [
                ("north", near(row.checked_sub(1), Some(column))),
                ("east", near(Some(row), Some(column + 1))),
                ("south", near(Some(row + 1), Some(column))),
                ("west", near(Some(row), column.checked_sub(1))),
            ];
            let mut beside = Vec::new();
            for (side, neighbour) in compass {
                self.set_members(kind, side, area, neighbour.as_slice());
                beside.extend(neighbour.filter(|&n| !blocked.contains(&(area, n))));
            }
            self.set_members(kind, "beside", area, &beside);
            for (side, other) in [("above", level + 1), ("below", level - 1)] {
                let neighbour = at.get(&(other, row, column)).copied();
                self.set_members(kind, side, area, neighbour.as_slice());
            }
        }
        Ok(())
    }

    fn set_cell(&mut self, kind: KindId, attribute: &str, row: u32, value: i64) {
        let storage = self.schema.kind(kind).attribute(attribute).map(|a| a.storage);
        if let Some(Storage::Cell(column)) = storage {
            self.set(column, row, value);
        }
    }

    fn set_members(&mut self, kind: KindId, attribute: &str, row: u32, members: &[u32]) {
        let storage = self.schema.kind(kind).attribute(attribute).map(|a| a.storage);
        if let Some(Storage::List(list)) = storage {
            self.set_list(list, row, members);
        }
    }
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
