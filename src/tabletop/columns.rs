//! Columns: single values, lists, and marks, each by row.

/// A flag for each row, 64 to a word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    pub fn set(&mut self, row: u32, on: bool) {
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
    pub fn has(&self, row: u32) -> bool {
        self.words.get(row as usize / 64).is_some_and(|w| w >> (row % 64) & 1 == 1)
    }

    /// The first marked row from this one on.
    #[inline]
    pub fn next(&self, from: u32) -> Option<u32> {
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
    pub fn new(start: i64) -> Self {
        Cells { values: Vec::new(), start, marked: None }
    }

    pub fn index(&mut self) {
        self.marked = Some(Marks::default());
    }

    pub fn push(&mut self) {
        let row = self.values.len() as u32;
        self.values.push(self.start);
        if let Some(marks) = &mut self.marked {
            marks.set(row, false);
        }
    }

    pub fn pop(&mut self) {
        self.values.pop();
        if let Some(marks) = &mut self.marked {
            marks.set(self.values.len() as u32, false);
        }
    }

    #[inline]
    pub fn get(&self, row: u32) -> i64 {
        self.values.get(row as usize).copied().unwrap_or(self.start)
    }

    #[inline]
    pub fn set(&mut self, row: u32, value: i64) {
        if let Some(place) = self.values.get_mut(row as usize) {
            *place = value;
            if let Some(marks) = &mut self.marked {
                marks.set(row, value != self.start);
            }
        }
    }

    #[inline]
    pub fn next_marked(&self, from: u32) -> Option<u32> {
        if let Some(marks) = &self.marked {
            return marks.next(from);
        }
        let rest = self.values.get(from as usize..)?;
        rest.iter().position(|&v| v != self.start).map(|i| from + i as u32)
    }
}

/// A list for each row, all in one store. A list that grows moves to the end; when more than half of the
/// store is left behind, it is packed anew.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    spans: Vec<(u32, u32)>,
    store: Vec<u32>,
    used: usize,
}

impl Lists {
    pub fn push(&mut self) {
        self.spans.push((0, 0));
    }

    pub fn pop(&mut self) {
        if let Some((_, length)) = self.spans.pop() {
            self.used -= length as usize;
        }
    }

    #[inline]
    pub fn get(&self, row: u32) -> &[u32] {
        let Some(&(start, length)) = self.spans.get(row as usize) else { return &[] };
        self.store.get(start as usize..(start + length) as usize).unwrap_or(&[])
    }

    pub fn set(&mut self, row: u32, members: &[u32]) {
        let Some(span) = self.spans.get_mut(row as usize) else { return };
        self.used = self.used + members.len() - span.1 as usize;
        if members.len() <= span.1 as usize {
            let start = span.0 as usize;
            self.store[start..start + members.len()].copy_from_slice(members);
            span.1 = members.len() as u32;
            return;
        }
        *span = (self.store.len() as u32, members.len() as u32);
        self.store.extend_from_slice(members);
        if self.store.len() > 1024 && self.store.len() > 2 * self.used {
            self.pack();
        }
    }

    fn pack(&mut self) {
        let mut store = Vec::with_capacity(self.used);
        for span in &mut self.spans {
            let (start, length) = (span.0 as usize, span.1 as usize);
            span.0 = store.len() as u32;
            store.extend_from_slice(&self.store[start..start + length]);
        }
        self.store = store;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
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
