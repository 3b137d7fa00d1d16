//! Turns the leaves of a tree into an answer in the words of the game.

use std::collections::BTreeMap;
use std::hash::Hash;

use adjutant_dice::{Distribution, Fraction};
use indexmap::{IndexMap, IndexSet};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

use super::answer::{self, Ending, Odds, OddsMethod, PossibleChange};
use super::ends::Ends;
use super::joint::{MAX_JOINT_VALUES, RandomVariable, Rows};
use super::names::NumberedNames;
use super::tree::Tree;
use crate::language::machine::{Halt, World, value_text};
use crate::language::schema::{Attribute, AttributeStorage, KindId, STATE_KIND, Schema, Type};
use crate::ruleset::{Ruleset, SIDE_TO_MOVE};
use crate::tabletop::{Tabletop, Value};

/// If there are more endings than this, some of them are combined.
const MOST_ENDINGS: usize = 12;
/// If there are many endings, and more than this number of texts belong to endings without a
/// change, these texts are combined.
const MOST_IDLE: usize = 6;
/// The maximum number of endings that are put into words; the displayed ones are chosen from them.
const MOST_WRITTEN: usize = 500;
/// The maximum number of printed numbers whose distributions are reported.
const MOST_NUMBERS: usize = 12;
/// If there are more endings than this, only the most likely ones are multiplied out.
const MOST_COMBINED: usize = 20_000;
/// The maximum number of changed values whose distributions are reported.
const MOST_PARTS: usize = 60;

/// The type of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum ChangeForm {
    Cell,
    List,
    Made,
    Gone,
}

/// Something on the table that can differ between endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct PartKey {
    form: ChangeForm,
    kind: KindId,
    row: u32,
    /// The index of the attribute; 0 for the piece itself.
    attribute: usize,
}

/// The differing values in an ending: the value of a cell, the number of a text that lists members,
/// the number of the name of a new piece, or 1 for a removed piece.
type ChangedParts = IndexMap<PartKey, i64>;
/// The varying values, by the indices of their keys, and the number of the last text.
type CombinedKey = (Vec<Option<i64>>, Option<i64>);
/// Combinations of values, with their weights.
type Combined = IndexMap<CombinedKey, BigUint>;
/// The weights of endings, by whether they were refused, their varying values and their text.
type EqualEndings<'a> = IndexMap<(bool, Vec<Option<i64>>, &'a str), BigUint>;
/// An ending in words: whether it was refused, the changes, and the text.
type EndingText = (bool, Vec<PossibleChange>, String);

/// Returns every combination of two rows, one from each part.
fn product_of_rows(a: &Rows, b: &Rows) -> Rows {
    let mut rows = Vec::with_capacity(a.len() * b.len());
    for (row, weight) in a {
        for (other, times) in b {
            rows.push(([&row[..], &other[..]].concat(), weight * times));
        }
    }
    rows
}

/// A piece that is added or removed, or to which a variable belongs.
type Piece = (KindId, u32);

/// Returns the piece to which a variable belongs; `None` for the last text.
fn piece_of_variable(schema: &Schema, var: RandomVariable) -> Option<Piece> {
    match var {
        RandomVariable::Words => None,
        RandomVariable::Cell(column, row) => Some((schema.columns[column.index()].0, row)),
        RandomVariable::List(list, row) => Some((schema.lists.get(list.index())?.0, row)),
        RandomVariable::Made(kind, row) | RandomVariable::Removed(kind, row) => Some((kind, row)),
    }
}

/// Returns the pieces that are added or removed in some row, in order.
fn coming_and_going(parts: &[Rows]) -> Vec<Piece> {
    let vars = parts.iter().flatten().flat_map(|row| row.0.iter().map(|(var, _)| *var));
    let mut pieces: Vec<Piece> = vars
        .filter_map(|var| match var {
            RandomVariable::Made(kind, row) | RandomVariable::Removed(kind, row) => {
                Some((kind, row))
            }
            RandomVariable::Words | RandomVariable::Cell(..) | RandomVariable::List(..) => None,
        })
        .collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

/// Returns true if the answer can be put into words. The independent parts that concern an added or
/// removed piece are combined, and the combination may have too many values.
pub(super) fn can_report(schema: &Schema, ends: &Ends) -> bool {
    let Some((_, parts)) = &ends.done else { return true };
    let mut sizes: Vec<(Vec<Option<Piece>>, usize)> = parts
        .iter()
        .map(|part| {
            let vars = part[0].0.iter();
            (vars.map(|(var, _)| piece_of_variable(schema, *var)).collect(), part.len())
        })
        .collect();
    for piece in coming_and_going(parts) {
        let (together, apart): (Vec<_>, Vec<_>) =
            sizes.into_iter().partition(|(pieces, _)| pieces.contains(&Some(piece)));
        sizes = apart;
        let joined = together.into_iter().reduce(|(vars, rows), (more, others)| {
            ([vars, more].concat(), rows.saturating_mul(others))
        });
        if joined.as_ref().is_some_and(|(v, rows)| v.len().saturating_mul(*rows) > MAX_JOINT_VALUES)
        {
            return false;
        }
        sizes.extend(joined);
    }
    true
}

struct Reporter<'a> {
    rules: &'a Ruleset,
    table: &'a Tabletop,
    names: &'a mut NumberedNames,
    /// The names of pieces that are added in some ending.
    made: IndexMap<(KindId, u32), String>,
}

/// The combinations of differences in an independent part, each with the number of the last text
/// and a weight.
struct Cluster {
    rows: Vec<(ChangedParts, Option<i64>, BigUint)>,
    total: BigUint,
}

/// Groups the ends and puts them into words.
pub(super) fn report_odds(
    rules: &Ruleset,
    tree: &mut Tree<'_>,
    ends: Ends,
    basis: OddsMethod,
) -> Odds {
    let steps = tree.effort.spent();
    let asked = tree.host.asked.iter().cloned().collect();
    let chosen = tree.host.chosen.iter().cloned().collect();
    let passed_over = tree.passed_over_lines();
    // Numbers are counted when they are printed. At that point, it isn't known whether the action
    // will be refused later.
    let mut numbers = if ends.refused.is_empty() { number_distributions(tree) } else { Vec::new() };
    let table = &tree.table.under;
    let names = &mut tree.names;
    let mut reporter = Reporter { rules, table, names, made: IndexMap::new() };
    let one = BigUint::from(1u32);
    let (chance, parts) =
        ends.done.unwrap_or_else(|| (Fraction::new(BigInt::ZERO, one.clone()), Vec::new()));
    let parts = reporter.cluster_parts(parts);
    // All weights are whole numbers of one unit.
    let totals: BigUint = parts.iter().map(|part| &part.total).product();
    let denominator = &totals * chance.denominator();
    let unit = ends.refused.iter().fold(denominator.clone(), |u, (_, c)| u.lcm(c.denominator()));
    let scale = chance.numerator().magnitude() * (&unit / &denominator);
    let share = |weight: &BigUint| Fraction::new(weight.clone().into(), unit.clone());
    let refusal = |(halt, weight): &(Halt, Fraction)| {
        (halt.to_string(), weight.numerator().magnitude() * (&unit / weight.denominator()))
    };
    let refused: Vec<(String, BigUint)> = ends.refused.iter().map(refusal).collect();
    let unchanged: BigUint = refused.iter().map(|(_, weight)| weight).sum();

    let mut fixed = ChangedParts::new();
    let mut varying = Vec::new();
    for part in &parts {
        let keys: IndexSet<&PartKey> = part.rows.iter().flat_map(|row| row.0.keys()).collect();
        for key in keys {
            let mut values = part.rows.iter().map(|row| row.0.get(key));
            match values.next().flatten() {
                // In the cases in which the action is refused, nothing changes.
                Some(value) if refused.is_empty() && values.all(|v| v == Some(value)) => {
                    fixed.insert(*key, *value);
                }
                _ => varying.push(*key),
            }
        }
    }
    varying.sort_unstable();
    let varying = reporter.visible_on_table(varying);
    let mut always: Vec<PartKey> = fixed.keys().copied().collect();
    always.sort_unstable();
    let always = reporter.visible_on_table(always);
    let always = always.into_iter().map(|key| reporter.possible_change(key, fixed[&key])).collect();

    // The weight of everything that is combined with a row of a part.
    let others = |part: &Cluster| &totals / &part.total * &scale;
    let spoken = parts.iter().find(|part| part.rows.iter().any(|row| row.1.is_some()));
    let text = |words: Option<i64>| reporter.names.text(words.unwrap_or(-1)).to_owned();
    let mut by_words = match spoken {
        Some(part) => marginal_weights(part, &others(part), |_, words| text(words)),
        None => IndexMap::from([(String::new(), &totals * &scale)]),
    };
    for (words, weight) in &refused {
        *by_words.entry(words.clone()).or_default() += weight;
    }
    by_words.retain(|_, weight| *weight != BigUint::ZERO);
    let words = sort_by_weight(by_words).into_iter().map(|(w, n)| (w, share(&n))).collect();

    let mut told = Vec::new();
    for key in varying.iter().take(MOST_PARTS) {
        let varies = |part: &&Cluster| part.rows.iter().any(|row| row.0.contains_key(key));
        let Some(part) = parts.iter().find(varies) else { continue };
        let mut values = marginal_weights(part, &others(part), |row, _| row.get(key).copied());
        if unchanged != BigUint::ZERO {
            *values.entry(None).or_default() += &unchanged;
        }
        told.push(reporter.part_distribution(*key, values, &share));
    }

    // The varying values of each part, in the order of the keys.
    let parts: Vec<VaryingPart> =
        parts.iter().map(|part| VaryingPart::from_cluster(part, &varying)).collect();
    let mut by_count = vec![scale.clone()];
    for part in &parts {
        let mut next = vec![BigUint::ZERO; by_count.len() + part.keys.len()];
        for ((values, _), weight) in &part.rows {
            let count = values.iter().flatten().count();
            for (before, ways) in by_count.iter().enumerate() {
                next[before + count] += ways * weight;
            }
        }
        by_count = next;
    }
    by_count[0] += &unchanged;
    let by_count = by_count.iter().enumerate().filter(|(_, weight)| **weight != BigUint::ZERO);
    let changed = by_count.map(|(count, weight)| (count, share(weight))).collect();
    let (endings, rest) = reporter.endings(&varying, &parts, &scale, &refused, &unit);
    // A number that is visible on the table need not be reported twice.
    numbers.retain(|said| !told.iter().any(|part| part.values == said.values));
    Odds {
        endings,
        rest,
        words,
        parts: told,
        numbers,
        changed,
        always,
        asked,
        chosen,
        passed_over,
        basis,
        steps,
    }
}

/// Returns the distribution of each number in a line. Omits numbers that never vary, numbers that
/// may be printed several times, and all others after the first [`MOST_NUMBERS`].
fn number_distributions(tree: &Tree<'_>) -> Vec<answer::Marginal> {
    let mut lines: IndexMap<i64, Vec<(i64, Fraction)>> = IndexMap::new();
    for (&(line, value), share) in &tree.numbers {
        let chance = Fraction::new(share.0.clone().into(), share.1.clone());
        lines.entry(line).or_default().push((value, chance));
    }
    let told = lines.into_iter().filter(|(l, values)| values.len() > 1 && !tree.often.contains(l));
    told.take(MOST_NUMBERS)
        .map(|(l, values)| number_distribution(tree.names.text(l).to_owned(), values))
        .collect()
}

/// Returns the distribution of one number.
fn number_distribution(what: String, values: Vec<(i64, Fraction)>) -> answer::Marginal {
    let weights = values.iter().map(|(value, chance)| (*value, chance));
    let common = values.iter().fold(BigUint::from(1u32), |c, (_, f)| c.lcm(f.denominator()));
    let weights = weights.map(|(value, chance)| {
        (value, chance.numerator().magnitude() * (&common / chance.denominator()))
    });
    let mean = Distribution::from_weights(weights).map(|distribution| distribution.mean());
    let values = values.into_iter().map(|(value, chance)| (value.to_string(), chance));
    let title = what.clone();
    answer::Marginal { what, title, values: values.collect(), flag_words: None, mean }
}

/// Adds up the weights of a part's rows, grouped by the result of `of`, which gets the values and
/// text of each row. Each weight is multiplied by the weight of everything combined with the part.
fn marginal_weights<K: Hash + Eq>(
    part: &Cluster,
    times: &BigUint,
    of: impl Fn(&ChangedParts, Option<i64>) -> K,
) -> IndexMap<K, BigUint> {
    let mut weights: IndexMap<K, BigUint> = IndexMap::new();
    for (values, words, weight) in &part.rows {
        *weights.entry(of(values, *words)).or_default() += weight * times;
    }
    weights
}

/// The varying values of one part, by the indices of their keys, with the text and their weight.
struct VaryingPart {
    keys: Vec<usize>,
    rows: Combined,
}

impl VaryingPart {
    fn from_cluster(part: &Cluster, varying: &[PartKey]) -> VaryingPart {
        let has = |key: &PartKey| part.rows.iter().any(|row| row.0.contains_key(key));
        let keys: Vec<usize> = (0..varying.len()).filter(|&k| has(&varying[k])).collect();
        let values =
            |row: &ChangedParts| keys.iter().map(|&k| row.get(&varying[k]).copied()).collect();
        let rows = marginal_weights(part, &1u32.into(), |row, words| (values(row), words));
        VaryingPart { keys, rows }
    }
}

/// Returns the keys with their weights, the most likely first. Equal weights are sorted by key.
fn sort_by_weight<K: Ord>(weights: IndexMap<K, BigUint>) -> Vec<(K, BigUint)> {
    let mut all: Vec<(K, BigUint)> = weights.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all
}

/// Returns all combinations, or only the most likely ones if there are too many.
fn likeliest_combinations(all: Combined, crowded: bool) -> Vec<(CombinedKey, BigUint)> {
    if !crowded {
        return all.into_iter().collect();
    }
    let mut all = sort_by_weight(all);
    all.truncate(2 * MOST_ENDINGS);
    all
}

impl<'a> Reporter<'a> {
    /// Returns the most likely endings in words, and the number and the probability of the others.
    fn endings(
        &self,
        varying: &[PartKey],
        parts: &[VaryingPart],
        scale: &BigUint,
        refused: &[(String, BigUint)],
        unit: &BigUint,
    ) -> (Vec<Ending>, Option<(usize, Fraction)>) {
        let change = |values: &[Option<i64>]| -> Vec<PossibleChange> {
            let both = varying.iter().zip(values);
            both.filter_map(|(key, value)| Some(self.possible_change(*key, (*value)?))).collect()
        };
        let count = parts.iter().fold(1usize, |n, part| n.saturating_mul(part.rows.len()));
        let crowded = count > MOST_COMBINED;
        let mut all = vec![((vec![None; varying.len()], None), scale.clone())];
        for part in parts {
            let mut rows: Combined = IndexMap::new();
            for ((values, words), weight) in &part.rows {
                let words = words.filter(|_| !crowded);
                *rows.entry((values.clone(), words)).or_default() += weight;
            }
            let rows = likeliest_combinations(rows, crowded);
            let mut next: Combined = IndexMap::new();
            for ((values, words), weight) in &all {
                for ((own, said), more) in &rows {
                    let mut values = values.clone();
                    part.keys.iter().zip(own).for_each(|(&key, value)| values[key] = *value);
                    *next.entry((values, words.or(*said))).or_default() += weight * more;
                }
            }
            all = likeliest_combinations(next, crowded);
        }
        let left_out = if crowded { count - all.len() } else { 0 };
        let mut alike: EqualEndings<'_> = IndexMap::new();
        for ((values, words), weight) in all.into_iter().filter(|(_, w)| *w != BigUint::ZERO) {
            let words = self.names.text(words.unwrap_or(-1));
            *alike.entry((false, values, words)).or_default() += weight;
        }
        for (words, weight) in refused {
            let values = vec![None; varying.len()];
            *alike.entry((true, values, words)).or_default() += weight;
        }
        // Words that go with different changes belong to one roll among several, not to the ending.
        let mut changed: IndexMap<&str, usize> = IndexMap::new();
        for (_, values, words) in alike.keys() {
            *changed.entry(words).or_default() += usize::from(values.iter().any(Option::is_some));
        }
        let coarse = changed.values().any(|&n| n > 1) || alike.len() > MOST_ENDINGS;
        // If there are many texts without a change, only their common beginning, up to a comma, is
        // reported.
        let idle: Vec<&str> = alike
            .keys()
            .filter(|(is_refused, values, _)| !is_refused && values.iter().all(Option::is_none))
            .map(|(_, _, words)| *words)
            .collect();
        let mut heads = idle.iter().map(|words| words.split_once(", ").map_or(*words, |w| w.0));
        let common = match heads.next() {
            Some(head) if heads.all(|other| other == head) => head,
            _ => "",
        };
        let many = alike.len() > MOST_ENDINGS && idle.len() > MOST_IDLE;
        let common = many.then_some(common).filter(|w| !(varying.is_empty() && w.is_empty()));
        let mut together: EqualEndings<'_> = IndexMap::new();
        for ((is_refused, values, words), weight) in alike {
            let words = match (is_refused, values.iter().all(Option::is_none)) {
                (true, _) => words,
                (false, true) => common.unwrap_or(words),
                (false, false) if coarse => "",
                (false, false) => words,
            };
            *together.entry((is_refused, values, words)).or_default() += weight;
        }
        // If there are very many endings, only the most likely are reported.
        let likeliest = sort_by_weight(together);
        let left_out = left_out.saturating_add(likeliest.len().saturating_sub(MOST_WRITTEN));
        let mut written: IndexMap<EndingText, BigUint> = IndexMap::new();
        for ((is_refused, values, words), weight) in likeliest.into_iter().take(MOST_WRITTEN) {
            let shown = (is_refused, change(&values), words.to_owned());
            *written.entry(shown).or_default() += weight;
        }
        let share = |weight: BigUint| Fraction::new(weight.into(), unit.clone());
        // Endings with equal weights stay in the order of their pieces, whatever the pieces are
        // named.
        let mut endings: Vec<(EndingText, BigUint)> = written.into_iter().collect();
        endings.sort_by(|a, b| b.1.cmp(&a.1));
        let mut rest = None;
        if endings.len().saturating_add(left_out) > MOST_ENDINGS {
            let others = endings.split_off(endings.len().min(MOST_ENDINGS - 1)).len();
            let others = others.saturating_add(left_out);
            let shown: BigUint = endings.iter().map(|ending| &ending.1).sum();
            rest = Some((others, share(unit - shown)));
        }
        let ending = |((is_refused, changes, words), weight): (EndingText, BigUint)| Ending {
            words,
            changes,
            refused: is_refused,
            chance: share(weight),
        };
        (endings.into_iter().map(ending).collect(), rest)
    }

    /// Returns the changes in each part. Parts about the same added or removed piece are merged.
    fn cluster_parts(&mut self, parts: Vec<Rows>) -> Vec<Cluster> {
        let schema = &self.rules.schema;
        for &(var, value) in parts.iter().flatten().flat_map(|row| &row.0) {
            if let RandomVariable::Made(kind, row) = var
                && value >= 0
            {
                let text = || self.names.text(value).to_owned();
                self.made.entry((kind, row)).or_insert_with(text);
            }
        }
        let mut parts = parts;
        for piece in coming_and_going(&parts) {
            let speaks = |part: &Rows| {
                part[0].0.iter().any(|(var, _)| piece_of_variable(schema, *var) == Some(piece))
            };
            let (together, apart): (Vec<Rows>, Vec<Rows>) = parts.into_iter().partition(speaks);
            parts = apart;
            parts.extend(together.into_iter().reduce(|a, b| product_of_rows(&a, &b)));
        }
        let mut clusters = Vec::new();
        for rows in parts {
            let mut worded = Vec::new();
            let mut common = BigUint::from(1u32);
            for (row, weight) in rows {
                let (values, words) = self.changed_parts(&row);
                // Equal cards are equally likely.
                let cards =
                    words.and_then(|words| self.names.card_titles(words)).map(<[String]>::to_vec);
                let words = match cards {
                    Some(cards) => {
                        cards.iter().map(|card| Some(self.names.text_number(card))).collect()
                    }
                    None => vec![words],
                };
                common = common.lcm(&BigUint::from(words.len()));
                worded.push((values, words, weight));
            }
            let mut cluster = Cluster { rows: Vec::new(), total: BigUint::ZERO };
            for (values, words, weight) in worded {
                let share = weight * &common / words.len();
                for said in words {
                    cluster.total += &share;
                    cluster.rows.push((values.clone(), said, share.clone()));
                }
            }
            clusters.push(cluster);
        }
        clusters
    }

    /// Returns the values that differ from the initial state, and the last text.
    fn changed_parts(&mut self, row: &[(RandomVariable, i64)]) -> (ChangedParts, Option<i64>) {
        let schema = &self.rules.schema;
        let mut values = ChangedParts::new();
        let mut words = None;
        let mut removed = Vec::new();
        let key = |form, (kind, attribute), row_of| PartKey { form, kind, row: row_of, attribute };
        for &(var, value) in row {
            match var {
                RandomVariable::Words => words = (value != -1).then_some(value),
                RandomVariable::Made(kind, piece) if value >= 0 => {
                    values.insert(key(ChangeForm::Made, (kind, 0), piece), value);
                }
                RandomVariable::Cell(column, piece) if value != self.table.get(column, piece) => {
                    values.insert(
                        key(ChangeForm::Cell, schema.columns[column.index()], piece),
                        value,
                    );
                }
                // Decks are not reported: the cards drawn from them are among the words.
                RandomVariable::List(list, piece) => {
                    if let Some(attribute) = schema.list_attribute(list)
                        && value >= 0
                        && self.names.list_members(value) != self.table.list(list, piece)
                    {
                        let members = self.members_text(attribute, self.names.list_members(value));
                        let members = self.names.text_number(&members);
                        values.insert(
                            key(ChangeForm::List, schema.lists[list.index()], piece),
                            members,
                        );
                    }
                }
                RandomVariable::Removed(kind, piece) if value != 0 => removed.push((kind, piece)),
                RandomVariable::Cell(..)
                | RandomVariable::Made(..)
                | RandomVariable::Removed(..) => {}
            }
        }
        for (kind, piece) in removed {
            // A piece that was set out and taken off again counts as never having been there.
            let made = values.contains_key(&key(ChangeForm::Made, (kind, 0), piece));
            values.retain(|part, _| (part.kind, part.row) != (kind, piece));
            if !made {
                values.insert(key(ChangeForm::Gone, (kind, 0), piece), 1);
            }
        }
        (values, words)
    }

    /// Returns the distribution of one changed value.
    fn part_distribution(
        &self,
        key: PartKey,
        values: IndexMap<Option<i64>, BigUint>,
        share: &impl Fn(&BigUint) -> Fraction,
    ) -> answer::Marginal {
        let what = self.part_title(key);
        let title = self.shown_title(key);
        if let Some(Attribute {
            ty: Type::Whole,
            storage: AttributeStorage::Cell(column),
            names,
            ..
        }) = self.attribute(key)
            && names.is_empty()
        {
            let now = self.table.get(*column, key.row);
            let mut numbers: BTreeMap<i64, BigUint> = BTreeMap::new();
            for (value, weight) in values {
                *numbers.entry(value.unwrap_or(now)).or_default() += weight;
            }
            let counted = numbers.iter().map(|(n, weight)| (*n, share(weight))).collect();
            return answer::Marginal { title, ..number_distribution(what, counted) };
        }
        let mut named: IndexMap<String, BigUint> = IndexMap::new();
        for (value, weight) in values {
            *named.entry(self.value_after(key, value)).or_default() += weight;
        }
        let chances =
            sort_by_weight(named).into_iter().map(|(value, weight)| (value, share(&weight)));
        let flag_words = self.flag_words(key);
        answer::Marginal { what, title, values: chances.collect(), flag_words, mean: None }
    }

    /// Returns the changes that are visible on the table, or all changes if none is visible. Of the
    /// bookkeeping attributes, only the side to move is ever included, and only if nothing else
    /// changes.
    fn visible_on_table(&self, keys: Vec<PartKey>) -> Vec<PartKey> {
        let is_kept = |key: &PartKey| self.attribute(*key).is_none_or(|a| !a.bookkeeping);
        let (kept, bookkeeping): (Vec<PartKey>, Vec<PartKey>) = keys.into_iter().partition(is_kept);
        let marked = |key: &PartKey| self.attribute(*key).is_none_or(|a| a.marker.is_some());
        let seen: Vec<PartKey> = kept.iter().copied().filter(marked).collect();
        if !seen.is_empty() {
            return seen;
        }
        if !kept.is_empty() {
            return kept;
        }
        let is_moving = |key: &PartKey| {
            key.kind == STATE_KIND && self.attribute(*key).is_some_and(|a| a.name == SIDE_TO_MOVE)
        };
        bookkeeping.into_iter().filter(is_moving).collect()
    }

    fn piece_name(&self, kind: KindId, row: u32) -> &str {
        self.made.get(&(kind, row)).map_or_else(|| self.table.name(kind, row), String::as_str)
    }

    fn attribute(&self, key: PartKey) -> Option<&'a Attribute> {
        match key.form {
            ChangeForm::Cell | ChangeForm::List => {
                self.rules.schema.kind(key.kind).attributes.get(key.attribute)
            }
            ChangeForm::Made | ChangeForm::Gone => None,
        }
    }

    /// Returns the title of a changed part, such as `c3 fire`.
    fn part_title(&self, key: PartKey) -> String {
        let piece = if key.kind == STATE_KIND { "" } else { self.piece_name(key.kind, key.row) };
        let attribute = self.attribute(key).map_or("", |a| a.name.as_str());
        format!("{piece} {attribute}").trim().to_owned()
    }

    /// Returns the title of a changed part in the words of the game: the piece for a flag, the
    /// piece and the marker for a number with a marker, and otherwise the same as `part_title`.
    fn shown_title(&self, key: PartKey) -> String {
        let piece = if key.kind == STATE_KIND { "" } else { self.piece_name(key.kind, key.row) };
        let Some(attribute) = self.attribute(key) else { return piece.to_owned() };
        let kind = self.rules.schema.kind(key.kind);
        let is_place = kind.location().is_some_and(|place| place.name == attribute.name);
        match (attribute.ty, &attribute.marker) {
            (Type::Flag, _) => piece.to_owned(),
            (Type::Whole, Some(marker)) if !is_place => {
                format!("{piece} {marker}").trim().to_owned()
            }
            _ => self.part_title(key),
        }
    }

    /// Returns the words for a flag that is set and for one that is not; `None` for other values.
    fn flag_words(&self, key: PartKey) -> Option<(String, String)> {
        let attribute = self.attribute(key).filter(|attribute| attribute.ty == Type::Flag)?;
        let word = attribute.name.replace('-', " ");
        Some((word.clone(), format!("not {word}")))
    }

    /// Returns a change, as data and in words.
    fn possible_change(&self, key: PartKey, value: i64) -> PossibleChange {
        let text = self.change_text(key, value);
        let shown = match (key.form, self.flag_words(key)) {
            (ChangeForm::Cell, Some((set, unset))) => {
                let words = if value == 0 { unset } else { set };
                format!("{} {words}", self.shown_title(key)).trim().to_owned()
            }
            (ChangeForm::Cell, None) => {
                format!("{} {}", self.shown_title(key), self.value_after(key, Some(value)))
            }
            _ => text.clone(),
        };
        PossibleChange { text, shown }
    }

    /// Returns the text of a change, such as `c3 fire 2` or `t1 taken off`.
    fn change_text(&self, key: PartKey, value: i64) -> String {
        match key.form {
            ChangeForm::Made => {
                let kind = &self.rules.schema.kind(key.kind).name;
                format!("{kind} {} set out", self.names.text(value))
            }
            ChangeForm::Cell | ChangeForm::List | ChangeForm::Gone => {
                format!("{} {}", self.part_title(key), self.value_after(key, Some(value)))
            }
        }
    }

    /// Returns the value after the action, whether or not it changed.
    fn value_after(&self, key: PartKey, value: Option<i64>) -> String {
        let storage = self.attribute(key).map(|a| (a, a.storage));
        match (key.form, storage, value) {
            (ChangeForm::Made, _, Some(_)) => "set out".to_owned(),
            (ChangeForm::Made, _, None) => "not there".to_owned(),
            (ChangeForm::Gone, _, Some(_)) => "taken off".to_owned(),
            (ChangeForm::Gone, _, None) => "stays".to_owned(),
            (_, Some((attribute, AttributeStorage::Cell(column))), value) => {
                let value = value.unwrap_or_else(|| self.table.get(column, key.row));
                let name = attribute.name_of_value(&Value::Whole(value)).map(str::to_owned);
                name.unwrap_or_else(|| self.value_text(value, attribute.ty))
            }
            (_, Some((attribute, AttributeStorage::List(list))), None) => {
                self.members_text(attribute, self.table.list(list, key.row))
            }
            (_, _, members) => self.names.text(members.unwrap_or(-1)).to_owned(),
        }
    }

    fn value_text(&self, value: i64, ty: Type) -> String {
        match ty {
            Type::Piece(kind) if value >= 0 => self.piece_name(kind, value as u32).to_owned(),
            ty => value_text(&self.rules.schema, self.table, value, ty),
        }
    }

    fn members_text(&self, attribute: &Attribute, members: &[u32]) -> String {
        match attribute.ty {
            Type::List(element) if !members.is_empty() => {
                let names =
                    members.iter().map(|&m| self.value_text(i64::from(m), element.member_type()));
                names.collect::<Vec<_>>().join(" ")
            }
            _ => "none".to_owned(),
        }
    }
}
