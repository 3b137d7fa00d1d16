//! Questions about a number or some words in the last result: `why +4`, `why the rear`.

use super::play::Play;
use super::questions;
use super::reply::Reply;
use super::text_index;
use crate::language::number::Number;
use crate::referee::{Check, Event};
use crate::session::Entry;

/// The number of commands, the last one first, in whose results an answer is sought.
const MAX_COMMANDS: usize = 3;

/// Answers a question that begins with `why`, names no piece, and has the words of a modifier or a line of
/// the last results, with this modifier or line and the rule that it comes from. Returns `None` for any
/// other question.
pub(super) fn answer(play: &Play, words: &[String]) -> Option<Reply> {
    let (first, rest) = words.split_first()?;
    if first != "why" || !questions::names_of_pieces(play, rest).is_empty() {
        return None;
    }
    let asked: Vec<&str> = rest.iter().map(String::as_str).collect();
    let asked: Vec<&str> = asked.into_iter().filter(|word| !text_index::is_little(word)).collect();
    if asked.is_empty() {
        return None;
    }
    let entries = play.session.entries().iter().rev().take(MAX_COMMANDS);
    let mut found =
        entries.filter_map(|entry| modifier(entry, &asked).or_else(|| line(play, entry, &asked)));
    found.next().map(|answer| questions::reply(answer, Vec::new()))
}

/// Returns the modifier of a roll whose amount or label the words are, in words.
fn modifier(entry: &Entry, asked: &[&str]) -> Option<String> {
    let mut all = entry.outcome.checks().flat_map(|check| {
        check.modifiers.iter().map(move |(amount, label)| (check, *amount, label))
    });
    let (check, amount, label) = all.find(|(_, amount, label)| {
        let stems = text_index::stems(label);
        let is_of_label = |word: &&str| {
            let own = text_index::stems(word);
            !own.is_empty() && own.iter().all(|stem| stems.contains(stem))
        };
        asked.iter().all(|word| is_amount(word, *amount) || is_of_label(word))
    })?;
    let signed = signed(amount);
    Some(format!("{signed} is for “{label}”, a modifier {}", of_rule(check)))
}

fn of_rule(check: &Check) -> String {
    let of = if check.label.is_empty() { String::new() } else { format!(" of {}", check.label) };
    match &check.rule {
        Some(rule) => format!("of the roll{of}: `rule {rule}` shows when it counts"),
        None => format!("of the roll{of}"),
    }
}

fn signed(amount: Number) -> String {
    let sign = if amount.numerator() < 0 { "" } else { "+" };
    format!("{sign}{amount}")
}

fn is_amount(word: &str, amount: Number) -> bool {
    let word = word.replace('−', "-");
    word == signed(amount) || word == amount.to_string()
}

/// Returns the line of a result that has all of the words.
fn line(play: &Play, entry: &Entry, asked: &[&str]) -> Option<String> {
    // The words are the umpire's, and only sought: nothing is learned from the report itself.
    let has_all = |report: &&str| {
        let parts = report.split([' ', ',', ';', ':', '(', ')', '[', ']']);
        let parts: Vec<String> = parts.map(str::to_lowercase).collect();
        asked.iter().all(|word| parts.iter().any(|part| part == word))
    };
    let mut reports = entry.outcome.events.iter().filter_map(|event| match event {
        Event::Said(words) => Some(words.as_str()),
        _ => None,
    });
    let found = reports.find(has_all)?;
    let verb = entry.line.split(' ').next().unwrap_or_default();
    let rule = if play.referee().ruleset().has_verb(verb) {
        format!("; `rule {verb}` shows what it does")
    } else {
        String::new()
    };
    Some(format!("`{}` gave: {found}{rule}", entry.line))
}
