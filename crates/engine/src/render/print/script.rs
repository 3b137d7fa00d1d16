//! A transcript as plain text that can be used as input again: typed lines as they are, everything
//! else after `#`.

use super::standing::reason_struck_out;
use crate::render::document::{Block, Document};
use crate::render::markup::sanitize;
use crate::render::view::lower_first_letter;

const WIDTH: usize = 96;

pub(super) fn script_page(page: &Document) -> String {
    let mut out = String::new();
    if let Some(title) = &page.title {
        let heads = std::iter::once(&title.name).chain(&title.scenario).map(String::as_str);
        write_remark(&heads.collect::<Vec<_>>().join(" · "), &mut out);
        title.by.iter().chain(&title.notes).for_each(|note| write_remark(note, &mut out));
    }
    let mut figures = &[][..];
    for block in &page.blocks {
        match block {
            Block::Chapter(name) => {
                out.push('\n');
                write_remark(&format!("== {} ==", lower_first_letter(name)), &mut out);
            }
            Block::Typed { lines, standing, answer, .. } => {
                lines.iter().for_each(|line| out.extend([sanitize(line).as_str(), "\n"]));
                if let Some(struck) = reason_struck_out(*standing) {
                    write_remark(&format!("({struck})"), &mut out);
                }
                write_remark(&answer.plain(WIDTH), &mut out);
            }
            // A script consists of lines, so plans and charts are left out.
            Block::Plan { .. } | Block::Charts(_) => {}
            // Figures come last, where people look for them.
            Block::Figures(_, all) => figures = all,
            Block::Line(_)
            | Block::Heading(..)
            | Block::Table(..)
            | Block::Parts(_)
            | Block::SmallPrint(_)
            | Block::Drawn { .. }
            | Block::Fold(_) => {
                write_remark(&Document::from(vec![block.clone()]).plain(WIDTH), &mut out);
            }
        }
    }
    figures.iter().for_each(|(name, value)| write_remark(&format!("{name}: {value}"), &mut out));
    out
}

fn write_remark(words: &str, out: &mut String) {
    for line in words.lines() {
        out.push_str(if line.is_empty() { "#" } else { "# " });
        out.push_str(&sanitize(line));
        out.push('\n');
    }
}
