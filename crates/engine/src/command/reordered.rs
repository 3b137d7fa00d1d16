//! Lines whose words stand in another order than in the usages, although it is certain what they
//! mean: verbs around their objects, passengers and losses, and the acting piece at the end.

use super::restate::{ARTICLES, base_forms, is_one_of};
use super::{Token, TypedLine, everyday_verbs, spoken_names};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// Returns a line in which the words follow each other as in the usages. Returns `None` if there is
/// nothing to change.
pub(super) fn in_order_of_usages(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Option<String> {
    let mut said = with_joined_verb(referee, table, line).unwrap_or_else(|| line.to_owned());
    said = with_passenger_first(referee, table, &said).unwrap_or(said);
    said = with_loser_first(table, &said).unwrap_or(said);
    said = with_actor_first(referee, table, &said).unwrap_or(said);
    said = with_squad_named_before(table, &said).unwrap_or(said);
    said = with_both_sides(referee, table, &said).unwrap_or(said);
    (said != line).then_some(said)
}

/// Second words of verbs, which may follow the object: `put the fire out`.
const PARTICLES: [&str; 6] = ["up", "down", "out", "off", "away", "back"];

/// Words that may follow such a word.
const AFTER_PARTICLE: [&str; 12] =
    ["at", "in", "on", "to", "with", "by", "against", "near", "and", "then", "from", "into"];

/// Words that begin an object.
const OWNED: [&str; 5] = ["his", "her", "their", "its", "that"];

/// The maximum number of words between the two words of a verb.
const MAX_OBJECT: usize = 3;

/// Returns a line in which the two words of a verb stand side by side: `put out the fire at b1` for
/// `put the fire out at b1`. Returns `None` if there is no such verb.
fn with_joined_verb(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let ruleset = referee.ruleset();
    let is_verb = |first: &str, second: &str| {
        let phrase = format!("{first} {second}");
        ruleset.synonyms().any(|(other, _)| other == phrase)
            || everyday_verbs::phrases().any(|other| other == phrase)
    };
    let tokens = &typed.tokens;
    let found = tokens.iter().enumerate().find_map(|(at, token)| {
        let particles = at + 2..(at + 2 + MAX_OBJECT).min(tokens.len());
        let second = particles.into_iter().find(|&second| {
            let follows = tokens.get(second + 1).is_none_or(|next| {
                AFTER_PARTICLE.contains(&next.bare().as_str()) || tokens[second].text.ends_with(',')
            });
            PARTICLES.contains(&tokens[second].bare().as_str()) && follows
        })?;
        let object = &tokens[at + 1..second];
        let begins_object = |word: &Token| {
            is_one_of(&word.bare(), &ARTICLES)
                || OWNED.contains(&word.bare().as_str())
                || spoken_names::find_spoken(table, &word.bare()).is_some()
        };
        let is_object = object.first().is_some_and(begins_object)
            && object.iter().all(|word| !word.text.ends_with(','));
        let particle = tokens[second].bare();
        let forms = base_forms(&token.bare());
        let is_named = table.find(&token.bare()).is_some();
        (is_object && !is_named && forms.iter().any(|form| is_verb(form, &particle)))
            .then_some((at, second))
    });
    let (at, second) = found?;
    let object = line.get(tokens[at + 1].start..tokens[second - 1].end)?;
    let particle = line.get(tokens[second].start..tokens[second].end)?;
    let before = line.get(..tokens[at].end)?;
    let after = line.get(tokens[second].end..)?;
    let mark = &particle[particle.trim_end_matches([',', '.', ';', '!']).len()..];
    let particle = &particle[..particle.len() - mark.len()];
    Some(format!("{before} {particle} {object}{mark}{after}"))
}

/// Returns a line with the piece at its beginning that is named at its end: `bob, 3 to port` for `3 to
/// port for bob`, if it names no other piece, or for `3 to port, bob`. Returns `None` for any other
/// line.
fn with_actor_first(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let (last, before) = typed.tokens.split_last()?;
    let piece = spoken_names::find_spoken(table, &last.bare())?;
    let is_article = |word: &&Token| is_one_of(&word.bare(), &ARTICLES);
    let before = match before.split_last() {
        Some((article, rest)) if is_article(&article) => rest,
        _ => before,
    };
    let end = before.last()?;
    let names = |text: &str| spoken_names::names_in(referee, table, text);
    let others: Vec<String> =
        before.iter().filter_map(|word| spoken_names::find_spoken(table, &word.bare())).collect();
    let kind = |name: &str| table.find(name).map(|(kind, _)| kind);
    let rest = if ["with", "from", "by"].contains(&end.bare().as_str())
        && let [other] = others.as_slice()
        && kind(other) == kind(&piece)
    {
        // `shell s1 with bob`
        line.get(..end.start)?
    } else if end.bare() == "for" && !last.quoted {
        let rest = line.get(..end.start)?;
        Some(rest).filter(|rest| names(rest).is_empty())?
    } else {
        // A name after a comma may end a list of names.
        let ends_list = spoken_names::find_spoken(table, &end.bare()).is_some();
        let rest = line.get(..end.end)?.strip_suffix(',')?;
        Some(rest).filter(|_| !ends_list)?
    };
    let begins = rest.split_whitespace().next()?;
    // A line that begins with a piece already has its actor.
    let has_actor = spoken_names::find_spoken(table, begins).is_some();
    (!has_actor && before.len() > 1).then(|| format!("{piece} {}", rest.trim()))
}

/// Words for the members of the squad that was named before.
const THEY: [&str; 7] =
    ["they all", "all of them", "everyone", "everybody", "they", "the lot", "all"];

/// Returns a line that begins with the name of a squad in place of words for its members: `able go 8`
/// for `able: they all go 8`. Returns `None` for any other line.
fn with_squad_named_before(table: &Tabletop, line: &str) -> Option<String> {
    let (name, rest) = line.split_once([':', ','])?;
    let piece = spoken_names::find_spoken(table, name.trim())?;
    let rest = rest.trim_start();
    let after = THEY.iter().find_map(|they| {
        let begins = rest.get(..they.len())?.eq_ignore_ascii_case(they);
        rest.get(they.len()..)?.strip_prefix(' ').filter(|_| begins)
    })?;
    Some(format!("{piece} {after}"))
}

/// Returns the line for a verb that takes two sides, joined by `with`: `meet ann with bob` for `ann and
/// bob meet`, `meet ann against bob` or `meet between ann and bob`. Returns `None` for any other line.
fn with_both_sides(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let words: Vec<String> = typed.tokens.iter().map(Token::bare).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let forms = |word: &str| {
        let gerund = word.strip_suffix("ing").map(str::to_owned);
        base_forms(word).into_iter().chain(gerund).collect::<Vec<_>>()
    };
    let is_typed = |form: &String| referee.ruleset().is_typed_verb(form);
    let is_verb = |word: &str| forms(word).iter().any(is_typed);
    let (verb, one, other, taken) = match words.as_slice() {
        [one, "and" | "&", other, verb, ..] if is_verb(verb) => (verb, one, other, 4),
        [verb, one, "against" | "and", other, ..] if is_verb(verb) => (verb, one, other, 4),
        [verb, "between", one, "and", other, ..] if is_verb(verb) => (verb, one, other, 5),
        _ => return None,
    };
    let verb = forms(verb).into_iter().find(is_typed)?;
    let rest = typed.tokens.get(taken).and_then(|next| line.get(next.start..)).unwrap_or_default();
    let meant = format!("{verb} {one} with {other} {rest}");
    let meant = meant.trim_end().to_owned();
    let is_readable = matches!(super::parse(referee, table, &meant), Ok(Some(_)));
    is_readable.then_some(meant)
}

/// Verbs with which the umpire takes men off a piece.
const TAKES_OFF: [&str; 4] = ["take", "knock", "strike", "remove"];

/// Returns a line in which a piece loses something: `g1 loses 2` for `take 2 off g1` or `2 men off g1`.
/// Returns `None` for any other line.
fn with_loser_first(table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let words: Vec<String> = typed.tokens.iter().map(Token::bare).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words = match words.split_first()? {
        (first, rest) if TAKES_OFF.contains(first) => rest,
        _ => words.as_slice(),
    };
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    match words {
        [count, "off" | "from", piece] if is_number(count) && table.find(piece).is_some() => {
            Some(format!("{piece} loses {count}"))
        }
        [count, noun, "off" | "from", piece] if is_number(count) && table.find(piece).is_some() => {
            Some(format!("{piece} loses {count} {noun}"))
        }
        _ => None,
    }
}

/// Verbs with which somebody makes others get in or out of something.
const MAKES_GO: [&str; 4] = ["put", "get", "load", "take"];

/// Words in front of what somebody gets into or out of, each with the one that follows `get`.
const INTO: [(&str, &str); 8] = [
    ("on", "on"),
    ("onto", "on"),
    ("in", "in"),
    ("into", "in"),
    ("aboard", "in"),
    ("inside", "in"),
    ("off", "off"),
    ("out", "out"),
];

/// Returns a line in which the passengers themselves get in or out: `t1 get in bus1` for `put t1 on
/// bus1`. Returns `None` for any other line, and if the first word is a verb of the game.
fn with_passenger_first(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let (first, rest) = typed.tokens.split_first()?;
    if !MAKES_GO.contains(&first.bare().as_str()) || referee.ruleset().has_verb(&first.bare()) {
        return None;
    }
    let is_into = |word: &Token| INTO.iter().find(|(said, _)| *said == word.bare());
    let at = rest.iter().position(|word| is_into(word).is_some()).filter(|&at| at > 0)?;
    let (_, into) = is_into(&rest[at])?;
    let passengers = line.get(rest[0].start..rest[at - 1].end)?;
    let names_any = |text: &str| !spoken_names::names_in(referee, table, text).is_empty();
    let carrier = line.get(rest.get(at + 1)?.start..)?;
    (names_any(passengers) && names_any(carrier))
        .then(|| format!("{passengers} get {into} {carrier}"))
}
