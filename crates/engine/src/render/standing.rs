//! The expected state of the real table, place by place, so that the umpire can check the table.
//! The changes to make are in [`hands`](super::hands).

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::language::machine::World;
use crate::language::schema::{Kind, KindId, STATE_KIND};
use crate::render::hands;
use crate::render::markup::{Line, Role};
use crate::render::view::View;

/// The heading for pieces without a place or a side.
const ELSEWHERE: &str = "elsewhere";

/// A place on the table, with the pieces that should be there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct PlaceAnswer {
    /// The area or other place. Pieces without a recorded place are listed under their side, or
    /// under `elsewhere` if they have no side. The markers of the game as a whole are listed under
    /// `the game`.
    pub place: String,
    /// The pieces at the place. The area itself is included if it has markers.
    pub pieces: Vec<StandingPieceAnswer>,
}

/// A piece on the table, with its markers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct StandingPieceAnswer {
    /// The name of the piece, or an empty string for the game as a whole.
    pub piece: String,
    /// The markers next to the piece, in words.
    pub markers: Vec<String>,
}

impl PlaceAnswer {
    /// Adds the place and its content to a line.
    pub(crate) fn add_to(&self, line: Line) -> Line {
        let items: Vec<(String, Vec<String>)> = self
            .pieces
            .iter()
            .map(|standing| (standing.piece.clone(), standing.markers.clone()))
            .collect();
        let mut shown: Vec<String> = Vec::new();
        let mut bare = false;
        for (piece, markers) in hands::group_same_changes(&items) {
            let names_itself = piece == self.place || piece.is_empty();
            let name = if names_itself { String::new() } else { piece };
            let gap = if name.is_empty() || markers.is_empty() { "" } else { " " };
            let words = format!("{name}{gap}{}", markers.join(", "));
            match shown.last_mut() {
                // Pieces without markers are joined in one list.
                Some(last) if bare && markers.is_empty() => last.push_str(&format!(", {words}")),
                _ => shown.push(words),
            }
            bare = markers.is_empty();
        }
        if shown.is_empty() {
            shown.push("nothing".to_owned());
        }
        let mut line = line.and(Role::Strong, &self.place).and(Role::Plain, "  ");
        let last = shown.len() - 1;
        for (index, words) in shown.into_iter().enumerate() {
            let sign = if index < last { "; " } else { "" };
            line.push(Role::Plain, format!("{words}{sign}"));
        }
        line
    }
}

/// Returns every place with something on it: first the areas with markers, then the other places in
/// the order of the pieces, and finally the game itself if it has markers.
pub(crate) fn places(view: &View<'_>) -> Vec<PlaceAnswer> {
    let schema = &view.referee.ruleset().schema;
    let mut places: IndexMap<String, Vec<StandingPieceAnswer>> = IndexMap::new();
    let mut stand = |place: String, piece: String, markers: Vec<String>| {
        places.entry(place).or_default().push(StandingPieceAnswer { piece, markers });
    };
    let (areas, others): (Vec<_>, Vec<_>) = schema.piece_kinds().partition(|(_, of)| of.plan);
    for (kind, of) in areas.into_iter().chain(others) {
        for row in view.table.present_pieces(kind) {
            let markers = hands::markers(view, kind, row);
            if !markers.is_empty() || is_a_thing(of) {
                stand(place_of(view, kind, row), view.table.piece_name(kind, row), markers);
            }
        }
    }
    let markers = hands::markers(view, STATE_KIND, 0);
    if !markers.is_empty() {
        stand("the game".to_owned(), String::new(), markers);
    }
    let all = places.into_iter();
    all.map(|(place, pieces)| PlaceAnswer { place, pieces }).collect()
}

/// Returns true if pieces of this kind are objects on the real table even if they have no markers
/// at the moment. Areas are not, because they are the plan itself; nor are parts of other pieces,
/// such as guns.
pub(crate) fn is_a_thing(of: &Kind) -> bool {
    let has_place = of.location().is_some() && of.attributes.iter().any(|a| a.marker.is_some());
    !of.plan && (of.marker.is_some() || has_place)
}

/// Returns the place of a piece, or else its side, or else [`ELSEWHERE`].
fn place_of(view: &View<'_>, kind: KindId, row: u32) -> String {
    let of = view.referee.ruleset().schema.kind(kind);
    if of.plan {
        return view.table.name(kind, row).to_owned();
    }
    let at = of
        .place_attribute
        .filter(|index| view.hidden.is_none_or(|hidden| !hidden.hides_cell(kind, row, *index)));
    let at = at.and_then(|index| view.referee.attribute_text(view.table, kind, row, index));
    let at = at.filter(|place| !matches!(place.as_str(), "" | "none"));
    at.or_else(|| view.referee.side_of_piece(view.table, kind, row))
        .unwrap_or_else(|| ELSEWHERE.to_owned())
}
