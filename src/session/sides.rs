//! Which dice the players throw.

use super::record::Record;
use super::{RealDice, Session, StoreError};
use crate::language::schema::{KindId, Type};
use crate::referee::Action;
use crate::tabletop::Given;

impl Session {
    /// Returns which dice the players throw.
    pub fn real_dice(&self) -> &RealDice {
        &self.real_dice
    }

    /// Sets which dice the players throw from now on.
    pub fn set_real_dice(&mut self, dice: RealDice, at: u64) -> Result<(), StoreError> {
        self.commit(at, Record::Dice(dice))?;
        Ok(())
    }

    /// Returns true if real dice are thrown for an action: for everything, for its verb, or for the side of a piece
    /// it names.
    pub fn is_real(&self, verb: &str, action: &Action) -> bool {
        if self.real_dice.all || self.real_dice.of.contains(verb) {
            return true;
        }
        if self.real_dice.of.is_empty() {
            return false;
        }
        let sides = self
            .pieces_of(action)
            .into_iter()
            .filter_map(|(k, r)| self.referee().side(self.table(), k, r));
        // The piece named first is the one that acts, unless the rule says otherwise.
        sides.take(1).any(|side| self.real_dice.of.contains(&side))
    }

    /// Returns the pieces an action names, in the order of its words.
    fn pieces_of(&self, action: &Action) -> Vec<(KindId, u32)> {
        let Action::Rule { rule, arguments, .. } = action else { return Vec::new() };
        let Some(rule) = self.referee().ruleset().schema.rules.get(rule.index()) else {
            return Vec::new();
        };
        let mut pieces = Vec::new();
        for (param, argument) in rule.params.iter().zip(arguments) {
            if let (Type::Piece(kind), Some(Given::Value(row))) = (param.ty, argument)
                && let Ok(row) = u32::try_from(*row)
            {
                pieces.push((kind, row));
            }
        }
        pieces
    }
}
