//! Compiles checks: rolls of dice with modifiers, the numbers needed, tables of results, and
//! repeated rolls.

use adjutant_dice::Die;

use crate::diagnostic::{Declaration, Diagnostic, Fault, Faults};
use crate::language::code::{NumberOp, Op, Reg, TemplateId, UNPATCHED};
use crate::language::compile::Compiler;
use crate::language::compile::builder::Operand;
use crate::language::rule::{Modifier, OpposingRoll, RerollChoice, RuleText, TableRow};
use crate::language::schema::{RowRange, Type};
use crate::language::syntax::{Expr, ExprKind, TemplatePart, TextTemplate};

/// The maximum number of rounds of additional dice, after the first round. Dice that explode in
/// dice notation have the same limit.
const MOST_ROUNDS: i64 = 20;

/// The registers of a check with several dice.
struct DiceRegisters {
    /// The sum of the modifiers.
    sum: Operand,
    natural: Reg,
    total: Reg,
    passed: Reg,
    passes: Reg,
    /// The number of dice to roll again.
    again: Reg,
    /// The number of extra dice that this round adds.
    further: Reg,
    tally: Vec<Reg>,
}

/// Returns the text that shows the sums of a rule, such as `sixes 6, ones 2`; `None` if the rule has
/// no sums.
fn tally_words(rule: &RuleText) -> Option<TextTemplate> {
    let span = rule.tally.first()?.0.span;
    let mut parts = Vec::new();
    for (name, _) in &rule.tally {
        let comma = if parts.is_empty() { "" } else { ", " };
        parts.push(TemplatePart::Text(format!("{comma}{} ", name.text)));
        parts.push(TemplatePart::Value(Expr { kind: ExprKind::Name(name.text.clone()), span }));
    }
    Some(TextTemplate { parts, span })
}

impl Compiler<'_> {
    pub(super) fn check(&mut self, rule: &RuleText, roll: &Expr) {
        // With `times`, a rule with a table makes a separate check for each roll; a rule with a need
        // or with sums makes a single check of all dice.
        let Some(times) = &rule.times else { return self.single_check(rule, roll) };
        let last = self.repetitions(times);
        if rule.needs.is_some() || !rule.tally.is_empty() {
            return self.repeated_check(rule, roll, last);
        }
        self.counted_loop(last, |c| {
            let known = c.b.locals.len();
            c.single_check(rule, roll);
            c.b.locals.truncate(known);
        });
    }

    /// Compiles a number of repetitions into a new register, and a check that the number is within
    /// the limit.
    pub(super) fn repetitions(&mut self, times: &Expr) -> Reg {
        let last = self.b.alloc();
        let n = self.expect(times, Type::Whole);
        self.with_span(times.span, |c| c.emit(Op::Repeats { a: n.reg }));
        self.emit(Op::Move { d: last, s: n.reg });
        last
    }

    /// Compiles a loop from 1 to the value of `last`.
    pub(super) fn counted_loop(&mut self, last: Reg, body: impl FnOnce(&mut Self)) {
        let at = self.b.alloc();
        let d = self.b.alloc();
        self.emit(Op::Small { d: at, n: 1 });
        let head = self.b.next_target();
        let exit = self.emit(Op::NextNumber { d, at, last, end: UNPATCHED });
        self.b.enter_loop();
        body(self);
        self.b.patch_continues();
        self.emit(Op::Jump { to: head });
        self.b.patch_jump(exit);
        self.b.leave_loop();
    }

    /// Compiles the sum of the modifiers. The sum is a fraction if a modifier or the result of the
    /// dice may be a fraction.
    fn modifiers(&mut self, modifiers: &[Modifier], roll: &Expr) -> Operand {
        let pure = std::mem::replace(&mut self.b.pure, true);
        let dice = std::mem::replace(&mut self.b.dice, true);
        let rolled = self.probe_type(roll);
        self.b.dice = dice;
        let fraction = rolled == Type::Number
            || modifiers.iter().any(|m| self.probe_type(&m.by) == Type::Number);
        let ty = if fraction { Type::Number } else { Type::Whole };
        let start = if fraction { super::super::number::Number::ZERO.to_bits() } else { 0 };
        let sum = self.constant(start);
        let mut bounds = Some((0i64, 0i64));
        for modifier in modifiers {
            let mark = self.b.register_mark();
            let span = modifier.by.span;
            self.b.at = span;
            let mut skip = Vec::new();
            if let Some(when) = &modifier.when {
                self.jump_if(when, false, &mut skip);
            }
            let by = self.expr(&modifier.by, None);
            self.require_number_type(by, span);
            let by = self.coerce(by, ty, span);
            self.add_values(sum, by.reg, fraction);
            let silent = self.emit(Op::JumpIfSilent { to: UNPATCHED });
            let template = self.template(&modifier.because);
            self.emit(Op::Modify { value: by.reg, template, fraction });
            self.b.patch_jump(silent);
            self.b.patch_jumps(skip);
            self.b.release_registers(mark);
            bounds = bounds.zip(by.bounds).and_then(|((l, h), (a, b))| {
                let (a, b) = if modifier.when.is_some() { (a.min(0), b.max(0)) } else { (a, b) };
                Some((l.checked_add(a)?, h.checked_add(b)?))
            });
        }
        self.b.pure = pure;
        self.b.at = roll.span;
        Operand { reg: sum, ty, bounds }
    }

    pub(super) fn add_values(&mut self, d: Reg, b: Reg, fraction: bool) {
        self.emit(Op::Number { op: NumberOp::Add, fraction, d, a: d, b });
    }

    /// Compiles the roll of the dice into `natural`, and the total with all modifiers into `total`.
    fn throw_dice(&mut self, roll: &Expr, sum: Operand, natural: Reg, total: Reg) -> Operand {
        let mark = self.b.register_mark();
        let value = self.dice_value(roll);
        let value = self.coerce(value, sum.ty, roll.span);
        self.b.move_to(natural, value.reg, mark);
        if total != natural {
            let fraction = sum.ty == Type::Number;
            let b = sum.reg;
            self.emit(Op::Number { op: NumberOp::Add, fraction, d: total, a: natural, b });
        }
        self.b.release_registers(mark);
        let bounds = value.bounds.zip(sum.bounds);
        let bounds = bounds.and_then(|(v, s)| Some((v.0.checked_add(s.0)?, v.1.checked_add(s.1)?)));
        Operand { reg: total, ty: sum.ty, bounds }
    }

    /// Compiles the roll of the other side, which is reported on a separate line. Its total gets the
    /// name `theirs`.
    fn opposing_roll(&mut self, opposing: &OpposingRoll) -> Operand {
        self.b.at = opposing.roll.span;
        self.emit(Op::CheckBegin {});
        let sum = self.modifiers(&opposing.modifiers, &opposing.roll);
        let natural = self.b.alloc();
        let total = if opposing.modifiers.is_empty() { natural } else { self.b.alloc() };
        let thrown = self.throw_dice(&opposing.roll, sum, natural, total);
        self.emit(Op::Throw { natural, total, passed: None, fraction: sum.ty == Type::Number });
        let mark = self.b.register_mark();
        let silent = self.emit(Op::JumpIfSilent { to: UNPATCHED });
        let label = self.template(&opposing.label);
        self.emit(Op::CheckEnd { label });
        self.b.patch_jump(silent);
        self.b.release_registers(mark);
        self.declare_member("theirs", thrown, opposing.roll.span);
        thrown
    }

    /// Compiles the difference between the totals of both sides into a register.
    fn margin(&mut self, ours: Operand, theirs: Operand, d: Reg) -> Operand {
        let fraction = ours.ty == Type::Number || theirs.ty == Type::Number;
        let ty = if fraction { Type::Number } else { Type::Whole };
        let mark = self.b.register_mark();
        let [a, b] = [ours, theirs].map(|total| match total.ty {
            Type::Whole if fraction => self.widen_to_fraction(total).reg,
            _ => total.reg,
        });
        self.emit(Op::Number { op: NumberOp::Sub, fraction, d, a, b });
        self.b.release_registers(mark);
        let bounds = ours.bounds.zip(theirs.bounds);
        let bounds = bounds.and_then(|(o, t)| Some((o.0.checked_sub(t.1)?, o.1.checked_sub(t.0)?)));
        Operand { reg: d, ty, bounds }
    }

    fn single_check(&mut self, rule: &RuleText, roll: &Expr) {
        let theirs = rule.versus.as_deref().map(|opposing| self.opposing_roll(opposing));
        self.b.at = roll.span;
        self.emit(Op::CheckBegin {});
        let sum = self.modifiers(&rule.modifiers, roll);
        let natural = self.b.alloc();
        // Without modifiers, the total is the result of the dice.
        let total = if rule.modifiers.is_empty() { natural } else { self.b.alloc() };
        let passed = self.b.alloc();
        let thrown = self.throw_dice(roll, sum, natural, total);
        self.name_throw(natural, thrown);
        let margin = theirs.map(|theirs| {
            let d = self.b.alloc();
            let margin = self.margin(thrown, theirs, d);
            self.declare_member("margin", margin, roll.span);
            margin
        });
        self.judge(rule, thrown, passed);
        let kept = match (&rule.reroll, &rule.reroll_choice) {
            (Some(reroll), _) => Some(self.jumps_unless(reroll)),
            (None, Some(choice)) => Some(self.offer_reroll(choice)),
            (None, None) => None,
        };
        if let Some(kept) = kept {
            self.emit(Op::Reroll {});
            self.throw_dice(roll, sum, natural, total);
            if let (Some(theirs), Some(margin)) = (theirs, margin) {
                self.margin(thrown, theirs, margin.reg);
            }
            let known = self.b.locals.len();
            self.judge(rule, thrown, passed);
            self.b.locals.truncate(known);
            self.b.patch_jumps(kept);
        }
        let judged = rule.needs.is_some().then_some(passed);
        self.emit(Op::Throw { natural, total, passed: judged, fraction: sum.ty == Type::Number });
        if !rule.table.is_empty() {
            self.table_rows(rule, margin.unwrap_or(thrown));
        } else if judged.is_some() {
            self.branch_on_outcome(rule, passed);
        } else {
            self.end_check(rule, None);
        }
    }

    /// Compiles the choice to reroll, and its cost. Returns the jumps that are taken if the dice
    /// stay as they are.
    fn offer_reroll(&mut self, choice: &RerollChoice) -> Vec<usize> {
        let mut kept = self.jumps_unless(&choice.may);
        let mark = self.b.register_mark();
        let answer = self.b.alloc();
        self.with_span(choice.question.text.span, |c| c.ask_expression(&choice.question, answer));
        kept.push(self.emit(Op::JumpIfNot { a: answer, to: UNPATCHED }));
        self.b.release_registers(mark);
        self.block(&choice.cost);
        kept
    }

    /// Declares the names by which later statements can refer to the roll.
    fn name_throw(&mut self, natural: Reg, total: Operand) {
        self.b.add_local("natural", Operand { reg: natural, ty: total.ty, bounds: None }, true);
        self.b.add_local("total", total, true);
    }

    /// Compiles a condition about the dice. Returns the jumps that are taken if it is false.
    fn jumps_unless(&mut self, condition: &Expr) -> Vec<usize> {
        let mut jumps = Vec::new();
        self.without_effects(|c| c.jump_if(condition, false, &mut jumps));
        jumps
    }

    /// Compiles the comparison of the total with the number needed, if there is one, and the report
    /// of that number. Later rule text can use the result as `passed`.
    fn judge(&mut self, rule: &RuleText, total: Operand, passed: Reg) {
        let Some((op, needed)) = &rule.needs else { return };
        let op = *op;
        let mark = self.b.register_mark();
        let pure = std::mem::replace(&mut self.b.pure, true);
        let outer = std::mem::replace(&mut self.b.at, needed.span);
        let need = self.expr(needed, Some(total.ty));
        let fraction = need.ty == Type::Number;
        self.compare_operands(op, total, need, passed, needed.span);
        self.emit(Op::Need { operator: op, value: need.reg, fraction });
        self.b.add_local("passed", Operand { reg: passed, ty: Type::Flag, bounds: None }, true);
        if let Some(whole) = &rule.passes {
            let value = self.expect(whole, Type::Flag);
            self.emit(Op::Move { d: passed, s: value.reg });
        }
        self.b.pure = pure;
        self.b.at = outer;
        self.b.release_registers(mark);
    }

    fn branch_on_outcome(&mut self, rule: &RuleText, passed: Reg) {
        let failed = self.emit(Op::JumpIfNot { a: passed, to: UNPATCHED });
        self.end_check(rule, rule.pass_say.as_ref());
        self.block(&rule.pass);
        let end = self.emit(Op::Jump { to: UNPATCHED });
        self.b.patch_jump(failed);
        self.end_check(rule, rule.fail_say.as_ref());
        self.block(&rule.fail);
        self.b.patch_jump(end);
    }

    /// Compiles the line of a check: the verdict and the label.
    fn end_check(&mut self, rule: &RuleText, verdict: Option<&TextTemplate>) {
        let mark = self.b.register_mark();
        let mut mute = None;
        if let Some(words) = verdict {
            mute = Some(self.emit(Op::JumpIfMute { to: UNPATCHED }));
            let template = self.template(words);
            self.emit(Op::Verdict { template });
        }
        let silent = self.emit(Op::JumpIfSilent { to: UNPATCHED });
        let label = match &rule.label {
            Some(t) => self.template(t),
            None => self.default_label(rule),
        };
        self.emit(Op::CheckEnd { label });
        self.b.release_registers(mark);
        self.b.patch_jump(silent);
        if let Some(mute) = mute {
            self.b.patch_jump(mute);
        }
    }

    /// Compiles the default label of a check: the pieces of the sweep or, without a sweep, the
    /// pieces among the parameters, in order.
    fn default_label(&mut self, rule: &RuleText) -> TemplateId {
        let span = self.b.at;
        let names: Vec<&String> = match rule.each.as_slice() {
            [] => rule.params.iter().map(|p| &p.name).collect(),
            each => each.iter().map(|s| &s.name.text).collect(),
        };
        let mut parts = Vec::new();
        for name in names {
            if self.b.find_local(name).is_some_and(|l| matches!(l.ty, Type::Piece(_))) {
                if !parts.is_empty() {
                    parts.push(TemplatePart::Text(" → ".into()));
                }
                parts.push(TemplatePart::Value(Expr { kind: ExprKind::Name(name.clone()), span }));
            }
        }
        self.template(&TextTemplate { parts, span })
    }

    fn repeated_check(&mut self, rule: &RuleText, roll: &Expr, last: Reg) {
        let throws = self.b.alloc();
        let passes = self.b.alloc();
        let zero = self.constant(0);
        self.emit(Op::Number { op: NumberOp::Max, fraction: false, d: throws, a: last, b: zero });
        self.emit(Op::Small { d: passes, n: 0 });
        let tally = rule.tally.iter().map(|_| self.constant(0)).collect();
        let none = self.emit(Op::JumpIfNot { a: throws, to: UNPATCHED });
        self.emit(Op::CheckBegin {});
        let sum = self.modifiers(&rule.modifiers, roll);
        let dice = DiceRegisters {
            natural: self.b.alloc(),
            total: self.b.alloc(),
            passed: self.b.alloc(),
            passes,
            sum,
            again: self.b.alloc(),
            further: self.b.alloc(),
            tally,
        };
        self.rounds_of_dice(rule, roll, &dice, throws);
        let most = if rule.more.is_some() { 1000 * (1 + MOST_ROUNDS) } else { 1000 };
        let count = |reg| Operand { reg, ty: Type::Whole, bounds: Some((0, most)) };
        self.b.add_local("passes", count(passes), true);
        self.b.add_local("throws", count(throws), true);
        for ((name, _), &reg) in rule.tally.iter().zip(&dice.tally) {
            self.declare_member(&name.text, Operand { bounds: None, ..count(reg) }, name.span);
        }
        let told = tally_words(rule);
        let [passed, missed] =
            [&rule.pass_say, &rule.fail_say].map(|say| say.as_ref().or(told.as_ref()));
        let failed = self.emit(Op::JumpIfNot { a: passes, to: UNPATCHED });
        self.end_check(rule, passed);
        let said = self.emit(Op::Jump { to: UNPATCHED });
        self.b.patch_jump(failed);
        self.end_check(rule, missed);
        self.b.patch_jump(said);
        if !rule.pass.is_empty() {
            self.counted_loop(passes, |c| c.block(&rule.pass));
        }
        if !rule.fail.is_empty() {
            let d = self.b.alloc();
            self.emit(Op::Number { op: NumberOp::Sub, fraction: false, d, a: throws, b: passes });
            self.counted_loop(d, |c| c.block(&rule.fail));
        }
        self.b.patch_jump(none);
    }

    /// Compiles the rolls of all dice of a check, round by round: in each round, rerolled dice come
    /// after all other dice, and the next round rolls the extra dice.
    fn rounds_of_dice(&mut self, rule: &RuleText, roll: &Expr, dice: &DiceRegisters, throws: Reg) {
        let round = |c: &mut Self, count: Reg| {
            c.emit(Op::Small { d: dice.again, n: 0 });
            c.counted_loop(count, |c| c.one_die(rule, roll, dice, true));
            if rule.reroll.is_some() {
                c.counted_loop(dice.again, |c| c.one_die(rule, roll, dice, false));
            }
        };
        if rule.more.is_none() {
            return round(self, throws);
        }
        let left = self.b.alloc();
        self.emit(Op::Move { d: left, s: throws });
        let rounds = self.constant(1 + MOST_ROUNDS);
        self.counted_loop(rounds, |c| {
            c.emit(Op::Small { d: dice.further, n: 0 });
            round(c, left);
            c.add_values(throws, dice.further, false);
            c.emit(Op::Move { d: left, s: dice.further });
        });
        // The extra dice that the last round adds are not rolled, so they don't count as thrown.
        self.emit(Op::Number { op: NumberOp::Sub, fraction: false, d: throws, a: throws, b: left });
    }

    /// Compiles one die of a check: it is rolled, judged, and then marked for a reroll or counted.
    /// `fresh` is false if the roll is itself a reroll, which is never rerolled.
    fn one_die(&mut self, rule: &RuleText, roll: &Expr, dice: &DiceRegisters, fresh: bool) {
        let known = self.b.locals.len();
        let DiceRegisters { natural, total, passed, sum, .. } = *dice;
        let thrown = self.throw_dice(roll, sum, natural, total);
        self.name_throw(natural, thrown);
        self.judge(rule, thrown, passed);
        let mut done = None;
        if let Some(reroll) = rule.reroll.as_ref().filter(|_| fresh) {
            let kept = self.jumps_unless(reroll);
            self.emit(Op::Reroll {});
            let one = self.constant(1);
            self.add_values(dice.again, one, false);
            done = Some(self.emit(Op::Jump { to: UNPATCHED }));
            self.b.patch_jumps(kept);
        }
        let judged = rule.needs.is_some().then_some(passed);
        self.emit(Op::Throw { natural, total, passed: judged, fraction: sum.ty == Type::Number });
        if judged.is_some() {
            self.add_values(dice.passes, passed, false);
        }
        let pure = std::mem::replace(&mut self.b.pure, true);
        let counted = rule.tally.iter().map(|(_, e)| e).zip(dice.tally.iter().copied());
        for (e, counter) in counted.chain(rule.more.iter().map(|e| (e, dice.further))) {
            let mark = self.b.register_mark();
            let value = self.expr(e, None);
            if !matches!(value.ty, Type::Flag | Type::Whole | Type::Unknown) {
                self.report_type_mismatch("a condition or a whole number", value.ty, e.span);
            }
            self.add_values(counter, value.reg, false);
            self.b.release_registers(mark);
        }
        self.b.pure = pure;
        self.b.locals.truncate(known);
        self.b.patch_jumps(done);
    }

    fn table_rows(&mut self, rule: &RuleText, total: Operand) {
        if total.ty == Type::Number && rule.table.iter().any(|row| row.matches_totals()) {
            let message = "the rows of a table are whole numbers, but this total may be a fraction";
            let fault = self.faults.error("wrong-type", self.b.at, message);
            fault.help("round it explicitly: `floor(…)`");
        }
        self.check_rows(rule, total);
        let mut ends = Vec::new();
        let outer = self.b.at;
        for row in &rule.table {
            self.b.at = row.span;
            let mark = self.b.register_mark();
            let d = self.b.alloc();
            let mut misses =
                row.when.as_ref().map_or_else(Vec::new, |when| self.jumps_unless(when));
            for (limit, is_low) in [(row.on.low, true), (row.on.high, false)] {
                if matches!(limit, i64::MIN | i64::MAX) {
                    continue;
                }
                let n = self.constant(limit);
                let (a, b) = if is_low { (n, total.reg) } else { (total.reg, n) };
                self.emit(Op::Number { op: NumberOp::AtMost, fraction: false, d, a, b });
                misses.push(self.emit(Op::JumpIfNot { a: d, to: UNPATCHED }));
            }
            self.b.release_registers(mark);
            self.end_check(rule, row.say.as_ref());
            self.block(&row.block);
            ends.push(self.emit(Op::Jump { to: UNPATCHED }));
            self.b.patch_jumps(misses);
        }
        self.b.at = outer;
        self.emit(Op::NoRow { total: total.reg });
        self.b.patch_jumps(ends);
    }

    /// Reports a catch-all row that is missing or not last, and the first overlap between rows. If
    /// no rows overlap and there is no catch-all row, also reports the totals that no row covers
    /// and the rows that no total can match.
    fn check_rows(&mut self, rule: &RuleText, total: Operand) {
        let mut rows: Vec<&TableRow> = rule.table.iter().filter(|r| r.matches_totals()).collect();
        let rest = rule.table.iter().position(TableRow::is_catch_all);
        if let (Some(index), Some(last)) = (rest, rule.table.last())
            && index + 1 < rule.table.len()
        {
            let message =
                "a row with neither `on` nor `when` is for all other totals, so it must be last";
            self.faults.error("rest-not-last", last.span, message);
        }
        if let (None, [], Some(last)) = (rest, rows.as_slice(), rule.table.last()) {
            let message = "this table has no row for the other totals";
            let fault = self.faults.error("missing-row", last.span, message);
            fault.help("end it with a row without `when`: `{ say = \"…\" }`");
        }
        rows.sort_by_key(|r| r.on);
        for pair in rows.windows(2) {
            if pair[1].on.low <= pair[0].on.high {
                let first = &pair[0].label;
                let second = &pair[1].label;
                let message = format!("the rows `{first}` and `{second}` overlap");
                let fault = self.faults.error("overlapping-rows", pair[1].span, message);
                fault.other_span(pair[0].span, "this row covers some of the same totals");
                return;
            }
        }
        let Some((low, high)) = total.bounds else { return };
        // Both digits of a d66 total are from 1 to 6.
        let two_digits = rule.modifiers.is_empty()
            && rule.versus.is_none()
            && matches!(rule.roll.as_ref().map(|r| &r.kind), Some(ExprKind::Dice(dice))
                if dice.pool.as_ref().is_ok_and(|pool| pool.die() == Die::Tens));
        let reachable = |n: i64| {
            n >= low
                && n <= high
                && (!two_digits || ((1..=6).contains(&(n / 10)) && (1..=6).contains(&(n % 10))))
        };
        if high - low > 10_000 || rest.is_some() {
            return;
        }
        let missing: Vec<i64> =
            (low..=high).filter(|&n| reachable(n) && !rows.iter().any(|r| r.on.holds(n))).collect();
        if let (Some(first), Some(last), Some(row)) =
            (missing.first(), missing.last(), rows.first())
        {
            let which = match missing.len() {
                1 => format!("{first}"),
                n if *last - *first + 1 == n as i64 => format!("{first} to {last}"),
                _ => missing.iter().map(i64::to_string).collect::<Vec<_>>().join(", "),
            };
            let message = format!("no row of this table covers a total of {which}");
            let fault = self.faults.error("missing-row", row.span, message);
            fault
                .derived_from(Declaration::Callable(rule.name.clone()))
                .label(format!("the total can be from {low} to {high}"))
                .help("add a row, or widen one: `\"12 or more\"`, `\"3 or less\"`");
        }
        for row in rows {
            let RowRange { low: a, high: b } = row.on;
            if b < low || a > high {
                let message = format!("no total can match the row `{}`", row.label);
                let fault = Diagnostic::warning("unreachable-row", row.span, message);
                let fault = fault.derived_from(Declaration::Callable(rule.name.clone()));
                self.faults.push(fault.label(format!("the total can be from {low} to {high}")));
            }
        }
    }
}
