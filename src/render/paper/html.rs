//! Pages as HTML: one file without scripts or anything from elsewhere. Every text is escaped.

use super::{Paper, PaperBlock, PaperCell};
use crate::render::markup::clean;
use crate::render::transcript::html::{escaped, escaped_block};

const STYLE: &str = "\
body{font:16px/1.45 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h2{border-bottom:2px solid #555;margin-top:2.5rem}h3{margin:1.6rem 0 .3rem}small{color:#666;font-weight:normal}\
table{border-collapse:collapse;margin:.5rem 0}th,td{border:1px solid #bbb;padding:.15rem .6rem;text-align:left;vertical-align:top}\
th{background:#f0ece2;font-weight:600}code{font:13px/1.35 ui-monospace,monospace;white-space:pre-wrap}\
dl{display:grid;grid-template-columns:7rem 1fr;gap:.1rem .8rem;margin:.5rem 0}dt{color:#666}dd{margin:0}dd>*{display:block}\
@media(prefers-color-scheme:dark){@media screen{body{color:#ddd;background:#181818}th{background:#2a2a2a}small,dt{color:#aaa}}}\
@media print{body{font-size:10.5pt;max-width:none;margin:0;padding:0}h2{break-before:page}h2:first-of-type{break-before:auto}\
h2,h3{break-after:avoid}table,dl{break-inside:avoid}thead{display:table-header-group}}";

pub(super) fn page(page: &Paper<'_>) -> String {
    let title = escaped(&page.game.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for line in page.under() {
        out.push_str(&format!("<p>{}</p>\n", escaped(line)));
    }
    for block in &page.blocks {
        match block {
            PaperBlock::Chapter(name) => out.push_str(&format!("<h2>{}</h2>\n", escaped(name))),
            PaperBlock::Heading(title, cite) if cite.is_empty() => {
                out.push_str(&format!("<h3>{}</h3>\n", escaped(title)));
            }
            PaperBlock::Heading(title, cite) => {
                let (title, cite) = (escaped(title), escaped(cite));
                out.push_str(&format!("<h3>{title} <small>{cite}</small></h3>\n"));
            }
            PaperBlock::Words(words) => {
                out.push_str(&format!("<p>{}</p>\n", escaped(words.trim())));
            }
            PaperBlock::Table(headings, rows) => table(headings, rows, &mut out),
            PaperBlock::Parts(parts) => {
                out.push_str("<dl>\n");
                for (name, cells) in parts {
                    let cells: Vec<String> = cells.iter().map(part).collect();
                    let (name, cells) = (escaped(name), cells.concat());
                    out.push_str(&format!("<dt>{name}</dt><dd>{cells}</dd>\n"));
                }
                out.push_str("</dl>\n");
            }
        }
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn table(headings: &[String], rows: &[Vec<PaperCell>], out: &mut String) {
    out.push_str("<table>\n<thead><tr>");
    for heading in headings {
        out.push_str(&format!("<th>{}</th>", escaped(heading)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            out.push_str(&format!("<td>{}</td>", inside(cell)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
}

fn inside(cell: &PaperCell) -> String {
    match cell {
        PaperCell::Words(text) => escaped(text),
        PaperCell::Code(text) if text.is_empty() => String::new(),
        PaperCell::Code(text) => {
            let lines: Vec<String> = text.lines().map(clean).collect();
            format!("<code>{}</code>", escaped_block(&lines.join("\n")))
        }
    }
}

/// Writes a cell of a part, on lines of its own.
fn part(cell: &PaperCell) -> String {
    match cell {
        PaperCell::Words(text) => format!("<span>{}</span>", escaped(text)),
        code => inside(code),
    }
}
