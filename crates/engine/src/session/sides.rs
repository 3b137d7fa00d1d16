//! Which dice the players throw.

use super::record::Record;
use super::{RealDice, Session, StoreError};
use crate::language::schema::Type;
use crate::referee::Action;

impl Session {
    /// Returns which dice the players throw.
    pub fn real_dice(&self) -> &RealDice {
        &self.real_dice
    }

    /// Sets which dice the players throw from now on.
    pub fn set_real_dice(&mut self, dice: RealDice, at: u64) -> Result<(), StoreError> {
        self.commit(at, Record::Dice(dice)).map(drop)
    }

    /// Returns true if real dice are thrown for an action: for everything, for its verb, or for the side of the piece
    /// that acts. Where that may be of any side, it is the side to move; if there is none, dice are real as they were
    /// last.
    pub fn is_real(&self, verb: &str, action: &Action) -> bool {
        if self.real_dice.all || self.real_dice.of.contains(verb) {
            return true;
        }
        if self.real_dice.of.is_empty() {
            return false;
        }
        let Action::Rule { rule, arguments, .. } = action else { return false };
        let Some(rule) = self.referee().ruleset().schema.rules.get(rule.index()) else {
            return false;
        };
        let side = match rule.any_side {
            true => self.referee().side_to_move(self.table()),
            // The piece named first is the one that acts.
            false => rule.params.iter().zip(arguments).find_map(|(param, given)| {
                let Type::Piece(kind) = param.ty.single() else { return None };
                let row = given.as_ref()?.rows().first().copied()?;
                self.referee().side(self.table(), kind, row)
            }),
        };
        match side {
            Some(side) => self.real_dice.of.contains(&side),
            None if rule.any_side => {
                let threw = self.entries().iter().rev().find(|e| !e.outcome.dice.is_empty());
                threw.is_some_and(|entry| entry.outcome.physical)
            }
            None => false,
        }
    }
}
