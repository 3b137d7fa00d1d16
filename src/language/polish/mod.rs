//! Makes finished functions shorter without changing what they do.
//!
//! Small definitions and derived attributes are put where they are called; what is known of a register is
//! used where it is read; jumps to jumps go straight on; values that nobody reads are not made; a condition
//! and the jump or the loop that hangs on it become one instruction. Every instruction keeps its place in the
//! ruleset, so that errors still show it.

mod analysis;
mod facts;
mod fold;
mod fuse;
mod inline;
mod shorten;
mod specialise;

pub use facts::Facts;
pub use specialise::specialise;

use super::code::{Function, Op, Program, Target};
use super::flow::{self, target};
use super::schema::Schema;
use analysis::Analysis;
use inline::Kinds;

/// Definitions that call each other are put into each other so often.
const ROUNDS: usize = 4;

/// Polishes all functions of a program.
pub(super) fn polish(schema: &Schema, program: &mut Program) {
    let all: Vec<usize> = (0..program.functions.len()).collect();
    let facts = Facts::default();
    for _ in 0..ROUNDS {
        let mut changed = false;
        all.iter().for_each(|&index| tidy(schema, program, &facts, index));
        for &index in &all {
            changed |= inline::put_in(schema, program, index, Kinds::Definitions, &[]);
        }
        if !changed {
            break;
        }
    }
    for &index in &all {
        finish(schema, program, &facts, index);
    }
}

/// Tidies and fuses a function; what is fused can be tidied once more.
fn finish(schema: &Schema, program: &mut Program, facts: &Facts, index: usize) {
    for _ in 0..2 {
        tidy(schema, program, facts, index);
        fuse::fuse(schema, program, index);
    }
}

/// Tidies one function until nothing more is found.
fn tidy(schema: &Schema, program: &mut Program, facts: &Facts, index: usize) {
    for _ in 0..12 {
        let mut function = std::mem::take(&mut program.functions[index]);
        // A function that calls itself reads its own parameters.
        program.functions[index].params = function.params;
        let folded = fold::fold(&Analysis { schema, program, facts }, &mut function);
        let live = flow::live(schema, program, &function);
        let shortened = shorten::shorten(&mut function, &live);
        program.functions[index] = function;
        if !folded && !shortened {
            return;
        }
    }
}

/// Which instructions are jumped to.
fn landings(code: &[Op]) -> Vec<bool> {
    let mut landings = vec![false; code.len() + 1];
    for to in code.iter().filter_map(|&op| target(op)) {
        if let Some(place) = landings.get_mut(to as usize) {
            *place = true;
        }
    }
    landings
}

fn retarget(op: &mut Op, new: Target) {
    if let Some(to) = op.target_mut() {
        *to = new;
    }
}

/// Closes the gaps; jumps follow.
fn take_out(function: &mut Function, out: &[bool]) {
    let mut places = Vec::with_capacity(out.len() + 1);
    let mut next = 0;
    for &gone in out {
        places.push(next);
        next += Target::from(!gone);
    }
    places.push(next);
    let mut code = Vec::with_capacity(next as usize);
    let mut spans = Vec::with_capacity(next as usize);
    for (at, &gone) in out.iter().enumerate() {
        if gone {
            continue;
        }
        let mut op = function.code[at];
        if let Some(to) = target(op) {
            retarget(&mut op, places.get(to as usize).copied().unwrap_or(next));
        }
        code.push(op);
        spans.push(function.spans.get(at).copied().unwrap_or_default());
    }
    function.code = code;
    function.spans = spans;
}

/// Whether an instruction only makes a value and cannot fail.
fn is_harmless(op: Op) -> bool {
    matches!(
        op,
        Op::Small { .. }
            | Op::Const { .. }
            | Op::Move { .. }
            | Op::Equal { .. }
            | Op::NotEqual { .. }
            | Op::Less { .. }
            | Op::AtMost { .. }
            | Op::Not { .. }
            | Op::Mark { .. }
    )
}
