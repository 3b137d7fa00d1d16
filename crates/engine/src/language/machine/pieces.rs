//! Pieces that differ from their start, and pieces taken off the table.

use super::run::Run;
use super::{Host, Machine, World};
use crate::language::schema::{ColumnId, Element, KindId, ListId, STATE, Type};

/// Returns the first piece from this row on whose cell in a column is not as it was at the start.
#[inline(always)]
pub(super) fn next_marked<T: World>(table: &T, column: ColumnId, from: u32) -> Option<u32> {
    let mut word = from / 64;
    let mut rest = table.marked(column, word)? & (u64::MAX << (from % 64));
    while rest == 0 {
        word += 1;
        rest = table.marked(column, word)?;
    }
    Some(word * 64 + rest.trailing_zeros())
}

impl Machine<'_> {
    /// Takes a piece off the table.
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
    /// Takes a piece off the table.
    pub(super) fn take_off(&mut self, kind: KindId, row: u32) {
        if self.table.is_there(kind, row) {
            self.forget(kind, row);
            self.table.remove(kind, row);
            self.host.removed(kind, row);
        }
    }

    /// Clears everything that points to a piece that is removed: references become `none`, and lists lose it.
    fn forget(&mut self, kind: KindId, gone: u32) {
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
                    self.host.cell_changed(column, row, i64::from(gone), -1);
                }
            }
        }
        let decks = schema.decks.iter().map(|d| (d.list, STATE, d.of));
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
