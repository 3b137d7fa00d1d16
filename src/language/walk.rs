//! Going through rule text: every expression and statement, outer ones first.

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
        match unit {
            Unit::Computed(_, e)
            | Unit::Define(_, e)
            | Unit::Value(_, e)
            | Unit::Measure(_, _, e) => {
                expr(e, v);
            }
            Unit::Block(_, b) => block(b, v),
            Unit::Rule(id) => {
                if let Some(text) = schema.rules.get(id.index()) {
                    rule(text, v);
                }
            }
            Unit::Remind(remind) => {
                remind.each.iter().for_each(|s| source(s, v));
                remind.when.iter().for_each(|e| expr(e, v));
                template(&remind.say, v);
            }
            Unit::Entry(_) => {}
        }
    }
}

/// All parts of a rule.
pub fn rule(rule: &RuleText, v: &mut dyn Visitor) {
    rule.defaults.iter().flatten().for_each(|e| expr(e, v));
    rule.each.iter().for_each(|s| source(s, v));
    for requirement in &rule.require {
        expr(&requirement.that, v);
        template(&requirement.because, v);
    }
    block(&rule.before, v);
    rule.times.iter().for_each(|e| expr(e, v));
    rule.roll.iter().for_each(|e| expr(e, v));
    for modifier in &rule.modifiers {
        expr(&modifier.by, v);
        modifier.when.iter().for_each(|e| expr(e, v));
        template(&modifier.because, v);
    }
    rule.needs.iter().for_each(|(_, e)| expr(e, v));
    for words in [&rule.label, &rule.pass_say, &rule.fail_say].into_iter().flatten() {
        template(words, v);
    }
    block(&rule.pass, v);
    block(&rule.fail, v);
    for row in &rule.table {
        row.say.iter().for_each(|t| template(t, v));
        block(&row.block, v);
    }
    block(&rule.after, v);
    rule.gives.iter().for_each(|e| expr(e, v));
}

/// A text with its values.
pub fn template(words: &Template, v: &mut dyn Visitor) {
    for part in &words.parts {
        if let TemplatePart::Value(e) = part {
            expr(e, v);
        }
    }
}

/// A source with its condition.
pub fn source(s: &Source, v: &mut dyn Visitor) {
    expr(&s.over, v);
    s.filter.iter().for_each(|e| expr(e, v));
}

/// An expression and all in it.
pub fn expr(e: &Expr, v: &mut dyn Visitor) {
    v.reads(e);
    inside(e, v);
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
        ExprKind::List(items) | ExprKind::Call(_, items) => items.iter().for_each(|i| expr(i, v)),
        ExprKind::Member(of, _) => expr(of, v),
        ExprKind::Not(a) | ExprKind::Negative(a) => expr(a, v),
        ExprKind::Binary(_, a, b) | ExprKind::Range(a, b) => {
            expr(a, v);
            expr(b, v);
        }
        ExprKind::Choice(c, a, b) => {
            expr(c, v);
            expr(a, v);
            expr(b, v);
        }
        ExprKind::Quantified(_, s, body) => {
            source(s, v);
            body.iter().for_each(|e| expr(e, v));
        }
        ExprKind::Filtered(s) | ExprKind::Pick(s) => source(s, v),
        ExprKind::Way { from, to, filter, .. } => {
            expr(from, v);
            expr(to, v);
            filter.iter().for_each(|(_, e)| expr(e, v));
        }
        ExprKind::Roll(dice, label) => {
            expr(dice, v);
            label.iter().for_each(|t| template(t, v));
        }
        ExprKind::Ask(question, asked) => {
            template(question, v);
            match asked {
                Asked::Among(s) => source(s, v),
                Asked::Between(a, b) => {
                    expr(a, v);
                    expr(b, v);
                }
                Asked::Flag => {}
            }
        }
        ExprKind::Make(_, values, named) => {
            values.iter().for_each(|(_, e)| expr(e, v));
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
                v.changes(target);
                inside(target, v);
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
                v.changes(target);
                inside(target, v);
                expr(item, v);
            }
            StatementKind::Clear(target) => {
                v.changes(target);
                inside(target, v);
            }
            StatementKind::Link(_, a, b, _) => {
                expr(a, v);
                expr(b, v);
            }
            StatementKind::Deck(statement, _) => statement.exprs().for_each(|e| expr(e, v)),
            StatementKind::Stop => {}
        }
    }
}
