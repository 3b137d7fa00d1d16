//! The phases of a turn: the current one, and the change to the next.

use super::Referee;
use super::act::RuleRun;
use crate::language::machine::{Halt, Host, World};
use crate::language::schema::{FunctionId, KindId, Type};
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
    /// True if the last one was not skipped.
    entered: bool,
    /// True if only the statements at the beginning of a phase run.
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
        if self.title.is_empty() { items } else { format!("{}: {items}", self.title) }
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
        PhaseChange { stage, index, begun: 0, entered: false, only: false }
    }
}

impl<T: World, H: Host> RuleRun<'_, '_, T, H> {
    /// Ends the current phase and begins the next that is not skipped.
    pub(super) fn next_phase(&mut self) -> Result<(), Halt> {
        self.run_phase_change(self.referee.start_phase_change(self.table)).map(|_| ())
    }

    /// Begins a phase, for the first side with a turn in it, and runs its first statements; returns
    /// false if it is skipped. If another side has a turn, runs the statements at the end of the
    /// phase and begins it for that side; returns false if no side has a turn left.
    pub(super) fn begin_phase(&mut self, index: usize, goes_on: bool) -> Result<bool, Halt> {
        let stage = if goes_on { Stage::Leave } else { Stage::Enter };
        let onward = PhaseChange { stage, index, begun: 0, entered: false, only: true };
        Ok(self.run_phase_change(onward)?.entered)
    }

    fn run_phase_change(&mut self, mut onward: PhaseChange) -> Result<PhaseChange, Halt> {
        let mut value = 0;
        while let Some(function) = self.phase_change_step(&mut onward, value)? {
            value = self.run_function(function, &[])?;
        }
        Ok(onward)
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
                    onward.stage = Stage::Left;
                    phase.end
                }
                Stage::Left => {
                    onward.stage = match (self.pass_to_next_side(phase), onward.only) {
                        (true, _) => Stage::Skip,
                        (false, true) => Stage::Over,
                        (false, false) => {
                            onward.index = (onward.index + 1) % phases.len();
                            Stage::Enter
                        }
                    };
                    phase.skip.filter(|_| onward.stage == Stage::Skip)
                }
                Stage::Enter => {
                    if onward.index == 0 {
                        self.set_state(referee.turn, referee.turn_number(self.table) + 1);
                    }
                    self.set_state(referee.phase, onward.index as i64 + 1);
                    self.begin_with_first_side(phase)?;
                    onward.begun += 1;
                    onward.stage = Stage::Skip;
                    phase.skip
                }
                Stage::Skip => {
                    let skipped = phase.skip.is_some() && value != 0;
                    let side = phase.turns.as_ref().and_then(|_| referee.side_to_move(self.table));
                    let turn = referee.turn_number(self.table);
                    self.host.on_phase(turn, (onward.index, &phase.name), side, skipped);
                    onward.entered = !skipped;
                    if skipped && self.pass_to_next_side(phase) {
                        return Ok(phase.skip);
                    }
                    // A turn in which every phase is passed over ends with its last.
                    let over = onward.only || skipped && onward.begun == phases.len();
                    onward.stage = match (skipped, over) {
                        (_, true) => Stage::Over,
                        (true, false) => Stage::Enter,
                        (false, false) => Stage::Remind(0),
                    };
                    if skipped && !over {
                        onward.index = (onward.index + 1) % phases.len();
                    }
                    if phase.reveals_orders && !skipped {
                        self.read_orders(None);
                    }
                    phase.begin.filter(|_| !skipped)
                }
                Stage::Remind(index) => {
                    onward.stage = if index + 1 < phase.reminders.len() {
                        Stage::Remind(index + 1)
                    } else {
                        Stage::Over
                    };
                    phase.reminders.get(index).copied()
                }
                Stage::Over => return Ok(None),
            };
            if next.is_some() {
                return Ok(next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RuleRun;
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
        assert_eq!(left(&trial), [("to fire: ann, bob".to_owned(), true)]);
        trial.set_attribute("bob.out", "yes");
        trial.set_attribute("bob.hits", "1");
        let both = [("to fire: ann, not bob".to_owned(), true), ("bob is hit".to_owned(), false)];
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
        let begin = |of: &mut Trial, index: usize, goes_on: bool| {
            let inputs = Inputs::without_dice();
            let schema = &of.referee.ruleset.schema;
            let machine = &mut of.referee.new_machine();
            let host = &mut Recorder::new(schema, &inputs);
            let referee = &of.referee;
            let table = &mut of.table;
            RuleRun { referee, machine, table, host }.begin_phase(index, goes_on).unwrap()
        };
        assert!(begin(&mut trial, 0, false));
        // One side after the other, until none has a turn left.
        assert!(begin(&mut trial, 1, false));
        assert_eq!(trial.referee.side_to_move(&trial.table).as_deref(), Some("red"));
        assert!(begin(&mut trial, 1, true));
        assert_eq!(trial.referee.side_to_move(&trial.table).as_deref(), Some("blue"));
        assert!(!begin(&mut trial, 1, true));
        assert_eq!(trial.referee.turn_number(&trial.table), 1);
        trial.set_attribute("state.calm", "yes");
        assert!(!begin(&mut trial, 0, false));
        // For the first side alone it is passed over.
        trial.set_attribute("state.waits", "red");
        assert!(begin(&mut trial, 1, false));
        assert_eq!(trial.referee.side_to_move(&trial.table).as_deref(), Some("blue"));
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
        assert_eq!(listed(&trial), "hurt: ann, bob");
        assert!(!next_phase(&mut trial).iter().any(|told| told.contains("nobody sees")));
        trial.set_attribute("state.dark", "yes");
        assert_eq!(listed(&trial), "hurt: ann, bob / nobody sees");
        // Both sides march.
        next_phase(&mut trial);
        next_phase(&mut trial);
        let told = next_phase(&mut trial).join(" / ");
        assert!(told.contains("nobody sees") && !told.contains("hurt"), "{told}");
    }
}
