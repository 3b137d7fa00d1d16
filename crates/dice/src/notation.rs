//! The notation of dice: its limits, its errors, and the two functions that parse it.

use std::ops::Range;

use crate::expression::Expression;
use crate::parser::DiceParser;
use crate::pool::Pool;

/// The longest text that is parsed, in bytes.
pub const MAX_TEXT: usize = 1_000;
/// The most dice thrown at first, in a pool or an expression.
pub const MAX_DICE: u32 = 10_000;
/// The most sides of a die.
pub const MAX_SIDES: u32 = 1_000_000;
/// The deepest nesting of parentheses.
pub const MAX_NESTING: u32 = 32;
/// The largest number that may be written.
pub const MAX_NUMBER: u32 = 1_000_000_000;
/// The largest number an expression may reach at any step, either way from zero.
pub const MAX_TOTAL: i64 = 1_000_000_000_000_000;
/// The largest denominator a fraction may have before it is rounded.
pub const MAX_DENOMINATOR: i64 = 1_000_000;
/// The longest label, in characters.
pub const MAX_LABEL: usize = 40;
/// The most extra dice that each die of a pool can bring by exploding.
pub const EXPLOSION_LIMIT: u32 = 20;
/// The most rerolls of one die before its source counts as stuck. A pool is refused when
/// fewer than one face in twenty can stay, so chance alone reaches this less than once in 10^22
/// dice.
pub const REROLL_LIMIT: u32 = 1_000;

/// A text that is no dice notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotationError {
    /// The place in the text, in bytes.
    pub span: Range<usize>,
    /// The stable, short code of the fault, such as `dice-ambiguous`.
    pub code: &'static str,
    /// The fault, in one sentence without a full stop.
    pub message: String,
    /// A suggestion.
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

    pub(crate) fn help(mut self, help: impl Into<String>) -> NotationError {
        self.help = Some(help.into());
        self
    }
}

/// Parses an expression such as `4d6kh3 + 2`.
pub fn parse(text: &str) -> Result<Expression, NotationError> {
    DiceParser::new(text)?.whole_expression()
}

/// Parses a single pool such as `2d6kh1`, without arithmetic around it.
pub fn parse_pool(text: &str) -> Result<Pool, NotationError> {
    DiceParser::new(text)?.whole_pool()
}

/// Returns the one of `known` that `word` may be a slip of: at most a third of its letters differ.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
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
    use super::*;

    fn pool(text: &str) -> String {
        parse_pool(text).map_or_else(|e| format!("{}: {e}", e.code), |p| p.to_string())
    }

    fn expression(text: &str) -> String {
        parse(text).map_or_else(|e| format!("{}: {e}", e.code), |p| p.to_string())
    }

    #[test]
    fn pools_are_written_back() {
        for (text, canonical) in [
            ("d6", "1d6"),
            ("3D6", "3d6"),
            ("d%", "1d100"),
            ("4df", "4dF"),
            ("2d66", "2d66"),
            ("2d6KH", "2d6kh1"),
            ("4d6 dl1", "4d6dl1"),
            ("4d6!", "4d6!"),
            ("4d6!=6", "4d6!"),
            ("4d6!5", "4d6!5"),
            ("5d6!6>=5", "5d6!6>=5"),
            ("5d6!>=5", "5d6!>=5"),
            ("4d6r=1", "4d6r1"),
            ("4dFr=-1", "4dFr=-1"),
            ("4d6ro<=2min2max5", "4d6ro<=2min2max5"),
            ("5d10 >= 7", "5d10>=7"),
        ] {
            assert_eq!(pool(text), canonical);
            assert_eq!(pool(canonical), canonical);
        }
    }

    #[test]
    fn expressions_are_written_back() {
        for (text, canonical) in [
            ("4d6kh3+2", "4d6kh3 + 2"),
            ("-d6 + 7", "-1d6 + 7"),
            ("floor((2d6+1)/2)*3", "floor((2d6 + 1) / 2) * 3"),
            ("3d6+5>=18", "3d6 + 5 >= 18"),
            ("(5d10)>=7", "(5d10) >= 7"),
            ("d20[sword]+d4[bless]", "1d20 [sword] + 1d4 [bless]"),
            ("5d10>=7-5d10=1", "5d10>=7 - 5d10=1"),
            ("3d6/2>=5", "3d6 / 2 >= 5"),
            ("1d6!-1", "1d6! - 1"),
            ("18<=3d6", "18 <= 3d6"),
        ] {
            assert_eq!(expression(text), canonical);
            assert_eq!(expression(canonical), canonical);
        }
    }

    #[test]
    fn ambiguous_texts_are_refused() {
        for text in [
            "4d6k3",
            "4d6d1",
            "5+3d6>=5",
            "3d6>=5+2",
            "2*3d6>=5",
            "5d10>=7>=3",
            "3d6>=2d8",
            "3d6[a]>=4",
            "4d6!!",
            "4d6r",
            "3d6e6",
            "3d6x2",
            "5d6s",
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.code, "dice-ambiguous", "{text}");
            assert!(error.help.is_some(), "{text}");
            assert!(error.span.end <= text.len() && !error.span.is_empty(), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for (text, code) in [
            ("2d6>=13", "dice-never"),
            ("d6r7", "dice-never"),
            ("d6r<=6", "dice-endless"),
            ("d100r<=96", "dice-endless"),
            ("d6!>=1", "dice-endless"),
            ("d1!", "dice-endless"),
            ("4d6kh5", "dice-choice"),
            ("4d6dl4", "dice-choice"),
            ("4d6dl1dh3", "dice-choice"),
            ("4d6kh0", "dice-choice"),
            ("4d6!!6", "dice-ambiguous"),
            ("4d6!5!6", "dice-twice"),
            ("4d6kh3r1kl1", "dice-twice"),
            ("d6min7", "dice-never"),
            ("d0", "dice-sides"),
            ("0d6", "dice-count"),
            ("999999999d6", "dice-count"),
            ("6000d6+6000d6", "dice-count"),
            ("d1000001", "dice-sides"),
            ("99999999999999999999", "dice-too-large"),
            ("1000000000*1000000000", "dice-too-large"),
            ("3d6/2", "dice-fraction"),
            ("3d6/0", "dice-divisor"),
            ("3d6/d6", "dice-expected"),
            ("3d6/2d6", "dice-divisor"),
            ("2(3)", "dice-expected"),
            ("", "dice-expected"),
            ("(3d6", "dice-expected"),
            ("3d6 − 1", "dice-expected"),
            ("flor(3d6/2)", "dice-name"),
            ("4d6mni2", "dice-modifier"),
            ("3d6[a\u{1b}b]", "dice-label"),
            ("3d6[a", "dice-label"),
            ("1<2<3", "dice-chain"),
        ] {
            assert_eq!(parse(text).map_err(|e| e.code), Err(code), "{text}");
        }
        assert_eq!(parse(&"(".repeat(999)).unwrap_err().code, "dice-nesting");
        assert_eq!(parse(&"1".repeat(5_000_000)).unwrap_err().code, "dice-too-long");
        assert!(parse_pool("3d6+1").is_err());
    }
}
