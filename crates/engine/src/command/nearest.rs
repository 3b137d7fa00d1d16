//! Finds lines that come close to a line that can't be read. The lines found leave out the words
//! that aren't understood.

use std::cell::Cell;

use super::restate::{
    ARTICLES, Sentence, Simplified, Subject, UNITS, is_number, is_one_of, literal_words,
};
use super::{Reading, Token, TypedLine, clauses, everyday_verbs, usage};
use crate::language::rule::RuleText;
use crate::language::schema::{Element, Type};
use crate::referee::{Action, Referee};
use crate::tabletop::{Argument, Tabletop};

/// The maximum number of words in a line for which near lines are sought.
const MAX_WORDS: usize = 16;

/// The weight, in words, of leaving out a number written in figures, or a piece of a kind that the
/// verb never takes. A spelt-out number such as `one` counts as one word, because it may not be
/// meant as a number.
const NUMBER_LEFT_OUT: usize = 2;

/// Words in front of a landmark: a piece that only shows where something is or which way someone
/// goes.
const BEFORE_LANDMARKS: [&str; 10] =
    ["towards", "toward", "behind", "near", "past", "round", "around", "along", "beside", "via"];

/// Words that show a way between a distance and an article.
const WAYS: [&str; 2] = ["down", "up"];

/// Words in front of a piece that doesn't act.
const ASIDE: [&str; 6] = ["from", "near", "beside", "behind", "past", "of"];

/// Words that reverse the meaning of a line or tie it to another line. No near lines are sought for
/// a line with such a word.
const TURNING: [&str; 34] = [
    "not", "no", "never", "nobody", "none", "nothing", "neither", "nor", "without", "except",
    "but", "unless", "if", "until", "instead", "or", "than", "then", "cannot", "don't", "dont",
    "doesn't", "doesnt", "didn't", "didnt", "can't", "cant", "won't", "wont", "isn't", "isnt",
    "stop", "cancel", "hold",
];

/// Words in front of a gerund that names the action of the line.
const BEFORE_GERUNDS: [&str; 10] =
    ["is", "are", "was", "were", "starts", "keeps", "begins", "now", "am", "and"];

/// The minimum number of acting pieces that each have their own target if the verb takes a list of
/// targets.
const MIN_PAIRS: usize = 3;

/// The maximum number of parts of a line among which the remaining attempts are divided.
const MAX_SHARES: u32 = 3;

/// Returns the possible base forms of a gerund, such as `fire` for `firing`. Returns an empty list
/// for other words.
fn gerund_bases(word: &str) -> Vec<String> {
    let Some(stem) = word.strip_suffix("ing").filter(|stem| stem.len() > 1) else {
        return Vec::new();
    };
    let mut bases = vec![stem.to_owned(), format!("{stem}e")];
    let mut letters = stem.chars().rev();
    let last = letters.next();
    if last.is_some() && last == letters.next() {
        bases.push(stem[..stem.len() - last.map_or(0, char::len_utf8)].to_owned());
    }
    bases
}

/// The number of attempts left to find near lines, possibly for several verbs. It is limited
/// because the umpire is waiting.
pub(crate) struct NearestBudget(Cell<u32>);

impl NearestBudget {
    pub(crate) fn new() -> NearestBudget {
        NearestBudget(Cell::new(usage::MAX_TRIES_OF_LINE))
    }
}

/// A line that comes close to a line that can't be read (the original).
pub(crate) struct NearLine {
    pub line: String,
    /// The number of words of the original that this line leaves out, with some words counted twice
    /// (see `NUMBER_LEFT_OUT`). Words such as articles and units don't count.
    pub left_out: usize,
    /// The number of words in the part of the original that this line restates.
    pub words: usize,
    /// The part of the original that this line restates, as typed.
    pub part: String,
    /// The names of the pieces in that part that this line leaves out.
    pub dropped: Vec<String>,
    /// The rest of the original, which makes another statement.
    pub rest: Option<String>,
}

impl NearLine {
    /// Returns true if this line leaves out fewer than half of the words in its part of the
    /// original.
    pub(crate) fn is_likely(&self) -> bool {
        self.left_out * 2 < self.words
    }
}

/// Returns the readable lines that leave out the fewest words of a line that can't be read. The
/// verb may be anywhere in that line. The rules may still refuse the lines returned. There are none
/// for a line with a `!` that overrides a refusal.
pub(crate) fn nearest_lines(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    budget: &NearestBudget,
) -> Vec<NearLine> {
    let Ok(typed) = TypedLine::read(line) else { return Vec::new() };
    let reading = Reading::new(referee, table, line);
    reading.all_tries.set(budget.0.get());
    if typed.insist {
        return Vec::new();
    }
    let words = reading.without_owners(&typed.tokens).unwrap_or(typed.tokens);
    let mut words = without_ways(reading.with_ranges(&words).unwrap_or(words));
    // The punctuation at the end of a word shows where a statement ends.
    let ends = clauses::ends(&reading, &words);
    words.iter_mut().filter(|w| !w.quoted).for_each(|word| reading.name_meant(word));
    reading.replace_gerunds(&mut words);
    // A report of rolled dice must be a separate line.
    let turns = |act: &[Token]| {
        act.iter().any(|word| is_one_of(&word.text, &TURNING)) || super::word::says_rolled(act)
    };
    let mut found = Vec::new();
    for (index, end) in ends.iter().copied().enumerate() {
        let act = &words[..end];
        if act.len() > MAX_WORDS || turns(act) || !found.is_empty() {
            continue;
        }
        // A long part must leave some attempts for the shorter parts.
        let share = u32::try_from(ends.len() - index).unwrap_or(1).min(MAX_SHARES);
        let left = budget.0.get();
        reading.all_tries.set(left / share);
        let rest = words.get(end).map(|next| with_subject(&reading, &words, line, next));
        for form in reading.spoken_forms(act) {
            if found.is_empty() {
                found = reading.near_lines_of(&form);
                // A line with only a verb means too little, unless it leaves out at most one word.
                found.retain(|near| near.line.contains(' ') || near.left_out <= 1);
                // No number in figures may be left out, because it was typed for a reason.
                found.retain(|near| figures(act).all(|figure| has_figure(&near.line, figure)));
            }
        }
        for near in &mut found {
            near.words = act.len();
            let stop = words.get(end).map_or(line.len(), |next| next.start);
            let in_line = |name: &str| near.line.split([' ', ',']).any(|word| word == name);
            let pieces = act.iter().flat_map(|word| word.text.split(','));
            let pieces = pieces.filter(|word| table.find(word).is_some() && !in_line(word));
            let later = near.rest.as_deref().unwrap_or_default();
            let is_later = |name: &&str| later.split([' ', ',']).any(|word| word == *name);
            // A squad stands for its men.
            let has_members = |name: &str| {
                let members =
                    table.find(name).and_then(|(kind, row)| reading.only_members(kind, row));
                members.is_some_and(|group| {
                    group.rows.iter().all(|row| in_line(&table.piece_name(group.kind, *row)))
                })
            };
            let pieces = pieces.filter(|name| !is_later(name) && !has_members(name));
            near.dropped = pieces.map(str::to_owned).collect();
            near.part = line.get(..stop).unwrap_or(line).trim().to_owned();
            let others = rest.clone().filter(|rest| !rest.is_empty());
            near.rest = match (near.rest.take(), others) {
                (Some(same), Some(others)) => Some(format!("{same}, {others}")),
                (same, others) => same.or(others),
            };
        }
        budget.0.set(left - left / share + reading.all_tries.get());
    }
    nearest_of(found)
}

/// Removes `down` and `up` where they only show the way after a distance: in `4 down the road`, nobody
/// gets down.
fn without_ways(mut words: Vec<Token>) -> Vec<Token> {
    let is_measure = |word: &Token| is_number(word) || is_one_of(&word.text, &UNITS);
    let is_way = |three: &[Token]| {
        is_measure(&three[0])
            && is_one_of(&three[1].text, &WAYS)
            && is_one_of(&three[2].text, &ARTICLES)
    };
    while let Some(at) = words.windows(3).position(is_way) {
        words.remove(at + 1);
    }
    words
}

/// Returns true if the word in front of a name shows that the piece doesn't act: `behind ann`, `off the
/// cart`.
pub(crate) fn is_landmark(words: &[Token], name: &str) -> bool {
    let Some(at) = words.iter().position(|word| word.bare() == name) else { return false };
    let mut before = words[..at].iter().rev();
    let before = before.find(|word| !is_one_of(&word.text, &ARTICLES));
    let known = [&BEFORE_LANDMARKS[..], &ASIDE, &["off", "out"]].concat();
    before.is_some_and(|word| is_one_of(&word.text, &known))
}

/// Returns true if the word at index `at` must be a noun because of the word in front of it, as in
/// `takes the hose`.
pub(super) fn is_noun(words: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|before| {
        is_one_of(&before.text, &ARTICLES) || is_one_of(&before.text, &BEFORE_NOUNS)
    })
}

/// Words in front of nouns, other than articles.
const BEFORE_NOUNS: [&str; 7] = ["this", "that", "my", "some", "second", "another", "more"];

/// Returns the numbers in figures among these words, without their units.
fn figures(words: &[Token]) -> impl Iterator<Item = &str> {
    words.iter().filter(|word| !word.quoted).filter_map(|word| {
        let end = word.text.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.text.len());
        let unit = &word.text[end..];
        let is_measure = ["", "\"", "in", "ins", "inch", "inches", "'", "″"].contains(&unit);
        (end > 0 && is_measure).then(|| &word.text[..end])
    })
}

/// Returns true if a line contains a number, with or without an inch mark.
fn has_figure(line: &str, figure: &str) -> bool {
    line.split([' ', ',']).any(|word| word.trim_end_matches('"') == figure)
}

/// Returns the rest of a line, from the word `next` on. If the rest begins with a verb, the piece
/// that the line begins with is put in front of it as its subject.
fn with_subject(reading: &Reading<'_>, words: &[Token], line: &str, next: &Token) -> String {
    let rest = clauses::rest(line, next.start);
    let names_piece = |word: &&Token| reading.table.find(&word.text).is_some();
    let subject = words.first().filter(names_piece).map(|word| word.text.as_str());
    let joins = line.len() - rest.len();
    let from = words.iter().position(|word| word.start >= joins).unwrap_or(words.len());
    // In `ann goes 4, wake bob`, the verb has its own piece.
    let side = |name: &str| {
        let (kind, row) = reading.table.find(name)?;
        reading.referee.side_of_piece(reading.table, kind, row)
    };
    let has_own = words.get(from).zip(words.get(from + 1)).is_some_and(|(verb, piece)| {
        reading.ruleset().is_typed_verb(&verb.text)
            && side(&piece.text).is_some()
            && side(&piece.text) == subject.and_then(side)
    });
    match subject {
        Some(subject) if !has_own && clauses::begins_act(reading, &words[from..]) => {
            format!("{subject} {rest}")
        }
        _ => rest,
    }
}

/// Returns true if a word consists of two to four consonants of another, in order and beginning with
/// its first letter: `mv` for `move`, `sht` for `shoot`.
pub(super) fn is_shorthand(word: &str, verb: &str) -> bool {
    let is_consonant = |c: char| c.is_ascii_lowercase() && !"aeiouy".contains(c);
    let mut letters = verb.chars();
    (2..=4).contains(&word.len())
        && word.chars().all(is_consonant)
        && word.chars().next() == verb.chars().next()
        && word.chars().all(|letter| letters.any(|other| other == letter))
}

/// Returns true if a word joins the targets in a list.
fn joins_targets(word: &Token) -> bool {
    is_one_of(&word.text, &["and", "&"])
}

/// Returns only the lines that leave out the fewest words, in the same order.
pub(crate) fn nearest_of(mut lines: Vec<NearLine>) -> Vec<NearLine> {
    let fewest = lines.iter().map(|near| near.left_out).min();
    lines.retain(|near| Some(near.left_out) == fewest);
    lines
}

/// A function that finds the verbs that begin at the word with this index, each with the number of
/// words it takes.
type FindVerbs<'f> = dyn Fn(usize) -> Vec<(String, usize)> + 'f;

impl Reading<'_> {
    /// Returns the lines that come close to these words.
    fn near_lines_of(&self, words: &[Token]) -> Vec<NearLine> {
        // In `leaves cover`, `cover` is what is left, but in `fires smoke`, `smoke` may be the verb
        // of the game.
        let found = self.near_lines_in(self.sentences_anywhere(words, false));
        if found.is_empty() {
            self.near_lines_in(self.sentences_anywhere(words, true))
        } else {
            found
        }
    }

    /// Returns the lines that come close to these sentences.
    fn near_lines_in(&self, sentences: Vec<Sentence>) -> Vec<NearLine> {
        let mut found: Vec<NearLine> = Vec::new();
        for sentence in sentences {
            let mut lines = self.near_readings(&sentence);
            if lines.is_empty() {
                lines = self.near_readings_of_each(&sentence);
            }
            if lines.is_empty() {
                lines = self.near_readings_of_first_target(&sentence);
            }
            for near in lines {
                if !found.iter().any(|other| other.line == near.line) {
                    found.push(near);
                }
            }
        }
        found
    }

    /// Replaces gerunds that name the action of the line, as in `ann is firing` or `going to b2`,
    /// with their base forms.
    pub(super) fn replace_gerunds(&self, words: &mut [Token]) {
        for at in 0..words.len() {
            let before = at.checked_sub(1).map(|before| &words[before]);
            let goes_on = before.is_none_or(|before| {
                is_one_of(&before.text, &BEFORE_GERUNDS) || self.table.find(&before.text).is_some()
            });
            if !goes_on || words[at].quoted {
                continue;
            }
            let bases = gerund_bases(&words[at].text.to_lowercase());
            let base = bases.into_iter().find(|base| {
                let mut tried = words[at..].to_vec();
                tried[0].text.clone_from(base);
                !self.verbs_named(&tried).is_empty() || !everyday_verbs::acts_at(&tried).is_empty()
            });
            if let Some(base) = base {
                words[at].text = base;
            }
        }
    }

    /// Returns the sentences that the words contain if the verb may be anywhere, but directly after
    /// another verb only if `also_after_verb` is true. An everyday word for a verb counts only if
    /// the words contain no verb of the game.
    fn sentences_anywhere(&self, words: &[Token], also_after_verb: bool) -> Vec<Sentence> {
        let follows_verb = |at: usize| {
            let before = at.checked_sub(1);
            before.is_some_and(|before| !self.verbs_named(&words[before..at]).is_empty())
        };
        // In `breaks cover`, `cover` isn't the verb.
        let is_in_phrase = |at: usize| {
            (0..at).any(|start| {
                let mut phrases = self.verbs_much_like(&words[start..]).into_iter();
                phrases.any(|(_, taken)| start + taken > at)
            })
        };
        let sentences = self.sentences_with(words, &|at| {
            let mut verbs = self.verbs_named(&words[at..]);
            // In `opens fire`, nothing is opened.
            let longest = verbs.iter().map(|(_, taken)| *taken).max();
            verbs.retain(|(_, taken)| Some(*taken) == longest);
            let is_other = || (follows_verb(at) && !also_after_verb) || is_in_phrase(at);
            if verbs.is_empty() || is_other() { Vec::new() } else { verbs }
        });
        if !sentences.is_empty() {
            return sentences;
        }
        // In `breaks cover`, `cover` is part of the phrase, not a verb.
        let mut within = 0;
        let starts: Vec<usize> = (0..words.len())
            .filter(|&at| {
                let is_start = at >= within && !is_noun(words, at);
                let taken = everyday_verbs::acts_at(&words[at..]).iter().map(|act| act.1).max();
                within = within.max(at + taken.unwrap_or(0));
                is_start
            })
            .collect();
        self.sentences_with(words, &|at| {
            if starts.contains(&at) { self.verbs_much_like(&words[at..]) } else { Vec::new() }
        })
    }

    /// Returns the verbs of the game that mean much the same as the everyday phrase that these
    /// words begin with, each with the number of words in the phrase. If there are none, returns
    /// the verbs that the first word is shorthand for. Returns no verbs if the first word names a
    /// piece.
    pub(super) fn verbs_much_like(&self, words: &[Token]) -> Vec<(String, usize)> {
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
        if found.is_empty()
            && let Some(word) = words.first()
        {
            let word = word.text.to_lowercase();
            let verbs = ruleset.verbs().filter(|verb| ruleset.is_typed_verb(verb));
            let shortened = verbs.filter(|verb| is_shorthand(&word, verb));
            found.extend(shortened.map(|verb| (verb.to_owned(), 1)));
        }
        found
    }

    /// Returns a sentence for each verb that `find` finds in the words.
    fn sentences_with(&self, words: &[Token], find: &FindVerbs<'_>) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        for at in 0..words.len() {
            for (verb, taken) in find(at) {
                let (subject, others) = self.subject_within(&words[..at]);
                let rest = [others.as_slice(), &words[at + taken..]].concat();
                let (subject, rest) = match subject {
                    None => self.agent_in(&verb, rest),
                    subject => (subject, rest),
                };
                sentences.push(Sentence { verb, subject, rest, third_person: true });
            }
        }
        sentences
    }

    /// Returns the piece that acts according to the words after a verb, as in `fire at s1 from mgb2`
    /// or `drop a charge on s1 by mgb2`, and the other words. There is none if the usages of the
    /// verb have the word `from` or `by`, if something is measured from the piece, or if no other
    /// piece is named.
    fn agent_in(&self, verb: &str, rest: Vec<Token>) -> (Option<Subject>, Vec<Token>) {
        let ruleset = self.ruleset();
        let rules = ruleset.rules_for_verb(verb);
        let rules: Vec<&RuleText> =
            rules.iter().map(|id| &ruleset.schema.rules[id.index()]).collect();
        let literals = literal_words(&rules);
        let is_agent = |at: &usize| {
            let word = &rest[*at];
            let is_measured = at.checked_sub(1).is_some_and(|before| {
                is_number(&rest[before]) || is_one_of(&rest[before].text, &UNITS)
            });
            is_one_of(&word.text, &["from", "by"])
                && !word.quoted
                && !is_one_of(&word.text, &literals)
                && !is_measured
        };
        let is_piece = |word: &Token| self.table.find(&word.text).is_some();
        let found = (0..rest.len()).find(is_agent).and_then(|at| {
            let (subject, taken) = self.subject(&rest[at + 1..])?;
            let others = [&rest[..at], &rest[at + 1 + taken..]].concat();
            others.iter().any(is_piece).then_some((subject, others))
        });
        match found {
            Some((subject, others)) => (Some(subject), others),
            None => (None, rest),
        }
    }

    /// Returns the subject among the words in front of a verb, and the other words. There is a
    /// subject only if all pieces are named one after another.
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

    /// Returns the readings of a sentence, leaving out the words that its verb can't use. Groups
    /// and numbers written as words are simplified first; if that gives no reading, the words are
    /// tried as typed.
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

    /// Returns the readings of a sentence about several pieces as if it were about the first piece
    /// only, because its verb may take only one. A sentence about fewer than two pieces has no such
    /// readings. The `rest` of each line makes the same statement about the other pieces.
    fn near_readings_of_each(&self, sentence: &Sentence) -> Vec<NearLine> {
        let Some(subject) = &sentence.subject else { return Vec::new() };
        let each = self.each_of(subject);
        let Some((first, others)) = each.split_first() else { return Vec::new() };
        let one = Sentence {
            verb: sentence.verb.clone(),
            subject: Some(first.clone()),
            rest: sentence.rest.clone(),
            third_person: sentence.third_person,
        };
        // `all ships` means those on one's own side.
        let own_side = self.side_of(first);
        let others: Vec<&Subject> =
            others.iter().filter(|other| self.side_of(other) == own_side).collect();
        let names: Vec<String> = others.iter().map(|other| other.name().to_owned()).collect();
        let paired = self.in_pairs(sentence, others.len() + 1);
        let said = |words: &[Token]| {
            let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            words.join(" ")
        };
        let rest = match &paired {
            None if names.is_empty() => None,
            None => {
                Some(format!("{} {} {}", names.join(" and "), sentence.verb, said(&sentence.rest)))
            }
            Some(pairs) => {
                let of_others = names
                    .iter()
                    .zip(&pairs[1..])
                    .map(|(name, words)| format!("{name} {} {}", sentence.verb, said(words)));
                Some(of_others.collect::<Vec<_>>().join(", "))
            }
        };
        let one = match paired {
            Some(pairs) => Sentence { rest: pairs[0].clone(), ..one },
            None => one,
        };
        let mut lines = self.near_readings(&one);
        for near in &mut lines {
            near.rest = rest.as_deref().map(|rest| rest.trim_end().to_owned());
        }
        lines
    }

    /// Returns the readings of a sentence about several targets as if it were about the first target
    /// only, because its verb may take only one. The `rest` of each line makes the same statement
    /// about the other targets. There are none if nobody acts in the sentence.
    fn near_readings_of_first_target(&self, sentence: &Sentence) -> Vec<NearLine> {
        let Some(subject) = &sentence.subject else { return Vec::new() };
        let rest = &sentence.rest;
        let Some((first, end)) = self.targets_in(rest) else { return Vec::new() };
        if !rest[first + 1..end].iter().any(|word| self.table.find(&word.text).is_some()) {
            return Vec::new();
        }
        let with = |targets: &[Token]| [&rest[..first], targets, &rest[end..]].concat();
        let one = Sentence {
            verb: sentence.verb.clone(),
            subject: Some(subject.clone()),
            rest: with(&rest[first..=first]),
            third_person: sentence.third_person,
        };
        let others = &rest[first + 1..end];
        let others = &others[others.iter().take_while(|word| joins_targets(word)).count()..];
        let said = with(others);
        let said: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
        let later = format!("{} {} {}", subject.name(), sentence.verb, said.join(" "));
        let mut lines = self.near_readings(&one);
        lines.iter_mut().for_each(|near| near.rest = Some(later.clone()));
        lines
    }

    /// Returns the indices of the first piece in the words after a verb, and of the word after the
    /// pieces that follow it one after another.
    fn targets_in(&self, rest: &[Token]) -> Option<(usize, usize)> {
        let is_piece = |word: &Token| self.table.find(&word.text).is_some();
        let first = rest.iter().position(is_piece)?;
        let length = rest[first..].iter().position(|word| !is_piece(word) && !joins_targets(word));
        Some((first, length.map_or(rest.len(), |length| first + length)))
    }

    /// Returns the words after the verb for each of `count` acting pieces if the words name as many
    /// other pieces one after another: in `r3 and r4 fire at p3 and p4`, each has its own target.
    fn in_pairs(&self, sentence: &Sentence, count: usize) -> Option<Vec<Vec<Token>>> {
        let rest = &sentence.rest;
        let is_piece = |word: &Token| self.table.find(&word.text).is_some();
        let (first, end) = self.targets_in(rest)?;
        let (kind, _) = self.table.find(&rest[first].text)?;
        let targets: Vec<Token> =
            rest[first..end].iter().filter(|word| is_piece(word)).cloned().collect();
        let is_elsewhere = rest[end..].iter().any(is_piece);
        // Two pieces may well act on two others together, if the verb takes a list.
        let rules = self.rules_of_sentence(sentence);
        let mut params = rules.iter().flat_map(|rule| &rule.params);
        let takes_list = params.any(|param| param.ty == Type::List(Element::Piece(kind)));
        if targets.len() != count || is_elsewhere || (takes_list && count < MIN_PAIRS) {
            return None;
        }
        let with = |target: Token| [&rest[..first], &[target], &rest[end..]].concat();
        Some(targets.into_iter().map(with).collect())
    }

    /// Returns the readings of the words after a verb, leaving out those that it can't use. They
    /// include readings that also leave out landmarks or one more word.
    fn near_readings_of(&self, sentence: &Sentence, simple: &Simplified) -> Vec<NearLine> {
        let rules = self.rules_of_sentence(sentence);
        let literals = literal_words(&rules);
        let words = &simple.words;
        let has_use = |word: &Token| {
            let parts =
                word.text.split(',').map(|part| Token { text: part.to_owned(), ..word.clone() });
            parts.into_iter().all(|part| self.has_use(&part, &rules, &literals))
        };
        // After `off` or `without`, a word means the opposite: `off the road` is not `road`.
        let is_denied = |word: &Token| {
            let at = words.iter().position(|other| other.start == word.start).unwrap_or(0);
            let mut before = words[..at].iter().rev();
            let before = before.find(|before| !is_one_of(&before.text, &ARTICLES));
            let is_word = self.table.find(&word.text).is_none() && !is_number(word);
            is_word
                && before
                    .is_some_and(|before| is_one_of(&before.text, &["off", "without", "leaving"]))
        };
        let is_useful = |word: &&Token| {
            !is_denied(word)
                && (is_number(word) || (!is_one_of(&word.text, &ARTICLES) && has_use(word)))
        };
        let mut kept: Vec<Token> = Vec::new();
        for word in words.iter().filter(is_useful) {
            // A piece that is named twice counts once.
            let is_again = kept.iter().any(|other| other.text == word.text);
            if !is_again || self.table.find(&word.text).is_none() {
                kept.push(word.clone());
            }
        }
        // A piece doesn't act if something is near it or comes from it.
        let is_aside = |word: &Token| {
            let at = words.iter().position(|other| other.start == word.start);
            let Some(at) = at.and_then(|at| at.checked_sub(1)) else { return false };
            let before = words[at].text.as_str();
            // In `2 inches from ann`, the piece `ann` is only a landmark; in `fire from ann`, it
            // may act.
            let is_measure =
                |index: usize| is_number(&words[index]) || is_one_of(&words[index].text, &UNITS);
            let measured = at.checked_sub(1).is_some_and(is_measure);
            let is_literal = is_one_of(before, &literals);
            (measured || before != "from") && is_one_of(before, &ASIDE) && !is_literal
        };
        let first_piece = kept.iter().find(|word| self.table.find(&word.text).is_some());
        if sentence.subject.is_none() && first_piece.is_some_and(is_aside) {
            return Vec::new();
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
        // A piece of a kind that the verb never takes is only a landmark.
        let takes = |word: &Token| {
            self.table.find(&word.text).is_none_or(|(kind, _)| {
                let mut params = rules.iter().flat_map(|rule| &rule.params);
                params.any(|param| param.ty.member_or_self() == Type::Piece(kind))
            })
        };
        let count = kept.iter().filter(|word| takes(word)).count();
        if count < kept.len() && sentence.subject.is_some() {
            let fewer = kept.iter().filter(|word| takes(word)).cloned();
            orders.push((dropped + (kept.len() - count) * NUMBER_LEFT_OUT, fewer.collect()));
        }
        for at in 0..kept.len() {
            // A piece is never left out, because the line would then be about another piece.
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
            // If some readings make it clear who acts, unclear readings don't count. Several pieces
            // in front of a verb always act, so for them unclear readings never count.
            let acts = sentence.subject.as_ref().is_some_and(Subject::is_several);
            let likeliest = match readings.sure {
                sure if !sure.is_empty() => sure,
                _ if acts => Vec::new(),
                _ => readings.unsure,
            };
            let likeliest =
                likeliest.into_iter().filter(|one| !self.joins_sides(&one.command.action));
            found.extend(likeliest.map(|one| NearLine {
                line: one.line,
                left_out,
                words: sentence.rest.len() + 1,
                part: String::new(),
                dropped: Vec::new(),
                rest: None,
            }));
        }
        found
    }

    /// Returns true if a list in an action contains pieces of several sides. Players do not name
    /// pieces of different sides as one group, so such a reading is wrong.
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

#[cfg(test)]
mod tests {
    use super::is_shorthand;

    #[test]
    fn a_shorthand_has_the_consonants_of_a_verb_in_order() {
        for (word, verb) in [("mv", "move"), ("sht", "shoot"), ("blk", "block"), ("ld", "load")] {
            assert!(is_shorthand(word, verb), "{word}");
        }
        for (word, verb) in [
            ("mo", "move"),
            ("vm", "move"),
            ("m", "move"),
            ("dry", "destroy"),
            ("st", "fast"),
            ("mvv", "move"),
        ] {
            assert!(!is_shorthand(word, verb), "{word}");
        }
    }
}
