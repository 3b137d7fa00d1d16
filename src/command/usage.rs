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

/// A line being matched against a usage.
struct Matching<'a> {
    words: &'a [Token],
    /// The word of the usage that each of them may shorten.
    shortened: Vec<Option<&'a str>>,
    arguments: Vec<Option<Argument>>,
    /// The misfit furthest into the line, which is the one reported.
    worst: Option<Misfit>,
    /// Where a line is completed: gets what could follow its words, in all the ways they fit. Nothing fits then, so
    /// that every way is gone.
    offers: Option<&'a mut Candidates>,
}

impl<'a> Matching<'a> {
    fn of(rule: &RuleText, words: &'a [Token]) -> Matching<'a> {
        let arguments = vec![None; rule.params.len()];
        Matching { words, shortened: Vec::new(), arguments, worst: None, offers: None }
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
        for shortened in [false, true] {
            for &id in rules {
                let rule = &self.ruleset().schema.rules[id.index()];
                match self.one_rule(id, rule, words, shortened) {
                    Ok(action) => return Ok((id, action)),
                    Err(misfit) if worst.as_ref().is_none_or(|w| misfit.at > w.at) => {
                        worst = Some(misfit);
                    }
                    Err(_) => {}
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

    /// Returns the word of the usage that each word shortens, if it does.
    fn shortened<'u>(&self, rule: &'u RuleText, words: &[Token]) -> Vec<Option<&'u str>> {
        let mut literals = Vec::new();
        match &rule.usage {
            // Where a text stands, any word may be part of it; and no line with so many words is typed in haste.
            Some(usage) if words.len() <= MAX_SHORTENED && !takes_text(rule) => {
                literal_words(&usage.parts, &mut literals);
            }
            _ => {}
        }
        let one = |word: &Token| match names::find(&word.text, literals.iter().copied()) {
            Match::Beginning(literal) if !word.quoted && word.text.chars().count() > 1 => {
                let taken = self.table.find(&word.text).is_some()
                    || rule.params.iter().any(|p| self.is_named(p.ty, &word.text));
                (!taken).then_some(literal)
            }
            _ => None,
        };
        words.iter().map(one).collect()
    }

    fn one_rule(
        &self,
        id: RuleId,
        rule: &RuleText,
        words: &[Token],
        shortened: bool,
    ) -> Result<Action, Misfit> {
        let Some(usage) = &rule.usage else { return self.in_order(id, rule, words) };
        let mut matching = Matching::of(rule, words);
        if shortened {
            matching.shortened = self.shortened(rule, words);
        }
        let parts: Vec<&UsagePart> = usage.parts.iter().collect();
        if self.fit(rule, &parts, 0, &mut matching) {
            let arguments = matching.arguments;
            return Ok(Action::Rule { rule: id, arguments, only: Vec::new() });
        }
        Err(matching.worst.unwrap_or_else(|| Misfit {
            at: 0,
            error: LineError::new(words.first(), "this does not fit"),
        }))
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
        let offers = Some(to);
        self.fit(rule, &parts, 0, &mut Matching { offers, ..Matching::of(rule, words) });
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
        if at >= m.words.len() {
            if let Some(to) = m.offers.as_deref_mut() {
                self.offer(rule, parts, false, to);
                return false;
            }
            return self.fit_first(rule, &parts[next..], at, m);
        }
        let (begun, others): (Vec<usize>, Vec<usize>) =
            (0..next).partition(|&i| self.begins(rule, parts[i], at, m));
        // What is written of a line is not yet out of its order.
        let last = if m.offers.is_some() { next } else { parts.len() };
        let later: Vec<usize> =
            (next..last).filter(|&i| optional(parts[i]) && m.is_begun(parts[i], at)).collect();
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
    fn begins(&self, rule: &RuleText, part: &UsagePart, at: usize, m: &Matching<'_>) -> bool {
        let first = match part {
            UsagePart::Optional(inner) => inner.first(),
            _ => None,
        };
        match first {
            Some(UsagePart::Fill(param, _)) => {
                self.try_once() && self.argument(&rule.params[*param], &m.words[at]).is_ok()
            }
            _ => m.is_begun(part, at),
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
            UsagePart::Flag(literal, param) if m.is_word(at, literal) => {
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
                // Little words may be left out.
                (m.is_word(at, literal) && self.fit(rule, rest, at + 1, m))
                    || self.fit(rule, rest, at, m)
            }
            UsagePart::Fill(param, many) => self.fit_values(rule, (*param, *many), rest, at, m),
            UsagePart::Flag(..) | UsagePart::Optional(_) => self.fit(rule, parts, at, m),
        }
    }

    /// Fits a word to a parameter, or one or more, as many as possible.
    fn fit_values(
        &self,
        rule: &RuleText,
        (param, many): (usize, bool),
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
        // What each number of words stands for; `a,b` stands for several.
        let mut values: Vec<Argument> = Vec::new();
        for (i, word) in m.words.iter().enumerate().skip(at) {
            let value = match (self.argument(wanted, word), values.last()) {
                (Ok(Argument::Members(found)), Some(Argument::Members(before))) => {
                    if before.iter().any(|m| found.contains(m)) {
                        let message = format!("`{}` stands in `{}` twice", word.text, wanted.name);
                        m.misfit(i, LineError::new(Some(word), message));
                        break;
                    }
                    Argument::Members([before.as_slice(), &found].concat())
                }
                (Ok(value), _) => value,
                (Err(error), _) => {
                    m.misfit(i, error);
                    break;
                }
            };
            values.push(value);
            if !many {
                break;
            }
        }
        let at_end = many && at + values.len() == m.words.len();
        while let Some(value) = values.pop() {
            m.arguments[param] = Some(value);
            if self.fit(rule, rest, at + values.len() + 1, m) {
                return true;
            }
        }
        m.arguments[param] = None;
        if let Some(to) = m.offers.as_deref_mut().filter(|_| at_end) {
            self.offer_values(wanted, false, to);
        }
        false
    }
}

impl Matching<'_> {
    /// Returns true if the word at a place is this word of the usage, or stands for it.
    fn is_word(&self, at: usize, literal: &str) -> bool {
        let Some(word) = self.words.get(at).filter(|w| !w.quoted) else { return false };
        let begun = || literal.get(..word.text.len()).unwrap_or(literal);
        let typed = if self.offers.is_some() { begun() } else { literal };
        word.text.eq_ignore_ascii_case(typed)
            || self.shortened.get(at).is_some_and(|s| *s == Some(literal))
    }

    /// Returns true if an optional part begins with the word at a place.
    fn is_begun(&self, part: &UsagePart, at: usize) -> bool {
        match part {
            UsagePart::Flag(literal, _) | UsagePart::Word(literal) => self.is_word(at, literal),
            UsagePart::Optional(inner) => inner.first().is_some_and(|p| self.is_begun(p, at)),
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

fn takes_text(rule: &RuleText) -> bool {
    rule.params.iter().any(|p| p.ty == Type::Text)
}

/// Returns the usage of a rule, or its name and parameters if it has none.
pub(crate) fn usage_text(rule: &RuleText) -> String {
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
