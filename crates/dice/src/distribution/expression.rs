//! The odds of an expression. Each of its pools is rolled separately, so its parts are independent.

use super::Distribution;
use super::work::{OddsError, WorkBudget};
use super::{arithmetic, pool};
use crate::bounds::align_denominators;
use crate::expression::{DiceNode, Expression, Factor};

impl Expression {
    /// Returns the exact odds of every total; fails if they exceed the limits on time and memory.
    pub fn distribution(&self) -> Result<Distribution, OddsError> {
        Ok(node_distribution(&self.root, &mut WorkBudget::new())?.0)
    }
}

/// Returns the odds of a part's value, as the odds of its numerator and a fixed denominator.
fn node_distribution(
    node: &DiceNode,
    work: &mut WorkBudget,
) -> Result<(Distribution, i64), OddsError> {
    Ok(match node {
        DiceNode::Number(n) => (Distribution::constant(*n), 1),
        DiceNode::Pool(inner) => (pool::pool_distribution(inner, work)?, 1),
        DiceNode::Group(inner) | DiceNode::Label(inner, _) => node_distribution(inner, work)?,
        DiceNode::Rounded(rounding, inner) => {
            let (inner, scale) = node_distribution(inner, work)?;
            (if scale == 1 { inner } else { inner.map(|n| rounding.apply(n, scale)) }, 1)
        }
        DiceNode::Sum(terms) => {
            let mut sum = Distribution::constant(0);
            let mut scale = 1;
            for term in terms {
                let (next, other) = node_distribution(&term.node, work)?;
                let (common, ours, theirs) = align_denominators(scale, other);
                let theirs = if term.negative { -theirs } else { theirs };
                sum = arithmetic::sum(&scale_values(sum, ours), &scale_values(next, theirs), work)?;
                scale = common;
            }
            (sum, scale)
        }
        DiceNode::Product(first, rest) => {
            let (mut product, mut scale) = node_distribution(first, work)?;
            for factor in rest {
                match factor {
                    Factor::Over(n) => scale *= n,
                    Factor::Times(factor) => {
                        let (next, other) = node_distribution(factor, work)?;
                        product =
                            arithmetic::combine_pairs(&product, &next, i64::checked_mul, work)?;
                        scale *= other;
                    }
                }
            }
            (product, scale)
        }
        DiceNode::Compare(comparison, sides) => {
            let (left, a) = node_distribution(&sides[0], work)?;
            let (right, b) = node_distribution(&sides[1], work)?;
            let (_, ours, theirs) = align_denominators(a, b);
            (scale_values(left, ours).compare(*comparison, &scale_values(right, theirs)), 1)
        }
    })
}

fn scale_values(distribution: Distribution, factor: i64) -> Distribution {
    if factor == 1 { distribution } else { distribution.map(|n| n * factor) }
}
