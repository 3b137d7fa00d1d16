//! Lines that agree to the command whose odds have just been shown: `go on then`, `do it`.

use super::automatic_rules::Doubt;
use super::confirm;
use super::play::Play;
use super::suggest::LineSearch;

/// Phrases that may agree to a command as well as end a phase.
const GOES_ON: [&str; 5] = ["go on", "go", "carry on", "continue", "proceed"];

/// Words in front of a phrase that agrees to a command.
const BEFORE: [&str; 12] =
    ["ok", "okay", "right", "yes", "good", "fine", "well", "then", "so", "he", "she", "they"];

/// Phrases that agree to carrying out a command. `yes` and similar answers also agree to it.
const AGREES: [&str; 18] = [
    "do it",
    "do that",
    "does it",
    "does that",
    "take it",
    "takes it",
    "take that",
    "takes that",
    "take the shot",
    "takes the shot",
    "go for it",
    "goes for it",
    "go ahead",
    "try it",
    "tries it",
    "risk it",
    "risks it",
    "roll it",
];

/// Returns true if an answer consists of such a phrase.
fn agrees(answer: &str) -> bool {
    let words = answer.split([' ', ',']).filter(|word| !word.is_empty());
    let said: Vec<&str> = words.skip_while(|word| BEFORE.contains(word)).collect();
    AGREES.contains(&said.join(" ").as_str())
}

/// Returns the question before a line that agrees to something, if the odds of a command were shown
/// after the last command and it would be accepted now.
pub(super) fn doubt(play: &Play, line: &str) -> Option<Doubt> {
    let shown = play.odds_shown.as_ref()?;
    if shown.log_length != play.session.log().len() {
        return None;
    }
    let answer = confirm::bare_answer(line);
    let goes_on = GOES_ON.contains(&answer.as_str());
    if !goes_on && !confirm::is_yes(&answer) && !agrees(&answer) {
        return None;
    }
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    if !search.accepts(&shown.line) {
        return None;
    }
    let mut lines = vec![shown.line.clone()];
    lines.extend(goes_on.then(|| "next".to_owned()));
    let heading = if goes_on { "which do you mean?" } else { "did you mean this?" };
    Some(Doubt { heading: heading.to_owned(), lines })
}
