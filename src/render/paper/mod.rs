//! A ruleset on paper: one walk over it gives blocks, and each printer writes blocks as text, Markdown or HTML.
//!
//! The referee's sheet, the whole book, a topic, and the answers to `rule` and `table` are made of the same blocks.

mod charts;
mod html;
mod kinds;
mod markdown;
mod rules;
mod text;

pub use super::Format;
use super::markup::{Line, Role as Style, Text};
use super::table::Listing;
use crate::language::schema::{Kind, KindId, Role, RuleId};
use crate::language::syntax::{Block, Expr};
use crate::names::nearest;
use crate::ruleset::{GameInfo, Ruleset};

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PaperCell {
    /// Words for people.
    Words(String),
    /// Rule text as it is written in the ruleset.
    Code(String),
}

impl PaperCell {
    fn text(&self) -> &str {
        match self {
            PaperCell::Words(text) | PaperCell::Code(text) => text,
        }
    }
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PaperBlock {
    /// A heading of a part of the book.
    Chapter(&'static str),
    /// A heading with a page of the rule book.
    Heading(String, String),
    /// A paragraph.
    Words(String),
    /// Rows under headings.
    Table(Vec<String>, Vec<Vec<PaperCell>>),
    /// Names, each with its cells: `typed`, `for each`.
    Parts(Vec<(String, Vec<PaperCell>)>),
}

impl PaperBlock {
    fn table<const N: usize>(headings: [&str; N], rows: Vec<Vec<PaperCell>>) -> PaperBlock {
        PaperBlock::Table(headings.map(str::to_owned).to_vec(), rows)
    }
}

/// A printed page about a game.
#[derive(Clone, Debug)]
pub struct Paper<'r> {
    game: &'r GameInfo,
    blocks: Vec<PaperBlock>,
}

impl Paper<'_> {
    /// Writes the page with its title; `width` is for text alone.
    pub fn write(&self, format: Format, width: usize) -> String {
        match format {
            Format::Text => self.text(width).plain(width),
            Format::Markdown => markdown::page(self),
            Format::Html => html::page(self),
        }
    }

    /// Returns the page as text.
    pub fn text(&self, width: usize) -> Text {
        text::page(self, width)
    }

    /// Returns the page as text without the title of the game.
    pub fn body(&self, width: usize) -> Text {
        text::blocks(&self.blocks, width)
    }

    /// Returns the lines under the title.
    fn under(&self) -> impl Iterator<Item = &str> {
        let game = self.game;
        let under = [&game.author, &game.edition, &game.source, &game.note];
        under.into_iter().map(|s| s.trim()).filter(|s| !s.is_empty())
    }
}

/// Returns the referee's sheet: the turn, what can be typed, charts, tables, checks, lists and options.
pub fn sheet(ruleset: &Ruleset) -> Paper<'_> {
    let schema = &ruleset.schema;
    let mut blocks = rules::turn_in_short(ruleset);
    blocks.extend(rules::verbs(ruleset));
    blocks.extend(schema.charts.iter().flat_map(|c| charts::chart(ruleset, c, None)));
    let tables = schema.rules.iter().filter(|r| !r.table.is_empty());
    blocks.extend(tables.flat_map(|rule| rules::rows(ruleset, rule, None)));
    blocks.extend(rules::checks(ruleset));
    blocks.extend(kinds::lists(ruleset));
    blocks.extend(kinds::options_in_short(ruleset));
    Paper { game: &ruleset.game, blocks }
}

/// Returns the whole game as a book, to be read beside the printed one.
pub fn book(ruleset: &Ruleset) -> Paper<'_> {
    let mut blocks = Vec::new();
    let mut chapter = |name: &'static str, inside: Vec<PaperBlock>| {
        if !inside.is_empty() {
            blocks.push(PaperBlock::Chapter(name));
            blocks.extend(inside);
        }
    };
    let schema = &ruleset.schema;
    chapter("The turn", rules::turn(ruleset));
    chapter("House rules and readings", kinds::options(ruleset));
    let charts = schema.charts.iter().flat_map(|c| charts::chart(ruleset, c, None));
    chapter("Charts", charts.collect());
    let rules = schema.rules.iter().flat_map(|r| rules::rule(ruleset, r));
    chapter("Rules", rules.collect());
    chapter("Lists", kinds::lists(ruleset));
    chapter("What is kept", kinds::kinds(ruleset));
    chapter("Definitions", rules::definitions(ruleset));
    Paper { game: &ruleset.game, blocks }
}

/// A topic that a game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no topic `{}`{}", topic.chars().take(40).collect::<String>(),
    near.as_ref().map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
pub struct NoTopic {
    topic: String,
    near: Option<String>,
}

/// Returns the page of a topic: a chart, list, rule, verb or phase, or `phases`, `verbs` or `options`.
pub fn topic<'r>(ruleset: &'r Ruleset, topic: &str) -> Result<Paper<'r>, NoTopic> {
    let schema = &ruleset.schema;
    let wanted = topic.to_lowercase();
    let mut blocks = match wanted.as_str() {
        "phases" | "turn" => rules::turn_in_short(ruleset),
        "verbs" => rules::verbs(ruleset),
        "options" => kinds::options_in_short(ruleset),
        _ => Vec::new(),
    };
    if let Some(chart) = schema.chart_named(&wanted) {
        blocks.extend(listing(ruleset, Listing::Chart(chart), None));
    }
    let list = |k: &Kind| k.role == Role::List && (k.name == wanted || k.plural == wanted);
    if let Some(place) = schema.kinds.iter().position(list) {
        blocks.extend(kinds::list(ruleset, KindId::from_index(place)));
    }
    for id in ruleset.rules_of(&wanted) {
        blocks.extend(rule(ruleset, id));
    }
    if let Some(place) = ruleset.phases.iter().position(|p| p.name == wanted) {
        blocks.extend(rules::phase(ruleset, place));
    }
    if !blocks.is_empty() {
        return Ok(Paper { game: &ruleset.game, blocks });
    }
    let near = nearest(&wanted, topics(ruleset)).map(str::to_owned);
    Err(NoTopic { topic: topic.to_owned(), near })
}

fn topics(ruleset: &Ruleset) -> Vec<&str> {
    let schema = &ruleset.schema;
    let mut known = vec!["phases", "verbs", "options"];
    known.extend(schema.charts.iter().map(|c| c.name.as_str()));
    known.extend(schema.rules.iter().map(|r| r.name.as_str()));
    known.extend(schema.kinds.iter().filter(|k| k.role == Role::List).map(|k| k.name.as_str()));
    known.extend(ruleset.phases.iter().map(|p| p.name.as_str()));
    known.extend(ruleset.verbs());
    known
}

/// Returns a rule with its place in the files.
fn rule(ruleset: &Ruleset, id: RuleId) -> Vec<PaperBlock> {
    let rule = &ruleset.schema.rules[id.index()];
    let mut blocks = rules::rule(ruleset, rule);
    if let Some(file) = ruleset.sources.get(rule.span.file) {
        let (line, _) = ruleset.sources.line_column(rule.span.file, rule.span.start as usize);
        blocks.push(PaperBlock::Words(format!("{}:{line}", file.name)));
    }
    blocks
}

/// Returns a rule as it stands in the ruleset, as text.
pub(super) fn rule_text(ruleset: &Ruleset, id: RuleId, width: usize) -> Text {
    text::blocks(&rule(ruleset, id), width)
}

fn listing(ruleset: &Ruleset, what: Listing, total: Option<i64>) -> Vec<PaperBlock> {
    match what {
        Listing::Chart(id) => charts::chart(ruleset, &ruleset.schema.charts[id.index()], total),
        Listing::Rows(id) => rules::rows(ruleset, &ruleset.schema.rules[id.index()], total),
        Listing::List(kind) => kinds::list(ruleset, kind),
    }
}

/// Returns a chart, list or table of results as text; only the row of a total, if one is given.
pub(super) fn listing_text(
    ruleset: &Ruleset,
    what: Listing,
    total: Option<i64>,
    width: usize,
) -> Text {
    text::blocks(&listing(ruleset, what, total), width)
}

/// Returns the title, author and edition of a game in one line.
pub(crate) fn game_line(game: &GameInfo) -> Line {
    let mut line = Line::of(Style::Header, &game.title);
    for more in [&game.author, &game.edition] {
        if !more.is_empty() {
            line.push(Style::Plain, format!(" · {more}"));
        }
    }
    line
}

fn words(text: impl Into<String>) -> PaperCell {
    PaperCell::Words(text.into())
}

/// Returns the heading of a chart or rule, and its remark if it has one.
fn heading(title: &str, cite: &str, note: &str) -> Vec<PaperBlock> {
    let mut blocks = vec![PaperBlock::Heading(title.to_owned(), cite.to_owned())];
    if !note.is_empty() {
        blocks.push(PaperBlock::Words(note.to_owned()));
    }
    blocks
}

/// Returns the rows of a table, or a remark that none holds the total.
fn rows_or_remark(
    headings: Vec<String>,
    rows: Vec<Vec<PaperCell>>,
    total: Option<i64>,
) -> PaperBlock {
    match total {
        Some(total) if rows.is_empty() => PaperBlock::Words(format!("no row holds {total}")),
        _ => PaperBlock::Table(headings, rows),
    }
}

/// Returns an expression as it is written.
fn source(ruleset: &Ruleset, expr: &Expr) -> String {
    ruleset.sources.text(expr.span).trim().to_owned()
}

/// Returns statements as they are written, with later lines indented as under the first.
fn statements(ruleset: &Ruleset, block: &Block) -> String {
    let (Some(first), Some(last)) = (block.first(), block.last()) else { return String::new() };
    let text = ruleset.sources.text(first.span.to(last.span));
    let rest: Vec<&str> = text.lines().skip(1).collect();
    let blank = |line: &&str| !line.trim().is_empty();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = rest.iter().filter(|l| blank(l)).map(|l| indent(l)).min().unwrap_or(0);
    let rest = rest.iter().map(|l| l.get(common..).unwrap_or("").trim_end());
    text.lines().take(1).chain(rest).collect::<Vec<_>>().join("\n")
}
