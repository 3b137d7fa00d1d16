//! `adjutant odds`: the exact odds of dice, without a game.

use adjutant_engine::render::chances;
use adjutant_engine::render::chances::DiceOdds;
use adjutant_engine::render::markup::Text;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::Screen;
use crate::cli::{Ended, Failed, roll, unguarded};

/// The arguments of `odds`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant odds '3d6+5>=18'\n  adjutant odds 4d6kh3 '5d10>=7'\n  adjutant odds --json 2d6\nAt the prompt of a game, `odds` in front of a command prints its odds."
)]
pub(super) struct Arguments {
    /// Dice such as `2d6+1`, `4d6kh3`, `3d6>=12` or `d66`
    #[arg(required = true, value_name = "EXPR", value_parser = unguarded)]
    expressions: Vec<String>,
}

/// The answer to `odds` with several expressions.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SeveralOdds {
    /// The odds of each expression, in order.
    odds: Vec<DiceOdds>,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let parsed = roll::parsed(&arguments.expressions)?;
    let mut text = Text::new();
    let mut documents = Vec::new();
    for expression in &parsed {
        let odds = expression
            .distribution()
            .map_err(|error| Failed::Message(format!("{expression}: {error}")))?;
        // Writing thousands of large weights takes longer than computing them, so only one form is
        // written.
        if screen.json {
            documents.push(chances::dice_json(expression, &odds));
        } else {
            text.push_empty_line().extend(chances::dice_text(expression, &odds, screen.width()));
        }
    }
    // A single expression is printed as one document, without a list.
    match documents.as_slice() {
        [document] => screen.answer(&text, document),
        _ => screen.answer(&text, &SeveralOdds { odds: documents }),
    }
}
