//! Parsing one modifier of a pool.

use super::{DiceParser, NotationResult, ambiguity_error};
use crate::die::{ComparePoint, Comparison, Die};
use crate::modifier::{DiceEnd, DiceModifier};
use crate::notation::{NotationError, nearest_word};

/// The modifiers that are words.
const MODIFIER_WORDS: [&str; 8] = ["kh", "kl", "dh", "dl", "r", "ro", "min", "max"];

impl DiceParser<'_> {
    /// Reads the modifier ahead, if there is one.
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
            let message = "compounding and penetrating dice are not rolled";
            return Err(ambiguity_error(start..self.at + 1, message)
                .with_help("write `!`: each extra die counts by itself"));
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
        let mut lower = [0; 3];
        let known = lower.get_mut(..word.len()).map_or(&[][..], |lower| {
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            lower
        });
        match known {
            b"kh" => Ok(DiceModifier::Keep(DiceEnd::Highest, self.count_or_one()?)),
            b"kl" => Ok(DiceModifier::Keep(DiceEnd::Lowest, self.count_or_one()?)),
            b"dh" => Ok(DiceModifier::Drop(DiceEnd::Highest, self.count_or_one()?)),
            b"dl" => Ok(DiceModifier::Drop(DiceEnd::Lowest, self.count_or_one()?)),
            name @ (b"r" | b"ro") => match self.compare_point()? {
                Some(point) => Ok(DiceModifier::Reroll { point, once: name == b"ro" }),
                None => {
                    let help = format!("write `{word}1` or `{word}<=2`");
                    unclear("which faces are rerolled?", &help)
                }
            },
            b"min" => Ok(DiceModifier::Minimum(self.compare_value()?)),
            b"max" => Ok(DiceModifier::Maximum(self.compare_value()?)),
            b"k" => unclear(
                "`k` alone does not say which dice are kept",
                "write `kh1` for the highest, `kl1` for the lowest",
            ),
            b"d" => unclear(
                "`d` alone does not say which dice are dropped",
                "write `dl1` for the lowest, `dh1` for the highest; dice are added with `+`",
            ),
            b"e" | b"x" => unclear("tools disagree on this letter", "an explosion is written `!`"),
            b"s" | b"cs" | b"f" | b"cf" => {
                unclear("tools disagree on these letters", "a count of dice is written `5d10>=7`")
            }
            b"rr" => unclear("tools disagree on `rr`", "write `r1`, or `ro1` for once only"),
            _ => {
                let message = format!("`{word}` is not a modifier of dice");
                let error = NotationError::new("dice-modifier", span, message);
                Err(match nearest_word(word, &MODIFIER_WORDS) {
                    Some(near) => error.with_help(format!("did you mean `{near}`?")),
                    None => {
                        error.with_help(format!("there is: `{}`, `!`", MODIFIER_WORDS.join("`, `")))
                    }
                })
            }
        }
    }

    fn count_or_one(&mut self) -> NotationResult<u32> {
        if self.peek().is_ascii_digit() { self.number() } else { Ok(1) }
    }
}
