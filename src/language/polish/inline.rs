//! Puts functions where they are called.

use super::super::code::{Function, Op, Program, Reg, Target};
use super::super::flow::{self, falls_through, target};
use super::super::schema::{FunctionId, Schema, Unit};
use super::retarget;
use crate::source::Span;

/// Longer functions are called.
const MOST_INLINED: usize = 60;
/// No function grows beyond this by what is put into it.
const MOST_CODE: usize = 3_000;
/// No frame grows beyond this.
const MOST_REGISTERS: usize = 4_000;

/// What may be put where it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinds {
    /// Definitions and derived attributes; an error in them is told by the name of the caller.
    Definitions,
    /// Rules as well.
    All,
}

/// Puts small functions where they are called, and those that are called in one place only.
pub(super) fn put_in(
    schema: &Schema,
    program: &mut Program,
    index: usize,
    kinds: Kinds,
    calls: &[usize],
) -> bool {
    let function = &program.functions[index];
    let mut code: Vec<Op> = Vec::with_capacity(function.code.len());
    let mut spans: Vec<Span> = Vec::with_capacity(function.code.len());
    let mut registers = function.registers;
    // Where each old instruction has come to stand; jumps are set right at the end.
    let mut places: Vec<Target> = Vec::with_capacity(function.code.len() + 1);
    let mut ours: Vec<usize> = Vec::new();
    let mut changed = false;
    for (at, &op) in function.code.iter().enumerate() {
        places.push(code.len() as Target);
        let span = function.spans.get(at).copied().unwrap_or_default();
        let called = match op {
            Op::Call { function: called, base, .. } if called.index() != index => {
                let inner = &program.functions[called.index()];
                let fits = code.len() + inner.code.len() < MOST_CODE
                    && usize::from(base) + usize::from(inner.registers) + 1 < MOST_REGISTERS;
                let once = calls.get(called.index()) == Some(&1);
                (fits && can_be_put_in(schema, program, called, kinds, once))
                    .then_some((inner, base))
            }
            _ => None,
        };
        let Some((inner, base)) = called else {
            if target(op).is_some() {
                ours.push(code.len());
            }
            code.push(op);
            spans.push(span);
            continue;
        };
        changed = true;
        // What it leaves in the list store goes when it is over, as it would after a call. The mark stands
        // below its registers, as what it calls may have any of those above.
        let marked = !inner.gives_list && makes_lists(inner);
        let first = base + Reg::from(marked);
        registers = registers.max(first + inner.registers);
        if marked {
            for param in (0..inner.params).rev() {
                code.push(Op::Move { d: first + param, s: base + param });
            }
            code.push(Op::Mark { d: base });
        }
        let start = code.len() as Target;
        // A return is a move and a jump, so what comes after one stands further on.
        let mut inner_places = Vec::with_capacity(inner.code.len() + 1);
        let mut length = 0;
        for op in &inner.code {
            inner_places.push(start + length);
            length += if matches!(op, Op::Return { .. }) { 2 } else { 1 };
        }
        let end = start + length;
        spans.resize(code.len(), span);
        for (i, &op) in inner.code.iter().enumerate() {
            let span = inner.spans.get(i).copied().unwrap_or_default();
            if let Op::Return { a } = op {
                code.push(Op::Move { d: first, s: first + a });
                code.push(Op::Jump { to: end });
            } else {
                let mut op = shifted(op, first);
                if let Some(to) = target(op) {
                    retarget(&mut op, inner_places.get(to as usize).copied().unwrap_or(end));
                }
                code.push(op);
            }
            spans.resize(code.len(), span);
        }
        if marked {
            code.push(Op::Release { a: base });
            code.push(Op::Move { d: base, s: first });
        }
        spans.resize(code.len(), span);
    }
    places.push(code.len() as Target);
    if !changed {
        return false;
    }
    for at in ours {
        if let Some(to) = target(code[at]) {
            let to = places.get(to as usize).copied().unwrap_or(to);
            retarget(&mut code[at], to);
        }
    }
    let function = &mut program.functions[index];
    (function.code, function.spans, function.registers) = (code, spans, registers);
    true
}

/// Whether a function is short, hands none of its registers to a text or a search, and reads none before it
/// has set it.
fn can_be_put_in(
    schema: &Schema,
    program: &Program,
    id: FunctionId,
    kinds: Kinds,
    once: bool,
) -> bool {
    let unit = schema.units.get(id.index()).and_then(Option::as_ref);
    if kinds == Kinds::Definitions && !matches!(unit, Some(Unit::Computed(..) | Unit::Define(..))) {
        return false;
    }
    let function = &program.functions[id.index()];
    let code = &function.code;
    if code.is_empty() || (code.len() > MOST_INLINED && !once) {
        return false;
    }
    let movable = |op: &Op| match op {
        Op::Call { function, .. } => *function != id,
        Op::CallRule { .. } | Op::Way { .. } => false,
        op => {
            let mut elsewhere = false;
            flow::read_elsewhere(schema, program, *op, &mut |_| elsewhere = true);
            // A command that stops in the middle is told by its rule.
            !elsewhere && !matches!(op, Op::CheckBegin | Op::Verdict { .. } | Op::CheckEnd { .. })
        }
    };
    if !code.iter().all(movable) {
        return false;
    }
    let live = flow::live(schema, program, function);
    code.last().is_some_and(|&op| !falls_through(op))
        && (function.params..function.registers).all(|reg| !live.has(0, reg))
}

/// Whether a function leaves anything in the list store.
fn makes_lists(function: &Function) -> bool {
    function.code.iter().any(|op| {
        matches!(
            op,
            Op::GetList { .. }
                | Op::Listed { .. }
                | Op::Push { .. }
                | Op::Join { .. }
                | Op::Step { .. }
                | Op::Gather { .. }
                | Op::Call { .. }
        )
    })
}

/// The instruction with all its registers further up.
fn shifted(op: Op, by: Reg) -> Op {
    let mut op = op;
    flow::registers(&mut op, |_, reg| *reg += by);
    op
}
