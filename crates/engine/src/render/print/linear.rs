//! Text for screen readers: one fact per line, without columns, boxes or drawings, and never
//! wrapped.

use crate::render::document::{Block, Cell, Document};
use crate::render::markup::{Line, Part, Role, sanitize};

/// The layout of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintLayout {
    /// In columns, wrapped to a width, with or without colours.
    Columns {
        /// The number of columns.
        width: usize,
        /// True if the text has colours.
        styled: bool,
    },
    /// One fact per line, for screen readers.
    Linear,
}

/// Signs that screen readers spell out or skip, with words for them.
const SIGNS: [(&str, &str); 6] = [
    (" · ", ", "),
    (" → ", " to "),
    ("≤ ", "at most "),
    ("≥ ", "at least "),
    ("≠ ", "not "),
    (" — ", ": "),
];

impl Document {
    /// Returns the document as text; every line ends with a line feed.
    pub fn lay_out(&self, layout: PrintLayout) -> String {
        match layout {
            PrintLayout::Columns { width, styled } => self.write(width, styled),
            PrintLayout::Linear => self.linear(),
        }
    }

    /// Writes one fact per line; every line ends with a line feed.
    fn linear(&self) -> String {
        let mut facts = Vec::new();
        add_document(self, &mut facts);
        let mut out = String::new();
        for fact in facts.iter().filter(|fact| !fact.is_empty()) {
            out.push_str(fact);
            out.push('\n');
        }
        out
    }
}

fn add_document(document: &Document, facts: &mut Vec<String>) {
    if let Some(title) = &document.title {
        add_line(&title.name_line(), facts);
        facts.extend(title.notes.iter().map(|note| in_words(&sanitize(note))));
    }
    for block in &document.blocks {
        add_block(block, facts);
    }
}

fn add_block(block: &Block, facts: &mut Vec<String>) {
    match block {
        Block::Line(line) => add_line(line, facts),
        Block::Chapter(name) => facts.push(in_words(&sanitize(name))),
        Block::Heading(title, cite) => {
            add_line(&Line::of(Role::Header, title).with_cite(cite), facts);
        }
        Block::Table(headings, rows) => rows.iter().for_each(|row| add_row(headings, row, facts)),
        Block::Parts(parts) | Block::SmallPrint(parts) => {
            for (name, cells) in parts {
                let lines = cells.iter().flat_map(|cell| cell.text().lines());
                facts.extend(lines.map(|line| labelled(name, line)));
            }
        }
        Block::Figures(title, figures) => {
            facts.push((*title).to_owned());
            facts.extend(figures.iter().map(|(name, value)| labelled(name, value)));
        }
        Block::Typed { lines, standing, answer, .. } => {
            facts.extend(lines.iter().map(|line| labelled("typed", line)));
            facts.extend(super::standing::reason_struck_out(*standing).map(in_words));
            add_document(answer, facts);
        }
        Block::Plan { when, drawing, .. } => {
            facts.push(in_words(&sanitize(when)));
            add_document(drawing, facts);
        }
        Block::Charts(_) => {}
        Block::Fold(forms) => forms.iter().take(1).for_each(|form| add_document(form, facts)),
        Block::Drawn { described, .. } => add_document(described, facts),
    }
}

/// Adds a fact for each cell of a row: the name of the row, the heading of the column, and the
/// cell. Cells that are empty or contain only a dash are left out. If no cells remain, adds just
/// the name of the row.
fn add_row(headings: &[String], row: &[Cell], facts: &mut Vec<String>) {
    let Some((first, cells)) = row.split_first() else { return };
    let first_heading = headings.first().map_or("", String::as_str);
    let name = format!("{first_heading} {}", first.text());
    let name = name.trim();
    let before = facts.len();
    for (cell, heading) in cells.iter().zip(headings.iter().skip(1)) {
        let lines = cell.text().lines().filter(|text| !matches!(text.trim(), "" | "–"));
        facts.extend(lines.map(|text| match heading.as_str() {
            "" => labelled(name, text),
            _ => labelled(&format!("{name}, {heading}"), text),
        }));
    }
    if facts.len() == before {
        facts.push(in_words(&sanitize(name)));
    }
}

fn labelled(name: &str, value: &str) -> String {
    in_words(&sanitize(&format!("{name}: {}", value.trim())))
}

/// Adds the facts of a line. A part of the line that ends in a semicolon ends a fact. The words
/// before the first gap (two spaces) are the subject of every fact.
fn add_line(line: &Line, facts: &mut Vec<String>) {
    let mut texts = vec![String::new()];
    for part in line.parts.iter().filter(|part| !is_drawn(part)) {
        let (text, ends) = match part.text.strip_suffix("; ") {
            Some(text) => (text, true),
            None => (part.text.as_str(), false),
        };
        if let Some(last) = texts.last_mut() {
            last.push_str(text);
        }
        texts.extend(ends.then(String::new));
    }
    let mut subject = String::new();
    for (index, text) in texts.iter().enumerate() {
        let mut rest = text.trim();
        // A line that only underlines the line above contains no fact.
        if rest.chars().all(|c| matches!(c, '^' | '=' | ' ')) {
            continue;
        }
        if index == 0
            && let Some((head, after)) = rest.split_once("  ")
        {
            subject = format!("{}: ", head.trim_end_matches(':'));
            rest = after.trim_start();
        }
        facts.push(in_words(&format!("{subject}{}", join_columns(rest))));
    }
}

/// Returns true if a part is a bar of a chart.
fn is_drawn(part: &Part) -> bool {
    let is_block = |c: char| matches!(c, '\u{2580}'..='\u{259f}');
    part.text.chars().any(is_block) && part.text.chars().all(|c| is_block(c) || c == ' ')
}

/// Returns a text with a comma instead of each gap between columns.
fn join_columns(text: &str) -> String {
    let columns = text.split("  ").map(|column| column.trim().trim_end_matches(','));
    let columns = columns.filter(|column| !column.is_empty());
    columns.collect::<Vec<_>>().join(", ")
}

/// Returns a text with words in place of the signs that screen readers read badly.
fn in_words(text: &str) -> String {
    SIGNS.iter().fold(text.to_owned(), |text, (sign, words)| text.replace(sign, words))
}

#[cfg(test)]
mod tests {
    use super::PrintLayout;
    use crate::render::document::{Block, Document};
    use crate::render::markup::{Line, Role};

    fn linear(document: &Document) -> String {
        document.lay_out(PrintLayout::Linear)
    }

    #[test]
    fn each_cell_is_a_fact_with_its_row_and_heading() {
        let headings = ["", "at", "load"].map(str::to_owned).to_vec();
        let rows = [["t1", "a1", "–"], ["t2", "b2", "hose"], ["t3", "", ""]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec()).to_vec();
        let table = Document::from(vec![Block::table(headings, rows)]);
        assert_eq!(linear(&table), "t1, at: a1\nt2, at: b2\nt2, load: hose\nt3\n");
    }

    #[test]
    fn a_list_repeats_its_subject_and_columns_are_a_sentence() {
        let mut text = Document::new();
        let mut line = Line::of(Role::Notice, "On the table:").and(Role::Plain, "  ");
        line.push(Role::Strong, "a1").push(Role::Plain, " red die 1; ");
        text.push(line.and(Role::Strong, "t1").and(Role::Plain, " to b2"));
        text.line(Role::Plain, "each is asked; nobody waits");
        text.line(Role::Plain, "  b1 → c1    [6] +1 wind = 7  ≤ 3  no");
        assert_eq!(
            linear(&text),
            "On the table: a1 red die 1\nOn the table: t1 to b2\n\
             each is asked; nobody waits\n\
             b1 to c1: [6] +1 wind = 7, at most 3, no\n"
        );
    }

    #[test]
    fn drawings_bars_and_carets_are_left_out_and_nothing_is_broken() {
        let drawing = Document::of(Role::Plain, "  a b\n1 # =");
        let described = Document::of(Role::Plain, "a1  building");
        let mut text = Document::from(vec![Block::Drawn { drawing, described }]);
        text.push(Line::of(Role::Plain, "  7  16.7%  ").and(Role::Dice, "███▌"));
        text.push(Line::of(Role::Bad, "    ^^^"));
        let long = "word ".repeat(60);
        text.line(Role::Plain, long.trim());
        assert_eq!(linear(&text), format!("a1: building\n7: 16.7%\n{}\n", long.trim()));
    }
}
