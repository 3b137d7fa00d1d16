//! The changes an amendment would make, before it is made.

use crate::render::markup::{Line, Role, Text};
use crate::render::summary;
use crate::render::view::View;
use crate::session::{Board, Plan};
use crate::tabletop::Value;

/// The number of differences of the table that are listed.
const MOST: usize = 20;

/// Returns the differences: command by command, then on the table.
pub(crate) fn plan(view: &View<'_>, board: &Board, plan: &Plan) -> Text {
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
            && summary::words(view, &now.outcome) == summary::words(view, &before.outcome)
        {
            alike += 1;
            continue;
        }
        let was = Line::of(Role::Quiet, format!("{:>4}  was  ", difference.number))
            .and(Role::Plain, &before.line);
        text.push(summary::of(was, Role::Quiet, view, &before.outcome).hanging(11));
        match &difference.now {
            Ok(entry) => {
                let now = Line::of(Role::Quiet, "      now  ").and(Role::Strong, &entry.line);
                text.push(summary::of(now, Role::Plain, view, &entry.outcome).hanging(11));
            }
            Err(reason) => {
                let reason = format!("      no longer holds: {reason}");
                text.push(Line::of(Role::Bad, reason).hanging(11));
            }
        }
    }
    if alike > 0 {
        let more = if alike == 1 { "command differs" } else { "commands differ" };
        text.line(Role::Quiet, format!("      {alike} more {more} in what is not told here"));
    }
    if !plan.table.is_empty() {
        text.line(Role::Notice, "what is kept would differ:");
    }
    for (of, old, new) in plan.table.iter().take(MOST) {
        let name = match (of.attribute.is_empty(), of.kind.as_str()) {
            (true, "deck") => format!("the {}", of.piece),
            (true, _) => of.piece.clone(),
            (false, _) => format!("{}.{}", of.piece, of.attribute),
        };
        let is_piece = of.attribute.is_empty();
        let old = shown(old.as_ref(), is_piece);
        let new = shown(new.as_ref(), is_piece);
        text.line(Role::Plain, format!("  {name} {old} → {new}"));
    }
    if plan.table.len() > MOST {
        text.line(Role::Quiet, format!("  … and {} more", plan.table.len() - MOST));
    }
    text
}

/// Returns a value of an attribute, or whether a piece is on the table.
fn shown(value: Option<&Value>, is_piece: bool) -> String {
    match value {
        None => "not there".to_owned(),
        Some(Value::Flag(true)) if is_piece => "on the table".to_owned(),
        Some(Value::Flag(false)) if is_piece => "taken off".to_owned(),
        Some(value) => value.to_string(),
    }
}

/// Returns an amendment that was made: the line as it was and as it is, and what no longer holds.
pub(crate) fn made(view: &View<'_>, board: &Board, amendment: &crate::session::Amendment) -> Text {
    let mut text = Text::new();
    let before = amendment.before.first().map_or("", |e| e.line.as_str());
    text.line(Role::Plain, format!("{} was: {before}", amendment.number));
    for entry in &amendment.now {
        let view = &view.of_command(board, entry.number);
        let line = Line::of(Role::Plain, format!("{} now: {}", entry.number, entry.line));
        text.push(summary::of(line, Role::Plain, view, &entry.outcome).hanging(4));
    }
    for number in &amendment.dropped {
        text.line(Role::Bad, format!("{number} no longer holds"));
    }
    text
}
