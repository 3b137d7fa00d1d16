//! Follows loops over every piece of a kind. After such a loop, its effect is known for all pieces
//! of the kind.

use super::facts::{Fact, Facts};
use super::state::State;
use super::symbols::Symbol;
use super::trace::Tracer;
use crate::language::code::{Op, Target};
use crate::language::schema::{ColumnId, KindId};

impl Tracer<'_, '_> {
    /// Returns true if the list collected here contains every piece of a kind, because a loop over
    /// the kind adds each piece without a condition.
    pub(super) fn collects_every_piece(&self, at: usize) -> bool {
        let code = &self.all.program.functions[self.function.index()].code;
        let Some(head) = at.checked_sub(3) else { return false };
        let [Op::NextPiece { d, .. }, Op::Push { a }, Op::Jump { to }] = code[head..at] else {
            return false;
        };
        a == d && to.0 as usize == head
    }

    /// Adds facts to the path past a loop over every piece of a kind. The facts are about the cells
    /// in which every iteration leaves the same constant, as in `each s in seats { reveal s.bid }`.
    /// If no iteration has been followed to its end yet, the path past the loop is postponed,
    /// because facts that are unknown at first would stay unknown in the loops after this one.
    pub(super) fn learn_of_every(
        &mut self,
        head: usize,
        member: Symbol,
        end: Target,
        ways: &mut Vec<(usize, State)>,
    ) {
        let end = end.0 as usize;
        let turns = self.arrivals[head].iter().filter(|(from, _)| (head..end).contains(from));
        let known = turns.map(|(_, state)| state.facts.constant_cells(&self.all.symbols, member));
        let common =
            known.reduce(|all, turn| all.into_iter().filter(|cell| turn.contains(cell)).collect());
        let Some(mut cells) = common else {
            if self.changes_cells(head..end) && !self.goes_on {
                self.waits = true;
                ways.retain(|(to, _)| *to != end);
            }
            return;
        };
        // A later iteration must not change the pieces of earlier iterations.
        cells.retain(|&(column, value)| !self.is_changed_otherwise(head..end, column, value));
        if let Some((_, past)) = ways.iter_mut().find(|(to, _)| *to == end) {
            for (column, value) in cells {
                past.facts.add(Fact::Every(column, value));
            }
        }
    }

    /// Returns true if any of these instructions sets a cell or calls a function, which may set
    /// one.
    fn changes_cells(&self, instructions: std::ops::Range<usize>) -> bool {
        let code = &self.all.program.functions[self.function.index()].code;
        code[instructions].iter().any(|op| matches!(op, Op::Set { .. } | Op::Call { .. }))
    }

    /// Returns true if any of these instructions may set a cell of the column to a different value,
    /// or make a piece that has such a cell.
    fn is_changed_otherwise(
        &self,
        instructions: std::ops::Range<usize>,
        column: ColumnId,
        value: Symbol,
    ) -> bool {
        let (kind, _) = self.all.schema.columns[column.index()];
        let code = &self.all.program.functions[self.function.index()].code;
        let makes = |op: &Op| match *op {
            Op::Make { kind: made, .. } => made == kind,
            Op::Call { call } => {
                let summary = self.all.summary(call.function);
                summary.is_none_or(|summary| summary.made.contains(&kind))
            }
            _ => false,
        };
        code[instructions.clone()].iter().any(makes)
            || self.changes.iter().any(|(&(at, of), set)| {
                of == column && instructions.contains(&at) && *set != Some(value)
            })
    }

    /// Records that a new piece is made, and forgets the facts about every piece of its kind.
    pub(super) fn make_piece(&mut self, kind: KindId, facts: &mut Facts) {
        self.summary.made.insert(kind);
        let columns = &self.all.schema.columns;
        facts.forget_every(|column| columns[column.index()].0 == kind);
    }
}
