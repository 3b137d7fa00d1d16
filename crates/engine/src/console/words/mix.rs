//! `mix`: mixes the players' words into later dice.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{ANY_NUMBER, TypedLine};
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};
use crate::session::plain_words;

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

/// The answer to `mix`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct MixAnswer {
    /// The words that were mixed into the dice, in their plain form (only letters from a to z,
    /// digits and single spaces).
    pub words: String,
}

const USAGE: &str = "mix WORDS";

pub(super) const MIX: Word = Word {
    name: "mix",
    usage: USAGE,
    help: "mix the players' words or numbers into the dice that follow",
    sample: &[
        "`mix six will do` can be typed at any time, and affects all later dice; a player says the words aloud before they are typed; see docs/fair-dice.md",
    ],
    yields: true,
    most: ANY_NUMBER,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(mix(play, typed)))
            .with_answers(&[|| answer::<MixAnswer>("answers to mix", "`mix WORDS`")]),
    )
};

async fn mix(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let words = typed.free_text(USAGE)?;
    let words = plain_words(&words).map_err(Failure::of)?;
    play.record(|session, at| session.mix(&words, at)).await?;
    let text = Text::of(Role::Plain, format!("mixed into the dice from here on: {words}"));
    Ok(Reply::new(text, MixAnswer { words }))
}
