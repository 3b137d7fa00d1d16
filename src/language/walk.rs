//! Going through rule text: every expression and statement, outer ones first.

use std::borrow::Borrow;

use super::rule::RuleText;
use super::schema::{Schema, Unit};
use super::syntax::{Asked, Block, Expr, ExprKind, Source, StatementKind, Template, TemplatePart};

/// A use of a name in rule text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// It stands after a point, or leads from place to place: its value is asked.
    Read,
    /// It stands by itself.
    Named,
    /// It is called with brackets.
    Called,
    /// It stands after a point and is given a value.
    Changed,
    /// It is a deck drawn from, shuffled, put into.
    Dealt,
}

/// A part of rule text.
#[derive(Clone, Copy, Debug)]
pub enum Part<'e> {
    /// An expression whose value is asked.
    Expr(&'e Expr),
    /// A statement.
    Statement(&'e StatementKind),
    /// A name.
    Name(Use, &'e str),
}

/// Sees the parts of rule text in turn.
pub type See<'s> = dyn FnMut(Part<'_>) + 's;

/// All rule text of a ruleset but its scenarios and examples.
pub fn schema(schema: &Schema, see: &mut See<'_>) {
    for unit in schema.units.iter().flatten() {
        match unit.plain() {
            Unit::Define(_, e) | Unit::Value(_, _, e) => expr(e, see),
            Unit::Block(_, b) => block(b, see),
            Unit::Rule(id) => {
                if let Some(text) = schema.rules.get(id.index()) {
                    rule(text, see);
                }
            }
            Unit::Remind(remind) => {
                remind.each.iter().for_each(|s| source(s, see));
                all(&remind.when, see);
                template(&remind.say, see);
            }
            Unit::Entry(_) | Unit::Step(..) => {}
        }
    }
}

/// All parts of a rule.
pub fn rule(rule: &RuleText, see: &mut See<'_>) {
    all(rule.params.iter().flat_map(|p| &p.default), see);
    rule.each.iter().for_each(|s| source(s, see));
    for requirement in &rule.require {
        expr(&requirement.that, see);
        template(&requirement.because, see);
    }
    block(&rule.before, see);
    all([&rule.times, &rule.roll].into_iter().flatten(), see);
    for modifier in &rule.modifiers {
        expr(&modifier.by, see);
        all(&modifier.when, see);
        template(&modifier.because, see);
    }
    rule.needs.iter().for_each(|(_, e)| expr(e, see));
    all([&rule.passes, &rule.reroll, &rule.more].into_iter().flatten(), see);
    all(rule.tally.iter().map(|(_, e)| e), see);
    for words in [&rule.label, &rule.pass_say, &rule.fail_say].into_iter().flatten() {
        template(words, see);
    }
    block(&rule.pass, see);
    block(&rule.fail, see);
    for row in &rule.table {
        all(&row.when, see);
        row.say.iter().for_each(|t| template(t, see));
        block(&row.block, see);
    }
    block(&rule.after, see);
    all(rule.gives.iter().chain(&rule.also_gives), see);
}

/// A text with its values.
pub fn template(words: &Template, see: &mut See<'_>) {
    for part in &words.parts {
        match part {
            TemplatePart::Text(_) => {}
            TemplatePart::Value(e) | TemplatePart::Counted(e, ..) => expr(e, see),
        }
    }
}

/// A source with its condition.
pub fn source(s: &Source, see: &mut See<'_>) {
    expr(&s.over, see);
    all(&s.filter, see);
}

/// An expression and all in it.
pub fn expr(e: &Expr, see: &mut See<'_>) {
    see(Part::Expr(e));
    inside(e, see);
}

fn all<'e>(exprs: impl IntoIterator<Item = &'e (impl Borrow<Expr> + 'e)>, see: &mut See<'_>) {
    exprs.into_iter().for_each(|e| expr(e.borrow(), see));
}

fn changed(target: &Expr, see: &mut See<'_>) {
    match &target.kind {
        ExprKind::Member(of, name) => {
            see(Part::Name(Use::Changed, &name.text));
            expr(of, see);
        }
        ExprKind::Name(_) => {}
        _ => inside(target, see),
    }
}

fn inside(e: &Expr, see: &mut See<'_>) {
    match &e.kind {
        ExprKind::Whole(_)
        | ExprKind::Fraction(_)
        | ExprKind::Flag(_)
        | ExprKind::Nothing
        | ExprKind::Dice(_) => {}
        ExprKind::Name(name) => see(Part::Name(Use::Named, name)),
        ExprKind::Draw(deck) => see(Part::Name(Use::Dealt, &deck.text)),
        ExprKind::Text(words) => template(words, see),
        ExprKind::List(items) => all(items, see),
        ExprKind::Call(name, items) => {
            see(Part::Name(Use::Called, &name.text));
            all(items, see);
        }
        ExprKind::Member(of, name) => {
            see(Part::Name(Use::Read, &name.text));
            expr(of, see);
        }
        ExprKind::Not(a) | ExprKind::Negative(a) => expr(a, see),
        ExprKind::Binary(_, a, b) | ExprKind::Range(a, b) | ExprKind::Let(_, a, b) => {
            all([a, b], see);
        }
        ExprKind::Choice(c, a, b) => all([c, a, b], see),
        ExprKind::Quantified(_, s, body) => {
            source(s, see);
            all(body.as_deref(), see);
        }
        ExprKind::Filtered(s) | ExprKind::Pick(s) => source(s, see),
        ExprKind::Way { from, to, along, filter, .. } => {
            see(Part::Name(Use::Read, &along.text));
            all([from, to], see);
            all(filter.iter().map(|(_, e)| e.as_ref()), see);
        }
        ExprKind::Roll(dice, label) => {
            expr(dice, see);
            label.iter().for_each(|t| template(t, see));
        }
        ExprKind::Ask(question, asked) => {
            template(question, see);
            match asked {
                Asked::Among(s) => source(s, see),
                Asked::Between(a, b) => all([a, b], see),
                Asked::Flag => {}
            }
        }
        ExprKind::Make(_, values, named) => {
            for (name, value) in values {
                see(Part::Name(Use::Changed, &name.text));
                expr(value, see);
            }
            named.iter().for_each(|t| template(t, see));
        }
    }
}

/// Statements and all in them.
pub fn block(statements: &Block, see: &mut See<'_>) {
    for statement in statements {
        see(Part::Statement(&statement.kind));
        match &statement.kind {
            StatementKind::Let(_, e) | StatementKind::Do(e) | StatementKind::Remove(e) => {
                expr(e, see);
            }
            StatementKind::Assign(target, _, e) => {
                changed(target, see);
                expr(e, see);
            }
            StatementKind::If(c, yes, no) => {
                expr(c, see);
                block(yes, see);
                block(no, see);
            }
            StatementKind::Each(sources, inner) => {
                sources.iter().for_each(|s| source(s, see));
                block(inner, see);
            }
            StatementKind::Repeat(n, inner) => {
                expr(n, see);
                block(inner, see);
            }
            StatementKind::Say(t) | StatementKind::Remind(t) | StatementKind::Refuse(t) => {
                template(t, see);
            }
            StatementKind::Add(item, target) | StatementKind::Take(item, target) => {
                changed(target, see);
                expr(item, see);
            }
            StatementKind::Clear(target) => changed(target, see),
            StatementKind::Link(_, a, b, by) => {
                see(Part::Name(Use::Read, &by.text));
                see(Part::Name(Use::Changed, &by.text));
                all([a, b], see);
            }
            StatementKind::Reveal(what, to) => {
                expr(what, see);
                all(to, see);
            }
            StatementKind::Deck(statement, deck) => {
                see(Part::Name(Use::Dealt, &deck.text));
                all(statement.exprs(), see);
            }
            StatementKind::Stop => {}
        }
    }
}
