//! The names that rule text and examples use.

use super::prelude::*;
use crate::language::code::Op;
use crate::language::syntax::StatementKind;
use crate::language::walk::Visitor;

/// Names spoken of.
#[derive(Default)]
pub(super) struct Used {
    /// Names after a point, whose value is asked.
    pub(super) read: BTreeSet<String>,
    /// Bare names.
    pub(super) named: BTreeSet<String>,
    /// Names called with brackets.
    pub(super) called: BTreeSet<String>,
    /// Names after a point, and list attributes, that rule text gives a value.
    pub(super) changed: BTreeSet<String>,
    /// Decks drawn from, shuffled, put into.
    pub(super) decks: BTreeSet<String>,
}

impl Visitor for Used {
    fn reads(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Member(_, name) => {
                self.read.insert(name.text.clone());
            }
            ExprKind::Name(name) => {
                self.named.insert(name.clone());
            }
            ExprKind::Call(name, _) => {
                self.called.insert(name.text.clone());
            }
            ExprKind::Way { along, .. } => {
                self.read.insert(along.text.clone());
            }
            ExprKind::Make(_, values, _) => {
                self.changed.extend(values.iter().map(|(name, _)| name.text.clone()));
            }
            ExprKind::Draw(deck) => {
                self.decks.insert(deck.text.clone());
            }
            ExprKind::Whole(_)
            | ExprKind::Fraction(_)
            | ExprKind::Text(_)
            | ExprKind::Flag(_)
            | ExprKind::Nothing
            | ExprKind::List(_)
            | ExprKind::Not(_)
            | ExprKind::Negative(_)
            | ExprKind::Binary(..)
            | ExprKind::Choice(..)
            | ExprKind::Let(..)
            | ExprKind::Quantified(..)
            | ExprKind::Filtered(_)
            | ExprKind::Range(..)
            | ExprKind::Dice(_)
            | ExprKind::Roll(..)
            | ExprKind::Ask(..)
            | ExprKind::Pick(_) => {}
        }
    }

    fn changes(&mut self, target: &Expr) {
        if let ExprKind::Member(_, name) = &target.kind {
            self.changed.insert(name.text.clone());
        }
    }

    fn statement(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Deck(_, deck) => {
                self.decks.insert(deck.text.clone());
            }
            StatementKind::Link(_, _, _, by) => {
                self.read.insert(by.text.clone());
                self.changed.insert(by.text.clone());
            }
            StatementKind::Let(..)
            | StatementKind::Assign(..)
            | StatementKind::If(..)
            | StatementKind::Each(..)
            | StatementKind::Repeat(..)
            | StatementKind::Do(_)
            | StatementKind::Say(_)
            | StatementKind::Remind(_)
            | StatementKind::Refuse(_)
            | StatementKind::Remove(_)
            | StatementKind::Add(..)
            | StatementKind::Take(..)
            | StatementKind::Clear(_)
            | StatementKind::Reveal(..)
            | StatementKind::Stop => {}
        }
    }
}

/// All that a ruleset speaks of.
pub(super) fn used(ruleset: &Ruleset) -> Used {
    let mut used = Used::default();
    walk::schema(&ruleset.schema, &mut used);
    for example in &ruleset.examples {
        for (expr, _) in &example.expect {
            walk::expr(expr, &mut used);
        }
    }
    // What a scenario begins with is kept compiled alone.
    for begin in ruleset.scenarios.iter().filter_map(|s| s.begin) {
        let code = ruleset.program.functions.get(begin.index()).map(|f| f.code.as_slice());
        used.called.extend(code.unwrap_or_default().iter().filter_map(|op| match op {
            Op::Call { call } => Some(ruleset.schema.rules[call.rule?.index()].name.clone()),
            _ => None,
        }));
    }
    used
}
