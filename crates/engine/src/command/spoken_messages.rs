//! Messages as they are spoken, for verbs that take the umpire's own words: `ann runs to bob, tell him
//! to come back`, `message for ann: come back, carried by bob`. The words of the message, and the
//! pieces in the rest of the line, are filled into the usages of these verbs.

use super::known_words::verbs_in;
use super::restate::{ARTICLES, is_one_of, literal_words};
use super::{Reading, TypedLine, spoken_names};
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::{KindId, Type};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// Phrases in front of a message, the longest first.
const BEFORE_MESSAGE: [&str; 22] = [
    " with a message to say ",
    " with a message saying ",
    " with the message that ",
    " with orders that say ",
    " with the message ",
    " with a message ",
    " with a note saying ",
    " with a note ",
    " with message ",
    " with orders to ",
    " to tell him to ",
    " to tell her to ",
    " to tell them to ",
    ", tell him to ",
    ", tell her to ",
    ", tell them to ",
    " telling him to ",
    " telling her to ",
    " telling them to ",
    " to say ",
    " saying ",
    " message ",
];

/// Words that show that a line with a colon is a message.
const MESSAGE_WORDS: [&str; 6] = ["message", "messages", "msg", "note", "word", "dispatch"];

/// Phrases at the end of a line in front of the bearer of its message.
const BEFORE_BEARER: [&str; 7] =
    [", carried by ", ", taken by ", ", sent by ", ", by ", ", via ", " via ", " carried by "];

/// Words in front of the recipient of a message.
const BEFORE_RECIPIENT: [&str; 2] = ["to", "for"];

/// Words that can't begin a message, because they say who sends or gets it.
const NOT_FIRST: [&str; 4] = ["to", "for", "from", "by"];

/// The maximum number of pieces in a line with a message.
const MAX_PIECES: usize = 3;

/// A line taken apart.
struct Spoken {
    /// Everything but the message.
    outside: String,
    message: String,
}

/// Returns lines for a typed line with a message in it. They aren't tried, so some of them may be
/// unreadable.
pub(crate) fn lines_with_message(referee: &Referee, table: &Tabletop, line: &str) -> Vec<String> {
    let reading = Reading::new(referee, table, line);
    let Some(spoken) = take_apart(&reading, line) else { return Vec::new() };
    let said: Vec<String> = words_of(&spoken.outside);
    let mut names: Vec<String> = Vec::new();
    for name in said.iter().filter_map(|word| spoken_names::find_spoken(table, word)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() || names.len() > MAX_PIECES {
        return Vec::new();
    }
    let ruleset = referee.ruleset();
    let rules: Vec<&RuleText> =
        ruleset.schema.rules.iter().filter(|rule| rule.takes_text()).collect();
    // In `message to control`, the usage with `control` is meant.
    let nouns = literal_words(&rules);
    let nouns: Vec<&str> = nouns.into_iter().filter(|word| is_noun(word)).collect();
    let said_nouns: Vec<&str> =
        nouns.into_iter().filter(|noun| said.iter().any(|word| word == noun)).collect();
    // In `send ann to bob with a message`, only `send` is meant.
    let verbs = verbs_in(referee, table, &spoken.outside);
    let is_verb = |rule: &RuleText| verbs.iter().any(|verb| verb == rule.verb());
    let is_named = rules.iter().any(|rule| is_verb(rule));
    // Somebody who isn't on the table gets no message.
    let is_stranger = |word: &String| {
        spoken_names::find_spoken(table, word).is_none() && !said_nouns.contains(&word.as_str())
    };
    let mut recipients = said.iter().enumerate().filter_map(|(at, word)| {
        let after = BEFORE_RECIPIENT.contains(&word.as_str()).then(|| &said[at + 1..])?;
        after.iter().find(|next| !is_one_of(next, &ARTICLES))
    });
    if recipients.any(is_stranger) {
        return Vec::new();
    }
    let has_all = |rule: &&RuleText| {
        let own = literal_words(&[rule]);
        said_nouns.iter().all(|noun| own.contains(noun)) && (!is_named || is_verb(rule))
    };
    let rules = rules.into_iter().filter(has_all);
    let orders = permutations(&names);
    let mut lines = Vec::new();
    for rule in rules {
        for order in &orders {
            lines.extend(filled(table, rule, order, &spoken.message, &said));
        }
    }
    lines
}

/// Returns the words of a text in lower case, without punctuation.
fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Takes a line with a message apart: `None` if it has none.
fn take_apart(reading: &Reading<'_>, line: &str) -> Option<Spoken> {
    let lower = line.to_lowercase();
    if lower.len() != line.len() {
        return None;
    }
    let quoted = quoted_part(line);
    let by_phrase = BEFORE_MESSAGE
        .iter()
        .find_map(|phrase| Some((lower.find(phrase)?, phrase.len())))
        .and_then(|(at, length)| {
            Some((line.get(..at)?.to_owned(), line.get(at + length..)?.to_owned()))
        });
    let by_colon = || {
        let (before, after) = line.split_once(": ")?;
        let words = words_of(before);
        let has_verb = TypedLine::read(before).is_ok_and(|typed| {
            (0..typed.tokens.len()).any(|at| {
                let verbs = reading.verbs_in_full(&typed.tokens[at..]);
                verbs.iter().any(|(verb, _)| reading.ruleset().takes_text(verb))
            })
        });
        let is_message = words.iter().any(|word| MESSAGE_WORDS.contains(&word.as_str()));
        (has_verb || is_message).then(|| (before.to_owned(), after.to_owned()))
    };
    let (mut outside, mut message) = quoted.or(by_phrase).or_else(by_colon)?;
    let ending = BEFORE_BEARER.iter().find_map(|phrase| {
        let at = message.to_lowercase().rfind(phrase).filter(|at| message.is_char_boundary(*at))?;
        let bearer = message.get(at + phrase.len()..)?.trim_end_matches(['.', '!']).to_owned();
        let is_piece = spoken_names::find_spoken(reading.table, bearer.trim()).is_some();
        is_piece.then_some((at, bearer))
    });
    if let Some((at, bearer)) = ending {
        outside = format!("{outside} {bearer}");
        message.truncate(at);
    }
    let message = message.trim().trim_start_matches([':', ',', ' ']).to_owned();
    let words = words_of(&message);
    let first = words.first().map_or("", String::as_str);
    (!message.is_empty() && !NOT_FIRST.contains(&first)).then_some(Spoken { outside, message })
}

/// Returns the words around a quoted message, and the message; `None` if nothing is quoted.
fn quoted_part(line: &str) -> Option<(String, String)> {
    [('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’')].into_iter().find_map(|(opens, closes)| {
        let mut before = line.char_indices().filter(|&(at, c)| {
            // An apostrophe within a word opens nothing.
            c == opens && (at == 0 || line[..at].ends_with([' ', ':', ',']))
        });
        let (start, _) = before.next()?;
        let after = line.get(start + opens.len_utf8()..)?;
        let length = after.rfind(closes)?;
        let rest = after.get(length + closes.len_utf8()..)?;
        Some((format!("{} {rest}", line.get(..start)?), after.get(..length)?.to_owned()))
    })
}

/// Returns true if a word of a usage says more than `to`, `by` or `from` do.
fn is_noun(word: &str) -> bool {
    word.len() > 4
}

/// Returns the orders in which some names can be written.
fn permutations(names: &[String]) -> Vec<Vec<&str>> {
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    for _ in names {
        all = all
            .into_iter()
            .flat_map(|begun| {
                let rest = names.iter().map(String::as_str);
                let rest: Vec<&str> = rest.filter(|name| !begun.contains(name)).collect();
                rest.into_iter().map(move |name| [begun.as_slice(), &[name]].concat())
            })
            .collect();
    }
    all
}

/// Returns the line of a rule with these pieces, in order, and with a message as its text. Returns
/// `None` if the usage takes other pieces, or has a noun that wasn't said.
fn filled(
    table: &Tabletop,
    rule: &RuleText,
    names: &[&str],
    message: &str,
    typed: &[String],
) -> Option<String> {
    let usage = rule.usage.as_ref()?;
    let mut names = names.iter();
    // A piece of another kind would become part of the text.
    let is_of = |name: &str, kind: KindId| table.find(name).is_some_and(|(of, _)| of == kind);
    let mut line = vec![usage.verb.clone()];
    for part in &usage.parts {
        match part {
            UsagePart::Word(word) if is_noun(word) && !typed.contains(word) => return None,
            UsagePart::Word(word) => line.push(word.clone()),
            UsagePart::Fill(index, _) => match rule.params[*index].ty.member_or_self() {
                Type::Text => line.push(message.to_owned()),
                Type::Piece(kind) => {
                    line.push(names.next().filter(|name| is_of(name, kind))?.to_string());
                }
                _ => return None,
            },
            UsagePart::Optional(parts) if names.len() > 0 => {
                let [UsagePart::Word(word), UsagePart::Fill(index, _)] = parts.as_slice() else {
                    continue;
                };
                if let Type::Piece(kind) = rule.params[*index].ty.member_or_self() {
                    let name = names.next().filter(|name| is_of(name, kind))?;
                    line.extend([word.clone(), name.to_string()]);
                }
            }
            UsagePart::Optional(_) | UsagePart::Flag(..) => {}
        }
    }
    names.next().is_none().then(|| line.join(" "))
}
