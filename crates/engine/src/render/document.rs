//! The document that every view returns. It consists of lines, tables, headings and other blocks,
//! which the printers write.

use crate::render::markup::{Line, Role};
use crate::session::Standing;

/// A document: blocks in order, with a title if it is a whole page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The title of a page; an answer at the prompt has none.
    pub(crate) title: Option<Box<Title>>,
    pub(crate) blocks: Vec<Block>,
}

/// The title of a page, with its subtitle lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Title {
    pub name: String,
    /// The scenario, for a game that was played.
    pub scenario: Option<String>,
    /// The author and the edition, or the players of a game that was played.
    pub by: Vec<String>,
    /// The lines under the title.
    pub notes: Vec<String>,
}

/// A block of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// A line of an answer.
    Line(Line),
    /// The heading of a section.
    Chapter(String),
    /// A heading with a reference to a page or section of the rule book.
    Heading(String, String),
    /// A table with headings.
    Table(Vec<String>, Vec<Vec<Cell>>),
    /// Named parts, each with its cells. The names are words such as `typed` and `only if`.
    Parts(Vec<(String, Vec<Cell>)>),
    /// Named parts of rule text, in small print, for readers who need the exact wording.
    SmallPrint(Vec<(String, Vec<Cell>)>),
    /// Figures by name, under a heading.
    Figures(&'static str, Vec<(String, String)>),
    /// The typed lines, if any, with their answer.
    Typed { number: Option<u64>, lines: Vec<String>, standing: Standing, answer: Document },
    /// The plan at one moment: in letters, and as an SVG picture if it is not too large.
    Plan { when: String, drawing: Document, picture: Option<String> },
    /// Charts in SVG, which only HTML pages show.
    Charts(String),
    /// The same content in several forms, each shorter than the one before. A form is shown only
    /// where there are too few rows for the forms before it.
    Fold(Vec<Document>),
    /// A drawing, and its content in sentences for people who can't see it.
    Drawn { drawing: Document, described: Document },
}

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Text for people.
    Words(String),
    /// Rule text as it is written in the ruleset.
    Code(String),
}

impl Cell {
    pub(crate) fn text(&self) -> &str {
        match self {
            Cell::Words(text) | Cell::Code(text) => text,
        }
    }
}

impl Block {
    /// Returns a paragraph, indented by two columns.
    pub(crate) fn paragraph(words: impl AsRef<str>) -> Block {
        Block::Line(Line::of(Role::Plain, format!("  {}", words.as_ref())).with_hanging_indent(2))
    }

    /// Returns a table whose cells contain text for people.
    pub(crate) fn table(headings: Vec<String>, rows: Vec<Vec<String>>) -> Block {
        let rows = rows.into_iter().map(|row| row.into_iter().map(Cell::Words).collect());
        Block::Table(headings, rows.collect())
    }
}

impl Document {
    /// Returns an empty document.
    pub fn new() -> Document {
        Document::default()
    }

    /// Returns the document without its title.
    #[must_use]
    pub fn without_title(self) -> Document {
        Document { title: None, ..self }
    }

    /// Returns the lines of a text as a document. All lines have the same role.
    pub fn of(role: Role, text: impl AsRef<str>) -> Document {
        text.as_ref().lines().map(|l| Line::of(role, l)).collect()
    }

    /// Adds a line.
    pub fn push(&mut self, line: Line) -> &mut Document {
        self.blocks.push(Block::Line(line));
        self
    }

    /// Adds a line of text that has only one role.
    pub fn line(&mut self, role: Role, text: impl AsRef<str>) -> &mut Document {
        self.push(Line::of(role, text))
    }

    /// Adds an empty line, unless the document is empty or ends in one.
    pub fn push_empty_line(&mut self) -> &mut Document {
        match self.blocks.last() {
            None => self,
            Some(Block::Line(line)) if line.parts.is_empty() => self,
            Some(_) => self.push(Line::new()),
        }
    }

    /// Adds the blocks of another document.
    pub fn extend(&mut self, other: Document) -> &mut Document {
        self.blocks.extend(other.blocks);
        self
    }

    /// Inserts words at the beginning of the first line, or as a new line if the document doesn't
    /// begin with a line.
    pub fn prefix(&mut self, role: Role, words: impl AsRef<str>) {
        let head = Line::of(role, words);
        match self.blocks.first_mut() {
            Some(Block::Line(first)) => drop(first.parts.splice(0..0, head.parts)),
            _ => self.blocks.insert(0, Block::Line(head)),
        }
    }

    /// Returns the document with every fold replaced by its longest form.
    pub(crate) fn unabridged(&self) -> Document {
        let mut open = Document { title: self.title.clone(), blocks: Vec::new() };
        for block in &self.blocks {
            match block {
                Block::Fold(forms) => open
                    .blocks
                    .extend(forms.first().map(Document::unabridged).unwrap_or_default().blocks),
                block => open.blocks.push(block.clone()),
            }
        }
        open
    }

    /// Adds words to the end of the first line. If the document begins with a fold, adds them to
    /// each form; if it begins with any other block, adds nothing.
    pub(crate) fn append(&mut self, role: Role, words: &str) {
        match self.blocks.first_mut() {
            Some(Block::Line(first)) => {
                first.push(role, words);
            }
            Some(Block::Fold(forms)) => forms.iter_mut().for_each(|f| f.append(role, words)),
            _ => {}
        }
    }

    /// Returns true if the document is empty.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

impl From<Vec<Block>> for Document {
    fn from(blocks: Vec<Block>) -> Document {
        Document { title: None, blocks }
    }
}

impl FromIterator<Line> for Document {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Document {
        lines.into_iter().map(Block::Line).collect::<Vec<_>>().into()
    }
}
