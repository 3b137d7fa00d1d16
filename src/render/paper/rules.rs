//! The turn, the rules with every check and its chance, and the definitions.

use super::{heading, rows_or_remark, source, statements, table, words};
use crate::command::usage_text;
use crate::language::rule::{Modifier, RuleText, TableRow};
use crate::language::schema::{FunctionId, Unit};
use crate::language::syntax::{Expr, Source, Template};
use crate::render::document::{Block, Cell};
use crate::render::table::{modifier_by, template};
use crate::render::{check, odds};
use crate::ruleset::Ruleset;

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
        let modifiers: Vec<String> = rule
            .modifiers
            .iter()
            .map(|m| format!("{} {}", modifier_by(sources, m), template(sources, &m.because)))
            .collect();
        let chance = odds::of_need(rule).map_or(String::new(), |p| odds::percent(&p));
        let roll = rule.roll.as_ref().map(|r| source(ruleset, r));
        vec![
            words(&rule.title),
            Cell::Code(roll.unwrap_or_default()),
            Cell::Code(need(ruleset, rule).unwrap_or_default()),
            words(chance),
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
    (0..ruleset.phases.len()).flat_map(|place| phase(ruleset, place)).collect()
}

/// Returns a phase with the rule text that belongs to it.
pub(super) fn phase(ruleset: &Ruleset, place: usize) -> Vec<Block> {
    let phase = &ruleset.phases[place];
    let mut blocks = heading(&format!("{} {}", place + 1, phase.title), &phase.cite, "");
    let unit = |function: FunctionId| ruleset.schema.units.get(function.index())?.as_ref();
    let text = |function: Option<FunctionId>| {
        let text = match function.and_then(unit) {
            Some(Unit::Block(_, block)) => statements(ruleset, block),
            Some(Unit::Value(_, expr)) => source(ruleset, expr),
            _ => String::new(),
        };
        vec![Cell::Code(text)]
    };
    let mut parts = PartList::default();
    parts.add("skipped if", text(phase.skip));
    parts.add("by itself", text(phase.begin));
    let verbs: Vec<&str> = phase.verbs.iter().map(|(v, _)| v.as_str()).collect();
    parts.add("typed", vec![words(verbs.join(", "))]);
    for reminder in phase.reminders.iter().filter_map(|&f| unit(f)) {
        if let Unit::Remind(remind) = reminder {
            let mut when: Vec<String> =
                remind.each.iter().map(|s| format!("for each {}", sweep(ruleset, s))).collect();
            when.extend(remind.when.iter().map(|w| format!("when {}", source(ruleset, w))));
            let when = Cell::Code(when.join("\n"));
            parts.add("remember", vec![words(quoted(ruleset, &remind.say)), when]);
        }
    }
    parts.add("at its end", text(phase.end));
    blocks.extend(parts.block());
    blocks
}

pub(super) fn definitions(ruleset: &Ruleset) -> Vec<Block> {
    let parts: Vec<(String, Vec<Cell>)> = ruleset
        .schema
        .units
        .iter()
        .flatten()
        .filter_map(|unit| match unit {
            Unit::Define(id, expr) => {
                let define = &ruleset.schema.defines[id.index()];
                Some((define.name.clone(), vec![Cell::Code(source(ruleset, expr))]))
            }
            _ => None,
        })
        .collect();
    if parts.is_empty() { Vec::new() } else { vec![Block::Parts(parts)] }
}

/// Returns a rule as it stands in the ruleset, with the chance of its check and of each row.
pub(super) fn rule(ruleset: &Ruleset, rule: &RuleText) -> Vec<Block> {
    let mut blocks = heading(&rule.title, &rule.cite, &rule.note);
    let mut before = PartList::default();
    before.add("typed", vec![Cell::Code(usage_text(rule))]);
    let phases: Vec<&str> = rule.phases.iter().map(|(p, _)| p.as_str()).collect();
    before.add("in the phase", vec![words(phases.join(", "))]);
    let each: Vec<String> = rule.each.iter().map(|s| sweep(ruleset, s)).collect();
    before.add("for each", vec![Cell::Code(each.join(",\n"))]);
    for requirement in &rule.require {
        let because = quoted(ruleset, &requirement.because);
        before.add(
            "only if",
            vec![Cell::Code(source(ruleset, &requirement.that)), words(format!("else {because}"))],
        );
    }
    before.add("first", vec![Cell::Code(statements(ruleset, &rule.before))]);
    let code = |expr: &Option<Expr>| {
        Cell::Code(expr.as_ref().map(|e| source(ruleset, e)).unwrap_or_default())
    };
    before.add("times", vec![code(&rule.times)]);
    before.add("roll", vec![code(&rule.roll)]);
    blocks.extend(before.block());
    blocks.extend(modifiers(ruleset, rule));
    let mut after = PartList::default();
    if let Some(needed) = need(ruleset, rule) {
        let mut cells = vec![Cell::Code(needed)];
        if let Some(chance) = odds::of_need(rule) {
            let modified = if rule.modifiers.is_empty() { "" } else { " unmodified" };
            cells.push(words(format!("{}{modified}", odds::percent(&chance))));
        }
        after.add("needed", cells);
    }
    let say = |said: &Option<Template>| {
        words(said.as_ref().map_or(String::new(), |t| quoted(ruleset, t)))
    };
    let block = |block| Cell::Code(statements(ruleset, block));
    after.add("passed", vec![say(&rule.pass_say), block(&rule.pass)]);
    after.add("failed", vec![say(&rule.fail_say), block(&rule.fail)]);
    blocks.extend(after.block());
    if !rule.table.is_empty() {
        blocks.push(results(ruleset, rule, None, Consequences::Shown));
    }
    let mut last = PartList::default();
    last.add("then", vec![block(&rule.after)]);
    last.add("gives", vec![code(&rule.gives)]);
    blocks.extend(last.block());
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
    if odds.is_some() {
        let plain = rule.modifiers.is_empty();
        headings.push(if plain { "chance" } else { "unmodified" }.to_owned());
    }
    headings.push(String::new());
    if shows {
        headings.push("what follows".to_owned());
    }
    let row = |row: &TableRow| {
        let mut cells = vec![words(&row.label)];
        if let Some(odds) = &odds {
            cells.push(words(odds::percent(&odds::of_row(odds, row))));
        }
        let said = row.say.as_ref().map(|t| template(&ruleset.sources, t));
        cells.push(words(said.unwrap_or_default()));
        if shows {
            cells.push(Cell::Code(statements(ruleset, &row.block)));
        }
        cells
    };
    let rows = rule.table.iter().filter(|row| total.is_none_or(|t| row.on.holds(t)));
    rows_or_remark(headings, rows.map(row).collect(), total)
}

/// True if a table of results shows the statements of its rows.
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

/// Named parts; empty cells and parts without cells are left out.
#[derive(Default)]
struct PartList(Vec<(String, Vec<Cell>)>);

impl PartList {
    fn add(&mut self, name: &str, cells: Vec<Cell>) {
        let cells: Vec<Cell> = cells.into_iter().filter(|c| !c.text().is_empty()).collect();
        if !cells.is_empty() {
            self.0.push((name.to_owned(), cells));
        }
    }

    fn block(self) -> Option<Block> {
        (!self.0.is_empty()).then_some(Block::Parts(self.0))
    }
}
