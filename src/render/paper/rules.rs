//! The turn, the rules with every check and its chance, and the definitions.

use super::{heading, rows_or_remark, source, statements, table, words};
use crate::command::usage_text;
use crate::language::rule::{Modifier, RuleText, TableRow};
use crate::language::schema::{FunctionId, Unit};
use crate::language::syntax::{Expr, Source, Template};
use crate::render::document::{Block, Cell};
use crate::render::table::{modifier_by, template};
use crate::render::{check, odds};
use crate::ruleset::{End, Ruleset};

/// Returns the phases of the turn with their verbs, a line each.
pub(super) fn turn_in_short(ruleset: &Ruleset) -> Vec<Block> {
    let phases = ruleset.phases.iter().enumerate().map(|(place, phase)| {
        // A phase without a title is headed by its name.
        let called = if phase.title == phase.name.replace('-', " ") { "" } else { &phase.name };
        let verbs: Vec<&str> = phase.verbs.iter().map(|v| v.0.as_str()).collect();
        [(place + 1).to_string(), phase.title.clone(), called.to_owned(), verbs.join(", ")]
            .map(words)
            .to_vec()
    });
    titled("The turn", ["", "phase", "called", "verbs"], phases.collect())
}

/// Returns the verbs, each with its usage and title.
pub(super) fn verbs(ruleset: &Ruleset) -> Vec<Block> {
    let verbs = ruleset.schema.rules.iter().filter(|r| r.usage.is_some());
    let verbs = verbs.map(|r| vec![Cell::Code(usage_text(r)), words(&r.title)]);
    titled("What can be typed", ["typed", ""], verbs.collect())
}

/// Returns the rules that need a number, each with its chance and modifiers in one row.
pub(super) fn checks(ruleset: &Ruleset) -> Vec<Block> {
    let sources = &ruleset.sources;
    let checks = ruleset.schema.rules.iter().filter(|r| r.needs.is_some());
    let checks = checks.map(|rule| {
        let modifier =
            |m: &Modifier| format!("{} {}", modifier_by(sources, m), template(sources, &m.because));
        let modifiers: Vec<String> = rule.modifiers.iter().map(modifier).collect();
        let chance = odds::of_need(rule).map(|p| odds::percent(&p));
        vec![
            words(&rule.title),
            Cell::Code(rule.roll.as_ref().map(|r| source(ruleset, r)).unwrap_or_default()),
            Cell::Code(need(ruleset, rule).unwrap_or_default()),
            words(chance.unwrap_or_default()),
            words(modifiers.join("; ")),
        ]
    });
    titled("Checks", ["", "roll", "needs", "chance", "modifiers"], checks.collect())
}

/// Returns a table under a heading, or nothing if it has no rows.
fn titled<const N: usize>(title: &str, headings: [&str; N], rows: Vec<Vec<Cell>>) -> Vec<Block> {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut blocks = heading(title, "", "");
    blocks.push(table(headings, rows));
    blocks
}

/// Returns all phases of the turn.
pub(super) fn turn(ruleset: &Ruleset) -> Vec<Block> {
    let phases = (0..ruleset.phases.len()).flat_map(|place| phase(ruleset, place));
    phases.chain(ruleset.ends.iter().flat_map(|end| self::end(ruleset, end))).collect()
}

/// Returns the text of statements or of an expression.
fn text(ruleset: &Ruleset, function: Option<FunctionId>) -> Vec<Cell> {
    let unit = function.and_then(|f| ruleset.schema.units.get(f.index())?.as_ref());
    code(match unit.map(Unit::plain) {
        Some(Unit::Block(_, block)) => statements(ruleset, block),
        Some(Unit::Value(_, expr)) => source(ruleset, expr),
        _ => String::new(),
    })
}

/// Returns an end of the game.
fn end(ruleset: &Ruleset, end: &End) -> Vec<Block> {
    let text = |function| text(ruleset, function);
    let all = vec![
        ("when", text(Some(end.when))),
        ("wins", text(end.winner)),
        ("by", text(end.margin)),
        ("said", text(end.say)),
    ];
    let title = match ruleset.scenario(&end.scenario) {
        Some(scenario) => format!("The game ends: {}", scenario.title),
        None => "The game ends".to_owned(),
    };
    let mut blocks = heading(&title, &end.cite, "");
    blocks.extend(parts(all));
    blocks
}

/// Returns a phase with the rule text that belongs to it.
pub(super) fn phase(ruleset: &Ruleset, place: usize) -> Vec<Block> {
    let phase = &ruleset.phases[place];
    let unit =
        |function: FunctionId| Some(ruleset.schema.units.get(function.index())?.as_ref()?.plain());
    let text = |function| text(ruleset, function);
    let verbs: Vec<&str> = phase.verbs.iter().map(|(v, _)| v.as_str()).collect();
    let mut all = Vec::new();
    if let Some(turns) = &phase.turns {
        let how = match &turns.alternate {
            None => "the sides, one after the other".to_owned(),
            Some(flag) => {
                format!("the sides in alternation, a piece at a time, until all are {flag}")
            }
        };
        all.extend([("played by", vec![words(how)]), ("lowest first", text(turns.order))]);
    }
    all.extend([
        ("skipped if", text(phase.skip)),
        ("by itself", text(phase.begin)),
        ("typed", vec![words(verbs.join(", "))]),
    ]);
    let reminders = phase.reminders.iter().map(|&f| ("remember", f));
    let left = phase.left.iter().map(|left| ("left to do", left.function));
    for (name, function) in reminders.chain(left) {
        if let Some(Unit::Remind(remind)) = unit(function) {
            let each = remind.each.iter().map(|s| format!("for each {}", sweep(ruleset, s)));
            let when = remind.when.iter().map(|w| format!("when {}", source(ruleset, w)));
            let when = each.chain(when).collect::<Vec<_>>().join("\n");
            all.push((name, vec![words(quoted(ruleset, &remind.say)), Cell::Code(when)]));
        }
    }
    all.push(("at its end", text(phase.end)));
    let mut blocks = heading(&format!("{} {}", place + 1, phase.title), &phase.cite, "");
    blocks.extend(parts(all));
    blocks
}

/// Returns all definitions.
pub(super) fn definitions(ruleset: &Ruleset) -> Vec<Block> {
    let all = ruleset.schema.units.iter().flatten().filter_map(|unit| match unit {
        Unit::Define(id, expr) => {
            let name = ruleset.schema.defines[id.index()].name.as_str();
            Some((name, code(source(ruleset, expr))))
        }
        _ => None,
    });
    parts(all).into_iter().collect()
}

/// Returns a rule as it stands in the ruleset, with the chance of its check and of each row.
pub(super) fn rule(ruleset: &Ruleset, rule: &RuleText) -> Vec<Block> {
    let expr =
        |expr: &Option<Expr>| code(expr.as_ref().map(|e| source(ruleset, e)).unwrap_or_default());
    let block = |block| code(statements(ruleset, block));
    let phases: Vec<&str> = rule.phases.iter().map(|(p, _)| p.as_str()).collect();
    let each: Vec<String> = rule.each.iter().map(|s| sweep(ruleset, s)).collect();
    let mut before = vec![
        ("typed", code(usage_text(rule))),
        ("in the phase", vec![words(phases.join(", "))]),
        ("for each", code(each.join(",\n"))),
    ];
    before.extend(rule.require.iter().map(|requirement| {
        let because = quoted(ruleset, &requirement.because);
        let that = Cell::Code(source(ruleset, &requirement.that));
        ("only if", vec![that, words(format!("else {because}"))])
    }));
    before.extend([
        ("first", block(&rule.before)),
        ("times", expr(&rule.times)),
        ("roll", expr(&rule.roll)),
    ]);
    let modified = if rule.modifiers.is_empty() { "" } else { " unmodified" };
    let chance = odds::of_need(rule).map(|chance| odds::percent(&chance) + modified);
    let needed = Cell::Code(need(ruleset, rule).unwrap_or_default());
    let verdict = |said: &Option<Template>, then| {
        let said = said.as_ref().map_or(String::new(), |t| quoted(ruleset, t));
        vec![words(said), Cell::Code(statements(ruleset, then))]
    };
    let after = [
        ("needed", vec![needed, words(chance.unwrap_or_default())]),
        ("passed", verdict(&rule.pass_say, &rule.pass)),
        ("failed", verdict(&rule.fail_say, &rule.fail)),
    ];
    let tally = rule.tally.iter().map(|(name, e)| format!("{}: {}", name.text, source(ruleset, e)));
    let dice = [
        ("thrown again", expr(&rule.reroll)),
        ("one more for", expr(&rule.more)),
        ("added up", code(tally.collect::<Vec<_>>().join(",\n"))),
    ];
    let mut blocks = heading(&rule.title, &rule.cite, &rule.note);
    blocks.extend(parts(before));
    blocks.extend(parts(dice));
    blocks.extend(modifiers(ruleset, rule));
    blocks.extend(parts(after));
    if !rule.table.is_empty() {
        blocks.push(results(ruleset, rule, None, Consequences::Shown));
    }
    let gives: Vec<String> =
        rule.gives.iter().chain(&rule.also_gives).map(|e| source(ruleset, e)).collect();
    blocks.extend(parts([("then", block(&rule.after)), ("gives", code(gives.join(", ")))]));
    blocks
}

/// Returns the table of results of a rule with its modifiers; only the row of a total, if one is given.
pub(super) fn rows(ruleset: &Ruleset, rule: &RuleText, total: Option<i64>) -> Vec<Block> {
    let mut blocks = heading(&rule.title, &rule.cite, &rule.note);
    blocks.push(results(ruleset, rule, total, Consequences::Hidden));
    blocks.extend(modifiers(ruleset, rule));
    blocks
}

/// Returns the rows of a rule, each with its chance.
fn results(ruleset: &Ruleset, rule: &RuleText, total: Option<i64>, then: Consequences) -> Block {
    let shows = then == Consequences::Shown && rule.table.iter().any(|r| !r.block.is_empty());
    let odds = odds::of_rule(rule);
    let mut headings = vec![rule.roll.as_ref().map_or("total".into(), |r| source(ruleset, r))];
    let modified = if rule.modifiers.is_empty() { "chance" } else { "unmodified" };
    headings.extend(odds.iter().map(|_| modified.to_owned()));
    headings.push(String::new());
    headings.extend(shows.then(|| "what follows".to_owned()));
    let row = |row: &TableRow| {
        let mut cells = vec![words(&row.label)];
        let chance = |odds| odds::of_row(odds, &rule.table, row).map(|p| odds::percent(&p));
        cells.extend(odds.iter().map(|odds| words(chance(odds).unwrap_or_default())));
        let said = row.say.as_ref().map(|t| template(&ruleset.sources, t));
        cells.push(words(said.unwrap_or_default()));
        cells.extend(shows.then(|| Cell::Code(statements(ruleset, &row.block))));
        cells
    };
    let rows = rule.table.iter().filter(|row| total.is_none_or(|t| row.on.holds(t)));
    rows_or_remark(headings, rows.map(row).collect(), total)
}

/// Returns true if a table of results shows the statements of its rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Consequences {
    Shown,
    Hidden,
}

/// Returns the modifiers of a rule, if it has any.
fn modifiers(ruleset: &Ruleset, rule: &RuleText) -> Option<Block> {
    let row = |m: &Modifier| {
        let when = m.when.as_ref().map(|w| source(ruleset, w)).unwrap_or_default();
        vec![
            Cell::Code(modifier_by(&ruleset.sources, m)),
            words(template(&ruleset.sources, &m.because)),
            Cell::Code(when),
        ]
    };
    let rows: Vec<Vec<Cell>> = rule.modifiers.iter().map(row).collect();
    (!rows.is_empty()).then(|| table(["added", "for", "when"], rows))
}

/// Returns what the roll of a rule needs: `≥ 4`.
fn need(ruleset: &Ruleset, rule: &RuleText) -> Option<String> {
    let (operator, value) = rule.needs.as_ref()?;
    let value = rule.passes.as_ref().unwrap_or(value);
    Some(format!("{} {}", check::sign(*operator), source(ruleset, value)))
}

fn sweep(ruleset: &Ruleset, each: &Source) -> String {
    let filter = each.filter.as_ref();
    let filter = filter.map_or(String::new(), |f| format!(" where {}", source(ruleset, f)));
    format!("{} in {}{filter}", each.name.text, source(ruleset, &each.over))
}

fn quoted(ruleset: &Ruleset, words: &Template) -> String {
    format!("“{}”", template(&ruleset.sources, words))
}

fn code(text: String) -> Vec<Cell> {
    vec![Cell::Code(text)]
}

/// Returns named parts, if there are any; empty cells and parts without cells are left out.
fn parts<'a>(all: impl IntoIterator<Item = (&'a str, Vec<Cell>)>) -> Option<Block> {
    let filled = |(name, mut cells): (&str, Vec<Cell>)| {
        cells.retain(|cell| !cell.text().is_empty());
        (!cells.is_empty()).then(|| (name.to_owned(), cells))
    };
    let parts: Vec<(String, Vec<Cell>)> = all.into_iter().filter_map(filled).collect();
    (!parts.is_empty()).then_some(Block::Parts(parts))
}
