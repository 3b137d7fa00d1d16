//! Follows runs on from where they have stopped.

use std::rc::Rc;

use num_bigint::BigUint;

use super::decks::CardGroups;
use super::host::Outcomes;
use super::joint::{Belief, Beliefs, Path, RandomVariable, Share, TableState, put};
use super::stop::{Arrival, Continuation, Stop};
use super::tree::Tree;
use crate::language::machine::{Machine, SnapshotReader};
use crate::language::schema::DeckId;
use crate::referee::phases::PhaseChange;

/// The point from which runs are followed.
struct Departure<'d> {
    /// The state of the table there.
    mark: usize,
    /// The progress of a change of phase, and the number of functions it has begun.
    onward: Option<PhaseChange>,
    begun: i64,
    /// The work of resuming a run.
    work: u64,
    share: &'d Share,
    state: &'d Rc<TableState>,
    /// The machine, to be restored.
    reader: SnapshotReader<'d>,
}

impl Departure<'_> {
    /// Returns a path on from here, whose probability is `part` of `total`.
    fn path(&self, delta: Beliefs, part: &BigUint, total: &BigUint) -> Path {
        let share = (&self.share.0 * part, &self.share.1 * total);
        Path { from: self.state.clone(), delta, share, spoken: Vec::new() }
    }
}

impl<'a> Tree<'a> {
    /// Goes on from a position with everything that can come next.
    pub(super) fn follow(
        &mut self,
        registers: &[i64],
        stop: &Stop,
        share: &Share,
        state: &Rc<TableState>,
        machine: &mut Machine<'a>,
    ) -> Option<()> {
        let mut reader = SnapshotReader::new(registers);
        self.lay_out(&mut reader, state);
        let before = self.onward;
        let mut departure = Departure {
            mark: self.table.under.savepoint(),
            onward: None,
            begun: 0,
            work: registers.len() as u64,
            share,
            state,
            reader: reader.clone(),
        };
        if before.is_some() {
            departure.onward = self.onwards.get(reader.count()).copied();
            departure.begun = reader.take();
            departure.reader = reader;
        }
        match stop {
            Stop::Chance(outcomes) => self.follow_chance(&departure, outcomes, machine)?,
            Stop::Read(var) => self.follow_read(&departure, *var, machine)?,
            Stop::Draw(deck) => match self.decks.may_be_empty(*deck, state, &self.names) {
                Some(var) => self.follow_read(&departure, var, machine)?,
                None => self.follow_draw(&departure, *deck, machine)?,
            },
        }
        self.onward = before;
        Some(())
    }

    /// Goes on with each value of chance, or with all that the equal turns of a loop can add.
    fn follow_chance(
        &mut self,
        departure: &Departure<'_>,
        outcomes: &Outcomes,
        machine: &mut Machine<'a>,
    ) -> Option<()> {
        machine.restore(&mut self.flow, &mut departure.reader.clone());
        let equal = self.equal_turns(machine, outcomes);
        self.host.leave();
        self.table.take_back(departure.mark);
        if let Some((turns, sums)) = equal {
            let total = sums.iter().map(|(_, weight)| weight).sum();
            for (added, weight) in &sums {
                let found = self.resume(departure, Continuation::Turns(&turns, added), machine)?;
                self.arrive(found, departure.path(Vec::new(), weight, &total));
            }
        } else {
            let total = outcomes.iter().map(|(_, weight)| weight).sum();
            for (value, weight) in outcomes.iter() {
                let found = self.resume(departure, Continuation::Value(*value), machine)?;
                self.arrive(found, departure.path(Vec::new(), weight, &total));
            }
        }
        Some(())
    }

    /// Goes on with each value of something that is not certain.
    fn follow_read(
        &mut self,
        departure: &Departure<'_>,
        var: RandomVariable,
        machine: &mut Machine<'a>,
    ) -> Option<()> {
        let Some(Belief::In(joint)) = departure.state.get(var) else { return None };
        for (value, weight, mut known) in joint.cases(var, &mut self.work) {
            put(&mut known, var, Belief::Sure(value));
            self.reveal_all(&known);
            let found = self.resume(departure, Continuation::Nothing, machine)?;
            self.arrive(found, departure.path(known, &weight, &joint.total));
        }
        Some(())
    }

    /// Goes on with each card of a deck, once for those that are alike. `None` if cards that counted as alike are
    /// not.
    fn follow_draw(
        &mut self,
        departure: &Departure<'_>,
        deck: DeckId,
        machine: &mut Machine<'a>,
    ) -> Option<()> {
        let list = self.decks.list(deck);
        let groups = self.decks.groups(list, &self.table.under);
        let draws = self.decks.draws(
            list,
            &groups,
            departure.state,
            &self.table.under,
            &mut self.names,
            &mut self.work,
        )?;
        let mut parted: CardGroups = Vec::new();
        for draw in draws {
            let mut found: Vec<(Vec<u32>, Arrival)> = Vec::new();
            self.card = Some(draw.words);
            for &card in &draw.cards {
                self.reveal_all(&draw.known);
                self.table.show(list, vec![card; draw.left]);
                let next = self.resume(departure, Continuation::Value(0), machine)?;
                match found.iter_mut().find(|(_, known)| *known == next) {
                    Some((cards, _)) => cards.push(card),
                    None => found.push((vec![card], next)),
                }
            }
            self.card = None;
            if found.len() > 1 {
                parted.extend(found.into_iter().map(|(cards, _)| cards));
            } else if let Some((_, only)) = found.pop() {
                self.arrive(only, departure.path(draw.known, &draw.weight, &draw.total));
            }
        }
        if !parted.is_empty() {
            self.decks.tell_apart(list, &parted);
            return None;
        }
        Some(())
    }

    /// Runs on with a value, and takes everything back. Returns where that leads and what it changes.
    fn resume(
        &mut self,
        departure: &Departure<'_>,
        given: Continuation<'_>,
        machine: &mut Machine<'a>,
    ) -> Option<Arrival> {
        machine.restore(&mut self.flow, &mut departure.reader.clone());
        self.onward = departure.onward;
        self.begun = departure.begun;
        self.table.start();
        self.host.words = None;
        match given {
            Continuation::Nothing => {}
            Continuation::Value(value) => self.host.next = Some(value),
            Continuation::Turns(turns, added) => machine.end_turns(turns, added),
        }
        let result = self.go_on(machine);
        self.work += departure.work;
        let found = self.come_to(machine, result);
        self.table.take_back(departure.mark);
        found
    }
}
