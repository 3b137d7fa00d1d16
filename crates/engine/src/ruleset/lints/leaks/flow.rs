//! Analyses the paths through a function: which instruction may follow which, which conditions
//! determine whether an instruction runs at all, and where paths that set a register differently
//! meet.

use std::collections::BTreeSet;

use crate::language::code::{Function, Op, Program, Reg};

/// The control flow of a function.
pub(super) struct ControlFlow {
    /// For each instruction, the branches that directly determine whether it runs.
    deciders: Vec<Vec<usize>>,
    /// For each instruction, true if a run that reaches it can end normally.
    pub(super) leads_on: Vec<bool>,
    /// For each instruction, the registers that were set by different instructions on the paths to
    /// it.
    pub(super) merged: Vec<BTreeSet<Reg>>,
}

/// Returns the indices of the instructions that may follow an instruction. The number of
/// instructions represents the end of the function.
///
/// An instruction that always fails is an error in the rules, so nothing follows it. A refusal is
/// judged separately, and the instructions after it run only if the command wasn't refused.
pub(super) fn successors(code: &[Op], at: usize) -> Vec<usize> {
    match code[at] {
        Op::Return { .. } | Op::End { .. } => vec![code.len()],
        Op::NoMember {} | Op::NoRow { .. } => Vec::new(),
        // Nobody learns anything from a run that reports nothing, so the jump is ignored.
        Op::JumpIfSilent { .. } | Op::JumpIfMute { .. } => vec![at + 1],
        op => {
            let target = op.jump_target().map(|to| to.0 as usize);
            let next = (!op.never_falls_through()).then_some(at + 1);
            let mut all: Vec<usize> = next.into_iter().chain(target).collect();
            all.dedup();
            all
        }
    }
}

/// Returns the immediate dominator of each node of a graph: the last other node on all paths from
/// the root to the node. Nodes that the root doesn't reach have `None`, and the root has itself.
/// This is the iterative algorithm of Cooper, Harvey and Kennedy, “A simple, fast dominance
/// algorithm” (2001).
fn dominators(next: &[Vec<usize>], before: &[Vec<usize>], root: usize) -> Vec<Option<usize>> {
    // The nodes in reverse postorder: apart from loops, each node comes after its predecessors.
    let mut order = Vec::new();
    let mut seen = vec![false; next.len()];
    let mut open = vec![(root, 0)];
    seen[root] = true;
    while let Some((at, from)) = open.pop() {
        match next[at].get(from) {
            Some(&to) => {
                open.push((at, from + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    open.push((to, 0));
                }
            }
            None => order.push(at),
        }
    }
    order.reverse();
    let mut place = vec![usize::MAX; next.len()];
    for (index, &at) in order.iter().enumerate() {
        place[at] = index;
    }
    let mut dominator = vec![None; next.len()];
    dominator[root] = Some(root);
    let mut changed = true;
    while changed {
        changed = false;
        for &at in order.iter().skip(1) {
            let known = before[at].iter().copied().filter(|&from| dominator[from].is_some());
            let common = known.reduce(|mut a, mut b| {
                while a != b {
                    let later = if place[a] > place[b] { &mut a } else { &mut b };
                    *later = dominator[*later].unwrap_or(root);
                }
                a
            });
            if common.is_some() && dominator[at] != common {
                dominator[at] = common;
                changed = true;
            }
        }
    }
    dominator
}

/// Returns the dominance frontier of each node: the first nodes on the paths from it that it no
/// longer strictly dominates.
fn frontiers(before: &[Vec<usize>], dominator: &[Option<usize>], root: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); before.len()];
    for (at, from) in before.iter().enumerate() {
        let Some(last) = dominator[at] else { continue };
        let ways = from.iter().filter(|&&way| dominator[way].is_some());
        if ways.clone().count() < 2 && at != root {
            continue;
        }
        for &way in ways {
            let mut node = way;
            while node != last {
                if !found[node].contains(&at) {
                    found[node].push(at);
                }
                node = dominator[node].unwrap_or(root);
            }
        }
    }
    found
}

impl ControlFlow {
    /// Analyses the control flow of a function.
    pub(super) fn of(program: &Program, function: &Function) -> ControlFlow {
        let code = &function.code;
        let end = code.len();
        let mut next: Vec<Vec<usize>> = (0..end).map(|at| successors(code, at)).collect();
        next.push(Vec::new());
        let mut before = vec![Vec::new(); end + 1];
        for (at, all) in next.iter().enumerate() {
            for &to in all {
                before[to].push(at);
            }
        }
        // Run the algorithm backwards: an instruction depends on a branch if one path from the
        // branch always leads to it and another path doesn't.
        let sure = dominators(&before, &next, end);
        let deciders = frontiers(&next, &sure, end);
        let leads_on = sure[..end].iter().map(Option::is_some).collect();
        let merged = merged_registers(program, function, &next, &before);
        ControlFlow { deciders, leads_on, merged }
    }

    /// Returns all branches that determine, directly or through other branches, whether an
    /// instruction of the function runs.
    pub(super) fn all_deciders(&self, at: usize) -> Vec<usize> {
        let mut found = self.deciders[at].clone();
        let mut from = 0;
        while let Some(&branch) = found.get(from) {
            from += 1;
            for &other in &self.deciders[branch] {
                if !found.contains(&other) {
                    found.push(other);
                }
            }
        }
        found
    }
}

/// For each instruction, finds the registers that different instructions wrote on the paths that
/// meet there. Such paths meet at the iterated dominance frontiers of the writing instructions
/// (Cytron and others, “Efficiently computing static single assignment form and the control
/// dependence graph”, 1991).
fn merged_registers(
    program: &Program,
    function: &Function,
    next: &[Vec<usize>],
    before: &[Vec<usize>],
) -> Vec<BTreeSet<Reg>> {
    let dominator = dominators(next, before, 0);
    let frontier = frontiers(before, &dominator, 0);
    let mut merged = vec![BTreeSet::new(); next.len()];
    let mut open = Vec::new();
    for (at, &op) in function.code.iter().enumerate() {
        match op {
            Op::Call { call } => {
                let further = program.further.get(&call.function).map_or(0, Vec::len);
                open.extend((call.base..).take(further + 1).map(|reg| (at, reg)));
            }
            op => open.extend(op.written_register().map(|reg| (at, reg))),
        }
    }
    while let Some((at, reg)) = open.pop() {
        for &meeting in &frontier[at] {
            if merged[meeting].insert(reg) {
                open.push((meeting, reg));
            }
        }
    }
    merged
}
