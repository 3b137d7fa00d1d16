//! A game for machines: one JSON document, written reply by reply as the game goes on.
//!
//! Every reply is on a line of its own and is a whole document, so that a program that drives the game can read
//! each as soon as it is there. `docs/json.md` describes the keys.

use std::io::{self, Write};

use adjutant_engine::console::{Console, Failure, Prompt, Reply};
use adjutant_engine::render::json::array;
use adjutant_engine::session::Session;
use serde_json::{Value, json};

/// The document of a game, while it is written.
#[derive(Debug)]
pub(super) struct JsonDocument<W> {
    out: W,
    /// The number of replies written.
    written: usize,
    /// The answers to the line under way.
    answers: Vec<Value>,
}

impl<W: Write> JsonDocument<W> {
    /// Begins the document.
    pub(crate) fn begin(mut out: W, console: &Console) -> io::Result<JsonDocument<W>> {
        let game = json!(console.session().map(Session::heading));
        let scenario = json!(console.session().map(Session::scenario));
        writeln!(out, "{{\"game\":{game},\"scenario\":{scenario},\"replies\":[")?;
        // Another program may wait for the opening before it sends the first line.
        out.flush()?;
        Ok(JsonDocument { out, written: 0, answers: Vec::new() })
    }

    /// Takes an answer to the line under way.
    pub(crate) fn answer(&mut self, reply: &Reply) {
        if !reply.data.is_null() {
            self.answers.push(reply.data.clone());
        }
    }

    /// Writes what is asked in the middle of a line; the next line is the answer.
    pub(crate) fn ask(&mut self, number: u64, line: &str, prompt: &Prompt) -> io::Result<()> {
        let dice = prompt.dice.map(|(count, sides)| json!({ "count": count, "sides": sides }));
        let asked = json!({ "question": prompt.asked, "options": prompt.options, "dice": dice });
        self.reply(
            &json!({ "input": number, "line": line, "answers": [], "asked": asked, "error": null }),
        )
    }

    /// Writes what came of a line.
    pub(crate) fn line(
        &mut self,
        number: u64,
        line: &str,
        failure: Option<&Failure>,
    ) -> io::Result<()> {
        let answers = std::mem::take(&mut self.answers);
        let error = failure.map(Failure::data);
        self.reply(&json!({ "input": number, "line": line, "answers": answers, "asked": null, "error": error }))
    }

    fn reply(&mut self, reply: &Value) -> io::Result<()> {
        if self.written > 0 {
            writeln!(self.out, ",")?;
        }
        self.written += 1;
        writeln!(self.out, "{reply}")?;
        self.out.flush()
    }

    /// Ends the document: the commands in force, and the line that failed.
    pub(crate) fn end(
        mut self,
        console: &Console,
        failed: Option<(u64, &Failure)>,
    ) -> io::Result<()> {
        let entries = console.session().map_or(&[][..], Session::entries);
        let commands = array(entries, |entry| console.entry_data(entry));
        let error = failed.map(|(number, failure)| {
            let mut error = failure.data();
            error["line"] = json!(number);
            error
        });
        writeln!(self.out, "],\"commands\":{},\"error\":{}}}", commands, json!(error))?;
        self.out.flush()
    }
}
