//! `example`: writes a command as a worked example, to paste into the ruleset.

use schemars::JsonSchema;
use serde::Serialize;

use crate::check::from_play;
use crate::command::{TypedLine, parse_count};
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

/// The answer to `example`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ExampleAnswer {
    /// The command as an `[[example]]`, in TOML.
    pub example: String,
}

pub(super) const EXAMPLE: Word = Word {
    name: "example",
    usage: "example last|NUMBER",
    help: "write a command, with its dice, as an `[[example]]` for the ruleset",
    sample: &["`example last` writes the last command, and `example 7` writes command 7"],
    complete: |_, given, to| to.offer_first(given, ["last"]),
    most: 1,
    ..Word::of(
        Handler::immediate(example)
            .with_answers(&[|| answer::<ExampleAnswer>("answers to example", "`example`")]),
    )
};

fn example(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let number = match typed.words_after_first().first() {
        Some(word) if word.text != "last" => Some(parse_count(word)? as u64),
        Some(_) | None => None,
    };
    let mut entries = play.session.entries().iter().rev();
    let entry = entries.find(|e| number.is_none_or(|n| n == e.number) && e.number > 0);
    let entry = entry.ok_or_else(|| match number {
        Some(number) => Failure::of(format!(
            "there is no command {number}; `log` lists them with their numbers"
        )),
        None => Failure::of("nothing has been played yet"),
    })?;
    let lines = from_play::example_lines(&play.session, entry).ok_or_else(|| {
        let why = "either it had no effect that could be tested, or no set-up leads to it";
        Failure::of(format!("`{}` can't be made into an example: {why}", entry.line))
    })?;
    let text = lines.iter().map(|line| Line::of(Role::Plain, line).unbreakable()).collect();
    Ok(Reply::new(text, ExampleAnswer { example: lines.join("\n") }))
}
