//! Going through rule text: every expression and statement, outer ones first.

use std::borrow::Borrow;

use super::rule::RuleText;
use super::schema::{Schema, Unit};
use super::syntax::{Asked, Block, Expr, ExprKind, Source, StatementKind, Template, TemplatePart};

/// Sees the parts of rule text in turn.
pub trait Visitor {
    /// An expression whose value is asked.
    fn reads(&mut self, _expr: &Expr) {}
    /// The target that a statement changes: an attribute or a name.
    fn changes(&mut self, _target: &Expr) {}
    /// A statement.
    fn statement(&mut self, _statement: &StatementKind) {}
}

/// All rule text of a ruleset but its scenarios and examples.
pub fn schema(schema: &Schema, v: &mut dyn Visitor) {
    for unit in schema.units.iter().flatten() {
        match unit.plain() {
            Unit::Computed(_, e)
            | Unit::Define(_, e)
            | Unit::Value(_, e)
            | Unit::Measure(_, _, e)
            | Unit::Sight(_, e) => expr(e, v),
            Unit::Block(_, b) => block(b, v),
            Unit::Rule(id) => {
                if let Some(text) = schema.rules.get(id.index()) {
                    rule(text, v);
                }
            }
            Unit::Remind(remind) => {
                remind.each.iter().for_each(|s| source(s, v));
                all(&remind.when, v);
                template(&remind.say, v);
            }
            Unit::Entry(_) | Unit::Step(..) => {}
        }
    }
}

/// All parts of a rule.
pub fn rule(rule: &RuleText, v: &mut dyn Visitor) {
    all(rule.defaults.iter().flatten(), v);
    rule.each.iter().for_each(|s| source(s, v));
    for requirement in &rule.require {
        expr(&requirement.that, v);
        template(&requirement.because, v);
    }
    block(&rule.before, v);
    all([&rule.times, &rule.roll].into_iter().flatten(), v);
    for modifier in &rule.modifiers {
        expr(&modifier.by, v);
        all(&modifier.when, v);
        template(&modifier.because, v);
    }
    rule.needs.iter().for_each(|(_, e)| expr(e, v));
    all([&rule.passes, &rule.reroll, &rule.more].into_iter().flatten(), v);
    all(rule.tally.iter().map(|(_, e)| e), v);
    for words in [&rule.label, &rule.pass_say, &rule.fail_say].into_iter().flatten() {
        template(words, v);
    }
    block(&rule.pass, v);
    block(&rule.fail, v);
    for row in &rule.table {
        all(&row.when, v);
        row.say.iter().for_each(|t| template(t, v));
        block(&row.block, v);
    }
    block(&rule.after, v);
    all(rule.gives.iter().chain(&rule.also_gives), v);
}

/// A text with its values.
pub fn template(words: &Template, v: &mut dyn Visitor) {
    for part in &words.parts {
        match part {
            TemplatePart::Text(_) => {}
            TemplatePart::Value(e) | TemplatePart::Counted(e, ..) => expr(e, v),
        }
    }
}

/// A source with its condition.
pub fn source(s: &Source, v: &mut dyn Visitor) {
    expr(&s.over, v);
    all(&s.filter, v);
}

/// An expression and all in it.
pub fn expr(e: &Expr, v: &mut dyn Visitor) {
    v.reads(e);
    inside(e, v);
}

fn all<'e>(exprs: impl IntoIterator<Item = &'e (impl Borrow<Expr> + 'e)>, v: &mut dyn Visitor) {
    exprs.into_iter().for_each(|e| expr(e.borrow(), v));
}

fn changed(target: &Expr, v: &mut dyn Visitor) {
    v.changes(target);
    inside(target, v);
}

fn inside(e: &Expr, v: &mut dyn Visitor) {
    match &e.kind {
        ExprKind::Whole(_)
        | ExprKind::Fraction(_)
        | ExprKind::Flag(_)
        | ExprKind::Nothing
        | ExprKind::Name(_)
        | ExprKind::Dice(_)
        | ExprKind::Draw(_) => {}
        ExprKind::Text(words) => template(words, v),
        ExprKind::List(items) | ExprKind::Call(_, items) => all(items, v),
        ExprKind::Member(of, _) => expr(of, v),
        ExprKind::Not(a) | ExprKind::Negative(a) => expr(a, v),
        ExprKind::Binary(_, a, b) | ExprKind::Range(a, b) | ExprKind::Let(_, a, b) => {
            all([a, b], v);
        }
        ExprKind::Choice(c, a, b) => all([c, a, b], v),
        ExprKind::Quantified(_, s, body) => {
            source(s, v);
            all(body.as_deref(), v);
        }
        ExprKind::Filtered(s) | ExprKind::Pick(s) => source(s, v),
        ExprKind::Way { from, to, filter, .. } => {
            all([from, to], v);
            all(filter.iter().map(|(_, e)| e.as_ref()), v);
        }
        ExprKind::Roll(dice, label) => {
            expr(dice, v);
            label.iter().for_each(|t| template(t, v));
        }
        ExprKind::Ask(question, asked) => {
            template(question, v);
            match asked {
                Asked::Among(s) => source(s, v),
                Asked::Between(a, b) => all([a, b], v),
                Asked::Flag => {}
            }
        }
        ExprKind::Make(_, values, named) => {
            all(values.iter().map(|(_, e)| e), v);
            named.iter().for_each(|t| template(t, v));
        }
    }
}

/// Statements and all in them.
pub fn block(statements: &Block, v: &mut dyn Visitor) {
    for statement in statements {
        v.statement(&statement.kind);
        match &statement.kind {
            StatementKind::Let(_, e) | StatementKind::Do(e) | StatementKind::Remove(e) => {
                expr(e, v);
            }
            StatementKind::Assign(target, _, e) => {
                changed(target, v);
                expr(e, v);
            }
            StatementKind::If(c, yes, no) => {
                expr(c, v);
                block(yes, v);
                block(no, v);
            }
            StatementKind::Each(sources, inner) => {
                sources.iter().for_each(|s| source(s, v));
                block(inner, v);
            }
            StatementKind::Repeat(n, inner) => {
                expr(n, v);
                block(inner, v);
            }
            StatementKind::Say(t) | StatementKind::Remind(t) | StatementKind::Refuse(t) => {
                template(t, v);
            }
            StatementKind::Add(item, target) | StatementKind::Take(item, target) => {
                changed(target, v);
                expr(item, v);
            }
            StatementKind::Clear(target) => changed(target, v),
            StatementKind::Link(_, a, b, _) => all([a, b], v),
            StatementKind::Reveal(what, to) => {
                expr(what, v);
                all(to, v);
            }
            StatementKind::Deck(statement, _) => all(statement.exprs(), v),
            StatementKind::Stop => {}
        }
    }
}
