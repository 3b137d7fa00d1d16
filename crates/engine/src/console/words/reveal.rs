//! `reveal`: reveals a secret; without a name, shows the seed and records that it was shown.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::TypedLine;
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};

use super::head::closing_head;
use crate::console::play::{Handler, Play};
use crate::console::reply::{Replied, Reply};

/// The answer to `reveal`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RevealAnswer {
    /// The seed, in hexadecimal.
    pub seed: String,
    /// The seal: the hash of the seed.
    pub seal: String,
    /// The text given with `--seed`, if any.
    pub seed_text: Option<String>,
    /// The words that the players mixed into the dice.
    pub words: Vec<MixedWords>,
    /// The closing head.
    pub head: Option<String>,
}

/// Words that the players mixed into the dice.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct MixedWords {
    /// The number of the first throw that the words affect.
    pub from: u64,
    /// The words, in their plain form.
    pub words: String,
}

/// The handler of `reveal`.
pub(super) const HANDLER: Handler = Handler::stepwise(|play, typed| Box::pin(reveal(play, typed)))
    .with_answers(&[|| answer::<RevealAnswer>("answers to reveal", "`reveal`")]);

async fn reveal(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    if !typed.words_after_first().is_empty() {
        return play.act(typed).await;
    }
    let before = play.session.last_before_reveal().is_some();
    if !before {
        play.record(|session, at| session.reveal(at)).await?;
    }
    let session = &play.session;
    let seed = session.seed().to_hex();
    let seal = session.seal();
    let mut text = Text::of(Role::Strong, format!("seed  {seed}"));
    if let Some(words) = session.seed_text() {
        text.line(Role::Plain, format!("made from the text `{words}`"));
    }
    text.line(Role::Plain, format!("seal  {seal}"));
    for (from, words) in session.players_words() {
        let words = format!("words `{words}` (from throw {from} on)");
        text.line(Role::Plain, words);
    }
    let open = if before {
        "it has already been revealed; this session is open"
    } else {
        "this session is now open: anyone who knows the seed can predict every die, unless the players roll (`dice physical`)"
    };
    text.line(Role::Notice, open);
    text.extend(closing_head(play).text);
    let words = session.players_words().iter();
    let data = RevealAnswer {
        seed,
        seal: seal.to_owned(),
        seed_text: session.seed_text().map(str::to_owned),
        words: words
            .map(|(from, words)| MixedWords { from: *from, words: words.clone() })
            .collect(),
        head: session.head().map(|head| head.to_string()),
    };
    Ok(Reply::new(text, data))
}
