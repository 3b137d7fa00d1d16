//! Continues runs from the points where they stopped.

use std::rc::Rc;

use num_bigint::BigUint;

use super::decks::CardGroups;
use super::host::Outcomes;
use super::joint::{Belief, Beliefs, Path, RandomVariable, Share, TableState, set_belief};
use super::question::Progress;
use super::stop::{Arrival, Continuation, Stop};
use super::tree::Tree;
use crate::language::machine::{Machine, SnapshotReader};
use crate::language::schema::DeckId;

/// The point from which runs branch.
struct BranchPoint<'d> {
    /// The savepoint of the table at this point.
    mark: usize,
    /// The progress of the question, and the number of functions begun.
    progress: Progress,
    begun: i64,
    /// The number of answers used.
    answered: usize,
    /// The cost of resuming a run, in steps.
    steps: u64,
    share: &'d Share,
    state: &'d Rc<TableState>,
    /// The snapshot of the machine.
    reader: SnapshotReader<'d>,
}

impl BranchPoint<'_> {
    /// Returns a path from here with a probability of `part` in `total`.
    fn path_onward(&self, delta: Beliefs, part: &BigUint, total: &BigUint) -> Path {
        let share = (&self.share.0 * part, &self.share.1 * total);
        Path { from: self.state.clone(), delta, share, spoken: Vec::new() }
    }
}

impl<'a> Tree<'a> {
    /// Continues from a position with each possible result. Returns `None` if the tree must be
    /// abandoned or built again.
    pub(super) fn follow_stop(
        &mut self,
        registers: &[i64],
        stop: &Stop,
        share: &Share,
        state: &Rc<TableState>,
        machine: &mut Machine<'a>,
    ) -> Option<()> {
        let mut reader = SnapshotReader::new(registers);
        self.lay_out_table(&mut reader, state);
        let answered = reader.next_count();
        let progress = self.progresses.get(reader.next_count()).copied()?;
        let departure = BranchPoint {
            mark: self.table.under.savepoint(),
            progress,
            begun: reader.next_number(),
            answered,
            steps: registers.len() as u64,
            share,
            state,
            reader,
        };
        match stop {
            Stop::Chance(outcomes) => self.follow_chance(&departure, outcomes, machine)?,
            Stop::Read(var) => self.follow_read(&departure, *var, machine)?,
            Stop::Draw(deck) => match self.decks.may_be_empty(*deck, state, &self.names) {
                Some(var) => self.follow_read(&departure, var, machine)?,
                None => self.follow_draw(&departure, *deck, machine)?,
            },
        }
        Some(())
    }

    /// Continues with each value of a roll, or with every sum that the remaining equal iterations
    /// of a loop can add.
    fn follow_chance(
        &mut self,
        departure: &BranchPoint<'_>,
        outcomes: &Outcomes,
        machine: &mut Machine<'a>,
    ) -> Option<()> {
        machine.restore_snapshot(&mut self.flow, &mut departure.reader.clone());
        self.host.answered = departure.answered;
        self.progress = departure.progress;
        self.obey_insistence();
        let equal = self.equal_turns(machine, outcomes);
        self.host.forget_run();
        self.table.undo_run(departure.mark);
        if let Some((turns, sums)) = equal {
            let total = sums.iter().map(|(_, weight)| weight).sum();
            for (added, weight) in &sums {
                let found =
                    self.resume_run(departure, Continuation::Turns(&turns, added), machine)?;
                self.record_arrival(found, departure.path_onward(Vec::new(), weight, &total));
            }
        } else {
            let total = outcomes.iter().map(|(_, weight)| weight).sum();
            for (value, weight) in outcomes.iter() {
                let found = self.resume_run(departure, Continuation::Value(*value), machine)?;
                self.record_arrival(found, departure.path_onward(Vec::new(), weight, &total));
            }
        }
        Some(())
    }

    /// Continues with each value of a variable that is not certain.
    fn follow_read(
        &mut self,
        departure: &BranchPoint<'_>,
        var: RandomVariable,
        machine: &mut Machine<'a>,
    ) -> Option<()> {
        let Some(Belief::In(joint)) = departure.state.get(var) else { return None };
        for (value, weight, mut known) in joint.condition_on(var, &mut self.effort) {
            set_belief(&mut known, var, Belief::Sure(value));
            self.show_certain_values(&known);
            let found = self.resume_run(departure, Continuation::Nothing, machine)?;
            self.record_arrival(found, departure.path_onward(known, &weight, &joint.total));
        }
        Some(())
    }

    /// Continues with each card of a deck, but only once for equal cards. Returns `None` if cards
    /// that counted as equal turn out to be different.
    fn follow_draw(
        &mut self,
        departure: &BranchPoint<'_>,
        deck: DeckId,
        machine: &mut Machine<'a>,
    ) -> Option<()> {
        let list = self.decks.card_list(deck);
        let groups = self.decks.card_groups(list, &self.table.under);
        let draws = self.decks.possible_draws(
            list,
            &groups,
            departure.state,
            &self.table.under,
            &mut self.names,
            &mut self.effort,
        )?;
        let mut parted: CardGroups = Vec::new();
        for draw in draws {
            let mut found: Vec<(Vec<u32>, Arrival)> = Vec::new();
            self.card = Some(draw.words);
            for &card in &draw.cards {
                self.show_certain_values(&draw.known);
                self.table.show_cards(list, vec![card; draw.left]);
                let next = self.resume_run(departure, Continuation::Value(0), machine)?;
                match found.iter_mut().find(|(_, known)| *known == next) {
                    Some((cards, _)) => cards.push(card),
                    None => found.push((vec![card], next)),
                }
            }
            self.card = None;
            if found.len() > 1 {
                parted.extend(found.into_iter().map(|(cards, _)| cards));
            } else if let Some((_, only)) = found.pop() {
                self.record_arrival(
                    only,
                    departure.path_onward(draw.known, &draw.weight, &draw.total),
                );
            }
        }
        if !parted.is_empty() {
            self.decks.split_groups(list, &parted);
            return None;
        }
        Some(())
    }

    /// Continues a run, and then undoes it. Returns the point where the run stopped, and its
    /// changes.
    fn resume_run(
        &mut self,
        departure: &BranchPoint<'_>,
        given: Continuation<'_>,
        machine: &mut Machine<'a>,
    ) -> Option<Arrival> {
        machine.restore_snapshot(&mut self.flow, &mut departure.reader.clone());
        self.progress = departure.progress;
        self.begun = departure.begun;
        self.host.answered = departure.answered;
        self.table.set_savepoint();
        self.host.said.words = None;
        match given {
            Continuation::Nothing => {}
            Continuation::Value(value) => self.host.next = Some(value),
            Continuation::Turns(turns, added) => machine.finish_turns(turns, added),
        }
        let result = self.run_to_stop(machine);
        self.effort.spend(departure.steps);
        let found = self.arrival_of_run(machine, result);
        self.table.undo_run(departure.mark);
        found
    }
}
