//! Statements about what a piece is or should be from which no single line can be made, such as `s1
//! should be stopped` if two attributes can have this value, or `s1 isn't sunk`.

use super::play::Play;
use super::question_words;
use super::rulings::{self, DENIES, OF_STATEMENT, RULING_LITTLE, STATES};
use super::state_words;
use crate::command::{self, TypedLine};
use crate::language::schema::{Attribute, KindId, STATE_KIND, Type};
use crate::names;

/// Returns true if a line denies something.
fn denies(typed: &TypedLine<'_>) -> bool {
    typed.tokens.iter().any(|word| DENIES.contains(&word.text.to_lowercase().as_str()))
}

/// Splits a statement about what a piece is or should be, such as `s1 should be stopped` or `s1 isn't
/// stopped`, into the piece, the word that states something, and true if it contradicts a result.
/// Returns `None` for any other line.
fn claim(play: &Play, typed: &TypedLine<'_>) -> Option<(String, String, bool)> {
    let should = rulings::as_it_should_be(typed);
    let is_ruling = should.is_some() || denies(typed);
    let claimed = should.unwrap_or_else(|| typed.line.to_lowercase().replace('’', "'"));
    let mut words = claimed.split([' ', ',']).filter(|word| !word.is_empty());
    let piece = command::find_spoken(play.session.table(), words.next()?)?;
    let states = words.next()?;
    if !STATES.contains(&states) && !DENIES.contains(&states) {
        return None;
    }
    let little = [&DENIES[..], &STATES, &RULING_LITTLE, &OF_STATEMENT, &["a", "an", "on"]].concat();
    let mut said =
        words.map(|word| word.trim_end_matches(['.', '!'])).filter(|w| !little.contains(w));
    let word = said.next()?.to_owned();
    said.next().is_none().then_some((piece, word, is_ruling))
}

/// Returns a line for each attribute that can have the value which a statement gives to a piece, if
/// there are several: `s1 is stopped`. Returns no lines for any other line.
pub(super) fn lines_with_value(play: &Play, typed: &TypedLine<'_>) -> Vec<String> {
    let Some((piece, value, is_ruling)) = claim(play, typed) else { return Vec::new() };
    let table = play.session.table();
    let Some((kind, _)) = table.find(&piece) else { return Vec::new() };
    let schema = &play.referee().ruleset().schema;
    let can_have = |a: &&Attribute| a.can_be_set() && question_words::is_value(schema, a, &value);
    let having = schema.kind(kind).attributes.iter().filter(can_have);
    let lines = having.map(|a| format!("set {piece}.{} {value}", a.name));
    let lines = lines.filter(|line| command::parse(play.referee(), table, line).is_ok());
    let ruling = |line: String| match line.strip_prefix("set ") {
        Some(rest) if is_ruling => format!("overrule {rest}: umpire's ruling"),
        _ => line,
    };
    let lines: Vec<String> = lines.map(ruling).collect();
    if denies(typed) || lines.len() < 2 { Vec::new() } else { lines }
}

/// Returns help for a statement about an attribute or a value of a piece for which no line can be
/// proposed, such as `s1 isn't sunk`: the line to type, and the values that are possible.
pub(super) fn help_with_value(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let (piece, word, is_ruling) = claim(play, typed)?;
    let (kind, row) = play.session.table().find(&piece)?;
    help_with_attribute(play, (&piece, kind, row), &word, is_ruling)
}

/// Returns help for a `set` line that names an attribute of the game instead of a piece, such as `set
/// wind off`. Returns `None` for any other line.
pub(super) fn help_with_value_of_game(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let [set, named, ..] = typed.tokens.as_slice() else { return None };
    let sets = set.text.eq_ignore_ascii_case("set");
    let word = named.text.to_lowercase();
    let of_state = ("state", STATE_KIND, 0);
    sets.then(|| {
        help_with_attribute(play, of_state, word.trim_end_matches([',', ':', '=']), false)
    })?
}

/// Returns help for the only attribute of a piece that is called by a word or can have it as its value.
/// Returns `None` if there is no such attribute, or if there are several.
fn help_with_attribute(
    play: &Play,
    (piece, kind, row): (&str, KindId, u32),
    word: &str,
    is_ruling: bool,
) -> Option<String> {
    let table = play.session.table();
    let schema = &play.referee().ruleset().schema;
    let attributes = schema.kind(kind).attributes.iter().enumerate();
    let singular = word.strip_suffix('s').unwrap_or(word);
    let like = state_words::words_like(word);
    // Of the words for the same state, the game has one.
    let (index, attribute) = [word, singular].into_iter().chain(like).find_map(|said| {
        let mut meant = attributes.clone().filter(|(_, a)| {
            let has = a.is_called(said) || question_words::is_value(schema, a, said);
            has && a.can_be_set()
        });
        meant.next().filter(|_| meant.next().is_none())
    })?;
    let now = play.referee().attribute_text(table, kind, row, index)?;
    let name = format!("{piece}.{}", attribute.name);
    let values = match attribute.ty {
        Type::Word(set) => names::quote_names(
            &schema.word_set(set).values.iter().map(String::as_str).collect::<Vec<_>>(),
        ),
        Type::Flag => "`yes` or `no`".to_owned(),
        Type::Whole | Type::Number => "a number".to_owned(),
        Type::Piece(of) => format!("the name of a {}", schema.kind(of).name),
        _ => "its new value".to_owned(),
    };
    let line = if is_ruling {
        format!("overrule {name} VALUE: REASON")
    } else {
        format!("set {name} VALUE")
    };
    Some(format!("{name} is `{now}`; `{line}` changes it, and VALUE is {values}"))
}

/// Words for the piece that a line named before.
const PRONOUNS: [&str; 4] = ["him", "her", "it", "them"];

/// Returns the `remove` line for a line in which a piece is taken off the table: `bob has run off, take him off
/// the table`. Returns `None` for any other line, and if it names several pieces.
pub(super) fn taken_off(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let words = question_words::question_words(typed);
    let at = words.iter().position(|word| word == "take")?;
    let after: Vec<&str> = words[at + 1..].iter().map(String::as_str).collect();
    let (whom, rest) = after.split_first()?;
    if !matches!(rest, ["off"] | ["off", "the", "table" | "board"]) {
        return None;
    }
    let table = play.session.table();
    let named = command::names_in(play.referee(), table, typed.line);
    let is_meant = PRONOUNS.contains(whom) || command::find_spoken(table, whom).is_some();
    let [piece] = named.as_slice() else { return None };
    let line = format!("remove {piece}");
    (is_meant && command::parse(play.referee(), table, &line).is_ok()).then_some(line)
}
