//! Three parts of the book: the overview (the verbs of each phase and the callers of each rule),
//! the scenarios, and the worked examples.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use super::blocks::{heading, table, text_cell};
use super::rules::{parts_table, turn_in_short};
use crate::language::schema::{FunctionId, KindId};
use crate::referee::Referee;
use crate::render::document::{Block, Cell};
use crate::render::setup;
use crate::render::view::View;
use crate::ruleset::{Example, Ruleset};
use crate::source::Span;
use crate::tabletop::Tabletop;

/// The width, in columns, of a view that is used only for single facts.
const WIDTH: usize = 80;

/// Returns the overview: the turn, and the rules with their callers. Rules that nothing reaches are
/// marked.
pub(super) fn rule_overview(ruleset: &Ruleset) -> Vec<Block> {
    let rules = &ruleset.schema.rules;
    let mut owners: IndexMap<usize, &str> = IndexMap::new();
    let mut own = |function: Option<FunctionId>, name| {
        owners.extend(function.map(|f| (f.index(), name)));
    };
    for rule in rules {
        own(Some(rule.function), rule.name.as_str());
    }
    for phase in &ruleset.phases {
        let texts = [phase.begin, phase.end, phase.skip, phase.orders].into_iter();
        let left = phase.left.iter().map(|left| Some(left.function));
        texts.chain(left).for_each(|f| own(f, phase.title.as_str()));
    }
    let mut callers: Vec<Vec<&str>> = vec![Vec::new(); rules.len()];
    for (caller, rule) in ruleset.rule_calls() {
        let owner = owners.get(&caller.index()).copied().unwrap_or("set-up and other texts");
        let found = &mut callers[rule.index()];
        if !found.contains(&owner) {
            found.push(owner);
        }
    }
    let rows = rules.iter().enumerate().map(|(index, rule)| {
        let phases: Vec<&str> = rule.phases.iter().map(|(phase, _)| phase.as_str()).collect();
        let offered = ruleset.phases.iter().filter(|p| p.verbs.iter().any(|v| v.0 == rule.name));
        let mut by: Vec<String> = rule
            .usage
            .iter()
            .map(|_| {
                if phases.is_empty() {
                    "typed at any time".to_owned()
                } else {
                    format!("typed in {}", phases.join(", "))
                }
            })
            .collect();
        by.extend(
            offered.filter(|_| rule.usage.is_none()).map(|p| format!("offered in {}", p.title)),
        );
        by.extend(callers[index].iter().map(|caller| (*caller).to_owned()));
        if rule.usage.is_none() && rule.params.is_empty() && by.is_empty() {
            by.push("typed by name".to_owned());
        }
        let by = if by.is_empty() { "REACHED BY NOTHING".to_owned() } else { by.join(", ") };
        vec![text_cell(&rule.title), text_cell(&rule.name), text_cell(by)]
    });
    let mut blocks = turn_in_short(ruleset);
    blocks.extend(heading("The rules", "", ""));
    blocks.push(table(["", "called", "reached from"], rows.collect()));
    blocks
}

/// Returns the order of battle of each scenario that isn't hidden: its pieces by kind, with their
/// descriptions. Rules that run at set-up may add more pieces.
pub(super) fn scenarios(ruleset: &Arc<Ruleset>) -> Vec<Block> {
    let referee = Referee::new(ruleset.clone());
    let mut blocks = Vec::new();
    for scenario in ruleset.scenarios.iter().filter(|s| !s.hidden) {
        blocks.extend(heading(&scenario.title, &scenario.name, &scenario.note));
        let mut table = Tabletop::new(ruleset.schema.clone(), &[]);
        // A scenario that can't be set out was refused when the ruleset was read.
        if table.set_up(scenario).is_err() {
            continue;
        }
        let view = View::of("", &referee, &table, WIDTH);
        let mut kinds: BTreeMap<KindId, IndexMap<String, Vec<&str>>> = BTreeMap::new();
        for piece in scenario.pieces.iter().filter(|p| !ruleset.schema.kind(p.kind).plan) {
            let row = table.find(&piece.name).map(|(_, row)| row);
            let what = row.map(|row| setup::what_it_is(&view, piece.kind, row));
            let side = row.and_then(|row| referee.side_of_piece(&table, piece.kind, row));
            let what = side.into_iter().chain(what.unwrap_or_default()).collect::<Vec<_>>();
            let alike = kinds.entry(piece.kind).or_default();
            alike.entry(what.join(", ")).or_default().push(&piece.name);
        }
        let parts = kinds.into_iter().map(|(kind, alike)| {
            let kind = ruleset.schema.kind(kind);
            let count: usize = alike.values().map(Vec::len).sum();
            let noun = if count == 1 { &kind.name } else { &kind.plural };
            let secret = if kind.secret.is_some() { ", secret" } else { "" };
            let heading = format!("{} ({count}{secret})", noun.replace('-', " "));
            let cells = alike.into_iter().map(|(what, names)| {
                let colon = if what.is_empty() { "" } else { ": " };
                text_cell(format!("{what}{colon}{}", names.join(", ")))
            });
            (heading, cells.collect())
        });
        blocks.push(Block::Parts(parts.collect()));
    }
    blocks
}

/// Returns the worked examples, each with its lines as they are typed and its expectations.
pub(super) fn examples(ruleset: &Ruleset) -> Vec<Block> {
    let lines = |lines: &[(String, Span)]| {
        let lines: Vec<&str> = lines.iter().map(|(line, _)| line.as_str()).collect();
        vec![Cell::Code(lines.join("\n"))]
    };
    let part = |example: &Example| {
        let faces: Vec<String> = example.dice.iter().map(u32::to_string).collect();
        let expected: Vec<&str> =
            example.expect.iter().map(|(_, text)| text.value.trim()).collect();
        let said: Vec<String> =
            example.says.iter().map(|(words, _)| format!("“{words}”")).collect();
        let refused = example.refused.iter().map(|(words, _)| words.clone()).collect::<String>();
        parts_table([
            ("set-up", lines(&example.set)),
            ("dice", vec![text_cell(faces.join(", "))]),
            ("drawn", vec![text_cell(example.draws.join(", "))]),
            ("answered", vec![text_cell(example.answers.join(", "))]),
            ("typed", lines(&example.run)),
            ("expected", vec![Cell::Code(expected.join("\n"))]),
            ("said", vec![text_cell(said.join(", "))]),
            ("refused", vec![text_cell(refused)]),
        ])
    };
    let each = |example: &Example| {
        let cite = example.shows.join(", ");
        heading(&example.title, &cite, "").into_iter().chain(part(example)).collect::<Vec<_>>()
    };
    ruleset.examples.iter().flat_map(each).collect()
}
