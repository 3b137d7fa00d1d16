//! The end of the game.

use super::Referee;
use super::act::RuleRun;
use crate::language::machine::{Host, World, shown};
use crate::language::schema::{FunctionId, Type};
use crate::ruleset::GameEnd;

impl Referee {
    /// Returns the end of the game that holds, those of the scenario first; a condition that cannot be computed does
    /// not.
    pub(super) fn end<T: World>(&self, table: &mut T) -> Option<&GameEnd> {
        self.end_by(table, |function, table| self.compute(function, &[], table))
    }

    /// Returns the end that holds, by conditions computed in this way.
    pub(super) fn end_by<T: World>(
        &self,
        table: &mut T,
        mut compute: impl FnMut(FunctionId, &mut T) -> Option<i64>,
    ) -> Option<&GameEnd> {
        self.ruleset.ends.iter().find(|end| {
            let counts = end.counts_in(table.scenario());
            counts && compute(end.when, table).is_some_and(|value| value != 0)
        })
    }

    /// Returns the name of the side that wins at an end.
    pub(super) fn winner<T: World>(&self, end: &GameEnd, table: &mut T) -> Option<String> {
        let schema = &self.ruleset.schema;
        let side = self.compute(end.winner?, &[], table)?;
        (side != schema.no_side())
            .then(|| shown(schema, table, side, schema.sides.unwrap_or(Type::Nothing)))
    }
}

impl<T: World, H: Host> RuleRun<'_, '_, T, H> {
    /// Tells the end of the game, if it has come since `before`.
    pub(super) fn tell_end(&mut self, before: bool) {
        let referee = self.referee;
        let table = &mut *self.table;
        let Some(end) = (if before { None } else { referee.end(table) }) else { return };
        let words = end.say.and_then(|say| referee.compute(say, &[], table));
        let words = words.map_or(String::new(), |text| table.text(text).to_owned());
        let winner = referee.winner(end, table);
        let margin = end.margin.and_then(|margin| referee.compute(margin, &[], table));
        self.host.ended(words, winner, margin);
    }
}
