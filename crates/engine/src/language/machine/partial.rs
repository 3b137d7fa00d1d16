//! Runs of functions whose arguments aren't all known yet.
//!
//! While the umpire types a line, such a run shows whether the rules will refuse the line however it
//! is completed. A value that depends on an unknown argument is unknown too. If the run branches on
//! an unknown value, both branches are followed: the command is refused only if each of them ends in
//! a refusal or a fault. A use of an unknown value that can't be followed, such as a roll of an
//! unknown number of dice, leaves the result open, as do all dice and all questions to the umpire.

use super::interrupt::Interrupt;
use super::run::Run;
use super::{Halt, Host, MAX_CALLS, Machine, PlayFault, Question, RandomLot, World};
use crate::language::code::{
    EVERY_PIECE, JumpTest, MessageKind, Op, OpEffect, Reg, TemplateId, TextPart, pack, unpack,
};
use crate::language::schema::{ColumnId, FunctionId, ListId};
use adjutant_dice::Pool;

/// The maximum number of branches that one run follows.
const MAX_BRANCHES: usize = 16;

/// An argument of a partial run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartialValue {
    /// The value is known.
    Known(i64),
    /// A list that begins with the members of this list value and may have more.
    Begun(i64),
    /// The value is unknown.
    Unknown,
}

/// The extent to which the value in a register is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knowledge {
    Known,
    /// The register holds the first members of a list.
    Begun,
    Unknown,
}

/// The columns and lists whose values may depend on an unknown argument.
#[derive(Clone, Debug, Default)]
struct UnknownCells {
    columns: Vec<ColumnId>,
    lists: Vec<ListId>,
}

impl UnknownCells {
    fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.lists.is_empty()
    }
}

/// The fate of a branch after an instruction.
enum BranchFate {
    Continues,
    /// The rules refuse the command, or it fails.
    Refused,
    /// The command may be accepted.
    Open,
}

/// One branch of a partial run.
#[derive(Clone)]
struct Branch<'p, T> {
    machine: Machine<'p>,
    table: T,
    /// For each register of the machine, the extent to which its value is known. An unknown value
    /// is stored as 0.
    knowledge: Vec<Knowledge>,
    unknown: UnknownCells,
    /// The length of the list store after a loop with unknown members, which may have stored further
    /// members there.
    begun_to: Option<usize>,
    /// The index of the next instruction.
    at: usize,
    /// The index of the function's first register.
    base: usize,
}

/// A host that supplies neither dice nor answers, and ignores all reports.
struct SilentHost;

impl Host for SilentHost {
    fn wants_reports(&self) -> bool {
        false
    }

    fn roll_pool(&mut self, _pool: &Pool) -> Result<i64, Halt> {
        Err(Halt::Branch)
    }

    fn roll_dice(&mut self, _count: u32, _sides: u32) -> Result<i64, Halt> {
        Err(Halt::Branch)
    }

    fn draw_lot(&mut self, _lot: RandomLot<'_>, _names: &[String]) -> Result<usize, Halt> {
        Err(Halt::Branch)
    }

    fn ask(&mut self, _question: Question) -> Result<i64, Halt> {
        Err(Halt::Branch)
    }

    fn overrides_refusal(&mut self, _reason: String) -> bool {
        false
    }
}

impl<'p> Machine<'p> {
    /// Returns true if a call with these arguments is refused or fails whatever the unknown
    /// arguments are; false if the call may be accepted, or if the limits on steps and branches
    /// are too low to decide.
    pub(crate) fn always_refuses<T: World + Clone>(
        mut self,
        function: FunctionId,
        arguments: &[PartialValue],
        table: T,
    ) -> bool {
        let values: Vec<i64> = arguments
            .iter()
            .map(|argument| match argument {
                PartialValue::Known(value) | PartialValue::Begun(value) => *value,
                PartialValue::Unknown => 0,
            })
            .collect();
        self.begin(function, &values);
        let mut knowledge = vec![Knowledge::Known; self.registers.len()];
        for (known, argument) in knowledge.iter_mut().zip(arguments) {
            *known = match argument {
                PartialValue::Known(_) => Knowledge::Known,
                PartialValue::Begun(_) => Knowledge::Begun,
                PartialValue::Unknown => Knowledge::Unknown,
            };
        }
        let unknown = UnknownCells::default();
        let mut branches = vec![Branch {
            machine: self,
            table,
            knowledge,
            unknown,
            begun_to: None,
            at: 0,
            base: 0,
        }];
        let mut count = 1;
        let mut steps = 0;
        while let Some(mut branch) = branches.pop() {
            branch.machine.steps = steps;
            let fate = loop {
                let waiting = branches.len();
                match branch.step(&mut branches) {
                    BranchFate::Continues if branch.machine.steps > branch.machine.max_steps => {
                        break BranchFate::Open;
                    }
                    BranchFate::Continues => {}
                    end => break end,
                }
                count += branches.len() - waiting;
                if count > MAX_BRANCHES {
                    break BranchFate::Open;
                }
            };
            steps = branch.machine.steps;
            if !matches!(fate, BranchFate::Refused) {
                return false;
            }
        }
        true
    }
}

impl<T: World + Clone> Branch<'_, T> {
    /// Executes the next instruction. If it branches on an unknown value, adds the other branch to
    /// `branches`.
    fn step(&mut self, branches: &mut Vec<Self>) -> BranchFate {
        self.machine.steps += 1;
        let Some(frame) = self.machine.frames.last() else { return BranchFate::Open };
        let code = self.machine.function(frame.function);
        let Some(&op) = code.code.get(self.at) else { return BranchFate::Open };
        match op {
            // The text doesn't matter, so it may contain unknown values.
            Op::Tell { how: MessageKind::Refuse, .. } => BranchFate::Refused,
            Op::Tell { .. } | Op::SayTo { .. } | Op::Modify { .. } | Op::Verdict { .. } => {
                self.at += 1;
                BranchFate::Continues
            }
            Op::Call { call } => {
                if self.machine.frames.len() >= MAX_CALLS {
                    return BranchFate::Refused;
                }
                self.machine.set_position(self.at + 1);
                self.base += usize::from(call.base);
                self.machine.push_frame(call.function, self.base, Default::default());
                let registers = self.machine.registers.len();
                self.knowledge.resize(registers, Knowledge::Known);
                let params = usize::from(self.machine.function(call.function).params);
                self.knowledge[self.base + params..].fill(Knowledge::Known);
                self.at = 0;
                BranchFate::Continues
            }
            Op::Return { a } => {
                let knowledge = self.knowledge_of(a);
                let value = self.machine.registers[self.base + usize::from(a)];
                let value = self.machine.pop_frame(value, &mut SilentHost);
                self.machine.registers[self.base] = value;
                self.knowledge[self.base] = knowledge;
                let Some(caller) = self.machine.frames.last() else { return BranchFate::Open };
                self.at = caller.at as usize;
                self.base = caller.base as usize;
                BranchFate::Continues
            }
            // Unknown members would come before the members that these instructions add.
            Op::Push { .. } | Op::PushKey { .. } | Op::CollectSorted { .. }
                if self.begun_to.is_some() =>
            {
                BranchFate::Open
            }
            Op::Collect { d, a } if self.begun_to.is_some() => {
                let begun_to = self.begun_to.take();
                let (start, _) = unpack(self.value(a));
                if begun_to.is_none_or(|end| end < start || end != self.machine.store.len()) {
                    return BranchFate::Open;
                }
                let list = pack(start, self.machine.store.len() - start);
                self.set(d, list, Knowledge::Begun)
            }
            op if self.reads_unknown(op) => self.approximate(op, branches),
            op => self.execute(op),
        }
    }

    fn knowledge_of(&self, reg: Reg) -> Knowledge {
        self.knowledge[self.base + usize::from(reg)]
    }

    fn is_unknown(&self, reg: Reg) -> bool {
        self.knowledge_of(reg) != Knowledge::Known
    }

    fn value(&self, reg: Reg) -> i64 {
        self.machine.registers[self.base + usize::from(reg)]
    }

    fn set(&mut self, reg: Reg, value: i64, knowledge: Knowledge) -> BranchFate {
        self.machine.registers[self.base + usize::from(reg)] = value;
        self.knowledge[self.base + usize::from(reg)] = knowledge;
        self.at += 1;
        BranchFate::Continues
    }

    /// Executes an instruction that reads only known values.
    fn execute(&mut self, mut op: Op) -> BranchFate {
        let Some(frame) = self.machine.frames.last() else { return BranchFate::Open };
        let code = self.machine.function(frame.function);
        let mut run = Run {
            machine: &mut self.machine,
            table: &mut self.table,
            host: &mut SilentHost,
            base: self.base,
            halted: None,
        };
        match run.execute_single(&code.code, self.at) {
            Ok(next) => self.at = next,
            Err(Interrupt::Halt(Halt::Refused(_))) => return BranchFate::Refused,
            Err(Interrupt::Halt(_)) => return BranchFate::Open,
            Err(Interrupt::Fault(PlayFault::TooLong | PlayFault::TooLongTogether)) => {
                return BranchFate::Open;
            }
            Err(Interrupt::Fault(_)) => return BranchFate::Refused,
        }
        if let Some(written) = op.written_register_mut() {
            self.knowledge[self.base + usize::from(*written)] = Knowledge::Known;
        }
        BranchFate::Continues
    }

    /// Returns true if an instruction reads an unknown value.
    fn reads_unknown(&self, mut op: Op) -> bool {
        let UnknownCells { columns, lists } = &self.unknown;
        let reads_cell = match op {
            Op::Get { column, .. }
            | Op::JumpCell { column, .. }
            | Op::NextMarked { column, .. }
            | Op::Set { column, .. } => columns.contains(&column),
            Op::GetList { list, .. }
            | Op::Holds { list, .. }
            | Op::NextOf { list, .. }
            | Op::SetList { list, .. } => lists.contains(&list),
            Op::Way { .. } | Op::Native { .. } | Op::Step { .. } => !self.unknown.is_empty(),
            Op::Deck { .. } | Op::Draw { .. } => !lists.is_empty(),
            _ => false,
        };
        let mut reads = reads_cell;
        op.visit_effects(&mut |effect| match effect {
            OpEffect::Read(reg) => reads |= self.is_unknown(*reg),
            OpEffect::Template(template) => reads |= self.template_is_unknown(template),
            OpEffect::Way(way) => {
                let way = &self.machine.program.ways[way.0 as usize];
                let captured = way.base + 1..way.base + 1 + way.captured;
                reads |= [way.from, way.to].into_iter().chain(captured).any(|r| self.is_unknown(r));
            }
            OpEffect::Written(_)
            | OpEffect::Call(_)
            | OpEffect::Bindings(_)
            | OpEffect::Target(_) => {}
        });
        reads
    }

    fn template_is_unknown(&self, template: TemplateId) -> bool {
        self.machine.program.templates[template.index()].iter().any(|part| match part {
            TextPart::Words(_) => false,
            TextPart::Value(reg, _) | TextPart::Named(reg, _) | TextPart::Counted(reg, ..) => {
                self.is_unknown(*reg)
            }
        })
    }

    /// Executes an instruction that reads an unknown value, as far as its effect is known. Ignores
    /// the possibility that the instruction fails, because a command that fails isn't accepted
    /// either.
    fn approximate(&mut self, op: Op, branches: &mut Vec<Self>) -> BranchFate {
        match op {
            Op::Move { d, s } => self.set(d, self.value(s), self.knowledge_of(s)),
            Op::InList { d, a, value }
                if self.knowledge_of(a) == Knowledge::Begun && !self.is_unknown(value) =>
            {
                let wanted = self.value(value);
                let members = self.machine.members(self.value(a));
                if members.iter().any(|&member| i64::from(member) == wanted) {
                    self.set(d, 1, Knowledge::Known)
                } else {
                    self.set(d, 0, Knowledge::Unknown)
                }
            }
            Op::Nth { d, a, n, .. }
                if self.knowledge_of(a) == Knowledge::Begun && !self.is_unknown(n) =>
            {
                let members = self.machine.members(self.value(a));
                let index = usize::try_from(self.value(n) - 1).ok();
                match index.and_then(|index| members.get(index)).copied() {
                    Some(member) => self.set(d, i64::from(member), Knowledge::Known),
                    None => self.set(d, 0, Knowledge::Unknown),
                }
            }
            Op::Narrow { d, a, only }
                if !self.is_unknown(only) && self.value(only) == i64::from(EVERY_PIECE) =>
            {
                self.set(d, self.value(a), self.knowledge_of(a))
            }
            Op::NextIn { a, at, .. }
                if self.knowledge_of(a) == Knowledge::Begun
                    && !self.is_unknown(at)
                    && (self.value(at) as usize) < unpack(self.value(a)).1 =>
            {
                self.execute(op)
            }
            Op::NextIn { a, at, end, .. }
                if self.knowledge_of(a) == Knowledge::Begun && !self.is_unknown(at) =>
            {
                self.leave_loop(end.0 as usize)
            }
            Op::Unary { d, .. }
            | Op::Number { d, .. }
            | Op::Word { d, .. }
            | Op::SameList { d, .. }
            | Op::Get { d, .. }
            | Op::GetList { d, .. }
            | Op::Holds { d, .. }
            | Op::InList { d, .. }
            | Op::Nth { d, .. }
            | Op::Join { d, .. }
            | Op::Append { d, .. }
            | Op::Without { d, .. }
            | Op::Narrow { d, .. }
            | Op::Chart { d, .. }
            | Op::Way { d, .. }
            | Op::Native { d, .. }
            | Op::Step { d, .. }
            | Op::Text { d, .. } => self.set(d, 0, Knowledge::Unknown),
            Op::Set { column, .. } => {
                self.unknown.columns.push(column);
                self.at += 1;
                BranchFate::Continues
            }
            Op::SetList { list, .. } => {
                self.unknown.lists.push(list);
                self.at += 1;
                BranchFate::Continues
            }
            // These only report, or fail.
            Op::Within { .. }
            | Op::Repeats { .. }
            | Op::Bound { .. }
            | Op::CheckBegin {}
            | Op::Reroll {}
            | Op::Throw { .. }
            | Op::Need { .. }
            | Op::CheckEnd { .. }
            | Op::Best { .. } => {
                self.at += 1;
                BranchFate::Continues
            }
            Op::JumpIf { a, to } => self.branch(to.0 as usize, [None, Some((a, 0))], branches),
            Op::JumpIfNot { a, to } => self.branch(to.0 as usize, [Some((a, 0)), None], branches),
            Op::JumpTest { test, when, a, b, to } => {
                // In the branch where the two values are equal, the unknown one becomes known.
                let equal = match (test, self.is_unknown(a), self.is_unknown(b)) {
                    (JumpTest::Equal, true, false) => Some((a, self.value(b))),
                    (JumpTest::Equal, false, true) => Some((b, self.value(a))),
                    _ => None,
                };
                let known = if when { [equal, None] } else { [None, equal] };
                self.branch(to.0 as usize, known, branches)
            }
            Op::JumpCell { to, .. } | Op::JumpIfGone { to, .. } => {
                self.branch(to.0 as usize, [None, None], branches)
            }
            // The rest of the run depends on an unknown value or on chance.
            Op::NextMarked { .. }
            | Op::NextOf { .. }
            | Op::NextIn { .. }
            | Op::NextNumber { .. }
            | Op::NextPiece { .. }
            | Op::Push { .. }
            | Op::PushKey { .. }
            | Op::Collect { .. }
            | Op::CollectSorted { .. }
            | Op::Release { .. }
            | Op::RollPool { .. }
            | Op::RollDice { .. }
            | Op::RollValue { .. }
            | Op::Make { .. }
            | Op::Remove { .. }
            | Op::Deck { .. }
            | Op::Draw { .. }
            | Op::Pick { .. }
            | Op::PickPiece { .. }
            | Op::AskAmong { .. }
            | Op::AskBetween { .. }
            | Op::AskFlag { .. }
            | Op::NoRow { .. } => BranchFate::Open,
            // These read no register, or `step` has handled them.
            Op::Small { .. }
            | Op::Const { .. }
            | Op::Jump { .. }
            | Op::JumpIfSilent { .. }
            | Op::JumpIfMute { .. }
            | Op::NoMember {}
            | Op::Mark { .. }
            | Op::End { .. }
            | Op::Tell { .. }
            | Op::SayTo { .. }
            | Op::Modify { .. }
            | Op::Verdict { .. }
            | Op::Call { .. }
            | Op::Return { .. } => BranchFate::Open,
        }
    }

    /// Goes to the end of a loop over a list whose further members aren't known. Everything that the
    /// loop computes becomes unknown, and only the first members of a list that it collects are
    /// known. If the loop has other effects or another exit, the result is open.
    fn leave_loop(&mut self, end: usize) -> BranchFate {
        let Some(frame) = self.machine.frames.last() else { return BranchFate::Open };
        let code = &self.machine.function(frame.function).code;
        let head = self.at;
        let goes_back = |op: &Op| op.jump_target().is_some_and(|to| to.0 as usize == head);
        let Some(last) = code.iter().rposition(goes_back).filter(|last| *last > head) else {
            return BranchFate::Open;
        };
        let body = &code[head + 1..=last];
        let stays = |op: &Op| {
            op.jump_target().is_none_or(|to| {
                let to = to.0 as usize;
                (head..=last).contains(&to) || to == end
            })
        };
        let only_computes = |op: &Op| {
            matches!(
                op,
                Op::Small { .. }
                    | Op::Const { .. }
                    | Op::Move { .. }
                    | Op::Unary { .. }
                    | Op::Number { .. }
                    | Op::Word { .. }
                    | Op::Get { .. }
                    | Op::Holds { .. }
                    | Op::InList { .. }
                    | Op::Chart { .. }
                    | Op::Bound { .. }
                    | Op::Push { .. }
                    | Op::Jump { .. }
                    | Op::JumpIf { .. }
                    | Op::JumpIfNot { .. }
                    | Op::JumpTest { .. }
                    | Op::JumpCell { .. }
                    | Op::JumpIfGone { .. }
                    | Op::JumpIfSilent { .. }
                    | Op::JumpIfMute { .. }
            )
        };
        if !body.iter().all(|op| stays(op) && only_computes(op)) {
            return BranchFate::Open;
        }
        if body.iter().any(|op| matches!(op, Op::Push { .. })) {
            self.begun_to = Some(self.machine.store.len());
        }
        for written in body.iter().filter_map(|op| op.written_register()) {
            self.set(written, 0, Knowledge::Unknown);
        }
        self.at = end;
        BranchFate::Continues
    }

    /// Follows both branches of a jump: first the branch without the jump, later the branch with it.
    /// A branch that leads directly to a refusal is left out. If a register has a known value only
    /// in the branch with the jump or only in the one without it, `jumps` or `stays` holds the
    /// register and the value.
    fn branch(
        &mut self,
        to: usize,
        [jumps, stays]: [Option<(Reg, i64)>; 2],
        branches: &mut Vec<Self>,
    ) -> BranchFate {
        let refuses = |at: usize| {
            let frame = self.machine.frames.last();
            let op = frame.and_then(|f| self.machine.function(f.function).code.get(at));
            matches!(op, Some(Op::Tell { how: MessageKind::Refuse, .. }))
        };
        let following = self.at + 1;
        if !refuses(to) && !refuses(following) {
            let mut other = self.clone();
            other.continue_at(to, jumps);
            branches.push(other);
            self.continue_at(following, stays);
        } else if refuses(following) {
            self.continue_at(to, jumps);
        } else {
            self.continue_at(following, stays);
        }
        BranchFate::Continues
    }

    fn continue_at(&mut self, at: usize, known: Option<(Reg, i64)>) {
        if let Some((reg, value)) = known {
            self.set(reg, value, Knowledge::Known);
        }
        self.at = at;
    }
}
