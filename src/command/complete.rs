//! What could stand at a place in a line: verbs first, then whatever the usages leave room for.

use std::cell::Cell;

use super::{BUILT_IN, BuiltIn, Word, built_in, usage_text, words};
use crate::language::compile::filters;
use crate::language::machine::Table;
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::{
    Attribute, Element, KindId, OPTION, Param, Role, STATE, Storage, Type,
};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// So many names are offered at most.
const MOST: usize = 500;

/// So many places in usages are looked at at most: what fits is found long before.
const MOST_TRIES: u32 = 10_000;

/// What can be completed, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where the word begins that is being written, in bytes.
    pub start: usize,
    /// What it could become, whole.
    pub words: Vec<String>,
}

/// What the word before `cursor` could become.
pub fn complete(referee: &Referee, table: &Tabletop, line: &str, cursor: usize) -> Completion {
    let Some(before) = line.get(..cursor) else { return Completion::default() };
    let start = before.rfind(char::is_whitespace).map_or(0, |i| i + 1);
    let (head, begun) = before.split_at(start);
    let Ok(head) = words(head) else { return Completion { start, words: Vec::new() } };
    let completer = Completer { referee, table, tries: Cell::new(MOST_TRIES) };
    let begun = begun.to_lowercase();
    // A line in insistence is still a line.
    let (start, begun) = match begun.strip_prefix('!') {
        Some(rest) if head.is_empty() => (start + 1, rest.to_owned()),
        _ => (start, begun),
    };
    let mut candidates = Candidates { begun, near: Vec::new(), far: Vec::new() };
    completer.line(&head, &mut candidates);
    Completion { start, words: candidates.chosen() }
}

/// What is still to be written after a verb, as a hint.
pub fn hint(referee: &Referee, line: &str) -> Option<String> {
    let verb = line.strip_suffix(' ')?.trim_start();
    if verb.is_empty() || verb.contains(char::is_whitespace) {
        return None;
    }
    if built_in(verb).is_some() {
        let usage = BUILT_IN.iter().find(|b| b.name == verb)?.usage;
        return usage.strip_prefix(verb).map(|u| u.trim_start().to_owned());
    }
    let rules = referee.ruleset().rules_of(verb);
    let rule = rules.first()?;
    let usage = usage_text(&referee.ruleset().schema.rules[rule.index()]);
    usage.strip_prefix(verb).map(|u| u.trim_start().to_owned()).filter(|u| !u.is_empty())
}

/// Words that fit what is begun: those that must come next, and those that may come after what can be left out.
struct Candidates {
    begun: String,
    near: Vec<String>,
    far: Vec<String>,
}

impl Candidates {
    fn offer(&mut self, word: &str, far: bool) {
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

/// Whether a part may be left out.
fn is_loose(part: &UsagePart) -> bool {
    matches!(part, UsagePart::Optional(_) | UsagePart::Flag(..))
}

/// Whether a word is a usage's own word, or its beginning.
fn is_beginning(word: &Word, literal: &str) -> bool {
    let typed = word.text.as_bytes();
    !word.quoted
        && literal.as_bytes().get(..typed.len()).is_some_and(|l| l.eq_ignore_ascii_case(typed))
}

/// Whether what may be left out has been begun by this word.
fn is_begun(part: &UsagePart, word: &Word) -> bool {
    match part {
        UsagePart::Flag(literal, _) => is_beginning(word, literal),
        UsagePart::Optional(inner) => {
            matches!(inner.first(), Some(UsagePart::Word(literal)) if is_beginning(word, literal))
        }
        _ => false,
    }
}

struct Completer<'a> {
    referee: &'a Referee,
    table: &'a Tabletop,
    tries: Cell<u32>,
}

impl Completer<'_> {
    fn line(&self, head: &[Word], to: &mut Candidates) {
        let ruleset = self.referee.ruleset();
        let Some((verb, rest)) = head.split_first() else {
            for verb in self.verbs() {
                to.offer(&verb, false);
            }
            return;
        };
        let name = verb.text.trim_start_matches('!').to_lowercase();
        let verbs = self.verbs();
        let begun: Vec<&String> = verbs.iter().filter(|v| v.starts_with(&name)).collect();
        let name = match begun.as_slice() {
            [one] if !verbs.contains(&name) => (*one).clone(),
            _ => name,
        };
        if let Some(which) = built_in(&name) {
            self.built_in(which, rest, to);
            return;
        }
        for id in ruleset.rules_of(&name) {
            let rule = &ruleset.schema.rules[id.index()];
            match &rule.usage {
                Some(usage) => {
                    let parts: Vec<&UsagePart> = usage.parts.iter().collect();
                    self.walk(rule, &parts, rest, false, to);
                }
                None => self.in_order(rule, rest, to),
            }
        }
    }

    /// Verbs of the game that are typed, words of the console, and the rest.
    fn verbs(&self) -> Vec<String> {
        let ruleset = self.referee.ruleset();
        let mut all: Vec<String> = ruleset.verbs().into_iter().map(str::to_owned).collect();
        all.extend(BUILT_IN.iter().map(|b| b.name.to_owned()));
        all.sort();
        all.dedup();
        all
    }

    /// What may come after these words of a usage.
    fn walk(
        &self,
        rule: &RuleText,
        parts: &[&UsagePart],
        given: &[Word],
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
        given: &[Word],
        far: bool,
        to: &mut Candidates,
    ) {
        let Some((part, rest)) = parts.split_first() else { return };
        match part {
            UsagePart::Word(literal) => match given.split_first() {
                None => {
                    to.offer(literal, far);
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
                    to.offer(literal, far);
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

    fn in_order(&self, rule: &RuleText, given: &[Word], to: &mut Candidates) {
        if let Some(param) = rule.params.get(given.len()) {
            return self.values(param, false, to);
        }
        let kinds = filters(&self.referee.ruleset().schema, rule);
        if let Some(&kind) = kinds.get(given.len() - rule.params.len()) {
            self.of_type(Type::Piece(kind), false, to);
        }
    }

    /// Whether a word could be a value of the parameter.
    fn fits(&self, param: &Param, word: &str) -> bool {
        match param.ty {
            Type::Piece(_) | Type::List(Element::Piece(_)) | Type::Word(_) => {
                let lower = word.to_lowercase();
                let mut found = Candidates { begun: lower, near: Vec::new(), far: Vec::new() };
                self.of_type(param.ty, false, &mut found);
                word.contains(',') || !found.near.is_empty()
            }
            Type::Whole => word.parse::<i64>().is_ok(),
            Type::Number => crate::language::number::Number::parse(word).is_some(),
            _ => true,
        }
    }

    fn values(&self, param: &Param, far: bool, to: &mut Candidates) {
        match (param.ty, param.bounds) {
            (Type::Whole, Some((low, high))) if high - low < 13 => {
                for n in low..=high {
                    to.offer(&n.to_string(), far);
                }
            }
            (ty, _) => self.of_type(ty, far, to),
        }
    }

    fn of_type(&self, ty: Type, far: bool, to: &mut Candidates) {
        let schema = &self.referee.ruleset().schema;
        match ty {
            Type::Piece(kind) | Type::List(Element::Piece(kind)) => {
                for row in self.table.present(kind) {
                    to.offer(self.table.name(kind, row), far);
                }
            }
            Type::Word(set) | Type::List(Element::Word(set)) => {
                for word in &schema.word_set(set).values {
                    to.offer(word, far);
                }
            }
            Type::Flag => {
                to.offer("on", far);
                to.offer("off", far);
            }
            _ => {}
        }
    }

    fn attribute(&self, attribute: &Attribute, to: &mut Candidates) {
        if attribute.ty == Type::Whole && attribute.high - attribute.low < 13 {
            for n in attribute.low..=attribute.high {
                to.offer(&n.to_string(), false);
            }
        }
        if matches!(attribute.ty, Type::Piece(_) | Type::List(_)) {
            to.offer("none", false);
        }
        self.of_type(attribute.ty, false, to);
    }

    fn settable(&self, kind: KindId) -> impl Iterator<Item = &Attribute> + '_ {
        let kind = self.referee.ruleset().schema.kind(kind);
        let stored = |a: &&Attribute| !matches!(a.storage, Storage::Computed(_)) && !a.fixed;
        kind.attributes.iter().filter(stored)
    }

    fn built_in(&self, which: BuiltIn, rest: &[Word], to: &mut Candidates) {
        let ruleset = self.referee.ruleset();
        let schema = &ruleset.schema;
        let at = rest.len();
        match which {
            BuiltIn::Next if at == 0 || (at == 1 && rest[0].text == "to") => {
                if at == 0 {
                    to.offer("turn", false);
                    to.offer("to", false);
                }
                ruleset.phases.iter().for_each(|p| to.offer(&p.name, false));
            }
            BuiltIn::Odds if rest.first().is_some_and(|w| w.text == "exactly") => {
                self.line(&rest[1..], to);
            }
            BuiltIn::Odds => self.line(rest, to),
            BuiltIn::Amend if at > 0 => self.line(&rest[1..], to),
            BuiltIn::Table if at == 0 => {
                schema.charts.iter().for_each(|c| to.offer(&c.name, false));
                let rows = schema.rules.iter().filter(|r| !r.table.is_empty());
                rows.for_each(|r| to.offer(&r.name, false));
                let lists = schema.kinds.iter().filter(|k| k.role == Role::List);
                lists.for_each(|k| to.offer(&k.name, false));
            }
            BuiltIn::Rule | BuiltIn::Help if at == 0 => {
                schema.rules.iter().for_each(|r| to.offer(&r.name, false));
                ruleset.verbs().iter().for_each(|v| to.offer(v, false));
                if which == BuiltIn::Help {
                    self.verbs().iter().for_each(|v| to.offer(v, false));
                }
            }
            BuiltIn::Add => self.add(rest, to),
            BuiltIn::Set | BuiltIn::Overrule => self.set(rest, to),
            BuiltIn::Why if at == 0 => self.set(rest, to),
            BuiltIn::Remove if at == 0 => {
                for (name, kind, _) in self.table.names() {
                    if !schema.kind(kind).plan {
                        to.offer(name, false);
                    }
                }
            }
            BuiltIn::Show => {
                to.offer("state", false);
                schema.kinds.iter().skip(2).for_each(|k| to.offer(&k.plural, false));
                self.table.names().for_each(|(name, ..)| to.offer(name, false));
            }
            BuiltIn::Undo if at == 0 => to.offer("to", false),
            BuiltIn::Dice if at == 0 => {
                to.offer("auto", false);
                to.offer("physical", false);
            }
            BuiltIn::Dice if at == 1 => ruleset.verbs().iter().for_each(|v| to.offer(v, false)),
            BuiltIn::Stats if at == 0 => to.offer("pace", false),
            BuiltIn::Option if at == 0 => {
                ruleset.options.iter().for_each(|o| to.offer(&o.name, false));
            }
            BuiltIn::Option if at == 1 => {
                if let Some(attribute) = schema.kind(OPTION).attribute(&rest[0].text) {
                    self.attribute(attribute, to);
                }
            }
            _ => {}
        }
    }

    fn add(&self, rest: &[Word], to: &mut Candidates) {
        let schema = &self.referee.ruleset().schema;
        let Some((kind, rest)) = rest.split_first() else {
            let pieces = schema.kinds.iter().filter(|k| k.role == Role::Pieces && !k.plan);
            return pieces.for_each(|k| to.offer(&k.name, false));
        };
        let Some(kind) = schema.kind_named(&kind.text) else { return };
        // The name, then attributes and values in turns.
        let named = rest.first().is_some_and(|w| schema.kind(kind).attribute(&w.text).is_none());
        self.pairs(kind, &rest[usize::from(named)..], to);
    }

    fn pairs(&self, kind: KindId, rest: &[Word], to: &mut Candidates) {
        match rest.last() {
            Some(last) if rest.len() % 2 == 1 => {
                if let Some(attribute) =
                    self.referee.ruleset().schema.kind(kind).attribute(&last.text)
                {
                    self.attribute(attribute, to);
                }
            }
            _ => self.settable(kind).for_each(|a| to.offer(&a.name, false)),
        }
    }

    fn target(&self, name: &str) -> Option<(KindId, u32)> {
        match name {
            "state" => Some((STATE, 0)),
            "option" => Some((OPTION, 0)),
            _ => self.table.find(name),
        }
    }

    fn set(&self, rest: &[Word], to: &mut Candidates) {
        let Some((first, rest)) = rest.split_first() else {
            if let Some((piece, _)) = to.begun.clone().rsplit_once('.')
                && let Some((kind, _)) = self.target(piece)
            {
                self.settable(kind).for_each(|a| to.offer(&format!("{piece}.{}", a.name), false));
            }
            to.offer("state.", true);
            self.table.names().for_each(|(name, ..)| to.offer(&format!("{name}."), true));
            return;
        };
        let schema = &self.referee.ruleset().schema;
        if let Some((piece, attribute)) = first.text.rsplit_once('.')
            && let Some((kind, _)) = self.target(piece)
        {
            if rest.is_empty() {
                if let Some(attribute) = schema.kind(kind).attribute(attribute) {
                    self.attribute(attribute, to);
                }
            } else {
                self.pairs(kind, &rest[1..], to);
            }
        } else if let Some((kind, _)) = self.target(&first.text) {
            self.pairs(kind, rest, to);
        }
    }
}
