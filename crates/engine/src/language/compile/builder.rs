//! A function under construction: its instructions, registers and names.

use crate::language::code::{
    Function, JumpTest, NamedRegister, Op, OpEffect, Reg, Target, UNPATCHED,
};
use crate::language::schema::{RuleId, Type};
use crate::source::Span;

/// The lowest and the highest value, if they are known.
pub(super) type ValueRange = Option<(i64, i64)>;

/// The type and bounds of a value.
pub(super) type RangedType = (Type, ValueRange);

/// The maximum number of registers: more than any reasonable rule needs.
const MAX_REGISTERS: u16 = 4096;

/// A name in scope.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) reg: Reg,
    pub(super) ty: Type,
    pub(super) bounds: ValueRange,
    /// True for names that can't be assigned to, such as parameters and members of a source.
    pub(super) fixed: bool,
    /// The number of the name, unique in the function.
    pub(super) number: u32,
    /// The span of the declaration, for a parameter.
    pub(super) declared: Span,
}

/// A jump made by `stop`, whose target is not known yet.
#[derive(Clone, Debug)]
pub(super) struct StopJump {
    pub(super) jump: usize,
    /// The numbers of the names that have values at the jump.
    pub(super) known: Vec<u32>,
}

/// The values of a `return`, in consecutive registers.
#[derive(Clone, Debug)]
pub(super) struct ReturnedValues {
    pub(super) values: Vec<RangedType>,
    pub(super) spans: Vec<Span>,
    /// For each value, the instruction to be replaced if a whole number must be converted to a
    /// fraction.
    pub(super) conversions: Vec<usize>,
    /// The register of the first value.
    pub(super) first: Reg,
}

/// A loop whose body is being compiled, with the jumps that leave the current iteration or the
/// whole loop.
#[derive(Clone, Debug)]
pub(super) struct LoopJumps {
    /// Jumps to the next member or repetition.
    pub(super) continues: Vec<usize>,
    /// Jumps to the end of the loop.
    pub(super) breaks: Vec<usize>,
}

/// A value in a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) reg: Reg,
    pub(super) ty: Type,
    /// The lowest and the highest value, if they are known.
    pub(super) bounds: ValueRange,
}

#[derive(Debug, Default)]
pub(super) struct Builder {
    code: Vec<Op>,
    spans: Vec<Span>,
    /// The span of the rule text that is being compiled.
    pub(super) at: Span,
    pub(super) locals: Vec<Local>,
    top: Reg,
    highest: Reg,
    params: Reg,
    /// True where changes, dice and questions are not allowed.
    pub(super) pure: bool,
    /// True where dice literals are rolled, such as inside `roll`.
    pub(super) dice: bool,
    /// True if an instruction emitted since this flag was last cleared may add to the list store.
    pub(super) lists_made: bool,
    /// The kind and the register of the piece of each sweep around the statement being compiled,
    /// outermost first.
    pub(super) swept: Vec<(super::super::schema::KindId, Reg)>,
    /// The names of these sweeps, outermost first.
    pub(super) bound: Vec<NamedRegister>,
    /// The lists that begin empty and whose member type is not known yet. Each entry holds the
    /// number of the list's name and the span of the empty list.
    pub(super) untyped_lists: Vec<(u32, Span)>,
    /// The numbers of the lists that were read before their type was known.
    pub(super) early_reads: Vec<u32>,
    /// The types that these lists turned out to have, each with the span of the empty list.
    pub(super) learned_lists: Vec<(Span, Type)>,
    /// The rule being compiled, if it gives a value.
    pub(super) giving: Option<RuleId>,
    /// The values of the rule's `return` statements.
    pub(super) returned: Vec<ReturnedValues>,
    /// The `stop` jumps, which lead to the end of the rule.
    pub(super) stops: Vec<StopJump>,
    /// The loops around the statement being compiled, outermost first.
    pub(super) loops: Vec<LoopJumps>,
    /// The number of names declared so far.
    named: u32,
    /// The index of the last instruction to which a forward jump leads.
    landing: usize,
}

impl Builder {
    pub(super) fn add_param(
        &mut self,
        name: &str,
        ty: Type,
        bounds: ValueRange,
        declared: Span,
    ) -> Reg {
        let reg = self.alloc();
        self.params += 1;
        self.name_register(name, Operand { reg, ty, bounds }, true, declared);
        reg
    }

    pub(super) fn add_local(&mut self, name: &str, value: Operand, fixed: bool) {
        self.name_register(name, value, fixed, Span::default());
    }

    fn name_register(&mut self, name: &str, value: Operand, fixed: bool, declared: Span) {
        let Operand { reg, ty, bounds } = value;
        let name = name.to_owned();
        let number = self.named;
        self.named += 1;
        self.locals.push(Local { name, reg, ty, bounds, fixed, number, declared });
    }

    /// Records a jump made by `stop`. Its target, the end of the rule, is set later.
    pub(super) fn add_stop_jump(&mut self, jump: usize) {
        let known = self.locals.iter().map(|l| l.number).collect();
        self.stops.push(StopJump { jump, known });
    }

    /// Begins the body of a loop.
    pub(super) fn enter_loop(&mut self) {
        self.loops.push(LoopJumps { continues: Vec::new(), breaks: Vec::new() });
    }

    /// Makes the `continue` jumps of the innermost loop lead to the next instruction.
    pub(super) fn patch_continues(&mut self) {
        let continues = self.loops.last_mut().map(|this| std::mem::take(&mut this.continues));
        self.patch_jumps(continues.unwrap_or_default());
    }

    /// Ends the innermost loop, and makes its `break` jumps lead to the next instruction.
    pub(super) fn leave_loop(&mut self) {
        let breaks = self.loops.pop().map(|this| this.breaks);
        self.patch_jumps(breaks.unwrap_or_default());
    }

    /// Returns true if a name holds a list whose member type isn't known yet, because the list began
    /// empty and no member has been added.
    pub(super) fn is_untyped_list(&self, local: &Local) -> bool {
        self.untyped_lists.iter().any(|(number, _)| *number == local.number)
    }

    /// Sets the type of a list that began empty. If the list was read earlier, records the type, so
    /// that the function can be compiled again with it.
    pub(super) fn set_list_type(&mut self, number: u32, ty: Type) {
        let began = self.untyped_lists.iter().find(|(untyped, _)| *untyped == number);
        if let Some((_, span)) = began
            && self.early_reads.contains(&number)
        {
            self.learned_lists.push((*span, ty));
        }
        self.untyped_lists.retain(|(untyped, _)| *untyped != number);
        if let Some(local) = self.locals.iter_mut().find(|local| local.number == number) {
            local.ty = ty;
        }
    }

    /// Returns true if an instruction reads this register, or may read it.
    pub(super) fn reads(&self, reg: Reg) -> bool {
        let mut reads = false;
        for mut op in self.code.iter().copied() {
            op.visit_effects(&mut |effect| match effect {
                OpEffect::Read(read) => reads |= *read == reg,
                // Texts and searches read the registers that they list.
                OpEffect::Template(_) | OpEffect::Way(_) | OpEffect::Bindings(_) => reads = true,
                OpEffect::Written(_) | OpEffect::Call(_) | OpEffect::Target(_) => {}
            });
        }
        reads
    }

    pub(super) fn find_local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|l| l.name == name)
    }

    pub(super) fn alloc(&mut self) -> Reg {
        let reg = self.top;
        self.top = (self.top + 1).min(MAX_REGISTERS);
        self.highest = self.highest.max(self.top);
        reg
    }

    /// Allocates consecutive registers and returns the first.
    pub(super) fn alloc_many(&mut self, count: usize) -> Reg {
        let first = self.top;
        for _ in 0..count {
            self.alloc();
        }
        first
    }

    pub(super) fn register_mark(&self) -> Reg {
        self.top
    }

    pub(super) fn release_registers(&mut self, mark: Reg) {
        self.top = mark;
    }

    pub(super) fn is_full(&self) -> bool {
        self.highest >= MAX_REGISTERS
    }

    pub(super) fn emit(&mut self, op: Op) -> usize {
        use Op::{GetList, Join, Push, Step};
        self.lists_made |= matches!(op, GetList { .. } | Push { .. } | Join { .. } | Step { .. });
        self.code.push(op);
        self.spans.push(self.at);
        self.code.len() - 1
    }

    /// Moves a value into `d`. If the last instruction has just put that value into a temporary
    /// register (one from `mark` on) and no jump leads to the next instruction, the last
    /// instruction is changed to write to `d` instead.
    pub(super) fn move_to(&mut self, d: Reg, s: Reg, mark: Reg) {
        let here = self.code.len();
        match self.code.last_mut().and_then(Op::written_register_mut) {
            Some(written) if *written == s && s >= mark && self.landing < here => *written = d,
            _ => _ = self.emit(Op::Move { d, s }),
        }
    }

    /// Merges the last instructions into a jump if they compare two values and write the result to
    /// `a`, or read a flag from a cell into `a`. A condition such as `x.fire > 0` is then one
    /// instruction. Nothing else may read the registers from `mark` on. If `cell` is set, one of
    /// the values may be a cell, and no jump may lead between the merged instructions. Returns the
    /// index of the jump, or `None` if the last instructions do something else.
    pub(super) fn join_jump(&mut self, a: Reg, when: bool, mark: Reg, cell: bool) -> Option<usize> {
        let (&last, before) = self.code.split_last()?;
        if last.written_register() != Some(a) {
            return None;
        }
        if let Op::Get { column, row, .. } = last {
            let jump = Op::JumpCell {
                test: JumpTest::Equal,
                when: !when,
                column,
                row,
                n: 0,
                to: UNPATCHED,
            };
            return Some(self.replace_last(1, jump));
        }
        let (test, holds, left, right) = last.as_comparison()?;
        let when = when == holds;
        // A cell is compared with a number.
        if cell
            && let [.., Op::Get { d: get, column, row }, Op::Small { d: number, n }] = *before
            && get >= mark
            && number >= mark
        {
            let (test, when, n) = match test {
                _ if (left, right) == (get, number) => (test, when, Some(n)),
                JumpTest::Equal if (right, left) == (get, number) => (test, when, Some(n)),
                // `n < cell` is the opposite of `cell < n + 1`.
                JumpTest::Less if (right, left) == (get, number) => (test, !when, n.checked_add(1)),
                JumpTest::Less | JumpTest::Equal => (test, when, None),
            };
            if let Some(n) = n {
                let jump = Op::JumpCell { test, when, column, row, n, to: UNPATCHED };
                return Some(self.replace_last(3, jump));
            }
        }
        Some(self.replace_last(1, Op::JumpTest { test, when, a: left, b: right, to: UNPATCHED }))
    }

    /// Replaces the last `count` instructions with one, and returns its index.
    fn replace_last(&mut self, count: usize, op: Op) -> usize {
        let at = self.code.len() - count;
        self.code.truncate(at + 1);
        self.spans.truncate(at + 1);
        self.code[at] = op;
        at
    }

    /// Removes the instructions from `from` on if each yields one of these values and all values
    /// are constants that a list may hold. Returns the constants, or `None` if nothing was removed.
    pub(super) fn take_constant_members(
        &mut self,
        from: Target,
        values: &[Operand],
    ) -> Option<Vec<u32>> {
        let from = from.0 as usize;
        let number = |(op, value): (&Op, &Operand)| match op {
            Op::Small { d, n } if *d == value.reg => u32::try_from(*n).ok(),
            _ => None,
        };
        let made = &self.code[from..];
        let numbers = made.iter().zip(values).map(number).collect::<Option<Vec<u32>>>()?;
        if numbers.is_empty() || made.len() != values.len() || self.landing > from {
            return None;
        }
        self.code.truncate(from);
        self.spans.truncate(from);
        Some(numbers)
    }

    /// Replaces the instruction at index `at`.
    pub(super) fn replace_op(&mut self, at: usize, op: Op) {
        if let Some(old) = self.code.get_mut(at) {
            *old = op;
        }
    }

    /// Replaces the instruction at index `at` with one that does nothing.
    pub(super) fn make_no_op(&mut self, at: usize) {
        self.replace_op(at, Op::Jump { to: Target(at as u32 + 1) });
    }

    pub(super) fn next_target(&self) -> Target {
        Target(self.code.len() as u32)
    }

    /// Makes the jump at `at` lead to the next instruction.
    pub(super) fn patch_jump(&mut self, at: usize) {
        let here = self.next_target();
        self.landing = self.code.len();
        self.code[at].map_target(|_| here);
    }

    /// Makes all these jumps lead to the next instruction.
    pub(super) fn patch_jumps(&mut self, jumps: impl IntoIterator<Item = usize>) {
        jumps.into_iter().for_each(|jump| self.patch_jump(jump));
    }

    pub(super) fn finish(self, name: String, gives_list: bool) -> Function {
        Function {
            name,
            code: self.code,
            spans: self.spans,
            registers: self.highest + 1,
            params: self.params,
            gives_list,
        }
    }
}
