//! Dice of one kind thrown together: `4d6kh3`, `6d10!>=8`, `d66`.

use std::fmt;

use crate::modifier::DiceModifier;

/// A kind of die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Die {
    /// Faces from 1 to this number.
    Plain(u32),
    /// A Fudge die, `dF`: -1, 0 or +1.
    Fudge,
    /// `d66`: two six-sided dice, the first read as tens and the second as units.
    Tens,
}

impl Die {
    /// Returns the lowest face.
    pub fn lowest(self) -> i32 {
        self.face(0)
    }

    /// Returns the highest face.
    pub fn highest(self) -> i32 {
        self.face(self.faces() - 1)
    }

    /// Returns the number of faces, which are all equally likely.
    pub fn faces(self) -> u32 {
        match self {
            Die::Plain(sides) => sides,
            Die::Fudge => 3,
            Die::Tens => 36,
        }
    }

    /// Returns the face of a rank, counted from 0 for the lowest.
    pub(crate) fn face(self, rank: u32) -> i32 {
        let rank = i32::try_from(rank).unwrap_or(i32::MAX);
        match self {
            Die::Plain(_) => rank.saturating_add(1),
            Die::Fudge => rank.saturating_sub(1),
            Die::Tens => (rank / 6 + 1) * 10 + rank % 6 + 1,
        }
    }

    /// Returns the sides of the dice that a source throws for this one, and their number.
    pub(crate) fn thrown(self) -> (u32, u32) {
        match self {
            Die::Plain(sides) => (sides, 1),
            Die::Fudge => (3, 1),
            Die::Tens => (6, 2),
        }
    }

    /// Returns the number of faces that meet the point.
    pub(crate) fn matching(self, point: Point) -> u32 {
        match self {
            Die::Plain(sides) => {
                let (sides, value) = (i64::from(sides), i64::from(point.value));
                let (from, to) = match point.comparison {
                    Comparison::AtMost => (1, value),
                    Comparison::Less => (1, value - 1),
                    Comparison::AtLeast => (value, sides),
                    Comparison::More => (value + 1, sides),
                    Comparison::Equal => (value, value),
                };
                u32::try_from(to.min(sides) - from.max(1) + 1).unwrap_or(0)
            }
            Die::Fudge | Die::Tens => {
                (0..self.faces()).map(|r| u32::from(point.holds(self.face(r)))).sum()
            }
        }
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Die::Plain(sides) => write!(f, "d{sides}"),
            Die::Fudge => f.write_str("dF"),
            Die::Tens => f.write_str("d66"),
        }
    }
}

/// A way to compare two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `<`
    Less,
    /// `=`
    Equal,
}

impl Comparison {
    /// All comparisons; no sign is the beginning of a later one.
    pub(crate) const ALL: [Comparison; 5] = [
        Comparison::AtLeast,
        Comparison::AtMost,
        Comparison::More,
        Comparison::Less,
        Comparison::Equal,
    ];

    /// Returns true if the comparison holds between the numbers.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::AtLeast => left >= right,
            Comparison::AtMost => left <= right,
            Comparison::More => left > right,
            Comparison::Less => left < right,
            Comparison::Equal => left == right,
        }
    }

    /// Returns the sign as it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::AtLeast => ">=",
            Comparison::AtMost => "<=",
            Comparison::More => ">",
            Comparison::Less => "<",
            Comparison::Equal => "=",
        }
    }
}

/// The faces that a modifier means: `>=5`, `1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The comparison, with the face on its left.
    pub comparison: Comparison,
    /// The number on its right.
    pub value: i32,
}

impl Point {
    /// Returns true if a face of that value is meant.
    pub fn holds(self, value: i32) -> bool {
        self.comparison.holds(i64::from(value), i64::from(self.value))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.comparison.sign(), self.value)
    }
}

/// Dice of one kind thrown together, with their modifiers. [`parse_pool`](super::parse_pool) makes
/// it; its limits hold for every value of this type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    pub(crate) count: u32,
    pub(crate) die: Die,
    pub(crate) modifiers: Vec<DiceModifier>,
    pub(crate) successes: Option<Point>,
}

impl Pool {
    /// Returns plain dice that are added up; none if they are more, or larger, than the notation can say.
    pub fn plain(count: u32, sides: u32) -> Option<Pool> {
        let fits =
            (1..=super::MAX_DICE).contains(&count) && (1..=super::MAX_SIDES).contains(&sides);
        let die = Die::Plain(sides);
        fits.then_some(Pool { count, die, modifiers: Vec::new(), successes: None })
    }

    /// Returns in words how the pool is read, if a comparison follows an explosion.
    pub(crate) fn reading(&self) -> Option<String> {
        let highest = self.die.highest();
        let point = self.modifiers.iter().find_map(|modifier| match modifier {
            DiceModifier::Explode(point) => Some(*point),
            _ => None,
        })?;
        let faces = |point: Point| match point.comparison {
            Comparison::AtLeast => format!("{} or more", point.value),
            Comparison::AtMost => format!("{} or less", point.value),
            Comparison::More => format!("more than {}", point.value),
            Comparison::Less => format!("less than {}", point.value),
            Comparison::Equal => point.value.to_string(),
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

    /// Returns true if it is plain dice that are added up as they fall.
    pub fn is_plain(&self) -> bool {
        matches!(self.die, Die::Plain(_)) && self.modifiers.is_empty() && self.successes.is_none()
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.count, self.die)?;
        let highest = Point { comparison: Comparison::Equal, value: self.die.highest() };
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
