//! The outcome of a command: one line a roll with its arithmetic, then what the hands must do.

use std::sync::Arc;

use adjutant_dice::parse_pool;
use indexmap::IndexSet;

use crate::language::number::Number;
use crate::language::rule::RuleText;
use crate::language::schema::{STATE, Schema};
use crate::names::counted;
use crate::referee::{Check, Event, Hidden, Outcome, Referee, Roll, Sight, Throw, Viewer};
use crate::render::check::Columns;
use crate::render::document::Block;
use crate::render::hands::Which;
use crate::render::markup::{Line, Role, Text};
use crate::render::{brief, check, hands};
use crate::session::{Board, Entry, Session, WalkError};
use crate::tabletop::{Change, Tabletop};

/// The number of checks that changed nothing up to which each has a line; more are joined.
const QUIET_LINES: usize = 12;

/// From this many checks on, one line counts them.
const COUNTED: usize = 8;

/// The most pieces whose changes are listed where nothing else is shown.
const MOST_KEPT: usize = 12;

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
    /// For any viewer but the umpire: what is hidden. The table is without it, and the events are those that were seen.
    pub hidden: Option<&'a Hidden>,
}

impl<'a> View<'a> {
    /// Returns the umpire's view of a table.
    pub fn of(game: &'a str, referee: &'a Referee, table: &'a Tabletop, width: usize) -> View<'a> {
        View { game, referee, table, width, hidden: None }
    }

    /// Returns the umpire's view of a session, on this board.
    pub fn at(session: &'a Session, board: &'a Board, width: usize) -> View<'a> {
        View::of(session.heading(), board.referee(), board.table(), width)
    }

    /// The same for a command that may belong to rules that have been read again since.
    pub fn of_command(self, board: &'a Board, number: u64) -> View<'a> {
        let (referee, table) = board.of(number);
        View { referee, table, ..self }
    }

    /// Returns the same view of the table as a viewer sees it.
    pub fn through(self, sight: impl Into<Option<&'a Sight>>) -> View<'a> {
        match sight.into() {
            Some(sight) => View { table: &sight.table, hidden: Some(&sight.hidden), ..self },
            None => self,
        }
    }

    /// Returns the table and the changes that led to it as all players see them, since that is what stands on the real
    /// table; none if everybody sees them as they are here.
    pub(super) fn public<'c>(
        &self,
        changes: impl DoubleEndedIterator<Item = &'c Change> + Clone,
    ) -> Option<(Sight, Vec<Change>)> {
        if self.hidden.is_some() || !self.referee.has_secrets() {
            return None;
        }
        self.referee.seen_changes(self.table, changes, &Viewer::Players)
    }

    /// Returns the rule of that name.
    pub fn rule(&self, name: &str) -> Option<&'a RuleText> {
        self.referee.ruleset().schema.rules.named(name)
    }

    /// Returns the line over what happens in a phase.
    fn phase_line(&self, turn: i64, name: &str, place: usize, side: Option<&str>) -> Line {
        let line = Line::of(Role::Quiet, format!("{} · turn {turn} · ", self.game));
        line.and(Role::Header, self.phase(name, place, side)).hanging(2)
    }

    /// Returns the heading of a phase: its place in the turn, from 1, its title, and the side whose turn it is.
    pub(crate) fn phase(&self, name: &str, place: usize, side: Option<&str>) -> String {
        let side = side.map_or(String::new(), |side| format!(" · {side}"));
        format!("{} {}{side}", place + 1, self.phase_title(name))
    }

    /// Returns the title of a phase as it stands in the middle of a line.
    pub(crate) fn phase_title(&self, name: &str) -> String {
        let phase = self.referee.ruleset().phases.iter().find(|p| p.name == name);
        lower(phase.map_or(name, |p| &p.title))
    }
}

/// Shows the commands that stand as far as a viewer saw them, each with its view and its number, which
/// is for the umpire alone.
pub fn each_command(
    session: &Session,
    view: View<'_>,
    viewer: &Viewer,
    mut show: impl FnMut(&View<'_>, u64, &Entry),
) -> Result<(), WalkError> {
    if session.viewer(viewer) == Viewer::Umpire {
        for entry in session.entries() {
            show(&view.of_command(session.board(), entry.number), entry.number, entry);
        }
        return Ok(());
    }
    session.walk_seen(viewer, |referee, _, witnessed| {
        if let Some(witnessed) = witnessed.filter(|witnessed| witnessed.number > 0) {
            let view = View { referee, ..view }.through(&witnessed.sight);
            show(&view, witnessed.number, &witnessed.entry);
        }
    })
}

/// The part of an event that is shown, in order.
pub(super) enum Node<'a> {
    Check {
        check: &'a Check,
        depth: usize,
        quiet: bool,
    },
    Line(Line, Weight),
    /// The next piece of a sweep has its turn; it is not shown.
    Turn,
}

/// The importance of a line where there is little room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// It says what a check or a change comes to.
    Effect,
    /// It says something else.
    Remark,
    /// It says what was drawn.
    Draw,
}

impl<'a> Node<'a> {
    pub(super) fn check(&self) -> Option<(&'a Check, usize, bool)> {
        match *self {
            Node::Check { check, depth, quiet } => Some((check, depth, quiet)),
            Node::Line(..) | Node::Turn => None,
        }
    }
}

/// Returns an outcome. `number` is the command's, if it has one.
pub fn outcome(view: &View<'_>, outcome: &Outcome, number: Option<u64>) -> Text {
    outcome_after(view, outcome, number, &|_| false)
}

/// Returns an outcome; of its reminders a low screen leaves out those that were said `before`.
pub fn outcome_after(
    view: &View<'_>,
    outcome: &Outcome,
    number: Option<u64>,
    before: &dyn Fn(&str) -> bool,
) -> Text {
    let mut text = happened(view, outcome, number);
    let hands = hands::lines(view, outcome.changes());
    let remember = reminders(outcome, before);
    let titled = main_rule(outcome).is_some();
    if text.blocks.len() == usize::from(titled) && hands.is_empty() && remember.is_empty() {
        text.line(Role::Quiet, "  nothing changes");
    }
    text.extend(hands);
    text.extend(remember);
    text
}

/// Returns what happened, without what the hands must do and the umpire must remember.
pub(crate) fn happened(view: &View<'_>, outcome: &Outcome, number: Option<u64>) -> Text {
    let mut text = Text::new();
    let main = main_rule(outcome);
    if let Some(rule) = main.and_then(|rule| view.rule(rule)) {
        let number = number.map_or(String::new(), |n| format!("{n} · "));
        let line = Line::new().and(Role::Quiet, number).and(Role::Header, &rule.title);
        text.push(line.cited(&rule.cite).hanging(4));
    }
    let mut passed_over: Vec<String> = Vec::new();
    let mut turn = 0;
    let mut heading: Option<&str> = None;
    for part in outcome.events.chunk_by(|_, next| !matches!(next, Event::Phase { .. })) {
        let mut events = part;
        let mut head = None;
        if let [Event::Phase { turn: now, phase, place, side, skipped }, after @ ..] = part {
            events = after;
            if !skipped || turn != *now {
                flush_skipped(view, turn, &mut passed_over, &mut text);
            }
            turn = *now;
            if *skipped {
                passed_over.push(view.phase(phase, *place, side.as_deref()));
            } else {
                head = Some(view.phase_line(turn, phase, *place, side.as_deref()));
                let phases = &view.referee.ruleset().phases;
                heading = phases.iter().find(|p| p.name == *phase).map(|p| p.title.as_str());
            }
        }
        if events.iter().any(|e| !e.is_silent() && !matches!(e, Event::Reminded(_))) {
            flush_skipped(view, turn, &mut passed_over, &mut text);
        }
        Telling { view, main, heading }.body(events, outcome.physical, head, &mut text);
    }
    flush_skipped(view, turn, &mut passed_over, &mut text);
    kept(view, outcome, &mut text);
    text
}

/// Shows the events up to a question in the middle of a rule, without what the hands must do, as nothing is done yet.
/// The events before `from` have been shown already and are left out.
pub fn so_far(view: &View<'_>, outcome: &Outcome, from: usize) -> Text {
    let mut text = Text::new();
    let events = outcome.events.get(from..).unwrap_or_default();
    for event in events {
        if let Event::Phase { turn, phase, place, side, skipped: false } = event {
            text.push(view.phase_line(*turn, phase, *place, side.as_deref()));
        }
    }
    let telling = Telling { view, main: main_rule(outcome), heading: None };
    telling.body(events, outcome.physical, None, &mut text);
    text
}

/// Shows what is said when a scenario has been set out: not what stands where, which `show` and the plan tell.
pub fn set_up(view: &View<'_>, outcome: &Outcome) -> Text {
    let mut text = Text::new();
    let telling = Telling { view, main: None, heading: None };
    telling.body(&outcome.events, outcome.physical, None, &mut text);
    text.extend(reminders(outcome, &|_| false));
    text
}

/// Returns a heading as it reads in the middle of a line: the first letter small, unless the word is in capitals.
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

/// The place of the lines that are told: under a rule, or in a phase.
pub(super) struct Telling<'a> {
    pub view: &'a View<'a>,
    /// The rule that was called, if that was one.
    pub main: Option<&'a str>,
    /// The title over the lines; a rule of the same title needs no other.
    heading: Option<&'a str>,
}

impl Telling<'_> {
    /// Adds the events of one phase, under its line, or of one command.
    fn body(&self, events: &[Event], physical: bool, head: Option<Line>, text: &mut Text) {
        let nodes = nodes(self.view, events, physical);
        if nodes.iter().all(|node| matches!(node, Node::Turn)) {
            text.blocks.extend(head.map(Block::Line));
            return;
        }
        let full = |quiet_lines| {
            let mut form: Text = head.clone().into_iter().collect();
            self.in_full(&nodes, quiet_lines, &mut form);
            form
        };
        let mut forms = vec![full(QUIET_LINES), full(0)];
        forms.extend(brief::forms(self, &nodes, head.as_ref()));
        text.blocks.push(Block::Fold(forms));
    }

    /// Adds what happened, a line each. Checks that changed nothing are joined if there are more than `quiet_lines`.
    fn in_full(&self, nodes: &[Node<'_>], quiet_lines: usize, text: &mut Text) {
        let columns = nodes.iter().filter_map(|node| {
            let (check, depth, _) = node.check()?;
            Some((check, check::indent(depth), alone_label(self.view, check, self.main)))
        });
        let columns = Columns::measure(columns).fitted(self.view.width);
        let mut rest = nodes;
        while let Some(first) = rest.first() {
            // A run of checks of one rule, with the lines between them.
            let rule = first.check().map(|c| &c.0.rule);
            let ends = |n: &Node<'_>| n.check().is_some_and(|c| Some(&c.0.rule) != rule);
            let (nodes, after) = rest.split_at(rest.iter().position(ends).unwrap_or(rest.len()));
            self.run(nodes, &columns, quiet_lines, text);
            rest = after;
        }
    }

    /// Adds a run of checks of one rule.
    fn run(&self, nodes: &[Node<'_>], columns: &Columns, quiet_lines: usize, text: &mut Text) {
        let checks: Vec<(&Check, usize, bool)> = nodes.iter().filter_map(Node::check).collect();
        if let [(first, depth, _), _, ..] = checks.as_slice()
            && let Some(rule) = first.rule.as_deref().filter(|r| Some(*r) != self.main)
            && let Some(rule) = self.view.rule(rule)
            && self.heading.is_none_or(|h| !h.eq_ignore_ascii_case(&rule.title))
        {
            let blanks = " ".repeat(check::indent(*depth));
            let line = Line::of(Role::Strong, format!("{blanks}{}", rule.title));
            text.push(line.cited(if *depth == 0 { &rule.cite } else { "" }));
        }
        let join = checks.iter().filter(|c| c.2).count() > quiet_lines;
        let mut joined: Vec<&Check> = Vec::new();
        for node in nodes {
            match node {
                Node::Line(line, _) => {
                    text.push(line.clone());
                }
                Node::Turn => {}
                Node::Check { check, quiet: true, .. } if join => joined.push(check),
                Node::Check { check, depth, .. } => {
                    let label = match checks.len() {
                        1 => alone_label(self.view, check, self.main),
                        _ => check.label.clone(),
                    };
                    text.push(check::line(check, &label, check::indent(*depth), columns));
                }
            }
        }
        text.extend(check::joined(&joined));
        if checks.len() >= COUNTED {
            text.push(check::tally(checks.iter().map(|c| c.0)));
        }
    }
}

/// Returns the label of a check that stands alone: with the title of its rule, if it is not the one called.
pub(crate) fn alone_label(view: &View<'_>, check: &Check, main: Option<&str>) -> String {
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

/// Returns true if a label already begins with the title.
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
struct Nodes<'a> {
    schema: &'a Schema,
    nodes: Vec<Node<'a>>,
    depth: usize,
    drawn: Option<Drawn<'a>>,
    /// The last check, which is shown by itself if something follows from it.
    last: Option<usize>,
    /// Something came of the rules since the last line: a check or a change that explains something.
    effect: bool,
}

/// Returns dice thrown for their own sake as a check that needs nothing, if they are of one pool.
fn rolled(written: &str, shown: &str, total: i64) -> Option<(String, Check)> {
    let (pool, shown) = (parse_pool(written).ok(), shown.to_owned());
    pool.as_ref()?;
    let (natural, passed) = (Number::whole(total)?, None);
    let check = Check {
        rolls: vec![Roll { pool, shown, total, fixed: None, rerolled: false }],
        throws: vec![Throw { natural, total: natural, passed }],
        ..Check::default()
    };
    Some((written.to_owned(), check))
}

/// Returns the end of the game in words.
pub(super) fn end(words: &str, winner: Option<&str>, margin: Option<i64>) -> String {
    let words = if words.is_empty() { String::new() } else { format!(": {words}") };
    let winner = winner.map_or(String::new(), |winner| {
        let margin = margin.map_or(String::new(), |n| format!(", by {n}"));
        format!("; the winner is {winner}{margin}")
    });
    format!("the game ends{words}{winner}")
}

/// The events as what is shown of them.
fn nodes<'a>(view: &View<'a>, events: &'a [Event], physical: bool) -> Vec<Node<'a>> {
    let schema = &view.referee.ruleset().schema;
    let mut nodes =
        Nodes { schema, nodes: Vec::new(), depth: 0, drawn: None, last: None, effect: false };
    for (i, event) in events.iter().enumerate() {
        // Which real card came was asked, but it is enough that it came.
        let came = matches!(events.get(i + 1), Some(Event::Taken { deck: Some(_), .. }));
        if !(physical && came && matches!(event, Event::Asked { random: false, .. })) {
            nodes.take(event);
        }
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
                    self.nodes.push(Node::Turn);
                }
                self.depth += 1;
            }
            Event::End => self.depth = self.depth.saturating_sub(1),
            Event::Check(check) => {
                self.last = Some(self.nodes.len());
                self.effect = true;
                let depth = self.depth.saturating_sub(1);
                self.nodes.push(Node::Check { check, depth, quiet: true });
            }
            Event::Changed { change, .. } => {
                self.loud();
                self.effect |= self.is_seen(change);
            }
            // One of one is no chance.
            Event::Taken { deck: None, of: 1, .. } => self.loud(),
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
                let line = Line::of(Role::Plain, format!("  {written}   "));
                let mut line = line.and(Role::Dice, shown).and(Role::Strong, format!(" = {total}"));
                line.check = rolled(written, shown, *total).map(Arc::new);
                self.nodes.push(Node::Line(line, Weight::Effect));
            }
            Event::Ended { words, winner, margin } => {
                let line = Line::of(Role::Strong, end(words, winner.as_deref(), *margin));
                self.nodes.push(Node::Line(line.hanging(2), Weight::Effect));
            }
            Event::Said(words) => {
                self.loud();
                let effect = std::mem::take(&mut self.effect);
                let weight = if effect { Weight::Effect } else { Weight::Remark };
                words.lines().for_each(|words| self.under(weight, Role::Plain, words, Line::new()));
            }
            Event::Asked { question, answer, random } => {
                self.loud();
                let random = if *random { " (at random)" } else { "" };
                let line = Line::new().and(Role::Strong, answer).and(Role::Quiet, random);
                let sign = if question.ends_with('?') { "" } else { ":" };
                self.under(Weight::Effect, Role::Plain, &format!("{question}{sign} "), line);
            }
            Event::Insisted(reason) => {
                let line = Line::new().and(Role::Plain, reason);
                self.under(Weight::Effect, Role::Notice, "the umpire insists: ", line);
            }
            Event::Shuffled { deck, count } => {
                let words = format!("the {deck} is shuffled: {count} in it");
                self.under(Weight::Draw, Role::Quiet, &words, Line::new());
            }
            Event::Bound(names) => {
                let piece = names.first().is_some_and(|name| name.kind.is_some());
                if self.depth == 1 && piece {
                    self.nodes.push(Node::Turn);
                }
            }
            Event::Reminded(_) | Event::Phase { .. } => {}
        }
    }

    /// Adds a line, set in under the check that it follows from.
    fn under(&mut self, weight: Weight, role: Role, words: &str, more: Line) {
        let last = self.last.and_then(|last| self.nodes.get(last)?.check());
        let set_in = last.map_or(2, |(_, depth, _)| check::indent(depth) + 2);
        let mut line = Line::of(role, format!("{}{words}", " ".repeat(set_in)));
        line.parts.extend(more.parts);
        self.nodes.push(Node::Line(line, weight));
    }

    /// Returns true if people see the change: it is one of a piece, and not bookkeeping.
    fn is_seen(&self, change: &Change) -> bool {
        let kind = change.piece().and_then(|(kind, _)| self.schema.kind_named(kind));
        kind.filter(|kind| *kind != STATE).is_some_and(|kind| match change.spot() {
            Some(spot) => {
                self.schema.kind(kind).attribute(&spot.attribute).is_some_and(|a| !a.bookkeeping)
            }
            None => true,
        })
    }

    /// Something follows from the last check.
    fn loud(&mut self) {
        if let Some(Node::Check { quiet, .. }) = self.last.and_then(|l| self.nodes.get_mut(l)) {
            *quiet = false;
        }
    }

    /// Adds the cards drawn so far, as one line.
    fn flush(&mut self) {
        let Some(drawn) = self.drawn.take() else { return };
        let head = match drawn.deck {
            Some(deck) => format!("  drawn from the {deck} ({} in it): ", drawn.of),
            None if drawn.what.len() == 1 => format!("  at random, one of {}: ", drawn.of),
            None => "  at random: ".to_owned(),
        };
        let line = Line::of(Role::Plain, head).and(Role::Dice, drawn.what.join(", "));
        self.nodes.push(Node::Line(line, Weight::Draw));
    }
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
    let changes = hands::in_words(view, outcome.changes(), Which::Unmarked);
    for (piece, changes) in changes.iter().take(MOST_KEPT) {
        let line = Line::of(Role::Plain, "  ").and(Role::Strong, piece);
        text.push(line.and(Role::Plain, format!(": {}", changes.join(", "))));
    }
    if changes.len() > MOST_KEPT {
        text.line(Role::Quiet, format!("  … and {} more", changes.len() - MOST_KEPT));
    }
}

/// Returns what the umpire must remember. In short it is one paragraph, then without what was said before, then the
/// number of lines.
fn reminders(outcome: &Outcome, before: &dyn Fn(&str) -> bool) -> Text {
    let mut seen: IndexSet<&str> = IndexSet::new();
    seen.extend(reminded(outcome));
    if seen.is_empty() {
        return Text::new();
    }
    let head = |place, words: &str| {
        let mut line = Line::of(Role::Notice, if place == 0 { "Remember:" } else { "" });
        line.pad_to(15, 0).push(Role::Plain, words);
        line.hanging(17)
    };
    let all = seen.iter().enumerate().map(|(place, words)| head(place, words)).collect();
    let joined = |words: &[&str]| Text::from_iter([head(0, &words.join("; ")).hanging(15)]);
    let mut new: Vec<&str> = seen.iter().copied().filter(|words| !before(words)).collect();
    let known = format!("{} said before", seen.len() - new.len());
    if new.len() < seen.len() {
        new.push(&known);
    }
    let seen: Vec<&str> = seen.into_iter().collect();
    let count = counted(seen.len(), "line");
    vec![Block::Fold(vec![all, joined(&seen), joined(&new), joined(&[&count])])].into()
}

/// Returns what an outcome reminds of.
pub fn reminded(outcome: &Outcome) -> impl Iterator<Item = &str> {
    outcome.events.iter().filter_map(|event| match event {
        Event::Reminded(words) => Some(words.as_str()),
        _ => None,
    })
}
