//! Bounds of totals. They are checked when the text is parsed, so that no arithmetic can overflow
//! when the dice are thrown.

use super::expression::{DiceNode, Expression, Factor};
use super::modifier::PoolLimits;
use super::notation::{MAX_DENOMINATOR, MAX_TOTAL};
use super::pool::Pool;

/// Two numbers between which every total lies. With rerolls and explosions they need not be
/// reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// No total is lower.
    pub lowest: i64,
    /// No total is higher.
    pub highest: i64,
}

impl Pool {
    /// Returns the bounds of the total.
    pub fn bounds(&self) -> Bounds {
        let mut limits = PoolLimits::of(self.die, self.count);
        self.modifiers.iter().for_each(|modifier| modifier.limit(&mut limits));
        let PoolLimits { fewest, most, lowest, highest, .. } = limits;
        if self.successes.is_some() {
            return Bounds { lowest: 0, highest: most };
        }
        Bounds {
            lowest: lowest * if lowest < 0 { most } else { fewest },
            highest: highest * if highest > 0 { most } else { fewest },
        }
    }
}

impl Expression {
    /// Returns the bounds of the total.
    pub fn bounds(&self) -> Bounds {
        // An expression with a number too large or a fraction left over is never made.
        match shape(&self.root) {
            Ok(shape) => Bounds { lowest: shape.lowest, highest: shape.highest },
            Err(Outsize) => Bounds { lowest: -MAX_TOTAL, highest: MAX_TOTAL },
        }
    }
}

/// The bounds of a part of an expression: numerators of fractions with a known denominator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) lowest: i64,
    pub(crate) highest: i64,
    pub(crate) scale: i64,
}

/// An error: some step would pass the limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outsize;

impl Shape {
    fn new(ends: [i128; 2], scale: i128) -> Result<Shape, Outsize> {
        let limit = i128::from(MAX_TOTAL);
        if ends.iter().any(|n| n.abs() > limit) || scale > i128::from(MAX_DENOMINATOR) {
            return Err(Outsize);
        }
        let cut = |n: i128| i64::try_from(n).map_err(|_| Outsize);
        Ok(Shape { lowest: cut(ends[0])?, highest: cut(ends[1])?, scale: cut(scale)? })
    }

    fn ends(self) -> [i128; 2] {
        [self.lowest.into(), self.highest.into()]
    }

    /// Returns the same numbers over a denominator that `scale` divides too.
    fn over(self, scale: i64) -> Result<Shape, Outsize> {
        let (common, by, _) = align(self.scale, scale);
        if by == 1 {
            return Ok(self);
        }
        let by = i128::from(by);
        Shape::new(self.ends().map(|n| n * by), common.into())
    }
}

/// Returns the least common denominator, and the factors that bring each numerator to it.
#[inline]
pub(crate) fn align(a: i64, b: i64) -> (i64, i64, i64) {
    if a == b {
        return (a, 1, 1);
    }
    let common = num_integer::lcm(a, b);
    (common, common / a, common / b)
}

/// Returns the bounds of a part.
pub(crate) fn shape(node: &DiceNode) -> Result<Shape, Outsize> {
    match node {
        DiceNode::Number(n) => Shape::new([i128::from(*n); 2], 1),
        DiceNode::Pool(pool) => {
            let bounds = pool.bounds();
            Shape::new([bounds.lowest.into(), bounds.highest.into()], 1)
        }
        DiceNode::Group(inner) | DiceNode::Label(inner, _) => shape(inner),
        DiceNode::Rounded(rounding, inner) => {
            let inner = shape(inner)?;
            let round = |n| i128::from(rounding.apply(n, inner.scale));
            Shape::new([round(inner.lowest), round(inner.highest)], 1)
        }
        DiceNode::Sum(terms) => {
            let mut sum = Shape { lowest: 0, highest: 0, scale: 1 };
            for term in terms {
                let next = shape(&term.node)?.over(sum.scale)?;
                sum = sum.over(next.scale)?;
                let ([a, b], [c, d]) = (sum.ends(), next.ends());
                let ends = if term.negative { [a - d, b - c] } else { [a + c, b + d] };
                sum = Shape::new(ends, sum.scale.into())?;
            }
            Ok(sum)
        }
        DiceNode::Product(first, rest) => {
            let mut product = shape(first)?;
            for factor in rest {
                let scale = i128::from(product.scale);
                product = match factor {
                    Factor::Over(n) => Shape::new(product.ends(), scale * i128::from(*n))?,
                    Factor::Times(node) => {
                        let next = shape(node)?;
                        let ([a, b], [c, d]) = (product.ends(), next.ends());
                        let corners = [a * c, a * d, b * c, b * d];
                        let lowest = corners.iter().copied().min().unwrap_or(0);
                        let highest = corners.iter().copied().max().unwrap_or(0);
                        Shape::new([lowest, highest], scale * i128::from(next.scale))?
                    }
                };
            }
            Ok(product)
        }
        DiceNode::Compare(_, sides) => {
            let (left, right) = (shape(&sides[0])?, shape(&sides[1])?);
            left.over(right.scale)?;
            right.over(left.scale)?;
            Shape::new([0, 1], 1)
        }
    }
}
