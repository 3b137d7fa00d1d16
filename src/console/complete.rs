//! Completion and hints: the words of the console and the verbs of the game.

use adjutant_engine::command::{self, Candidates, Completion, Reading, Token, usage_text};
use adjutant_engine::names::clean;
use adjutant_engine::referee::Referee;
use adjutant_engine::ruleset::Ruleset;
use adjutant_engine::tabletop::Tabletop;

use super::words::{WORDS, is_word};

/// Returns what the word before `cursor` could become.
pub fn complete(referee: &Referee, table: &Tabletop, line: &str, cursor: usize) -> Completion {
    command::complete(referee, table, (line, cursor), complete_line)
}

/// Returns what is still to be written after a verb, as a hint.
pub(super) fn hint(referee: &Referee, line: &str) -> Option<String> {
    let verb = line.strip_suffix(' ')?.trim_start();
    if verb.is_empty() || verb.contains(char::is_whitespace) {
        return None;
    }
    let ruleset = referee.ruleset();
    let usage = match WORDS.iter().find(|w| w.is(verb)) {
        Some(word) => word.usage.strip_prefix(verb)?.to_owned(),
        None => {
            let rule = ruleset.rules_of(verb).first().copied()?;
            let usage = usage_text(&ruleset.schema.rules[rule.index()]);
            usage.strip_prefix(verb)?.to_owned()
        }
    };
    Some(clean(usage.trim_start())).filter(|u| !u.is_empty())
}

/// Offers what can follow these words of a line.
pub(super) fn complete_line(reading: &Reading<'_>, given: &[Token], to: &mut Candidates) {
    let ruleset = reading.ruleset();
    let Some((verb, rest)) = given.split_first() else {
        let typed = |name: &str| {
            is_word(name)
                || ruleset
                    .rules_of(name)
                    .iter()
                    .any(|id| ruleset.schema.rules[id.index()].usage.is_some())
        };
        for verb in verbs(ruleset) {
            match typed(verb) {
                true => to.offer(verb),
                false => to.offer_later(verb),
            }
        }
        return;
    };
    let verb = Token { text: verb.text.trim_start_matches('!').to_owned(), ..verb.clone() };
    for name in reading.verbs_begun(WORDS, &verb) {
        match WORDS.iter().find(|w| w.is(name) && (ruleset.rules_of(name).is_empty() || !w.yields))
        {
            Some(word) => (word.complete)(reading, rest, to),
            None => reading.complete_rules(&ruleset.rules_of(name), rest, to),
        }
    }
}

/// Returns the verbs of the game and the words of the console, in the order of the alphabet.
pub(super) fn verbs(ruleset: &Ruleset) -> Vec<&str> {
    let mut all: Vec<&str> = ruleset.verbs().collect();
    all.extend(WORDS.iter().map(|w| w.name));
    all.sort_unstable();
    all.dedup();
    all
}
