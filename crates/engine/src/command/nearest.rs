//! Lines that come near to one that can't be read: those without the words that nobody understands.

use std::cell::Cell;

use super::restate::{Sentence, is_number, is_one_of, literal_words, trim_mark};
use super::{Reading, Token, TypedLine, usage};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// The most words of a line for which near lines are looked for.
const MAX_WORDS: usize = 16;

/// Words that turn the meaning of a line round, or tie it to another. No line is near to one that has them.
const TURNING: [&str; 34] = [
    "not", "no", "never", "nobody", "none", "nothing", "neither", "nor", "without", "except",
    "but", "unless", "if", "until", "instead", "or", "than", "then", "cannot", "don't", "dont",
    "doesn't", "doesnt", "didn't", "didnt", "can't", "cant", "won't", "wont", "isn't", "isnt",
    "stop", "cancel", "hold",
];

/// The attempts that are left to find near lines, perhaps for several verbs. The umpire waits for them.
pub(crate) struct NearestBudget(Cell<u32>);

impl NearestBudget {
    pub(crate) fn new() -> NearestBudget {
        NearestBudget(Cell::new(usage::MAX_TRIES_OF_LINE))
    }
}

/// Returns the lines without the words that aren't understood, those with the most words of it first. The verb may be
/// anywhere in the line. They can be read; whether the rules refuse them is another matter.
pub(crate) fn nearest_lines(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    budget: &NearestBudget,
) -> Vec<String> {
    let Ok(typed) = TypedLine::read(line) else { return Vec::new() };
    let reading = Reading::new(referee, table, line);
    reading.all_tries.set(budget.0.get());
    let mut words = typed.tokens;
    words.iter_mut().filter(|w| !w.quoted).for_each(trim_mark);
    let turns = words.iter().any(|word| is_one_of(&word.text, &TURNING));
    if words.len() > MAX_WORDS || turns || typed.insist {
        return Vec::new();
    }
    let mut found: Vec<(usize, String)> = Vec::new();
    for sentence in reading.sentences_anywhere(&words) {
        for (dropped, near) in reading.near_readings(&sentence) {
            if !found.iter().any(|(_, other)| *other == near) {
                found.push((dropped, near));
            }
        }
    }
    budget.0.set(reading.all_tries.get());
    // A verb alone says too little of what was meant.
    found.retain(|(_, near)| near.contains(' '));
    found.sort_by_key(|(dropped, _)| *dropped);
    let fewest = found.first().map(|(dropped, _)| *dropped);
    found.retain(|(dropped, _)| Some(*dropped) == fewest);
    found.into_iter().map(|(_, near)| near).collect()
}

impl Reading<'_> {
    /// Returns the sentences that a line holds if its verb may be anywhere.
    fn sentences_anywhere(&self, words: &[Token]) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        for at in 0..words.len() {
            let after = &words[at..];
            let mut verbs = self.verbs_in_full(after);
            verbs.extend(self.verbs_by_synonym(after));
            for (verb, taken) in verbs {
                let before = &words[..at];
                let subject = self.subject(before).filter(|(_, named)| *named == at);
                let rest = match subject {
                    Some(_) => after[taken..].to_vec(),
                    None => [before, &after[taken..]].concat(),
                };
                let subject = subject.map(|(subject, _)| subject);
                sentences.push(Sentence { verb, subject, rest, third_person: true });
            }
        }
        sentences
    }

    /// Returns the readings of a sentence without the words that its verb has no use for, each with the number of words
    /// left out; then without one more.
    fn near_readings(&self, sentence: &Sentence) -> Vec<(usize, String)> {
        let rules = self.rules_of_sentence(sentence);
        let literals = literal_words(&rules);
        let is_useful = |word: &&Token| is_number(word) || self.has_use(word, &rules, &literals);
        let kept: Vec<Token> = sentence.rest.iter().filter(is_useful).cloned().collect();
        let dropped = sentence.rest.len() - kept.len();
        let mut orders = vec![(dropped, kept.clone())];
        for at in 0..kept.len() {
            // A piece is never left out: without it the line would be about another.
            if self.table.find(&kept[at].text).is_none() {
                let mut fewer = kept.clone();
                fewer.remove(at);
                orders.push((dropped + 1, fewer));
            }
        }
        let mut found = Vec::new();
        for (left_out, order) in orders {
            let simple = super::restate::Simplified { words: order, named: Vec::new() };
            let readings = self.readings(sentence, &simple, false, &mut None);
            // Where it is clear who acts, the other way round means something else.
            let likeliest = if readings.sure.is_empty() { readings.unsure } else { readings.sure };
            found.extend(likeliest.into_iter().map(|reading| (left_out, reading.line)));
        }
        found
    }
}
