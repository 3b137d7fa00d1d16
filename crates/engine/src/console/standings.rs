//! Questions about how the game stands: `who's winning`, `how many men has each side lost`. The
//! answer is the score and the other measures of the ruleset.

use super::play::Play;
use crate::referee::Event;
use crate::render::nodes::end_of_game;
use crate::render::report::values_in_words;

/// Words with which a question asks how the game stands.
const STANDING: [&str; 13] = [
    "win",
    "won",
    "wins",
    "winning",
    "losing",
    "ahead",
    "leading",
    "score",
    "scores",
    "losses",
    "casualties",
    "winner",
    "standings",
];

/// Words of a question that asks for what each side has or has lost.
const OF_EACH: [&str; 6] = ["side", "sides", "team", "teams", "army", "armies"];

/// Returns true if the words only ask how the game stands: `who is winning`, `what is the score`.
pub(super) fn is_asked_plainly(words: &[&str]) -> bool {
    let is_standing = |word: &&str| STANDING.contains(word);
    let asks_who = matches!(words, ["who" | "what", "is", rest @ ..]
        if matches!(rest, [word] | ["the", word] if STANDING.contains(word)));
    asks_who
        || matches!(words, ["who", "has" | "is", "won"] | ["who", "won"])
        || matches!(words, [only] | ["the", only] if is_standing(only))
        || matches!(
            words,
            ["how", "many", "dead" | "killed" | "lost"] | ["how", "many", "are", "dead"]
        )
}

/// Returns the measures of the game, a line each, if a question asks how the game stands. Returns
/// `None` for any other question, or if the ruleset measures nothing.
pub(super) fn measured(play: &Play, words: &[String]) -> Option<Vec<String>> {
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let counts = has(&["many", "much"]);
    let asks_numbers =
        counts && (has(&OF_EACH) || has(&["lost", "lose", "dead", "killed", "gone"]));
    if !has(&STANDING) && !asks_numbers {
        return None;
    }
    let referee = play.referee();
    let table = play.session.table();
    let measures = referee.ruleset().measures.iter();
    let lines = measures.filter_map(|measure| {
        let values = referee.measure(table, measure)?;
        Some(format!("{}: {}", measure.title, values_in_words(&values)))
    });
    let mut lines: Vec<String> = lines.collect();
    let ends = play.session.entries().iter().rev().flat_map(|entry| &entry.outcome.events);
    let end = ends.into_iter().find_map(|event| match event {
        Event::Ended { words: announced, winner, margin } => {
            Some(end_of_game(announced, winner.as_deref(), *margin))
        }
        _ => None,
    });
    if let Some(end) = end {
        lines.insert(0, end);
    }
    (!lines.is_empty()).then_some(lines)
}
