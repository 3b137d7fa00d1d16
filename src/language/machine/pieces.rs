//! Pieces taken off the table.

use super::lists::change_list;
use super::{Host, Machine, World};
use crate::language::schema::{ColumnId, Element, KindId, ListId, STATE, Type};

impl Machine<'_> {
    /// Takes a piece off the table.
    pub fn take_off<T: World, H: Host>(
        &mut self,
        kind: KindId,
        row: u32,
        table: &mut T,
        host: &mut H,
    ) {
        if table.is_there(kind, row) {
            self.forget(kind, row, table, host);
            table.remove(kind, row);
            host.removed(kind, row);
        }
    }

    /// Nothing points to a piece that is taken off: references become `none`, and lists let it go.
    fn forget<T: World, H: Host>(&mut self, kind: KindId, gone: u32, table: &mut T, host: &mut H) {
        for (index, &(of, attribute)) in self.schema.columns.iter().enumerate() {
            if self.schema.kind(of).attributes[attribute].ty != Type::Piece(kind) {
                continue;
            }
            let column = ColumnId::from_index(index);
            let mut from = 0;
            self.steps += 1;
            while let Some(row) = table.next_piece(of, from) {
                from = row + 1;
                self.steps += 1;
                if table.get(column, row) == i64::from(gone) {
                    table.set(column, row, -1);
                    host.cell_changed(column, row, i64::from(gone), -1);
                }
            }
        }
        let decks = self.schema.decks.iter().map(|d| (d.list, STATE, d.of));
        let lists =
            self.schema.lists.iter().enumerate().filter_map(|(index, &(of, attribute))| match self
                .schema
                .kind(of)
                .attributes
                .get(attribute)?
                .ty
            {
                Type::List(Element::Piece(k)) => Some((ListId::from_index(index), of, k)),
                _ => None,
            });
        for (list, of, _) in decks.chain(lists).filter(|&(_, _, k)| k == kind) {
            let mut from = 0;
            while let Some(row) = table.next_piece(of, from) {
                from = row + 1;
                self.steps += 1 + table.list(list, row).len() as u64;
                if table.list(list, row).contains(&gone) {
                    let kept: Vec<u32> =
                        table.list(list, row).iter().copied().filter(|&m| m != gone).collect();
                    change_list(list, row, &kept, table, host);
                }
            }
        }
    }
}
