//! Lays the table out as a state has it.

use super::joint::{Belief, Joint, RandomVariable, TableState};
use super::tree::Tree;
use crate::language::machine::{SnapshotReader, World};
use crate::language::schema::KindId;

impl Tree<'_> {
    /// Lays the table out as a state has it: what is certain lies open, the rest under the veil.
    pub(super) fn lay_out(&mut self, reader: &mut SnapshotReader<'_>, state: &TableState) {
        self.table.renew();
        for _ in 0..reader.count() {
            let kind = KindId(reader.take() as u16);
            // It was set out before, so there is room for it.
            _ = self.table.under.add(kind, self.names.text(reader.take()));
        }
        self.reveal_all(state.iter());
        for _ in 0..reader.count() {
            let kind = KindId(reader.take() as u16);
            let row = reader.take() as u32;
            self.table.remove(kind, row);
        }
        self.table.laid_out();
    }

    /// Lays open what is certain among these; what is not stays veiled.
    pub(super) fn reveal_all<'k>(
        &mut self,
        known: impl IntoIterator<Item = &'k (RandomVariable, Belief)>,
    ) {
        for (var, held) in known {
            match held {
                Belief::Sure(value) => self.reveal(*var, *value),
                Belief::In(joint) => self.hide(*var, joint),
            }
        }
    }

    /// Hides what is not certain. Of a deck that no rule looks into, the number of cards can be seen if it is certain.
    fn hide(&mut self, var: RandomVariable, joint: &Joint) {
        let index = joint.vars.binary_search(&var).unwrap_or(0);
        let mut numbers = joint.rows.iter().map(|row| row.0[index]);
        if let RandomVariable::List(list, row) = var
            && self.decks.is_grouped(list)
            && let Some(first) = numbers.next()
            && numbers.all(|n| self.names.list(n).len() == self.names.list(first).len())
        {
            self.table.lift(var);
            self.table.stand_for(list, row, self.names.list(first));
            return;
        }
        self.table.veil(var);
    }

    /// Lays a value open on the table.
    fn reveal(&mut self, var: RandomVariable, value: i64) {
        self.table.lift(var);
        match var {
            RandomVariable::Cell(column, row) => self.table.under.set(column, row, value),
            RandomVariable::List(list, row) if value >= 0 => {
                if self.names.whole(value) == value {
                    self.table.under.set_list(list, row, self.names.list(value));
                } else {
                    self.table.stand_for(list, row, self.names.list(value));
                }
            }
            _ => {}
        }
    }
}
