//! Plain text that can be fed back as a script: what was typed stands alone, everything else behind `#`.

use super::{Block, Pages, head_lines};
use crate::render::markup::clean;

const WIDTH: usize = 96;

pub(super) fn write(pages: &Pages) -> String {
    let mut out = String::new();
    let remark = |out: &mut String, words: &str| {
        for line in words.lines() {
            out.push_str(if line.is_empty() { "#" } else { "# " });
            out.push_str(&clean(line));
            out.push('\n');
        }
    };
    let head = &pages.head;
    remark(&mut out, &format!("{} · {}", head.title, head.scenario));
    for line in head_lines(head) {
        remark(&mut out, &line);
    }
    for block in &pages.blocks {
        match block {
            Block::Turn(name) => {
                out.push('\n');
                remark(&mut out, &format!("== {name} =="));
            }
            Block::Command { lines, struck, told, .. } => {
                for line in lines {
                    out.push_str(&clean(line));
                    out.push('\n');
                }
                if let Some(struck) = struck {
                    remark(&mut out, &format!("({struck})"));
                }
                remark(&mut out, &told.plain(WIDTH));
            }
            // The plan is for the eyes; here the lines count.
            Block::Plan(..) => {}
        }
    }
    out.push('\n');
    remark(&mut out, "== the dice ==");
    remark(&mut out, &pages.luck.plain(WIDTH));
    for (name, value) in &pages.measures {
        remark(&mut out, &format!("{name}: {value}"));
    }
    out
}
