//! Secrets: the only code that decides which parts of the table and which events each viewer may
//! see.
//!
//! A view for a side is the same as the umpire's, but its table and events contain only the parts
//! that the side may see. A view therefore needs no code for secrets, and a new view hides them
//! automatically.

mod readers;

use std::collections::BTreeSet;

use super::Referee;
use super::event::{Audience, Binding, Event};
use super::outcome::Outcome;
use super::viewer::Viewer;
use crate::language::machine::World;
use crate::language::rule::RuleText;
use crate::language::schema::{
    AttributeStorage, FunctionId, KindId, Schema, Secrecy, SecretFor, Type,
};
use crate::tabletop::{AttributePath, Change, Tabletop, Value, WHOLE_PIECE};

/// The pieces and attributes that a viewer may not see. Attributes are given by their index in the
/// kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenCells(BTreeSet<(KindId, u32, usize)>);

impl HiddenCells {
    /// Returns true if an attribute of a piece is hidden.
    pub(crate) fn hides_cell(&self, kind: KindId, row: u32, attribute: usize) -> bool {
        self.0.contains(&(kind, row, attribute))
    }

    /// Returns each hidden piece, with the index `WHOLE_PIECE`, and each hidden attribute of a
    /// visible piece.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (KindId, u32, usize)> + '_ {
        self.0.iter().copied()
    }

    /// Returns the pieces and attributes that remain hidden after a piece was removed from the table.
    pub(crate) fn without_piece(mut self, kind: KindId, row: u32) -> HiddenCells {
        self.0.retain(|part| (part.0, part.1) != (kind, row));
        self
    }

    fn hides_piece(&self, (kind, row): (KindId, u32)) -> bool {
        self.hides_cell(kind, row, WHOLE_PIECE)
    }

    /// Returns true if a piece is visible and, if an index is given, its attribute with that index
    /// is visible too.
    fn shows_attribute(&self, (kind, row): (KindId, u32), index: Option<usize>) -> bool {
        !self.hides_piece((kind, row))
            && !index.is_some_and(|index| self.hides_cell(kind, row, index))
    }
}

/// A table as a viewer sees it.
#[derive(Clone, Debug)]
pub struct SeenTable {
    /// The table, without hidden pieces; hidden attributes have their initial values. Only the
    /// umpire's table has cards in its decks.
    pub table: Tabletop,
    /// The pieces and attributes that are hidden.
    pub hidden: HiddenCells,
}

/// The part of a command that a viewer saw.
#[derive(Clone, Debug)]
pub struct SeenOutcome {
    /// The events and changes that were seen.
    pub outcome: Outcome,
    /// True if the viewer may see the typed line.
    pub line: bool,
    /// The table after the command.
    pub sight: SeenTable,
}

impl SeenOutcome {
    /// Returns true if no part of the command is visible.
    pub fn is_nothing(&self) -> bool {
        let shown = |e: &Event| !e.is_silent() || matches!(e, Event::Changed { .. });
        !self.line && !self.outcome.events.iter().any(shown)
    }
}

impl Referee {
    /// Returns true if the rules hide anything from anyone, apart from written orders.
    pub(crate) fn has_secrets(&self) -> bool {
        let schema = &self.ruleset.schema;
        let of_kinds = schema.kinds.iter().any(|kind| {
            (kind.secret.is_some() && !kind.is_built_in())
                || kind.attributes.iter().any(|a| a.secret.is_some())
        });
        of_kinds
            || self.ruleset.program.says_to_some
            || schema.rules.iter().any(|rule| rule.secret_for.is_some())
    }

    /// Returns the table as a viewer sees it.
    pub(crate) fn seen_table(&self, table: &Tabletop, viewer: &Viewer) -> SeenTable {
        let mut table = table.clone();
        let hidden = self.with_budget().hidden_cells(&mut table, viewer);
        self.blank_hidden_cells(&mut table, &hidden, viewer);
        SeenTable { table, hidden }
    }

    /// Returns the table as a viewer sees it; `None` for the umpire, who sees it as it is.
    pub(crate) fn sight(&self, table: &Tabletop, viewer: &Viewer) -> Option<SeenTable> {
        (*viewer != Viewer::Umpire).then(|| self.seen_table(table, viewer))
    }

    /// Returns the pieces and attributes of a table that a viewer may not see.
    pub(crate) fn cells_hidden_from(&self, table: &Tabletop, viewer: &Viewer) -> HiddenCells {
        self.with_budget().hidden_cells(&mut table.clone(), viewer)
    }

    /// Returns the part of a command that a viewer saw. `after` is the table after the command.
    pub fn seen_outcome(
        &self,
        after: &Tabletop,
        outcome: &Outcome,
        viewer: &Viewer,
    ) -> SeenOutcome {
        if *viewer == Viewer::Umpire {
            let sight = SeenTable { table: after.clone(), hidden: HiddenCells::default() };
            return SeenOutcome { outcome: outcome.clone(), line: true, sight };
        }
        let referee = &self.with_budget();
        let watch = VisibilityTracker::new(referee, viewer, after, outcome.changes());
        let Some(mut watch) = watch else {
            // If the table does not fit the outcome, nothing of the outcome is shown.
            let nothing = Outcome::default();
            let sight = referee.seen_table(after, viewer);
            return SeenOutcome { outcome: nothing, line: false, sight };
        };
        let before = watch.hidden.clone();
        let mut filter = EventFilter::new(outcome, self.has_secrets());
        for (index, event) in outcome.events.iter().enumerate() {
            filter.filter_event(index, event, &mut watch);
        }
        let line = filter.line && outcome.names.iter().all(|of| watch.is_path_visible(of, &before));
        let VisibilityTracker { mut table, hidden, .. } = watch;
        self.blank_hidden_cells(&mut table, &hidden, viewer);
        let events = filter.events;
        SeenOutcome {
            // Everybody sees whether the dice are real, and the words of an outcome depend on it.
            outcome: Outcome { events, physical: outcome.physical, ..Outcome::default() },
            line,
            sight: SeenTable { table, hidden },
        }
    }

    /// Returns the table after these changes as a viewer sees it, and the changes that the viewer
    /// sees, including pieces that appear or disappear because of them. Returns `None` if the
    /// changes do not lead to this table.
    pub(crate) fn seen_changes<'c>(
        &self,
        after: &Tabletop,
        changes: impl DoubleEndedIterator<Item = &'c Change> + Clone,
        viewer: &Viewer,
    ) -> Option<(SeenTable, Vec<Change>)> {
        let referee = &self.with_budget();
        let mut watch = VisibilityTracker::new(referee, viewer, after, changes.clone())?;
        let seen = changes.flat_map(|change| watch.apply_change(change)).collect();
        let VisibilityTracker { mut table, last: hidden, .. } = watch;
        self.blank_hidden_cells(&mut table, &hidden, viewer);
        Some((SeenTable { table, hidden }, seen))
    }

    /// Returns the pieces and attributes of a table that a viewer may not see.
    fn hidden_cells(&self, table: &mut Tabletop, viewer: &Viewer) -> HiddenCells {
        let mut hidden = HiddenCells::default();
        if *viewer == Viewer::Umpire {
            return hidden;
        }
        let schema = self.ruleset.schema.clone();
        let looking = self.viewing_sides(table, viewer);
        for (id, kind) in schema.all_kinds() {
            let secrets = kind.attributes.iter().enumerate();
            let secrets = secrets.filter_map(|(index, a)| Some((index, a.secret?)));
            let secrets: Vec<(usize, Secrecy)> = secrets.collect();
            if kind.secret.is_none() && secrets.is_empty() {
                continue;
            }
            for row in table.present_pieces(id).collect::<Vec<_>>() {
                let mut is_seen = |s: &Secrecy| match s.secret_for {
                    SecretFor::OwnPlayer => self.is_seen_by_player(*s, (id, row), table, viewer),
                    _ => self.is_seen_by_all(*s, (id, row), table, &looking),
                };
                if kind.secret.as_ref().is_some_and(|s| !is_seen(s)) {
                    hidden.0.insert((id, row, WHOLE_PIECE));
                    continue;
                }
                let unseen = secrets.iter().filter(|(_, s)| !is_seen(s));
                hidden.0.extend(unseen.map(|(index, _)| (id, row, *index)));
            }
        }
        hidden
    }

    /// Returns the name and value of the viewer's side, or of every side if the viewer has none.
    fn viewing_sides(&self, table: &Tabletop, viewer: &Viewer) -> Vec<(String, i64)> {
        let sides = self.sides(table).into_iter();
        let sides = sides.filter(|side| viewer.side().is_none_or(|name| name == side));
        sides.map(|side| (side.clone(), self.side_value(table, &side))).collect()
    }

    /// Returns the value of a side by its name; for an unknown side, the value for no side.
    pub(crate) fn side_value(&self, table: &Tabletop, name: &str) -> i64 {
        let schema = &self.ruleset.schema;
        let found = match schema.sides {
            Some(Type::Word(set)) => schema.word_set(set).index_of(name),
            Some(Type::Piece(kind)) => {
                table.present_pieces(kind).find(|&row| table.name(kind, row) == name).map(i64::from)
            }
            _ => None,
        };
        found.unwrap_or(schema.no_side())
    }

    /// Returns true if a viewer sees a piece, or an attribute of it, that only its own player may
    /// see until it is revealed.
    fn is_seen_by_player(
        &self,
        secret: Secrecy,
        (kind, row): (KindId, u32),
        table: &Tabletop,
        viewer: &Viewer,
    ) -> bool {
        let told = |list| {
            let side = viewer.side().map(|side| self.side_value(table, side));
            table.list(list, row).iter().any(|&to| Some(i64::from(to)) == side)
        };
        table.get(secret.revealed, row) != 0
            || secret.revealed_to.is_some_and(told)
            || self.player_of_piece(table, kind, row).is_some_and(|name| viewer.is_player(&name))
    }

    /// Returns true if a piece, or an attribute of it, is revealed to all, or is seen by all these
    /// sides, of which there must be at least one.
    fn is_seen_by_all(
        &self,
        secret: Secrecy,
        (kind, row): (KindId, u32),
        table: &mut Tabletop,
        looking: &[(String, i64)],
    ) -> bool {
        if table.get(secret.revealed, row) != 0 {
            return true;
        }
        let sees = |(name, side): &(String, i64)| {
            let told = |list| table.list(list, row).iter().any(|&to| i64::from(to) == *side);
            if secret.revealed_to.is_some_and(told) {
                return true;
            }
            match secret.secret_for {
                SecretFor::Umpire | SecretFor::OwnPlayer => false,
                SecretFor::OwnSide => self.side_of_piece(table, kind, row).as_ref() == Some(name),
                SecretFor::Condition(function) => self
                    .compute_value(function, &[*side, row.into()], table)
                    .is_some_and(|v| v != 0),
            }
        };
        !looking.is_empty() && looking.iter().all(sees)
    }

    /// Removes all hidden values and pieces from a table, and all references to them. Also empties
    /// the decks, and the lists of sides to which something was revealed.
    fn blank_hidden_cells(&self, table: &mut Tabletop, hidden: &HiddenCells, viewer: &Viewer) {
        if *viewer == Viewer::Umpire {
            return;
        }
        let schema = self.ruleset.schema.clone();
        for &(kind, row, index) in &hidden.0 {
            let Some(attribute) = schema.kind(kind).attributes.get(index) else {
                table.set_present(kind, row, false);
                continue;
            };
            match attribute.storage {
                AttributeStorage::Cell(column) => table.set(column, row, attribute.start),
                AttributeStorage::List(list) => table.set_list(list, row, &[]),
                AttributeStorage::Computed(_) => {}
            }
        }
        for deck in &schema.decks {
            table.set_list(deck.list, 0, &[]);
        }
        for (id, kind) in schema.all_kinds() {
            for attribute in &kind.attributes {
                let told = is_audience_list(&schema, attribute.storage);
                let of = match attribute.ty.member_or_self() {
                    Type::Piece(of) => Some(of),
                    _ => None,
                };
                let hides = |to: u32| of.is_some_and(|of| hidden.hides_piece((of, to)));
                let hides_any = of.is_some_and(|of| {
                    let mut pieces = hidden.0.range((of, 0, 0)..).take_while(|h| h.0 == of);
                    pieces.any(|h| h.2 == WHOLE_PIECE)
                });
                if !told && !hides_any {
                    continue;
                }
                for row in table.present_pieces(id).collect::<Vec<_>>() {
                    match attribute.storage {
                        AttributeStorage::Cell(column) => {
                            let to = u32::try_from(table.get(column, row));
                            if to.is_ok_and(hides) {
                                table.set(column, row, -1);
                            }
                        }
                        AttributeStorage::List(list) => {
                            let mut members = table.list(list, row).to_vec();
                            members.retain(|&to| !told && !hides(to));
                            table.set_list(list, row, &members);
                        }
                        AttributeStorage::Computed(_) => {}
                    }
                }
            }
        }
    }

    /// Returns true if the viewer may see the output of a rule whose names have these values.
    /// Returns `None` if this depends on names of the rule's sweep that have no value yet.
    fn may_hear(
        &self,
        rule: &RuleText,
        bound: &[Binding],
        watch: &mut VisibilityTracker<'_>,
    ) -> Option<bool> {
        let Some(secret_for) = rule.secret_for else { return Some(true) };
        let looking = self.viewing_sides(&watch.table, watch.viewer);
        if looking.is_empty() && secret_for != SecretFor::OwnPlayer {
            return Some(false);
        }
        match secret_for {
            SecretFor::Umpire => Some(false),
            SecretFor::OwnSide => {
                let owner = bound.iter().find_map(|binding| {
                    let (kind, row) = watch.bound_piece(binding)?;
                    self.side_of_piece(&watch.table, kind, row)
                });
                if owner.is_none() && !rule.each.is_empty() {
                    return None;
                }
                Some(looking.iter().all(|(name, _)| owner.as_ref() == Some(name)))
            }
            SecretFor::OwnPlayer => {
                let owner = bound.iter().find_map(|binding| {
                    let (kind, row) = watch.bound_piece(binding)?;
                    self.player_of_piece(&watch.table, kind, row)
                });
                if owner.is_none() && !rule.each.is_empty() {
                    return None;
                }
                Some(owner.is_some_and(|name| watch.viewer.is_player(&name)))
            }
            SecretFor::Condition(function) => {
                let values = self.condition_values(rule, function, bound, watch)?;
                let sees = |(_, side): &(String, i64)| {
                    let arguments: Vec<i64> =
                        std::iter::once(*side).chain(values.iter().copied()).collect();
                    let value = watch.referee.compute_value(function, &arguments, &mut watch.table);
                    value.is_some_and(|v| v != 0)
                };
                Some(looking.iter().all(sees))
            }
        }
    }

    /// Returns the values of the parameters of a rule's `seen_by`, except the viewing side; `None`
    /// if one is missing.
    fn condition_values(
        &self,
        rule: &RuleText,
        function: FunctionId,
        bound: &[Binding],
        watch: &mut VisibilityTracker<'_>,
    ) -> Option<Vec<i64>> {
        let mut value = |name: &str, ty| {
            let bound = bound.iter().find(|b| b.name == name)?;
            watch.table.intern_value(ty, &bound.value).ok()
        };
        let single = rule.params.iter().filter(|p| !matches!(p.ty, Type::List(_)));
        let mut values = single.map(|p| value(&p.name, p.ty)).collect::<Option<Vec<i64>>>()?;
        if let Some(names) = self.ruleset.program.sweep_names.get(&function) {
            values.resize(values.len() + rule.each.len(), 0);
            for name in names {
                // The first parameter is the viewing side.
                let index = usize::from(name.reg).checked_sub(1)?;
                *values.get_mut(index)? = value(&name.name, name.ty)?;
            }
        }
        Some(values)
    }
}

/// Returns true for the list of sides to which something was revealed; only the umpire sees that
/// list.
fn is_audience_list(schema: &Schema, storage: AttributeStorage) -> bool {
    let Some(list) = storage.list() else { return false };
    let kinds = schema.kinds.iter();
    let all = kinds
        .flat_map(|k| k.secret.iter().chain(k.attributes.iter().filter_map(|a| a.secret.as_ref())));
    all.filter_map(|secret| secret.revealed_to).any(|told| told == list)
}

/// A table on which changes are made one by one, with its hidden part.
///
/// Anything hidden both before and after all changes is hidden in between, and anything visible at
/// both ends is visible in between. So a piece that is added in several steps isn't briefly
/// visible if the last step sets its side. Anything hidden at only one end is tested after each
/// change.
struct VisibilityTracker<'a> {
    referee: &'a Referee,
    viewer: &'a Viewer,
    table: Tabletop,
    hidden: HiddenCells,
    /// The table after all changes.
    after: &'a Tabletop,
    /// The hidden part of that table.
    last: HiddenCells,
    /// The parts that appear or disappear.
    turning: Vec<(KindId, u32, usize)>,
}

impl<'a> VisibilityTracker<'a> {
    /// Returns a tracker that begins with the table before these changes; `None` if the changes do
    /// not lead to the table `after`.
    fn new<'c>(
        referee: &'a Referee,
        viewer: &'a Viewer,
        after: &'a Tabletop,
        changes: impl DoubleEndedIterator<Item = &'c Change>,
    ) -> Option<VisibilityTracker<'a>> {
        let mut table = after.clone();
        let last = referee.hidden_cells(&mut table, viewer);
        for change in changes.rev() {
            table.revert(change).ok()?;
        }
        let hidden = referee.hidden_cells(&mut table, viewer);
        let is_there = |&(kind, row, _): &_| table.is_on_table(kind, row);
        let stays = |&(kind, row, _): &_| after.is_on_table(kind, row);
        let turning = hidden.0.symmetric_difference(&last.0);
        let turning = turning.filter(|part| is_there(part) && stays(part));
        // A piece that is removed may have been revealed before.
        let removed = hidden.0.iter().filter(|part| is_there(part) && !stays(part));
        let turning = turning.chain(removed).copied().collect();
        Some(VisibilityTracker { referee, viewer, table, hidden, after, last, turning })
    }

    /// Updates the hidden cells after a change; `made` is the piece that the change added, if it
    /// added one.
    fn update_hidden(&mut self, made: Option<(KindId, u32)>) {
        if let Some((kind, row)) = made {
            let schema = &self.referee.ruleset.schema;
            // A piece that does not stay to the end was never seen, unless everybody sees its kind.
            let passing = schema.kind(kind).secret.is_some() && !self.after.is_on_table(kind, row);
            self.hidden.0.retain(|part| (part.0, part.1) != (kind, row));
            if passing {
                self.hidden.0.insert((kind, row, WHOLE_PIECE));
            }
            self.hidden.0.extend(self.last.0.range((kind, row, 0)..=(kind, row, WHOLE_PIECE)));
        }
        if self.turning.is_empty() {
            return;
        }
        let now = self.referee.hidden_cells(&mut self.table, self.viewer);
        for &part in &self.turning {
            // A removed piece stays as visible as it last was.
            if !self.table.is_on_table(part.0, part.1) {
                continue;
            }
            if now.0.contains(&part) {
                self.hidden.0.insert(part)
            } else {
                self.hidden.0.remove(&part)
            };
        }
    }

    /// Applies a change. Returns the visible part of the change, and everything that appears or
    /// disappears because of it.
    fn apply_change(&mut self, change: &Change) -> Vec<Change> {
        if self.table.apply(change).is_err() {
            return Vec::new();
        }
        let changed =
            change.piece().and_then(|(kind, piece)| self.table.piece_named(kind, piece).ok());
        let made = changed.filter(|_| matches!(change, Change::Made { .. }));
        let before = self.hidden.clone();
        self.update_hidden(made);
        let mut seen: Vec<Change> =
            self.visible_change(change, changed, &before).into_iter().collect();
        for &(kind, row, index) in before.0.difference(&self.hidden.0) {
            match index {
                _ if !self.table.is_on_table(kind, row) => {}
                WHOLE_PIECE => self.add_appearance(kind, row, &mut seen),
                _ if self.hidden.hides_piece((kind, row)) => {}
                index => seen.extend(self.attribute_appearance(kind, row, index)),
            }
        }
        for &(kind, row, index) in self.hidden.0.difference(&before.0) {
            if index == WHOLE_PIECE && made != Some((kind, row)) {
                let of = self.referee.ruleset.schema.kind(kind).name.clone();
                seen.push(Change::Removed { kind: of, piece: self.table.piece_name(kind, row) });
            }
        }
        seen
    }

    /// Adds the changes that make a piece visible, with all its visible attributes.
    fn add_appearance(&self, kind: KindId, row: u32, seen: &mut Vec<Change>) {
        let of = self.referee.ruleset.schema.kind(kind);
        seen.push(Change::Made { kind: of.name.clone(), piece: self.table.piece_name(kind, row) });
        let open =
            (0..of.attributes.len()).filter(|index| !self.hidden.hides_cell(kind, row, *index));
        seen.extend(open.filter_map(|index| self.attribute_appearance(kind, row, index)));
    }

    /// Returns the change that makes an attribute visible, if its value differs from the initial
    /// value; `None` for bookkeeping and computed attributes.
    fn attribute_appearance(&self, kind: KindId, row: u32, index: usize) -> Option<Change> {
        let schema = &self.referee.ruleset.schema;
        let attribute = &schema.kind(kind).attributes[index];
        if attribute.bookkeeping {
            return None;
        }
        let of = self.table.attribute_path(kind, row, index);
        let change = match attribute.storage {
            AttributeStorage::Cell(column) => {
                let value = |bits| self.table.to_value(attribute.ty, bits);
                let old = value(attribute.start);
                let new = value(self.table.get(column, row));
                Change::Set { of, old, new: self.visible_value(attribute.ty, new, &self.hidden) }
            }
            AttributeStorage::List(list) => {
                let new = self.table.list_values(list, row);
                Change::List {
                    of,
                    old: Vec::new(),
                    new: self.visible_values(attribute.ty, new, &self.hidden),
                }
            }
            AttributeStorage::Computed(_) => return None,
        };
        (!changes_nothing(&change)).then_some(change)
    }

    /// Returns the visible part of a change. A changed value must be visible both before and after
    /// the change.
    fn visible_change(
        &self,
        change: &Change,
        changed: Option<(KindId, u32)>,
        before: &HiddenCells,
    ) -> Option<Change> {
        let piece = changed?;
        let schema = &self.referee.ruleset.schema;
        let attributes = &schema.kind(piece.0).attributes;
        let index = change.attribute_path().and_then(|of| attributes.index_of(&of.attribute));
        let attribute = index.map(|index| &attributes[index]);
        let ty = attribute.map_or(Type::Unknown, |a| a.ty);
        if attribute.is_some_and(|a| is_audience_list(schema, a.storage)) {
            return None;
        }
        let change = match change {
            Change::Deck { .. } => return None,
            Change::Made { .. } => {
                return self.hidden.shows_attribute(piece, None).then(|| change.clone());
            }
            Change::Removed { .. } => {
                return before.shows_attribute(piece, None).then(|| change.clone());
            }
            _ if !before.shows_attribute(piece, index)
                || !self.hidden.shows_attribute(piece, index) =>
            {
                return None;
            }
            Change::Set { of, old, new } => Change::Set {
                of: of.clone(),
                old: self.visible_value(ty, old.clone(), before),
                new: self.visible_value(ty, new.clone(), &self.hidden),
            },
            Change::List { of, old, new } => Change::List {
                of: of.clone(),
                old: self.visible_values(ty, old.clone(), before),
                new: self.visible_values(ty, new.clone(), &self.hidden),
            },
        };
        (!changes_nothing(&change)).then_some(change)
    }

    /// Returns true if a line for this audience reaches the viewer. It reaches all players together
    /// if it reaches every side.
    fn hears(&self, to: &Audience) -> bool {
        match to {
            _ if *self.viewer == Viewer::Umpire => true,
            Audience::All => true,
            Audience::Umpire => false,
            Audience::Sides(sides) => match self.viewer.side() {
                Some(viewing) => sides.iter().any(|side| side == viewing),
                None => {
                    let all = self.referee.sides(&self.table);
                    !all.is_empty() && all.iter().all(|side| sides.contains(side))
                }
            },
        }
    }

    /// Returns a value, or `Nothing` if it is a hidden piece.
    fn visible_value(&self, ty: Type, value: Value, hidden: &HiddenCells) -> Value {
        if self.names_hidden_piece(ty, &value, hidden) { Value::Nothing } else { value }
    }

    fn visible_values(&self, ty: Type, mut values: Vec<Value>, hidden: &HiddenCells) -> Vec<Value> {
        values.retain(|value| !self.names_hidden_piece(ty.member_or_self(), value, hidden));
        values
    }

    /// Returns true if a value is the name of a hidden piece.
    fn names_hidden_piece(&self, ty: Type, value: &Value, hidden: &HiddenCells) -> bool {
        let (Type::Piece(kind), Value::Text(name)) = (ty, value) else { return false };
        let kind = &self.referee.ruleset.schema.kind(kind).name;
        let at = self.table.piece_named(kind, name);
        at.is_ok_and(|at| hidden.hides_piece(at))
    }

    /// Returns the piece or row that is the value of a name, if the value is one.
    fn bound_piece(&self, binding: &Binding) -> Option<(KindId, u32)> {
        let (Some(kind), Value::Text(piece)) = (&binding.kind, &binding.value) else {
            return None;
        };
        self.table.piece_named(kind, piece).ok()
    }

    /// Returns the pieces of secret kinds among these values.
    fn secret_pieces_bound(&self, bound: &[Binding]) -> Vec<(KindId, u32)> {
        let pieces = bound.iter().filter_map(|binding| self.bound_piece(binding));
        pieces.filter(|at| self.referee.ruleset.schema.kind(at.0).secret.is_some()).collect()
    }

    /// Returns true if a viewer sees the piece, or the attribute, that a line names.
    fn is_path_visible(&self, of: &AttributePath, before: &HiddenCells) -> bool {
        let Ok((kind, row)) = self.table.piece_named(&of.kind, &of.piece) else { return false };
        // A piece that was taken off was either seen before or never.
        let hidden = if self.table.is_on_table(kind, row) { &self.hidden } else { before };
        let index = self.referee.ruleset.schema.kind(kind).attributes.index_of(&of.attribute);
        hidden.shows_attribute((kind, row), index)
    }
}

/// Returns true if a change replaces a value with the same value.
fn changes_nothing(change: &Change) -> bool {
    match change {
        Change::Set { old, new, .. } => old == new,
        Change::List { old, new, .. } => old == new,
        Change::Made { .. } | Change::Removed { .. } | Change::Deck { .. } => false,
    }
}

/// A running call.
#[derive(Default)]
struct FilteredCall {
    /// True if the viewer may not see the rule.
    secret: bool,
    /// The rule and its parameters, if the viewer may see only some turns of its sweep.
    sighted_by_turn: Option<(String, Vec<Binding>)>,
    /// True if the viewer saw the beginning of the call.
    shown: bool,
    /// The pieces of secret kinds among the call's parameters.
    given: Vec<(KindId, u32)>,
    /// The pieces of secret kinds in the current turn of the call's sweep.
    turn: Vec<(KindId, u32)>,
}

impl FilteredCall {
    /// Decides whether the viewer sees the current turn of the sweep, if this depends on its names.
    fn judge_turn(&mut self, bound: &[Binding], watch: &mut VisibilityTracker<'_>) {
        let Some((rule, params)) = &self.sighted_by_turn else { return };
        let referee = watch.referee;
        let names: Vec<Binding> = params.iter().chain(bound).cloned().collect();
        let rule = referee.ruleset.schema.rules.named(rule);
        let hears = rule.and_then(|rule| referee.may_hear(rule, &names, watch));
        self.secret = hears != Some(true);
    }

    /// Returns the event that begins the call, if the viewer sees it and has not seen it yet.
    fn begin(&mut self) -> Option<Event> {
        let (rule, bound) = self.sighted_by_turn.as_ref().filter(|_| !self.shown)?;
        self.shown = true;
        Some(Event::Call { rule: rule.clone(), bound: bound.clone() })
    }
}

/// A filter that copies the events that a viewer saw from an outcome.
struct EventFilter<'o> {
    outcome: &'o Outcome,
    /// True if the game has secrets. The reasons for refusals that the umpire overrode are then
    /// left out, because they could reveal secrets.
    has_secrets: bool,
    events: Vec<Event>,
    /// For each copied check, its index in the outcome and its index in the copy.
    checks: Vec<(usize, usize)>,
    frames: Vec<FilteredCall>,
    /// True if the typed line may be seen.
    line: bool,
    /// True if the typed line calls a rule, and none has been called yet.
    first: bool,
}

impl<'o> EventFilter<'o> {
    fn new(outcome: &'o Outcome, has_secrets: bool) -> EventFilter<'o> {
        let events = Vec::new();
        let checks = Vec::new();
        let frames = Vec::new();
        // A line that leads to a phase is taken for `next`, which names no rule.
        let first = !outcome.events.iter().any(|event| matches!(event, Event::Phase { .. }));
        EventFilter { outcome, has_secrets, events, checks, frames, line: true, first }
    }

    /// Returns true if the viewer may see the current events.
    fn may_show_events(&self, watch: &VisibilityTracker<'_>) -> bool {
        self.frames.iter().all(|frame| {
            !frame.secret
                && !frame
                    .given
                    .iter()
                    .chain(&frame.turn)
                    .any(|&piece| watch.hidden.hides_piece(piece))
        })
    }

    /// Copies the visible part of an event.
    fn filter_event(&mut self, index: usize, event: &Event, watch: &mut VisibilityTracker<'_>) {
        let told = self.outcome.seen_by.get(&index).is_none_or(|sides| {
            let viewing = watch.viewer.side();
            *watch.viewer == Viewer::Umpire
                || viewing.is_some_and(|viewing| sides.iter().any(|side| side == viewing))
        });
        match event {
            Event::Changed { change, check } => {
                let seen = |at: &usize| self.checks.iter().find(|c| c.0 == *at).map(|c| c.1);
                let check = check.as_ref().and_then(seen);
                let changes = watch.apply_change(change).into_iter();
                self.events.extend(changes.map(|shown| Event::Changed { change: shown, check }));
            }
            Event::Call { rule, bound } => {
                let referee = watch.referee;
                let text = referee.ruleset.schema.rules.named(rule);
                let hears =
                    text.map_or(Some(false), |called| referee.may_hear(called, bound, watch));
                let secret = hears != Some(true);
                let sighted_by_turn = hears.is_none().then(|| (rule.clone(), bound.clone()));
                // The pieces that the typed line names are checked later, as the viewer sees them
                // after the command.
                self.line &= !std::mem::take(&mut self.first) || !secret;
                let given = watch.secret_pieces_bound(bound);
                self.frames.push(FilteredCall {
                    secret,
                    sighted_by_turn,
                    given,
                    ..FilteredCall::default()
                });
                let shown = self.may_show_events(watch);
                if let Some(frame) = self.frames.last_mut().filter(|_| shown) {
                    frame.shown = true;
                    self.events.push(event.clone());
                }
            }
            Event::End => {
                if self.frames.pop().is_some_and(|frame| frame.shown) {
                    self.events.push(Event::End);
                }
            }
            Event::Bound(bound) => {
                if self.frames.is_empty() {
                    self.frames.push(FilteredCall::default());
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.turn = watch.secret_pieces_bound(bound);
                    frame.judge_turn(bound, watch);
                }
                if self.may_show_events(watch) {
                    self.events.extend(self.frames.last_mut().and_then(FilteredCall::begin));
                    self.events.push(event.clone());
                }
            }
            Event::Phase { .. } => {
                self.frames.clear();
                self.events.push(event.clone());
            }
            Event::Ended { .. } => self.events.push(event.clone()),
            Event::SaidTo { to, .. } => {
                if watch.hears(to) {
                    self.events.push(event.clone());
                }
            }
            // Only the umpire sees these.
            Event::Reminded(_) => {}
            Event::Insisted(_) if self.has_secrets => {}
            Event::Check(_)
            | Event::Rolled { .. }
            | Event::Taken { .. }
            | Event::Shuffled { .. }
            | Event::Asked { .. }
            | Event::Said(_)
            | Event::Instructed(_)
            | Event::Insisted(_) => {
                self.line &= told;
                if told && self.may_show_events(watch) {
                    if matches!(event, Event::Check(_)) {
                        self.checks.push((index, self.events.len()));
                    }
                    self.events.push(event.clone());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
