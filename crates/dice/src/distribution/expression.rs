//! The odds of an expression. Each of its pools is thrown separately, so its parts are independent.

use super::Distribution;
use super::work::{OddsError, Work};
use super::{arithmetic, pool};
use crate::bounds::align;
use crate::expression::{DiceNode, Expression, Factor};

impl Expression {
    /// Returns the exact odds of every total.
    pub fn distribution(&self) -> Result<Distribution, OddsError> {
        Ok(odds(&self.root, &mut Work::new())?.0)
    }
}

/// Returns the odds of the numerator, and the denominator.
fn odds(node: &DiceNode, work: &mut Work) -> Result<(Distribution, i64), OddsError> {
    Ok(match node {
        DiceNode::Number(n) => (Distribution::constant(*n), 1),
        DiceNode::Pool(inner) => (pool::odds(inner, work)?, 1),
        DiceNode::Group(inner) | DiceNode::Label(inner, _) => odds(inner, work)?,
        DiceNode::Rounded(rounding, inner) => {
            let (inner, scale) = odds(inner, work)?;
            (if scale == 1 { inner } else { inner.map(|n| rounding.apply(n, scale)) }, 1)
        }
        DiceNode::Sum(terms) => {
            let mut sum = Distribution::constant(0);
            let mut scale = 1;
            for term in terms {
                let (next, other) = odds(&term.node, work)?;
                let (common, ours, theirs) = align(scale, other);
                let theirs = if term.negative { -theirs } else { theirs };
                sum = arithmetic::sum(&times(sum, ours), &times(next, theirs), work)?;
                scale = common;
            }
            (sum, scale)
        }
        DiceNode::Product(first, rest) => {
            let (mut product, mut scale) = odds(first, work)?;
            for factor in rest {
                match factor {
                    Factor::Over(n) => scale *= n,
                    Factor::Times(factor) => {
                        let (next, other) = odds(factor, work)?;
                        product = arithmetic::pairs(&product, &next, i64::checked_mul, work)?;
                        scale *= other;
                    }
                }
            }
            (product, scale)
        }
        DiceNode::Compare(comparison, sides) => {
            let (left, a) = odds(&sides[0], work)?;
            let (right, b) = odds(&sides[1], work)?;
            let (_, ours, theirs) = align(a, b);
            (times(left, ours).compare(*comparison, &times(right, theirs)), 1)
        }
    })
}

fn times(distribution: Distribution, factor: i64) -> Distribution {
    if factor == 1 { distribution } else { distribution.map(|n| n * factor) }
}
