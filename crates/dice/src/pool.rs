//! Dice of one kind thrown together: `4d6kh3`, `6d10!>=8`, `d66`.

use std::fmt;

use crate::die::{ComparePoint, Comparison, Die};
use crate::modifier::DiceModifier;
use crate::notation::{MAX_DICE, MAX_SIDES};

/// Dice of one kind thrown together, with their modifiers. [`parse_pool`](super::parse_pool) makes
/// it; its limits hold for every value of this type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    pub(crate) count: u32,
    pub(crate) die: Die,
    pub(crate) modifiers: Vec<DiceModifier>,
    pub(crate) successes: Option<ComparePoint>,
}

impl Pool {
    /// Returns plain dice that are added up; `None` if they are more, or larger, than the notation can say.
    pub fn plain(count: u32, sides: u32) -> Option<Pool> {
        let fits = (1..=MAX_DICE).contains(&count) && (1..=MAX_SIDES).contains(&sides);
        let die = Die::Plain(sides);
        fits.then_some(Pool { count, die, modifiers: Vec::new(), successes: None })
    }

    /// Explains in words how the pool is read, if a comparison follows an explosion.
    pub(crate) fn explain_comparison(&self) -> Option<String> {
        let highest = self.die.highest();
        let point = self.modifiers.iter().find_map(|modifier| match modifier {
            DiceModifier::Explode(point) => Some(*point),
            _ => None,
        })?;
        let faces = |of: ComparePoint| match of.comparison {
            Comparison::AtLeast => format!("{} or more", of.value),
            Comparison::AtMost => format!("{} or less", of.value),
            Comparison::More => format!("more than {}", of.value),
            Comparison::Less => format!("less than {}", of.value),
            Comparison::Equal => of.value.to_string(),
        };
        let explode = faces(point);
        match self.successes {
            Some(count) => Some(format!(
                "dice that show {explode} bring another; of all, those that show {} are counted",
                faces(count)
            )),
            None if point.comparison == Comparison::Equal => None,
            None => {
                let dice = format!("{}{}!{highest}{point}", self.count, self.die);
                Some(format!(
                    "dice that show {explode} bring another, and all are added up; to count them: `{dice}`"
                ))
            }
        }
    }

    /// Returns the number of dice thrown at first.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns true if a modifier follows the dice.
    pub fn is_modified(&self) -> bool {
        !self.modifiers.is_empty()
    }

    /// Returns the kind of dice.
    pub fn die(&self) -> Die {
        self.die
    }

    /// Returns true for plain dice without modifiers whose results are added up.
    pub fn is_plain(&self) -> bool {
        matches!(self.die, Die::Plain(_)) && self.modifiers.is_empty() && self.successes.is_none()
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.count, self.die)?;
        let highest = ComparePoint { comparison: Comparison::Equal, value: self.die.highest() };
        for (i, modifier) in self.modifiers.iter().enumerate() {
            // A bare `!` is only safe where no count of successes follows at once.
            let last = i + 1 == self.modifiers.len();
            match modifier {
                DiceModifier::Explode(point)
                    if *point == highest && !(last && self.successes.is_some()) =>
                {
                    f.write_str("!")?;
                }
                modifier => write!(f, "{modifier}")?,
            }
        }
        self.successes.map_or(Ok(()), |point| write!(f, "{point}"))
    }
}
