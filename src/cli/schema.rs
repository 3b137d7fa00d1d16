//! `adjutant schema`: the JSON Schema of a file format, for editors that complete keys.

use adjutant_engine::ruleset::format;
use schemars::schema_for;

use crate::cli::config::Settings;
use crate::cli::output::Screen;
use crate::cli::{Code, Ended};

/// The arguments of `schema`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant schema > ruleset.schema.json\n  adjutant schema scenario > scenario.schema.json\n\nAn editor with TOML support uses the schema if a file begins with `#:schema ./ruleset.schema.json`."
)]
pub(super) struct Arguments {
    /// The kind of file
    #[arg(value_enum, default_value_t = SchemaFile::Ruleset)]
    which: SchemaFile,
}

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SchemaFile {
    /// A ruleset, or one file of it
    Ruleset,
    /// A scenario in a separate file
    Scenario,
    /// The keyboard settings, `config.toml`
    Config,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let schema = match arguments.which {
        SchemaFile::Ruleset => format::ruleset_schema(),
        SchemaFile::Scenario => format::scenario_schema(),
        SchemaFile::Config => schema_for!(Settings).to_value(),
    };
    screen.document(&schema)?;
    Ok(Code::Done)
}
