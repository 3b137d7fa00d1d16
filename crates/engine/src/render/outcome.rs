//! The outcome of a command: one line for each roll with its arithmetic, then the instructions for
//! the table.

use indexmap::IndexSet;

use super::view::View;
use crate::language::number::Number;
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::Type;
use crate::names::count_with_noun;
use crate::referee::{Check, Event, Outcome, Viewer};
use crate::render::check::CheckColumns;
use crate::render::document::Block;
use crate::render::hands::ChangeFilter;
use crate::render::markup::{Line, Role, Text};
use crate::render::nodes::{EventNode, LineContext, alone_label, join_texts, nodes};
use crate::render::{brief, check, hands};
use crate::session::{Entry, Session, WalkError};
use crate::tabletop::Value;

/// The maximum number of checks without a change that get their own lines. If there are more, they
/// are joined.
const QUIET_LINES: usize = 12;

/// If one rule makes more checks than this, the checks without a change never get their own lines.
const LONG_RUN: usize = 16;

/// If one rule makes at least this many checks in a row, a line counts them.
const MIN_CHECKS_TO_COUNT: usize = 8;

/// The maximum number of pieces whose changes are listed if nothing else is displayed.
const MAX_CHANGED_PIECES: usize = 12;

/// Calls `show` with each command in force, its view and its number, as far as a viewer saw the
/// command. Only the umpire's entries also contain their numbers.
pub fn for_each_command(
    session: &Session,
    view: View<'_>,
    viewer: &Viewer,
    mut show: impl FnMut(&View<'_>, u64, &Entry),
) -> Result<(), WalkError> {
    if session.effective_viewer(viewer) == Viewer::Umpire {
        for entry in session.entries() {
            show(&view.of_command(session.board(), entry.number), entry.number, entry);
        }
        return Ok(());
    }
    session.walk_as_seen(viewer, |referee, _, witnessed| {
        if let Some(witnessed) = witnessed.filter(|witnessed| witnessed.number > 0) {
            let view = View { referee, ..view }.seen_by(&witnessed.sight);
            show(&view, witnessed.number, &witnessed.entry);
        }
    })
}

/// Returns an outcome as text. `number` is the number of the command, if it has one.
pub(crate) fn outcome(view: &View<'_>, outcome: &Outcome, number: Option<u64>) -> Text {
    outcome_after(view, outcome, number, &|_| false)
}

/// Returns an outcome as text. A screen with few rows leaves out the reminders that were shown
/// `before`.
pub(crate) fn outcome_after(
    view: &View<'_>,
    outcome: &Outcome,
    number: Option<u64>,
    before: &dyn Fn(&str) -> bool,
) -> Text {
    let mut text = events_text(view, outcome, number);
    let hands = hands::on_the_table(view, outcome);
    let remember = reminders(view, outcome, before);
    let titled = main_rule(outcome).is_some();
    if text.blocks.len() == usize::from(titled) && hands.is_empty() && remember.is_empty() {
        text.line(Role::Quiet, "  nothing changes");
    }
    text.extend(hands);
    text.extend(remember);
    text
}

/// Returns the events of an outcome as text, without the instructions for the table and the
/// reminders.
pub(crate) fn events_text(view: &View<'_>, outcome: &Outcome, number: Option<u64>) -> Text {
    let mut text = Text::new();
    if let Some(rule) = main_rule(outcome).and_then(|rule| view.rule(rule)) {
        let number = number.map_or(String::new(), |n| format!("{n} · "));
        let line = Line::new().and(Role::Quiet, number).and(Role::Header, &rule.title);
        let line = line.and(Role::Plain, distances(rule, outcome));
        text.push(line.with_cite(&rule.cite).with_hanging_indent(4));
    }
    text.extend(untitled_events_text(view, outcome));
    text
}

/// Returns the events of an outcome as text, without the title of the rule that was called.
pub(crate) fn untitled_events_text(view: &View<'_>, outcome: &Outcome) -> Text {
    let mut text = Text::new();
    let main = main_rule(outcome);
    let mut passed_over: Vec<String> = Vec::new();
    let mut turn = 0;
    let mut heading: Option<&str> = None;
    for part in outcome.events.chunk_by(|_, next| !matches!(next, Event::Phase { .. })) {
        let mut events = part;
        let mut head = None;
        if let [Event::Phase { turn: now, phase, place: index, side, skipped }, after @ ..] = part {
            events = after;
            if !skipped || turn != *now {
                flush_skipped_phases(view, turn, &mut passed_over, &mut text);
            }
            turn = *now;
            if *skipped {
                passed_over.push(view.phase_heading(phase, *index, side.as_deref()));
            } else {
                head = Some(view.phase_line(turn, phase, *index, side.as_deref()));
                let phases = &view.referee.ruleset().phases;
                heading = phases.iter().find(|p| p.name == *phase).map(|p| p.title.as_str());
            }
        }
        if events.iter().any(|e| !e.is_silent() && !matches!(e, Event::Reminded(_))) {
            flush_skipped_phases(view, turn, &mut passed_over, &mut text);
        }
        LineContext { view, main, heading }.add_body(events, outcome.physical, head, &mut text);
    }
    flush_skipped_phases(view, turn, &mut passed_over, &mut text);
    add_plain_changes(view, outcome, &mut text);
    text
}

/// Shows the events up to a question in the middle of a rule, without instructions for the table,
/// because nothing is final yet. The events before `from` have been shown already and are left out.
pub(crate) fn outcome_so_far(view: &View<'_>, outcome: &Outcome, from: usize) -> Text {
    let mut text = Text::new();
    let events = outcome.events.get(from..).unwrap_or_default();
    for event in events {
        if let Event::Phase { turn, phase, place: index, side, skipped: false } = event {
            text.push(view.phase_line(*turn, phase, *index, side.as_deref()));
        }
    }
    let context = LineContext { view, main: main_rule(outcome), heading: None };
    context.add_body(events, outcome.physical, None, &mut text);
    text
}

/// Shows the lines and reminders that the rules print after the set-up of a scenario. The places of
/// the pieces are left out, because `show` and the plan show them.
pub fn set_up(view: &View<'_>, outcome: &Outcome) -> Text {
    let mut text = Text::new();
    let context = LineContext { view, main: None, heading: None };
    context.add_body(&outcome.events, outcome.physical, None, &mut text);
    text.extend(reminders(view, outcome, &|_| false));
    text
}

/// Returns the rule that the command called; `None` if a phase began or no rule was called.
pub(crate) fn main_rule(outcome: &Outcome) -> Option<&str> {
    if outcome.events.iter().any(|e| matches!(e, Event::Phase { .. })) {
        return None;
    }
    // The first call is never inside another call.
    outcome.events.iter().find_map(|event| match event {
        Event::Call { rule, .. } => Some(rule.as_str()),
        _ => None,
    })
}

/// Returns the numbers, such as a range, that were given to a rule that rolls dice, each with the
/// word before it in the usage. Numbers that a line already shows, numbers without such a word, and
/// 0 are left out.
fn distances(rule: &RuleText, outcome: &Outcome) -> String {
    let bound = outcome.events.iter().find_map(|event| match event {
        Event::Call { bound, .. } => Some(bound),
        _ => None,
    });
    let (Some(bound), Some(usage), true) = (bound, &rule.usage, outcome.checks().next().is_some())
    else {
        return String::new();
    };
    let mut given: Vec<String> = Vec::new();
    for (index, param) in rule.params.iter().enumerate() {
        if !matches!(param.ty, Type::Whole | Type::Number) {
            continue;
        }
        let Some(binding) = bound.iter().find(|binding| binding.name == param.name) else {
            continue;
        };
        let value = number_words(&binding.value);
        // A number without a word before it, such as a number of times, appears in the lines that
        // follow.
        if value != "0"
            && let Some(word) = word_before(&usage.parts, index)
            && !shows_number(outcome, &value)
        {
            given.push(format!("{word} {value}"));
        }
    }
    if given.is_empty() { String::new() } else { format!(", {}", given.join(", ")) }
}

/// Returns a number in readable form, such as `11.5` for a value that is stored as `23/2`.
pub(super) fn number_words(value: &Value) -> String {
    match value {
        Value::Text(words) => {
            Number::parse(words).map_or_else(|| words.clone(), |number| number.to_string())
        }
        Value::Flag(_) | Value::Whole(_) | Value::Nothing => value.to_string(),
    }
}

/// Returns the word directly before a parameter in a usage, if there is one.
pub(super) fn word_before(parts: &[UsagePart], wanted: usize) -> Option<&str> {
    let mut before = None;
    for part in parts {
        match part {
            UsagePart::Word(word) => before = Some(word.as_str()),
            UsagePart::Fill(param, _) if *param == wanted => return before,
            UsagePart::Optional(within) => {
                if let Some(word) = word_before(within, wanted) {
                    return Some(word);
                }
                before = None;
            }
            UsagePart::Fill(..) | UsagePart::Flag(..) => before = None,
        }
    }
    None
}

/// Returns true if a number appears in a printed line of an outcome, or in the label or the
/// modifiers of a check.
pub(super) fn shows_number(outcome: &Outcome, number: &str) -> bool {
    outcome.events.iter().any(|event| names_number(event, number))
}

/// Returns true if an event is a printed line in which a number appears, or a check with the number
/// in its label or in the reason for a modifier.
fn names_number(event: &Event, number: &str) -> bool {
    let holds = |words: &str| {
        words.split(|c: char| !c.is_ascii_digit() && c != '.').any(|word| word == number)
    };
    match event {
        Event::Said(words) | Event::SaidTo { words, .. } => holds(words),
        Event::Check(check) => {
            holds(&check.label) || check.modifiers.iter().any(|(_, why)| holds(why))
        }
        _ => false,
    }
}

fn flush_skipped_phases(view: &View<'_>, turn: i64, names: &mut Vec<String>, text: &mut Text) {
    if names.is_empty() {
        return;
    }
    if view.is_for_players() {
        // Players need no report of phases that were skipped.
        return names.clear();
    }
    let game = view.game;
    let words = format!("{game} · turn {turn} · skipped: {}", names.join(", "));
    text.push(Line::of(Role::Quiet, words).with_hanging_indent(4));
    names.clear();
}

impl LineContext<'_> {
    /// Adds the events of one phase under its heading, or the events of one command.
    fn add_body(&self, events: &[Event], physical: bool, head: Option<Line>, text: &mut Text) {
        let nodes = nodes(self.view, events, physical);
        if nodes.iter().all(|node| matches!(node, EventNode::Turn)) {
            text.blocks.extend(head.map(Block::Line));
            return;
        }
        let mut forms = Vec::new();
        for quiet_lines in [QUIET_LINES, 0] {
            let mut form: Text = head.clone().into_iter().collect();
            self.add_nodes_in_full(&nodes, quiet_lines, &mut form);
            forms.push(form);
        }
        forms.extend(brief::shorter_forms(self, &nodes, head.as_ref()));
        text.blocks.push(Block::Fold(forms));
    }

    /// Adds the displayed nodes, one line each. Checks without a change are joined if there are
    /// more than `quiet_lines`.
    fn add_nodes_in_full(&self, nodes: &[EventNode<'_>], quiet_lines: usize, text: &mut Text) {
        let columns = nodes.iter().filter_map(|node| {
            let (check, depth, _) = node.check()?;
            Some((check, check::indent(depth), alone_label(self.view, check, self.main)))
        });
        let columns = CheckColumns::measure(columns).narrowed_to(self.view.width);
        let mut rest = nodes;
        while let Some(first) = rest.first() {
            // A run of checks of one rule, with the lines between them.
            let rule = first.check().map(|c| &c.0.rule);
            let end = rest
                .iter()
                .position(|n| n.check().is_some_and(|c| Some(&c.0.rule) != rule))
                .unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            self.add_check_run(run, &columns, quiet_lines, text);
            rest = after;
        }
    }

    /// Adds consecutive checks of one rule.
    fn add_check_run(
        &self,
        nodes: &[EventNode<'_>],
        columns: &CheckColumns,
        quiet_lines: usize,
        text: &mut Text,
    ) {
        let checks: Vec<(&Check, usize, bool)> =
            nodes.iter().filter_map(EventNode::check).collect();
        if let [(first, depth, _), _, ..] = checks.as_slice()
            && let Some(rule) = first.rule.as_deref().filter(|r| Some(*r) != self.main)
            && let Some(rule) = self.view.rule(rule)
            && self.heading.is_none_or(|h| !h.eq_ignore_ascii_case(&rule.title))
        {
            let blanks = " ".repeat(check::indent(*depth));
            let line = Line::of(Role::Strong, format!("{blanks}{}", rule.title));
            let has_cite = *depth == 0 && !self.view.is_for_players();
            text.push(line.with_cite(if has_cite { &rule.cite } else { "" }));
        }
        let quiet = checks.iter().filter(|c| c.2).count();
        let join = quiet > quiet_lines || checks.len() > LONG_RUN;
        let mut joined: Vec<&Check> = Vec::new();
        for node in nodes {
            match node {
                EventNode::Line(line, _) => {
                    text.push(line.clone());
                }
                EventNode::Turn => {}
                EventNode::Check { check, quiet: true, .. } if join => joined.push(check),
                EventNode::Check { check, depth, .. } => {
                    let label = match checks.len() {
                        1 => alone_label(self.view, check, self.main),
                        _ => check.label.clone(),
                    };
                    text.push(check::check_line(check, &label, check::indent(*depth), columns));
                }
            }
        }
        text.extend(check::join_by_verdict(&joined));
        if checks.len() >= MIN_CHECKS_TO_COUNT {
            text.push(check::count_by_verdict(checks.iter().map(|c| c.0)));
        }
    }
}

/// Adds the changes made by the umpire, or by a rule that displays nothing else.
fn add_plain_changes(view: &View<'_>, outcome: &Outcome, text: &mut Text) {
    let shown = outcome
        .events
        .iter()
        .any(|e| !e.is_silent() && !matches!(e, Event::Reminded(_) | Event::Insisted(_)));
    if shown {
        return;
    }
    // Changes with a marker are under "On the table". Bookkeeping is shown only if nothing else
    // changed, or if the umpire changed it.
    let by_rule = outcome.events.iter().any(|event| matches!(event, Event::Call { .. }));
    let changes = |filter| hands::changes_in_words(view, outcome.changes(), filter);
    let notable = if by_rule { changes(ChangeFilter::Notable) } else { Vec::new() };
    let is_seen = !notable.is_empty() || !hands::on_the_table(view, outcome).is_empty();
    let pieces = if by_rule && is_seen { notable } else { changes(ChangeFilter::Unmarked) };
    for (piece, changed) in pieces.iter().take(MAX_CHANGED_PIECES) {
        let line = Line::of(Role::Plain, "  ").and(Role::Strong, piece);
        text.push(line.and(Role::Plain, format!(": {}", changed.join(", "))));
    }
    if pieces.len() > MAX_CHANGED_PIECES {
        text.line(Role::Quiet, format!("  … and {} more", pieces.len() - MAX_CHANGED_PIECES));
    }
}

/// Returns the reminders of an outcome. There are three short forms: a single paragraph, a
/// paragraph that omits the lines already shown, and just the number of lines.
fn reminders(view: &View<'_>, outcome: &Outcome, before: &dyn Fn(&str) -> bool) -> Text {
    let mut seen: IndexSet<&str> = IndexSet::new();
    seen.extend(reminder_texts(outcome));
    if seen.is_empty() {
        return Text::new();
    }
    let new: Vec<&str> = seen.iter().copied().filter(|words| !before(words)).collect();
    let known = seen.len() - new.len();
    let mut new = join_texts(view, &new);
    if known > 0 {
        new.push(format!("{known} shown before"));
    }
    let seen: Vec<&str> = seen.into_iter().collect();
    let seen = join_texts(view, &seen);
    let all = seen.iter().enumerate().map(|(index, words)| reminder(index, words)).collect();
    let count = count_with_noun(seen.len(), "line");
    vec![Block::Fold(vec![
        all,
        reminders_paragraph(&seen),
        reminders_paragraph(&new),
        reminders_paragraph(&[count]),
    ])]
    .into()
}

/// Returns the line of a reminder. The first reminder has a heading.
fn reminder(index: usize, words: &str) -> Line {
    let mut line = Line::of(Role::Notice, if index == 0 { "Remember:" } else { "" });
    line.pad_to(15, 0).push(Role::Plain, words);
    line.with_hanging_indent(17)
}

/// Returns reminders in one paragraph.
fn reminders_paragraph(reminders: &[String]) -> Text {
    Text::from_iter([reminder(0, &reminders.join("; ")).with_hanging_indent(15)])
}

/// Returns the texts of the reminders in an outcome.
pub(crate) fn reminder_texts(outcome: &Outcome) -> impl Iterator<Item = &str> {
    outcome.events.iter().filter_map(|event| match event {
        Event::Reminded(words) => Some(words.as_str()),
        _ => None,
    })
}
