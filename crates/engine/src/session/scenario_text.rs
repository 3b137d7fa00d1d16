//! Writes the table of a session as a scenario.

use super::Session;
use crate::language::machine::World;
use crate::language::schema::{KindId, Type};
use crate::ruleset::SET_UP;
use crate::ruleset::scenario_text::{ScenarioHeading, pieces_as_scenario, table_as_scenario};

impl Session {
    /// Returns the table as a scenario file with all stored values. If a side is given, returns
    /// only the pieces that belong to that side or represent it, which the umpire can copy into
    /// another scenario.
    pub fn scenario_text(&self, side: Option<&str>) -> String {
        let referee = self.referee();
        let ruleset = referee.ruleset();
        let table = self.table();
        let phase = referee.phase_index(table).map(|index| ruleset.phases[index].name.as_str());
        let title = match (side, referee.turn_number(table)) {
            (Some(side), _) => format!("{}: {side}", self.scenario_title()),
            (None, 0) => format!("{}: {SET_UP}", self.scenario_title()),
            (None, turn) => {
                let phase = phase.map_or(String::new(), |phase| format!(", {phase}"));
                format!("{}: turn {turn}{phase}", self.scenario_title())
            }
        };
        let note = self.scenario_set_out().map_or("", |scenario| &scenario.note);
        let heading = ScenarioHeading { game: self.heading(), title: &title, note };
        let Some(side) = side else { return table_as_scenario(ruleset, table, &heading) };
        let is_side = |kind: KindId, row: u32| {
            ruleset.schema.sides == Some(Type::Piece(kind)) && table.name(kind, row) == side
        };
        pieces_as_scenario(
            ruleset,
            table,
            &ScenarioHeading { note: "", ..heading },
            &|kind, row| {
                is_side(kind, row)
                    || referee.side_of_piece(table, kind, row).as_deref() == Some(side)
            },
        )
    }
}
