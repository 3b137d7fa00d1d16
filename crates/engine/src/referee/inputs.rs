//! The dice and answers with which an action is resolved.

use crate::tabletop::ReservedNames;
use adjutant_dice::{Scripted, Seed, Seeded, Supplied};

/// Where the faces of a command come from.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "one is made for each command, and it is never stored"
)]
pub enum Dice {
    /// From the session's seed.
    Seeded(Seeded),
    /// From a list, for worked examples.
    Scripted(Scripted),
    /// Rolled by hand.
    Physical(Supplied),
}

/// An answer to a question of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The member, the number, or 0 and 1.
    Value(i64),
    /// Chance answers.
    Random,
}

/// The dice and answers of a command.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The dice.
    pub dice: Dice,
    /// Answers to questions, in order.
    pub answers: Vec<Answer>,
    /// Cards by name, in the order they are drawn; then chance decides.
    pub draws: Vec<String>,
    /// True if chance answers what is not answered.
    pub ask_random: bool,
    /// True if the umpire insists on what the rules refuse.
    pub insist: bool,
    /// Names for the pieces that it makes, if it is resolved again.
    pub names: ReservedNames,
}

impl Inputs {
    /// Returns inputs with the dice of stream `number` of the seed.
    pub fn seeded(seed: &Seed, number: u64) -> Inputs {
        Inputs::of(Dice::Seeded(Seeded::new(seed, number)))
    }

    /// Returns inputs for what throws no dice.
    pub(crate) fn none() -> Inputs {
        Inputs::of(Dice::Scripted(Scripted::new([])))
    }

    /// Returns inputs with these dice and nothing else.
    pub fn of(dice: Dice) -> Inputs {
        Inputs {
            dice,
            answers: Vec::new(),
            draws: Vec::new(),
            ask_random: false,
            insist: false,
            names: ReservedNames::default(),
        }
    }
}
