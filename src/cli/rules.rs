//! `adjutant rules`: a game's charts as a referee's sheet.

use serde_json::json;

use super::screen::Screen;
use super::{Code, Ended, Failed, library};
use crate::render::{self, proof};

/// What `rules` can be told.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant rules blitz\n  adjutant rules blitz bomb-run\n  adjutant rules my-rules/ verbs\n  adjutant rules my-rules/ --format html > my-rules.html"
)]
pub struct Arguments {
    /// A shipped game or the path of a ruleset
    game: String,
    /// A chart, list, rule, verb or phase; or `phases`, `verbs`, `options`
    topic: Option<String>,
    /// Print the whole game as a book, to be proofread: every table row and check with its probability
    #[arg(long, value_enum, conflicts_with = "topic")]
    format: Option<Format>,
}

/// How the whole game is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Plain text
    Text,
    /// Markdown
    Markdown,
    /// One HTML file, for the browser and the printer
    Html,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let (name, ruleset) = library::load(&arguments.game, screen)?;
    let width = screen.width();
    if let Some(format) = arguments.format {
        let format = match format {
            Format::Text => proof::Format::Text,
            Format::Markdown => proof::Format::Markdown,
            Format::Html => proof::Format::Html,
        };
        let text = proof::proof(&ruleset, format, width);
        match screen.json {
            true => screen.document(&json!({ "name": name, "text": text }))?,
            false => screen.write(&text)?,
        }
        return Ok(Code::Done);
    }
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
