//! The proof sheet: a whole game laid out as a rule book, to be read on paper beside the printed one.
//!
//! [`Pages`] says what stands on it; `text`, `markdown` and `html` write that down.

mod charts;
mod html;
mod markdown;
mod rules;
mod text;
mod things;

use crate::language::syntax::{Block as Statements, Expr};
use crate::ruleset::Ruleset;

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For the terminal or a plain printer.
    Text,
    /// Markdown.
    Markdown,
    /// One HTML file that needs nothing else.
    Html,
}

/// The whole sheet of a game.
pub fn proof(ruleset: &Ruleset, format: Format, width: usize) -> String {
    let pages = pages(ruleset);
    match format {
        Format::Text => text::write(&pages, width),
        Format::Markdown => markdown::write(&pages),
        Format::Html => html::write(&pages),
    }
}

/// What stands in a cell or behind a word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    /// Words for people.
    Words(String),
    /// Rule text, as it is written in the ruleset.
    Code(String),
}

impl Cell {
    fn is_empty(&self) -> bool {
        match self {
            Cell::Words(text) | Cell::Code(text) => text.is_empty(),
        }
    }
}

/// A part of the sheet.
enum Block {
    /// A large heading: charts, rules, ….
    Chapter(&'static str),
    /// A heading with the page of the rule book.
    Heading(String, String),
    /// A paragraph.
    Words(String),
    /// Rows under headings.
    Table(Vec<String>, Vec<Vec<Cell>>),
    /// What belongs to a word: `when typed`, `each`.
    Parts(Vec<(String, Vec<Cell>)>),
}

/// The sheet.
struct Pages {
    title: String,
    /// Under the title: author, edition, source.
    under: Vec<String>,
    blocks: Vec<Block>,
}

fn pages(ruleset: &Ruleset) -> Pages {
    let game = &ruleset.game;
    let under = [&game.author, &game.edition, &game.source, &game.note];
    let under = under.into_iter().filter(|s| !s.is_empty()).map(|s| s.trim().to_owned()).collect();
    let mut blocks = Vec::new();
    let mut chapter = |name: &'static str, inside: Vec<Block>| {
        if !inside.is_empty() {
            blocks.push(Block::Chapter(name));
            blocks.extend(inside);
        }
    };
    chapter("The turn", rules::turn(ruleset));
    chapter("House rules and readings", things::options(ruleset));
    chapter("Charts", charts::charts(ruleset));
    chapter("Rules", rules::rules(ruleset));
    chapter("Lists", things::lists(ruleset));
    chapter("What is kept", things::kinds(ruleset));
    chapter("Definitions", rules::definitions(ruleset));
    Pages { title: game.title.clone(), under, blocks }
}

fn words(text: impl Into<String>) -> Cell {
    Cell::Words(text.into())
}

/// An expression as it is written.
fn source(ruleset: &Ruleset, expr: &Expr) -> String {
    ruleset.sources.text(expr.span).trim().to_owned()
}

/// Statements as they are written, later lines as far in as they stand under the first.
fn statements(ruleset: &Ruleset, block: &Statements) -> String {
    let (Some(first), Some(last)) = (block.first(), block.last()) else { return String::new() };
    let text = ruleset.sources.text(first.span.to(last.span));
    let rest: Vec<&str> = text.lines().skip(1).collect();
    let blank = |line: &&str| !line.trim().is_empty();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = rest.iter().filter(|l| blank(l)).map(|l| indent(l)).min().unwrap_or(0);
    let rest = rest.iter().map(|l| l.get(common..).unwrap_or("").trim_end());
    text.lines().take(1).chain(rest).collect::<Vec<_>>().join("\n")
}
