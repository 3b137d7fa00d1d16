//! Columns: single values, lists, and marks, each by row.

use std::sync::Arc;

/// A flag for each row, 64 to a word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    pub(super) fn set(&mut self, row: u32, on: bool) {
        let (word, bit) = (row as usize / 64, row % 64);
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
    pub(super) fn has(&self, row: u32) -> bool {
        self.words.get(row as usize / 64).is_some_and(|w| w >> (row % 64) & 1 == 1)
    }

    /// The first marked row from this one on.
    #[inline]
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        let mut word = from as usize / 64;
        let mut rest = self.words.get(word)? & (u64::MAX << (from % 64));
        while rest == 0 {
            word += 1;
            rest = *self.words.get(word)?;
        }
        Some(word as u32 * 64 + rest.trailing_zeros())
    }
}

/// One value for each row.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    values: Vec<i64>,
    start: i64,
    /// The rows whose value is not as it was at the start, if an index is kept.
    marked: Option<Marks>,
}

impl Cells {
    pub(super) fn new(start: i64) -> Self {
        Cells { values: Vec::new(), start, marked: None }
    }

    pub(super) fn index(&mut self) {
        self.marked = Some(Marks::default());
    }

    pub(super) fn push(&mut self) {
        let row = self.values.len() as u32;
        self.values.push(self.start);
        if let Some(marks) = &mut self.marked {
            marks.set(row, false);
        }
    }

    pub(super) fn pop(&mut self) {
        self.values.pop();
        if let Some(marks) = &mut self.marked {
            marks.set(self.values.len() as u32, false);
        }
    }

    #[inline]
    pub(super) fn get(&self, row: u32) -> i64 {
        self.values.get(row as usize).copied().unwrap_or(self.start)
    }

    #[inline]
    pub(super) fn set(&mut self, row: u32, value: i64) {
        if let Some(place) = self.values.get_mut(row as usize) {
            *place = value;
            if let Some(marks) = &mut self.marked {
                marks.set(row, value != self.start);
            }
        }
    }

    #[inline]
    pub(super) fn next_marked(&self, from: u32) -> Option<u32> {
        if let Some(marks) = &self.marked {
            return marks.next(from);
        }
        let rest = self.values.get(from as usize..)?;
        rest.iter().position(|&v| v != self.start).map(|i| from + i as u32)
    }
}

/// A list for each row.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists(Vec<Arc<[u32]>>);

impl Lists {
    pub(super) fn push(&mut self) {
        self.0.push(Arc::default());
    }

    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    #[inline]
    pub(super) fn get(&self, row: u32) -> &[u32] {
        self.0.get(row as usize).map_or(&[], |list| list)
    }

    pub(super) fn set(&mut self, row: u32, members: &[u32]) {
        if let Some(list) = self.0.get_mut(row as usize) {
            *list = members.into();
        }
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
            let mut marks = Marks::default();
            for &row in &rows {
                marks.set(row, true);
            }
            let mut found = Vec::new();
            let mut from = 0;
            while let Some(row) = marks.next(from) {
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
            let mut lists = Lists::default();
            let mut plain = vec![Vec::new(); 8];
            for _ in 0..8 {
                lists.push();
            }
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
