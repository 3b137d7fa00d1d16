//! The list of pieces and markers to lay out before the game: first those of no side, then those of
//! each side.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::language::machine::World;
use crate::language::schema::{Attribute, KindId, KindRole, Type};
use crate::names::proper_name;
use crate::render::document::Document;
use crate::render::json::{PieceChangesAnswer, piece_changes};
use crate::render::markup::{Line, Role, Text};
use crate::render::table::attribute_heading;
use crate::render::view::View;
use crate::render::{hands, looks, paper, plan};
use crate::tabletop::{Change, Scenario};

/// The pieces to lay out before the game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SetupAnswer {
    /// The pieces to lay out, by side. Pieces of no side are listed first.
    pub setup: Vec<SideSetup>,
    /// The name of the game; only in an answer given outside a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of the scenario; only in an answer given outside a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
}

/// The pieces to lay out for one side.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SideSetup {
    /// The name of the side; `null` for pieces of no side.
    pub side: Option<String>,
    /// The pieces, with the instructions for each.
    pub pieces: Vec<PieceChangesAnswer>,
}

/// Pieces with the instructions for each, grouped by side.
type PiecesBySide = IndexMap<Option<String>, Vec<(String, Vec<String>)>>;

fn pieces_by_side(view: &View<'_>) -> PiecesBySide {
    let schema = &view.referee.ruleset().schema;
    let laid_out = schema.piece_kinds().flat_map(|(id, kind)| {
        let kind = &kind.name;
        let rows = view.table.present_pieces(id);
        rows.map(move |row| Change::Made {
            kind: kind.clone(),
            piece: view.table.piece_name(id, row),
        })
    });
    let laid_out: Vec<Change> = laid_out.collect();
    // Pieces of no side are laid out first.
    let mut groups: PiecesBySide = [(None, Vec::new())].into();
    let found = |change: &Change| view.table.find(change.piece()?.1);
    let signed = laid_out.iter().filter_map(found).flat_map(|(id, row)| {
        unmarked_signs(view, id, row)
            .into_iter()
            .map(move |words| (view.table.piece_name(id, row), vec![words]))
    });
    let mut items: Vec<(String, Vec<String>)> = signed.collect();
    items.extend(hands::piece_instructions(view, laid_out.iter()));
    // A piece without a marker is still laid out if it can get markers.
    for change in &laid_out {
        let Some((kind, name)) = change.piece() else { continue };
        let of = schema.kind_named(kind).map(|kind| schema.kind(kind));
        let marked =
            of.is_some_and(|of| !of.plan && of.attributes.iter().any(|a| a.marker.is_some()));
        if marked && !items.iter().any(|(told, _)| told == name) {
            items.push((name.to_owned(), vec![kind.to_owned()]));
        }
    }
    let mut described: BTreeSet<String> = BTreeSet::new();
    for (name, mut words) in items {
        let piece = view.table.find(&name);
        if let Some((kind, row)) = piece.filter(|_| described.insert(name.clone())) {
            words.splice(0..0, what_it_is(view, kind, row));
        }
        let side = piece.and_then(|(kind, row)| view.referee.side_of_piece(view.table, kind, row));
        let group = groups.entry(side).or_default();
        match group.iter_mut().find(|(other, _)| *other == name) {
            Some((_, all)) => all.extend(words),
            None => group.push((name, words)),
        }
    }
    groups.retain(|_, group| !group.is_empty());
    groups
}

/// Returns the side, kind and row of each piece to lay out, grouped by side.
pub(super) fn pieces_laid_out(view: &View<'_>) -> Vec<(Option<String>, KindId, u32)> {
    let mut pieces = Vec::new();
    for (side, group) in pieces_by_side(view) {
        for (name, _) in group {
            if let Some((kind, row)) = view.table.find(&name) {
                pieces.push((side.clone(), kind, row));
            }
        }
    }
    pieces
}

/// Returns a description of a piece in addition to its markers: its rows of printed lists, such as
/// type, weapon and rank, and any words that differ from the initial values.
pub(super) fn what_it_is(view: &View<'_>, kind: KindId, row: u32) -> Vec<String> {
    let described = describing_attributes(view, kind, row).into_iter();
    described
        .filter_map(|index| view.referee.attribute_text(view.table, kind, row, index))
        .collect()
}

/// Returns the attributes that describe a piece in addition to its markers, by index.
pub(super) fn describing_attributes(view: &View<'_>, kind: KindId, row: u32) -> Vec<usize> {
    let schema = &view.referee.ruleset().schema;
    let of = schema.kind(kind);
    if of.plan {
        return Vec::new();
    }
    let describes = |(index, attribute): (usize, &Attribute)| {
        let listed = match attribute.ty {
            Type::Piece(list) => schema.kind(list).role == KindRole::List,
            Type::Word(_) => true,
            _ => false,
        };
        let open =
            !attribute.bookkeeping && attribute.marker.is_none() && attribute.secret.is_none();
        // Another attribute with the same words has a marker, which shows enough.
        let marked = of.attributes.iter().any(|a| a.marker.is_some() && a.ty == attribute.ty);
        let side = of.side_attribute == Some(index);
        let value = view.table.get(attribute.storage.cell()?, row);
        let own = value != attribute.start && value >= 0;
        (listed && open && !marked && !side && own).then_some(index)
    };
    of.attributes.iter().enumerate().filter_map(describes).collect()
}

/// The pieces of a side at the beginning of the game, counted by description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Force {
    /// The side; `None` for pieces of no side.
    pub side: Option<String>,
    /// The pieces of each kind, by description:
    /// `10 soldiers: leader, SMG (a1); 2 × gunner, BAR (a2, a6); 7 others`.
    pub lines: Vec<String>,
}

/// Returns the order of battle: the pieces of each side, counted. Areas of the plan are left out,
/// and so are pieces of no side, if the game has sides. The names of pieces that `is_named` accepts
/// follow their descriptions.
pub(crate) fn forces(view: &View<'_>, is_named: impl Fn(&str) -> bool) -> Vec<Force> {
    let schema = &view.referee.ruleset().schema;
    let mut forces = Vec::new();
    for (side, pieces) in pieces_by_side(view) {
        if side.is_none() && schema.sides.is_some() {
            continue;
        }
        let mut by_kind: IndexMap<KindId, IndexMap<String, Vec<&str>>> = IndexMap::new();
        for (name, _) in &pieces {
            let Some((kind, row)) = view.table.find(name) else { continue };
            if !schema.kind(kind).plan {
                let what = description(view, kind, row);
                by_kind.entry(kind).or_default().entry(what).or_default().push(name);
            }
        }
        let line = |(kind, groups): (KindId, IndexMap<String, Vec<&str>>)| {
            let count: usize = groups.values().map(Vec::len).sum();
            let of = schema.kind(kind);
            let noun = if count == 1 { &of.name } else { &of.plural };
            let (plain, described): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|(what, _)| what.is_empty());
            let is_alone = described.is_empty();
            let mention = |names: &[&str]| {
                let names = names.iter().filter(|name| is_named(name));
                names.map(|name| proper_name(name)).collect::<Vec<_>>().join(", ")
            };
            let with_mention = |what: String, names: &[&str]| match mention(names) {
                mentioned if mentioned.is_empty() => what,
                mentioned if names.iter().all(|name| is_named(name)) => {
                    format!("{what} ({mentioned})")
                }
                mentioned => format!("{what} (among them {mentioned})"),
            };
            let described = described.into_iter().map(|(what, names)| match names.len() {
                1 => with_mention(what, &names),
                number => with_mention(format!("{number} × {what}"), &names),
            });
            let others = plain.into_iter().map(|(_, names)| match names.len() {
                _ if is_alone => mention(&names),
                1 => with_mention("1 other".to_owned(), &names),
                others => with_mention(format!("{others} others"), &names),
            });
            let parts: Vec<String> =
                described.chain(others).filter(|part| !part.is_empty()).collect();
            let parts =
                if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) };
            format!("{count} {noun}{parts}")
        };
        let lines: Vec<String> = by_kind.into_iter().map(line).collect();
        if !lines.is_empty() {
            forces.push(Force { side, lines });
        }
    }
    // Pieces of no side come last, because they matter least in the battle.
    forces.sort_by_key(|force| force.side.is_none());
    forces
}

/// Describes a piece in words: the attribute by which players know it and its rows of printed
/// lists, such as its rank and weapon, or else its description in the set-up.
fn description(view: &View<'_>, kind: KindId, row: u32) -> String {
    let schema = &view.referee.ruleset().schema;
    let of = schema.kind(kind);
    let is_listed =
        |ty| matches!(ty, Type::Piece(list) if schema.kind(list).role == KindRole::List);
    let of_caption = |caption: usize| {
        let describes = |(index, attribute): (usize, &Attribute)| {
            let is_open = !attribute.bookkeeping && attribute.secret.is_none();
            let is_side = of.side_attribute == Some(index);
            let value = view.table.get(attribute.storage.cell()?, row);
            let is_told = index == caption || is_listed(attribute.ty) && value != attribute.start;
            (is_told && is_open && !is_side && value >= 0).then_some(index)
        };
        of.attributes.iter().enumerate().filter_map(describes).collect()
    };
    // Without a row of a list, words such as the arc of a gun don't describe a piece in an order of
    // battle.
    let of_set_up = || {
        let described = describing_attributes(view, kind, row);
        let has_row = described.iter().any(|index| is_listed(of.attributes[*index].ty));
        if has_row { described } else { Vec::new() }
    };
    let described: Vec<usize> = of.caption_attribute.map_or_else(of_set_up, of_caption);
    let words = described.into_iter().filter_map(|i| looks::words_of_value(view, kind, row, i));
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the attributes of an area that have a sign on the plan but no marker, in words. They
/// must be laid out, too.
fn unmarked_signs(view: &View<'_>, kind: KindId, row: u32) -> Vec<String> {
    let schema = &view.referee.ruleset().schema;
    // The ground is the plan itself.
    let signed =
        schema.kind(kind).attributes.iter().filter(|a| {
            !a.signs.is_empty() && a.marker.is_none() && !matches!(a.ty, Type::Word(_))
        });
    let words = signed.filter_map(|a| {
        let value = view.table.get(a.storage.cell()?, row);
        let number = if a.ty == Type::Flag { String::new() } else { format!(" {value}") };
        (value != a.start).then(|| format!("{}{number}", attribute_heading(a)))
    });
    words.collect()
}

/// Returns the list of pieces to lay out. Pieces with the same instructions share a line.
pub(crate) fn setup_text(view: &View<'_>) -> Text {
    let mut text = Text::new();
    for (side, items) in pieces_by_side(view) {
        text.push_empty_line().line(Role::Header, side.as_deref().unwrap_or("On the table"));
        for (names, words) in hands::group_same_changes(&items) {
            let line = Line::of(Role::Plain, "  ").and(Role::Strong, names);
            text.push(
                line.and(Role::Plain, format!("  {}", words.join(", "))).with_hanging_indent(6),
            );
        }
    }
    text
}

/// Returns the page for the players: the title, the list of pieces to lay out, and the plan if
/// there is one. `thrown` is true if dice decide part of the set-up.
pub fn players_page(view: &View<'_>, scenario: &Scenario, thrown: bool) -> Document {
    let mut title = paper::title::title(&view.referee.ruleset().game);
    title.scenario = Some(scenario.title.clone());
    title.notes.push(scenario.note.trim().to_owned());
    let mut page = Document { title: Some(Box::new(title)), blocks: Vec::new() };
    if thrown {
        page.line(
            Role::Notice,
            "dice decide part of the set-up: `layout` shows it when the game begins",
        );
    }
    page.push_empty_line().extend(setup_text(view));
    if let Some(plan) = plan::plan_text(view, &[]) {
        page.push_empty_line().extend(plan);
    }
    page
}

/// Returns the pieces to lay out, for machines.
pub fn setup_answer(view: &View<'_>) -> SetupAnswer {
    let one = |(side, items)| SideSetup { side, pieces: piece_changes(items) };
    SetupAnswer {
        setup: pieces_by_side(view).into_iter().map(one).collect(),
        name: None,
        scenario: None,
    }
}
