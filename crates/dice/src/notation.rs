//! The limits of dice notation, and its errors.

use std::ops::Range;

/// The maximum length of a text in dice notation, in bytes.
pub const MAX_TEXT: usize = 1_000;
/// The maximum number of dice in a pool or an expression, before rerolls and explosions.
pub const MAX_DICE: u32 = 10_000;
/// The maximum number of sides of a die.
pub const MAX_SIDES: u32 = 1_000_000;
/// The maximum depth of nested parentheses.
pub const MAX_NESTING: u32 = 32;
/// The largest number that can be written in the notation.
pub const MAX_NUMBER: u32 = 1_000_000_000;
/// The largest absolute value that an expression may reach at any step.
pub const MAX_TOTAL: i64 = 1_000_000_000_000_000;
/// The largest denominator of a fraction before it is rounded.
pub const MAX_DENOMINATOR: i64 = 1_000_000;
/// The maximum length of a label, in characters.
pub const MAX_LABEL: usize = 40;
/// The maximum number of extra dice that each die of a pool can add by exploding.
pub const EXPLOSION_LIMIT: u32 = 20;
/// The maximum number of rerolls of one die before its source counts as stuck. A pool is refused if
/// fewer than one face in twenty ends the rerolls, so fewer than one fair die in 10^22 reaches this
/// limit.
pub const REROLL_LIMIT: u32 = 1_000;

/// An error in dice notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotationError {
    /// The byte range of the error in the text.
    pub span: Range<usize>,
    /// The stable, short code of the error, such as `dice-ambiguous`.
    pub code: &'static str,
    /// The error, in one sentence without a full stop.
    pub message: String,
    /// A suggested correction, if there is one.
    pub help: Option<String>,
}

impl NotationError {
    pub(crate) fn new(
        code: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> NotationError {
        NotationError { span, code, message: message.into(), help: None }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> NotationError {
        self.help = Some(help.into());
        self
    }
}

/// Returns the known word that is nearest to `word`, if at most a third of the letters differ. In
/// short words, one letter may differ, but not every letter.
pub(crate) fn nearest_word<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let typed = word.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&typed, name);
    let near = known.iter().filter(|name| {
        let letters = typed.chars().count().max(name.len());
        let distance = distance(name);
        distance < letters && distance <= (letters / 3).max(1)
    });
    near.min_by_key(|name| distance(name)).copied()
}

#[cfg(test)]
mod tests {
    use super::nearest_word;

    const KNOWN_WORDS: [&str; 4] = ["floor", "ceil", "round", "kh"];

    #[test]
    fn a_slip_is_a_third_of_the_letters_at_most() {
        assert_eq!(nearest_word("flor", &KNOWN_WORDS), Some("floor"));
        assert_eq!(nearest_word("FLOOR", &KNOWN_WORDS), Some("floor"));
        // Two transposed letters count as one difference.
        assert_eq!(nearest_word("ruond", &KNOWN_WORDS), Some("round"));
        // Of five letters, one may differ; of six letters, two.
        assert_eq!(nearest_word("flxxr", &KNOWN_WORDS), None);
        assert_eq!(nearest_word("rounxx", &["rounds"]), Some("rounds"));
        assert_eq!(nearest_word("rouxxx", &["rounds"]), None);
        // The length of the longer word counts.
        assert_eq!(nearest_word("cei", &KNOWN_WORDS), Some("ceil"));
        assert_eq!(nearest_word("ceilxx", &KNOWN_WORDS), Some("ceil"));
    }

    #[test]
    fn of_few_letters_one_may_differ_but_not_all() {
        assert_eq!(nearest_word("kx", &KNOWN_WORDS), Some("kh"));
        assert_eq!(nearest_word("k", &KNOWN_WORDS), Some("kh"));
        assert_eq!(nearest_word("x", &["k"]), None);
        assert_eq!(nearest_word("xx", &KNOWN_WORDS), None);
    }

    #[test]
    fn of_several_the_nearest_is_meant() {
        assert_eq!(nearest_word("roundd", &["rounds", "round"]), Some("rounds"));
        assert_eq!(nearest_word("rundss", &["roundel", "rounds"]), Some("rounds"));
    }
}
