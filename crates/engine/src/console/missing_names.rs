//! Names in a line that look like the names of pieces, but that no piece has: `t9` in a game whose
//! teams are `t1` to `t4`.

use super::everyone;
use super::play::Play;
use super::progress_phrases;
use crate::command::{self, HintKind, LineError, Token, TypedLine};
use crate::names;

/// The maximum number of letters before the number of a name.
const MAX_LETTERS: usize = 12;

/// The maximum number of digits in a name.
const MAX_DIGITS: usize = 3;

/// The maximum number of pieces listed.
const MAX_LISTED: usize = 6;

/// Words of the console after which a new name may follow.
const CREATES: [&str; 2] = ["add", "note"];

/// Letters before a number that make up a die or the number of a turn, phase or shot.
const NO_STEMS: [&str; 8] = ["d", "x", "turn", "phase", "step", "no", "nr", "t-"];

/// Returns the error that a line names a piece which doesn't exist, with the pieces that have a
/// similar name; `None` if there is no such name in the line.
pub(super) fn error(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    // `add` gives a name to a new piece.
    if CREATES.contains(&typed.verb().to_lowercase().as_str()) {
        return None;
    }
    // `i2` may be a phase.
    let is_phase =
        |word: &Token| progress_phrases::with_initials_in_full(play, &word.bare()).is_some();
    let missing = typed.tokens.iter().find(|word| is_missing(play, word) && !is_phase(word));
    let missing = missing.or_else(|| actor_nobody_knows(play, typed))?;
    let name = bare(missing);
    let table = play.session.table();
    let ends_with_number = |known: &str| known.trim_start_matches(stem(known)).len() <= MAX_DIGITS;
    let alike = table
        .names()
        .map(|(known, ..)| known)
        .filter(|known| stem(&known.to_lowercase()) == stem(&name) && ends_with_number(known));
    let alike: Vec<&str> = alike.collect();
    let mut kinds = play.referee().ruleset().schema.piece_kinds();
    let of_prefix = kinds.find(|(_, kind)| kind.prefix == stem(&name));
    let what = of_prefix.map_or(String::new(), |(_, kind)| format!("{} called ", kind.name));
    let span = Some((missing.start, missing.end_before(&MARKS)));
    // The error of a usage names the kind of piece that it takes.
    let names_kind = [HintKind::NearName, HintKind::Listing].contains(&error.hint_kind);
    let is_of_usage = error.span == span && names_kind;
    let message =
        if is_of_usage { error.message.clone() } else { format!("there is no {what}`{name}`") };
    let help = match alike.as_slice() {
        [] => of_prefix.map_or("`show` lists the pieces".to_owned(), |(_, kind)| {
            format!("there are no {} yet", kind.plural)
        }),
        [first, .., last] if alike.len() > MAX_LISTED => {
            format!("there are `{first}` to `{last}`")
        }
        few => names::there_are(few),
    };
    let error = LineError { message, span, wants_sample: false, proposal: None, ..error.clone() };
    Some(error.help(help))
}

/// Marks after a word.
const MARKS: [char; 7] = [',', '.', ';', ':', '!', '?', ')'];

/// Returns the word in lower case, without a possessive ending and the punctuation after it.
fn bare(word: &Token) -> String {
    let text = word.text.to_lowercase().replace('’', "'");
    let text = text.trim_end_matches(MARKS);
    text.strip_suffix("'s").unwrap_or(text).to_owned()
}

/// Returns the letters in front of the first digit of a name.
fn stem(name: &str) -> &str {
    let end = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    name.get(..end).unwrap_or(name)
}

/// Returns the first word of a line if it stands where a piece is named that acts, in front of a verb in
/// the third person, but is no word that the rules, the console or everyday English knows: `bram` in
/// `bram shoots at ann`.
fn actor_nobody_knows<'t>(play: &Play, typed: &'t TypedLine<'_>) -> Option<&'t Token> {
    let [first, verb, ..] = typed.tokens.as_slice() else { return None };
    let name = first.bare();
    let acts = verb.bare();
    let referee = play.referee();
    let table = play.session.table();
    let is_word = name.chars().all(char::is_alphabetic)
        && !command::is_common_word(&name)
        && !everyone::is_everyone(&name);
    let is_known = || {
        play.words.iter().any(|word| word.is(&name))
            || command::unknown_words(referee, table, &name).is_empty()
            || !command::names_in(referee, table, typed.line.get(..first.end).unwrap_or_default())
                .is_empty()
            || !command::groups_in(referee, table, &name).is_empty()
            || !command::lines_with_described_pieces(referee, table, typed.line).is_empty()
    };
    let is_verb = acts.ends_with('s') && !command::verbs_in(referee, table, &acts).is_empty();
    let is_actor = !first.quoted && is_word && is_verb && verb.text == acts && !is_known();
    is_actor.then_some(first)
}

/// Returns true if a word looks like the name of a piece, letters followed by a number and perhaps one
/// more letter, but is neither a name nor another word of the game.
fn is_missing(play: &Play, word: &Token) -> bool {
    let name = bare(word);
    let letters = stem(&name);
    let Some(rest) = name.strip_prefix(letters) else { return false };
    let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let looks_like_name = (1..=MAX_LETTERS).contains(&letters.len())
        && letters.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        && (1..=MAX_DIGITS).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
        && rest.len() - digits.len() <= 1
        && !NO_STEMS.contains(&letters);
    if word.quoted || !looks_like_name {
        return false;
    }
    let table = play.session.table();
    let known = command::names_in(play.referee(), table, &name);
    let unknown = command::unknown_words(play.referee(), table, &name);
    table.find(&name).is_none() && known.is_empty() && !unknown.is_empty()
}
