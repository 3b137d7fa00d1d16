//! Where answers go: standard output in colours or without, at the width of the terminal.

use std::io::{self, BufWriter, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use super::{Colour, Everywhere};
use crate::render::markup::{Role, Text};

/// The least and the most columns that are used.
const NARROW: usize = 40;
pub const WIDE: usize = 120;
/// Without a terminal, lines are as long as in print.
const PRINT: usize = 80;

/// Standard output and error.
pub struct Screen {
    out: BufWriter<AutoStream<io::Stdout>>,
    choice: ColorChoice,
    /// Whether machines read.
    pub json: bool,
}

impl std::fmt::Debug for Screen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Screen").field("json", &self.json).finish_non_exhaustive()
    }
}

impl Screen {
    pub(super) fn new(everywhere: Everywhere) -> Screen {
        let choice = match everywhere.color {
            Colour::Auto => ColorChoice::Auto,
            Colour::Always => ColorChoice::Always,
            Colour::Never => ColorChoice::Never,
        };
        let out = AutoStream::new(io::stdout(), choice);
        Screen { out: BufWriter::new(out), choice, json: everywhere.json }
    }

    /// Whether colours are wanted on standard output.
    pub fn styled(&self) -> bool {
        let choice = match self.choice {
            ColorChoice::Auto => AutoStream::choice(&io::stdout()),
            other => other,
        };
        !matches!(choice, ColorChoice::Never)
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        if !io::stdout().is_terminal() {
            return PRINT;
        }
        let size = terminal_size::terminal_size_of(io::stdout());
        size.map_or(PRINT, |(w, _)| (w.0 as usize).clamp(NARROW, WIDE))
    }

    /// Shows a text.
    pub fn show(&mut self, text: &Text) -> io::Result<()> {
        let words = text.write(self.width(), self.styled());
        self.out.write_all(words.as_bytes())
    }

    /// Writes words as they are.
    pub fn write(&mut self, words: &str) -> io::Result<()> {
        self.out.write_all(words.as_bytes())
    }

    /// Writes one JSON document.
    pub fn document(&mut self, value: &serde_json::Value) -> io::Result<()> {
        writeln!(self.out, "{value:#}")
    }

    /// The stream itself.
    pub fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// All that was shown goes out.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Tells of a failure on standard error.
    pub fn error(&mut self, message: &str) {
        let mut lines = message.lines();
        let mut text = Text::of(Role::Bad, format!("error: {}", lines.next().unwrap_or_default()));
        for line in lines {
            text.line(Role::Plain, line);
        }
        self.tell_error(&text);
    }

    /// Shows a text on standard error.
    pub fn tell_error(&mut self, text: &Text) {
        let _ = self.out.flush();
        let mut err = AutoStream::new(io::stderr(), self.choice);
        // If standard error is closed, nobody is there to be told.
        let _ = err.write_all(text.styled(self.width()).as_bytes());
        let _ = err.flush();
    }
}
