//! The list of what to lay out before the game: the table first, then what each side has.

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::hands;
use super::json::{array, pairs};
use super::markup::{Line, Role, Text};
use super::outcome::View;
use crate::language::schema::{KindId, Role as Kinds};
use crate::tabletop::Change;

/// Pieces and what to do with each, by the side they belong to.
type Groups = IndexMap<Option<String>, Vec<(String, Vec<String>)>>;

fn groups(view: &View<'_>) -> Groups {
    let schema = &view.referee.ruleset().schema;
    let ids = (0..schema.kinds.len()).map(KindId::from_index);
    let pieces = ids.filter(|kind| schema.kind(*kind).role == Kinds::Pieces);
    let laid_out = pieces.flat_map(|id| {
        let kind = &schema.kind(id).name;
        let rows = view.table.present(id);
        rows.map(move |row| Change::Made {
            kind: kind.clone(),
            piece: view.table.piece_name(id, row),
        })
    });
    let laid_out: Vec<Change> = laid_out.collect();
    // What belongs to nobody is laid out first.
    let mut groups: Groups = [(None, Vec::new())].into();
    let mut items = hands::items(view, laid_out.iter());
    // A piece that no marker tells of is laid out all the same, if markers can come to it.
    for change in &laid_out {
        let Some((kind, name)) = change.piece() else { continue };
        let of = schema.kind_named(kind).map(|kind| schema.kind(kind));
        let marked =
            of.is_some_and(|of| !of.plan && of.attributes.iter().any(|a| a.marker.is_some()));
        if marked && !items.iter().any(|(told, _)| told == name) {
            items.push((name.to_owned(), vec![kind.to_owned()]));
        }
    }
    for (name, words) in items {
        let piece = view.table.find(&name);
        let side = piece.and_then(|(kind, row)| view.referee.side(view.table, kind, row));
        groups.entry(side).or_default().push((name, words));
    }
    groups.retain(|_, items| !items.is_empty());
    groups
}

/// Returns what is laid out, a line each; like things together.
pub(crate) fn text(view: &View<'_>) -> Text {
    let mut text = Text::new();
    for (side, items) in groups(view) {
        text.gap().line(Role::Header, side.as_deref().unwrap_or("On the table"));
        for (names, words) in hands::together(&items) {
            let line = Line::of(Role::Plain, "  ").and(Role::Strong, names);
            text.push(line.and(Role::Plain, format!("  {}", words.join(", "))).hanging(6));
        }
    }
    text
}

/// Returns what is laid out, for machines.
pub(crate) fn data(view: &View<'_>) -> Value {
    let groups = groups(view);
    json!({ "setup": array(groups, |(side, items)| json!({ "side": side, "pieces": pairs(items) })) })
}
