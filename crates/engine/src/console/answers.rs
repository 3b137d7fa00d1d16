//! The list of the console's answers, for the documentation of their keys.

use super::words::answers as of_words;
use crate::render::json::{AnswerSchema, answers as of_views};

/// Returns the schemas of all answers for machines: those of the views, then those of the console's own words.
pub fn answers() -> Vec<AnswerSchema> {
    of_views().into_iter().chain(of_words()).collect()
}
