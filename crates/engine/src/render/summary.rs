//! Outcomes in a few words, for lists of commands and for undone commands.

use indexmap::IndexMap;

use crate::referee::{Check, Event, Outcome};
use crate::render::hands;
use crate::render::hands::ChangeFilter;
use crate::render::markup::{Line, Role};
use crate::render::view::View;

/// The maximum number of parts that are shown. The others are only counted.
const MAX_PARTS: usize = 4;

/// Appends the summary of a command's outcome to its line, such as ` — b3 killed`, unless the line
/// already ends with it.
pub(crate) fn append_summary(line: Line, role: Role, view: &View<'_>, outcome: &Outcome) -> Line {
    let words = summary_words(view, outcome);
    // The outcome of a note is the note itself, so it is not repeated.
    if words.is_empty() || line.plain_text().ends_with(&words) {
        return line;
    }
    let dash = if line.plain_text().is_empty() { "" } else { " — " };
    line.and(role, format!("{dash}{words}"))
}

/// Joins a check's label and its verdict, as in `b3, 1.5 inches from the burst: hit`. A label that
/// is only a name needs no colon (`ann passed`), nor does a label that ends in a sign, such as
/// `d6 >=`.
fn label_and_verdict(label: &str, verdict: &str) -> String {
    let label = label.trim();
    let ends_in_word = label.ends_with(|c: char| c.is_alphanumeric() || c == ')');
    let has_words = label.bytes().any(|byte| byte == b' ');
    let separator = if has_words && ends_in_word { ": " } else { " " };
    if label.is_empty() || verdict.is_empty() {
        return format!("{label}{verdict}");
    }
    format!("{label}{separator}{verdict}")
}

/// Returns the parts of a summary, each once, with the number of times that it occurs.
fn with_repeats_counted(parts: Vec<String>) -> Vec<String> {
    let mut counts: IndexMap<String, usize> = IndexMap::new();
    for part in parts {
        *counts.entry(part).or_default() += 1;
    }
    let counted = counts.into_iter().map(|(part, count)| match count {
        1 => part,
        2 => format!("{part} (twice)"),
        _ => format!("{part} ({count} times)"),
    });
    counted.collect()
}

/// Returns the outcome of a command in a few words: its checks that did not fail, or else its
/// lines, or else its changes. If all checks failed and no phase began, the failed checks are
/// listed. The phases that began, if any, are named first.
pub fn summary_words(view: &View<'_>, outcome: &Outcome) -> String {
    let mut phases = Vec::new();
    let mut titles = Vec::new();
    for event in &outcome.events {
        if let Event::Phase { turn, phase, place: index, side, skipped: false } = event {
            phases.push(format!(
                "turn {turn}, {}",
                view.phase_in_a_line(phase, *index, side.as_deref())
            ));
            titles.push(view.phase_title(phase));
        }
    }
    let told = |c: &Check| {
        let (_, words) = super::check::verdict(c);
        let dice: String = c.rolls.iter().map(|r| r.faces_text()).collect();
        let rolled = if dice.is_empty() { super::check::total_words(c) } else { dice };
        let words = if words.is_empty() { &rolled } else { &words };
        label_and_verdict(&c.label, words)
    };
    let loud = |c: &&Check| c.throws.iter().any(|t| t.passed != Some(false));
    let mut parts: Vec<String> = outcome.checks().filter(loud).map(told).collect();
    // In a phase, a failure isn't worth mentioning. If someone tried something, the failure is the
    // result.
    if parts.is_empty() && phases.is_empty() {
        parts = outcome.checks().map(told).collect();
    }
    if parts.is_empty() {
        let joined = super::nodes::join_sayings(view, &outcome.events);
        let said = outcome.events.iter().enumerate().filter_map(|(index, e)| match e {
            Event::Said(_) if joined.contains_key(&index) => joined[&index].clone(),
            Event::Said(words) => words.lines().next().map(str::to_owned),
            Event::SaidTo { to, words } => {
                words.lines().next().map(|line| super::nodes::addressed_words(to, line))
            }
            Event::Ended { words, winner, margin } => {
                Some(super::nodes::end_of_game(words, winner.as_deref(), *margin))
            }
            Event::Rolled { shown, total, .. } => Some(format!("{shown} = {total}")),
            _ => None,
        });
        parts = said.collect();
    }
    if parts.is_empty() && phases.is_empty() {
        let changes =
            hands::changes_in_words(view, outcome.changes(), ChangeFilter::All).into_iter();
        parts = changes.map(|(piece, all)| format!("{piece}: {}", all.join(", "))).collect();
    }
    // A rule's line that begins with the title of its phase doesn't need to repeat the title.
    for part in &mut parts {
        if let Some(rest) = titles.iter().find_map(|t| part.strip_prefix(&format!("{t}: "))) {
            *part = rest.to_owned();
        }
    }
    let mut parts = with_repeats_counted(parts);
    let more = parts.len().saturating_sub(MAX_PARTS);
    parts.truncate(MAX_PARTS);
    let mut words = parts.join("; ");
    if more > 0 {
        words.push_str(&format!("; and {more} more"));
    }
    match (phases.is_empty(), words.is_empty()) {
        (true, _) => words,
        (false, true) => phases.join("; "),
        (false, false) => format!("{}: {words}", phases.join("; ")),
    }
}
