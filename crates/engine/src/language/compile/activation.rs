//! Compiles activation statements, each as the rule text that implements it.

use super::Compiler;
use crate::diagnostic::{Fault, Faults};
use crate::language::activation;
use crate::language::rule::RuleText;
use crate::language::schema::{Element, KindId, Type};
use crate::language::statements::parse_statements;
use crate::language::syntax::{Expr, ExprKind, Name, Statement, StatementKind, Statements};
use crate::source::{Span, StringMap};

impl Compiler<'_> {
    /// Compiles the statements that run before a verb in an activation: they check that its piece
    /// may act, and pay for its actions.
    pub(super) fn activation_before_rule(&mut self, rule: &RuleText) {
        if let Some(cost) = &rule.actions {
            let ty = self.probe_type(cost);
            if !matches!(ty, Type::Whole | Type::Unknown) {
                self.report_type_mismatch("a whole number of actions", ty, cost.span);
                return;
            }
        }
        self.block(&rule.activation);
    }

    /// Compiles `end activation`.
    pub(super) fn end_activation(&mut self, span: Span) {
        if self.activated_kind(span).is_some() {
            let statements = self.parse_own(activation::END);
            self.block(&statements);
        }
    }

    /// Compiles `activate`, which makes a piece, or a list of pieces, begin to act.
    pub(super) fn activate_statement(&mut self, pieces: &Expr) {
        let Some(kind) = self.activated_kind(pieces.span) else { return };
        let one = Type::Piece(kind);
        let many = Type::List(Element::Piece(kind));
        let value = match self.probe_type(pieces) {
            Type::Unknown => {
                self.expr(pieces, None);
                return;
            }
            ty if ty == many => pieces.clone(),
            ty if ty == one => {
                let members = vec![pieces.clone()];
                Expr { kind: ExprKind::List(members), span: pieces.span }
            }
            other => {
                let wanted =
                    format!("`{}`, the kind whose pieces act", self.schema.kind(kind).name);
                self.report_type_mismatch(&wanted, other, pieces.span);
                return;
            }
        };
        let name = Name { text: "activation-group".to_owned(), span: pieces.span };
        let named = StatementKind::Let(vec![name], value);
        let mut block = vec![Statement { kind: named, span: pieces.span }];
        block.extend(self.parse_own(&activation::activate_text(&[])));
        self.block(&block);
    }

    /// Returns the kind whose pieces act one at a time; reports a fault if there is none.
    fn activated_kind(&mut self, span: Span) -> Option<KindId> {
        if self.schema.activated.is_none() {
            let message = "no phase of this ruleset has an activation";
            let fault = self.faults.error("no-activation", span, message);
            fault.help("write `activate = { of = \"KIND\" }` in a phase");
        }
        self.schema.activated
    }

    fn parse_own(&mut self, text: &str) -> Statements {
        parse_statements(text, &StringMap::default(), &mut self.faults).unwrap_or_default()
    }
}
