//! Dice: their notation, the sources of their faces, and the exact odds of their totals.
//!
//! - [`parse`] and [`parse_pool`] read the notation; [`Pool`] and [`Expression`] hold the result,
//!   and can write it in the same notation.
//! - A [`Source`] supplies the faces: [`SeededSource`] from a seed, [`ScriptedSource`] from a list,
//!   and [`SuppliedSource`] from dice that people rolled. [`ConstantSource`] supplies the same face
//!   for all dice.
//! - Rolling a pool gives a [`PoolRoll`], which shows every face rolled and whether it counts.
//! - [`Distribution`] holds the exact odds, which are computed entirely in whole numbers.
//!
//! Everything that can be rolled has exact odds, within limits on time and memory. Rolls and odds
//! use the same pool, so each modifier has one meaning, and a test compares the two for every
//! possible roll of small pools.
//!
//! # Examples
//!
//! ```
//! use adjutant_dice::{ScriptedSource, parse};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let dice = parse("2d6+1")?;
//! let rolled = dice.roll(&mut ScriptedSource::new([3, 5]))?;
//! assert_eq!(rolled.total, 9);
//! assert_eq!(dice.distribution()?.probability(|total| total >= 9).percent(1), "41.7");
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::shadow_unrelated))]

/// The example in the README, which is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

mod bounds;
mod die;
mod distribution;
mod expression;
mod modifier;
mod notation;
mod parser;
mod pool;
mod roll;
mod source;
mod value;

pub use bounds::Bounds;
pub use die::{ComparePoint, Comparison, Die};
pub use distribution::{Distribution, Fraction, OddsError};
pub use expression::Expression;
pub use modifier::{DiceEnd, DiceModifier};
pub use notation::{
    EXPLOSION_LIMIT, MAX_DENOMINATOR, MAX_DICE, MAX_LABEL, MAX_NESTING, MAX_NUMBER, MAX_SIDES,
    MAX_TEXT, MAX_TOTAL, NotationError, REROLL_LIMIT,
};
pub use parser::{parse, parse_pool};
pub use pool::Pool;
pub use roll::{DiceTray, DieStatus, ExpressionRoll, PoolRoll, ThrownDie};
pub use source::{
    ConstantSource, ScriptedSource, Seed, SeededSource, Source, SourceError, SuppliedSource,
};
pub use value::DiceValue;
