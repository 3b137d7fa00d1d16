//! Blocks that all pages share, and rule text as it is written in the ruleset.

use crate::language::syntax::{Expr, Statements};
use crate::render::document::{Block, Cell};
use crate::ruleset::Ruleset;

/// Returns a cell with text for people.
pub(super) fn text_cell(text: impl Into<String>) -> Cell {
    Cell::Words(text.into())
}

/// Returns the heading of a chart or rule, and its remark if it has one.
pub(super) fn heading(title: &str, cite: &str, note: &str) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(title.to_owned(), cite.to_owned())];
    blocks.extend(paragraph(note));
    blocks
}

/// Returns a paragraph, or nothing for an empty string.
pub(super) fn paragraph(words: &str) -> Option<Block> {
    (!words.is_empty()).then(|| Block::paragraph(words.trim()))
}

/// Returns a table under fixed headings.
pub(super) fn table<const N: usize>(headings: [&str; N], rows: Vec<Vec<Cell>>) -> Block {
    Block::Table(headings.map(str::to_owned).to_vec(), rows)
}

/// Returns a table of these rows or, if there are none, a note that no row covers the total.
pub(super) fn rows_or_remark(
    headings: Vec<String>,
    rows: Vec<Vec<Cell>>,
    total: Option<i64>,
) -> Block {
    match total {
        Some(total) if rows.is_empty() => Block::paragraph(format!("no row covers {total}")),
        _ => Block::Table(headings, rows),
    }
}

/// Returns the source text of an expression.
pub(super) fn expression_source(ruleset: &Ruleset, expr: &Expr) -> String {
    ruleset.sources.text(expr.span).trim().to_owned()
}

/// Returns the source text of statements, with the common indentation of the later lines removed.
pub(super) fn statements_source(ruleset: &Ruleset, block: &Statements) -> String {
    let (Some(first), Some(last)) = (block.first(), block.last()) else { return String::new() };
    let text = ruleset.sources.text(first.span.to(last.span));
    let rest: Vec<&str> = text.lines().skip(1).collect();
    let blank = |line: &&str| !line.trim().is_empty();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = rest.iter().filter(|l| blank(l)).map(|l| indent(l)).min().unwrap_or(0);
    let rest = rest.iter().map(|l| l.get(common..).unwrap_or("").trim_end());
    text.lines().take(1).chain(rest).collect::<Vec<_>>().join("\n")
}
