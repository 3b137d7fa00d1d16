//! Notes in the umpire's own words: lines that ask for one, such as `write down that ann owes a roll`, and
//! statements that the game doesn't keep, such as `the hedge is too high, nobody climbs it`.

use super::corrections;
use super::play::Play;
use super::proposals;
use super::question_words;
use super::questions::{names_of_pieces, verb_of};
use super::rulings;
use super::sentences;
use crate::command::{self, HintKind, LineError, Token, TypedLine};
use crate::language::schema::STATE_KIND;

/// Phrases that begin a line which asks for a note, the longest first.
const BEGIN: [&str; 23] = [
    "put down that",
    "remember that",
    "remember",
    "write it down that",
    "write down that",
    "write it down",
    "write down",
    "write that down",
    "make a note that",
    "make a note of",
    "make a note",
    "take a note",
    "put it on record",
    "for the record",
    "jot down",
    "don't let me forget",
    "somebody note it",
    "somebody note that",
    "someone note that",
    "please note that",
    "please note",
    "remind me",
    "remind us",
];

/// Phrases that end a line which asks for a note.
const END: [&str; 6] = [
    "write that down",
    "write it down",
    "make a note of that",
    "make a note",
    "note that",
    "for the record",
];

/// Words after `remind me` in a question, which asks for no note.
const ASKS: [&str; 8] = ["what", "who", "which", "where", "how", "when", "why", "of"];

/// Returns the `note` line for a line that asks for a note. Returns `None` for any other line.
pub(super) fn asked_for(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let line = typed.line.trim().replace('’', "'");
    let lower = line.to_lowercase();
    // The places of the words are the same in both.
    if play.referee().ruleset().has_verb(typed.verb()) || lower.len() != line.len() {
        return None;
    }
    let marks = [',', '.', ':', ';', '!', ' '];
    // A question such as `remind me what ann did` asks for no note.
    let begun = BEGIN.iter().find_map(|phrase| {
        let rest = lower.strip_prefix(phrase)?;
        let rest = rest.starts_with(marks).then(|| rest.trim_start_matches(marks))?;
        line.get(line.len() - rest.len()..)
    });
    let ended = || {
        let bare = lower.trim_end_matches(marks);
        END.iter().find_map(|phrase| {
            let before = bare.strip_suffix(phrase)?.trim_end_matches(marks);
            line.get(..before.len())
        })
    };
    let text = begun.or_else(ended).filter(|text| !text.is_empty())?;
    let first = text.split(' ').next().unwrap_or_default().to_lowercase();
    (!ASKS.contains(&first.as_str())).then(|| format!("note {text}"))
}

/// The minimum number of words in a statement that a note may keep.
const MIN_WORDS: usize = 4;

/// Words with which a line states that something is so.
const STATES: [&str; 17] = [
    "is", "are", "was", "were", "has", "have", "had", "counts", "count", "stands", "stand", "lies",
    "costs", "cost", "blocks", "block", "drifts",
];

/// Words with which a line states that something isn't so, or can't be done.
const DENIES: [&str; 14] = [
    "isn't", "aren't", "wasn't", "can't", "cannot", "cant", "couldn't", "won't", "doesn't",
    "don't", "isnt", "nobody", "no", "never",
];

/// Words after the end of `he's` or `the wall's` that show that it means `is` or `has`.
const AFTER_IS: [&str; 28] = [
    "in", "at", "on", "behind", "under", "inside", "outside", "up", "down", "out", "off", "too",
    "not", "now", "gone", "lost", "been", "got", "a", "an", "the", "all", "hard", "near", "by",
    "so", "very", "still",
];

/// Words that begin a request, which states nothing.
const ASKS_FOR: [&str; 12] = [
    "put", "give", "move", "remind", "take", "show", "read", "tell", "make", "let", "let's",
    "leave",
];

/// Returns true if a line begins like a command or a request.
fn is_request(play: &Play, typed: &TypedLine<'_>, words: &[String]) -> bool {
    words.first().is_none_or(|first| {
        ASKS_FOR.contains(&first.as_str())
            || verb_of(play, first).is_some()
            || play.words.iter().any(|word| word.is(first))
            || command::begins_with_phrase(play.referee(), play.session.table(), typed)
    })
}

/// Returns true if a clause states that something is so, or isn't.
fn states(clause: &[Token]) -> bool {
    let is_verb = |word: &Token| {
        let bare = word.bare();
        STATES.contains(&bare.as_str()) || DENIES.contains(&bare.as_str())
    };
    // In `the wall's too high`, but not in `ann's cart`, the ending is a verb.
    let has_ending = |pair: &[Token]| {
        let next = pair[1].bare();
        ["'s", "'re", "’s"].iter().any(|end| pair[0].text.ends_with(end))
            && (AFTER_IS.contains(&next.as_str()) || next.ends_with("ing") || next.ends_with("ed"))
    };
    clause.iter().skip(1).any(is_verb)
        || clause.first().is_some_and(|first| ["no", "nobody"].contains(&first.bare().as_str()))
        || clause.windows(2).any(has_ending)
}

/// Phrases with which the umpire decides something.
const DECIDES: [&str; 14] = [
    "i've ",
    "we've ",
    "i'm allowing",
    "i'm saying",
    "i say",
    "i rule",
    "i'm letting",
    "i'll let",
    "my call",
    "we agree",
    "both sides agree",
    "i've ruled",
    "let's say",
    "i allow",
];

/// Words that begin a line about what was typed before.
const REFERS: [&str; 6] = ["no", "yes", "and", "same", "also", "then"];

/// Returns the error that proposes a note for a statement or decision which the game doesn't keep. `meant`
/// is what else was found for the line. Returns `None` for any other line, and if the rules say more about it.
pub(super) fn for_statement(
    play: &Play,
    typed: &TypedLine<'_>,
    meant: &LineError,
) -> Option<LineError> {
    let words = question_words::question_words(typed);
    let spoken = words.join(" ");
    let decides = DECIDES.iter().any(|phrase| spoken.contains(phrase));
    let is_open = meant.is_unclear
        && meant.proposed_lines().is_none()
        && meant.choices.is_empty()
        && meant.hint_kind != HintKind::NearName
        && meant.hint_kind != HintKind::FromRules;
    if words.len() < MIN_WORDS || !is_open || is_request(play, typed, &words) {
        return None;
    }
    // In `that was a long night`, nothing of the game is the subject.
    let is_remark = matches!(words.as_slice(), [this, is, ..]
        if ["that", "this", "it"].contains(&this.as_str())
            && ["is", "was", "has"].contains(&is.as_str()));
    if is_remark {
        return None;
    }
    let refers = |word: &String| REFERS.contains(&word.as_str());
    if refers(&words[0]) || words.iter().any(|word| ["undo", "redo"].contains(&word.as_str())) {
        return None;
    }
    // Nothing has to be typed for `ann doesn't want to go`, and `no, call it two` corrects something.
    if sentences::is_idle(play, typed.line) || corrections::takes_back(typed) {
        return None;
    }
    // What follows a comma may only describe the goal of an act.
    let end = typed.tokens.iter().position(|word| word.text.ends_with([',', ';', '.']));
    let clause = &typed.tokens[..end.map_or(typed.tokens.len(), |at| at + 1)];
    let acts = || !command::verbs_in(play.referee(), play.session.table(), typed.line).is_empty();
    // `the wall is too high to climb`
    let is_too_much = clause.windows(2).any(|pair| pair[0].bare() == "too");
    let denies = || is_too_much || clause.iter().any(|word| DENIES.contains(&word.bare().as_str()));
    if !decides && (!states(clause) || acts() && !denies() && !is_on_fire(&words)) {
        return None;
    }
    let table = play.session.table();
    let named = names_of_pieces(play, &words);
    let piece = named.first().and_then(|name| table.find(name));
    let how_to_set = |(kind, row)| proposals::how_to_set(play, kind, &table.piece_name(kind, row));
    // For a ruling, the help shows how to overrule a result.
    let of_ruling = meant.help_on_one_line().filter(|_| rulings::overrules(&words));
    let of_state = of_state(play, &words);
    let message = match piece.map(|piece| of_ruling.unwrap_or_else(|| how_to_set(piece))) {
        Some(how) => format!("{NO_COMMAND}; {how}"),
        None => of_state.map_or(NO_COMMAND.to_owned(), |how| format!("{NO_COMMAND}; {how}")),
    };
    let heading = format!("{message}. Write a note instead?");
    let note = format!("note {}", typed.line.trim());
    Some(LineError::new(None, message).proposing_under(heading, vec![note]))
}

/// Returns a phrase that shows how to set the value of the whole game which a statement is about, such as the
/// wind; `None` if it is about no such value.
fn of_state(play: &Play, words: &[String]) -> Option<String> {
    let attributes = &play.referee().ruleset().schema.kind(STATE_KIND).attributes;
    let bare = |word: &String| question_words::bare_name(word).to_owned();
    let named = |word: &String| {
        let word = bare(word);
        attributes.iter().find(|a| a.can_be_set() && !a.bookkeeping && a.is_called(&word))
    };
    let found = words.iter().find_map(named)?;
    Some(format!("`set state.{} VALUE` changes the {}", found.name, found.name))
}

/// The beginning of the message for a statement that is no command.
const NO_COMMAND: &str = "no command is understood in this";

/// Returns true if a line says that something is on fire.
fn is_on_fire(words: &[String]) -> bool {
    words.windows(2).any(|pair| pair[0] == "on" && pair[1] == "fire")
}

/// Words with which a line says that something can't be done.
const CANNOT: [&str; 9] =
    ["can't", "cannot", "cant", "couldn't", "couldnt", "won't", "wont", "mustn't", "mustnt"];

/// Returns true if a line says that an act can't be done, and all of these lines do it, or if they take `on
/// fire` for an act.
pub(super) fn contradicts(play: &Play, typed: &TypedLine<'_>, lines: &[String]) -> bool {
    let words = question_words::question_words(typed);
    if is_on_fire(&words) && lines.iter().all(|line| line.split(' ').next() == Some("fire")) {
        return true;
    }
    let Some(at) = words.iter().position(|word| CANNOT.contains(&word.as_str())) else {
        return false;
    };
    let after = words[at + 1..].join(" ");
    let verbs = command::verbs_in(play.referee(), play.session.table(), &after);
    let does_it = |line: &String| verbs.iter().any(|verb| line.split(' ').next() == Some(verb));
    !lines.is_empty() && lines.iter().all(does_it)
}
