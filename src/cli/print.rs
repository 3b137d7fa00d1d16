//! `adjutant print`: the pack (all the papers for an evening), as HTML to be printed.

use adjutant_engine::render::pack::PaperSize;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::Screen;
use crate::cli::rules::set_out;
use crate::cli::{Code, Ended, library};

/// The arguments of `print`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant print blitz > blitz.html\n  adjutant print tarr --scenario olkhovka --paper a5 > olkhovka.html"
)]
pub(super) struct Arguments {
    /// A game that comes with the program, or the path of a ruleset
    game: String,
    /// The name of a scenario, or your own .toml file [default: the first that isn't hidden]
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// The paper size
    #[arg(long, value_parser = paper_names(), default_value = "a4")]
    paper: PaperSize,
}

/// The answer to `print`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PackAnswer {
    /// The name of the game.
    name: String,
    /// The name of the scenario.
    scenario: String,
    /// The pack, in HTML.
    text: String,
}

fn paper_names() -> impl TypedValueParser<Value = PaperSize> {
    PossibleValuesParser::new(PaperSize::ALL.map(PaperSize::name)).map(|name| {
        let found = PaperSize::ALL.into_iter().find(|size| size.name() == name);
        found.unwrap_or(PaperSize::A4)
    })
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let (found, ruleset) = library::load(&arguments.game, arguments.scenario.as_deref(), screen)?;
    let laid_out = set_out(&ruleset, arguments.scenario.as_deref())?;
    let text = laid_out.pack(&found.name, arguments.paper);
    if screen.json {
        let scenario = laid_out.scenario;
        screen.document(&PackAnswer { name: found.name, scenario, text })?;
    } else {
        screen.write(&text)?;
    }
    Ok(Code::Done)
}
