//! Outcomes, checks and rulesets for machines.

use serde_json::{Value, json};

use crate::command::usage_text;
use crate::language::schema::Type;
use crate::referee::{Check, Event, Outcome};
use crate::render::hands::Which;
use crate::render::outcome::View;
use crate::render::table::{chart_value, template};
use crate::render::{check, hands, odds};
use crate::ruleset::Ruleset;
use crate::session::Entry;

/// Returns an outcome, event by event.
pub(crate) fn outcome(view: &View<'_>, outcome: &Outcome) -> Value {
    let mut depth = 0;
    let mut events: Vec<Value> = Vec::new();
    for event in &outcome.events {
        events.push(match event {
            Event::Call { rule, bound } => {
                depth += 1;
                json!({ "rule": rule, "depth": depth - 1, "bound": bound })
            }
            Event::End => {
                depth -= 1;
                continue;
            }
            Event::Bound(bound) => json!({ "bound": bound }),
            Event::Phase { turn, phase, place, side, skipped } => json!({
                "phase": phase, "turn": turn, "number": place + 1, "side": side, "skipped": skipped,
            }),
            Event::Check(c) => json!({ "check": check_data(c) }),
            Event::Rolled { written, shown, total } => json!({
                "roll": written, "dice": shown, "total": total,
            }),
            Event::Taken { deck, what, of } => json!({ "taken": what, "deck": deck, "of": of }),
            Event::Shuffled { deck, count } => json!({ "shuffled": deck, "count": count }),
            Event::Asked { question, answer, random } => json!({
                "asked": question, "answer": answer, "random": random,
            }),
            Event::Said(words) => json!({ "said": words }),
            Event::Ended { words, winner, margin } => json!({
                "ended": words, "winner": winner, "margin": margin,
            }),
            Event::Reminded(words) => json!({ "remember": words }),
            Event::Insisted(reason) => json!({ "insisted": reason }),
            Event::Changed { change, .. } => json!({ "change": change }),
        });
    }
    json!({
        "events": events,
        "changes": pairs(hands::in_words(view, outcome.changes(), Which::All)),
        "on_the_table": pairs(hands::items(view, outcome.changes())),
    })
}

/// Returns an array of what each item is for machines.
pub fn array<T>(items: impl IntoIterator<Item = T>, one: impl FnMut(T) -> Value) -> Value {
    items.into_iter().map(one).collect()
}

/// Returns pieces and their changes in words.
pub fn pairs(items: Vec<(String, Vec<String>)>) -> Value {
    array(items, |(p, w)| json!({ "piece": p, "changes": w }))
}

/// Returns a check.
pub fn check_data(check: &Check) -> Value {
    let throws = array(&check.throws, |t| {
        json!({
            "natural": t.natural.to_string(), "total": t.total.to_string(), "passed": t.passed,
        })
    });
    let modifiers = array(
        &check.modifiers,
        |(by, because)| json!({ "by": by.to_string(), "because": because }),
    );
    let dice: Vec<String> = check.rolls.iter().map(|r| r.written()).collect();
    json!({
        "rule": check.rule, "label": check.label, "dice": dice,
        "throws": throws, "modifiers": modifiers,
        "needs": check.need.map(|(o, n)| format!("{} {n}", o.text())),
        "verdict": check::verdict(check).1, "physical": check.physical,
    })
}

/// Returns a command with its outcome, and with its number if the viewer may know it.
pub fn command(view: &View<'_>, number: Option<u64>, entry: &Entry) -> Value {
    let mut data = outcome(view, &entry.outcome);
    data["line"] = json!(entry.line);
    if let Some(number) = number {
        data["number"] = json!(number);
    }
    data
}

/// Returns the content of a ruleset.
pub fn sheet(ruleset: &Ruleset) -> Value {
    let sources = &ruleset.sources;
    let game = &ruleset.game;
    let phases = array(&ruleset.phases, |p| {
        let verbs: Vec<&str> = p.verbs.iter().map(|v| v.0.as_str()).collect();
        json!({ "name": p.name, "title": p.title, "cite": p.cite, "verbs": verbs })
    });
    let rules = array(ruleset.schema.rules.iter(), |rule| {
        let odds = odds::of_rule(rule);
        let rows = array(&rule.table, |row| {
            json!({
                "on": row.label,
                "says": row.say.as_ref().map(|s| template(sources, s)),
                "unmodified": odds.as_ref().and_then(|o| odds::of_row(o, &rule.table, row)).map(|p| p.to_string()),
            })
        });
        json!({
            "name": rule.name, "title": rule.title, "cite": rule.cite, "note": rule.note,
            "usage": usage_text(rule),
            "roll": rule.roll.as_ref().map(|r| sources.text(r.span).trim()),
            "table": rows,
        })
    });
    let charts = array(ruleset.schema.charts.iter(), |c| {
        let value = |&value: &i64| match c.gives {
            Type::Whole => json!(value),
            ty => json!(chart_value(ruleset, ty, value)),
        };
        json!({
            "name": c.name, "title": c.title, "cite": c.cite,
            "rows": c.row_labels, "columns": c.column_labels, "values": array(&c.values, value),
        })
    });
    json!({
        "title": game.title, "author": game.author, "edition": game.edition,
        "phases": phases, "rules": rules, "charts": charts,
    })
}
