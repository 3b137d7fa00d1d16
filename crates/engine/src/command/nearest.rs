//! Lines that come near to one that can't be read: those without the words that nobody understands.

use std::cell::Cell;

use super::restate::{
    ARTICLES, Sentence, Simplified, Subject, is_number, is_one_of, literal_words,
};
use super::{Reading, Token, TypedLine, everyday_verbs, usage};
use crate::language::schema::{Element, Type};
use crate::referee::{Action, Referee};
use crate::tabletop::{Argument, Tabletop};

/// The most words of a line for which near lines are looked for.
const MAX_WORDS: usize = 16;

/// The words that a number in figures counts for which is left out. It says more than another word; `one` may be no number.
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
    if words.len() > MAX_WORDS || typed.insist {
        return Vec::new();
    }
    let turns = |act: &[Token]| act.iter().any(|word| is_one_of(&word.text, &TURNING));
    let mut found = Vec::new();
    // The whole line, or else the first of two things that it says.
    let mut ends = vec![words.len(), reading.end_of_first_act(&words)];
    ends.dedup();
    for act in ends.into_iter().map(|end| &words[..end]).filter(|act| !turns(act)) {
        for form in reading.spoken_forms(act) {
            if found.is_empty() {
                found = reading.near_lines_of(&form);
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

/// Finds the verbs with which words begin at an index, each with the number of words it takes.
type FindVerbs<'f> = dyn Fn(usize) -> Vec<(String, usize)> + 'f;

impl Reading<'_> {
    /// Returns the lines that come near to these words.
    fn near_lines_of(&self, words: &[Token]) -> Vec<NearLine> {
        let mut found: Vec<NearLine> = Vec::new();
        for sentence in self.sentences_anywhere(words) {
            let mut lines = self.near_readings(&sentence);
            if lines.is_empty() {
                lines = self.near_readings_of_each(&sentence);
            }
            for near in lines {
                if !found.iter().any(|other| other.line == near.line) {
                    found.push(near);
                }
            }
        }
        found
    }

    /// Returns the number of words up to a second thing that is done, in `ann climbs the wall then fires`. Each needs a line
    /// of its own.
    fn end_of_first_act(&self, words: &[Token]) -> usize {
        let is_act = |at: usize| {
            let after = words.get(at..).unwrap_or_default();
            let is_piece = after.first().is_some_and(|word| self.table.find(&word.text).is_some());
            !is_piece
                && (!everyday_verbs::acts_at(after).is_empty()
                    || !self.verbs_named(after).is_empty())
        };
        let is_second = |at: &usize| {
            let word = &words[*at];
            let is = |text: &str| !word.quoted && word.text.eq_ignore_ascii_case(text);
            (is("then") || is("and")) && is_act(at + 1)
        };
        (2..words.len()).find(is_second).unwrap_or(words.len())
    }

    /// Returns the sentences that a line holds if its verb may be anywhere. Only if the line has no verb of the game, an
    /// everyday word for one counts.
    fn sentences_anywhere(&self, words: &[Token]) -> Vec<Sentence> {
        let sentences = self.sentences_with(words, &|at| self.verbs_named(&words[at..]));
        if !sentences.is_empty() {
            return sentences;
        }
        // `cover` in `breaks cover` is no verb of its own.
        let mut within = 0;
        let starts: Vec<usize> = (0..words.len())
            .filter(|&at| {
                let is_start = at >= within;
                let taken = everyday_verbs::acts_at(&words[at..]).iter().map(|act| act.1).max();
                within = within.max(at + taken.unwrap_or(0));
                is_start
            })
            .collect();
        self.sentences_with(words, &|at| {
            if starts.contains(&at) { self.verbs_much_like(&words[at..]) } else { Vec::new() }
        })
    }

    /// Returns the verbs of the game that mean much the same as the everyday phrase with which words begin, each with the
    /// number of words of the phrase.
    fn verbs_much_like(&self, words: &[Token]) -> Vec<(String, usize)> {
        let ruleset = self.ruleset();
        let is_piece = words.first().is_some_and(|word| self.table.find(&word.text).is_some());
        let mut found: Vec<(String, usize)> = Vec::new();
        if is_piece {
            return found;
        }
        for (acts, taken) in everyday_verbs::acts_at(words) {
            let verbs = ruleset.verbs().map(|verb| (verb, verb));
            let like = verbs
                .chain(ruleset.synonyms())
                .filter(|(phrase, verb)| acts.contains(phrase) && ruleset.is_typed_verb(verb));
            for (_, verb) in like {
                if !found.iter().any(|(other, _)| other == verb) {
                    found.push((verb.to_owned(), taken));
                }
            }
        }
        found
    }

    /// Returns the sentences that a line holds, with the verbs that `find` finds in it.
    fn sentences_with(&self, words: &[Token], find: &FindVerbs<'_>) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        for at in 0..words.len() {
            for (verb, taken) in find(at) {
                let (subject, others) = self.subject_within(&words[..at]);
                let rest = [others.as_slice(), &words[at + taken..]].concat();
                sentences.push(Sentence { verb, subject, rest, third_person: true });
            }
        }
        sentences
    }

    /// Returns the pieces among words in front of a verb, if they are named one after another, and the other words.
    fn subject_within(&self, before: &[Token]) -> (Option<Subject>, Vec<Token>) {
        let mut places = 0..before.len();
        let first = places.find_map(|from| Some((from, self.subject(&before[from..])?)));
        if let Some((from, (subject, taken))) = first {
            let others = [&before[..from], &before[from + taken..]].concat();
            if others.iter().all(|word| self.table.find(&word.text).is_none()) {
                return (Some(subject), others);
            }
        }
        (None, before.to_vec())
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

    /// Returns the readings of a sentence about several pieces as one about each of them, for a verb that takes only one.
    fn near_readings_of_each(&self, sentence: &Sentence) -> Vec<NearLine> {
        let Some(subject) = &sentence.subject else { return Vec::new() };
        let each = self.each_of(subject);
        let each = each.into_iter().map(|piece| Sentence {
            verb: sentence.verb.clone(),
            subject: Some(piece),
            rest: sentence.rest.clone(),
            third_person: sentence.third_person,
        });
        each.flat_map(|one| self.near_readings(&one)).collect()
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
        let mut kept: Vec<Token> = Vec::new();
        for word in words.iter().filter(is_useful) {
            // A piece that is named again is no other piece.
            let is_again = kept.iter().any(|other| other.text == word.text);
            if !is_again || self.table.find(&word.text).is_none() {
                kept.push(word.clone());
            }
        }
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
                let is_figure = self.line[word.start..].starts_with(|c: char| c.is_ascii_digit());
                let weight = if is_figure { NUMBER_LEFT_OUT } else { 1 };
                orders.push((dropped + weight, fewer));
            }
        }
        let mut found = Vec::new();
        for (left_out, order) in orders {
            let simple = Simplified { words: order, named: simple.named.clone() };
            let readings = self.readings(sentence, &simple, false, &mut None);
            // Where it is clear who acts, the other way round means something else.
            // Several pieces in front of a verb act; nothing is done to them.
            let acts = sentence.subject.as_ref().is_some_and(Subject::is_several);
            let likeliest = match readings.sure {
                sure if !sure.is_empty() => sure,
                _ if acts => Vec::new(),
                _ => readings.unsure,
            };
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
