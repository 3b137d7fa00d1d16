//! Matching of lines that call rules: against their usages, or their parameters in order.

use super::{Candidates, LineError, Reading, Token};
use crate::language::compile::filters;
use crate::language::rule::{RuleText, Usage, UsagePart};
use crate::language::schema::{RuleId, Type};
use crate::names::{self, Match};
use crate::referee::{Action, Argument};

/// The word of a line at which a usage stopped fitting, and why.
struct Misfit {
    at: usize,
    error: LineError,
}

/// The most attempts to fit a line to usages; a line that fits is found long before.
pub(super) const MAX_TRIES: u32 = 10_000;

/// The most words of a line in which usage words may be shortened.
const MAX_SHORTENED: usize = 64;

/// The words of a line that are taken for shortened words of the usage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shortened {
    /// None.
    None,
    /// Those that cannot be a value of the usage.
    NoValue,
    /// All but the names of values.
    NoName,
}

/// A line being matched against a usage.
struct Matching<'a> {
    words: &'a [Token],
    arguments: Vec<Option<Argument>>,
    /// The misfit furthest into the line, which is the one reported.
    worst: Option<Misfit>,
    /// Where a line is completed: gets what could follow its words, in all the ways they fit. Nothing fits then, so
    /// that every way is gone.
    offers: Option<&'a mut Candidates>,
}

impl<'a> Matching<'a> {
    fn of(rule: &RuleText, words: &'a [Token], offers: Option<&'a mut Candidates>) -> Matching<'a> {
        Matching { words, arguments: vec![None; rule.params.len()], worst: None, offers }
    }
}

impl Reading<'_> {
    /// Returns the call of the first rule whose usage fits the words, as they stand or with usage words shortened.
    pub(super) fn rules(
        &self,
        verb: &Token,
        rules: &[RuleId],
        words: &[Token],
    ) -> Result<(RuleId, Action), LineError> {
        let mut worst: Option<Misfit> = None;
        for shortened in [Shortened::None, Shortened::NoValue, Shortened::NoName] {
            for &id in rules {
                let rule = &self.ruleset().schema.rules[id.index()];
                let whole = match shortened {
                    Shortened::None => words.to_vec(),
                    _ => match self.lengthened(rule, words, shortened) {
                        Some(whole) => whole,
                        None => continue,
                    },
                };
                match self.one_rule(id, rule, &whole) {
                    Ok(action) => return Ok((id, action)),
                    Err(misfit) => {
                        if worst.as_ref().is_none_or(|w| misfit.at > w.at) {
                            worst = Some(misfit);
                        }
                    }
                }
            }
        }
        let error = match worst {
            Some(misfit) => misfit.error,
            None => LineError::new(Some(verb), format!("`{}` cannot be used", verb.text)),
        };
        let usages: Vec<String> =
            rules.iter().map(|id| usage_text(&self.ruleset().schema.rules[id.index()])).collect();
        Err(match error.help {
            None => error.help(format!("write `{}`", usages.join("` or `"))),
            Some(_) => error,
        })
    }

    /// Writes shortened usage words out in full; returns `None` if there are none.
    fn lengthened(
        &self,
        rule: &RuleText,
        words: &[Token],
        shortened: Shortened,
    ) -> Option<Vec<Token>> {
        // Where a text stands, any word may be part of it; and no line with so many words is typed in haste.
        if words.len() > MAX_SHORTENED || rule.params.iter().any(|p| p.ty == Type::Text) {
            return None;
        }
        let mut literals = Vec::new();
        literal_words(&rule.usage.as_ref()?.parts, &mut literals);
        let mut any = false;
        let whole = words
            .iter()
            .map(|word| match self.literal_begun(rule, &literals, word, shortened) {
                Some(literal) => {
                    any = true;
                    Token { text: literal.to_owned(), ..word.clone() }
                }
                None => word.clone(),
            })
            .collect();
        any.then_some(whole)
    }

    /// Returns the only word of the usage that begins with what is typed.
    fn literal_begun<'u>(
        &self,
        rule: &RuleText,
        literals: &[&'u str],
        word: &Token,
        shortened: Shortened,
    ) -> Option<&'u str> {
        let lower = word.text.to_lowercase();
        if word.quoted || lower.chars().count() < 2 {
            return None;
        }
        let Match::Beginning(literal) = names::find(&lower, literals.iter().copied()) else {
            return None;
        };
        let is_value = match shortened {
            Shortened::NoValue => rule.params.iter().any(|p| self.argument(p, word).is_ok()),
            _ => false,
        };
        let taken = self.table.find(&word.text).is_some()
            || rule.params.iter().any(|p| self.is_named(p.ty, &word.text))
            || is_value;
        (!taken).then_some(literal)
    }

    fn one_rule(&self, id: RuleId, rule: &RuleText, words: &[Token]) -> Result<Action, Misfit> {
        if let Some(usage) = &rule.usage {
            let mut matching = Matching::of(rule, words, None);
            let parts: Vec<&UsagePart> = usage.parts.iter().collect();
            if self.fit(rule, &parts, 0, &mut matching) {
                let arguments = matching.arguments;
                return Ok(Action::Rule { rule: id, arguments, only: Vec::new() });
            }
            return Err(matching.worst.unwrap_or_else(|| Misfit {
                at: 0,
                error: LineError::new(words.first(), "this does not fit"),
            }));
        }
        self.in_order(id, rule, words)
    }

    /// Offers what can follow these words of a usage.
    pub(super) fn complete_usage(
        &self,
        rule: &RuleText,
        usage: &Usage,
        words: &[Token],
        to: &mut Candidates,
    ) {
        self.tries.set(MAX_TRIES);
        let parts: Vec<&UsagePart> = usage.parts.iter().collect();
        self.fit(rule, &parts, 0, &mut Matching::of(rule, words, Some(to)));
    }

    /// Offers what can stand first in these parts of a usage.
    fn offer(&self, rule: &RuleText, parts: &[&UsagePart], far: bool, to: &mut Candidates) {
        let Some((part, rest)) = parts.split_first() else { return };
        match part {
            UsagePart::Word(literal) => {
                to.add(literal, far);
                self.offer(rule, rest, true, to);
            }
            UsagePart::Flag(literal, _) => {
                to.add(literal, far);
                self.offer(rule, rest, far, to);
            }
            UsagePart::Optional(inner) => {
                self.offer(rule, &inner.iter().collect::<Vec<_>>(), far, to);
                self.offer(rule, rest, far, to);
            }
            UsagePart::Fill(param, _) => self.offer_values(&rule.params[*param], far, to),
        }
    }

    /// Matches a rule without usage: its parameters in order, then the pieces its sweep is narrowed to.
    fn in_order(&self, id: RuleId, rule: &RuleText, words: &[Token]) -> Result<Action, Misfit> {
        let mut arguments = Vec::new();
        let misfit = |at: usize, error: LineError| Misfit { at: at + 1, error };
        for (i, param) in rule.params.iter().enumerate() {
            match words.get(i) {
                Some(word) => {
                    let value = self.argument(param, word).map_err(|e| misfit(i, e))?;
                    arguments.push(Some(value));
                }
                None if rule.optional.get(i) == Some(&true) => arguments.push(None),
                None => {
                    let message = format!("`{}` needs `{}`", rule.name, param.name);
                    return Err(misfit(i, LineError::new(None, message)));
                }
            }
        }
        let schema = &self.ruleset().schema;
        let kinds = filters(schema, rule);
        let rest = words.get(rule.params.len()..).unwrap_or(&[]);
        let mut only = Vec::new();
        for (i, word) in rest.iter().enumerate() {
            let at = rule.params.len() + i;
            let Some(&kind) = kinds.get(i) else {
                let message = format!("`{}` is too much here", word.text);
                return Err(misfit(at, LineError::new(Some(word), message)));
            };
            only.push(self.piece(kind, word).map_err(|e| misfit(at, e))?);
        }
        Ok(Action::Rule { rule: id, arguments, only })
    }

    /// Fits the words from `at` on to the parts and fills in the arguments; returns false if they do not fit.
    ///
    /// Optional parts may stand in any order: those that are next in the usage are tried first, the one that the
    /// word begins before the others; then what must follow; then optional parts from further on.
    fn fit(&self, rule: &RuleText, parts: &[&UsagePart], at: usize, m: &mut Matching<'_>) -> bool {
        if !self.try_once() {
            return false;
        }
        let optional = |p: &UsagePart| matches!(p, UsagePart::Optional(_) | UsagePart::Flag(..));
        let next = parts.iter().take_while(|p| optional(p)).count();
        let Some(word) = m.words.get(at) else {
            if let Some(to) = m.offers.as_deref_mut() {
                self.offer(rule, parts, false, to);
                return false;
            }
            return self.fit_first(rule, &parts[next..], at, m);
        };
        let (begun, others): (Vec<usize>, Vec<usize>) =
            (0..next).partition(|&i| self.begins(rule, parts[i], word, m));
        // What is written of a line is not yet out of its order.
        let last = if m.offers.is_some() { next } else { parts.len() };
        let later: Vec<usize> =
            (next..last).filter(|&i| optional(parts[i]) && m.is_begun(parts[i], word)).collect();
        begun.into_iter().chain(others).any(|i| self.fit_optional(rule, parts, i, at, m))
            || self.fit_first(rule, &parts[next..], at, m)
            || later.into_iter().any(|i| self.fit_optional(rule, parts, i, at, m))
    }

    /// Counts an attempt; returns false if none is left.
    fn try_once(&self) -> bool {
        let left = self.tries.get();
        self.tries.set(left.saturating_sub(1));
        left > 0
    }

    /// Returns true if an optional part begins with this word.
    fn begins(&self, rule: &RuleText, part: &UsagePart, word: &Token, m: &Matching<'_>) -> bool {
        let first = match part {
            UsagePart::Optional(inner) => inner.first(),
            _ => None,
        };
        match first {
            Some(UsagePart::Fill(param, _)) => {
                self.try_once() && self.argument(&rule.params[*param], word).is_ok()
            }
            _ => m.is_begun(part, word),
        }
    }

    /// Fits the optional part at a place first, then the others.
    fn fit_optional(
        &self,
        rule: &RuleText,
        parts: &[&UsagePart],
        place: usize,
        at: usize,
        m: &mut Matching<'_>,
    ) -> bool {
        let mut rest = parts.to_vec();
        let before = m.arguments.clone();
        let fits = match rest.remove(place) {
            UsagePart::Flag(literal, param) if m.is_word(&m.words[at], literal) => {
                m.arguments[*param] = Some(Argument::Value(1));
                self.fit(rule, &rest, at + 1, m)
            }
            UsagePart::Optional(inner) => {
                let inner: Vec<&UsagePart> = inner.iter().collect();
                self.fit(rule, &[inner, rest].concat(), at, m)
            }
            UsagePart::Flag(..) | UsagePart::Word(_) | UsagePart::Fill(..) => false,
        };
        if !fits {
            m.arguments = before;
        }
        fits
    }

    /// Fits the first part, which must be there.
    fn fit_first(
        &self,
        rule: &RuleText,
        parts: &[&UsagePart],
        at: usize,
        m: &mut Matching<'_>,
    ) -> bool {
        let Some((part, rest)) = parts.split_first() else {
            return match m.words.get(at) {
                None => true,
                Some(word) => {
                    let message = format!("`{}` does not fit here", word.text);
                    m.misfit(at, LineError::new(Some(word), message))
                }
            };
        };
        match part {
            UsagePart::Word(literal) => {
                let there = m.words.get(at).is_some_and(|w| m.is_word(w, literal));
                // Little words may be left out.
                (there && self.fit(rule, rest, at + 1, m)) || self.fit(rule, rest, at, m)
            }
            UsagePart::Fill(param, true) => self.fit_many(rule, *param, rest, at, m),
            UsagePart::Fill(param, false) => self.fit_one(rule, *param, rest, at, m),
            UsagePart::Flag(..) | UsagePart::Optional(_) => self.fit(rule, parts, at, m),
        }
    }

    fn fit_one(
        &self,
        rule: &RuleText,
        param: usize,
        rest: &[&UsagePart],
        at: usize,
        m: &mut Matching<'_>,
    ) -> bool {
        let wanted = &rule.params[param];
        let Some(word) = m.words.get(at) else {
            let message = format!("`{}` is missing", wanted.name);
            return m.misfit(at, LineError::new(None, message));
        };
        // A text at the end of a usage takes the rest of the line.
        if wanted.ty == Type::Text && rest.is_empty() && !word.quoted {
            let end = m.words.last().map_or(word.end, |w| w.end);
            let text = self.line.get(word.start..end).unwrap_or(&word.text).to_owned();
            m.arguments[param] = Some(Argument::Text(text));
            return self.fit(rule, rest, m.words.len(), m);
        }
        match self.argument(wanted, word) {
            Ok(value) => {
                m.arguments[param] = Some(value);
                if self.fit(rule, rest, at + 1, m) {
                    return true;
                }
                m.arguments[param] = None;
                false
            }
            Err(error) => m.misfit(at, error),
        }
    }

    /// Fits one or more words to a parameter, as many as possible.
    fn fit_many(
        &self,
        rule: &RuleText,
        param: usize,
        rest: &[&UsagePart],
        at: usize,
        m: &mut Matching<'_>,
    ) -> bool {
        let mut members: Vec<Vec<u32>> = Vec::new();
        while let Some(word) = m.words.get(at + members.len()) {
            // `a,b` stands for several.
            match self.argument(&rule.params[param], word) {
                Ok(Argument::Members(found))
                    if members.iter().flatten().any(|m| found.contains(m)) =>
                {
                    let name = &rule.params[param].name;
                    let message = format!("`{}` stands in `{name}` twice", word.text);
                    m.misfit(at + members.len(), LineError::new(Some(word), message));
                    break;
                }
                Ok(Argument::Members(found)) => members.push(found),
                Ok(_) => break,
                Err(error) => {
                    m.misfit(at + members.len(), error);
                    break;
                }
            }
        }
        if members.is_empty() && at >= m.words.len() {
            let message = format!("`{}` is missing", rule.params[param].name);
            return m.misfit(at, LineError::new(None, message));
        }
        let at_end = at + members.len() == m.words.len();
        while !members.is_empty() {
            m.arguments[param] = Some(Argument::Members(members.concat()));
            if self.fit(rule, rest, at + members.len(), m) {
                return true;
            }
            members.pop();
        }
        m.arguments[param] = None;
        if let Some(to) = m.offers.as_deref_mut().filter(|_| at_end) {
            self.offer_values(&rule.params[param], false, to);
        }
        false
    }
}

impl Matching<'_> {
    /// Returns true if a word is this word of the usage, or its beginning where a line is completed.
    fn is_word(&self, word: &Token, literal: &str) -> bool {
        let typed = match self.offers {
            Some(_) => literal.get(..word.text.len()).unwrap_or(literal),
            None => literal,
        };
        !word.quoted && word.text.eq_ignore_ascii_case(typed)
    }

    /// Returns true if an optional part begins with this word of its own.
    fn is_begun(&self, part: &UsagePart, word: &Token) -> bool {
        match part {
            UsagePart::Flag(literal, _) | UsagePart::Word(literal) => self.is_word(word, literal),
            UsagePart::Optional(inner) => inner.first().is_some_and(|p| self.is_begun(p, word)),
            UsagePart::Fill(..) => false,
        }
    }

    /// Records the reason if it is the furthest into the line so far, and returns no match.
    fn misfit(&mut self, at: usize, error: LineError) -> bool {
        // A word that is there and wrong says more than one that is missing further on.
        let at = at + 1;
        if self.worst.as_ref().is_none_or(|w| at > w.at) {
            self.worst = Some(Misfit { at, error });
        }
        false
    }
}

/// Collects the words of a usage, each once.
fn literal_words<'u>(parts: &'u [UsagePart], found: &mut Vec<&'u str>) {
    for part in parts {
        match part {
            UsagePart::Word(literal) | UsagePart::Flag(literal, _) => {
                if !found.contains(&literal.as_str()) {
                    found.push(literal);
                }
            }
            UsagePart::Optional(inner) => literal_words(inner, found),
            UsagePart::Fill(..) => {}
        }
    }
}

/// Returns the usage of a rule, or its name and parameters if it has none.
pub fn usage_text(rule: &RuleText) -> String {
    match &rule.usage {
        Some(usage) => usage.text.clone(),
        None => {
            let mut text = rule.name.clone();
            for param in &rule.params {
                text.push_str(&format!(" <{}>", param.name));
            }
            for source in &rule.each {
                text.push_str(&format!(" [{}]", source.name.text));
            }
            text
        }
    }
}
