//! A ruleset on paper: the referee's sheet, the whole book, a topic, and the answers to `rule` and
//! `table`.

mod blocks;
mod charts;
mod english;
mod grammar;
mod kinds;
mod overview;
pub(crate) mod passages;
mod rules;
pub(super) mod title;

use std::sync::Arc;

pub use super::Format;
use super::document::{Block, Document};
use super::table::Listing;
use crate::language::schema::{KindRole, RuleId};
use crate::names::no_such_name;
use crate::ruleset::{GameInfo, Ruleset};
use english::English;
use title::title;

/// Returns the referee's sheet: the turn, verbs, charts, tables, checks, lists and options.
pub fn referee_sheet(ruleset: &Ruleset) -> Document {
    let schema = &ruleset.schema;
    let english = English::of(ruleset);
    let mut blocks = rules::turn_in_short(ruleset);
    blocks.extend(rules::verbs(ruleset));
    blocks.extend(schema.charts.iter().flat_map(|c| charts::chart(ruleset, c, None)));
    let tables = schema.rules.iter().filter(|r| !r.table.is_empty());
    blocks.extend(tables.flat_map(|rule| rules::results_and_modifiers(&english, rule, None)));
    blocks.extend(rules::checks(&english));
    blocks.extend(kinds::list_sections(ruleset));
    blocks.extend(kinds::options_in_short(ruleset));
    page(&ruleset.game, blocks)
}

/// Returns the whole game as a book, to read alongside the printed rules.
pub fn game_book(ruleset: &Arc<Ruleset>) -> Document {
    let mut blocks = Vec::new();
    let mut chapter = |name: &str, inside: Vec<Block>| {
        if !inside.is_empty() {
            blocks.push(Block::Chapter(name.to_owned()));
            blocks.extend(inside);
        }
    };
    let schema = &ruleset.schema;
    let english = English::of(ruleset);
    chapter("Overview", overview::rule_overview(ruleset));
    chapter("The turn", rules::turn(&english));
    chapter("House rules and readings", kinds::options(ruleset));
    let charts = schema.charts.iter().flat_map(|c| charts::chart(ruleset, c, None));
    chapter("Charts", charts.collect());
    let rules = schema.rules.iter().flat_map(|r| rules::rule_blocks(&english, r));
    chapter("Rules", rules.collect());
    chapter("Lists", kinds::list_sections(ruleset));
    chapter("What is recorded", kinds::kind_sections(&english));
    chapter("Definitions", rules::definitions(&english));
    chapter("Scenarios", overview::scenarios(ruleset));
    chapter("Worked examples", overview::examples(ruleset));
    page(&ruleset.game, blocks)
}

/// Returns the quick reference for players: the turn, then charts and tables, each with its
/// probabilities.
pub(crate) fn quick_reference(ruleset: &Ruleset) -> Document {
    let schema = &ruleset.schema;
    let english = English::of(ruleset);
    let mut blocks = rules::turn_in_short(ruleset);
    blocks.extend(schema.charts.iter().flat_map(|c| charts::chart(ruleset, c, None)));
    let tables = schema.rules.iter().filter(|r| !r.table.is_empty());
    blocks.extend(tables.flat_map(|rule| rules::results_and_modifiers(&english, rule, None)));
    blocks.into()
}

/// Returns the checks of a game, each with its probability and its modifiers.
pub(crate) fn checks_page(ruleset: &Ruleset) -> Document {
    rules::checks(&English::of(ruleset)).into()
}

/// The error for a topic that a game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoTopic(String);

/// Returns the page of a topic: a chart, list (or its plural), rule, verb or phase, or `phases`,
/// `turn`, `verbs` or `options`.
pub fn topic_page(ruleset: &Ruleset, topic: &str) -> Result<Document, NoTopic> {
    let wanted = topic.to_lowercase();
    let mut blocks = match wanted.as_str() {
        "phases" | "turn" => rules::turn_in_short(ruleset),
        "verbs" => rules::verbs(ruleset),
        "options" => kinds::options_in_short(ruleset),
        _ => Vec::new(),
    };
    // A rule is shown in full, not only its table.
    let listed = Listing::all(ruleset).filter(|(_, what)| !matches!(what, Listing::Rows(_)));
    let plural = ruleset.schema.plural_named(&wanted).map(Listing::List);
    for (_, what) in listed.filter(|(name, what)| *name == wanted || Some(*what) == plural) {
        blocks.extend(listing_page(ruleset, what, None).blocks);
    }
    for id in ruleset.rules_for_verb(&wanted) {
        blocks.extend(rule_page(ruleset, id).blocks);
    }
    if let Some(index) = ruleset.phases.iter().position(|p| p.name == wanted) {
        blocks.extend(rules::phase_blocks(&English::of(ruleset), index));
    }
    if !blocks.is_empty() {
        return Ok(page(&ruleset.game, blocks));
    }
    Err(no_topic(ruleset, topic))
}

/// Returns the error for an unknown topic, with the topics of the game by group.
fn no_topic(ruleset: &Ruleset, topic: &str) -> NoTopic {
    let all = vec!["phases", "verbs", "options"];
    let phases: Vec<&str> = ruleset.phases.iter().map(|phase| phase.name.as_str()).collect();
    let verbs: Vec<&str> = ruleset.verbs().collect();
    let tables: Vec<&str> = Listing::all(ruleset).map(|(name, _)| name).collect();
    let lists = ruleset.schema.kinds.iter().filter(|kind| kind.role == KindRole::List);
    let rules = ruleset.schema.rules.iter().map(|rule| rule.name.as_str());
    let groups = [("in general", all), ("phases", phases), ("verbs", verbs), ("tables", tables)];
    let groups = groups.into_iter().filter(|(_, names)| !names.is_empty());
    let listed: Vec<String> =
        groups.clone().map(|(title, names)| format!("{title}: {}", names.join(", "))).collect();
    let known = groups.flat_map(|(_, names)| names);
    let known = known.chain(lists.map(|kind| kind.plural.as_str())).chain(rules);
    NoTopic(no_such_name("topic", topic, known, &listed.join("\n")))
}

/// Returns a description of a rule, with its position in the files.
pub fn rule_page(ruleset: &Ruleset, id: RuleId) -> Document {
    let rule = &ruleset.schema.rules[id.index()];
    let mut blocks = rules::rule_blocks(&English::of(ruleset), rule);
    if let Some(file) = ruleset.sources.get(rule.span.file) {
        let (line, _) = ruleset.sources.line_column(rule.span.file, rule.span.start as usize);
        blocks.push(Block::paragraph(format!("{}:{line}", file.name)));
    }
    blocks.into()
}

/// Returns a chart, list or table of results. If a total is given, returns only the rows of the
/// chart or table for that total.
pub fn listing_page(ruleset: &Ruleset, what: Listing, total: Option<i64>) -> Document {
    let blocks = match what {
        Listing::Chart(id) => charts::chart(ruleset, &ruleset.schema.charts[id.index()], total),
        Listing::Rows(id) => {
            let rule = &ruleset.schema.rules[id.index()];
            rules::results_and_modifiers(&English::of(ruleset), rule, total)
        }
        Listing::List(kind) => kinds::list_blocks(ruleset, kind),
    };
    blocks.into()
}

/// Returns a page with the title of a game.
fn page(game: &GameInfo, blocks: Vec<Block>) -> Document {
    Document { title: Some(Box::new(title(game))), blocks }
}

/// Returns the title of a game with its author, as a line.
pub fn title_line(game: &GameInfo) -> crate::render::markup::Line {
    title(game).name_line()
}
