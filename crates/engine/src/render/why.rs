//! A chain of causes, the latest first.

use crate::render::check;
use crate::render::markup::{Line, Role, Text};
use crate::render::nodes::alone_label;
use crate::render::view::View;
use crate::session::{Cause, Why};

/// Explains how the attributes of a piece got their values.
pub(crate) fn why(view: &View<'_>, why: &Why) -> Text {
    let mut text = Text::new();
    if why.threads.is_empty() {
        text.line(Role::Plain, format!("{} is unchanged since the set-up", why.piece));
    }
    for thread in &why.threads {
        let set_out = if thread.causes.is_empty() { ", as the scenario set it out" } else { "" };
        let line = Line::of(Role::Strong, spot_name(&why.piece, &thread.attribute));
        text.push_empty_line()
            .push(line.and(Role::Plain, format!(" is {}{set_out}", thread.value)));
        thread.causes.iter().for_each(|cause| add_cause(view, cause, &mut text));
        if let Some(first) = thread.causes.last().filter(|_| thread.set_out) {
            let words = format!("      {} before, as the scenario set it out", first.old);
            text.line(Role::Quiet, words);
        }
    }
    text
}

/// Returns the path of an attribute, such as `c3.fire`, or only the piece if the attribute is
/// empty.
fn spot_name(piece: &str, attribute: &str) -> String {
    if attribute.is_empty() { piece.to_owned() } else { format!("{piece}.{attribute}") }
}

/// Adds a cause: the change, and below it the rule, its check and its lines.
fn add_cause(view: &View<'_>, cause: &Cause, text: &mut Text) {
    let when = match (cause.number, &cause.phase) {
        (0, _) => "set-up".to_owned(),
        (n, Some(phase)) => {
            let title = view.phase_title(phase);
            format!("turn {}, {title} · {n} {}", cause.turn, cause.line)
        }
        (n, None) => format!("{n} {}", cause.line),
    };
    let spot = spot_name(&cause.piece, &cause.attribute);
    let line = Line::of(Role::Plain, format!("  {spot} "))
        .and(Role::Strong, format!("{} → {}", cause.old, cause.new))
        .and(Role::Quiet, format!(" · {when}"));
    text.push(line.with_hanging_indent(6));
    if let Some(reason) = &cause.reason {
        text.line(Role::Notice, format!("      the umpire ruled: {reason}"));
    }
    if let Some(name) = &cause.rule {
        let title = view.rule(name).map(|r| r.title.as_str()).filter(|t| !t.is_empty());
        // The values of the names in the call, as in `shooter x1, target y2`.
        let bound: Vec<String> =
            cause.bound.iter().map(|b| format!("{} {}", b.name, b.value)).collect();
        let bound =
            if bound.is_empty() { String::new() } else { format!(": {}", bound.join(", ")) };
        let title = format!("      {}", title.unwrap_or(name));
        text.push(Line::of(Role::Plain, title).and(Role::Quiet, bound));
    }
    if let Some(found) = &cause.check {
        let label = if found.rule == cause.rule {
            found.label.clone()
        } else {
            alone_label(view, found, None)
        };
        let columns = check::CheckColumns::measure([(found, 6, label.clone())].into_iter());
        text.push(check::check_line(found, &label, 6, &columns.narrowed_to(view.width)));
    }
    // A reason is shown only once.
    for words in cause.said.iter().filter(|words| Some(*words) != cause.reason.as_ref()) {
        text.line(Role::Plain, format!("      {words}"));
    }
    if let Some(from) = &cause.from {
        text.line(Role::Quiet, format!("      because of {from}:"));
    }
}
