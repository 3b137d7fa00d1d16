//! The dice and answers with which an action is resolved.

use crate::language::machine::{Halt, Question};
use crate::tabletop::ReservedNames;
use adjutant_dice::{ScriptedSource, Seed, SeededSource, SuppliedSource};

/// Where the faces of a command come from.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "one is made for each command, and it is never stored"
)]
pub enum Dice {
    /// From the session's seed.
    Seeded(SeededSource),
    /// From a list, for worked examples.
    Scripted(ScriptedSource),
    /// Rolled by hand.
    Physical(SuppliedSource),
}

/// An answer to a question of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The member, the number, or 0 and 1.
    Value(i64),
    /// Chance answers.
    Random,
}

/// A question that a rule asked when a command was resolved, with what was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredQuestion {
    /// The question as it was asked.
    pub question: String,
    /// The answer as it was shown.
    pub answer: String,
    /// True if chance answered.
    pub random: bool,
}

/// The answers to the questions of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenAnswers {
    /// The questions that were answered when the command was resolved before. Each gets the same answer again, if they
    /// come in the same order.
    pub recorded: Vec<AnsweredQuestion>,
    /// The answers to all other questions, in order.
    pub typed: Vec<Answer>,
}

impl GivenAnswers {
    /// Returns all of them, to be used one after the other.
    pub(super) fn unused(&self) -> UnusedAnswers<'_> {
        UnusedAnswers { recorded: &self.recorded, typed: &self.typed }
    }
}

/// The answers that no question has taken yet.
#[derive(Clone, Debug)]
pub(super) struct UnusedAnswers<'a> {
    recorded: &'a [AnsweredQuestion],
    typed: &'a [Answer],
}

impl UnusedAnswers<'_> {
    /// Takes the answer to a question; `None` if there is none left. It is an error if the recorded answer is not
    /// among those there are now.
    pub(super) fn take_answer(&mut self, question: &Question) -> Result<Option<Answer>, Halt> {
        if let Some(at) = self.recorded.iter().position(|asked| asked.question == question.text) {
            let asked = &self.recorded[at];
            // What was asked in between is not asked any more.
            self.recorded = &self.recorded[at + 1..];
            if asked.random {
                return Ok(Some(Answer::Random));
            }
            let value = question.value_of_answer(&asked.answer);
            let value = value.ok_or_else(|| Halt::NoSuchAnswer(asked.answer.clone()))?;
            return Ok(Some(Answer::Value(value)));
        }
        let Some((answer, rest)) = self.typed.split_first() else { return Ok(None) };
        self.typed = rest;
        Ok(Some(*answer))
    }
}

/// Everything with which the referee resolves an action.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The dice.
    pub dice: Dice,
    /// Answers to questions.
    pub answers: GivenAnswers,
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
        Inputs::with_dice(Dice::Seeded(SeededSource::new(seed, number)))
    }

    /// Returns inputs for actions that roll no dice.
    pub(crate) fn without_dice() -> Inputs {
        Inputs::with_dice(Dice::Scripted(ScriptedSource::new([])))
    }

    /// Returns inputs with these dice and nothing else.
    pub fn with_dice(dice: Dice) -> Inputs {
        Inputs {
            dice,
            answers: GivenAnswers::default(),
            draws: Vec::new(),
            ask_random: false,
            insist: false,
            names: ReservedNames::default(),
        }
    }
}
