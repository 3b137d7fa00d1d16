//! The outcome of a command: one line a roll with its arithmetic, then what the hands must do.

use unicode_width::UnicodeWidthStr;

use super::check::{self, Columns};
use super::hands::{self, Which};
use super::markup::{Line, Role, Text};
use crate::language::rule::RuleText;
use crate::referee::{Check, Event, Outcome, Referee};
use crate::session::Board;
use crate::tabletop::Tabletop;

/// The number of checks that changed nothing up to which each has a line; more are joined.
const QUIET_LINES: usize = 12;

/// From so many checks on, a line counts them.
const COUNTED: usize = 8;

/// The game that a view is of, and the width it has.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The game, as it is called in headings.
    pub game: &'a str,
    /// The referee.
    pub referee: &'a Referee,
    /// The table after the outcome.
    pub table: &'a Tabletop,
    /// The number of columns.
    pub width: usize,
}

impl<'a> View<'a> {
    /// The same for a command that may belong to rules that have been read again since.
    pub fn of_command(self, board: &'a Board, number: u64) -> View<'a> {
        let (referee, table) = board.of(number);
        View { referee, table, ..self }
    }

    /// Returns the rule of that name.
    pub(crate) fn rule(&self, name: &str) -> Option<&'a RuleText> {
        self.referee.ruleset().schema.rules.named(name)
    }

    /// Returns the heading of a phase: its place in the turn, from 1, and its title.
    pub(crate) fn phase(&self, name: &str, place: usize) -> String {
        format!("{} {}", place + 1, self.phase_title(name))
    }

    /// Returns the title of a phase as it stands in the middle of a line.
    pub(crate) fn phase_title(&self, name: &str) -> String {
        let phase = self.referee.ruleset().phases.iter().find(|p| p.name == name);
        lower(phase.map_or(name, |p| &p.title))
    }
}

/// The part of an event that is shown, in order.
enum Node<'a> {
    Check { check: &'a Check, depth: usize, quiet: bool },
    Line(Line),
}

/// An outcome as text. `number` is the command's, if it has one.
pub fn outcome(view: &View<'_>, outcome: &Outcome, number: Option<u64>) -> Text {
    let mut text = Text::new();
    let main = main_rule(outcome);
    if let Some(rule) = main.and_then(|rule| view.rule(rule)) {
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
        if let Event::Phase { turn: now, phase, place, skipped } = event {
            let name = view.phase(phase, *place);
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
                let phases = &view.referee.ruleset().phases;
                heading = phases.iter().find(|p| p.name == *phase).map(|p| p.title.as_str());
            }
            rest = after;
            continue;
        }
        let end = rest.iter().position(|e| matches!(e, Event::Phase { .. }));
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if part.iter().any(|e| !e.is_silent() && !matches!(e, Event::Reminded(_))) {
            flush_skipped(view, turn, &mut passed_over, &mut text);
        }
        body(view, part, main, heading, &mut text);
        rest = after;
    }
    flush_skipped(view, turn, &mut passed_over, &mut text);
    kept(view, outcome, &mut text);
    let hands = hands::lines(view, outcome.changes());
    let remember = reminders(outcome);
    if text.blocks.len() == usize::from(main.is_some()) && hands.is_empty() && remember.is_empty() {
        text.line(Role::Quiet, "  nothing changes");
    }
    text.extend(hands);
    text.extend(remember);
    text
}

/// Shows the events up to a question in mid-rule, without what the hands must do, for it is not done yet. What
/// was told before, so many events, is left out.
pub fn so_far(view: &View<'_>, outcome: &Outcome, from: usize) -> Text {
    let mut text = Text::new();
    let events = outcome.events.get(from..).unwrap_or_default();
    for event in events {
        if let Event::Phase { turn, phase, place, skipped: false } = event {
            let mut line = Line::of(Role::Quiet, format!("{} · turn {turn} · ", view.game));
            line.push(Role::Header, view.phase(phase, *place));
            text.push(line.hanging(2));
        }
    }
    body(view, events, main_rule(outcome), None, &mut text);
    text
}

/// Shows what is said when a scenario has been set out: not what stands where, which `show` and the plan tell.
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

/// Returns the rule that was called, if the command was a single rule.
fn main_rule(outcome: &Outcome) -> Option<&str> {
    let phase = |e: &Event| matches!(e, Event::Phase { .. });
    if outcome.events.iter().any(phase) {
        return None;
    }
    // No call is under way where the first begins.
    outcome.events.iter().find_map(|event| match event {
        Event::Call { rule, .. } => Some(rule.as_str()),
        _ => None,
    })
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
    main: Option<&str>,
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
    main: Option<&str>,
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
        && let Some(rule) = first.rule.as_deref().filter(|r| Some(*r) != main)
        && let Some(rule) = view.rule(rule)
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
fn alone_label(view: &View<'_>, check: &Check, main: Option<&str>) -> String {
    let rule = check.rule.as_deref().and_then(|r| view.rule(r));
    match (rule, check.label.is_empty()) {
        (Some(rule), true) => rule.title.clone(),
        (Some(rule), false)
            if check.rule.as_deref() != main && !same(&rule.title, &check.label) =>
        {
            format!("{}: {}", rule.title, check.label)
        }
        _ => check.label.clone(),
    }
}

/// Returns true if a label begins with the title already.
fn same(title: &str, label: &str) -> bool {
    label.to_lowercase().starts_with(&title.to_lowercase())
}

/// Cards that came one after the other.
struct Drawn<'a> {
    deck: Option<&'a str>,
    of: usize,
    what: Vec<&'a str>,
}

/// Puts events into what is shown of them.
#[derive(Default)]
struct Nodes<'a> {
    nodes: Vec<Node<'a>>,
    depth: usize,
    drawn: Option<Drawn<'a>>,
    /// The last check, which is shown by itself if something follows from it.
    last: Option<usize>,
}

/// The events as what is shown of them.
fn nodes(events: &[Event]) -> Vec<Node<'_>> {
    let mut nodes = Nodes::default();
    for event in events {
        nodes.take(event);
    }
    nodes.flush();
    nodes.nodes
}

impl<'a> Nodes<'a> {
    fn take(&mut self, event: &'a Event) {
        if !event.is_silent() && !matches!(event, Event::Taken { .. }) {
            self.flush();
        }
        match event {
            Event::Call { .. } => {
                if self.depth == 0 {
                    self.last = None;
                }
                self.depth += 1;
            }
            Event::End => self.depth = self.depth.saturating_sub(1),
            Event::Check(check) => {
                self.last = Some(self.nodes.len());
                let depth = self.depth.saturating_sub(1);
                self.nodes.push(Node::Check { check, depth, quiet: true });
            }
            Event::Changed { .. } => self.loud(),
            Event::Taken { deck, what, of } => {
                match &mut self.drawn {
                    Some(drawn) if drawn.deck == deck.as_deref() => drawn.what.push(what),
                    _ => {
                        self.flush();
                        let deck = deck.as_deref();
                        self.drawn = Some(Drawn { deck, of: *of, what: vec![what] });
                    }
                }
                self.loud();
            }
            Event::Rolled { written, shown, total } => {
                let mut line = Line::of(Role::Plain, format!("  {written}   "));
                line.push(Role::Dice, shown);
                line.push(Role::Strong, format!(" = {total}"));
                self.nodes.push(Node::Line(line));
            }
            Event::Said(words) => {
                self.loud();
                for words in words.lines() {
                    self.line(Line::of(Role::Plain, self.under(words)));
                }
            }
            Event::Asked { question, answer, random } => {
                self.loud();
                let mut line = Line::of(Role::Plain, self.under(&format!("{question} ")));
                line.push(Role::Strong, answer);
                if *random {
                    line.push(Role::Quiet, " (at random)");
                }
                self.line(line);
            }
            Event::Insisted(reason) => {
                let mut line = Line::of(Role::Notice, self.under("the umpire insists: "));
                line.push(Role::Plain, reason);
                self.line(line);
            }
            Event::Shuffled { deck, count } => {
                let words = format!("the {deck} is shuffled: {count} in it");
                self.line(Line::of(Role::Quiet, self.under(&words)));
            }
            Event::Bound(_) | Event::Reminded(_) | Event::Phase { .. } => {}
        }
    }

    fn line(&mut self, line: Line) {
        self.nodes.push(Node::Line(line));
    }

    /// Words set in under the check they follow from.
    fn under(&self, words: &str) -> String {
        let set_in = match self.last.and_then(|l| self.nodes.get(l)) {
            Some(Node::Check { depth, .. }) => check::indent(*depth) + 2,
            _ => 2,
        };
        format!("{}{words}", " ".repeat(set_in))
    }

    /// Something follows from the last check.
    fn loud(&mut self) {
        if let Some(Node::Check { quiet, .. }) = self.last.and_then(|l| self.nodes.get_mut(l)) {
            *quiet = false;
        }
    }

    /// The cards drawn so far, as one line.
    fn flush(&mut self) {
        if let Some(drawn) = self.drawn.take() {
            self.nodes.push(Node::Line(drawn_line(&drawn)));
        }
    }
}

fn drawn_line(drawn: &Drawn<'_>) -> Line {
    let head = match drawn.deck {
        Some(deck) => format!("  drawn from the {deck} ({} in it): ", drawn.of),
        None if drawn.what.len() == 1 => format!("  at random, one of {}: ", drawn.of),
        None => "  at random: ".to_owned(),
    };
    let mut line = Line::of(Role::Plain, head).hanging(4);
    line.push(Role::Dice, drawn.what.join(", "));
    line
}

/// Adds what was changed by the umpire's word, or by a rule that shows nothing else.
fn kept(view: &View<'_>, outcome: &Outcome, text: &mut Text) {
    let shown = outcome
        .events
        .iter()
        .any(|e| !e.is_silent() && !matches!(e, Event::Reminded(_) | Event::Insisted(_)));
    if shown {
        return;
    }
    // What has a marker stands under "On the table".
    let mut lines: Vec<Line> = Vec::new();
    for (piece, changes) in hands::in_words(view, outcome.changes(), Which::Unmarked) {
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
    text.extend(lines.into_iter().collect());
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
