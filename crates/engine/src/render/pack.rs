//! The pack for an evening, to be printed: quick reference, umpire's card, unit cards, briefings, markers and plan.
//!
//! It is one HTML file with a style for paper. It shows the game after the set-up as the umpire
//! sees it; the umpire hands the cards and briefings to the players. It contains everything needed
//! to continue a game without the program.

use indexmap::IndexMap;

use crate::language::schema::{Attribute, AttributeStorage, Type};
use crate::render::print::escape::clean_and_escape;
use crate::render::print::html::html_fragment;
use crate::render::table::attribute_heading;
use crate::render::view::View;
use crate::render::{looks, paper, plan, setup};
use crate::tabletop::Scenario;

/// The maximum number of boxes to tick off for a number.
const MAX_BOXES: i64 = 12;
/// The copies of each marker.
const MARKER_COPIES: usize = 6;
/// The maximum number of words of a text that is only a name.
const MAX_WORDS_OF_NAME: usize = 3;

/// A size of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperSize {
    /// 210 by 297 mm.
    A4,
    /// 148 by 210 mm.
    A5,
    /// 8.5 by 11 inches.
    Letter,
}

impl PaperSize {
    /// All sizes.
    pub const ALL: [PaperSize; 3] = [PaperSize::A4, PaperSize::A5, PaperSize::Letter];

    /// Returns its name in arguments and CSS.
    pub fn name(self) -> &'static str {
        match self {
            PaperSize::A4 => "a4",
            PaperSize::A5 => "a5",
            PaperSize::Letter => "letter",
        }
    }

    /// Returns the margins of a page.
    fn margins(self) -> &'static str {
        match self {
            PaperSize::A4 | PaperSize::Letter => "10mm 10mm 14mm",
            PaperSize::A5 => "8mm 8mm 12mm",
        }
    }

    /// Returns the style for this size only, because the quick reference must fit on both sides of
    /// one sheet.
    fn style(self) -> &'static str {
        match self {
            PaperSize::A4 | PaperSize::Letter => "",
            PaperSize::A5 => {
                ".reference{font-size:6.5pt}.reference table{font-size:6.1pt}.reference p{margin:0}"
            }
        }
    }

    /// Returns the number of columns of the quick reference.
    fn columns(self) -> usize {
        match self {
            PaperSize::A4 | PaperSize::Letter => 2,
            PaperSize::A5 => 1,
        }
    }
}

const STYLE: &str = "\
body{font:10pt/1.3 Georgia,'Times New Roman',serif;color:#000;background:#fff;margin:0}\
main{max-width:190mm;margin:0 auto}\
h1{font-size:18pt;margin:0 0 2mm}h2{font-size:13pt;margin:0 0 2mm;border-bottom:1px solid #000}h3{font-size:10pt;margin:2mm 0 .5mm}\
h2,h3,p:has(+table){break-after:avoid}section{break-before:page}section:first-of-type{break-before:auto}\
table{border-collapse:collapse;margin:1mm 0;max-width:100%;break-inside:avoid}th,td{border:1px solid #777;padding:0 1.2mm;text-align:left;vertical-align:top;overflow-wrap:break-word}\
th{background:#eee}p{margin:.5mm 0}ul{margin:1mm 0;padding-left:5mm}\
.reference{font:7.2pt/1.2 Arial,Helvetica,sans-serif;column-gap:5mm}.reference>div{column-gap:5mm}.reference table{font-size:6.8pt}\
.reference>table{break-inside:auto}tr{break-inside:avoid}.reference h3{font-size:8pt}.reference dl{margin:0}.reference dt{font-weight:bold}.reference dd{margin:0 0 0 3mm}\
.cards{display:grid;gap:3mm;grid-template-columns:1fr 1fr}.card{border:1px solid #000;border-radius:2mm;padding:2mm;break-inside:avoid}\
.card h4{margin:0;font-size:11pt}.card .what{color:#333}.card dl{display:grid;grid-template-columns:max-content 1fr;gap:0 2mm;margin:1mm 0 0}.card dd{margin:0}\
.box{display:inline-block;width:3.4mm;height:3.4mm;border:1px solid #000;margin-right:.8mm;vertical-align:middle}\
.briefing{font-size:13pt;line-height:1.45}.briefing dt{font-weight:bold;margin-top:4mm}.briefing dd{margin:0}\
.umpire table{font-size:8.2pt;width:100%}.umpire code{white-space:normal}\
.markers{display:flex;flex-wrap:wrap}.marker{border:1px dashed #000;width:26mm;height:14mm;display:flex;align-items:center;justify-content:center;text-align:center;font:bold 9pt Arial,Helvetica,sans-serif;break-inside:avoid;print-color-adjust:exact}\
.marker[class*=c-]{background:var(--c);color:var(--c-ink)}\
svg.plan{max-width:100%;max-height:240mm;display:block}nav ol{columns:2}\
@media screen{main{padding:1rem}}";

/// Returns the pack for a scenario that is set out in this view, as HTML.
pub fn pack(view: &View<'_>, scenario: &Scenario, size: PaperSize) -> String {
    let ruleset = view.referee.ruleset();
    let mut sections: Vec<(String, String, &str)> = Vec::new();
    let mut add = |title: &str, class: &'static str, body: String| {
        if !body.is_empty() {
            sections.push((title.to_owned(), body, class));
        }
    };
    let tables = html_fragment(&paper::quick_reference(ruleset));
    let checks = html_fragment(&paper::checks_page(ruleset));
    let columns = size.columns();
    let tables = format!("<div style=\"columns:{columns}\">\n{tables}</div>\n{checks}");
    add("Quick reference", "reference", tables);
    add("The umpire's card", "umpire", html_fragment(&paper::verbs_page(ruleset)));
    for (side, cards) in unit_cards(view) {
        let title = side.map_or("Cards".to_owned(), |side| format!("Cards: {side}"));
        add(&title, "", format!("<div class=\"cards\">{cards}</div>\n"));
    }
    for (title, body) in briefings(view) {
        add(&title, "briefing", body);
    }
    add("Markers to cut out", "", markers(view));
    add("The plan", "", plan::plan_svg(view, &[], None, false).unwrap_or_default());
    let title = clean_and_escape(&format!("{}: {}", ruleset.game.title, scenario.title));
    let note = clean_and_escape(scenario.note.trim());
    let mut contents = String::new();
    let mut body = String::new();
    for (index, (heading, section, class)) in sections.iter().enumerate() {
        let heading = clean_and_escape(heading);
        contents.push_str(&format!("<li><a href=\"#part{index}\">{heading}</a></li>\n"));
        body.push_str(&format!(
            "<section id=\"part{index}\" class=\"{class}\">\n<h2>{heading}</h2>\n{section}</section>\n"
        ));
    }
    let page = format!(
        "{}@page{{size:{};margin:{};@bottom-center{{content:counter(page) \" / \" counter(pages);font:8pt Arial,sans-serif}}}}",
        size.style(),
        size.name(),
        size.margins()
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}{page}{}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n<p>{note}</p>\n\
         <nav>\n<h3>Contents</h3>\n<ol>\n{contents}</ol>\n</nav>\n{body}</main>\n</body>\n</html>\n",
        plan::STYLE
    )
}

/// Returns a card for each piece on the table, by side: its description, and boxes to tick off for
/// the numbers of its markers.
fn unit_cards(view: &View<'_>) -> IndexMap<Option<String>, String> {
    let mut cards: IndexMap<Option<String>, String> = IndexMap::new();
    for (side, kind, row) in setup::pieces_laid_out(view) {
        let of = view.referee.ruleset().schema.kind(kind);
        if of.plan {
            continue;
        }
        let name = clean_and_escape(&view.table.piece_name(kind, row));
        let what = clean_and_escape(&setup::what_it_is(view, kind, row).join(", "));
        let mut counts = String::new();
        for attribute in of.attributes.iter().filter(|attribute| has_boxes(attribute)) {
            let Some(boxes) = box_count(attribute) else { continue };
            let boxes = "<span class=\"box\"></span>".repeat(boxes);
            let heading = clean_and_escape(&attribute_heading(attribute));
            counts.push_str(&format!("<dt>{heading}</dt><dd>{boxes}</dd>"));
        }
        let counts = if counts.is_empty() { counts } else { format!("<dl>{counts}</dl>") };
        let kind_name = clean_and_escape(&of.name);
        cards.entry(side).or_default().push_str(&format!(
            "<div class=\"card\"><h4>{name} <small>{kind_name}</small></h4><div class=\"what\">{what}</div>{counts}</div>\n"
        ));
    }
    cards
}

fn has_boxes(attribute: &Attribute) -> bool {
    attribute.marker.is_some()
        && !attribute.bookkeeping
        && matches!(attribute.storage, AttributeStorage::Cell(_))
}

/// Returns the number of boxes for an attribute; `None` if it can't be ticked off.
fn box_count(attribute: &Attribute) -> Option<usize> {
    match attribute.ty {
        Type::Flag => Some(1),
        Type::Whole => {
            let most = attribute.high.checked_sub(attribute.start.max(0))?;
            usize::try_from(most).ok().filter(|_| (1..=MAX_BOXES).contains(&most))
        }
        _ => None,
    }
}

/// Returns a page for each piece with information for a player after the set-up: all of its texts,
/// if one of them is more than a name.
fn briefings(view: &View<'_>) -> Vec<(String, String)> {
    let schema = &view.referee.ruleset().schema;
    let mut briefings = Vec::new();
    for (id, kind) in schema.piece_kinds() {
        let is_text = |index: &usize| kind.attributes[*index].ty == Type::Text;
        let texts: Vec<usize> = (0..kind.attributes.len()).filter(is_text).collect();
        for row in view.table.present_pieces(id) {
            let told = texts.iter().filter_map(|&index| {
                let text = view.referee.attribute_text(view.table, id, row, index)?;
                (!text.is_empty()).then_some((index, text))
            });
            let told: Vec<(usize, String)> = told.collect();
            if !told.iter().any(|(_, text)| text.split_whitespace().count() > MAX_WORDS_OF_NAME) {
                continue;
            }
            let body = told.iter().map(|(index, text)| {
                let heading = clean_and_escape(&attribute_heading(&kind.attributes[*index]));
                format!("<dt>{heading}</dt><dd>{}</dd>\n", clean_and_escape(text))
            });
            let title = format!("Briefing: {}", view.table.piece_name(id, row));
            briefings.push((title, format!("<dl>\n{}</dl>\n", body.collect::<String>())));
        }
    }
    briefings
}

/// Returns some copies of each marker in its colour: one for each word, and for each number up to
/// twelve.
fn markers(view: &View<'_>) -> String {
    let schema = &view.referee.ruleset().schema;
    let mut markers: IndexMap<String, &str> = IndexMap::new();
    for (_, kind) in schema.piece_kinds() {
        for attribute in &kind.attributes {
            let Some(marker) = &attribute.marker else { continue };
            let colour = |index: usize| {
                let own = attribute.colours.get(index).or(attribute.colours.first());
                own.map_or("", |colour| looks::colour_class(*colour))
            };
            match attribute.ty {
                Type::Word(set) => {
                    for (index, word) in schema.word_set(set).values.iter().enumerate() {
                        if word != "none" && attribute.unmarked.as_ref() != Some(word) {
                            markers.entry(format!("{marker} {word}")).or_insert(colour(index));
                        }
                    }
                }
                Type::Whole if attribute.high <= MAX_BOXES => {
                    let numbers = attribute.low.max(1)..=attribute.high;
                    for number in numbers.filter(|number| *number != attribute.start) {
                        markers.entry(format!("{marker} {number}")).or_insert(colour(0));
                    }
                }
                _ => {
                    markers.entry(marker.clone()).or_insert(colour(0));
                }
            }
        }
    }
    let one = |(words, colour): (&String, &&str)| {
        let words = clean_and_escape(words);
        format!("<div class=\"marker {colour}\">{words}</div>").repeat(MARKER_COPIES)
    };
    let all: String = markers.iter().map(one).collect();
    if all.is_empty() { all } else { format!("<div class=\"markers\">{all}</div>\n") }
}
