//! HTML in one file, without scripts and without anything from elsewhere; every text is escaped.

use super::{Block, Pages, head_lines};
use crate::render::markup::clean;

const WIDTH: usize = 110;

const STYLE: &str = "\
body{font:16px/1.45 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
pre{font:14px/1.35 ui-monospace,monospace;white-space:pre-wrap;background:#f5f3ee;padding:.6rem .8rem;border-radius:4px;overflow-x:auto}\
code{font:14px ui-monospace,monospace;background:#e8e4da;padding:.1rem .3rem;border-radius:3px}\
.n{color:#666;margin-right:.5rem}.struck>p code,.struck>pre{text-decoration:line-through;opacity:.6}\
.plan{white-space:pre}h2{border-bottom:1px solid #bbb;margin-top:2rem}small{color:#555;overflow-wrap:anywhere}\
table{border-collapse:collapse}td{border:1px solid #ccc;padding:.2rem .6rem}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#242424}code{background:#333}small{color:#aaa}}";

pub(super) fn write(pages: &Pages) -> String {
    let head = &pages.head;
    let title = format!("{}: {}", escaped(&head.title), escaped(&head.scenario));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for line in head_lines(head) {
        out.push_str(&format!("<p><small>{}</small></p>\n", escaped(&line)));
    }
    for block in &pages.blocks {
        match block {
            Block::Turn(name) => out.push_str(&format!("<h2>{}</h2>\n", escaped(name))),
            Block::Command { number, lines, struck, told } => {
                let class = if struck.is_some() { " class=\"struck\"" } else { "" };
                out.push_str(&format!("<section{class}>\n"));
                if !lines.is_empty() {
                    let number = number.map_or(String::new(), |n| n.to_string());
                    let typed: Vec<String> =
                        lines.iter().map(|l| format!("<code>{}</code>", escaped(l))).collect();
                    let note = struck.map_or(String::new(), |s| format!(" <em>({s})</em>"));
                    let typed = typed.join(" ");
                    out.push_str(&format!(
                        "<p><span class=\"n\">{number}</span>{typed}{note}</p>\n"
                    ));
                }
                pre("", &told.plain(WIDTH), &mut out);
                out.push_str("</section>\n");
            }
            Block::Plan(when, drawing) => {
                out.push_str(&format!("<h3>{}</h3>\n", escaped(when)));
                pre(" class=\"plan\"", &drawing.plain(WIDTH), &mut out);
            }
        }
    }
    if !pages.measures.is_empty() {
        out.push_str("<h2>What it came to</h2>\n<table>\n");
        for (name, value) in &pages.measures {
            out.push_str(&format!(
                "<tr><td>{}</td><td>{}</td></tr>\n",
                escaped(name),
                escaped(value)
            ));
        }
        out.push_str("</table>\n");
    }
    out.push_str("<h2>The dice</h2>\n");
    pre("", &pages.luck.plain(WIDTH), &mut out);
    out.push_str("</body>\n</html>\n");
    out
}

fn pre(class: &str, told: &str, out: &mut String) {
    if !told.trim().is_empty() {
        out.push_str(&format!("<pre{class}>{}</pre>\n", escaped_block(told)));
    }
}

/// Words as they are, whatever they hold.
pub(in crate::render) fn escaped(words: &str) -> String {
    escaped_block(&clean(words))
}

/// Words that are clean already, line ends and all.
pub(in crate::render) fn escaped_block(words: &str) -> String {
    html_escape::encode_double_quoted_attribute(words).into_owned()
}
