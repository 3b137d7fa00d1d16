//! The referee's sheet: a game's steps, verbs, charts and tables on paper.

use super::grid::grid;
use super::markup::{Line, Role, Text};
use super::odds;
use super::rule;
use super::table::{self, heading};
use crate::command::usage_text;
use crate::language::rule::RuleText;
use crate::language::schema::{KindId, Role as Kinds};
use crate::ruleset::Ruleset;

/// The whole sheet.
pub fn sheet(ruleset: &Ruleset, width: usize) -> Text {
    let mut text = title(ruleset);
    let schema = &ruleset.schema;
    text.gap().extend(phases(ruleset));
    text.gap().extend(verbs(ruleset, width));
    for chart in &schema.charts {
        text.gap().extend(table::chart(ruleset, chart, None, width));
    }
    for rule in schema.rules.iter().filter(|r| !r.table.is_empty()) {
        text.gap().extend(table::rows(ruleset, rule, None, width));
    }
    let checks: Vec<&RuleText> = schema.rules.iter().filter(|r| r.needs.is_some()).collect();
    if !checks.is_empty() {
        text.gap().extend(self::checks(ruleset, &checks, width));
    }
    for (i, kind) in schema.kinds.iter().enumerate() {
        if kind.role == Kinds::List && !kind.rows.is_empty() {
            text.gap().extend(table::list(ruleset, KindId::from_index(i), width));
        }
    }
    text.gap().extend(options(ruleset));
    text
}

/// What the sheet says of a topic: a chart, list, rule, verb, phase, `phases`, `verbs` or `options`.
pub fn topic(ruleset: &Ruleset, topic: &str, width: usize) -> Result<Text, String> {
    let schema = &ruleset.schema;
    let wanted = topic.to_lowercase();
    match wanted.as_str() {
        "phases" | "turn" => return Ok(phases(ruleset)),
        "verbs" => return Ok(verbs(ruleset, width)),
        "options" => return Ok(options(ruleset)),
        _ => {}
    }
    let mut text = Text::new();
    if let Some(chart) = schema.chart_named(&wanted) {
        let chart = &schema.charts[chart.index()];
        text.gap().extend(table::chart(ruleset, chart, None, width));
    }
    let list = |k: &&crate::language::schema::Kind| {
        k.role == Kinds::List && (k.name == wanted || k.plural == wanted)
    };
    if let Some(kind) = schema.kinds.iter().find(list)
        && let Some(kind) = schema.kind_named(&kind.name)
    {
        text.gap().extend(table::list(ruleset, kind, width));
    }
    for id in ruleset.rules_of(&wanted) {
        text.gap().extend(rule::rule(ruleset, id));
    }
    if let Some(phase) = ruleset.phases.iter().find(|p| p.name == wanted) {
        text.gap().extend(heading(&phase.title, &phase.cite, ""));
        for verb in &phase.verbs {
            for id in ruleset.rules_of(&verb.0) {
                let rule = &schema.rules[id.index()];
                text.push(Line::of(Role::Plain, format!("  {}", usage_text(rule))));
            }
        }
    }
    if !text.is_empty() {
        return Ok(text);
    }
    let known: Vec<&str> = topics(ruleset);
    let near = crate::diagnostic::nearest(&wanted, known);
    let shown: String = topic.chars().take(40).collect();
    Err(match near {
        Some(near) => format!("there is no topic `{shown}`; did you mean `{near}`?"),
        None => format!("there is no topic `{shown}`"),
    })
}

/// Everything that is a topic.
fn topics(ruleset: &Ruleset) -> Vec<&str> {
    let schema = &ruleset.schema;
    let mut known = vec!["phases", "verbs", "options"];
    known.extend(schema.charts.iter().map(|c| c.name.as_str()));
    known.extend(schema.rules.iter().map(|r| r.name.as_str()));
    known.extend(schema.kinds.iter().filter(|k| k.role == Kinds::List).map(|k| k.name.as_str()));
    known.extend(ruleset.phases.iter().map(|p| p.name.as_str()));
    known.extend(ruleset.verbs());
    known
}

/// Whose game it is, in one line: title, author, edition.
pub fn game_line(ruleset: &Ruleset) -> Line {
    let game = &ruleset.game;
    let mut line = Line::of(Role::Header, &game.title);
    for more in [&game.author, &game.edition] {
        if !more.is_empty() {
            line.push(Role::Plain, format!(" · {more}"));
        }
    }
    line
}

fn title(ruleset: &Ruleset) -> Text {
    let game = &ruleset.game;
    let mut text = Text::new();
    text.push(game_line(ruleset));
    for more in [&game.source, &game.note] {
        if !more.is_empty() {
            text.push(Line::of(Role::Quiet, format!("  {}", more.trim())).hanging(2));
        }
    }
    text
}

fn phases(ruleset: &Ruleset) -> Text {
    let mut text = Text::new();
    if ruleset.phases.is_empty() {
        return text;
    }
    text.line(Role::Header, "The turn");
    for (i, phase) in ruleset.phases.iter().enumerate() {
        let mut line = Line::of(Role::Plain, format!("{:>4} ", i + 1)).hanging(7);
        line.push(Role::Strong, &phase.title);
        // A phase without a title is headed by its name.
        if phase.title != phase.name.replace('-', " ") {
            line.push(Role::Quiet, format!("  {}", phase.name));
        }
        let verbs: Vec<&str> = phase.verbs.iter().map(|v| v.0.as_str()).collect();
        if !verbs.is_empty() {
            line.push(Role::Plain, format!(": {}", verbs.join(", ")));
        }
        text.push(line);
    }
    text
}

fn verbs(ruleset: &Ruleset, width: usize) -> Text {
    let mut text = Text::new();
    let rules: Vec<&RuleText> = ruleset.schema.rules.iter().filter(|r| r.usage.is_some()).collect();
    if rules.is_empty() {
        return text;
    }
    text.line(Role::Header, "What can be typed");
    for rule in rules {
        text.push(usage_line(rule, width));
    }
    text
}

/// How a rule is typed, and its title.
pub(crate) fn usage_line(rule: &RuleText, width: usize) -> Line {
    let mut line = Line::of(Role::Plain, "  ").and(Role::Strong, usage_text(rule));
    line.pad_to((width / 2).min(52), 2);
    line.push(Role::Quiet, &rule.title).clone().hanging(6)
}

fn checks(ruleset: &Ruleset, rules: &[&RuleText], width: usize) -> Text {
    let sources = &ruleset.sources;
    let mut text = Text::new();
    text.line(Role::Header, "Checks");
    let headings: Vec<String> =
        ["", "roll", "needs", "chance", "modifiers"].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = rules
        .iter()
        .map(|rule| {
            let source = |e: &crate::language::syntax::Expr| sources.text(e.span).trim().to_owned();
            let needs = rule.needs.as_ref().map_or(String::new(), |(operator, value)| {
                format!("{} {}", operator.text(), source(value))
            });
            let chance = odds::of_need(rule).map_or(String::new(), |p| odds::percent(&p));
            let modifiers: Vec<String> = rule
                .modifiers
                .iter()
                .map(|m| {
                    format!(
                        "{} {}",
                        table::modifier_by(sources, m),
                        table::template(sources, &m.because)
                    )
                })
                .collect();
            vec![
                rule.title.clone(),
                rule.roll.as_ref().map(source).unwrap_or_default(),
                needs,
                chance,
                modifiers.join("; "),
            ]
        })
        .collect();
    text.extend(grid(&headings, &rows, width));
    text
}

fn options(ruleset: &Ruleset) -> Text {
    let mut text = Text::new();
    if ruleset.options.is_empty() {
        return text;
    }
    text.line(Role::Header, "House-rule switches");
    for option in &ruleset.options {
        let mut line = Line::of(Role::Strong, format!("  {}", option.name)).hanging(6);
        line.push(Role::Plain, format!("  {}", option.title));
        if !option.cite.is_empty() {
            line.push(Role::Quiet, format!(" · {}", option.cite));
        }
        text.push(line);
    }
    text
}
