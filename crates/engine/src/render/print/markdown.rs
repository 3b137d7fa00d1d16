//! Markdown: typed lines are code, answers are in fences, and commands that are no longer in force
//! are crossed out.

use super::format::Format;
use super::standing::reason_struck_out;
use crate::render::document::{Block, Cell, Document};
use crate::render::markup::sanitize;

const WIDTH: usize = 96;

/// Markdown.
pub(super) const FORMAT: Format = Format {
    name: "markdown",
    description: "Markdown",
    extensions: &["md", "markdown"],
    has_pictures: false,
    print: |page, _| markdown_page(page),
};

/// Writes a document as a Markdown page.
pub(in crate::render) fn markdown_page(page: &Document) -> String {
    let mut out = String::new();
    if let Some(title) = &page.title {
        let name = title.name.clone()
            + &title.scenario.as_ref().map_or(String::new(), |s| format!(": {s}"));
        out.push_str(&format!("# {}\n\n", escape(&name)));
        for line in title.by.iter().chain(&title.notes) {
            out.push_str(&format!("{}  \n", escape(line)));
        }
    }
    page.blocks.iter().for_each(|b| write_block(b, &mut out));
    out
}

/// Writes a block, with an empty line before it.
pub(in crate::render) fn write_block(block: &Block, out: &mut String) {
    match block {
        Block::Chapter(name) => out.push_str(&format!("\n## {}\n", escape(name))),
        Block::Heading(title, cite) => {
            let cite = if cite.is_empty() { String::new() } else { format!(" · {cite}") };
            out.push_str(&format!("\n### {}{}\n", escape(title), escape(&cite)));
        }
        Block::Fold(forms) => {
            forms.iter().take(1).flat_map(|f| &f.blocks).for_each(|b| self::write_block(b, out));
        }
        Block::Drawn { drawing, .. } => {
            drawing.blocks.iter().for_each(|line| self::write_block(line, out));
        }
        Block::Line(line) => out.push_str(&format!("\n{}\n", escape(line.plain_text().trim()))),
        Block::Table(headings, rows) => {
            let headings: Vec<String> = headings.iter().map(|h| escape(h)).collect();
            out.push('\n');
            write_row(&headings, out);
            write_row(&vec!["---".to_owned(); headings.len()], out);
            rows.iter().for_each(|cells| {
                write_row(&cells.iter().map(cell_markdown).collect::<Vec<_>>(), out);
            });
        }
        Block::Parts(parts) | Block::SmallPrint(parts) => {
            out.push('\n');
            for (name, cells) in parts {
                let cells: Vec<String> = cells.iter().map(cell_markdown).collect();
                out.push_str(&format!("- {}: {}\n", escape(name), cells.join("; ")));
            }
        }
        Block::Figures(title, figures) => {
            out.push_str(&format!("\n## {title}\n\n"));
            for (name, value) in figures {
                out.push_str(&format!("- {}: {}\n", escape(name), escape(value)));
            }
        }
        Block::Typed { number, lines, standing, answer } => {
            if !lines.is_empty() {
                let number = number.map_or(String::new(), |n| format!("**{n}** "));
                let typed = lines.iter().map(|l| code_markdown(l)).collect::<Vec<_>>().join(" ");
                out.push_str(&match reason_struck_out(*standing) {
                    Some(struck) => format!("\n{number}~~{typed}~~ *({struck})*\n"),
                    None => format!("\n{number}{typed}\n"),
                });
            }
            write_fenced(answer, out);
        }
        Block::Charts(_) => {}
        Block::Plan { when, drawing, .. } => {
            out.push_str(&format!("\n*{}*\n", escape(when)));
            write_fenced(drawing, out);
        }
    }
}

/// Writes an answer inside a fence that its content cannot end.
fn write_fenced(answer: &Document, out: &mut String) {
    let told = answer.plain(WIDTH);
    if told.trim().is_empty() {
        return;
    }
    let longest = told.split(|c| c != '~').map(str::len).max().unwrap_or(0);
    let fence = "~".repeat(longest.max(2) + 1);
    out.push_str(&format!("\n{fence}\n{told}{fence}\n"));
}

fn write_row(cells: &[String], out: &mut String) {
    out.push_str(&format!("| {} |\n", cells.join(" | ")));
}

/// Writes a cell on one line. A `|` in rule text is escaped, because it would end the cell.
fn cell_markdown(cell: &Cell) -> String {
    match cell {
        Cell::Words(text) => escape(text),
        Cell::Code(text) => {
            let lines: Vec<String> =
                text.lines().map(|l| code_markdown(l).replace('|', "\\|")).collect();
            lines.join("<br>")
        }
    }
}

/// Writes typed words as code.
fn code_markdown(line: &str) -> String {
    let line = sanitize(line);
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{line}{fence}"),
        _ => format!("{fence} {line} {fence}"),
    }
}

/// Writes words with all Markdown characters escaped.
pub(in crate::render) fn escape(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in sanitize(words).chars() {
        if "\\`*_{}[]<>#|~&".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
