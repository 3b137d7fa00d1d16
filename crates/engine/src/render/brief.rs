//! The short forms of a phase or a command, for a screen with too few rows for the full form.

use indexmap::IndexMap;

use crate::names::count_with_noun;
use crate::referee::Check;
use crate::render::check;
use crate::render::markup::{Line, Role, Text};
use crate::render::nodes::{EventNode, LineContext, NodeWeight, alone_label};

/// If the pieces of a sweep have at least this many lines on average, each piece gets its own line.
const LINES_PER_PIECE: usize = 3;

/// Returns the short forms, each shorter than the one before:
/// - only for a command: one line for each check at the lowest call depth, with its consequences
/// - everything in one paragraph or, if a sweep has many lines for each piece, one line for each
///   piece with its results (or its remarks, if there are no results)
/// - the results in one paragraph
/// - only the cards drawn, and the numbers of rolls and other lines
pub(super) fn shorter_forms(
    context: &LineContext<'_>,
    nodes: &[EventNode<'_>],
    head: Option<&Line>,
) -> Vec<Text> {
    let all = [NodeWeight::Effect, NodeWeight::Remark, NodeWeight::Draw];
    // Drawn cards are never left out, because the umpire reads them out.
    let effects = [NodeWeight::Effect, NodeWeight::Draw];
    let turns: Vec<&[EventNode<'_>]> =
        nodes.split(|n| matches!(n, EventNode::Turn)).filter(|turn| !turn.is_empty()).collect();
    let longer = if turns.len() > 1 && nodes.len() >= turns.len() * LINES_PER_PIECE {
        let lines = turns
            .iter()
            .map(|turn| {
                let has_results = turn.iter().any(|node| match node {
                    EventNode::Check { .. } => true,
                    EventNode::Line(_, weight) => effects.contains(weight),
                    EventNode::Turn => false,
                });
                outcome_paragraph(context, turn, if has_results { &effects } else { &all })
            })
            .filter(|items| !items.is_empty())
            .map(|items| append_to_phase_line(None, items));
        head.cloned().into_iter().chain(lines).collect()
    } else {
        Text::from_iter([append_to_phase_line(head, outcome_paragraph(context, nodes, &all))])
    };
    let results =
        Text::from_iter([append_to_phase_line(head, outcome_paragraph(context, nodes, &effects))]);
    let counts = Text::from_iter([append_to_phase_line(head, counts_by_verdict(nodes))]);
    let chains = if head.is_none() { check_chains(context, nodes) } else { None };
    chains.into_iter().chain([longer, results, counts]).collect()
}

/// Returns a line for each check at the lowest call depth, with all its consequences. Returns
/// `None` if there are fewer than two such checks.
fn check_chains(context: &LineContext<'_>, nodes: &[EventNode<'_>]) -> Option<Text> {
    let top = nodes.iter().filter_map(|node| Some(node.check()?.1)).min()?;
    if nodes.iter().filter(|node| is_check_at(node, top)).count() < 2 {
        return None;
    }
    let chains = nodes.chunk_by(|_, next| !is_check_at(next, top));
    let lines = chains.map(|chain| {
        let items = chain.iter().filter_map(|node| chain_item(context, node));
        append_to_phase_line(None, items.collect())
    });
    Some(lines.collect())
}

/// Returns true if a node is a check at this depth.
fn is_check_at(node: &EventNode<'_>, wanted: usize) -> bool {
    node.check().is_some_and(|(_, depth, _)| depth == wanted)
}

/// Returns the part of a node that the line of its check shows: the label, faces and verdict of a
/// check, or the text of a line. Returns `None` for the beginning of a turn.
fn chain_item(context: &LineContext<'_>, node: &EventNode<'_>) -> Option<Line> {
    match node {
        EventNode::Check { check, .. } => {
            let (role, verdict) = check::verdict(check);
            Some(label_and_faces(context, check).and(role, format!(" {verdict}")))
        }
        EventNode::Line(line, _) => Some(Line::of(Role::Plain, line.plain_text().trim())),
        EventNode::Turn => None,
    }
}

/// Returns the label of a check with the faces rolled or, if no dice were rolled, with the total.
fn label_and_faces(context: &LineContext<'_>, check: &Check) -> Line {
    let label = if check.label.is_empty() {
        alone_label(context.view, check, context.main)
    } else {
        check.label.clone()
    };
    let faces = check::faces(check);
    let rolled = if faces.is_empty() { check::total_words(check) } else { faces };
    Line::of(Role::Plain, label).and(Role::Dice, format!(" {rolled}"))
}

/// Returns the cards that were drawn, on one line.
fn drawn_cards(nodes: &[EventNode<'_>]) -> Line {
    let mut cards = Line::new();
    for node in nodes {
        let EventNode::Line(line, NodeWeight::Draw) = node else { continue };
        for part in line.parts.iter().filter(|part| part.role == Role::Dice) {
            cards.push(Role::Plain, if cards.parts.is_empty() { "" } else { " " });
            cards.parts.push(part.clone());
        }
    }
    cards
}

/// Returns the line of a phase or, if there is none, an indented line, followed by the items, which
/// are separated by semicolons.
fn append_to_phase_line(head: Option<&Line>, items: Vec<Line>) -> Line {
    let mut line = match head {
        Some(head) => head.clone().and(Role::Plain, if items.is_empty() { "" } else { ": " }),
        None => Line::of(Role::Plain, "  "),
    };
    for (i, item) in items.into_iter().enumerate() {
        line.push(Role::Plain, if i > 0 { "; " } else { "" });
        line.parts.extend(item.parts);
    }
    line.with_hanging_indent(4)
}

/// Returns the outcome as the items of one paragraph: all checks, and the lines with these weights.
/// Checks without a result line after them are at the end, grouped by verdict. The groups in which
/// something changed come first.
fn outcome_paragraph(
    context: &LineContext<'_>,
    nodes: &[EventNode<'_>],
    weights: &[NodeWeight],
) -> Vec<Line> {
    let mut items: Vec<Line> = Vec::new();
    let mut groups: IndexMap<String, (bool, Vec<Line>)> = IndexMap::new();
    for (i, node) in nodes.iter().enumerate() {
        match node {
            EventNode::Check { check, quiet, .. } => {
                let mut line = label_and_faces(context, check);
                let (role, verdict) = check::verdict(check);
                if matches!(nodes.get(i + 1), Some(EventNode::Line(_, NodeWeight::Effect))) {
                    line.push(role, format!(" {verdict}"));
                    items.push(line);
                } else {
                    let (changed_nothing, lines) =
                        groups.entry(verdict).or_insert((true, Vec::new()));
                    *changed_nothing &= *quiet;
                    lines.push(line);
                }
            }
            EventNode::Line(line, NodeWeight::Draw) if weights.contains(&NodeWeight::Draw) => {
                let drawn = line.parts.iter().filter(|part| part.role == Role::Dice);
                let drawn: Vec<_> = drawn.cloned().collect();
                items.extend((!drawn.is_empty()).then(|| Line { parts: drawn, ..Line::new() }));
            }
            EventNode::Line(line, weight) if weights.contains(weight) => {
                items.push(Line::of(Role::Plain, line.plain_text().trim()));
            }
            EventNode::Line(..) | EventNode::Turn => {}
        }
    }
    groups.sort_by(|_, one, _, other| one.0.cmp(&other.0));
    items.extend(groups.into_iter().map(|(verdict, (_, checks))| {
        let mut line = Line::new();
        if !verdict.is_empty() {
            line.push(Role::Strong, format!("{verdict}: "));
        }
        for (i, check) in checks.into_iter().enumerate() {
            line.push(Role::Plain, if i > 0 { ", " } else { "" });
            line.parts.extend(check.parts);
        }
        line
    }));
    items
}

/// Returns the cards drawn, grouped by piece, the number of rolls for each verdict, and the number
/// of other lines.
fn counts_by_verdict(nodes: &[EventNode<'_>]) -> Vec<Line> {
    let turns = nodes.split(|n| matches!(n, EventNode::Turn));
    let draws = turns.map(drawn_cards).filter(|line| !line.parts.is_empty());
    let checks: Vec<&Check> = nodes.iter().filter_map(|n| Some(n.check()?.0)).collect();
    let others = nodes
        .iter()
        .filter(|n| matches!(n, EventNode::Line(_, weight) if *weight != NodeWeight::Draw));
    let others = others.count();
    let rolls =
        (!checks.is_empty()).then(|| check::count_by_verdict(checks.iter().copied()).plain_text());
    let others = (others > 0).then(|| count_with_noun(others, "line"));
    let counts = rolls.iter().chain(&others).map(|words| Line::of(Role::Quiet, words.trim()));
    draws.chain(counts).collect()
}
