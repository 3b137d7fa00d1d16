//! The reports to a host of calls, turns and loops.

use adjutant_dice::Pool;

use crate::language::machine::{BoundName, Halt, Host, Machine, Question, RandomLot, World};
use crate::language::schema::{RuleId, Type};
use crate::ruleset::{FileText, Ruleset, load};
use crate::tabletop::Tabletop;

const BASE_RULES: &str = r#"
[game]
title = "Hooks"
author = "nobody"
[state]
n = { from = 0, to = 99 }
[list.gun]
columns = ["title"]
[list.gun.rows]
musket = ["Musket"]
rifle = ["Rifle"]
[kind.man]
plural = "men"
gun = { of = "gun" }
skill = { from = 0, to = 9 }
tired = { flag = true }
on_add = 'self.skill = 3'
"#;

/// Writes down calls, turns, loops and what is said.
pub(super) struct Listener {
    pub(super) reports: bool,
    pub(super) heard: Vec<String>,
}

impl Listener {
    fn note_report(&mut self, what: &str, bound: &[BoundName<'_>]) {
        let mut line = what.to_owned();
        for BoundName { name, ty, value } in bound {
            let ty = if matches!(ty, Type::Piece(_)) { "row " } else { "" };
            line += &format!(" {name}={ty}{value}");
        }
        self.heard.push(line);
    }
}

impl Host for Listener {
    fn wants_reports(&self) -> bool {
        self.reports
    }
    fn roll_pool(&mut self, _pool: &Pool) -> Result<i64, Halt> {
        Ok(4)
    }
    fn roll_dice(&mut self, count: u32, _sides: u32) -> Result<i64, Halt> {
        Ok(i64::from(count))
    }
    fn draw_lot(&mut self, _lot: RandomLot<'_>, _names: &[String]) -> Result<usize, Halt> {
        Ok(0)
    }
    fn ask(&mut self, question: Question) -> Result<i64, Halt> {
        Err(Halt::Question(question))
    }
    fn overrides_refusal(&mut self, _reason: String) -> bool {
        false
    }
    fn on_call_begin(&mut self, rule: RuleId, bound: &[BoundName<'_>]) {
        self.note_report(&format!("call {}", rule.index()), bound);
    }
    fn on_call_end(&mut self, value_used: bool) {
        self.note_report(if value_used { "end, used" } else { "end" }, &[]);
    }
    fn on_names_bound(&mut self, bound: &[BoundName<'_>], turn: bool) {
        self.note_report(if turn { "turn" } else { "at" }, bound);
    }
    fn on_say(&mut self, text: String) {
        self.note_report(&text, &[]);
    }
}

/// The events of the statements of a rule `go`, after these parts of a ruleset; rules are numbered in their
/// order there.
pub(super) fn reports_heard(parts: &str, go: &str, reports: bool) -> Vec<String> {
    run_rule(&rules_with(parts, go), "go", &[], reports)
}

/// Returns why these statements cannot be run, after these parts of a ruleset.
pub(super) fn halt_of_run(parts: &str, go: &str) -> Halt {
    try_rule(&rules_with(parts, go), "go", &[], false).0.unwrap_err()
}

fn rules_with(parts: &str, go: &str) -> String {
    format!("{BASE_RULES}{parts}\n[rule.go]\nusage = \"go\"\nbefore = '''\n{go}\n'''\n")
}

fn run_rule(text: &str, rule: &str, arguments: &[i64], reports: bool) -> Vec<String> {
    let (done, heard) = try_rule(text, rule, arguments, reports);
    done.unwrap();
    heard
}

fn try_rule(
    text: &str,
    rule: &str,
    arguments: &[i64],
    reports: bool,
) -> (Result<i64, Halt>, Vec<String>) {
    let file = FileText { name: "hooks.toml".into(), text: text.into(), scenario: None };
    let rules: Ruleset = load(vec![file]).unwrap();
    let mut table = Tabletop::new(rules.schema.clone(), &rules.program.indexed);
    for name in ["anna", "bert"] {
        table.make_piece(rules.schema.kind_named("man").unwrap(), Some(name), "").unwrap();
    }
    let rule = &rules.schema.rules[rules.schema.rule_named(rule).unwrap().index()];
    let mut machine = Machine::new(&rules.schema, &rules.program);
    let mut host = Listener { reports, heard: Vec::new() };
    let function = rule.entry.unwrap_or(rule.function);
    let done = machine.call(function, arguments, &mut table, &mut host);
    (done, host.heard)
}

#[test]
fn a_call_begins_with_its_parameters_and_lists_are_left_out() {
    let rule = "[rule.shoot]\ntakes = \"who: man, range: 0.0..9.0, those: man+, wild: flag, with: gun\"\n\
                after = 'say \"bang\"'";
    let go = "shoot(last(men), 1.5, (m in men where true), true, rifle)";
    let half = crate::language::number::Number::new(3, 2).unwrap().to_bits();
    let begins = format!("call 0 who=row 1 range={half} wild=1 with=row 1");
    assert_eq!(reports_heard(rule, go, true), [&begins, "bang", "end"]);
}

#[test]
fn the_value_of_a_call_in_an_expression_is_used_and_that_of_a_statement_is_not() {
    let rule = "[rule.hit]\ntakes = \"n: whole\"\ngives = 'n + 1'";
    assert_eq!(reports_heard(rule, "hit(1)", true), ["call 0 n=1", "end"]);
    assert_eq!(reports_heard(rule, "state.n = 2 + hit(1)", true), ["call 0 n=1", "end, used"]);
    // The value of the inner call is an argument.
    let nested = ["call 0 n=1", "end, used", "call 0 n=2", "end"];
    assert_eq!(reports_heard(rule, "hit(hit(1))", true), nested);
    assert_eq!(reports_heard(rule, "abs(hit(1))", true), ["call 0 n=1", "end, used"]);
    assert_eq!(
        reports_heard(rule, "if hit(1) > 1 { say \"yes\" }", true),
        ["call 0 n=1", "end, used", "yes"]
    );
}

#[test]
fn a_call_inside_a_call_ends_first() {
    let rules = "[rule.outer]\ntakes = \"m: man\"\nbefore = '''\nlet n = inner(m, 7)\nlast-words(n)\n'''\n\
                 [rule.inner]\ntakes = \"m: man, n: whole\"\ngives = 'n'\n\
                 [rule.last-words]\ntakes = \"n: whole\"\nafter = 'say \"{n}\"'";
    assert_eq!(
        reports_heard(rules, "outer(first(men))", true),
        ["call 0 m=row 0", "call 1 m=row 0 n=7", "end, used", "call 2 n=7", "7", "end", "end"]
    );
}

#[test]
fn what_is_left_out_is_filled_in_before_the_call_begins() {
    let rule = "[rule.pace]\nusage = \"pace <who:man> [range <n:0..9>]\"\ndefault = { n = 'state.n + 2' }\n\
                gives = 'n'";
    assert_eq!(reports_heard(rule, "pace(first(men))", true), ["call 0 who=row 0 n=2", "end"]);
    assert_eq!(
        reports_heard(rule, "state.n = pace(first(men))", true),
        ["call 0 who=row 0 n=2", "end, used"]
    );
    // The umpire calls it: nothing goes on by the value.
    assert_eq!(
        run_rule(&format!("{BASE_RULES}{rule}"), "pace", &[1, 0, 0], true),
        ["call 0 who=row 1 n=2", "end"]
    );
}

#[test]
fn each_turn_of_a_sweep_begins_with_its_pieces() {
    let rule = "[rule.drill]\neach = 'm in men, n in 1..2 where m.name != \"anna\" or n = 2'\n\
                before = 'say \"{m} {n}\"'";
    let rule = rule.replace("m.name", "name(m)");
    assert_eq!(
        reports_heard(&rule, "drill()", true),
        [
            "call 0",
            "turn m=row 0 n=2",
            "anna 2",
            "turn m=row 1 n=1",
            "bert 1",
            "turn m=row 1 n=2",
            "bert 2",
            "end"
        ]
    );
}

#[test]
fn loops_in_statements_tell_the_member_they_stand_at() {
    let go = "each m in men where m.skill < 9, n in 1..2 {\nif n = 2 { say \"{m}\" }\n}";
    assert_eq!(
        reports_heard("", go, true),
        [
            "at m=row 0",
            "at m=row 0 n=1",
            "at m=row 0 n=2",
            "anna",
            "at m=row 0",
            "at m=row 1",
            "at m=row 1 n=1",
            "at m=row 1 n=2",
            "bert",
            "at m=row 1",
            "at"
        ]
    );
    // Loops in expressions decide nothing of their own.
    assert_eq!(reports_heard("", "state.n = count m in men: m.skill < 9", true), [""; 0]);
    assert_eq!(reports_heard("", "repeat 2 times { say \"x\" }", true), ["x", "x"]);
}

#[test]
fn nothing_of_it_is_told_to_a_host_that_does_not_report() {
    let rules = "[rule.drill]\neach = 'm in men'\nbefore = 'state.n += hit(m)'\n\
                 [rule.hit]\ntakes = \"m: man\"\ngives = 'm.skill'";
    let go = "drill()\neach m in men { hit(m) }";
    assert_eq!(reports_heard(rules, go, false), [""; 0]);
    assert_eq!(reports_heard(rules, go, true).len(), 2 + 2 + 2 * 2 + 2 + 2 * 2 + 1);
}
