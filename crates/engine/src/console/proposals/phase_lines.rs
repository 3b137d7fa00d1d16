//! Lines of the current phase that come close to a line without a verb.

use crate::command::{self, NearLine, NearestBudget};
use crate::console::left_out_words::PREPOSITIONS;
use crate::console::likely_lines;
use crate::console::play::Play;
use crate::console::question_words::bare_name;
use crate::console::questions::{CHANCES, MAX_PROPOSED, QUESTION_WORDS, verb_of};
use crate::console::suggest::LineSearch;

/// Returns the nearest lines that would be accepted, at most [`MAX_PROPOSED`].
pub(super) fn accepted_lines(near: &[NearLine], search: &LineSearch<'_>) -> Vec<String> {
    let lines = near.iter().map(|near| &near.line);
    lines.filter(|line| search.accepts(line)).take(MAX_PROPOSED).cloned().collect()
}

/// Returns the lines of this phase's verbs that come closest to a line without a verb: `ann to b2`,
/// `t34a 10 down the road`. The lines returned have all the numbers of the typed line, and at least
/// two of its words.
pub(super) fn lines_with_verb(
    play: &Play,
    line: &str,
    words: &[String],
    budget: &NearestBudget,
) -> Vec<NearLine> {
    let number = |word: &str| -> Option<String> {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        (!digits.is_empty()).then_some(digits)
    };
    let said = likely_lines::words_with_whole_names(play, line);
    let numbers: Vec<String> = said.iter().filter_map(|word| number(word)).collect();
    // Without a number, a line with too many other words means something else.
    let others = words.iter().filter(|word| {
        let is_little =
            QUESTION_WORDS.contains(&word.as_str()) || PREPOSITIONS.contains(&word.as_str());
        !is_little
            && !command::is_parameter_value(play.referee(), word)
            && command::find_spoken(play.session.table(), word).is_none()
    });
    let says_more = numbers.is_empty() && others.count() > MAX_UNKNOWN;
    let has_all = |near: &str| {
        let parts: Vec<&str> = near.split([' ', ',']).collect();
        let has = |wanted: &String| parts.iter().any(|w| number(w).as_ref() == Some(wanted));
        !says_more && near.split(' ').count() > 2 && numbers.iter().all(has)
    };
    let mut lines = lines_of_phase(play, line, budget);
    // A word for another verb shows that this verb isn't meant.
    let is_other = |other: &str| {
        let verb = other.split(' ').next().unwrap_or_default();
        let pieces = play.session.table();
        let mut words = words.iter().filter(|word| command::find_spoken(pieces, word).is_none());
        words.any(|word| {
            !command::is_usage_word(play.referee(), word)
                && command::begins_other_verb(play.referee(), word, verb)
        })
    };
    lines.retain(|near| has_all(&near.line) && !is_other(&near.line));
    command::nearest_of(lines)
}

/// The maximum number of other words in a line without a verb or numbers for which lines are still
/// proposed.
const MAX_UNKNOWN: usize = 2;

/// Returns the accepted lines that a question about chances may refer to: those with a verb of this
/// phase that the question contains, and with its pieces, values and numbers.
pub(super) fn lines_asked_for(
    play: &Play,
    words: &[String],
    budget: &NearestBudget,
    search: &LineSearch<'_>,
) -> Vec<String> {
    let rest: Vec<&str> =
        words.iter().map(|word| bare_name(word)).filter(|w| !CHANCES.contains(w)).collect();
    // Without a verb, it is unclear which of the lines the question is about.
    let is_asked = |verb: &str| {
        rest.iter().any(|word| {
            let stems = ["", "s", "es", "ed", "ing"].map(|ending| word.strip_suffix(ending));
            stems.into_iter().flatten().any(|stem| verb_of(play, stem) == Some(verb))
        })
    };
    let lines = lines_of_phase(play, &rest.join(" "), budget);
    let mut lines: Vec<String> = lines.into_iter().map(|near| near.line).collect();
    lines.retain(|near| near.split(' ').next().is_some_and(is_asked) && search.accepts(near));
    lines.truncate(MAX_PROPOSED);
    lines
}

/// Tries each verb of this phase with some words after it. Returns the lines that come close, in
/// order of the number of words that they leave out.
pub(super) fn lines_of_phase(play: &Play, words: &str, budget: &NearestBudget) -> Vec<NearLine> {
    let referee = play.referee();
    let table = play.session.table();
    let Some(phase) = referee.phase_index(table) else { return Vec::new() };
    let mut found: Vec<NearLine> = Vec::new();
    for (verb, _) in &referee.ruleset().phases[phase].verbs {
        let line = format!("{verb} {words}");
        for near in command::nearest_lines(referee, table, &line, budget) {
            let is_known = found.iter().any(|other| other.line == near.line);
            if near.line.split(' ').next() == Some(verb.as_str()) && !is_known {
                found.push(near);
            }
        }
    }
    found.sort_by_key(|near| near.left_out);
    found
}
