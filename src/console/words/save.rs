//! `save`: keeps the session, or gives it another name.

use adjutant_engine::command::{LineError, MANY, TypedLine};
use adjutant_engine::render::markup::{Role, Text};
use serde_json::json;

use crate::console::play::{Frontend, Play};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::words::{Run, Word};
use crate::session_folder;

pub(super) const SAVE: Word = Word {
    name: "save",
    usage: "save [NAME]",
    help: "keep the session under a name",
    most: MANY,
    ..Word::of(save as Run)
};

fn save(play: &mut Play, typed: &TypedLine<'_>, _: &mut dyn Frontend) -> Replied {
    if let Some(name) = typed.text() {
        let root = play.root.as_ref().ok_or_else(|| {
            Failure::of("there is no folder for sessions here; play with `--session NAME`")
        })?;
        session_folder::save(&mut play.session, root, &name)?;
        play.unkept = false;
        play.transcribe();
    }
    let folder = play.session.folder().map(|f| f.display().to_string());
    let folder = folder
        .ok_or_else(|| LineError::new(None, "nothing is kept").help("`save NAME` keeps it"))?;
    Ok(Reply::new(Text::of(Role::Plain, format!("kept in {folder}")), json!({ "kept": folder })))
}
