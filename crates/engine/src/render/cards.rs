//! The pieces of a game as cards, grouped by side, for the players' pages.

use indexmap::IndexMap;

use crate::language::schema::{Kind, KindId, KindRole, Schema, SecretFor, Type};
use crate::render::hands;
use crate::render::looks::{self, SideColours};
use crate::render::markup::Text;
use crate::render::print::escape::clean_and_escape;
use crate::render::show::{self, ShowExtent, ShowSubject};
use crate::render::standing::is_a_thing;
use crate::render::view::View;

/// The maximum number of cards that are shown.
const MOST_CARDS: usize = 400;

/// Returns true if pieces of this kind have cards.
fn has_cards(of: &Kind) -> bool {
    let has_picture = of.glyph.is_some() || of.attributes.iter().any(|a| !a.glyphs.is_empty());
    of.role == KindRole::Pieces && !of.plan && (has_picture || is_a_thing(of))
}

/// Returns the cards of at most `MOST_CARDS` pieces, grouped by side, as HTML. Pieces that belong
/// to no side come last.
pub(crate) fn cards_html(view: &View<'_>) -> String {
    let colours = SideColours::of(view);
    let mut by_side: IndexMap<Option<String>, Vec<String>> = IndexMap::new();
    for side in looks::sides_in_order(view) {
        by_side.insert(Some(side), Vec::new());
    }
    for piece in pieces_with_cards(view).take(MOST_CARDS) {
        let side = visible_side(view, piece);
        let card = card_html(view, piece, colours.class(side.as_deref()), &[]);
        by_side.entry(side).or_default().push(card);
    }
    // Move the pieces without a side to the end.
    if let Some(others) = by_side.shift_remove(&None) {
        by_side.insert(None, others);
    }
    let is_divided = by_side.iter().filter(|(_, cards)| !cards.is_empty()).count() > 1;
    let groups = by_side.iter().filter(|(_, cards)| !cards.is_empty()).map(|(side, cards)| {
        let title = match side {
            Some(side) => format!("<h3>{}</h3>", clean_and_escape(side)),
            None if is_divided => "<h3>others</h3>".to_owned(),
            None => String::new(),
        };
        format!("<div class=\"cards\">{title}<ul>{}</ul></div>", cards.concat())
    });
    groups.collect()
}

/// Returns the cards of a player's pieces as HTML, each with the verbs that the current phase
/// offers to the piece, unless another side is to move. The string is empty if the player has no
/// such pieces.
pub(crate) fn player_cards_html(view: &View<'_>, player: &str) -> String {
    let colours = SideColours::of(view);
    let is_own = |(kind, row): &(KindId, u32)| {
        view.referee.player_of_piece(view.table, *kind, *row).as_deref() == Some(player)
    };
    let own = pieces_with_cards(view).filter(is_own).take(MOST_CARDS);
    let moving = view.referee.side_to_move(view.table);
    let card = |piece: (KindId, u32)| {
        let side = visible_side(view, piece);
        let is_waiting = moving.is_some() && moving != side;
        let verbs = if is_waiting { Vec::new() } else { verbs_of_phase(view, piece.0) };
        card_html(view, piece, colours.class(side.as_deref()), &verbs)
    };
    let cards: String = own.map(card).collect();
    if cards.is_empty() { cards } else { format!("<div class=\"cards\"><ul>{cards}</ul></div>") }
}

/// Returns all texts for a player to read, as HTML: the texts of the piece that represents the
/// player, and the texts of the player's secret pieces.
pub(crate) fn briefing_html(view: &View<'_>, player: &str) -> String {
    let schema = &view.referee.ruleset().schema;
    let mut items = String::new();
    for (kind, of) in schema.piece_kinds().filter(|(kind, _)| is_for_players(schema, *kind)) {
        for row in view.table.present_pieces(kind) {
            if view.referee.player_of_piece(view.table, kind, row).as_deref() != Some(player) {
                continue;
            }
            for (index, attribute) in of.attributes.iter().enumerate() {
                let is_hidden = view.hidden.is_some_and(|hides| hides.hides_cell(kind, row, index));
                if attribute.ty != Type::Text || attribute.bookkeeping || is_hidden {
                    continue;
                }
                let words = view.referee.attribute_text(view.table, kind, row, index);
                let words = words.filter(|words| !words.is_empty()).unwrap_or_default();
                if !words.is_empty() {
                    let title = attribute.title.as_ref().unwrap_or(&attribute.name);
                    let (title, words) = (clean_and_escape(title), clean_and_escape(&words));
                    items.push_str(&format!("<dt>{title}</dt><dd>{words}</dd>"));
                }
            }
        }
    }
    if items.is_empty() { items } else { format!("<dl>{items}</dl>") }
}

/// Returns true if the texts of a kind are for players to read: its pieces represent players, or
/// each piece is secret and belongs to one player.
pub(crate) fn is_for_players(schema: &Schema, kind: KindId) -> bool {
    let secret = schema.kind(kind).secret;
    schema.players == Some(kind)
        || secret.is_some_and(|secret| secret.secret_for == SecretFor::OwnPlayer)
}

/// Returns the verbs that the current phase offers to pieces of a kind.
fn verbs_of_phase<'v>(view: &'v View<'_>, kind: KindId) -> Vec<&'v str> {
    let ruleset = view.referee.ruleset();
    let Some(phase) = view.referee.phase_index(view.table) else { return Vec::new() };
    let acts = |verb: &&str| {
        ruleset.rules_for_verb(verb).iter().any(|id| {
            let rule = &ruleset.schema.rules[id.index()];
            let acting = rule.acting_piece().map(|index| rule.params[index].ty.member_or_self());
            acting == Some(Type::Piece(kind))
        })
    };
    let verbs = ruleset.phases[phase].verbs.iter().map(|(verb, _)| verb.as_str());
    verbs.filter(acts).collect()
}

/// Returns the present pieces that have cards, kind by kind.
fn pieces_with_cards<'v>(view: &'v View<'_>) -> impl Iterator<Item = (KindId, u32)> + 'v {
    let kinds = view.referee.ruleset().schema.piece_kinds().filter(|(_, of)| has_cards(of));
    kinds.flat_map(|(kind, _)| view.table.present_pieces(kind).map(move |row| (kind, row)))
}

/// Returns the side of a piece, if it has one and the viewer may know it.
fn visible_side(view: &View<'_>, (kind, row): (KindId, u32)) -> Option<String> {
    let side = view.referee.side_of_piece(view.table, kind, row);
    let side = side.filter(|side| !matches!(side.as_str(), "" | "none"));
    side.filter(|_| {
        let index = view.referee.ruleset().schema.kind(kind).side_attribute;
        index.is_none_or(|i| view.hidden.is_none_or(|hidden| !hidden.hides_cell(kind, row, i)))
    })
}

/// Returns the card of a piece as HTML, with the colours of the CSS class `class` and the verbs
/// that are offered to the piece.
fn card_html(view: &View<'_>, (kind, row): (KindId, u32), class: &str, verbs: &[&str]) -> String {
    let of = view.referee.ruleset().schema.kind(kind);
    let glyph = looks::glyph(view, kind, row).map_or(String::new(), |glyph| {
        let path = looks::glyph_path(glyph);
        format!("<svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"{path}\"/></svg>")
    });
    let name = clean_and_escape(&view.table.piece_name(kind, row));
    let caption = looks::caption(view, kind, row);
    let caption =
        caption.map_or(String::new(), |words| format!(" <b>{}</b>", clean_and_escape(&words)));
    let mut words: Vec<String> = Vec::new();
    words.extend(place_words(view, of, (kind, row)));
    let without = [of.caption_attribute, of.side_attribute];
    words.extend(hands::markers_without(view, kind, row, &without));
    let words = clean_and_escape(&words.join(", "));
    let verbs = match clean_and_escape(&verbs.join(", ")) {
        verbs if verbs.is_empty() => verbs,
        verbs => format!(" <span class=\"quiet\">now: {verbs}</span>"),
    };
    format!(
        "<li class=\"card\"><span class=\"counter {class}\">{glyph}{name}</span>{caption} {words}{verbs}</li>"
    )
}

/// Returns the place of a piece in words; `None` if the piece has no place, or the viewer may not
/// know it.
fn place_words(view: &View<'_>, of: &Kind, (kind, row): (KindId, u32)) -> Option<String> {
    let index = of.place_attribute?;
    if view.hidden.is_some_and(|hidden| hidden.hides_cell(kind, row, index)) {
        return None;
    }
    let place = view.referee.attribute_text(view.table, kind, row, index)?;
    (!matches!(place.as_str(), "" | "none")).then(|| format!("at {place}"))
}

/// Returns the other facts that players know, as tables: the state of the game, and the pieces
/// without cards, if their kind has a roster or markers.
pub(crate) fn other_facts(view: &View<'_>) -> Text {
    let schema = &view.referee.ruleset().schema;
    let mut text = show::show(view, &[ShowSubject::State], ShowExtent::Page);
    for (kind, of) in schema.piece_kinds() {
        let is_marked = of.attributes.iter().any(|attribute| attribute.marker.is_some());
        let is_told = !of.roster.is_empty() || of.is_built_in() || is_marked;
        let is_there = view.table.present_pieces(kind).next().is_some();
        if is_there && is_told && !has_cards(of) && !of.plan {
            text.push_empty_line();
            text.extend(show::show(view, &[ShowSubject::Kind(kind)], ShowExtent::Page));
        }
    }
    text
}
