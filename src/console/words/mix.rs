//! `mix`: words of the players go into the dice that follow.

use adjutant_engine::command::{MANY, TypedLine};
use adjutant_engine::render::markup::{Role, Text};
use adjutant_engine::session::check_words;
use serde_json::json;

use crate::console::play::{Frontend, Play};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::words::{Run, Word};

pub(super) const MIX: Word = Word {
    name: "mix",
    usage: "mix WORDS",
    help: "mix words or numbers of the players into the dice that follow",
    sample: &[
        "`mix six will do`: at any time, for all dice that follow; who says the words says them aloud before they are typed; see docs/fair-dice.md",
    ],
    yields: true,
    most: MANY,
    ..Word::of(mix as Run)
};

fn mix(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let words = typed.free_text(MIX.usage)?;
    check_words(&words).map_err(Failure::of)?;
    play.record(ui, |session, at| session.mix(&words, at))?;
    let text = Text::of(Role::Plain, format!("mixed into the dice from here on: {words}"));
    Ok(Reply::new(text, json!({ "words": words })))
}
