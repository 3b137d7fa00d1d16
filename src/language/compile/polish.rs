//! Makes finished functions shorter without changing what they do.
//!
//! Small definitions and derived attributes are put where they are called; jumps to jumps go straight on;
//! values that nobody reads are not made; values that are only moved are made where they belong; a comparison
//! with a small number and the jump that hangs on it become one. Every instruction keeps its place in the
//! ruleset, so that errors still show it.

use super::super::code::{Function, Op, Program, Reg, Target};
use super::super::flow::{self, falls_through, target, written};
use super::super::schema::{FunctionId, Schema, Unit};
use crate::source::Span;

/// Longer functions are called.
const MOST_INLINED: usize = 60;
/// No function grows beyond this by what is put into it.
const MOST_CODE: usize = 3_000;
/// Definitions that call each other are put into each other so often.
const ROUNDS: usize = 4;

/// Polishes all functions of a program.
pub(super) fn polish(schema: &Schema, program: &mut Program) {
    for _ in 0..ROUNDS {
        let mut changed = false;
        for index in 0..program.functions.len() {
            tidy(schema, program, index);
        }
        for index in 0..program.functions.len() {
            changed |= put_in(schema, program, index);
        }
        if !changed {
            break;
        }
    }
    for index in 0..program.functions.len() {
        tidy(schema, program, index);
    }
}

/// Tidies one function until nothing more is found.
fn tidy(schema: &Schema, program: &mut Program, index: usize) {
    for _ in 0..12 {
        let mut function = std::mem::take(&mut program.functions[index]);
        // A function that calls itself reads its own parameters.
        program.functions[index].params = function.params;
        let live = flow::live(schema, program, &function);
        let straightened = straighten(&mut function, &live);
        let live = flow::live(schema, program, &function);
        let shortened = shorten(&mut function, &live);
        program.functions[index] = function;
        if !straightened && !shortened {
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

/// Jumps to jumps go straight on, as far as what they hang on is known and nothing that is read later is
/// passed by.
fn straighten(function: &mut Function, live: &flow::Live) -> bool {
    let code = &mut function.code;
    let landings = landings(code);
    let mut changed = false;
    for at in 0..code.len() {
        let Some(to) = target(code[at]) else { continue };
        let mut known: Vec<(Reg, bool)> = match code[at] {
            Op::JumpIf { a, .. } => vec![(a, true)],
            Op::JumpIfNot { a, .. } => vec![(a, false)],
            _ => Vec::new(),
        };
        // So is a flag made just before.
        if let (Op::Jump { .. }, Some(Op::Small { d, n })) =
            (code[at], at.checked_sub(1).map(|i| code[i]))
            && !landings[at]
        {
            known.push((d, n != 0));
        }
        // What was moved just before is known as well.
        if let (Some(&(a, truth)), Some(Op::Move { d, s })) =
            (known.first(), at.checked_sub(1).map(|i| code[i]))
            && s == a
            && !landings[at]
        {
            known.push((d, truth));
        }
        if let Some(onward) = beyond(code, live, to as usize, known)
            && onward != to as usize
        {
            retarget(&mut code[at], onward as Target);
            changed = true;
        }
    }
    changed
}

/// How far one can go from here knowing these flags, when what is passed by need not be done.
fn beyond(code: &[Op], live: &flow::Live, from: usize, known: Vec<(Reg, bool)>) -> Option<usize> {
    let mut known = known;
    let mut passed: Vec<Reg> = Vec::new();
    let (mut at, mut best) = (from, None);
    // Only forwards: the jump that ends a loop's round counts its steps.
    for _ in 0..32 {
        let truth = |reg: Reg| known.iter().rev().find(|(r, _)| *r == reg).map(|(_, t)| *t);
        let next = match *code.get(at)? {
            Op::Jump { to } => to as usize,
            Op::Move { d, s } => {
                let moved = truth(s);
                known.retain(|(r, _)| *r != d);
                known.extend(moved.map(|t| (d, t)));
                passed.push(d);
                at + 1
            }
            Op::Not { d, a } => match truth(a) {
                Some(t) => {
                    known.retain(|(r, _)| *r != d);
                    known.push((d, !t));
                    passed.push(d);
                    at + 1
                }
                None => return best,
            },
            Op::JumpIf { a, to } => match truth(a) {
                Some(true) => to as usize,
                Some(false) => at + 1,
                None => return best,
            },
            Op::JumpIfNot { a, to } => match truth(a) {
                Some(false) => to as usize,
                Some(true) => at + 1,
                None => return best,
            },
            _ => return best,
        };
        if next <= at {
            return best;
        }
        // Moves alone are no way gained.
        if target(code[at]).is_some() && passed.iter().all(|&reg| !live.has(next, reg)) {
            best = Some(next);
        }
        at = next;
    }
    best
}

/// Takes out what has no effect, and joins what belongs together.
fn shorten(function: &mut Function, live: &flow::Live) -> bool {
    let landings = landings(&function.code);
    let code = &mut function.code;
    let mut out = vec![false; code.len()];
    for at in 0..code.len() {
        if out[at] {
            continue;
        }
        let alone = |n: usize| (1..=n).all(|i| !landings.get(at + i).is_none_or(|l| *l));
        if let Op::Jump { to } = code[at]
            && to as usize == at + 1
        {
            out[at] = true;
            continue;
        }
        // Nothing leads here.
        if at > 0 && !landings[at] && !falls_through(code[at - 1]) && !out[at - 1] {
            let mut end = at;
            while end < code.len() && !landings[end] {
                out[end] = true;
                end += 1;
            }
            continue;
        }
        if is_harmless(code[at]) && written(code[at]).is_some_and(|d| !live.has(at + 1, d)) {
            out[at] = true;
            continue;
        }
        if let Op::Move { d, s } = code[at]
            && d == s
        {
            out[at] = true;
            continue;
        }
        if alone(2)
            && let Some(joined) = join(code, at, live)
        {
            code[at + 2] = joined;
            (out[at], out[at + 1]) = (true, true);
            continue;
        }
        if alone(1)
            && let Some(&Op::Move { d, s }) = code.get(at + 1)
            && written(code[at]) == Some(s)
            && !live.has(at + 2, s)
            && s != d
            && rename(&mut code[at], d)
        {
            out[at + 1] = true;
        }
    }
    let changed = out.iter().any(|o| *o);
    if changed {
        take_out(function, &out);
    }
    changed
}

/// A small number, a comparison with it, a jump that hangs on that: one instruction in place of the three.
fn join(code: &[Op], at: usize, live: &flow::Live) -> Option<Op> {
    let Op::Small { d: constant, n } = code[at] else { return None };
    let (jump, to) = match *code.get(at + 2)? {
        Op::JumpIf { a, to } => ((a, true), to),
        Op::JumpIfNot { a, to } => ((a, false), to),
        _ => return None,
    };
    let compared = *code.get(at + 1)?;
    let flag = written(compared)?;
    let dead = |reg: Reg| !live.has(at + 3, reg) && !live.has(to as usize, reg);
    if flag != jump.0 || !dead(flag) || !dead(constant) {
        return None;
    }
    let small = |n: i32| i16::try_from(n).ok();
    let over = |a: Reg, n: i32, yes: bool| {
        let n = small(n)?;
        Some(if yes { Op::JumpIfOver { a, n, to } } else { Op::JumpIfNotOver { a, n, to } })
    };
    let equal = |a: Reg, yes: bool| {
        let n = small(n)?;
        Some(if yes { Op::JumpIfEqual { a, n, to } } else { Op::JumpIfNotEqual { a, n, to } })
    };
    match compared {
        Op::Equal { a, b, .. } if b == constant && a != constant => equal(a, jump.1),
        Op::Equal { a, b, .. } if a == constant && b != constant => equal(b, jump.1),
        Op::NotEqual { a, b, .. } if b == constant && a != constant => equal(a, !jump.1),
        Op::NotEqual { a, b, .. } if a == constant && b != constant => equal(b, !jump.1),
        Op::Less { a, b, .. } if a == constant && b != constant => over(b, n, jump.1),
        Op::AtMost { a, b, .. } if a == constant && b != constant => {
            over(b, n.checked_sub(1)?, jump.1)
        }
        Op::Less { a, b, .. } if b == constant && a != constant => {
            over(a, n.checked_sub(1)?, !jump.1)
        }
        Op::AtMost { a, b, .. } if b == constant && a != constant => over(a, n, !jump.1),
        _ => None,
    }
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

/// Lets a simple instruction write another register.
fn rename(op: &mut Op, new: Reg) -> bool {
    match op {
        Op::Small { d, .. }
        | Op::Const { d, .. }
        | Op::Move { d, .. }
        | Op::Add { d, .. }
        | Op::Sub { d, .. }
        | Op::Whole { d, .. }
        | Op::Equal { d, .. }
        | Op::NotEqual { d, .. }
        | Op::Less { d, .. }
        | Op::AtMost { d, .. }
        | Op::Not { d, .. }
        | Op::Number { d, .. }
        | Op::Get { d, .. }
        | Op::GetList { d, .. }
        | Op::Holds { d, .. }
        | Op::InList { d, .. }
        | Op::Size { d, .. }
        | Op::Nth { d, .. }
        | Op::Collect { d, .. }
        | Op::Plan { d, .. }
        | Op::Step { d, .. }
        | Op::RollPool { d, .. } => *d = new,
        _ => return false,
    }
    true
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

/// Puts small functions where they are called.
fn put_in(schema: &Schema, program: &mut Program, index: usize) -> bool {
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
            Op::Call { function: called, base } if called.index() != index => {
                let inner = &program.functions[called.index()];
                let fits = code.len() + inner.code.len() < MOST_CODE
                    && usize::from(base) + usize::from(inner.registers) < 4_000;
                (fits && can_be_put_in(schema, program, called)).then_some((inner, base))
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
        registers = registers.max(base + inner.registers);
        let start = code.len() as Target;
        // A return is a move and a jump, so what comes after one stands further on.
        let mut inner_places = Vec::with_capacity(inner.code.len() + 1);
        let mut length = 0;
        for op in &inner.code {
            inner_places.push(start + length);
            length += if matches!(op, Op::Return { .. }) { 2 } else { 1 };
        }
        let end = start + length;
        for (i, &op) in inner.code.iter().enumerate() {
            let span = inner.spans.get(i).copied().unwrap_or_default();
            if let Op::Return { a } = op {
                code.push(Op::Move { d: base, s: base + a });
                code.push(Op::Jump { to: end });
                spans.extend([span, span]);
                continue;
            }
            let mut op = shifted(op, base);
            if let Some(to) = target(op) {
                retarget(&mut op, inner_places.get(to as usize).copied().unwrap_or(end));
            }
            code.push(op);
            spans.push(span);
        }
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

/// Whether a function is short, changes nothing, leaves nothing in the list store, calls nothing, and reads
/// no register before it has set it.
fn can_be_put_in(schema: &Schema, program: &Program, id: FunctionId) -> bool {
    let unit = schema.units.get(id.index()).and_then(Option::as_ref);
    if !matches!(unit, Some(Unit::Computed(..) | Unit::Define(..))) {
        return false;
    }
    let function = &program.functions[id.index()];
    let plain = |op: &Op| {
        matches!(
            op,
            Op::Small { .. }
                | Op::Const { .. }
                | Op::Move { .. }
                | Op::Add { .. }
                | Op::Sub { .. }
                | Op::Whole { .. }
                | Op::Negate { .. }
                | Op::Equal { .. }
                | Op::NotEqual { .. }
                | Op::Less { .. }
                | Op::AtMost { .. }
                | Op::Not { .. }
                | Op::Get { .. }
                | Op::Holds { .. }
                | Op::Plan { .. }
                | Op::Jump { .. }
                | Op::JumpIf { .. }
                | Op::JumpIfNot { .. }
                | Op::JumpIfEqual { .. }
                | Op::JumpIfNotEqual { .. }
                | Op::JumpIfOver { .. }
                | Op::JumpIfNotOver { .. }
                | Op::NextPiece { .. }
                | Op::NextMarked { .. }
                | Op::NextOf { .. }
                | Op::NextNumber { .. }
                | Op::Return { .. }
        )
    };
    let code = &function.code;
    if function.gives_list
        || code.is_empty()
        || code.len() > MOST_INLINED
        || !code.iter().all(plain)
    {
        return false;
    }
    let ends = code.last().is_some_and(|&op| !falls_through(op));
    let live = flow::live(schema, program, function);
    ends && (function.params..function.registers).all(|reg| !live.has(0, reg))
}

/// The instruction with all its registers further up.
fn shifted(op: Op, by: Reg) -> Op {
    let mut op = op;
    match &mut op {
        Op::Small { d, .. } | Op::Const { d, .. } => *d += by,
        Op::Move { d, s } => {
            *d += by;
            *s += by;
        }
        Op::Add { d, a, b }
        | Op::Sub { d, a, b }
        | Op::Whole { d, a, b, .. }
        | Op::Equal { d, a, b }
        | Op::NotEqual { d, a, b }
        | Op::Less { d, a, b }
        | Op::AtMost { d, a, b }
        | Op::Plan { d, a, b, .. } => {
            *d += by;
            *a += by;
            *b += by;
        }
        Op::Negate { d, a } | Op::Not { d, a } => {
            *d += by;
            *a += by;
        }
        Op::Get { d, row, .. } => {
            *d += by;
            *row += by;
        }
        Op::Holds { d, row, value, .. } => {
            *d += by;
            *row += by;
            *value += by;
        }
        Op::JumpIf { a, .. }
        | Op::JumpIfNot { a, .. }
        | Op::JumpIfEqual { a, .. }
        | Op::JumpIfNotEqual { a, .. }
        | Op::JumpIfOver { a, .. }
        | Op::JumpIfNotOver { a, .. } => *a += by,
        Op::NextPiece { d, at, .. } | Op::NextMarked { d, at, .. } => {
            *d += by;
            *at += by;
        }
        Op::NextOf { d, at, row, .. } => {
            *d += by;
            *at += by;
            *row += by;
        }
        Op::NextNumber { d, at, last, .. } => {
            *d += by;
            *at += by;
            *last += by;
        }
        _ => {}
    }
    op
}
