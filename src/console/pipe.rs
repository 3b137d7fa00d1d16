//! Lines from a pipe or a file. There is no prompt or banner. Play stops at the first line that fails,
//! unless the umpire has chosen to keep going.

use std::io::{self, BufRead, Write};

use adjutant_engine::command::MAX_LINE;
use adjutant_engine::console::{Failure, Flow, Prompt, Reply};
use adjutant_engine::language::machine::Halt;
use adjutant_engine::render::PrintLayout;
use adjutant_engine::render::markup::{Role, Text};

use super::game::{Frontend, Game, PromptInput};
use super::json::JsonDocument;

/// The reason why the lines ended.
#[derive(Debug)]
pub enum PipeEnd {
    /// The input ended, or a line was `quit`.
    Well,
    /// A line failed. Holds the number of the last line read, which may be an answer, and the reason
    /// for the failure.
    Failed(u64, Text),
    /// A reply could not be written.
    Write(io::Error),
}

/// The lines from a reader, with the number of the last one that was read.
struct PipeLines<R> {
    from: R,
    number: u64,
    /// True after an error in the reader, which would otherwise recur forever.
    broken: bool,
}

impl<R: BufRead> PipeLines<R> {
    /// Returns the next line without its end; `None` at the end of the input or after an error in
    /// the reader. A line that is too long is read to its end and counts as one error.
    fn next(&mut self) -> Result<Option<String>, Failure> {
        if self.broken {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        // Two bytes more than the maximum, for the line end.
        let most = MAX_LINE + 2;
        let read = io::Read::take(&mut self.from, most as u64).read_until(b'\n', &mut bytes);
        if read.map_err(|e| self.end_with_error(&e))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let is_cut = bytes.len() == most && bytes.last() != Some(&b'\n');
        if is_cut {
            // Only the reader's buffer is in memory at any time.
            self.from.skip_until(b'\n').map_err(|e| self.end_with_error(&e))?;
        }
        while matches!(bytes.last(), Some(b'\n' | b'\r')) {
            bytes.pop();
        }
        if is_cut || bytes.len() > MAX_LINE {
            return Err(Failure::of(format!("this line is longer than {MAX_LINE} bytes")));
        }
        // A byte order mark at the beginning isn't part of the first line.
        if self.number == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..'\u{feff}'.len_utf8());
        }
        String::from_utf8(bytes).map(Some).map_err(|e| {
            let byte = e.utf8_error().valid_up_to() + 1;
            Failure::of(format!("this line is not valid UTF-8 (byte {byte})"))
        })
    }

    /// Ends the input after an error in the reader. Returns the failure for this line.
    fn end_with_error(&mut self, error: &io::Error) -> Failure {
        self.broken = true;
        Failure::of(format!("cannot be read: {error}"))
    }
}

/// The destination of replies, with their format.
enum Output<W> {
    Text { out: W, layout: PrintLayout },
    Json(JsonDocument<W>),
}

/// The frontend that reads lines from a pipe and writes the replies.
struct Pipe<R, W> {
    lines: PipeLines<R>,
    output: Output<W>,
    /// The number of the current line, and the line.
    line: (u64, String),
    failed: Option<io::Error>,
    /// The error in a line that should have been an answer.
    unreadable: Option<Failure>,
}

impl<R, W> Pipe<R, W> {
    /// Remembers the first failure to write.
    fn remember_failure(&mut self, written: io::Result<()>) {
        if let (Err(error), None) = (written, &self.failed) {
            self.failed = Some(error);
        }
    }
}

impl<R: BufRead, W: Write> Frontend for Pipe<R, W> {
    fn show(&mut self, reply: &Reply) {
        let written = match &mut self.output {
            Output::Text { out, layout } => out.write_all(reply.text.lay_out(*layout).as_bytes()),
            Output::Json(document) => {
                document.answer(reply);
                Ok(())
            }
        };
        self.remember_failure(written);
    }

    fn ask(&mut self, prompt: &Prompt) -> PromptInput {
        let (number, line) = &self.line;
        let written = match &mut self.output {
            // Another program may need the replies so far before it can give the answer.
            Output::Text { out, .. } => out.flush(),
            Output::Json(document) => document.ask(*number, line, prompt),
        };
        self.remember_failure(written);
        loop {
            match self.lines.next() {
                Ok(Some(answer)) if answer.trim().is_empty() || answer.trim().starts_with('#') => {}
                Ok(Some(answer)) => return PromptInput::Line(answer),
                Ok(None) => return PromptInput::End,
                Err(error) => {
                    self.unreadable = Some(error);
                    return PromptInput::End;
                }
            }
        }
    }

    fn width(&self) -> usize {
        match self.output {
            Output::Text { layout: PrintLayout::Columns { width, .. }, .. } => width,
            Output::Text { layout: PrintLayout::Linear, .. } => WIDTH_WITHOUT_COLUMNS,
            Output::Json(_) => WIDTH_OF_DATA,
        }
    }
}

/// The width of texts in JSON, which are not displayed.
const WIDTH_OF_DATA: usize = 80;

/// The width used for screen readers: wide enough for all columns of a table.
pub(super) const WIDTH_WITHOUT_COLUMNS: usize = 1000;

/// Plays the lines of a reader, and writes the replies as text. Returns the reason why the lines
/// ended.
pub fn run<R: BufRead, W: Write>(game: &mut Game, from: R, out: W, layout: PrintLayout) -> PipeEnd {
    play_lines(game, from, Output::Text { out, layout })
}

/// Plays the lines of a reader, and writes one JSON document. Returns the reason why the lines
/// ended.
pub fn run_json<R: BufRead, W: Write>(game: &mut Game, from: R, out: W) -> PipeEnd {
    match JsonDocument::begin(out, &game.console) {
        Ok(document) => play_lines(game, from, Output::Json(document)),
        Err(error) => PipeEnd::Write(error),
    }
}

fn play_lines<R: BufRead, W: Write>(game: &mut Game, from: R, output: Output<W>) -> PipeEnd {
    let lines = PipeLines { from, number: 0, broken: false };
    let mut pipe = Pipe { lines, output, line: (0, String::new()), failed: None, unreadable: None };
    let failure = loop {
        let next = pipe.lines.next();
        let number = pipe.lines.number;
        let line = match &next {
            Ok(None) => break None,
            Ok(Some(line)) => line.clone(),
            Err(_) => String::new(),
        };
        pipe.line = (number, line);
        let done = next.and_then(|typed| game.line(&typed.unwrap_or_default(), &mut pipe));
        // The error in an unreadable answer is more informative than an error about a missing
        // answer.
        let done = pipe.unreadable.take().map_or(done, Err);
        // Another program may be waiting for the answer.
        let written = match &mut pipe.output {
            Output::Text { out, .. } => out.flush(),
            Output::Json(document) => document.line(number, &pipe.line.1, done.as_ref().err()),
        };
        pipe.remember_failure(written);
        if let Some(error) = pipe.failed.take() {
            return PipeEnd::Write(error);
        }
        match done {
            Ok(Flow::On) => {}
            Ok(Flow::Leave) => break None,
            // Someone who stops a line doesn't want the later lines either.
            Err(failure @ Failure::Halt(Halt::Stopped)) => break Some(failure),
            Err(failure) => match &mut game.failed {
                None => break Some(failure),
                Some(failed) => {
                    *failed += 1;
                    let mut text = game.console.failure(&failure, &pipe.line.1);
                    text.prefix(Role::Bad, format!("line {number}: "));
                    if let Output::Text { .. } = pipe.output {
                        pipe.show(&Reply::for_people(text));
                    }
                }
            },
        }
    };
    let number = pipe.lines.number;
    if let Output::Json(document) = pipe.output
        && let Err(error) = document.end(&game.console, failure.as_ref().map(|f| (number, f)))
    {
        return PipeEnd::Write(error);
    }
    match failure {
        None => PipeEnd::Well,
        Some(failure) => PipeEnd::Failed(number, game.console.failure(&failure, &pipe.line.1)),
    }
}
