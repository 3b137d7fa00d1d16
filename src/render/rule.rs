//! A rule as it stands in the ruleset.

use serde_json::{Value, json};

use super::markup::{Line, Role, Text};
use super::odds;
use super::table::{self, heading, template};
use crate::command::usage_text;
use crate::language::schema::RuleId;
use crate::language::syntax::{Block, Expr};
use crate::ruleset::Ruleset;
use crate::source::Span;

/// Returns a rule for machines: how it is typed and what it rolls.
pub(crate) fn data(ruleset: &Ruleset, id: RuleId) -> Value {
    let rule = &ruleset.schema.rules[id.index()];
    let sources = &ruleset.sources;
    json!({
        "name": rule.name, "title": rule.title, "cite": rule.cite, "note": rule.note,
        "usage": usage_text(rule),
        "roll": rule.roll.as_ref().map(|r| sources.text(r.span).trim()),
        "phases": rule.phases.iter().map(|(phase, _)| phase).collect::<Vec<_>>(),
    })
}

/// Title, page, how it is typed, remark, and the text of each part.
pub fn rule(ruleset: &Ruleset, id: RuleId) -> Text {
    let rule = &ruleset.schema.rules[id.index()];
    let sources = &ruleset.sources;
    let mut text = heading(&rule.title, &rule.cite, &rule.note);
    let mut part = |name: &str, words: String| {
        let words = words.trim().to_owned();
        if words.is_empty() {
            return;
        }
        let mut lines = words.lines();
        let mut line = Line::of(Role::Quiet, format!("  {name:<10} "));
        line.push(Role::Plain, lines.next().unwrap_or_default());
        text.push(line.hanging(15));
        let rest: Vec<&str> = lines.collect();
        let common = rest
            .iter()
            .filter(|l| !l.trim().is_empty())
            .map(|l| l.len() - l.trim_start().len())
            .min()
            .unwrap_or(0);
        for more in rest {
            let more = more.get(common..).unwrap_or("").trim_end();
            let line = Line::of(Role::Plain, format!("             {more}"));
            text.push(line.hanging(17));
        }
    };
    let source = |expr: &Expr| sources.text(expr.span).trim().to_owned();
    let block = |block: &Block| match (block.first(), block.last()) {
        (Some(first), Some(last)) => {
            let span = first.span.to(last.span);
            whole_lines(ruleset, span)
        }
        _ => String::new(),
    };
    let typed = usage_text(rule);
    part("typed", typed);
    let phases: Vec<&str> = rule.phases.iter().map(|(p, _)| p.as_str()).collect();
    part("phases", phases.join(", "));
    let each: Vec<String> = rule
        .each
        .iter()
        .map(|s| {
            let filter =
                s.filter.as_ref().map_or(String::new(), |f| format!(" where {}", source(f)));
            format!("{} in {}{filter}", s.name.text, source(&s.over))
        })
        .collect();
    part("each", each.join(",\n"));
    let needed: Vec<String> = rule
        .require
        .iter()
        .map(|r| format!("{}, else “{}”", source(&r.that), template(sources, &r.because)))
        .collect();
    part("require", needed.join("\n"));
    part("before", block(&rule.before));
    part("times", rule.times.as_ref().map(source).unwrap_or_default());
    part("roll", rule.roll.as_ref().map(source).unwrap_or_default());
    let modifiers: Vec<String> = rule
        .modifiers
        .iter()
        .map(|m| {
            let when = m.when.as_ref().map_or(String::new(), |w| format!(", when {}", source(w)));
            format!("{} {}{when}", table::modifier_by(sources, m), template(sources, &m.because))
        })
        .collect();
    part("modifiers", modifiers.join("\n"));
    let needs = rule.needs.as_ref().map(|(operator, value)| {
        let chance = match odds::of_need(rule) {
            Some(p) if rule.modifiers.is_empty() => format!("  ({})", odds::percent(&p)),
            Some(p) => format!("  ({} unmodified)", odds::percent(&p)),
            None => String::new(),
        };
        format!("{} {}{chance}", operator.text(), source(value))
    });
    part("needs", needs.unwrap_or_default());
    let say = |t: &Option<crate::language::syntax::Template>| {
        t.as_ref().map_or(String::new(), |t| format!("“{}”", template(sources, t)))
    };
    let both = |a: String, b: String| match (a.is_empty(), b.is_empty()) {
        (false, false) => format!("{a}\n{b}"),
        _ => a + &b,
    };
    part("pass", both(say(&rule.pass_say), block(&rule.pass)));
    part("fail", both(say(&rule.fail_say), block(&rule.fail)));
    for row in &rule.table {
        part(&row.label, both(say(&row.say), block(&row.block)));
    }
    part("after", block(&rule.after));
    part("gives", rule.gives.as_ref().map(source).unwrap_or_default());
    if !rule.table.is_empty() {
        let rows = table::rows(ruleset, rule, None, 80);
        text.gap();
        // The heading stands above already.
        let skip = 1 + usize::from(!rule.note.is_empty());
        text.lines.extend(rows.lines.into_iter().skip(skip));
    }
    if let Some(file) = sources.get(rule.span.file) {
        let (line, _) = sources.line_column(rule.span.file, rule.span.start as usize);
        text.push(Line::of(Role::Quiet, format!("  {}:{line}", file.name)));
    }
    text
}

/// The text of a span with the blanks before its first line, so that later lines stand right under it.
fn whole_lines(ruleset: &Ruleset, span: Span) -> String {
    ruleset.sources.text(span).to_owned()
}
