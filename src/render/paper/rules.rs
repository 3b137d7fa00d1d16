//! The turn, the rules with every check and its chance, and the definitions.

use super::english::Scope;
use super::teller::Teller;
use super::{heading, kinds, rows_or_remark, source, statements, table, words};
use crate::command::usage_text;
use crate::language::rule::{Modifier, RuleText, TableRow};
use crate::language::schema::{FunctionId, Type, Unit};
use crate::language::syntax::{Expr, Template};
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
pub(super) fn turn(ruleset: &Ruleset, teller: &Teller<'_>) -> Vec<Block> {
    let phases = (0..ruleset.phases.len()).flat_map(|place| phase(ruleset, place, teller));
    phases.chain(ruleset.ends.iter().flat_map(|end| self::end(ruleset, end, teller))).collect()
}

/// Returns the text of statements or of an expression.
fn text(ruleset: &Ruleset, function: Option<FunctionId>, teller: &Teller<'_>) -> Vec<Cell> {
    let unit = function.and_then(|f| ruleset.schema.units.get(f.index())?.as_ref());
    let scope = match unit {
        Some(Unit::Step(step, _)) => Scope::in_step(*step),
        _ => Scope::default(),
    };
    vec![match unit.map(Unit::plain) {
        Some(Unit::Block(_, block)) => Cell::Code(statements(ruleset, block)),
        Some(Unit::Value(Some(Type::Flag), expr)) => teller.holds(expr, &scope),
        Some(Unit::Value(_, expr)) => teller.value(expr, &scope),
        _ => words(""),
    }]
}

/// Returns an end of the game.
fn end(ruleset: &Ruleset, end: &End, teller: &Teller<'_>) -> Vec<Block> {
    let text = |function| text(ruleset, function, teller);
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
pub(super) fn phase(ruleset: &Ruleset, place: usize, teller: &Teller<'_>) -> Vec<Block> {
    let phase = &ruleset.phases[place];
    let unit =
        |function: FunctionId| Some(ruleset.schema.units.get(function.index())?.as_ref()?.plain());
    let text = |function| text(ruleset, function, teller);
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
            let (each, scope) = teller.each(&remind.each, &Scope::default());
            let when = remind.when.iter().map(|w| teller.holds(w, &scope).prefixed("when "));
            let mut cells = vec![words(teller.quoted(&remind.say, &scope)), each.prefixed("for ")];
            cells.extend(when);
            all.push((name, cells));
        }
    }
    all.push(("at its end", text(phase.end)));
    let mut blocks = heading(&format!("{} {}", place + 1, phase.title), &phase.cite, "");
    blocks.extend(parts(all));
    blocks
}

/// Returns all definitions.
pub(super) fn definitions(ruleset: &Ruleset, teller: &Teller<'_>) -> Vec<Block> {
    let all = ruleset.schema.units.iter().flatten().filter_map(|unit| match unit {
        Unit::Define(id, expr) => {
            let define = &ruleset.schema.defines[id.index()];
            let params: Vec<String> =
                define.params.iter().map(|p| p.name.replace('-', " ")).collect();
            let of = if params.is_empty() { "" } else { " of " };
            let name = format!("{}{of}{}", define.name, params.join(", "));
            let ty =
                ruleset.program.results.get(define.function.index()).map_or(Type::Unknown, |r| r.0);
            let told = teller.computed(expr, ty, &Scope::of(&define.params));
            let cells = vec![told, words(&define.note)];
            Some((name, cells))
        }
        _ => None,
    });
    let all: Vec<(String, Vec<Cell>)> = all.collect();
    parts(all.iter().map(|(name, cells)| (name.as_str(), cells.clone()))).into_iter().collect()
}

/// Returns a rule with the chance of its check and of each row.
pub(super) fn rule(ruleset: &Ruleset, rule: &RuleText, teller: &Teller<'_>) -> Vec<Block> {
    let (each, s) = teller.each(&rule.each, &Scope::of(&rule.params));
    let value = |expr: &Option<Expr>| expr.iter().map(|e| teller.value(e, &s)).collect();
    let holds = |expr: &Option<Expr>| expr.iter().map(|e| teller.holds(e, &s)).collect();
    let block = |block| code(statements(ruleset, block));
    let phases: Vec<&str> = rule.phases.iter().map(|(p, _)| p.as_str()).collect();
    let takes = rule.params.iter().map(|param| {
        words(format!("{}: {}", param.name.replace('-', " "), kinds::param(ruleset, param)))
    });
    let mut before = vec![
        ("typed", code(rule.usage.as_ref().map(|_| usage_text(rule)).unwrap_or_default())),
        (if rule.usage.is_some() { "where" } else { "takes" }, takes.collect()),
        ("in the phase", vec![words(phases.join(", "))]),
        ("for", vec![each]),
    ];
    before.extend(rule.require.iter().map(|requirement| {
        let because = teller.quoted(&requirement.because, &s);
        let that = teller.holds(&requirement.that, &s);
        ("only if", vec![that, words(format!("else {because}"))])
    }));
    before.extend([
        ("first", block(&rule.before)),
        ("times", value(&rule.times)),
        ("roll", value(&rule.roll)),
    ]);
    let modified = if rule.modifiers.is_empty() { "" } else { " unmodified" };
    let chance = odds::of_need(rule).map(|chance| odds::percent(&chance) + modified);
    let needed = match (&rule.needs, &rule.passes) {
        (Some(_), Some(passes)) => teller.holds(passes, &s),
        (Some((operator, value)), None) => teller.needed(*operator, value, &s),
        (None, _) => words(""),
    };
    let verdict = |said: &Option<Template>, then| {
        let said = said.as_ref().map_or(String::new(), |t| teller.quoted(t, &s));
        vec![words(said), Cell::Code(statements(ruleset, then))]
    };
    let after = [
        ("needed", vec![needed, words(chance.unwrap_or_default())]),
        ("passed", verdict(&rule.pass_say, &rule.pass)),
        ("failed", verdict(&rule.fail_say, &rule.fail)),
    ];
    let tally = rule
        .tally
        .iter()
        .map(|(name, e)| teller.value(e, &s).prefixed(&format!("{}: ", name.text)));
    let dice = [
        ("thrown again", holds(&rule.reroll)),
        ("one more for", holds(&rule.more)),
        ("added up", tally.collect()),
    ];
    let mut blocks = heading(&rule.title, &rule.cite, &rule.note);
    blocks.extend(parts(before));
    blocks.extend(parts(dice));
    blocks.extend(modifiers(rule, teller, &s));
    blocks.extend(parts(after));
    if !rule.table.is_empty() {
        blocks.push(results(ruleset, rule, None, Some((teller, &s))));
    }
    let gives = rule.gives.iter().chain(&rule.also_gives).map(|e| teller.value(e, &s));
    blocks.extend(parts([("then", block(&rule.after)), ("gives", gives.collect())]));
    blocks
}

/// Returns the table of results of a rule with its modifiers; only the row of a total, if one is given.
pub(super) fn rows(ruleset: &Ruleset, rule: &RuleText, total: Option<i64>) -> Vec<Block> {
    let mut blocks = heading(&rule.title, &rule.cite, &rule.note);
    blocks.push(results(ruleset, rule, total, None));
    blocks.extend(modifiers(rule, &Teller::as_written(ruleset), &Scope::default()));
    blocks
}

/// Returns the rows of a rule, each with its chance; what follows from them, if there is somebody to tell it.
fn results(
    ruleset: &Ruleset,
    rule: &RuleText,
    total: Option<i64>,
    told: Option<(&Teller<'_>, &Scope)>,
) -> Block {
    let shows = told.filter(|_| rule.table.iter().any(|r| !r.block.is_empty())).is_some();
    let odds = odds::of_rule(rule);
    let mut headings = vec![rule.roll.as_ref().map_or("total".into(), |r| source(ruleset, r))];
    let modified = if rule.modifiers.is_empty() { "chance" } else { "unmodified" };
    headings.extend(odds.iter().map(|_| modified.to_owned()));
    headings.push(String::new());
    headings.extend(shows.then(|| "what follows".to_owned()));
    let row = |row: &TableRow| {
        let when = row.when.as_ref().zip(told).map(|(when, (teller, s))| teller.holds(when, s));
        let mut cells = vec![when.unwrap_or_else(|| words(&row.label))];
        let chance = |odds| odds::of_row(odds, &rule.table, row).map(|p| odds::percent(&p));
        cells.extend(odds.iter().map(|odds| words(chance(odds).unwrap_or_default())));
        let said = row.say.as_ref().map(|t| match told {
            Some((teller, s)) => teller.template(t, s),
            None => template(&ruleset.sources, t),
        });
        cells.push(words(said.unwrap_or_default()));
        cells.extend(shows.then(|| Cell::Code(statements(ruleset, &row.block))));
        cells
    };
    let rows = rule.table.iter().filter(|row| total.is_none_or(|t| row.on.holds(t)));
    rows_or_remark(headings, rows.map(row).collect(), total)
}

/// Returns the modifiers of a rule, if it has any.
fn modifiers(rule: &RuleText, teller: &Teller<'_>, s: &Scope) -> Option<Block> {
    let row = |m: &Modifier| {
        let when = m.when.as_ref().map_or_else(|| words(""), |w| teller.holds(w, s));
        vec![teller.added(m, s), words(teller.template(&m.because, s)), when]
    };
    let rows: Vec<Vec<Cell>> = rule.modifiers.iter().map(row).collect();
    (!rows.is_empty()).then(|| table(["added", "for", "when"], rows))
}

/// Returns what the roll of a rule needs as it is written: `≥ 4`.
fn need(ruleset: &Ruleset, rule: &RuleText) -> Option<String> {
    let (operator, value) = rule.needs.as_ref()?;
    let value = rule.passes.as_ref().unwrap_or(value);
    Some(format!("{} {}", check::sign(*operator), source(ruleset, value)))
}

fn code(text: String) -> Vec<Cell> {
    vec![Cell::Code(text)]
}

/// Returns named parts, if there are any; empty cells and parts without cells are left out.
pub(super) fn parts<'a>(all: impl IntoIterator<Item = (&'a str, Vec<Cell>)>) -> Option<Block> {
    let filled = |(name, mut cells): (&str, Vec<Cell>)| {
        cells.retain(|cell| !cell.text().is_empty());
        (!cells.is_empty()).then(|| (name.to_owned(), cells))
    };
    let parts: Vec<(String, Vec<Cell>)> = all.into_iter().filter_map(filled).collect();
    (!parts.is_empty()).then_some(Block::Parts(parts))
}
