//! The last results about a piece: what was rolled and said for it, also if that changed nothing. They
//! answer `why didn't b1 grow`, where no change explains anything.

use super::play::Play;
use crate::referee::{Event, Outcome};
use crate::render::markup::{Line, Role, Text};
use crate::render::outcome;
use crate::session::Entry;

/// The maximum number of commands whose results are shown.
const MAX_COMMANDS: usize = 2;

/// The results are those of this turn and of this number of turns before it.
const TURNS_BEFORE: i64 = 1;

/// Returns the heading of the last results about a piece.
pub(super) fn heading(name: &str) -> String {
    format!("the last results about {name}:")
}

/// Returns the last results about the first of these pieces below their heading, the latest first. With several pieces, results about all of them go before results about the first. Returns `None`
/// if there are none.
pub(super) fn about(play: &Play, names: &[String]) -> Option<Text> {
    let (name, others) = names.split_first()?;
    let board = play.session.board();
    let earliest = play.session.turn() - TURNS_BEFORE;
    let entries = play.session.entries().iter().rev().map(AsRef::as_ref);
    let entries = entries.take_while(|entry: &&Entry| entry.turn >= earliest);
    let of_rules = entries.filter(|e| board.is_current(e.number) && !e.outcome.only_looks());
    let found = of_rules
        .filter_map(|entry| Some((entry, entry.outcome.about_piece(name)?)))
        .filter(|(_, outcome)| outcome.events.iter().any(|e| !matches!(e, Event::Asked { .. })));
    let is_about_all = |(entry, _): &(&Entry, Outcome)| {
        others.iter().all(|other| entry.outcome.about_piece(other).is_some())
    };
    let mut shown: Vec<(&Entry, Outcome)> =
        found.clone().filter(is_about_all).take(MAX_COMMANDS).collect();
    if shown.is_empty() {
        shown = found.take(MAX_COMMANDS).collect();
    }
    if shown.is_empty() {
        return None;
    }
    let heading = Line::of(Role::Plain, heading(name)).with_hanging_indent(2);
    let mut text = Text::from_iter([heading]);
    for (entry, outcome) in shown {
        let view = play.view(play.width).of_command(board, entry.number);
        text.push(
            Line::of(Role::Quiet, format!("{} ", entry.number)).and(Role::Strong, &entry.line),
        );
        text.extend(outcome::untitled_events_text(&view, &outcome));
    }
    Some(text)
}

/// Returns the piece among these that the latest result is about; `None` if there is no such result.
pub(super) fn latest_of(play: &Play, names: &[String]) -> Option<String> {
    let entries = play.session.entries().iter().rev();
    let mut recent = entries.take_while(|entry| entry.turn >= play.session.turn() - TURNS_BEFORE);
    recent.find_map(|entry| {
        let mut about = names.iter().filter(|name| entry.outcome.about_piece(name).is_some());
        about.next().cloned()
    })
}
