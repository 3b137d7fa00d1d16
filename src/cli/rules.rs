//! `adjutant rules`: a game's charts as a referee's sheet.

use serde_json::json;

use super::screen::Screen;
use super::{Code, Ended, Failed, library};
use crate::render;

/// What `rules` can be told.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant rules blitz\n  adjutant rules blitz bomb-run\n  adjutant rules my-rules/ verbs"
)]
pub struct Arguments {
    /// A shipped game or the path of a ruleset
    game: String,
    /// A chart, list, rule, verb or phase; or `phases`, `verbs`, `options`
    topic: Option<String>,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let (name, ruleset) = library::load(&arguments.game, screen)?;
    let width = screen.width();
    let text = match &arguments.topic {
        None => render::sheet::sheet(&ruleset, width),
        Some(topic) => render::sheet::topic(&ruleset, topic, width).map_err(Failed::Message)?,
    };
    if screen.json {
        let mut document = render::json::sheet(&ruleset);
        document["name"] = json!(name);
        document["text"] = json!(text.plain(80));
        screen.document(&document)?;
    } else {
        screen.show(&text)?;
    }
    Ok(Code::Done)
}
