//! Pairs of tables that differ only in something that a viewer may not know. A line is played on
//! both with the same dice. Everything that the viewer then notices must be the same, or the viewer
//! could tell the tables apart. The lint `leak` makes the same assumptions.

use std::collections::BTreeSet;

use adjutant_dice::{ConstantSource, SeededSource};

use crate::check::random::{random_below, random_between};
use crate::check::text::{UNBROKEN_WIDTH, unbroken_text};
use crate::language::machine::{Halt, World};
use crate::language::schema::{AttributeStorage, Element, KindId, Schema, Secrecy, Type};
use crate::referee::{
    Action, Audience, Dice, Event, HiddenCells, Inputs, Outcome, Referee, SeenOutcome, Viewer,
};
use crate::render::view::View;
use crate::tabletop::{AttributePath, Change, Tabletop, Value, WHOLE_PIECE, join_values};

/// The highest faces that the dice of a pair may show: 12 for the smaller dice, or 100 for the
/// largest usual die. One of these limits is picked at random, and then a face up to it.
const FACES: [usize; 2] = [12, 100];
/// The maximum number of differing lines that are shown for each of the two outcomes.
const SHOWN_LINES: usize = 3;

/// A change of something that a viewer may not know. It turns one table of the pair into the other.
#[derive(Clone, Debug)]
pub(super) struct HiddenChange {
    viewer: Viewer,
    of: AttributePath,
    /// The changes of the table. Removing a piece to which others refer takes several changes.
    changes: Vec<Change>,
    /// The face that all dice show.
    face: u32,
}

/// A difference that a viewer notices between the two tables of a pair.
#[derive(Clone, Debug)]
pub(super) struct NoticedDifference {
    /// The rule or phase in which it is noticed; `None` for a refusal, or if there is no such rule
    /// or phase.
    pub(super) place: Option<String>,
    /// The lines that the viewer sees only on the table as it is, and those seen only on the other
    /// table.
    pub(super) noticed: [Vec<String>; 2],
}

/// The result of an action on one of the tables.
enum Played {
    Done(Box<DoneLine>),
    Refused(String),
}

/// A line that was carried out, as a viewer saw it.
struct DoneLine {
    outcome: Outcome,
    after: Tabletop,
    seen: SeenOutcome,
}

impl HiddenChange {
    /// Picks a viewer, something that this viewer may not know, and a change to it: another value
    /// or, for a hidden piece, its removal. Returns `None` if there is no viewer, if nothing is
    /// hidden from the viewer, or if no other value was found.
    pub(super) fn pick(
        referee: &Referee,
        table: &Tabletop,
        dice: &mut SeededSource,
    ) -> Option<HiddenChange> {
        let mut viewers: Vec<Viewer> =
            referee.viewers(table).into_iter().map(|(_, viewer)| viewer).collect();
        viewers.retain(|viewer| matches!(viewer, Viewer::Side(_) | Viewer::Player(_)));
        if viewers.is_empty() {
            return None;
        }
        let viewer = viewers.swap_remove(random_below(dice, viewers.len()));
        let hidden = referee.cells_hidden_from(table, &viewer);
        // All secrets are equally likely, however many pieces have them.
        let is_declared = |kind: KindId, index: usize| {
            let attribute = table.schema().kind(kind).attributes.get(index);
            attribute.is_none_or(|attribute| !attribute.is_built_in())
        };
        let secrets = hidden.iter().map(|(kind, _, index)| (kind, index));
        let secrets: BTreeSet<_> =
            secrets.filter(|&(kind, index)| is_declared(kind, index)).collect();
        let secrets = Vec::from_iter(secrets);
        let (kind, index) = *secrets.get(random_below(dice, secrets.len()))?;
        let cells = hidden.iter().filter(|cell| (cell.0, cell.2) == (kind, index));
        let rows: Vec<u32> = cells.map(|cell| cell.1).collect();
        let row = *rows.get(random_below(dice, rows.len()))?;
        let faces = FACES[random_below(dice, FACES.len())];
        let face = random_below(dice, faces) as u32 + 1;
        let remove = index == WHOLE_PIECE && random_below(dice, 3) == 0;
        let of = table.attribute_path(kind, row, index);
        let changes = if remove {
            let inputs = Inputs { insist: true, ..Inputs::without_dice() };
            let removed = referee.resolve(table, &Action::Remove(kind, row), &inputs).ok()?;
            removed.changes().cloned().collect()
        } else {
            vec![other_value(table, (kind, row, index), dice)?]
        };
        Some(HiddenChange { viewer, of, changes, face })
    }

    /// Returns everything that the viewer may not know; `None` if the viewer knows the thing
    /// changed here, or would see the change itself.
    fn hidden_cells(
        &self,
        referee: &Referee,
        table: &Tabletop,
        other: &Tabletop,
    ) -> Option<HiddenCells> {
        let hidden = referee.cells_hidden_from(table, &self.viewer);
        let (kind, row) = table.piece_named(&self.of.kind, &self.of.piece).ok()?;
        let index = match self.of.attribute.as_str() {
            "" => WHOLE_PIECE,
            attribute => table.schema().kind(kind).attributes.index_of(attribute)?,
        };
        let is_met = index == WHOLE_PIECE && is_met(table, &hidden, (kind, row));
        if is_met || !hidden.hides_cell(kind, row, index) {
            return None;
        }
        let still = referee.cells_hidden_from(other, &self.viewer);
        let is_removed = !other.is_on_table(kind, row);
        let expected =
            if is_removed { hidden.clone().without_piece(kind, row) } else { hidden.clone() };
        (still == expected).then_some(hidden)
    }

    /// Returns the other table of the pair; `None` if the change doesn't fit the table.
    fn other_table(&self, table: &Tabletop) -> Option<Tabletop> {
        let mut other = table.clone();
        self.changes.iter().try_for_each(|change| other.apply(change)).ok()?;
        Some(other)
    }

    /// Plays an action on `table` and on the other table of the pair. Returns the first difference
    /// that the viewer notices; `None` if there is none, if the rules are meant to show it, or if
    /// the change or the action doesn't fit the tables.
    pub(super) fn find_difference(
        &self,
        referee: &Referee,
        table: &Tabletop,
        action: &Action,
    ) -> Option<NoticedDifference> {
        let other = self.other_table(table)?;
        let hidden = self.hidden_cells(referee, table, &other)?;
        let here = self.play(referee, table, action)?;
        let there = self.play(referee, &other, action)?;
        match (&here, &there) {
            (Played::Refused(here), Played::Refused(there)) => {
                let noticed = [here, there].map(|reason| vec![refused(reason)]);
                (here != there && referee.may_read_line(table, action, &self.viewer))
                    .then_some(NoticedDifference { place: None, noticed })
            }
            (Played::Done(done), Played::Refused(reason))
            | (Played::Refused(reason), Played::Done(done)) => {
                if !done.seen.line || self.is_shown_by(done, usize::MAX, table, &hidden) {
                    return None;
                }
                let mut noticed = [self.lines(referee, done), vec![refused(reason)]];
                noticed[0].truncate(SHOWN_LINES);
                if matches!(here, Played::Refused(_)) {
                    noticed.reverse();
                }
                Some(NoticedDifference { place: None, noticed })
            }
            (Played::Done(here), Played::Done(there)) => {
                self.compare(referee, table, &hidden, [here, there])
            }
        }
    }

    /// Plays an action; `None` if it fails or asks a question.
    fn play(&self, referee: &Referee, table: &Tabletop, action: &Action) -> Option<Played> {
        let dice = Dice::Constant(ConstantSource::new(self.face));
        let inputs = Inputs { ask_random: true, ..Inputs::with_dice(dice) };
        match referee.resolve(table, action, &inputs) {
            Ok(outcome) => {
                let mut after = table.clone();
                outcome.apply(&mut after).ok()?;
                let seen = referee.seen_outcome(&after, &outcome, &self.viewer);
                Some(Played::Done(Box::new(DoneLine { outcome, after, seen })))
            }
            Err(Halt::Refused(reason)) => Some(Played::Refused(reason)),
            Err(_) => None,
        }
    }

    /// Returns true if the author chose to show the secret to the viewer: it is revealed, or it is
    /// a hidden piece that is named by the line or, before the event with index `until`, by a rule
    /// or a loop.
    fn is_shown_by(
        &self,
        line: &DoneLine,
        until: usize,
        table: &Tabletop,
        hidden: &HiddenCells,
    ) -> bool {
        let acts = self.of.attribute.is_empty() && line.binds(&self.of, until);
        acts || line.shown_cells(table, hidden, self.viewer.side()).contains(&self.of)
    }

    /// Returns true if two outcomes may differ for the viewer from the events with these indices
    /// on. They may if one of them shows the secret, or if they differ in the secrets that they
    /// show, in the lines addressed to the viewer by name, in the number of lines for everyone, in
    /// the changes of secrets that the viewer sees, or in the end of the game.
    fn may_differ(
        &self,
        table: &Tabletop,
        hidden: &HiddenCells,
        lines: [(&DoneLine, usize); 2],
    ) -> bool {
        let schema = table.schema();
        let side = self.viewer.side();
        let [(here, _), (there, _)] = lines;
        lines.iter().any(|(line, until)| self.is_shown_by(line, *until, table, hidden))
            || here.shown_cells(table, hidden, side) != there.shown_cells(table, hidden, side)
            || here.ends() != there.ends()
            || here.told() != there.told()
            || here.notes(schema) != there.notes(schema)
    }

    /// Returns the first difference between two outcomes that the viewer notices; `None` if there
    /// is none, or if the outcomes may differ there.
    fn compare(
        &self,
        referee: &Referee,
        table: &Tabletop,
        hidden: &HiddenCells,
        [here, there]: [&DoneLine; 2],
    ) -> Option<NoticedDifference> {
        let schema = table.schema();
        let noticed = [here.observations(schema), there.observations(schema)];
        let [first, second] = &noticed;
        let same = first.iter().zip(second).take_while(|(a, b)| a.1 == b.1).count();
        let is_same = same == first.len() && same == second.len();
        if is_same && here.seen.line == there.seen.line {
            return None;
        }
        let until = |line: &DoneLine, all: &[(usize, Observation<'_>)]| {
            let before = all.iter().take(same);
            all.get(same).map_or(usize::MAX, |(_, observed)| {
                line.index_of(observed, before.filter(|(_, other)| other == observed).count())
            })
        };
        let both = [(here, until(here, first)), (there, until(there, second))];
        if self.may_differ(table, hidden, both) {
            return None;
        }
        let at = noticed.iter().zip([here, there]).find_map(|(noticed, line)| {
            let (index, _) = noticed.get(same)?;
            line.place_of(*index)
        });
        let lines = [here, there].map(|line| self.lines(referee, line));
        let mut only: [Vec<String>; 2] = Default::default();
        for (index, other) in [(0, 1), (1, 0)] {
            let known: BTreeSet<&String> = lines[other].iter().collect();
            let new = lines[index].iter().filter(|line| !known.contains(line));
            only[index] = new.take(SHOWN_LINES).cloned().collect();
        }
        if only.iter().all(Vec::is_empty) {
            for (index, side) in only.iter_mut().enumerate() {
                side.extend(noticed[index].get(same).map(|(_, noticed)| noticed.to_string()));
            }
        }
        for (side, line) in only.iter_mut().zip([here, there]) {
            if is_same && line.seen.line {
                side.push("the typed line".to_owned());
            }
        }
        Some(NoticedDifference { place: at, noticed: only })
    }

    /// Returns the lines of an outcome that the viewer sees.
    fn lines(&self, referee: &Referee, line: &DoneLine) -> Vec<String> {
        let view = View::of("", referee, &line.after, UNBROKEN_WIDTH);
        let text = unbroken_text(view, &line.seen.outcome, Some(&line.seen.sight));
        text.lines().map(str::trim).filter(|row| !row.is_empty()).map(str::to_owned).collect()
    }

    /// Returns the name of the secret as an `[[allow]]` writes it, such as `mine` or `mine.at`.
    pub(super) fn secret_name(&self) -> String {
        match self.of.attribute.as_str() {
            "" => self.of.kind.clone(),
            attribute => format!("{}.{attribute}", self.of.kind),
        }
    }

    /// Returns who may know the secret; `None` if the schema doesn't declare it secret.
    pub(super) fn secrecy(&self, schema: &Schema) -> Option<Secrecy> {
        let kind = schema.kind(schema.kind_named(&self.of.kind)?);
        match self.of.attribute.as_str() {
            "" => kind.secret,
            attribute => kind.attribute(attribute)?.secret,
        }
    }

    /// Returns the name of the viewer.
    pub(super) fn viewer(&self) -> String {
        self.viewer.to_string()
    }

    /// Returns a phrase for each of the two tables, such as `if m1.at is b2` and `if m1.at is c4`.
    pub(super) fn cases(&self, table: &Tabletop) -> [String; 2] {
        let piece = &self.of.piece;
        match &self.changes[..] {
            [Change::Set { of, new, .. }] => {
                let old = table.piece_named(&of.kind, &of.piece).ok().and_then(|(kind, row)| {
                    let attribute = table.schema().kind(kind).attribute(&of.attribute)?;
                    let column = attribute.storage.cell()?;
                    Some(table.to_value(attribute.ty, table.get(column, row)))
                });
                let old = old.unwrap_or(Value::Nothing);
                [&old, new].map(|value| format!("if {piece}.{} is {value}", of.attribute))
            }
            [Change::List { of, old, new }] => [old, new].map(|members| {
                format!("if {piece}.{} holds {}", of.attribute, join_values(members))
            }),
            _ => [format!("with {piece}"), format!("without {piece}")],
        }
    }

    /// Returns the faces of the dice that are rolled on the table as it is. Returns no faces if the
    /// action is refused or fails.
    pub(super) fn faces(&self, referee: &Referee, table: &Tabletop, action: &Action) -> Vec<u32> {
        match self.play(referee, table, action) {
            Some(Played::Done(line)) => line.outcome.faces().collect(),
            Some(Played::Refused(_)) | None => Vec::new(),
        }
    }
}

fn refused(reason: &str) -> String {
    format!("refused: {reason}")
}

impl DoneLine {
    /// Returns the rule during which the viewer sees this event or, outside any rule, the phase
    /// that has just begun; `None` if there is neither.
    fn place_of(&self, index: usize) -> Option<String> {
        let seen = &self.seen.outcome;
        let call = seen.event_context(index).calls.last().map(|call| call.0.to_owned());
        let begun = seen.events[..index].iter().rev().find_map(|event| match event {
            Event::Phase { phase, .. } => Some(phase.clone()),
            _ => None,
        });
        call.or(begun)
    }

    /// Returns the index of the event that the viewer notices; the first `before` events that are
    /// equal to it are skipped. If the viewer sees only a part of the event, returns the number of
    /// events.
    fn index_of(&self, observed: &Observation<'_>, before: usize) -> usize {
        let events = &self.outcome.events;
        let same = events.iter().enumerate().filter(|(_, event)| match (observed, event) {
            (Observation::Change(seen), Event::Changed { change, .. }) => *seen == change,
            (Observation::Event(seen), _) => seen == event,
            (Observation::Change(_), _) => false,
        });
        same.map(|(index, _)| index).nth(before).unwrap_or(events.len())
    }

    /// Returns true if a piece is named by the line or, before the event with index `until`, by a
    /// rule or a loop.
    fn binds(&self, of: &AttributePath, until: usize) -> bool {
        let bound = self.outcome.events.iter().take(until).flat_map(|event| match event {
            Event::Call { bound, .. } | Event::Bound(bound) => bound.as_slice(),
            _ => &[],
        });
        let named =
            self.outcome.names.iter().any(|at| (&at.kind, &at.piece) == (&of.kind, &of.piece));
        named
            || bound.into_iter().any(|name| {
                name.kind.as_ref() == Some(&of.kind)
                    && matches!(&name.value, Value::Text(piece) if *piece == of.piece)
            })
    }

    /// Returns the cells that were hidden before and are shown to the viewer, whose side is `side`,
    /// if any.
    fn shown_cells(
        &self,
        before: &Tabletop,
        hidden: &HiddenCells,
        side: Option<&str>,
    ) -> BTreeSet<AttributePath> {
        let now = &self.seen.sight.hidden;
        let seen = hidden.iter().filter(|&(kind, row, index)| {
            self.after.is_on_table(kind, row)
                && !now.hides_cell(kind, row, index)
                && !now.hides_cell(kind, row, WHOLE_PIECE)
        });
        let is_told = |change: &Change| match change {
            Change::List { new, .. } => new
                .iter()
                .any(|to| matches!((to, side), (Value::Text(told), Some(side)) if told == side)),
            _ => true,
        };
        let told = self.outcome.changes().filter(|change| is_told(change));
        let revealed = told.filter_map(|change| {
            let (kind, row, index) = revealed_by(before, change)?;
            hidden.hides_cell(kind, row, index).then_some((kind, row, index))
        });
        seen.chain(revealed)
            .map(|(kind, row, index)| before.attribute_path(kind, row, index))
            .collect()
    }

    /// Returns the lines addressed to the viewer by name, and the number of lines for everyone.
    fn told(&self) -> (Vec<&str>, usize) {
        let mut told = (Vec::new(), 0);
        for event in &self.seen.outcome.events {
            match event {
                Event::SaidTo { to: Audience::Sides(_), words } => told.0.push(words.as_str()),
                Event::SaidTo { to: Audience::All, .. } => told.1 += 1,
                _ => {}
            }
        }
        told
    }

    /// Returns the changes of secret attributes and pieces that the viewer sees.
    fn notes(&self, schema: &Schema) -> Vec<&Change> {
        let events = self.seen.outcome.events.iter();
        events.filter_map(|event| secret_change(schema, event)).collect()
    }

    /// Returns the events that end the game.
    fn ends(&self) -> Vec<&Event> {
        self.outcome.events.iter().filter(|event| matches!(event, Event::Ended { .. })).collect()
    }

    /// Returns everything that the viewer notices, each thing with the index of its event. Silent
    /// events, lines for the umpire, and all changes of pieces that enter or leave the table are
    /// left out, and so are things judged by `may_differ`.
    fn observations(&self, schema: &Schema) -> Vec<(usize, Observation<'_>)> {
        let comes_or_leaves =
            |change: &&Change| matches!(change, Change::Made { .. } | Change::Removed { .. });
        let passing: BTreeSet<_> =
            self.outcome.changes().filter(comes_or_leaves).filter_map(Change::piece).collect();
        let events = self.seen.outcome.events.iter().enumerate();
        let observed = events.filter_map(|(index, event)| {
            let observation = match event {
                Event::Changed { .. } if secret_change(schema, event).is_some() => return None,
                Event::Changed { change, .. } => {
                    if change.piece().is_some_and(|piece| passing.contains(&piece)) {
                        return None;
                    }
                    Observation::Change(change)
                }
                Event::SaidTo { to: Audience::Sides(_) | Audience::Umpire, .. }
                | Event::Ended { .. } => return None,
                Event::Instructed(_) => Observation::Event(event),
                _ if event.is_silent() => return None,
                _ => Observation::Event(event),
            };
            Some((index, observation))
        });
        observed.collect()
    }
}

/// Something that a viewer notices.
#[derive(PartialEq)]
enum Observation<'o> {
    Change(&'o Change),
    Event(&'o Event),
}

impl std::fmt::Display for Observation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Observation::Change(Change::Set { of, new, .. }) => {
                write!(f, "{}.{} becomes {new}", of.piece, of.attribute)
            }
            Observation::Change(Change::List { of, new, .. }) => {
                write!(f, "{}.{} becomes {}", of.piece, of.attribute, join_values(new))
            }
            Observation::Change(Change::Made { piece, .. }) => write!(f, "{piece} appears"),
            Observation::Change(Change::Removed { piece, .. }) => write!(f, "{piece} is removed"),
            Observation::Change(Change::Deck { deck, .. }) => write!(f, "the {deck} changes"),
            Observation::Event(Event::Said(words) | Event::SaidTo { words, .. }) => {
                f.write_str(words)
            }
            Observation::Event(_) => f.write_str("something else happens"),
        }
    }
}

/// Returns the change of a secret that this event records; `None` for any other event.
fn secret_change<'e>(schema: &Schema, event: &'e Event) -> Option<&'e Change> {
    let Event::Changed { change, .. } = event else { return None };
    let (kind, _) = change.piece()?;
    let kind = schema.kind(schema.kind_named(kind)?);
    let attribute = change.attribute_path().and_then(|of| kind.attribute(&of.attribute));
    let is_secret = kind.secret.is_some() || attribute.is_some_and(|a| a.secret.is_some());
    is_secret.then_some(change)
}

/// Returns true if something that the viewer sees refers to a hidden piece, so that the viewer has
/// already met the piece.
fn is_met(table: &Tabletop, hidden: &HiddenCells, (kind, row): (KindId, u32)) -> bool {
    table.schema().all_kinds().any(|(of, referring)| {
        let attributes = referring.attributes.iter().enumerate();
        let mut attributes = attributes.filter(|(_, a)| a.ty.member_or_self() == Type::Piece(kind));
        attributes.any(|(index, attribute)| {
            let refers = |from: u32| match attribute.storage {
                AttributeStorage::Cell(column) => table.get(column, from) == i64::from(row),
                AttributeStorage::List(list) => table.list(list, from).contains(&row),
                AttributeStorage::Computed(_) => false,
            };
            table.present_pieces(of).any(|from| {
                refers(from)
                    && !hidden.hides_cell(of, from, WHOLE_PIECE)
                    && !hidden.hides_cell(of, from, index)
            })
        })
    })
}

/// Returns the cell that a change reveals, if the change records that something is revealed.
fn revealed_by(table: &Tabletop, change: &Change) -> Option<(KindId, u32, usize)> {
    let of = change.attribute_path()?;
    let (id, row) = table.piece_named(&of.kind, &of.piece).ok()?;
    let kind = table.schema().kind(id);
    let storage = kind.attribute(&of.attribute)?.storage;
    let attributes = kind.attributes.iter().enumerate().map(|(index, a)| (index, a.secret));
    let mut things = std::iter::once((WHOLE_PIECE, kind.secret)).chain(attributes);
    let (index, _) = things.find(|(_, secrecy)| {
        secrecy.is_some_and(|secrecy| {
            storage.cell() == Some(secrecy.revealed)
                || (storage.list().is_some() && storage.list() == secrecy.revealed_to)
        })
    })?;
    Some((id, row, index))
}

/// Returns a change of an attribute to another value: one that another piece of the kind has, or a
/// random one. For a whole piece, any attribute that is stored may change. Returns `None` if the
/// attribute is computed, or if no other value was found.
fn other_value(
    table: &Tabletop,
    (kind, row, index): (KindId, u32, usize),
    dice: &mut SeededSource,
) -> Option<Change> {
    let schema = table.schema().clone();
    let attributes = &schema.kind(kind).attributes;
    let index = if index == WHOLE_PIECE { random_below(dice, attributes.len()) } else { index };
    let attribute = attributes.get(index)?;
    let of = table.attribute_path(kind, row, index);
    let peers: Vec<u32> = table.present_pieces(kind).filter(|&peer| peer != row).collect();
    let peer = (random_below(dice, 2) == 0).then(|| peers.get(random_below(dice, peers.len())));
    match attribute.storage {
        AttributeStorage::Cell(column) => {
            let old = table.get(column, row);
            let new = match peer.flatten() {
                Some(&peer) => table.to_value(attribute.ty, table.get(column, peer)),
                None => random_value(table, attribute.ty, (attribute.low, attribute.high), dice)?,
            };
            let old = table.to_value(attribute.ty, old);
            (new != old).then_some(Change::Set { of, old, new })
        }
        AttributeStorage::List(list) => {
            let old = table.list_values(list, row);
            let new = match peer.flatten() {
                Some(&peer) => table.list_values(list, peer),
                None => {
                    let Type::List(Element::Piece(_) | Element::Word(_)) = attribute.ty else {
                        return None;
                    };
                    let member = attribute.ty.member_or_self();
                    let all = table.all_members(member);
                    let some = all.iter().filter(|_| random_below(dice, 3) == 0);
                    some.map(|&one| table.to_value(member, one.into())).collect()
                }
            };
            (new != old).then_some(Change::List { of, old, new })
        }
        AttributeStorage::Computed(_) => None,
    }
}

/// Returns a random value of a type, or a fixed text for texts; `None` for dice and lists.
fn random_value(
    table: &Tabletop,
    ty: Type,
    (low, high): (i64, i64),
    dice: &mut SeededSource,
) -> Option<Value> {
    Some(match ty {
        Type::Whole => Value::Whole(random_between(dice, low, high)),
        Type::Number => Value::Whole(random_below(dice, 24) as i64),
        Type::Flag => Value::Flag(random_below(dice, 2) == 0),
        Type::Text => Value::Text("other words".to_owned()),
        Type::Word(_) | Type::Piece(_) => {
            let mut all: Vec<i64> = table.all_members(ty).into_iter().map(i64::from).collect();
            // A reference can also be empty.
            all.extend(matches!(ty, Type::Piece(_)).then_some(-1));
            table.to_value(ty, *all.get(random_below(dice, all.len()))?)
        }
        Type::Dice | Type::List(_) | Type::Nothing | Type::Unknown => return None,
    })
}
