//! Dice: how they are written, where their faces come from, and how likely each result is.
//!
//! - [`parse`] and [`parse_pool`] read the notation; [`Pool`] and [`Expression`] hold it and
//!   write it back.
//! - A [`Source`] gives the faces: [`Seeded`] from a seed, [`Scripted`] from a list, [`Supplied`]
//!   from what the players rolled by hand. Nothing else in Adjutant is random.
//! - Rolling a pool gives a [`Rolled`] that shows every face thrown and what became of it.
//! - [`Distribution`] holds the exact odds, in whole numbers from end to end.
//!
//! Whatever can be rolled has odds, and both read the same pool: each modifier has one meaning,
//! stated in `docs/dice.md`, and a test walks through every fall of the dice to see that the two
//! agree.

mod bounds;
mod distribution;
mod expression;
mod notation;
mod parser;
mod pool;
mod roll;
mod sense;
mod source;

pub use bounds::Bounds;
pub use distribution::{Distribution, Fraction, OddsError};
pub use expression::{Expression, Rounding};
pub use notation::{
    EXPLOSION_LIMIT, MAX_DENOMINATOR, MAX_DICE, MAX_LABEL, MAX_NESTING, MAX_NUMBER, MAX_SIDES,
    MAX_TEXT, MAX_TOTAL, NotationError, REROLL_LIMIT, parse, parse_pool,
};
pub use pool::{Comparison, Die, End, Modifier, Point, Pool};
pub use roll::{Fate, Rolled, RolledExpression, Thrown};
pub use source::{Scripted, Seed, Seeded, Source, SourceError, Supplied};
