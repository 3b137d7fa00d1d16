//! A game under way: the table, the commands so far, the dice that come next.
//!
//! Command `n` takes its dice from stream `n` of the seed. A command is first attempted, which changes nothing,
//! and then accepted, which changes the table; only what was accepted uses its number up.

use std::collections::BTreeSet;

use crate::dice::{Seed, Seeded, Supplied};
use crate::language::machine::Halt;
use crate::referee::{Action, Answer, Dice, Inputs, Outcome, Referee};
use crate::tabletop::{Scenario, Tabletop};

/// A command that was accepted.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number, from 1; the set-up is number 0.
    pub number: u64,
    /// The line as typed.
    pub line: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What was found out while a command was attempted: answers, and faces of real dice.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Answers to questions, in order.
    pub answers: Vec<Answer>,
    /// Faces rolled by hand, in order.
    pub faces: Vec<u32>,
}

/// Whose dice are thrown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RealDice {
    /// All dice are real.
    pub all: bool,
    /// The dice of these verbs are real.
    pub verbs: BTreeSet<String>,
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct Session {
    referee: Referee,
    table: Tabletop,
    seed: Seed,
    next: u64,
    done: Vec<Entry>,
    undone: Vec<Entry>,
    scenario: String,
    /// Whose dice are thrown.
    pub real_dice: RealDice,
    /// Whether chance answers all questions.
    pub ask_random: bool,
}

impl Session {
    /// Sets a scenario out and begins; and what came of the set-up.
    pub fn start(
        referee: Referee,
        scenario: &Scenario,
        seed: Seed,
    ) -> Result<(Session, Outcome), Halt> {
        // Nobody is asked during the set-up.
        let inputs = Inputs { ask_random: true, ..Inputs::seeded(&seed, 0) };
        let (table, outcome) = referee.set_out(scenario, &inputs)?;
        let session = Session {
            referee,
            table,
            seed,
            next: 1,
            done: Vec::new(),
            undone: Vec::new(),
            scenario: scenario.name.clone(),
            real_dice: RealDice::default(),
            ask_random: false,
        };
        Ok((session, outcome))
    }

    /// The referee.
    pub fn referee(&self) -> &Referee {
        &self.referee
    }

    /// The table as it stands.
    pub fn table(&self) -> &Tabletop {
        &self.table
    }

    /// The name of the scenario.
    pub fn scenario(&self) -> &str {
        &self.scenario
    }

    /// The seed.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The commands that stand, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.done
    }

    /// The number the next command will have.
    pub fn next_number(&self) -> u64 {
        self.next
    }

    /// Tries an action with what has been found out so far. Nothing is changed. `verb` is the first word of
    /// the line, which may have real dice of its own.
    pub fn attempt(
        &self,
        verb: &str,
        action: &Action,
        insist: bool,
        found: &Found,
    ) -> Result<Outcome, Halt> {
        self.referee.resolve(&self.table, action, &self.inputs(verb, insist, found))
    }

    /// What happens in an action up to where it halts, and the table there. Nothing is changed.
    pub fn up_to_halt(
        &self,
        verb: &str,
        action: &Action,
        insist: bool,
        found: &Found,
    ) -> (Outcome, Tabletop) {
        self.referee.up_to_halt(&self.table, action, &self.inputs(verb, insist, found))
    }

    fn inputs(&self, verb: &str, insist: bool, found: &Found) -> Inputs {
        let real = self.real_dice.all || self.real_dice.verbs.contains(verb);
        let dice = match real {
            true => Dice::Physical(Supplied::new(found.faces.clone())),
            false => Dice::Seeded(Seeded::new(&self.seed, self.next)),
        };
        Inputs {
            answers: found.answers.clone(),
            ask_random: self.ask_random,
            insist,
            ..Inputs::of(dice)
        }
    }

    /// Takes an outcome over: the table is changed, the command has its number.
    pub fn accept(&mut self, line: &str, outcome: Outcome) -> &Entry {
        for change in outcome.changes() {
            self.table.apply(change);
        }
        let number = self.next;
        self.next += 1;
        self.undone.clear();
        self.done.push(Entry { number, line: line.to_owned(), outcome });
        &self.done[self.done.len() - 1]
    }

    /// Takes the last command back and gives it; none if there is none.
    pub fn undo(&mut self) -> Option<&Entry> {
        let entry = self.done.pop()?;
        for change in entry.outcome.changes().rev() {
            self.table.revert(change);
        }
        self.undone.push(entry);
        self.undone.last()
    }

    /// Does the last command taken back again and gives it; none if there is none.
    pub fn redo(&mut self) -> Option<&Entry> {
        let entry = self.undone.pop()?;
        for change in entry.outcome.changes() {
            self.table.apply(change);
        }
        self.done.push(entry);
        self.done.last()
    }
}
