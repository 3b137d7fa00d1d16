//! Statements in everyday words that set the state of a piece: `mark ann hurt` and `ann's hurt`
//! instead of `set`.

use super::play::Play;
use super::question_words;
use super::questions::names_of_pieces;
use crate::command::{self, TypedLine};
use crate::language::schema::{Attribute, OPTION_KIND, STATE_KIND, Type};
use crate::names;

/// Words that begin a line in which the umpire sets the state of something.
const RULES_THAT: [&str; 5] = ["mark", "make", "put", "change", "set"];

/// Verbs with which a statement assigns a state to a piece.
const STATES: [&str; 12] = [
    "has", "have", "is", "are", "was", "gets", "got", "becomes", "starts", "begins", "stands",
    "sits",
];

/// Words with which a statement denies a state.
const DENIES: [&str; 8] = ["not", "no", "never", "isn't", "isnt", "aren't", "arent", "wasn't"];

/// Words that begin a phrase about a place or a direction.
const BEFORE_PLACES: [&str; 10] =
    ["out", "in", "up", "down", "on", "off", "over", "under", "through", "open"];

/// The maximum number of words considered after the name of the piece. Later words are about
/// something else.
const MAX_STATED: usize = 4;

/// Words that add nothing to a statement.
const RULING_LITTLE: [&str; 12] =
    ["to", "as", "at", "is", "down", "up", "the", "of", "=", "now", "level", "from"];

/// Returns the `set` line for a line in which the umpire sets the state of a piece:
/// `mark jones tired`, `put s1's speed to b`. Returns `None` for any other line.
pub(super) fn ruling(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let (first, rest) = typed.tokens.split_first()?;
    if !RULES_THAT.contains(&first.text.to_lowercase().as_str()) {
        return None;
    }
    // A verb of the game takes precedence: `put ladder1 up`.
    if command::begins_with_phrase(play.referee(), play.session.table(), typed) {
        return None;
    }
    let words: Vec<&str> = rest
        .iter()
        .map(|word| word.text.trim_end_matches(','))
        .filter(|word| !RULING_LITTLE.contains(&word.to_lowercase().as_str()))
        .collect();
    let (piece, words) = words.split_first()?;
    setting(play, question_words::bare_name(piece), words)
}

/// Phrases of a line in which the umpire overrules a result.
const OVERRULES: [&str; 7] =
    ["i rule", "i say", "i'm ruling", "im ruling", "my ruling", "umpire rules", "ruling"];

/// Returns true if a line overrules a result in the umpire's own words: `i say bob isn't hurt`.
pub(super) fn overrules(words: &[String]) -> bool {
    let spoken = words.join(" ");
    OVERRULES.iter().any(|phrase| {
        question_words::after(&spoken, phrase).is_some()
            || spoken.strip_suffix(phrase).is_some_and(|before| before.ends_with(' '))
    })
}

/// Words of a claim that say nothing about the value.
const OF_CLAIM: [&str; 8] = ["goes", "go", "just", "only", "still", "really", "then", "be"];

/// Returns the `overrule` line for a ruling in the umpire's own words, with its reason: `i say bob
/// isn't hurt, the wall was in the way`. Returns `None` if the line is no ruling, or if no single
/// value is meant.
pub(super) fn overruled(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let words = question_words::question_words(typed);
    if !overrules(&words) {
        return None;
    }
    let line = typed.line.trim().trim_end_matches(['.', '!']);
    let lower = line.to_lowercase();
    let begun = OVERRULES.iter().find(|phrase| question_words::after(&lower, phrase).is_some());
    let rest = match begun {
        Some(phrase) => line.get(phrase.len()..)?,
        None => line,
    };
    let rest = rest.trim_start_matches([' ', ',', ':', '-']);
    let (claim, reason) = rest.split_once([',', ':', ';']).unwrap_or((rest, ""));
    let reason = reason.trim();
    let reason = if reason.is_empty() { "umpire's ruling" } else { reason };
    let ruling = overruling(play, claim, reason)?;
    Some(format!("overrule {ruling}"))
}

/// Returns the words after `overrule` for a claim that one piece has a certain value, or doesn't have
/// a flag: `bob.hurt no: he ducked` for `bob isn't hurt`. Returns `None` for any other claim.
pub(super) fn overruling(play: &Play, claim: &str, reason: &str) -> Option<String> {
    let table = play.session.table();
    let words: Vec<String> =
        claim.split_whitespace().map(|w| w.to_lowercase().replace('’', "'")).collect();
    let bare = |word: &String| question_words::bare_name(word).to_owned();
    let (at, piece) = words
        .iter()
        .enumerate()
        .find_map(|(at, word)| Some((at, command::find_spoken(table, &bare(word))?)))?;
    let denies = words.iter().any(|word| DENIES.contains(&word.as_str()));
    let says = |word: &&str| {
        !DENIES.contains(word)
            && !STATES.contains(word)
            && !RULING_LITTLE.contains(word)
            && !OF_CLAIM.contains(word)
    };
    let said: Vec<&str> = words[at + 1..].iter().map(String::as_str).filter(says).collect();
    let set = match said.as_slice() {
        [one] => setting(play, &piece, &[one]),
        [one, other] => {
            setting(play, &piece, &[one, other]).or_else(|| setting(play, &piece, &[other, one]))
        }
        _ => None,
    }?;
    let set = if denies { format!("{} no", set.strip_suffix(" yes")?) } else { set };
    Some(format!("{}: {reason}", set.strip_prefix("set ")?))
}

/// Verbs with which a statement only describes a piece.
const DESCRIBES: [&str; 3] = ["is", "are", "was"];

/// Returns true if a line only describes one piece, as in `c2 is in cover`: the verb follows the
/// piece, and the line names no other piece and has no number.
pub(super) fn states_only(play: &Play, typed: &TypedLine<'_>) -> bool {
    let words = question_words::question_words(typed);
    let is_described = words.get(1).is_some_and(|verb| DESCRIBES.contains(&verb.as_str()));
    let names = names_of_pieces(play, &words);
    let has_number = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let first = words.first().and_then(|word| command::find_spoken(play.session.table(), word));
    is_described && !has_number && names.len() == 1 && first.as_ref() == names.first()
}

/// Returns the `set` line for a statement about a piece, such as `ann's hurt` or `ann is hurt`;
/// `None` for any other line.
pub(super) fn stated(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let table = play.session.table();
    let mut words = typed.tokens.iter().map(|word| word.text.trim_end_matches([',', '.', ';']));
    let first = words.next()?.to_lowercase().replace('’', "'");
    let piece = command::find_spoken(table, &first)?;
    let rest: Vec<&str> = words.collect();
    if let Some(line) = counted(play, &piece, &rest) {
        return Some(line);
    }
    // `p4 tired yes` gives an attribute and its value.
    if let [attribute, value] = rest.as_slice()
        && (command::yes_no(value).is_some() || value.parse::<i64>().is_ok())
        && let Some(line) = setting(play, &piece, &[attribute, value])
    {
        return Some(line);
    }
    let verb = rest.first().filter(|verb| STATES.contains(verb));
    if piece == first && verb.is_none() {
        return None;
    }
    if rest.iter().any(|word| DENIES.contains(&word.to_lowercase().as_str())) {
        return None;
    }
    if let Some(line) = verb.and_then(|_| placing(play, &piece, &rest)) {
        return Some(line);
    }
    // `out` may be the state of a piece, but not in `leans out of the window`.
    let last = rest.len().checked_sub(1)?;
    let may_state =
        |&(index, word): &(usize, &&str)| index == last || !BEFORE_PLACES.contains(word);
    let mut stated = rest.iter().enumerate().take(MAX_STATED).filter(may_state);
    stated.find_map(|(_, word)| setting(play, &piece, &[word])).or_else(|| {
        let pairs = rest.windows(2).take(MAX_STATED);
        pairs.into_iter().find_map(|pair| setting(play, &piece, &[&pair.join("-")]))
    })
}

/// Returns a sentence to report that a `set` line changes nothing, because the attribute has that
/// value; `None` if it would change something.
pub(super) fn already(play: &Play, line: &str) -> Option<String> {
    let (name, value) = line.strip_prefix("set ")?.split_once(' ')?;
    let (piece, attribute) = name.split_once('.')?;
    let table = play.session.table();
    let (kind, row) = table.find(piece)?;
    let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
    let index = attributes.iter().position(|a| a.name == attribute)?;
    let now = play.referee().attribute_text(table, kind, row, index)?;
    now.eq_ignore_ascii_case(value)
        .then(|| format!("{name} is already `{now}`; `show {piece}` shows all of its values"))
}

/// Returns true if a line makes a statement about something: `ann is at the window`.
pub(super) fn states_something(typed: &TypedLine<'_>) -> bool {
    let states =
        |word: &str| STATES.contains(&word) || ["has", "have", "had", "down"].contains(&word);
    typed.tokens.iter().any(|word| {
        let text = word.text.to_lowercase();
        states(&text) || text.ends_with("'s")
    })
}

/// Returns the `set` line for a number that a piece loses or gains, as in `ann loses 2 strength`.
/// Returns `None` for any other words, or if the new value would be below 0 or can't be set.
fn counted(play: &Play, piece: &str, words: &[&str]) -> Option<String> {
    let [verb, number, name, ..] = words else { return None };
    let sign = match *verb {
        "loses" | "lose" | "lost" | "drops" => -1,
        "gains" | "gain" | "gained" | "gets" => 1,
        _ => return None,
    };
    let number: i64 = number.parse().ok()?;
    let table = play.session.table();
    let (kind, _) = table.find(piece)?;
    let attributes = play.referee().ruleset().schema.kind(kind).attributes.iter();
    let counted = attributes.filter(|a| a.ty == Type::Whole && !a.bookkeeping && !a.fixed);
    let known: Vec<&str> = counted.map(|a| a.name.as_str()).collect();
    let one = name.strip_suffix('s').unwrap_or(name);
    let attribute = known
        .iter()
        .find(|known| known.strip_suffix('s').unwrap_or(known).eq_ignore_ascii_case(one))
        .copied()
        .or_else(|| names::nearest(name, known.iter().copied()))?;
    let value = play.evaluate(&format!("{piece}.{attribute}"))? + sign * number;
    if value < 0 {
        return None;
    }
    let line = format!("set {piece}.{attribute} {value}");
    command::parse(play.referee(), table, &line).is_ok().then_some(line)
}

/// Returns the `set` line for a statement that places a piece, such as `ann starts at b2`. It sets
/// the only attribute that can hold such a place.
fn placing(play: &Play, piece: &str, words: &[&str]) -> Option<String> {
    let table = play.session.table();
    let (kind, _) = table.find(piece)?;
    let plan = play.referee().ruleset().schema.plan_kind()?;
    let at = words.iter().position(|word| ["at", "in", "on"].contains(word))?;
    let little = |word: &&&str| ["the", "area", "square"].contains(*word);
    let place = words.iter().skip(at + 1).find(|word| !little(word))?;
    table.find(place).filter(|(of, _)| *of == plan)?;
    let attributes = play.referee().ruleset().schema.kind(kind).attributes.iter();
    let mut places = attributes.filter(|a| !a.bookkeeping && !a.fixed && a.ty == Type::Piece(plan));
    let only = places.next().filter(|_| places.next().is_none())?;
    let line = format!("set {piece}.{} {place}", only.name);
    command::parse(play.referee(), table, &line).is_ok().then_some(line)
}

/// Returns the line that carries out a statement about the whole game by setting an option or an
/// attribute of the state. In `make it a night game`, that option or attribute is named `night`, or
/// can have the value `night`. Returns `None` if the words could mean several values.
pub(super) fn stated_of_game(play: &Play, words: &[String]) -> Option<String> {
    if words.iter().any(|word| DENIES.contains(&word.as_str())) {
        return None;
    }
    let schema = &play.referee().ruleset().schema;
    let mut lines: Vec<String> = Vec::new();
    for (kind, prefix) in [(OPTION_KIND, "option "), (STATE_KIND, "set state.")] {
        let attributes = &schema.kind(kind).attributes;
        for attribute in attributes.iter().filter(|a| !a.bookkeeping && !a.fixed) {
            let name = &attribute.name;
            let is_named = words.iter().any(|word| word.eq_ignore_ascii_case(name));
            let value = words.iter().find(|word| question_words::is_value(schema, attribute, word));
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
    lines.pop().filter(|_| lines.is_empty())
}

/// Returns the `set` line for a piece's flag, for a value that only one of its attributes can have,
/// or for an attribute and its value.
pub(super) fn setting(play: &Play, piece: &str, words: &[&str]) -> Option<String> {
    let table = play.session.table();
    let (kind, _) = table.find(piece)?;
    let schema = &play.referee().ruleset().schema;
    let attributes = || schema.kind(kind).attributes.iter().filter(|a| !a.bookkeeping && !a.fixed);
    let is_flag = |a: &&Attribute| a.ty == Type::Flag;
    let line = match words {
        [name] => {
            let flag = attributes().filter(is_flag).find(|a| a.is_called(name));
            let mut valued = attributes().filter(|a| question_words::is_value(schema, a, name));
            match (flag, valued.next(), valued.next()) {
                (Some(flag), ..) => format!("set {piece}.{} yes", flag.name),
                (None, Some(of), None) => format!("set {piece}.{} {name}", of.name),
                _ => return None,
            }
        }
        [name, value] => match attributes().find(|a| a.is_called(name)) {
            Some(named) => format!("set {piece}.{} {value}", named.name),
            // A name with a hyphen may be typed as two words.
            None => return setting(play, piece, &[&format!("{name}-{value}")]),
        },
        _ => return None,
    };
    command::parse(play.referee(), table, &line).is_ok().then_some(line)
}
