//! Dice of one kind rolled together, such as `4d6kh3`, `6d10!>=8` or `d66`.

use std::fmt;

use crate::die::{ComparePoint, Comparison, Die};
use crate::modifier::DiceModifier;
use crate::notation::{MAX_DICE, MAX_SIDES};

/// Dice of one kind rolled together, with their modifiers. Only the parser and [`Pool::plain`] make
/// pools, so every pool is within the limits of the notation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    pub(crate) count: u32,
    pub(crate) die: Die,
    pub(crate) modifiers: Vec<DiceModifier>,
    pub(crate) successes: Option<ComparePoint>,
}

impl Pool {
    /// Returns plain dice that are added up; `None` if their number or size is outside the limits
    /// of the notation.
    pub fn plain(count: u32, sides: u32) -> Option<Pool> {
        let fits = (1..=MAX_DICE).contains(&count) && (1..=MAX_SIDES).contains(&sides);
        let die = Die::Plain(sides);
        fits.then_some(Pool { count, die, modifiers: Vec::new(), successes: None })
    }

    /// If a comparison follows an explosion, returns a sentence that explains how the pool is read.
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
                "each die that shows {explode} adds another; dice that show {} are counted",
                faces(count)
            )),
            None if point.comparison == Comparison::Equal => None,
            None => {
                let dice = format!("{}{}!{highest}{point}", self.count, self.die);
                Some(format!(
                    "each die that shows {explode} adds another, and all are added up; to count them, write `{dice}`"
                ))
            }
        }
    }

    /// Returns the number of dice rolled at first, before rerolls and explosions.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns true if the dice have a modifier.
    pub fn is_modified(&self) -> bool {
        !self.modifiers.is_empty()
    }

    /// Returns the kind of dice.
    pub fn die(&self) -> Die {
        self.die
    }

    /// Returns true for plain dice that have no modifiers and are added up.
    pub fn is_plain(&self) -> bool {
        matches!(self.die, Die::Plain(_)) && self.modifiers.is_empty() && self.successes.is_none()
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.count, self.die)?;
        let highest = ComparePoint { comparison: Comparison::Equal, value: self.die.highest() };
        for (i, modifier) in self.modifiers.iter().enumerate() {
            // A bare `!` is only safe if no count of successes follows it directly.
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

#[cfg(test)]
mod tests {
    use crate::{parse, parse_pool};

    #[test]
    fn a_pool_says_what_it_is() {
        for (text, is_plain, is_modified) in
            [("3d6", true, false), ("3d6kh2", false, true), ("3d6>=4", false, false)]
        {
            let pool = parse_pool(text).unwrap();
            assert_eq!((pool.is_plain(), pool.is_modified()), (is_plain, is_modified), "{text}");
            assert_eq!(pool.count(), 3);
        }
    }

    #[test]
    fn a_comparison_after_an_explosion_is_explained() {
        let explained = |text: &str| parse_pool(text).unwrap().explain_comparison();
        assert_eq!(explained("4d6>=5"), None);
        assert_eq!(explained("4d6!6"), None);
        assert_eq!(
            explained("4d6!>=5").unwrap(),
            "each die that shows 5 or more adds another, and all are added up; to count them, write `4d6!6>=5`"
        );
        assert_eq!(
            explained("4d6!6<3").unwrap(),
            "each die that shows 6 adds another; dice that show less than 3 are counted"
        );
    }

    #[test]
    fn only_a_comparison_of_totals_is_one() {
        for (text, is_comparison) in
            [("(2d6)>=(2d8)", true), ("((2d6)>=(2d8))", true), ("2d6>=4", false), ("2d6+1", false)]
        {
            assert_eq!(parse(text).unwrap().is_comparison(), is_comparison, "{text}");
        }
    }

    #[test]
    fn quantiles_are_read_off_the_ordered_results() {
        // 2d6 in 36 results: one 2, two 3s, three 4s, …
        let odds = parse("2d6").unwrap().distribution().unwrap();
        let quantiles = [(0, 1), (1, 10), (1, 4), (1, 2), (9, 10), (1, 1), (3, 2)];
        let values = quantiles.map(|(part, of)| odds.quantile(part, of));
        assert_eq!(values, [2, 4, 5, 7, 10, 12, 12]);
    }
}
