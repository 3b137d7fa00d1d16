//! Uncertain states, as products of independent parts.
//!
//! A state of the table is a product: each cell is certain, or part of one [`JointDistribution`]
//! with the cells it depends on. Where states merge, only the differing parts are multiplied out,
//! mixed, and factored again into independent parts; independence is tested exactly.

use std::rc::Rc;

use indexmap::IndexSet;
use num_bigint::BigUint;
use num_integer::Integer;

use super::effort::Effort;
use crate::language::schema::{ColumnId, KindId, ListId};

/// The maximum number of values in a joint distribution: rows times variables.
pub(super) const MAX_JOINT_VALUES: usize = 1 << 20;
/// The cost of combining a value with others, in steps.
const VALUE_STEPS: u64 = 8;
/// The cost of each row of a distribution, in steps.
const ROW_STEPS: u64 = 60;
/// The steps for each row of weights when two variables are tested for independence.
const PAIR_STEPS: u64 = 228;

/// Something on the table or in the text that can differ between runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum RandomVariable {
    /// The last text, by its number.
    Words,
    Cell(ColumnId, u32),
    /// A list or deck, by the number of its list of members.
    List(ListId, u32),
    /// A new piece, by the number of its name.
    Made(KindId, u32),
    /// A removed piece.
    Removed(KindId, u32),
}

/// A combination of values, with its weight.
pub(super) type Row = (Box<[i64]>, BigUint);

/// Combinations of values, with their weights. Each value is paired with its variable.
pub(super) type Rows = Vec<(Vec<(RandomVariable, i64)>, BigUint)>;

/// The joint distribution of several variables. Variables and rows are sorted, and the weights have
/// no common divisor other than 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JointDistribution {
    pub vars: Vec<RandomVariable>,
    pub rows: Vec<Row>,
    pub total: BigUint,
}

impl JointDistribution {
    fn new(vars: Vec<RandomVariable>, mut rows: Vec<Row>) -> JointDistribution {
        rows.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut merged: Vec<Row> = Vec::with_capacity(rows.len());
        for row in rows {
            match merged.last_mut() {
                Some((values, weight)) if *values == row.0 => *weight += row.1,
                _ => merged.push(row),
            }
        }
        let mut joint = JointDistribution { vars, rows: merged, total: BigUint::ZERO };
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

    /// Returns the distribution of a variable whose value is certain.
    pub(super) fn point_mass(var: RandomVariable, value: i64) -> JointDistribution {
        JointDistribution::new(vec![var], vec![(Box::from([value]), BigUint::from(1u32))])
    }

    fn index(&self, var: RandomVariable) -> Option<usize> {
        self.vars.binary_search(&var).ok()
    }

    /// Returns the distribution of some of the variables, given by their indices.
    fn marginalize(&self, indices: &[usize]) -> JointDistribution {
        let vars = indices.iter().map(|&index| self.vars[index]).collect();
        let mut rows = Vec::with_capacity(self.rows.len());
        for (values, weight) in &self.rows {
            rows.push((indices.iter().map(|&index| values[index]).collect(), weight.clone()));
        }
        JointDistribution::new(vars, rows)
    }

    /// Returns the rows, with each value paired with its variable.
    fn by_variable(&self) -> Rows {
        let mut rows = Vec::with_capacity(self.rows.len());
        for (values, weight) in &self.rows {
            let row = self.vars.iter().copied().zip(values.iter().copied()).collect();
            rows.push((row, weight.clone()));
        }
        rows
    }

    /// Returns the beliefs about all variables that are not in `vars`.
    pub(super) fn beliefs_without(&self, vars: &[RandomVariable], effort: &mut Effort) -> Beliefs {
        let indices: Vec<usize> =
            (0..self.vars.len()).filter(|&index| !vars.contains(&self.vars[index])).collect();
        let rest = self.marginalize(&indices);
        factorize(rest.vars, rest.rows, effort)
    }

    /// Returns each value of a variable with its weight and the distribution of the other variables
    /// given that value.
    pub(super) fn condition_on(
        &self,
        var: RandomVariable,
        effort: &mut Effort,
    ) -> Vec<(i64, BigUint, Beliefs)> {
        let Some(index) = self.index(var) else { return Vec::new() };
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| row.0[index]);
        let others: Vec<usize> = (0..self.vars.len()).filter(|&p| p != index).collect();
        let vars: Vec<RandomVariable> = others.iter().map(|&p| self.vars[p]).collect();
        let mut cases = Vec::new();
        for alike in rows.chunk_by(|a, b| a.0[index] == b.0[index]) {
            let mut weight = BigUint::ZERO;
            let mut rest = Vec::with_capacity(alike.len());
            for (values, part) in alike {
                weight += part;
                rest.push((others.iter().map(|&p| values[p]).collect(), part.clone()));
            }
            cases.push((alike[0].0[index], weight, factorize(vars.clone(), rest, effort)));
        }
        cases
    }
}

/// Variables with the beliefs about them.
pub(super) type Beliefs = Vec<(RandomVariable, Belief)>;

/// The belief about one variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Belief {
    Sure(i64),
    /// The variable has one of several values, jointly with other variables.
    In(Rc<JointDistribution>),
}

/// Everything that differs from the initial state.
#[derive(Clone, Debug, Default)]
pub(super) struct TableState {
    known: Beliefs,
    /// The lines that may have been printed on the path, by number.
    spoken: Vec<i64>,
}

impl TableState {
    pub(super) fn iter(&self) -> impl Iterator<Item = &(RandomVariable, Belief)> {
        self.known.iter()
    }

    /// Returns the independent parts of the state: first all certain values, then each joint
    /// distribution with its weights.
    pub(super) fn independent_parts(&self) -> Vec<Rows> {
        let mut sure = Vec::new();
        let mut joints: Vec<&Rc<JointDistribution>> = Vec::new();
        for (var, held) in &self.known {
            match held {
                Belief::Sure(value) => sure.push((*var, *value)),
                Belief::In(joint) if joints.iter().any(|known| Rc::ptr_eq(known, joint)) => {}
                Belief::In(joint) => joints.push(joint),
            }
        }
        let mut parts = vec![vec![(sure, BigUint::from(1u32))]];
        parts.extend(joints.into_iter().map(|joint| joint.by_variable()));
        parts
    }

    pub(super) fn get(&self, var: RandomVariable) -> Option<&Belief> {
        find_belief(&self.known, var)
    }

    /// Returns the variables about which this state has beliefs that another state lacks.
    fn differing_variables<'s>(
        &'s self,
        other: &'s TableState,
    ) -> impl Iterator<Item = RandomVariable> + 's {
        self.known.iter().filter(|(var, held)| other.get(*var) != Some(held)).map(|held| held.0)
    }
}

/// Returns the belief about a variable, if there is one.
fn find_belief(known: &Beliefs, var: RandomVariable) -> Option<&Belief> {
    known.binary_search_by_key(&var, |held| held.0).ok().map(|index| &known[index].1)
}

/// Stores the belief about a variable, in place of an earlier one.
pub(super) fn set_belief(known: &mut Beliefs, var: RandomVariable, held: Belief) {
    match known.binary_search_by_key(&var, |entry| entry.0) {
        Ok(index) => known[index].1 = held,
        Err(index) => known.insert(index, (var, held)),
    }
}

/// A probability as a fraction, which need not be reduced.
pub(super) type Share = (BigUint, BigUint);

/// A path to a state: its origin, its changes, and its probability.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub from: Rc<TableState>,
    pub delta: Beliefs,
    pub share: Share,
    /// The lines printed on the path, by number.
    pub spoken: Vec<i64>,
}

impl Path {
    fn get(&self, var: RandomVariable) -> Option<&Belief> {
        find_belief(&self.delta, var).or_else(|| self.from.get(var))
    }

    fn belief_or_base(&self, var: RandomVariable, base: &impl Fn(RandomVariable) -> i64) -> Belief {
        self.get(var).cloned().unwrap_or_else(|| Belief::Sure(base(var)))
    }

    /// Returns the path with these changes. The changed variables become certain, and so
    /// independent of all others.
    pub(super) fn with_changes(
        mut self,
        changes: &[(RandomVariable, i64)],
        effort: &mut Effort,
    ) -> Path {
        let vars: Vec<RandomVariable> = changes.iter().map(|change| change.0).collect();
        for &(var, value) in changes {
            if let Some(Belief::In(joint)) = self.get(var).cloned() {
                let rest = joint.beliefs_without(&vars, effort).into_iter();
                rest.for_each(|(other, held)| set_belief(&mut self.delta, other, held));
            }
            set_belief(&mut self.delta, var, Belief::Sure(value));
        }
        self
    }

    /// Returns true if this line may already have been printed.
    pub(super) fn may_have_said(&self, number: i64) -> bool {
        self.from.spoken.binary_search(&number).is_ok() || self.spoken.contains(&number)
    }

    /// Returns true if both paths have the same origin, changes and lines, so that they lead to
    /// equal states.
    pub(super) fn is_same(&self, other: &Path) -> bool {
        Rc::ptr_eq(&self.from, &other.from)
            && self.spoken == other.spoken
            && self.delta == other.delta
    }
}

/// Merges all paths to a position into one state; `None` if the joint distributions become too
/// large. Each merge counts towards the effort.
pub(super) fn merge_paths(
    paths: &[Path],
    base: &impl Fn(RandomVariable) -> i64,
    effort: &mut Effort,
) -> Option<(Share, TableState)> {
    let first = paths.first()?;
    let mut state = TableState::clone(&first.from);
    first.delta.iter().for_each(|(var, held)| set_belief(&mut state.known, *var, held.clone()));
    effort.spend_on_beliefs(state.known.len());
    state.spoken = paths
        .iter()
        .flat_map(|path| path.from.spoken.iter().chain(&path.spoken))
        .copied()
        .collect();
    state.spoken.sort_unstable();
    state.spoken.dedup();
    if paths.len() == 1 {
        return Some((first.share.clone(), state));
    }
    // The variables that differ, and all variables that depend on them.
    let mut open: Vec<RandomVariable> = Vec::new();
    for path in &paths[1..] {
        open.extend(path.delta.iter().chain(&first.delta).map(|held| held.0));
        if !Rc::ptr_eq(&path.from, &first.from) {
            effort.spend_on_beliefs(path.from.known.len());
            effort.spend_on_beliefs(first.from.known.len());
            open.extend(
                first
                    .from
                    .differing_variables(&path.from)
                    .chain(path.from.differing_variables(&first.from)),
            );
        }
    }
    open.sort_unstable();
    open.dedup();
    let differs = |var: &RandomVariable| {
        let held = first.belief_or_base(*var, base);
        paths[1..].iter().any(|path| path.belief_or_base(*var, base) != held)
    };
    open.retain(differs);
    let mut vars = IndexSet::new();
    while let Some(var) = open.pop() {
        if vars.insert(var) {
            for path in paths {
                if let Some(Belief::In(joint)) = path.get(var) {
                    open.extend(joint.vars.iter().filter(|other| !vars.contains(*other)));
                }
            }
        }
    }
    let mut share = first.share.clone();
    for path in &paths[1..] {
        share = add_shares(share, path.share.clone());
    }
    let common = share.0.gcd(&share.1);
    let share = (share.0 / &common, share.1 / common);
    if vars.is_empty() {
        return Some((share, state));
    }
    let mut vars: Vec<RandomVariable> = vars.into_iter().collect();
    vars.sort_unstable();
    let rows = mix_rows(paths, &vars, base, effort)?;
    for (var, held) in factorize(vars, rows, effort) {
        // If a path already has an equal belief, the state shares that belief.
        let known = paths.iter().find_map(|path| path.get(var).filter(|known| **known == held));
        let held = known.cloned().unwrap_or(held);
        set_belief(&mut state.known, var, held);
    }
    Some((share, state))
}

/// Returns the joint rows of these variables over all paths; `None` if there are too many values.
fn mix_rows(
    paths: &[Path],
    vars: &[RandomVariable],
    base: &impl Fn(RandomVariable) -> i64,
    effort: &mut Effort,
) -> Option<Vec<Row>> {
    let mut parts: Vec<(Vec<i64>, Vec<Rc<JointDistribution>>, Share)> = Vec::new();
    let mut room = 0usize;
    for path in paths {
        let mut values = vec![0; vars.len()];
        let mut joints = Vec::<Rc<JointDistribution>>::new();
        for (index, var) in vars.iter().enumerate() {
            match path.get(*var) {
                Some(Belief::In(joint)) if joints.iter().any(|j| Rc::ptr_eq(j, joint)) => {}
                Some(Belief::In(joint)) => joints.push(joint.clone()),
                Some(Belief::Sure(value)) => values[index] = *value,
                None => values[index] = base(*var),
            }
        }
        let mut rows = 1usize;
        let mut total = path.share.1.clone();
        for joint in &joints {
            rows = rows.saturating_mul(joint.rows.len());
            total *= &joint.total;
        }
        room = room.saturating_add(rows.saturating_mul(vars.len()));
        if room > MAX_JOINT_VALUES {
            return None;
        }
        parts.push((values, joints, (path.share.0.clone(), total)));
    }
    effort.spend_each(room, VALUE_STEPS);
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
            let indices: Vec<usize> =
                joint.vars.iter().filter_map(|var| vars.binary_search(var).ok()).collect();
            let mut extended = Vec::with_capacity(made.len() * joint.rows.len());
            for (before, weight) in &made {
                for (own, more) in &joint.rows {
                    let mut together = before.clone();
                    for (&index, &value) in indices.iter().zip(own) {
                        together[index] = value;
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

/// Factors a joint distribution into certain values and independent groups. If that would take too
/// long, the variables stay together, which is still correct.
pub(super) fn factorize(vars: Vec<RandomVariable>, rows: Vec<Row>, effort: &mut Effort) -> Beliefs {
    let row_count = rows.len();
    effort.spend_each(row_count, ROW_STEPS);
    effort.spend_each(row_count.saturating_mul(vars.len()), VALUE_STEPS);
    let joint = JointDistribution::new(vars, rows);
    let is_sure = |p: usize| joint.rows.iter().all(|row| row.0[p] == joint.rows[0].0[p]);
    let (sure, open): (Vec<usize>, Vec<usize>) = (0..joint.vars.len()).partition(|&p| is_sure(p));
    let mut held: Beliefs =
        sure.iter().map(|&p| (joint.vars[p], Belief::Sure(joint.rows[0].0[p]))).collect();
    let mut groups: Vec<Vec<usize>> = open.iter().map(|&p| vec![p]).collect();
    let mut at = 0;
    while at < groups.len() {
        let mut other = at + 1;
        while other < groups.len() {
            let mut tied = |p: usize, q: usize| {
                effort.spend_each(row_count, PAIR_STEPS);
                effort.is_spent() || !are_independent(&joint, &[vec![p], vec![q]])
            };
            let depend = groups[at].iter().any(|&p| groups[other].iter().any(|&q| tied(p, q)));
            if depend {
                let joined = groups.remove(other);
                groups[at].extend(joined);
                // The larger group may depend on a group that was passed over.
                other = at + 1;
            } else {
                other += 1;
            }
        }
        at += 1;
    }
    effort.spend_each(row_count.saturating_mul(groups.len()), PAIR_STEPS);
    if groups.len() > 1 && !are_independent(&joint, &groups) {
        groups = vec![open];
    }
    for mut indices in groups {
        indices.sort_unstable();
        let is_whole = indices.len() == joint.vars.len();
        let part = if is_whole { joint.clone() } else { joint.marginalize(&indices) };
        let part = Rc::new(part);
        held.extend(part.vars.iter().map(|var| (*var, Belief::In(part.clone()))));
    }
    held.sort_by_key(|held| held.0);
    held
}

/// Returns true if the groups of variables are independent of each other.
fn are_independent(joint: &JointDistribution, groups: &[Vec<usize>]) -> bool {
    let whole = joint.marginalize(&groups.concat());
    let mut from = 0;
    let mut parts = Vec::with_capacity(groups.len());
    for group in groups {
        let range = from..from + group.len();
        from = range.end;
        parts.push((range.clone(), whole.marginalize(&range.collect::<Vec<_>>())));
    }
    let mut combinations = 1usize;
    for (_, part) in &parts {
        combinations = combinations.saturating_mul(part.rows.len());
    }
    if combinations != whole.rows.len() {
        return false;
    }
    let totals: BigUint = parts.iter().map(|(_, part)| &part.total).product();
    whole.rows.iter().all(|(values, weight)| {
        let own = parts.iter().map(|(range, part)| {
            let index = part.rows.binary_search_by(|row| (*row.0).cmp(&values[range.clone()]));
            index.map_or_else(|_| BigUint::ZERO, |index| part.rows[index].1.clone())
        });
        weight * &totals == own.product::<BigUint>() * &whole.total
    })
}

/// Returns the sum of two shares.
pub(super) fn add_shares(a: Share, b: Share) -> Share {
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
