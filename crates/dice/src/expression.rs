//! Dice with arithmetic around them, such as `3d6+5>=18` or `floor(2d6/2)`.

use std::fmt;

use crate::die::Comparison;
use crate::pool::Pool;

/// A function that rounds a fraction to a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DiceRounding {
    /// `floor`: rounds down.
    Down,
    /// `ceil`: rounds up.
    Up,
    /// `round`: rounds to the nearest number, with halves rounded up.
    Nearest,
}

impl DiceRounding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            DiceRounding::Down => "floor",
            DiceRounding::Up => "ceil",
            DiceRounding::Nearest => "round",
        }
    }

    /// Rounds `numerator / scale`.
    pub(crate) fn apply(self, numerator: i64, scale: i64) -> i64 {
        match self {
            DiceRounding::Down => numerator.div_euclid(scale),
            DiceRounding::Up => -(-numerator).div_euclid(scale),
            DiceRounding::Nearest => (2 * numerator + scale).div_euclid(2 * scale),
        }
    }
}

/// A term of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Term {
    pub(crate) negative: bool,
    pub(crate) node: DiceNode,
}

/// A factor or divisor of a product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Factor {
    Times(DiceNode),
    /// Only a plain number can divide, so the denominator of every fraction is known in advance.
    Over(i64),
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DiceNode {
    Number(i64),
    Pool(Pool),
    Group(Box<DiceNode>),
    Label(Box<DiceNode>, String),
    Rounded(DiceRounding, Box<DiceNode>),
    Sum(Vec<Term>),
    Product(Box<DiceNode>, Vec<Factor>),
    Compare(Comparison, Box<[DiceNode; 2]>),
}

/// Dice and numbers with any arithmetic or comparison between them, as [`parse`](super::parse)
/// reads them. The total is always a whole number: an expression that can give a fraction is
/// refused unless it is rounded or compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression {
    pub(crate) root: DiceNode,
}

impl Expression {
    /// Returns true if the expression is a comparison; its total is then 1 or 0.
    pub fn is_comparison(&self) -> bool {
        let mut node = &self.root;
        while let DiceNode::Group(inner) | DiceNode::Label(inner, _) = node {
            node = inner;
        }
        matches!(node, DiceNode::Compare(..))
    }
}

impl Expression {
    /// Returns an explanation for each pool in which a comparison follows an explosion. It states
    /// which dice explode and which dice, if any, are counted.
    pub fn explain_comparisons(&self) -> Vec<String> {
        let mut found = Vec::new();
        // Writing the expression visits every pool.
        let _ = self.root.write(&mut String::new(), &mut |pool, _| {
            found.extend(pool.explain_comparison());
            Ok(())
        });
        found
    }
}

impl DiceNode {
    /// Writes the part, using `pool` to write each pool.
    pub(crate) fn write(
        &self,
        f: &mut dyn fmt::Write,
        pool: &mut dyn FnMut(&Pool, &mut dyn fmt::Write) -> fmt::Result,
    ) -> fmt::Result {
        match self {
            DiceNode::Number(n) => write!(f, "{n}"),
            DiceNode::Pool(inner) => pool(inner, f),
            DiceNode::Group(inner) => {
                f.write_str("(")?;
                inner.write(f, pool)?;
                f.write_str(")")
            }
            DiceNode::Label(inner, label) => {
                inner.write(f, pool)?;
                write!(f, " [{label}]")
            }
            DiceNode::Rounded(rounding, inner) => {
                write!(f, "{}(", rounding.name())?;
                inner.write(f, pool)?;
                f.write_str(")")
            }
            DiceNode::Sum(terms) => {
                for (i, term) in terms.iter().enumerate() {
                    f.write_str(match (i, term.negative) {
                        (0, false) => "",
                        (0, true) => "-",
                        (_, false) => " + ",
                        (_, true) => " - ",
                    })?;
                    term.node.write(f, pool)?;
                }
                Ok(())
            }
            DiceNode::Product(first, rest) => {
                first.write(f, pool)?;
                for factor in rest {
                    match factor {
                        Factor::Times(node) => {
                            f.write_str(" * ")?;
                            node.write(f, pool)?;
                        }
                        Factor::Over(n) => write!(f, " / {n}")?,
                    }
                }
                Ok(())
            }
            DiceNode::Compare(comparison, sides) => {
                sides[0].write(f, pool)?;
                write!(f, " {} ", comparison.sign())?;
                sides[1].write(f, pool)
            }
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.write(f, &mut |pool, out| write!(out, "{pool}"))
    }
}

#[cfg(test)]
mod tests {
    use super::DiceRounding;

    #[test]
    fn fractions_are_rounded_and_a_half_goes_up() {
        let halves = [-3, -2, -1, 0, 1, 2, 3];
        let of = |rounding: DiceRounding| halves.map(|n| rounding.apply(n, 2));
        assert_eq!(of(DiceRounding::Down), [-2, -1, -1, 0, 0, 1, 1]);
        assert_eq!(of(DiceRounding::Up), [-1, -1, 0, 0, 1, 1, 2]);
        assert_eq!(of(DiceRounding::Nearest), [-1, -1, 0, 0, 1, 1, 2]);
        let thirds = [-4, -2, -1, 1, 2, 4].map(|n| DiceRounding::Nearest.apply(n, 3));
        assert_eq!(thirds, [-1, -1, 0, 0, 1, 1]);
    }
}
