//! The sides: which one a piece is on, and whose move it is.

use super::Referee;
use super::phases::set_state;
use crate::language::machine::{Halt, Host, World, shown};
use crate::language::schema::{Attribute, ColumnId, KindId, ListId, RuleId, STATE, Storage, Type};
use crate::ruleset::{MOVING, Phase, WAITING};
use crate::tabletop::{Given, Tabletop};

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
                let with_side = schema.all_kinds().filter(|(_, kind)| kind.side().is_some());
                let side = |kind, row| self.side(table, kind, row);
                with_side
                    .flat_map(|(id, _)| table.present(id).filter_map(move |row| side(id, row)))
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
        schema.sides.and(schema.kind(STATE).column(MOVING))
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
            let value = self.value_of(table, row, attribute)?;
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

    /// Returns the value of an attribute that is no list.
    fn value_of(&self, table: &Tabletop, row: u32, attribute: &Attribute) -> Option<i64> {
        match attribute.storage {
            Storage::Cell(column) => Some(table.get(column, row)),
            Storage::List(_) => None,
            Storage::Computed(function) => {
                self.compute(function, &[row.into()], &mut table.clone())
            }
        }
    }

    /// Returns the list of the sides still to move.
    fn waiting_list(&self) -> Option<ListId> {
        self.ruleset.schema.kind(STATE).list(WAITING)
    }

    /// Gives the first turn of a phase to a side, if the sides have turns in it.
    pub(super) fn first_side<T: World, H: Host>(
        &self,
        phase: &Phase,
        table: &mut T,
        host: &mut H,
    ) -> Result<(), Halt> {
        let (Some(turns), Some(column)) = (&phase.turns, self.moving_column()) else {
            return Ok(());
        };
        let schema = &self.ruleset.schema;
        let mut sides: Vec<u32> = match schema.sides {
            Some(Type::Word(set)) => (0..schema.word_set(set).values.len() as u32).collect(),
            Some(Type::Piece(kind)) => {
                let next = |from: u32| table.next_piece(kind, from);
                std::iter::successors(next(0), |&row| next(row + 1)).collect()
            }
            _ => Vec::new(),
        };
        sides.retain(|&side| i64::from(side) != schema.no_side());
        if let Some(order) = turns.order {
            let mut machine = self.machine();
            let before = table.get(column, 0);
            let mut ranked = Vec::new();
            for &side in &sides {
                table.set(column, 0, side.into());
                ranked.push((machine.call(order, &[], table, host)?, side));
            }
            table.set(column, 0, before);
            ranked.sort_by_key(|&(number, _)| number);
            sides = ranked.into_iter().map(|(_, side)| side).collect();
        }
        // In alternation all sides have the phase together.
        let waits = sides.get(usize::from(turns.alternate.is_none())..).unwrap_or_default();
        self.set_waiting(waits, table, host);
        let first = sides.first().map_or(schema.no_side(), |&side| side.into());
        self.give_move(first, table, host);
        Ok(())
    }

    /// Gives the turn to the next side that waits; false if none does, or the sides have no turns in this phase.
    pub(super) fn next_side<T: World, H: Host>(
        &self,
        phase: &Phase,
        table: &mut T,
        host: &mut H,
    ) -> bool {
        let (Some(turns), Some(list)) = (&phase.turns, self.waiting_list()) else { return false };
        let waiting = table.list(list, 0).to_vec();
        let (next, rest) = match waiting.split_first() {
            Some((&next, rest)) if turns.alternate.is_none() => (i64::from(next), rest),
            _ => (self.ruleset.schema.no_side(), &[][..]),
        };
        self.set_waiting(rest, table, host);
        self.give_move(next, table, host);
        self.moving(table).is_some()
    }

    fn set_waiting<T: World, H: Host>(&self, sides: &[u32], table: &mut T, host: &mut H) {
        let Some(list) = self.waiting_list() else { return };
        let old = table.list(list, 0).to_vec();
        if old != sides {
            table.set_list(list, 0, sides);
            host.list_changed(list, 0, &old, sides);
        }
    }

    /// Returns the flag that says a piece has acted, if the present phase is played piece by piece.
    fn acting(&self, table: &Tabletop) -> Option<&str> {
        let turns = self.ruleset.phases[self.phase(table)?].turns.as_ref()?;
        turns.alternate.as_deref()
    }

    /// Returns the pieces of a side that have not acted.
    pub(super) fn yet_to_act(&self, table: &Tabletop, side: i64) -> Vec<(KindId, u32)> {
        let Some(flag) = self.acting(table) else { return Vec::new() };
        let with_flag = self.ruleset.schema.all_kinds().filter_map(|(id, kind)| {
            Some((id, kind.attribute(flag).filter(|a| a.ty == Type::Flag)?))
        });
        let left = |(kind, attribute): (KindId, &'_ Attribute)| {
            let waits = |&row: &u32| {
                self.value_of(table, row, attribute) == Some(0)
                    && self.side_of(table, kind, row).is_some_and(|(of, _)| of == side)
            };
            table.present(kind).filter(waits).map(|row| (kind, row)).collect::<Vec<_>>()
        };
        with_flag.flat_map(left).collect()
    }

    /// Returns the number of pieces of the side to move that have not acted, where the move passes on piece by piece.
    pub(super) fn left_to_move(&self, table: &Tabletop) -> Option<usize> {
        self.acting(table)?;
        let (side, _) = self.moving(table)?;
        Some(self.yet_to_act(table, side).len())
    }

    /// Returns the next side that has a piece left to act, and the order of the sides after it.
    pub(super) fn other_side(&self, table: &Tabletop) -> Option<(i64, Vec<u32>)> {
        let mut order = table.list(self.waiting_list()?, 0).to_vec();
        let now =
            order.iter().position(|&side| Some(i64::from(side)) == self.moving(table).map(|m| m.0));
        order.rotate_left(now.map_or(0, |now| now + 1));
        let next = order.iter().find(|&&side| !self.yet_to_act(table, side.into()).is_empty())?;
        Some((i64::from(*next), order))
    }

    /// Gives the move to a side.
    pub(super) fn give_move<T: World, H: Host>(&self, side: i64, table: &mut T, host: &mut H) {
        set_state(self.moving_column(), side, table, host);
    }

    /// Returns why a verb of the present phase is refused: its first piece is on another side than the one to move.
    pub(super) fn check_side(
        &self,
        rule: RuleId,
        arguments: &[Option<Given>],
        table: &Tabletop,
    ) -> Option<String> {
        let schema = &self.ruleset.schema;
        let rule = &schema.rules[rule.index()];
        let place = rule.acting_piece()?;
        let phase = &self.ruleset.phases[self.phase(table)?];
        let verb = rule.usage.as_ref().map_or("", |usage| &usage.verb);
        let offered = phase.verbs.iter().any(|(v, _)| v == verb || *v == rule.name);
        if !offered && rule.phases.iter().all(|(p, _)| *p != phase.name) {
            return None;
        }
        let Type::Piece(kind) = rule.params[place].ty.single() else { return None };
        let rows = arguments.get(place)?.as_ref()?.rows();
        let moving = self.side_to_move(table)?;
        rows.into_iter().find_map(|row| {
            let side = self.side(table, kind, row).filter(|side| *side != moving)?;
            let name = table.name(kind, row);
            Some(format!("{moving} is to move, and `{name}` is on the side of {side}"))
        })
    }
}
