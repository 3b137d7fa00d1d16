//! The turn, the rules with every check and its chance, and the definitions, on the proof sheet.

use super::{Block, Cell, source, statements, words};
use crate::command::usage_text;
use crate::language::rule::{RuleText, TableRow};
use crate::language::schema::{FunctionId, Unit};
use crate::language::syntax::{Source, Template};
use crate::render::table::{modifier_by, template};
use crate::render::{check, odds};
use crate::ruleset::{Phase, Ruleset};

pub(super) fn turn(ruleset: &Ruleset) -> Vec<Block> {
    let phases = ruleset.phases.iter().enumerate();
    phases.flat_map(|(place, phase)| self::phase(ruleset, place, phase)).collect()
}

fn phase(ruleset: &Ruleset, place: usize, phase: &Phase) -> Vec<Block> {
    let title = format!("{} {}", place + 1, phase.title);
    let mut blocks = vec![Block::Heading(title, phase.cite.clone())];
    let unit = |function: FunctionId| ruleset.schema.units.get(function.index())?.as_ref();
    let text = |function: Option<FunctionId>| {
        let text = match function.and_then(unit) {
            Some(Unit::Block(_, block)) => statements(ruleset, block),
            Some(Unit::Value(_, expr)) => source(ruleset, expr),
            _ => String::new(),
        };
        vec![Cell::Code(text)]
    };
    let mut parts = Parts::default();
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

pub(super) fn rules(ruleset: &Ruleset) -> Vec<Block> {
    ruleset.schema.rules.iter().flat_map(|rule| self::rule(ruleset, rule)).collect()
}

fn rule(ruleset: &Ruleset, rule: &RuleText) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(rule.title.clone(), rule.cite.clone())];
    if !rule.note.is_empty() {
        blocks.push(Block::Words(rule.note.clone()));
    }
    let mut before = Parts::default();
    let typed = if rule.usage.is_some() { usage_text(rule) } else { String::new() };
    before.add("typed", vec![Cell::Code(typed)]);
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
    let code = |expr: &Option<crate::language::syntax::Expr>| {
        Cell::Code(expr.as_ref().map(|e| source(ruleset, e)).unwrap_or_default())
    };
    before.add("times", vec![code(&rule.times)]);
    before.add("roll", vec![code(&rule.roll)]);
    blocks.extend(before.block());
    if !rule.modifiers.is_empty() {
        let row = |m: &crate::language::rule::Modifier| {
            let when = m.when.as_ref().map(|w| source(ruleset, w)).unwrap_or_default();
            vec![
                Cell::Code(modifier_by(&ruleset.sources, m)),
                words(template(&ruleset.sources, &m.because)),
                Cell::Code(when),
            ]
        };
        let headings = ["added", "for", "when"].map(str::to_owned).to_vec();
        blocks.push(Block::Table(headings, rule.modifiers.iter().map(row).collect()));
    }
    let mut after = Parts::default();
    if let Some((operator, need)) = &rule.needs {
        let needed = format!("{} {}", check::sign(*operator), source(ruleset, need));
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
        blocks.push(outcomes(ruleset, rule));
    }
    let mut last = Parts::default();
    last.add("then", vec![block(&rule.after)]);
    last.add("gives", vec![code(&rule.gives)]);
    blocks.extend(last.block());
    blocks
}

/// The rows of a rule's table, each with its chance.
fn outcomes(ruleset: &Ruleset, rule: &RuleText) -> Block {
    let odds = odds::of_rule(rule);
    let mut headings = vec!["total".to_owned()];
    if odds.is_some() {
        let plain = rule.modifiers.is_empty();
        headings.push(if plain { "chance" } else { "chance unmodified" }.to_owned());
    }
    headings.extend(["", "what follows"].map(str::to_owned));
    let row = |row: &TableRow| {
        let mut cells = vec![words(&row.label)];
        if let Some(odds) = &odds {
            cells.push(words(odds::percent(&odds::of_row(odds, row))));
        }
        let said = row.say.as_ref().map(|t| template(&ruleset.sources, t));
        cells.push(words(said.unwrap_or_default()));
        cells.push(Cell::Code(statements(ruleset, &row.block)));
        cells
    };
    Block::Table(headings, rule.table.iter().map(row).collect())
}

fn sweep(ruleset: &Ruleset, each: &Source) -> String {
    let filter = each.filter.as_ref();
    let filter = filter.map_or(String::new(), |f| format!(" where {}", source(ruleset, f)));
    format!("{} in {}{filter}", each.name.text, source(ruleset, &each.over))
}

fn quoted(ruleset: &Ruleset, words: &Template) -> String {
    format!("“{}”", template(&ruleset.sources, words))
}

/// Words with what belongs to them; what is empty is left out.
#[derive(Default)]
struct Parts(Vec<(String, Vec<Cell>)>);

impl Parts {
    fn add(&mut self, name: &str, cells: Vec<Cell>) {
        let cells: Vec<Cell> = cells.into_iter().filter(|c| !c.is_empty()).collect();
        if !cells.is_empty() {
            self.0.push((name.to_owned(), cells));
        }
    }

    fn block(self) -> Option<Block> {
        (!self.0.is_empty()).then_some(Block::Parts(self.0))
    }
}
