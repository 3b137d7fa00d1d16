//! The items under "On the table": the changes of a piece's markers, and the rules' instructions
//! (`instruct`) for things that no marker shows, such as a figure's move.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::referee::{Event, Outcome};
use crate::render::nodes::subject_and_rest;
use crate::render::view::View;
use crate::session::{Entry, UndoDirection};

/// The tasks on the table for one piece, or for no piece in particular.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableItem {
    /// The piece; empty for the state, and for an instruction that doesn't begin with a piece.
    pub piece: String,
    /// The tasks for the piece.
    pub tasks: Tasks,
}

impl TableItem {
    /// Returns the piece, and the words for its tasks.
    pub(crate) fn into_pair(self) -> (String, Vec<String>) {
        (self.piece, self.tasks.words())
    }
}

/// Tasks to carry out on the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Tasks {
    /// The words for setting out the piece, if it is new.
    pub set_out: Option<String>,
    /// The instructions of the rules, without the piece they begin with.
    pub instructions: Vec<String>,
    /// The changes of the piece's markers.
    pub changes: Vec<String>,
}

impl Tasks {
    /// Returns tasks that consist only of marker changes.
    pub(crate) fn of_changes(changes: Vec<String>) -> Tasks {
        Tasks { changes, ..Tasks::default() }
    }

    /// Returns true if there is nothing to do.
    pub(super) fn is_empty(&self) -> bool {
        self.set_out.is_none() && self.instructions.is_empty() && self.changes.is_empty()
    }

    /// Returns the words for all tasks, in order.
    pub(crate) fn words(&self) -> Vec<String> {
        self.set_out.iter().chain(&self.instructions).chain(&self.changes).cloned().collect()
    }

    /// Returns the pieces, followed by a colon if a sentence comes next, and the words for the
    /// tasks of each piece.
    pub(crate) fn words_for_each(&self, pieces: &str) -> (String, Vec<String>) {
        let mut words = self.words();
        if self.instructions.is_empty() {
            if let Some(last) = words.last_mut() {
                last.push_str(" each");
            }
            return (pieces.to_owned(), words);
        }
        if let Some(first) = words.first_mut() {
            first.insert_str(0, "each ");
        }
        (format!("{pieces}:"), words)
    }
}

/// Returns the name of a piece as people know it, without the number that sets it apart from
/// earlier pieces of the same name.
pub(super) fn name_without_number(name: &str) -> &str {
    name.rsplit_once('#').map_or(name, |n| n.0)
}

/// An instruction of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    words: String,
    /// True if the instruction was carried out and must be undone.
    is_undone: bool,
}

/// Returns the instructions of the rules in an outcome.
pub(crate) fn instructions_of(outcome: &Outcome) -> Vec<Instruction> {
    let texts = instruction_texts(outcome);
    texts.map(|words| Instruction { words: words.to_owned(), is_undone: false }).collect()
}

fn instruction_texts(outcome: &Outcome) -> impl Iterator<Item = &str> {
    outcome.events.iter().filter_map(|event| match event {
        Event::Instructed(words) => Some(words.as_str()),
        _ => None,
    })
}

/// Returns the instructions to follow after commands were undone or redone: the new instructions to
/// carry out, and the old ones to undo.
pub(crate) fn corrected_instructions<'e>(
    acts: impl Iterator<Item = (UndoDirection, &'e Arc<Entry>)>,
) -> Vec<Instruction> {
    // The number of times that each instruction must be carried out; negative if it must be undone.
    let mut by_words: IndexMap<&str, i64> = IndexMap::new();
    for (direction, entry) in acts {
        for words in instruction_texts(&entry.outcome) {
            *by_words.entry(words).or_default() += match direction {
                UndoDirection::Forward => 1,
                UndoDirection::Backward => -1,
            };
        }
    }
    let mut instructions = Vec::new();
    for (words, times) in by_words {
        let one = Instruction { words: words.to_owned(), is_undone: times < 0 };
        instructions.extend(std::iter::repeat_n(one, times.unsigned_abs() as usize));
    }
    instructions
}

/// Adds each instruction to the item of the piece that it begins with, or as a new item if there is
/// no such item.
pub(super) fn add_instructions(
    view: &View<'_>,
    items: &mut Vec<TableItem>,
    instructions: &[Instruction],
) {
    for Instruction { words, is_undone } in instructions {
        let (piece, words) = match (subject_and_rest(view, words), is_undone) {
            (Some((piece, rest)), false) => (piece, rest.to_owned()),
            (Some((piece, rest)), true) => (piece, format!("back ({rest})")),
            (None, false) => ("", words.clone()),
            (None, true) => ("", format!("back: {words}")),
        };
        let piece = name_without_number(piece);
        let of_piece = items.iter_mut().find(|item| !piece.is_empty() && item.piece == piece);
        match of_piece {
            Some(item) => item.tasks.instructions.push(words),
            None => items.push(TableItem {
                piece: piece.to_owned(),
                tasks: Tasks { instructions: vec![words], ..Tasks::default() },
            }),
        }
    }
}
