//! `save`: saves the session, or renames it. Without a name, shows the folder of the saved session.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{ANY_NUMBER, LineError, TypedLine};
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::step::SessionCopy;

/// The answer to `save`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct SaveAnswer {
    /// The folder of the session.
    pub kept: String,
}

pub(super) const SAVE: Word = Word {
    name: "save",
    usage: "save [NAME]",
    help: "save the session under a name",
    most: ANY_NUMBER,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(save(play, typed)))
            .with_answers(&[|| answer::<SaveAnswer>("answers to save", "`save`")]),
    )
};

async fn save(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    // `save it, we break for tea` names no session.
    let name = typed.text_after_first().filter(|name| !name.contains(' ') || name.starts_with('"'));
    if let Some(name) = name {
        let copy = play.folder.is_none().then(|| SessionCopy::of(&play.session));
        play.folder = Some(play.host.save(name, copy).await.map_err(Failure::of)?);
        play.unsaved = false;
    }
    let folder = play
        .folder
        .as_ref()
        .ok_or_else(|| LineError::new(None, "the game isn't saved").help("`save NAME` saves it"))?;
    Ok(Reply::new(
        Text::of(Role::Plain, format!("saved in {folder}")),
        SaveAnswer { kept: folder.clone() },
    ))
}
