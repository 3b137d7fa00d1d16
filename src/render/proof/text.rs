//! The proof sheet as plain text.

use super::{Block, Cell, Pages};
use crate::render::grid::grid;
use crate::render::markup::{Line, Role, Text};

pub(super) fn write(pages: &Pages, width: usize) -> String {
    let mut text = Text::of(Role::Header, pages.title.to_uppercase());
    for line in &pages.under {
        text.push(Line::of(Role::Quiet, line).hanging(2));
    }
    let blank =
        |text: &mut Text, lines: usize| (0..lines).for_each(|_| text.lines.push(Line::new()));
    for block in &pages.blocks {
        match block {
            Block::Chapter(name) => {
                blank(&mut text, 2);
                text.line(Role::Header, name.to_uppercase());
                text.line(Role::Quiet, "=".repeat(name.chars().count()));
            }
            Block::Heading(title, cite) => {
                blank(&mut text, 1);
                let mut line = Line::of(Role::Header, title).hanging(2);
                if !cite.is_empty() {
                    line.push(Role::Quiet, format!(" · {cite}"));
                }
                text.push(line);
            }
            Block::Words(words) => {
                text.push(Line::of(Role::Plain, format!("  {}", words.trim())).hanging(2));
            }
            Block::Table(headings, rows) => {
                let plain = |cell: &Cell| match cell {
                    Cell::Words(text) | Cell::Code(text) => text.clone(),
                };
                let rows: Vec<Vec<String>> =
                    rows.iter().map(|r| r.iter().map(plain).collect()).collect();
                text.extend(grid(headings, &rows, width));
            }
            Block::Parts(parts) => {
                for (name, cells) in parts {
                    part(&mut text, name, cells);
                }
            }
        }
    }
    text.plain(width)
}

/// A word, and behind it what belongs to it, line under line.
fn part(text: &mut Text, name: &str, cells: &[Cell]) {
    let lines = cells.iter().flat_map(|cell| match cell {
        Cell::Words(text) | Cell::Code(text) => text.lines(),
    });
    for (i, line) in lines.enumerate() {
        let name = if i == 0 { name } else { "" };
        let line = Line::of(Role::Quiet, format!("  {name:<13} ")).and(Role::Plain, line);
        text.push(line.hanging(18));
    }
}
