//! `adjutant roll`: dice, without a game.

use adjutant_dice::{self, Expression, SeededSource};
use adjutant_engine::command::LineError;
use adjutant_engine::render::markup::{Line, Role, Text};
use adjutant_engine::render::{chances, message};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::Screen;
use crate::cli::{Ended, Failed, play, unguarded};

/// The arguments of `roll`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant roll 2d6\n  adjutant roll 4d6kh3 '5d10>=7' d66\n  adjutant roll --seed candle 2d6+1"
)]
pub(super) struct Arguments {
    /// Dice such as `2d6+1`, `4d6kh3`, `5d10>=7`, `d%`, `dF` or `d66`
    #[arg(required = true, value_name = "EXPR", value_parser = unguarded)]
    expressions: Vec<String>,
    /// Any text, as the seed for the dice; the same text gives the same dice [default: random]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
}

/// The answer to `roll`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RollsAnswer {
    /// The rolls, in the order of the expressions.
    rolls: Vec<RollAnswer>,
}

/// A roll of an expression.
#[derive(Debug, Serialize, JsonSchema)]
struct RollAnswer {
    /// The expression, in dice notation.
    roll: String,
    /// The dice of each pool as they are printed, with the marks that dice.md explains.
    dice: Vec<String>,
    /// The faces of each pool, in the order in which they were rolled.
    faces: Vec<Vec<i32>>,
    /// The total. For a comparison, it is 1 if the comparison is true, and otherwise 0.
    total: i64,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let parsed = parsed(&arguments.expressions)?;
    let seed = play::seed(arguments.seed.as_deref())?;
    let mut rolls = Vec::new();
    let mut text = Text::new();
    for (i, expression) in parsed.iter().enumerate() {
        let mut dice = SeededSource::new(&seed, i as u64);
        let rolled = expression.roll(&mut dice).map_err(Failed::of)?;
        let pools = &rolled.pools;
        rolls.push(RollAnswer {
            roll: expression.to_string(),
            dice: pools.iter().map(|pool| pool.to_string()).collect(),
            faces: pools.iter().map(|p| p.dice.iter().map(|die| die.face).collect()).collect(),
            total: rolled.total,
        });
        let mut line = Line::of(Role::Plain, format!("{expression}   "));
        line.push(Role::Dice, rolled.to_string());
        text.push(line.and(Role::Strong, format!(" = {}", rolled.total)).with_hanging_indent(4));
        text.extend(chances::notation_hint(expression));
    }
    screen.answer(&text, &RollsAnswer { rolls })
}

/// Parses all expressions.
pub(super) fn parsed(expressions: &[String]) -> Result<Vec<Expression>, Failed> {
    expressions.iter().map(|text| parse(text)).collect()
}

/// Parses an expression.
fn parse(text: &str) -> Result<Expression, Failed> {
    adjutant_dice::parse(text).map_err(|error| {
        let span = Some((error.span.start, error.span.end));
        let shown = LineError {
            span,
            help: error.help.map(String::into),
            ..LineError::new(None, error.message)
        };
        Failed::of(message::line_error(&shown, text).plain(80).trim_end())
    })
}
