//! Lines about the end of the game, and about the report of it: `game over`, `battle report please`. Nothing in
//! the rules ends a game early, so the umpire is told how to leave it and what can be kept of it.

use super::play::Play;
use super::question_words;
use crate::command::{LineError, TypedLine};

/// Lines that end the game.
const ENDS: [&str; 12] = [
    "end game",
    "end the game",
    "end of game",
    "end of the game",
    "game over",
    "the game is over",
    "the game ends",
    "the game ends here",
    "finish the game",
    "stop the game",
    "call it a day",
    "we stop here",
];

/// Lines that ask for the battle report.
const REPORTS: [&str; 9] = [
    "report",
    "battle report",
    "a battle report",
    "the battle report",
    "write the report",
    "write a report",
    "write the battle report",
    "make a report",
    "write a battle report",
];

/// Returns the error with help for a line that ends the game, or that asks for its report. Returns `None` for any
/// other line.
pub(super) fn help(play: &Play, typed: &TypedLine<'_>) -> Option<LineError> {
    if play.referee().ruleset().has_verb(typed.verb()) {
        return None;
    }
    let mut words = question_words::question_words(typed);
    words.retain(|word| word != "please");
    let spoken = words.join(" ");
    // `blue gives up, game over`
    let ends = |phrase: &&str| {
        spoken == **phrase || spoken.strip_suffix(*phrase).is_some_and(|rest| rest.ends_with(' '))
    };
    let writes = "`adjutant transcript SESSION --format report --to report.html` writes the battle report in a shell";
    let (message, help) = if ENDS.iter().any(ends) {
        let help = format!(
            "`quit` leaves the game, which stays saved; `note TEXT` records why it ended; {writes}"
        );
        ("the game ends when its rules say so, or when you leave it", help)
    } else if REPORTS.contains(&spoken.as_str()) {
        let help = format!("{writes}; `report TEXT` adds a paragraph to the report of this turn");
        ("the battle report is written from the saved session", help)
    } else {
        return None;
    };
    Some(LineError { wants_sample: false, ..LineError::new(None, message) }.help(help))
}
