//! Finds pieces whose values differ from their start values, and removes pieces.

use super::run::Run;
use super::{Host, Machine, World};
use crate::language::schema::{ColumnId, Element, KindId, ListId, STATE_KIND, Type};

/// Returns the first piece at or after this row whose cell in a column differs from its start
/// value.
#[inline(always)]
pub(super) fn next_changed_piece<T: World>(table: &T, column: ColumnId, from: u32) -> Option<u32> {
    let mut word = from / 64;
    let mut rest = table.changed_rows_mask(column, word)? & (u64::MAX << (from % 64));
    while rest == 0 {
        word += 1;
        rest = table.changed_rows_mask(column, word)?;
    }
    Some(word * 64 + rest.trailing_zeros())
}

impl Machine<'_> {
    /// Removes a piece from the table, if it is there, and clears all references to it.
    pub(crate) fn take_off<T: World, H: Host>(
        &mut self,
        kind: KindId,
        row: u32,
        table: &mut T,
        host: &mut H,
    ) {
        Run { machine: self, table, host, base: 0, halted: None }.take_off(kind, row);
    }
}

impl<T: World, H: Host> Run<'_, '_, T, H> {
    /// Removes a piece from the table, if it is there, and clears all references to it.
    pub(super) fn take_off(&mut self, kind: KindId, row: u32) {
        if self.table.is_on_table(kind, row) {
            self.clear_references(kind, row);
            self.table.remove_piece(kind, row);
            self.host.on_piece_removed(kind, row);
        }
    }

    /// Clears all references to a removed piece: cells that point to it become `none`, and it is
    /// removed from all lists.
    fn clear_references(&mut self, kind: KindId, gone: u32) {
        let schema = self.machine.schema;
        for (index, &(of, attribute)) in schema.columns.iter().enumerate() {
            if schema.kind(of).attributes[attribute].ty != Type::Piece(kind) {
                continue;
            }
            let column = ColumnId::from_index(index);
            let mut from = 0;
            self.machine.steps += 1;
            while let Some(row) = self.table.next_piece(of, from) {
                from = row + 1;
                self.machine.steps += 1;
                if self.table.get(column, row) == i64::from(gone) {
                    self.table.set(column, row, -1);
                    self.host.on_cell_change(column, row, i64::from(gone), -1);
                }
            }
        }
        let decks = schema.decks.iter().map(|d| (d.list, STATE_KIND, d.of));
        let lists = schema.lists.iter().enumerate().filter_map(|(index, &(of, attribute))| {
            match schema.kind(of).attributes.get(attribute)?.ty {
                Type::List(Element::Piece(k)) => Some((ListId::from_index(index), of, k)),
                _ => None,
            }
        });
        for (list, of, _) in decks.chain(lists).filter(|&(_, _, k)| k == kind) {
            let mut from = 0;
            while let Some(row) = self.table.next_piece(of, from) {
                from = row + 1;
                let members = self.table.list(list, row);
                self.machine.steps += 1 + members.len() as u64;
                if members.contains(&gone) {
                    let kept: Vec<u32> = members.iter().copied().filter(|&m| m != gone).collect();
                    self.change_list(list, row, &kept);
                }
            }
        }
    }
}
