//! The conditions that end a game.

use super::Referee;
use super::act::RuleRun;
use crate::language::machine::{Host, World, value_text};
use crate::language::schema::{FunctionId, Type};
use crate::ruleset::GameEnd;

impl Referee {
    /// Returns the first end whose condition is true, if any. Ends of the scenario are tested
    /// first. A condition that can't be computed counts as false.
    pub(super) fn current_end<T: World>(&self, table: &mut T) -> Option<&GameEnd> {
        self.current_end_by(table, |function, table| self.compute_value(function, &[], table))
    }

    /// Returns the first end whose condition is true, like `current_end`, but evaluates the
    /// conditions with `compute`.
    pub(super) fn current_end_by<T: World>(
        &self,
        table: &mut T,
        mut compute: impl FnMut(FunctionId, &mut T) -> Option<i64>,
    ) -> Option<&GameEnd> {
        self.ruleset.ends.iter().find(|end| {
            let counts = end.counts_in(table.scenario());
            counts && compute(end.when, table).is_some_and(|value| value != 0)
        })
    }

    /// Returns the name of the side that wins at an end; `None` if no side wins or the winner can't
    /// be computed.
    pub(super) fn winner_name<T: World>(&self, end: &GameEnd, table: &mut T) -> Option<String> {
        let schema = &self.ruleset.schema;
        let side = self.compute_value(end.winner?, &[], table)?;
        (side != schema.no_side())
            .then(|| value_text(schema, table, side, schema.sides.unwrap_or(Type::Nothing)))
    }
}

impl<T: World, H: Host> RuleRun<'_, '_, T, H> {
    /// Reports the end of the game if it has ended, unless `before` is true, which means that it
    /// had already ended.
    pub(super) fn report_end(&mut self, before: bool) {
        let referee = self.referee;
        let table = &mut *self.table;
        let Some(end) = (if before { None } else { referee.current_end(table) }) else { return };
        let words = end.say.and_then(|say| referee.compute_value(say, &[], table));
        let words = words.map_or(String::new(), |text| table.text(text).to_owned());
        let winner = referee.winner_name(end, table);
        let margin = end.margin.and_then(|margin| referee.compute_value(margin, &[], table));
        self.host.on_game_end(words, winner, margin);
    }
}
