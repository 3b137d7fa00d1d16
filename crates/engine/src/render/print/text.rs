//! Text for a terminal, wrapped to its width, with or without colours.

use anstyle::{AnsiColor, Color, Effects, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::format::Format;
use super::grid::text_table;
use super::script;
use crate::render::document::{Block, Document, Title};
use crate::render::markup::{Line, Part, Role};

/// Plain text.
pub(super) const FORMAT: Format = Format {
    name: "text",
    description: "Plain text; a transcript consists of lines that can be typed again, with everything else after `#`",
    extensions: &["txt"],
    has_pictures: false,
    print: page,
};

/// Writes a page: a transcript as lines that can be typed again, and anything else as on a
/// terminal.
fn page(page: &Document, width: usize) -> String {
    let is_transcript = page.blocks.iter().any(|block| matches!(block, Block::Typed { .. }));
    if is_transcript { script::script_page(page) } else { page.plain(width) }
}

impl Document {
    /// Returns the text without colours; every line ends with a line feed.
    pub fn plain(&self, width: usize) -> String {
        self.write(width, false)
    }

    /// Returns the text with colours; every line ends with a line feed.
    pub fn styled(&self, width: usize) -> String {
        self.write(width, true)
    }

    /// Writes the text, wrapped to a width; every line ends with a line feed.
    pub fn write(&self, width: usize, styled: bool) -> String {
        let mut out = String::new();
        for line in lines(self, width) {
            for row in break_line(&line, width.max(20)) {
                write_row(&row, styled, &mut out);
            }
        }
        out
    }
}

impl Document {
    /// Returns the number of rows of the text at a width.
    fn row_count(&self, width: usize) -> usize {
        lines(self, width).iter().map(|line| break_line(line, width.max(20)).len()).sum()
    }

    /// Returns the document or, if it has too many rows and something to fold, the document with a
    /// note, folded until it fits or nothing is left to fold. The parts with the most forms left
    /// are folded first and, of these, the longest.
    pub fn folded(&self, width: usize, height: usize) -> Document {
        let mut folded = self.clone();
        let is_fold = |block: &Block| matches!(block, Block::Fold(_));
        if folded.row_count(width) <= height || !folded.blocks.iter().any(is_fold) {
            return folded;
        }
        let words = "in brief; `more` shows it in full";
        folded.blocks.insert(0, Block::Line(Line::of(Role::Quiet, words)));
        folded.shortened(width, height)
    }

    /// Returns the document folded until it fits or nothing is left to fold, without a note about
    /// the folding.
    pub(crate) fn shortened(mut self, width: usize, height: usize) -> Document {
        while self.row_count(width) > height {
            let forms = self.blocks.iter_mut().filter_map(|block| match block {
                Block::Fold(forms) if forms.len() > 1 => Some(forms),
                _ => None,
            });
            match forms.max_by_key(|forms| (forms.len(), forms[0].row_count(width))) {
                Some(longest) => drop(longest.remove(0)),
                None => break,
            }
        }
        self
    }
}

impl Title {
    /// Returns the name, the scenario, and the author and edition or the players, on one line.
    pub(crate) fn name_line(&self) -> Line {
        let mut line = Line::of(Role::Header, &self.name);
        for more in self.scenario.iter().chain(&self.by) {
            line.push(Role::Plain, format!(" · {more}"));
        }
        line
    }
}

/// Returns the lines of a document before wrapping.
fn lines(document: &Document, width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    if let Some(title) = &document.title {
        lines.push(title.name_line());
        let note =
            |note: &String| Line::of(Role::Quiet, format!("  {note}")).with_hanging_indent(2);
        lines.extend(title.notes.iter().map(note));
        push_empty_line(&mut lines);
    }
    for block in &document.blocks {
        match block {
            Block::Line(line) => lines.push(line.clone()),
            Block::Chapter(name) => {
                push_empty_line(&mut lines);
                lines.push(Line::new());
                lines.push(Line::of(Role::Header, name.to_uppercase()));
                lines.push(Line::of(Role::Quiet, "=".repeat(name.chars().count())));
            }
            Block::Heading(title, cite) => {
                push_empty_line(&mut lines);
                lines.push(Line::of(Role::Header, title).with_cite(cite));
            }
            Block::Table(headings, rows) => lines.extend(text_table(headings, rows, width)),
            Block::Parts(parts) | Block::SmallPrint(parts) => {
                parts.iter().for_each(|(name, cells)| {
                    lines.extend(labelled_lines(
                        name,
                        cells.iter().flat_map(|cell| cell.text().lines()),
                    ));
                });
            }
            Block::Figures(title, figures) => {
                lines.push(Line::of(Role::Header, title));
                let figures = figures.iter();
                lines.extend(figures.flat_map(|(name, value)| labelled_lines(name, value.lines())));
            }
            Block::Typed { lines: typed, answer, .. } => {
                lines.extend(typed.iter().map(|l| Line::of(Role::Strong, format!("> {l}"))));
                lines.extend(self::lines(answer, width));
            }
            Block::Plan { when, drawing, .. } => {
                lines.push(Line::of(Role::Header, when));
                lines.extend(self::lines(drawing, width));
            }
            Block::Charts(_) => {}
            Block::Drawn { drawing, .. } => lines.extend(self::lines(drawing, width)),
            Block::Fold(forms) => {
                lines.extend(forms.iter().take(1).flat_map(|form| self::lines(form, width)));
            }
        }
    }
    lines
}

/// Adds an empty line, unless it would be the first or follow another.
fn push_empty_line(lines: &mut Vec<Line>) {
    if lines.last().is_some_and(|l| !l.parts.is_empty()) {
        lines.push(Line::new());
    }
}

/// Returns lines with a name in front of the first.
fn labelled_lines<'a>(
    name: &str,
    lines: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = Line> {
    lines.enumerate().map(move |(i, line)| {
        let name = if i == 0 { name } else { "" };
        Line::of(Role::Quiet, format!("  {name:<13} "))
            .and(Role::Plain, line)
            .with_hanging_indent(18)
    })
}

fn role_style(role: Role) -> Style {
    let colour = |c: AnsiColor| Style::new().fg_color(Some(Color::Ansi(c)));
    match role {
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

fn write_row(row: &[Part], styled: bool, out: &mut String) {
    let last = row.iter().rposition(|p| !p.text.trim_end().is_empty());
    for (i, part) in row.iter().enumerate() {
        let text = match last {
            Some(last) if i < last => part.text.as_str(),
            Some(last) if i == last => part.text.trim_end(),
            _ => break,
        };
        if styled && part.role != Role::Plain && !text.trim().is_empty() {
            let style = role_style(part.role);
            out.push_str(&format!("{style}{text}{style:#}"));
        } else {
            out.push_str(text);
        }
    }
    out.push('\n');
}

/// Returns a line as rows of at most `width` columns, wrapped at spaces where possible.
fn break_line(line: &Line, width: usize) -> Vec<Vec<Part>> {
    if line.whole || line.width() <= width {
        return vec![line.parts.clone()];
    }
    let hang = line.hang.min(width / 2);
    let mut rows: Vec<Vec<Part>> = Vec::new();
    let mut row: Vec<Part> = Vec::new();
    let mut used = 0;
    // Spaces are added only when the word after them fits.
    let mut waiting = Part { role: Role::Plain, text: String::new() };
    let all = line.parts.iter().flat_map(|p| words_and_spaces(&p.text).map(|text| (p.role, text)));
    let all: Vec<(Role, &str)> = all.collect();
    for (i, &(role, piece)) in all.iter().enumerate() {
        if piece.starts_with(' ') {
            waiting.text.push_str(piece);
            continue;
        }
        let mut piece = piece;
        let blank = waiting.text.width();
        // Parts without a space between them are one word.
        let word = all[i..].iter().map_while(|(_, p)| (!p.starts_with(' ')).then(|| p.width()));
        let word = Some(word.sum()).filter(|word| hang + word <= width);
        let within = word.is_some() && i > 0 && !all[i - 1].1.starts_with(' ');
        if used + blank + word.unwrap_or(piece.width()) > width && used > hang && !within {
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
            let cut = fitting_bytes(piece, width.saturating_sub(used).max(1));
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

/// Returns a text as alternating words and runs of spaces. Text in `[…]` counts as one word if no
/// more than 60 bytes are left.
fn words_and_spaces(text: &str) -> impl Iterator<Item = &str> {
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

/// Returns the number of bytes of a text that fit into this many columns. The first character is
/// always included.
fn fitting_bytes(text: &str, columns: usize) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_with_a_hanging_indent() {
        let mut text = Document::new();
        text.line(Role::Plain, "  one two three four five six seven");
        assert_eq!(text.plain(20), "  one two three four\n    five six seven\n");
        let line = Line::of(Role::Plain, "one two three four").and(Role::Dice, " [5]");
        let line = line.and(Role::Plain, ", six");
        assert_eq!(Document::from_iter([line]).plain(22), "one two three four\n  [5], six\n");
    }

    #[test]
    fn keeps_dice_together_and_cuts_what_is_too_long() {
        let mut text = Document::new();
        text.line(Role::Plain, "seven dice are [1 2 3 4 5 6]");
        assert_eq!(text.plain(20), "seven dice are\n  [1 2 3 4 5 6]\n");
        let mut long = Document::new();
        long.line(Role::Plain, "x".repeat(45));
        assert!(long.plain(20).lines().all(|l| l.width() <= 20));
    }

    #[test]
    fn no_control_character_passes() {
        let mut text = Document::new();
        text.line(Role::Bad, "a\u{1b}[2Jb\u{202e}c");
        assert_eq!(text.plain(80), "a\\u{1b}[2Jb\\u{202e}c\n");
        assert!(text.styled(80).contains("\\u{1b}[2J"));
    }

    #[test]
    fn colours_change_no_words() {
        let line = Line::of(Role::Header, "a").and(Role::Plain, " ").and(Role::Good, "b");
        let text = Document::from_iter([line]);
        let styled = anstream::adapter::strip_str(&text.styled(80)).to_string();
        assert_eq!(styled, text.plain(80));
    }
}
