//! Bounds on totals. The parser refuses expressions that could exceed the limits, so no arithmetic
//! can overflow when the dice are rolled.

use crate::expression::{DiceNode, Expression, Factor};
use crate::modifier::PoolLimits;
use crate::notation::{MAX_DENOMINATOR, MAX_TOTAL};
use crate::pool::Pool;

/// Lower and upper bounds on every total of a pool or an expression. With rerolls or explosions,
/// the possible totals may cover a narrower range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// A lower bound on every total.
    pub lowest: i64,
    /// An upper bound on every total.
    pub highest: i64,
}

impl Pool {
    /// Returns the bounds on the total.
    pub fn bounds(&self) -> Bounds {
        let mut limits = PoolLimits::new(self.die, self.count);
        self.modifiers.iter().for_each(|modifier| modifier.update_limits(&mut limits));
        let PoolLimits { fewest, most, lowest, highest, .. } = limits;
        if self.successes.is_some() {
            return Bounds { lowest: 0, highest: most };
        }
        // More dice lower a negative total and raise a positive one.
        Bounds {
            lowest: (lowest * most).min(lowest * fewest),
            highest: (highest * most).max(highest * fewest),
        }
    }
}

impl Expression {
    /// Returns the bounds on the total.
    pub fn bounds(&self) -> Bounds {
        // The parser refuses expressions that exceed the limits or can give a fraction.
        match scaled_bounds(&self.root) {
            Ok(shape) => Bounds { lowest: shape.lowest, highest: shape.highest },
            Err(ExceedsLimits) => Bounds { lowest: -MAX_TOTAL, highest: MAX_TOTAL },
        }
    }
}

/// The bounds on the value of a part of an expression, as numerators over the denominator `scale`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScaledBounds {
    pub(crate) lowest: i64,
    pub(crate) highest: i64,
    pub(crate) scale: i64,
}

/// The error for a step of an expression that would exceed the limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExceedsLimits;

impl ScaledBounds {
    fn new(lowest: i64, highest: i64, scale: i64) -> Result<ScaledBounds, ExceedsLimits> {
        let within = (-MAX_TOTAL..=MAX_TOTAL).contains(&lowest)
            && (-MAX_TOTAL..=MAX_TOTAL).contains(&highest)
            && scale <= MAX_DENOMINATOR;
        if within { Ok(ScaledBounds { lowest, highest, scale }) } else { Err(ExceedsLimits) }
    }

    /// Returns the same bounds over the least common multiple of their denominator and `scale`;
    /// fails if they then exceed the limits.
    fn rescale(self, scale: i64) -> Result<ScaledBounds, ExceedsLimits> {
        let (common, by, _) = align_denominators(self.scale, scale);
        let [lowest, highest] = [self.lowest, self.highest].map(|n| n.saturating_mul(by));
        ScaledBounds::new(lowest, highest, common)
    }
}

/// Returns the least common denominator and the factor for each numerator.
#[inline]
pub(crate) fn align_denominators(a: i64, b: i64) -> (i64, i64, i64) {
    if a == b {
        return (a, 1, 1);
    }
    let common = num_integer::lcm(a, b);
    (common, common / a, common / b)
}

/// Returns the bounds on a part's value; fails if the value could exceed the limits at any step.
pub(crate) fn scaled_bounds(node: &DiceNode) -> Result<ScaledBounds, ExceedsLimits> {
    match node {
        DiceNode::Number(n) => ScaledBounds::new(*n, *n, 1),
        DiceNode::Pool(pool) => {
            let bounds = pool.bounds();
            ScaledBounds::new(bounds.lowest, bounds.highest, 1)
        }
        DiceNode::Group(inner) | DiceNode::Label(inner, _) => scaled_bounds(inner),
        DiceNode::Rounded(rounding, inner) => {
            let inner = scaled_bounds(inner)?;
            let round = |n| rounding.apply(n, inner.scale);
            ScaledBounds::new(round(inner.lowest), round(inner.highest), 1)
        }
        DiceNode::Sum(terms) => {
            let mut sum = ScaledBounds { lowest: 0, highest: 0, scale: 1 };
            for term in terms {
                let next = scaled_bounds(&term.node)?.rescale(sum.scale)?;
                sum = sum.rescale(next.scale)?;
                // All parts are within the limits, so these sums fit into an `i64`.
                let [lowest, highest] = if term.negative {
                    [sum.lowest - next.highest, sum.highest - next.lowest]
                } else {
                    [sum.lowest + next.lowest, sum.highest + next.highest]
                };
                sum = ScaledBounds::new(lowest, highest, sum.scale)?;
            }
            Ok(sum)
        }
        DiceNode::Product(first, rest) => {
            let mut product = scaled_bounds(first)?;
            for factor in rest {
                let ScaledBounds { lowest, highest, scale } = product;
                product = match factor {
                    Factor::Over(n) => ScaledBounds::new(lowest, highest, scale * n)?,
                    Factor::Times(factor) => {
                        let next = scaled_bounds(factor)?;
                        let by = |a: i64| [next.lowest, next.highest].map(|b| a.saturating_mul(b));
                        let [a, b] = by(lowest);
                        let [c, d] = by(highest);
                        let least = a.min(b).min(c).min(d);
                        let greatest = a.max(b).max(c).max(d);
                        ScaledBounds::new(least, greatest, scale * next.scale)?
                    }
                };
            }
            Ok(product)
        }
        DiceNode::Compare(_, sides) => {
            let left = scaled_bounds(&sides[0])?;
            let right = scaled_bounds(&sides[1])?;
            left.rescale(right.scale)?;
            right.rescale(left.scale)?;
            ScaledBounds::new(0, 1, 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DiceNode, align_denominators, scaled_bounds};
    use crate::parse;

    /// Returns the least and the greatest total as a fraction: lowest, highest, denominator.
    fn bounds(text: &str) -> (i64, i64, i64) {
        let shape = scaled_bounds(&parse(text).unwrap().root).unwrap();
        (shape.lowest, shape.highest, shape.scale)
    }

    #[test]
    fn denominators_are_brought_to_the_least_that_both_divide() {
        assert_eq!(align_denominators(2, 3), (6, 3, 2));
        assert_eq!(align_denominators(4, 6), (12, 3, 2));
        assert_eq!(align_denominators(2, 8), (8, 4, 1));
        assert_eq!(align_denominators(5, 5), (5, 1, 1));
    }

    #[test]
    fn the_least_and_the_greatest_total_are_those_of_the_dice() {
        assert_eq!(bounds("2d6+1"), (3, 13, 1));
        // Subtracting the greatest value gives the least total.
        assert_eq!(bounds("1d4-2d6"), (-11, 2, 1));
        assert_eq!(bounds("1d4+2-3"), (0, 3, 1));
        // The extremes of a product are products of the extremes of its factors, whatever their
        // signs.
        assert_eq!(bounds("(1d4-3)*(1d6-2)"), (-8, 4, 1));
        assert_eq!(bounds("1d6>=4"), (0, 1, 1));
    }

    /// Returns the bounds before the total is rounded.
    fn unrounded(text: &str) -> (i64, i64, i64) {
        let rounded = parse(&format!("floor({text})")).unwrap().root;
        let DiceNode::Rounded(_, inner) = &rounded else { panic!("{rounded:?}") };
        let shape = scaled_bounds(inner).unwrap();
        (shape.lowest, shape.highest, shape.scale)
    }

    #[test]
    fn fractions_have_the_denominator_of_all_divisions() {
        assert_eq!(unrounded("1d6/4"), (1, 6, 4));
        assert_eq!(unrounded("1d6/4/3"), (1, 6, 12));
        assert_eq!(unrounded("(1d6/4)*(1d6/3)"), (1, 36, 12));
        assert_eq!(unrounded("1d6/2+1d6/3"), (5, 30, 6));
        assert_eq!(bounds("floor(1d6/4)"), (0, 1, 1));
    }
}
