//! Completion and hints for the words of the console and the verbs of the game.

use super::play::Word;
use crate::command::{self, BegunLine, Completion, CompletionCandidates, Reading, Token};
use crate::names::sanitize;
use crate::referee::Referee;
use crate::ruleset::Ruleset;
use crate::tabletop::Tabletop;

/// Returns the completions of the word before `cursor`.
pub(super) fn complete(
    words: &[Word],
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    cursor: usize,
) -> Completion {
    command::complete(referee, table, (line, cursor), |reading, given, to| {
        complete_line(words, reading, given, to);
    })
}

/// Returns the meanings that the words of an unfinished line may have; `None` if the line can't be
/// split into words.
pub(super) fn meanings(
    words: &[Word],
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Option<BegunLine> {
    command::meanings(referee, table, line, |reading, given, to| {
        complete_line(words, reading, given, to);
    })
}

/// Returns the rest of the usage after a line that ends in a space. Returns `None` if the line is
/// empty or ends in no space, if it is complete, or if the rest is unknown.
pub(super) fn hint(
    words: &[Word],
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Option<String> {
    let before = line.strip_suffix(' ').filter(|before| !before.trim().is_empty())?;
    let rest = complete(words, referee, table, line, line.len()).rest;
    let usage = match words.iter().find(|word| word.is(before.trim_start())) {
        Some(word) if rest.is_empty() => word.usage.split_once(' ').map_or("", |(_, usage)| usage),
        _ => rest.as_str(),
    };
    Some(sanitize(usage)).filter(|usage| !usage.is_empty())
}

/// Offers the words that can follow these words of a line.
fn complete_line(
    words: &[Word],
    reading: &Reading<'_>,
    given: &[Token],
    to: &mut CompletionCandidates,
) {
    let ruleset = reading.ruleset();
    let Some((verb, rest)) = given.split_first() else {
        let typed = |name: &str| {
            words.iter().any(|w| w.is(name))
                || ruleset
                    .rules_for_verb(name)
                    .iter()
                    .any(|id| ruleset.schema.rules[id.index()].usage.is_some())
        };
        for verb in verbs_and_words(words, ruleset) {
            if typed(verb) { to.offer(verb) } else { to.offer_later(verb) }
        }
        return;
    };
    let verb = Token { text: verb.text.trim_start_matches('!').to_owned(), ..verb.clone() };
    let mut names = reading.verbs_begun(words, &verb);
    // Another spelling of a word of the console may be a verb of the game, if more words follow.
    names.extend(ruleset.verbs().find(|name| *name == verb.text && !names.contains(name)));
    for name in names {
        let rules = ruleset.rules_for_verb(name);
        let is_word = |w: &&Word| w.is(name) && (rules.is_empty() || w.name == name && !w.yields);
        match words.iter().find(is_word) {
            Some(_) if to.wants_meanings() => to.add_other_meaning(),
            Some(word) => {
                (word.complete)(reading, rest, to);
                if let Some(line) = (word.line)(rest) {
                    complete_line(words, reading, line, to);
                }
            }
            None => reading.complete_rules(&rules, rest, to),
        }
    }
}

/// Returns the verbs of the game and the words of the console in alphabetical order.
pub(super) fn verbs_and_words<'r>(words: &[Word], ruleset: &'r Ruleset) -> Vec<&'r str> {
    let mut all: Vec<&str> = ruleset.verbs().collect();
    all.extend(words.iter().map(|w| w.name));
    all.sort_unstable();
    all.dedup();
    all
}
