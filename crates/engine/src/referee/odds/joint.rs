//! States of which not everything is certain, in parts that do not touch each other.
//!
//! A state of the table is a product: each cell is certain, or belongs to one [`Joint`] with those it depends on.
//! Where states meet, only what differs between them is multiplied out, mixed, and taken apart again into parts that
//! are independent, which is tested exactly.

use std::rc::Rc;

use indexmap::IndexSet;
use num_bigint::BigUint;
use num_integer::Integer;

use crate::language::schema::{ColumnId, KindId, ListId};

/// The most rows of a joint, times the things in it.
const MAX_ROOM: usize = 1 << 20;
/// The most work that a tree may take: instructions run, and as much for what is written down and put together.
pub(super) const MAX_WORK: u64 = 60_000_000;
/// The work of a value that is put together with others.
const VALUE_WORK: u64 = 8;
/// The work of each row of weights.
const ROW_WORK: u64 = 60;

/// Something that a run may leave different: on the table, or said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Var {
    /// The last words, by their number.
    Words,
    Cell(ColumnId, u32),
    /// A list or deck, by the number of its members.
    List(ListId, u32),
    /// A piece set out, by the number of its name.
    Made(KindId, u32),
    /// A piece taken off.
    Removed(KindId, u32),
}

/// Values together, with their weight.
pub(super) type Row = (Box<[i64]>, BigUint);

/// Values that come together, with their weight.
pub(super) type Rows = Vec<(Vec<(Var, i64)>, BigUint)>;

/// The values that several things can have together. They are in order, and so are the rows; the weights are the
/// smallest whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Joint {
    pub vars: Vec<Var>,
    pub rows: Vec<Row>,
    pub total: BigUint,
}

impl Joint {
    fn new(vars: Vec<Var>, mut rows: Vec<Row>) -> Joint {
        rows.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut merged: Vec<Row> = Vec::with_capacity(rows.len());
        for row in rows {
            match merged.last_mut() {
                Some((values, weight)) if *values == row.0 => *weight += row.1,
                _ => merged.push(row),
            }
        }
        let mut joint = Joint { vars, rows: merged, total: BigUint::ZERO };
        joint.total = joint.rows.iter().map(|row| &row.1).sum();
        let one = BigUint::from(1u32);
        let mut common = joint.total.clone();
        for (_, weight) in &joint.rows {
            if common == one {
                return joint;
            }
            common = common.gcd(weight);
        }
        joint.rows.iter_mut().for_each(|row| row.1 /= &common);
        joint.total /= common;
        joint
    }

    /// Returns one thing that is certain.
    pub(super) fn sure(var: Var, value: i64) -> Joint {
        Joint::new(vec![var], vec![(Box::from([value]), BigUint::from(1u32))])
    }

    fn place(&self, var: Var) -> Option<usize> {
        self.vars.binary_search(&var).ok()
    }

    /// Returns the odds of some of the things, by their places.
    fn project(&self, places: &[usize]) -> Joint {
        let vars = places.iter().map(|&place| self.vars[place]).collect();
        let row = |(values, weight): &Row| {
            (places.iter().map(|&place| values[place]).collect(), weight.clone())
        };
        Joint::new(vars, self.rows.iter().map(row).collect())
    }

    /// Returns what is known of the things that are not among `vars`.
    pub(super) fn without(&self, vars: &[Var], work: &mut u64) -> Known {
        let places = 0..self.vars.len();
        let places: Vec<usize> = places.filter(|&p| !vars.contains(&self.vars[p])).collect();
        let rest = self.project(&places);
        apart(rest.vars, rest.rows, work)
    }

    /// Returns the values of one thing, with the odds of the others in each case.
    pub(super) fn cases(&self, var: Var, work: &mut u64) -> Vec<(i64, BigUint, Known)> {
        let Some(place) = self.place(var) else { return Vec::new() };
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| row.0[place]);
        let others: Vec<usize> = (0..self.vars.len()).filter(|&p| p != place).collect();
        let vars: Vec<Var> = others.iter().map(|&p| self.vars[p]).collect();
        let mut case = |alike: &[&Row]| {
            let weight = alike.iter().map(|row| &row.1).sum();
            let rest = alike
                .iter()
                .map(|(values, part)| (others.iter().map(|&p| values[p]).collect(), part.clone()));
            (alike[0].0[place], weight, apart(vars.clone(), rest.collect(), work))
        };
        rows.chunk_by(|a, b| a.0[place] == b.0[place]).map(&mut case).collect()
    }
}

/// Things with what is known of them.
pub(super) type Known = Vec<(Var, Held)>;

/// The knowledge of one thing.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Sure(i64),
    /// It has one of several values, together with others.
    In(Rc<Joint>),
}

impl Held {
    fn same(&self, other: &Held) -> bool {
        match (self, other) {
            (Held::Sure(a), Held::Sure(b)) => a == b,
            (Held::In(a), Held::In(b)) => Rc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

/// All that is not as it was at the beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    known: Known,
    /// The lines that may have been said on the way, by number.
    spoken: Vec<i64>,
}

impl State {
    pub(super) fn iter(&self) -> impl Iterator<Item = &(Var, Held)> {
        self.known.iter()
    }

    /// Returns what comes together: first all that is certain, then each part with its weights.
    pub(super) fn parts(&self) -> Vec<Rows> {
        let mut sure = Vec::new();
        let mut joints: Vec<&Rc<Joint>> = Vec::new();
        for (var, held) in &self.known {
            match held {
                Held::Sure(value) => sure.push((*var, *value)),
                Held::In(joint) if joints.iter().any(|known| Rc::ptr_eq(known, joint)) => {}
                Held::In(joint) => joints.push(joint),
            }
        }
        let part = |joint: &Rc<Joint>| {
            let row = |(values, weight): &Row| {
                let row = joint.vars.iter().copied().zip(values.iter().copied());
                (row.collect(), weight.clone())
            };
            joint.rows.iter().map(row).collect()
        };
        let sure = vec![(sure, BigUint::from(1u32))];
        std::iter::once(sure).chain(joints.into_iter().map(part)).collect()
    }

    pub(super) fn get(&self, var: Var) -> Option<&Held> {
        held(&self.known, var)
    }

    /// Returns the things that are not the same in another state.
    fn differing<'s>(&'s self, other: &'s State) -> impl Iterator<Item = Var> + 's {
        let same = |var, held: &Held| other.get(var).is_some_and(|other| other.same(held));
        self.known.iter().filter(move |(var, held)| !same(*var, held)).map(|held| held.0)
    }
}

/// Returns what is known of a thing.
fn held(known: &Known, var: Var) -> Option<&Held> {
    known.binary_search_by_key(&var, |held| held.0).ok().map(|place| &known[place].1)
}

/// Takes in what is known of a thing.
pub(super) fn put(known: &mut Known, var: Var, held: Held) {
    match known.binary_search_by_key(&var, |entry| entry.0) {
        Ok(place) => known[place].1 = held,
        Err(place) => known.insert(place, (var, held)),
    }
}

/// A probability as a fraction, in lowest terms only where that is cheap.
pub(super) type Share = (BigUint, BigUint);

/// A way to a state: from which one, what has become of it, and how likely.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub from: Rc<State>,
    pub delta: Known,
    pub share: Share,
    /// The lines said on the way, by number.
    pub spoken: Vec<i64>,
}

impl Way {
    fn get(&self, var: Var) -> Option<&Held> {
        held(&self.delta, var).or_else(|| self.from.get(var))
    }

    fn held(&self, var: Var, base: &impl Fn(Var) -> i64) -> Held {
        self.get(var).cloned().unwrap_or_else(|| Held::Sure(base(var)))
    }

    /// Returns the way with these changes. What is certain now no longer hangs together with anything.
    pub(super) fn with(mut self, changes: &[(Var, i64)], work: &mut u64) -> Way {
        let vars: Vec<Var> = changes.iter().map(|change| change.0).collect();
        for &(var, value) in changes {
            if let Some(Held::In(joint)) = self.get(var).cloned() {
                let rest = joint.without(&vars, work).into_iter();
                rest.for_each(|(other, held)| put(&mut self.delta, other, held));
            }
            put(&mut self.delta, var, Held::Sure(value));
        }
        self
    }

    /// Returns true if a line may have been said before.
    pub(super) fn has_said(&self, number: i64) -> bool {
        self.from.spoken.binary_search(&number).is_ok() || self.spoken.contains(&number)
    }

    /// Returns true if it leads on in the same way as another.
    pub(super) fn same(&self, other: &Way) -> bool {
        let both = || self.delta.iter().zip(&other.delta);
        Rc::ptr_eq(&self.from, &other.from)
            && self.spoken == other.spoken
            && self.delta.len() == other.delta.len()
            && both().all(|(a, b)| a.0 == b.0 && a.1.same(&b.1))
    }
}

/// Joins all ways to a state; none if too much of it hangs together. The work done is added up.
pub(super) fn meet(
    ways: &[Way],
    base: &impl Fn(Var) -> i64,
    work: &mut u64,
) -> Option<(Share, State)> {
    let first = ways.first()?;
    let mut state = State::clone(&first.from);
    first.delta.iter().for_each(|(var, held)| put(&mut state.known, *var, held.clone()));
    *work += state.known.len() as u64 / 4;
    state.spoken =
        ways.iter().flat_map(|way| way.from.spoken.iter().chain(&way.spoken)).copied().collect();
    state.spoken.sort_unstable();
    state.spoken.dedup();
    if ways.len() == 1 {
        return Some((first.share.clone(), state));
    }
    // What differs, and all that hangs together with it.
    let mut open: Vec<Var> = Vec::new();
    for way in &ways[1..] {
        open.extend(way.delta.iter().chain(&first.delta).map(|held| held.0));
        if !Rc::ptr_eq(&way.from, &first.from) {
            *work += (way.from.known.len() + first.from.known.len()) as u64 / 4;
            open.extend(first.from.differing(&way.from).chain(way.from.differing(&first.from)));
        }
    }
    open.sort_unstable();
    open.dedup();
    let differs = |var: &Var| {
        let held = first.held(*var, base);
        ways[1..].iter().any(|way| !way.held(*var, base).same(&held))
    };
    open.retain(differs);
    let mut vars = IndexSet::new();
    while let Some(var) = open.pop() {
        if vars.insert(var) {
            for way in ways {
                if let Some(Held::In(joint)) = way.get(var) {
                    open.extend(joint.vars.iter().filter(|other| !vars.contains(*other)));
                }
            }
        }
    }
    let mut share = first.share.clone();
    for way in &ways[1..] {
        share = sum(share, way.share.clone());
    }
    if share.0 == share.1 {
        share = (BigUint::from(1u32), BigUint::from(1u32));
    } else if share.1.bits() > 256 {
        let common = share.0.gcd(&share.1);
        share = (share.0 / &common, share.1 / common);
    }
    if vars.is_empty() {
        return Some((share, state));
    }
    let mut vars: Vec<Var> = vars.into_iter().collect();
    vars.sort_unstable();
    let rows = mixed(ways, &vars, base, work)?;
    for (var, held) in apart(vars, rows, work) {
        // What has become of it may be what it was.
        let known = ways.iter().find_map(|way| way.get(var).filter(|known| known.same(&held)));
        let held = known.cloned().unwrap_or(held);
        put(&mut state.known, var, held);
    }
    Some((share, state))
}

/// Returns the values of the things in all ways, multiplied out.
fn mixed(
    ways: &[Way],
    vars: &[Var],
    base: &impl Fn(Var) -> i64,
    work: &mut u64,
) -> Option<Vec<Row>> {
    let mut parts: Vec<(Vec<i64>, Vec<Rc<Joint>>, Share)> = Vec::new();
    let mut room = 0usize;
    for way in ways {
        let mut values = vec![0; vars.len()];
        let mut joints = Vec::<Rc<Joint>>::new();
        for (place, var) in vars.iter().enumerate() {
            match way.get(*var) {
                Some(Held::In(joint)) if joints.iter().any(|j| Rc::ptr_eq(j, joint)) => {}
                Some(Held::In(joint)) => joints.push(joint.clone()),
                Some(Held::Sure(value)) => values[place] = *value,
                None => values[place] = base(*var),
            }
        }
        let rows = joints.iter().fold(1usize, |n, j| n.saturating_mul(j.rows.len()));
        room = room.saturating_add(rows.saturating_mul(vars.len()));
        if room > MAX_ROOM {
            return None;
        }
        let total = joints.iter().fold(way.share.1.clone(), |total, j| total * &j.total);
        parts.push((values, joints, (way.share.0.clone(), total)));
    }
    *work += room as u64 * VALUE_WORK;
    let mut common = parts[0].2.1.clone();
    for (_, _, (_, total)) in &parts[1..] {
        if *total != common {
            common = common.lcm(total);
        }
    }
    let mut rows = Vec::new();
    for (values, joints, (share, total)) in parts {
        let mut made = vec![(values.into_boxed_slice(), share * (&common / total))];
        for joint in joints {
            let places: Vec<usize> =
                joint.vars.iter().filter_map(|var| vars.binary_search(var).ok()).collect();
            let mut extended = Vec::with_capacity(made.len() * joint.rows.len());
            for (before, weight) in &made {
                for (own, more) in &joint.rows {
                    let mut together = before.clone();
                    for (&place, &value) in places.iter().zip(own) {
                        together[place] = value;
                    }
                    extended.push((together, weight * more));
                }
            }
            made = extended;
        }
        rows.append(&mut made);
    }
    Some(rows)
}

/// Takes things apart into those that are certain and groups that are independent of each other.
///
/// Where that would take too long they stay together, which is true as well.
pub(super) fn apart(vars: Vec<Var>, rows: Vec<Row>, work: &mut u64) -> Known {
    let cost = |values: usize| rows.len() as u64 * (ROW_WORK + values as u64 * VALUE_WORK);
    *work += cost(vars.len());
    let pair = cost(2) * 3;
    let joint = Joint::new(vars, rows);
    let count = joint.vars.len();
    let is_sure = |p: usize| joint.rows.iter().all(|row| row.0[p] == joint.rows[0].0[p]);
    let (sure, open): (Vec<usize>, Vec<usize>) = (0..count).partition(|&p| is_sure(p));
    let mut held: Known =
        sure.iter().map(|&p| (joint.vars[p], Held::Sure(joint.rows[0].0[p]))).collect();
    let mut groups: Vec<Vec<usize>> = open.iter().map(|&p| vec![p]).collect();
    let mut at = 0;
    while at < groups.len() {
        let mut other = at + 1;
        while other < groups.len() {
            let mut tied = |p: usize, q: usize| {
                *work += pair;
                *work > MAX_WORK || !independent(&joint, &[vec![p], vec![q]])
            };
            let depend = groups[at].iter().any(|&p| groups[other].iter().any(|&q| tied(p, q)));
            if depend {
                let joined = groups.remove(other);
                groups[at].extend(joined);
                // It may hang together with one that was passed over.
                other = at + 1;
            } else {
                other += 1;
            }
        }
        at += 1;
    }
    *work += pair * groups.len() as u64;
    if groups.len() > 1 && !independent(&joint, &groups) {
        groups = vec![open];
    }
    for mut places in groups {
        places.sort_unstable();
        let part = if places.len() == count { joint.clone() } else { joint.project(&places) };
        let part = Rc::new(part);
        held.extend(part.vars.iter().map(|var| (*var, Held::In(part.clone()))));
    }
    held.sort_by_key(|held| held.0);
    held
}

/// Returns true if groups of things are independent of each other: every combination comes, as often as the product says.
fn independent(joint: &Joint, groups: &[Vec<usize>]) -> bool {
    let whole = joint.project(&groups.concat());
    let mut from = 0;
    let mut parts = Vec::with_capacity(groups.len());
    for group in groups {
        let range = from..from + group.len();
        from = range.end;
        parts.push((range.clone(), whole.project(&range.collect::<Vec<_>>())));
    }
    if parts.iter().fold(1usize, |n, (_, p)| n.saturating_mul(p.rows.len())) != whole.rows.len() {
        return false;
    }
    let totals: BigUint = parts.iter().map(|(_, part)| &part.total).product();
    whole.rows.iter().all(|(values, weight)| {
        let own = parts.iter().map(|(range, part)| {
            let place = part.rows.binary_search_by(|row| (*row.0).cmp(&values[range.clone()]));
            place.map_or_else(|_| BigUint::ZERO, |place| part.rows[place].1.clone())
        });
        weight * &totals == own.product::<BigUint>() * &whole.total
    })
}

/// Returns the sum of two shares.
pub(super) fn sum(a: Share, b: Share) -> Share {
    if a.0 == BigUint::ZERO {
        return b;
    }
    if a.1 == b.1 {
        return (a.0 + b.0, a.1);
    }
    let common = a.1.gcd(&b.1);
    let left = &b.1 / &common;
    let right = &a.1 / &common;
    (a.0 * &left + b.0 * right, a.1 * left)
}
