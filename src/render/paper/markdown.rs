//! Pages as Markdown.

use super::{Paper, PaperBlock, PaperCell};
use crate::render::transcript::markdown::{code, escaped};

pub(super) fn page(page: &Paper<'_>) -> String {
    let mut out = format!("# {}\n", escaped(&page.game.title));
    for line in page.under() {
        out.push_str(&format!("\n{}\n", escaped(line)));
    }
    for block in &page.blocks {
        out.push('\n');
        match block {
            PaperBlock::Chapter(name) => out.push_str(&format!("## {name}\n")),
            PaperBlock::Heading(title, cite) => {
                let cite = if cite.is_empty() { String::new() } else { format!(" · {cite}") };
                out.push_str(&format!("### {}{}\n", escaped(title), escaped(&cite)));
            }
            PaperBlock::Words(words) => out.push_str(&format!("{}\n", escaped(words.trim()))),
            PaperBlock::Table(headings, rows) => {
                let headings: Vec<String> = headings.iter().map(|h| escaped(h)).collect();
                out.push_str(&line(&headings));
                out.push_str(&line(&vec!["---".to_owned(); headings.len()]));
                for row in rows {
                    let cells: Vec<String> = row.iter().map(cell).collect();
                    out.push_str(&line(&cells));
                }
            }
            PaperBlock::Parts(parts) => {
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

/// Writes a cell in one line. A bar in rule text is escaped, as it would end the cell.
fn cell(cell: &PaperCell) -> String {
    match cell {
        PaperCell::Words(text) => escaped(text),
        PaperCell::Code(text) => {
            let lines: Vec<String> = text.lines().map(|l| code(l).replace('|', "\\|")).collect();
            lines.join("<br>")
        }
    }
}
