//! The players, who each lead part of a side, and the pieces that belong to them.

use super::Referee;
use super::viewer::{Player, Viewer};
use crate::language::machine::World;
use crate::language::schema::{AttributeStorage, KindId, SecretFor, Type};
use crate::ruleset::PLAYER_ATTRIBUTE;
use crate::tabletop::Tabletop;

impl Referee {
    /// Returns the players. If the ruleset names a kind for players, there is one for each piece of
    /// that kind. If it declares neither such a kind nor sides, each name that a piece gives as its
    /// side is a player. Otherwise, there are no players.
    pub fn players(&self, table: &Tabletop) -> Vec<Player> {
        let schema = &self.ruleset.schema;
        match schema.players {
            Some(kind) => {
                let player = |row| Player {
                    name: table.name(kind, row).to_owned(),
                    side: schema.sides.and_then(|_| self.side_of_piece(table, kind, row)),
                };
                table.present_pieces(kind).map(player).collect()
            }
            None if schema.sides.is_none() => {
                let names = self.sides(table).into_iter();
                names.map(|name| Player { name, side: None }).collect()
            }
            None => Vec::new(),
        }
    }

    /// Returns the name of the player that a piece belongs to. This is the player that the piece
    /// represents, or the player that its attribute `player` refers to or names in a text. A piece
    /// without such an attribute belongs to the player of the first piece that it refers to and
    /// that has a player. If the ruleset declares neither a kind for players nor sides, the player
    /// is the one that the piece gives as its side.
    pub fn player_of_piece(&self, table: &Tabletop, kind: KindId, row: u32) -> Option<String> {
        let schema = &self.ruleset.schema;
        match schema.players {
            Some(players) => self.player_within(table, players, (kind, row), schema.kinds.len()),
            None if schema.sides.is_none() => self.side_of_piece(table, kind, row),
            None => None,
        }
    }

    /// Returns the names of the pieces that belong to a player and that the player sees, except
    /// players, areas, written orders, and pieces that only the player may see, such as a briefing.
    pub fn pieces_of_player(&self, table: &Tabletop, player: &Player) -> Vec<String> {
        let schema = &self.ruleset.schema;
        let seen = self.seen_table(table, &Viewer::Player(player.clone())).table;
        let kinds = schema.piece_kinds().filter(|(id, kind)| {
            let secret_for = kind.secret.map(|secret| secret.secret_for);
            schema.players != Some(*id)
                && !kind.is_built_in()
                && !kind.plan
                && secret_for != Some(SecretFor::OwnPlayer)
        });
        let mut names = Vec::new();
        for (kind, _) in kinds {
            let is_own =
                |row: &u32| self.player_of_piece(table, kind, *row).as_ref() == Some(&player.name);
            let own = seen.present_pieces(kind).filter(is_own);
            names.extend(own.map(|row| table.piece_name(kind, row)));
        }
        names
    }

    /// Returns the player that a piece belongs to. Follows references through at most `most`
    /// pieces, including this one.
    fn player_within(
        &self,
        table: &Tabletop,
        players: KindId,
        (kind, row): (KindId, u32),
        most: usize,
    ) -> Option<String> {
        let most = most.checked_sub(1)?;
        if kind == players {
            return Some(table.name(kind, row).to_owned());
        }
        let schema = &self.ruleset.schema;
        let attributes = &schema.kind(kind).attributes;
        let through = |index: usize| {
            let AttributeStorage::Cell(column) = attributes[index].storage else { return None };
            let value = table.get(column, row);
            match attributes[index].ty {
                Type::Text if attributes[index].name == PLAYER_ATTRIBUTE => {
                    let written = table.text(value);
                    let mut names = table.present_pieces(players).map(|p| table.name(players, p));
                    names.find(|name| name.eq_ignore_ascii_case(written)).map(str::to_owned)
                }
                Type::Piece(other) => {
                    let leads = schema.kind(other).attributes.index_of(PLAYER_ATTRIBUTE).is_some();
                    let to = u32::try_from(value).ok().filter(|_| leads || other == players)?;
                    self.player_within(table, players, (other, to), most)
                }
                _ => None,
            }
        };
        match attributes.index_of(PLAYER_ATTRIBUTE) {
            Some(index) => through(index),
            None => (0..attributes.len()).find_map(through),
        }
    }
}

#[cfg(test)]
mod tests;
