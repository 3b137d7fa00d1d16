//! Aliases: the umpire's own abbreviations for the beginning of a line. They work only at the
//! keyboard: the program carries out and records the full line.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_engine::console;
use adjutant_engine::referee::Referee;

/// The umpire's aliases, each with its replacement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Aliases(Arc<BTreeMap<String, String>>);

/// The reason why an alias can't be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AliasError {
    #[error("the alias `{0}` isn't one word")]
    NotOneWord(String),
    #[error("the alias `{0}` would hide a word of the console")]
    WordOfConsole(String),
    #[error("the alias `{0}` is empty: give it the beginning of a line")]
    Empty(String),
    #[error("the alias `{0}` contains a line break or another control character")]
    SeveralLines(String),
}

impl Aliases {
    /// Returns these aliases; fails if any of them can't be used.
    pub(crate) fn new(
        all: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Aliases, AliasError> {
        let all: BTreeMap<_, _> = all.into_iter().collect();
        for (name, line) in &all {
            let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-');
            if !is_word {
                return Err(AliasError::NotOneWord(name.clone()));
            }
            if console::is_word(name) {
                return Err(AliasError::WordOfConsole(name.clone()));
            }
            if line.trim().is_empty() {
                return Err(AliasError::Empty(name.clone()));
            }
            if line.chars().any(char::is_control) {
                return Err(AliasError::SeveralLines(name.clone()));
            }
        }
        Ok(Aliases(Arc::new(all)))
    }

    /// Returns each alias with its replacement, sorted by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, line)| (name.as_str(), line.as_str()))
    }

    /// Returns the replacement for the first word of a line, with the rest of the line; `None` if
    /// the word isn't an alias, or is a verb of the game, which takes precedence.
    pub(crate) fn first_word<'l>(
        &self,
        line: &'l str,
        referee: &Referee,
    ) -> Option<(&str, &'l str)> {
        let line = line.trim_start();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let meant = self.0.get(word)?;
        (!referee.ruleset().has_verb(word)).then_some((meant.trim(), rest.trim()))
    }

    /// Returns the aliases that begin with `begun` and aren't verbs of the game, each with its
    /// replacement.
    pub(crate) fn beginning_with<'a>(
        &'a self,
        begun: &'a str,
        referee: &'a Referee,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let fits = move |name: &str| name.starts_with(begun) && !referee.ruleset().has_verb(name);
        self.iter().filter(move |(name, _)| fits(name))
    }

    /// Returns a line with the alias at its beginning replaced; `None` if its first word isn't an
    /// alias, or is a verb of the game. The replacement is not searched for aliases again.
    pub(crate) fn expand(&self, line: &str, referee: &Referee) -> Option<String> {
        let (meant, rest) = self.first_word(line, referee)?;
        Some(if rest.is_empty() { meant.to_owned() } else { format!("{meant} {rest}") })
    }
}

#[cfg(test)]
mod tests {
    use super::{AliasError, Aliases};

    fn alias(name: &str, line: &str) -> Result<Aliases, AliasError> {
        Aliases::new([(name.to_owned(), line.to_owned())])
    }

    #[test]
    fn an_alias_is_one_new_word_for_one_line() {
        assert!(alias("nf", "next to fight").is_ok());
        assert_eq!(alias("n f", "next"), Err(AliasError::NotOneWord("n f".to_owned())));
        assert_eq!(alias("", "next"), Err(AliasError::NotOneWord(String::new())));
        assert_eq!(alias("!", "next"), Err(AliasError::NotOneWord("!".to_owned())));
        assert_eq!(alias("undo", "next"), Err(AliasError::WordOfConsole("undo".to_owned())));
        assert_eq!(alias("nf", "  "), Err(AliasError::Empty("nf".to_owned())));
        assert_eq!(alias("nf", "next\nnext"), Err(AliasError::SeveralLines("nf".to_owned())));
    }
}
