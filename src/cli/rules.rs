//! `adjutant rules`: a game as a referee's sheet or a book.

use std::sync::Arc;

use adjutant_dice::Seed;
use adjutant_engine::referee::{Inputs, Referee};
use adjutant_engine::render;
use adjutant_engine::render::document::Document;
use adjutant_engine::render::pack::{PaperSize, pack};
use adjutant_engine::render::paper;
use adjutant_engine::render::paper::Format;
use adjutant_engine::render::view::View;
use adjutant_engine::ruleset::Ruleset;
use adjutant_engine::tabletop::Tabletop;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Screen, format_names};
use crate::cli::{Code, Ended, Failed, candidates, library, play};

/// The arguments of `rules`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant rules blitz\n  adjutant rules blitz bomb-run\n  adjutant rules my-rules/ verbs\n  adjutant rules my-rules/ --format html > my-rules.html\n  adjutant rules blitz --setup --scenario st-pauls"
)]
pub(super) struct Arguments {
    /// A game that comes with the program, or the path of a ruleset
    #[arg(add = candidates::games())]
    game: String,
    /// A chart, list, rule, verb or phase, or one of `phases`, `verbs` and `options`
    topic: Option<String>,
    /// Print the whole game, or the topic, as a book, with the probability of every table row and check
    #[arg(long, value_parser = format_names())]
    format: Option<Format>,
    /// Print how to set up a scenario, with its plan
    #[arg(long, conflicts_with = "topic")]
    setup: bool,
    /// The name of a scenario, or your own .toml file [default: the first that isn't hidden]
    #[arg(long, value_name = "NAME", requires = "setup", add = candidates::scenarios())]
    scenario: Option<String>,
}

/// The answer to `rules --format`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BookAnswer {
    /// The name of the game.
    name: String,
    /// The book, in the format of `--format`. With a topic, it contains only that topic.
    text: String,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let (found, ruleset) = library::load(&arguments.game, arguments.scenario.as_deref(), screen)?;
    let width = screen.width();
    let laid_out = if arguments.setup {
        Some(set_out(&ruleset, arguments.scenario.as_deref())?)
    } else {
        None
    };
    if let (Some(laid_out), true, None) = (&laid_out, screen.json, arguments.format) {
        let mut document = render::setup::setup_answer(&laid_out.view(&found.name, 80));
        document.name = Some(found.name);
        document.scenario = Some(laid_out.scenario.clone());
        screen.document(&document)?;
        return Ok(Code::Done);
    }
    let mut page = match (&arguments.topic, arguments.format) {
        _ if laid_out.is_some() => {
            laid_out.map_or(Document::new(), |laid_out| laid_out.page(&found.name, width))
        }
        (Some(topic), _) => paper::topic_page(&ruleset, topic).map_err(Failed::of)?,
        (None, Some(_)) => paper::game_book(&ruleset),
        (None, None) => paper::referee_sheet(&ruleset),
    };
    if let Some(format) = arguments.format {
        let text = page.print(format, width);
        if screen.json {
            screen.document(&BookAnswer { name: found.name, text })?;
        } else {
            screen.write(&text)?;
        }
        return Ok(Code::Done);
    }
    if arguments.topic.is_some() {
        page = page.without_title();
    }
    if screen.json {
        screen.document(&render::json::sheet(&ruleset, &found.name, page.plain(80)))?;
    } else {
        screen.show(&page)?;
    }
    Ok(Code::Done)
}

/// A scenario set up on the table.
pub(super) struct LaidOut {
    referee: Referee,
    table: Tabletop,
    pub(super) scenario: String,
    /// True if dice decide part of the set-up.
    throws: bool,
}

/// Sets up the scenario with this name or from this file. Without a name, sets up the first
/// scenario that isn't hidden.
pub(super) fn set_out(ruleset: &Arc<Ruleset>, name: Option<&str>) -> Result<LaidOut, Failed> {
    let scenario = play::scenario(ruleset, name)?;
    let referee = Referee::new(ruleset.clone());
    let inputs = Inputs { ask_random: true, ..Inputs::seeded(&Seed::from_text("setup"), 0) };
    let cannot = |_| Failed::Message(format!("`{}` cannot be set up", scenario.name));
    let (table, outcome) = referee.set_up(scenario, &inputs).map_err(cannot)?;
    Ok(LaidOut {
        referee,
        table,
        scenario: scenario.name.clone(),
        throws: outcome.has_seeded_dice(),
    })
}

impl LaidOut {
    fn view<'a>(&'a self, game: &'a str, width: usize) -> View<'a> {
        View::of(game, &self.referee, &self.table, width)
    }

    /// Returns the pack to be printed, as HTML.
    pub(super) fn pack(&self, game: &str, size: PaperSize) -> String {
        let view = self.view(game, 80);
        let scenario = self.referee.ruleset().scenario(&self.scenario);
        let words: Vec<(&str, &str)> = adjutant_engine::console::words_for_play().collect();
        scenario.map(|scenario| pack(&view, scenario, size, &words)).unwrap_or_default()
    }

    /// Returns the list of everything that the players set up, with the plan if there is one.
    fn page(&self, game: &str, width: usize) -> Document {
        let view = self.view(game, width);
        let scenario = self.referee.ruleset().scenario(&self.scenario);
        scenario
            .map(|scenario| render::setup::players_page(&view, scenario, self.throws))
            .unwrap_or_default()
    }
}
