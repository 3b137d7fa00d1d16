//! Questions about how the game stands: `who's winning`, `how many men has each side lost`. The
//! answer is the score and the other measures of the ruleset.

use super::play::Play;
use crate::referee::Event;
use crate::render::nodes::end_of_game;
use crate::render::report::values_in_words;

/// Words with which a question asks how the game stands.
const STANDING: [&str; 16] = [
    "scoreboard",
    "scoreline",
    "tally",
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

/// Words of a question that asks for the number of pieces out of action, or still in action.
const OUT_OF_ACTION: [&str; 13] = [
    "lost", "lose", "dead", "killed", "gone", "down", "out", "hurt", "alive", "sunk", "afloat",
    "escaped", "standing",
];

/// Whole questions that ask how the game stands.
const PLAIN: [&str; 19] = [
    "how does it stand",
    "how do things stand",
    "how do we stand",
    "how is it stand",
    "how does the game stand",
    "how is it going",
    "how is it looking",
    "how is the game going",
    "how are we doing",
    "how is everyone doing",
    "how is everybody doing",
    "how are they doing",
    "who is doing best",
    "did anybody get hurt",
    "did anyone get hurt",
    "is anyone hurt",
    "any losses",
    "any casualties",
    "what are the losses",
];

/// Words of a question that asks for what each side has or has lost.
const OF_EACH: [&str; 6] = ["side", "sides", "team", "teams", "army", "armies"];

/// Words that add nothing to such a question.
const SO_FAR: [&str; 8] = ["so", "far", "now", "current", "currently", "total", "final", "yet"];

/// Returns true if the words only ask how the game stands: `who is winning`, `what is the score`.
pub(super) fn is_asked_plainly(words: &[&str]) -> bool {
    let words: Vec<&str> = words.iter().copied().filter(|word| !SO_FAR.contains(word)).collect();
    let words = words.as_slice();
    let is_standing = |word: &&str| STANDING.contains(word);
    let asks_who = matches!(words, ["who" | "what", "is", rest @ ..]
        if matches!(rest, [word] | ["the", word] if STANDING.contains(word)));
    asks_who
        || PLAIN.contains(&words.join(" ").as_str())
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
    if has(&["rule", "rules"]) {
        return None;
    }
    let counts = has(&["many", "much"]);
    let asks_numbers = counts && (has(&OF_EACH) || has(&OUT_OF_ACTION));
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    if !has(&STANDING) && !asks_numbers && !is_asked_plainly(&texts) {
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
