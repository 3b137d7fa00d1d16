//! An index of the areas of the plan by position.

/// The areas of the plan by level, row and column.
#[derive(Clone, Debug, Default)]
pub(super) struct AreaIndex {
    /// The levels in ascending order, each with its number and its areas by row and column.
    levels: Vec<(i64, Vec<Vec<Option<u32>>>)>,
}

impl AreaIndex {
    /// Returns the area at a column and a row, both counted from 1, on a level. Returns `None` if
    /// there is none.
    #[inline]
    pub(super) fn get(&self, column: i64, row: i64, level: i64) -> Option<u32> {
        let (_, rows) = self.levels.iter().find(|(number, _)| *number == level)?;
        let row = rows.get(usize::try_from(row - 1).ok()?)?;
        *row.get(usize::try_from(column - 1).ok()?)?
    }

    /// Adds an area at a column and a row, both counted from 0, on a level.
    pub(super) fn insert(&mut self, column: usize, row: usize, level: i64, area: u32) {
        let index = self.levels.binary_search_by_key(&level, |(number, _)| *number);
        let index = index.unwrap_or_else(|index| {
            self.levels.insert(index, (level, Vec::new()));
            index
        });
        let rows = &mut self.levels[index].1;
        rows.resize_with(rows.len().max(row + 1), Vec::new);
        let row = &mut rows[row];
        row.resize(row.len().max(column + 1), None);
        row[column] = Some(area);
    }
}
