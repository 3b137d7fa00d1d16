//! The program of simulations: rule text for hosts that want no events, in fewer and larger instructions.
//!
//! Instructions that only report go. Faults of limits that the whole rules would meet (too many members, calls or steps)
//! may come later or not at all.

use std::cell::LazyCell;
use std::sync::Arc;

use super::sieve::Loops;
use super::{Facts, Function, Op, Program, Target};
use crate::language::machine::Live;
use crate::language::schema::{FunctionId, Schema};
use crate::source::Span;

/// The most times that functions are made shorter and put in the place of their calls.
const MOST_ROUNDS: usize = 8;
/// The most jumps to jumps that are made one.
const MOST_HOPS: usize = 4;

impl Program {
    /// Returns the program for hosts that want no events, of games in which only the functions `run` are called, and these
    /// facts hold as they begin. Other functions stay as they are. It runs over a table of which all is known, and in one
    /// go: what a loop asks by itself is neither done again nor written down.
    pub fn silent(&self, schema: &Schema, run: &[FunctionId], facts: Facts) -> Program {
        let mut program = self.clone();
        let reached = self.called_from(run);
        for id in &reached {
            let function = Arc::make_mut(&mut program.functions[id.index()]);
            for op in &mut function.code {
                if let Op::JumpIfSilent { to } | Op::JumpIfMute { to } = *op {
                    *op = Op::Jump { to };
                }
            }
            let gone: Vec<bool> = function.code.iter().map(|op| op.only_reports()).collect();
            function.remove(&gone);
        }
        program.inline_calls(&reached);
        let (facts, mut changed) = facts.lasting(&program, schema, run);
        for _ in 0..MOST_ROUNDS {
            for id in changed {
                let shorter = program.functions[id.index()].shortened(&program, schema, id, &facts);
                program.functions[id.index()] = shorter.into();
            }
            // Some are short only now, and others no longer called.
            changed = program.inline_calls(&program.called_from(run));
        }
        let reached = program.called_from(run);
        let whole = program.clone();
        for id in &reached {
            let before = &whole.functions[id.index()];
            let function = Arc::make_mut(&mut program.functions[id.index()]);
            let live = LazyCell::new(|| Live::of(&whole, before));
            let is_read = |at, reg| live.has(at, reg);
            let loops = Loops::of(&mut function.code, schema, &is_read);
            let gone = loops.sift(&mut program.sieves);
            function.remove(&gone);
        }
        program.indexed.extend(program.sieves.iter().flat_map(|sieve| &sieve.marked));
        program
    }
}

/// Returns from how many places each instruction, and the end, is led to.
pub(super) fn led_to(code: &[Op]) -> Vec<usize> {
    let mut count = vec![0; code.len() + 1];
    code.iter().filter_map(|op| op.leads_to()).for_each(|to| count[to.0 as usize] += 1);
    count
}

impl Function {
    /// Takes instructions out, and jumps over none.
    pub(super) fn remove(&mut self, gone: &[bool]) {
        (self.code, self.spans) = without(&self.code, &self.spans, gone);
    }
}

/// Takes instructions out, and jumps over none.
fn without(code: &[Op], spans: &[Span], gone: &[bool]) -> (Vec<Op>, Vec<Span>) {
    // How many instructions are kept from each on, and so where each goes.
    let mut kept = vec![0; code.len() + 1];
    for (at, op) in code.iter().enumerate().rev() {
        let over_none = matches!(*op, Op::Jump { to }
            if to.0 as usize > at && kept[to.0 as usize] == kept[at + 1]);
        kept[at] = kept[at + 1] + u32::from(!gone[at] && !over_none);
    }
    let place = |at: usize| kept[0] - kept[at];
    let stays = |at: &usize| kept[*at] != kept[at + 1];
    let moved = |at: usize| {
        let mut op = code[at];
        op.lead(|mut to| {
            // What a jump leads to may be a jump itself.
            for _ in 0..MOST_HOPS {
                let Op::Jump { to: on } = code[to.0 as usize] else { break };
                to = on;
            }
            Target(place(to.0 as usize))
        });
        op
    };
    let ops = (0..code.len()).filter(stays).map(moved).collect();
    (ops, (0..code.len()).filter(stays).map(|at| spans[at]).collect())
}
