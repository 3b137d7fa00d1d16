//! The registers of a function that still matter at each of its instructions.
//!
//! Two runs that stand at the same instruction go on in the same way if the registers still to be read agree. The
//! exact odds rely on that: a roll that has been judged is forgotten.

use super::super::code::{Effect, Function, Op, Program, Reg, TextPart};

/// For each instruction of a function, the registers that are read before they are written anew.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    words: usize,
    bits: Vec<u64>,
}

/// The effects of one instruction on registers and the flow of control.
#[derive(Default)]
struct Effects {
    reads: Vec<Reg>,
    writes: Option<Reg>,
    target: Option<usize>,
    leaves: bool,
}

impl Live {
    /// Finds the live registers of a function, going backwards until nothing changes.
    pub fn of(program: &Program, function: &Function) -> Live {
        let words = usize::from(function.registers) / 64 + 1;
        let length = function.code.len();
        let effects: Vec<Effects> =
            function.code.iter().map(|&op| Effects::of(program, op)).collect();
        let mut bits = vec![0u64; (length + 1) * words];
        let mut changed = true;
        let mut now = vec![0u64; words];
        while changed {
            changed = false;
            for (at, effect) in effects.iter().enumerate().rev() {
                now.fill(0);
                let after = |to: usize| bits[to.min(length) * words..][..words].iter();
                if !effect.leaves {
                    now.iter_mut().zip(after(at + 1)).for_each(|(a, b)| *a |= b);
                }
                if let Some(reg) = effect.writes {
                    now[usize::from(reg) / 64] &= !(1 << (reg % 64));
                }
                // Where a loop ends, its member is not written.
                if let Some(to) = effect.target {
                    now.iter_mut().zip(after(to)).for_each(|(a, b)| *a |= b);
                }
                for reg in &effect.reads {
                    now[usize::from(*reg) / 64] |= 1 << (reg % 64);
                }
                let place = &mut bits[at * words..][..words];
                if *place != *now {
                    place.copy_from_slice(&now);
                    changed = true;
                }
            }
        }
        Live { words, bits }
    }

    /// Returns true if a register still matters when the instruction at `at` is next.
    pub fn has(&self, at: usize, reg: Reg) -> bool {
        let word = self.bits.get(at * self.words + usize::from(reg) / 64);
        word.is_some_and(|w| w >> (reg % 64) & 1 == 1)
    }
}

impl Effects {
    fn of(program: &Program, mut op: Op) -> Effects {
        let mut effects = Effects { leaves: op.leaves(), ..Effects::default() };
        op.effects(&mut |effect| match effect {
            Effect::Read(reg) => effects.reads.push(reg),
            Effect::Written(reg) => effects.writes = Some(reg),
            Effect::Call(call) => {
                let params = program.functions[call.function.index()].params;
                effects.reads.extend(call.base..call.base + params);
                effects.writes = Some(call.base);
            }
            Effect::Template(template) => {
                for part in program.templates[template.0 as usize].iter() {
                    match part {
                        TextPart::Words(_) => {}
                        TextPart::Value(reg, _) | TextPart::Named(reg, _) => {
                            effects.reads.push(*reg);
                        }
                    }
                }
            }
            Effect::Way(way) => {
                let way = &program.ways[way.0 as usize];
                effects.reads.extend([way.from, way.to]);
                effects.reads.extend(way.base + 1..way.base + 1 + way.captured);
            }
            Effect::Bindings(bindings) => {
                let bindings = &program.bindings[bindings.0 as usize];
                effects.reads.extend(bindings.iter().map(|binding| binding.reg));
            }
            Effect::Target(to) => effects.target = Some(to.0 as usize),
        });
        effects
    }
}
