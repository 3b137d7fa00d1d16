//! Lines for verbs that take the umpire's own words, such as orders and messages, where the pieces
//! are typed in another place: `ann orders bob to go home`, `send bob to ann saying come back`.

use super::restate::{Sentence, is_one_of, trim_mark};
use super::{Reading, Token, TypedLine};
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::Type;
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// Words that begin a message. The first ones aren't part of it.
const SAYS: [&str; 3] = ["saying", "that", "says"];

/// Words that begin a message, as a part of it.
const ASKS: [&str; 4] = ["asking", "telling", "requesting", "calling"];

/// Returns lines that a line with a verb that takes a text may mean. They aren't tried, so some of
/// them may be unreadable.
pub(crate) fn lines_with_text(referee: &Referee, table: &Tabletop, line: &str) -> Vec<String> {
    let Ok(typed) = TypedLine::read(line) else { return Vec::new() };
    let reading = Reading::new(referee, table, line);
    let mut words = typed.tokens;
    words.iter_mut().filter(|word| !word.quoted).for_each(trim_mark);
    let sentences = reading.sentences(&words);
    let mut lines: Vec<String> = Vec::new();
    for sentence in sentences.into_iter().flatten() {
        let rules = reading.rules_of_sentence(&sentence);
        // What the typed line already has in front of a piece stays there.
        let is_said = |literal: &str| {
            sentence.rest.iter().any(|word| word.text.eq_ignore_ascii_case(literal))
        };
        let rules = rules.iter().filter(|rule| rule.takes_text());
        if sentence.subject.is_none()
            && rules.clone().next().is_some()
            && let Some(rest) = text_between(line, &sentence.rest)
        {
            lines.push(format!("{} {rest}", sentence.verb));
        }
        lines.extend(rules.clone().filter_map(|rule| with_colon(&reading, line, &sentence, rule)));
        for literal in rules.flat_map(|rule| before_pieces(rule)).filter(|one| !is_said(one)) {
            lines.extend(with_subject_last(line, &sentence, literal));
            lines.extend(with_message_first(&reading, line, &sentence, literal));
        }
    }
    lines
}

/// Returns the words of a usage in front of its pieces, such as `by` in `tell <who:man> to <what:text>
/// by <boss:man>`.
fn before_pieces(rule: &RuleText) -> Vec<&str> {
    fn collect<'r>(rule: &'r RuleText, parts: &'r [UsagePart], found: &mut Vec<&'r str>) {
        for pair in parts.windows(2) {
            if let [UsagePart::Word(word), UsagePart::Fill(index, _)] = pair
                && matches!(rule.params[*index].ty.member_or_self(), Type::Piece(_))
            {
                found.push(word);
            }
        }
        for part in parts {
            if let UsagePart::Optional(inner) = part {
                collect(rule, inner, found);
            }
        }
    }
    let mut found = Vec::new();
    if let Some(usage) = &rule.usage {
        collect(rule, &usage.parts, &mut found);
    }
    found
}

/// Returns the word of a usage between its first piece and its text, such as `to` in `tell <who:man> to
/// <what:text>`.
fn before_text(rule: &RuleText) -> Option<&str> {
    let parts = &rule.usage.as_ref()?.parts;
    parts.windows(3).find_map(|trio| match trio {
        [UsagePart::Fill(_, false), UsagePart::Word(word), UsagePart::Fill(text, _)]
            if rule.params[*text].ty == Type::Text =>
        {
            Some(word.as_str())
        }
        _ => None,
    })
}

/// Returns the line for orders whose text follows a colon: `tell bob to go home` for `tell bob: go
/// home`, or for `orders to bob: go home`.
fn with_colon(
    reading: &Reading<'_>,
    line: &str,
    sentence: &Sentence,
    rule: &RuleText,
) -> Option<String> {
    let literal = before_text(rule)?;
    let is_little = |word: &&Token| is_one_of(&word.text, &["to", "for"]);
    let skipped = sentence.rest.iter().take_while(is_little).count();
    let rest = &sentence.rest[skipped..];
    let (piece, taken) = reading.subject(rest)?;
    let end = rest.get(taken.checked_sub(1)?)?.end;
    // The colon may have been read as a word of its own.
    let text = line.get(end..)?.trim_start().strip_prefix(':')?.trim();
    let order = format!("{} {} {literal} {text}", sentence.verb, piece.name());
    match &sentence.subject {
        None => Some(order),
        Some(boss) => {
            let last = before_pieces(rule).pop()?;
            Some(format!("{order} {last} {}", boss.name()))
        }
    }
}

/// Returns the words of a line from one word to another.
fn text_between<'l>(line: &'l str, words: &[Token]) -> Option<&'l str> {
    line.get(words.first()?.start..words.last()?.end)
}

/// Returns a line in which the pieces in front of the verb come last, after a word of the usage.
fn with_subject_last(line: &str, sentence: &Sentence, literal: &str) -> Option<String> {
    let subject = sentence.subject.as_ref()?;
    let rest = text_between(line, &sentence.rest)?;
    Some(format!("{} {rest} {literal} {}", sentence.verb, subject.name()))
}

/// Returns a line in which the message comes first and its bearer, who follows the verb, last.
fn with_message_first(
    reading: &Reading<'_>,
    line: &str,
    sentence: &Sentence,
    literal: &str,
) -> Option<String> {
    let (bearer, taken) = reading.subject(&sentence.rest)?;
    let after = &sentence.rest[taken..];
    let says = |word: &Token| is_one_of(&word.text, &SAYS);
    let at = after.iter().position(|word| says(word) || is_one_of(&word.text, &ASKS))?;
    let message = if says(&after[at]) { &after[at + 1..] } else { &after[at..] };
    let message = text_between(line, message)?;
    let to = text_between(line, &after[..at]).unwrap_or_default();
    Some(format!("{} {message} {to} {literal} {}", sentence.verb, bearer.name()).replace("  ", " "))
}
