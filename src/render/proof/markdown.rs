//! The proof sheet as Markdown.

use super::{Block, Cell, Pages};
use crate::render::transcript::markdown::{code, escaped};

pub(super) fn write(pages: &Pages) -> String {
    let mut out = format!("# {}\n", escaped(&pages.title));
    for line in &pages.under {
        out.push_str(&format!("\n{}\n", escaped(line)));
    }
    for block in &pages.blocks {
        out.push('\n');
        match block {
            Block::Chapter(name) => out.push_str(&format!("## {name}\n")),
            Block::Heading(title, cite) => {
                let cite = if cite.is_empty() { String::new() } else { format!(" · {cite}") };
                out.push_str(&format!("### {}{}\n", escaped(title), escaped(&cite)));
            }
            Block::Words(words) => out.push_str(&format!("{}\n", escaped(words.trim()))),
            Block::Table(headings, rows) => {
                let headings: Vec<String> = headings.iter().map(|h| escaped(h)).collect();
                out.push_str(&line(&headings));
                out.push_str(&line(&vec!["---".to_owned(); headings.len()]));
                for row in rows {
                    let cells: Vec<String> = row.iter().map(cell).collect();
                    out.push_str(&line(&cells));
                }
            }
            Block::Parts(parts) => {
                for (name, cells) in parts {
                    let cells: Vec<String> = cells.iter().map(cell).collect();
                    out.push_str(&format!("- {}: {}\n", escaped(name), cells.join("; ")));
                }
            }
        }
    }
    out
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// A cell in one line; a bar in rule text would end it.
fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Words(text) => escaped(text),
        Cell::Code(text) if text.is_empty() => String::new(),
        Cell::Code(text) => {
            let lines: Vec<String> = text.lines().map(|l| code(l).replace('|', "\\|")).collect();
            lines.join("<br>")
        }
    }
}
