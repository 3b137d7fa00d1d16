//! Completion: what could stand at a place in a line of the game.

use std::cell::Cell;

use super::Token;
use super::token::tokens;
use crate::language::compile::filters;
use crate::language::machine::World;
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::{Attribute, Element, Param, RuleId, Type};
use crate::referee::Referee;
use crate::ruleset::Ruleset;
use crate::tabletop::Tabletop;

/// The most names offered.
const MOST: usize = 500;

/// The most places in usages looked at; what fits is found long before.
const MOST_TRIES: u32 = 10_000;

/// The words that the one being written could become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where that word begins, in bytes.
    pub start: usize,
    /// The words it could become, in full.
    pub words: Vec<String>,
}

/// Words that fit what is begun: those that must come next, and those that may come after optional ones.
pub(crate) struct Candidates {
    begun: String,
    near: Vec<String>,
    far: Vec<String>,
}

impl Candidates {
    fn of(begun: &str) -> Candidates {
        Candidates { begun: begun.to_lowercase(), near: Vec::new(), far: Vec::new() }
    }

    /// Returns what is written of the word, in lower case.
    pub fn begun(&self) -> &str {
        &self.begun
    }

    /// Offers a word that may come next.
    pub fn offer(&mut self, word: &str) {
        self.add(word, false);
    }

    /// Offers a word for the case that no other fits.
    pub fn offer_later(&mut self, word: &str) {
        self.add(word, true);
    }

    fn add(&mut self, word: &str, far: bool) {
        if !word.to_lowercase().starts_with(&self.begun) {
            return;
        }
        let list = if far { &mut self.far } else { &mut self.near };
        if list.len() < MOST && !list.iter().any(|w| w == word) {
            list.push(word.to_owned());
        }
    }

    fn chosen(self) -> Vec<String> {
        if self.near.is_empty() { self.far } else { self.near }
    }
}

/// Returns true if a part is optional.
fn is_loose(part: &UsagePart) -> bool {
    matches!(part, UsagePart::Optional(_) | UsagePart::Flag(..))
}

/// Returns true if a token is a word of the usage, or its beginning.
fn is_beginning(word: &Token, literal: &str) -> bool {
    let typed = word.text.as_bytes();
    !word.quoted
        && literal.as_bytes().get(..typed.len()).is_some_and(|l| l.eq_ignore_ascii_case(typed))
}

/// Returns true if an optional part begins with this token.
fn is_begun(part: &UsagePart, word: &Token) -> bool {
    match part {
        UsagePart::Flag(literal, _) => is_beginning(word, literal),
        UsagePart::Optional(inner) => {
            matches!(inner.first(), Some(UsagePart::Word(literal)) if is_beginning(word, literal))
        }
        _ => false,
    }
}

/// The game that lines are completed for.
pub(crate) struct Completer<'a> {
    referee: &'a Referee,
    /// The table as it stands.
    pub table: &'a Tabletop,
    tries: Cell<u32>,
}

impl<'a> Completer<'a> {
    /// Returns what the word before `cursor` could become; `line` offers what can follow the words before it.
    pub fn complete(
        referee: &'a Referee,
        table: &'a Tabletop,
        (line, cursor): (&str, usize),
        offer: impl FnOnce(&Completer<'a>, &[Token], &mut Candidates),
    ) -> Completion {
        let Some(before) = line.get(..cursor) else { return Completion::default() };
        let start = before.rfind(char::is_whitespace).map_or(0, |i| i + 1);
        let (head, begun) = before.split_at(start);
        let Ok(head) = tokens(head) else { return Completion { start, words: Vec::new() } };
        // A line that insists is still a line.
        let (start, begun) = match begun.strip_prefix('!') {
            Some(rest) if head.is_empty() => (start + 1, rest),
            _ => (start, begun),
        };
        let completer = Completer { referee, table, tries: Cell::new(MOST_TRIES) };
        let mut candidates = Candidates::of(begun);
        offer(&completer, &head, &mut candidates);
        Completion { start, words: candidates.chosen() }
    }

    pub fn ruleset(&self) -> &'a Ruleset {
        self.referee.ruleset()
    }

    /// Offers what can follow the verb of these rules and the words given.
    pub fn rules(&self, rules: &[RuleId], given: &[Token], to: &mut Candidates) {
        for id in rules {
            let rule = &self.ruleset().schema.rules[id.index()];
            match &rule.usage {
                Some(usage) => {
                    let parts: Vec<&UsagePart> = usage.parts.iter().collect();
                    self.walk(rule, &parts, given, false, to);
                }
                None => self.in_order(rule, given, to),
            }
        }
    }

    /// Offers what can follow these words of a usage.
    fn walk(
        &self,
        rule: &RuleText,
        parts: &[&UsagePart],
        given: &[Token],
        far: bool,
        to: &mut Candidates,
    ) {
        self.tries.set(self.tries.get().saturating_sub(1));
        if self.tries.get() == 0 {
            return;
        }
        // What may be left out may also stand in another order.
        let run = parts.iter().take_while(|p| is_loose(p)).count();
        if let Some(word) = given.first() {
            for first in (1..run).filter(|&i| is_begun(parts[i], word)) {
                let mut turned: Vec<&UsagePart> = vec![parts[first]];
                turned.extend(parts[..first].iter().chain(&parts[first + 1..]));
                self.walk_in_order(rule, &turned, given, far, to);
            }
        }
        self.walk_in_order(rule, parts, given, far, to);
    }

    fn walk_in_order(
        &self,
        rule: &RuleText,
        parts: &[&UsagePart],
        given: &[Token],
        far: bool,
        to: &mut Candidates,
    ) {
        let Some((part, rest)) = parts.split_first() else { return };
        match part {
            UsagePart::Word(literal) => match given.split_first() {
                None => {
                    to.add(literal, far);
                    self.walk(rule, rest, given, true, to);
                }
                Some((word, after)) => {
                    if is_beginning(word, literal) {
                        self.walk(rule, rest, after, far, to);
                    }
                    if !word.text.eq_ignore_ascii_case(literal) {
                        self.walk(rule, rest, given, far, to);
                    }
                }
            },
            UsagePart::Flag(literal, _) => match given.split_first() {
                None => {
                    to.add(literal, far);
                    self.walk(rule, rest, given, far, to);
                }
                Some((word, after)) => {
                    if is_beginning(word, literal) {
                        self.walk(rule, rest, after, far, to);
                    }
                    self.walk(rule, rest, given, far, to);
                }
            },
            UsagePart::Optional(inner) => {
                let longer: Vec<&UsagePart> = inner.iter().chain(rest.iter().copied()).collect();
                self.walk(rule, &longer, given, far, to);
                self.walk(rule, rest, given, far, to);
            }
            UsagePart::Fill(param, many) => {
                let Some(param) = rule.params.get(*param) else { return };
                match given.split_first() {
                    None => self.values(param, far, to),
                    Some((word, after)) if self.fits(param, &word.text) => {
                        self.walk(rule, rest, after, far, to);
                        if *many {
                            self.walk(rule, parts, after, far, to);
                        }
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn in_order(&self, rule: &RuleText, given: &[Token], to: &mut Candidates) {
        if let Some(param) = rule.params.get(given.len()) {
            return self.values(param, false, to);
        }
        let kinds = filters(&self.ruleset().schema, rule);
        if let Some(&kind) = kinds.get(given.len() - rule.params.len()) {
            self.of_type(Type::Piece(kind), false, to);
        }
    }

    /// Returns true if a word could be a value of the parameter.
    fn fits(&self, param: &Param, word: &str) -> bool {
        match param.ty {
            Type::Piece(_) | Type::List(Element::Piece(_)) | Type::Word(_) => {
                let mut found = Candidates::of(word);
                self.of_type(param.ty, false, &mut found);
                word.contains(',') || !found.near.is_empty()
            }
            Type::Whole => word.parse::<i64>().is_ok(),
            Type::Number => crate::language::number::Number::parse(word).is_some(),
            Type::Flag | Type::List(_) | Type::Text => true,
            Type::Nothing | Type::Unknown => false,
        }
    }

    fn values(&self, param: &Param, far: bool, to: &mut Candidates) {
        match (param.ty, param.bounds) {
            (Type::Whole, Some((low, high))) => whole_numbers(low, high, far, to),
            (ty, _) => self.of_type(ty, far, to),
        }
    }

    fn of_type(&self, ty: Type, far: bool, to: &mut Candidates) {
        match ty {
            Type::Piece(kind) | Type::List(Element::Piece(kind)) => {
                let rows = self.table.present(kind);
                rows.for_each(|row| to.add(self.table.name(kind, row), far));
            }
            Type::Word(set) | Type::List(Element::Word(set)) => {
                let words = &self.ruleset().schema.word_set(set).values;
                words.iter().for_each(|word| to.add(word, far));
            }
            Type::Flag => ["on", "off"].iter().for_each(|word| to.add(word, far)),
            _ => {}
        }
    }

    /// Offers the values of an attribute.
    pub fn attribute(&self, attribute: &Attribute, to: &mut Candidates) {
        match attribute.ty {
            Type::Whole => whole_numbers(attribute.low, attribute.high, false, to),
            Type::Piece(_) | Type::List(_) => to.offer("none"),
            _ => {}
        }
        self.of_type(attribute.ty, false, to);
    }
}

/// Offers the numbers of a range, if they are few.
fn whole_numbers(low: i64, high: i64, far: bool, to: &mut Candidates) {
    if high.saturating_sub(low) < 13 {
        (low..=high).for_each(|n| to.add(&n.to_string(), far));
    }
}
