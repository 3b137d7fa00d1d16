//! Kinds of dice, and the faces of a die that a comparison selects.

use std::fmt;

/// A kind of die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Die {
    /// A die with faces from 1 to this number.
    Plain(u32),
    /// A Fudge die, `dF`: -1, 0 or +1.
    Fudge,
    /// `d66`: two six-sided dice, the first read as tens and the second as units.
    Tens,
}

impl Die {
    /// Returns the lowest face.
    pub fn lowest(self) -> i32 {
        self.face_of_rank(0)
    }

    /// Returns the highest face.
    pub fn highest(self) -> i32 {
        self.face_of_rank(self.face_count() - 1)
    }

    /// Returns the number of faces, which are all equally likely.
    pub fn face_count(self) -> u32 {
        match self {
            Die::Plain(sides) => sides,
            Die::Fudge => 3,
            Die::Tens => 36,
        }
    }

    /// Returns the face with this rank, counted from 0 for the lowest.
    pub(crate) fn face_of_rank(self, rank: u32) -> i32 {
        let rank = i32::try_from(rank).unwrap_or(i32::MAX);
        match self {
            Die::Plain(_) => rank.saturating_add(1),
            Die::Fudge => rank.saturating_sub(1),
            Die::Tens => (rank / 6 + 1) * 10 + rank % 6 + 1,
        }
    }

    /// Returns the number of sides of each die that a source rolls for this die, and the number of
    /// these dice.
    pub(crate) fn sides_and_count(self) -> (u32, u32) {
        match self {
            Die::Plain(sides) => (sides, 1),
            Die::Fudge => (3, 1),
            Die::Tens => (6, 2),
        }
    }

    /// Returns the number of faces that the comparison selects.
    pub(crate) fn count_matching(self, point: ComparePoint) -> u32 {
        match self {
            Die::Plain(sides) => {
                let sides = i64::from(sides);
                let value = i64::from(point.value);
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
                (0..self.face_count()).map(|r| u32::from(point.holds(self.face_of_rank(r)))).sum()
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
    /// All comparisons, ordered so that no sign is a prefix of a later one. The first sign that
    /// matches is therefore the right one.
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

    /// Returns the sign of the comparison in dice notation.
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

/// A comparison that selects faces of a die, such as `>=5` or `1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ComparePoint {
    /// The comparison, with the face of the die on its left side.
    pub comparison: Comparison,
    /// The number on the right side.
    pub value: i32,
}

impl ComparePoint {
    /// Returns true if the comparison selects a face with this value.
    pub fn holds(self, value: impl Into<i64>) -> bool {
        self.comparison.holds(value.into(), i64::from(self.value))
    }
}

impl fmt::Display for ComparePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.comparison.sign(), self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::Comparison;
    use crate::{ScriptedSource, parse_pool};

    #[test]
    fn comparisons_hold_as_their_signs_say() {
        for (sign, holding) in [
            (">=", [false, true, true]),
            ("<=", [true, true, false]),
            (">", [false, false, true]),
            ("<", [true, false, false]),
            ("=", [false, true, false]),
        ] {
            let comparison = Comparison::ALL.into_iter().find(|c| c.sign() == sign).unwrap();
            assert_eq!([3, 4, 5].map(|left| comparison.holds(left, 4)), holding, "{sign}");
        }
    }

    #[test]
    fn dice_are_counted_by_the_comparison() {
        // The faces are 1 to 6, with a second 4.
        for (text, count) in
            [("7d6>=4", 4), ("7d6<=4", 5), ("7d6>4", 2), ("7d6<4", 3), ("7d6=4", 2)]
        {
            let mut source = ScriptedSource::new([1, 2, 3, 4, 4, 5, 6]);
            assert_eq!(parse_pool(text).unwrap().roll(&mut source).unwrap().total, count, "{text}");
        }
    }
}
