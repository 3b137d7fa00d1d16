//! Parses one modifier of a pool.

use super::{DiceParser, NotationResult, ambiguity_error};
use crate::die::{ComparePoint, Comparison, Die};
use crate::modifier::{DiceEnd, DiceModifier};
use crate::notation::{NotationError, nearest_word};

/// A modifier that is a word: the word, and the function that reads the text after it.
type WordModifier = (&'static str, fn(&mut DiceParser<'_>) -> NotationResult<DiceModifier>);

/// The modifiers that are words, in the order in which messages list them.
const WORD_MODIFIERS: [WordModifier; 8] = [
    ("kh", |p| Ok(DiceModifier::Keep(DiceEnd::Highest, p.count_or_one()?))),
    ("kl", |p| Ok(DiceModifier::Keep(DiceEnd::Lowest, p.count_or_one()?))),
    ("dh", |p| Ok(DiceModifier::Drop(DiceEnd::Highest, p.count_or_one()?))),
    ("dl", |p| Ok(DiceModifier::Drop(DiceEnd::Lowest, p.count_or_one()?))),
    ("r", |p| p.reroll("r", false)),
    ("ro", |p| p.reroll("ro", true)),
    ("min", |p| Ok(DiceModifier::Minimum(p.compare_value()?))),
    ("max", |p| Ok(DiceModifier::Maximum(p.compare_value()?))),
];

/// Returns the modifiers that are words.
pub(crate) fn modifier_words() -> Vec<&'static str> {
    WORD_MODIFIERS.iter().map(|(word, _)| *word).collect()
}

impl DiceParser<'_> {
    /// Reads the next modifier, if there is one.
    pub(super) fn modifier(&mut self, die: Die) -> NotationResult<Option<DiceModifier>> {
        match self.peek() {
            b'!' => self.explosion(die).map(Some),
            b if b.is_ascii_alphabetic() => self.word_modifier().map(Some),
            _ => Ok(None),
        }
    }

    fn explosion(&mut self, die: Die) -> NotationResult<DiceModifier> {
        let start = self.at;
        self.at += 1;
        if self.peek() == b'!' || self.peek().eq_ignore_ascii_case(&b'p') {
            let message = "compounding and penetrating dice are not supported";
            return Err(ambiguity_error(start..self.at + 1, message)
                .with_help("write `!`: each extra die counts separately"));
        }
        let highest = ComparePoint { comparison: Comparison::Equal, value: die.highest() };
        Ok(DiceModifier::Explode(self.compare_point()?.unwrap_or(highest)))
    }

    fn word_modifier(&mut self) -> NotationResult<DiceModifier> {
        let start = self.at;
        let word = self.peek_word();
        self.at += word.len();
        let span = start..self.at;
        let unclear =
            |message: &str, help: &str| Err(ambiguity_error(span.clone(), message).with_help(help));
        let lower = word.to_ascii_lowercase();
        if let Some((_, read)) = WORD_MODIFIERS.iter().find(|(name, _)| *name == lower) {
            return read(self);
        }
        match lower.as_str() {
            "k" => unclear(
                "`k` needs `h` or `l`: which dice are kept?",
                "write `kh1` for the highest or `kl1` for the lowest",
            ),
            "d" => unclear(
                "`d` needs `h` or `l`: which dice are dropped?",
                "write `dl1` for the lowest or `dh1` for the highest; to add dice, write `+`",
            ),
            "e" | "x" => unclear(
                "this letter means different things in different programs",
                "write `!` for an explosion",
            ),
            "s" | "cs" | "f" | "cf" => unclear(
                "these letters mean different things in different programs",
                "to count dice, write `5d10>=7`",
            ),
            "rr" => unclear(
                "`rr` means different things in different programs",
                "write `r1`, or `ro1` to reroll only once",
            ),
            _ => {
                let message = format!("`{word}` is not a dice modifier");
                let error = NotationError::new("dice-modifier", span, message);
                let words = modifier_words();
                Err(match nearest_word(word, &words) {
                    Some(near) => error.with_help(format!("did you mean `{near}`?")),
                    None => error.with_help(format!("available: `{}`, `!`", words.join("`, `"))),
                })
            }
        }
    }

    /// Reads the faces to reroll, after the word `r` or `ro`.
    fn reroll(&mut self, word: &str, once: bool) -> NotationResult<DiceModifier> {
        let span = self.at - word.len()..self.at;
        let Some(point) = self.compare_point()? else {
            let help = format!("write `{word}1` or `{word}<=2`");
            return Err(ambiguity_error(span, "which faces are rerolled?").with_help(help));
        };
        Ok(DiceModifier::Reroll { point, once })
    }

    fn count_or_one(&mut self) -> NotationResult<u32> {
        if self.peek().is_ascii_digit() { self.number() } else { Ok(1) }
    }
}
