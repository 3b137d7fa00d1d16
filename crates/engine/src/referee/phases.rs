//! The phases of a turn: the current phase, and the change to the next phase.

use std::ops::RangeInclusive;

use super::Referee;
use super::act::RuleRun;
use crate::language::machine::{Halt, Host, World};
use crate::language::schema::{FunctionId, KindId, Type};
use crate::language::syntax::Period;
use crate::ruleset::SET_UP;
use crate::tabletop::Tabletop;

/// The state of a change from one phase to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PhaseChange {
    stage: Stage,
    /// The index of the phase that ends or begins.
    index: usize,
    /// The number of phases begun, including skipped phases.
    begun: usize,
    /// The number of phases begun since the last one that was not skipped.
    skipped: usize,
    /// True if the latest phase was not skipped.
    entered: bool,
    /// The period that ends with the phase.
    ends: Period,
    /// True if the change has entered the first phase of a round.
    opens: bool,
    /// True if the change stops after the end of one phase, or after the beginning of one.
    only: bool,
    /// The successor of the phase that has ended, once it is known.
    next: Option<Successor>,
}

/// The next step of a change of phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Leave,
    /// The statements at the end of the phase's activation have run.
    Settled,
    Left,
    Enter,
    /// The side to move enters another phase of its round.
    EnterOn,
    /// The next side enters the phase.
    EnterSide,
    Skip,
    /// The activation of the phase has been reset.
    Begin,
    Remind(usize),
    Over,
}

/// The successor of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Successor {
    /// The same phase for the next side.
    NextSide,
    /// Another phase of a round, for the side to move.
    Onward(usize),
    /// Another phase, for all sides or for the first side.
    Phase(usize),
    /// The next turn.
    Turn,
}

impl PhaseChange {
    fn new(stage: Stage, index: usize) -> PhaseChange {
        PhaseChange {
            stage,
            index,
            begun: 0,
            skipped: 0,
            entered: false,
            ends: Period::Phase,
            opens: false,
            only: false,
            next: None,
        }
    }

    /// Ends the phase whose statements are running, or a longer period. If a longer period is
    /// already ending, that period still ends.
    pub(super) fn end_early(&mut self, period: Period) {
        self.ends = self.ends.max(period);
        if self.stage != Stage::Left {
            self.stage = Stage::Leave;
        }
    }
}

/// The text attributes that name the owner of a piece.
const OWNERS: [&str; 2] = ["player", "commander"];

/// A reminder of something that is left to do in a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnfinishedBusiness {
    /// The heading; may be empty.
    pub title: String,
    /// The lines of the reminder. A line about a piece that belongs to someone begins with the name
    /// of the piece.
    pub items: Vec<String>,
    /// True if the umpire should be warned before the phase ends.
    pub warns: bool,
}

impl UnfinishedBusiness {
    /// Returns the items and the heading in one text, such as `ann, bob (still to act)`.
    pub(crate) fn in_words(&self) -> String {
        let items = self.items.join(", ");
        match items.parse::<u64>() {
            _ if self.title.is_empty() => items,
            // A single number is a count, as in `5 chits in the cup`.
            Ok(_) => format!("{items} {}", self.title),
            Err(_) => format!("{items} ({})", self.title),
        }
    }
}

impl Referee {
    /// Returns the number of the current turn, from 1; 0 during set-up.
    pub fn turn_number<T: World>(&self, table: &T) -> i64 {
        self.turn.map_or(0, |c| table.get(c, 0))
    }

    /// Returns the index of the current phase in the turn; `None` during set-up.
    pub(crate) fn phase_index<T: World>(&self, table: &T) -> Option<usize> {
        let value = self.phase.map_or(0, |c| table.get(c, 0));
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        (index < self.ruleset.phases.len()).then_some(index)
    }

    /// Returns the name of the current phase, or the name of the set-up.
    pub(crate) fn phase_name<T: World>(&self, table: &T) -> &str {
        self.phase_index(table).map_or(SET_UP, |p| self.ruleset.phases[p].name.as_str())
    }

    /// Returns the title of a phase for messages, such as "phase 6, movement and hoses".
    pub(crate) fn phase_title(&self, name: &str) -> String {
        let index = self.ruleset.phases.iter().position(|p| p.name == name);
        match index {
            Some(index) => format!("phase {}, {}", index + 1, self.ruleset.phases[index].title),
            None => "the set-up".to_owned(),
        }
    }

    /// Returns the maximum number of times that `next` is needed in a turn: once for each phase, or
    /// once for each side if the sides take turns in it.
    pub(crate) fn steps_of_turn(&self, table: &Tabletop) -> usize {
        let sides = self.sides(table).len().max(1);
        let phases = self.ruleset.phases.iter();
        phases.map(|phase| if phase.turns.is_some() { sides } else { 1 }).sum()
    }

    /// Returns the number of phases that begin in a turn. Each phase counts once, but a phase of a
    /// round counts once for each side.
    fn phases_of_turn<T: World>(&self, table: &T) -> usize {
        let sides = self.side_values(table).len().max(1);
        let phases = self.ruleset.phases.iter();
        phases.map(|phase| if phase.round.is_some() { sides } else { 1 }).sum()
    }

    /// Returns the indices of the phases that a side plays through before the next side does: the
    /// phases of a round, or the phase at `index` if it is in no round.
    fn phases_of_side(&self, index: usize) -> RangeInclusive<usize> {
        let round =
            self.ruleset.phases[index].round.and_then(|round| self.ruleset.rounds.get(round));
        round.map_or(index..=index, |round| round.phases.clone())
    }

    /// Returns the reminders of everything that is left to do in the current phase. Fails if the
    /// computation takes too many steps.
    pub(crate) fn unfinished_business(
        &self,
        table: &Tabletop,
    ) -> Result<Vec<UnfinishedBusiness>, Halt> {
        let Some(index) = self.phase_index(table) else { return Ok(Vec::new()) };
        let referee = self.with_budget();
        let mut found: Vec<UnfinishedBusiness> = Vec::new();
        for left in &self.ruleset.phases[index].left {
            let items = referee.reminder_texts(left.function, table);
            match found.last_mut() {
                _ if items.is_empty() => {}
                Some(last) if last.title == left.title => last.items.extend(items),
                _ => {
                    let title = left.title.clone();
                    found.push(UnfinishedBusiness { title, items, warns: left.warns });
                }
            }
        }
        let sides = referee.next_side_to_act(table).map_or(Vec::new(), |(_, order)| order);
        for side in sides {
            let pieces = referee.pieces_yet_to_act(table, side.into());
            let items = pieces.iter().map(|&(kind, row)| table.name(kind, row).to_owned());
            let items: Vec<String> = items.collect();
            let title = "still to act".to_owned();
            found.extend((!items.is_empty()).then_some(UnfinishedBusiness {
                title,
                items,
                warns: true,
            }));
        }
        referee.check_budget().map(|()| found)
    }

    /// Returns the reminders of everything that the umpire must not forget now. Fails if the
    /// computation takes too many steps.
    pub(crate) fn watch_list(&self, table: &Tabletop) -> Result<Vec<UnfinishedBusiness>, Halt> {
        let referee = self.with_budget();
        let items = self.ruleset.watch.iter().map(|item| UnfinishedBusiness {
            title: item.title.clone(),
            items: referee.reminder_texts(item.function, table),
            warns: false,
        });
        let found = items.filter(|item| !item.items.is_empty()).collect();
        referee.check_budget().map(|()| found)
    }

    /// Returns the owner of a piece: the player or commander that one of its texts names, or else
    /// its side.
    pub(crate) fn owner_of_piece(
        &self,
        table: &Tabletop,
        kind: KindId,
        row: u32,
    ) -> Option<String> {
        let of = self.ruleset.schema.kind(kind);
        let named = OWNERS.iter().find_map(|name| {
            let mut attributes = of.attributes.iter();
            let index = attributes.position(|a| a.name == **name && a.ty == Type::Text)?;
            self.attribute_text(table, kind, row, index).filter(|text| !text.is_empty())
        });
        named.or_else(|| self.side_of_piece(table, kind, row))
    }

    /// Puts the game into a phase, without running any statements. If the game is still in its
    /// set-up, the turn becomes 1. Has no effect if there is no such phase.
    pub fn put_into_phase(&self, table: &mut Tabletop, name: &str) {
        let index = self.ruleset.phases.iter().position(|p| p.name == name);
        if let (Some(index), Some(phase), Some(turn)) = (index, self.phase, self.turn) {
            table.set(phase, 0, index as i64 + 1);
            if table.get(turn, 0) == 0 {
                table.set(turn, 0, 1);
            }
        }
    }

    /// Returns a change from the current phase to the next, before its first step.
    pub(super) fn start_phase_change<T: World>(&self, table: &T) -> PhaseChange {
        let (stage, index) = match self.phase_index(table) {
            Some(index) => (Stage::Leave, index),
            None => (Stage::Enter, 0),
        };
        PhaseChange::new(stage, index)
    }

    /// Returns the change of phase that follows when rules end the current phase or turn.
    ///
    /// # Errors
    ///
    /// Fails with a refusal during set-up.
    pub(super) fn start_end_of_period<T: World>(
        &self,
        table: &T,
        period: Period,
    ) -> Result<PhaseChange, Halt> {
        let refused = || Halt::Refused(Halt::Ended(period).to_string());
        let index = self.phase_index(table).ok_or_else(refused)?;
        Ok(PhaseChange { ends: period, ..PhaseChange::new(Stage::Leave, index) })
    }
}

impl<T: World, H: Host> RuleRun<'_, '_, T, H> {
    /// Ends the current phase, and begins the next phase that is not skipped.
    pub(super) fn next_phase(&mut self) -> Result<(), Halt> {
        self.run_phase_change(self.referee.start_phase_change(self.table)).map(|_| ())
    }

    /// Ends the current phase or turn, and begins the next phase that is not skipped.
    pub(super) fn end_period(&mut self, period: Period) -> Result<(), Halt> {
        let change = self.referee.start_end_of_period(self.table, period)?;
        self.run_phase_change(change).map(|_| ())
    }

    /// Begins the phase at `index` and runs its first statements. Returns false if the phase is
    /// skipped.
    pub(super) fn begin_phase(&mut self, index: usize, following: Successor) -> Result<bool, Halt> {
        let stage = match following {
            Successor::NextSide => Stage::EnterSide,
            Successor::Onward(_) => Stage::EnterOn,
            Successor::Phase(_) | Successor::Turn => Stage::Enter,
        };
        let change = PhaseChange { only: true, ..PhaseChange::new(stage, index) };
        Ok(self.run_phase_change(change)?.entered)
    }

    /// Ends a phase that has begun, and returns its successor.
    pub(super) fn leave_phase(&mut self, index: usize, ends: Period) -> Result<Successor, Halt> {
        let change = PhaseChange { only: true, ends, ..PhaseChange::new(Stage::Leave, index) };
        Ok(self.run_phase_change(change)?.next.unwrap_or(Successor::Turn))
    }

    fn run_phase_change(&mut self, mut onward: PhaseChange) -> Result<PhaseChange, Halt> {
        let mut value = 0;
        while let Some(function) = self.phase_change_step(&mut onward, value)? {
            value = match self.run_function(function, &[]) {
                Err(Halt::Ended(period)) if !onward.only || onward.stage == Stage::Left => {
                    onward.end_early(period);
                    0
                }
                result => result?,
            };
        }
        Ok(onward)
    }

    /// Passes the move to the side that is to move after a phase, and returns the successor of the
    /// phase. `ends` is the period that ends.
    pub(super) fn pass_on(&mut self, index: usize, ends: Period) -> Successor {
        let referee = self.referee;
        let phase = &referee.ruleset.phases[index];
        let phases = referee.phases_of_side(index);
        let first = *phases.start();
        let last = *phases.end();
        let after = |ended: usize| match ended + 1 {
            next if next < referee.ruleset.phases.len() => Successor::Phase(next),
            _ => Successor::Turn,
        };
        let alternates = phase.turns.as_ref().is_some_and(|turns| turns.alternate.is_some());
        let has_own_turn = phase.turns.is_some() && !alternates;
        let (goes_on, may_pass) = match ends {
            Period::Phase => (index < last, true),
            Period::PhaseOfAll => (index < last, false),
            Period::Turn => (false, has_own_turn),
            Period::TurnOfAll => (false, false),
        };
        if goes_on {
            return Successor::Onward(index + 1);
        }
        if !may_pass {
            self.end_sides(phase);
        } else if self.pass_to_next_side(phase) {
            return if phase.round.is_some() {
                Successor::Onward(first)
            } else {
                Successor::NextSide
            };
        }
        match ends {
            Period::Phase | Period::PhaseOfAll => after(last),
            Period::Turn if has_own_turn => after(last),
            Period::Turn | Period::TurnOfAll => Successor::Turn,
        }
    }

    /// Returns the next function to run in a change of phase, or `None` at its end. `value` is the
    /// value of the previous function.
    pub(super) fn phase_change_step(
        &mut self,
        onward: &mut PhaseChange,
        value: i64,
    ) -> Result<Option<FunctionId>, Halt> {
        let referee = self.referee;
        let phases = &referee.ruleset.phases;
        if phases.is_empty() {
            return Err(Halt::Refused("this game has no phases".into()));
        }
        loop {
            let phase = &phases[onward.index];
            let next = match onward.stage {
                Stage::Leave => {
                    onward.stage = Stage::Settled;
                    phase.activation.as_ref().map(|activation| activation.end)
                }
                Stage::Settled => {
                    onward.stage = Stage::Left;
                    phase.end
                }
                Stage::Left => {
                    // If every phase ended as soon as it began, the change would never stop.
                    if onward.begun >= 2 * referee.phases_of_turn(self.table) {
                        return Ok(None);
                    }
                    self.follow(onward);
                    None
                }
                Stage::EnterSide => {
                    onward.stage = Stage::Skip;
                    phase.skip
                }
                Stage::Enter | Stage::EnterOn => {
                    let is_new = onward.stage == Stage::Enter;
                    if is_new && onward.index == 0 {
                        self.set_state(referee.turn, referee.turn_number(self.table) + 1);
                    }
                    self.set_state(referee.phase, onward.index as i64 + 1);
                    if is_new {
                        self.begin_with_first_side(phase)?;
                    }
                    onward.opens |= onward.index == *referee.phases_of_side(onward.index).start();
                    onward.begun += 1;
                    onward.skipped += 1;
                    onward.stage = Stage::Skip;
                    phase.skip
                }
                Stage::Skip => {
                    let skipped = phase.skip.is_some() && value != 0;
                    let side = phase.turns.as_ref().and_then(|_| referee.side_to_move(self.table));
                    let turn = referee.turn_number(self.table);
                    self.host.on_phase(turn, (onward.index, &phase.name), side, skipped);
                    onward.entered = !skipped;
                    if !skipped {
                        onward.skipped = 0;
                        if phase.reveals_orders {
                            self.read_orders(None);
                        }
                        onward.stage = Stage::Begin;
                        phase.activation.as_ref().map(|activation| activation.begin)
                    } else if onward.only {
                        onward.stage = Stage::Over;
                        None
                    } else {
                        self.skip_phase(onward);
                        None
                    }
                }
                Stage::Begin => {
                    onward.stage = Stage::Remind(0);
                    phase.begin
                }
                Stage::Remind(index) => {
                    let round = phase.round.filter(|_| onward.opens);
                    let round = round.and_then(|round| referee.ruleset.rounds.get(round));
                    let of_round = round.map_or(&[][..], |round| &round.reminders);
                    let mut reminders = of_round.iter().chain(&phase.reminders);
                    let reminder = reminders.nth(index).copied();
                    let is_last = reminders.next().is_none();
                    onward.stage = if is_last { Stage::Over } else { Stage::Remind(index + 1) };
                    reminder
                }
                Stage::Over => return Ok(None),
            };
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// Continues after a skipped phase. If all phases of a turn were skipped in succession, goes on
    /// only to the next side in this phase, if there is one, and otherwise stops.
    fn skip_phase(&mut self, onward: &mut PhaseChange) {
        let phase = &self.referee.ruleset.phases[onward.index];
        if onward.skipped < self.referee.phases_of_turn(self.table) {
            onward.ends = Period::Phase;
            self.follow(onward);
        } else if phase.round.is_none() && self.pass_to_next_side(phase) {
            onward.stage = Stage::EnterSide;
        } else {
            onward.stage = Stage::Over;
        }
    }

    /// Continues with the successor of a phase.
    fn follow(&mut self, onward: &mut PhaseChange) {
        let next = self.pass_on(onward.index, onward.ends);
        onward.ends = Period::Phase;
        onward.next = Some(next);
        if onward.only {
            onward.stage = Stage::Over;
            return;
        }
        (onward.stage, onward.index) = match next {
            Successor::NextSide => (Stage::EnterSide, onward.index),
            Successor::Onward(index) => (Stage::EnterOn, index),
            Successor::Phase(index) => (Stage::Enter, index),
            Successor::Turn => (Stage::Enter, 0),
        };
    }
}

#[cfg(test)]
mod tests;
