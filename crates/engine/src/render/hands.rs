//! "On the table": all changes to make on the real table, in words.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::language::machine::World;
use crate::language::schema::{
    Attribute, AttributeStorage, Kind, KindId, KindRole, Schema, Secrecy, Type,
};
use crate::referee::{Outcome, SeenTable, Viewer};
use crate::render::hands::item::{
    Instruction, TableItem, Tasks, add_instructions, corrected_instructions, instructions_of,
    name_without_number,
};
use crate::render::markup::{Line, Role, Text};
use crate::render::view::View;
use crate::session::{Board, Entry, HistoryStep, LoggedRecord, WitnessedCorrection};
use crate::tabletop::{Change, Value, join_values};

pub(crate) mod item;

/// Linking words: at the end of a marker, they connect it to the name of a piece.
const LINKS: [&str; 20] = [
    "aboard", "above", "against", "at", "behind", "below", "beside", "by", "for", "from", "in",
    "into", "inside", "near", "of", "on", "to", "towards", "under", "with",
];

/// If at least this many pieces have the same change, they are listed together.
const MIN_NAMED_TOGETHER: usize = 3;

/// The net change of an attribute: the old and new members of a list, or the old and new value of
/// any other attribute.
#[derive(Debug)]
struct NetChange {
    old: Vec<Value>,
    new: Vec<Value>,
}

/// The net change of a piece.
#[derive(Debug, Default)]
struct PieceNet {
    made: bool,
    removed: bool,
    /// True if the piece was added and removed again, and therefore never appeared on the table.
    unseen: bool,
    attributes: IndexMap<String, NetChange>,
}

impl PieceNet {
    fn add_change(&mut self, change: &Change) {
        match change {
            Change::Made { .. } => {
                if self.removed {
                    self.removed = false;
                } else {
                    self.made = true;
                    self.unseen = false;
                }
            }
            Change::Removed { .. } => {
                if self.made {
                    self.made = false;
                    self.unseen = true;
                } else {
                    self.removed = true;
                }
            }
            Change::Set { of, old, new } => {
                self.set_members(
                    &of.attribute,
                    std::slice::from_ref(old),
                    std::slice::from_ref(new),
                );
            }
            Change::List { of, old, new } => self.set_members(&of.attribute, old, new),
            Change::Deck { .. } => {}
        }
    }

    fn set_members(&mut self, attribute: &str, old: &[Value], new: &[Value]) {
        let net = self.attributes.entry(attribute.to_owned());
        net.or_insert_with(|| NetChange { old: old.to_vec(), new: Vec::new() }).new = new.to_vec();
    }
}

/// The net changes of the pieces that changed, by kind and name.
type PieceNets<'c> = IndexMap<(&'c str, &'c str), PieceNet>;

/// Returns the net changes of all pieces that changed, in the order of their first changes.
fn net_changes<'c>(changes: impl Iterator<Item = &'c Change>) -> PieceNets<'c> {
    let mut nets = PieceNets::new();
    for change in changes {
        if let Some(piece) = change.piece() {
            nets.entry(piece).or_default().add_change(change);
        }
    }
    nets
}

/// Returns the changes made by undoing these steps, in order.
pub(crate) fn undo_changes(steps: &[HistoryStep]) -> Vec<Change> {
    let changes = steps.iter().flat_map(|step| match step {
        HistoryStep::Command(entry) => replacement_changes(std::slice::from_ref(entry), &[]),
        HistoryStep::Amendment(amendment) => replacement_changes(&amendment.now, &amendment.before),
        HistoryStep::Rules(_) => Vec::new(),
    });
    changes.collect()
}

/// Returns the changes made by replacing these commands, in order.
pub(crate) fn replacement_changes(old: &[Arc<Entry>], new: &[Arc<Entry>]) -> Vec<Change> {
    let back = old.iter().rev().flat_map(|e| e.outcome.changes().rev().map(Change::inverse));
    back.chain(new.iter().flat_map(|e| e.outcome.changes().cloned())).collect()
}

/// Returns a line `On the table:` with the tasks for each piece, a line such as `red only:` for
/// each side and player that sees more, and a line `Hidden:` with the tasks on the umpire's own
/// map. The text is empty if there is nothing to do.
pub(crate) fn on_the_table(view: &View<'_>, outcome: &Outcome) -> Text {
    let changes: Vec<Change> = outcome.changes().cloned().collect();
    let seen_by = |viewer: &Viewer| outcome_seen(view, outcome, viewer);
    item_lines(view, &changes, &instructions_of(outcome), seen_by)
}

/// Returns the tasks on the table after a command, as all players see them.
pub(crate) fn outcome_items(view: &View<'_>, outcome: &Outcome) -> Vec<TableItem> {
    match outcome_seen(view, outcome, &Viewer::Players) {
        Some(seen) => seen.items(view),
        None => items(view, outcome.changes(), &instructions_of(outcome)),
    }
}

/// Returns the tasks for each piece: the instructions of the rules, and the changes of markers.
pub(crate) fn items<'c>(
    view: &View<'_>,
    changes: impl Iterator<Item = &'c Change>,
    instructions: &[Instruction],
) -> Vec<TableItem> {
    let mut all = changed_items(view, net_changes(changes));
    add_instructions(view, &mut all, instructions);
    all
}

/// Returns the tasks after an undo or an amendment, in the same form as [`on_the_table`]. `board`
/// is the board after the correction.
pub(crate) fn after_correction(
    view: &View<'_>,
    board: &Board,
    logged: &LoggedRecord,
    changes: &[Change],
) -> Text {
    let seen_by = |viewer: &Viewer| correction_seen(view, board, logged, viewer);
    item_lines(view, changes, &corrected_instructions(logged.acts()), seen_by)
}

/// Returns the tasks on the table after an undo or an amendment, in the same form as
/// [`outcome_items`]. `board` is the board after the correction.
pub(crate) fn items_after_correction(
    view: &View<'_>,
    board: &Board,
    logged: &LoggedRecord,
    changes: &[Change],
) -> Vec<TableItem> {
    match correction_seen(view, board, logged, &Viewer::Players) {
        Some(seen) => seen.items(view),
        None => items(view, changes.iter(), &corrected_instructions(logged.acts())),
    }
}

/// The changes and the instructions of the rules, as some players see them.
struct SeenChanges {
    changes: Vec<Change>,
    instructions: Vec<Instruction>,
    /// The table afterwards, as these players see it.
    sight: SeenTable,
}

impl SeenChanges {
    /// Returns the tasks on the table that these players see.
    fn items(&self, view: &View<'_>) -> Vec<TableItem> {
        items(&view.seen_by(&self.sight), self.changes.iter(), &self.instructions)
    }

    /// Removes everything that others also see.
    fn remove_seen_by(&mut self, others: &SeenChanges) {
        self.changes.retain(|change| !others.changes.contains(change));
        self.instructions.retain(|one| !others.instructions.contains(one));
    }
}

/// Returns the part of a command that a viewer sees; `None` if the view shows no secrets, so that
/// the viewer sees all of it.
fn outcome_seen(view: &View<'_>, outcome: &Outcome, viewer: &Viewer) -> Option<SeenChanges> {
    let seen = view.outcome_seen_by(outcome, viewer)?;
    Some(SeenChanges {
        changes: seen.outcome.changes().cloned().collect(),
        instructions: instructions_of(&seen.outcome),
        sight: seen.sight,
    })
}

/// Returns the part of an undo or an amendment that a viewer sees; `None` if the view shows no
/// secrets, so that the viewer sees all of it. Players see the part of each command that they saw
/// when it was given. A piece that the command added is gone after the correction, so the table
/// can't show whether they saw the piece.
fn correction_seen(
    view: &View<'_>,
    board: &Board,
    logged: &LoggedRecord,
    viewer: &Viewer,
) -> Option<SeenChanges> {
    if !view.shows_secrets() {
        return None;
    }
    // The correction has just been made on this board, so the board can be reversed.
    let seen = WitnessedCorrection::of(board, logged, viewer).ok()?;
    Some(SeenChanges {
        changes: seen.exchanges().flat_map(|(old, new)| replacement_changes(old, new)).collect(),
        instructions: corrected_instructions(seen.acts()),
        sight: view.referee.seen_table(view.table, viewer),
    })
}

/// Returns a line `On the table:` for everything that all players see, then a line such as `red
/// only:` for anything else that a side or a player sees, and a line `Hidden:` for the rest. If the
/// view shows no secrets, nothing is hidden.
fn item_lines(
    view: &View<'_>,
    changes: &[Change],
    instructions: &[Instruction],
    seen_by: impl Fn(&Viewer) -> Option<SeenChanges>,
) -> Text {
    let Some(open) = seen_by(&Viewer::Players) else {
        return item_line("On the table:", &items(view, changes.iter(), instructions));
    };
    let mut text = item_line("On the table:", &open.items(view));
    let mut unseen: Vec<&Change> = changes.iter().filter(|c| !open.changes.contains(c)).collect();
    let mut hidden = instructions.to_vec();
    hidden.retain(|one| !open.instructions.contains(one));
    if unseen.is_empty() && hidden.is_empty() {
        return text;
    }
    let mut of_sides: IndexMap<String, Option<SeenChanges>> = IndexMap::new();
    // In order: the sides come before their players.
    for (name, viewer) in view.referee.viewers(view.table) {
        if matches!(viewer, Viewer::Players | Viewer::Umpire) {
            continue;
        }
        let Some(mut seen) = seen_by(&viewer) else { continue };
        seen.remove_seen_by(&open);
        if let (Viewer::Player(_), Some(side)) = (&viewer, viewer.side()) {
            let of_side = of_sides.entry(side.to_owned());
            let of_side = of_side.or_insert_with(|| seen_by(&Viewer::Side(side.to_owned())));
            of_side.iter().for_each(|others| seen.remove_seen_by(others));
        }
        unseen.retain(|change| !seen.changes.contains(change));
        hidden.retain(|one| !seen.instructions.contains(one));
        text.extend(item_line(&format!("{name} only:"), &seen.items(view)));
        if let Viewer::Side(side) = viewer {
            of_sides.insert(side, Some(seen));
        }
    }
    text.extend(item_line("Hidden:", &items(view, unseen.into_iter(), &hidden)));
    text
}

fn item_line(head: &str, items: &[TableItem]) -> Text {
    let mut line = Line::of(Role::Notice, head).with_hanging_indent(15);
    line.pad_to(15, 0);
    let all = group_items(items);
    for (i, (pieces, words)) in all.iter().enumerate() {
        let gap = if pieces.is_empty() || words.is_empty() { "" } else { " " };
        let sign = if i + 1 < all.len() { "; " } else { "" };
        line.push(Role::Strong, pieces);
        line.push(Role::Plain, format!("{gap}{}{sign}", words.join(", ")));
    }
    (!all.is_empty()).then_some(line).into_iter().collect()
}

/// Groups pieces with the same changes if there are enough of them. Each group has the position of
/// its first piece.
pub(super) fn group_same_changes(all: &[(String, Vec<String>)]) -> Vec<(String, Vec<String>)> {
    let item = |(piece, changes): &(String, Vec<String>)| TableItem {
        piece: piece.clone(),
        tasks: Tasks::of_changes(changes.clone()),
    };
    let items: Vec<TableItem> = all.iter().map(item).collect();
    group_items(&items)
}

/// Groups pieces with the same tasks if there are enough of them. Each group has the position of
/// its first piece. Returns the pieces and the words of each group.
fn group_items(all: &[TableItem]) -> Vec<(String, Vec<String>)> {
    let mut by_tasks: IndexMap<&Tasks, Vec<&str>> = IndexMap::new();
    for item in all.iter().filter(|item| !item.piece.is_empty()) {
        by_tasks.entry(&item.tasks).or_default().push(&item.piece);
    }
    let mut groups = Vec::new();
    for TableItem { piece, tasks } in all {
        let same = by_tasks.get(tasks).filter(|same| same.len() >= MIN_NAMED_TOGETHER);
        match same.filter(|_| !piece.is_empty()) {
            None => groups.push((piece.clone(), tasks.words())),
            Some(same) if same.first() == Some(&piece.as_str()) => {
                groups.push(tasks.words_for_each(&same.join(", ")));
            }
            Some(_) => {}
        }
    }
    groups
}

/// Returns the tasks on the table, each with all the pieces it applies to, in the order of their
/// first pieces. A task that isn't for a particular piece is listed each time it occurs.
pub(crate) fn pieces_by_tasks(items: Vec<TableItem>) -> Vec<(Tasks, Vec<String>)> {
    let mut together: Vec<(Tasks, Vec<String>)> = Vec::new();
    let mut known: IndexMap<Tasks, usize> = IndexMap::new();
    for TableItem { piece, tasks } in items {
        match known.get(&tasks) {
            Some(&index) if !piece.is_empty() => together[index].1.push(piece),
            _ => {
                if !piece.is_empty() {
                    known.insert(tasks.clone(), together.len());
                }
                together.push((tasks, vec![piece]));
            }
        }
    }
    together
}

/// Returns the changes to the markers on the table, as all players see them, grouped by piece. The
/// name is empty for the state of the game.
pub(crate) fn piece_instructions<'c>(
    view: &View<'_>,
    changes: impl DoubleEndedIterator<Item = &'c Change> + Clone,
) -> Vec<(String, Vec<String>)> {
    let items = match view.seen_by_players(changes.clone()) {
        Some((sight, seen)) => changed_items(&view.seen_by(&sight), net_changes(seen.iter())),
        None => changed_items(view, net_changes(changes)),
    };
    items.into_iter().map(TableItem::into_pair).collect()
}

/// Returns the changes to each piece's markers.
fn changed_items(view: &View<'_>, nets: PieceNets<'_>) -> Vec<TableItem> {
    let schema = &view.referee.ruleset().schema;
    let mut found = Vec::new();
    for ((kind, piece), mut net) in nets {
        let there = view.table.piece_named(kind, piece);
        let there = there.ok().filter(|(id, row)| view.table.is_on_table(*id, *row));
        let Some(of) = schema.kind_named(kind).map(|k| schema.kind(k)) else { continue };
        if net.unseen && there.is_none() {
            continue;
        }
        if net.removed {
            if of.marker.is_some() {
                found.push(TableItem {
                    piece: name_without_number(piece).to_owned(),
                    tasks: Tasks::of_changes(vec!["off".to_owned()]),
                });
            }
            continue;
        }
        // A piece that is put back gets all its markers again.
        if let (true, Some((_, row))) = (net.made, there) {
            for (name, stands) in marked_values(view, of, row) {
                net.attributes.entry(name).or_insert(stands);
            }
        }
        let mut tasks = Tasks::default();
        let words = &mut tasks.changes;
        let mut at = None;
        for (name, change) in &net.attributes {
            let attribute = of.attribute(name);
            let Some(marker) = attribute.and_then(|a| a.marker.as_deref()) else { continue };
            let Some(attribute) = attribute.filter(|_| change.old != change.new) else { continue };
            match (change.new.as_slice(), attribute.ty) {
                (_, Type::List(_)) => words.push(list_words(marker, &change.old, &change.new)),
                ([Value::Text(to)], _) if is_place_attribute(of, attribute) => {
                    // Setting the piece out and naming its place are one instruction.
                    if net.made && of.marker.is_some() {
                        at = Some(name_without_number(to));
                    } else {
                        words.push(format!("to {}", name_without_number(to)));
                    }
                }
                (all, _) => {
                    words.extend(all.iter().map(|v| value_words(schema, attribute, marker, v)));
                }
            }
        }
        if let Some(marker) = of.marker.as_ref().filter(|_| net.made) {
            let at = at.map_or(String::new(), |at| format!(" at {at}"));
            tasks.set_out = Some(format!("({marker}) set out{at}"));
        }
        if !tasks.is_empty() {
            let name = if of.role == KindRole::Single { "" } else { name_without_number(piece) };
            found.push(TableItem { piece: name.to_owned(), tasks });
        }
    }
    found
}

fn is_place_attribute(of: &Kind, attribute: &Attribute) -> bool {
    of.location().is_some_and(|place| place.name == attribute.name)
}

/// Returns the net changes, since a piece was added, of its attributes that have a marker.
fn marked_values(view: &View<'_>, of: &Kind, row: u32) -> Vec<(String, NetChange)> {
    let marked = of.attributes.iter().filter(|a| a.marker.is_some());
    marked.filter_map(|a| Some((a.name.clone(), net_from_start(view, a, row)?))).collect()
}

/// Returns the current markers of a piece in words, except the marker of its place and hidden
/// markers.
pub(crate) fn markers(view: &View<'_>, kind: KindId, row: u32) -> Vec<String> {
    markers_without(view, kind, row, &[])
}

/// Returns the current markers of a piece in words, except the marker of its place, hidden markers,
/// and the attributes with these indices.
pub(crate) fn markers_without(
    view: &View<'_>,
    kind: KindId,
    row: u32,
    without: &[Option<usize>],
) -> Vec<String> {
    let of = view.referee.ruleset().schema.kind(kind);
    let shown = of.attributes.iter().enumerate().filter(|(index, attribute)| {
        attribute.marker.is_some()
            && !is_place_attribute(of, attribute)
            && !without.contains(&Some(*index))
            && view.hidden.is_none_or(|hidden| !hidden.hides_cell(kind, row, *index))
    });
    let attributes =
        shown.filter_map(|(_, a)| Some((a.name.clone(), net_from_start(view, a, row)?))).collect();
    let net = PieceNet { attributes, ..PieceNet::default() };
    let piece = view.table.piece_name(kind, row);
    let nets = PieceNets::from_iter([((of.name.as_str(), piece.as_str()), net)]);
    changed_items(view, nets).into_iter().flat_map(|item| item.tasks.words()).collect()
}

/// Returns the net change of an attribute since the piece was added; `None` if the attribute is
/// computed.
fn net_from_start(view: &View<'_>, attribute: &Attribute, row: u32) -> Option<NetChange> {
    match attribute.storage {
        AttributeStorage::Cell(column) => {
            let old = view.table.to_value(attribute.ty, attribute.start);
            let new = view.table.to_value(attribute.ty, view.table.get(column, row));
            Some(NetChange { old: vec![old], new: vec![new] })
        }
        AttributeStorage::List(list) => {
            Some(NetChange { old: Vec::new(), new: view.table.list_values(list, row) })
        }
        AttributeStorage::Computed(_) => None,
    }
}

/// Writes a value shown by a marker.
fn value_words(schema: &Schema, attribute: &Attribute, marker: &str, new: &Value) -> String {
    match (attribute.ty, new) {
        (_, Value::Flag(true)) => marker.to_owned(),
        (_, Value::Flag(false) | Value::Nothing) => format!("{} off", without_link(marker)),
        (Type::Text, Value::Text(words)) if words.is_empty() => format!("{marker} off"),
        (Type::Text, Value::Text(words)) => format!("{marker} “{words}”"),
        (Type::Word(_), Value::Text(word))
            if word == "none" || attribute.unmarked.as_ref() == Some(word) =>
        {
            format!("{marker} off")
        }
        (Type::Piece(kind), Value::Text(name)) => match schema.kind(kind).role {
            KindRole::Pieces => format!("{} {}", with_link(marker), name_without_number(name)),
            KindRole::List | KindRole::Single => format!("{marker} {name}"),
        },
        (_, Value::Whole(n)) => match attribute.name_of_value(new) {
            Some(name) => format!("{marker} {n} ({name})"),
            None if *n == 0 && attribute.low == 0 => format!("{marker} off"),
            // A negative number directly after the marker would read as a loss.
            None if *n < 0 => format!("{marker} at {n}"),
            None => format!("{marker} {n}"),
        },
        (_, Value::Text(words)) => format!("{marker} {words}"),
    }
}

/// Returns a marker that ends in a linking word, so that a name can follow: `hose` becomes `hose
/// to`, but `ball on` stays the same.
fn with_link(marker: &str) -> String {
    if ends_with_link(marker) { marker.to_owned() } else { format!("{marker} to") }
}

/// Returns a marker without the linking word at its end.
fn without_link(marker: &str) -> &str {
    match marker.rsplit_once(' ') {
        Some((thing, _)) if ends_with_link(marker) => thing,
        _ => marker,
    }
}

fn ends_with_link(marker: &str) -> bool {
    marker.rsplit(' ').next().is_some_and(|last| LINKS.contains(&last))
}

/// Writes the change of a list shown by a marker: the members added and the members removed.
fn list_words(marker: &str, old: &[Value], new: &[Value]) -> String {
    let on = bare_names(new.iter().filter(|m| !old.contains(m)));
    let off = bare_names(old.iter().filter(|m| !new.contains(m)));
    match (on.is_empty(), off.is_empty()) {
        _ if new.is_empty() => format!("{} off", without_link(marker)),
        (false, true) => format!("{} {on}", with_link(marker)),
        (true, false) => format!("{} off {off}", without_link(marker)),
        (false, false) => format!("{} {on} and off {off}", with_link(marker)),
        (true, true) => format!("{marker} {}", bare_names(new.iter())),
    }
}

fn bare_names<'v>(values: impl Iterator<Item = &'v Value>) -> String {
    values.map(|v| name_without_number(&v.to_string()).to_owned()).collect::<Vec<_>>().join(", ")
}

/// If `reveal` sets this attribute, returns the secret that it reveals: an empty string for the
/// piece itself, or the name of a secret attribute followed by a space.
fn revealed_name(of: &Kind, attribute: &Attribute) -> Option<String> {
    let secrets = of.attributes.iter().map(|a| (a.secret, format!("{} ", a.name)));
    let opens = |secret: &Secrecy| match attribute.storage {
        AttributeStorage::Cell(column) => column == secret.revealed,
        AttributeStorage::List(list) => secret.revealed_to == Some(list),
        AttributeStorage::Computed(_) => false,
    };
    let mut secrets = std::iter::once((of.secret, String::new())).chain(secrets);
    secrets.find(|(secret, _)| secret.as_ref().is_some_and(opens)).map(|(_, name)| name)
}

/// A selection of changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeFilter {
    /// All changes.
    All,
    /// Changes without a marker.
    Unmarked,
    /// Changes without a marker, except bookkeeping.
    Notable,
}

/// Returns changes in words, as old and new values, for each piece.
pub(crate) fn changes_in_words<'c>(
    view: &View<'_>,
    changes: impl Iterator<Item = &'c Change>,
    filter: ChangeFilter,
) -> Vec<(String, Vec<String>)> {
    let schema = &view.referee.ruleset().schema;
    let mut found = Vec::new();
    for ((kind, piece), net) in net_changes(changes) {
        let Some(of) = schema.kind_named(kind).map(|k| schema.kind(k)) else { continue };
        let mut words = Vec::new();
        let marked_too = filter == ChangeFilter::All;
        if marked_too || of.marker.is_none() {
            words.extend(net.made.then(|| format!("a new {kind}")));
            words.extend(net.removed.then(|| "taken off".to_owned()));
        }
        for (name, change) in net.attributes.iter().filter(|_| !net.removed) {
            let attribute = of.attribute(name).filter(|_| change.old != change.new);
            let Some(attribute) = attribute else { continue };
            if !marked_too && attribute.marker.is_some() {
                continue;
            }
            if filter == ChangeFilter::Notable && attribute.bookkeeping {
                continue;
            }
            let secret = revealed_name(of, attribute);
            // A new piece had no value before.
            let from = |old: String| if net.made { String::new() } else { old + " → " };
            let NetChange { old, new } = change;
            words.push(match (secret, new.as_slice()) {
                (Some(secret), [Value::Flag(on)]) => {
                    format!("{secret}{}revealed to all", if *on { "" } else { "no longer " })
                }
                (Some(secret), []) => format!("{secret}no longer revealed to {}", join_values(old)),
                (Some(secret), all) => format!("{secret}revealed to {}", join_values(all)),
                (None, _) if attribute.ty == Type::Text => {
                    format!(
                        "{name} {}“{}”",
                        from(format!("“{}”", join_values(old))),
                        join_values(new)
                    )
                }
                (None, [new @ Value::Flag(on)]) if of.role == KindRole::Pieces => {
                    match &attribute.marker {
                        Some(marker) => value_words(schema, attribute, marker, new),
                        None if *on => name.clone(),
                        None => format!("no longer {name}"),
                    }
                }
                (None, _) => format!("{name} {}{}", from(join_values(old)), join_values(new)),
            });
        }
        if !words.is_empty() {
            found.push((name_without_number(piece).to_owned(), words));
        }
    }
    found
}

#[cfg(test)]
mod tests;
