//! Viewers: the one filter for what each may see of the table and of what happens.
//!
//! A view for a side is the same view as the umpire's, of a table without what the side may not see and of the events
//! that it saw. So a view need not know of secrets, and a new view hides them automatically.

use std::collections::BTreeSet;
use std::fmt;

use super::event::{Binding, Event};
use super::outcome::Outcome;
use super::{Action, Referee};
use crate::language::compile::filters;
use crate::language::machine::World;
use crate::language::rule::RuleText;
use crate::language::schema::{AttributeStorage, KindId, Schema, Secrecy, Type};
use crate::tabletop::{Argument, Change, Spot, Tabletop, Value, WHOLE};

/// Who looks at a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Viewer {
    /// The umpire, who sees everything.
    #[default]
    Umpire,
    /// All players together: what every side sees.
    Players,
    /// One side.
    Side(String),
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Viewer::Umpire => "umpire",
            Viewer::Players => "players",
            Viewer::Side(side) => side,
        })
    }
}

/// The pieces that a viewer may not see, and of pieces that are seen the attributes, by their place in the kind.
#[derive(Clone, Debug, Default)]
pub struct Hidden(BTreeSet<(KindId, u32, usize)>);

impl Hidden {
    /// Returns true if an attribute of a piece is hidden.
    pub(crate) fn cell(&self, kind: KindId, row: u32, attribute: usize) -> bool {
        self.0.contains(&(kind, row, attribute))
    }

    fn piece(&self, (kind, row): (KindId, u32)) -> bool {
        self.cell(kind, row, WHOLE)
    }

    /// Returns true if a piece is seen, and the attribute of it, if one is meant.
    fn shows(&self, (kind, row): (KindId, u32), index: Option<usize>) -> bool {
        !self.piece((kind, row)) && !index.is_some_and(|index| self.cell(kind, row, index))
    }
}

/// A table as a viewer sees it.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The table: pieces that are hidden are not there, and attributes that are hidden are as at the beginning.
    pub table: Tabletop,
    /// The part that is hidden.
    pub hidden: Hidden,
}

/// The part of a command that a viewer saw.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The events and changes that were seen.
    pub outcome: Outcome,
    /// True if the line that was typed names nothing that is hidden.
    pub line: bool,
    /// The table after it.
    pub sight: Sight,
}

impl Seen {
    /// Returns true if there is nothing to show of it.
    pub fn is_nothing(&self) -> bool {
        let shown = |e: &Event| !e.is_silent() || matches!(e, Event::Changed { .. });
        !self.line && !self.outcome.events.iter().any(shown)
    }
}

impl Referee {
    /// Returns true if the rules hide anything from anybody.
    pub(crate) fn has_secrets(&self) -> bool {
        let schema = &self.ruleset.schema;
        let of_kinds = schema.kinds.iter().any(|kind| {
            (kind.secret.is_some() && !kind.is_built_in())
                || kind.attributes.iter().any(|a| a.secret.is_some())
        });
        of_kinds || schema.rules.iter().any(|rule| rule.secret)
    }

    /// Returns the table as a viewer sees it.
    pub(crate) fn sight(&self, table: &Tabletop, viewer: &Viewer) -> Sight {
        let mut table = table.clone();
        let hidden = self.hidden(&mut table, viewer);
        self.blank(&mut table, &hidden, viewer);
        Sight { table, hidden }
    }

    /// Returns what a viewer saw of a command, after which the table is this.
    pub fn seen(&self, after: &Tabletop, outcome: &Outcome, viewer: &Viewer) -> Seen {
        if *viewer == Viewer::Umpire {
            let sight = Sight { table: after.clone(), hidden: Hidden::default() };
            return Seen { outcome: outcome.clone(), line: true, sight };
        }
        let Some(mut watch) = Watch::new(self, viewer, after, outcome.changes()) else {
            // A table that does not fit the outcome tells nothing.
            let nothing = Outcome::default();
            let sight = self.sight(after, viewer);
            return Seen { outcome: nothing, line: false, sight };
        };
        let before = watch.hidden.clone();
        let mut filter = Filter::new(outcome, self.has_secrets());
        for (index, event) in outcome.events.iter().enumerate() {
            filter.take(index, event, &mut watch);
        }
        let line = filter.line && outcome.names.iter().all(|of| watch.shows(of, &before));
        let Watch { mut table, hidden, .. } = watch;
        self.blank(&mut table, &hidden, viewer);
        let events = filter.events;
        Seen {
            outcome: Outcome { events, ..Outcome::default() },
            line,
            sight: Sight { table, hidden },
        }
    }

    /// Returns what can be hidden of what an action names: pieces, and attributes of pieces.
    pub(super) fn named_by(&self, action: &Action, table: &Tabletop) -> Vec<Spot> {
        let schema = &self.ruleset.schema;
        let mut pieces = Vec::new();
        let mut indices = Vec::new();
        let given = |(kind, values): (KindId, &[(usize, Argument)])| -> Vec<(KindId, u32)> {
            let attributes = &schema.kind(kind).attributes;
            let known = values.iter().filter_map(|v| Some((attributes.get(v.0)?.ty, &v.1)));
            known.flat_map(|(ty, given)| pieces_given(table, ty, given)).collect()
        };
        match action {
            Action::Rule { rule, arguments, only } => {
                let rule = &schema.rules[rule.index()];
                for (param, argument) in rule.params.iter().zip(arguments) {
                    let named = argument.iter().flat_map(|g| pieces_given(table, param.ty, g));
                    pieces.extend(named);
                }
                pieces.extend(filters(schema, rule).into_iter().zip(only.iter().copied()));
            }
            Action::Set { kind, row, values } => {
                pieces.push((*kind, *row));
                pieces.extend(given((*kind, values)));
                let secret = |index: &usize| schema.kind(*kind).attributes[*index].secret.is_some();
                let secrets = values.iter().map(|(index, _)| *index).filter(secret);
                indices.extend(secrets.map(|index| (*kind, *row, index)));
            }
            Action::Add(piece) => pieces = given((piece.kind, &piece.values)),
            Action::Remove(kind, row) => pieces.push((*kind, *row)),
            Action::Next | Action::Roll { .. } | Action::Note(_) | Action::Order { .. } => {}
        }
        pieces.retain(|piece| schema.kind(piece.0).secret.is_some());
        let named = pieces.into_iter().map(|(kind, row)| (kind, row, WHOLE)).chain(indices);
        named.map(|(kind, row, index)| table.spot(kind, row, index)).collect()
    }

    /// Returns the table, which is this after the changes, as a viewer sees it, and the changes that the viewer sees,
    /// with pieces that come into or out of sight by them. `None` if they do not lead there.
    pub(crate) fn seen_changes<'c>(
        &self,
        after: &Tabletop,
        changes: impl DoubleEndedIterator<Item = &'c Change> + Clone,
        viewer: &Viewer,
    ) -> Option<(Sight, Vec<Change>)> {
        let mut watch = Watch::new(self, viewer, after, changes.clone())?;
        let seen = changes.flat_map(|change| watch.take(change)).collect();
        let Watch { mut table, last: hidden, .. } = watch;
        self.blank(&mut table, &hidden, viewer);
        Some((Sight { table, hidden }, seen))
    }

    /// Returns what a viewer may not see of a table.
    fn hidden(&self, table: &mut Tabletop, viewer: &Viewer) -> Hidden {
        let mut hidden = Hidden::default();
        if *viewer == Viewer::Umpire {
            return hidden;
        }
        let schema = self.ruleset.schema.clone();
        let looking = self.looking(table, viewer);
        for (id, kind) in schema.all_kinds() {
            let secrets = kind.attributes.iter().enumerate();
            let secrets = secrets.filter_map(|(index, a)| Some((index, a.secret?)));
            let secrets: Vec<(usize, Secrecy)> = secrets.collect();
            if kind.secret.is_none() && secrets.is_empty() {
                continue;
            }
            for row in table.present(id).collect::<Vec<_>>() {
                let mut is_seen = |s: &Secrecy| self.is_seen(*s, (id, row), table, &looking);
                if kind.secret.as_ref().is_some_and(|s| !is_seen(s)) {
                    hidden.0.insert((id, row, WHOLE));
                    continue;
                }
                let unseen = secrets.iter().filter(|(_, s)| !is_seen(s));
                hidden.0.extend(unseen.map(|(index, _)| (id, row, *index)));
            }
        }
        hidden
    }

    /// Returns the sides of a viewer, by name and value.
    fn looking(&self, table: &Tabletop, viewer: &Viewer) -> Vec<(String, i64)> {
        let sides = self.sides(table).into_iter();
        let sides = sides.filter(|side| match viewer {
            Viewer::Umpire | Viewer::Players => true,
            Viewer::Side(name) => name == side,
        });
        sides.map(|side| (side.clone(), self.side_value(table, &side))).collect()
    }

    /// Returns the value of a side by its name; that of no side if it is not declared.
    pub(crate) fn side_value(&self, table: &Tabletop, name: &str) -> i64 {
        let schema = &self.ruleset.schema;
        let found = match schema.sides {
            Some(Type::Word(set)) => schema.word_set(set).index_of(name),
            Some(Type::Piece(kind)) => {
                table.present(kind).find(|&row| table.name(kind, row) == name).map(i64::from)
            }
            _ => None,
        };
        found.unwrap_or(schema.no_side())
    }

    /// Returns true if all sides that look see something of a piece.
    fn is_seen(
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
            match secret.seen_by {
                Some(function) => {
                    self.compute(function, &[*side, row.into()], table).is_some_and(|v| v != 0)
                }
                None => self.side(table, kind, row).as_ref() == Some(name),
            }
        };
        !looking.is_empty() && looking.iter().all(sees)
    }

    /// Takes off a table what is hidden, and whatever points to it.
    fn blank(&self, table: &mut Tabletop, hidden: &Hidden, viewer: &Viewer) {
        if *viewer == Viewer::Umpire {
            return;
        }
        let schema = self.ruleset.schema.clone();
        for &(kind, row, index) in &hidden.0 {
            let Some(attribute) = schema.kind(kind).attributes.get(index) else {
                table.put(kind, row, false);
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
                let told = is_told_to(&schema, attribute.storage);
                let of = match attribute.ty.single() {
                    Type::Piece(of) => Some(of),
                    _ => None,
                };
                let hides = |to: u32| of.is_some_and(|of| hidden.piece((of, to)));
                let hides_any = of.is_some_and(|of| {
                    let mut pieces = hidden.0.range((of, 0, 0)..).take_while(|h| h.0 == of);
                    pieces.any(|h| h.2 == WHOLE)
                });
                if !told && !hides_any {
                    continue;
                }
                for row in table.present(id).collect::<Vec<_>>() {
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

    /// Returns true if all sides that look may see what a rule says, called with these values.
    fn hears(&self, rule: &RuleText, bound: &[Binding], watch: &mut Watch<'_>) -> bool {
        if !rule.secret {
            return true;
        }
        let Some(function) = rule.seen_by else { return false };
        let single = rule.params.iter().filter(|p| !matches!(p.ty, Type::List(_)));
        let mut value = |name: &str, ty| {
            let bound = bound.iter().find(|b| b.name == name)?;
            watch.table.value_from(ty, &bound.value).ok()
        };
        let Some(values) = single.map(|p| value(&p.name, p.ty)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let looking = self.looking(&watch.table, watch.viewer);
        let mut hears = |side: i64| {
            let arguments: Vec<i64> = std::iter::once(side).chain(values.iter().copied()).collect();
            self.compute(function, &arguments, &mut watch.table).is_some_and(|v| v != 0)
        };
        !looking.is_empty() && looking.iter().all(|(_, side)| hears(*side))
    }
}

/// Returns the pieces that a value of a type names.
fn pieces_given(table: &Tabletop, ty: Type, given: &Argument) -> Vec<(KindId, u32)> {
    match (given, ty.single()) {
        (Argument::Named(names), _) => names.iter().filter_map(|name| table.find(name)).collect(),
        (given, Type::Piece(of)) => given.rows().into_iter().map(|row| (of, row)).collect(),
        _ => Vec::new(),
    }
}

/// Returns true for a list of those to whom something was revealed, which is the umpire's alone.
fn is_told_to(schema: &Schema, storage: AttributeStorage) -> bool {
    let Some(list) = storage.list() else { return false };
    let kinds = schema.kinds.iter();
    let all = kinds
        .flat_map(|k| k.secret.iter().chain(k.attributes.iter().filter_map(|a| a.secret.as_ref())));
    all.filter_map(|secret| secret.revealed_to).any(|told| told == list)
}

/// A table on which changes are made one after the other, with what is hidden of it.
///
/// What is hidden both before and after all changes is hidden in between, and what is seen at both ends is seen: so what
/// is set out piecemeal, its side last, does not flare up. What is hidden at one end alone is asked after each change.
struct Watch<'a> {
    referee: &'a Referee,
    viewer: &'a Viewer,
    table: Tabletop,
    hidden: Hidden,
    /// The table after all changes.
    after: &'a Tabletop,
    /// The part of it that is hidden.
    last: Hidden,
    /// The parts that come into sight or go out of it.
    turning: Vec<(KindId, u32, usize)>,
}

impl<'a> Watch<'a> {
    /// Begins before changes after which the table is this; `None` if they do not lead there.
    fn new<'c>(
        referee: &'a Referee,
        viewer: &'a Viewer,
        after: &'a Tabletop,
        changes: impl DoubleEndedIterator<Item = &'c Change>,
    ) -> Option<Watch<'a>> {
        let mut table = after.clone();
        let last = referee.hidden(&mut table, viewer);
        for change in changes.rev() {
            table.revert(change).ok()?;
        }
        let hidden = referee.hidden(&mut table, viewer);
        // What is made or removed has one end alone.
        let stays = |&(kind, row, _): &_| table.is_there(kind, row) && after.is_there(kind, row);
        let turning = hidden.0.symmetric_difference(&last.0).copied().filter(stays);
        let turning = turning.collect();
        Some(Watch { referee, viewer, table, hidden, after, last, turning })
    }

    /// Brings what is hidden up to date, after a piece was set out or something else was changed.
    fn look(&mut self, made: Option<(KindId, u32)>) {
        if let Some((kind, row)) = made {
            let schema = &self.referee.ruleset.schema;
            // What does not stay to the end was never seen, unless everybody sees its kind.
            let passing = schema.kind(kind).secret.is_some() && !self.after.is_there(kind, row);
            if passing {
                self.hidden.0.insert((kind, row, WHOLE));
            }
            self.hidden.0.extend(self.last.0.range((kind, row, 0)..=(kind, row, WHOLE)));
        }
        if self.turning.is_empty() {
            return;
        }
        let now = self.referee.hidden(&mut self.table, self.viewer);
        for &part in &self.turning {
            if now.0.contains(&part) {
                self.hidden.0.insert(part)
            } else {
                self.hidden.0.remove(&part)
            };
        }
    }

    /// Makes a change. Returns the visible part of it, and what it brings into or out of sight.
    fn take(&mut self, change: &Change) -> Vec<Change> {
        if self.table.apply(change).is_err() {
            return Vec::new();
        }
        let changed =
            change.piece().and_then(|(kind, piece)| self.table.piece_named(kind, piece).ok());
        let made = changed.filter(|_| matches!(change, Change::Made { .. }));
        let before = self.hidden.clone();
        self.look(made);
        let mut seen: Vec<Change> = self.visible(change, changed, &before).into_iter().collect();
        for &(kind, row, index) in before.0.difference(&self.hidden.0) {
            match index {
                _ if !self.table.is_there(kind, row) => {}
                WHOLE => self.appears(kind, row, &mut seen),
                _ if self.hidden.piece((kind, row)) => {}
                index => seen.extend(self.stands(kind, row, index)),
            }
        }
        for &(kind, row, index) in self.hidden.0.difference(&before.0) {
            if index == WHOLE && made != Some((kind, row)) {
                let of = self.referee.ruleset.schema.kind(kind).name.clone();
                seen.push(Change::Removed { kind: of, piece: self.table.piece_name(kind, row) });
            }
        }
        seen
    }

    /// Adds that a piece comes into sight, with all that is seen of it.
    fn appears(&self, kind: KindId, row: u32, seen: &mut Vec<Change>) {
        let of = self.referee.ruleset.schema.kind(kind);
        seen.push(Change::Made { kind: of.name.clone(), piece: self.table.piece_name(kind, row) });
        let open = (0..of.attributes.len()).filter(|index| !self.hidden.cell(kind, row, *index));
        seen.extend(open.filter_map(|index| self.stands(kind, row, index)));
    }

    /// Returns an attribute that comes into sight as a change, if it is not as at the beginning.
    fn stands(&self, kind: KindId, row: u32, index: usize) -> Option<Change> {
        let schema = &self.referee.ruleset.schema;
        let attribute = &schema.kind(kind).attributes[index];
        if attribute.bookkeeping {
            return None;
        }
        let of = self.table.spot(kind, row, index);
        let change = match attribute.storage {
            AttributeStorage::Cell(column) => {
                let value = |bits| self.table.to_value(attribute.ty, bits);
                let old = value(attribute.start);
                let new = value(self.table.get(column, row));
                Change::Set { of, old, new: self.open(attribute.ty, new, &self.hidden) }
            }
            AttributeStorage::List(list) => {
                let new = self.table.list_values(list, row);
                Change::List {
                    of,
                    old: Vec::new(),
                    new: self.open_all(attribute.ty, new, &self.hidden),
                }
            }
            AttributeStorage::Computed(_) => return None,
        };
        (!is_idle(&change)).then_some(change)
    }

    /// Returns the part of a change that is visible both before and after it.
    fn visible(
        &self,
        change: &Change,
        changed: Option<(KindId, u32)>,
        before: &Hidden,
    ) -> Option<Change> {
        let piece = changed?;
        let schema = &self.referee.ruleset.schema;
        let attributes = &schema.kind(piece.0).attributes;
        let index = change.spot().and_then(|of| attributes.index_of(&of.attribute));
        let attribute = index.map(|index| &attributes[index]);
        let ty = attribute.map_or(Type::Unknown, |a| a.ty);
        if attribute.is_some_and(|a| is_told_to(schema, a.storage)) {
            return None;
        }
        let change = match change {
            Change::Deck { .. } => return None,
            Change::Made { .. } => return self.hidden.shows(piece, None).then(|| change.clone()),
            Change::Removed { .. } => return before.shows(piece, None).then(|| change.clone()),
            _ if !before.shows(piece, index) || !self.hidden.shows(piece, index) => return None,
            Change::Set { of, old, new } => Change::Set {
                of: of.clone(),
                old: self.open(ty, old.clone(), before),
                new: self.open(ty, new.clone(), &self.hidden),
            },
            Change::List { of, old, new } => Change::List {
                of: of.clone(),
                old: self.open_all(ty, old.clone(), before),
                new: self.open_all(ty, new.clone(), &self.hidden),
            },
        };
        (!is_idle(&change)).then_some(change)
    }

    /// Returns a value, or nothing in place of a piece that is hidden.
    fn open(&self, ty: Type, value: Value, hidden: &Hidden) -> Value {
        if self.names_hidden(ty, &value, hidden) { Value::Nothing } else { value }
    }

    fn open_all(&self, ty: Type, mut values: Vec<Value>, hidden: &Hidden) -> Vec<Value> {
        values.retain(|value| !self.names_hidden(ty.single(), value, hidden));
        values
    }

    /// Returns true if a value is the name of a piece that is hidden.
    fn names_hidden(&self, ty: Type, value: &Value, hidden: &Hidden) -> bool {
        let (Type::Piece(kind), Value::Text(name)) = (ty, value) else { return false };
        let kind = &self.referee.ruleset.schema.kind(kind).name;
        let at = self.table.piece_named(kind, name);
        at.is_ok_and(|at| hidden.piece(at))
    }

    /// Returns the pieces of secret kinds among the values of names of a rule's text.
    fn bearers(&self, bound: &[Binding]) -> Vec<Bearer> {
        let bearer = |binding: &Binding| {
            let (Some(kind), Value::Text(piece)) = (&binding.kind, &binding.value) else {
                return None;
            };
            let at = self.table.piece_named(kind, piece).ok()?;
            self.referee.ruleset.schema.kind(at.0).secret?;
            Some(Bearer { at, was_hidden: self.hidden.piece(at) })
        };
        bound.iter().filter_map(bearer).collect()
    }

    /// Returns true if a piece is hidden now, or was up to its end.
    fn hides(&self, bearer: &Bearer) -> bool {
        if self.table.is_there(bearer.at.0, bearer.at.1) {
            self.hidden.piece(bearer.at)
        } else {
            bearer.was_hidden
        }
    }

    /// Returns true if what a line names is seen: the piece, or one of its attributes.
    fn shows(&self, of: &Spot, before: &Hidden) -> bool {
        let Ok((kind, row)) = self.table.piece_named(&of.kind, &of.piece) else { return false };
        // What was taken off was seen before, or never.
        let hidden = if self.table.is_there(kind, row) { &self.hidden } else { before };
        let index = self.referee.ruleset.schema.kind(kind).attributes.index_of(&of.attribute);
        hidden.shows((kind, row), index)
    }
}

/// Returns true if a change leaves things as they were.
fn is_idle(change: &Change) -> bool {
    match change {
        Change::Set { old, new, .. } => old == new,
        Change::List { old, new, .. } => old == new,
        Change::Made { .. } | Change::Removed { .. } | Change::Deck { .. } => false,
    }
}

/// A piece that is the value of a name of a rule's text.
#[derive(Clone, Copy)]
struct Bearer {
    at: (KindId, u32),
    /// It was hidden when the name was given to it.
    was_hidden: bool,
}

/// A call under way.
#[derive(Default)]
struct FilteredCall {
    /// The rule may not be heard.
    secret: bool,
    /// Its beginning was seen.
    shown: bool,
    /// The pieces of secret kinds among its parameters.
    given: Vec<Bearer>,
    /// Those whose turn it is in its sweep.
    turn: Vec<Bearer>,
}

/// Takes the events that are seen.
struct Filter<'o> {
    outcome: &'o Outcome,
    /// Reasons on which the umpire insisted may give secrets away.
    has_secrets: bool,
    events: Vec<Event>,
    /// For each event of the outcome that was a check: its place among those taken.
    checks: Vec<(usize, usize)>,
    frames: Vec<FilteredCall>,
    /// The line that was typed may be seen.
    line: bool,
    /// No rule has been called yet.
    first: bool,
}

impl<'o> Filter<'o> {
    fn new(outcome: &'o Outcome, has_secrets: bool) -> Filter<'o> {
        let events = Vec::new();
        let checks = Vec::new();
        let frames = Vec::new();
        Filter { outcome, has_secrets, events, checks, frames, line: true, first: true }
    }

    /// Returns true if what happens now may be seen.
    fn is_open(&self, watch: &Watch<'_>) -> bool {
        self.frames.iter().all(|frame| {
            !frame.secret && !frame.given.iter().chain(&frame.turn).any(|b| watch.hides(b))
        })
    }

    /// Takes the visible part of an event.
    fn take(&mut self, index: usize, event: &Event, watch: &mut Watch<'_>) {
        let told = self.outcome.seen_by.get(&index).is_none_or(|sides| match watch.viewer {
            Viewer::Umpire => true,
            Viewer::Players => false,
            Viewer::Side(side) => sides.contains(side),
        });
        match event {
            Event::Changed { change, check } => {
                let seen = |at: &usize| self.checks.iter().find(|c| c.0 == *at).map(|c| c.1);
                let check = check.as_ref().and_then(seen);
                let changes = watch.take(change).into_iter();
                self.events.extend(changes.map(|shown| Event::Changed { change: shown, check }));
            }
            Event::Call { rule, bound } => {
                let referee = watch.referee;
                let text = referee.ruleset.schema.rules.named(rule);
                let secret = !text.is_some_and(|called| referee.hears(called, bound, watch));
                // The words typed are judged by the pieces they name, as these are seen afterwards.
                self.line &= !std::mem::take(&mut self.first) || !secret;
                let given = watch.bearers(bound);
                self.frames.push(FilteredCall { secret, given, ..FilteredCall::default() });
                let shown = self.is_open(watch);
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
                    frame.turn = watch.bearers(bound);
                }
                if self.is_open(watch) {
                    self.events.push(event.clone());
                }
            }
            Event::Phase { .. } => {
                self.frames.clear();
                self.events.push(event.clone());
            }
            Event::Ended { .. } => self.events.push(event.clone()),
            // These are for the umpire.
            Event::Reminded(_) => {}
            Event::Insisted(_) if self.has_secrets => {}
            Event::Check(_)
            | Event::Rolled { .. }
            | Event::Taken { .. }
            | Event::Shuffled { .. }
            | Event::Asked { .. }
            | Event::Said(_)
            | Event::Insisted(_) => {
                self.line &= told;
                if told && self.is_open(watch) {
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
