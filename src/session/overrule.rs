//! The umpire's word above the machine's, on record with its reason.

use std::sync::Arc;

use super::board::Board;
use super::history::Entry;
use super::replay::{Given, Replay, Typed, read as read_line};
use super::{Session, StoreError};
use crate::language::machine::World;
use crate::language::schema::{KindId, Storage};
use crate::referee::Action;
use crate::tabletop::{Change, Given as Value};

/// What the line of an overruling begins with.
pub(super) const VERB: &str = "overrule";

/// A text that was read.
#[derive(Clone, Debug)]
pub(super) struct Ruling {
    /// What it sets.
    pub action: Action,
    /// Why.
    pub reason: String,
}

/// Why nothing was overruled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverruleError {
    /// The text cannot be read, or the rules know no such thing.
    #[error("{0}")]
    Refused(String),
    /// It could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reads `PIECE.ATTRIBUTE VALUE: REASON`, or `PIECE words: REASON`, which puts the piece back to what it was
/// before the last command that changed it.
pub(super) fn read(
    board: &Board,
    number: u64,
    standing: &[Arc<Entry>],
    text: &str,
) -> Result<Ruling, String> {
    let (referee, table) = board.of(number);
    let usage = "write `overrule PIECE.ATTRIBUTE VALUE: REASON`, or `overrule PIECE …: REASON` \
                 to undo what last happened to a piece";
    let Some((what, reason)) = text.split_once(':') else {
        return Err(format!("an overruling needs its reason after a colon; {usage}"));
    };
    let (what, reason) = (what.trim(), reason.trim().to_owned());
    if reason.is_empty() {
        return Err(format!("an overruling needs its reason after the colon; {usage}"));
    }
    let Some(first) = what.split_whitespace().next() else {
        return Err(format!("what is overruled? {usage}"));
    };
    if let Some((kind, row)) = table.find(first) {
        let action = put_back(board, number, standing, (kind, row))
            .ok_or_else(|| format!("no command has changed `{first}`; {usage}"))?;
        return Ok(Ruling { action, reason });
    }
    let typed = read_line(referee, table, &format!("set {what}"))?;
    Ok(Ruling { action: typed.action, reason })
}

/// The piece as it was before the last command that changed it.
fn put_back(
    board: &Board,
    number: u64,
    standing: &[Arc<Entry>],
    (kind, row): (KindId, u32),
) -> Option<Action> {
    let table = board.of(number).1;
    let schema = table.schema();
    let place_of =
        |storage: Storage| schema.kind(kind).attributes.iter().position(|a| a.storage == storage);
    let concerns = |change: &&Change| match change {
        Change::Cell { column, row: r, .. } => {
            *r == row && schema.columns[column.index()].0 == kind
        }
        Change::List { list, row: r, .. } => {
            *r == row && schema.list(*list).is_some() && schema.lists[list.index()].0 == kind
        }
        _ => false,
    };
    let mut earlier = standing.iter().rev().map(|e| board.restated(e, number));
    let entry = earlier.find(|e| e.outcome.changes().any(|c| concerns(&c)))?;
    let mut values: Vec<(usize, Value)> = Vec::new();
    for change in entry.outcome.changes().filter(concerns) {
        let (place, old) = match change {
            Change::Cell { column, old, .. } => {
                (place_of(Storage::Cell(*column))?, Value::Cell(old.clone()))
            }
            Change::List { list, old, .. } => {
                (place_of(Storage::List(*list))?, Value::Members(old.clone()))
            }
            _ => continue,
        };
        // Of several changes of one attribute the first knows what it was.
        if values.iter().all(|v| v.0 != place) {
            values.push((place, old));
        }
    }
    table.is_there(kind, row).then_some(Action::Set { kind, row, values })
}

impl Session {
    /// Changes a result by the umpire's word. It is a command like any other, with its reason.
    pub fn overrule(&mut self, text: &str, at: u64) -> Result<Arc<Entry>, OverruleError> {
        let replay = Replay { board: &self.board, keys: &self.keys };
        let ruling = read(&self.board, self.next, self.history.standing(), text)
            .map_err(OverruleError::Refused)?;
        let typed = Typed { verb: VERB.to_owned(), action: ruling.action, insist: true };
        let outcome = replay
            .resolve(self.next, &typed, &Given::default())
            .map_err(|stuck| OverruleError::Refused(stuck.to_string()))?;
        let line = format!("{VERB} {}", text.trim());
        Ok(self.take_in(&line, Some(ruling.reason), outcome, at)?)
    }
}
