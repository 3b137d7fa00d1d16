//! A ruleset on paper: the referee's sheet, the whole book, a topic, and the answers to `rule` and `table`.

mod charts;
mod english;
mod grammar;
mod kinds;
mod overview;
mod rules;
mod teller;

pub use super::Format;
use super::document::{Block, Cell, Document, Title};
use super::table::Listing;
use crate::language::schema::{Kind, KindId, Role, RuleId};
use crate::language::syntax::{Block as Statements, Expr};
use crate::names::nearest;
use crate::ruleset::{GameInfo, Ruleset};
use teller::Teller;

/// Returns the referee's sheet: the turn, what can be typed, charts, tables, checks, lists and options.
pub(crate) fn sheet(ruleset: &Ruleset) -> Document {
    let schema = &ruleset.schema;
    let mut blocks = rules::turn_in_short(ruleset);
    blocks.extend(rules::verbs(ruleset));
    blocks.extend(schema.charts.iter().flat_map(|c| charts::chart(ruleset, c, None)));
    let tables = schema.rules.iter().filter(|r| !r.table.is_empty());
    blocks.extend(tables.flat_map(|rule| rules::rows(ruleset, rule, None)));
    blocks.extend(rules::checks(ruleset));
    blocks.extend(kinds::lists(ruleset));
    blocks.extend(kinds::options_in_short(ruleset));
    page(&ruleset.game, blocks)
}

/// Returns the whole game as a book, to be read beside the printed one.
pub fn book(ruleset: &Ruleset) -> Document {
    let mut blocks = Vec::new();
    let mut chapter = |name: &str, inside: Vec<Block>| {
        if !inside.is_empty() {
            blocks.push(Block::Chapter(name.to_owned()));
            blocks.extend(inside);
        }
    };
    let schema = &ruleset.schema;
    let teller = Teller::in_english(ruleset);
    chapter("Overview", overview::overview(ruleset));
    chapter("The turn", rules::turn(ruleset, &teller));
    chapter("House rules and readings", kinds::options(ruleset));
    let charts = schema.charts.iter().flat_map(|c| charts::chart(ruleset, c, None));
    chapter("Charts", charts.collect());
    let rules = schema.rules.iter().flat_map(|r| rules::rule(ruleset, r, &teller));
    chapter("Rules", rules.collect());
    chapter("Lists", kinds::lists(ruleset));
    chapter("What is kept", kinds::kinds(ruleset, &teller));
    chapter("Definitions", rules::definitions(ruleset, &teller));
    chapter("Scenarios", overview::scenarios(ruleset));
    chapter("Worked examples", overview::examples(ruleset));
    page(&ruleset.game, blocks)
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
pub(crate) fn topic(ruleset: &Ruleset, topic: &str) -> Result<Document, NoTopic> {
    let schema = &ruleset.schema;
    let wanted = topic.to_lowercase();
    let mut blocks = match wanted.as_str() {
        "phases" | "turn" => rules::turn_in_short(ruleset),
        "verbs" => rules::verbs(ruleset),
        "options" => kinds::options_in_short(ruleset),
        _ => Vec::new(),
    };
    if let Some(chart) = schema.chart_named(&wanted) {
        blocks.extend(charts::chart(ruleset, &schema.charts[chart.index()], None));
    }
    let list = |k: &Kind| k.role == Role::List && (k.name == wanted || k.plural == wanted);
    if let Some(place) = schema.kinds.iter().position(list) {
        blocks.extend(kinds::list(ruleset, KindId::from_index(place)));
    }
    for id in ruleset.rules_of(&wanted) {
        blocks.extend(rule(ruleset, id).blocks);
    }
    if let Some(place) = ruleset.phases.iter().position(|p| p.name == wanted) {
        blocks.extend(rules::phase(ruleset, place, &Teller::as_written(ruleset)));
    }
    if !blocks.is_empty() {
        return Ok(page(&ruleset.game, blocks));
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

/// Returns a rule as it stands in the ruleset, with its place in the files.
pub(crate) fn rule(ruleset: &Ruleset, id: RuleId) -> Document {
    let rule = &ruleset.schema.rules[id.index()];
    let mut blocks = rules::rule(ruleset, rule, &Teller::as_written(ruleset));
    if let Some(file) = ruleset.sources.get(rule.span.file) {
        let (line, _) = ruleset.sources.line_column(rule.span.file, rule.span.start as usize);
        blocks.push(Block::Words(format!("{}:{line}", file.name)));
    }
    blocks.into()
}

/// Returns a chart, list or table of results; only the row of a total, if one is given.
pub(crate) fn listing(ruleset: &Ruleset, what: Listing, total: Option<i64>) -> Document {
    let blocks = match what {
        Listing::Chart(id) => charts::chart(ruleset, &ruleset.schema.charts[id.index()], total),
        Listing::Rows(id) => rules::rows(ruleset, &ruleset.schema.rules[id.index()], total),
        Listing::List(kind) => kinds::list(ruleset, kind),
    };
    blocks.into()
}

/// Returns a page with the title of a game.
fn page(game: &GameInfo, blocks: Vec<Block>) -> Document {
    Document { title: Some(Box::new(title(game))), blocks }
}

/// Returns the title of a game.
pub(crate) fn title(game: &GameInfo) -> Title {
    let told = |lines: [&String; 2]| {
        lines.iter().map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect()
    };
    Title {
        name: game.title.clone(),
        scenario: None,
        by: told([&game.author, &game.edition]),
        notes: told([&game.source, &game.note]),
    }
}

fn words(text: impl Into<String>) -> Cell {
    Cell::Words(text.into())
}

/// Returns the heading of a chart or rule, and its remark if it has one.
fn heading(title: &str, cite: &str, note: &str) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(title.to_owned(), cite.to_owned())];
    if !note.is_empty() {
        blocks.push(Block::Words(note.trim().to_owned()));
    }
    blocks
}

/// Returns a table under fixed headings.
fn table<const N: usize>(headings: [&str; N], rows: Vec<Vec<Cell>>) -> Block {
    Block::Table(headings.map(str::to_owned).to_vec(), rows)
}

/// Returns the rows of a table, or a remark that none holds the total.
fn rows_or_remark(headings: Vec<String>, rows: Vec<Vec<Cell>>, total: Option<i64>) -> Block {
    match total {
        Some(total) if rows.is_empty() => Block::Words(format!("no row holds {total}")),
        _ => Block::Table(headings, rows),
    }
}

/// Returns an expression as it is written.
fn source(ruleset: &Ruleset, expr: &Expr) -> String {
    ruleset.sources.text(expr.span).trim().to_owned()
}

/// Returns statements as they are written, with later lines indented as under the first.
fn statements(ruleset: &Ruleset, block: &Statements) -> String {
    let (Some(first), Some(last)) = (block.first(), block.last()) else { return String::new() };
    let text = ruleset.sources.text(first.span.to(last.span));
    let rest: Vec<&str> = text.lines().skip(1).collect();
    let blank = |line: &&str| !line.trim().is_empty();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = rest.iter().filter(|l| blank(l)).map(|l| indent(l)).min().unwrap_or(0);
    let rest = rest.iter().map(|l| l.get(common..).unwrap_or("").trim_end());
    text.lines().take(1).chain(rest).collect::<Vec<_>>().join("\n")
}
