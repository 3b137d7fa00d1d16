//! The changes that an amendment would make, and the report on an amendment that was made.

use crate::render::markup::{Line, Role, Text};
use crate::render::summary;
use crate::render::view::View;
use crate::session::{AmendmentPlan, Board};
use crate::tabletop::Value;

/// The maximum number of differences on the table that are listed.
const MAX_DIFFERENCES: usize = 20;

/// Describes the changes that a planned amendment would make: command by command, then on the
/// table.
pub(crate) fn planned_differences(view: &View<'_>, board: &Board, plan: &AmendmentPlan) -> Text {
    if plan.changes_nothing() {
        return Text::of(Role::Quiet, "that changes nothing");
    }
    let mut text = Text::new();
    let mut alike = 0;
    for difference in &plan.differences {
        let view = &view.of_command(board, difference.number);
        let before = &difference.before;
        if let Ok(now) = &difference.now
            && now.line == before.line
            && summary::summary_words(view, &now.outcome)
                == summary::summary_words(view, &before.outcome)
        {
            alike += 1;
            continue;
        }
        let was = Line::of(Role::Quiet, format!("{:>4}  was  ", difference.number))
            .and(Role::Plain, &before.line);
        text.push(
            summary::append_summary(was, Role::Quiet, view, &before.outcome)
                .with_hanging_indent(11),
        );
        match &difference.now {
            Ok(entry) => {
                let now = Line::of(Role::Quiet, "      now  ").and(Role::Strong, &entry.line);
                text.push(
                    summary::append_summary(now, Role::Plain, view, &entry.outcome)
                        .with_hanging_indent(11),
                );
            }
            Err(reason) => {
                let reason = format!("      no longer possible: {reason}");
                text.push(Line::of(Role::Bad, reason).with_hanging_indent(11));
            }
        }
    }
    if alike > 0 {
        let more = if alike == 1 { "command differs" } else { "commands differ" };
        text.line(Role::Quiet, format!("      {alike} more {more} only in details"));
    }
    if !plan.table.is_empty() {
        text.line(Role::Notice, "the table would differ:");
    }
    for (of, old, new) in plan.table.iter().take(MAX_DIFFERENCES) {
        let name = match (of.attribute.is_empty(), of.kind.as_str()) {
            (true, "deck") => format!("the {}", of.piece),
            (true, _) => of.piece.clone(),
            (false, _) => format!("{}.{}", of.piece, of.attribute),
        };
        let is_piece = of.attribute.is_empty();
        let old = displayed_value(old.as_ref(), is_piece);
        let new = displayed_value(new.as_ref(), is_piece);
        text.line(Role::Plain, format!("  {name} {old} → {new}"));
    }
    if plan.table.len() > MAX_DIFFERENCES {
        text.line(Role::Quiet, format!("  … and {} more", plan.table.len() - MAX_DIFFERENCES));
    }
    text
}

/// Returns an attribute's value in words. The value of a piece itself is a flag, and the words
/// state whether the piece is on the table.
fn displayed_value(value: Option<&Value>, is_piece: bool) -> String {
    match value {
        None => "not there".to_owned(),
        Some(Value::Flag(true)) if is_piece => "on the table".to_owned(),
        Some(Value::Flag(false)) if is_piece => "taken off".to_owned(),
        Some(value) => value.to_string(),
    }
}

/// Describes an amendment that was made: the old line, each new line with its outcome in brief, and
/// the commands that are no longer possible.
pub(crate) fn amendment_report(
    view: &View<'_>,
    board: &Board,
    amendment: &crate::session::Amendment,
) -> Text {
    let mut text = Text::new();
    let before = amendment.before.first().map_or("", |e| e.line.as_str());
    text.line(Role::Plain, format!("{} was: {before}", amendment.number));
    for entry in &amendment.now {
        let view = &view.of_command(board, entry.number);
        let line = Line::of(Role::Plain, format!("{} now: {}", entry.number, entry.line));
        text.push(
            summary::append_summary(line, Role::Plain, view, &entry.outcome).with_hanging_indent(4),
        );
    }
    for number in &amendment.dropped {
        text.line(Role::Bad, format!("{number} is no longer possible"));
    }
    text
}
