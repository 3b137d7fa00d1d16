//! Parses deck statements.

use super::parser::{Parsed, Parser};
use super::syntax::{DeckStatement, StatementKind};

/// The words that begin a deck statement.
pub(super) const DECK_WORDS: [&str; 2] = ["put", "shuffle"];

impl Parser<'_> {
    /// Parses the rest of a deck statement, after `word`, which is one of [`DECK_WORDS`].
    pub(super) fn deck_statement(&mut self, word: &str) -> Parsed<StatementKind> {
        let statement = match word {
            "shuffle" => DeckStatement::Shuffle,
            _ => {
                let first = self.expr()?;
                let (number, item) =
                    if self.eat_word("of") { (Some(first), self.expr()?) } else { (None, first) };
                self.expect_word("into")?;
                DeckStatement::Put(number.map(Box::new), Box::new(item))
            }
        };
        Ok(StatementKind::Deck(statement, self.name("the name of a deck")?))
    }
}
