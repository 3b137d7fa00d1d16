//! A chain of causes as lines, the last first.

use super::check;
use super::markup::{Line, Role, Text};
use super::outcome::View;
use crate::session::{Cause, Why};

/// Why a piece is as it is.
pub fn why(view: &View<'_>, why: &Why) -> Text {
    let mut text = Text::new();
    if why.threads.is_empty() {
        let words = format!("{} is as the scenario set it out", why.piece);
        text.line(Role::Plain, words);
    }
    for thread in &why.threads {
        text.gap();
        let mut line = Line::of(Role::Strong, spot(&why.piece, &thread.attribute));
        line.push(Role::Plain, format!(" is {}", thread.value));
        if thread.causes.is_empty() {
            line.push(Role::Plain, ", as the scenario set it out");
        }
        text.push(line);
        for cause in &thread.causes {
            one(view, cause, &mut text);
        }
    }
    text
}

/// `c3.fire`; the piece alone where it is the piece itself.
fn spot(piece: &str, attribute: &str) -> String {
    if attribute.is_empty() { piece.to_owned() } else { format!("{piece}.{attribute}") }
}

/// The names of a call and what they stood for: `shooter x1, target y2`.
fn bound(cause: &Cause) -> String {
    let words = cause.bound.iter().map(|b| format!("{} {}", b.name, b.value));
    words.collect::<Vec<_>>().join(", ")
}

fn one(view: &View<'_>, cause: &Cause, text: &mut Text) {
    let mut line = Line::of(Role::Quiet, "  ");
    let when = match (cause.number, &cause.phase) {
        (0, _) => "set-up".to_owned(),
        (n, Some(phase)) => {
            let title = view.phase_title(phase);
            format!("turn {}, {title} · {n} {}", cause.turn, cause.line)
        }
        (n, None) => format!("{n} {}", cause.line),
    };
    line.push(Role::Plain, format!("{} ", spot(&cause.piece, &cause.attribute)));
    line.push(Role::Strong, format!("{} → {}", cause.old, cause.new));
    line.push(Role::Quiet, format!(" · {when}"));
    text.push(line.hanging(6));
    if let Some(reason) = &cause.reason {
        text.push(Line::of(Role::Notice, format!("      the umpire ruled: {reason}")).hanging(8));
    }
    if let Some(name) = &cause.rule {
        let title = view.rule(name).map(|r| r.title.as_str()).filter(|t| !t.is_empty());
        let mut line = Line::of(Role::Plain, format!("      {}", title.unwrap_or(name)));
        let bound = bound(cause);
        if !bound.is_empty() {
            line.push(Role::Quiet, format!(": {bound}"));
        }
        text.push(line.hanging(8));
    }
    if let Some(found) = &cause.check {
        let columns = check::Columns::measure([(found, 1, found.label.clone())].into_iter());
        text.push(check::line(found, &found.label, 2, &columns.fitted(view.width)));
    }
    for words in &cause.said {
        text.push(Line::of(Role::Plain, format!("      {words}")).hanging(8));
    }
    if let Some(from) = &cause.from {
        text.push(Line::of(Role::Quiet, format!("      because of {from}:")));
    }
}
