//! Standard output, with colours or without, at the width of the terminal.

use std::io::{self, BufWriter, IsTerminal, Write};

use adjutant_engine::render::json;
use adjutant_engine::render::markup::{Role, Text};
use adjutant_engine::render::report::ReportFormat;
use adjutant_engine::render::{Format, PrintLayout};
use anstream::{AutoStream, ColorChoice};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Code, Ended, Everywhere};

/// The minimum number of columns that are used.
const NARROW: usize = 40;
/// The maximum number of columns that are used.
pub(super) const WIDE: usize = 120;
/// The number of columns used without a terminal.
const PRINT: usize = 80;
/// The width used with `--plain`: wide enough for all cells of a table row.
const LINEAR: usize = 1000;

/// Returns the parser of an argument that names a format.
pub(super) fn format_names() -> impl TypedValueParser<Value = Format> {
    let formats = Format::all().iter();
    let names = formats.map(|format| PossibleValue::new(format.name).help(format.description));
    PossibleValuesParser::new(names).try_map(|name| {
        Format::all().iter().find(|format| format.name == name).copied().ok_or(UnknownFormat)
    })
}

/// A format of `transcript`.
#[derive(Clone, Copy, Debug)]
pub(super) enum TranscriptFormat {
    /// The log of everything that happened.
    Log(Format),
    /// The battle report.
    Report(ReportFormat),
}

/// Returns the parser of an argument that names a format of `transcript`.
pub(super) fn transcript_format_names() -> impl TypedValueParser<Value = TranscriptFormat> {
    let logs = Format::all().iter();
    let logs = logs.map(|log| (log.name, log.description, TranscriptFormat::Log(*log)));
    let reports = ReportFormat::ALL.into_iter();
    let reports = reports.map(|r| (r.name(), r.description(), TranscriptFormat::Report(r)));
    let formats: Vec<_> = logs.chain(reports).collect();
    let names = formats.iter().map(|(name, help, _)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).try_map(move |chosen| {
        let found = formats.iter().find(|(name, ..)| *name == chosen);
        found.map(|(.., format)| *format).ok_or(UnknownFormat)
    })
}

/// The error for an unknown format. It is never shown, because the names have already been checked.
#[derive(Debug, thiserror::Error)]
#[error("unknown format")]
struct UnknownFormat;

/// The answer to a subcommand that writes files.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WrittenFiles {
    /// The path as it was typed.
    pub path: String,
    /// The files that were written.
    pub files: Vec<String>,
}

/// Standard output and standard error, with the options that apply to them.
pub(super) struct Screen {
    out: BufWriter<AutoStream<io::Stdout>>,
    choice: ColorChoice,
    /// True if the answer is a JSON document.
    pub(super) json: bool,
    /// True if answers longer than the terminal are shown one screen at a time.
    pub(super) pages: bool,
    /// True if answers are for a screen reader.
    pub(super) plain: bool,
}

impl Screen {
    pub(super) fn new(everywhere: Everywhere) -> Screen {
        let choice = match everywhere.color {
            _ if everywhere.plain => ColorChoice::Never,
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        let out = AutoStream::new(io::stdout(), choice);
        Screen {
            out: BufWriter::new(out),
            choice,
            json: everywhere.json,
            pages: !everywhere.no_pager && !everywhere.plain,
            plain: everywhere.plain,
        }
    }

    /// Switches to output for a screen reader, as with `--plain`, for all later answers.
    pub(super) fn make_plain(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.plain = true;
        self.pages = false;
        self.choice = ColorChoice::Never;
        self.out = BufWriter::new(AutoStream::new(io::stdout(), ColorChoice::Never));
        Ok(())
    }

    /// Applies the colour setting, unless the command line specifies when to use colours.
    pub(super) fn prefer_color(&mut self, preferred: ColorChoice) -> io::Result<()> {
        if self.choice == ColorChoice::Auto {
            self.out.flush()?;
            self.choice = preferred;
            self.out = BufWriter::new(AutoStream::new(io::stdout(), preferred));
        }
        Ok(())
    }

    /// Returns true if standard output is coloured.
    pub(super) fn styled(&self) -> bool {
        let choice = match self.choice {
            ColorChoice::Auto => AutoStream::choice(&io::stdout()),
            other => other,
        };
        !matches!(choice, ColorChoice::Never)
    }

    /// Returns the layout of answers: linear for screen readers, otherwise in columns.
    pub(super) fn layout(&self) -> PrintLayout {
        if self.plain {
            PrintLayout::Linear
        } else {
            PrintLayout::Columns { width: self.width(), styled: self.styled() }
        }
    }

    /// Returns the number of columns.
    pub(super) fn width(&self) -> usize {
        if self.plain {
            return LINEAR;
        }
        if !io::stdout().is_terminal() {
            return PRINT;
        }
        let size = terminal_size::terminal_size_of(io::stdout());
        size.map_or(PRINT, |(w, _)| (w.0 as usize).clamp(NARROW, WIDE))
    }

    /// Prints the answer of a subcommand: the text or, with `--json`, the document.
    pub(super) fn answer(
        &mut self,
        text: &Text,
        document: &(impl Serialize + JsonSchema),
    ) -> Ended {
        if self.json {
            self.document(document)?;
        } else {
            self.show(text)?;
        }
        Ok(Code::Done)
    }

    /// Prints a text, in the layout of this terminal.
    pub(super) fn show(&mut self, text: &Text) -> io::Result<()> {
        let words = text.lay_out(self.layout());
        self.out.write_all(words.as_bytes())
    }

    /// Writes a text unchanged.
    pub(super) fn write(&mut self, words: &str) -> io::Result<()> {
        self.out.write_all(words.as_bytes())
    }

    /// Writes a JSON document.
    pub(super) fn document(&mut self, document: &(impl Serialize + JsonSchema)) -> io::Result<()> {
        let written = format!("{:#}", json::to_json(document));
        writeln!(self.out, "{}", json::escape_invisible(&written))
    }

    /// Returns the stream of standard output.
    pub(super) fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Flushes standard output.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Shows an error on standard error.
    pub(super) fn error(&mut self, message: &str) {
        let mut lines = message.lines();
        let mut text = Text::of(Role::Bad, format!("error: {}", lines.next().unwrap_or_default()));
        for line in lines {
            text.line(Role::Plain, line);
        }
        self.tell_error(&text);
    }

    /// Shows a text on standard error.
    pub(super) fn tell_error(&mut self, text: &Text) {
        let _ = self.out.flush();
        let mut err = AutoStream::new(io::stderr(), self.choice);
        // If standard error is closed, the message is lost.
        let words = match self.layout() {
            PrintLayout::Columns { width, .. } => text.styled(width),
            PrintLayout::Linear => text.lay_out(PrintLayout::Linear),
        };
        let _ = err.write_all(words.as_bytes());
        let _ = err.flush();
    }
}
