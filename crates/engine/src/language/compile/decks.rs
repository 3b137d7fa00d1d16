//! Compiles deck statements.

use crate::diagnostic::{Declaration, Fault, Faults};
use crate::language::code::{DeckOp, Op, ValueUse};
use crate::language::compile::Compiler;
use crate::language::compile::loops::LoopMembers;
use crate::language::schema::{DeckId, Type};
use crate::language::syntax::{DeckStatement, Expr, Name};

impl Compiler<'_> {
    /// Compiles a deck statement.
    pub(super) fn deck_statement(&mut self, statement: &DeckStatement, deck: &Name) {
        self.require_acting_allowed(self.b.at);
        match statement {
            DeckStatement::Put(count, item) => self.put_statement(count.as_deref(), item, deck),
            DeckStatement::Shuffle => self.shuffle_statement(deck),
        }
    }

    /// Finds a deck by its name; reports a fault if there is none.
    pub(super) fn find_deck(&mut self, name: &Name) -> Option<DeckId> {
        let found = self.schema.deck_named(&name.text);
        if found.is_none() {
            let message = format!("there is no deck `{}`", name.text);
            let known = self.schema.decks.iter().map(|d| d.name.as_str());
            let fault = self.faults.error("unknown-deck", name.span, message);
            fault.derived_from(Declaration::Name(name.text.clone())).suggest(&name.text, known);
        }
        found
    }

    fn put_statement(&mut self, count: Option<&Expr>, item: &Expr, deck: &Name) {
        let count = match count {
            Some(e) => self.expect(e, Type::Whole).reg,
            None => self.constant(1),
        };
        let Some(id) = self.find_deck(deck) else { return };
        let of = self.schema.decks[id.index()].of;
        let value = self.expect(item, Type::Piece(of)).reg;
        self.emit(Op::Deck { op: DeckOp::Put { count, value }, deck: id });
    }

    fn shuffle_statement(&mut self, name: &Name) {
        let Some(id) = self.find_deck(name) else { return };
        let deck = &self.schema.decks[id.index()];
        self.emit(Op::Deck { op: DeckOp::Empty, deck: id });
        match deck.fill {
            Some(function) => {
                self.ensure_compiled(function);
                let base = self.b.alloc();
                self.emit_call(function, base, ValueUse::Unused);
            }
            None => {
                let this = self.begin_loop(LoopMembers::Pieces(deck.of), None);
                let count = self.constant(1);
                self.emit(Op::Deck { op: DeckOp::Put { count, value: this.member.reg }, deck: id });
                self.end_loop(&this);
            }
        }
        self.emit(Op::Deck { op: DeckOp::Shuffled, deck: id });
    }
}
