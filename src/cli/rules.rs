//! `adjutant rules`: a game as a referee's sheet or a book.

use serde_json::json;

use super::screen::Screen;
use super::{Code, Ended, Failed, library};
use crate::render::paper::Format;
use crate::render::{self, paper};

/// The arguments of `rules`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant rules blitz\n  adjutant rules blitz bomb-run\n  adjutant rules my-rules/ verbs\n  adjutant rules my-rules/ --format html > my-rules.html"
)]
pub(super) struct Arguments {
    /// A shipped game or the path of a ruleset
    game: String,
    /// A chart, list, rule, verb or phase; or `phases`, `verbs`, `options`
    topic: Option<String>,
    /// Print the whole game as a book, to be proofread, with the probability of every table row and check; or the topic
    #[arg(long, value_enum)]
    format: Option<Format>,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let (found, ruleset) = library::load(&arguments.game, screen)?;
    let width = screen.width();
    let mut page = match (&arguments.topic, arguments.format) {
        (Some(topic), _) => paper::topic(&ruleset, topic).map_err(Failed::of)?,
        (None, Some(_)) => paper::book(&ruleset),
        (None, None) => paper::sheet(&ruleset),
    };
    if let Some(format) = arguments.format {
        let text = page.print(format, width);
        match screen.json {
            true => screen.document(&json!({ "name": found.name, "text": text }))?,
            false => screen.write(&text)?,
        }
        return Ok(Code::Done);
    }
    if arguments.topic.is_some() {
        page.untitled();
    }
    if screen.json {
        let mut document = render::json::sheet(&ruleset);
        document["name"] = json!(found.name);
        document["text"] = json!(page.plain(80));
        screen.document(&document)?;
    } else {
        screen.show(&page)?;
    }
    Ok(Code::Done)
}
