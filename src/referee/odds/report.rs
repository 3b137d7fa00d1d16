//! From the ends of a tree to an answer in the umpire's words.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;

use super::tree::{Changes, Leaf, Names, RunEnd};
use super::{Basis, Ending, Odds, Part};
use crate::dice::Fraction;
use crate::language::machine::{SnapshotReader, World, shown};
use crate::language::schema::{Attribute, KindId, STATE, Storage, Type};
use crate::ruleset::Ruleset;
use crate::tabletop::{Tabletop, Value};

/// More endings than this are put together.
const MOST_ENDINGS: usize = 12;
/// More words than this that change nothing are put together, if there are many endings.
const MOST_IDLE: usize = 6;
/// The most endings that are put into words; those shown are chosen from them.
const MOST_WRITTEN: usize = 500;
/// The most things that are listed one by one.
const MOST_PARTS: usize = 60;

/// The form of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Cell,
    List,
    Made,
    Gone,
}

/// Something that can be different on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PartKey {
    form: Form,
    kind: KindId,
    row: u32,
    /// The place of the attribute; 0 for the piece itself.
    place: usize,
}

/// The parts that are different in an ending: the value of a cell, else the number of the members or the name.
type Values = BTreeMap<PartKey, i64>;
/// Endings with equal changes and words: whether refused, what varies, the words.
type Alike<'a> = BTreeMap<(bool, Vec<Option<i64>>, &'a str), BigUint>;
/// An ending in words: whether refused, the changes, the words.
type Shown = (bool, Vec<String>, String);
/// The number of endings not shown, and their weight.
type Others = Option<(usize, BigUint)>;

struct Reporter<'a> {
    rules: &'a Ruleset,
    table: &'a Tabletop,
    names: &'a mut Names,
    /// The names of pieces set out in some ending.
    made: BTreeMap<(KindId, u32), String>,
}

/// Groups the ends and tells them.
pub(super) fn report(
    rules: &Ruleset,
    table: &Tabletop,
    names: &mut Names,
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
        let words = match &leaf.end {
            RunEnd::Done => reporter.names.text(changes.words).to_owned(),
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
    let (fixed, varying): (Vec<PartKey>, Vec<PartKey>) = keys.into_iter().partition(settled);
    let (fixed, varying) = (reporter.on_the_table(fixed), reporter.on_the_table(varying));

    let mut by_words: BTreeMap<&str, BigUint> = BTreeMap::new();
    for (words, _, _, weight) in &ends {
        *by_words.entry(words).or_default() += *weight;
    }
    let words = ranked(by_words).into_iter().map(|(w, n)| (w.to_owned(), share(&n))).collect();
    // What varies of each ending, in the order of the keys.
    let mut alike: Alike<'_> = BTreeMap::new();
    let mut by_count: BTreeMap<usize, BigUint> = BTreeMap::new();
    for (words, refused, values, weight) in &ends {
        let values: Vec<_> = varying.iter().map(|k| values.get(k).copied()).collect();
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
        let mut values: BTreeMap<Option<i64>, BigUint> = BTreeMap::new();
        for (_, _, changed, weight) in &ends {
            *values.entry(changed.get(key).copied()).or_default() += *weight;
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
    let change = |key: &PartKey| Some(reporter.change(*key, *done?.2.get(key)?));
    let always = fixed.iter().filter_map(change).collect();
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

impl<'a> Reporter<'a> {
    /// The likeliest endings in words, and how many others there are with their weight.
    fn endings(&self, varying: &[PartKey], alike: Alike<'_>) -> (Vec<(Shown, BigUint)>, Others) {
        let change = |values: &[Option<i64>]| -> Vec<String> {
            let both = varying.iter().zip(values);
            both.filter_map(|(key, value)| Some(self.change(*key, (*value)?))).collect()
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

    fn values(&mut self, changes: &Changes) -> Values {
        let schema = &self.rules.schema;
        let mut values = BTreeMap::new();
        let key = |form, (kind, place), row| PartKey { form, kind, row, place };
        for &(kind, row, name) in &changes.made {
            let text = || self.names.text(name).to_owned();
            self.made.entry((kind, row)).or_insert_with(text);
            values.insert(key(Form::Made, (kind, 0), row), name);
        }
        for &(column, row, value) in &changes.cells {
            values.insert(key(Form::Cell, schema.columns[column.index()], row), value);
        }
        for (list, row, members) in &changes.lists {
            // Decks are not told of: what came from them is among the words.
            if let Some(attribute) = schema.list(*list) {
                let members = self.members(attribute, members);
                let members = self.names.number(&members);
                values.insert(key(Form::List, schema.lists[list.index()], *row), members);
            }
        }
        for &(kind, row) in &changes.removed {
            // What was set out and taken off again was never there.
            let made = values.contains_key(&key(Form::Made, (kind, 0), row));
            values.retain(|key, _| (key.kind, key.row) != (kind, row));
            if !made {
                values.insert(key(Form::Gone, (kind, 0), row), 1);
            }
        }
        values
    }

    /// Keeps the changes that hands make on the table, or all if there are none.
    fn on_the_table(&self, keys: Vec<PartKey>) -> Vec<PartKey> {
        let marked = |key: &PartKey| self.attribute(*key).is_none_or(|a| a.marker.is_some());
        let seen: Vec<PartKey> = keys.iter().copied().filter(marked).collect();
        if seen.is_empty() { keys } else { seen }
    }

    fn name(&self, kind: KindId, row: u32) -> &str {
        self.made.get(&(kind, row)).map_or_else(|| self.table.name(kind, row), String::as_str)
    }

    fn attribute(&self, key: PartKey) -> Option<&'a Attribute> {
        match key.form {
            Form::Cell | Form::List => self.rules.schema.kind(key.kind).attributes.get(key.place),
            Form::Made | Form::Gone => None,
        }
    }

    /// `c3 fire`
    fn what(&self, key: PartKey) -> String {
        let piece = if key.kind == STATE { "" } else { self.name(key.kind, key.row) };
        let attribute = self.attribute(key).map_or("", |a| a.name.as_str());
        format!("{piece} {attribute}").trim().to_owned()
    }

    /// A change: `c3 fire 2`, `t1 taken off`.
    fn change(&self, key: PartKey, value: i64) -> String {
        match key.form {
            Form::Made => {
                let kind = &self.rules.schema.kind(key.kind).name;
                format!("{kind} {} set out", self.names.text(value))
            }
            Form::Cell | Form::List | Form::Gone => {
                format!("{} {}", self.what(key), self.afterwards(key, Some(value)))
            }
        }
    }

    /// Returns the value afterwards, changed or not.
    fn afterwards(&self, key: PartKey, value: Option<i64>) -> String {
        let storage = self.attribute(key).map(|a| (a, a.storage));
        match (key.form, storage, value) {
            (Form::Made, _, Some(_)) => "set out".to_owned(),
            (Form::Made, _, None) => "not there".to_owned(),
            (Form::Gone, _, Some(_)) => "taken off".to_owned(),
            (Form::Gone, _, None) => "stays".to_owned(),
            (_, Some((attribute, Storage::Cell(column))), value) => {
                let value = value.unwrap_or_else(|| self.table.get(column, key.row));
                let name = attribute.name_of(&Value::Whole(value)).map(str::to_owned);
                name.unwrap_or_else(|| self.shown(value, attribute.ty))
            }
            (_, Some((attribute, Storage::List(list))), None) => {
                self.members(attribute, self.table.list(list, key.row))
            }
            (_, _, members) => self.names.text(members.unwrap_or(-1)).to_owned(),
        }
    }

    fn shown(&self, value: i64, ty: Type) -> String {
        match ty {
            Type::Piece(kind) if value >= 0 => self.name(kind, value as u32).to_owned(),
            ty => shown(&self.rules.schema, self.table, value, ty),
        }
    }

    fn members(&self, attribute: &Attribute, members: &[u32]) -> String {
        match attribute.ty {
            Type::List(element) if !members.is_empty() => {
                let names = members.iter().map(|&m| self.shown(i64::from(m), element.member()));
                names.collect::<Vec<_>>().join(" ")
            }
            _ => "none".to_owned(),
        }
    }
}
