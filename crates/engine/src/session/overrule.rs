//! Overruling: the umpire's word above the machine's, on record with its reason.

use std::sync::Arc;

use super::board::Board;
use super::history::Entry;
use super::replay::{LineMisfit, read as read_line};
use super::{Session, StoreError};
use crate::language::machine::World;
use crate::language::schema::{KindId, Storage, Type};
use crate::referee::{Action, Inputs};
use crate::tabletop::{Change, Given, Spot, Tabletop, Value, joined};

/// The word that the line of an overruling begins with.
pub(super) const VERB: &str = "overrule";

/// An overruling that was read; nothing is changed yet.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The values that it sets.
    pub(super) action: Action,
    /// The reason.
    pub reason: String,
    /// The command whose changes it takes back, if it takes a command's changes back.
    pub takes_back: Option<Arc<Entry>>,
    /// The values that it puts back: the attribute, the value now, the value it gets.
    pub puts_back: Vec<(Spot, Value, Value)>,
    /// The number of other commands that changed the piece and could have been meant.
    pub others: usize,
}

/// Why nothing was overruled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverruleError {
    /// The line cannot stand.
    #[error(transparent)]
    Line(#[from] LineMisfit),
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
) -> Result<Ruling, LineMisfit> {
    let (referee, table) = board.of(number);
    let (what, reason) = text.split_once(':').ok_or(LineMisfit::NoColon)?;
    let (what, reason) = (what.trim(), reason.trim().to_owned());
    if reason.is_empty() {
        return Err(LineMisfit::NoReason);
    }
    let first = what.split_whitespace().next().ok_or(LineMisfit::NothingOverruled)?;
    if let Some(piece) = table.find(first) {
        return put_back(table, standing, piece, reason)
            .ok_or_else(|| LineMisfit::Unchanged(first.to_owned()));
    }
    let typed = read_line(referee, table, &format!("set {what}"))?;
    let (takes_back, puts_back) = (None, Vec::new());
    Ok(Ruling { action: typed.action, reason, takes_back, puts_back, others: 0 })
}

/// The piece as it was before the last command that changed it.
fn put_back(
    table: &Tabletop,
    standing: &[Arc<Entry>],
    (kind, row): (KindId, u32),
    reason: String,
) -> Option<Ruling> {
    let schema = table.schema();
    let attributes = &schema.kind(kind).attributes;
    let (of, piece) = (schema.kind(kind).name.as_str(), table.piece_name(kind, row));
    // What the rules in force keep of the piece can be put back.
    let concerns = |change: &Change| {
        let spot = change.spot().filter(|s| s.kind == of && s.piece == piece)?;
        attributes.place(&spot.attribute)
    };
    let mut changed =
        standing.iter().rev().filter(|e| e.outcome.changes().any(|c| concerns(c).is_some()));
    let entry = changed.next()?.clone();
    let others = changed.count();
    // The piece as it was: the changes taken back from the last, each on what the later ones left.
    let mut before = table.clone();
    for change in entry.outcome.changes().rev().filter(|c| concerns(c).is_some()) {
        before.revert(change).ok()?;
    }
    let mut values: Vec<(usize, Given)> = Vec::new();
    let mut puts_back = Vec::new();
    for place in entry.outcome.changes().filter_map(concerns) {
        if values.iter().any(|v| v.0 == place) {
            continue;
        }
        let attribute = &attributes[place];
        let (value, now, then) = match attribute.storage {
            Storage::Cell(column) => {
                let value = |t: &Tabletop| t.to_value(attribute.ty, t.get(column, row));
                let given = match (attribute.ty, before.get(column, row)) {
                    (Type::Text, text) => Given::Text(before.text(text).to_owned()),
                    (_, value) => Given::Value(value),
                };
                (given, value(table), value(&before))
            }
            Storage::List(list) => {
                let words = |t: &Tabletop| Value::Text(joined(&t.list_values(list, row)));
                let members = before.list(list, row).to_vec();
                (Given::Members(members), words(table), words(&before))
            }
            Storage::Computed(_) => continue,
        };
        values.push((place, value));
        puts_back.push((table.spot(kind, row, place), now, then));
    }
    let action = Action::Set { kind, row, values };
    let takes_back = Some(entry);
    table.is_there(kind, row).then_some(Ruling { action, reason, takes_back, puts_back, others })
}

impl Session {
    /// Reads an overruling and says what it would take back; nothing is changed.
    pub fn ruling(&self, text: &str) -> Result<Ruling, LineMisfit> {
        read(&self.board, self.next, self.history.standing(), text)
    }

    /// Changes a result by the umpire's word. It is a command like any other, with its reason.
    pub fn overrule(&mut self, text: &str, at: u64) -> Result<Arc<Entry>, OverruleError> {
        let ruling = self.ruling(text)?;
        let inputs = Inputs::seeded(&self.keys.of(self.next), self.next);
        let outcome = self.referee().resolve(self.table(), &ruling.action, &inputs);
        let outcome = outcome.map_err(LineMisfit::Halt)?;
        let line = format!("{VERB} {}", text.trim());
        Ok(self.take_in(&line, Some(ruling.reason), outcome, at)?)
    }
}
