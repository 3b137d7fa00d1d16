//! From the ends of a tree to an answer in the umpire's words.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;

use super::tree::{Changes, Leaf, Names, RunEnd};
use super::{Basis, Ending, Odds, Part};
use crate::dice::Fraction;
use crate::language::machine::{SnapshotReader, World, shown};
use crate::language::schema::{ColumnId, KindId, ListId, Type};
use crate::ruleset::Ruleset;
use crate::tabletop::Tabletop;

/// More endings than this are put together.
const MOST_ENDINGS: usize = 12;
/// More words than this that change nothing are put together, if there are many endings.
const MOST_IDLE: usize = 6;
/// The most endings that are put into words; those shown are chosen from them.
const MOST_WRITTEN: usize = 500;
/// The most things that are listed one by one.
const MOST_PARTS: usize = 60;

/// Something that can be different on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PartKey {
    Cell(KindId, u32, ColumnId),
    List(KindId, u32, ListId),
    Made(KindId, u32),
    Gone(KindId, u32),
}

/// The value of a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PartValue {
    Number(i64),
    Members(Vec<u32>),
    Name(i64),
}

/// Endings with equal changes and words: whether refused, what varies, the words.
type Alike<'a> = BTreeMap<(bool, Vec<Option<&'a PartValue>>, &'a str), BigUint>;
/// An ending in words: whether refused, the changes, the words.
type Shown = (bool, Vec<String>, String);
/// The number of endings not shown, and their weight.
type Others = Option<(usize, BigUint)>;

struct Reporter<'a> {
    rules: &'a Ruleset,
    table: &'a Tabletop,
    names: &'a Names,
    /// The names of pieces set out in some ending.
    made: BTreeMap<(KindId, u32), String>,
}

/// Groups the ends and tells them.
pub(super) fn report(
    rules: &Ruleset,
    table: &Tabletop,
    names: &Names,
    leaves: &[(Leaf, BigUint)],
    asked: Vec<String>,
    basis: Basis,
) -> Odds {
    let total: BigUint = leaves.iter().map(|(_, weight)| weight).sum();
    let share = |weight: &BigUint| Fraction::new(weight.clone().into(), total.clone());
    let mut reporter = Reporter { rules, table, names, made: BTreeMap::new() };
    let mut ends = Vec::new();
    for (leaf, weight) in leaves {
        let changes = Changes::read(&mut SnapshotReader::new(leaf.state.get(1..).unwrap_or(&[])));
        for &(kind, row, name) in &changes.made {
            reporter.made.entry((kind, row)).or_insert_with(|| names.text(name).to_owned());
        }
        let words = match &leaf.end {
            RunEnd::Done => names.text(changes.words).to_owned(),
            RunEnd::Refused(reason) => reason.clone(),
            RunEnd::Fault(error) => error.to_string(),
        };
        ends.push((words, leaf.end != RunEnd::Done, reporter.values(&changes), weight));
    }
    let keys: BTreeSet<PartKey> = ends.iter().flat_map(|e| e.2.keys().copied()).collect();
    let settled = |key: &PartKey| {
        let mut done = ends.iter().filter(|e| !e.1).map(|e| e.2.get(key));
        let first = done.next().flatten();
        done.all(|v| v == first)
    };
    let (fixed, varying): (Vec<PartKey>, Vec<PartKey>) =
        keys.into_iter().filter(|k| reporter.is_seen(*k)).partition(settled);
    let (fixed, varying) = (reporter.on_the_table(fixed), reporter.on_the_table(varying));

    let mut by_words: BTreeMap<&str, BigUint> = BTreeMap::new();
    for (words, _, _, weight) in &ends {
        *by_words.entry(words).or_default() += *weight;
    }
    let words = ranked(by_words).into_iter().map(|(w, n)| (w.to_owned(), share(&n))).collect();
    // What varies of each ending, in the order of the keys.
    let mut alike: BTreeMap<(bool, Vec<Option<&PartValue>>, &str), BigUint> = BTreeMap::new();
    let mut by_count: BTreeMap<usize, BigUint> = BTreeMap::new();
    for (words, refused, values, weight) in &ends {
        let values: Vec<Option<&PartValue>> = varying.iter().map(|k| values.get(k)).collect();
        *by_count.entry(values.iter().flatten().count()).or_default() += *weight;
        *alike.entry((*refused, values, words)).or_default() += *weight;
    }
    let (endings, rest) = reporter.endings(&varying, alike);
    let rest = rest.map(|(count, weight)| (count, share(&weight)));
    let endings = endings.into_iter().map(|((refused, changes, words), weight)| Ending {
        words,
        changes,
        refused,
        chance: share(&weight),
    });
    let changed = by_count.into_iter().map(|(count, weight)| (count, share(&weight))).collect();

    let parts = varying.iter().take(MOST_PARTS).map(|key| {
        let mut values: BTreeMap<Option<&PartValue>, BigUint> = BTreeMap::new();
        for (_, _, changed, weight) in &ends {
            *values.entry(changed.get(key)).or_default() += *weight;
        }
        let mut named: BTreeMap<String, BigUint> = BTreeMap::new();
        for (value, weight) in values {
            *named.entry(reporter.afterwards(*key, value)).or_default() += weight;
        }
        let values =
            ranked(named).into_iter().map(|(value, weight)| (value, share(&weight))).collect();
        Part { what: reporter.what(*key), values }
    });
    let parts: Vec<Part> = parts.collect();
    let done = ends.iter().find(|e| !e.1);
    let always = fixed.iter().filter_map(|k| reporter.change(*k, done?.2.get(k)?)).collect();
    Odds { endings: endings.collect(), rest, words, parts, changed, always, asked, basis }
}

/// The words that all begin with, without a comma or the like at their end.
fn beginning<'a>(all: &BTreeSet<&'a str>) -> &'a str {
    // In their order the first and the last have the least in common.
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return "" };
    let ends = first.char_indices().map(|(i, c)| i + c.len_utf8());
    let shared = ends.take_while(|&end| last.starts_with(&first[..end])).last().unwrap_or(0);
    let shared = &first[..shared];
    let whole = match first.len() == shared.len() {
        true => shared,
        false => &shared[..shared.rfind(' ').unwrap_or(0)],
    };
    // A last word that only leads on to what differs says nothing.
    let whole = whole.rsplit_once(", ").map_or(whole, |(before, _)| before);
    whole.trim_end_matches([' ', ',', ':', ';'])
}

/// The most likely first; of equal ones in their own order.
fn ranked<K: Ord>(weights: BTreeMap<K, BigUint>) -> Vec<(K, BigUint)> {
    let mut all: Vec<(K, BigUint)> = weights.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all
}

impl Reporter<'_> {
    /// The likeliest endings in words, and how many others there are with their weight.
    fn endings(&self, varying: &[PartKey], alike: Alike<'_>) -> (Vec<(Shown, BigUint)>, Others) {
        let change = |values: &[Option<&PartValue>]| -> Vec<String> {
            let both = varying.iter().zip(values);
            both.filter_map(|(key, value)| self.change(*key, (*value)?)).collect()
        };
        // LastWords that go with different changes belong to one roll among several, not to the ending.
        let mut changed: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, values, words) in alike.keys() {
            *changed.entry(words).or_default() += usize::from(values.iter().any(Option::is_some));
        }
        let coarse = changed.values().any(|&n| n > 1) || alike.len() > MOST_ENDINGS;
        // Many words that change nothing are told by what they have in common.
        let idle: BTreeSet<&str> = alike
            .keys()
            .filter(|(refused, values, _)| !refused && values.iter().all(Option::is_none))
            .map(|(_, _, words)| *words)
            .collect();
        let common = match alike.len() > MOST_ENDINGS && idle.len() > MOST_IDLE {
            true => Some(beginning(&idle)),
            false => None,
        };
        let mut together: Alike<'_> = BTreeMap::new();
        for ((refused, values, words), weight) in alike {
            let words = match (refused, values.iter().all(Option::is_none)) {
                (true, _) => words,
                (false, true) => common.unwrap_or(words),
                (false, false) if coarse => "",
                (false, false) => words,
            };
            *together.entry((refused, values, words)).or_default() += weight;
        }
        // Of very many none is told but the likeliest.
        let mut left = ranked(together);
        let far = left.split_off(left.len().min(MOST_WRITTEN));
        let mut written: BTreeMap<Shown, BigUint> = BTreeMap::new();
        for ((refused, values, words), weight) in left {
            let shown = (refused, change(&values), words.to_owned());
            *written.entry(shown).or_default() += weight;
        }
        let mut endings = ranked(written);
        if endings.len() + far.len() <= MOST_ENDINGS {
            return (endings, None);
        }
        let others = endings.split_off(MOST_ENDINGS - 1);
        let weight = others.iter().map(|e| &e.1).chain(far.iter().map(|e| &e.1)).sum();
        (endings, Some((others.len() + far.len(), weight)))
    }

    fn values(&self, changes: &Changes) -> BTreeMap<PartKey, PartValue> {
        let schema = &self.rules.schema;
        let mut values = BTreeMap::new();
        for &(column, row, value) in &changes.cells {
            let kind = schema.columns[column.index()].0;
            values.insert(PartKey::Cell(kind, row, column), PartValue::Number(value));
        }
        for (list, row, members) in &changes.lists {
            let kind = schema.lists[list.index()].0;
            values.insert(PartKey::List(kind, *row, *list), PartValue::Members(members.clone()));
        }
        for &(kind, row, name) in &changes.made {
            values.insert(PartKey::Made(kind, row), PartValue::Name(name));
        }
        for &(kind, row) in &changes.removed {
            // What was set out and taken off again was never there.
            if values.remove(&PartKey::Made(kind, row)).is_none() {
                values.insert(PartKey::Gone(kind, row), PartValue::Number(1));
            }
        }
        let gone: Vec<(KindId, u32)> = changes.removed.clone();
        values.retain(|key, _| match key {
            PartKey::Cell(kind, row, _) | PartKey::List(kind, row, _) => {
                !gone.contains(&(*kind, *row))
            }
            PartKey::Made(..) | PartKey::Gone(..) => true,
        });
        values
    }

    /// Decks are not told of: what came from them is among the words.
    fn is_seen(&self, key: PartKey) -> bool {
        match key {
            PartKey::List(_, _, list) => self.rules.schema.list(list).is_some(),
            PartKey::Cell(..) | PartKey::Made(..) | PartKey::Gone(..) => true,
        }
    }

    /// Keeps the changes that hands make on the table, or all if there are none.
    fn on_the_table(&self, keys: Vec<PartKey>) -> Vec<PartKey> {
        let schema = &self.rules.schema;
        let marked = |key: &PartKey| match *key {
            PartKey::Cell(_, _, column) => schema.column(column).marker.is_some(),
            PartKey::List(_, _, list) => schema.list(list).is_some_and(|a| a.marker.is_some()),
            PartKey::Made(..) | PartKey::Gone(..) => true,
        };
        let seen: Vec<PartKey> = keys.iter().copied().filter(marked).collect();
        if seen.is_empty() { keys } else { seen }
    }

    fn name(&self, kind: KindId, row: u32) -> String {
        match self.made.get(&(kind, row)) {
            Some(name) => name.clone(),
            None => self.table.name(kind, row).to_owned(),
        }
    }

    fn attribute(&self, key: PartKey) -> Option<&crate::language::schema::Attribute> {
        match key {
            PartKey::Cell(_, _, column) => Some(self.rules.schema.column(column)),
            PartKey::List(_, _, list) => self.rules.schema.list(list),
            PartKey::Made(..) | PartKey::Gone(..) => None,
        }
    }

    /// `c3 fire`
    fn what(&self, key: PartKey) -> String {
        let (PartKey::Cell(kind, row, _)
        | PartKey::List(kind, row, _)
        | PartKey::Made(kind, row)
        | PartKey::Gone(kind, row)) = key;
        let attribute = self.attribute(key).map_or("", |a| a.name.as_str());
        let piece = match kind {
            crate::language::schema::STATE => String::new(),
            kind => self.name(kind, row),
        };
        match (piece.is_empty(), attribute.is_empty()) {
            (true, _) => attribute.to_owned(),
            (_, true) => piece,
            _ => format!("{piece} {attribute}"),
        }
    }

    /// A change: `c3 fire 2`, `t1 taken off`.
    fn change(&self, key: PartKey, value: &PartValue) -> Option<String> {
        let what = self.what(key);
        Some(match (key, value) {
            (PartKey::Made(kind, _), PartValue::Name(name)) => {
                let kind = &self.rules.schema.kind(kind).name;
                format!("{kind} {} set out", self.names.text(*name))
            }
            (PartKey::Gone(..), _) => format!("{what} taken off"),
            (_, value) => format!("{what} {}", self.value(key, value)),
        })
    }

    /// Returns the value afterwards, changed or not.
    fn afterwards(&self, key: PartKey, value: Option<&PartValue>) -> String {
        match (key, value) {
            (PartKey::Made(..), Some(_)) => "set out".to_owned(),
            (PartKey::Made(..), None) => "not there".to_owned(),
            (PartKey::Gone(..), Some(_)) => "taken off".to_owned(),
            (PartKey::Gone(..), None) => "stays".to_owned(),
            (_, Some(value)) => self.value(key, value),
            (PartKey::Cell(_, row, column), None) => {
                self.value(key, &PartValue::Number(self.table.get(column, row)))
            }
            (PartKey::List(_, row, list), None) => {
                self.value(key, &PartValue::Members(self.table.list(list, row).to_vec()))
            }
        }
    }

    fn value(&self, key: PartKey, value: &PartValue) -> String {
        let Some(attribute) = self.attribute(key) else { return String::new() };
        let one = |value: i64, ty: Type| match ty {
            Type::Piece(kind) if value >= 0 => self.name(kind, value as u32),
            ty => shown(&self.rules.schema, self.table, value, ty),
        };
        match (value, attribute.ty) {
            (PartValue::Number(n), Type::Whole) if !attribute.names.is_empty() => {
                let place = usize::try_from(n - attribute.low).ok();
                place.and_then(|p| attribute.names.get(p)).cloned().unwrap_or_else(|| n.to_string())
            }
            (PartValue::Number(n), ty) => one(*n, ty),
            (PartValue::Members(members), Type::List(element)) if !members.is_empty() => {
                let names: Vec<String> =
                    members.iter().map(|&m| one(i64::from(m), element.member())).collect();
                names.join(" ")
            }
            _ => "none".to_owned(),
        }
    }
}
