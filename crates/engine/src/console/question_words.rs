//! The words of a question, matched against the words of the game.

use schemars::JsonSchema;
use serde::Serialize;

use super::play::Play;
use crate::command::TypedLine;
use crate::language::schema::{Attribute, Schema, Type};

/// The answer to a question.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct QuestionAnswer {
    /// The answer in one sentence.
    pub answer: String,
    /// Lines that would be accepted now, or the names that were asked for.
    pub listed: Vec<String>,
}

/// Verbs that players use in every game, even if its ruleset has none of them.
const ACTS: [&str; 5] = ["act", "move", "fire", "shoot", "go"];

/// Returns the words of a question in lower case, without the punctuation after them and without
/// `now` or `please` at the end. A first word such as `what's` becomes `what is`, or `whose` if that
/// is meant.
pub(super) fn question_words(typed: &TypedLine<'_>) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for token in &typed.tokens {
        let text = token.text.to_lowercase().replace('’', "'");
        let text = text.trim_end_matches(['?', '!', '.', ',', ';', ':']);
        let question = ["what", "who", "where", "how", "when"];
        let asked = text.strip_suffix('s').map(|stem| stem.trim_end_matches('\''));
        match asked.filter(|stem| words.is_empty() && question.contains(stem)) {
            Some(stem) => words.extend([stem.to_owned(), "is".to_owned()]),
            None if text.is_empty() => {}
            None => words.push(text.to_owned()),
        }
    }
    // `who's turn` is often written for `whose turn`.
    if let [who, is, owned, ..] = words.as_slice()
        && (who.as_str(), is.as_str()) == ("who", "is")
        && ["turn", "go", "move", "side"].contains(&owned.as_str())
    {
        words.splice(..2, ["whose".to_owned()]);
    }
    let asks = words.first().is_some_and(|first| first != "now");
    while asks
        && words.len() > 2
        && words.last().is_some_and(|w| ["now", "please"].contains(&w.as_str()))
    {
        words.pop();
    }
    words
}

/// Returns true if a line begins with a question word or ends with a question mark.
pub(super) fn is_question(typed: &TypedLine<'_>) -> bool {
    let words = question_words(typed);
    let asks = [
        "what", "which", "who", "whose", "where", "how", "when", "why", "is", "are", "does", "do",
        "did", "has", "have", "can", "could", "will", "would", "should", "odds", "chance",
        "chances",
    ];
    words.first().is_some_and(|first| asks.contains(&first.as_str()))
        || typed.line.trim_end().ends_with('?')
}

/// Returns a name without its possessive ending.
pub(super) fn bare_name(word: &str) -> &str {
    word.strip_suffix("'s").unwrap_or(word)
}

/// Returns true if a word is a value that an attribute can have: one of its words, or the name of
/// one of its numbers.
pub(super) fn is_value(schema: &Schema, attribute: &Attribute, word: &str) -> bool {
    let values = match attribute.ty {
        Type::Word(set) => &schema.word_set(set).values,
        _ => &attribute.names,
    };
    values.iter().any(|value| value.eq_ignore_ascii_case(word))
}

/// Returns true if two words probably have the same stem, such as `move` and `movement`.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let shorter = one.chars().count().min(other.chars().count());
    common >= 3 && common + 1 >= shorter
}

/// Endings of English words that don't change what a word is about, the longest first.
const ENDINGS: [&str; 5] = ["ing", "ed", "er", "d", "e"];

/// Returns true if two words are the same except for their endings: `move` and `moving`, but not
/// `player` and `place`.
pub(super) fn has_same_stem(one: &str, other: &str) -> bool {
    stem(one) == stem(other)
}

/// Returns a word without its ending.
pub(super) fn stem(word: &str) -> &str {
    // The plural may follow another ending, as in `movers`.
    let singular = word.strip_suffix('s').filter(|rest| !rest.ends_with('s')).unwrap_or(word);
    ENDINGS.iter().find_map(|ending| singular.strip_suffix(ending)).unwrap_or(singular)
}

/// Returns true if a word, possibly in the past tense or the third person, is a verb of the game or
/// one of [`ACTS`].
pub(super) fn is_verb(play: &Play, word: &str) -> bool {
    let ruleset = play.referee().ruleset();
    let stems = ["", "ed", "d", "s", "es"].map(|ending| word.strip_suffix(ending));
    let mut stems = stems.into_iter().flatten();
    stems.any(|stem| ACTS.contains(&stem) || ruleset.is_typed_verb(stem))
}

/// Returns the words that follow a phrase at the beginning of a text; `None` if the text doesn't
/// begin with the phrase, or if nothing follows it.
pub(super) fn after<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    text.strip_prefix(phrase)?.strip_prefix(' ')
}
