//! The table of a session, through every ruleset it was played by.
//!
//! When the rules are read again in the middle of a game, commands before that belong to the old rules and
//! commands after it to the new: an *era* each, told apart by the numbers of commands. Every era has a table of
//! its own rules; the last is the one that is played on. An earlier command is taken back, or done again, on the
//! table of its own era, and what comes of it is carried over by name into the later ones.

use std::sync::Arc;

use super::history::{Entry, Way};
use super::migrate::migrate;
use crate::referee::{Outcome, Referee};
use crate::tabletop::{ChangeError, Scenario, Tabletop};

/// A ruleset, the commands it counts for, and the table as it stands under it.
#[derive(Clone, Debug)]
struct Era {
    /// The first command.
    from: u64,
    referee: Referee,
    table: Tabletop,
}

/// The table of a session, through every ruleset it was played by.
#[derive(Clone, Debug)]
pub struct Board {
    /// The oldest first; never empty.
    first: Era,
    later: Vec<Era>,
    /// The number of later eras that are as the one before them says.
    settled: usize,
    /// The plan of the scenario, which stays as it was set out.
    plan: Arc<Scenario>,
}

impl Board {
    pub(super) fn new(referee: Referee, table: Tabletop, scenario: &Scenario) -> Board {
        let plan = Scenario {
            levels: scenario.levels.clone(),
            walls: scenario.walls.clone(),
            ..Scenario::default()
        };
        let first = Era { from: 0, referee, table };
        Board { first, later: Vec::new(), settled: 0, plan: Arc::new(plan) }
    }

    fn now(&self) -> &Era {
        self.later.last().unwrap_or(&self.first)
    }

    /// The referee by whose rules the game is played now.
    pub fn referee(&self) -> &Referee {
        &self.now().referee
    }

    /// The table as it stands.
    pub fn table(&self) -> &Tabletop {
        &self.now().table
    }

    /// The referee and the table of the rules a command belongs to; 0 is the set-up.
    pub fn of(&self, number: u64) -> (&Referee, &Tabletop) {
        let era = self.era(self.place(number));
        (&era.referee, &era.table)
    }

    /// Returns true if a command belongs to the rules the game is played by now.
    pub fn is_now(&self, number: u64) -> bool {
        self.place(number) == self.later.len()
    }

    /// The place of the era of a command.
    fn place(&self, number: u64) -> usize {
        self.later.iter().rposition(|era| era.from <= number).map_or(0, |p| p + 1)
    }

    fn era(&self, place: usize) -> &Era {
        place.checked_sub(1).and_then(|p| self.later.get(p)).unwrap_or(&self.first)
    }

    /// Makes changes of commands and takes them back, in order. After an error all is as it was.
    pub(super) fn act<'e>(
        &mut self,
        acts: impl IntoIterator<Item = (Way, &'e Arc<Entry>)>,
    ) -> Result<(), ChangeError> {
        let mut done: Vec<(Way, &Arc<Entry>)> = Vec::new();
        let mut result = Ok(());
        for (way, entry) in acts {
            result = self.change(way, entry.number, &entry.outcome);
            if result.is_err() {
                break;
            }
            done.push((way, entry));
        }
        if result.is_err() {
            for (way, entry) in done.into_iter().rev() {
                // What was done fits the way back.
                let _ = self.change(way.other(), entry.number, &entry.outcome);
            }
        }
        self.settle();
        result
    }

    /// Makes the changes of one outcome, or takes them back, on the table of its command's rules. After an error
    /// that table is as it was.
    pub(super) fn change(
        &mut self,
        way: Way,
        number: u64,
        outcome: &Outcome,
    ) -> Result<(), ChangeError> {
        let place = self.place(number);
        self.settle_to(place);
        self.settled = self.settled.min(place);
        let table = match place.checked_sub(1).and_then(|later| self.later.get_mut(later)) {
            Some(era) => &mut era.table,
            None => &mut self.first.table,
        };
        match way {
            Way::Forth => outcome.apply(table),
            Way::Back => outcome.revert(table),
        }
    }

    /// Carries what was changed under earlier rules over to the later ones.
    pub(super) fn settle(&mut self) {
        self.settle_to(self.later.len());
    }

    fn settle_to(&mut self, place: usize) {
        while self.settled < place {
            let before = &self.era(self.settled).table;
            let Some(era) = self.later.get(self.settled) else { return };
            // What the new rules have no place for was refused when they were read; what only comes back by
            // taking back has no place under them.
            let (table, _) = migrate(before, &self.plan, era.referee.ruleset());
            self.later[self.settled].table = table;
            self.settled += 1;
        }
    }

    /// From this command on the game is played by other rules. The error lists what stands on the table and has
    /// no place under them; then all is as it was.
    pub(super) fn read_again(&mut self, from: u64, referee: Referee) -> Result<(), Vec<String>> {
        self.settle();
        let (table, lost) = migrate(self.table(), &self.plan, referee.ruleset());
        if !lost.is_empty() {
            return Err(lost);
        }
        self.later.push(Era { from, referee, table });
        self.settled = self.later.len();
        Ok(())
    }

    /// Returns the board before its first command, under the rules it began with.
    pub(super) fn at_the_beginning(&self, standing: &[Arc<Entry>]) -> Result<Board, ChangeError> {
        let mut board = self.clone();
        board.act(standing.iter().rev().map(|e| (Way::Back, e)))?;
        board.later.clear();
        board.settled = 0;
        Ok(board)
    }
}
