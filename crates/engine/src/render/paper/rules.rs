//! The turn, the rules with every check and its probability, and the definitions.

use super::blocks::{
    expression_source, heading, paragraph, rows_or_remark, statements_source, table, text_cell,
};
use super::english::{English, Scope};
use super::kinds;
use crate::command::usage_text;
use crate::language::rule::{Modifier, OpposingRoll, RuleText};
use crate::language::schema::{CodeUnit, FunctionId, Type};
use crate::language::syntax::{Expr, ExprKind, Operator, Statements, TextTemplate};
use crate::render::document::{Block, Cell};
use crate::render::odds;
use crate::ruleset::{GameEnd, Round, Ruleset};

/// Returns the phases of the turn with their verbs, one line each.
pub(super) fn turn_in_short(ruleset: &Ruleset) -> Vec<Block> {
    let phases = ruleset.phases.iter().enumerate().map(|(index, phase)| {
        // A phase without a title uses its name as the title, so the name isn't repeated.
        let called = if phase.title == phase.name.replace('-', " ") { "" } else { &phase.name };
        let verbs: Vec<&str> = phase.verbs.iter().map(|v| v.0.as_str()).collect();
        [(index + 1).to_string(), phase.title.clone(), called.to_owned(), verbs.join(", ")]
            .map(text_cell)
            .to_vec()
    });
    table_with_heading("The turn", ["", "phase", "called", "verbs"], phases.collect())
}

/// Returns the verbs, each with its usage and title.
pub(super) fn verbs(ruleset: &Ruleset) -> Vec<Block> {
    let verbs = ruleset.schema.rules.iter().filter(|r| r.usage.is_some());
    let verbs = verbs.map(|r| vec![Cell::Code(usage_text(r)), text_cell(&r.title)]);
    table_with_heading("Commands", ["typed", ""], verbs.collect())
}

/// Returns the rules with a need, each with its probability and modifiers in one row.
pub(super) fn checks(english: &English<'_>) -> Vec<Block> {
    let checks = english.ruleset.schema.rules.iter().filter(|r| r.needs.is_some());
    let checks = checks.map(|rule| {
        let s = english.scope(rule);
        let mut modifiers: Vec<String> = Vec::new();
        for Modifier { by, because, .. } in &rule.modifiers {
            let amount = english.modifier_phrase(by, &s);
            let why = english.template(because, &s);
            let is_fixed = amount.chars().all(|c| !c.is_alphabetic());
            modifiers.push(if is_fixed {
                format!("{amount} {why}")
            } else {
                format!("{amount} ({why})")
            });
        }
        let roll = rule.roll.as_ref().map(|r| expression_source(english.ruleset, r));
        let chance = odds::need_chance(rule).map(|p| odds::percent(&p));
        let needed = need_words(rule, english, &s);
        vec![
            text_cell(&rule.title),
            Cell::Code(roll.unwrap_or_default()),
            text_cell(needed),
            text_cell(chance.unwrap_or_default()),
            text_cell(modifiers.join("; ")),
        ]
    });
    table_with_heading("Checks", ["", "roll", "needs", "chance", "modifiers"], checks.collect())
}

/// Returns a table under a heading, or nothing if it has no rows.
fn table_with_heading<const N: usize>(
    title: &str,
    headings: [&str; N],
    rows: Vec<Vec<Cell>>,
) -> Vec<Block> {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut blocks = heading(title, "", "");
    blocks.push(table(headings, rows));
    blocks
}

/// Returns all phases of the turn, and the ends of the game.
pub(super) fn turn(english: &English<'_>) -> Vec<Block> {
    let Ruleset { phases, ends, .. } = english.ruleset;
    let phases = (0..phases.len()).flat_map(|index| phase_blocks(english, index));
    phases.chain(ends.iter().flat_map(|end| self::end_blocks(english, end))).collect()
}

/// Returns a cell with a function's statements as they are written, or with its expression in
/// English.
fn function_source(english: &English<'_>, function: Option<FunctionId>) -> Vec<Cell> {
    let unit = function.and_then(|function| english.unit(function));
    let scope = match unit {
        Some(CodeUnit::Step(step, _)) => Scope::in_step(*step),
        _ => Scope::default(),
    };
    vec![match unit.map(CodeUnit::without_step) {
        Some(CodeUnit::Block(_, block)) => Cell::Code(statements_source(english.ruleset, block)),
        Some(CodeUnit::Value(_, Some(Type::Flag), expr)) => {
            text_cell(english.condition_clause(expr, &scope))
        }
        Some(CodeUnit::Value(_, _, expr)) => text_cell(english.value_phrase(expr, &scope)),
        _ => text_cell(""),
    }]
}

/// Returns the blocks that describe an end of the game.
fn end_blocks(english: &English<'_>, end: &GameEnd) -> Vec<Block> {
    let all = vec![
        ("when", function_source(english, Some(end.when))),
        ("wins", function_source(english, end.winner)),
        ("by", function_source(english, end.margin)),
        ("said", function_source(english, end.say)),
    ];
    let title = match english.ruleset.scenario(&end.scenario) {
        Some(scenario) => format!("The game ends: {}", scenario.title),
        None => "The game ends".to_owned(),
    };
    let mut blocks = heading(&title, &end.cite, "");
    blocks.extend(parts_table(all));
    blocks
}

/// Returns a phase with the rule text that belongs to it.
pub(super) fn phase_blocks(english: &English<'_>, index: usize) -> Vec<Block> {
    let phase = &english.ruleset.phases[index];
    let verbs: Vec<&str> = phase.verbs.iter().map(|(v, _)| v.as_str()).collect();
    let mut all = Vec::new();
    let round = phase.round.and_then(|round| english.ruleset.rounds.get(round));
    if let Some(round) = round {
        all.extend([
            ("played by", vec![text_cell(round_words(round))]),
            ("lowest first", function_source(english, phase.turns.as_ref().and_then(|t| t.order))),
        ]);
    } else if let Some(turns) = &phase.turns {
        let how = match &turns.alternate {
            None => "the sides, one after another".to_owned(),
            Some(flag) => {
                format!("the sides alternately, one piece at a time, until all are {flag}")
            }
        };
        all.extend([
            ("played by", vec![text_cell(how)]),
            ("lowest first", function_source(english, turns.order)),
        ]);
    }
    if let Some(activation) = &phase.activation {
        let kind = english.ruleset.schema.kind(activation.kind);
        let scope = Scope::default();
        let actions = english.value_phrase(&activation.actions, &scope);
        all.push(("acts", vec![text_cell(format!("one {} at a time", kind.name))]));
        all.push(("actions", vec![text_cell(actions)]));
    }
    let mut code = CodeParts::new(&phase.reads);
    all.extend([
        ("skipped if", function_source(english, phase.skip)),
        ("automatic", code.place("automatic", function_source(english, phase.begin))),
        ("typed", vec![text_cell(verbs.join(", "))]),
    ]);
    // The reminders of a round are listed in its first phase.
    let begins = round.filter(|begun| *begun.phases.start() == index);
    let of_round = begins.map_or(&[][..], |begun| &begun.reminders);
    let reminders = of_round.iter().chain(&phase.reminders).map(|&f| ("remember", f));
    let left = phase.left.iter().map(|left| ("left to do", left.function));
    for (name, function) in reminders.chain(left) {
        if let Some(CodeUnit::Remind(remind)) = english.unit(function).map(CodeUnit::without_step) {
            let (each, scope) = english.sweeps(&remind.each, &Scope::default());
            let mut cells = vec![text_cell(english.quoted(&remind.say, &scope))];
            cells.extend((!each.is_empty()).then(|| text_cell(format!("for {each}"))));
            let when =
                remind.when.iter().map(|w| format!("when {}", english.condition_clause(w, &scope)));
            cells.extend(when.map(text_cell));
            all.push((name, cells));
        }
    }
    all.push(("at its end", code.place("at its end", function_source(english, phase.end))));
    let mut blocks = heading(&format!("{} {}", index + 1, phase.title), &phase.cite, &phase.reads);
    blocks.extend(parts_table(all));
    blocks.extend(code.small_print());
    blocks
}

/// Describes who plays the phases of a round, and in which order.
fn round_words(round: &Round) -> String {
    let first = round.phases.start() + 1;
    let last = round.phases.end() + 1;
    let title = &round.title;
    if first == last {
        return format!("the sides, one after another ({title})");
    }
    format!("each side in turn plays phases {first} to {last} ({title})")
}

/// Returns all definitions.
pub(super) fn definitions(english: &English<'_>) -> Vec<Block> {
    let ruleset = english.ruleset;
    let all = ruleset.schema.units.iter().flatten().filter_map(|unit| match unit {
        CodeUnit::Define(id, expr) => {
            let define = &ruleset.schema.defines[id.index()];
            let params: Vec<String> =
                define.params.iter().map(|p| p.name.replace('-', " ")).collect();
            let of = if params.is_empty() { "" } else { " of " };
            let name = format!("{}{of}{}", define.name, params.join(", "));
            let ty =
                ruleset.program.results.get(define.function.index()).map_or(Type::Unknown, |r| r.0);
            let told = english.value_or_condition(expr, ty, &Scope::of(&define.params));
            let cells = vec![text_cell(told), text_cell(&define.note)];
            Some((name, cells))
        }
        _ => None,
    });
    let all: Vec<(String, Vec<Cell>)> = all.collect();
    parts_table(all.iter().map(|(name, cells)| (name.as_str(), cells.clone())))
        .into_iter()
        .collect()
}

/// Returns a rule with the probability of its check and of each row.
pub(super) fn rule_blocks(english: &English<'_>, rule: &RuleText) -> Vec<Block> {
    let ruleset = english.ruleset;
    let (each, s) = english.sweeps(&rule.each, &Scope::of(&rule.params));
    let phases: Vec<&str> = rule.phases.iter().map(|(p, _)| p.as_str()).collect();
    let takes = rule.params.iter().map(|param| {
        text_cell(format!(
            "{}: {}",
            param.name.replace('-', " "),
            kinds::param_values(ruleset, param)
        ))
    });
    let seen_by = |secret_for| text_cell(kinds::secret_for_words(english, secret_for));
    let mut before = vec![
        ("typed", code_cell(rule.usage.as_ref().map(|_| usage_text(rule)).unwrap_or_default())),
        (if rule.usage.is_some() { "where" } else { "takes" }, takes.collect()),
        ("in the phase", vec![text_cell(phases.join(", "))]),
        ("actions", value_cell(english, rule.actions.as_ref(), &s)),
        ("for", vec![text_cell(each)]),
        ("seen by", rule.secret_for.map(seen_by).into_iter().collect()),
    ];
    before.extend(rule.require.iter().map(|requirement| {
        let because = english.quoted(&requirement.because, &s);
        let that = english.condition_clause(&requirement.that, &s);
        ("only if", vec![text_cell(that), text_cell(format!("else {because}"))])
    }));
    let mut code = CodeParts::new(&rule.reads);
    let source = |block: &Statements| code_cell(statements_source(ruleset, block));
    before.extend([
        ("first", code.place("first", source(&rule.before))),
        ("times", value_cell(english, rule.times.as_ref(), &s)),
        ("roll", value_cell(english, rule.roll.as_ref(), &s)),
        (
            "against",
            rule.versus.as_deref().map(|v| against_cells(english, v, &s)).unwrap_or_default(),
        ),
    ]);
    let modified = if rule.modifiers.is_empty() { "" } else { " unmodified" };
    let chance = odds::need_chance(rule).map(|chance| odds::percent(&chance) + modified);
    let mut passed = vec![said(english, rule.pass_say.as_ref(), &s)];
    passed.extend(code.place("if passed", source(&rule.pass)));
    let mut failed = vec![said(english, rule.fail_say.as_ref(), &s)];
    failed.extend(code.place("if failed", source(&rule.fail)));
    let then = code.place("at the end", source(&rule.after));
    let after = [
        (
            "needed",
            vec![text_cell(need_words(rule, english, &s)), text_cell(chance.unwrap_or_default())],
        ),
        ("passed", passed),
        ("failed", failed),
    ];
    let tally = rule
        .tally
        .iter()
        .map(|(name, e)| text_cell(format!("{}: {}", name.text, english.value_phrase(e, &s))));
    let dice = [
        ("rolled again", condition_cell(english, rule.reroll.as_ref(), &s)),
        ("may be rolled again", reroll_cells(english, rule, &s)),
        ("one more for", condition_cell(english, rule.more.as_ref(), &s)),
        ("added up", tally.collect()),
    ];
    let mut blocks = heading(&rule.title, &rule.cite, &rule.reads);
    blocks.extend(paragraph(&rule.note));
    blocks.extend(parts_table(before));
    blocks.extend(parts_table(dice));
    blocks.extend(modifiers_tables(rule, english, &s));
    blocks.extend(parts_table(after));
    if !rule.table.is_empty() {
        let follows = !code.is_in_words && rule.table.iter().any(|row| !row.block.is_empty());
        blocks.push(results_table(english, rule, None, follows));
    }
    let gives =
        rule.gives.iter().chain(&rule.also_gives).map(|e| text_cell(english.value_phrase(e, &s)));
    blocks.extend(parts_table([("then", then), ("gives", gives.collect())]));
    for row in &rule.table {
        code.place(&row.label, source(&row.block));
    }
    blocks.extend(code.small_print());
    blocks
}

/// The statements of a rule or phase. If the author has put them into words, the statements
/// themselves are printed last, in small print, for readers who need them exactly.
struct CodeParts {
    is_in_words: bool,
    small_print: Vec<(String, Vec<Cell>)>,
}

impl CodeParts {
    /// Returns an empty collection for a rule or phase with this description.
    fn new(reads: &str) -> CodeParts {
        CodeParts { is_in_words: !reads.is_empty(), small_print: Vec::new() }
    }

    /// Returns the cells to print where the statements belong; empty if the statements are in small
    /// print.
    fn place(&mut self, name: &str, cells: Vec<Cell>) -> Vec<Cell> {
        if !self.is_in_words {
            return cells;
        }
        self.small_print.extend(named_parts([(name, cells)]));
        Vec::new()
    }

    /// Returns the small print, if there is any.
    fn small_print(self) -> Option<Block> {
        (!self.small_print.is_empty()).then_some(Block::SmallPrint(self.small_print))
    }
}

/// Returns a cell with the words of an outcome.
fn said(english: &English<'_>, words: Option<&TextTemplate>, s: &Scope) -> Cell {
    text_cell(words.map_or(String::new(), |words| english.quoted(words, s)))
}

/// Returns a cell with a value, if there is one.
fn value_cell(english: &English<'_>, expr: Option<&Expr>, s: &Scope) -> Vec<Cell> {
    expr.iter().map(|expr| text_cell(english.value_phrase(expr, s))).collect()
}

/// Returns a cell with a condition, if there is one.
fn condition_cell(english: &English<'_>, expr: Option<&Expr>, s: &Scope) -> Vec<Cell> {
    expr.iter().map(|expr| text_cell(english.condition_clause(expr, s))).collect()
}

/// Returns the condition under which someone may choose to reroll, and the cost.
fn reroll_cells(english: &English<'_>, rule: &RuleText, s: &Scope) -> Vec<Cell> {
    let Some(choice) = &rule.reroll_choice else { return Vec::new() };
    let mut cells = condition_cell(english, Some(&choice.may), s);
    cells.push(Cell::Code(statements_source(english.ruleset, &choice.cost)));
    cells
}

/// Returns the roll of the other side: its label and dice.
fn against_cells(english: &English<'_>, opposing: &OpposingRoll, s: &Scope) -> Vec<Cell> {
    let label = english.template(&opposing.label, s);
    vec![text_cell(label), text_cell(english.value_phrase(&opposing.roll, s))]
}

/// Returns the table of results of a rule with its modifiers. If a total is given, the table has
/// only the row for that total.
pub(super) fn results_and_modifiers(
    english: &English<'_>,
    rule: &RuleText,
    total: Option<i64>,
) -> Vec<Block> {
    let mut blocks = heading(&rule.title, &rule.cite, &rule.note);
    blocks.push(results_table(english, rule, total, false));
    blocks.extend(modifiers_tables(rule, english, &english.scope(rule)));
    blocks
}

/// Returns the rows of a rule, each with its probability, and with its consequences if `follows` is
/// true.
fn results_table(
    english: &English<'_>,
    rule: &RuleText,
    total: Option<i64>,
    follows: bool,
) -> Block {
    let ruleset = english.ruleset;
    let s = &english.scope(rule);
    let distribution = odds::table_distribution(rule);
    let mut headings = vec![match (&rule.versus, &rule.roll) {
        (Some(_), _) => "margin".to_owned(),
        (None, Some(roll)) => expression_source(ruleset, roll),
        (None, None) => "total".to_owned(),
    }];
    if distribution.is_some() {
        let modified = if rule.modifiers.is_empty() { "chance" } else { "unmodified" };
        headings.push(modified.to_owned());
    }
    headings.push(String::new());
    if follows {
        headings.push("consequences".to_owned());
    }
    let mut rows = Vec::new();
    for row in rule.table.iter().filter(|row| total.is_none_or(|t| row.on.holds(t))) {
        let when = row.when.as_ref().map(|when| english.condition_clause(when, s));
        let mut cells = vec![text_cell(when.unwrap_or_else(|| row.label.clone()))];
        if let Some(distribution) = &distribution {
            let chance =
                odds::row_chance(distribution, &rule.table, row).map(|p| odds::percent(&p));
            cells.push(text_cell(chance.unwrap_or_default()));
        }
        let said = row.say.as_ref().map(|t| english.template(t, s));
        let result =
            if row.reads.is_empty() { said.unwrap_or_default() } else { row.reads.clone() };
        cells.push(text_cell(result));
        if follows {
            cells.push(Cell::Code(statements_source(ruleset, &row.block)));
        }
        rows.push(cells);
    }
    rows_or_remark(headings, rows, total)
}

/// Returns the modifiers of a rule and, if there is an opposing roll, the modifiers of the other
/// side.
fn modifiers_tables(rule: &RuleText, english: &English<'_>, s: &Scope) -> Vec<Block> {
    let opposing = rule.versus.as_deref();
    let theirs =
        opposing.map(|v| (format!("added for {}", english.template(&v.label, s)), &v.modifiers));
    let ours = ("added".to_owned(), &rule.modifiers);
    let mut tables = Vec::new();
    for (heading, modifiers) in std::iter::once(ours).chain(theirs) {
        if modifiers.is_empty() {
            continue;
        }
        let rows = modifiers.iter().map(|Modifier { by, because, when, .. }| {
            let when =
                when.as_ref().map_or(String::new(), |when| english.condition_clause(when, s));
            [english.modifier_phrase(by, s), english.template(because, s), when]
                .map(text_cell)
                .to_vec()
        });
        tables.push(table([heading.as_str(), "for", "when"], rows.collect()));
    }
    tables
}

/// Returns the need of a rule's roll, such as `at least 4`; empty if the rule has no need.
fn need_words(rule: &RuleText, english: &English<'_>, s: &Scope) -> String {
    match (&rule.needs, &rule.passes) {
        (Some((operator, value)), Some(passes)) => {
            english.condition_clause(&with_need(passes, *operator, value), s)
        }
        (Some((operator, value)), None) => english.need_phrase(*operator, value, s),
        (None, _) => String::new(),
    }
}

/// Returns the condition under which a roll passes. In it, the comparison with the needed number
/// replaces `passed`.
fn with_need(passes: &Expr, operator: Operator, value: &Expr) -> Expr {
    let within = |e: &Expr| Box::new(with_need(e, operator, value));
    let kind = match &passes.kind {
        ExprKind::Name(name) if name == "passed" => {
            let total = Expr { kind: ExprKind::Name("total".to_owned()), span: passes.span };
            return total.combined_with(operator, value.clone());
        }
        ExprKind::Not(e) => ExprKind::Not(within(e)),
        ExprKind::Binary(both @ (Operator::And | Operator::Or), left, right) => {
            ExprKind::Binary(*both, within(left), within(right))
        }
        _ => return passes.clone(),
    };
    Expr { kind, span: passes.span }
}

fn code_cell(text: String) -> Vec<Cell> {
    vec![Cell::Code(text)]
}

/// Returns named parts, if there are any. Empty cells, and parts that have no cells, are left out.
pub(super) fn parts_table<'a>(
    all: impl IntoIterator<Item = (&'a str, Vec<Cell>)>,
) -> Option<Block> {
    let parts = named_parts(all);
    (!parts.is_empty()).then_some(Block::Parts(parts))
}

/// Returns named parts, leaving out empty cells and parts that have no cells.
fn named_parts<'a>(
    all: impl IntoIterator<Item = (&'a str, Vec<Cell>)>,
) -> Vec<(String, Vec<Cell>)> {
    let mut parts: Vec<(String, Vec<Cell>)> = Vec::new();
    for (name, mut cells) in all {
        cells.retain(|cell| !cell.text().is_empty());
        if !cells.is_empty() {
            parts.push((name.to_owned(), cells));
        }
    }
    parts
}
