//! Movements in games whose rules don't keep where the pieces stand: `the guards advance 20 paces`. The models
//! are moved on the table, and nothing has to be typed.

use super::play::Play;
use super::question_words;
use super::questions::names_of_pieces;
use crate::command::{self, LineError, TypedLine};

/// Everyday words for going somewhere, in the base form.
const GOES: [&str; 14] = [
    "advance", "move", "march", "walk", "go", "run", "ride", "sail", "drive", "close", "retire",
    "withdraw", "shift", "wheel",
];

/// Returns the error that the rules don't keep where pieces stand, for a line in which some of them go somewhere
/// although no verb of the game is about that. Returns `None` for any other line.
pub(super) fn error(play: &Play, typed: &TypedLine<'_>) -> Option<LineError> {
    let words = question_words::question_words(typed);
    let table = play.session.table();
    let goes =
        |word: &String| command::base_forms(word).iter().any(|form| GOES.contains(&form.as_str()));
    let named = !names_of_pieces(play, &words).is_empty()
        || !command::groups_in(play.referee(), table, typed.line).is_empty();
    let first = names_of_pieces(play, &words).into_iter().next().unwrap_or_default();
    if question_words::is_question(typed) || !named || !words.iter().any(goes) {
        return None;
    }
    let ruleset = play.referee().ruleset();
    // A game with turns to one side keeps courses.
    let turns = ["left", "right", "port", "starboard", "to"];
    let is_tracked = turns.iter().any(|word| command::is_usage_word(play.referee(), word))
        || ruleset.schema.plan_kind().is_some()
        || !command::moving_verbs(play.referee(), table, &format!("{first} to {first}")).is_empty()
        || !command::verbs_in(play.referee(), table, typed.line).is_empty();
    if is_tracked {
        return None;
    }
    let kept = "these rules don't keep where the pieces stand";
    let error = LineError { wants_sample: false, ..LineError::new(None, kept) };
    Some(error.help("move them on the table: nothing has to be typed for that; a distance is typed in the line that needs it"))
}
