//! When the game ends, and who wins.

use super::prelude::*;
use crate::language::syntax::ExprKind;

/// An end of the game.
#[derive(Clone, Debug)]
pub struct End {
    /// The scenario it belongs to; empty if it is of the whole game.
    pub scenario: String,
    /// The page of the rule book.
    pub cite: String,
    /// The condition.
    pub when: FunctionId,
    /// The side that wins.
    pub winner: Option<FunctionId>,
    /// The number by which it wins.
    pub margin: Option<FunctionId>,
    /// The words said.
    pub say: Option<FunctionId>,
}

impl End {
    /// Returns true if it counts in this scenario.
    pub(crate) fn counts_in(&self, scenario: &str) -> bool {
        self.scenario.is_empty() || self.scenario == scenario
    }
}

impl Loader<'_> {
    /// Reads `[end]`, or each of `[[end]]`, of the game or of a scenario.
    pub(super) fn ends<'a>(&mut self, nodes: impl IntoIterator<Item = Node<'a>>, scenario: &str) {
        for node in nodes {
            let Some(section) = self.r.section("`[end]`", node) else { continue };
            section.words("note", &mut self.r);
            let cite = section.words("cite", &mut self.r);
            let when = self.expr_in(&section, "when");
            let winner = self.expr_in(&section, "winner");
            let margin = self.expr_in(&section, "margin");
            let say = self.template(&section, "say").map(|words| {
                let span = words.span;
                Expr { kind: ExprKind::Text(words), span }
            });
            section.finish(&forms::END, &mut self.r);
            if winner.is_some() && self.schema.sides.is_none() {
                let help = "write `[sides]` with `are = \"…\"`: a set of words, a kind or a list";
                let span = section.key_span("winner");
                self.r.advise("no-sides", span, "this ruleset declares no sides", help);
            }
            let mut value =
                |ty: Option<Type>, expr: Expr| self.function(Some(Unit::Value(ty, expr)));
            let Some(when) = when.map(|e| value(Some(Type::Flag), e)) else { continue };
            let margin = margin.map(|e| value(Some(Type::Whole), e));
            let say = say.map(|e| value(Some(Type::Text), e));
            let winner = winner.map(|e| self.function(Some(Unit::Value(self.schema.sides, e))));
            self.ends.push(End { scenario: scenario.to_owned(), cite, when, winner, margin, say });
        }
    }
}
