//! `players`: names the players, for the top of the transcript.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{ANY_NUMBER, LineError, TypedLine};
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

/// The answer to `players`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PlayersAnswer {
    /// The players, as typed.
    pub players: String,
}

const USAGE: &str = "players NAMES";

pub(super) const PLAYERS: Word = Word {
    name: "players",
    usage: USAGE,
    help: "name the players, for the top of the transcript",
    sample: &["`players Anna and Tom (red), Ben (blue)`; type it again to replace the names"],
    yields: true,
    most: ANY_NUMBER,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(players(play, typed)))
            .with_answers(&[|| answer::<PlayersAnswer>("answers to players", "`players NAMES`")]),
    )
};

/// Words that show that a text is a sentence about the players, not a list of their names.
const OF_SENTENCE: [&str; 50] = [
    "say", "says", "said", "think", "thinks", "thought", "agreed", "argue", "argued", "ask",
    "asked", "that", "they", "them", "all", "give", "gave", "to", "not", "get", "got", "take",
    "draw", "draws", "their", "own", "want", "wants", "would", "like", "have", "has", "had", "are",
    "is", "were", "was", "roll", "rolls", "rolled", "throw", "threw", "dice", "go", "move",
    "agree", "decide", "decided", "for", "it",
];

/// Returns true if a word belongs to a sentence. Names that begin with a capital letter don't
/// match.
fn is_of_sentence(word: &str) -> bool {
    OF_SENTENCE.contains(&word)
}

async fn players(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let players = typed.free_text(USAGE)?;
    if let Some(word) = typed.words_after_first().iter().find(|word| is_of_sentence(&word.text)) {
        let error = LineError::new(Some(word), "these are not the names of the players");
        let help = "`players NAMES` names them; `dice physical` lets the players roll their dice";
        return Err(error.help(help).into());
    }
    play.record(|session, at| session.set_players(&players, at)).await?;
    let text = Text::of(Role::Plain, format!("the players: {players}"));
    Ok(Reply::new(text, PlayersAnswer { players }))
}
