//! Text with roles in place of colours: what every view is made of.
//!
//! Whoever shows a [`Text`] decides on its width and on colours. No control character passes: parts are
//! made clean as they are taken in.

use anstyle::{AnsiColor, Color, Effects, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The meaning of a part of a line, in place of a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Running text.
    #[default]
    Plain,
    /// The first line of an answer.
    Header,
    /// A name or word that matters.
    Strong,
    /// Text that can be left unread.
    Quiet,
    /// Faces of dice.
    Dice,
    /// Passed.
    Good,
    /// Went wrong.
    Bad,
    /// Something the hands must do, or the umpire must remember.
    Notice,
    /// An area of the plan by the level of what is on it: low, middle, high.
    Low,
    /// See [`Role::Low`].
    Middle,
    /// See [`Role::Low`].
    High,
}

impl Role {
    fn style(self) -> Style {
        let colour = |c: AnsiColor| Style::new().fg_color(Some(Color::Ansi(c)));
        match self {
            Role::Plain => Style::new(),
            Role::Header => Style::new().effects(Effects::BOLD),
            Role::Strong => Style::new().effects(Effects::BOLD),
            Role::Quiet => Style::new().effects(Effects::DIMMED),
            Role::Dice => colour(AnsiColor::Cyan),
            Role::Good => colour(AnsiColor::Green),
            Role::Bad => colour(AnsiColor::Red),
            Role::Notice => colour(AnsiColor::Yellow).effects(Effects::BOLD),
            Role::Low => colour(AnsiColor::Yellow),
            Role::Middle => colour(AnsiColor::Red),
            Role::High => colour(AnsiColor::Red).effects(Effects::BOLD),
        }
    }
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its role.
    pub role: Role,
    /// Its words, clean.
    pub text: String,
}

/// One line, before it is broken to a width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its parts.
    pub parts: Vec<Part>,
    /// The indent of the second and later rows when it is broken, in columns.
    pub hang: usize,
    /// Never broken, such as a row of a plan.
    pub whole: bool,
}

impl Line {
    /// An empty line.
    pub fn new() -> Line {
        Line::default()
    }

    /// A line of one part; rows after the first are set in as far as it begins, and two more.
    pub fn of(role: Role, text: impl AsRef<str>) -> Line {
        let text = clean(text.as_ref());
        let hang = text.len() - text.trim_start_matches(' ').len() + 2;
        Line { parts: vec![Part { role, text }], hang, whole: false }
    }

    /// Adds a part.
    pub fn push(&mut self, role: Role, text: impl AsRef<str>) -> &mut Line {
        let text = clean(text.as_ref());
        if !text.is_empty() {
            self.parts.push(Part { role, text });
        }
        self
    }

    /// Adds a part, as a chain.
    #[must_use]
    pub fn and(mut self, role: Role, text: impl AsRef<str>) -> Line {
        self.push(role, text);
        self
    }

    /// Sets how far later rows are set in.
    #[must_use]
    pub fn hanging(mut self, hang: usize) -> Line {
        self.hang = hang;
        self
    }

    /// Makes it a line that is never broken.
    #[must_use]
    pub fn unbroken(mut self) -> Line {
        self.whole = true;
        self
    }

    /// Returns its width unbroken, in columns.
    pub fn width(&self) -> usize {
        self.parts.iter().map(|p| p.text.width()).sum()
    }

    /// Blanks up to this column, and at least `least` of them.
    pub fn pad_to(&mut self, column: usize, least: usize) -> &mut Line {
        let blanks = column.saturating_sub(self.width()).max(least);
        self.push(Role::Plain, " ".repeat(blanks))
    }

    /// The words without roles.
    pub fn words(&self) -> String {
        self.parts.iter().map(|p| p.text.as_str()).collect()
    }
}

/// Lines in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The lines.
    pub lines: Vec<Line>,
}

impl Text {
    /// No lines.
    pub fn new() -> Text {
        Text::default()
    }

    /// A text of one line or several, in one role.
    pub fn of(role: Role, text: impl AsRef<str>) -> Text {
        Text { lines: text.as_ref().lines().map(|l| Line::of(role, l)).collect() }
    }

    /// Adds a line.
    pub fn push(&mut self, line: Line) -> &mut Text {
        self.lines.push(line);
        self
    }

    /// Adds a line of one part.
    pub fn line(&mut self, role: Role, text: impl AsRef<str>) -> &mut Text {
        self.push(Line::of(role, text))
    }

    /// Adds an empty line, unless it would be the first or there is one already.
    pub fn gap(&mut self) -> &mut Text {
        if self.lines.last().is_some_and(|l| !l.parts.is_empty()) {
            self.lines.push(Line::new());
        }
        self
    }

    /// Adds the lines of another.
    pub fn extend(&mut self, other: Text) -> &mut Text {
        self.lines.extend(other.lines);
        self
    }

    /// Returns true if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Without colours, broken to a width; every line ends with a line feed.
    pub fn plain(&self, width: usize) -> String {
        self.write(width, false)
    }

    /// With colours, broken to a width; every line ends with a line feed.
    pub fn styled(&self, width: usize) -> String {
        self.write(width, true)
    }

    /// As [`Text::plain`] or [`Text::styled`].
    pub fn write(&self, width: usize, styled: bool) -> String {
        let mut out = String::new();
        for line in &self.lines {
            for row in broken(line, width.max(20)) {
                write_row(&row, styled, &mut out);
            }
        }
        out
    }
}

fn write_row(row: &[Part], styled: bool, out: &mut String) {
    let last = row.iter().rposition(|p| !p.text.trim_end().is_empty());
    for (i, part) in row.iter().enumerate() {
        let text = match last {
            Some(last) if i < last => part.text.as_str(),
            Some(last) if i == last => part.text.trim_end(),
            _ => break,
        };
        if styled && part.role != Role::Plain && !text.trim().is_empty() {
            let style = part.role.style();
            out.push_str(&format!("{style}{text}{style:#}"));
        } else {
            out.push_str(text);
        }
    }
    out.push('\n');
}

/// A line as rows of at most `width` columns, broken at blanks where there are some.
fn broken(line: &Line, width: usize) -> Vec<Vec<Part>> {
    if line.whole || line.width() <= width {
        return vec![line.parts.clone()];
    }
    let hang = line.hang.min(width / 2);
    let mut rows: Vec<Vec<Part>> = Vec::new();
    let mut row: Vec<Part> = Vec::new();
    let mut used = 0;
    // Blanks wait until the word after them is known to fit.
    let mut waiting = Part { role: Role::Plain, text: String::new() };
    for (role, piece) in line.parts.iter().flat_map(|p| pieces(&p.text).map(|t| (p.role, t))) {
        if piece.starts_with(' ') {
            waiting.text.push_str(piece);
            continue;
        }
        let mut piece = piece;
        let blank = waiting.text.width();
        if used + blank + piece.width() > width && used > hang {
            rows.push(std::mem::take(&mut row));
            row.push(Part { role: Role::Plain, text: " ".repeat(hang) });
            used = hang;
        } else if blank > 0 {
            used += blank;
            row.push(waiting.clone());
        }
        waiting.text.clear();
        // A word longer than a row is cut.
        let mut long = used + piece.width() > width;
        while long {
            let cut = fitting(piece, width.saturating_sub(used).max(1));
            long = cut < piece.len();
            if !long {
                break;
            }
            row.push(Part { role, text: piece[..cut].to_owned() });
            rows.push(std::mem::take(&mut row));
            row.push(Part { role: Role::Plain, text: " ".repeat(hang) });
            used = hang;
            piece = &piece[cut..];
        }
        used += piece.width();
        row.push(Part { role, text: piece.to_owned() });
    }
    if row.iter().any(|p| !p.text.trim().is_empty()) || rows.is_empty() {
        rows.push(row);
    }
    rows
}

/// A text as words and runs of blanks, in turns. What stands in `[…]` stays together.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let blank = rest.starts_with(' ');
        let mut depth = 0usize;
        let end = rest.find(|c: char| {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            (c == ' ') != blank && (blank || depth == 0 || rest.len() > 60)
        });
        let end = end.unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

/// Returns the number of bytes that fit into these columns; at least one character.
fn fitting(text: &str, columns: usize) -> usize {
    let mut end = text.chars().next().map_or(0, char::len_utf8);
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        end = end.max(at + c.len_utf8());
    }
    end
}

/// The text without anything a terminal would act on: control characters and changes of direction are
/// written out, tabs are blanks.
pub fn clean(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    if !text.contains(|c: char| c.is_control() || turns(c)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            c if c.is_control() || turns(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_with_a_hanging_indent() {
        let mut text = Text::new();
        text.line(Role::Plain, "  one two three four five six seven");
        assert_eq!(text.plain(20), "  one two three four\n    five six seven\n");
    }

    #[test]
    fn keeps_dice_together_and_cuts_what_is_too_long() {
        let mut text = Text::new();
        text.line(Role::Plain, "seven dice are [1 2 3 4 5 6]");
        assert_eq!(text.plain(20), "seven dice are\n  [1 2 3 4 5 6]\n");
        let mut text = Text::new();
        text.line(Role::Plain, "x".repeat(45));
        assert!(text.plain(20).lines().all(|l| l.width() <= 20));
    }

    #[test]
    fn no_control_character_passes() {
        let mut text = Text::new();
        text.line(Role::Bad, "a\u{1b}[2Jb\u{202e}c");
        assert_eq!(text.plain(80), "a\\u{1b}[2Jb\\u{202e}c\n");
        assert!(text.styled(80).contains("\\u{1b}[2J"));
    }

    #[test]
    fn colours_change_no_words() {
        let line = Line::of(Role::Header, "a").and(Role::Plain, " ").and(Role::Good, "b");
        let text = Text { lines: vec![line] };
        let styled = anstream::adapter::strip_str(&text.styled(80)).to_string();
        assert_eq!(styled, text.plain(80));
    }
}
