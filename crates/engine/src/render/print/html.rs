//! A page as a single HTML file, without scripts or external resources. Every text is escaped.

use super::dice;
use super::escape::{clean_and_escape, escape};
use super::format::Format;
use super::standing::reason_struck_out;
use crate::render::document::{Block, Cell, Document};
use crate::render::markup::{Line, Part, Role, sanitize_lines};
use crate::render::{chart, plan};

const WIDTH: usize = 110;
/// The maximum number of rows of an answer that isn't folded.
const MAX_UNFOLDED_ROWS: usize = 14;

const STYLE: &str = "\
body{font:16px/1.45 Georgia,serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
pre{font:14px/1.35 ui-monospace,monospace;white-space:pre-wrap;background:#f5f3ee;padding:.6rem .8rem;border-radius:4px;overflow-x:auto}\
code{font:13px/1.35 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}p code{background:#e8e4da;padding:.1rem .3rem;border-radius:3px}\
.n{color:#5c5c5c;margin-right:.5rem}.struck{text-decoration:line-through}.letters{white-space:pre}\
h2{border-bottom:2px solid #555;margin-top:2.5rem}h3{margin:1.6rem 0 .3rem}small{color:#5c5c5c;font-weight:normal;overflow-wrap:anywhere}\
table{border-collapse:collapse;margin:.5rem 0;max-width:100%}th,td{overflow-wrap:break-word;border:1px solid #bbb;padding:.15rem .6rem;text-align:left;vertical-align:top}\
th{background:#f0ece2;font-weight:600}\
dl{display:grid;grid-template-columns:7rem 1fr;gap:.1rem .8rem;margin:.5rem 0}dt{color:#5c5c5c}dd{margin:0;min-width:0;overflow-wrap:anywhere}dd>*{display:block}.small,.small code{font-size:11px}\
@media print,(max-width:60rem){th,td{padding:.1rem .3rem;font-size:.9em;overflow-wrap:anywhere}}\
@media(prefers-color-scheme:dark){@media screen{body{color:#ddd;background:#181818}pre{background:#242424}p code{background:#333}\
th{background:#2a2a2a}small,dt{color:#aaa}}}\
@page{margin:16mm 14mm;@bottom-center{content:counter(page)}}\
@media print{nav a{color:inherit;text-decoration:none}body{font-size:10.5pt;max-width:none;margin:0;padding:0}h2{break-before:page}h2:first-of-type,section~h2{break-before:auto}\
h2,h3{break-after:avoid}table,dl{break-inside:avoid}thead{display:table-header-group}}";

/// The additional CSS for a transcript.
const PLAYED_STYLE: &str = "\
:root{--ink:#222;--quiet:#5c5c5c;--good:#0b6b2f;--bad:#a3161a;--die:#fff}\
section{border-top:1px solid #bbb;padding:.4rem 0;break-inside:avoid}h2+section{border-top:0}section p{margin:.2rem 0}\
.header,.strong,.notice{font-weight:700}.quiet,.n{color:var(--quiet)}.good{color:var(--good)}.check.good,.check.bad{color:inherit}\
.check.good .verdict{color:var(--good)}.check.bad .verdict,.bad{color:var(--bad)}.die{width:1.5em;height:1.5em}\
summary{cursor:pointer;color:var(--quiet)}.charts{display:flex;flex-wrap:wrap;gap:1rem}.charts svg{max-width:100%;break-inside:avoid}svg.plan{display:block;max-height:85vh}\
@media(prefers-color-scheme:dark){@media screen{:root{--ink:#ddd;--quiet:#aaa;--good:#7fd99a;--bad:#ff9c96;--die:#181818}}}\
@media print{details{display:none}svg.plan{break-inside:avoid;max-height:20cm}.die{print-color-adjust:exact}}";

/// One HTML file.
pub(super) const FORMAT: Format = Format {
    name: "html",
    description: "One HTML file, for the browser and the printer",
    extensions: &["html", "htm"],
    has_pictures: true,
    print: |page, _| html_page(page),
};

fn html_page(page: &Document) -> String {
    let title = page.title.as_deref();
    let name = title.map_or(String::new(), |title| match &title.scenario {
        Some(scenario) => clean_and_escape(&format!("{}: {scenario}", title.name)),
        None => clean_and_escape(&title.name),
    });
    let is_played = page.blocks.iter().any(|block| matches!(block, Block::Typed { .. }));
    let played = if is_played {
        [PLAYED_STYLE, dice::STYLE, plan::STYLE, chart::STYLE].concat()
    } else {
        String::new()
    };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}</title>\n\
         <style>{STYLE}{played}</style>\n</head>\n<body>\n<main>\n<h1>{name}</h1>\n"
    );
    for (tag, lines) in title.iter().flat_map(|t| [("span", &t.by), ("small", &t.notes)]) {
        let lines: Vec<String> = lines.iter().map(|line| clean_and_escape(line)).collect();
        if !lines.is_empty() {
            out.push_str(&format!("<p><{tag}>{}</{tag}></p>\n", lines.join("<br>\n")));
        }
    }
    let chapters = page.blocks.iter().filter_map(|block| match block {
        Block::Chapter(heading) if !is_played => Some(heading.as_str()),
        _ => None,
    });
    let chapters: Vec<&str> = chapters.collect();
    out.push_str(&contents_html(&chapters));
    let mut chapter = 0;
    for block in &page.blocks {
        match block {
            Block::Chapter(heading) if !is_played => {
                chapter += 1;
                let heading = clean_and_escape(heading);
                out.push_str(&format!("<h2 id=\"chapter-{chapter}\">{chapter} {heading}</h2>\n"));
            }
            _ => write_block(block, &mut out),
        }
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Returns the table of contents of a book, or an empty string for a page with fewer than three
/// chapters.
fn contents_html(chapters: &[&str]) -> String {
    if chapters.len() < 3 {
        return String::new();
    }
    let items = chapters.iter().enumerate().map(|(index, name)| {
        format!("<li><a href=\"#chapter-{}\">{}</a></li>\n", index + 1, clean_and_escape(name))
    });
    let items: String = items.collect();
    format!("<nav aria-label=\"contents\"><h3>Contents</h3>\n<ol>\n{items}</ol></nav>\n")
}

fn write_parts(tag: &str, parts: &[(String, Vec<Cell>)], out: &mut String) {
    out.push_str(&format!("{tag}\n"));
    for (name, cells) in parts {
        let cells: String = cells.iter().map(part_html).collect();
        out.push_str(&format!("<dt>{}</dt><dd>{cells}</dd>\n", clean_and_escape(name)));
    }
    out.push_str("</dl>\n");
}

fn write_block(block: &Block, out: &mut String) {
    match block {
        Block::Chapter(name) => out.push_str(&format!("<h2>{}</h2>\n", clean_and_escape(name))),
        Block::Heading(title, cite) => {
            let cite = match cite.as_str() {
                "" => String::new(),
                cite => format!(" <small>{}</small>", clean_and_escape(cite)),
            };
            out.push_str(&format!("<h3>{}{cite}</h3>\n", clean_and_escape(title)));
        }
        Block::Fold(forms) => {
            forms.iter().take(1).flat_map(|f| &f.blocks).for_each(|b| self::write_block(b, out));
        }
        Block::Drawn { drawing, .. } => {
            drawing.blocks.iter().for_each(|line| self::write_block(line, out));
        }
        Block::Line(line) => self::write_line(line, out),
        Block::Table(headings, rows) => {
            let headings: String = headings.iter().map(|words| column_heading(words)).collect();
            out.push_str(&format!("<table>\n<thead><tr>{headings}</tr></thead>\n<tbody>\n"));
            for row in rows {
                let cells: String =
                    row.iter().map(|c| format!("<td>{}</td>", cell_html(c))).collect();
                out.push_str(&format!("<tr>{cells}</tr>\n"));
            }
            out.push_str("</tbody>\n</table>\n");
        }
        Block::Parts(parts) => self::write_parts("<dl>", parts, out),
        Block::SmallPrint(parts) => self::write_parts("<dl class=\"small\">", parts, out),
        Block::Figures(title, figures) => {
            out.push_str(&format!("<h2>{title}</h2>\n<table>\n"));
            for (name, value) in figures {
                let name = clean_and_escape(name);
                let value = clean_and_escape(value);
                out.push_str(&format!("<tr><td>{name}</td><td>{value}</td></tr>\n"));
            }
            out.push_str("</table>\n");
        }
        Block::Typed { number, lines, standing, answer } => {
            let struck = reason_struck_out(*standing);
            let class = if struck.is_some() { " class=\"struck\"" } else { "" };
            out.push_str(&format!("<section{class}>\n"));
            if !lines.is_empty() {
                let number = number.map_or(String::new(), |n| n.to_string());
                let typed = lines.iter().map(|l| format!("<code>{}</code>", clean_and_escape(l)));
                let typed = typed.collect::<Vec<_>>().join(" ");
                let note = struck.map_or(String::new(), |s| format!(" <em>({s})</em>"));
                out.push_str(&format!("<p><span class=\"n\">{number}</span>{typed}{note}</p>\n"));
            }
            let full = html_fragment(answer);
            let brief = html_fragment(&answer.clone().shortened(WIDTH, MAX_UNFOLDED_ROWS));
            out.push_str(&brief);
            if brief != full {
                let more = format!("<details><summary>show all</summary>\n{full}</details>\n");
                out.push_str(&more);
            }
            out.push_str("</section>\n");
        }
        Block::Charts(charts) => {
            out.extend(["<h2>Turn by turn</h2>\n<div class=\"charts\">", charts, "</div>\n"]);
        }
        Block::Plan { when, drawing, picture } => {
            out.push_str(&format!("<h3>{}</h3>\n", clean_and_escape(when)));
            match picture {
                Some(picture) => out.extend([picture, "\n"]),
                None => write_answer(" class=\"letters\"", drawing, out),
            }
        }
    }
}

/// Writes the blocks of a document as HTML, without the surrounding page.
pub(in crate::render) fn html_fragment(document: &Document) -> String {
    let mut out = String::new();
    document.blocks.iter().for_each(|b| write_block(b, &mut out));
    out
}

fn write_line(line: &Line, out: &mut String) {
    if let Some((label, check)) = line.check.as_deref() {
        return out.push_str(&dice::check_html(label, check));
    }
    let words: String = line.parts.iter().map(span_html).collect();
    if !words.trim().is_empty() {
        out.push_str(&format!("<p>{}</p>\n", words.trim()));
    }
}

fn span_html(part: &Part) -> String {
    match role_class(part.role) {
        "" => clean_and_escape(&part.text),
        class => format!("<span class=\"{class}\">{}</span>", clean_and_escape(&part.text)),
    }
}

fn role_class(role: Role) -> &'static str {
    match role {
        Role::Plain => "",
        Role::Header => "header",
        Role::Strong => "strong",
        Role::Quiet => "quiet",
        Role::Dice => "faces",
        Role::Good => "good",
        Role::Bad => "bad",
        Role::Notice => "notice",
        Role::Low => "low",
        Role::Middle => "middle",
        Role::High => "high",
    }
}

fn write_answer(class: &str, answer: &Document, out: &mut String) {
    let words = answer.plain(WIDTH);
    if !words.trim().is_empty() {
        out.push_str(&format!("<pre{class}>{}</pre>\n", escape(&words)));
    }
}

/// Writes the heading of a column, or an empty cell if the heading is empty.
fn column_heading(words: &str) -> String {
    if words.is_empty() {
        "<td></td>".to_owned()
    } else {
        format!("<th>{}</th>", clean_and_escape(words))
    }
}

fn cell_html(cell: &Cell) -> String {
    match cell {
        Cell::Words(text) => clean_and_escape(text),
        Cell::Code(text) if text.is_empty() => String::new(),
        Cell::Code(text) => format!("<code>{}</code>", escape(&sanitize_lines(text.trim_end()))),
    }
}

/// Writes a cell of a named part, as an element that the style puts on its own line.
fn part_html(content: &Cell) -> String {
    match content {
        Cell::Words(text) => format!("<span>{}</span>", clean_and_escape(text)),
        Cell::Code(_) => cell_html(content),
    }
}
