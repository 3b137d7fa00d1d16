//! The answers to questions that are understood as they stand, from the modules that answer them. A question
//! that isn't answered here may still be a phrase for a line, or near to a question that can be answered.

use super::ability_questions;
use super::acted;
use super::last_result;
use super::play::Play;
use super::question_forms;
use super::questions;
use super::remaining;
use super::reply::Replied;
use super::skipped_phases;
use super::value_questions;
use super::why_questions;
use crate::command::TypedLine;

/// Returns the answer to a question. `words` are the words of the typed line. Returns `None` for any other
/// line.
pub(super) fn find(play: &Play, typed: &TypedLine<'_>, words: &[String]) -> Option<Replied> {
    // After a question, another line may follow.
    let is_one_sentence = !typed.line.trim_end().trim_end_matches('?').contains('?');
    let about_values = || {
        question_forms::answer_what_follows(play, words)
            .or_else(|| question_forms::commands_for_piece(play, words))
            .or_else(|| question_forms::rules_about(play, words))
            .or_else(|| acted::answer(play, words))
            .or_else(|| remaining::answer(play, words))
            .or_else(|| value_questions::answer(play, words))
            .or_else(|| value_questions::answer_about_row(play, words))
            .or_else(|| value_questions::answer_about_words(play, words))
            .or_else(|| skipped_phases::answer(play, words))
            .or_else(|| last_result::answer(play, words))
            .map(Ok)
    };
    let answered = if is_one_sentence { about_values() } else { None };
    answered
        .or_else(|| ability_questions::answer(play, typed))
        .or_else(|| questions::answer(play, typed))
        .or_else(|| why_questions::answer(play, typed))
}
