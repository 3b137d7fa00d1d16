//! What came of a command: one line a roll with its arithmetic, then what the hands must do.

use unicode_width::UnicodeWidthStr;

use super::check::{self, Columns};
use super::hands;
use super::markup::{Line, Role, Text};
use crate::language::schema::RuleId;
use crate::referee::{Check, Event, Outcome, Referee};
use crate::session::Board;
use crate::tabletop::Tabletop;

/// So many checks that changed nothing are shown a line each; more are joined.
const QUIET_LINES: usize = 12;

/// From so many checks on, a line counts them.
const COUNTED: usize = 8;

/// What is needed to show an outcome.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The game, as it is called in headings.
    pub game: &'a str,
    /// The referee.
    pub referee: &'a Referee,
    /// The table after the outcome.
    pub table: &'a Tabletop,
    /// How many columns there are.
    pub width: usize,
}

impl<'a> View<'a> {
    /// The same for a command that may belong to rules that have been read again since.
    pub fn of_command(self, board: &'a Board, number: u64) -> View<'a> {
        let (referee, table) = board.of(number);
        View { referee, table, ..self }
    }
}

/// What is shown of an event, in order.
enum Node<'a> {
    Check { check: &'a Check, depth: usize, quiet: bool },
    Line(Line),
}

/// An outcome as text. `number` is the command's, if it has one.
pub fn outcome(view: &View<'_>, outcome: &Outcome, number: Option<u64>) -> Text {
    let mut text = Text::new();
    let main = main_rule(outcome);
    if let Some(rule) = main {
        let rule = &view.referee.ruleset().schema.rules[rule.index()];
        let mut line = Line::new();
        if let Some(number) = number {
            line.push(Role::Quiet, format!("{number} · "));
        }
        line.push(Role::Header, &rule.title);
        if !rule.cite.is_empty() {
            line.push(Role::Quiet, format!(" · {}", rule.cite));
        }
        text.push(line.hanging(4));
    }
    let mut rest = outcome.events.as_slice();
    let mut passed_over: Vec<String> = Vec::new();
    let mut turn = 0;
    // The title over the lines that follow; a rule of the same title needs no other.
    let mut heading: Option<&str> = None;
    while let Some((event, after)) = rest.split_first() {
        if let Event::Phase { turn: now, place, skipped } = event {
            let phase = &view.referee.ruleset().phases[*place];
            let name = format!("{} {}", place + 1, lower(&phase.title));
            if *skipped {
                if turn != *now {
                    flush_skipped(view, turn, &mut passed_over, &mut text);
                }
                turn = *now;
                passed_over.push(name);
            } else {
                flush_skipped(view, turn, &mut passed_over, &mut text);
                let mut line = Line::of(Role::Quiet, format!("{} · turn {now} · ", view.game));
                line.push(Role::Header, name);
                text.push(line.hanging(2));
                heading = Some(phase.title.as_str());
            }
            rest = after;
            continue;
        }
        let end = rest.iter().position(|e| matches!(e, Event::Phase { .. }));
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if part
            .iter()
            .any(|e| !matches!(e, Event::Changed(_) | Event::Rule(..) | Event::Reminded(_)))
        {
            flush_skipped(view, turn, &mut passed_over, &mut text);
        }
        body(view, part, main, heading, &mut text);
        rest = after;
    }
    flush_skipped(view, turn, &mut passed_over, &mut text);
    kept(view, outcome, &mut text);
    let hands = hands::lines(view, outcome.changes());
    let remember = reminders(outcome);
    if text.lines.len() == usize::from(main.is_some()) && hands.is_empty() && remember.is_empty() {
        text.line(Role::Quiet, "  nothing changes");
    }
    text.extend(hands);
    text.extend(remember);
    text
}

/// What happened up to a question in mid-rule, without what the hands must do, for it is not done yet. What
/// was told before, so many events, is left out.
pub fn so_far(view: &View<'_>, outcome: &Outcome, from: usize) -> Text {
    let mut text = Text::new();
    let events = outcome.events.get(from..).unwrap_or_default();
    for event in events {
        if let Event::Phase { turn, place, skipped: false } = event {
            let phase = &view.referee.ruleset().phases[*place];
            let mut line = Line::of(Role::Quiet, format!("{} · turn {turn} · ", view.game));
            line.push(Role::Header, format!("{} {}", place + 1, lower(&phase.title)));
            text.push(line.hanging(2));
        }
    }
    body(view, events, main_rule(outcome), None, &mut text);
    text
}

/// What is said when a scenario has been set out: not what stands where, which `show` and the plan tell.
pub fn set_up(view: &View<'_>, outcome: &Outcome) -> Text {
    let mut text = Text::new();
    body(view, &outcome.events, None, None, &mut text);
    text.extend(reminders(outcome));
    text
}

/// A heading in the middle of a line: the first letter small, unless the word is in capitals.
pub(crate) fn lower(title: &str) -> String {
    let mut chars = title.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().collect::<String>() + &title[first.len_utf8()..]
        }
        _ => title.to_owned(),
    }
}

/// The rule that was called, if the command was a single rule.
fn main_rule(outcome: &Outcome) -> Option<RuleId> {
    let mut main = None;
    for event in &outcome.events {
        match event {
            Event::Phase { .. } => return None,
            Event::Rule(rule, 0) if main.is_none() => main = Some(*rule),
            _ => {}
        }
    }
    main
}

fn flush_skipped(view: &View<'_>, turn: i64, names: &mut Vec<String>, text: &mut Text) {
    if names.is_empty() {
        return;
    }
    let game = view.game;
    let words = format!("{game} · turn {turn} · passed over: {}", names.join(", "));
    text.push(Line::of(Role::Quiet, words).hanging(4));
    names.clear();
}

/// The events of one phase or command.
fn body(
    view: &View<'_>,
    events: &[Event],
    main: Option<RuleId>,
    heading: Option<&str>,
    text: &mut Text,
) {
    let nodes = nodes(events);
    let columns = Columns::measure(nodes.iter().filter_map(|n| match n {
        Node::Check { check, depth, .. } => Some((*check, *depth, alone_label(view, check, main))),
        Node::Line(_) => None,
    }));
    let columns = columns.fitted(view.width);
    let mut at = 0;
    while at < nodes.len() {
        let Node::Check { check: first, .. } = &nodes[at] else {
            if let Node::Line(line) = &nodes[at] {
                text.push(line.clone());
            }
            at += 1;
            continue;
        };
        // A run of checks of one rule, with the lines between them.
        let end = nodes[at..]
            .iter()
            .position(|n| matches!(n, Node::Check { check, .. } if check.rule != first.rule))
            .map_or(nodes.len(), |n| at + n);
        run(view, &nodes[at..end], main, heading, &columns, text);
        at = end;
    }
}

/// A run of checks of one rule.
fn run(
    view: &View<'_>,
    nodes: &[Node<'_>],
    main: Option<RuleId>,
    heading: Option<&str>,
    columns: &Columns,
    text: &mut Text,
) {
    let checks: Vec<(&Check, usize, bool)> = nodes
        .iter()
        .filter_map(|n| match n {
            Node::Check { check, depth, quiet } => Some((*check, *depth, *quiet)),
            Node::Line(_) => None,
        })
        .collect();
    let several = checks.len() > 1;
    if let Some((first, depth, _)) = checks.first()
        && several
        && let Some(rule) = first.rule.filter(|r| Some(*r) != main)
        && let rule = &view.referee.ruleset().schema.rules[rule.index()]
        && heading.is_none_or(|h| !h.eq_ignore_ascii_case(&rule.title))
    {
        let mut line = Line::of(Role::Strong, format!("{}{}", indent(*depth), rule.title));
        if !rule.cite.is_empty() && *depth == 0 {
            line.push(Role::Quiet, format!(" · {}", rule.cite));
        }
        text.push(line);
    }
    let join = checks.iter().filter(|c| c.2).count() > QUIET_LINES;
    let mut joined: Vec<&Check> = Vec::new();
    for node in nodes {
        match node {
            Node::Line(line) => {
                text.push(line.clone());
            }
            Node::Check { check, quiet: true, .. } if join => joined.push(check),
            Node::Check { check, depth, .. } => {
                let label = match several {
                    true => check.label.clone(),
                    false => alone_label(view, check, main),
                };
                text.push(check::line(check, &label, *depth, columns));
            }
        }
    }
    for line in check::joined(&joined) {
        text.push(line);
    }
    if checks.len() >= COUNTED {
        text.push(check::tally(checks.iter().map(|c| c.0)));
    }
}

fn indent(depth: usize) -> String {
    " ".repeat(check::indent(depth))
}

/// The label of a check that stands alone: with the title of its rule, if it is not the one called.
fn alone_label(view: &View<'_>, check: &Check, main: Option<RuleId>) -> String {
    let rule = check.rule.map(|r| &view.referee.ruleset().schema.rules[r.index()]);
    match (rule, check.label.is_empty()) {
        (Some(rule), true) => rule.title.clone(),
        (Some(rule), false) if check.rule != main && !same(&rule.title, &check.label) => {
            format!("{}: {}", rule.title, check.label)
        }
        _ => check.label.clone(),
    }
}

/// Whether a label begins with the title already.
fn same(title: &str, label: &str) -> bool {
    label.to_lowercase().starts_with(&title.to_lowercase())
}

/// The events as what is shown of them.
fn nodes(events: &[Event]) -> Vec<Node<'_>> {
    let mut nodes: Vec<Node<'_>> = Vec::new();
    let mut depths: std::collections::BTreeMap<RuleId, usize> = std::collections::BTreeMap::new();
    let mut taken: Option<(&Option<String>, usize, Vec<&str>)> = None;
    // The last check, to be told loud when something follows from it.
    let mut last: Option<usize> = None;
    let flush = |taken: &mut Option<(&Option<String>, usize, Vec<&str>)>,
                 nodes: &mut Vec<Node<'_>>| {
        if let Some((deck, of, what)) = taken.take() {
            nodes.push(Node::Line(taken_line(deck.as_deref(), of, &what)));
        }
    };
    for event in events {
        if let Event::Taken { deck, what, of } = event {
            match &mut taken {
                Some((before, _, all)) if *before == deck => all.push(what),
                _ => {
                    flush(&mut taken, &mut nodes);
                    taken = Some((deck, *of, vec![what]));
                }
            }
            loud(&mut nodes, last);
            continue;
        }
        if !matches!(event, Event::Changed(_)) {
            flush(&mut taken, &mut nodes);
        }
        // What follows from a check stands under it.
        let set_in = match last.and_then(|l| nodes.get(l)) {
            Some(Node::Check { depth, .. }) => check::indent(*depth) + 2,
            _ => 2,
        };
        let under = " ".repeat(set_in);
        match event {
            Event::Rule(rule, depth) => {
                depths.insert(*rule, *depth);
                if *depth == 0 {
                    last = None;
                }
            }
            Event::Check(check) => {
                let depth = check.rule.and_then(|r| depths.get(&r)).copied().unwrap_or(0);
                last = Some(nodes.len());
                nodes.push(Node::Check { check, depth, quiet: true });
            }
            Event::Changed(_) => loud(&mut nodes, last),
            Event::Rolled(rolled, written) => {
                let shown = rolled.to_string();
                let mut line = Line::of(Role::Plain, format!("  {written}   "));
                line.push(Role::Dice, &shown);
                line.push(Role::Strong, format!(" = {}", rolled.total));
                nodes.push(Node::Line(line));
            }
            Event::Said(words) => {
                loud(&mut nodes, last);
                for words in words.lines() {
                    nodes.push(Node::Line(Line::of(Role::Plain, format!("{under}{words}"))));
                }
            }
            Event::Asked { question, answer, random } => {
                loud(&mut nodes, last);
                let mut line = Line::of(Role::Plain, format!("{under}{question} "));
                line.push(Role::Strong, answer);
                if *random {
                    line.push(Role::Quiet, " (at random)");
                }
                nodes.push(Node::Line(line));
            }
            Event::Insisted(reason) => {
                let mut line = Line::of(Role::Notice, format!("{under}the umpire insists: "));
                line.push(Role::Plain, reason);
                nodes.push(Node::Line(line));
            }
            Event::Shuffled(deck, count) => {
                let words = format!("{under}the {deck} is shuffled: {count} in it");
                nodes.push(Node::Line(Line::of(Role::Quiet, words)));
            }
            Event::Taken { .. } | Event::Reminded(_) | Event::Phase { .. } => {}
        }
    }
    flush(&mut taken, &mut nodes);
    nodes
}

/// Something followed from the last check.
fn loud(nodes: &mut [Node<'_>], last: Option<usize>) {
    if let Some(Node::Check { quiet, .. }) = last.and_then(|l| nodes.get_mut(l)) {
        *quiet = false;
    }
}

fn taken_line(deck: Option<&str>, of: usize, what: &[&str]) -> Line {
    let head = match deck {
        Some(deck) => format!("  drawn from the {deck} ({of} in it): "),
        None if what.len() == 1 => format!("  at random, one of {of}: "),
        None => "  at random: ".to_owned(),
    };
    let mut line = Line::of(Role::Plain, head).hanging(4);
    line.push(Role::Dice, what.join(", "));
    line
}

/// What was changed by the umpire's word, or by a rule that shows nothing else.
fn kept(view: &View<'_>, outcome: &Outcome, text: &mut Text) {
    let shown = outcome.events.iter().any(|e| {
        !matches!(e, Event::Changed(_) | Event::Rule(..) | Event::Reminded(_) | Event::Insisted(_))
    });
    if shown {
        return;
    }
    // What has a marker stands under "On the table".
    let mut lines: Vec<Line> = Vec::new();
    for (piece, changes) in hands::unmarked(view, outcome.changes()) {
        let mut line = Line::of(Role::Plain, "  ").hanging(4);
        line.push(Role::Strong, piece).push(Role::Plain, format!(": {}", changes.join(", ")));
        lines.push(line);
    }
    let many = 12;
    if lines.len() > many {
        let more = format!("  … and {} more", lines.len() - many);
        lines.truncate(many);
        lines.push(Line::of(Role::Quiet, more));
    }
    text.lines.extend(lines);
}

fn reminders(outcome: &Outcome) -> Text {
    let mut seen: Vec<&str> = Vec::new();
    for event in &outcome.events {
        if let Event::Reminded(words) = event
            && !seen.contains(&words.as_str())
        {
            seen.push(words);
        }
    }
    listed("Remember:", &seen)
}

/// A heading, and beside it a line each.
pub(crate) fn listed<S: AsRef<str>>(heading: &str, lines: &[S]) -> Text {
    let mut text = Text::new();
    let column = heading.width().max("On the table:".width()) + 2;
    for (i, words) in lines.iter().enumerate() {
        let mut line = Line::of(Role::Notice, if i == 0 { heading } else { "" });
        line.pad_to(column, 0).push(Role::Plain, words.as_ref());
        text.push(line.hanging(column + 2));
    }
    text
}
