//! Facts that hold throughout the games of a simulation, and the instructions that they make needless.
//!
//! A cell that none of their rules changes, and that is the same for all pieces, is a number: what is asked of it is decided,
//! loops over no pieces go, and with them the rules that nothing else calls. Values are followed along the ways that can
//! be taken (Wegman and Zadeck, "Constant propagation with conditional branches", 1991).

use super::{CellChange, Effect, Function, Op, Program, Reg, Target, UnaryOp};
use crate::language::machine::{Live, World, number_op, unary, word_op};
use crate::language::schema::{ColumnId, FunctionId, KindId, Schema, Type};

/// The most rounds in which facts are found wrong one by one; then none is believed.
const MOST_ROUNDS: usize = 20;
/// The most values that are followed in one function.
const MOST_VALUES: usize = 1_000_000;

/// Facts that hold throughout the games of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The value of a column that is the same for all pieces.
    cells: Vec<Option<i64>>,
    /// The kinds of which no piece is on the table.
    empty: Vec<bool>,
}

impl Facts {
    /// Returns what holds as a table is set out.
    pub fn of(schema: &Schema, table: &impl World) -> Facts {
        let rows = |kind| {
            let next = move |from: u32| table.next_piece(kind, from);
            std::iter::successors(next(0), move |row| next(row + 1))
        };
        let same = |(index, &(kind, _)): (usize, &(KindId, usize))| {
            let column = ColumnId::from_index(index);
            let first = rows(kind).next().map(|row| table.get(column, row))?;
            rows(kind).all(|row| table.get(column, row) == first).then_some(first)
        };
        let cells = schema.columns.iter().enumerate().map(same).collect();
        let empty = schema.all_kinds().map(|(kind, _)| rows(kind).next().is_none()).collect();
        Facts { cells, empty }
    }

    /// Lets a column be changed by something else than rules.
    pub fn forget(&mut self, column: ColumnId) {
        self.cells.get_mut(column.index()).map(Option::take);
    }

    fn cell(&self, column: ColumnId) -> Option<i64> {
        self.cells.get(column.index()).copied().flatten()
    }

    fn is_empty(&self, kind: KindId) -> bool {
        self.empty.get(kind.index()) == Some(&true)
    }

    /// Takes in what an instruction does to the table.
    fn change(&mut self, schema: &Schema, op: Op, state: &[Certain]) {
        match op {
            Op::Set { how, column, value, .. } => {
                let value = state[usize::from(value)].number();
                if how != CellChange::Set || value != self.cell(column) {
                    self.forget(column);
                }
            }
            Op::Make { kind, .. } => {
                self.empty.get_mut(kind.index()).map(std::mem::take);
                self.forget_where(|at, known| {
                    schema.columns[at.index()].0 == kind && schema.column(at).start != known
                });
            }
            // Nothing points to it any more.
            Op::Remove { kind, .. } => {
                self.forget_where(|at, _| schema.column(at).ty == Type::Piece(kind));
            }
            _ => {}
        }
    }

    fn forget_where(&mut self, changes: impl Fn(ColumnId, i64) -> bool) {
        for (index, known) in self.cells.iter_mut().enumerate() {
            known.take_if(|known| changes(ColumnId::from_index(index), *known));
        }
    }
}

/// A value that a register has whenever an instruction is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certain {
    Is(i64),
    /// The row of some piece, not `none`.
    Row,
    Any,
}

impl Certain {
    fn meet(self, other: Certain) -> Certain {
        match (self, other) {
            (a, b) if a == b => a,
            (a, b) if a.is_row() && b.is_row() => Certain::Row,
            _ => Certain::Any,
        }
    }

    fn is_row(self) -> bool {
        matches!(self, Certain::Row | Certain::Is(0..))
    }

    fn number(self) -> Option<i64> {
        match self {
            Certain::Is(n) => Some(n),
            Certain::Row | Certain::Any => None,
        }
    }
}

impl Program {
    /// Returns the program for games in which only these functions run, and what they call: shorter by what holds in
    /// them.
    pub(super) fn settled(&self, schema: &Schema, run: &[FunctionId], mut facts: Facts) -> Program {
        let mut round = 0;
        let (seen, facts) = loop {
            round += 1;
            let mut found = facts.clone();
            let mut seen = vec![false; self.functions.len()];
            let mut next = run.to_vec();
            while let Some(id) = next.pop() {
                if std::mem::replace(&mut seen[id.index()], true) {
                    continue;
                }
                let function = &self.functions[id.index()];
                let mut see = |op: Op, state: &[Certain]| {
                    found.change(schema, op, state);
                    next.extend(self.called(op));
                };
                let code = &function.code;
                match ValueFlow::of(self, schema, function, &facts) {
                    Some(flow) => code.iter().zip(&flow.states).for_each(|(op, state)| {
                        state.iter().for_each(|state| see(*op, state));
                    }),
                    None => {
                        let any = vec![Certain::Any; usize::from(function.registers)];
                        code.iter().for_each(|op| see(*op, &any));
                    }
                }
            }
            if found == facts {
                break (seen, facts);
            }
            facts = if round < MOST_ROUNDS { found } else { Facts::default() };
        };
        let mut program = self.clone();
        let reached = self.functions.iter().enumerate().filter(|(index, _)| seen[*index]);
        for (index, function) in reached {
            if let Some(flow) = ValueFlow::of(self, schema, function, &facts) {
                let id = FunctionId::from_index(index);
                program.functions[index] = flow.into_function(self, id).into();
            }
        }
        program
    }
}

/// The values in a function's registers at each of its instructions; none where it is never reached.
struct ValueFlow<'a> {
    function: &'a Function,
    schema: &'a Schema,
    facts: &'a Facts,
    states: Vec<Option<Vec<Certain>>>,
}

/// Where a function may go on after an instruction.
struct Ways {
    following: bool,
    jump: Option<Target>,
}

impl<'a> ValueFlow<'a> {
    /// Follows the values through a function; none if it is too large for that.
    fn of(
        program: &Program,
        schema: &'a Schema,
        function: &'a Function,
        facts: &'a Facts,
    ) -> Option<Self> {
        let registers = usize::from(function.registers);
        if function.code.len() * registers > MOST_VALUES {
            return None;
        }
        let mut states = vec![None; function.code.len()];
        states.first_mut()?.get_or_insert_with(|| vec![Certain::Any; registers]);
        let mut flow = ValueFlow { function, schema, facts, states };
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            let Some(Some(state)) = flow.states.get(at) else { continue };
            let before = state.clone();
            let mut after = before.clone();
            let ways = flow.go_on(program, function.code[at], &mut after);
            let jump = ways.jump.map(|to| (to.0 as usize, &before));
            for (to, state) in ways.following.then_some((at + 1, &after)).into_iter().chain(jump) {
                if flow.arrive(to, state) {
                    work.push(to);
                }
            }
        }
        Some(flow)
    }

    /// Takes in the values with which an instruction is reached; true if they are not as they were before.
    fn arrive(&mut self, at: usize, values: &[Certain]) -> bool {
        match self.states.get_mut(at) {
            Some(Some(state)) => {
                let met: Vec<Certain> = state.iter().zip(values).map(|(a, b)| a.meet(*b)).collect();
                std::mem::replace(state, met) != *state
            }
            Some(state) => {
                *state = Some(values.to_vec());
                true
            }
            None => false,
        }
    }

    fn cell(&self, column: ColumnId, row: Certain) -> Option<i64> {
        self.facts.cell(column).filter(|_| row.is_row())
    }

    /// Returns the way that a conditional jump takes, if that is known.
    fn holds(&self, op: Op, state: &[Certain]) -> Option<bool> {
        let value = |reg: Reg| state[usize::from(reg)];
        let number = |reg| value(reg).number();
        match op {
            Op::JumpIf { a, .. } => Some(number(a)? != 0),
            Op::JumpIfNot { a, .. } => Some(number(a)? == 0),
            Op::JumpTest { test, when, a, b, .. } => {
                Some(test.holds(number(a)?, number(b)?) == when)
            }
            Op::JumpCell { test, when, column, row, n, .. } => {
                Some(test.holds(self.cell(column, value(row))?, n.into()) == when)
            }
            Op::NextPiece { kind, .. } => self.facts.is_empty(kind).then_some(true),
            Op::NextMarked { column, .. } => {
                let start = self.schema.column(column).start;
                let none = self.facts.is_empty(self.schema.columns[column.index()].0)
                    || self.facts.cell(column) == Some(start);
                none.then_some(true)
            }
            _ => None,
        }
    }

    /// Carries out an instruction on what is known of the registers.
    fn go_on(&self, program: &Program, op: Op, state: &mut [Certain]) -> Ways {
        let holds = self.holds(op, state);
        let mut ways = Ways { following: !op.leaves() && holds != Some(true), jump: None };
        let mut written = None;
        let mut each = op;
        each.effects(&mut |effect| match effect {
            Effect::Target(to) => ways.jump = (holds != Some(false)).then_some(*to),
            Effect::Written(d) => written = Some(*d),
            Effect::Call(call) => state[usize::from(call.base)..].fill(Certain::Any),
            _ => {}
        });
        let result = self.result(program, op, state);
        match op {
            // What none has no cell of.
            Op::Get { row, .. } | Op::JumpCell { row, .. } | Op::Set { row, .. } => {
                let row = &mut state[usize::from(row)];
                *row = if row.is_row() { *row } else { Certain::Row };
            }
            Op::NextPiece { at, .. }
            | Op::NextMarked { at, .. }
            | Op::NextOf { at, .. }
            | Op::NextIn { at, .. }
            | Op::NextNumber { at, .. } => state[usize::from(at)] = Certain::Any,
            _ => {}
        }
        if let Some(d) = written {
            state[usize::from(d)] = result;
        }
        ways
    }

    /// Returns what is known of the value that an instruction makes.
    fn result(&self, program: &Program, op: Op, state: &[Certain]) -> Certain {
        let value = |reg: Reg| state[usize::from(reg)];
        let number = |reg| value(reg).number();
        let both = |a, b| Some((number(a)?, number(b)?));
        let made = match op {
            Op::Small { n, .. } => Some(n.into()),
            Op::Const { k, .. } => program.constants.get(k as usize).copied(),
            Op::Move { s, .. } => return value(s),
            Op::NextPiece { .. }
            | Op::NextMarked { .. }
            | Op::NextOf { .. }
            | Op::NextIn { .. } => {
                return Certain::Row;
            }
            Op::Get { column, row, .. } => self.cell(column, value(row)),
            Op::Number { op, fraction, a, b, .. } => {
                both(a, b).and_then(|(a, b)| number_op(op, fraction, a, b).ok())
            }
            Op::Word { op, a, b, .. } => both(a, b).and_then(|(a, b)| word_op(op, a, b).ok()),
            Op::Unary { op, a, .. } if op != UnaryOp::Size => {
                number(a).and_then(|a| unary(op, a).ok())
            }
            _ => None,
        };
        made.map_or(Certain::Any, Certain::Is)
    }

    /// Returns the function without what is never reached, asked or used.
    fn into_function(self, program: &Program, id: FunctionId) -> Function {
        let mut function = self.function.clone();
        let mut gone: Vec<bool> = self.states.iter().map(Option::is_none).collect();
        for (at, state) in self.states.iter().enumerate() {
            let (op, Some(state)) = (&mut function.code[at], state) else { continue };
            match self.holds(*op, state) {
                Some(false) => gone[at] = true,
                Some(true) => {
                    op.leads_to().into_iter().for_each(|to| *op = Op::Jump { to });
                }
                None => {
                    let made = self.result(program, *op, state).number();
                    let small = made.and_then(|n| i32::try_from(n).ok());
                    if let (Some(n), Some(&mut d)) = (small, op.written()) {
                        *op = Op::Small { d, n };
                    }
                }
            }
        }
        function.remove(&gone);
        loop {
            // The values behind the first are read by the caller.
            if program.further.contains_key(&id) {
                return function;
            }
            let live = Live::of(program, &function);
            let unused = |(at, op): (usize, &Op)| match *op {
                Op::Small { d, .. } | Op::Const { d, .. } | Op::Move { d, .. } | Op::Mark { d } => {
                    !live.has(at + 1, d)
                }
                _ => false,
            };
            let gone: Vec<bool> = function.code.iter().enumerate().map(unused).collect();
            if !gone.contains(&true) {
                return function;
            }
            function.remove(&gone);
        }
    }
}
