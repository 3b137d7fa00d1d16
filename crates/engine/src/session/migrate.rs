//! Transfers a table from one ruleset to another. Kinds, pieces, areas, attributes and words are
//! matched by name.

use crate::language::machine::World;
use crate::language::schema::{AttributeStorage, Kind, KindId, KindRole, Schema, Type};
use crate::ruleset::Ruleset;
use crate::tabletop::{ChangeError, Scenario, Tabletop};

/// The maximum number of pieces that the message about a missing kind names.
const MAX_NAMED_PIECES: usize = 5;

/// Returns the table under other rules, and a sentence for each kind, piece, value or deck that
/// does not fit these rules. Everything has the same names as before. New attributes have their
/// start values, and attributes and decks that the new rules lack are dropped.
pub(super) fn migrate(old: &Tabletop, plan: &Scenario, rules: &Ruleset) -> (Tabletop, Vec<String>) {
    let mut migration = Migration {
        old,
        new: Tabletop::new(rules.schema.clone(), &rules.program.indexed),
        lost: Vec::new(),
    };
    if let Err(reason) = migration.new.set_up(plan) {
        migration.lost.push(reason.to_string());
    }
    let mut kinds: Vec<(KindId, KindId)> = Vec::new();
    for (id, kind) in old.schema().all_kinds() {
        if kind.role == KindRole::List {
            continue;
        }
        match same_kind(kind, &rules.schema) {
            Some(now) => kinds.push((id, now)),
            None => migration.drop_kind(id),
        }
    }
    // Every piece is added before any value is set, because a value can point to a piece.
    for &(id, now) in &kinds {
        migration.migrate_pieces(id, now);
    }
    for &(id, now) in &kinds {
        for row in 0..old.row_count(id).min(migration.new.row_count(now)) {
            migration.migrate_values((id, row), now);
        }
    }
    migration.migrate_decks();
    for &(id, now) in &kinds {
        for row in old.present_pieces(id).filter(|_| old.schema().kind(id).role == KindRole::Pieces)
        {
            migration.new.set_present(now, row, true);
        }
    }
    (migration.new, migration.lost)
}

/// Returns the kind with the same name and role; `None` if there is none, or if the pieces of only
/// one of the two kinds are the areas of the plan.
fn same_kind(kind: &Kind, schema: &Schema) -> Option<KindId> {
    let found = schema.kind_named(&kind.name)?;
    let now = schema.kind(found);
    (now.role == kind.role && now.plan == kind.plan).then_some(found)
}

struct Migration<'a> {
    old: &'a Tabletop,
    new: Tabletop,
    lost: Vec<String>,
}

impl Migration<'_> {
    fn drop_kind(&mut self, id: KindId) {
        let names: Vec<String> = self
            .old
            .present_pieces(id)
            .map(|row| format!("`{}`", self.old.name(id, row)))
            .collect();
        if names.is_empty() {
            return;
        }
        let count = names.len();
        let kind = &self.old.schema().kind(id).name;
        let mut named = names.into_iter().take(MAX_NAMED_PIECES).collect::<Vec<_>>().join(", ");
        if count > MAX_NAMED_PIECES {
            named.push_str(&format!(" and {} more", count - MAX_NAMED_PIECES));
        }
        let stand = if count == 1 { "is" } else { "are" };
        self.lost
            .push(format!("the kind `{kind}` is gone, but {named} {stand} still on the table"));
    }

    /// Adds the pieces of a kind. Each piece is removed at once, because a removed piece and a
    /// present one may have the same name; `migrate` later sets which pieces are present.
    fn migrate_pieces(&mut self, id: KindId, now: KindId) {
        if self.old.schema().kind(id).role != KindRole::Pieces {
            return;
        }
        for row in self.new.row_count(now)..self.old.row_count(id) {
            // A refused name leaves one row too few, which is reported below.
            if let Ok(row) = self.new.add_piece(now, self.old.name(id, row)) {
                self.new.remove_piece(now, row);
            }
        }
        for row in 0..self.new.row_count(now) {
            self.new.remove_piece(now, row);
        }
        if self.new.row_count(now) != self.old.row_count(id) {
            let kind = &self.old.schema().kind(id).name;
            self.lost.push(format!(
                "a piece of the kind `{kind}` has a name that the rules now use for something else"
            ));
        }
    }

    fn migrate_values(&mut self, (id, row): (KindId, u32), now: KindId) {
        let schema = self.new.schema().clone();
        let there = self.old.is_on_table(id, row);
        for attribute in &schema.kind(now).attributes {
            let Some(before) = self.old.schema().kind(id).attribute(&attribute.name) else {
                continue;
            };
            let read = match (before.storage, attribute.storage) {
                (AttributeStorage::Cell(old), AttributeStorage::Cell(column)) => {
                    let shown = self.old.to_value(before.ty, self.old.get(old, row));
                    let read = self.new.intern_value(attribute.ty, &shown);
                    read.map_err(MigrationError::Change).and_then(|value| {
                        let low = attribute.low;
                        let high = attribute.high;
                        if attribute.ty == Type::Whole && !(low..=high).contains(&value) {
                            return Err(MigrationError::Range { value, low, high });
                        }
                        self.new.set(column, row, value);
                        Ok(())
                    })
                }
                (AttributeStorage::List(old), AttributeStorage::List(list)) => {
                    let members = self.old.list_values(old, row);
                    self.new.set_list_values(list, row, &members).map_err(MigrationError::Change)
                }
                (AttributeStorage::Computed(_), _) | (_, AttributeStorage::Computed(_)) => Ok(()),
                (AttributeStorage::Cell(_), AttributeStorage::List(_))
                | (AttributeStorage::List(_), AttributeStorage::Cell(_)) => {
                    Err(MigrationError::Form(schema.type_name(attribute.ty)))
                }
            };
            if let (Err(reason), true) = (read, there) {
                let name = self.old.name(id, row);
                self.lost.push(format!("`{name}.{}`: {reason}", attribute.name));
            }
        }
    }

    fn migrate_decks(&mut self) {
        let schema = self.new.schema().clone();
        for before in &self.old.schema().decks {
            let Some(deck) = schema.decks.named(&before.name) else { continue };
            let members = self.old.list_values(before.list, 0);
            if let Err(reason) = self.new.set_list_values(deck.list, 0, &members) {
                self.lost.push(format!("the deck `{}`: {reason}", deck.name));
            }
        }
    }
}

/// The reason why a value is not possible under other rules.
#[derive(Debug, thiserror::Error)]
enum MigrationError {
    #[error(transparent)]
    Change(ChangeError),
    #[error("it is {value}, but the range is now {low} to {high}")]
    Range { value: i64, low: i64, high: i64 },
    #[error("it must now be {0}")]
    Form(String),
}
