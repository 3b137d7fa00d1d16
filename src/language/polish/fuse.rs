//! Puts into one instruction what would be several: an attribute and the jump that hangs on it, a loop and the
//! conditions of its members, a list of all that pass. Done last.

use super::super::code::{CellTest, FilterId, Function, Op, Program, Reg, Sweep, Target, Test};
use super::super::flow;
use super::super::schema::Schema;
use super::{landings, take_out};

/// More conditions are not put into one loop.
const MOST_TESTS: usize = 8;

/// Fuses what can be fused, until nothing more is found.
pub(super) fn fuse(schema: &Schema, program: &mut Program, index: usize) {
    if program.filters.is_empty() {
        program.filters.push(Vec::new());
    }
    for _ in 0..12 {
        let mut function = std::mem::take(&mut program.functions[index]);
        program.functions[index].params = function.params;
        let live = flow::live(schema, program, &function);
        let changed = once(program, &mut function, &live);
        program.functions[index] = function;
        if !changed {
            return;
        }
    }
}

fn once(program: &mut Program, function: &mut Function, live: &flow::Live) -> bool {
    let landings = landings(&function.code);
    let code = &mut function.code;
    let mut out = vec![false; code.len()];
    let mut at = 0;
    while at + 1 < code.len() {
        if !landings[at + 1]
            && let Some(joined) =
                asked_and_jumped(code, at, live).or_else(|| compared_and_jumped(code, at, live))
        {
            code[at + 1] = joined;
            // Of the two only the question about the piece can go wrong.
            if let Some(&span) = function.spans.get(at) {
                function.spans[at + 1] = span;
            }
            out[at] = true;
            at += 2;
        } else if !landings[at + 1]
            && let Some(test) = condition(code, at, live)
            && let Some(filtered) = filtered(program, code[at], test)
        {
            code[at] = filtered;
            out[at + 1] = true;
            at += 2;
        } else if !landings[at + 1]
            && let Some(step) = stepped(code, at, live)
        {
            code[at + 1] = step;
            if let Some(&span) = function.spans.get(at) {
                function.spans[at + 1] = span;
            }
            out[at] = true;
            at += 2;
        } else if let Some((tally, length)) = tallied(code, at, live, &landings) {
            code[at] = tally;
            out[at + 1..at + length].fill(true);
            at += length;
        } else if let Some((gather, length)) = gathered(code, at, live, &landings) {
            code[at] = gather;
            out[at + 1..at + length].fill(true);
            at += length;
        } else {
            at += 1;
        }
    }
    let changed = out.iter().any(|o| *o);
    if changed {
        take_out(function, &out);
    }
    changed
}

/// An attribute of a piece that only decides a jump.
fn asked_and_jumped(code: &[Op], at: usize, live: &flow::Live) -> Option<Op> {
    let Op::Get { d, column, row } = code[at] else { return None };
    let (a, test, n, to) = match code[at + 1] {
        Op::JumpIf { a, to } => (a, Test::NotEqual, 0, to),
        Op::JumpIfNot { a, to } => (a, Test::Equal, 0, to),
        Op::JumpIfEqual { a, n, to } => (a, Test::Equal, n, to),
        Op::JumpIfNotEqual { a, n, to } => (a, Test::NotEqual, n, to),
        Op::JumpIfOver { a, n, to } => (a, Test::Over, n, to),
        Op::JumpIfNotOver { a, n, to } => (a, Test::NotOver, n, to),
        _ => return None,
    };
    let unread = !live.has(at + 2, d) && !live.has(to as usize, d);
    (a == d && unread).then_some(Op::JumpIfCell { test, column, row, n, to })
}

/// A comparison that only decides a jump.
fn compared_and_jumped(code: &[Op], at: usize, live: &flow::Live) -> Option<Op> {
    let (flag, yes, to) = match code[at + 1] {
        Op::JumpIf { a, to } => (a, true, to),
        Op::JumpIfNot { a, to } => (a, false, to),
        _ => return None,
    };
    let (d, jump) = match code[at] {
        Op::Equal { d, a, b } => (d, Op::JumpIfSame { a, b, to }),
        Op::NotEqual { d, a, b } => (d, Op::JumpIfNotSame { a, b, to }),
        Op::Less { d, a, b } => (d, Op::JumpIfLess { a, b, to }),
        Op::AtMost { d, a, b } => (d, Op::JumpIfNotLess { a: b, b: a, to }),
        Op::Not { d, a } => (d, Op::JumpIfNot { a, to }),
        _ => return None,
    };
    let unread = !live.has(at + 2, d) && !live.has(to as usize, d);
    let jump = if yes { Some(jump) } else { jump.otherwise(to) };
    jump.filter(|_| d == flag && unread)
}

/// The condition on which the body of a loop that begins here is passed over, turned about.
fn condition(code: &[Op], at: usize, live: &flow::Live) -> Option<CellTest> {
    let Op::JumpIfCell { test, column, row, n, to } = code[at + 1] else { return None };
    let to = to as usize;
    let goes_to = |place: usize| {
        to == place || matches!(code.get(to), Some(Op::Jump { to }) if *to as usize == place)
    };
    let (d, again) = match code[at] {
        Op::NextPiece { d, .. }
        | Op::NextMarked { d, .. }
        | Op::NextOf { d, .. }
        | Op::NextIn { d, .. } => (d, goes_to(at)),
        // There is no other member.
        Op::Only { d, end, .. } | Op::StepTo { d, end, .. } => (d, goes_to(end as usize)),
        _ => return None,
    };
    // The last member that does not pass is no longer written.
    let unread = flow::target(code[at]).is_none_or(|end| !live.has(end as usize, d));
    (row == d && again && unread).then_some(CellTest { column, test: test.otherwise(), n })
}

/// The loop with one more condition.
fn filtered(program: &mut Program, op: Op, test: CellTest) -> Option<Op> {
    let mut op = op;
    let filter = op.filter_mut()?;
    let mut tests = program.filters.get(usize::from(*filter))?.clone();
    if !tests.contains(&test) {
        tests.push(test);
    }
    if tests.len() > MOST_TESTS {
        return None;
    }
    *filter = filter_of(program, tests)?;
    Some(op)
}

fn filter_of(program: &mut Program, tests: Vec<CellTest>) -> Option<FilterId> {
    let place = match program.filters.iter().position(|known| *known == tests) {
        Some(place) => place,
        None => {
            program.filters.push(tests);
            program.filters.len() - 1
        }
    };
    FilterId::try_from(place).ok()
}

/// A step to the area that is all that is wanted of it.
fn stepped(code: &[Op], at: usize, live: &flow::Live) -> Option<Op> {
    let Op::Step { d: list, a, b, n } = code[at] else { return None };
    let Op::Only { d, a: from, filter, end } = code[at + 1] else { return None };
    let unread = (d == list || !live.has(at + 2, list)) && !live.has(end as usize, list);
    (from == list && unread).then_some(Op::StepTo { d, a, b, n, filter, end })
}

/// A loop that does nothing but count its members; and how many instructions it has.
fn tallied(code: &[Op], at: usize, live: &flow::Live, landings: &[bool]) -> Option<(Op, usize)> {
    let &[Op::Small { d: place, n: 0 }, next, Op::AddSmall { d, a, n: 1 }, Op::Jump { to: again }] =
        code.get(at..at + 4)?
    else {
        return None;
    };
    let (member, moved, over, filter, end) = swept(next)?;
    let fits = d == a
        && moved == place
        && again as usize == at + 1
        && end as usize == at + 4
        && !landings[at + 2]
        && !landings[at + 3]
        && ![place, member].contains(&d)
        && apart(over, &[d, place, member])
        && [place, member].iter().all(|&reg| !live.has(at + 4, reg));
    fits.then_some((Op::Tally { d, over, filter }, 4))
}

/// What a loop sweeps over: its member, its place, and where it ends.
fn swept(next: Op) -> Option<(Reg, Reg, Sweep, FilterId, Target)> {
    Some(match next {
        Op::NextPiece { d, at, kind, filter, end } => (d, at, Sweep::Pieces(kind), filter, end),
        Op::NextMarked { d, at, column, filter, end } => {
            (d, at, Sweep::Marked(column), filter, end)
        }
        Op::NextOf { d, at, list, row, filter, end } => (d, at, Sweep::Of(list, row), filter, end),
        Op::NextIn { d, at, a, filter, end } => (d, at, Sweep::In(a), filter, end),
        _ => return None,
    })
}

/// Whether what is swept over stands in none of these registers.
fn apart(over: Sweep, others: &[Reg]) -> bool {
    match over {
        Sweep::Of(_, reg) | Sweep::In(reg) => !others.contains(&reg),
        Sweep::Pieces(_) | Sweep::Marked(_) => true,
    }
}

/// A loop that does nothing but put its members into a list; and how many instructions it has.
fn gathered(code: &[Op], at: usize, live: &flow::Live, landings: &[bool]) -> Option<(Op, usize)> {
    let &[
        Op::Mark { d: mark },
        Op::Small { d: place, n: 0 },
        next,
        Op::Push { a: member },
        Op::Jump { to: again },
        Op::Collect { d, a: from },
    ] = code.get(at..at + 6)?
    else {
        return None;
    };
    let (written, moved, over, filter, end) = swept(next)?;
    let fits = written == member
        && moved == place
        && from == mark
        && again as usize == at + 2
        && end as usize == at + 5
        && !landings[at + 1]
        && !landings[at + 3]
        && !landings[at + 4]
        && apart(over, &[mark, place, member])
        && [mark, place, member].iter().all(|&reg| reg == d || !live.has(at + 6, reg));
    fits.then_some((Op::Gather { d, over, filter }, 6))
}
