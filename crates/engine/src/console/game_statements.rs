//! Statements about the whole game that set options or the state: `make it a night game`, `no fog
//! tonight`.

use super::play::Play;
use super::question_words;
use super::questions::names_of_pieces;
use super::rulings::{DENIES, RULES_THAT, STATES};
use crate::command::{self, TypedLine};
use crate::language::schema::{Attribute, OPTION_KIND, STATE_KIND, Type};

/// The minimum number of letters in the name of an option that is named as a whole.
const MIN_NAME: usize = 4;

/// Words that turn an option on or off.
const ON_OR_OFF: [(&str, &str); 5] = [
    // `on` may also be a part of the name.
    ("off", "no"),
    ("no", "no"),
    ("without", "no"),
    ("yes", "yes"),
    ("on", "yes"),
];

/// Returns the lines that carry out a statement about the whole game by setting options or attributes
/// of the state. In `make it a night game`, that option or attribute is named `night`, or can have the
/// value `night`; `bombs in play off` turns off the option `bombs-in-play`. Returns no lines if two of
/// them would set the same attribute.
pub(super) fn stated_of_game(play: &Play, words: &[String]) -> Vec<String> {
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    if let Some(line) = option_turned(play, words) {
        return vec![line];
    }
    let states = has(&STATES) || has(&RULES_THAT) || has(&["it's", "its", "now"]);
    if has(&DENIES) || !states {
        return Vec::new();
    }
    let schema = &play.referee().ruleset().schema;
    let names_piece = !names_of_pieces(play, words).is_empty();
    let mut lines: Vec<String> = Vec::new();
    for (kind, prefix) in [(OPTION_KIND, "option "), (STATE_KIND, "set state.")] {
        let attributes = &schema.kind(kind).attributes;
        for attribute in attributes.iter().filter(|a| a.can_be_set()) {
            let name = &attribute.name;
            let is_named = words.iter().any(|word| word.eq_ignore_ascii_case(name));
            // In `ann stands fast`, nothing is said about a fast wind.
            let value = words.iter().find(|word| question_words::is_value(schema, attribute, word));
            let value = value.filter(|_| is_named || !names_piece);
            let line = match value {
                Some(value) => format!("{prefix}{name} {value}"),
                None if is_named && attribute.ty == Type::Flag => format!("{prefix}{name} yes"),
                None => continue,
            };
            if command::parse(play.referee(), play.session.table(), &line).is_ok() {
                lines.push(line);
            }
        }
    }
    // One value may belong to several attributes.
    let value = |line: &String| line.rsplit(' ').next().unwrap_or_default().to_owned();
    let is_clear = lines
        .iter()
        .enumerate()
        .all(|(at, line)| lines[..at].iter().all(|other| value(other) != value(line)));
    if is_clear { lines } else { Vec::new() }
}

/// Words between an attribute of the state and its value.
const IS: [&str; 5] = ["is", "was", "becomes", "turns", "goes"];

/// Returns the lines that carry out a statement which begins with an attribute of the state, although a verb may
/// have the same name: `wind is strong, from the west`. Returns no lines for any other words.
pub(super) fn value_stated(play: &Play, words: &[String]) -> Vec<String> {
    let attributes = &play.referee().ruleset().schema.kind(STATE_KIND).attributes;
    let articles = words.iter().take_while(|word| *word == "the").count();
    let [name, is, ..] = &words[articles..] else { return Vec::new() };
    let begins = attributes.iter().any(|a| a.can_be_set() && a.is_called(name));
    if begins && IS.contains(&is.as_str()) { stated_of_game(play, words) } else { Vec::new() }
}

/// Returns the whole `set` line for one that names an attribute of the game without `state` in front of
/// it: `set wind strong`. Returns `None` for any other line.
pub(super) fn value_set(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let [set, name, value, ..] = typed.tokens.as_slice() else { return None };
    let attributes = &play.referee().ruleset().schema.kind(STATE_KIND).attributes;
    let mut settable = attributes.iter().filter(|a| a.can_be_set());
    let sets = set.text.eq_ignore_ascii_case("set");
    let attribute = settable.find(|a| a.is_called(&name.text)).filter(|_| sets)?;
    let given = if value.text.eq_ignore_ascii_case("to") { typed.tokens.get(3)? } else { value };
    let line = format!("set state.{} {}", attribute.name, given.text.to_lowercase());
    command::parse(play.referee(), play.session.table(), &line).is_ok().then_some(line)
}

/// The minimum number of letters in a word of an option's name that stands for the option.
const MIN_OPTION: usize = 3;

/// The maximum number of words with which a line turns an option on or off by one word of its name.
const MAX_WORDS: usize = 5;

/// Returns the `option` line for words that turn an option on or off, by its whole name or by a word
/// that only one option has: `no fog tonight`. Returns `None` for any other words.
pub(super) fn option_turned(play: &Play, words: &[String]) -> Option<String> {
    let said = |word: &&(&str, &str)| words.iter().any(|w| w == word.0);
    let (_, value) = ON_OR_OFF.iter().find(said)?;
    let options = &play.referee().ruleset().schema.kind(OPTION_KIND).attributes;
    let flags = || options.iter().filter(|a| a.ty == Type::Flag && a.can_be_set());
    let together = words.join("-");
    let whole = flags().find(|a| a.name.len() >= MIN_NAME && together.contains(&a.name));
    let has_word = |a: &&Attribute| {
        let says = |part: &&str| {
            part.len() >= MIN_OPTION && *part != "the" && !command::is_common_word(part)
        };
        let mut parts = a.name.split('-').filter(says);
        parts.any(|part| words.iter().any(|word| question_words::has_same_stem(part, word)))
    };
    let mut by_word = flags().filter(has_word);
    let only = by_word.next().filter(|_| by_word.next().is_none());
    // A long line says something else.
    let only = only.filter(|_| words.len() <= MAX_WORDS);
    let names_piece = !names_of_pieces(play, words).is_empty();
    let option = whole.or(only.filter(|_| !names_piece))?;
    let line = format!("option {} {value}", option.name);
    command::parse(play.referee(), play.session.table(), &line).is_ok().then_some(line)
}
