//! A checked scenario, and the set-up of a table from it.

use super::Tabletop;
use super::plan::Level;
use crate::language::machine::{PieceError, World};
use crate::language::schema::{
    AttributeStorage, FunctionId, KindId, ListId, OPTION_KIND, STATE_KIND,
};

/// A value for an attribute, or for a parameter of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A number, word, flag, piece or list row, in stored form.
    Value(i64),
    /// A free text.
    Text(String),
    /// The members of a list: pieces, rows, words or numbers.
    Members(Vec<u32>),
    /// The names of pieces, which may not exist yet. There is exactly one name if the value is not
    /// a list.
    Named(Vec<String>),
}

impl Argument {
    /// Returns the rows of the pieces in an argument that refers to pieces. The result is empty for texts and names, and if the value refers to no piece.
    pub(crate) fn piece_rows(&self) -> Vec<u32> {
        match self {
            Argument::Value(row) => u32::try_from(*row).into_iter().collect(),
            Argument::Members(rows) => rows.clone(),
            Argument::Text(_) | Argument::Named(_) => Vec::new(),
        }
    }
}

/// A piece to be added to the table, or an area of the plan with additional values.
#[derive(Clone, Debug)]
pub struct PieceSetup {
    /// The kind of the piece.
    pub kind: KindId,
    /// The name of the piece.
    pub name: String,
    /// The values, each with the index of its attribute in the kind.
    pub values: Vec<(usize, Argument)>,
}

/// The table at the beginning of a game.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    /// The name by which the scenario is chosen.
    pub name: String,
    /// The title that people see. Rule text uses the name instead.
    pub title: String,
    /// A comment for the umpire.
    pub note: String,
    /// The background that everyone knows before the game, for the battle report.
    pub background: String,
    /// True if the scenario is not offered to players.
    pub hidden: bool,
    /// True if the scenario is a table in the middle of a game, for which no `on_add` runs.
    pub complete: bool,
    /// The pieces that have left the table, by kind and name. Automatic names for new pieces avoid
    /// these names.
    pub removed: Vec<(KindId, String)>,
    /// The cards in decks, in order.
    pub decks: Vec<(ListId, Argument)>,
    /// The number of turns, if the scenario states it.
    pub turns: Option<i64>,
    /// The levels of the plan, as drawn.
    pub levels: Vec<Level>,
    /// For each letter of the plan, the values of the areas with that letter.
    pub legend: Vec<(char, Vec<(usize, Argument)>)>,
    /// Pairs of adjacent areas, by name, with a wall between them.
    pub walls: Vec<(String, String)>,
    /// The names that people use for parts of the plan, each with its areas.
    pub places: Vec<(String, Vec<String>)>,
    /// The values of options, as attributes of [`OPTION_KIND`].
    pub options: Vec<(usize, Argument)>,
    /// The values of the state, as attributes of [`STATE_KIND`].
    pub state: Vec<(usize, Argument)>,
    /// The pieces, and additional values of areas.
    pub pieces: Vec<PieceSetup>,
    /// The statements that run after the set-up, if there are any.
    pub begin: Option<FunctionId>,
    /// The lines of a guided first turn; empty if the scenario has none.
    pub tour: Vec<TourLine>,
}

/// A line of a guided first turn.
#[derive(Clone, Debug)]
pub struct TourLine {
    /// The line to type.
    pub line: String,
    /// The reason for typing it.
    pub says: String,
}

impl Tabletop {
    /// Puts a scenario on the table without running any rule text.
    pub(crate) fn set_up(&mut self, scenario: &Scenario) -> Result<(), PieceError> {
        self.scenario = scenario.name.as_str().into();
        for (kind, values) in [(OPTION_KIND, &scenario.options), (STATE_KIND, &scenario.state)] {
            // References to pieces are set below, after the pieces have been added.
            let known = values.iter().filter(|v| !matches!(v.1, Argument::Named(_)));
            self.set_attributes(kind, 0, known)?;
        }
        if let Some(plan) = self.schema.plan_kind() {
            self.set_up_plan(plan, &scenario.levels, &scenario.walls)?;
        }
        for (kind, name) in &scenario.removed {
            if !self.schema.kind(*kind).plan {
                let row = self.add_piece(*kind, name)?;
                self.set_present(*kind, row, false);
            }
        }
        // All pieces are added before any attribute is set, because an attribute can refer to a
        // piece by name.
        for piece in &scenario.pieces {
            if !self.schema.kind(piece.kind).plan {
                self.add_piece(piece.kind, &piece.name)?;
            }
        }
        self.apply_legend(scenario)?;
        for piece in &scenario.pieces {
            let found = self.find(&piece.name).filter(|found| found.0 == piece.kind);
            let (kind, row) = found.ok_or_else(|| PieceError::Unknown(piece.name.clone()))?;
            self.set_attributes(kind, row, &piece.values)?;
        }
        self.set_attributes(STATE_KIND, 0, &scenario.state)?;
        for (list, cards) in &scenario.decks {
            let members = match cards {
                Argument::Named(names) => self.rows_named(names)?,
                cards => cards.piece_rows(),
            };
            self.set_list(*list, 0, &members);
        }
        for (kind, name) in &scenario.removed {
            if let Some((_, row)) = self.find(name).filter(|(of, _)| of == kind)
                && self.schema.kind(*kind).plan
            {
                self.set_present(*kind, row, false);
            }
        }
        Ok(())
    }

    /// Returns the rows of the pieces with these names; fails if one of them isn't on the table.
    fn rows_named(&self, names: &[String]) -> Result<Vec<u32>, PieceError> {
        let found = |name: &String| {
            let found = self.find(name).map(|(_, member)| member);
            found.ok_or_else(|| PieceError::Unknown(name.clone()))
        };
        names.iter().map(found).collect()
    }

    fn apply_legend(&mut self, scenario: &Scenario) -> Result<(), PieceError> {
        let Some(kind) = self.schema.plan_kind() else { return Ok(()) };
        let areas = scenario.levels.iter().flat_map(|l| &l.areas);
        for (row, (_, _, letter)) in areas.enumerate() {
            if let Some((_, values)) = scenario.legend.iter().find(|(l, _)| l == letter) {
                self.set_attributes(kind, row as u32, values)?;
            }
        }
        Ok(())
    }

    fn set_attributes<'g>(
        &mut self,
        kind: KindId,
        row: u32,
        values: impl IntoIterator<Item = &'g (usize, Argument)>,
    ) -> Result<(), PieceError> {
        values
            .into_iter()
            .try_for_each(|(attribute, given)| self.set_attribute(kind, row, *attribute, given))
    }

    /// Sets an attribute of a piece. Has no effect if the kind has no such attribute, or if its
    /// values are not stored. Fails if the value names a piece that is not on the table, or if
    /// there is too much text.
    pub(crate) fn set_attribute(
        &mut self,
        kind: KindId,
        row: u32,
        attribute: usize,
        given: &Argument,
    ) -> Result<(), PieceError> {
        let Some(storage) = self.schema.kind(kind).attributes.get(attribute).map(|a| a.storage)
        else {
            return Ok(());
        };
        let value = match given {
            Argument::Value(value) => *value,
            Argument::Text(words) => self.intern(words).ok_or(PieceError::TooMuchText)?,
            Argument::Members(members) => {
                if let AttributeStorage::List(list) = storage {
                    self.set_list(list, row, members);
                }
                return Ok(());
            }
            Argument::Named(names) => {
                let pieces = self.rows_named(names)?;
                if let AttributeStorage::List(list) = storage {
                    self.set_list(list, row, &pieces);
                    return Ok(());
                }
                pieces.first().map_or(-1, |&piece| i64::from(piece))
            }
        };
        if let AttributeStorage::Cell(column) = storage {
            self.set(column, row, value);
        }
        Ok(())
    }
}
