//! The instructions of the machine.

use super::native::Native;
use super::operands::{
    AddresseeReg, BindingsId, Call, CellChange, DeckOp, JumpTest, ListChange, MessageKind,
    NumberOp, Reg, Target, TemplateId, UnaryOp, WaySearchId, WordOp,
};
use crate::language::schema::{ChartId, ColumnId, DeckId, KindId, ListId, Type};
use crate::language::syntax::{Operator, Period};

/// An operand or effect of an instruction.
#[derive(Debug)]
pub enum OpEffect<'a> {
    /// A register that is read.
    Read(&'a mut Reg),
    /// A register that is written if the run continues with the next instruction.
    Written(&'a mut Reg),
    /// A call.
    Call(&'a mut Call),
    /// A text of the program.
    Template(TemplateId),
    /// A path search of the program.
    Way(WaySearchId),
    /// A list of names in the program.
    Bindings(BindingsId),
    /// An instruction that may run next instead of the following one.
    Target(&'a mut Target),
}

/// A field of an instruction. The type of the field determines its effect: for example, a [`Reg`]
/// is read.
trait OpField {
    /// Reports the effect of the field, if it has one.
    fn effect(&mut self, _see: &mut dyn FnMut(OpEffect<'_>)) {}
}

macro_rules! fields {
    ($($field:ident: $ty:ty => $effect:expr;)*) => { $(
        impl OpField for $ty {
            fn effect(&mut self, see: &mut dyn FnMut(OpEffect<'_>)) {
                let $field = self;
                see($effect);
            }
        }
    )* };
    ($($ty:ty),*) => { $( impl OpField for $ty {} )* };
}

fields! {
    reg: Reg => OpEffect::Read(reg);
    call: Call => OpEffect::Call(call);
    template: TemplateId => OpEffect::Template(*template);
    way: WaySearchId => OpEffect::Way(*way);
    bindings: BindingsId => OpEffect::Bindings(*bindings);
    to: Target => OpEffect::Target(to);
}

fields!(
    i32,
    u32,
    bool,
    UnaryOp,
    NumberOp,
    WordOp,
    JumpTest,
    CellChange,
    ListChange,
    Native,
    MessageKind,
    Operator,
    Period
);
fields!(Type, KindId, ColumnId, ListId, ChartId, DeckId);

impl<F: OpField> OpField for Option<F> {
    fn effect(&mut self, see: &mut dyn FnMut(OpEffect<'_>)) {
        self.iter_mut().for_each(|field| field.effect(see));
    }
}

impl OpField for DeckOp {
    fn effect(&mut self, see: &mut dyn FnMut(OpEffect<'_>)) {
        match self {
            DeckOp::Put { count, value } => [count, value].into_iter().for_each(|r| r.effect(see)),
            DeckOp::Empty | DeckOp::Shuffled => {}
        }
    }
}

impl OpField for AddresseeReg {
    fn effect(&mut self, see: &mut dyn FnMut(OpEffect<'_>)) {
        match self {
            AddresseeReg::Side(reg) | AddresseeReg::Sides(reg) => reg.effect(see),
            AddresseeReg::All | AddresseeReg::Umpire => {}
        }
    }
}

/// Declares the instructions, each with the register it writes, if any, and its fields.
macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident $(-> $d:ident)? { $($field:ident: $ty:ty),* })*) => {
        /// One instruction. `d` is the register that is written.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "the registers have the same names in every instruction")]
        pub enum Op { $( $(#[$doc])* $name { $($d: Reg,)? $($field: $ty),* } ),* }

        impl Op {
            /// Calls `see` with every operand and effect of the instruction.
            pub(crate) fn visit_effects(&mut self, see: &mut dyn FnMut(OpEffect<'_>)) {
                match self { $( Op::$name { $($d,)? $($field),* } => {
                    $( $field.effect(see); )*
                    $( see(OpEffect::Written($d)); )?
                } )* }
            }

            /// Returns the register that is written, if there is one.
            pub(crate) fn written_register_mut(&mut self) -> Option<&mut Reg> {
                match self { $( Op::$name { $($d,)? .. } => {
                    let [written, ..] = [$( Some($d), )? None];
                    written
                } )* }
            }
        }
    };
}

instructions! {
    /// A small constant: a whole number, flag, word or row.
    Small -> d { n: i32 }
    /// A constant of the program.
    Const -> d { k: u32 }
    Move -> d { s: Reg }
    Unary -> d { op: UnaryOp, a: Reg }
    /// An operation on two fractions or two whole numbers.
    Number -> d { op: NumberOp, fraction: bool, a: Reg, b: Reg }
    Word -> d { op: WordOp, a: Reg, b: Reg }
    /// A flag that is set if two lists hold the same members in the same order.
    SameList -> d { a: Reg, b: Reg }
    Jump { to: Target }
    JumpIf { a: Reg, to: Target }
    JumpIfNot { a: Reg, to: Target }
    /// Tests the values of two registers, and jumps if the test has the result `when`.
    JumpTest { test: JumpTest, when: bool, a: Reg, b: Reg, to: Target }
    /// Compares the cell of the piece in `row` with `n`, and jumps if the test has the result
    /// `when`.
    JumpCell { test: JumpTest, when: bool, column: ColumnId, row: Reg, n: i32, to: Target }
    /// Jumps if the host wants no events.
    JumpIfSilent { to: Target }
    /// Jumps if the host wants neither verdicts nor lines.
    JumpIfMute { to: Target }
    /// Jumps if the piece in `a` is no longer on the table.
    JumpIfGone { kind: KindId, a: Reg, to: Target }
    /// The cell of the piece in `row`.
    Get -> d { column: ColumnId, row: Reg }
    Set { how: CellChange, column: ColumnId, row: Reg, value: Reg }
    /// The list of the piece in `row`.
    GetList -> d { list: ListId, row: Reg }
    SetList { how: ListChange, list: ListId, row: Reg, value: Reg }
    /// A flag that is set if the list of the piece in `row` holds `value`.
    Holds -> d { list: ListId, row: Reg, value: Reg }
    /// A flag that is set if the list in `a` holds `value`.
    InList -> d { a: Reg, value: Reg }
    /// The member of list `a` at position `n`, from 1; negative positions count from the end. A
    /// position outside the list gives -1 or, if `must` is set, a fault.
    Nth -> d { a: Reg, n: Reg, must: bool }
    /// Fails because there is nothing to choose from.
    NoMember {}
    /// Fails unless the number is within the limits of a parameter.
    Within { a: Reg, limits: u32, fraction: bool }
    /// The current end of the list store, as a mark.
    Mark -> d {}
    /// Adds a member at the end of the list store.
    Push { a: Reg }
    /// The members of list `a`, followed by the members of list `b`.
    Join -> d { a: Reg, b: Reg }
    /// The members of list `a`, followed by `value`.
    Append -> d { a: Reg, value: Reg }
    /// The members of list `a` without the first one equal to `value`.
    Without -> d { a: Reg, value: Reg }
    /// Adds, at the end of the list store, the sort key of the member that was pushed last.
    PushKey { a: Reg }
    /// A list of the members pushed since the mark in `a`, sorted by the keys that were pushed
    /// after them, lowest key first.
    CollectSorted -> d { a: Reg, fraction: bool }
    /// The members of list `a` that equal the piece in `only`; all members if `only` holds
    /// `EVERY_PIECE`.
    Narrow -> d { a: Reg, only: Reg }
    /// The members pushed since the mark in `a`, as a list.
    Collect -> d { a: Reg }
    /// Truncates the list store to the mark in `a`.
    Release { a: Reg }
    /// The next piece of a kind at or after row `at`; `at` moves past it. Like the other `Next…`
    /// instructions, it jumps to `end` if nothing is left to visit.
    NextPiece -> d { at: Reg, kind: KindId, end: Target }
    /// The next piece whose cell in this column differs from its start value.
    NextMarked -> d { at: Reg, column: ColumnId, end: Target }
    /// The next member of the list of the piece in `row`.
    NextOf -> d { at: Reg, list: ListId, row: Reg, end: Target }
    /// The next member of the list in `a`.
    NextIn -> d { at: Reg, a: Reg, end: Target }
    /// The next whole number up to `last`.
    NextNumber -> d { at: Reg, last: Reg, end: Target }
    Call { call: Call }
    Return { a: Reg }
    /// Reports the current member of each running loop. If `turn` is set, a new turn of a rule's own
    /// sweep begins.
    Bound { bindings: BindingsId, turn: bool }
    /// The value in a chart for `a` and, if the chart has columns, `b`.
    Chart -> d { chart: ChartId, a: Reg, b: Reg }
    /// The shortest path, as a number of steps or as a list of areas.
    Way -> d { way: WaySearchId }
    Native -> d { function: Native, a: Reg, b: Reg }
    /// A list that holds the area `n` steps from `a` in direction `b`; empty if there is no such area.
    Step -> d { a: Reg, b: Reg, n: Reg }
    /// A text made of words and values.
    Text -> d { template: TemplateId }
    /// Begins a check, to which the following dice and modifiers belong.
    CheckBegin {}
    /// Reports that the dice rolled since the check's last `Throw` are rerolled and do not count.
    Reroll {}
    RollPool -> d { pool: u32 }
    /// The sum of `count` dice with `sides` sides.
    RollDice -> d { count: Reg, sides: Reg }
    /// The sum of `count` rolls of the dice in the register `dice`.
    RollValue -> d { count: Reg, dice: Reg }
    /// Reports a modifier with its reason, unless the modifier is 0.
    Modify { value: Reg, template: TemplateId, fraction: bool }
    /// Reports one roll of the check and, if `passed` is given, whether it passed.
    Throw { natural: Reg, total: Reg, passed: Option<Reg>, fraction: bool }
    /// Reports the number that the total is compared with.
    Need { operator: Operator, value: Reg, fraction: bool }
    /// Reports the verdict of the check, in words.
    Verdict { template: TemplateId }
    CheckEnd { label: TemplateId }
    /// Prints a line, an instruction for the table or a reminder, or refuses the command.
    Tell { how: MessageKind, template: TemplateId }
    /// Shows a line to some viewers only.
    SayTo { template: TemplateId, to: AddresseeReg }
    /// A new piece. Its name is the text or, if there is none, the next free name of its kind. If
    /// `owner` is set, its register holds a side, or a piece on that side, and the new piece gets
    /// the next free name of that side instead.
    Make -> d { kind: KindId, template: Option<TemplateId>, owner: Option<Reg> }
    Remove { kind: KindId, row: Reg }
    Deck { op: DeckOp, deck: DeckId }
    Draw -> d { deck: DeckId }
    Pick -> d { a: Reg, kind: KindId }
    /// A piece chosen at random from all pieces of a kind on the table.
    PickPiece -> d { kind: KindId }
    /// Sets the best answer to the question that the next instruction asks.
    Best { a: Reg }
    AskAmong -> d { a: Reg, template: TemplateId, ty: Type }
    AskBetween -> d { low: Reg, high: Reg, template: TemplateId }
    AskFlag -> d { template: TemplateId }
    /// Ends the command, and the phase or the turn.
    End { period: Period }
    /// Fails because no row of the table covers the total.
    NoRow { total: Reg }
    /// Fails if the number is over the limit of `repeat` and `times`.
    Repeats { a: Reg }
}

impl Op {
    /// Returns the number of the register that is written, if there is one.
    pub(crate) fn written_register(mut self) -> Option<Reg> {
        self.written_register_mut().copied()
    }

    /// Returns the test of a conditional jump that makes the same comparison, the result of the
    /// test for which the comparison is true, and both registers in the order of the test. Returns
    /// `None` if no conditional jump can replace the instruction.
    pub(in crate::language) fn as_comparison(self) -> Option<(JumpTest, bool, Reg, Reg)> {
        match self {
            Op::Number { op: NumberOp::Less, fraction: false, a, b, .. } => {
                Some((JumpTest::Less, true, a, b))
            }
            Op::Number { op: NumberOp::AtMost, fraction: false, a, b, .. } => {
                Some((JumpTest::Less, false, b, a))
            }
            Op::Word { op: WordOp::Equal, a, b, .. } => Some((JumpTest::Equal, true, a, b)),
            Op::Word { op: WordOp::NotEqual, a, b, .. } => Some((JumpTest::Equal, false, a, b)),
            _ => None,
        }
    }

    /// Returns the instruction that may run next instead of the following one, if there is one.
    pub(crate) fn jump_target(mut self) -> Option<Target> {
        let mut target = None;
        self.map_target(|to| *target.insert(to));
        target
    }

    /// Replaces the target, if the instruction is a jump or the head of a loop.
    pub(in crate::language) fn map_target(&mut self, mut land: impl FnMut(Target) -> Target) {
        self.visit_effects(&mut |effect| {
            if let OpEffect::Target(to) = effect {
                *to = land(*to);
            }
        });
    }

    /// Returns true if the instruction does nothing but report to a host that wants events.
    pub fn only_reports(self) -> bool {
        use Op::{Bound, CheckBegin, Need, Reroll, Throw};
        matches!(self, Bound { .. } | CheckBegin {} | Need { .. } | Reroll {} | Throw { .. })
    }

    /// Returns true if a run never continues from this instruction to the next one.
    pub(crate) fn never_falls_through(self) -> bool {
        use Op::{End, Jump, NoMember, NoRow, Return};
        matches!(self, End { .. } | Jump { .. } | NoMember {} | NoRow { .. } | Return { .. })
    }
}
// Larger instructions would slow down the loop that executes them.
const _: () = assert!(std::mem::size_of::<Op>() <= 16);
