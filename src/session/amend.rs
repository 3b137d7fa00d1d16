//! Other words for a command that was accepted: what followed is resolved again with the same dice.

use std::sync::Arc;

use super::history::{Amendment, Entry};
use super::record::{AmendRecord, CommandRecord, Record};
use super::replay::{Given, Replay, Stuck};
use super::{Found, Session, StoreError, command_record, inventory};
use crate::language::machine::Halt;

/// Why a command cannot be amended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmendError {
    /// No command of that number stands.
    #[error("there is no command {0} to amend; `log` numbers those that stand")]
    Missing(u64),
    /// The new line cannot be read where it would stand.
    #[error("{0}")]
    Line(String),
    /// The rules stop the new line: a question, dice to be rolled by hand, a refusal. Answer and ask again.
    #[error("the new line stops half-way")]
    Halt(Halt),
}

/// What an amendment would change; nothing is changed yet.
#[derive(Clone, Debug)]
pub struct Plan {
    amendment: Arc<Amendment>,
    record: AmendRecord,
    /// How many things had happened when this was found out.
    length: usize,
    /// What would come out otherwise, command by command.
    pub differences: Vec<Difference>,
    /// What would stand otherwise on the table at the end: what is there now, and what would be there.
    pub table: Vec<(Option<String>, Option<String>)>,
}

/// A command that would come out otherwise.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its number.
    pub number: u64,
    /// As it is.
    pub before: Arc<Entry>,
    /// As it would be; or why it no longer holds.
    pub now: Result<Arc<Entry>, String>,
}

impl Plan {
    /// Whether everything would stay as it is.
    pub fn changes_nothing(&self) -> bool {
        self.differences.is_empty() && self.table.is_empty()
    }

    /// The command as it would be.
    pub fn entry(&self) -> Option<&Arc<Entry>> {
        self.amendment.now.first()
    }
}

impl Session {
    /// Finds out what another line in place of a command would change. Its questions are answered as they were,
    /// where they are the same, and then by `found`; real dice are as they fell, unless `found` has them anew.
    pub fn plan_amend(&self, number: u64, line: &str, found: &Found) -> Result<Plan, AmendError> {
        let place = self.history.place(number).ok_or(AmendError::Missing(number))?;
        let (mut board, tail) = self.history.before(&self.board, place);
        let mut standing: Vec<Arc<Entry>> =
            self.history.standing().get(..place).unwrap_or_default().to_vec();
        let mut records: Vec<CommandRecord> = Vec::new();
        let mut differences = Vec::new();
        let mut dropped = Vec::new();
        for old in tail {
            let amended = old.number == number;
            let line = if amended { line } else { old.line.as_str() };
            let mut given = Given::of(&old.outcome);
            if amended {
                given.more.clone_from(&found.answers);
                if given.faces.is_some() && found.anew {
                    given.faces = Some(found.faces.clone());
                }
            }
            let overrules = match amended {
                true => line.split_whitespace().next() == Some(super::overrule::VERB),
                false => old.reason.is_some(),
            };
            let replay = Replay { board: &board, keys: &self.keys };
            let resolved = replay
                .action(old.number, &standing, line, overrules)
                .and_then(|typed| replay.resolve(old.number, &typed, &given));
            match resolved {
                Ok(outcome) => {
                    let reason = line.split_once(':').filter(|_| overrules);
                    let (referee, table) = board.of(old.number);
                    let entry = Arc::new(Entry {
                        number: old.number,
                        line: line.to_owned(),
                        reason: reason.map(|r| r.1.trim().to_owned()),
                        turn: referee.turn(table),
                        phase: referee.phase(table),
                        outcome,
                    });
                    board.apply(&entry);
                    board.settle();
                    let record = command_record(&board, &entry);
                    let same = record == self.old_record(old);
                    records.push(record);
                    standing.push(kept(old, entry.clone()));
                    if !same {
                        let (number, before) = (old.number, old.clone());
                        differences.push(Difference { number, before, now: Ok(entry) });
                    }
                }
                Err(Stuck::Line(reason)) if amended => return Err(AmendError::Line(reason)),
                Err(Stuck::Halt(halt)) if amended => return Err(AmendError::Halt(halt)),
                Err(stuck) => {
                    dropped.push(old.number);
                    let (number, before) = (old.number, old.clone());
                    let now = Err(stuck.to_string());
                    differences.push(Difference { number, before, now });
                }
            }
        }
        let now = standing.get(place..).unwrap_or_default().to_vec();
        let amendment = Amendment { number, before: tail.to_vec(), now, dropped: dropped.clone() };
        Ok(Plan {
            table: compared(&inventory(self.table()), &inventory(board.table())),
            amendment: Arc::new(amendment),
            record: AmendRecord { n: number, now: records, dropped },
            length: self.log.len(),
            differences,
        })
    }

    /// The record of a command that stands. Names do not depend on the table once a piece has been made.
    fn old_record(&self, entry: &Entry) -> CommandRecord {
        command_record(&self.board, entry)
    }

    /// Makes an amendment that was found out. It is refused if something has happened since then.
    pub fn amend(&mut self, plan: &Plan, at: u64) -> Result<Arc<Amendment>, StoreError> {
        if plan.length != self.log.len() {
            let path = "amend".to_owned();
            let reason = "something else happened since then; amend again".to_owned();
            return Err(StoreError::Io { path, reason });
        }
        let amendment = &plan.amendment;
        let turn = self.turn_after(|board| board.swap(&amendment.before, &amendment.now));
        self.write_in(turn, at, Record::Amend(plan.record.clone()))?;
        self.history.amend(&mut self.board, plan.amendment.clone());
        self.logged(at, super::Happening::Amended(plan.amendment.clone()));
        Ok(plan.amendment.clone())
    }
}

/// The old entry where the new one is the same in everything, so that it is seen to stand.
pub(super) fn kept(old: &Arc<Entry>, new: Arc<Entry>) -> Arc<Entry> {
    match format!("{old:?}") == format!("{new:?}") {
        true => old.clone(),
        false => new,
    }
}

/// The lines of two inventories that differ.
fn compared(old: &[String], new: &[String]) -> Vec<(Option<String>, Option<String>)> {
    use std::collections::BTreeMap;
    fn by_key(lines: &[String]) -> BTreeMap<&str, &str> {
        let key = |l: &str| l.find(' ').unwrap_or(l.len());
        lines.iter().map(|l| l.split_at(key(l))).collect()
    }
    let (old_keys, new_keys) = (by_key(old), by_key(new));
    let mut found = Vec::new();
    for line in old {
        let key = line.split(' ').next().unwrap_or(line);
        if new_keys.get(key) != old_keys.get(key) {
            let now = new_keys.get(key).map(|value| format!("{key}{value}"));
            found.push((Some(line.clone()), now));
        }
    }
    for line in new {
        let key = line.split(' ').next().unwrap_or(line);
        if !old_keys.contains_key(key) {
            found.push((None, Some(line.clone())));
        }
    }
    found
}
