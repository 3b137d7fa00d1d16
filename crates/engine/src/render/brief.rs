//! The short forms of a phase or a command, for a screen that is too low for all that happened in it.

use indexmap::IndexMap;

use crate::names::counted;
use crate::referee::Check;
use crate::render::check;
use crate::render::markup::{Line, Role, Text};
use crate::render::nodes::{LineContext, Node, Weight, alone_label};

/// With this many lines for each piece of a sweep, on average, every piece has one line of its own.
const MUCH: usize = 3;

/// Returns shorter and shorter forms: for a command, one line for each check with what followed from it; everything in one
/// paragraph, or one line for each piece if there is much of each; the results in one paragraph; the number of things of each sort.
pub(super) fn forms(
    context: &LineContext<'_>,
    nodes: &[Node<'_>],
    head: Option<&Line>,
) -> Vec<Text> {
    let all = [Weight::Effect, Weight::Remark, Weight::Draw];
    let effects = [Weight::Effect];
    let turns: Vec<&[Node<'_>]> =
        nodes.split(|n| matches!(n, Node::Turn)).filter(|turn| !turn.is_empty()).collect();
    let longer = if turns.len() > 1 && nodes.len() >= turns.len() * MUCH {
        let lines = turns
            .iter()
            .map(|turn| paragraph(context, turn, &effects))
            .filter(|items| !items.is_empty())
            .map(|items| behind(None, items));
        head.cloned().into_iter().chain(lines).collect()
    } else {
        Text::from_iter([behind(head, paragraph(context, nodes, &all))])
    };
    let results = Text::from_iter([behind(head, paragraph(context, nodes, &effects))]);
    let counts = Text::from_iter([behind(head, numbers(nodes))]);
    let chains = if head.is_none() { chains(context, nodes) } else { None };
    chains.into_iter().chain([longer, results, counts]).collect()
}

/// Returns a line for each check that doesn't follow from another, with everything that followed from it. `None` if there
/// is only one such check.
fn chains(context: &LineContext<'_>, nodes: &[Node<'_>]) -> Option<Text> {
    let top = nodes.iter().filter_map(|node| Some(node.check()?.1)).min()?;
    if nodes.iter().filter(|node| is_check_at(node, top)).count() < 2 {
        return None;
    }
    let chains = nodes.chunk_by(|_, next| !is_check_at(next, top));
    let lines = chains.map(|chain| {
        let items = chain.iter().filter_map(|node| chain_item(context, node));
        behind(None, items.collect())
    });
    Some(lines.collect())
}

/// Returns true if a node is a check at a depth.
fn is_check_at(node: &Node<'_>, wanted: usize) -> bool {
    node.check().is_some_and(|(_, depth, _)| depth == wanted)
}

/// Returns what is shown of a node in the line of a check: the verdict, or the words.
fn chain_item(context: &LineContext<'_>, node: &Node<'_>) -> Option<Line> {
    match node {
        Node::Check { check, .. } => {
            let (role, verdict) = check::verdict(check);
            Some(thrown(context, check).and(role, format!(" {verdict}")))
        }
        Node::Line(line, _) => Some(Line::of(Role::Plain, line.words().trim())),
        Node::Turn => None,
    }
}

/// Returns who threw, and the faces.
fn thrown(context: &LineContext<'_>, check: &Check) -> Line {
    let label = if check.label.is_empty() {
        alone_label(context.view, check, context.main)
    } else {
        check.label.clone()
    };
    Line::of(Role::Plain, label).and(Role::Dice, format!(" {}", check::faces(check)))
}

/// Returns words after the line of their phase.
fn behind(head: Option<&Line>, items: Vec<Line>) -> Line {
    let mut line = match head {
        Some(head) => head.clone().and(Role::Plain, if items.is_empty() { "" } else { ": " }),
        None => Line::of(Role::Plain, "  "),
    };
    for (i, item) in items.into_iter().enumerate() {
        line.push(Role::Plain, if i > 0 { "; " } else { "" });
        line.parts.extend(item.parts);
    }
    line.hanging(4)
}

/// Returns what happened, and last the checks without words of their own, by their verdicts.
fn paragraph(context: &LineContext<'_>, nodes: &[Node<'_>], weights: &[Weight]) -> Vec<Line> {
    let mut items: Vec<Line> = Vec::new();
    let mut groups: IndexMap<String, Vec<Line>> = IndexMap::new();
    for (i, node) in nodes.iter().enumerate() {
        match node {
            Node::Check { check, .. } => {
                let mut line = thrown(context, check);
                let (role, verdict) = check::verdict(check);
                if matches!(nodes.get(i + 1), Some(Node::Line(_, Weight::Effect))) {
                    line.push(role, format!(" {verdict}"));
                    items.push(line);
                } else {
                    groups.entry(verdict).or_default().push(line);
                }
            }
            Node::Line(line, Weight::Draw) if weights.contains(&Weight::Draw) => {
                let drawn = line.parts.iter().filter(|part| part.role == Role::Dice);
                let drawn: Vec<_> = drawn.cloned().collect();
                items.extend((!drawn.is_empty()).then(|| Line { parts: drawn, ..Line::new() }));
            }
            Node::Line(line, weight) if weights.contains(weight) => {
                items.push(Line::of(Role::Plain, line.words().trim()));
            }
            Node::Line(..) | Node::Turn => {}
        }
    }
    items.extend(groups.into_iter().map(|(verdict, checks)| {
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

/// Returns the number of rolls, by their verdicts, and of the other lines.
fn numbers(nodes: &[Node<'_>]) -> Vec<Line> {
    let checks: Vec<&Check> = nodes.iter().filter_map(|n| Some(n.check()?.0)).collect();
    let others = nodes.iter().filter(|node| matches!(node, Node::Line(..))).count();
    let rolls = (!checks.is_empty()).then(|| check::tally(checks.iter().copied()).words());
    let others = (others > 0).then(|| counted(others, "line"));
    let lines = rolls.iter().chain(&others);
    lines.map(|words| Line::of(Role::Quiet, words.trim())).collect()
}
