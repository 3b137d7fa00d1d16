//! Other words for lines of the console, as people talk: `end turn` for `next turn`, `where is t1` for `show t1`.

use super::play::Play;
use super::words::show;
use crate::command::{Token, TypedLine};

/// Whole lines, each with the line that it means.
const LINES: &[(&str, &str)] = &[
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
    ("what now", "help"),
    ("what can i do", "help"),
    ("what can i type", "help"),
    ("who is who", "show"),
    ("where is everybody", "show"),
    ("where is everyone", "show"),
    ("where are we", "show state"),
    ("whose turn", "show state"),
    ("whose turn is it", "show state"),
    ("whose move", "show state"),
    ("whose move is it", "show state"),
    ("what turn", "show state"),
    ("what turn is it", "show state"),
    ("which turn", "show state"),
    ("which turn is it", "show state"),
    ("what phase", "show state"),
    ("what phase is it", "show state"),
    ("which phase", "show state"),
    ("which phase is it", "show state"),
    ("what happened", "log"),
    ("what is on the table", "agree"),
    ("what's on the table", "agree"),
    ("what should be on the table", "agree"),
    ("check the table", "agree"),
];

/// Beginnings of questions about a piece, the longest first.
const ABOUT_A_PIECE: [&str; 6] = ["where is", "where's", "where", "how is", "what is", "what"];

/// Beginnings of questions about who can still act.
const WHO_CAN: [&str; 10] = [
    "who can still",
    "who can",
    "who could",
    "who has not",
    "who hasn't",
    "who may still",
    "who is left to",
    "who's left to",
    "who still",
    "who",
];

/// Words of acting that every game's players use, whatever its verbs are.
const ACTS: [&str; 5] = ["act", "move", "fire", "shoot", "go"];

/// Words at the end of a question that add nothing.
const LAST_WORDS: [&str; 5] = [" now", " yet", " next", " still", " doing"];

/// Lines that ask how the last command came out as it did.
const ABOUT_THE_LAST: [&str; 5] =
    ["why", "why that", "how come", "what just happened", "say that again"];

/// Beginnings of questions about the pieces that some words fit, the longest first.
const WHO_IS: [&str; 11] = [
    "who is",
    "who's",
    "who are",
    "which is",
    "which are",
    "which ones are",
    "what is",
    "what's",
    "what are",
    "who",
    "which",
];

/// Words after `who` that ask for something other than what a piece shows.
const NOT_SHOWN: [&str; 7] = ["has", "have", "had", "can", "could", "did", "will"];

/// The most words that a question may use to describe pieces.
const MAX_SHOW_WORDS: usize = 3;

/// Returns the line that a line means in other words; `None` if it's read as typed.
pub(super) fn replace_phrase(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    // A verb of the game goes first.
    let ruleset = play.referee().ruleset();
    if ruleset.has_verb(&first.text) {
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
    if ABOUT_THE_LAST.contains(&spoken.as_str()) {
        return last_command(play).map(|number| format!("log {number}"));
    }
    let ending = LAST_WORDS.iter().find_map(|ending| spoken.strip_suffix(ending));
    let spoken = ending.unwrap_or(&spoken);
    let verb = WHO_CAN.iter().find_map(|begun| word_after(spoken, begun));
    if verb.is_some_and(|verb| is_verb(play, verb)) {
        return Some("left".to_owned());
    }
    if let Some(roll) = roll_with_spaces(spoken) {
        return Some(roll);
    }
    let is_asked = matches!(first.text.to_lowercase().as_str(), "is" | "are");
    let subject = typed.tokens.get(1).filter(|word| is_asked && !word.quoted);
    let about = ABOUT_A_PIECE.iter().find_map(|begun| word_after(spoken, begun));
    let table = play.session.table();
    let about = about.or(subject.map(|word| word.text.as_str()));
    if let Some(name) = about.filter(|name| table.find(name).is_some()) {
        return Some(format!("show {name}"));
    }
    let shown = WHO_IS.iter().find_map(|begun| shown_words(spoken, begun));
    shown.map(|words| format!("show {words}")).filter(|line| show::is_shown(play, line))
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

/// Returns the words after a phrase by which pieces can be shown.
fn shown_words<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(phrase)?.strip_prefix(' ')?;
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let mut words = rest.split(' ');
    let asks_else = words.next().is_none_or(|first| NOT_SHOWN.contains(&first));
    (!asks_else && words.count() < MAX_SHOW_WORDS).then_some(rest)
}

/// Returns a roll of dice that was typed with a space after the number of dice: `roll 3 d6`.
fn roll_with_spaces(text: &str) -> Option<String> {
    let (count, dice) = text.strip_prefix("roll ")?.split_once(' ')?;
    let sides = dice.strip_prefix('d')?;
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let rolls = is_number(count) && sides.starts_with(|c: char| c.is_ascii_digit());
    rolls.then(|| format!("roll {count}{dice}"))
}

/// Returns the number of the last command that holds.
fn last_command(play: &Play) -> Option<u64> {
    let board = play.session.board();
    let mut latest = play.session.entries().iter().rev();
    latest.find(|entry| board.is_current(entry.number)).map(|entry| entry.number)
}

/// Returns true if a word, perhaps in the past or of a third person, is a verb of the game or says that somebody acts.
fn is_verb(play: &Play, word: &str) -> bool {
    let ruleset = play.referee().ruleset();
    let stems = ["", "ed", "d", "s", "es"].map(|ending| word.strip_suffix(ending));
    let mut stems = stems.into_iter().flatten();
    stems.any(|stem| ACTS.contains(&stem) || ruleset.has_verb(stem))
}
