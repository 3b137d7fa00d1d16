//! The inputs that an action is resolved with, such as dice and answers.

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
    /// The dice come from the session's seed.
    Seeded(SeededSource),
    /// The faces come from a list, for worked examples.
    Scripted(ScriptedSource),
    /// All dice show the same face, so that two runs can be compared.
    Constant(ConstantSource),
    /// The players roll the dice.
    Physical(SuppliedSource),
}

/// An answer to a question that a rule asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The chosen value: a number, the row of a piece, the index of a word, or 0 for no and 1 for
    /// yes.
    Value(i64),
    /// Chance answers the question.
    Random,
}

/// A question that a rule asked while a command was resolved, with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredQuestion {
    /// The text of the question, as it was asked.
    pub question: String,
    /// The text of the answer, as it was shown.
    pub answer: String,
    /// True if chance answered the question.
    pub random: bool,
}

/// The answers to the questions of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenAnswers {
    /// The questions that were asked when the command was last resolved, with their answers. If
    /// they are asked again in the same order, they get the same answers.
    pub recorded: Vec<AnsweredQuestion>,
    /// The answers to all other questions, in the order of the questions.
    pub typed: Vec<Answer>,
}

impl GivenAnswers {
    /// Returns a view of the answers in which none has been used yet.
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
    /// no longer possible.
    pub(super) fn take_answer(&mut self, question: &Question) -> Result<Option<Answer>, Halt> {
        if let Some(at) = self.recorded.iter().position(|asked| asked.question == question.text) {
            let asked = &self.recorded[at];
            // The recorded questions before this one are no longer asked.
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
    /// The answers to questions.
    pub answers: GivenAnswers,
    /// The names of the next cards to draw. Cards after them are drawn at random.
    pub draws: Vec<String>,
    /// True if chance answers questions that have no given answer.
    pub ask_random: bool,
    /// True if the umpire overrides refusals.
    pub insist: bool,
    /// The names for the pieces that the action makes, if it is resolved again.
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

    /// Returns inputs with these dice but no answers, drawn cards or names.
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
