//! Which registers an instruction reads and writes, where it leads, and which registers still matter.
//!
//! Two runs that stand at the same instruction go on alike if the registers that are still read agree; what
//! the others hold is a leftover. The exact odds live by that: a roll that has been judged is forgotten.

use super::code::{Function, Op, Program, Reg, Sweep, Target, TextPart};
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
    let mut now = vec![0u64; words];
    while changed {
        changed = false;
        for (at, &op) in function.code.iter().enumerate().rev() {
            now.fill(0);
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
            if *place != *now {
                place.copy_from_slice(&now);
                changed = true;
            }
        }
    }
    Live { words, bits }
}

/// Whether the next instruction can follow.
pub fn falls_through(op: Op) -> bool {
    !matches!(op, Op::Jump { .. } | Op::Return { .. } | Op::NoRow { .. } | Op::NoMember)
}

/// Where an instruction may lead besides the next one.
pub fn target(op: Op) -> Option<Target> {
    let mut op = op;
    op.target_mut().copied()
}

/// What an instruction does with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is read.
    Reads,
    /// It is written if the next instruction follows.
    Writes,
    /// It is read and moved on: the place of a loop.
    Moves,
    /// The first of the registers in which arguments stand and in which the value comes back.
    Window,
}

/// All registers that stand in an instruction, to be read or changed; those of texts and of ways are not
/// there but in the program. No kind of instruction is left to a wildcard: one that were forgotten here
/// would give wrong odds.
pub fn registers(op: &mut Op, mut see: impl FnMut(Use, &mut Reg)) {
    use Use::{Moves, Reads, Window, Writes};
    match op {
        Op::Jump { .. }
        | Op::JumpIfSilent { .. }
        | Op::JumpIfMute { .. }
        | Op::CheckBegin
        | Op::NoMember
        | Op::Verdict { .. }
        | Op::CheckEnd { .. }
        | Op::Tell { .. }
        | Op::TurnBegins { .. }
        | Op::Bound { .. }
        | Op::Empty { .. }
        | Op::Shuffled { .. } => {}
        Op::Small { d, .. }
        | Op::Const { d, .. }
        | Op::Mark { d }
        | Op::Listed { d, .. }
        | Op::RollPool { d, .. }
        | Op::Text { d, .. }
        | Op::Make { d, .. }
        | Op::Draw { d, .. }
        | Op::AskFlag { d, .. }
        | Op::Way { d, .. } => see(Writes, d),
        Op::Move { d, s } => {
            see(Reads, s);
            see(Writes, d);
        }
        Op::Add { d, a, b }
        | Op::Sub { d, a, b }
        | Op::Whole { d, a, b, .. }
        | Op::Equal { d, a, b }
        | Op::NotEqual { d, a, b }
        | Op::Less { d, a, b }
        | Op::AtMost { d, a, b }
        | Op::Number { d, a, b, .. }
        | Op::SameList { d, a, b }
        | Op::Join { d, a, b }
        | Op::Chart { d, a, b, .. }
        | Op::Plan { d, a, b, .. } => {
            see(Reads, a);
            see(Reads, b);
            see(Writes, d);
        }
        Op::Negate { d, a }
        | Op::Absolute { d, a }
        | Op::Not { d, a }
        | Op::AddSmall { d, a, .. }
        | Op::Widen { d, a }
        | Op::NumberNegate { d, a }
        | Op::NumberAbsolute { d, a }
        | Op::Round { d, a, .. }
        | Op::Size { d, a }
        | Op::Collect { d, a }
        | Op::Only { d, a, .. }
        | Op::Pick { d, a, .. }
        | Op::AskAmong { d, a, .. } => {
            see(Reads, a);
            see(Writes, d);
        }
        Op::JumpIf { a, .. }
        | Op::JumpIfNot { a, .. }
        | Op::JumpIfGone { a, .. }
        | Op::JumpIfEqual { a, .. }
        | Op::JumpIfNotEqual { a, .. }
        | Op::JumpIfOver { a, .. }
        | Op::JumpIfNotOver { a, .. }
        | Op::Push { a }
        | Op::Release { a }
        | Op::Within { a, .. }
        | Op::Return { a }
        | Op::Repeats { a } => see(Reads, a),
        Op::JumpIfSame { a, b, .. }
        | Op::JumpIfNotSame { a, b, .. }
        | Op::JumpIfLess { a, b, .. }
        | Op::JumpIfNotLess { a, b, .. } => {
            see(Reads, a);
            see(Reads, b);
        }
        Op::JumpIfCell { row, .. } | Op::Remove { row, .. } => see(Reads, row),
        Op::Get { d, row, .. } | Op::GetList { d, row, .. } => {
            see(Reads, row);
            see(Writes, d);
        }
        Op::Set { row, value, .. }
        | Op::SetList { row, value, .. }
        | Op::ListAdd { row, value, .. }
        | Op::ListTake { row, value, .. } => {
            see(Reads, row);
            see(Reads, value);
        }
        Op::Holds { d, row, value, .. } => {
            see(Reads, row);
            see(Reads, value);
            see(Writes, d);
        }
        Op::InList { d, a, value } => {
            see(Reads, a);
            see(Reads, value);
            see(Writes, d);
        }
        Op::Nth { d, a, n, .. } => {
            see(Reads, a);
            see(Reads, n);
            see(Writes, d);
        }
        Op::Tally { d, over, .. } => {
            match over {
                Sweep::Pieces(_) | Sweep::Marked(_) => {}
                Sweep::Of(_, a) | Sweep::In(a) => see(Reads, a),
            }
            // It is added to.
            let mut before = *d;
            see(Reads, &mut before);
            see(Writes, d);
        }
        Op::Gather { d, over, .. } => {
            match over {
                Sweep::Pieces(_) | Sweep::Marked(_) => {}
                Sweep::Of(_, a) | Sweep::In(a) => see(Reads, a),
            }
            see(Writes, d);
        }
        Op::NextPiece { d, at, .. } | Op::NextMarked { d, at, .. } => {
            see(Moves, at);
            see(Writes, d);
        }
        Op::NextOf { d, at, row: a, .. }
        | Op::NextIn { d, at, a, .. }
        | Op::NextNumber { d, at, last: a, .. } => {
            see(Moves, at);
            see(Reads, a);
            see(Writes, d);
        }
        Op::Call { base, .. } | Op::CallRule { base, .. } => see(Window, base),
        Op::Step { d, a, b, n } | Op::StepTo { d, a, b, n, .. } => {
            [a, b, n].into_iter().for_each(|reg| see(Reads, reg));
            see(Writes, d);
        }
        Op::RollDice { d, count: a, sides: b } | Op::AskBetween { d, low: a, high: b, .. } => {
            see(Reads, a);
            see(Reads, b);
            see(Writes, d);
        }
        Op::Modify { value, .. } | Op::Need { value, .. } => see(Reads, value),
        Op::Throw { natural, total, passed, judged, .. } => {
            see(Reads, natural);
            see(Reads, total);
            if *judged {
                see(Reads, passed);
            }
        }
        Op::Put { count, value, .. } => {
            see(Reads, count);
            see(Reads, value);
        }
        Op::NoRow { total } => see(Reads, total),
    }
}

/// The register an instruction writes, if the next one follows. The place of a loop is read as well, so it
/// counts among the registers read.
pub fn written(op: Op) -> Option<Reg> {
    let (mut op, mut found) = (op, None);
    registers(&mut op, |how, reg| {
        if matches!(how, Use::Writes | Use::Window) {
            found = Some(*reg);
        }
    });
    found
}

/// All registers an instruction reads.
pub fn read(schema: &Schema, program: &Program, op: Op, tell: &mut dyn FnMut(Reg)) {
    let mut op = op;
    registers(&mut op, |how, reg| {
        if matches!(how, Use::Reads | Use::Moves) {
            tell(*reg);
        }
    });
    read_elsewhere(schema, program, op, tell);
}

/// The registers an instruction reads that do not stand in it: arguments, and what texts and ways speak of.
pub fn read_elsewhere(schema: &Schema, program: &Program, op: Op, tell: &mut dyn FnMut(Reg)) {
    let function = match op {
        Op::Call { function, .. } => Some(function),
        Op::CallRule { rule, .. } => schema.rules.get(rule.index()).map(|r| r.function),
        _ => None,
    };
    match op {
        Op::Call { base, .. } | Op::CallRule { base, .. } => {
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
        Op::TurnBegins { bindings } | Op::Bound { bindings } => {
            let bindings = program.bindings.get(usize::from(bindings));
            bindings.into_iter().flatten().for_each(|binding| tell(binding.reg));
        }
        Op::Text { template, .. }
        | Op::Verdict { template }
        | Op::Tell { template, .. }
        | Op::CheckEnd { label: template }
        | Op::Make { template, .. }
        | Op::Modify { template, .. }
        | Op::AskAmong { template, .. }
        | Op::AskBetween { template, .. }
        | Op::AskFlag { template, .. } => {
            for part in program.templates.get(template as usize).into_iter().flatten() {
                match part {
                    TextPart::Words(_) => {}
                    TextPart::Value(reg, _) | TextPart::Named(reg, _) => tell(*reg),
                }
            }
        }
        _ => {}
    }
}
