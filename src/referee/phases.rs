//! The steps of the turn: which is now, and going on to the next.

use super::Referee;
use crate::language::machine::{Halt, Host, Machine, Table};
use crate::ruleset::SET_UP;
use crate::tabletop::Tabletop;

impl Referee {
    /// The turn, from 1; 0 during set-up.
    pub fn turn<T: Table>(&self, table: &T) -> i64 {
        self.state_column("turn").map_or(0, |c| table.get(c, 0))
    }

    /// The place of the present phase in the turn, from 0; none during set-up.
    pub fn phase<T: Table>(&self, table: &T) -> Option<usize> {
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
    pub(super) fn next_phase<T: Table, H: Host>(
        &self,
        table: &mut T,
        host: &mut H,
    ) -> Result<(), Halt> {
        let phases = &self.ruleset.phases;
        let mut machine = Machine::new(&self.ruleset.schema, &self.ruleset.program);
        if phases.is_empty() {
            return Err(Halt::Refused("this game has no phases".into()));
        }
        let mut now = self.phase(table);
        if let Some(place) = now {
            self.leave_phase(place, &mut machine, table, host)?;
        }
        // A turn in which every phase is passed over ends with its last.
        for _ in 0..phases.len() {
            let place = now.map_or(0, |p| (p + 1) % phases.len());
            now = Some(place);
            if self.enter_phase(place, &mut machine, table, host)? {
                for &reminder in &phases[place].reminders {
                    machine.call(reminder, &[], table, host)?;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Goes into a phase and runs what runs when it begins; false if it is passed over.
    pub(super) fn enter_phase<T: Table, H: Host>(
        &self,
        place: usize,
        machine: &mut Machine<'_>,
        table: &mut T,
        host: &mut H,
    ) -> Result<bool, Halt> {
        let phase = &self.ruleset.phases[place];
        if place == 0 {
            self.set_state("turn", self.turn(table) + 1, table, host);
        }
        self.set_state("phase", place as i64 + 1, table, host);
        let skipped = match phase.skip {
            Some(skip) => machine.call(skip, &[], table, host)? != 0,
            None => false,
        };
        host.phase(self.turn(table), place, skipped);
        if let Some(begin) = phase.begin.filter(|_| !skipped) {
            machine.call(begin, &[], table, host)?;
        }
        Ok(!skipped)
    }

    /// What runs when a phase is left.
    pub(super) fn leave_phase<T: Table, H: Host>(
        &self,
        place: usize,
        machine: &mut Machine<'_>,
        table: &mut T,
        host: &mut H,
    ) -> Result<(), Halt> {
        match self.ruleset.phases[place].end {
            Some(end) => machine.call(end, &[], table, host).map(|_| ()),
            None => Ok(()),
        }
    }

    fn set_state<T: Table, H: Host>(&self, name: &str, value: i64, table: &mut T, host: &mut H) {
        if let Some(column) = self.state_column(name) {
            let old = table.get(column, 0);
            if old != value {
                table.set(column, 0, value);
                host.cell_changed(column, 0, old, value);
            }
        }
    }
}
