//! `adjutant roll`: dice, without a game.

use serde_json::{Value, json};

use super::screen::Screen;
use super::{Code, Ended, Failed, play, unguarded};
use crate::dice::{self, Expression, NotationError, Seed, Seeded};
use crate::render::markup::{Line, Role, Text, clean};

/// What `roll` can be told.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant roll 2d6\n  adjutant roll 4d6kh3 '5d10>=7' d66\n  adjutant roll --seed candle 2d6+1"
)]
pub struct Arguments {
    /// Dice such as `2d6+1`, `4d6kh3`, `5d10>=7`, `d%`, `dF`, `d66`
    #[arg(required = true, value_name = "EXPR", value_parser = unguarded)]
    expressions: Vec<String>,
    /// What the dice follow from; without it, chance
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let mut parsed: Vec<Expression> = Vec::new();
    for text in &arguments.expressions {
        match dice::parse(text) {
            Ok(expression) => parsed.push(expression),
            Err(error) => return Err(Failed::Message(described(&error, text))),
        }
    }
    let seed = play::seed(arguments.seed.as_deref())?;
    let mut documents: Vec<Value> = Vec::new();
    let mut text = Text::new();
    for (i, expression) in parsed.iter().enumerate() {
        let rolled = roll(expression, &seed, i as u64).map_err(Failed::Message)?;
        documents.push(json!({
            "roll": expression.to_string(),
            "dice": rolled.pools.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "faces": rolled.pools.iter()
                .map(|p| p.dice.iter().map(|d| d.face).collect::<Vec<_>>())
                .collect::<Vec<_>>(),
            "total": rolled.total,
        }));
        let mut line = Line::of(Role::Plain, format!("{expression}   "));
        line.push(Role::Dice, rolled.to_string());
        text.push(line.and(Role::Strong, format!(" = {}", rolled.total)).hanging(4));
    }
    match screen.json {
        true => screen.document(&json!({ "rolls": documents }))?,
        false => screen.show(&text)?,
    }
    Ok(Code::Done)
}

fn roll(
    expression: &Expression,
    seed: &Seed,
    stream: u64,
) -> Result<dice::RolledExpression, String> {
    expression.roll(&mut Seeded::new(seed, stream)).map_err(|e| e.to_string())
}

/// What is wrong with the notation, with a caret under the place.
pub(super) fn described(error: &NotationError, text: &str) -> String {
    let mut message = error.message.clone();
    let before = text.get(..error.span.start).map_or(0, |b| clean(b).chars().count());
    if text.len() <= 70 && !text.contains(char::is_control) {
        let long = error.span.len().max(1);
        message.push_str(&format!("\n  {text}\n  {}{}", " ".repeat(before), "^".repeat(long)));
    }
    if let Some(help) = &error.help {
        message.push_str(&format!("\n{help}"));
    }
    message
}
