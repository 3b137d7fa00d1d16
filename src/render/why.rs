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
        let mut line = Line::of(Role::Strong, format!("{}.{}", why.piece, thread.attribute));
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

fn one(view: &View<'_>, cause: &Cause, text: &mut Text) {
    let rules = view.referee.ruleset();
    let mut line = Line::of(Role::Quiet, "  ");
    let when = match (cause.number, &cause.phase) {
        (0, _) => "set-up".to_owned(),
        (n, Some(phase)) => {
            format!("turn {}, {} · {n} {}", cause.turn, super::outcome::lower(phase), cause.line)
        }
        (n, None) => format!("{n} {}", cause.line),
    };
    line.push(Role::Plain, format!("{}.{} ", cause.piece, cause.attribute));
    line.push(Role::Strong, format!("{} → {}", cause.old, cause.new));
    line.push(Role::Quiet, format!(" · {when}"));
    text.push(line.hanging(6));
    if let Some(reason) = &cause.reason {
        text.push(Line::of(Role::Notice, format!("      the umpire ruled: {reason}")).hanging(8));
    }
    let rule = cause.rule.as_ref().and_then(|name| rules.schema.rule_named(name));
    let rule = rule.map(|r| &rules.schema.rules[r.index()]);
    match &cause.check {
        Some(found) => {
            let label = match rule {
                Some(rule) if !rule.title.is_empty() => format!("{}: {}", rule.title, found.label),
                _ => found.label.clone(),
            };
            let columns = check::Columns::measure([(found, 1, label.clone())].into_iter());
            text.push(check::line(found, &label, 1, &columns.fitted(view.width)));
        }
        None => {
            if let Some(rule) = rule {
                let title = if rule.title.is_empty() { &rule.name } else { &rule.title };
                text.push(Line::of(Role::Plain, format!("      {title}")).hanging(8));
            }
        }
    }
    for words in &cause.said {
        text.push(Line::of(Role::Plain, format!("      {words}")).hanging(8));
    }
    if let Some(from) = &cause.from {
        text.push(Line::of(Role::Quiet, format!("      because of {from}:")));
    }
}
