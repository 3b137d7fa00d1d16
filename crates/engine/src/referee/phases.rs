//! The phases of a turn: the current one, and the change to the next.

use std::ops::RangeInclusive;

use super::Referee;
use super::act::RuleRun;
use crate::language::machine::{Halt, Host, World};
use crate::language::schema::{FunctionId, KindId, Type};
use crate::language::syntax::Period;
use crate::ruleset::SET_UP;
use crate::tabletop::Tabletop;

/// The progress of a change of phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PhaseChange {
    stage: Stage,
    /// The phase that ends or begins.
    index: usize,
    /// The number of phases begun, including those skipped.
    begun: usize,
    /// The number of phases begun since the last one that was not skipped.
    skipped: usize,
    /// True if the last one was not skipped.
    entered: bool,
    /// The part of the game that ends with the phase.
    ends: Period,
    /// True if a side has just begun a round.
    opens: bool,
    /// True if only one phase ends, or only one begins.
    only: bool,
    /// The successor of the phase that has ended.
    next: Option<Successor>,
}

/// The next step of a change of phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Leave,
    /// The activation has ended.
    Settled,
    Left,
    Enter,
    /// The side to move enters another phase of its round.
    EnterOn,
    /// The next side enters the phase.
    EnterSide,
    Skip,
    /// The activations of the phase have been reset.
    Begin,
    Remind(usize),
    Over,
}

/// The phase that follows another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Successor {
    /// The same phase, for the next side.
    NextSide,
    /// A phase of a round, for the side to move.
    Onward(usize),
    /// Another phase.
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

    /// Ends the phase whose statements were running. What already ends stays ended.
    pub(super) fn end_early(&mut self, period: Period) {
        self.ends = self.ends.max(period);
        if self.stage != Stage::Left {
            self.stage = Stage::Leave;
        }
    }
}

/// The attributes whose text names the owner of a piece.
const OWNERS: [&str; 2] = ["player", "commander"];

/// Something left to do in a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnfinishedBusiness {
    /// Its heading; may be empty.
    pub title: String,
    /// Texts that begin with the pieces concerned, if they belong to someone.
    pub items: Vec<String>,
    /// True if the umpire should be warned before the phase ends.
    pub warns: bool,
}

impl UnfinishedBusiness {
    /// Returns it as text.
    pub(crate) fn in_words(&self) -> String {
        let items = self.items.join(", ");
        match items.parse::<u64>() {
            _ if self.title.is_empty() => items,
            // A number is how many there are: `5 chits in the cup`.
            Ok(_) => format!("{items} {}", self.title),
            Err(_) => format!("{items} ({})", self.title),
        }
    }
}

impl Referee {
    /// Returns the turn, from 1; 0 during set-up.
    pub fn turn_number<T: World>(&self, table: &T) -> i64 {
        self.turn.map_or(0, |c| table.get(c, 0))
    }

    /// Returns the index of the current phase in the turn; `None` during set-up.
    pub(crate) fn phase_index<T: World>(&self, table: &T) -> Option<usize> {
        let value = self.phase.map_or(0, |c| table.get(c, 0));
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        (index < self.ruleset.phases.len()).then_some(index)
    }

    /// Returns the name of the current phase.
    pub(crate) fn phase_name<T: World>(&self, table: &T) -> &str {
        self.phase_index(table).map_or(SET_UP, |p| self.ruleset.phases[p].name.as_str())
    }

    /// Returns the name of a phase in messages: "phase 6, movement and hoses".
    pub(crate) fn phase_title(&self, name: &str) -> String {
        let index = self.ruleset.phases.iter().position(|p| p.name == name);
        match index {
            Some(index) => format!("phase {}, {}", index + 1, self.ruleset.phases[index].title),
            None => "the set-up".to_owned(),
        }
    }

    /// Returns how many times `next` is needed in a turn: once for each phase, or once for each
    /// side that has a turn in it.
    pub(crate) fn steps_of_turn(&self, table: &Tabletop) -> usize {
        let sides = self.sides(table).len().max(1);
        let phases = self.ruleset.phases.iter();
        phases.map(|phase| if phase.turns.is_some() { sides } else { 1 }).sum()
    }

    /// Returns the number of phases that begin in a turn: each once, those of a round once for each
    /// side.
    fn phases_of_turn<T: World>(&self, table: &T) -> usize {
        let sides = self.side_values(table).len().max(1);
        let phases = self.ruleset.phases.iter();
        phases.map(|phase| if phase.round.is_some() { sides } else { 1 }).sum()
    }

    /// Returns the phases that a side plays through before the next side: those of a round, or a
    /// single one.
    fn phases_of_side(&self, index: usize) -> RangeInclusive<usize> {
        let round =
            self.ruleset.phases[index].round.and_then(|round| self.ruleset.rounds.get(round));
        round.map_or(index..=index, |round| round.phases.clone())
    }

    /// Returns what is left to do in the current phase. Fails if the computation takes too many
    /// steps.
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

    /// Returns what must not be forgotten now. Fails if the computation takes too many steps.
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

    /// Returns the owner of a piece: the player or officer that one of its texts names, or else its
    /// side.
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

    /// Puts the game into a phase of the first turn without running anything.
    pub fn put_into_phase(&self, table: &mut Tabletop, name: &str) {
        let index = self.ruleset.phases.iter().position(|p| p.name == name);
        if let (Some(index), Some(phase), Some(turn)) = (index, self.phase, self.turn) {
            table.set(phase, 0, index as i64 + 1);
            if table.get(turn, 0) == 0 {
                table.set(turn, 0, 1);
            }
        }
    }

    /// Returns the change from the current phase to the next, before its first step.
    pub(super) fn start_phase_change<T: World>(&self, table: &T) -> PhaseChange {
        let (stage, index) = match self.phase_index(table) {
            Some(index) => (Stage::Leave, index),
            None => (Stage::Enter, 0),
        };
        PhaseChange::new(stage, index)
    }

    /// Returns the change by which rules end the current phase or turn.
    ///
    /// # Errors
    ///
    /// Refuses it in the set-up.
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
    /// Ends the current phase and begins the next that is not skipped.
    pub(super) fn next_phase(&mut self) -> Result<(), Halt> {
        self.run_phase_change(self.referee.start_phase_change(self.table)).map(|_| ())
    }

    /// Ends the current phase or turn, and begins the next phase that is not skipped.
    pub(super) fn end_period(&mut self, period: Period) -> Result<(), Halt> {
        let change = self.referee.start_end_of_period(self.table, period)?;
        self.run_phase_change(change).map(|_| ())
    }

    /// Begins what follows a phase, and runs its first statements; returns false if it is skipped.
    pub(super) fn begin_phase(&mut self, index: usize, following: Successor) -> Result<bool, Halt> {
        let stage = match following {
            Successor::NextSide => Stage::EnterSide,
            Successor::Onward(_) => Stage::EnterOn,
            Successor::Phase(_) | Successor::Turn => Stage::Enter,
        };
        let change = PhaseChange { only: true, ..PhaseChange::new(stage, index) };
        Ok(self.run_phase_change(change)?.entered)
    }

    /// Ends a phase that has begun, and returns what follows it.
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

    /// Gives the move to the side that has it after a phase, and returns what follows the phase.
    pub(super) fn pass_on(&mut self, index: usize, ends: Period) -> Successor {
        let referee = self.referee;
        let phase = &referee.ruleset.phases[index];
        let phases = referee.phases_of_side(index);
        let (first, last) = (*phases.start(), *phases.end());
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

    /// Returns the next function to run in a phase change, given the value of the previous one;
    /// `None` at the end.
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
                    // Phases that end as they begin would never stop.
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

    /// Goes on from a phase that was skipped. A turn in which every phase is skipped ends with its
    /// last.
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

    /// Goes on to what follows a phase.
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
mod tests {
    use super::{RuleRun, Successor};
    use crate::language::syntax::Period;
    use crate::referee::Inputs;
    use crate::referee::record::Recorder;
    use crate::referee::testing::Trial;

    const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[state]
calm = { flag = true }
still = { flag = true }
dark = { flag = true }
waits = { one_of = "army" }
[kind.man]
plural = "men"
side = { one_of = "army" }
out = { flag = true }
hits = { from = 0, to = 9 }
[rule.shoot]
usage = "shoot <who:man>"
phases = ["fire"]
after = 'say "bang"'
[rule.rest]
usage = "rest <who:man>"
after = 'say "zzz"'
[[phase]]
name = "fire"
title = "Fire and smoke"
skip = 'state.calm'
do = 'say "fire begins"'
remind = ["one", { when = 'state.still', say = "two" }, "three"]
end = 'say "fire ends"'
left = [
  { title = "to fire", each = 'm in men where not m.out', say = "{m}", warn = true },
  { title = "to fire", each = 'm in men where m.out', say = "not {m}" },
  { each = 'm in men where m.hits > 0', say = "{m} is hit" },
]
[[watch]]
title = "hurt"
each = 'm in men where m.hits > 0'
say = "{m}"
[[watch]]
when = 'state.dark'
say = "nobody sees"
phases = ["fire"]
[[phase]]
name = "march"
by = "side"
skip = 'state.still or state.waits = state.side and state.calm'
do = 'say "{state.side} marches"'
[scenario.one.pieces.man]
ann = { side = "red" }
bob = { side = "blue" }
"#;

    /// Goes on to the next phase, and returns what it says.
    fn next_phase(trial: &mut Trial) -> Vec<String> {
        let mut told = trial.next_phase();
        told.retain(|line| !line.starts_with("state."));
        told
    }

    fn turn_phase_and_side(trial: &Trial) -> (i64, Option<usize>, String) {
        let referee = &trial.referee;
        let table = &trial.table;
        (
            referee.turn_number(table),
            referee.phase_index(table),
            referee.phase_name(table).to_owned(),
        )
    }

    #[test]
    fn a_turn_goes_through_its_phases_and_the_sides_in_them() {
        let mut trial = Trial::set_up(RULES);
        assert_eq!(turn_phase_and_side(&trial), (0, None, "set-up".to_owned()));
        assert_eq!(
            next_phase(&mut trial),
            ["turn 1 fire", "fire begins", "remember one", "remember three"]
        );
        assert_eq!(turn_phase_and_side(&trial), (1, Some(0), "fire".to_owned()));
        assert_eq!(next_phase(&mut trial), ["fire ends", "turn 1 march red", "red marches"]);
        assert_eq!(trial.referee.side_to_move(&trial.table).as_deref(), Some("red"));
        assert_eq!(next_phase(&mut trial), ["turn 1 march blue", "blue marches"]);
        assert_eq!(turn_phase_and_side(&trial), (1, Some(1), "march".to_owned()));
        assert_eq!(next_phase(&mut trial)[0], "turn 2 fire");
        assert_eq!(turn_phase_and_side(&trial), (2, Some(0), "fire".to_owned()));
        assert_eq!(trial.referee.side_to_move(&trial.table), None);
        // Fire is one step, marching one for each side.
        assert_eq!(trial.referee.steps_of_turn(&trial.table), 3);
    }

    #[test]
    fn a_phase_that_is_passed_over_runs_nothing() {
        let mut trial = Trial::set_up(RULES);
        trial.set_attribute("state.calm", "yes");
        trial.set_attribute("state.waits", "red");
        let told = [
            "turn 1 fire skipped",
            "turn 1 march red skipped",
            "turn 1 march blue",
            "blue marches",
        ];
        assert_eq!(next_phase(&mut trial), told);
        assert_eq!(turn_phase_and_side(&trial), (1, Some(1), "march".to_owned()));
        // The last side of the turn waits: the next turn begins.
        trial.set_attribute("state.waits", "blue");
        let skipped = ["turn 2 fire skipped", "turn 2 march red", "red marches"];
        assert_eq!(next_phase(&mut trial), skipped);
        let both_skipped =
            ["turn 2 march blue skipped", "turn 3 fire skipped", "turn 3 march red", "red marches"];
        assert_eq!(next_phase(&mut trial), both_skipped);
    }

    #[test]
    fn a_turn_in_which_all_is_passed_over_ends_with_its_last_phase() {
        let mut trial = Trial::set_up(RULES);
        trial.set_attribute("state.calm", "yes");
        trial.set_attribute("state.still", "yes");
        let skipped = |turn: i64| {
            ["fire", "march red", "march blue"].map(|phase| format!("turn {turn} {phase} skipped"))
        };
        assert_eq!(next_phase(&mut trial), skipped(1));
        assert_eq!(turn_phase_and_side(&trial), (1, Some(1), "march".to_owned()));
        assert_eq!(next_phase(&mut trial), skipped(2));
        assert_eq!(turn_phase_and_side(&trial), (2, Some(1), "march".to_owned()));
    }

    #[test]
    fn reminders_are_asked_one_after_the_other() {
        let mut trial = Trial::set_up(RULES);
        trial.set_attribute("state.still", "yes");
        let told = next_phase(&mut trial);
        assert_eq!(told[2..], ["remember one", "remember two", "remember three"]);
    }

    #[test]
    fn what_is_left_of_a_title_stands_in_one_line() {
        let mut trial = Trial::set_up(RULES);
        let left = |of: &Trial| -> Vec<(String, bool)> {
            let left = of.referee.unfinished_business(&of.table).unwrap();
            left.iter().map(|business| (business.in_words(), business.warns)).collect()
        };
        assert_eq!(left(&trial), []);
        next_phase(&mut trial);
        assert_eq!(left(&trial), [("ann, bob (to fire)".to_owned(), true)]);
        trial.set_attribute("bob.out", "yes");
        trial.set_attribute("bob.hits", "1");
        let both = [("ann, not bob (to fire)".to_owned(), true), ("bob is hit".to_owned(), false)];
        assert_eq!(left(&trial), both);
    }

    #[test]
    fn a_verb_belongs_to_its_phases() {
        let mut trial = Trial::set_up(RULES);
        let reason = trial.refusal_reason("shoot", &["ann"]);
        assert_eq!(reason, "`shoot` belongs to phase 1, Fire and smoke, but this is the set-up");
        assert_eq!(trial.call_rule("rest", &["ann"])[1], "zzz");
        next_phase(&mut trial);
        assert_eq!(trial.call_rule("shoot", &["ann"])[1], "bang");
        next_phase(&mut trial);
        let outside = trial.refusal_reason("shoot", &["ann"]);
        assert!(
            outside.ends_with("but this is phase 2, march") || outside.ends_with("phase 2, March"),
            "{outside}"
        );
        trial.insist = true;
        assert_eq!(trial.call_rule("shoot", &["ann"])[2], "bang");
    }

    #[test]
    fn a_game_is_put_into_a_phase_without_running_it() {
        let trial = Trial::set_up(RULES);
        let mut table = trial.table.clone();
        trial.referee.put_into_phase(&mut table, "march");
        assert_eq!(
            (trial.referee.turn_number(&table), trial.referee.phase_index(&table)),
            (1, Some(1))
        );
        assert_eq!(trial.referee.side_to_move(&table), None);
        trial.referee.put_into_phase(&mut table, "fire");
        assert_eq!(
            (trial.referee.turn_number(&table), trial.referee.phase_index(&table)),
            (1, Some(0))
        );
        trial.referee.put_into_phase(&mut table, "tea");
        assert_eq!(
            (trial.referee.turn_number(&table), trial.referee.phase_index(&table)),
            (1, Some(0))
        );
    }

    #[test]
    fn a_game_without_phases_does_not_go_on() {
        let mut trial = Trial::set_up("[kind.man]\n[scenario.one.pieces.man]\nann = {}\n");
        let refused = trial.act(&crate::referee::Action::Next).unwrap_err();
        assert_eq!(refused.to_string(), "this game has no phases");
    }

    #[test]
    fn a_phase_that_is_begun_by_itself_tells_whether_it_was_passed_over() {
        let mut trial = Trial::set_up(RULES);
        let begin = |of: &mut Trial, index: usize, following: Successor| {
            let inputs = Inputs::without_dice();
            let schema = &of.referee.ruleset.schema;
            let machine = &mut of.referee.new_machine();
            let host = &mut Recorder::new(schema, &inputs);
            let referee = &of.referee;
            let table = &mut of.table;
            let mut run = RuleRun { referee, machine, table, host };
            if following == Successor::NextSide {
                assert_eq!(run.leave_phase(index, Period::Phase).unwrap(), following);
            }
            run.begin_phase(index, following).unwrap()
        };
        assert!(begin(&mut trial, 0, Successor::Phase(0)));
        // One side after the other, until none has a turn left.
        assert!(begin(&mut trial, 1, Successor::Phase(1)));
        assert_eq!(trial.referee.side_to_move(&trial.table).as_deref(), Some("red"));
        assert!(begin(&mut trial, 1, Successor::NextSide));
        assert_eq!(trial.referee.side_to_move(&trial.table).as_deref(), Some("blue"));
        assert_eq!(trial.referee.turn_number(&trial.table), 1);
        trial.set_attribute("state.calm", "yes");
        assert!(!begin(&mut trial, 0, Successor::Phase(0)));
        // For the first side it is passed over.
        trial.set_attribute("state.waits", "red");
        assert!(!begin(&mut trial, 1, Successor::Phase(1)));
    }

    const ROUNDS: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[state]
trap = { one_of = ["none", "do", "done", "fire", "line", "last"] }
idle = { one_of = "army" }
idles = { flag = true }
[kind.man]
plural = "men"
side = { one_of = "army" }
[rule.fall]
usage = "fall <who:man>"
after = 'stumble(who); say "never"'
[rule.stumble]
takes = "who: man"
after = 'each m in men { say "{m} is down"; if m = who { end turn } }'
[rule.rout]
usage = "rout"
phases = ["bound"]
after = 'end turn for all'
[rule.halt]
usage = "halt"
after = 'if state.side = red { end phase }; end phase for all'
[[phase]]
name = "dawn"
do = 'if state.trap = do { end phase }'
end = 'say "dawn ends"'
[[phase]]
name = "march"
skip = 'state.idles and state.side = state.idle'
end = 'say "march ends"; if state.trap = done { end turn }'
remind = ["keep step"]
[[phase]]
name = "fire"
do = 'if state.trap = fire { end phase }; say "ready"'
[[phase]]
name = "dusk"
by = "side"
[[round]]
name = "bound"
by = "side"
order = 'if state.side = blue then 1 else 2'
phases = ["march", "fire"]
remind = ["a new bound"]
[[watch]]
each = 'm in men where m.side = state.side'
say = "{m} is up"
phases = ["bound"]
[scenario.one.pieces.man]
ann = { side = "red" }
bob = { side = "blue" }
"#;

    #[test]
    fn each_side_plays_through_the_phases_of_a_round() {
        let mut trial = Trial::set_up(ROUNDS);
        let mut turn = Vec::new();
        for _ in 0..8 {
            let mut told = next_phase(&mut trial);
            told.retain(|line| !line.ends_with(" ends") && line != "ready");
            turn.push(told.join(" / "));
        }
        let expected = [
            "turn 1 dawn",
            "turn 1 march blue / remember a new bound / remember bob is up / remember keep step",
            "turn 1 fire blue",
            "turn 1 march red / remember a new bound / remember ann is up / remember keep step",
            "turn 1 fire red",
            "turn 1 dusk red",
            "turn 1 dusk blue",
            "turn 2 dawn",
        ];
        assert_eq!(turn, expected);
        assert_eq!(trial.referee.steps_of_turn(&trial.table), 7);
    }

    /// Returns where a rule leads from the march of the first side.
    fn led_to(trap: &str, line: (&str, &[&str])) -> Vec<String> {
        let mut trial = Trial::set_up(ROUNDS);
        next_phase(&mut trial);
        next_phase(&mut trial);
        trial.set_attribute("state.trap", trap);
        let mut told = trial.call_rule(line.0, line.1);
        told.retain(|line| !line.starts_with("state.") && !line.starts_with("remember"));
        told
    }

    #[test]
    fn the_end_of_a_turn_is_that_of_the_side_to_move() {
        let told = led_to("none", ("fall", &["bob"]));
        let lines =
            ["ann is down", "bob is down", "march ends", "turn 1 march red"].map(str::to_owned);
        // A call begins and ends with a line of its own.
        assert!(told.ends_with(&lines[2..]) && told.contains(&lines[1]), "{told:?}");
        assert!(!told.iter().any(|line| line == "never"), "{told:?}");
        let all = led_to("none", ("rout", &[]));
        assert!(all.ends_with(&["turn 2 dawn".to_owned()]), "{all:?}");
        assert!(all.contains(&lines[2]), "{all:?}");
    }

    #[test]
    fn the_end_of_a_phase_leads_to_the_next_of_the_round() {
        let told = led_to("none", ("halt", &[]));
        let lines = ["march ends", "turn 1 fire blue", "ready"].map(str::to_owned);
        assert!(told.ends_with(&lines), "{told:?}");
        // `fire` ends as it begins, so the other side marches.
        let short = led_to("fire", ("halt", &[]));
        let lines = ["march ends", "turn 1 fire blue", "turn 1 march red"].map(str::to_owned);
        assert!(short.ends_with(&lines), "{short:?}");
        // What runs at the end of a phase may end the turn.
        let turn = led_to("done", ("halt", &[]));
        let lines = ["march ends", "turn 1 march red"].map(str::to_owned);
        assert!(turn.ends_with(&lines), "{turn:?}");
    }

    #[test]
    fn a_phase_that_all_sides_play_in_turn_ends_for_one_or_for_all() {
        let ended = |times: usize, rule: &str| {
            let mut trial = Trial::set_up(ROUNDS);
            for _ in 0..times {
                next_phase(&mut trial);
            }
            let mut told = trial.call_rule(rule, &[]);
            told.retain(|line| line.starts_with("turn "));
            told
        };
        // Red's dusk, then blue's.
        assert_eq!(ended(6, "halt"), ["turn 1 dusk blue"]);
        assert_eq!(ended(7, "halt"), ["turn 2 dawn"]);
        assert_eq!(ended(1, "halt"), ["turn 1 march blue"]);
    }

    #[test]
    fn a_phase_that_ends_at_once_ends_before_its_reminders() {
        let mut trial = Trial::set_up(ROUNDS);
        trial.set_attribute("state.trap", "do");
        let told = next_phase(&mut trial);
        assert_eq!(told[..3], ["turn 1 dawn", "dawn ends", "turn 1 march blue"]);
    }

    #[test]
    fn a_side_that_skips_a_phase_of_its_round_plays_the_next() {
        let mut trial = Trial::set_up(ROUNDS);
        trial.set_attribute("state.idles", "yes");
        trial.set_attribute("state.idle", "blue");
        next_phase(&mut trial);
        let told = next_phase(&mut trial);
        let lines = [
            "turn 1 march blue skipped",
            "turn 1 fire blue",
            "ready",
            "remember a new bound",
            "remember bob is up",
        ];
        assert_eq!(told[told.len() - 5..], lines);
    }

    #[test]
    fn phases_that_all_end_at_once_do_not_go_on_for_ever() {
        let rules = "[kind.man]\n[[phase]]\nname = \"a\"\ndo = 'end turn'\n[[phase]]\nname = \"b\"\n\
                     [scenario.one.pieces.man]\nann = {}\n";
        let mut trial = Trial::set_up(rules);
        let told = next_phase(&mut trial);
        assert_eq!(told, ["turn 1 a", "turn 2 a", "turn 3 a", "turn 4 a"]);
    }

    #[test]
    fn no_phase_ends_in_the_set_up() {
        let mut trial = Trial::set_up(ROUNDS);
        assert_eq!(trial.refusal_reason("halt", &[]), "no phase has begun, so none can end");
        let reason = trial.refusal_reason("rout", &[]);
        assert_eq!(
            reason,
            "`rout` belongs to phase 2, march or phase 3, fire, but this is the set-up"
        );
    }

    #[test]
    fn what_must_not_be_forgotten_is_listed_in_any_phase_and_remembered_in_its_own() {
        let mut trial = Trial::set_up(RULES);
        let listed = |trial: &Trial| {
            let all = trial.referee.watch_list(&trial.table).unwrap();
            all.iter().map(|item| item.in_words()).collect::<Vec<_>>().join(" / ")
        };
        assert_eq!(listed(&trial), "");
        trial.set_attribute("bob.hits", "2");
        trial.set_attribute("ann.hits", "1");
        assert_eq!(listed(&trial), "ann, bob (hurt)");
        assert!(!next_phase(&mut trial).iter().any(|told| told.contains("nobody sees")));
        trial.set_attribute("state.dark", "yes");
        assert_eq!(listed(&trial), "ann, bob (hurt) / nobody sees");
        // Both sides march.
        next_phase(&mut trial);
        next_phase(&mut trial);
        let told = next_phase(&mut trial).join(" / ");
        assert!(told.contains("nobody sees") && !told.contains("hurt"), "{told}");
    }
}
