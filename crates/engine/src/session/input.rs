//! The input that people supply while a command is resolved: answers to questions, and the faces of
//! real dice.

use crate::referee::{GivenAnswers, Outcome};

/// The answers and the faces of real dice that are used to resolve a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandInput {
    /// The answers to questions.
    pub answers: GivenAnswers,
    /// The typed faces of real dice, in order; `None` if the dice are not real, or if an amended
    /// command reuses its earlier faces.
    pub faces: Option<Vec<u32>>,
}

impl CommandInput {
    /// Returns the number of faces that were typed.
    pub(crate) fn face_count(&self) -> usize {
        self.faces.as_ref().map_or(0, Vec::len)
    }

    /// Appends faces that were typed.
    pub(crate) fn add_faces(&mut self, faces: impl IntoIterator<Item = u32>) {
        self.faces.get_or_insert_default().extend(faces);
    }

    /// Removes all faces after the first `count`.
    pub(crate) fn truncate_faces(&mut self, count: usize) {
        if let Some(faces) = &mut self.faces {
            faces.truncate(count);
        }
    }

    /// Returns the answers that led to this outcome and, if real dice were used, their faces.
    pub(super) fn from_outcome(outcome: &Outcome) -> CommandInput {
        let answers =
            GivenAnswers { recorded: outcome.answered_questions().collect(), typed: Vec::new() };
        CommandInput { answers, faces: outcome.physical.then(|| outcome.faces().collect()) }
    }

    /// Adds the input that was typed for an amendment: answers to new questions, and new faces if
    /// the command used real dice.
    pub(super) fn with_amended(mut self, typed: &CommandInput) -> CommandInput {
        self.answers.typed.clone_from(&typed.answers.typed);
        if self.faces.is_some() && typed.faces.is_some() {
            self.faces.clone_from(&typed.faces);
        }
        self
    }
}
