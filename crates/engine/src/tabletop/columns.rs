//! Columns of values, lists and flags, with an entry for each row.

/// A flag for each row, with 64 flags in each word. A row whose flag is set is *marked*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RowFlags {
    words: Vec<u64>,
}

impl RowFlags {
    pub(super) fn set(&mut self, row: u32, on: bool) {
        let word = row as usize / 64;
        let bit = row % 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        if on {
            self.words[word] |= 1 << bit;
        } else {
            self.words[word] &= !(1 << bit);
        }
    }

    #[inline]
    pub(super) fn contains(&self, row: u32) -> bool {
        self.words.get(row as usize / 64).is_some_and(|w| w >> (row % 64) & 1 == 1)
    }

    /// Returns the number of marked rows.
    pub(super) fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the flags of the 64 rows from `64 * word` on; `None` if none of these rows has a
    /// stored flag.
    #[inline]
    pub(super) fn word(&self, word: u32) -> Option<u64> {
        self.words.get(word as usize).copied()
    }

    /// Returns the first marked row at or after `from`, if there is one.
    #[inline]
    pub(super) fn next_marked(&self, from: u32) -> Option<u32> {
        let mut word = from / 64;
        let mut rest = self.word(word)? & (u64::MAX << (from % 64));
        while rest == 0 {
            word += 1;
            rest = self.word(word)?;
        }
        Some(word * 64 + rest.trailing_zeros())
    }
}

/// One value for each row. Rows after the last one that ever differed from the initial value
/// `start` are not stored.
#[derive(Clone, Debug)]
pub(super) struct CellColumn {
    values: Vec<i64>,
    start: i64,
    /// The index of the rows whose value differs from the initial value, if there is one.
    marked: Option<RowFlags>,
}

impl CellColumn {
    pub(super) fn new(start: i64) -> Self {
        CellColumn { values: Vec::new(), start, marked: None }
    }

    pub(super) fn build_index(&mut self) {
        let mut marks = RowFlags::default();
        let values = self.values.iter().enumerate();
        values.for_each(|(row, value)| marks.set(row as u32, *value != self.start));
        self.marked = Some(marks);
    }

    /// Drops all rows from index `rows` on. If the column has an index of changed rows, at most one
    /// row may be dropped at a time.
    pub(super) fn truncate(&mut self, rows: u32) {
        if self.values.len() > rows as usize {
            self.values.truncate(rows as usize);
            if let Some(marks) = &mut self.marked {
                marks.set(rows, false);
            }
        }
    }

    #[inline]
    pub(super) fn get(&self, row: u32) -> i64 {
        self.values.get(row as usize).copied().unwrap_or(self.start)
    }

    #[inline]
    pub(super) fn set(&mut self, row: u32, value: i64) {
        match self.values.get_mut(row as usize) {
            Some(old) => *old = value,
            None if value == self.start => return,
            None => {
                self.values.resize(row as usize, self.start);
                self.values.push(value);
            }
        }
        if let Some(marks) = &mut self.marked {
            marks.set(row, value != self.start);
        }
    }

    /// Returns a bit for each of the 64 rows from `64 * word` on, which is set if the value differs
    /// from the initial value. Returns `None` if none of these rows is stored.
    #[inline]
    pub(super) fn changed_rows_mask(&self, word: u32) -> Option<u64> {
        if let Some(marks) = &self.marked {
            return marks.word(word);
        }
        let rows = self.values.chunks(64).nth(word as usize)?.iter().rev();
        Some(rows.fold(0, |bits, value| bits << 1 | u64::from(*value != self.start)))
    }
}

/// The position of a list in the shared storage of all lists.
#[derive(Clone, Copy, Debug, Default)]
struct ListSlot {
    start: u32,
    length: u32,
    /// The number of members that fit into the slot.
    room: u32,
}

impl ListSlot {
    fn members(self, all: &[u32]) -> &[u32] {
        &all[self.start as usize..(self.start + self.length) as usize]
    }
}

/// A list for each row. The members of all lists are stored in one vector.
#[derive(Clone, Debug, Default)]
pub(super) struct ListColumn {
    slots: Vec<ListSlot>,
    members: Vec<u32>,
    /// The number of elements of `members` that no longer belong to a slot.
    unused: usize,
}

impl ListColumn {
    /// Drops all rows from index `rows` on.
    pub(super) fn truncate(&mut self, rows: u32) {
        let gone = self.slots.drain((rows as usize).min(self.slots.len())..);
        self.unused += gone.map(|slot| slot.room as usize).sum::<usize>();
    }

    #[inline]
    pub(super) fn get(&self, row: u32) -> &[u32] {
        self.slots.get(row as usize).map_or(&[], |slot| slot.members(&self.members))
    }

    pub(super) fn set(&mut self, row: u32, members: &[u32]) {
        let index = row as usize;
        if index >= self.slots.len() {
            if members.is_empty() {
                return;
            }
            self.slots.resize(index + 1, ListSlot::default());
        }
        let mut slot = self.slots[index];
        let length = members.len() as u32;
        if length > slot.room {
            self.slots[index] = ListSlot::default();
            self.unused += slot.room as usize;
            if self.unused > self.members.len() / 2 + 64 {
                self.compact();
            }
            // A list that has grown will probably grow again, so it gets additional room.
            let room = if slot.room == 0 { length } else { length.next_power_of_two() };
            slot = ListSlot { start: self.members.len() as u32, length, room };
            self.members.resize(self.members.len() + room as usize, 0);
        }
        slot.length = length;
        self.slots[index] = slot;
        let start = slot.start as usize;
        self.members[start..start + members.len()].copy_from_slice(members);
    }

    /// Moves the lists together, to close the gaps between them.
    fn compact(&mut self) {
        let all = std::mem::take(&mut self.members);
        for slot in &mut self.slots {
            let start = self.members.len() as u32;
            self.members.extend_from_slice(slot.members(&all));
            *slot = ListSlot { start, length: slot.length, room: slot.length };
        }
        self.unused = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

        #[test]
        fn marks_find_what_was_set(rows in proptest::collection::btree_set(0u32..400, 0..50)) {
            let mut marks = RowFlags::default();
            for &row in &rows {
                marks.set(row, true);
            }
            let mut found = Vec::new();
            let mut from = 0;
            while let Some(row) = marks.next_marked(from) {
                found.push(row);
                from = row + 1;
            }
            prop_assert_eq!(found, rows.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn lists_hold_what_was_put(
            changes in proptest::collection::vec(
                (0u32..8, proptest::collection::vec(0u32..9, 0..200)), 0..60)
        ) {
            let mut lists = ListColumn::default();
            let mut plain = vec![Vec::new(); 8];
            for (row, members) in changes {
                lists.set(row, &members);
                plain[row as usize] = members;
            }
            for row in 0..8 {
                prop_assert_eq!(lists.get(row), &plain[row as usize][..]);
            }
        }
    }
}
