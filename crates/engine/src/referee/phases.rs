//! The steps of the turn: which is now, and going on to the next.

use super::Referee;
use super::act::Field;
use crate::language::machine::{Halt, Host, World};
use crate::language::schema::FunctionId;
use crate::ruleset::SET_UP;
use crate::tabletop::Tabletop;

/// The progress of a change of phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Onward {
    stage: Stage,
    /// The phase that is left or begun.
    place: usize,
    /// The number of phases passed over.
    passed: usize,
    /// True if the last one was not.
    entered: bool,
    /// True if nothing runs beyond what runs when the phase begins.
    only: bool,
}

/// The next step of a change of phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Leave,
    Left,
    Enter,
    Skip,
    Remind(usize),
    Over,
}

impl Referee {
    /// The turn, from 1; 0 during set-up.
    pub fn turn<T: World>(&self, table: &T) -> i64 {
        self.turn.map_or(0, |c| table.get(c, 0))
    }

    /// The place of the present phase in the turn, from 0; none during set-up.
    pub fn phase<T: World>(&self, table: &T) -> Option<usize> {
        let value = self.phase.map_or(0, |c| table.get(c, 0));
        let place = usize::try_from(value).ok()?.checked_sub(1)?;
        (place < self.ruleset.phases.len()).then_some(place)
    }

    /// The name of the present phase.
    pub fn phase_name<T: World>(&self, table: &T) -> &str {
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

    /// Returns how often `next` goes on in a turn: once a phase, or once for each side that has a turn in it.
    pub fn steps_of_turn(&self, table: &Tabletop) -> usize {
        let sides = self.sides(table).len().max(1);
        let phases = self.ruleset.phases.iter();
        phases.map(|phase| if phase.turns.is_some() { sides } else { 1 }).sum()
    }

    /// Returns what is left to do in the present phase, in words, each with true if the umpire is to be warned before
    /// the phase is left.
    pub fn left(&self, table: &Tabletop) -> Vec<(String, bool)> {
        let Some(place) = self.phase(table) else { return Vec::new() };
        let mut found: Vec<(String, bool)> = Vec::new();
        let mut before = "";
        for left in &self.ruleset.phases[place].left {
            let said = self.reminders_of(left.function, table).join(", ");
            match found.last_mut() {
                _ if said.is_empty() => continue,
                Some((words, _)) if left.title == before => words.push_str(&format!(", {said}")),
                _ if left.title.is_empty() => found.push((said, left.warns)),
                _ => found.push((format!("{}: {said}", left.title), left.warns)),
            }
            before = &left.title;
        }
        let sides = self.other_side(table).map_or(Vec::new(), |(_, order)| order);
        for side in sides {
            let pieces = self.yet_to_act(table, side.into());
            let names = pieces.iter().map(|&(kind, row)| table.name(kind, row));
            let names = names.collect::<Vec<_>>().join(", ");
            found.extend((!names.is_empty()).then(|| (format!("still to act: {names}"), true)));
        }
        found
    }

    /// Puts the game into a phase of the first turn without running anything.
    pub fn put_into_phase(&self, table: &mut Tabletop, name: &str) {
        let place = self.ruleset.phases.iter().position(|p| p.name == name);
        if let (Some(place), Some(phase), Some(turn)) = (place, self.phase, self.turn) {
            table.set(phase, 0, place as i64 + 1);
            if table.get(turn, 0) == 0 {
                table.set(turn, 0, 1);
            }
        }
    }

    /// The change from the present phase to the next.
    pub(super) fn onward<T: World>(&self, table: &T) -> Onward {
        let (stage, place) = match self.phase(table) {
            Some(place) => (Stage::Leave, place),
            None => (Stage::Enter, 0),
        };
        Onward { stage, place, passed: 0, entered: false, only: false }
    }
}

impl<T: World, H: Host> Field<'_, '_, T, H> {
    /// Leaves the present phase and begins the next that is not passed over.
    pub(super) fn next_phase(&mut self) -> Result<(), Halt> {
        self.all_steps(self.referee.onward(self.table)).map(|_| ())
    }

    /// Goes into a phase, for the first side that has a turn in it, and runs what runs when it begins; false if it is
    /// passed over. Where it goes on, runs what the rules have for its end and begins it for the next side; false if none
    /// has a turn left.
    pub(super) fn begin_phase(&mut self, place: usize, goes_on: bool) -> Result<bool, Halt> {
        let stage = if goes_on { Stage::Leave } else { Stage::Enter };
        let onward = Onward { stage, place, passed: 0, entered: false, only: true };
        Ok(self.all_steps(onward)?.entered)
    }

    fn all_steps(&mut self, mut onward: Onward) -> Result<Onward, Halt> {
        let mut value = 0;
        while let Some(function) = self.step(&mut onward, value)? {
            value = self.run(function, &[])?;
        }
        Ok(onward)
    }

    /// Returns the function to be run next in a change of phase, after the one before gave this value; none at its end.
    pub(super) fn step(
        &mut self,
        onward: &mut Onward,
        value: i64,
    ) -> Result<Option<FunctionId>, Halt> {
        let referee = self.referee;
        let phases = &referee.ruleset.phases;
        if phases.is_empty() {
            return Err(Halt::Refused("this game has no phases".into()));
        }
        loop {
            let phase = &phases[onward.place];
            let next = match onward.stage {
                Stage::Leave => {
                    onward.stage = Stage::Left;
                    phase.end
                }
                Stage::Left => {
                    onward.stage = match (self.next_side(phase), onward.only) {
                        (true, _) => Stage::Skip,
                        (false, true) => Stage::Over,
                        (false, false) => {
                            onward.place = (onward.place + 1) % phases.len();
                            Stage::Enter
                        }
                    };
                    phase.skip.filter(|_| onward.stage == Stage::Skip)
                }
                Stage::Enter => {
                    if onward.place == 0 {
                        self.set_state(referee.turn, referee.turn(self.table) + 1);
                    }
                    self.set_state(referee.phase, onward.place as i64 + 1);
                    self.first_side(phase)?;
                    onward.stage = Stage::Skip;
                    phase.skip
                }
                Stage::Skip => {
                    let skipped = phase.skip.is_some() && value != 0;
                    let side = phase.turns.as_ref().and_then(|_| referee.side_to_move(self.table));
                    let turn = referee.turn(self.table);
                    self.host.phase(turn, (onward.place, &phase.name), side, skipped);
                    onward.entered = !skipped;
                    if skipped && self.next_side(phase) {
                        return Ok(phase.skip);
                    }
                    onward.passed += usize::from(skipped);
                    // A turn in which every phase is passed over ends with its last.
                    let over = onward.only || onward.passed == phases.len();
                    onward.stage = match (skipped, over) {
                        (_, true) => Stage::Over,
                        (true, false) => Stage::Enter,
                        (false, false) => Stage::Remind(0),
                    };
                    if skipped && !over {
                        onward.place = (onward.place + 1) % phases.len();
                    }
                    if phase.reveals_orders && !skipped {
                        self.read_orders(None);
                    }
                    phase.begin.filter(|_| !skipped)
                }
                Stage::Remind(place) => {
                    onward.stage = match place + 1 < phase.reminders.len() {
                        true => Stage::Remind(place + 1),
                        false => Stage::Over,
                    };
                    phase.reminders.get(place).copied()
                }
                Stage::Over => return Ok(None),
            };
            if next.is_some() {
                return Ok(next);
            }
        }
    }
}
