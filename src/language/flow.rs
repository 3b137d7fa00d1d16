//! Which registers an instruction reads and writes, where it leads, and which registers still matter.
//!
//! Two runs that stand at the same instruction go on alike if the registers that are still read agree; what
//! the others hold is a leftover. The exact odds live by that: a roll that has been judged is forgotten.

use super::code::{Function, Op, Program, Reg, Target, TextPart};
use super::schema::Schema;

/// For each instruction of a function, the registers that are read before they are written anew.
#[derive(Clone, Debug, Default)]
pub struct Live {
    words: usize,
    bits: Vec<u64>,
}

impl Live {
    /// Whether a register still matters when the instruction at `at` is next.
    pub fn has(&self, at: usize, reg: Reg) -> bool {
        let word = self.bits.get(at * self.words + usize::from(reg) / 64);
        word.is_some_and(|w| w >> (reg % 64) & 1 == 1)
    }
}

/// Works out the live registers of a function, backwards until nothing changes.
pub fn live(schema: &Schema, program: &Program, function: &Function) -> Live {
    let words = usize::from(function.registers) / 64 + 1;
    let length = function.code.len();
    let mut bits = vec![0u64; (length + 1) * words];
    let mut changed = true;
    while changed {
        changed = false;
        for (at, &op) in function.code.iter().enumerate().rev() {
            let mut now = vec![0u64; words];
            let after = |to: usize| bits[to.min(length) * words..][..words].iter();
            if falls_through(op) {
                now.iter_mut().zip(after(at + 1)).for_each(|(a, b)| *a |= b);
                if let Some(reg) = written(op)
                    && let Some(word) = now.get_mut(usize::from(reg) / 64)
                {
                    *word &= !(1 << (reg % 64));
                }
            }
            // Where a loop ends, its member is not written.
            if let Some(to) = target(op) {
                now.iter_mut().zip(after(to as usize)).for_each(|(a, b)| *a |= b);
            }
            read(schema, program, op, &mut |reg| {
                if let Some(word) = now.get_mut(usize::from(reg) / 64) {
                    *word |= 1 << (reg % 64);
                }
            });
            let place = &mut bits[at * words..][..words];
            if place != now {
                place.copy_from_slice(&now);
                changed = true;
            }
        }
    }
    Live { words, bits }
}

/// Whether the next instruction can follow.
pub fn falls_through(op: Op) -> bool {
    !matches!(op, Op::Jump { .. } | Op::Return { .. } | Op::NoRow { .. })
}

/// Where an instruction may lead besides the next one.
pub fn target(op: Op) -> Option<Target> {
    let mut op = op;
    op.target_mut().copied()
}

/// The register an instruction writes, if the next one follows. The place of a loop is read as well, so it
/// counts among the registers read.
pub fn written(op: Op) -> Option<Reg> {
    match op {
        Op::Small { d, .. }
        | Op::Const { d, .. }
        | Op::Move { d, .. }
        | Op::Add { d, .. }
        | Op::Sub { d, .. }
        | Op::Whole { d, .. }
        | Op::Negate { d, .. }
        | Op::Absolute { d, .. }
        | Op::Equal { d, .. }
        | Op::NotEqual { d, .. }
        | Op::Less { d, .. }
        | Op::AtMost { d, .. }
        | Op::Not { d, .. }
        | Op::Widen { d, .. }
        | Op::Number { d, .. }
        | Op::NumberNegate { d, .. }
        | Op::NumberAbsolute { d, .. }
        | Op::Round { d, .. }
        | Op::SameList { d, .. }
        | Op::Get { d, .. }
        | Op::GetList { d, .. }
        | Op::Holds { d, .. }
        | Op::InList { d, .. }
        | Op::Size { d, .. }
        | Op::Nth { d, .. }
        | Op::Mark { d }
        | Op::Collect { d, .. }
        | Op::NextPiece { d, .. }
        | Op::NextMarked { d, .. }
        | Op::NextOf { d, .. }
        | Op::NextIn { d, .. }
        | Op::NextNumber { d, .. }
        | Op::Chart { d, .. }
        | Op::Way { d, .. }
        | Op::Plan { d, .. }
        | Op::Step { d, .. }
        | Op::Text { d, .. }
        | Op::RollPool { d, .. }
        | Op::RollDice { d, .. }
        | Op::Make { d, .. }
        | Op::Draw { d, .. }
        | Op::Pick { d, .. }
        | Op::AskAmong { d, .. }
        | Op::AskBetween { d, .. }
        | Op::AskFlag { d, .. } => Some(d),
        Op::Call { base, .. } | Op::CallRule { base, .. } => Some(base),
        Op::Jump { .. }
        | Op::JumpIf { .. }
        | Op::JumpIfNot { .. }
        | Op::JumpIfEqual { .. }
        | Op::JumpIfNotEqual { .. }
        | Op::JumpIfOver { .. }
        | Op::JumpIfNotOver { .. }
        | Op::JumpIfSilent { .. }
        | Op::JumpIfMute { .. }
        | Op::JumpIfGone { .. }
        | Op::Set { .. }
        | Op::SetList { .. }
        | Op::ListAdd { .. }
        | Op::ListTake { .. }
        | Op::Push { .. }
        | Op::PushList { .. }
        | Op::Release { .. }
        | Op::Return { .. }
        | Op::CheckBegin
        | Op::Modify { .. }
        | Op::Throw { .. }
        | Op::Need { .. }
        | Op::Verdict { .. }
        | Op::CheckEnd { .. }
        | Op::Tell { .. }
        | Op::Remove { .. }
        | Op::Empty { .. }
        | Op::Shuffled { .. }
        | Op::Put { .. }
        | Op::NoRow { .. }
        | Op::Repeats { .. } => None,
    }
}

/// All registers an instruction reads. No kind of instruction is left to a wildcard: one that were forgotten
/// here would give wrong odds.
pub fn read(schema: &Schema, program: &Program, op: Op, tell: &mut dyn FnMut(Reg)) {
    let text = |template: u32, tell: &mut dyn FnMut(Reg)| {
        for part in program.templates.get(template as usize).into_iter().flatten() {
            match part {
                TextPart::Words(_) => {}
                TextPart::Value(reg, _) | TextPart::Named(reg, _) => tell(*reg),
            }
        }
    };
    match op {
        Op::Small { .. }
        | Op::Const { .. }
        | Op::Jump { .. }
        | Op::JumpIfSilent { .. }
        | Op::JumpIfMute { .. }
        | Op::Mark { .. }
        | Op::CheckBegin
        | Op::RollPool { .. }
        | Op::Empty { .. }
        | Op::Shuffled { .. }
        | Op::Draw { .. } => {}
        Op::Move { s, .. } => tell(s),
        Op::Add { a, b, .. }
        | Op::Sub { a, b, .. }
        | Op::Whole { a, b, .. }
        | Op::Equal { a, b, .. }
        | Op::NotEqual { a, b, .. }
        | Op::Less { a, b, .. }
        | Op::AtMost { a, b, .. }
        | Op::Number { a, b, .. }
        | Op::SameList { a, b, .. }
        | Op::Chart { a, b, .. }
        | Op::Plan { a, b, .. } => [a, b].into_iter().for_each(tell),
        Op::Negate { a, .. }
        | Op::Absolute { a, .. }
        | Op::Not { a, .. }
        | Op::Widen { a, .. }
        | Op::NumberNegate { a, .. }
        | Op::NumberAbsolute { a, .. }
        | Op::Round { a, .. }
        | Op::JumpIf { a, .. }
        | Op::JumpIfNot { a, .. }
        | Op::JumpIfGone { a, .. }
        | Op::JumpIfEqual { a, .. }
        | Op::JumpIfNotEqual { a, .. }
        | Op::JumpIfOver { a, .. }
        | Op::JumpIfNotOver { a, .. }
        | Op::Size { a, .. }
        | Op::Push { a }
        | Op::PushList { a }
        | Op::Collect { a, .. }
        | Op::Release { a }
        | Op::Return { a }
        | Op::Pick { a, .. }
        | Op::Repeats { a } => tell(a),
        Op::Get { row, .. } | Op::GetList { row, .. } | Op::Remove { row, .. } => tell(row),
        Op::Set { row, value, .. }
        | Op::SetList { row, value, .. }
        | Op::ListAdd { row, value, .. }
        | Op::ListTake { row, value, .. }
        | Op::Holds { row, value, .. } => [row, value].into_iter().for_each(tell),
        Op::InList { a, value, .. } => [a, value].into_iter().for_each(tell),
        Op::Nth { a, n, .. } => [a, n].into_iter().for_each(tell),
        Op::NextPiece { at, .. } | Op::NextMarked { at, .. } => tell(at),
        Op::NextOf { at, row, .. } => [at, row].into_iter().for_each(tell),
        Op::NextIn { at, a, .. } => [at, a].into_iter().for_each(tell),
        Op::NextNumber { at, last, .. } => [at, last].into_iter().for_each(tell),
        Op::Call { function, base } => {
            let params = program.functions.get(function.index()).map_or(0, |f| f.params);
            (base..base.saturating_add(params)).for_each(tell);
        }
        Op::CallRule { rule, base } => {
            let function = schema.rules.get(rule.index()).map(|r| r.function);
            let code = function.and_then(|f| program.functions.get(f.index()));
            let params = code.map_or(0, |f| f.params);
            (base..base.saturating_add(params)).for_each(tell);
        }
        Op::Way { way, .. } => {
            if let Some(way) = program.ways.get(way as usize) {
                [way.from, way.to].into_iter().for_each(&mut *tell);
                let first = way.base.saturating_add(1);
                (first..first.saturating_add(way.captured)).for_each(tell);
            }
        }
        Op::Step { a, b, n, .. } => [a, b, n].into_iter().for_each(tell),
        Op::Text { template, .. } | Op::Verdict { template } | Op::Tell { template, .. } => {
            text(template, tell);
        }
        Op::CheckEnd { label } => text(label, tell),
        Op::Make { template, .. } | Op::AskFlag { template, .. } => text(template, tell),
        Op::RollDice { count, sides, .. } => [count, sides].into_iter().for_each(tell),
        Op::Modify { value, template, .. } => {
            tell(value);
            text(template, tell);
        }
        Op::Throw { natural, total, passed, judged, .. } => {
            [natural, total].into_iter().for_each(&mut *tell);
            if judged {
                tell(passed);
            }
        }
        Op::Need { value, .. } => tell(value),
        Op::Put { count, value, .. } => [count, value].into_iter().for_each(tell),
        Op::AskAmong { a, template, .. } => {
            tell(a);
            text(template, tell);
        }
        Op::AskBetween { low, high, template, .. } => {
            [low, high].into_iter().for_each(&mut *tell);
            text(template, tell);
        }
        Op::NoRow { total } => tell(total),
    }
}
