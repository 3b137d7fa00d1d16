//! The state of a game: its pieces, attributes, lists and decks, stored in columns according to the
//! schema.
//!
//! A [`Tabletop`] changes only when rules run on it, or when recorded [`Change`]s are applied or
//! reverted. It contains no rules, rolls no dice and reads no files. A [`Scenario`] describes the
//! table at the beginning of a game.

mod areas;
mod change;
mod columns;
mod log;
mod plan;
mod scenario;
mod transaction;

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use areas::AreaIndex;
use columns::{CellColumn, ListColumn, RowFlags};
use indexmap::{IndexMap, IndexSet};
use log::ChangeLog;

pub use change::{
    AttributePath, Change, ChangeError, Splice, Value, WHOLE_PIECE, inventory, join_values,
};
pub(crate) use log::LoggedChange;
pub use plan::{Level, MAX_AREAS, area_name};
pub use scenario::{Argument, PieceSetup, Scenario, TourLine};

use crate::language::machine::{PieceError, World};
use crate::language::schema::{ColumnId, KindId, KindRole, ListId, Schema, Type};
use crate::language::syntax::RESERVED;

/// The maximum number of pieces on a table, including removed ones and the rows of printed lists.
pub(crate) const MAX_PIECES: usize = 100_000;
/// The maximum length of a piece's name, in characters.
pub(crate) const MAX_NAME: usize = 40;
/// The maximum total size of a game's different texts, in bytes.
const MAX_TEXTS: usize = 16 * 1024 * 1024;

/// The pieces of one kind.
#[derive(Clone, Debug, Default)]
struct KindPieces {
    names: Arc<Vec<Arc<str>>>,
    there: RowFlags,
    /// The highest number in an automatic name, for each side. The side is the part of the name
    /// before the prefix; it is empty for names without a side.
    last: Arc<IndexMap<String, u32>>,
    /// For each row, the highest number that its side used before the row was added.
    before: Vec<u32>,
}

/// The pieces that have, or had, the same name.
type Namesakes = Vec<(KindId, u32)>;

/// Removes the latest piece with a name from an index, and the name itself with the last of its pieces.
fn remove_latest<K: Borrow<str> + Ord>(index: &mut BTreeMap<K, Namesakes>, name: &str) {
    if index.get_mut(name).is_some_and(|all| all.pop().is_some() && all.is_empty()) {
        index.remove(name);
    }
}

/// The texts that cells refer to by number.
#[derive(Clone, Debug, Default)]
struct InternedTexts {
    all: IndexSet<Arc<str>>,
    bytes: usize,
}

/// The names for the pieces that a command makes when it is resolved again. The command reuses its
/// earlier names and avoids the names that other commands need, so an amendment never changes a
/// name that a later command uses.
#[derive(Clone, Debug, Default)]
pub struct ReservedNames {
    /// The kinds and names of the pieces that the command made originally, in order.
    pub own: VecDeque<(String, String)>,
    /// The names that the command must not give to any other piece.
    pub reserved: Arc<BTreeSet<String>>,
}

/// The state of a game.
#[derive(Clone, Debug)]
pub struct Tabletop {
    schema: Arc<Schema>,
    cells: Vec<CellColumn>,
    lists: Vec<ListColumn>,
    pieces: Vec<KindPieces>,
    texts: Arc<InternedTexts>,
    /// For each name, the pieces that have or had it, in the order in which they were added.
    by_name: Arc<BTreeMap<Arc<str>, Namesakes>>,
    /// The pieces whose names have capitals, by the name in lower case.
    by_lower_name: Arc<BTreeMap<String, Namesakes>>,
    /// The areas of the plan by level, row and column.
    places: Arc<AreaIndex>,
    /// The name of the scenario that was set up.
    scenario: Arc<str>,
    /// The log of changes, if there is one.
    log: Option<ChangeLog>,
    /// The names for new pieces, if a command is being resolved again.
    names: ReservedNames,
}

impl Tabletop {
    /// Returns a table without pieces. It has the printed lists, and the state and the options with
    /// their initial values. Each column in `indexed` gets an index of the rows whose value differs
    /// from the initial value.
    pub(crate) fn new(schema: Arc<Schema>, indexed: &[ColumnId]) -> Tabletop {
        let start =
            |(kind, attribute): &(KindId, usize)| schema.kind(*kind).attributes[*attribute].start;
        let mut table = Tabletop {
            cells: schema.columns.iter().map(|c| CellColumn::new(start(c))).collect(),
            lists: schema.lists.iter().map(|_| ListColumn::default()).collect(),
            pieces: schema.kinds.iter().map(|_| KindPieces::default()).collect(),
            texts: Arc::default(),
            by_name: Arc::default(),
            by_lower_name: Arc::default(),
            places: Arc::default(),
            scenario: Arc::default(),
            log: None,
            names: ReservedNames::default(),
            schema,
        };
        let shared = table.schema.clone();
        // Text 0 is the empty text, which is the initial value of every text.
        table.intern("");
        for text in &shared.texts {
            table.intern(text);
        }
        for (id, kind) in shared.all_kinds() {
            match kind.role {
                KindRole::Pieces => {}
                KindRole::Single => {
                    table.push_row(id, kind.name.as_str().into());
                }
                KindRole::List => table.add_printed_rows(id),
            }
        }
        indexed.iter().for_each(|column| table.cells[column.index()].build_index());
        table
    }

    fn add_printed_rows(&mut self, id: KindId) {
        let schema = self.schema.clone();
        for row in &schema.kind(id).rows {
            let at = self.push_row(id, row.name.as_str().into());
            for (column, value) in &row.values {
                let text = schema.column_attribute(*column).ty == Type::Text;
                let value = match schema.texts.get(*value as usize) {
                    // The limit leaves enough room for all texts of a ruleset.
                    Some(words) if text => self.intern(words).unwrap_or(0),
                    _ => *value,
                };
                self.set(*column, at, value);
            }
            for (list, members) in &row.lists {
                self.set_list(*list, at, members);
            }
        }
    }

    /// Adds a row to a kind, and returns its index. The row's attributes have their initial values.
    fn push_row(&mut self, kind: KindId, name: Arc<str>) -> u32 {
        let pieces = &mut self.pieces[kind.index()];
        let row = pieces.names.len() as u32;
        // Later automatic names have higher numbers than all earlier names.
        let (side, number) =
            split_numbered_name(&self.schema.kind(kind).prefix, &name).unwrap_or(("", 0));
        let last = pieces.last.get(side).copied().unwrap_or(0);
        pieces.before.push(last);
        if number > last {
            Arc::make_mut(&mut pieces.last).insert(side.to_owned(), number);
        }
        Arc::make_mut(&mut pieces.names).push(name);
        pieces.there.set(row, true);
        row
    }

    /// Removes the last row of a kind from every column, as if it had never existed.
    fn remove_last_row(&mut self, kind: KindId) {
        let pieces = &mut self.pieces[kind.index()];
        let name = Arc::make_mut(&mut pieces.names).pop();
        let rows = pieces.names.len() as u32;
        pieces.there.set(rows, false);
        // Decks are not affected: they are lists of the state, whose row is never removed.
        let cells = self.cells.iter_mut().zip(&self.schema.columns).filter(|(_, of)| of.0 == kind);
        cells.for_each(|(column, _)| column.truncate(rows));
        let lists = self.lists.iter_mut().zip(&self.schema.lists).filter(|(_, of)| of.0 == kind);
        lists.for_each(|(list, _)| list.truncate(rows));
        let before = pieces.before.pop().unwrap_or(0);
        if let Some(name) = name {
            let (side, _) =
                split_numbered_name(&self.schema.kind(kind).prefix, &name).unwrap_or(("", 0));
            if pieces.last.get(side).is_some_and(|last| *last != before) {
                Arc::make_mut(&mut pieces.last).insert(side.to_owned(), before);
            }
            self.forget_name(&name);
        }
    }

    /// Removes the latest piece with a name from the index of names.
    fn forget_name(&mut self, name: &str) {
        remove_latest(Arc::make_mut(&mut self.by_name), name);
        let lower = name.to_lowercase();
        if lower != name {
            remove_latest(Arc::make_mut(&mut self.by_lower_name), &lower);
        }
    }

    /// Returns the number of a piece, counted from 1, among all pieces of its kind that ever had
    /// its name.
    pub(crate) fn namesake_number(&self, kind: KindId, row: u32) -> usize {
        let all = self.by_name.get(self.name(kind, row)).map_or(&[][..], Vec::as_slice);
        1 + all.iter().filter(|(k, r)| *k == kind && *r < row).count()
    }

    /// Returns the `nth` piece of a kind, counted from 1, that ever had this name, whether it is on
    /// the table or was removed; `None` if there were fewer.
    pub(crate) fn find_namesake(&self, kind: KindId, name: &str, nth: usize) -> Option<u32> {
        let mut all = self.by_name.get(name)?.iter().filter(|(k, _)| *k == kind);
        all.nth(nth.checked_sub(1)?).map(|(_, row)| *row)
    }

    /// Returns the schema of the table.
    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Returns the number of rows of a kind, including removed pieces.
    pub(crate) fn row_count(&self, kind: KindId) -> u32 {
        self.pieces[kind.index()].names.len() as u32
    }

    /// Returns the rows of all pieces of a kind that are on the table, in ascending order.
    pub fn present_pieces(&self, kind: KindId) -> impl Iterator<Item = u32> + '_ {
        let marks = &self.pieces[kind.index()].there;
        std::iter::successors(marks.next_marked(0), |row| marks.next_marked(row + 1))
    }

    /// Returns all possible values of a type: the rows of the pieces of a kind that are on the
    /// table, or the indices of the words in a set. Returns an empty list for other types.
    pub(crate) fn all_members(&self, ty: Type) -> Vec<u32> {
        match ty {
            Type::Piece(kind) => self.present_pieces(kind).collect(),
            Type::Word(set) => (0..self.schema.word_set(set).values.len() as u32).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the piece on the table with this name. If there is none, returns the piece whose name
    /// differs only in its capitals; `None` if there is none of these either.
    pub fn find(&self, name: &str) -> Option<(KindId, u32)> {
        let of_capitals = || {
            if self.by_lower_name.is_empty() {
                return None;
            }
            let all = self.by_lower_name.get(&name.to_lowercase())?;
            all.iter().rev().copied().find(|&(kind, row)| self.is_on_table(kind, row))
        };
        self.find_as_written(name).or_else(of_capitals)
    }

    /// Returns the piece on the table with this name or, if no piece ever had this name, with this
    /// name in lower case; `None` if there is none.
    pub(crate) fn find_as_written(&self, name: &str) -> Option<(KindId, u32)> {
        let all =
            self.by_name.get(name).or_else(|| self.by_name.get(name.to_lowercase().as_str()))?;
        all.iter().rev().copied().find(|&(kind, row)| self.is_on_table(kind, row))
    }

    /// Returns the piece on the table with this name. If all pieces that had the name were removed,
    /// returns the latest of them; `None` if there never was one.
    pub(crate) fn find_latest(&self, name: &str) -> Option<(KindId, u32)> {
        let all = self.by_name.get(name)?;
        let there = all.iter().rev().find(|&&(kind, row)| self.is_on_table(kind, row));
        there.or_else(|| all.last()).copied()
    }

    /// Returns the names of all pieces on the table, in alphabetical order, each with its kind and
    /// row.
    pub fn names(&self) -> impl Iterator<Item = (&str, KindId, u32)> + '_ {
        self.by_name
            .iter()
            .flat_map(|(name, all)| all.iter().map(move |&(kind, row)| (&**name, kind, row)))
            .filter(|&(_, kind, row)| self.is_on_table(kind, row))
    }

    /// Adds a piece with this name, and returns its row. Fails if the name is invalid or in use, or
    /// if there are too many pieces.
    pub(crate) fn add_piece(&mut self, kind: KindId, name: &str) -> Result<u32, PieceError> {
        check_name(name)?;
        if self.find_as_written(name).is_some() {
            return Err(PieceError::NameInUse(name.to_owned()));
        }
        if self.pieces.iter().map(|p| p.names.len()).sum::<usize>() >= MAX_PIECES {
            return Err(PieceError::TooMany(MAX_PIECES));
        }
        let name: Arc<str> = name.into();
        let row = self.push_row(kind, name.clone());
        if let Some(log) = &mut self.log {
            log.changes.push(LoggedChange::Made(kind, row));
        }
        // Few names are used twice, so a list has room for one piece at first.
        let lower = name.to_lowercase();
        if *lower != *name {
            Arc::make_mut(&mut self.by_lower_name).entry(lower).or_default().push((kind, row));
        }
        let all = Arc::make_mut(&mut self.by_name).entry(name);
        all.or_insert_with(|| Vec::with_capacity(1)).push((kind, row));
        Ok(row)
    }

    /// Puts the piece in an existing row on the table, or takes it off.
    pub(crate) fn set_present(&mut self, kind: KindId, row: u32, there: bool) {
        self.pieces[kind.index()].there.set(row, there);
    }

    /// Returns the next automatic name for a piece of a kind. If `side` is not empty, the name
    /// begins with the side in lower case and a hyphen.
    fn next_name(&mut self, kind: KindId, side: &str) -> String {
        let mut prefix = self.schema.kind(kind).prefix.clone();
        // If the plan has a column h, `h1` names an area, so the prefix is doubled.
        if self.find(&format!("{prefix}1")).is_some_and(|(k, _)| self.schema.kind(k).plan) {
            prefix.push_str(&prefix.clone());
        }
        let side =
            if side.is_empty() { String::new() } else { format!("{}-", side.to_lowercase()) };
        if let Some(name) = self.take_reserved_name(kind, &format!("{side}{prefix}")) {
            return name;
        }
        let mut number = self.pieces[kind.index()].last.get(&side).copied().unwrap_or(0);
        loop {
            number += 1;
            let name = format!("{side}{prefix}{number}");
            if !self.by_name.contains_key(name.as_str()) && !self.names.reserved.contains(&name) {
                return name;
            }
        }
    }

    /// Takes the next name that a piece of this kind had when the command was first resolved.
    /// Returns `None` if there is no such name, or if the name was already used on this table or
    /// has a different prefix.
    fn take_reserved_name(&mut self, kind: KindId, prefix: &str) -> Option<String> {
        let kind = &self.schema.kind(kind).name;
        let index = self.names.own.iter().position(|(of, _)| of == kind)?;
        let (_, name) = self.names.own.remove(index)?;
        let fits = name.starts_with(prefix) && !self.by_name.contains_key(name.as_str());
        fits.then_some(name)
    }

    /// Sets the names for new pieces, before a command is resolved again.
    pub(crate) fn set_names(&mut self, names: ReservedNames) {
        self.names = names;
    }
}

/// Splits an automatic name into the part before the prefix, which names a side, and the number
/// after it. Returns `None` if the name is not automatic.
fn split_numbered_name<'n>(prefix: &str, name: &'n str) -> Option<(&'n str, u32)> {
    let (side, number) = name.rsplit_once(prefix)?;
    let number = number.parse().ok().filter(|n| *n < u32::MAX / 2)?;
    (side.is_empty() || side.ends_with('-')).then_some((side, number))
}

/// Checks that a text can be the name of a piece. It must have at most [`MAX_NAME`] characters,
/// begin with a letter, consist of letters, digits, `-`, `_` and `.`, and have no other meaning in
/// rule text or typed lines.
pub(crate) fn check_name(name: &str) -> Result<(), PieceError> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.chars().count() > MAX_NAME {
        return Err(PieceError::NameTooLong(MAX_NAME));
    }
    if !name.chars().next().is_some_and(char::is_alphabetic) || !name.chars().all(fits) {
        let shown: String = name.chars().flat_map(char::escape_default).collect();
        return Err(PieceError::NotAName(shown));
    }
    let lower = name.to_lowercase();
    if matches!(lower.as_str(), "state" | "option") || RESERVED.contains(&lower.as_str()) {
        return Err(PieceError::Reserved(name.to_owned()));
    }
    Ok(())
}

impl World for Tabletop {
    #[inline]
    fn get(&self, column: ColumnId, row: u32) -> i64 {
        self.cells[column.index()].get(row)
    }

    #[inline]
    fn set(&mut self, column: ColumnId, row: u32, value: i64) {
        let cells = &mut self.cells[column.index()];
        if let Some(log) = &mut self.log {
            log.changes.push(LoggedChange::Cell(column, row, cells.get(row)));
        }
        cells.set(row, value);
    }

    #[inline]
    fn list(&self, list: ListId, row: u32) -> &[u32] {
        self.lists[list.index()].get(row)
    }

    fn set_list(&mut self, list: ListId, row: u32, members: &[u32]) {
        let lists = &mut self.lists[list.index()];
        if let Some(log) = &mut self.log {
            log.changes.push(LoggedChange::List(list, row, log.old.len() as u32));
            log.old.extend_from_slice(lists.get(row));
        }
        lists.set(row, members);
    }

    #[inline]
    fn next_piece(&self, kind: KindId, from: u32) -> Option<u32> {
        self.pieces[kind.index()].there.next_marked(from)
    }

    #[inline]
    fn changed_rows_mask(&self, column: ColumnId, word: u32) -> Option<u64> {
        let there = &self.pieces[self.schema.columns[column.index()].0.index()].there;
        Some(self.cells[column.index()].changed_rows_mask(word)? & there.word(word)?)
    }

    fn count_if_none_removed(&self, kind: KindId) -> Option<u32> {
        let pieces = &self.pieces[kind.index()];
        (pieces.there.count() as usize == pieces.names.len()).then_some(pieces.there.count())
    }

    #[inline]
    fn is_on_table(&self, kind: KindId, row: u32) -> bool {
        self.pieces[kind.index()].there.contains(row)
    }

    fn make_piece(
        &mut self,
        kind: KindId,
        name: Option<&str>,
        side: &str,
    ) -> Result<u32, PieceError> {
        let name = match name {
            Some(given) => given.trim().to_lowercase().replace(' ', "-"),
            None => self.next_name(kind, side),
        };
        self.add_piece(kind, &name)
    }

    fn remove_piece(&mut self, kind: KindId, row: u32) {
        if self.is_on_table(kind, row) {
            if let Some(log) = &mut self.log {
                log.changes.push(LoggedChange::Removed(kind, row));
            }
            self.set_present(kind, row, false);
        }
    }

    fn name(&self, kind: KindId, row: u32) -> &str {
        self.pieces[kind.index()].names.get(row as usize).map_or("", |name| name)
    }

    #[inline]
    fn area_at(&self, column: i64, row: i64, level: i64) -> Option<u32> {
        self.places.get(column, row, level)
    }

    fn text(&self, id: i64) -> &str {
        let index = usize::try_from(id).ok();
        index.and_then(|index| self.texts.all.get_index(index)).map_or("", |text| text)
    }

    fn intern(&mut self, text: &str) -> Option<i64> {
        if let Some(index) = self.texts.all.get_index_of(text) {
            return Some(index as i64);
        }
        if self.texts.bytes + text.len() > MAX_TEXTS {
            return None;
        }
        let texts = Arc::make_mut(&mut self.texts);
        texts.bytes += text.len();
        Some(texts.all.insert_full(text.into()).0 as i64)
    }

    fn scenario(&self) -> &str {
        &self.scenario
    }
}
