//! Lines that report what a player says or wants: `Tom says bob climbs`, `Dave wants ann at the window`,
//! `Sue's cart goes to b2`. The umpire's players aren't in the game, so only the rest of the line counts.

use super::company;
use super::likely_lines::unknown_words;
use super::play::Play;
use super::questions;
use crate::command::{self, Token, TypedLine};

/// Verbs with which a line reports what a player says or wants.
const SAYS: [&str; 12] = [
    "says", "said", "reckons", "thinks", "wants", "wanted", "asks", "asked", "decides", "decided",
    "insists", "would",
];

/// Words after such a verb that don't belong to what is reported.
const AFTER_SAYS: [&str; 6] = ["that", "to", "if", "me", "like", "us"];

/// Words after `Dave's` that say something about Dave himself.
const OF_HIMSELF: [&str; 14] = [
    "not", "still", "gone", "on", "in", "at", "a", "away", "late", "done", "finished", "out",
    "back", "been",
];

/// The minimum number of letters in a player's name.
const MIN_NAME: usize = 3;

/// Returns the part of a line that a player says or wants, if the line begins with the name of a player
/// who isn't in the game. Returns `None` for any other line.
pub(super) fn without_speaker(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    if let Some(line) = without_player(play, typed) {
        return Some(line);
    }
    let (first, rest) = typed.tokens.split_first().filter(|(first, _)| !first.quoted)?;
    let name = first.text.replace('’', "'");
    let owned = name.strip_suffix("'s");
    let name = owned.unwrap_or(&name);
    let next = rest.first()?;
    let is = |word: &Token, known: &[&str]| known.contains(&word.bare().as_str());
    let says = owned.is_none() && is(next, &SAYS);
    let is_capitalized = name.starts_with(char::is_uppercase);
    if !(says || owned.is_some() && is_capitalized) || !is_unknown_name(play, name) {
        return None;
    }
    if says {
        let begins = rest[1..].iter().position(|word| !is(word, &AFTER_SAYS))?;
        return Some(typed.line[rest[begins + 1].start..].to_owned());
    }
    if is(next, &OF_HIMSELF) || next.bare().ends_with("ing") {
        return None;
    }
    // In `Tom's got bob running`, Bob is Tom's piece.
    let begins = usize::from(is(next, &["got"]));
    // In `Pete's boat, mgb1, turns`, the piece is named after what it is.
    let is_piece =
        |word: &Token| command::find_spoken(play.session.table(), &word.bare()).is_some();
    if let [noun, piece, after, ..] = &rest[begins..]
        && noun.text.ends_with(',')
        && piece.text.ends_with(',')
        && is_piece(piece)
    {
        return Some(format!("{} {}", piece.bare(), &typed.line[after.start..]));
    }
    Some(typed.line[rest.get(begins)?.start..].to_owned())
}

/// Returns the part of a line in which a player of the game acts with one of the pieces: `turns boat1 to port`
/// for `Nore turns boat1 to port`. Returns `None` for any other line.
fn without_player(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let (first, rest) = typed.tokens.split_first()?;
    let table = play.session.table();
    let name = first.bare();
    let players = play.referee().players(table);
    players.iter().find(|player| player.name.eq_ignore_ascii_case(&name))?;
    // In `Ann sends bob to c1`, bob goes there.
    if company::line(play, typed).is_some() {
        return None;
    }
    let (verb, after) = rest.split_first()?;
    let verbs = command::verbs_in(play.referee(), table, &verb.text);
    // An officer who is a piece, too, acts himself.
    let own_kind = command::find_spoken(table, &name).and_then(|name| table.find(&name));
    let acting = questions::acting_kinds(play, verbs.iter().map(String::as_str));
    if own_kind.is_some_and(|(kind, _)| acting.contains(&kind)) {
        return None;
    }
    let is_little =
        |word: &Token| ["the", "his", "her", "both", "all"].contains(&word.bare().as_str());
    let at = after.iter().position(|word| !is_little(word))?;
    let noun = after[at].bare();
    let mut pieces = command::names_in(play.referee(), table, &noun);
    pieces.extend(command::groups_in(play.referee(), table, &noun));
    let schema = &play.referee().ruleset().schema;
    let mut kinds = pieces.iter().filter_map(|piece| table.find(piece)).map(|(kind, _)| kind);
    let acts = kinds.any(|kind| !schema.kind(kind).plan);
    (!verbs.is_empty() && acts).then(|| typed.line[verb.start..].to_owned())
}

/// Returns true if a word may be the name of a player, because nothing in the game is called that.
fn is_unknown_name(play: &Play, name: &str) -> bool {
    let table = play.session.table();
    let is_word = name.chars().count() >= MIN_NAME && name.chars().all(char::is_alphabetic);
    let is_console_word = || play.words.iter().any(|word| word.is(&name.to_lowercase()));
    let mut sides = play.referee().sides(table).into_iter();
    is_word
        && !unknown_words(play, name).is_empty()
        && command::find_spoken(table, name).is_none()
        && !is_console_word()
        && !sides.any(|side| side.eq_ignore_ascii_case(name))
}
