//! Pages as text.

use super::{Paper, PaperBlock, PaperCell, game_line};
use crate::render::grid::grid;
use crate::render::markup::{Line, Role, Text};

pub(super) fn page(page: &Paper<'_>, width: usize) -> Text {
    let mut text = Text::new();
    text.push(game_line(page.game));
    for line in [&page.game.source, &page.game.note].into_iter().filter(|l| !l.is_empty()) {
        text.push(Line::of(Role::Quiet, format!("  {}", line.trim())).hanging(2));
    }
    text.gap().extend(blocks(&page.blocks, width));
    text
}

pub(super) fn blocks(blocks: &[PaperBlock], width: usize) -> Text {
    let mut text = Text::new();
    for block in blocks {
        match block {
            PaperBlock::Chapter(name) => {
                text.gap().push(Line::new());
                text.line(Role::Header, name.to_uppercase());
                text.line(Role::Quiet, "=".repeat(name.chars().count()));
            }
            PaperBlock::Heading(title, cite) => {
                let mut line = Line::of(Role::Header, title).hanging(2);
                if !cite.is_empty() {
                    line.push(Role::Quiet, format!(" · {cite}"));
                }
                text.gap().push(line);
            }
            PaperBlock::Words(words) => {
                text.push(Line::of(Role::Plain, format!("  {}", words.trim())).hanging(2));
            }
            PaperBlock::Table(headings, rows) => {
                let cells =
                    |row: &Vec<PaperCell>| row.iter().map(|c| c.text().to_owned()).collect();
                let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
                text.extend(grid(headings, &rows, width));
            }
            PaperBlock::Parts(parts) => {
                parts.iter().for_each(|(name, cells)| part(&mut text, name, cells));
            }
        }
    }
    text
}

/// Writes a name, and behind it its cells, line under line.
fn part(text: &mut Text, name: &str, cells: &[PaperCell]) {
    for (i, line) in cells.iter().flat_map(|cell| cell.text().lines()).enumerate() {
        let name = if i == 0 { name } else { "" };
        let line = Line::of(Role::Quiet, format!("  {name:<13} ")).and(Role::Plain, line);
        text.push(line.hanging(18));
    }
}
