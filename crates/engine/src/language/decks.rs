//! Statements on decks: how they are written, and the steps they are made of.

use super::code::{Effect, Field, Reg};
use super::parser::{Parsed, Parser};
use super::syntax::{Expr, StatementKind};

/// The words that begin a statement on a deck.
pub(super) const WORDS: [&str; 2] = ["put", "shuffle"];

/// A statement on a deck.
#[derive(Clone, Debug)]
pub enum DeckStatement {
    /// `put n of e into deck`
    Put(Option<Box<Expr>>, Box<Expr>),
    /// `shuffle deck`
    Shuffle,
}

/// Something done with a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeckOp {
    /// Takes everything out, before it is filled anew.
    Empty,
    /// Puts the piece or row in `value` in, `count` times.
    Put {
        /// The register of the number.
        count: Reg,
        /// The register of the piece or row.
        value: Reg,
    },
    /// Reports that it has been shuffled.
    Shuffled,
}

impl Field for DeckOp {
    fn effect(&mut self, see: &mut dyn FnMut(Effect<'_>)) {
        match self {
            DeckOp::Put { count, value } => [count, value].into_iter().for_each(|r| r.effect(see)),
            DeckOp::Empty | DeckOp::Shuffled => {}
        }
    }
}

impl Parser<'_> {
    /// Reads the rest of a statement that begins with one of [`WORDS`].
    pub(super) fn on_deck(&mut self, word: &str) -> Parsed<StatementKind> {
        let statement = match word {
            "shuffle" => DeckStatement::Shuffle,
            _ => {
                let first = self.expr()?;
                let (number, item) =
                    if self.word("of") { (Some(first), self.expr()?) } else { (None, first) };
                self.need_word("into")?;
                DeckStatement::Put(number.map(Box::new), Box::new(item))
            }
        };
        Ok(StatementKind::Deck(statement, self.name("the name of a deck")?))
    }
}
