//! The pack for an evening's game, for printing: plan, umpire's card, quick reference, unit cards,
//! markers and briefings.
//!
//! The pack is one HTML file, styled for paper. It shows the game after the set-up as the umpire
//! sees it; the umpire hands the cards and briefings to the players. It contains everything needed
//! to continue a game without the program.

mod fitting;

use fitting::{
    CardEntry, Fitting, PrintedArea, TABLE_SIZE, fit_card, fit_reference, height_of_cover,
    scale_of_table,
};
use indexmap::IndexMap;

use crate::command::usage_text;
use crate::language::machine::World;
use crate::language::schema::{KindId, Type};
use crate::names::proper_name;
use crate::render::document::{Block, Document};
use crate::render::print::escape::clean_and_escape;
use crate::render::print::html::html_fragment;
use crate::render::table::attribute_heading;
use crate::render::view::View;
use crate::render::{cards, looks, paper, plan, setup};
use crate::ruleset::{Phase, Ruleset};
use crate::tabletop::Scenario;

/// The maximum number of boxes to tick off for a number.
const MAX_BOXES: i64 = 12;
/// The heading for lines that can be typed in every phase.
const ANY_TIME: &str = "At any time";
/// The maximum number of cards that are never divided between two pages. More cards may not fit on
/// one page, and then the browser would divide a card.
const MAX_CARDS_TOGETHER: usize = 6;
/// The maximum width of a page without its margins, in millimetres.
const MAX_WIDTH: f64 = 190.0;
/// The maximum number of copies of each marker.
const MARKER_COPIES: usize = 6;
/// The width of a marker in millimetres, as in the style.
const WIDTH_OF_MARKER: f64 = 26.0;
/// The number of rows of markers at the end that stay on one page.
const LAST_ROWS: usize = 3;
/// A text with at most this many words counts as a name.
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

    /// Returns the name of the size in arguments and CSS.
    pub fn name(self) -> &'static str {
        match self {
            PaperSize::A4 => "a4",
            PaperSize::A5 => "a5",
            PaperSize::Letter => "letter",
        }
    }

    /// Returns the width and height of a sheet, in millimetres.
    fn sheet(self) -> (f64, f64) {
        match self {
            PaperSize::A4 => (210.0, 297.0),
            PaperSize::A5 => (148.0, 210.0),
            PaperSize::Letter => (215.9, 279.4),
        }
    }

    /// Returns the margins of a page, in millimetres: at the top and at both sides, and at the
    /// bottom.
    fn margins(self) -> (f64, f64) {
        match self {
            PaperSize::A4 | PaperSize::Letter => (10.0, 14.0),
            PaperSize::A5 => (8.0, 12.0),
        }
    }

    /// Returns the part of a page inside its margins.
    fn printed_area(self) -> PrintedArea {
        let (width, height) = self.sheet();
        let (margin, bottom) = self.margins();
        let width = (width - 2.0 * margin).min(MAX_WIDTH);
        PrintedArea::of_millimetres(width, height - margin - bottom)
    }

    /// Returns the number of columns of the umpire's card.
    fn columns_of_card(self) -> usize {
        match self {
            PaperSize::A4 | PaperSize::Letter => 2,
            PaperSize::A5 => 1,
        }
    }

    /// Returns the maximum height of the plan, in millimetres.
    fn height_of_plan(self) -> u32 {
        match self {
            PaperSize::A4 | PaperSize::Letter => 190,
            PaperSize::A5 => 165,
        }
    }
}

const STYLE: &str = "\
body{font:9.5pt/1.3 Arial,Helvetica,sans-serif;color:#000;background:#fff;margin:0}\
main{max-width:190mm;margin:0 auto;padding-right:.4mm}\
h1{font-size:17pt;margin:0 0 2mm}h2{font-size:13pt;margin:0 0 2mm;border-bottom:1px solid #000}h3{font-size:10pt;margin:2mm 0 .5mm}\
h2,h3,p:has(+table){break-after:avoid}section+section{margin-top:5mm}section.sheet{break-before:page;margin-top:0}section.whole{break-inside:avoid}\
table{border-collapse:collapse;margin:1mm 0;max-width:100%;break-inside:avoid}th,td{border:1px solid #777;padding:0 1.2mm;text-align:left;vertical-align:top;overflow-wrap:break-word}\
th{background:#eee}p{margin:.5mm 0}ul{margin:1mm 0;padding-left:5mm}\
.reference{line-height:1.2}.charts,.umpire{column-gap:5mm}.reference table{font-size:.94em}.reference th,.reference td{padding:0 .4em}.checks td:first-child{min-width:6em}\
.reference p,tr{break-inside:avoid}.reference h3{font-size:1.1em}.reference h3 small{font-size:.83em}\
.cards{display:grid;gap:3mm;grid-template-columns:repeat(auto-fill,minmax(58mm,1fr))}.card{border:1px solid #000;border-radius:2mm;padding:2mm;break-inside:avoid}\
.card h4{margin:0;font-size:11pt}.card .what{color:#333}.card dl{display:flex;flex-wrap:wrap;gap:.6mm 3mm;margin:1mm 0 0}.card dl>div{display:flex;gap:1.5mm;flex:1 0 22mm;min-width:fit-content}.card .flag{flex-direction:row-reverse;justify-content:flex-end;gap:.7mm}.card dd{margin:0}\
.box{display:inline-block;box-sizing:border-box;width:3.5mm;height:3.5mm;border:1px solid #000;margin-right:.6mm;vertical-align:middle}.line{display:inline-block;width:12mm;border-bottom:1px solid #000}\
.briefing{font-size:13pt;line-height:1.45}.briefing dt{font-weight:bold;margin-top:4mm}.briefing dd{margin:0}\
.umpire{line-height:1.25}.umpire h3{font-size:1.12em}.umpire h3:first-child{margin-top:0}.umpire p{padding-left:4mm;text-indent:-4mm;margin:.4mm 0;break-inside:avoid}.umpire i{font-style:normal;color:#333}\
.markers{display:flex;flex-wrap:wrap}.markers+.markers,.chart{break-inside:avoid}.marker{border:1px dashed #000;width:26mm;height:14mm;box-sizing:border-box;padding:0 1mm;display:flex;align-items:center;justify-content:center;text-align:center;font-weight:bold;font-size:8.5pt;line-height:1.15;break-inside:avoid;print-color-adjust:exact}\
.marker[class*=c-]{background:var(--c);color:var(--c-ink)}\
svg.plan{max-width:100%;display:block;break-inside:avoid}nav ol{columns:2}nav a{color:inherit;text-decoration:none}code{font-family:Consolas,'DejaVu Sans Mono',monospace}\
@media screen{main{padding:1rem}}";

/// A section of the pack.
struct PackSection {
    title: String,
    /// The CSS class: `sheet` if the section begins a page, or `whole` if it stays on one page
    /// unless it is longer than a page.
    class: &'static str,
    body: String,
}

impl PackSection {
    fn new(title: &str, class: &'static str, body: String) -> PackSection {
        PackSection { title: title.to_owned(), class, body }
    }
}

/// Returns the pack for a scenario that is set out in this view, as HTML. `words` are the usages of
/// the console's words that the umpire needs during a game, each with its help.
pub fn pack(
    view: &View<'_>,
    scenario: &Scenario,
    size: PaperSize,
    words: &[(&str, &str)],
) -> String {
    let ruleset = view.referee.ruleset();
    let area = size.printed_area();
    let mut sections: Vec<PackSection> = Vec::new();
    // The first pages stay with the umpire, because they show everything.
    let plan = plan::plan_svg(view, &[], None, false);
    let has_plan = plan.is_some();
    sections.extend(plan.map(|plan| PackSection::new("The plan", "whole", plan)));
    let card = umpires_card(ruleset, words);
    let index_of_card = sections.len();
    sections.push(PackSection::new("The umpire's card", "", card_html(&card)));
    let charts = paper::quick_reference(ruleset);
    let checks = paper::checks_page(ruleset);
    let reference = fit_reference(&charts, &checks, area);
    let tables = reference_html(&charts, &checks, reference, area);
    sections.push(PackSection::new("Quick reference", "sheet reference", tables));
    // Cards and markers are cut out, so the cards of several players can share a page.
    let mut class = "sheet";
    for (side, cards) in unit_cards(view) {
        // Pieces that belong to nobody stay with the umpire.
        let title =
            side.map_or("Cards".to_owned(), |side| format!("Cards: {}", proper_name(&side)));
        let is_short = cards.len() <= MAX_CARDS_TOGETHER;
        let class_of_side = if class.is_empty() && is_short { "whole" } else { class };
        let cards = format!("<div class=\"cards\">{}</div>\n", cards.concat());
        sections.push(PackSection::new(&title, class_of_side, cards));
        class = "";
    }
    let markers = markers(view, area);
    sections.extend(markers.map(|body| PackSection::new("Markers to cut out", class, body)));
    let briefings = briefings(view).into_iter();
    sections
        .extend(briefings.map(|(title, body)| PackSection::new(&title, "sheet briefing", body)));
    let name = format!("{}: {}", ruleset.game.title, scenario.title);
    let above =
        if has_plan { 0.0 } else { height_of_cover(&name, &scenario.note, sections.len(), area) };
    let (size_of_card, pages_of_card) = fit_card(&card, size.columns_of_card(), above, area);
    if has_plan {
        sections[index_of_card].class = if pages_of_card == 1 { "whole" } else { "sheet" };
    }
    let title = clean_and_escape(&name);
    let note = code_html(&clean_and_escape(scenario.note.trim()));
    let mut contents = String::new();
    let mut body = String::new();
    for (index, section) in sections.iter().enumerate() {
        let heading = clean_and_escape(&section.title);
        contents.push_str(&format!("<li><a href=\"#part{index}\">{heading}</a></li>\n"));
        body.push_str(&format!(
            "<section id=\"part{index}\" class=\"{}\">\n<h2>{} {heading}</h2>\n{}</section>\n",
            section.class,
            index + 1,
            section.body
        ));
    }
    let (margin, bottom) = size.margins();
    let style = format!(
        ".reference{{font-size:{}pt}}.charts{{columns:{}}}.umpire{{font-size:{size_of_card}pt;columns:{}}}svg.plan{{max-height:{}mm}}\
         @page{{size:{};margin:{margin}mm {margin}mm {bottom}mm;@bottom-center{{content:counter(page) \" / \" counter(pages);font:8pt Arial,sans-serif}}}}",
        reference.size,
        reference.columns,
        size.columns_of_card(),
        size.height_of_plan(),
        size.name(),
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}{style}{}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n<p>{note}</p>\n\
         <nav>\n<h3>Contents</h3>\n<ol>\n{contents}</ol>\n</nav>\n{body}</main>\n</body>\n</html>\n",
        plan::STYLE
    )
}

/// Returns everything that the umpire can type in a game, by phase, and the words of the console.
fn umpires_card(ruleset: &Ruleset, words: &[(&str, &str)]) -> Vec<CardEntry> {
    let mut groups: IndexMap<String, Vec<CardEntry>> = IndexMap::new();
    let with_verbs = ruleset.phases.iter().filter(|phase| !phase.verbs.is_empty()).count();
    for rule in ruleset.schema.rules.iter().filter(|rule| rule.usage.is_some()) {
        // The set-up is not a phase of the turn.
        let is_in = |phase: &&Phase| rule.phases.iter().any(|(name, _)| *name == phase.name);
        let phases: Vec<&Phase> = ruleset.phases.iter().filter(is_in).collect();
        let title = match phases.as_slice() {
            [] => ANY_TIME.to_owned(),
            [one] => one.title.clone(),
            all if all.len() == with_verbs => ANY_TIME.to_owned(),
            several => several.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", "),
        };
        let usage = usage_on_paper(&usage_text(rule));
        groups.entry(title).or_default().push(CardEntry::Typed(usage, rule.title.clone()));
    }
    if let Some(lines) = groups.shift_remove(ANY_TIME) {
        groups.insert(ANY_TIME.to_owned(), lines);
    }
    let words = words.iter().map(|(usage, help)| CardEntry::Typed((*usage).into(), (*help).into()));
    groups.insert("The program's own commands".to_owned(), words.collect());
    let group = |(title, lines)| std::iter::once(CardEntry::Heading(title)).chain(lines);
    groups.into_iter().flat_map(group).collect()
}

/// Returns the umpire's card as HTML.
fn card_html(entries: &[CardEntry]) -> String {
    let entry = |entry: &CardEntry| match entry {
        CardEntry::Heading(title) => format!("<h3>{}</h3>\n", clean_and_escape(title)),
        CardEntry::Typed(usage, meaning) => {
            let usage = clean_and_escape(usage);
            let meaning = code_html(&clean_and_escape(meaning));
            format!("<p><code>{usage}</code>\u{2002}<i>{meaning}</i></p>\n")
        }
    };
    let entries: String = entries.iter().map(entry).collect();
    format!("<div class=\"umpire\">\n{entries}</div>\n")
}

/// Returns the quick reference as HTML.
fn reference_html(
    charts: &Document,
    checks: &Document,
    fitting: Fitting,
    area: PrintedArea,
) -> String {
    let block_html = |block: &Block, columns: usize| {
        let html = code_in_lines_html(&html_fragment(&vec![block.clone()].into()));
        match scale_of_table(block, Fitting { columns, ..fitting }, area) {
            Some(scale) => {
                let size = format!("<table style=\"font-size:{:.2}em\">", scale * TABLE_SIZE);
                html.replacen("<table>", &size, 1)
            }
            None => html,
        }
    };
    // A heading and everything up to the next heading stay together.
    let is_together = |_: &Block, next: &Block| !matches!(next, Block::Heading(..));
    let chart = |blocks: &[Block]| {
        let blocks = blocks.iter().map(|block| block_html(block, fitting.columns));
        let blocks: String = blocks.collect();
        format!("<div class=\"chart\">\n{blocks}</div>\n")
    };
    let charts: String = charts.blocks.chunk_by(is_together).map(chart).collect();
    let charts = format!("<div class=\"charts\">\n{charts}</div>\n");
    if checks.blocks.is_empty() {
        return charts;
    }
    // The checks take the full width of the page.
    let checks: String = checks.blocks.iter().map(|block| block_html(block, 1)).collect();
    format!("{charts}<div class=\"chart checks\">\n{checks}</div>\n")
}

/// Returns a usage as it is printed on paper: `fire FIRER at TARGET …` for `fire <firer:figure> at
/// <target:figure+>`.
fn usage_on_paper(usage: &str) -> String {
    let mut printed = String::new();
    let mut rest = usage;
    while let Some((before, after)) = rest.split_once('<') {
        let (param, after) = after.split_once('>').unwrap_or((after, ""));
        let name = param.split_once(':').map_or(param, |(name, _)| name);
        printed.push_str(before);
        printed.push_str(&name.to_uppercase());
        if param.ends_with('+') {
            printed.push_str(" …");
        }
        rest = after;
    }
    printed + rest
}

/// Returns escaped words in which the parts between backticks are code, if the backticks come in
/// pairs.
fn code_html(escaped: &str) -> String {
    if !escaped.matches('`').count().is_multiple_of(2) {
        return escaped.to_owned();
    }
    let parts = escaped.split('`').enumerate();
    parts
        .map(
            |(index, part)| {
                if index % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }
            },
        )
        .collect()
}

/// Returns escaped lines with the parts between backticks as code. Each paragraph and each row of a
/// table is a line.
fn code_in_lines_html(escaped: &str) -> String {
    escaped.lines().map(|line| code_html(line) + "\n").collect()
}

/// Returns a card for each piece on the table except areas, by side: its description, its numbers,
/// and boxes to tick off.
fn unit_cards(view: &View<'_>) -> IndexMap<Option<String>, Vec<String>> {
    let mut cards: IndexMap<Option<String>, Vec<String>> = IndexMap::new();
    for (side, kind, row) in setup::pieces_laid_out(view) {
        let of = view.referee.ruleset().schema.kind(kind);
        if of.plan {
            continue;
        }
        let name = clean_and_escape(&proper_name(&view.table.piece_name(kind, row)));
        let described = setup::describing_attributes(view, kind, row).into_iter();
        let what = described.filter_map(|index| looks::words_of_value(view, kind, row, index));
        let what = clean_and_escape(&what.collect::<Vec<_>>().join(", "));
        let mut counts = String::new();
        for (index, attribute) in of.attributes.iter().enumerate() {
            let Some(count) = count_html(view, (kind, row), index) else { continue };
            let heading = clean_and_escape(&attribute_heading(attribute));
            // The box of a flag is in front of its words.
            let class = if attribute.ty == Type::Flag { " class=\"flag\"" } else { "" };
            counts.push_str(&format!("<div{class}><dt>{heading}</dt><dd>{count}</dd></div>"));
        }
        let counts = if counts.is_empty() { counts } else { format!("<dl>{counts}</dl>") };
        let kind_name = clean_and_escape(&of.name.replace('-', " "));
        cards.entry(side).or_default().push(format!(
            "<div class=\"card\"><h4>{name} <small>{kind_name}</small></h4><div class=\"what\">{what}</div>{counts}</div>\n"
        ));
    }
    cards
}

/// Returns the boxes to tick off for an attribute, or its number with room for new numbers; `None`
/// if there is nothing to record for it.
fn count_html(view: &View<'_>, (kind, row): (KindId, u32), index: usize) -> Option<String> {
    let attribute = &view.referee.ruleset().schema.kind(kind).attributes[index];
    if attribute.bookkeeping || attribute.secret.is_some() {
        return None;
    }
    let cell = attribute.storage.cell()?;
    let value = view.table.get(cell, row);
    let any_piece = |is: &dyn Fn(i64) -> bool| {
        view.table.present_pieces(kind).any(|other| is(view.table.get(cell, other)))
    };
    let boxes =
        |count: i64| "<span class=\"box\"></span>".repeat(usize::try_from(count).unwrap_or(0));
    match attribute.ty {
        Type::Flag if attribute.marker.is_some() => Some(boxes(1)),
        Type::Whole if attribute.marker.is_some() => {
            let most = if value > 0 { value } else { attribute.high };
            if value == 0 && any_piece(&|other| other > 0) {
                // Such a number is used up during the game, and this piece has none left.
                return None;
            }
            Some(match value {
                _ if (1..=MAX_BOXES).contains(&most) => boxes(most),
                0 => "<span class=\"line\"></span>".to_owned(),
                _ => format!("{value} <span class=\"line\"></span>"),
            })
        }
        Type::Whole if value != 0 && any_piece(&|other| other != attribute.start) => {
            view.referee.attribute_text(view.table, kind, row, index)
        }
        _ => None,
    }
}

/// Returns a page for each piece whose texts are for a player to read or, if a game has no pieces
/// for players, for each piece with texts. Pieces without a text longer than a name are left out.
fn briefings(view: &View<'_>) -> Vec<(String, String)> {
    let schema = &view.referee.ruleset().schema;
    let has_players = schema.piece_kinds().any(|(id, _)| cards::is_for_players(schema, id));
    let mut briefings = Vec::new();
    for (id, kind) in schema.piece_kinds() {
        if has_players && !cards::is_for_players(schema, id) {
            continue;
        }
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
            let player = view.referee.player_of_piece(view.table, id, row);
            let name = player.unwrap_or_else(|| view.table.piece_name(id, row));
            let title = format!("Briefing: {}", proper_name(&name));
            briefings.push((title, format!("<dl>\n{}</dl>\n", body.collect::<String>())));
        }
    }
    briefings
}

/// Returns several copies of each marker in its colour. There is a marker for each flag, for each
/// word of an attribute, and for each number up to the maximum if that is at most twelve. An
/// attribute that always has a value, such as a place or a speed, needs no paper marker, because
/// the figure itself shows it. Returns `None` if there are no markers.
fn markers(view: &View<'_>, area: PrintedArea) -> Option<String> {
    let schema = &view.referee.ruleset().schema;
    let mut markers: IndexMap<String, (&str, usize)> = IndexMap::new();
    for (id, kind) in schema.piece_kinds() {
        let copies = view.table.present_pieces(id).count().clamp(2, MARKER_COPIES);
        for attribute in &kind.attributes {
            let Some(marker) = &attribute.marker else { continue };
            let colour = |index: usize| {
                let own = attribute.colours.get(index).or(attribute.colours.first());
                own.map_or("", |colour| looks::colour_class(*colour))
            };
            match attribute.ty {
                Type::Word(set) => {
                    let values = &schema.word_set(set).values;
                    let is_unmarked =
                        |word: &String| word == "none" || attribute.unmarked.as_ref() == Some(word);
                    if !values.iter().any(is_unmarked) {
                        continue;
                    }
                    for (index, word) in values.iter().enumerate().filter(|(_, w)| !is_unmarked(w))
                    {
                        let words = format!("{marker} {}", word.replace('-', " "));
                        markers.entry(words).or_insert((colour(index), copies));
                    }
                }
                Type::Whole if attribute.high <= MAX_BOXES => {
                    let numbers = attribute.low.max(1)..=attribute.high;
                    for number in numbers.filter(|number| *number != attribute.start) {
                        markers.entry(format!("{marker} {number}")).or_insert((colour(0), copies));
                    }
                }
                Type::Flag => {
                    markers.entry(marker.clone()).or_insert((colour(0), copies));
                }
                // An unbounded number with a colour is counted with several markers, one for each
                // unit.
                Type::Whole if !attribute.colours.is_empty() => {
                    markers.entry(marker.clone()).or_insert((colour(0), MARKER_COPIES));
                }
                _ => {}
            }
        }
    }
    let copies = |(words, (colour, copies)): (&String, &(&str, usize))| {
        let words = clean_and_escape(words);
        vec![format!("<div class=\"marker {colour}\">{words}</div>"); *copies]
    };
    let all: Vec<String> = markers.iter().flat_map(copies).collect();
    // The last rows stay together, so that no single row is on the last page.
    let per_row = area.number_across(WIDTH_OF_MARKER);
    let rows_before = all.len().div_ceil(per_row).saturating_sub(LAST_ROWS);
    let (first, last) = all.split_at(rows_before * per_row);
    let groups = [first, last].into_iter().filter(|group| !group.is_empty());
    let groups: String =
        groups.map(|group| format!("<div class=\"markers\">{}</div>\n", group.concat())).collect();
    (!groups.is_empty()).then_some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usage_is_printed_with_its_names_in_capitals() {
        let usage = "fire <firer:piece> at <targets:piece+> [range <inches:0.0..60.0>] [cover]";
        assert_eq!(usage_on_paper(usage), "fire FIRER at TARGETS … [range INCHES] [cover]");
        assert_eq!(usage_on_paper("rest"), "rest");
    }

    #[test]
    fn words_between_backticks_are_code_unless_one_is_left_over() {
        assert_eq!(
            code_html("type `next` or `undo`"),
            "type <code>next</code> or <code>undo</code>"
        );
        assert_eq!(code_html("5` long"), "5` long");
    }
}
