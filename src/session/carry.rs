//! From one ruleset to another, by name: a whole table, and what came of a command.

use super::names::{read_cell, read_members, restate_change, write_cell, write_members};
use crate::language::machine::World;
use crate::language::schema::{Kind, KindId, Role, Schema, Storage, Type};
use crate::referee::{Event, Outcome, Referee};
use crate::ruleset::Ruleset;
use crate::tabletop::{Cell, Change, Scenario, Tabletop};

/// So many pieces are named where a whole kind is concerned.
const NAMED: usize = 5;

/// A table under other rules: pieces, places and values by their names, new attributes as they begin. What stands
/// on the table and has no place under these rules is listed, for people.
pub(super) fn carry(old: &Tabletop, plan: &Scenario, rules: &Ruleset) -> (Tabletop, Vec<String>) {
    let mut carried = Carried {
        old,
        new: Tabletop::new(rules.schema.clone(), &rules.program.indexed),
        lost: Vec::new(),
    };
    if let Err(reason) = carried.new.set_out(plan) {
        carried.lost.push(reason.to_string());
    }
    let mut kinds: Vec<(KindId, KindId)> = Vec::new();
    for (index, kind) in old.schema().kinds.iter().enumerate() {
        let id = KindId::from_index(index);
        if kind.role == Role::List {
            continue;
        }
        match same_kind(kind, &rules.schema) {
            Some(now) => kinds.push((id, now)),
            None => carried.without_kind(id),
        }
    }
    // All pieces are there by name before anything points to them.
    for &(id, now) in &kinds {
        carried.pieces(id, now);
    }
    for &(id, now) in &kinds {
        for row in 0..old.rows(id).min(carried.new.rows(now)) {
            carried.values((id, row), now);
        }
    }
    carried.decks();
    for &(id, now) in &kinds {
        for row in old.present(id).filter(|_| old.schema().kind(id).role == Role::Pieces) {
            carried.new.revert(&Change::Removed { kind: now, row });
        }
    }
    (carried.new, carried.lost)
}

/// The kind of that name and use.
fn same_kind(kind: &Kind, schema: &Schema) -> Option<KindId> {
    let found = schema.kind_named(&kind.name)?;
    let now = schema.kind(found);
    (now.role == kind.role && now.plan == kind.plan).then_some(found)
}

struct Carried<'a> {
    old: &'a Tabletop,
    new: Tabletop,
    lost: Vec<String>,
}

impl Carried<'_> {
    fn without_kind(&mut self, id: KindId) {
        let names: Vec<String> =
            self.old.present(id).map(|row| format!("`{}`", self.old.name(id, row))).collect();
        if names.is_empty() {
            return;
        }
        let (count, kind) = (names.len(), &self.old.schema().kind(id).name);
        let mut named = names.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
        if count > NAMED {
            named.push_str(&format!(" and {} more", count - NAMED));
        }
        let stand = if count == 1 { "stands" } else { "stand" };
        self.lost.push(format!("the kind `{kind}` is gone, but {named} {stand} on the table"));
    }

    /// The rows of a kind. All are off the table at first, so that a name can come twice.
    fn pieces(&mut self, id: KindId, now: KindId) {
        if self.old.schema().kind(id).role != Role::Pieces {
            return;
        }
        for row in self.new.rows(now)..self.old.rows(id) {
            let name = self.old.name(id, row).to_owned();
            self.new.apply(&Change::Made { kind: now, row, name });
            self.new.apply(&Change::Removed { kind: now, row });
        }
        for row in 0..self.new.rows(now) {
            self.new.apply(&Change::Removed { kind: now, row });
        }
        if self.new.rows(now) != self.old.rows(id) {
            let kind = &self.old.schema().kind(id).name;
            self.lost.push(format!("a piece of the kind `{kind}` has a name the rules now use"));
        }
    }

    fn values(&mut self, (id, row): (KindId, u32), now: KindId) {
        let schema = self.new.schema().clone();
        let there = self.old.is_there(id, row);
        for attribute in &schema.kind(now).attributes {
            let Some(before) = self.old.schema().kind(id).attribute(&attribute.name) else {
                continue;
            };
            let read = match (before.storage, attribute.storage) {
                (Storage::Cell(old), Storage::Cell(column)) => {
                    let cell = self.old.cell(old, self.old.get(old, row));
                    let written = write_cell(self.old, old, &cell);
                    read_cell(&self.new, column, &written).and_then(|cell| {
                        match (&cell, attribute.ty) {
                            (Cell::Word(v), Type::Whole)
                                if *v < attribute.low || *v > attribute.high =>
                            {
                                let (low, high) = (attribute.low, attribute.high);
                                Err(format!("it is {v}, but goes from {low} to {high} now"))
                            }
                            _ => {
                                let value = self.new.value_of(&cell).unwrap_or(0);
                                self.new.set(column, row, value);
                                Ok(())
                            }
                        }
                    })
                }
                (Storage::List(old), Storage::List(list)) => {
                    let written = write_members(self.old, old, self.old.list(old, row));
                    read_members(&self.new, list, &written)
                        .map(|members| self.new.set_list(list, row, &members))
                }
                (Storage::Computed(_), _) | (_, Storage::Computed(_)) => Ok(()),
                _ => Err(format!("it is {} now", schema.type_name(attribute.ty))),
            };
            if let (Err(reason), true) = (read, there) {
                let name = self.old.name(id, row);
                self.lost.push(format!("`{name}.{}`: {reason}", attribute.name));
            }
        }
    }

    fn decks(&mut self) {
        let schema = self.new.schema().clone();
        for before in &self.old.schema().decks {
            let Some(deck) = schema.decks.iter().find(|d| d.name == before.name) else { continue };
            let written = write_members(self.old, before.list, self.old.list(before.list, 0));
            match read_members(&self.new, deck.list, &written) {
                Ok(members) => self.new.set_list(deck.list, 0, &members),
                Err(reason) => self.lost.push(format!("the deck `{}`: {reason}", deck.name)),
            }
        }
    }
}

/// What came of a command in terms of other rules; what they have no name for is left out.
pub(super) fn restated(
    outcome: &Outcome,
    (old, from): (&Referee, &Tabletop),
    (new, to): (&Referee, &Tabletop),
) -> Outcome {
    let (old, new) = (old.ruleset(), new.ruleset());
    let rule_now = |rule: crate::language::schema::RuleId| {
        let name = &old.schema.rules.get(rule.index())?.name;
        new.schema.rule_named(name)
    };
    let event = |event: &Event| match event {
        Event::Rule(rule, depth) => rule_now(*rule).map(|r| Event::Rule(r, *depth)),
        Event::Phase { turn, place, skipped } => {
            let name = &old.phases.get(*place)?.name;
            let place = new.phases.iter().position(|p| p.name == *name)?;
            Some(Event::Phase { turn: *turn, place, skipped: *skipped })
        }
        Event::Check(check) => {
            let mut check = check.clone();
            check.rule = check.rule.and_then(rule_now);
            Some(Event::Check(check))
        }
        Event::Changed(change) => restate_change(from, to, change).map(Event::Changed),
        other => Some(other.clone()),
    };
    Outcome { events: outcome.events.iter().filter_map(event).collect(), ..outcome.clone() }
}
