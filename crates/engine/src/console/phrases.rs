//! Other words for lines of the console, as people talk: `end turn` for `next turn`, `where is t1` for `show t1`.

use super::play::Play;
use crate::command::{Token, TypedLine};

/// Whole lines, each with the line that it means.
const LINES: [(&str, &str); 33] = [
    ("end", "next"),
    ("end phase", "next"),
    ("end the phase", "next"),
    ("next phase", "next"),
    ("next step", "next"),
    ("finish phase", "next"),
    ("continue", "next"),
    ("go on", "next"),
    ("carry on", "next"),
    ("proceed", "next"),
    ("end turn", "next turn"),
    ("end the turn", "next turn"),
    ("end of turn", "next turn"),
    ("finish turn", "next turn"),
    ("new turn", "next turn"),
    ("go back", "undo"),
    ("take back", "undo"),
    ("take that back", "undo"),
    ("undo that", "undo"),
    ("undo last", "undo"),
    ("undo it", "undo"),
    ("who left", "left"),
    ("who is left", "left"),
    ("who's left", "left"),
    ("who can act", "left"),
    ("who has not acted", "left"),
    ("what is left", "left"),
    ("what's left", "left"),
    ("what can be done", "left"),
    ("what can i do", "help"),
    ("what can i type", "help"),
    ("who is who", "show"),
    ("what happened", "log"),
];

/// Beginnings of questions about a piece, the longest first.
const ABOUT_A_PIECE: [&str; 6] = ["where is", "where's", "where", "how is", "what is", "what"];

/// Beginnings of questions about who can still act.
const WHO_CAN: [&str; 6] =
    ["who can still", "who can", "who could", "who has not", "who hasn't", "who may still"];

/// Returns the line that a line means in other words; `None` if it's read as typed.
pub(super) fn replace_phrase(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    // A verb of the game goes first.
    let ruleset = play.referee().ruleset();
    if ruleset.verbs().any(|verb| verb.eq_ignore_ascii_case(&first.text)) {
        return None;
    }
    let spoken = spoken_text(&typed.tokens);
    if let Some((phrase, line)) = LINES.iter().find(|(phrase, _)| *phrase == spoken) {
        let names_phase = phrase
            .strip_prefix("next ")
            .is_some_and(|name| ruleset.phases.iter().any(|phase| phase.name == name));
        let insist = if typed.insist { " !" } else { "" };
        return (!names_phase).then(|| format!("{line}{insist}"));
    }
    if let Some(verb) = WHO_CAN.iter().find_map(|begun| word_after(&spoken, begun)) {
        return is_verb_now(play, verb).then(|| "left".to_owned());
    }
    let about = ABOUT_A_PIECE.iter().find_map(|begun| word_after(&spoken, begun));
    let table = play.session.table();
    about.filter(|name| table.find(name).is_some()).map(|name| format!("show {name}"))
}

/// Returns the words in lower case, without a question mark at the end.
fn spoken_text(words: &[Token]) -> String {
    let texts: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    texts.join(" ").trim_end_matches(['?', '.', ' ']).to_owned()
}

/// Returns the only word after a phrase.
fn word_after<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(phrase)?.strip_prefix(' ')?;
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    (!rest.contains(' ')).then_some(rest)
}

/// Returns true if a word, perhaps in the past, is a verb of the present phase or one of those of the game.
fn is_verb_now(play: &Play, word: &str) -> bool {
    let ruleset = play.referee().ruleset();
    let stems = [Some(word), word.strip_suffix("ed"), word.strip_suffix('d')];
    let mut stems = stems.into_iter().flatten();
    word == "act" || stems.any(|stem| ruleset.verbs().any(|verb| verb == stem))
}
