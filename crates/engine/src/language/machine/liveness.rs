//! The registers of a function that still matter at each of its instructions.
//!
//! Two runs at the same instruction continue in the same way if the registers still to be read have
//! the same values. The exact odds rely on this: once a roll has been judged, it is forgotten.

use super::super::code::{Function, NumberOp, Op, OpEffect, Program, Reg, TextPart};

/// The registers that each instruction of a function may still read before they are written again,
/// and the loops of the function.
#[derive(Clone, Debug, Default)]
pub(super) struct Liveness {
    registers: Vec<Vec<bool>>,
    loops: Vec<CodeLoop>,
}

/// A loop of a function, from the instruction that gives its next member up to `end`.
#[derive(Clone, Debug)]
pub(super) struct CodeLoop {
    pub(super) head: u32,
    pub(super) end: u32,
    /// The register that holds the position in the loop. The position only grows.
    pub(super) at: Reg,
    /// For a counted loop whose numbers only the loop itself reads, the register of the last
    /// number; `None` for other loops.
    pub(super) last: Option<Reg>,
    /// The register of the last number, and the registers that the iterations change for later
    /// code; `None` unless the iterations only add to these registers and never read them. If it is
    /// not `None`, all iterations are equal and independent of one another.
    pub(super) counters: Option<(Reg, Vec<Reg>)>,
}

impl CodeLoop {
    /// Returns a number that identifies an iteration. If only the number of remaining iterations
    /// matters, iterations with the same number of remaining ones get the same number.
    pub(super) fn turn_number(&self, at: i64, last: Option<i64>) -> i64 {
        last.map_or(at, |last| at.saturating_sub(last))
    }
}

/// The effects of one instruction on registers and on the flow of control.
#[derive(Default)]
struct InstructionEffects {
    reads: Vec<Reg>,
    writes: std::ops::Range<Reg>,
    target: Option<usize>,
    leaves: bool,
}

impl Liveness {
    /// Finds the live registers of a function by going through its code backwards until nothing
    /// changes, and then the loops of the function.
    pub(super) fn analyze(program: &Program, function: &Function) -> Liveness {
        let length = function.code.len();
        let registers = usize::from(function.registers);
        let effects: Vec<InstructionEffects> =
            function.code.iter().map(|&op| InstructionEffects::of_op(program, op)).collect();
        let mut live = vec![vec![false; registers]; length + 1];
        let mut changed = true;
        let mut now = vec![false; registers];
        while changed {
            changed = false;
            for (at, effect) in effects.iter().enumerate().rev() {
                if effect.leaves {
                    now.fill(false);
                } else {
                    now.copy_from_slice(&live[at + 1]);
                }
                effect.writes.clone().for_each(|reg| now[usize::from(reg)] = false);
                // At the end of a loop, no member is written, so the registers that are live there
                // stay live.
                if let Some(to) = effect.target {
                    now.iter_mut().zip(&live[to.min(length)]).for_each(|(a, b)| *a |= b);
                }
                effect.reads.iter().for_each(|reg| now[usize::from(*reg)] = true);
                if live[at] != now {
                    live[at].copy_from_slice(&now);
                    changed = true;
                }
            }
        }
        let mut loops = Vec::new();
        for (head, &op) in function.code.iter().enumerate() {
            let (at, last, counters, end) = match op {
                Op::NextPiece { at, end, .. }
                | Op::NextMarked { at, end, .. }
                | Op::NextOf { at, end, .. }
                | Op::NextIn { at, end, .. } => (at, None, None, end),
                Op::NextNumber { d, at, last, end } => {
                    // After jumps to jumps have been merged, `end` may be before the head.
                    let body = head + 1..(end.0 as usize).clamp(head + 1, length);
                    let touched = |e: &InstructionEffects| {
                        e.reads.iter().any(|r| *r == at || *r == last)
                            || e.writes.contains(&at)
                            || e.writes.contains(&last)
                    };
                    let quiet = !live[head + 1][usize::from(d)]
                        && !effects[body.clone()].iter().any(touched);
                    let own = quiet && !live[body.end][usize::from(last)];
                    let matters = |r: &Reg| *r != at && live[head][usize::from(*r)];
                    let matters = (0..registers as Reg).filter(matters);
                    let code = &function.code[body.clone()];
                    // The iterations are not equal if one of them can leave the loop.
                    let stays =
                        effects[body.clone()].iter().zip(code).all(|(effect, instruction)| {
                            let to = effect.target.unwrap_or(head);
                            (head..body.end).contains(&to)
                                && !matches!(instruction, Op::End { .. } | Op::Return { .. })
                        });
                    let counters = || Some((last, counters(code, &effects[body], matters)?));
                    (at, own.then_some(last), (quiet && stays).then(counters).flatten(), end)
                }
                _ => continue,
            };
            loops.push(CodeLoop { head: head as u32, end: end.0, at, last, counters });
        }
        Liveness { registers: live, loops }
    }

    /// Returns the loops of the function, outer ones first.
    pub(super) fn loops(&self) -> &[CodeLoop] {
        &self.loops
    }

    /// Returns true if a register still matters when the instruction at `at` is next.
    pub(super) fn is_live(&self, at: usize, reg: Reg) -> bool {
        self.registers.get(at).and_then(|live| live.get(usize::from(reg))).is_some_and(|live| *live)
    }
}

/// Returns the registers among `registers` that the code changes; `None` unless the code only adds
/// to them and never reads them.
fn counters(
    code: &[Op],
    effects: &[InstructionEffects],
    registers: impl Iterator<Item = Reg>,
) -> Option<Vec<Reg>> {
    // Recognizes `n += x`, and `n = n + x` if the sum is moved from another register.
    let adds = |at: usize, reg: Reg| match (code.get(at).copied(), code.get(at + 1).copied()) {
        (Some(Op::Number { op: NumberOp::Add, fraction: false, d, a, b }), then) => {
            let moved = matches!(then, Some(Op::Move { d: to, s }) if (to, s) == (reg, d));
            a == reg && b != reg && (d == reg || moved)
        }
        _ => false,
    };
    let counts = |reg: Reg| {
        effects.iter().enumerate().all(|(at, effect)| {
            let moves = |index| matches!(code[index], Op::Move { .. }) && adds(index - 1, reg);
            let reads = effect.reads.contains(&reg) && !adds(at, reg);
            let writes = effect.writes.contains(&reg) && !adds(at, reg) && (at == 0 || !moves(at));
            !reads && !writes
        })
    };
    let written = |reg: &Reg| effects.iter().any(|effect| effect.writes.contains(reg));
    registers.filter(written).map(|reg| counts(reg).then_some(reg)).collect()
}

impl InstructionEffects {
    fn of_op(program: &Program, mut op: Op) -> InstructionEffects {
        let mut effects = InstructionEffects {
            leaves: op.never_falls_through(),
            ..InstructionEffects::default()
        };
        op.visit_effects(&mut |effect| match effect {
            OpEffect::Read(reg) => effects.reads.push(*reg),
            OpEffect::Written(reg) => effects.writes = *reg..*reg + 1,
            OpEffect::Call(call) => {
                let params = program.functions[call.function.index()].params;
                effects.reads.extend(call.base..call.base + params);
                let further = program.further.get(&call.function).map_or(0, Vec::len) as Reg;
                effects.writes = call.base..call.base + 1 + further;
            }
            OpEffect::Template(template) => {
                for part in program.templates[template.index()].iter() {
                    match part {
                        TextPart::Words(_) => {}
                        TextPart::Value(reg, _)
                        | TextPart::Named(reg, _)
                        | TextPart::Counted(reg, ..) => {
                            effects.reads.push(*reg);
                        }
                    }
                }
            }
            OpEffect::Way(way) => {
                let way = &program.ways[way.0 as usize];
                effects.reads.extend([way.from, way.to]);
                effects.reads.extend(way.base + 1..way.base + 1 + way.captured);
            }
            OpEffect::Bindings(bindings) => {
                let bindings = &program.bindings[bindings.0 as usize];
                effects.reads.extend(bindings.iter().map(|binding| binding.reg));
            }
            OpEffect::Target(to) => effects.target = Some(to.0 as usize),
        });
        effects
    }
}
