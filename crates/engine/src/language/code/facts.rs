//! Facts that hold throughout the games of a simulation.
//!
//! A cell that none of their rules changes, and that is the same for all pieces, is a number: what is asked of it is decided,
//! loops over no pieces go, and with them the rules that nothing else calls.

use super::values::ValueFlow;
use super::{CellChange, Op, Program, Reg};
use crate::language::machine::World;
use crate::language::schema::{ColumnId, Element, FunctionId, KindId, ListId, STATE, Schema, Type};

/// The most rounds in which facts are found wrong one by one; then none is believed.
const MOST_ROUNDS: usize = 20;

/// Facts that hold throughout the games of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The value of a column that is the same for all pieces.
    cells: Vec<Option<i64>>,
    /// The kinds of which no piece is on the table.
    empty: Vec<bool>,
    /// The lists that no rule changes; true where those of all pieces are empty.
    lists: Vec<Option<bool>>,
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
        // Decks are lists of the state, and the referee has its own there.
        let lists = schema.lists.iter().enumerate().map(|(index, &(kind, _))| {
            let list = ListId::from_index(index);
            let empty = || rows(kind).all(|row| table.list(list, row).is_empty());
            (kind != STATE).then(empty)
        });
        Facts { cells, empty, lists: lists.collect() }
    }

    /// Lets a column be changed by something else than rules.
    pub fn forget(&mut self, column: ColumnId) {
        self.cells.get_mut(column.index()).map(Option::take);
    }

    /// Lets pieces of a kind be taken off: nothing points to them any more.
    pub fn forget_references(&mut self, schema: &Schema, kind: KindId) {
        self.forget_where(|at, _| schema.column(at).ty == Type::Piece(kind));
        for (index, fixed) in self.lists.iter_mut().enumerate() {
            let of = schema.list(ListId::from_index(index)).map(|attribute| attribute.ty);
            fixed.take_if(|_| of == Some(Type::List(Element::Piece(kind))));
        }
    }

    pub(super) fn cell(&self, column: ColumnId) -> Option<i64> {
        self.cells.get(column.index()).copied().flatten()
    }

    /// Returns true if a list that no rule changes is empty for all pieces; none if a rule changes it.
    pub(super) fn list(&self, list: ListId) -> Option<bool> {
        self.lists.get(list.index()).copied().flatten()
    }

    pub(super) fn is_empty(&self, kind: KindId) -> bool {
        self.empty.get(kind.index()) == Some(&true)
    }

    /// Takes in what an instruction does to the table. `number` gives the number in a register, where it is known.
    fn change(&mut self, schema: &Schema, op: Op, number: impl Fn(Reg) -> Option<i64>) {
        match op {
            Op::Set { how, column, value, .. } => {
                let value = number(value);
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
            Op::SetList { list, .. } => _ = self.lists.get_mut(list.index()).map(Option::take),
            Op::Remove { kind, .. } => self.forget_references(schema, kind),
            _ => {}
        }
    }

    fn forget_where(&mut self, changes: impl Fn(ColumnId, i64) -> bool) {
        for (index, known) in self.cells.iter_mut().enumerate() {
            known.take_if(|known| changes(ColumnId::from_index(index), *known));
        }
    }

    /// Returns what goes on holding in games in which only these functions of a program run, and what they call; and all of
    /// those functions.
    pub(super) fn lasting(
        mut self,
        program: &Program,
        schema: &Schema,
        run: &[FunctionId],
    ) -> (Facts, Vec<FunctionId>) {
        let mut round = 0;
        loop {
            let mut found = self.clone();
            let (mut seen, mut reached) = (vec![false; program.functions.len()], Vec::new());
            let mut next = run.to_vec();
            while let Some(id) = next.pop() {
                if std::mem::replace(&mut seen[id.index()], true) {
                    continue;
                }
                reached.push(id);
                let function = &program.functions[id.index()];
                let flow = ValueFlow::of(program, schema, function, &self);
                for (at, op) in function.code.iter().enumerate() {
                    if flow.as_ref().is_none_or(|flow| flow.reaches(at)) {
                        found.change(schema, *op, |reg| flow.as_ref()?.number(at, reg));
                        next.extend(program.called(*op));
                    }
                }
            }
            if found == self {
                return (self, reached);
            }
            round += 1;
            self = if round < MOST_ROUNDS { found } else { Facts::default() };
        }
    }
}
