//! A game for machines: one JSON document, written reply by reply during the game.
//!
//! Every reply is a complete document on a separate line, so a program that drives the game can
//! read each reply immediately. `docs/json.md` describes the keys.

use std::io::{self, Write};

use adjutant_engine::console::{Console, Failure, FailureAnswer, Prompt, Reply};
use adjutant_engine::render::json::{CommandAnswer, escape_invisible, objects, to_json};
use adjutant_engine::session::Session;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The document of a whole game, written in parts.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct GameAnswer {
    /// The name of the game.
    game: String,
    /// The name of the scenario.
    scenario: String,
    /// The replies, in order: one for each line, and one more for each question in the middle of a line.
    replies: Vec<LineReply>,
    /// The commands in force at the end of the game.
    commands: Vec<CommandAnswer>,
    /// The error in the line that ended the game, if there is one.
    error: Option<LineFailure>,
}

/// The reply to a line, or a question in the middle of it.
#[derive(Debug, Serialize, JsonSchema)]
struct LineReply {
    /// The number of the line in the input.
    input: u64,
    /// The line, as typed; empty if it could not be read.
    line: String,
    /// The answers, each as described in the section `answers to …` for the word at the beginning
    /// of the line. Most lines have one, `next 3` has three, and an empty line has none.
    #[schemars(schema_with = "objects")]
    answers: Vec<Value>,
    /// The question, if one is asked. The next line of the input is the answer.
    asked: Option<AskedQuestion>,
    /// The reason why the line failed, if it did.
    error: Option<FailureAnswer>,
}

/// A question in the middle of a line.
#[derive(Debug, Serialize, JsonSchema)]
struct AskedQuestion {
    /// The question, in words.
    question: String,
    /// The possible answers. Empty if the answer is not a name.
    options: Vec<String>,
    /// The dice that the players must roll, if the question asks for dice.
    dice: Option<ExpectedDice>,
}

/// Dice that the players must roll.
#[derive(Debug, Serialize, JsonSchema)]
struct ExpectedDice {
    /// The number of dice.
    count: u32,
    /// The number of sides of each die.
    sides: u32,
}

/// The failure of a line that ended the game.
#[derive(Debug, Serialize, JsonSchema)]
struct LineFailure {
    /// The number of the last line that was read: the line that failed, or the last answer to a
    /// question in the middle of it.
    line: u64,
    #[serde(flatten)]
    failure: FailureAnswer,
}

/// The document of a game while it is being written.
#[derive(Debug)]
pub(super) struct JsonDocument<W> {
    out: W,
    /// The number of replies written.
    written: usize,
    /// The answers to the current line.
    answers: Vec<Value>,
}

impl<W: Write> JsonDocument<W> {
    /// Writes the beginning of the document: the names of the game and the scenario.
    pub(crate) fn begin(mut out: W, console: &Console) -> io::Result<JsonDocument<W>> {
        let game = written(&console.session().map(Session::heading));
        let scenario = written(&console.session().map(Session::scenario));
        writeln!(out, "{{\"game\":{game},\"scenario\":{scenario},\"replies\":[")?;
        // Another program may wait for the beginning of the document before it sends the first
        // line.
        out.flush()?;
        Ok(JsonDocument { out, written: 0, answers: Vec::new() })
    }

    /// Adds the data of a reply, if it has any, to the answers to the current line.
    pub(crate) fn answer(&mut self, reply: &Reply) {
        if !reply.data().is_null() {
            self.answers.push(reply.data().clone());
        }
    }

    /// Writes a question in the middle of a line; the next line is the answer.
    pub(crate) fn ask(&mut self, number: u64, line: &str, prompt: &Prompt) -> io::Result<()> {
        let asked = AskedQuestion {
            question: prompt.asked.clone(),
            options: prompt.options.clone(),
            dice: prompt.dice.map(|(count, sides)| ExpectedDice { count, sides }),
        };
        self.reply(&LineReply {
            input: number,
            line: line.to_owned(),
            answers: Vec::new(),
            asked: Some(asked),
            error: None,
        })
    }

    /// Writes the result of a line.
    pub(crate) fn line(
        &mut self,
        number: u64,
        line: &str,
        failure: Option<&Failure>,
    ) -> io::Result<()> {
        let answers = std::mem::take(&mut self.answers);
        self.reply(&LineReply {
            input: number,
            line: line.to_owned(),
            answers,
            asked: None,
            error: failure.map(Failure::answer),
        })
    }

    fn reply(&mut self, reply: &LineReply) -> io::Result<()> {
        if self.written > 0 {
            writeln!(self.out, ",")?;
        }
        self.written += 1;
        writeln!(self.out, "{}", written(reply))?;
        self.out.flush()
    }

    /// Ends the document with the commands that have not been undone, and the error that ended the
    /// game, if there was one.
    pub(crate) fn end(
        mut self,
        console: &Console,
        failed: Option<(u64, &Failure)>,
    ) -> io::Result<()> {
        let entries = console.session().map_or(&[][..], Session::entries);
        let commands: Vec<CommandAnswer> =
            entries.iter().filter_map(|entry| console.entry_data(entry)).collect();
        let error = failed.map(|(line, failure)| LineFailure { line, failure: failure.answer() });
        writeln!(
            self.out,
            "],\"commands\":{},\"error\":{}}}",
            written(&commands),
            written(&error)
        )?;
        self.out.flush()
    }
}

/// Returns an answer as JSON on one line, with invisible characters escaped.
fn written(answer: &impl Serialize) -> String {
    escape_invisible(&to_json(answer).to_string())
}
