//! The sides: which one a piece is on, and whose move it is.

use super::{Call, Referee};
use crate::language::machine::{World, shown};
use crate::language::schema::{Attribute, ColumnId, KindId, STATE, Storage, Type};
use crate::ruleset::MOVING;
use crate::tabletop::Tabletop;

impl Referee {
    /// Returns the name of the side a piece is on.
    pub fn side(&self, table: &Tabletop, kind: KindId, row: u32) -> Option<String> {
        let (side, ty) = self.side_of(table, kind, row)?;
        Some(shown(&self.ruleset.schema, table, side, ty))
    }

    /// Returns the name of the side whose move it is.
    pub fn side_to_move<T: World>(&self, table: &T) -> Option<String> {
        let (side, ty) = self.moving(table)?;
        Some(shown(&self.ruleset.schema, table, side, ty))
    }

    /// Returns the names of all sides.
    pub fn sides(&self, table: &Tabletop) -> std::collections::BTreeSet<String> {
        let schema = &self.ruleset.schema;
        match schema.sides {
            Some(Type::Word(set)) => {
                schema.word_set(set).values.iter().filter(|w| *w != "none").cloned().collect()
            }
            Some(Type::Piece(kind)) => {
                table.present(kind).map(|row| table.name(kind, row).to_owned()).collect()
            }
            _ => {
                let kinds = (0..schema.kinds.len()).map(KindId::from_index);
                let with_side = kinds.filter(|&kind| schema.kind(kind).side().is_some());
                with_side
                    .flat_map(|kind| {
                        table.present(kind).filter_map(move |row| self.side(table, kind, row))
                    })
                    .collect()
            }
        }
    }

    /// Returns the side whose move it is, with its type.
    pub(super) fn moving<T: World>(&self, table: &T) -> Option<(i64, Type)> {
        let side = table.get(self.moving_column()?, 0);
        (side != self.ruleset.schema.no_side()).then_some((side, self.ruleset.schema.sides?))
    }

    /// Returns the column of the side whose move it is.
    pub(super) fn moving_column(&self) -> Option<ColumnId> {
        let schema = &self.ruleset.schema;
        match schema.sides.and(schema.kind(STATE).attribute(MOVING))?.storage {
            Storage::Cell(column) => Some(column),
            Storage::List(_) | Storage::Computed(_) => None,
        }
    }

    /// Returns the side of a piece, with its type: itself if it is one, what its own side attribute says, or that of
    /// a piece which the attribute, or any of its references if it has none, points to.
    pub(super) fn side_of(&self, table: &Tabletop, kind: KindId, row: u32) -> Option<(i64, Type)> {
        let schema = &self.ruleset.schema;
        let (mut kind, mut row) = (kind, row);
        for _ in 0..schema.kinds.len() {
            if schema.sides == Some(Type::Piece(kind)) {
                return Some((row.into(), Type::Piece(kind)));
            }
            let of = schema.kind(kind);
            let Some(attribute) = of.side() else {
                let value = |a: &Attribute| match (a.ty, a.storage) {
                    (Type::Piece(other), Storage::Cell(column))
                        if schema.kind(other).side().is_some() =>
                    {
                        let other_row = u32::try_from(table.get(column, row)).ok()?;
                        self.side_of(table, other, other_row)
                    }
                    _ => None,
                };
                return of.attributes.iter().find_map(value);
            };
            let value = match attribute.storage {
                Storage::Cell(column) => table.get(column, row),
                Storage::List(_) => return None,
                Storage::Computed(function) => {
                    let (program, ty) = (&*self.ruleset.program, attribute.ty);
                    let call = Call { program, function, arguments: &[row.into()], ty };
                    self.value(call, &mut table.clone()).ok()?.0
                }
            };
            match attribute.ty {
                ty if schema.sides == Some(ty) => {
                    return (value != schema.no_side()).then_some((value, ty));
                }
                Type::Piece(_) if value < 0 => return None,
                Type::Piece(other) if schema.kind(other).side().is_some() => {
                    (kind, row) = (other, u32::try_from(value).ok()?);
                }
                ty => {
                    let shown = shown(schema, table, value, ty);
                    return (!shown.is_empty() && shown != "none").then_some((value, ty));
                }
            }
        }
        None
    }
}
