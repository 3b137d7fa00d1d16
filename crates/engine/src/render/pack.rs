//! The pack for an evening's game, for printing: plan, quick reference, umpire's card, unit cards,
//! briefings and markers.
//!
//! It is one HTML file with a style for paper. It shows the game after the set-up as the umpire
//! sees it; the umpire hands the cards and briefings to the players. It contains everything needed
//! to continue a game without the program.

use indexmap::IndexMap;

use crate::command::usage_text;
use crate::language::machine::World;
use crate::language::schema::{KindId, Type};
use crate::names::proper_name;
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
/// The number of copies of each marker.
const MARKER_COPIES: usize = 6;
/// The maximum number of words in a text that is only a name.
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
                ".reference{font-size:6pt}.reference table{font-size:5.5pt}.reference h3{font-size:7pt}.reference th,.reference td{padding:0 .7mm}.reference p{margin:0}\
                 .umpire>div{columns:1}.umpire{font-size:7pt}"
            }
        }
    }
}

const STYLE: &str = "\
body{font:9.5pt/1.3 Arial,Helvetica,sans-serif;color:#000;background:#fff;margin:0}\
main{max-width:190mm;margin:0 auto;padding-right:.4mm}\
h1{font-size:17pt;margin:0 0 2mm}h2{font-size:13pt;margin:0 0 2mm;border-bottom:1px solid #000}h3{font-size:10pt;margin:2mm 0 .5mm}\
h2,h3,p:has(+table){break-after:avoid}section{break-before:page}section:first-of-type,section.joined{break-before:auto}\
table{border-collapse:collapse;margin:1mm 0;max-width:100%;break-inside:avoid}th,td{border:1px solid #777;padding:0 1.2mm;text-align:left;vertical-align:top;overflow-wrap:break-word}\
th{background:#eee}p{margin:.5mm 0}ul{margin:1mm 0;padding-left:5mm}\
.reference{font-size:7.2pt;line-height:1.2}.reference>div,.umpire>div{columns:2;column-gap:5mm}.reference table{font-size:6.8pt}\
.reference p{break-inside:avoid}.reference table+p{break-before:avoid}tr{break-inside:avoid}.reference h3{font-size:8pt}.reference dl{margin:0}.reference dt{font-weight:bold}.reference dd{margin:0 0 0 3mm}\
.joined{margin-top:5mm}.cards{display:grid;gap:3mm;grid-template-columns:repeat(auto-fill,minmax(58mm,1fr))}.card{border:1px solid #000;border-radius:2mm;padding:2mm;break-inside:avoid}\
.card h4{margin:0;font-size:11pt}.card .what{color:#333}.card dl{display:grid;grid-template-columns:max-content 1fr;gap:.4mm 2mm;margin:1mm 0 0}.card dd{margin:0}\
.box{display:inline-block;width:3.4mm;height:3.4mm;border:1px solid #000;margin-right:.8mm;vertical-align:middle}.line{display:inline-block;width:12mm;border-bottom:1px solid #000}\
.briefing{font-size:13pt;line-height:1.45}.briefing dt{font-weight:bold;margin-top:4mm}.briefing dd{margin:0}\
.umpire{font-size:8pt;line-height:1.25}.umpire h3{font-size:9pt}.umpire h3:first-child{margin-top:0}.umpire p{padding-left:4mm;text-indent:-4mm;margin:.4mm 0;break-inside:avoid}.umpire i{font-style:normal;color:#333}\
.markers{display:flex;flex-wrap:wrap}.marker{border:1px dashed #000;width:26mm;height:14mm;box-sizing:border-box;padding:0 1mm;display:flex;align-items:center;justify-content:center;text-align:center;font-weight:bold;font-size:8.5pt;line-height:1.15;break-inside:avoid;print-color-adjust:exact}\
.marker[class*=c-]{background:var(--c);color:var(--c-ink)}\
svg.plan{max-width:100%;max-height:190mm;display:block;break-inside:avoid}nav ol{columns:2}nav a{color:inherit;text-decoration:none}code{font-family:Consolas,'DejaVu Sans Mono',monospace}\
@media screen{main{padding:1rem}}";

/// A section of the pack.
struct PackSection {
    title: String,
    class: &'static str,
    body: String,
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
    let mut sections: Vec<PackSection> = Vec::new();
    let mut add = |title: &str, class: &'static str, body: String| {
        if !body.is_empty() {
            sections.push(PackSection { title: title.to_owned(), class, body });
        }
    };
    // Each paragraph is a line.
    let tables = html_fragment(&paper::quick_reference(ruleset));
    let tables: String = tables.lines().map(|line| code_html(line) + "\n").collect();
    let checks = html_fragment(&paper::checks_page(ruleset));
    let tables = format!("<div>\n{tables}</div>\n{checks}");
    // It shares the first page with the contents.
    add("The plan", "", plan::plan_svg(view, &[], None, false).unwrap_or_default());
    add("Quick reference", "reference", tables);
    let card = umpires_card(ruleset, words);
    add("The umpire's card", "umpire", format!("<div>\n{card}</div>\n"));
    for (index, (side, cards)) in unit_cards(view).into_iter().enumerate() {
        // What belongs to nobody stays with the umpire.
        let title = side.as_ref().map_or("Cards".to_owned(), |side| format!("Cards: {side}"));
        let class = if index > 0 || side.is_some() { "" } else { "joined" };
        add(&title, class, format!("<div class=\"cards\">{cards}</div>\n"));
    }
    for (title, body) in briefings(view) {
        add(&title, "briefing", body);
    }
    add("Markers to cut out", "", markers(view));
    let title = clean_and_escape(&format!("{}: {}", ruleset.game.title, scenario.title));
    let note = code_html(&clean_and_escape(scenario.note.trim()));
    let mut contents = String::new();
    let mut body = String::new();
    for (index, section) in sections.iter().enumerate() {
        let heading = clean_and_escape(&section.title);
        contents.push_str(&format!("<li><a href=\"#part{index}\">{heading}</a></li>\n"));
        body.push_str(&format!(
            "<section id=\"part{index}\" class=\"{}\">\n<h2>{heading}</h2>\n{}</section>\n",
            section.class, section.body
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

/// Returns everything that the umpire can type in a game, by phase, and the words of the console.
fn umpires_card(ruleset: &Ruleset, words: &[(&str, &str)]) -> String {
    let mut groups: IndexMap<String, String> = IndexMap::new();
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
        groups.entry(title).or_default().push_str(&typed_line(&usage, &rule.title));
    }
    if let Some(lines) = groups.shift_remove(ANY_TIME) {
        groups.insert(ANY_TIME.to_owned(), lines);
    }
    let words = words.iter().map(|(usage, help)| typed_line(usage, help)).collect();
    groups.insert("The program's own commands".to_owned(), words);
    let group = |(title, lines): (String, String)| {
        format!("<h3>{}</h3>\n{lines}", clean_and_escape(&title))
    };
    groups.into_iter().map(group).collect()
}

/// Returns a line that can be typed, with its meaning.
fn typed_line(usage: &str, meaning: &str) -> String {
    let meaning = code_html(&clean_and_escape(meaning));
    format!("<p><code>{}</code>\u{2002}<i>{meaning}</i></p>\n", clean_and_escape(usage))
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

/// Returns a card for each piece on the table, by side: its description, its numbers, and boxes to
/// tick off.
fn unit_cards(view: &View<'_>) -> IndexMap<Option<String>, String> {
    let mut cards: IndexMap<Option<String>, String> = IndexMap::new();
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
            counts.push_str(&format!("<dt>{heading}</dt><dd>{count}</dd>"));
        }
        let counts = if counts.is_empty() { counts } else { format!("<dl>{counts}</dl>") };
        let kind_name = clean_and_escape(&of.name.replace('-', " "));
        cards.entry(side).or_default().push_str(&format!(
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
                // It is spent in the game, and this piece has none.
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

/// Returns a page for each player with all texts for that player to read. If a game has no such
/// texts, returns a page for each piece that has a text longer than a name.
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

/// Returns several copies of each marker in its colour. There is a marker for each word of an
/// attribute, and for each number up to twelve. An attribute that always has a value, such as a
/// place or a speed, needs no paper marker, because the figure itself shows it.
fn markers(view: &View<'_>) -> String {
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
                // A number without a bound is counted with one marker each, if it has a colour.
                Type::Whole if !attribute.colours.is_empty() => {
                    markers.entry(marker.clone()).or_insert((colour(0), MARKER_COPIES));
                }
                _ => {}
            }
        }
    }
    let one = |(words, (colour, copies)): (&String, &(&str, usize))| {
        let words = clean_and_escape(words);
        format!("<div class=\"marker {colour}\">{words}</div>").repeat(*copies)
    };
    let all: String = markers.iter().map(one).collect();
    if all.is_empty() { all } else { format!("<div class=\"markers\">{all}</div>\n") }
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
