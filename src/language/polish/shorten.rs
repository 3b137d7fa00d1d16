//! Takes out what has no effect, and joins what belongs together.

use super::super::code::{Function, Op, Reg};
use super::super::flow::{self, Use, falls_through, target, written};
use super::{is_harmless, landings, take_out};

/// Takes out what has no effect, and joins what belongs together.
pub(super) fn shorten(function: &mut Function, live: &flow::Live) -> bool {
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
        // A jump over a jump.
        if let Some(Op::Jump { to }) = code.get(at + 1).copied()
            && target(code[at]) == Some(at as u32 + 2)
            && !landings[at + 1]
            && let Some(other) = code[at].otherwise(to)
        {
            code[at] = other;
            out[at + 1] = true;
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
            && write_to(&mut code[at], d)
        {
            out[at + 1] = true;
        }
    }
    let mut changed = out.iter().any(|o| *o);
    if changed {
        take_out(function, &out);
    } else {
        changed = sink(function, live, &landings);
    }
    changed
}

/// Makes a value only after the jump that leads to where nobody reads it.
fn sink(function: &mut Function, live: &flow::Live, landings: &[bool]) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at + 1 < function.code.len() {
        let (value, jump) = (function.code[at], function.code[at + 1]);
        if !landings[at + 1] && is_harmless(value) && passes_by(value, jump, live) {
            function.code.swap(at, at + 1);
            function.spans.swap(at, at + 1);
            changed = true;
            at += 1;
        }
        at += 1;
    }
    changed
}

/// Whether a value can as well be made after a jump that has nothing to do with it.
fn passes_by(value: Op, jump: Op, live: &flow::Live) -> bool {
    let (Some(to), Some(d)) = (target(jump), written(value)) else { return false };
    let once = matches!(jump, Op::Only { .. } | Op::StepTo { .. }) || jump.otherwise(to).is_some();
    if !once || live.has(to as usize, d) {
        return false;
    }
    let mut apart = true;
    let mut reads = Vec::new();
    flow::registers(&mut { value }, |how, reg| {
        if how == Use::Reads {
            reads.push(*reg);
        }
    });
    flow::registers(&mut { jump }, |how, reg| {
        apart &= *reg != d && (how == Use::Reads || !reads.contains(reg));
    });
    apart
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

/// Lets an instruction write another register; false if it must write its own.
fn write_to(op: &mut Op, new: Reg) -> bool {
    // The member of a loop is written in one of two ways only, and a call writes where it was given room.
    if target(*op).is_some() || matches!(op, Op::Tally { .. }) {
        return false;
    }
    let mut done = false;
    flow::registers(op, |how, reg| {
        if how == Use::Writes {
            *reg = new;
            done = true;
        }
    });
    done
}
