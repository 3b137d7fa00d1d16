//! Errors of a line, in words.

use unicode_width::UnicodeWidthStr;

use super::markup::{Line, Role, Text, clean};
use crate::command::LineError;
use crate::language::machine::{Answers, Halt, PlayError, Question};
use crate::source::Sources;

/// The longest line that is shown again with a caret under the fault.
const SHOWN: usize = 70;

/// A line that could not be read: the message, the place underlined, what would be right.
pub fn line_error(error: &LineError, line: &str) -> Text {
    let mut text = Text::new();
    text.push(Line::of(Role::Bad, &error.message));
    if let Some((start, end)) = error.place
        && let Some(before) = line.get(..start)
        && let Some(wrong) = line.get(start..end)
        && line.len() <= SHOWN
        && !line.contains(|c: char| c.is_control())
    {
        text.push(Line::of(Role::Plain, format!("  {line}")).unbroken());
        let under = "^".repeat(clean(wrong).width().max(1));
        let blanks = " ".repeat(2 + clean(before).width());
        text.push(Line::of(Role::Bad, format!("{blanks}{under}")).unbroken());
    }
    if let Some(help) = &error.help {
        text.push(Line::of(Role::Quiet, help));
    }
    text
}

/// Why a command came to nothing.
pub fn halt(halt: &Halt, sources: &Sources) -> Text {
    let mut text = Text::new();
    match halt {
        Halt::Refused(reason) => {
            text.push(Line::of(Role::Bad, format!("refused: {reason}")));
            text.push(Line::of(Role::Quiet, "a `!` at the end of the line insists"));
        }
        Halt::Fault(error) => text = play_error(error, sources),
        Halt::Dice(error) => {
            text.push(Line::of(Role::Bad, error.to_string()));
        }
        Halt::Question(question) => {
            text.push(Line::of(Role::Bad, format!("not answered: {}", question.text)));
        }
        Halt::Branch => {
            text.push(Line::of(Role::Bad, "this cannot be done here"));
        }
    }
    text
}

/// A rule that went wrong, with its place in the ruleset.
pub fn play_error(error: &PlayError, sources: &Sources) -> Text {
    let mut text = Text::new();
    let rule = &error.rule;
    text.push(Line::of(Role::Bad, format!("`{rule}` went wrong: {}", error.fault)));
    if let Some(file) = sources.get(error.span.file)
        && error.span.end > 0
    {
        let (line, column) = sources.line_column(error.span.file, error.span.start as usize);
        text.push(Line::of(Role::Quiet, format!("at {}:{line}:{column}", file.name)));
    }
    text.push(Line::of(Role::Quiet, "nothing was changed"));
    text
}

/// A question in mid-rule with what can be answered.
pub fn question(question: &Question) -> Text {
    let mut text = Text::new();
    let mut line = Line::of(Role::Notice, &question.text);
    match &question.answers {
        Answers::Flag => {
            line.push(Role::Quiet, "  yes or no");
        }
        Answers::Between(low, high) => {
            line.push(Role::Quiet, format!("  {low} to {high}"));
        }
        Answers::Among(..) => {}
    }
    text.push(line);
    if !question.options.is_empty() {
        let most = 60;
        let mut names = question.options.iter().take(most).cloned().collect::<Vec<_>>().join(" ");
        if question.options.len() > most {
            names.push_str(&format!(" … ({} in all)", question.options.len()));
        }
        text.push(Line::of(Role::Plain, format!("  {names}")).hanging(2));
    }
    text
}
