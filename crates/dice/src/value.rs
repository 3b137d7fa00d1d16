//! Dice used as a number, such as `2d6+1` or `d3`, or a fixed number.

use std::fmt;

use crate::die::Die;
use crate::expression::DiceNode;
use crate::notation::{MAX_DICE, MAX_SIDES, NotationError};
use crate::parser::parse;

/// The number of bits that the fixed number takes in the packed form. The number of sides takes
/// [`SIDES_BITS`], and the number of dice takes the rest.
const FIXED_BITS: u32 = 28;
const SIDES_BITS: u32 = 20;
/// The largest absolute value of the fixed number.
const MAX_FIXED: i64 = 100_000_000;

/// Plain dice and a fixed number that is added to them. Without dice, the value is just the fixed
/// number, and its packed form is the number itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiceValue {
    /// The number of dice.
    pub count: u32,
    /// The number of sides of each die; 0 if there are no dice.
    pub sides: u32,
    /// The number that is added to the dice.
    pub fixed: i64,
}

impl DiceValue {
    /// Parses plain dice such as `2d6+1`, or a number. Fails for any other expression, or if a
    /// number is too large.
    pub fn parse(text: &str) -> Result<DiceValue, NotationError> {
        let root = parse(text)?.root;
        let mut value = DiceValue { count: 0, sides: 0, fixed: 0 };
        let terms = match &root {
            DiceNode::Sum(terms) => terms.iter().map(|t| (t.negative, &t.node)).collect(),
            node => vec![(false, node)],
        };
        for (negative, node) in terms {
            match node {
                DiceNode::Number(n) => value.fixed += if negative { -n } else { *n },
                DiceNode::Pool(pool) if pool.is_plain() && value.count == 0 && !negative => {
                    if let Die::Plain(sides) = pool.die() {
                        value.count = pool.count();
                        value.sides = sides;
                    }
                }
                _ => return Err(invalid_dice_value(text)),
            }
        }
        if value.fixed.abs() <= MAX_FIXED && value.sides < MAX_SIDES {
            Ok(value)
        } else {
            Err(invalid_dice_value(text))
        }
    }

    /// Returns the dice packed into one word.
    pub fn to_bits(self) -> i64 {
        let dice = (i64::from(self.count) << SIDES_BITS) | i64::from(self.sides);
        (dice << FIXED_BITS) + self.fixed
    }

    /// Unpacks the dice from a word that [`DiceValue::to_bits`] packed.
    pub fn from_bits(bits: i64) -> DiceValue {
        let dice = bits.saturating_add(1 << (FIXED_BITS - 1)) >> FIXED_BITS;
        let sides = dice & ((1 << SIDES_BITS) - 1);
        match (dice >> SIDES_BITS).clamp(0, i64::from(MAX_DICE)) {
            0 => DiceValue { count: 0, sides: 0, fixed: bits },
            count => {
                let fixed = bits - (dice << FIXED_BITS);
                DiceValue { count: count as u32, sides: sides as u32, fixed }
            }
        }
    }
}

fn invalid_dice_value(text: &str) -> NotationError {
    let message = "dice used as a number must be plain dice, optionally plus a fixed number";
    NotationError::new("dice-value", 0..text.len(), message).with_help("write `2d6`, `d3+1` or `4`")
}

impl fmt::Display for DiceValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.count, self.fixed) {
            (0, fixed) => return write!(f, "{fixed}"),
            (1, _) => write!(f, "d{}", self.sides)?,
            (count, _) => write!(f, "{count}d{}", self.sides)?,
        }
        if self.fixed == 0 { Ok(()) } else { write!(f, "{:+}", self.fixed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_in_a_word() {
        for (text, shown) in [
            ("D6", "d6"),
            ("2D3+1", "2d3+1"),
            ("d6 - 2", "d6-2"),
            ("3", "3"),
            ("-3", "-3"),
            ("10000d999999+100000000", "10000d999999+100000000"),
            ("10000d999999-100000000", "10000d999999-100000000"),
            ("1+2d4+1", "2d4+2"),
        ] {
            let value = DiceValue::parse(text).unwrap();
            assert_eq!(DiceValue::from_bits(value.to_bits()), value);
            assert_eq!(value.to_string(), shown);
        }
        assert_eq!(DiceValue::parse("7").unwrap().to_bits(), 7);
        for text in [
            "2d6kh1",
            "d6+d3",
            "2*d6",
            "6-d6",
            "d66",
            "5d6>=4",
            "d6-d3",
            "-d6",
            "d1000000",
            "d6+100000001",
            "d6-100000001",
        ] {
            assert_eq!(DiceValue::parse(text).unwrap_err().code, "dice-value", "{text}");
        }
    }
}
