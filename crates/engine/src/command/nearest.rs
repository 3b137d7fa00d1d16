//! Lines that come near to one that can't be read: those without the words that nobody understands.

use std::cell::Cell;

use super::restate::{
    ARTICLES, Sentence, Simplified, is_number, is_one_of, literal_words, trim_mark,
};
use super::{Reading, Token, TypedLine, usage};
use crate::language::rule::RuleText;
use crate::language::schema::{Element, Type};
use crate::names;
use crate::referee::{Action, Referee};
use crate::tabletop::{Argument, Tabletop};

/// The most words of a line for which near lines are looked for.
const MAX_WORDS: usize = 16;

/// The fewest letters of a word that may be a name with a slip of the hand. Shorter names are too much alike.
const MIN_MENDED: usize = 5;

/// The words that a number counts for which is left out. It says more than another word.
const NUMBER_LEFT_OUT: usize = 2;

/// Words before a piece that only says where something is, or which way somebody goes.
const BEFORE_LANDMARKS: [&str; 9] =
    ["towards", "toward", "behind", "near", "past", "round", "around", "along", "beside"];

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

/// A line that comes near to one that can't be read.
pub(crate) struct NearLine {
    pub line: String,
    /// The number of words of the other that it leaves out.
    pub left_out: usize,
}

/// Returns the lines without the words that aren't understood, those with the most words of it first. The verb may be
/// anywhere in the line. They can be read; whether the rules refuse them is another matter.
pub(crate) fn nearest_lines(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    budget: &NearestBudget,
) -> Vec<NearLine> {
    let Ok(typed) = TypedLine::read(line) else { return Vec::new() };
    let reading = Reading::new(referee, table, line);
    reading.all_tries.set(budget.0.get());
    let mut words = typed.tokens;
    words.iter_mut().filter(|w| !w.quoted).for_each(|word| reading.name_meant(word));
    let turns = words.iter().any(|word| is_one_of(&word.text, &TURNING));
    if words.len() > MAX_WORDS || turns || typed.insist {
        return Vec::new();
    }
    let mut found: Vec<NearLine> = Vec::new();
    for sentence in reading.sentences_anywhere(&words) {
        for near in reading.near_readings(&sentence) {
            if !found.iter().any(|other| other.line == near.line) {
                found.push(near);
            }
        }
    }
    budget.0.set(reading.all_tries.get());
    // A verb alone says too little of what was meant, unless nearly all of the line is the verb.
    found.retain(|near| near.line.contains(' ') || near.left_out <= 1);
    nearest_of(found)
}

/// Returns the lines that leave out the fewest words, in their order.
pub(crate) fn nearest_of(mut lines: Vec<NearLine>) -> Vec<NearLine> {
    let fewest = lines.iter().map(|near| near.left_out).min();
    lines.retain(|near| Some(near.left_out) == fewest);
    lines
}

impl Reading<'_> {
    /// Replaces a word by the piece that it means: without a mark at its end, without the ending of a possessive or of
    /// `X is` (`s1's`, `keller's`, `vogts`), or with a slip of the hand mended.
    fn name_meant(&self, word: &mut Token) {
        trim_mark(word);
        if let Some(name) = self.piece_meant(&word.text) {
            word.text = name;
        }
    }

    /// Returns the piece that a word means which isn't its name.
    fn piece_meant(&self, text: &str) -> Option<String> {
        let is_piece = |name: &str| self.table.find(name).is_some();
        if is_piece(text) {
            return None;
        }
        let lower = text.to_lowercase().replace('’', "'");
        let bare = ["'s", "s'", "s"].iter().find_map(|ending| {
            lower.strip_suffix(ending).filter(|bare| !bare.is_empty() && is_piece(bare))
        });
        if let Some(bare) = bare {
            return Some(bare.to_owned());
        }
        let token = Token { text: lower.clone(), start: 0, end: 0, quoted: false };
        let is_known = lower.chars().count() < MIN_MENDED
            || lower.bytes().any(|b| !b.is_ascii_alphanumeric() && b != b'-')
            || !self.verbs_in_full(std::slice::from_ref(&token)).is_empty()
            || self.is_word_of_rules(&lower);
        if is_known {
            return None;
        }
        let names = self.table.names().map(|(name, ..)| name);
        let initial = lower.chars().next();
        let alike =
            names.filter(|name| name.chars().next() == initial && has_same_digits(name, &lower));
        names::nearest(&lower, alike).map(str::to_owned)
    }

    /// Returns true if a rule has a use for a word: as a value, or as a word of its usage or of a synonym.
    fn is_word_of_rules(&self, word: &str) -> bool {
        let ruleset = self.ruleset();
        let rules: Vec<&RuleText> = ruleset.schema.rules.iter().collect();
        let is_value = || {
            let mut params = rules.iter().flat_map(|rule| &rule.params);
            params.any(|param| self.is_whole_name(param.ty, word))
        };
        let mut phrases = ruleset.synonyms().flat_map(|(phrase, _)| phrase.split(' '));
        phrases.any(|part| part == word) || is_one_of(word, &literal_words(&rules)) || is_value()
    }

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

    /// Returns the readings of a sentence once the words that its verb can't use are left out. Numbers as words and groups
    /// are understood; if that gives no reading, the words are tried as typed.
    fn near_readings(&self, sentence: &Sentence) -> Vec<NearLine> {
        let simple = self.simplify(sentence, 2).or_else(|| self.simplify(sentence, 1));
        let mut found = Vec::new();
        if let Some(simple) = &simple {
            found = self.near_readings_of(sentence, simple);
        }
        if found.is_empty() {
            let typed = Simplified { words: sentence.rest.clone(), named: Vec::new() };
            found = self.near_readings_of(sentence, &typed);
        }
        found
    }

    /// Returns the readings of the words after a verb once the words that it can't use are left out. Readings that also
    /// leave out landmarks, or one more word, are among them.
    fn near_readings_of(&self, sentence: &Sentence, simple: &Simplified) -> Vec<NearLine> {
        let rules = self.rules_of_sentence(sentence);
        let literals = literal_words(&rules);
        let words = &simple.words;
        let has_use = |word: &Token| {
            let parts =
                word.text.split(',').map(|part| Token { text: part.to_owned(), ..word.clone() });
            parts.into_iter().all(|part| self.has_use(&part, &rules, &literals))
        };
        let is_useful =
            |word: &&Token| is_number(word) || (!is_one_of(&word.text, &ARTICLES) && has_use(word));
        let kept: Vec<Token> = words.iter().filter(is_useful).cloned().collect();
        let dropped = words.len() - kept.len();
        let mut orders = vec![(dropped, kept.clone())];
        let is_landmark = |index: usize| {
            let before = index.checked_sub(1).map(|before| words[before].text.as_str());
            before.is_some_and(|before| is_one_of(before, &BEFORE_LANDMARKS))
        };
        let landmarks: Vec<usize> = (0..words.len())
            .filter(|&index| is_landmark(index) && self.table.find(&words[index].text).is_some())
            .map(|index| words[index].start)
            .collect();
        if !landmarks.is_empty() {
            let rest = kept.iter().filter(|word| !landmarks.contains(&word.start)).cloned();
            orders.push((dropped + landmarks.len(), rest.collect()));
        }
        for at in 0..kept.len() {
            // A piece is never left out: without it the line would be about another.
            if self.table.find(&kept[at].text).is_none() && !kept[at].text.contains(',') {
                let mut fewer = kept.clone();
                let word = fewer.remove(at);
                let weight = if is_number(&word) { NUMBER_LEFT_OUT } else { 1 };
                orders.push((dropped + weight, fewer));
            }
        }
        let mut found = Vec::new();
        for (left_out, order) in orders {
            let simple = Simplified { words: order, named: simple.named.clone() };
            let readings = self.readings(sentence, &simple, false, &mut None);
            // Where it is clear who acts, the other way round means something else.
            let likeliest = if readings.sure.is_empty() { readings.unsure } else { readings.sure };
            let likeliest =
                likeliest.into_iter().filter(|one| !self.joins_sides(&one.command.action));
            found.extend(likeliest.map(|one| NearLine { line: one.line, left_out }));
        }
        found
    }

    /// Returns true if an action has a list of pieces of several sides. Nobody means that with a line that names both.
    fn joins_sides(&self, action: &Action) -> bool {
        let Action::Rule { rule, arguments, .. } = action else { return false };
        let params = &self.ruleset().schema.rules[rule.index()].params;
        params.iter().zip(arguments).any(|(param, argument)| {
            let Type::List(Element::Piece(kind)) = param.ty else { return false };
            let rows = argument.as_ref().map(Argument::piece_rows).unwrap_or_default();
            let mut sides =
                rows.iter().filter_map(|&row| self.referee.side_of_piece(self.table, kind, row));
            let first = sides.next();
            sides.any(|side| Some(&side) != first.as_ref())
        })
    }
}

/// Returns true if two words have the same digits: `t34a` is no slip of `t35a`.
fn has_same_digits(one: &str, other: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(one) == digits(other)
}
