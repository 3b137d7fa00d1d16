//! Lines from a pipe or a file: no prompt, no banner, and the first that fails is the last.

use std::io::{self, BufRead, Write};

use super::play::{Desk, Failure, Flow, Heard, Play};
use crate::command::MAX_LINE;
use crate::render::markup::{Role, Text};

/// How the lines ended.
#[derive(Debug)]
pub enum Ended {
    /// At the end, or with `quit`.
    Well,
    /// A line failed: its number, and why.
    Failed(u64, Text),
    /// What was told could not be written.
    Write(io::Error),
}

/// Lines from a reader, numbered.
struct Lines<R> {
    from: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next line without its end; an error is for people.
    fn next(&mut self) -> Option<Result<String, String>> {
        let mut bytes = Vec::new();
        // One byte more than a line may have, so that a longer one is known without reading it all.
        let most = MAX_LINE + 2;
        let read = io::Read::take(&mut self.from, most as u64).read_until(b'\n', &mut bytes);
        match read {
            Ok(0) => None,
            Ok(_) => {
                self.number += 1;
                let ended = bytes.last() == Some(&b'\n');
                while matches!(bytes.last(), Some(b'\n' | b'\r')) {
                    bytes.pop();
                }
                if bytes.len() > MAX_LINE || (!ended && bytes.len() >= most) {
                    return Some(Err(format!("this line is longer than {MAX_LINE} bytes")));
                }
                Some(String::from_utf8(bytes).map_err(|e| {
                    let at = e.utf8_error().valid_up_to() + 1;
                    format!("this line is not valid UTF-8 (byte {at})")
                }))
            }
            Err(error) => Some(Err(format!("cannot be read: {error}"))),
        }
    }
}

/// A desk at a pipe.
struct Piped<R, W> {
    lines: Lines<R>,
    out: W,
    width: usize,
    styled: bool,
    failed: Option<io::Error>,
    /// What is wrong with a line that was to be an answer.
    bad: Option<String>,
    /// What was asked when the lines were at their end.
    wanted: Option<String>,
}

impl<R: BufRead, W: Write> Desk for Piped<R, W> {
    fn tell(&mut self, text: &Text) {
        if self.failed.is_none()
            && let Err(error) = self.out.write_all(text.write(self.width, self.styled).as_bytes())
        {
            self.failed = Some(error);
        }
    }

    fn ask(&mut self, text: &Text, _options: &[String], prompt: &str) -> Heard {
        loop {
            match self.lines.next() {
                Some(Ok(line)) if line.trim().is_empty() || line.trim().starts_with('#') => {}
                Some(Ok(line)) => return Heard::Line(line),
                Some(Err(why)) => {
                    self.bad = Some(why);
                    return Heard::End;
                }
                None => {
                    let text = text.write(self.width, false);
                    let asked = text.lines().next().unwrap_or(prompt).trim();
                    self.wanted = Some(asked.trim_end_matches(':').to_owned());
                    return Heard::End;
                }
            }
        }
    }

    fn width(&self) -> usize {
        self.width
    }

    fn patient(&self) -> bool {
        false
    }
}

/// Plays all lines of a reader.
pub fn run<R: BufRead, W: Write>(
    play: &mut Play,
    from: R,
    out: W,
    width: usize,
    styled: bool,
) -> Ended {
    let lines = Lines { from, number: 0 };
    let mut desk = Piped { lines, out, width, styled, failed: None, bad: None, wanted: None };
    loop {
        let line = match desk.lines.next() {
            None => break,
            Some(Ok(line)) => line,
            Some(Err(why)) => return Ended::Failed(desk.lines.number, Text::of(Role::Bad, why)),
        };
        // A mark of byte order at the beginning is no part of the first line.
        let line =
            line.strip_prefix('\u{feff}').filter(|_| desk.lines.number == 1).unwrap_or(&line);
        let flow = play.line(line, &mut desk);
        if let Some(error) = desk.failed.take() {
            return Ended::Write(error);
        }
        // Another program may be waiting for the answer.
        if let Err(error) = desk.out.flush() {
            return Ended::Write(error);
        }
        match flow {
            Ok(Flow::On) => {}
            Ok(Flow::Leave) => break,
            Err(failure) => {
                let text = match (failure, desk.bad.take()) {
                    (_, Some(why)) => Text::of(Role::Bad, why),
                    (Failure::Told(text), None) => text,
                    (Failure::Cancelled, None) => Text::of(Role::Bad, "taken back"),
                    (Failure::End, None) => {
                        let mut text = Text::of(
                            Role::Bad,
                            "an answer was wanted, but the lines are at their end",
                        );
                        if let Some(wanted) = desk.wanted.take() {
                            text.line(Role::Quiet, format!("asked was: {wanted}"));
                        }
                        text
                    }
                };
                return Ended::Failed(desk.lines.number, text);
            }
        }
    }
    match desk.out.flush() {
        Ok(()) => Ended::Well,
        Err(error) => Ended::Write(error),
    }
}
