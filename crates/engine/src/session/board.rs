//! The table of a session, under all rulesets that the session was played with.
//!
//! If the rules are reloaded during a game, earlier commands still belong to the old rules, and
//! later commands belong to the new rules. The commands under one set of rules form an *era*. Every
//! era has its own table; play continues on the last one. An earlier command is undone or redone on
//! the table of its era. That table is then transferred, by the names of its pieces and values, to
//! the later eras.

use std::sync::Arc;

use super::history::{Entry, UndoDirection};
use super::migrate::migrate;
use crate::referee::Referee;
use crate::tabletop::{ChangeError, Scenario, Tabletop};

/// The maximum number of times that tables of a session may be transferred to a later era. Without
/// this limit, a short journal could take a very long time to load: it could undo and redo its
/// first command again and again under a hundred rulesets.
const MAX_TRANSFERS: usize = 20_000;

/// An era: a ruleset, its first command, and its table.
#[derive(Clone, Debug)]
struct Era {
    /// The number of the first command of the era.
    from: u64,
    referee: Referee,
    table: Tabletop,
}

/// The table of a session, under all rulesets that the session was played with.
#[derive(Clone, Debug)]
pub struct Board {
    /// The eras, the oldest first; never empty.
    eras: Vec<Era>,
    /// The number of eras, counted from the first, whose tables are up to date with the eras before
    /// them.
    settled: usize,
    /// The name, the plan and the walls of the scenario at the set-up.
    plan: Arc<Scenario>,
    /// The number of times that a table has been transferred to a later era so far.
    transfers: usize,
}

impl Board {
    pub(super) fn new(referee: Referee, table: Tabletop, scenario: &Scenario) -> Board {
        let plan = Scenario {
            name: scenario.name.clone(),
            levels: scenario.levels.clone(),
            walls: scenario.walls.clone(),
            ..Scenario::default()
        };
        let eras = vec![Era { from: 0, referee, table }];
        Board { eras, settled: 1, plan: Arc::new(plan), transfers: 0 }
    }

    fn current_era(&self) -> &Era {
        &self.eras[self.eras.len() - 1]
    }

    /// Returns the referee for the current rules.
    pub fn referee(&self) -> &Referee {
        &self.current_era().referee
    }

    /// Returns the current table.
    pub fn table(&self) -> &Tabletop {
        &self.current_era().table
    }

    /// Returns the referee and the table for the era of a command. Command 0 is the set-up.
    pub(crate) fn referee_and_table_of(&self, number: u64) -> (&Referee, &Tabletop) {
        let era = &self.eras[self.era_index(number)];
        (&era.referee, &era.table)
    }

    /// Returns the number of times that the rules were reloaded.
    pub(super) fn reloads(&self) -> usize {
        self.eras.len() - 1
    }

    /// Returns true if tables were transferred to later eras more often than a session allows.
    pub(super) fn has_too_many_transfers(&self) -> bool {
        self.transfers > MAX_TRANSFERS
    }

    /// Returns true if a command belongs to the current rules.
    pub(crate) fn is_current(&self, number: u64) -> bool {
        self.era_index(number) + 1 == self.eras.len()
    }

    /// Returns the index of the era that a command belongs to. Future commands belong to the
    /// current era.
    fn era_index(&self, number: u64) -> usize {
        self.eras.iter().rposition(|era| era.from <= number).unwrap_or(0)
    }

    /// Makes or reverses the changes of commands, each on the table of its era, and updates the
    /// tables of the later eras. The board must not be used after an error.
    pub(super) fn apply<'e>(
        &mut self,
        acts: impl IntoIterator<Item = (UndoDirection, &'e Arc<Entry>)>,
    ) -> Result<(), ChangeError> {
        for (direction, entry) in acts {
            let index = self.era_index(entry.number);
            self.carry_over(index + 1);
            self.settled = index + 1;
            let table = &mut self.eras[index].table;
            match direction {
                UndoDirection::Forward => entry.outcome.apply(table)?,
                UndoDirection::Backward => entry.outcome.revert(table)?,
            }
        }
        self.carry_over(self.eras.len());
        Ok(())
    }

    /// Reverses the changes of commands, the latest first.
    pub(super) fn reverse(&mut self, entries: &[Arc<Entry>]) -> Result<(), ChangeError> {
        self.apply(entries.iter().rev().map(|e| (UndoDirection::Backward, e)))
    }

    /// Transfers the tables of earlier eras to later ones, until the first `count` eras are up to
    /// date.
    fn carry_over(&mut self, count: usize) {
        while self.settled < count {
            let before = &self.eras[self.settled - 1];
            let era = &self.eras[self.settled];
            // `change_rules` refuses rules that lack something on the table. If an undo restores
            // something that the later rules lack, it is dropped from the later table.
            let (table, _) = migrate(&before.table, &self.plan, era.referee.ruleset());
            self.eras[self.settled].table = table;
            self.settled += 1;
            self.transfers += 1;
        }
    }

    /// Changes the rules for the commands from number `from` on. If anything on the table doesn't
    /// fit the new rules, the board does not change, and the error has a sentence for each misfit.
    pub(super) fn change_rules(&mut self, from: u64, referee: Referee) -> Result<(), Vec<String>> {
        let (table, lost) = migrate(self.table(), &self.plan, referee.ruleset());
        if !lost.is_empty() {
            return Err(lost);
        }
        self.eras.push(Era { from, referee, table });
        self.settled = self.eras.len();
        Ok(())
    }

    /// Restores the previous rules, after all commands under the last rules have been undone.
    pub(super) fn restore_earlier_rules(&mut self) {
        self.eras.pop();
        self.settled = self.eras.len();
    }
}
