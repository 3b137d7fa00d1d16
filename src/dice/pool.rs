//! One handful of dice and what is done with it: `4d6kh3`, `6d10!>=8`, `d66`.

use std::fmt;

/// The kind of die.
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
    /// The lowest face.
    pub fn lowest(self) -> i32 {
        match self {
            Die::Plain(_) => 1,
            Die::Fudge => -1,
            Die::Tens => 11,
        }
    }

    /// The highest face.
    pub fn highest(self) -> i32 {
        match self {
            Die::Plain(sides) => i32::try_from(sides).unwrap_or(i32::MAX),
            Die::Fudge => 1,
            Die::Tens => 66,
        }
    }

    /// How many faces there are, all equally likely.
    pub fn faces(self) -> u32 {
        match self {
            Die::Plain(sides) => sides,
            Die::Fudge => 3,
            Die::Tens => 36,
        }
    }

    /// The face of that rank, from 0 for the lowest.
    pub(crate) fn face(self, rank: u32) -> i32 {
        let rank = i32::try_from(rank).unwrap_or(i32::MAX);
        match self {
            Die::Plain(_) => rank.saturating_add(1),
            Die::Fudge => rank.saturating_sub(1),
            Die::Tens => (rank / 6 + 1) * 10 + rank % 6 + 1,
        }
    }

    /// The sides of the die the source throws for this one, and how many of them.
    pub(crate) fn thrown(self) -> (u32, u32) {
        match self {
            Die::Plain(sides) => (sides, 1),
            Die::Fudge => (3, 1),
            Die::Tens => (6, 2),
        }
    }

    /// How many of the faces meet the point.
    pub(crate) fn matching(self, point: Point) -> u32 {
        match self {
            Die::Plain(sides) => {
                let (sides, value) = (i64::from(sides), i64::from(point.value));
                let up_to = |n: i64| n.clamp(0, sides);
                let found = match point.comparison {
                    Comparison::AtMost => up_to(value),
                    Comparison::Less => up_to(value - 1),
                    Comparison::AtLeast => sides - up_to(value - 1),
                    Comparison::More => sides - up_to(value),
                    Comparison::Equal => i64::from((1..=sides).contains(&value)),
                };
                u32::try_from(found).unwrap_or(0)
            }
            _ => (0..self.faces()).map(|r| u32::from(point.holds(self.face(r)))).sum(),
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
    /// Whether `left` stands to `right` as this says.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::AtLeast => left >= right,
            Comparison::AtMost => left <= right,
            Comparison::More => left > right,
            Comparison::Less => left < right,
            Comparison::Equal => left == right,
        }
    }

    /// The sign, as it is written.
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

/// Which faces a modifier means: `>=5`, `1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// How the face is compared.
    pub comparison: Comparison,
    /// With what.
    pub value: i32,
}

impl Point {
    /// Whether a face of that value is meant.
    pub fn holds(self, value: i32) -> bool {
        self.comparison.holds(i64::from(value), i64::from(self.value))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.comparison.sign(), self.value)
    }
}

/// The high end or the low end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The highest dice.
    Highest,
    /// The lowest dice.
    Lowest,
}

impl End {
    fn letter(self) -> char {
        match self {
            End::Highest => 'h',
            End::Lowest => 'l',
        }
    }
}

/// One thing done to the dice of a pool. Modifiers apply in the order they are written, each to the
/// dice that still count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// `kh3`, `kl1`: only these count. Of equal dice the one thrown first is kept.
    Keep(End, u32),
    /// `dh1`, `dl1`: these no longer count. Of equal dice the one thrown last is dropped.
    Drop(End, u32),
    /// `!`: every die that meets the point brings one more die, which can bring another, up to
    /// [`EXPLOSION_LIMIT`](super::EXPLOSION_LIMIT) for each die of the pool.
    Explode(Point),
    /// `r1`, `ro<=2`: a die that meets the point is thrown again, until it no longer does or only
    /// once.
    Reroll {
        /// Which faces are thrown again.
        point: Point,
        /// Only once, whatever comes.
        once: bool,
    },
    /// `min2`: a lower face counts as this.
    Minimum(i32),
    /// `max5`: a higher face counts as this.
    Maximum(i32),
}

impl Modifier {
    /// Whether it chooses among the dice, rather than changing each by itself.
    pub(crate) fn selects(self) -> bool {
        matches!(self, Modifier::Keep(..) | Modifier::Drop(..))
    }
}

impl fmt::Display for Modifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `=` goes without saying, except before a minus sign, which would read as a subtraction.
        let short = |point: &Point| match point {
            Point { comparison: Comparison::Equal, value } if *value >= 0 => value.to_string(),
            point => point.to_string(),
        };
        match self {
            Modifier::Keep(end, n) => write!(f, "k{}{n}", end.letter()),
            Modifier::Drop(end, n) => write!(f, "d{}{n}", end.letter()),
            Modifier::Explode(point) => write!(f, "!{}", short(point)),
            Modifier::Reroll { point, once: false } => write!(f, "r{}", short(point)),
            Modifier::Reroll { point, once: true } => write!(f, "ro{}", short(point)),
            Modifier::Minimum(n) => write!(f, "min{n}"),
            Modifier::Maximum(n) => write!(f, "max{n}"),
        }
    }
}

/// Dice of one kind thrown together, with what is done to them. Made by
/// [`parse_pool`](super::parse_pool); its limits hold for every value of this type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    pub(crate) count: u32,
    pub(crate) die: Die,
    pub(crate) modifiers: Vec<Modifier>,
    pub(crate) successes: Option<Point>,
}

impl Pool {
    /// How many dice are thrown at first.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// What kind of dice.
    pub fn die(&self) -> Die {
        self.die
    }

    /// What is done to them, in order.
    pub fn modifiers(&self) -> &[Modifier] {
        &self.modifiers
    }

    /// If the pool counts dice instead of adding them: which.
    pub fn successes(&self) -> Option<Point> {
        self.successes
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
                Modifier::Explode(point)
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
