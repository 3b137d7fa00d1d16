//! The sentences of a turn. Events with the same sentence share it. Sentences that begin with the
//! same piece are joined in one sentence.

use indexmap::IndexMap;

use super::naming::{list_of_names, listed};
use super::notables::Notable;
use crate::language::rule::RuleText;
use crate::names::{NUMBER_WORDS, capitalized, proper_name};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// The maximum length, in characters, of a sentence that is joined to another.
const LONG: usize = 70;

/// A sentence about one or several events.
#[derive(Clone, Debug)]
pub(super) struct ReportSentence<'n> {
    /// The rules of the events.
    pub rules: Vec<&'n str>,
    /// The sentence, without a full stop, in which pieces have only their names.
    pub words: String,
    /// The names of the pieces in the sentence.
    pub participants: Vec<&'n str>,
    /// The piece with which the sentence begins, if the sentence is about that piece only.
    subject: Option<&'n str>,
    /// The index of the first event.
    position: usize,
}

/// Returns the sentences about the events of a turn, in the order in which they begin. No sentence
/// appears twice.
pub(super) fn sentences_of_turn<'n>(
    referee: &Referee,
    table: &Tabletop,
    notables: &[&'n Notable],
) -> Vec<ReportSentence<'n>> {
    let mut by_rule: IndexMap<&str, Vec<(usize, &Notable)>> = IndexMap::new();
    for (position, notable) in notables.iter().enumerate() {
        let of_rule = by_rule.entry(notable.rule.as_str()).or_default();
        // If the sentence contains a sum, equal events are counted separately.
        let is_new = of_rule.iter().all(|(_, other)| other.sentence != notable.sentence);
        if is_new || !notable.amounts.is_empty() {
            of_rule.push((position, notable));
        }
    }
    let mut told = Vec::new();
    for (name, of_rule) in by_rule {
        let Some(rule) = referee.ruleset().schema.rules.named(name) else { continue };
        let (deeds, events): (Vec<_>, Vec<_>) =
            of_rule.into_iter().partition(|(_, notable)| notable.active_sentence.is_some());
        let of_one_rule = RuleEvents { referee, rule, table, name };
        told.extend(of_one_rule.deeds(&deeds));
        told.extend(of_one_rule.events(&events));
    }
    told.sort_by_key(|told: &ReportSentence<'_>| told.position);
    join_short(join_subjects(told))
}

/// The events of one rule in a turn.
struct RuleEvents<'r, 'n> {
    referee: &'r Referee,
    rule: &'r RuleText,
    table: &'r Tabletop,
    name: &'n str,
}

impl<'n> RuleEvents<'_, 'n> {
    /// Returns a sentence for each piece that caused events: `pak1 destroyed t34a and t34b`.
    fn deeds(&self, notables: &[(usize, &'n Notable)]) -> Vec<ReportSentence<'n>> {
        let mut by_actor: IndexMap<&str, Vec<(usize, &'n Notable)>> = IndexMap::new();
        for (position, notable) in notables {
            let Some(by) = &notable.by else { continue };
            by_actor.entry(by).or_default().push((*position, *notable));
        }
        let deed = |(by, done): (&'n str, Vec<(usize, &'n Notable)>)| {
            let names = self.names(&done);
            let words = self.referee.notable_sentence_by(
                self.rule,
                &proper_name(by),
                &names,
                &mut self.table.clone(),
            )?;
            let subject = predicate(&words, &proper_name(by)).map(|_| by);
            Some(self.report_sentence(&words, &done, subject))
        };
        by_actor.into_iter().filter_map(deed).collect()
    }

    /// Returns one sentence for all events if the rule has a sentence for several events;
    /// otherwise, a sentence for each event.
    fn events(&self, notables: &[(usize, &'n Notable)]) -> Vec<ReportSentence<'n>> {
        let several = (notables.len() > 1).then(|| {
            let names = self.attributed_names(notables);
            let count = i64::try_from(notables.len()).ok()?;
            let table = &mut self.table.clone();
            self.referee.notable_sentence_for_many(self.rule, count, &names, table)
        });
        if let Some(Some(words)) = several {
            return vec![self.report_sentence(&words, notables, None)];
        }
        let alone = |one: &(usize, &'n Notable)| {
            let begins = one.1.name.as_deref().filter(|name| {
                let rest = one.1.sentence.get(name.len()..).unwrap_or_default();
                one.1.sentence.starts_with(name)
                    && rest.starts_with(' ')
                    && !rest.starts_with(" and ")
            });
            let pieces = one.1.pieces.iter().map(String::as_str);
            let participants = one.1.by.as_deref().into_iter().chain(pieces).collect();
            let words = one.1.attributed_sentence();
            ReportSentence {
                participants,
                ..self.report_sentence(&words, std::slice::from_ref(one), begins)
            }
        };
        let mut different: Vec<&(usize, &'n Notable)> = Vec::new();
        for one in notables {
            if different.iter().all(|other| other.1.sentence != one.1.sentence) {
                different.push(one);
            }
        }
        different.into_iter().map(alone).collect()
    }

    /// Returns the names in the events (the value of each rule's first parameter), with the pieces
    /// that caused the events: `a1 and b9 (by x4) and b3`.
    fn attributed_names(&self, notables: &[(usize, &Notable)]) -> String {
        let mut groups: IndexMap<Option<&str>, Vec<(usize, &Notable)>> = IndexMap::new();
        for one in notables {
            groups.entry(one.1.by.as_deref()).or_default().push(*one);
        }
        let words: Vec<String> = groups
            .into_iter()
            .map(|(by, those)| {
                let names = self.names(&those);
                by.map_or_else(|| names.clone(), |by| format!("{names} (by {})", proper_name(by)))
            })
            .collect();
        listed(&words)
    }

    fn report_sentence(
        &self,
        words: &str,
        notables: &[(usize, &'n Notable)],
        subject: Option<&'n str>,
    ) -> ReportSentence<'n> {
        let participants = notables.iter().flat_map(|(_, notable)| notable.participants());
        ReportSentence {
            rules: vec![self.name],
            words: words.trim_end_matches('.').to_owned(),
            participants: participants.collect(),
            subject,
            position: notables.first().map_or(0, |(position, _)| *position),
        }
    }

    /// Returns the names in the events (the value of each rule's first parameter), each as the rule
    /// writes it in a list: `3 men of g1 and 12 men of g2`.
    fn names(&self, notables: &[(usize, &Notable)]) -> String {
        let mut sums: IndexMap<&str, Vec<i64>> = IndexMap::new();
        for (_, notable) in notables {
            let Some(name) = &notable.name else { continue };
            let own = sums.entry(name).or_insert_with(|| vec![0; notable.amounts.len()]);
            for (sum, amount) in own.iter_mut().zip(&notable.amounts) {
                *sum = sum.saturating_add(*amount);
            }
        }
        let written = |(name, own): (&&str, &Vec<i64>)| {
            let table = &mut self.table.clone();
            self.referee.notable_name(self.rule, &proper_name(name), own, table)
        };
        match sums.iter().map(written).collect::<Option<Vec<String>>>() {
            Some(names) => listed(&names),
            None => list_of_names(sums.into_keys()),
        }
    }
}

/// Joins the sentences about one piece: `r1 blew up and sank`.
fn join_subjects(told: Vec<ReportSentence<'_>>) -> Vec<ReportSentence<'_>> {
    let mut joined: Vec<ReportSentence<'_>> = Vec::new();
    for one in told {
        let same =
            joined.iter_mut().find(|other| other.subject.is_some() && other.subject == one.subject);
        let predicate = one.subject.and_then(|subject| predicate(&one.words, subject));
        match (same, predicate) {
            (Some(same), Some(predicate)) => {
                // `h1 struck a7` and `felled a7` become `h1 struck and then felled a7`.
                let object = predicate.split_once(' ').map_or(predicate, |(_, object)| object);
                match same.words.strip_suffix(object).map(|verb| verb.trim_end().to_owned()) {
                    Some(verb) if verb.split(' ').count() == 2 => {
                        same.words = format!("{verb} and then {predicate}");
                    }
                    _ => {
                        let comma = if same.words.contains(" and ") { "," } else { "" };
                        same.words.push_str(&format!("{comma} and {predicate}"));
                    }
                }
                same.rules.extend(one.rules);
                same.participants.extend(one.participants);
            }
            _ => joined.push(one),
        }
    }
    joined
}

/// Returns the part of a sentence that follows the piece at its beginning.
fn predicate<'w>(words: &'w str, subject: &str) -> Option<&'w str> {
    let name = words.get(..subject.len())?;
    words[subject.len()..].strip_prefix(' ').filter(|_| name.eq_ignore_ascii_case(subject))
}

/// Joins pairs of short sentences that are about one piece each.
fn join_short(told: Vec<ReportSentence<'_>>) -> Vec<ReportSentence<'_>> {
    let mut joined: Vec<ReportSentence<'_>> = Vec::new();
    let mut may_join = false;
    for one in told {
        let is_short = one.subject.is_some() && one.words.chars().count() <= LONG;
        match joined.last_mut().filter(|_| may_join && is_short) {
            Some(last) => {
                last.words.push_str(&format!("; {}", one.words));
                last.rules.extend(one.rules);
                last.participants.extend(one.participants);
                may_join = false;
            }
            None => {
                may_join = is_short;
                joined.push(one);
            }
        }
    }
    joined
}

/// Returns words with a small number at the beginning spelled out: `2 men fell` as `two men fell`.
pub(super) fn with_number_in_words(words: &str) -> String {
    let spelled = words.split_once(' ').and_then(|(first, rest)| {
        let index = first.parse::<usize>().ok()?.checked_sub(1)?;
        Some(format!("{} {rest}", NUMBER_WORDS.get(index)?))
    });
    spelled.unwrap_or_else(|| words.to_owned())
}

/// Returns words as a sentence: with a capital letter, and with a full stop unless they end in
/// another mark. A name with a digit, such as `b3`, stays as it is.
pub(super) fn sentence(words: &str) -> String {
    let words = words.trim();
    if words.is_empty() {
        return String::new();
    }
    let first_word = words.split_whitespace().next().unwrap_or("");
    let mut sentence: String = if first_word.contains(|c: char| c.is_ascii_digit()) {
        words.to_owned()
    } else {
        capitalized(words)
    };
    if !sentence.ends_with(['.', '!', '?', '…', '"', '”']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_a_large_letter_and_a_point() {
        assert_eq!(sentence(" the bridge is lost "), "The bridge is lost.");
        assert_eq!(sentence("b3 is lost!"), "b3 is lost!");
        assert_eq!(sentence("who goes there?"), "Who goes there?");
        assert_eq!(sentence("1 Platoon holds the bridge"), "1 Platoon holds the bridge.");
    }

    #[test]
    fn small_numbers_at_the_beginning_are_words() {
        assert_eq!(with_number_in_words("2 men fell"), "two men fell");
        assert_eq!(with_number_in_words("20 men fell"), "20 men fell");
        assert_eq!(with_number_in_words("0 of 3 fell"), "0 of 3 fell");
        assert_eq!(sentence(""), "");
    }

    #[test]
    fn what_one_piece_does_is_told_together() {
        let told = |subject, words: &str| ReportSentence {
            rules: Vec::new(),
            words: words.to_owned(),
            participants: Vec::new(),
            subject,
            position: 0,
        };
        let all = vec![
            told(Some("r1"), "r1 blew up"),
            told(None, "the flak fired"),
            told(Some("r1"), "r1 sank"),
            told(Some("stark"), "Stark hit a1 and a2"),
            told(Some("stark"), "Stark struck a3"),
            told(Some("h1"), "h1 struck a7"),
            told(Some("h1"), "h1 felled a7"),
            told(Some("r2"), "r2 fled"),
            told(Some("r3"), "r3 fled"),
        ];
        let words: Vec<String> =
            join_short(join_subjects(all)).into_iter().map(|told| told.words).collect();
        let expected = [
            "r1 blew up and sank",
            "the flak fired",
            "Stark hit a1 and a2, and struck a3; h1 struck and then felled a7",
            "r2 fled; r3 fled",
        ];
        assert_eq!(words, expected);
    }
}
