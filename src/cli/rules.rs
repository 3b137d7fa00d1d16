//! `adjutant rules`: a game as a referee's sheet or a book.

use serde_json::json;

use super::screen::Screen;
use super::{Code, Ended, Failed, Format, library};
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
    let (name, ruleset) = library::load(&arguments.game, screen)?;
    let width = screen.width();
    let format = arguments.format.map(Into::into);
    let page = match (&arguments.topic, format) {
        (Some(topic), _) => paper::topic(&ruleset, topic).map_err(Failed::of)?,
        (None, Some(_)) => paper::book(&ruleset),
        (None, None) => paper::sheet(&ruleset),
    };
    let text = |width| match arguments.topic {
        Some(_) => page.body(width),
        None => page.text(width),
    };
    match (format, screen.json) {
        (Some(format), true) => {
            screen.document(&json!({ "name": name, "text": page.write(format, width) }))?;
        }
        (Some(format), false) => screen.write(&page.write(format, width))?,
        (None, true) => {
            let mut document = render::json::sheet(&ruleset);
            document["name"] = json!(name);
            document["text"] = json!(text(80).plain(80));
            screen.document(&document)?;
        }
        (None, false) => screen.show(&text(width))?,
    }
    Ok(Code::Done)
}
