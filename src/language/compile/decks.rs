//! Statements on decks.

use super::super::code::{DeckOp, Op, ValueUse};
use super::super::schema::{DeckId, Type};
use super::super::syntax::{DeckStatement, Expr, Name};
use super::Compiler;
use super::loops::Over;
use crate::diagnostic::{Cause, Diagnostic};
use crate::source::Span;

impl Compiler<'_> {
    /// Compiles a statement on a deck.
    pub(super) fn deck_statement(&mut self, statement: &DeckStatement, deck: &Name, span: Span) {
        self.must_act(span);
        match statement {
            DeckStatement::Put(count, item) => self.put(count.as_deref(), item, deck, span),
            DeckStatement::Shuffle => self.shuffle(deck, span),
        }
    }

    /// Finds a deck by its name; a fault if there is none.
    pub(super) fn deck(&mut self, name: &Name) -> Option<DeckId> {
        let found = self.schema.deck_named(&name.text);
        if found.is_none() {
            let message = format!("there is no deck `{}`", name.text);
            let known = self.schema.decks.iter().map(|d| d.name.as_str());
            let fault = Diagnostic::error("unknown-deck", name.span, message);
            let fault = fault.derived_from(Cause::Name(name.text.clone()));
            self.fault(fault.suggest(&name.text, known));
        }
        found
    }

    fn put(&mut self, count: Option<&Expr>, item: &Expr, deck: &Name, span: Span) {
        let count = match count {
            Some(e) => self.expect(e, Type::Whole).reg,
            None => self.constant(1, span),
        };
        let Some(id) = self.deck(deck) else { return };
        let of = self.schema.decks[id.index()].of;
        let value = self.expect(item, Type::Piece(of)).reg;
        self.emit(Op::Deck { op: DeckOp::Put { count, value }, deck: id }, span);
    }

    fn shuffle(&mut self, name: &Name, span: Span) {
        let Some(id) = self.deck(name) else { return };
        let deck = &self.schema.decks[id.index()];
        self.emit(Op::Deck { op: DeckOp::Empty, deck: id }, span);
        match deck.fill {
            Some(function) => {
                self.ensure(function);
                let base = self.b.alloc();
                self.emit_call(function, base, ValueUse::Unused, span);
            }
            None => {
                let this = self.begin_loop(Over::Pieces(deck.of), None, span);
                let count = self.constant(1, span);
                self.emit(
                    Op::Deck { op: DeckOp::Put { count, value: this.member.reg }, deck: id },
                    span,
                );
                self.end_loop(&this, Vec::new(), span);
            }
        }
        self.emit(Op::Deck { op: DeckOp::Shuffled, deck: id }, span);
    }
}
