//! Every die again from the seed, every result again from the rules.

use std::sync::Arc;

use super::board::Board;
use super::history::Entry;
use super::record::{OutcomeRecord, write_outcome};
use super::replay::{Given, Replay};
use super::{Happening, Session, Step, set_out};
use crate::referee::Outcome;

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// How many commands were resolved again, the set-up among them.
    pub commands: usize,
    /// How many dice came from the seed again.
    pub dice: usize,
    /// How many were rolled by hand and cannot be derived.
    pub by_hand: usize,
    /// How many words of the players were mixed in.
    pub words: usize,
    /// The first difference, if there is one.
    pub mismatch: Option<Mismatch>,
}

/// Where a journal and the rules part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The command; 0 is the set-up.
    pub number: u64,
    /// Its line.
    pub line: String,
    /// What differs.
    pub what: String,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.number {
            0 => write!(f, "the set-up: {}", self.what),
            n => write!(f, "command {n}, `{}`: {}", self.line, self.what),
        }
    }
}

impl Session {
    /// Derives everything again, in the order of the journal, and compares.
    pub fn verify(&self) -> Found {
        let mut found = Found { words: self.keys.words().len(), ..Found::default() };
        found.mismatch = self.verify_all(&mut found).err();
        found
    }

    fn verify_all(&self, found: &mut Found) -> Result<(), Mismatch> {
        let (first, _) = self.board.of(0);
        let fault = |number, line: &str, what: String| Mismatch { number, line: line.into(), what };
        if self.keys.secret().sealed() != self.start.seal {
            let what = "the seal is not the hash of the seed".to_owned();
            return Err(fault(0, "", what));
        }
        let scenario = self
            .scenario_set_out()
            .ok_or_else(|| fault(0, "", "the ruleset has no such scenario".to_owned()))?;
        let (table, outcome) = set_out(first, scenario, &self.keys.of(0))
            .map_err(|halt| fault(0, "", format!("it cannot be set out again: {halt:?}")))?;
        let again = write_outcome(first, &table, &outcome);
        compare(&self.start.set_up, &again).map_err(|what| fault(0, "", what))?;
        count(found, &outcome);
        let mut board = Board::new(first.clone(), table, scenario);
        let mut standing: Vec<Arc<Entry>> = Vec::new();
        for logged in &self.log {
            match &logged.what {
                Happening::Did(entry) => {
                    self.verify_one(&mut board, &standing, entry, found)?;
                    standing.push(entry.clone());
                }
                Happening::TookBack(Step::Command(_)) => {
                    if let Some(entry) = standing.pop() {
                        board.revert(&entry);
                        board.settle();
                    }
                }
                Happening::DidAgain(Step::Command(entry)) => {
                    board.apply(entry);
                    board.settle();
                    standing.push(entry.clone());
                }
                Happening::TookBack(Step::Amendment(a)) => {
                    swap(&mut board, &mut standing, a.now.len(), &a.before);
                }
                Happening::DidAgain(Step::Amendment(a)) => {
                    swap(&mut board, &mut standing, a.before.len(), &a.now);
                }
                Happening::Amended(a) => {
                    swap(&mut board, &mut standing, a.before.len(), &[]);
                    for entry in &a.now {
                        self.verify_one(&mut board, &standing, entry, found)?;
                        standing.push(entry.clone());
                    }
                }
                Happening::Reloaded(reloaded) => {
                    board.read_again(reloaded.from, reloaded.referee.clone()).map_err(|lost| {
                        let what = format!("the rules read again do not fit: {}", lost.join("; "));
                        fault(reloaded.from, "reload", what)
                    })?;
                }
                Happening::Began(_) | Happening::Dice(_) | Happening::Words(_) => {}
                Happening::AskRandom(_) | Happening::Revealed | Happening::Resumed(_) => {}
            }
        }
        Ok(())
    }

    /// Resolves one command again, compares, and makes its changes.
    fn verify_one(
        &self,
        board: &mut Board,
        standing: &[Arc<Entry>],
        entry: &Entry,
        found: &mut Found,
    ) -> Result<(), Mismatch> {
        let fault =
            |what: String| Mismatch { number: entry.number, line: entry.line.clone(), what };
        let replay = Replay { board, keys: &self.keys };
        let outcome = replay
            .action(entry.number, standing, &entry.line, entry.reason.is_some())
            .and_then(|typed| replay.resolve(entry.number, &typed, &Given::of(&entry.outcome)))
            .map_err(|stuck| fault(format!("it cannot be resolved again: {stuck}")))?;
        let (referee, table) = board.of(entry.number);
        let (referee, mut made) = (referee.clone(), table.clone());
        for change in outcome.changes() {
            made.apply(change);
        }
        let again = write_outcome(&referee, &made, &outcome);
        board.apply(entry);
        let recorded = write_outcome(&referee, board.of(entry.number).1, &entry.outcome);
        board.settle();
        compare(&recorded, &again).map_err(fault)?;
        count(found, &outcome);
        Ok(())
    }
}

fn count(found: &mut Found, outcome: &Outcome) {
    found.commands += 1;
    match outcome.physical {
        true => found.by_hand += outcome.faces.len(),
        false => found.dice += outcome.faces.len(),
    }
}

/// Puts these commands in place of the last ones.
pub(super) fn swap(
    board: &mut Board,
    standing: &mut Vec<Arc<Entry>>,
    count: usize,
    new: &[Arc<Entry>],
) {
    for _ in 0..count {
        if let Some(entry) = standing.pop() {
            board.revert(&entry);
        }
    }
    for entry in new {
        board.apply(entry);
        standing.push(entry.clone());
    }
    board.settle();
}

/// The first difference between what was recorded and what comes out again.
fn compare(recorded: &OutcomeRecord, again: &OutcomeRecord) -> Result<(), String> {
    if recorded == again {
        return Ok(());
    }
    fn flat(record: &OutcomeRecord) -> impl Iterator<Item = (u32, u32)> + '_ {
        record.dice.iter().flat_map(|(sides, faces)| faces.iter().map(|f| (*sides, *f)))
    }
    let (old, new): (Vec<_>, Vec<_>) = (flat(recorded).collect(), flat(again).collect());
    for (place, (old, new)) in old.iter().zip(&new).enumerate() {
        if old != new {
            return Err(format!(
                "die {} is a {} on a d{} in the journal, but a {} on a d{} by the seed and the rules",
                place + 1,
                old.1,
                old.0,
                new.1,
                new.0
            ));
        }
    }
    if old.len() != new.len() {
        let (old, new) = (old.len(), new.len());
        return Err(format!("the journal has {old} dice, but the rules throw {new}"));
    }
    let text = |event: Option<&super::record::EventRecord>| match event {
        Some(event) => serde_json::to_string(event).unwrap_or_default(),
        None => "nothing".to_owned(),
    };
    let length = recorded.events.len().max(again.events.len());
    for place in 0..length {
        let (old, new) = (recorded.events.get(place), again.events.get(place));
        if old != new {
            return Err(format!(
                "the journal has {}, but by the rules {} follows",
                text(old),
                text(new)
            ));
        }
    }
    Err("the dice are not the same".to_owned())
}
