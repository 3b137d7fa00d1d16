//! The steps of the turn: which is now, and going on to the next.

use super::record::Recorder;
use super::{Event, Referee};
use crate::language::machine::{Halt, Machine, Table};
use crate::language::schema::FunctionId;
use crate::ruleset::SET_UP;
use crate::tabletop::{Cell, Tabletop};

impl Referee {
    /// The turn, from 1; 0 during set-up.
    pub fn turn(&self, table: &Tabletop) -> i64 {
        self.state_column("turn").map_or(0, |c| table.get(c, 0))
    }

    /// The place of the present phase in the turn, from 0; none during set-up.
    pub fn phase(&self, table: &Tabletop) -> Option<usize> {
        let value = self.state_column("phase").map_or(0, |c| table.get(c, 0));
        let place = usize::try_from(value).ok()?.checked_sub(1)?;
        (place < self.ruleset.phases.len()).then_some(place)
    }

    /// The name of the present phase.
    pub fn phase_name(&self, table: &Tabletop) -> &str {
        self.phase(table).map_or(SET_UP, |p| self.ruleset.phases[p].name.as_str())
    }

    /// A phase as it is named in messages: "phase 6, movement and hoses".
    pub fn phase_title(&self, name: &str) -> String {
        let place = self.ruleset.phases.iter().position(|p| p.name == name);
        match place {
            Some(place) => format!("phase {}, {}", place + 1, self.ruleset.phases[place].title),
            None => "the set-up".to_owned(),
        }
    }

    /// Puts the game into a phase of the first turn without running anything.
    pub fn put_into_phase(&self, table: &mut Tabletop, name: &str) {
        let place = self.ruleset.phases.iter().position(|p| p.name == name);
        if let (Some(place), Some(phase), Some(turn)) =
            (place, self.state_column("phase"), self.state_column("turn"))
        {
            table.set(phase, 0, place as i64 + 1);
            if table.get(turn, 0) == 0 {
                table.set(turn, 0, 1);
            }
        }
    }

    /// Leaves the present phase and begins the next that is not passed over.
    pub(super) fn next_phase(
        &self,
        table: &mut Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<(), Halt> {
        let phases = &self.ruleset.phases;
        if phases.is_empty() {
            return Err(Halt::Refused("this game has no phases".into()));
        }
        let mut now = self.phase(table);
        if let Some(end) = now.and_then(|p| phases[p].end) {
            self.run(end, table, record)?;
        }
        // A turn in which every phase is passed over ends with its last.
        for _ in 0..phases.len() {
            let place = now.map_or(0, |p| (p + 1) % phases.len());
            if place == 0 {
                let turn = self.turn(table) + 1;
                self.set_state("turn", turn, table, record);
            }
            self.set_state("phase", place as i64 + 1, table, record);
            let skipped = match phases[place].skip {
                Some(skip) => self.run(skip, table, record)? != 0,
                None => false,
            };
            record.tell(Event::Phase { turn: self.turn(table), place, skipped });
            now = Some(place);
            if !skipped {
                return self.begin_phase(place, table, record);
            }
        }
        Ok(())
    }

    fn begin_phase(
        &self,
        place: usize,
        table: &mut Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<(), Halt> {
        let phase = &self.ruleset.phases[place];
        if let Some(begin) = phase.begin {
            self.run(begin, table, record)?;
        }
        for &reminder in &phase.reminders {
            self.run(reminder, table, record)?;
        }
        Ok(())
    }

    fn run(
        &self,
        function: FunctionId,
        table: &mut Tabletop,
        record: &mut Recorder<'_>,
    ) -> Result<i64, Halt> {
        let rules = &self.ruleset;
        let mut machine = Machine::new(&rules.schema, &rules.program);
        machine.call(function, &[], table, record)
    }

    fn set_state(&self, name: &str, value: i64, table: &mut Tabletop, record: &mut Recorder<'_>) {
        if let Some(column) = self.state_column(name) {
            let old = Cell::Word(table.get(column, 0));
            table.set(column, 0, value);
            record.changed_cell(column, 0, old, Cell::Word(value));
        }
    }
}
