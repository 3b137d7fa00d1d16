//! A transcript as plain text that can be fed back: typed lines as they are, everything else after `#`.

use super::standing::struck;
use crate::render::document::{Block, Document};
use crate::render::markup::clean;
use crate::render::view::lower;

const WIDTH: usize = 96;

pub(super) fn page(page: &Document) -> String {
    let mut out = String::new();
    if let Some(title) = &page.title {
        let heads = std::iter::once(&title.name).chain(&title.scenario).map(String::as_str);
        remark(&heads.collect::<Vec<_>>().join(" · "), &mut out);
        title.by.iter().chain(&title.notes).for_each(|note| remark(note, &mut out));
    }
    let mut figures = &[][..];
    for block in &page.blocks {
        match block {
            Block::Chapter(name) => {
                out.push('\n');
                remark(&format!("== {} ==", lower(name)), &mut out);
            }
            Block::Typed { lines, standing, answer, .. } => {
                lines.iter().for_each(|line| out.extend([clean(line).as_str(), "\n"]));
                if let Some(struck) = struck(*standing) {
                    remark(&format!("({struck})"), &mut out);
                }
                remark(&answer.plain(WIDTH), &mut out);
            }
            // The plan is for the eyes; here the lines count.
            Block::Plan { .. } | Block::Charts(_) => {}
            // Figures come last, where people look for them.
            Block::Figures(_, all) => figures = all,
            Block::Line(_)
            | Block::Heading(..)
            | Block::Table(..)
            | Block::Parts(_)
            | Block::Fold(_) => {
                remark(&Document::from(vec![block.clone()]).plain(WIDTH), &mut out);
            }
        }
    }
    figures.iter().for_each(|(name, value)| remark(&format!("{name}: {value}"), &mut out));
    out
}

fn remark(words: &str, out: &mut String) {
    for line in words.lines() {
        out.push_str(if line.is_empty() { "#" } else { "# " });
        out.push_str(&clean(line));
        out.push('\n');
    }
}
