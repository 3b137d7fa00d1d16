//! The dice and answers with which an action is resolved.

use crate::language::machine::{Halt, Question};
use crate::tabletop::ReservedNames;
use adjutant_dice::{ConstantSource, ScriptedSource, Seed, SeededSource, SuppliedSource};

/// The source of a command's dice.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "one is made for each command, and it is never stored"
)]
pub enum Dice {
    /// The session's seed.
    Seeded(SeededSource),
    /// A list, for worked examples.
    Scripted(ScriptedSource),
    /// The same face on all dice, to compare two runs.
    Constant(ConstantSource),
    /// The players roll.
    Physical(SuppliedSource),
}

/// An answer to a question of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The index of the member, the number itself, or 0 for no and 1 for yes.
    Value(i64),
    /// The question is answered at random.
    Random,
}

/// A question that a rule asked when a command was resolved, with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredQuestion {
    /// The question as it was asked.
    pub question: String,
    /// The answer as it was shown.
    pub answer: String,
    /// True if it was answered at random.
    pub random: bool,
}

/// The answers to the questions of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenAnswers {
    /// The questions that were answered when the command was resolved before. If they are asked
    /// again in the same order, each gets the same answer.
    pub recorded: Vec<AnsweredQuestion>,
    /// The answers to all other questions, in the order of the questions.
    pub typed: Vec<Answer>,
}

impl GivenAnswers {
    /// Returns these answers, none of them used yet.
    pub(super) fn unused(&self) -> UnusedAnswers<'_> {
        UnusedAnswers { recorded: &self.recorded, typed: &self.typed }
    }
}

/// The answers that have not been used yet.
#[derive(Clone, Debug)]
pub(super) struct UnusedAnswers<'a> {
    recorded: &'a [AnsweredQuestion],
    typed: &'a [Answer],
}

impl UnusedAnswers<'_> {
    /// Takes the answer to a question; `None` if no answer is left. Fails if the recorded answer is
    /// not possible now.
    pub(super) fn take_answer(&mut self, question: &Question) -> Result<Option<Answer>, Halt> {
        if let Some(at) = self.recorded.iter().position(|asked| asked.question == question.text) {
            let asked = &self.recorded[at];
            // The questions in between are no longer asked.
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

/// All inputs that the referee needs to resolve an action.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The source of the dice.
    pub dice: Dice,
    /// Answers to questions.
    pub answers: GivenAnswers,
    /// The names of the next cards to draw; after them, cards are drawn at random.
    pub draws: Vec<String>,
    /// True if the remaining questions are answered at random.
    pub ask_random: bool,
    /// True if the umpire overrides refusals.
    pub insist: bool,
    /// The names of the pieces that an action makes when it is resolved again.
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
