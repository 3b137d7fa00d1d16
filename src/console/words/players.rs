//! `players`: who plays, for the head of the transcript.

use adjutant_engine::command::{MANY, TypedLine};
use adjutant_engine::render::markup::{Role, Text};
use serde_json::json;

use crate::console::play::{Frontend, Play};
use crate::console::reply::{Replied, Reply};
use crate::console::words::{Run, Word};

pub(super) const PLAYERS: Word = Word {
    name: "players",
    usage: "players NAMES",
    help: "say who plays, for the head of the transcript",
    sample: &[
        "`players Anna and Tom (red), Ben (blue)`; typed again, it puts other names in their place",
    ],
    yields: true,
    most: MANY,
    ..Word::of(players as Run)
};

fn players(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let players = typed.free_text(PLAYERS.usage)?;
    play.record(ui, |session, at| session.set_players(&players, at))?;
    let text = Text::of(Role::Plain, format!("the players: {players}"));
    Ok(Reply::new(text, json!({ "players": players })))
}
