//! The displayed parts of events, in order, before they become lines.

use std::sync::Arc;

use adjutant_dice::parse_pool;
use indexmap::IndexMap;

use crate::language::number::Number;
use crate::language::schema::{STATE_KIND, Schema};
use crate::referee::{Audience, Check, Event, Roll, Throw};
use crate::render::check;
use crate::render::markup::{Line, Role};
use crate::render::view::View;
use crate::tabletop::Change;

/// If at least this many pieces have the same text, they share one line.
const MIN_JOINED: usize = 3;

/// A displayed part of an event.
pub(super) enum EventNode<'a> {
    Check {
        check: &'a Check,
        depth: usize,
        quiet: bool,
    },
    Line(Line, NodeWeight),
    /// The beginning of a rule that is not called by another, or of the next piece's turn in a
    /// sweep. This node is not displayed.
    Turn,
}

/// The importance of a line when there is little room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeWeight {
    /// The line shows the result of a check or a change.
    Effect,
    /// The line shows something else.
    Remark,
    /// The line shows a card or chit that was drawn.
    Draw,
}

impl<'a> EventNode<'a> {
    pub(super) fn check(&self) -> Option<(&'a Check, usize, bool)> {
        match *self {
            EventNode::Check { check, depth, quiet } => Some((check, depth, quiet)),
            EventNode::Line(..) | EventNode::Turn => None,
        }
    }
}

/// The context of displayed lines: the rule or the phase that they belong to.
pub(super) struct LineContext<'a> {
    pub view: &'a View<'a>,
    /// The rule that the command called; `None` if a phase began or no rule was called.
    pub main: Option<&'a str>,
    /// The title above the lines. A rule with the same title is displayed without it.
    pub heading: Option<&'a str>,
}

/// Returns the label of a check that is displayed on its own. The label includes the title of the
/// check's rule, unless that rule was called directly or the label already begins with the title.
pub(crate) fn alone_label(view: &View<'_>, check: &Check, main: Option<&str>) -> String {
    let rule = check.rule.as_deref().and_then(|r| view.rule(r));
    match (rule, check.label.is_empty()) {
        (Some(rule), true) => rule.title.clone(),
        (Some(rule), false)
            if check.rule.as_deref() != main
                && !label_begins_with_title(&rule.title, &check.label) =>
        {
            format!("{}: {}", rule.title, check.label)
        }
        _ => check.label.clone(),
    }
}

/// Returns true if a label already begins with the title, ignoring case.
fn label_begins_with_title(title: &str, label: &str) -> bool {
    label.to_lowercase().starts_with(&title.to_lowercase())
}

/// Cards or pieces drawn in succession.
struct DrawnCards<'a> {
    deck: Option<&'a str>,
    of: usize,
    what: Vec<&'a str>,
}

/// A builder that makes the displayed nodes from events.
struct NodeBuilder<'a, 'b> {
    schema: &'a Schema,
    nodes: Vec<EventNode<'a>>,
    depth: usize,
    drawn: Option<DrawnCards<'a>>,
    /// The last check, which gets its own line if it has consequences.
    last: Option<usize>,
    /// True if there was a check or a displayed change since the last line.
    effect: bool,
    /// The text that replaces the event's own text, if several pieces have the same text. The inner
    /// `None` means that the event's text is part of another event's text.
    joined: Option<Option<&'b str>>,
}

/// Texts that replace the events' own texts, by the indices of the events; `None` for an event
/// whose text is part of another event's text.
pub(super) type JoinedSayings = IndexMap<usize, Option<String>>;

/// Joins the texts of consecutive pieces that have the same text, as in
/// `a1, a2, a3: each moves 8 in`.
pub(super) fn join_sayings(view: &View<'_>, events: &[Event]) -> JoinedSayings {
    let mut joined = JoinedSayings::new();
    let mut run: Vec<(usize, &str, &str)> = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let said = match event {
            Event::Said(words) => subject_and_rest(view, words),
            event if event.is_silent() || matches!(event, Event::Reminded(_)) => continue,
            _ => None,
        };
        let goes_on = said.is_some_and(|(name, rest)| {
            run.last().is_some_and(|last| last.2 == rest) && run.iter().all(|other| other.1 != name)
        });
        if !goes_on {
            join_run(&run, &mut joined);
            run.clear();
        }
        run.extend(said.map(|(name, rest)| (index, name, rest)));
    }
    join_run(&run, &mut joined);
    joined
}

/// Returns the piece at the beginning of a line, and the rest of the line; `None` if the text does
/// not begin with a piece on the table, or has several lines.
pub(super) fn subject_and_rest<'t>(view: &View<'_>, words: &'t str) -> Option<(&'t str, &'t str)> {
    let (name, rest) = words.split_once(' ').filter(|_| !words.contains('\n'))?;
    view.table.find(name).map(|_| (name, rest))
}

fn join_run(run: &[(usize, &str, &str)], joined: &mut JoinedSayings) {
    let ([(first, _, rest), others @ ..], MIN_JOINED..) = (run, run.len()) else { return };
    let names: Vec<&str> = run.iter().map(|(_, name, _)| *name).collect();
    joined.insert(*first, Some(format!("{}: each {rest}", names.join(", "))));
    joined.extend(others.iter().map(|(index, ..)| (*index, None)));
}

/// Returns the texts in their order. If at least [`MIN_JOINED`] pieces have the same text, their
/// texts are joined at the position of the first.
pub(super) fn join_texts(view: &View<'_>, texts: &[&str]) -> Vec<String> {
    let mut by_rest: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for (name, rest) in texts.iter().filter_map(|text| subject_and_rest(view, text)) {
        by_rest.entry(rest).or_default().push(name);
    }
    let mut all = Vec::new();
    for text in texts {
        match subject_and_rest(view, text) {
            Some((name, rest)) if by_rest[rest].len() >= MIN_JOINED => {
                let names = &by_rest[rest];
                if names[0] == name {
                    all.push(format!("{}: each {rest}", names.join(", ")));
                }
            }
            _ => all.push((*text).to_owned()),
        }
    }
    all
}

/// Returns a roll outside any rule as a check without a need, with its notation as the label;
/// `None` unless its dice are one pool.
fn roll_as_check(written: &str, shown: &str, total: i64) -> Option<(String, Check)> {
    let pool = parse_pool(written).ok()?;
    let shown = shown.to_owned();
    let natural = Number::whole(total)?;
    let check = Check {
        rolls: vec![Roll { pool: Some(pool), shown, total, fixed: None, rerolled: false }],
        throws: vec![Throw { natural, total: natural, passed: None }],
        ..Check::default()
    };
    Some((written.to_owned(), check))
}

/// Returns the end of the game in words.
pub(crate) fn end_of_game(words: &str, winner: Option<&str>, margin: Option<i64>) -> String {
    let words = if words.is_empty() { String::new() } else { format!(": {words}") };
    let winner = winner.map_or(String::new(), |winner| {
        let margin = margin.map_or(String::new(), |n| format!(", by {n}"));
        format!("; winner: {winner}{margin}")
    });
    format!("the game ends{words}{winner}")
}

/// Returns the nodes to display for these events.
pub(super) fn nodes<'a>(
    view: &View<'a>,
    events: &'a [Event],
    physical: bool,
) -> Vec<EventNode<'a>> {
    let schema = &view.referee.ruleset().schema;
    let mut nodes = NodeBuilder {
        schema,
        nodes: Vec::new(),
        depth: 0,
        drawn: None,
        last: None,
        effect: false,
        joined: None,
    };
    let joined = join_sayings(view, events);
    for (i, event) in events.iter().enumerate() {
        nodes.joined = joined.get(&i).map(Option::as_deref);
        // The umpire was asked which real card was drawn, but showing the draw is enough.
        let came = matches!(events.get(i + 1), Some(Event::Taken { deck: Some(_), .. }));
        if !(physical && came && matches!(event, Event::Asked { random: false, .. })) {
            nodes.add_event(event);
        }
    }
    nodes.flush_drawn_cards();
    nodes.nodes
}

/// Returns a line with its audience in front, unless it is for everyone.
pub(super) fn addressed_words(to: &Audience, words: &str) -> String {
    match to {
        Audience::All => words.to_owned(),
        Audience::Umpire => format!("to the umpire: {words}"),
        Audience::Sides(sides) if sides.is_empty() => format!("to no side: {words}"),
        Audience::Sides(sides) => format!("to {}: {words}", sides.join(" and ")),
    }
}

impl<'a> NodeBuilder<'a, '_> {
    /// Adds the lines that a rule printed.
    fn add_said(&mut self, words: &str) {
        let effect = std::mem::take(&mut self.effect);
        let weight = if effect { NodeWeight::Effect } else { NodeWeight::Remark };
        words.lines().for_each(|line| {
            self.add_under_check(weight, Role::Plain, line, Line::new());
        });
    }

    fn add_event(&mut self, event: &'a Event) {
        if !event.is_silent() && !matches!(event, Event::Taken { .. }) {
            self.flush_drawn_cards();
        }
        match event {
            Event::Call { .. } => {
                if self.depth == 0 {
                    self.last = None;
                    self.nodes.push(EventNode::Turn);
                }
                self.depth += 1;
            }
            Event::End => self.depth = self.depth.saturating_sub(1),
            Event::Check(check) => {
                self.last = Some(self.nodes.len());
                self.effect = true;
                let depth = self.depth.saturating_sub(1);
                self.nodes.push(EventNode::Check { check, depth, quiet: true });
            }
            Event::Changed { change, .. } => {
                self.mark_last_check();
                self.effect |= self.is_seen(change);
            }
            // A choice from a single piece isn't random.
            Event::Taken { deck: None, of: 1, .. } => self.mark_last_check(),
            Event::Taken { deck, what, of } => {
                match &mut self.drawn {
                    Some(drawn) if drawn.deck == deck.as_deref() => drawn.what.push(what),
                    _ => {
                        self.flush_drawn_cards();
                        let deck = deck.as_deref();
                        self.drawn = Some(DrawnCards { deck, of: *of, what: vec![what] });
                    }
                }
                self.mark_last_check();
            }
            Event::Rolled { written, shown, total } => {
                let line = Line::of(Role::Plain, format!("  {written}   "));
                let mut line = line.and(Role::Dice, shown).and(Role::Strong, format!(" = {total}"));
                line.check = roll_as_check(written, shown, *total).map(Arc::new);
                self.nodes.push(EventNode::Line(line, NodeWeight::Effect));
            }
            Event::Ended { words, winner, margin } => {
                let line = Line::of(Role::Strong, end_of_game(words, winner.as_deref(), *margin));
                self.nodes.push(EventNode::Line(line.with_hanging_indent(2), NodeWeight::Effect));
            }
            Event::Said(words) => {
                self.mark_last_check();
                let words = match self.joined {
                    None => words.as_str(),
                    Some(Some(joined)) => joined,
                    Some(None) => return,
                };
                self.add_said(words);
            }
            Event::SaidTo { to, words } => {
                self.mark_last_check();
                self.add_said(&addressed_words(to, words));
            }
            Event::Asked { question, answer, random } => {
                self.mark_last_check();
                let random = if *random { " (at random)" } else { "" };
                let line = Line::new().and(Role::Strong, answer).and(Role::Quiet, random);
                let sign = if question.ends_with('?') { "" } else { ":" };
                self.add_under_check(
                    NodeWeight::Effect,
                    Role::Plain,
                    &format!("{question}{sign} "),
                    line,
                );
            }
            Event::Insisted(reason) => {
                let line = Line::new().and(Role::Plain, reason);
                self.add_under_check(
                    NodeWeight::Effect,
                    Role::Notice,
                    "the umpire insists: ",
                    line,
                );
            }
            Event::Shuffled { deck, count } => {
                let words = format!("the {deck} is shuffled, with {count} in it");
                self.add_under_check(NodeWeight::Draw, Role::Quiet, &words, Line::new());
            }
            Event::Bound(names) => {
                let piece = names.first().is_some_and(|name| name.kind.is_some());
                if self.depth == 1 && piece {
                    self.nodes.push(EventNode::Turn);
                }
            }
            Event::Instructed(_) | Event::Reminded(_) | Event::Phase { .. } => {}
        }
    }

    /// Adds a line, indented under the check that it results from, if there is one.
    fn add_under_check(&mut self, weight: NodeWeight, role: Role, words: &str, more: Line) {
        let last = self.last.and_then(|last| self.nodes.get(last)?.check());
        let set_in = last.map_or(2, |(_, depth, _)| check::indent(depth) + 2);
        let mut line = Line::of(role, format!("{}{words}", " ".repeat(set_in)));
        line.parts.extend(more.parts);
        self.nodes.push(EventNode::Line(line, weight));
    }

    /// Returns true if the change is displayed: it concerns a piece, and is not bookkeeping.
    fn is_seen(&self, change: &Change) -> bool {
        let kind = change.piece().and_then(|(kind, _)| self.schema.kind_named(kind));
        kind.filter(|kind| *kind != STATE_KIND).is_some_and(|kind| match change.attribute_path() {
            Some(spot) => {
                self.schema.kind(kind).attribute(&spot.attribute).is_some_and(|a| !a.bookkeeping)
            }
            None => true,
        })
    }

    /// Marks the last check as one with consequences, so that it gets its own line.
    fn mark_last_check(&mut self) {
        if let Some(EventNode::Check { quiet, .. }) = self.last.and_then(|l| self.nodes.get_mut(l))
        {
            *quiet = false;
        }
    }

    /// Adds the cards drawn so far, as one line.
    fn flush_drawn_cards(&mut self) {
        let Some(drawn) = self.drawn.take() else { return };
        let (head, weight) = match drawn.deck {
            Some(deck) => {
                (format!("  drawn from the {deck} ({} in it): ", drawn.of), NodeWeight::Draw)
            }
            // In the lines that follow, the rule names the piece that was picked.
            None if drawn.what.len() == 1 => {
                (format!("  at random, one of {}: ", drawn.of), NodeWeight::Remark)
            }
            None => ("  at random: ".to_owned(), NodeWeight::Remark),
        };
        let line = Line::of(Role::Plain, head).and(Role::Dice, drawn.what.join(", "));
        self.nodes.push(EventNode::Line(line, weight));
    }
}
