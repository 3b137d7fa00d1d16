//! Restates lines that are typed the way people talk. In such a line, the acting piece comes first,
//! the verb is in the third person, there are words such as `the` that the usage doesn't have,
//! numbers are written as words, values are given by name, or groups are named instead of their
//! members. Such a line is restated in the form of the verb's usage, but only if it can't be read
//! as typed.

use std::collections::BTreeSet;

use super::{
    Command, LineError, Proposal, Reading, Token, TypedLine, groups, usage, without_insist,
};
use crate::language::rule::RuleText;
use crate::language::schema::{KindId, RuleId, Type};
use crate::names::NUMBER_WORDS;
use crate::referee::Action;
use crate::tabletop::Argument;

/// The maximum number of words in a line that is restated.
const MAX_WORDS: usize = 24;

/// Words that are left out unless the verb's usages have them.
pub(super) const ARTICLES: [&str; 7] = ["the", "a", "an", "his", "her", "its", "their"];

/// Words that are left out after a number.
pub(super) const UNITS: [&str; 9] = ["inches", "inch", "ins", "in", "\"", "″", "''", "in.", "away"];

/// The maximum number of words after a verb that are tried in other orders.
const MAX_MOVED: usize = 8;

/// Words that are left out in front of a name or number unless the verb's usages have them. Words
/// that change the meaning of the rest, such as `from` or `with`, are not among them.
const POINTERS: [&str; 9] = ["at", "on", "onto", "to", "into", "in", "toward", "towards", "over"];

/// The second words of two-word verbs such as `put up` and `take down`. They may come after the
/// piece.
const PARTICLES: [&str; 8] = ["up", "down", "out", "off", "on", "in", "over", "away"];

/// A line restated in the form of a usage.
pub(super) struct Restated {
    /// The restated line, which is recorded.
    pub line: String,
    /// The command that the line means.
    pub command: Command,
}

/// The verb of a line, the pieces in front of it, and the words after it.
pub(super) struct Sentence {
    pub verb: String,
    pub subject: Option<Subject>,
    pub rest: Vec<Token>,
    /// True if the verb is in the third person or the past tense, as in `ann fires` or `ann fired`.
    /// The pieces in front of such a verb act.
    pub third_person: bool,
}

/// The pieces that a line begins with.
#[derive(Clone)]
pub(super) struct Subject {
    kind: KindId,
    rows: Vec<u32>,
    /// The names of the pieces, separated by commas.
    word: Token,
}

impl Subject {
    /// Returns true if there is more than one piece.
    pub(super) fn is_several(&self) -> bool {
        self.rows.len() > 1
    }

    /// Returns the names of the pieces, separated by commas.
    pub(super) fn name(&self) -> &str {
        &self.word.text
    }
}

/// The words after a verb, without words that add nothing to the meaning.
pub(super) struct Simplified {
    pub words: Vec<Token>,
    /// The numbers that were typed with the name of a parameter, as in `2 shots`.
    pub named: Vec<NamedNumber>,
}

/// A number that was typed with the name of its parameter.
#[derive(Clone)]
pub(super) struct NamedNumber {
    name: String,
    number: Token,
}

/// The readings of a line in the form of a usage.
#[derive(Default)]
pub(super) struct Readings {
    /// The readings in which it is certain which pieces act.
    pub sure: Vec<Restated>,
    /// The readings in which it isn't clear which of the pieces acts.
    pub unsure: Vec<Restated>,
}

impl Readings {
    fn add(readings: &mut Vec<Restated>, new: Restated) {
        let same = |other: &Restated| {
            format!("{:?}", other.command.action) == format!("{:?}", new.command.action)
        };
        if !readings.iter().any(same) {
            readings.push(new);
        }
    }
}

impl Reading<'_> {
    /// Restates a line that can't be read as typed because of `error`. If it can't be read in any
    /// other way, returns the error of the nearest reading, or `error` if there is none.
    pub(super) fn restate(
        &self,
        typed: &TypedLine<'_>,
        error: LineError,
    ) -> Result<Restated, LineError> {
        if typed.tokens.len() > MAX_WORDS {
            return Err(error);
        }
        let mut insist = typed.insist;
        let mut words = self.without_owners(&typed.tokens).unwrap_or_else(|| typed.tokens.clone());
        if let Some(last) = words.last_mut()
            && let Some(word) = without_insist(last)
        {
            *last = word;
            insist = true;
        }
        words.iter_mut().filter(|w| !w.quoted).for_each(trim_mark);
        if let Some(ranged) = self.with_ranges(&words)
            && let Some(restated) = self.restate_words(&ranged, insist, &mut None)?
        {
            // `move g1 to g3 6` may also mean that one goes towards the other.
            let begins_with_verb = !self.verbs_named(&words).is_empty();
            let plain = self.restate_words(&words, insist, &mut None).ok().flatten();
            return match plain.filter(|plain| begins_with_verb && plain.line != restated.line) {
                Some(plain) => Err(several_lines_error(&[restated, plain])),
                None => Ok(restated),
            };
        }
        let mut nearest = None;
        let restated = self.restate_words(&words, insist, &mut nearest)?;
        let joined = || self.with_joined_names(&words).or_else(|| self.with_joined_phrase(&words));
        let restated = match restated {
            None => match joined() {
                Some(joined) => self.restate_words(&joined, insist, &mut None)?,
                None => None,
            },
            restated => restated,
        };
        restated.ok_or_else(|| nearest.unwrap_or(error))
    }

    /// Restates a line. Returns `None` if it can't be read, and an error if it has several readings
    /// or only uncertain ones. Sets `nearest` to the error of the nearest reading.
    fn restate_words(
        &self,
        words: &[Token],
        insist: bool,
        nearest: &mut Option<LineError>,
    ) -> Result<Option<Restated>, LineError> {
        let mut unsure = Vec::new();
        for tier in self.sentences(words) {
            for level in 0..3 {
                let mut sure = Vec::new();
                for sentence in &tier {
                    let Some(rest) = self.simplify(sentence, level) else { continue };
                    let readings = self.readings(sentence, &rest, insist, nearest);
                    readings.sure.into_iter().for_each(|one| Readings::add(&mut sure, one));
                    readings.unsure.into_iter().for_each(|one| Readings::add(&mut unsure, one));
                }
                if sure.len() > 1 {
                    return Err(several_lines_error(&sure));
                }
                if let Some(only) = sure.pop() {
                    return Ok(Some(only));
                }
            }
        }
        if unsure.is_empty() { Ok(None) } else { Err(several_lines_error(&unsure)) }
    }

    /// Returns the possible sentences in a line, in two tiers: first with the verb in full, then
    /// with another word for the verb. In each tier, the line begins with the verb, or with pieces
    /// followed by the verb.
    pub(super) fn sentences(&self, words: &[Token]) -> Vec<Vec<Sentence>> {
        let subject = self.subject(words);
        let mut tiers = Vec::new();
        for find in [Self::verbs_in_full, Self::verbs_by_synonym] {
            let mut tier = Vec::new();
            for (verb, taken) in find(self, words) {
                let rest = words[taken..].to_vec();
                tier.push(Sentence { verb, subject: None, rest, third_person: false });
            }
            if let Some((subject, named)) = &subject {
                let after = &words[*named..];
                for (verb, taken) in find(self, after) {
                    let rest = after[taken..].to_vec();
                    let third_person = self.is_third_person(&verb, &after[0]);
                    tier.push(Sentence {
                        verb,
                        subject: Some(subject.clone()),
                        rest,
                        third_person,
                    });
                }
            }
            tiers.push(tier);
        }
        tiers
    }

    /// If a piece is between the two words of a verb, returns the words with the verb's words
    /// joined: `put ladder1 up` becomes `put up ladder1`. Returns `None` if there is no such verb.
    pub(super) fn with_joined_phrase(&self, words: &[Token]) -> Option<Vec<Token>> {
        for at in 0..words.len().saturating_sub(2) {
            let [first, piece, particle] = words.get(at..at + 3)? else { return None };
            let is_between = !piece.quoted && self.table.find(&piece.text).is_some();
            if !is_between || !is_one_of(&particle.text, &PARTICLES) {
                continue;
            }
            if self.begins_with_phrase(&[first.clone(), particle.clone()]) {
                let mut joined = words.to_vec();
                joined.swap(at + 1, at + 2);
                return Some(joined);
            }
        }
        None
    }

    /// Returns true if a word is in the third person or the past tense. The word must be a form of
    /// the first word of a verb, or of another phrase for that verb.
    fn is_third_person(&self, verb: &str, word: &Token) -> bool {
        let text = word.text.to_lowercase();
        let first = |phrase: &str| phrase.split(' ').next().unwrap_or_default().to_lowercase();
        let mut phrases = self.ruleset().synonyms().filter(|(_, of)| *of == verb);
        let is_base = first(verb) == text || phrases.any(|(phrase, _)| first(phrase) == text);
        !is_base
    }

    /// Returns the verb that the first word names in full, with 1 as the number of words it takes.
    /// The word may also be in the third person or the past tense.
    pub(super) fn verbs_in_full(&self, words: &[Token]) -> Vec<(String, usize)> {
        let Some(first) = words.first().filter(|w| !w.quoted) else { return Vec::new() };
        let ruleset = self.ruleset();
        for form in base_forms(&first.text.to_lowercase()) {
            let mut named = ruleset.verbs().filter(|verb| verb.eq_ignore_ascii_case(&form));
            if let Some(verb) = named.find(|verb| ruleset.is_typed_verb(verb)) {
                return vec![(verb.to_owned(), 1)];
            }
        }
        Vec::new()
    }

    /// Returns the verbs that have a synonym with which these words begin, each with the number of
    /// words in the synonym. The first word may be in the third person or the past tense. Only the
    /// longest synonyms count.
    pub(super) fn verbs_by_synonym(&self, words: &[Token]) -> Vec<(String, usize)> {
        let mut found: Vec<(String, usize)> = Vec::new();
        // If the first word is a verb of the game, it isn't a form of another verb.
        let is_form =
            words.first().is_some_and(|word| !self.ruleset().has_verb(&word.text.to_lowercase()));
        for (phrase, verb) in self.ruleset().synonyms() {
            let Some(taken) = words_of_phrase(words, phrase, is_form) else { continue };
            if !found.iter().any(|(other, _)| other == verb) {
                found.push((verb.to_owned(), taken));
            }
        }
        if found.is_empty() {
            return found;
        }
        let longest = found.iter().map(|(_, taken)| *taken).max();
        // In `takes a shot at bob`, `takes` isn't another word for `occupy`.
        let longer_act = self.verbs_much_like(words).iter().map(|(_, taken)| *taken).max();
        found.retain(|(_, taken)| Some(*taken) == longest && Some(*taken) >= longer_act);
        found
    }

    /// Returns the verbs that these words begin with, in full or by another word or phrase, each
    /// with the number of words it takes.
    pub(super) fn verbs_named(&self, words: &[Token]) -> Vec<(String, usize)> {
        let mut verbs = self.verbs_in_full(words);
        verbs.extend(self.verbs_by_synonym(words));
        verbs
    }

    /// Returns true if these words begin with a phrase of several words for a verb.
    pub(super) fn begins_with_phrase(&self, words: &[Token]) -> bool {
        self.verbs_by_synonym(words).iter().any(|(_, taken)| *taken > 1)
    }

    /// Returns the pieces that these words begin with, and the number of words they take. Returns
    /// `None` if there are none, if they are of different kinds, or if one is named twice.
    pub(super) fn subject(&self, words: &[Token]) -> Option<(Subject, usize)> {
        if let Some((group, taken)) = self.group_at(words) {
            let word = group_word(&group, &words[..taken]);
            return Some((Subject { kind: group.kind, rows: group.rows, word }, taken));
        }
        let mut at = 0;
        let mut found: Option<Subject> = None;
        loop {
            let is_little = |w: &&Token| {
                !w.quoted && (w.text.eq_ignore_ascii_case("and") || is_one_of(&w.text, &ARTICLES))
            };
            let names_piece = |w: &Token| self.table.find(&w.text).is_some();
            if words.get(at).filter(is_little).is_some_and(|w| !names_piece(w)) {
                at += 1;
                continue;
            }
            let Some((word, (kind, row))) =
                words.get(at).and_then(|w| Some((w, self.table.find(&w.text)?)))
            else {
                return found.map(|subject| (subject, at));
            };
            match &mut found {
                None => found = Some(Subject { kind, rows: vec![row], word: word.clone() }),
                Some(subject) if subject.kind == kind && !subject.rows.contains(&row) => {
                    subject.rows.push(row);
                    subject.word.text.push(',');
                    subject.word.text.push_str(&word.text);
                    subject.word.end = word.end;
                }
                Some(_) => return None,
            }
            at += 1;
        }
    }

    /// Returns the side of the first piece of a subject.
    pub(super) fn side_of(&self, subject: &Subject) -> Option<String> {
        self.referee.side_of_piece(self.table, subject.kind, *subject.rows.first()?)
    }

    /// Returns a separate subject for each piece if there are several, and an empty list if there
    /// is only one.
    pub(super) fn each_of(&self, subject: &Subject) -> Vec<Subject> {
        if subject.rows.len() < 2 {
            return Vec::new();
        }
        let one = |&row: &u32| {
            let text = self.table.piece_name(subject.kind, row);
            let word = Token { text, ..subject.word.clone() };
            Subject { kind: subject.kind, rows: vec![row], word }
        };
        subject.rows.iter().map(one).collect()
    }

    /// Returns the words after the verb in a simpler form. Level 0 changes nothing; level 1 leaves
    /// out articles and units, joins names into lists, and replaces groups and spelt-out numbers;
    /// level 2 also leaves out words such as `at` and `to`. Returns `None` if a level changes no
    /// more than the level before it.
    pub(super) fn simplify(&self, sentence: &Sentence, level: usize) -> Option<Simplified> {
        let rest = &sentence.rest;
        let mut named = Vec::new();
        if level == 0 {
            return Some(Simplified { words: rest.clone(), named });
        }
        let rules = self.rules_of_sentence(sentence);
        let literals = literal_words(&rules);
        let mut kept: Vec<Token> = Vec::new();
        let mut dropped = [false; 3];
        let mut joins = false;
        let mut index = 0;
        while let Some(word) = rest.get(index) {
            let at = index;
            index += 1;
            let before = at.checked_sub(1).map(|before| &rest[before]);
            let after = rest.get(index);
            let after_number = before.is_some_and(is_number_or_word);
            let before_number = after.is_some_and(is_number_or_word);
            let points = after.is_some() && (at > 0 || sentence.subject.is_some());
            let has_use = self.has_use(word, &rules, &literals);
            if joins {
                let last = kept.last_mut()?;
                last.text = format!("{},{}", last.text, word.text);
                last.end = word.end;
                joins = false;
            } else if after_number && is_one_of(&word.text, &UNITS) {
                dropped[1] = true;
            } else if before_number && level == 2 && word.text.eq_ignore_ascii_case("at") {
                dropped[2] = true;
            } else if let Some((group, taken)) = self.group_at(&rest[at..]) {
                let group = self.narrow_to_owner(group, sentence.subject.as_ref(), &rest[..at]);
                kept.push(group_word(&group, &rest[at..at + taken]));
                index = at + taken;
                dropped[1] = true;
            } else if let Some(members) = self.members_meant(word, &rules) {
                kept.push(group_word(&members, std::slice::from_ref(word)));
                dropped[1] = true;
            } else if has_use {
                kept.push(word.clone());
            } else if let Some(number) = number_of_word(word) {
                kept.push(number);
                dropped[1] = true;
            } else if self.is_kind_beside_piece(word, before, after) {
                dropped[1] = true;
            } else if let Some(claim) = name_of_number(word, before, after, &rules) {
                named.push(claim);
                dropped[1] = true;
            } else if is_one_of(&word.text, &ARTICLES) && after.is_some() {
                dropped[1] = true;
            } else if word.text.eq_ignore_ascii_case("and") && !kept.is_empty() && points {
                // Names joined by `and` form one list.
                joins = true;
                dropped[1] = true;
            } else if level == 2 && points && is_one_of(&word.text, &POINTERS) {
                dropped[2] = true;
            } else {
                kept.push(word.clone());
            }
        }
        dropped[level].then_some(Simplified { words: kept, named })
    }

    /// Returns the members of a group that belong to the piece that a line names first: in `fire
    /// mgb1 at s1 with all guns`, the guns of `mgb1`. If no member belongs to it, returns the whole
    /// group.
    fn narrow_to_owner(
        &self,
        group: groups::Group,
        subject: Option<&Subject>,
        before: &[Token],
    ) -> groups::Group {
        let owners = match subject {
            Some(subject) => Some((subject.kind, subject.rows.clone())),
            None => before
                .iter()
                .filter(|word| !word.quoted)
                .find_map(|word| self.table.find(&word.text))
                .map(|(kind, row)| (kind, vec![row])),
        };
        match owners {
            Some((kind, rows)) => self.those_of(group, kind, &rows),
            None => group,
        }
    }

    /// Returns the rules of a sentence's verb.
    pub(super) fn rules_of_sentence(&self, sentence: &Sentence) -> Vec<&RuleText> {
        let ruleset = self.ruleset();
        let rules = ruleset.rules_for_verb(&sentence.verb);
        rules.iter().map(|id| &ruleset.schema.rules[id.index()]).collect()
    }

    /// Returns true if a word has a meaning in these rules, so it must not be left out.
    pub(super) fn has_use(&self, word: &Token, rules: &[&RuleText], literals: &[&str]) -> bool {
        let mut params = rules.iter().flat_map(|rule| &rule.params);
        word.quoted
            || is_one_of(&word.text, literals)
            || self.table.find(&word.text).is_some()
            || params.any(|p| self.is_whole_name(p.ty, &word.text))
    }

    /// Returns true if a word names the kind of the piece next to it: `gun gun2`.
    fn is_kind_beside_piece(
        &self,
        word: &Token,
        before: Option<&Token>,
        after: Option<&Token>,
    ) -> bool {
        let schema = &self.ruleset().schema;
        let mut beside = [before, after].into_iter().flatten();
        beside.any(|piece| {
            self.table.find(&piece.text).is_some_and(|(kind, _)| {
                let kind = schema.kind(kind);
                is_one_of(&word.text, &[kind.name.as_str(), kind.plural.as_str()])
            })
        })
    }

    /// Returns the readings of these words after the verb. The pieces that come before the verb are
    /// inserted at every possible position. If there are no readings, other orders of the words are
    /// tried.
    pub(super) fn readings(
        &self,
        sentence: &Sentence,
        rest: &Simplified,
        insist: bool,
        nearest: &mut Option<LineError>,
    ) -> Readings {
        let mut readings = Readings::default();
        let mut orders = vec![rest.words.clone()];
        if rest.words.len() <= MAX_MOVED {
            orders.extend(self.other_orders(sentence, &rest.words));
        }
        for (index, order) in orders.iter().enumerate() {
            let mut ignored = None;
            let nearest = if index == 0 { &mut *nearest } else { &mut ignored };
            let found = self.readings_in_order(sentence, order, &rest.named, insist, nearest);
            found.sure.into_iter().for_each(|one| Readings::add(&mut readings.sure, one));
            found.unsure.into_iter().for_each(|one| Readings::add(&mut readings.unsure, one));
            if index == 0 && !(readings.sure.is_empty() && readings.unsure.is_empty()) {
                break;
            }
        }
        readings
    }

    /// Returns the words in other orders, each with one number or value moved. The order of the
    /// pieces does not change, because it may decide which piece acts.
    fn other_orders(&self, sentence: &Sentence, words: &[Token]) -> Vec<Vec<Token>> {
        let rules = self.rules_of_sentence(sentence);
        let mut params = rules.iter().flat_map(|rule| &rule.params);
        let is_value = |word: &Token| {
            let names_value = params
                .any(|p| matches!(p.ty, Type::Word(_)) && self.is_whole_name(p.ty, &word.text));
            is_number(word) || (names_value && self.table.find(&word.text).is_none())
        };
        let movable: Vec<bool> = words.iter().map(is_value).collect();
        let mut orders = Vec::new();
        for (from, _) in movable.iter().enumerate().filter(|(_, movable)| **movable) {
            for to in (0..words.len()).filter(|to| *to != from && *to + 1 != from) {
                let mut moved = words.to_vec();
                let word = moved.remove(from);
                moved.insert(to, word);
                orders.push(moved);
            }
        }
        orders
    }

    /// Returns the readings of these words in this order. The pieces that come before the verb are
    /// inserted at every possible position.
    pub(super) fn readings_in_order(
        &self,
        sentence: &Sentence,
        rest: &[Token],
        named: &[NamedNumber],
        insist: bool,
        nearest: &mut Option<LineError>,
    ) -> Readings {
        let mut readings = Readings::default();
        let ruleset = self.ruleset();
        let rules: Vec<RuleId> = ruleset
            .rules_for_verb(&sentence.verb)
            .into_iter()
            .filter(|id| !ruleset.schema.rules[id.index()].takes_text())
            .collect();
        let subject = sentence.subject.as_ref().map(|subject| {
            match self.members_meant(&subject.word, &self.rules_of_sentence(sentence)) {
                Some(members) => {
                    let word = group_word(&members, std::slice::from_ref(&subject.word));
                    Subject { kind: members.kind, rows: members.rows, word }
                }
                None => subject.clone(),
            }
        });
        let positions = match subject {
            None => 0..=0,
            Some(_) => 0..=rest.len(),
        };
        for position in positions {
            if !self.count_tries_of_line(usage::TRIES_OF_ORDER) {
                break;
            }
            let mut words = rest.to_vec();
            if let Some(subject) = &subject {
                words.insert(position, subject.word.clone());
            }
            self.tries.set(usage::MAX_TRIES);
            let fit = match self.best_call(&rules, &words) {
                Ok(fit) => fit,
                Err(mismatch) => {
                    let joined = words.iter().any(|word| word.text.contains(','));
                    // An error with choices is more helpful than a later error, because the umpire
                    // can choose one.
                    let is_choice = nearest.as_ref().is_some_and(|e| !e.choices.is_empty());
                    if position == 0 && !rules.is_empty() && !joined && !is_choice {
                        *nearest = Some(mismatch.error);
                    }
                    continue;
                }
            };
            let action = fit.action();
            if !named.iter().all(|claim| self.is_given_by_name(claim, &action)) {
                continue;
            }
            let mut line = sentence.verb.clone();
            for word in &words {
                line.push(' ');
                line.push_str(&written(word));
            }
            if insist {
                line.push_str(" !");
            }
            let is_sure = match &subject {
                None => Some(true),
                Some(subject) => {
                    let followed = words.get(position + 1);
                    self.acts(subject, &action, followed, sentence.third_person)
                }
            };
            let verb = sentence.verb.clone();
            let command = Command { verb, action, insist, restated: Some(line.clone()) };
            match is_sure {
                Some(true) => Readings::add(&mut readings.sure, Restated { line, command }),
                Some(false) => Readings::add(&mut readings.unsure, Restated { line, command }),
                None => {}
            }
        }
        readings
    }

    /// Returns true if a number that was typed with the name of a parameter is the value of that
    /// parameter in an action.
    fn is_given_by_name(&self, claim: &NamedNumber, action: &Action) -> bool {
        let Action::Rule { rule, arguments, .. } = action else { return false };
        let rule = &self.ruleset().schema.rules[rule.index()];
        let index = rule.params.iter().position(|param| param.name == claim.name);
        index.is_some_and(|index| {
            let number = self.argument(&rule.params[index], &claim.number).ok();
            number.is_some() && arguments[index] == number
        })
    }

    /// Returns true if it is certain that these pieces act. It is certain if the action names no
    /// other pieces of their kind, if a word of the usage follows them, if the other pieces belong
    /// to another side, or if the verb is in the third person and these pieces are the acting piece
    /// of the rule. Returns false if the other pieces might act, and `None` if these pieces have no
    /// part in the action.
    fn acts(
        &self,
        subject: &Subject,
        action: &Action,
        followed: Option<&Token>,
        third_person: bool,
    ) -> Option<bool> {
        let Action::Rule { rule, arguments, .. } = action else { return None };
        let rule = &self.ruleset().schema.rules[rule.index()];
        let of_kind: Vec<usize> = (0..rule.params.len())
            .filter(|&i| rule.params[i].ty.member_or_self() == Type::Piece(subject.kind))
            .collect();
        let pieces = |index: usize| arguments[index].as_ref().map(Argument::piece_rows);
        let given: Vec<(usize, Vec<u32>)> =
            of_kind.into_iter().filter_map(|i| Some((i, pieces(i)?))).collect();
        let wanted: BTreeSet<u32> = subject.rows.iter().copied().collect();
        let is_subject = |rows: &Vec<u32>| rows.iter().copied().collect::<BTreeSet<_>>() == wanted;
        let [(index, first), others @ ..] = given.as_slice() else { return None };
        if others.is_empty() {
            return is_subject(first).then_some(true);
        }
        // The pieces in front of `fires`, or several pieces in front of `fire`, act themselves.
        if !is_subject(first) && (third_person || subject.is_several()) {
            return None;
        }
        if !is_subject(first) {
            return others.iter().any(|(_, rows)| is_subject(rows)).then_some(false);
        }
        let mut literals = Vec::new();
        if let Some(usage) = &rule.usage {
            usage::collect_literal_words(&usage.parts, &mut literals);
        }
        let separated = followed.is_some_and(|word| is_one_of(&word.text, &literals));
        let side = |row: u32| self.referee.side_of_piece(self.table, subject.kind, row);
        let ours: Vec<_> = first.iter().map(|&row| side(row)).collect();
        let mut theirs = others.iter().flat_map(|(_, rows)| rows).map(|&row| side(row));
        let opposed = theirs.all(|s| s.is_some() && ours.iter().all(|o| o.is_some() && *o != s));
        let says_so = third_person && rule.acting_piece() == Some(*index);
        Some(separated || opposed || says_so)
    }
}

/// Returns the literal words in the usages of rules.
pub(super) fn literal_words<'r>(rules: &[&'r RuleText]) -> Vec<&'r str> {
    let mut literals = Vec::new();
    for usage in rules.iter().filter_map(|rule| rule.usage.as_ref()) {
        usage::collect_literal_words(&usage.parts, &mut literals);
    }
    literals
}

/// Returns a word that replaces the typed words for a group: the names of its members, separated by
/// commas.
fn group_word(group: &groups::Group, typed: &[Token]) -> Token {
    let first = typed.first().map_or(0, |word| word.start);
    let last = typed.last().map_or(0, |word| word.end);
    Token { text: group.names.join(","), start: first, end: last, quoted: false }
}

/// Returns the number that a word means, in figures or spelt out; `None` if it is not a number.
pub(crate) fn spoken_number(word: &str) -> Option<u32> {
    number_spelt_out(word).or_else(|| word.parse().ok())
}

/// Words for the tens above the numbers in [`NUMBER_WORDS`].
const TENS: [(&str, u32); 5] =
    [("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50), ("sixty", 60)];

/// Returns the number that a word spells out; `None` for any other word.
fn number_spelt_out(word: &str) -> Option<u32> {
    let small = NUMBER_WORDS.iter().zip(1..).find(|(name, _)| **name == word);
    let tens = || TENS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    small.map(|(_, number)| number).or_else(tens)
}

/// Returns a number that was spelt out, or typed with an `x` as in `x2` or with a unit as in
/// `14in`. Returns `None` for any other word, including plain figures.
pub(super) fn number_of_word(word: &Token) -> Option<Token> {
    let lower = word.text.to_lowercase();
    let times = lower.strip_prefix('x').or(lower.strip_suffix('x'));
    let times = times.filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let digits_before = |unit: &str| {
        let digits = lower.strip_suffix(unit)?;
        let is_number = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        (is_number && digits.starts_with(|c: char| c.is_ascii_digit())).then_some(digits)
    };
    let measured = ["in", "ins", "inch", "inches"].into_iter().find_map(digits_before);
    let number = number_spelt_out(&lower).map(|number| number.to_string());
    let text = number.or(times.or(measured).map(str::to_owned)).filter(|_| !word.quoted)?;
    Some(Token { text, ..word.clone() })
}

/// Returns true if a word is a number, in figures or spelt out.
fn is_number_or_word(word: &Token) -> bool {
    is_number(word) || number_of_word(word).is_some()
}

/// Returns the number next to a word that names the number's parameter, as in `2 shots` or
/// `range 20`; `None` if there is no such number.
fn name_of_number(
    word: &Token,
    before: Option<&Token>,
    after: Option<&Token>,
    rules: &[&RuleText],
) -> Option<NamedNumber> {
    let text = word.text.to_lowercase();
    let number = [before, after].into_iter().flatten().find(|other| is_number_or_word(other))?;
    let number = number_of_word(number).unwrap_or_else(|| number.clone());
    let mut params = rules.iter().flat_map(|rule| &rule.params);
    let param = params.find(|param| {
        let is_number = matches!(param.ty, Type::Whole | Type::Number);
        let one = param.name.strip_suffix('s').unwrap_or(&param.name);
        is_number && text.strip_suffix('s').unwrap_or(&text) == one
    })?;
    Some(NamedNumber { name: param.name.clone(), number })
}

/// Returns the error for a line that has several readings, or a single uncertain one.
fn several_lines_error(readings: &[Restated]) -> LineError {
    let lines: Vec<&str> = readings.iter().map(|reading| reading.line.as_str()).collect();
    let message = match lines.len() {
        1 => "it isn't clear which piece acts".to_owned(),
        _ => "this could be read in several ways".to_owned(),
    };
    let mut error = LineError::new(None, message);
    error.help = Some(format!("write `{}`", lines.join("` or `")).into());
    let lines = lines.into_iter().map(str::to_owned).collect();
    error.proposal = Some(Box::new(Proposal::Lines(lines)));
    error
}

/// Forms of irregular verbs, most of them in the past tense, each with its base form.
const IRREGULAR: [(&str, &str); 36] = [
    ("has", "have"),
    ("had", "have"),
    ("went", "go"),
    ("ran", "run"),
    ("came", "come"),
    ("got", "get"),
    ("took", "take"),
    ("shot", "shoot"),
    ("threw", "throw"),
    ("drove", "drive"),
    ("rode", "ride"),
    ("fought", "fight"),
    ("laid", "lay"),
    ("hid", "hide"),
    ("drew", "draw"),
    ("stood", "stand"),
    ("rose", "rise"),
    ("flew", "fly"),
    ("dug", "dig"),
    ("held", "hold"),
    ("lit", "light"),
    ("built", "build"),
    ("brought", "bring"),
    ("sent", "send"),
    ("met", "meet"),
    ("lost", "lose"),
    ("fell", "fall"),
    ("broke", "break"),
    ("swung", "swing"),
    ("flung", "fling"),
    ("gave", "give"),
    ("crept", "creep"),
    ("leapt", "leap"),
    ("dove", "dive"),
    ("bore", "bear"),
    ("withdrew", "withdraw"),
];

/// Returns the number of words in a phrase if these words begin with it; otherwise `None`. If
/// `inflected` is true, the first word may be in the third person or the past tense.
pub(super) fn words_of_phrase(words: &[Token], phrase: &str, inflected: bool) -> Option<usize> {
    let mut taken = 0;
    for part in phrase.split(' ') {
        let word = words.get(taken).filter(|word| !word.quoted)?;
        let text = word.text.to_lowercase();
        let is_form = || inflected && taken == 0 && base_forms(&text).iter().any(|f| f == part);
        if text != part && !is_form() {
            return None;
        }
        taken += 1;
    }
    Some(taken)
}

/// Returns the base forms that a word could have as a verb, the word itself first. The forms of
/// `fires` and `fired` include `fire`, and the forms of `went` include `go`.
pub(crate) fn base_forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    if let Some((_, base)) = IRREGULAR.iter().find(|(past, _)| *past == word) {
        forms.push((*base).to_owned());
    }
    if let Some(stem) = word.strip_suffix("ed").filter(|stem| stem.len() > 1) {
        forms.push(stem.to_owned());
        forms.push(format!("{stem}e"));
        let mut letters = stem.chars().rev();
        let last = letters.next();
        // `stopped` is a form of `stop`, and `carried` is a form of `carry`.
        if last.is_some() && last == letters.next() {
            forms.push(stem[..stem.len() - last.map_or(0, char::len_utf8)].to_owned());
        }
        if let Some(stem) = stem.strip_suffix('i') {
            forms.push(format!("{stem}y"));
        }
    }
    if let Some(stem) = word.strip_suffix('s').filter(|stem| stem.len() > 1) {
        forms.push(stem.to_owned());
    }
    if let Some(stem) = word.strip_suffix("es").filter(|stem| stem.len() > 1) {
        forms.push(stem.to_owned());
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        forms.push(format!("{stem}y"));
    }
    forms
}

/// Removes commas, colons and semicolons at the end of a word. A word that consists only of them
/// does not change; it is reported as a list without names.
pub(super) fn trim_mark(word: &mut Token) {
    let length = word.text.trim_end_matches([',', ':', ';']).len();
    if length > 0 {
        word.end -= word.text.len() - length;
        word.text.truncate(length);
    }
}

/// Returns true if a word is a number, optionally followed by an inch mark.
pub(super) fn is_number(word: &Token) -> bool {
    let mut signs = word.text.chars();
    !word.quoted
        && signs.next().is_some_and(|c| c.is_ascii_digit())
        && signs.all(|c| c.is_ascii_digit() || c == '.' || c == '"')
}

pub(super) fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// Returns a word with its quotes, if it had any.
pub(super) fn written(word: &Token) -> String {
    if word.quoted { format!("\"{}\"", word.text) } else { word.text.clone() }
}
