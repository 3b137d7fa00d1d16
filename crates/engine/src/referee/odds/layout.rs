//! Lays out the table of a state in the tree.

use super::joint::{Belief, JointDistribution, RandomVariable, TableState};
use super::tree::Tree;
use crate::language::machine::{SnapshotReader, World};
use crate::language::schema::KindId;

impl Tree<'_> {
    /// Lays out the table of a state: certain values are visible, all others veiled.
    pub(super) fn lay_out_table(&mut self, reader: &mut SnapshotReader<'_>, state: &TableState) {
        self.table.reset();
        for _ in 0..reader.next_count() {
            let kind = KindId(reader.next_number() as u16);
            // The piece was set out before, so there is room for it.
            _ = self.table.under.add_piece(kind, self.names.text(reader.next_number()));
        }
        self.show_certain_values(state.iter());
        for _ in 0..reader.next_count() {
            let kind = KindId(reader.next_number() as u16);
            let row = reader.next_number() as u32;
            self.table.remove_piece(kind, row);
        }
        self.table.end_layout();
    }

    /// Puts the certain values of these variables on the table. The others stay veiled.
    pub(super) fn show_certain_values<'k>(
        &mut self,
        known: impl IntoIterator<Item = &'k (RandomVariable, Belief)>,
    ) {
        for (var, held) in known {
            match held {
                Belief::Sure(value) => self.show_value(*var, *value),
                Belief::In(joint) => self.veil_uncertain(*var, joint),
            }
        }
    }

    /// Veils a variable that is not certain. For a deck that no rule looks into, the number of
    /// cards stays visible if it is certain.
    fn veil_uncertain(&mut self, var: RandomVariable, joint: &JointDistribution) {
        let index = joint.vars.binary_search(&var).unwrap_or(0);
        let mut numbers = joint.rows.iter().map(|row| row.0[index]);
        if let RandomVariable::List(list, row) = var
            && self.decks.is_grouped(list)
            && let Some(first) = numbers.next()
            && numbers
                .all(|n| self.names.list_members(n).len() == self.names.list_members(first).len())
        {
            self.table.lift_veil(var);
            self.table.show_substitutes(list, row, self.names.list_members(first));
            return;
        }
        self.table.veil_variable(var);
    }

    /// Shows a value on the table.
    fn show_value(&mut self, var: RandomVariable, value: i64) {
        self.table.lift_veil(var);
        match var {
            RandomVariable::Cell(column, row) => self.table.under.set(column, row, value),
            RandomVariable::List(list, row) if value >= 0 => {
                if self.names.whole_deck(value) == value {
                    self.table.under.set_list(list, row, self.names.list_members(value));
                } else {
                    self.table.show_substitutes(list, row, self.names.list_members(value));
                }
            }
            _ => {}
        }
    }
}
