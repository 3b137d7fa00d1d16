//! Markdown for players: what was typed as code, what came of it in blocks, what no longer stands struck out.

use super::{Block, Pages, head_lines};
use crate::render::markup::{Text, clean};
use crate::session::Transcript;

const WIDTH: usize = 96;

pub(super) fn write(pages: &Pages) -> String {
    let mut out = head(&pages.head);
    for part in &pages.blocks {
        out.push_str(&block(part));
    }
    if !pages.measures.is_empty() {
        out.push_str("\n## What it came to\n\n");
        for (name, value) in &pages.measures {
            out.push_str(&format!("- {}: {}\n", escaped(name), escaped(value)));
        }
    }
    out.push_str("\n## The dice\n");
    out.push_str(&told(&pages.luck));
    out
}

/// Heading, seal, words and seed.
pub(super) fn head(head: &Transcript) -> String {
    let mut out = format!("# {}: {}\n\n", escaped(&head.title), escaped(&head.scenario));
    for line in head_lines(head) {
        out.push_str(&format!("{}  \n", escaped(&line)));
    }
    out
}

/// A block.
pub(super) fn block(block: &Block) -> String {
    match block {
        Block::Turn(name) => format!("\n## {}\n", escaped(name)),
        Block::Command { number, lines, struck, told: words } => {
            let mut out = String::new();
            typed(*number, lines, *struck, &mut out);
            out.push_str(&told(words));
            out
        }
        Block::Plan(when, drawing) => format!("\n*{}*\n{}", escaped(when), told(drawing)),
    }
}

/// Writes the lines typed, and why they no longer stand.
pub(super) fn typed(number: Option<u64>, lines: &[String], struck: Option<&str>, out: &mut String) {
    let head = number.map_or(String::new(), |n| format!("**{n}** "));
    if lines.is_empty() && struck.is_none() {
        return;
    }
    let typed: Vec<String> = lines.iter().map(|l| code(l)).collect();
    let typed = typed.join(" ");
    out.push_str(&match struck {
        Some(struck) => format!("\n{head}~~{typed}~~ *({struck})*\n"),
        None => format!("\n{head}{typed}\n"),
    });
}

/// Returns an answer as a block.
pub(super) fn told(words: &Text) -> String {
    let mut out = String::new();
    told_block(&words.plain(WIDTH), &mut out);
    out
}

/// A block nothing in it can end.
fn told_block(told: &str, out: &mut String) {
    if told.trim().is_empty() {
        return;
    }
    let longest = told.split(|c| c != '~').map(str::len).max().unwrap_or(0);
    let fence = "~".repeat(longest.max(2) + 1);
    out.push_str(&format!("\n{fence}\n{told}{fence}\n"));
}

/// Typed words as code.
pub(in crate::render) fn code(line: &str) -> String {
    let line = clean(line);
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{line}{fence}"),
        _ => format!("{fence} {line} {fence}"),
    }
}

/// Words in which nothing is taken for a mark.
pub(in crate::render) fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in clean(words).chars() {
        if "\\`*_{}[]<>#|~&".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
