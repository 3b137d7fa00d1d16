//! The errors in a typed line, in words.

use unicode_width::UnicodeWidthStr;

use crate::command::{HintKind, LineError, is_card};
use crate::language::machine::{Answers, Halt, PlayError, Question};
use crate::render::markup::{Line, Role, Text, sanitize};
use crate::source::Sources;

/// The maximum length, in bytes, of a line that is shown again with a caret under the error.
const MAX_QUOTED_LINE: usize = 70;

/// The maximum width of the lines beside which their notes are aligned.
const MAX_LISTED_WIDTH: usize = 34;

/// The maximum number of possible answers in a message.
const MOST_NAMES: usize = 40;

/// Returns the reason why a line could not be read: the message, the line with the error underlined
/// (if it is short), and the hint, if there is one.
pub fn line_error(error: &LineError, line: &str) -> Text {
    let is_answer = error.hint_kind == HintKind::FromRules;
    let role = if is_answer { Role::Notice } else { Role::Bad };
    let mut text = Text::from_iter([Line::of(role, &error.message)]);
    if let Some((start, end)) = error.span
        && let Some(before) = line.get(..start)
        && let Some(wrong) = line.get(start..end)
        && line.len() <= MAX_QUOTED_LINE
        && !line.contains(|c: char| c.is_control())
    {
        text.push(Line::of(Role::Plain, format!("  {line}")).unbreakable());
        let under = "^".repeat(sanitize(wrong).width().max(1));
        let blanks = " ".repeat(2 + sanitize(before).width());
        text.push(Line::of(Role::Bad, format!("{blanks}{under}")).unbreakable());
    }
    let first_role = if is_answer { Role::Plain } else { Role::Quiet };
    for (index, help) in error.help.iter().flat_map(|help| help.lines()).enumerate() {
        text.line(if index == 0 { first_role } else { Role::Quiet }, help);
    }
    let widths = error.possible_lines().iter().map(|possible| possible.line.width());
    let column = widths.max().unwrap_or(0).min(MAX_LISTED_WIDTH) + 4;
    for possible in error.possible_lines() {
        let mut listed = Line::of(Role::Plain, "  ").and(Role::Strong, &possible.line);
        listed.pad_to(column, 2).push(Role::Quiet, &possible.note);
        text.push(listed.with_hanging_indent(column));
    }
    text
}

/// Returns the reason why a command failed.
pub fn halt(halt: &Halt, sources: &Sources) -> Text {
    match halt {
        Halt::Refused(reason) => refused(reason, &[]),
        Halt::Fault(error) => play_error(error, sources),
        Halt::Dice(_)
        | Halt::Question(_)
        | Halt::NoSuchAnswer(_)
        | Halt::Ended(_)
        | Halt::Branch
        | Halt::Stopped => Text::of(Role::Bad, halt.to_string()),
    }
}

/// Returns the reason why the rules refuse a command, and the possible remedies.
pub(crate) fn refused(reason: &str, hints: &[String]) -> Text {
    let mut text = Text::of(Role::Bad, format!("refused: {reason}"));
    hints.iter().for_each(|hint| _ = text.line(Role::Quiet, hint));
    text
}

/// Returns an error in a rule, with its position in the ruleset.
pub(crate) fn play_error(error: &PlayError, sources: &Sources) -> Text {
    let mut text = Text::new();
    text.line(Role::Bad, format!("`{}` failed: {}", error.rule, error.fault));
    if let Some(file) = sources.get(error.span.file).filter(|_| error.span.end > 0) {
        let (line, column) = sources.line_column(error.span.file, error.span.start as usize);
        text.line(Role::Quiet, format!("at {}:{line}:{column}", file.name));
    }
    text.line(Role::Quiet, "nothing was changed");
    text
}

/// Returns a question of a rule, with the possible answers.
pub(crate) fn question(question: &Question, of: &str) -> Text {
    let (hint, names) = match &question.answers {
        Answers::Between(low, high) => (format!("  {low} to {high}"), Vec::new()),
        yes_or_no if yes_or_no.are_yes_or_no() => ("  yes or no".to_owned(), Vec::new()),
        Answers::Named(all) => {
            let names = all.iter().map(|(_, name)| name.as_str()).collect();
            (if of.is_empty() { String::new() } else { format!("  {of}") }, names)
        }
    };
    let mut text = Text::from_iter([Line::of(Role::Notice, &question.text).and(Role::Quiet, hint)]);
    let all = names.len();
    if all > 0 && names.iter().all(|name| is_card(name)) {
        text.line(
            Role::Plain,
            "  cards such as `9c`, `Ah` or `nine-clubs`, one or more on a line, in the order drawn",
        );
    } else if all > 0 {
        let mut names = names[..all.min(MOST_NAMES)].join(" ");
        if all > MOST_NAMES {
            names.push_str(&format!(" … ({all} in all)"));
        }
        text.line(Role::Plain, format!("  {names}"));
    }
    text
}
