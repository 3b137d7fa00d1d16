//! The sides: the side of a piece, and the side to move.

use super::act::RuleRun;
use super::{Referee, Viewer};
use crate::language::machine::{Halt, Host, World, value_text};
use crate::language::schema::{Attribute, AttributeStorage, KindId, RuleId, Type};
use crate::ruleset::Phase;
use crate::tabletop::{Argument, Tabletop};

impl Referee {
    /// Returns the name of the side that a piece is on, if it is on one.
    pub fn side_of_piece(&self, table: &Tabletop, kind: KindId, row: u32) -> Option<String> {
        let (side, ty) = self.side_value_of_piece(table, kind, row)?;
        Some(value_text(&self.ruleset.schema, table, side, ty))
    }

    /// Returns the name of the side to move, if there is one.
    pub(crate) fn side_to_move<T: World>(&self, table: &T) -> Option<String> {
        let (side, ty) = self.side_to_move_value(table)?;
        Some(value_text(&self.ruleset.schema, table, side, ty))
    }

    /// Returns the names of all sides: the declared ones or, if the ruleset declares none, those
    /// that pieces on the table have.
    pub fn sides(&self, table: &Tabletop) -> std::collections::BTreeSet<String> {
        let schema = &self.ruleset.schema;
        match schema.sides {
            Some(Type::Word(set)) => {
                schema.word_set(set).values.iter().filter(|w| *w != "none").cloned().collect()
            }
            Some(Type::Piece(kind)) => {
                table.present_pieces(kind).map(|row| table.name(kind, row).to_owned()).collect()
            }
            _ => {
                let with_side = schema.all_kinds().filter(|(_, kind)| kind.side().is_some());
                let side = |kind, row| self.side_of_piece(table, kind, row);
                with_side
                    .flat_map(|(id, _)| {
                        table.present_pieces(id).filter_map(move |row| side(id, row))
                    })
                    .collect()
            }
        }
    }

    /// Returns the values of all declared sides, in order.
    pub(super) fn side_values<T: World>(&self, table: &T) -> Vec<u32> {
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
        sides
    }

    /// Returns all viewers with their names: the sides, the players, `players` and `umpire`. A
    /// player with the name of a side replaces that side.
    pub fn viewers(&self, table: &Tabletop) -> Vec<(String, Viewer)> {
        let players = self.players(table);
        let is_player = |name: &String| players.iter().any(|player| player.name == *name);
        let sides = self.sides(table).into_iter().filter(|side| !is_player(side));
        let sides = sides.map(Viewer::Side).collect::<Vec<_>>().into_iter();
        let players = players.into_iter().map(Viewer::Player);
        let all = sides.chain(players).chain([Viewer::Players, Viewer::Umpire]);
        all.map(|viewer| (viewer.to_string(), viewer)).collect()
    }

    /// Returns the side to move with its type, if there is one.
    pub(super) fn side_to_move_value<T: World>(&self, table: &T) -> Option<(i64, Type)> {
        let side = table.get(self.moving?, 0);
        (side != self.ruleset.schema.no_side()).then_some((side, self.ruleset.schema.sides?))
    }

    /// Returns the side of a piece, with its type. A piece that is itself a side is its own side.
    /// Otherwise, the side is the value of the piece's side attribute, or the side of a piece to
    /// which that attribute points. If the piece has no such attribute, the first reference to a
    /// piece with a side counts.
    pub(super) fn side_value_of_piece<T: World + Clone>(
        &self,
        table: &T,
        kind: KindId,
        row: u32,
    ) -> Option<(i64, Type)> {
        self.side_within(table, (kind, row), self.ruleset.schema.kinds.len())
    }

    /// Returns the side of a piece, following references through at most `most` pieces, this one
    /// included.
    fn side_within<T: World + Clone>(
        &self,
        table: &T,
        (kind, row): (KindId, u32),
        most: usize,
    ) -> Option<(i64, Type)> {
        let schema = &self.ruleset.schema;
        let most = most.checked_sub(1)?;
        if schema.sides == Some(Type::Piece(kind)) {
            return Some((row.into(), Type::Piece(kind)));
        }
        let of = schema.kind(kind);
        let through = |attribute: &Attribute| match attribute.ty {
            Type::Piece(other) if schema.kind(other).side().is_some() => {
                let row = u32::try_from(self.attribute_value(table, row, attribute)?).ok()?;
                self.side_within(table, (other, row), most)
            }
            _ => None,
        };
        let Some(attribute) = of.side() else {
            let kept = |a: &&Attribute| matches!(a.storage, AttributeStorage::Cell(_));
            return of.attributes.iter().filter(kept).find_map(through);
        };
        let value = self.attribute_value(table, row, attribute)?;
        match attribute.ty {
            ty if schema.sides == Some(ty) => (value != schema.no_side()).then_some((value, ty)),
            Type::Piece(_) if value < 0 => None,
            Type::Piece(other) if schema.kind(other).side().is_some() => through(attribute),
            ty => {
                let shown = value_text(schema, table, value, ty);
                (!shown.is_empty() && shown != "none").then_some((value, ty))
            }
        }
    }

    /// Returns the value of an attribute; `None` if it is a stored list or can't be computed.
    pub(crate) fn attribute_value<T: World + Clone>(
        &self,
        table: &T,
        row: u32,
        attribute: &Attribute,
    ) -> Option<i64> {
        match attribute.storage {
            AttributeStorage::Cell(column) => Some(table.get(column, row)),
            AttributeStorage::List(_) => None,
            AttributeStorage::Computed(function) => {
                self.compute_value(function, &[row.into()], &mut table.clone())
            }
        }
    }

    /// Returns the name of the flag that marks a piece as having acted, if the sides alternate
    /// piece by piece in the current phase.
    fn acted_flag<T: World>(&self, table: &T) -> Option<&str> {
        let turns = self.ruleset.phases[self.phase_index(table)?].turns.as_ref()?;
        turns.alternate.as_deref()
    }

    /// Returns the pieces of a side that have not acted; an empty list unless the sides alternate
    /// piece by piece in the current phase.
    pub(super) fn pieces_yet_to_act<T: World + Clone>(
        &self,
        table: &T,
        side: i64,
    ) -> Vec<(KindId, u32)> {
        let Some(flag) = self.acted_flag(table) else { return Vec::new() };
        let mut left = Vec::new();
        for (id, kind) in self.ruleset.schema.all_kinds() {
            let Some(acted) = kind.attribute(flag).filter(|a| a.ty == Type::Flag) else { continue };
            let next = |from: u32| table.next_piece(id, from);
            for row in std::iter::successors(next(0), |&row| next(row + 1)) {
                if self.attribute_value(table, row, acted) == Some(0)
                    && self.side_value_of_piece(table, id, row).is_some_and(|(of, _)| of == side)
                {
                    left.push((id, row));
                }
            }
        }
        left
    }

    /// Returns the number of pieces of the side to move that have not acted, if the sides alternate
    /// piece by piece.
    pub(super) fn count_left_to_move<T: World + Clone>(&self, table: &T) -> Option<usize> {
        self.acted_flag(table)?;
        let (side, _) = self.side_to_move_value(table)?;
        Some(self.pieces_yet_to_act(table, side).len())
    }

    /// Returns the next side with a piece left to act, and all sides that share the phase, in
    /// order, beginning after the side to move. Returns `None` if no piece is left to act.
    pub(super) fn next_side_to_act<T: World + Clone>(&self, table: &T) -> Option<(i64, Vec<u32>)> {
        let mut order = table.list(self.waiting?, 0).to_vec();
        let now = order
            .iter()
            .position(|&side| Some(i64::from(side)) == self.side_to_move_value(table).map(|m| m.0));
        order.rotate_left(now.map_or(0, |now| now + 1));
        let next =
            order.iter().find(|&&side| !self.pieces_yet_to_act(table, side.into()).is_empty())?;
        Some((i64::from(*next), order))
    }

    /// Returns the reason why a verb of the current phase is refused if a piece that acts is on a
    /// side other than the side to move; `None` if there is no such reason.
    pub(super) fn wrong_side_reason(
        &self,
        rule: RuleId,
        arguments: &[Option<Argument>],
        table: &Tabletop,
    ) -> Option<String> {
        let schema = &self.ruleset.schema;
        let rule = &schema.rules[rule.index()];
        let index = rule.acting_piece()?;
        let phase = &self.ruleset.phases[self.phase_index(table)?];
        let offered = phase.verbs.iter().any(|(v, _)| v == rule.verb() || *v == rule.name);
        if !offered && rule.phases.iter().all(|(p, _)| *p != phase.name) {
            return None;
        }
        let Type::Piece(kind) = rule.params[index].ty.member_or_self() else { return None };
        let rows = arguments.get(index)?.as_ref()?.piece_rows();
        let moving = self.side_to_move(table)?;
        rows.into_iter().find_map(|row| {
            let side = self.side_of_piece(table, kind, row).filter(|side| *side != moving)?;
            let name = table.name(kind, row);
            Some(format!("{moving} is to move, and `{name}` is on the side of {side}"))
        })
    }
}

impl<T: World, H: Host> RuleRun<'_, '_, T, H> {
    /// Gives the first turn of a phase to a side, if the sides take turns in it.
    pub(super) fn begin_with_first_side(&mut self, phase: &Phase) -> Result<(), Halt> {
        let (Some(turns), Some(column)) = (&phase.turns, self.referee.moving) else {
            return Ok(());
        };
        let schema = &self.referee.ruleset.schema;
        let mut sides = self.referee.side_values(self.table);
        if let Some(order) = turns.order {
            // No function is running at this point, so none is disturbed.
            let mut machine = self.referee.new_machine();
            let before = self.table.get(column, 0);
            let mut ranked = Vec::new();
            for &side in &sides {
                self.table.set(column, 0, side.into());
                ranked.push((machine.call(order, &[], self.table, self.host)?, side));
            }
            self.table.set(column, 0, before);
            sides = sort_by_rank(ranked);
        }
        // If the sides alternate piece by piece, they all share the phase.
        let waits = sides.get(usize::from(turns.alternate.is_none())..).unwrap_or_default();
        self.set_waiting(waits);
        self.pass_move_to(sides.first().map_or(schema.no_side(), |&side| side.into()));
        Ok(())
    }

    /// Gives the turn to the next waiting side; returns false if no side is waiting, or if the
    /// sides don't take turns in this phase.
    pub(super) fn pass_to_next_side(&mut self, phase: &Phase) -> bool {
        let referee = self.referee;
        let (Some(turns), Some(list)) = (&phase.turns, referee.waiting) else {
            return false;
        };
        let waiting = self.table.list(list, 0).to_vec();
        let (next, rest) = match waiting.split_first() {
            Some((&next, rest)) if turns.alternate.is_none() => (i64::from(next), rest),
            _ => (referee.ruleset.schema.no_side(), &[][..]),
        };
        self.set_waiting(rest);
        self.pass_move_to(next);
        referee.side_to_move_value(self.table).is_some()
    }

    /// Ends the turns of all sides in a phase.
    pub(super) fn end_sides(&mut self, phase: &Phase) {
        if phase.turns.is_some() {
            self.set_waiting(&[]);
            self.pass_move_to(self.referee.ruleset.schema.no_side());
        }
    }

    fn set_waiting(&mut self, sides: &[u32]) {
        let Some(list) = self.referee.waiting else { return };
        let old = self.table.list(list, 0).to_vec();
        if old != sides {
            self.table.set_list(list, 0, sides);
            self.host.on_list_change(list, 0, &old, sides);
        }
    }

    /// Gives the move to the next side with a piece left to act, if the sides alternate piece by
    /// piece and a piece of the side to move has acted: `before` is the number of its pieces that
    /// had not, when the line began.
    pub(super) fn pass_move_if_piece_acted(&mut self, before: Option<usize>)
    where
        T: Clone,
    {
        if before > self.referee.count_left_to_move(self.table)
            && let Some((side, _)) = self.referee.next_side_to_act(self.table)
        {
            self.pass_move_to(side);
        }
    }

    /// Gives the move to a side.
    pub(super) fn pass_move_to(&mut self, side: i64) {
        self.set_state(self.referee.moving, side);
    }

    /// Reveals the orders of a side, or of all sides, and removes them.
    pub(super) fn read_orders(&mut self, of: Option<i64>) {
        let schema = &self.referee.ruleset.schema;
        let (Some(kind), Some(ty)) = (schema.orders_kind(), schema.sides) else { return };
        let column = |index: usize| schema.kind(kind).attributes[index].storage.cell();
        let (Some(side), Some(text)) = (column(0), column(1)) else { return };
        let next = |from: u32| self.table.next_piece(kind, from);
        let rows = std::iter::successors(next(0), |&row| next(row + 1));
        let mut rows: Vec<(i64, u32)> = rows.map(|row| (self.table.get(side, row), row)).collect();
        rows.retain(|(owner, _)| of.is_none_or(|of| of == *owner));
        // The order in which the orders were written is not revealed.
        rows.sort_unstable();
        for (owner, row) in rows {
            let name = value_text(schema, self.table, owner, ty);
            let words = self.table.text(self.table.get(text, row));
            self.host.on_say(format!("{name}: {words}"));
            self.machine.take_off(kind, row, self.table, self.host);
        }
    }
}

/// Returns the sides in ascending order of their ranks. Sides with equal ranks stay in order.
fn sort_by_rank(mut ranked: Vec<(i64, u32)>) -> Vec<u32> {
    ranked.sort_by_key(|&(number, _)| number);
    ranked.into_iter().map(|(_, side)| side).collect()
}

#[cfg(test)]
mod tests;
