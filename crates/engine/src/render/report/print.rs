//! The formats of a battle report: a page, a fragment for a blog, and Markdown.

use super::battle_report::{Report, ReportPhoto};
use super::course::GameCourse;
use super::game_story::TurnStory;
use super::moments::{KeyMoment, chance_in_words};
use super::sentences::sentence;
use crate::names::capitalized;
use crate::render::print::escape::clean_and_escape;
use crate::render::print::markdown;
use crate::render::setup::Force;
use crate::render::{chart, plan};

/// A format of battle reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// One HTML file, with the plan and the log.
    Page,
    /// HTML to insert into the page of a blog, without styles, plan or log.
    Fragment,
    /// Markdown, without plan or log.
    Markdown,
}

impl ReportFormat {
    /// All formats.
    pub const ALL: [ReportFormat; 3] =
        [ReportFormat::Page, ReportFormat::Fragment, ReportFormat::Markdown];

    /// Returns the name of the format in arguments.
    pub fn name(self) -> &'static str {
        match self {
            ReportFormat::Page => "report",
            ReportFormat::Fragment => "report-fragment",
            ReportFormat::Markdown => "report-markdown",
        }
    }

    /// Returns a description of the format for umpires, in a few words.
    pub fn description(self) -> &'static str {
        match self {
            ReportFormat::Page => {
                "A battle report to publish: one HTML file, with the log at its end"
            }
            ReportFormat::Fragment => "A battle report as HTML to paste into a blog",
            ReportFormat::Markdown => "A battle report as Markdown",
        }
    }
}

const STYLE: &str = "\
body{font:18px/1.6 Georgia,'Times New Roman',serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h1{line-height:1.2;margin-bottom:.2rem}h2{margin:2rem 0 .4rem;line-height:1.25}h3{margin:1.2rem 0 .2rem}\
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .9rem;margin:1rem 0 1.6rem;font-size:.95em}dt{color:#5c5c5c}dd{margin:0}\
figure{margin:1.4rem 0}figure img,figure svg{max-width:100%;height:auto;display:block}.charts svg{max-width:24rem;margin:.4rem 0}figcaption{font-size:.9em;color:#5c5c5c}\
.log{font-size:.85em}.log ol{padding-left:1.4rem}.log code{font:.95em ui-monospace,monospace;overflow-wrap:anywhere}summary{cursor:pointer}\
@media(prefers-color-scheme:dark){@media screen{body{color:#ddd;background:#181818}dt,figcaption{color:#aaa}}}\
@media print{body{font-size:11pt;max-width:none;margin:0}h2,h3{break-after:avoid}figure,li{break-inside:avoid}details{display:none}}";

impl Report {
    /// Writes the report in a format.
    pub fn print(&self, format: ReportFormat) -> String {
        match format {
            ReportFormat::Page => page(self),
            ReportFormat::Fragment => {
                let body = body(self, false);
                format!("<article class=\"battle-report\">\n{body}</article>\n")
            }
            ReportFormat::Markdown => markdown(self),
        }
    }
}

fn page(report: &Report) -> String {
    let title = clean_and_escape(&report.scenario);
    let log = log(report);
    let plan_style = if report.plan.is_some() { plan::STYLE } else { "" };
    let chart_style = if report.course.is_some() { chart::STYLE } else { "" };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}{plan_style}{chart_style}</style>\n</head>\n<body>\n<main>\n{}</main>\n{log}</body>\n</html>\n",
        body(report, true)
    )
}

/// Writes the report without the surrounding page, and with the charts and the plan only if
/// `with_pictures` is true.
fn body(report: &Report, with_pictures: bool) -> String {
    let mut out =
        format!("<h1>{}</h1>\n<dl class=\"facts\">\n", clean_and_escape(&report.scenario));
    for (name, fact) in &report.facts {
        out.push_str(&format!("<dt>{name}</dt><dd>{}</dd>\n", clean_and_escape(fact)));
    }
    out.push_str("</dl>\n");
    if !report.background.is_empty() {
        out.push_str("<h2>Background</h2>\n");
        push_paragraph(&sentence(&report.background), &mut out);
    }
    if !report.forces.is_empty() {
        out.push_str("<h2>The forces</h2>\n");
        for Force { side, lines } in &report.forces {
            push_heading(heading_of_force(side.as_deref(), &report.forces), &mut out);
            push_list(lines, &mut out);
        }
    }
    if !report.plans.is_empty() {
        out.push_str("<h2>The plans</h2>\n");
        for (side, orders) in &report.plans {
            push_heading(Some(side), &mut out);
            orders.iter().for_each(|order| push_paragraph(&sentence(order), &mut out));
        }
    }
    out.push_str("<h2>The game</h2>\n");
    let mut photos = report.photos().into_iter();
    for turn in &report.turns {
        out.push_str(&format!("<h3>{}</h3>\n", turn_title(turn)));
        if !turn.sentences.is_empty() {
            push_paragraph(&turn.sentences.join(" "), &mut out);
        }
        turn.paragraphs.iter().for_each(|paragraph| push_paragraph(paragraph, &mut out));
        for ReportPhoto { name, caption, .. } in photos.by_ref().take(turn.photos.len()) {
            let caption = clean_and_escape(&caption);
            out.push_str(&format!("<figure><img src=\"{name}\" alt=\"{caption}\">"));
            if !caption.is_empty() {
                out.push_str(&format!("<figcaption>{caption}</figcaption>"));
            }
            out.push_str("</figure>\n");
        }
    }
    if let Some(GameCourse { words, measure, charts }) = &report.course {
        out.push_str("<h2>When the game turned</h2>\n");
        push_paragraph(words, &mut out);
        if with_pictures {
            let caption = clean_and_escape(measure);
            out.push_str(&format!(
                "<figure class=\"charts\">{charts}<figcaption>{caption}, turn by turn</figcaption></figure>\n"
            ));
        }
    }
    if !report.moments.is_empty() {
        out.push_str("<h2>Key moments</h2>\n");
        let moments: Vec<String> = report.moments.iter().map(moment_line).collect();
        push_list(&moments, &mut out);
    }
    out.push_str("<h2>How it ended</h2>\n");
    push_paragraph(&report.ending, &mut out);
    if !report.luck.is_empty() {
        push_paragraph(&report.luck, &mut out);
    }
    if let (Some(plan), true) = (&report.plan, with_pictures) {
        out.push_str(&format!(
            "<figure>{plan}<figcaption>The table at the end</figcaption></figure>\n"
        ));
    }
    out
}

/// Writes the log, folded.
fn log(report: &Report) -> String {
    let mut out = String::new();
    let mut turn = None;
    for (number, line, outcome) in &report.log {
        if turn.replace(*number) != Some(*number) {
            if !out.is_empty() {
                out.push_str("</ol>\n");
            }
            let title = if *number == 0 { "Set-up".to_owned() } else { format!("Turn {number}") };
            out.push_str(&format!("<h3>{title}</h3>\n<ol>\n"));
        }
        let line = clean_and_escape(line);
        let line = if line.is_empty() { String::new() } else { format!("<code>{line}</code> ") };
        out.push_str(&format!("<li>{line}{}</li>\n", clean_and_escape(outcome)));
    }
    if out.is_empty() {
        return out;
    }
    format!("<details class=\"log\"><summary>The log</summary>\n{out}</ol>\n</details>\n")
}

/// Returns the heading of a force; `None` if it is the only one and has no side.
fn heading_of_force<'f>(side: Option<&'f str>, forces: &[Force]) -> Option<&'f str> {
    side.or_else(|| (forces.len() > 1).then_some("others"))
}

fn push_heading(side: Option<&str>, out: &mut String) {
    if let Some(side) = side {
        out.push_str(&format!("<h3>{}</h3>\n", clean_and_escape(&capitalized(side))));
    }
}

fn push_paragraph(text: &str, out: &mut String) {
    out.push_str(&format!("<p>{}</p>\n", clean_and_escape(text)));
}

fn push_list(lines: &[String], out: &mut String) {
    let items = lines.iter().map(|line| format!("<li>{}</li>\n", clean_and_escape(line)));
    out.push_str(&format!("<ul>\n{}</ul>\n", items.collect::<String>()));
}

fn turn_title(turn: &TurnStory) -> String {
    if turn.number == 0 {
        "Before the first turn".to_owned()
    } else {
        format!("Turn {}", turn.number)
    }
}

fn moment_line(moment: &KeyMoment) -> String {
    let KeyMoment { turn, sentence: told, roll, chance, change } = moment;
    let change = change.as_deref().map_or(String::new(), |change| format!(" {}", sentence(change)));
    let chance = chance_in_words(*chance);
    let roll = if roll.is_empty() { String::new() } else { format!(" (“{roll}”)") };
    format!("Turn {turn}: {told} The chance of this roll{roll} was {chance}.{change}")
}

fn markdown(report: &Report) -> String {
    let escape = markdown::escape;
    let mut out = format!("# {}\n\n", escape(&report.scenario));
    for (name, fact) in &report.facts {
        out.push_str(&format!("**{name}:** {}  \n", escape(fact)));
    }
    if !report.background.is_empty() {
        out.push_str(&format!("\n## Background\n\n{}\n", escape(&sentence(&report.background))));
    }
    if !report.forces.is_empty() {
        out.push_str("\n## The forces\n");
        for Force { side, lines } in &report.forces {
            if let Some(heading) = heading_of_force(side.as_deref(), &report.forces) {
                out.push_str(&format!("\n### {}\n", escape(&capitalized(heading))));
            }
            out.push('\n');
            lines.iter().for_each(|line| out.push_str(&format!("- {}\n", escape(line))));
        }
    }
    if !report.plans.is_empty() {
        out.push_str("\n## The plans\n");
        for (side, orders) in &report.plans {
            out.push_str(&format!("\n### {}\n", escape(&capitalized(side))));
            for order in orders {
                out.push_str(&format!("\n{}\n", escape(&sentence(order))));
            }
        }
    }
    out.push_str("\n## The game\n");
    let mut photos = report.photos().into_iter();
    for turn in &report.turns {
        out.push_str(&format!("\n### {}\n", turn_title(turn)));
        if !turn.sentences.is_empty() {
            out.push_str(&format!("\n{}\n", escape(&turn.sentences.join(" "))));
        }
        for paragraph in &turn.paragraphs {
            out.push_str(&format!("\n{}\n", escape(paragraph)));
        }
        for ReportPhoto { name, caption, .. } in photos.by_ref().take(turn.photos.len()) {
            out.push_str(&format!("\n![{}]({name})\n", escape(&caption)));
        }
    }
    if let Some(course) = &report.course {
        out.push_str(&format!("\n## When the game turned\n\n{}\n", escape(&course.words)));
    }
    if !report.moments.is_empty() {
        out.push_str("\n## Key moments\n\n");
        for moment in &report.moments {
            out.push_str(&format!("- {}\n", escape(&moment_line(moment))));
        }
    }
    out.push_str(&format!("\n## How it ended\n\n{}\n", escape(&report.ending)));
    if !report.luck.is_empty() {
        out.push_str(&format!("\n{}\n", escape(&report.luck)));
    }
    out
}
