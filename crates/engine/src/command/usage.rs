//! Matches typed lines against the usages of rules.

use super::value::may_repeat;
use super::{CompletionCandidates, LineError, Proposal, Reading, Token, shorten_word};
use crate::language::compile::sweep_filter_kinds;
use crate::language::machine::World;
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::{Param, RuleId, Type};
use crate::names::{self, Match};
use crate::referee::{Action, PartialArgument, PartialCall, Referee};
use crate::tabletop::{Argument, Tabletop};

/// The word of a line at which a usage stopped fitting, counted from 1, and the reason. The number
/// is 0 if the mismatch has no definite place.
pub(super) struct UsageMismatch {
    pub at: usize,
    pub error: LineError,
}

/// The meaning that a reading gives to a word of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WordSense {
    /// The word of the usage, or the names of the pieces or values, that the typed word means.
    text: String,
    /// True if the typed word means a word of the usage, such as a flag.
    literal: bool,
    /// True if the typed word is not abbreviated.
    whole: bool,
}

/// A reading of a line as a rule call.
#[derive(Clone)]
pub struct UsageFit {
    pub rule: RuleId,
    /// The arguments of the rule, then the pieces that its sweep is narrowed to.
    arguments: Vec<Option<Argument>>,
    /// The number of arguments that the rule takes.
    takes: usize,
    senses: Vec<WordSense>,
    /// The number of optional parts that are out of order in the line.
    late: usize,
    /// The number of literal words of the usage that are left out.
    left_out: usize,
}

/// Returns the row of the piece in an argument; `None` if the argument isn't a single piece.
fn piece_row(given: &Argument) -> Option<u32> {
    match given {
        Argument::Value(row) => u32::try_from(*row).ok(),
        Argument::Text(_) | Argument::Named(_) | Argument::Members(_) => None,
    }
}

impl UsageFit {
    /// Returns the action for the call that this reading means.
    pub(super) fn action(mut self) -> Action {
        let narrowed = self.arguments.split_off(self.takes);
        let only = narrowed.iter().flatten().filter_map(piece_row).collect();
        Action::Rule { rule: self.rule, arguments: self.arguments, only }
    }

    /// Returns the rank of the reading: the numbers of abbreviated words, of parts out of order,
    /// and of words left out. The lowest rank is the best.
    pub(super) fn rank(&self) -> (usize, usize, usize) {
        (self.begun_count(), self.late, self.left_out)
    }

    fn begun_count(&self) -> usize {
        self.senses.iter().filter(|s| !s.whole).count()
    }

    /// Returns the index of the first abbreviated word that has a different meaning in the other
    /// reading, if there is one.
    fn first_dispute(&self, other: &UsageFit) -> Option<usize> {
        let mut pairs = self.senses.iter().zip(&other.senses);
        pairs.position(|(one, two)| {
            !one.whole && (one.literal, &one.text) != (two.literal, &two.text)
        })
    }
}

/// The maximum number of attempts to fit a line to the usages of a verb. A line that fits needs far
/// fewer.
pub(super) const MAX_TRIES: u32 = 10_000;

/// The maximum number of attempts for a line, over all orders in which its words are tried.
pub(super) const MAX_TRIES_OF_LINE: u32 = 40_000;

/// The minimum number of attempts that each order of the words costs, even if it fails at once.
pub(super) const TRIES_OF_ORDER: u32 = 20;

/// The maximum length, in bytes, of a usage that can be understood without an example.
const MAX_CLEAR_USAGE: usize = 60;

/// The maximum number of words in a line in which words of the usage may be abbreviated.
const MAX_SHORTENED: usize = 64;

/// The state of an attempt to match a line against a usage.
struct UsageMatching<'a> {
    reading: &'a Reading<'a>,
    rule: &'a RuleText,
    /// The parameters of the rule, then one for each piece that its sweep can be narrowed to.
    params: Vec<Param>,
    words: &'a [Token],
    /// For each of the words, true if it may abbreviate a word of the usage. Empty if none may.
    shortens: Vec<bool>,
    /// The reading so far: the meaning of the words before the current one.
    fit: UsageFit,
    /// The number of literal words of the usage that were skipped but come later in the line.
    astray: usize,
    /// The readings found.
    found: Vec<UsageFit>,
    /// The mismatch furthest into the line. This is the one that is reported.
    worst: Option<UsageMismatch>,
    /// The collected words that could follow the line, for every way in which it fits. `None` if
    /// the line is not being completed.
    offers: Option<&'a mut CompletionCandidates>,
}

impl Reading<'_> {
    /// Returns the best reading of the words as a call of one of the rules. Fails if two equally
    /// good readings differ in meaning. If no reading fits, the error is the mismatch furthest into
    /// the line.
    pub(super) fn best_call(
        &self,
        rules: &[RuleId],
        words: &[Token],
    ) -> Result<UsageFit, UsageMismatch> {
        let mut fits: Vec<UsageFit> = Vec::new();
        let mut worst: Option<(UsageMismatch, RuleId)> = None;
        for &id in rules {
            let matching = self.match_usage(id, words, None);
            match matching.worst {
                Some(misfit)
                    if matching.found.is_empty()
                        && worst.as_ref().is_none_or(|(w, _)| misfit.at > w.at) =>
                {
                    worst = Some((misfit, id));
                }
                _ => fits.extend(matching.found),
            }
        }
        // If readings with the same meaning are equally good, the first one is used, because it
        // fills the parts from left to right.
        if let Some(best) = (0..fits.len()).min_by_key(|&i| fits[i].rank()) {
            let best = fits.remove(best);
            return match fits.iter().find_map(|other| self.ambiguity_error(words, &best, other)) {
                Some(error) => Err(UsageMismatch { at: words.len() + 1, error }),
                None => Ok(best),
            };
        }
        let Some((mut misfit, id)) = worst else {
            let error = LineError::new(words.first(), "this does not fit any usage");
            return Err(UsageMismatch { at: 0, error });
        };
        let rule = &self.ruleset().schema.rules[id.index()];
        let mut literals = Vec::new();
        rule.usage.iter().for_each(|usage| collect_literal_words(&usage.parts, &mut literals));
        let wrong = misfit.at.checked_sub(1).and_then(|at| words.get(at));
        // A word that is the name of a piece wasn't mistyped.
        let wrong = wrong.filter(|w| {
            w.text.len() > 3
                && !literals.contains(&w.text.as_str())
                && self.table.find(&w.text).is_none()
        });
        let near = wrong.and_then(|w| names::nearest(&w.text, literals));
        if let Some(near) = near.filter(|near| self.fits_with(rules, words, misfit.at, near)) {
            misfit.error = misfit.error.near_name(near);
            return Err(misfit);
        }
        // A name is suggested only if the line fits with it.
        if let Some(Proposal::Name(name)) = misfit.error.proposal.as_deref()
            && !self.fits_with(rules, words, misfit.at, name)
        {
            misfit.error.help = None;
        }
        if misfit.error.help.is_none() {
            let usage = usage_text(rule);
            misfit.error.wants_sample = usage.len() > MAX_CLEAR_USAGE;
            misfit.error.help = Some(format!("write `{usage}`").into());
            misfit.error.proposal = Some(Box::new(Proposal::Verb(rule.verb().to_owned())));
        }
        Err(misfit)
    }

    /// Returns true if the words fit one of the rules with `text` instead of the word that was
    /// reported. Also returns true for names joined by commas, because it isn't known which of them
    /// is wrong.
    fn fits_with(&self, rules: &[RuleId], words: &[Token], at: usize, text: &str) -> bool {
        let Some(index) = at.checked_sub(1).filter(|&index| index < words.len()) else {
            return false;
        };
        if words[index].text.contains(',') {
            return true;
        }
        let mut words = words.to_vec();
        words[index].text = text.to_owned();
        self.tries.set(MAX_TRIES);
        rules.iter().any(|&id| !self.match_usage(id, &words, None).found.is_empty())
    }

    /// Returns an error if two equally good readings have different meanings.
    fn ambiguity_error(
        &self,
        words: &[Token],
        best: &UsageFit,
        other: &UsageFit,
    ) -> Option<LineError> {
        if best.begun_count() != other.begun_count() {
            return None;
        }
        if let Some(index) = best.first_dispute(other) {
            let word = &words[index];
            let [one, two] = [best, other].map(|f| &f.senses[index].text);
            let message = format!("`{}` could be `{one}` or `{two}`", shorten_word(&word.text));
            let error = LineError::new(Some(word), message).help("write it in full");
            return Some(error.choices([one, two]));
        }
        if best.rank() != other.rank() {
            return None;
        }
        let rule = |fit: &UsageFit| &self.ruleset().schema.rules[fit.rule.index()];
        if best.rule != other.rule {
            let usages = [best, other].map(|fit| usage_text(rule(fit)));
            let error = LineError::new(None, "this could mean two things");
            return Some(error.help(format!("write `{}`", usages.join("` or `"))));
        }
        // The same words fill different parameters: a list may end at one word or at the next.
        let rule = rule(best);
        let mut differ =
            (0..rule.params.len()).filter(|&i| best.arguments[i] != other.arguments[i]);
        let a = differ.next()?;
        let b = differ.next()?;
        let list = |i: usize| matches!(rule.params[i].ty, Type::List(_));
        (list(a) || list(b)).then(|| {
            let [a, b] = [a, b].map(|i| rule.params[i].name.as_str());
            let message = format!("it is not clear where `{a}` ends and `{b}` begins");
            LineError::new(None, message).help(format!("write `{}`", usage_text(rule)))
        })
    }

    /// Offers the words that can follow the verb of these rules and the words typed so far. If the
    /// attempts run out, records that the line may have other meanings.
    pub(crate) fn complete_rules(
        &self,
        rules: &[RuleId],
        given: &[Token],
        to: &mut CompletionCandidates,
    ) {
        for id in rules {
            self.tries.set(MAX_TRIES);
            self.match_usage(*id, given, Some(to));
            if self.tries.get() == 0 || self.all_tries.get() == 0 {
                to.add_other_meaning();
            }
        }
    }

    /// Fits the words to the usage of a rule in every possible way. `offers`, if given, collects
    /// the words that can follow.
    fn match_usage<'m>(
        &'m self,
        id: RuleId,
        words: &'m [Token],
        offers: Option<&'m mut CompletionCandidates>,
    ) -> UsageMatching<'m> {
        let rule = &self.ruleset().schema.rules[id.index()];
        let (parts, params) = self.usage_parts(rule);
        let named = |word: &Token| {
            self.table.find(&word.text).is_some()
                || params.iter().any(|p| self.is_whole_name(p.ty, &word.text))
        };
        // In a text, any word may be meant literally, and people who type many words don't
        // abbreviate the usage.
        let shortens = if words.len() > MAX_SHORTENED || rule.takes_text() {
            Vec::new()
        } else {
            words.iter().map(|word| !word.quoted && !named(word)).collect()
        };
        let fit = UsageFit {
            rule: id,
            arguments: vec![None; params.len()],
            takes: rule.params.len(),
            senses: Vec::new(),
            late: 0,
            left_out: 0,
        };
        let mut matching = UsageMatching {
            reading: self,
            rule,
            params,
            words,
            shortens,
            fit,
            astray: 0,
            found: Vec::new(),
            worst: None,
            offers,
        };
        matching.fit(&parts.iter().collect::<Vec<_>>(), 0);
        matching
    }

    /// Returns the parts of a rule's usage, and its parameters. A rule without a usage takes its
    /// parameters in order, then the pieces that its sweep is narrowed to.
    fn usage_parts(&self, rule: &RuleText) -> (Vec<UsagePart>, Vec<Param>) {
        let mut params = rule.params.clone();
        if let Some(usage) = &rule.usage {
            return (usage.parts.clone(), params);
        }
        let mut parts: Vec<UsagePart> =
            (0..params.len()).map(|param| UsagePart::Fill(param, false)).collect();
        let kinds = sweep_filter_kinds(&self.ruleset().schema, rule);
        for (source, kind) in rule.each.iter().zip(kinds) {
            params.push(Param::built_in(&source.name.text, Type::Piece(kind)));
        }
        let narrowing = (rule.params.len()..params.len()).rev().fold(Vec::new(), |inner, param| {
            let fill = UsagePart::Fill(param, false);
            vec![UsagePart::Optional([vec![fill], inner].concat())]
        });
        parts.extend(narrowing);
        (parts, params)
    }

    /// Counts an attempt. Returns false if no attempts were left.
    fn count_try(&self) -> bool {
        let left = self.tries.get();
        self.tries.set(left.saturating_sub(1));
        left > 0 && self.count_tries_of_line(1)
    }

    /// Counts attempts for the entire line. Returns false if no attempts were left.
    pub(super) fn count_tries_of_line(&self, count: u32) -> bool {
        let left = self.all_tries.get();
        self.all_tries.set(left.saturating_sub(count));
        left > 0
    }

    /// If the word could mean several pieces, but only one of the side to move, returns the word
    /// with the full name of that piece. Returns `None` in all other cases, and if `param` is not
    /// the acting piece.
    fn complete_to_own_piece(&self, rule: &RuleText, param: usize, word: &Token) -> Option<Token> {
        if rule.acting_piece() != Some(param) {
            return None;
        }
        let Type::Piece(kind) = rule.params[param].ty else { return None };
        let all = self.table.present_pieces(kind).map(|row| self.table.name(kind, row));
        let own = self.pieces_of_side_to_move(kind);
        match (names::find_name(&word.text, all), names::find_name(&word.text, own)) {
            (Match::Several(_), Match::One(name)) => {
                Some(Token { text: name.to_owned(), ..word.clone() })
            }
            _ => None,
        }
    }

    /// Returns the meaning of a word that was read as this value of a parameter.
    fn sense(&self, ty: Type, word: &Token, value: &Argument) -> WordSense {
        let name = |n: u32| match ty.member_or_self() {
            Type::Piece(kind) => Some(self.table.name(kind, n).to_owned()),
            Type::Word(set) => self.ruleset().schema.word_set(set).values.get(n as usize).cloned(),
            _ => None,
        };
        let names: Option<Vec<String>> = match value {
            Argument::Value(n) => u32::try_from(*n).ok().and_then(name).map(|n| vec![n]),
            Argument::Members(members) => members.iter().map(|&n| name(n)).collect(),
            Argument::Text(_) | Argument::Named(_) => None,
        };
        let whole = names.is_none() || self.is_whole_names(ty, &word.text);
        let text = names.map_or_else(|| word.text.clone(), |names| names.join(","));
        WordSense { text, literal: false, whole }
    }
}

/// Returns true if a part may be left out.
fn is_optional(part: &UsagePart) -> bool {
    matches!(part, UsagePart::Optional(_) | UsagePart::Flag(..))
}

/// Marks the parameters that a part fills.
fn mark_params(part: &UsagePart, marks: &mut [bool]) {
    match part {
        UsagePart::Fill(param, _) | UsagePart::Flag(_, param) => marks[*param] = true,
        UsagePart::Optional(inner) => inner.iter().for_each(|inner| mark_params(inner, marks)),
        UsagePart::Word(_) => {}
    }
}

/// Returns the parameter that an optional part fills first, possibly after literal words; `None`
/// for a flag.
fn first_param(part: &UsagePart) -> Option<usize> {
    match part {
        UsagePart::Fill(param, _) => Some(*param),
        UsagePart::Optional(inner) => {
            let first = inner.iter().find(|p| !matches!(p, UsagePart::Word(_)));
            first.and_then(first_param)
        }
        UsagePart::Word(_) | UsagePart::Flag(..) => None,
    }
}

impl UsageMatching<'_> {
    /// Finds all ways in which the words from index `at` on fit the parts.
    ///
    /// Optional parts may come in any order. The optional parts that come next in the usage are
    /// tried first: parts that begin with the typed word, then parts that could take the typed word
    /// as their value. The next required part is tried after them, and optional parts further on
    /// are tried last.
    fn fit(&mut self, parts: &[&UsagePart], at: usize) {
        if !self.reading.count_try() {
            return;
        }
        let next = parts.iter().take_while(|p| is_optional(p)).count();
        if at >= self.words.len() {
            return match self.offers {
                Some(_) => {
                    self.add_call(parts, None);
                    self.offer(parts, false);
                    self.offer_rest(parts);
                }
                None => self.fit_first(&parts[next..], at),
            };
        }
        let (begun, others): (Vec<usize>, Vec<usize>) =
            (0..next).partition(|&i| self.is_begun(parts[i], at));
        // While a line is being completed, optional parts further on are not tried.
        let last = if self.offers.is_some() { next } else { parts.len() };
        let later = (next..last).filter(|&i| is_optional(parts[i]) && self.is_begun(parts[i], at));
        let later: Vec<usize> = later.collect();
        for index in begun {
            self.fit_optional(parts, index, at);
        }
        // If several optional parts could take the word as a value of the same type, only the first
        // is tried.
        let mut filled: Vec<Type> = Vec::new();
        for index in others {
            let first = first_param(parts[index]).map(|param| &self.params[param]);
            let fits = |p: &Param| self.reading.argument(p, &self.words[at]).is_ok();
            let takes = first.filter(|p| self.reading.count_try() && fits(p));
            match takes.map(|param| param.ty) {
                Some(ty) if filled.contains(&ty) => continue,
                Some(ty) => filled.push(ty),
                None => {}
            }
            self.fit_optional(parts, index, at);
        }
        self.fit_first(&parts[next..], at);
        self.fit.late += 1;
        for index in later {
            self.fit_optional(parts, index, at);
        }
        self.fit.late -= 1;
    }

    /// Fits the optional part with index `chosen` first, then the other parts.
    fn fit_optional(&mut self, parts: &[&UsagePart], chosen: usize, at: usize) {
        let mut rest = parts.to_vec();
        match rest.remove(chosen) {
            UsagePart::Flag(literal, param) => {
                self.fit.arguments[*param] = Some(Argument::Value(1));
                self.fit_word(literal, &rest, at);
                self.fit.arguments[*param] = None;
            }
            part @ UsagePart::Optional(inner) => {
                // Parts that were passed over and take the same type of value must not be filled
                // from words further right.
                if !self.is_begun(part, at)
                    && let Some(ty) = first_param(part).map(|p| self.params[p].ty)
                {
                    let mut index = 0;
                    rest.retain(|other| {
                        index += 1;
                        index > chosen || first_param(other).is_none_or(|p| self.params[p].ty != ty)
                    });
                }
                let inner: Vec<&UsagePart> = inner.iter().collect();
                self.fit(&[inner, rest].concat(), at);
            }
            UsagePart::Word(_) | UsagePart::Fill(..) => {}
        }
    }

    /// Fits a word of the usage, then the rest.
    fn fit_word(&mut self, literal: &str, rest: &[&UsagePart], at: usize) {
        if let Some(sense) = self.sense(at, literal) {
            self.fit.senses.push(sense);
            self.fit(rest, at + 1);
            self.fit.senses.pop();
        }
    }

    /// Fits the first part, which is required, then the rest. If no parts are left, all words must
    /// have been used.
    fn fit_first(&mut self, parts: &[&UsagePart], at: usize) {
        let Some((part, rest)) = parts.split_first() else {
            return if at < self.words.len() { self.record_excess(at) } else { self.keep_fit() };
        };
        match part {
            UsagePart::Word(literal) => {
                self.fit_word(literal, rest, at);
                // A literal word may be left out. If it comes later in the line, the words before
                // it are wrong.
                let further = self.stands_after(at, literal);
                if further {
                    self.record_excess(at);
                    // A text would take all of these words.
                    if self.is_text(rest.first()) {
                        return;
                    }
                }
                self.fit.left_out += 1;
                self.astray += usize::from(further);
                self.fit(rest, at);
                self.astray -= usize::from(further);
                self.fit.left_out -= 1;
            }
            UsagePart::Fill(param, many) => self.fit_values(*param, *many, rest, at),
            UsagePart::Flag(..) | UsagePart::Optional(_) => self.fit(parts, at),
        }
    }

    /// Returns true if a part of the usage is a text.
    fn is_text(&self, part: Option<&&UsagePart>) -> bool {
        matches!(part, Some(UsagePart::Fill(param, _)) if self.params[*param].ty == Type::Text)
    }

    /// Returns the indices of the words at which a text that begins at index `at` may end, in the order
    /// in which they are tried. A text takes the rest of the line, or everything up to the literal word
    /// that follows it in the usage. If that word begins an optional part, it may also belong to the
    /// text. Returns an empty list if the parameter isn't a text, or if the text is quoted.
    fn ends_of_text(&self, wanted: &Param, rest: &[&UsagePart], at: usize) -> Vec<usize> {
        let words = self.words;
        if wanted.ty != Type::Text || words.get(at).is_some_and(|first| first.quoted) {
            return Vec::new();
        }
        let last_of = |literal: &str| {
            let last = words.iter().rposition(|w| w.text.eq_ignore_ascii_case(literal));
            last.filter(|&last| last > at)
        };
        match rest.first() {
            None => vec![words.len()],
            Some(UsagePart::Word(literal)) => {
                last_of(literal).filter(|&last| last > at + 1).into_iter().collect()
            }
            Some(UsagePart::Optional(parts)) => {
                let end = match parts.first() {
                    Some(UsagePart::Word(literal)) => last_of(literal),
                    _ => None,
                };
                end.into_iter().chain([words.len()]).collect()
            }
            Some(UsagePart::Fill(..) | UsagePart::Flag(..)) => Vec::new(),
        }
    }

    /// Fits a word to a parameter, then the rest. If `many` is true, fits one or more words, and
    /// tries the largest number of words first.
    fn fit_values(&mut self, param: usize, many: bool, rest: &[&UsagePart], at: usize) {
        let reading = self.reading;
        let words = self.words;
        let wanted = self.params[param].clone();
        let Some(first) = words.get(at) else {
            let message = format!("`{}` is missing", wanted.name);
            return self.record_mismatch(at, LineError::new(None, message));
        };
        let before = self.fit.senses.len();
        for end in self.ends_of_text(&wanted, rest, at) {
            let kept = self.found.len();
            let last = words[at..end].last().map_or(first.end, |w| w.end);
            let text = reading.line.get(first.start..last).unwrap_or(&first.text).to_owned();
            self.fit.arguments[param] = Some(Argument::Text(text));
            self.fit.senses.extend(words[at..end].iter().map(|w| WordSense {
                text: w.text.clone(),
                literal: false,
                whole: true,
            }));
            self.fit(rest, end);
            self.fit.senses.truncate(before);
            self.fit.arguments[param] = None;
            // If the optional part after the text doesn't fit, its words belong to the text.
            if self.found.len() > kept || end == words.len() || !is_optional_next(rest) {
                return;
            }
        }
        // The value read at each word. For a list, each value also includes the members read from
        // the earlier words.
        let mut values: Vec<Argument> = Vec::new();
        for (i, word) in words.iter().enumerate().skip(at) {
            let own = reading.complete_to_own_piece(self.rule, param, word);
            let mut value = match reading.argument(&wanted, own.as_ref().unwrap_or(word)) {
                Ok(value) => value,
                Err(error) => {
                    // A word that begins with a digit is more likely to be a wrong number than a
                    // wrong name.
                    let number = matches!(wanted.ty, Type::Whole | Type::Number);
                    if number && word.text.starts_with(|c: char| c.is_ascii_digit()) {
                        self.worst = self.worst.take().filter(|worst| worst.at > i + 1);
                    }
                    self.record_mismatch(i, error);
                    break;
                }
            };
            let sense = reading.sense(wanted.ty, word, &value);
            if let (Argument::Members(found), Some(Argument::Members(earlier))) =
                (&mut value, values.last())
            {
                if !may_repeat(wanted.ty) && earlier.iter().any(|m| found.contains(m)) {
                    let message = format!("`{}` appears twice in `{}`", word.text, wanted.name);
                    self.record_mismatch(i, LineError::new(Some(word), message));
                    break;
                }
                found.splice(0..0, earlier.iter().copied());
            }
            self.fit.senses.push(sense);
            values.push(value);
            if !many {
                break;
            }
        }
        let at_end = many && at + values.len() == words.len();
        if let Some(Argument::Members(members)) = values.last().filter(|_| at_end) {
            let members = members.clone();
            self.add_call(rest, Some((param, members)));
        }
        while let Some(value) = values.pop() {
            self.fit.arguments[param] = Some(value);
            self.fit(rest, at + values.len() + 1);
            self.fit.senses.truncate(before + values.len());
        }
        self.fit.arguments[param] = None;
        if let Some(to) = self.offers.as_deref_mut().filter(|_| at_end) {
            reading.offer_values(&wanted, false, to);
        }
    }

    /// Adds the rule call that the line means so far. The parameters of these parts may still be
    /// filled. `begun` is a list that may continue: its parameter, and the members typed so far.
    fn add_call(&mut self, parts: &[&UsagePart], begun: Option<(usize, Vec<u32>)>) {
        let Some(to) = self.offers.as_deref_mut() else { return };
        let rule = self.fit.rule;
        let given = &self.fit.arguments;
        to.add_call(|| {
            let mut awaited = vec![false; given.len()];
            parts.iter().for_each(|part| mark_params(part, &mut awaited));
            let mut arguments: Vec<PartialArgument> = given
                .iter()
                .zip(&awaited)
                .map(|(given, awaited)| match given {
                    Some(given) => PartialArgument::Given(given.clone()),
                    None if *awaited => PartialArgument::Awaited,
                    None => PartialArgument::LeftOut,
                })
                .collect();
            if let Some((param, members)) = begun {
                arguments[param] = PartialArgument::Begun(members);
            }
            PartialCall { rule, arguments }
        });
    }

    /// Offers these parts as the rest of the usage.
    fn offer_rest(&mut self, parts: &[&UsagePart]) {
        if self.offers.as_ref().is_some_and(|to| to.wants_meanings()) {
            return;
        }
        let rest = written_parts(parts.iter().copied(), &self.params);
        let rank = self.fit.rank();
        if let Some(to) = self.offers.as_deref_mut() {
            to.offer_rest(rank, rest);
        }
    }

    /// Offers the words that can come first in these parts of a usage.
    fn offer(&mut self, parts: &[&UsagePart], far: bool) {
        if self.offers.as_ref().is_some_and(|to| to.wants_meanings()) {
            return;
        }
        let (Some((part, rest)), Some(to)) = (parts.split_first(), self.offers.as_deref_mut())
        else {
            return;
        };
        match part {
            UsagePart::Word(literal) => {
                to.add(literal, far);
                self.offer(rest, true);
            }
            UsagePart::Flag(literal, _) => {
                to.add(literal, far);
                self.offer(rest, far);
            }
            UsagePart::Optional(inner) => {
                self.offer(&inner.iter().collect::<Vec<_>>(), far);
                self.offer(rest, far);
            }
            UsagePart::Fill(param, _) => {
                let wanted = &self.params[*param];
                if let (Type::Piece(kind), true) =
                    (wanted.ty.member_or_self(), self.rule.acting_piece() == Some(*param))
                {
                    self.reading
                        .pieces_of_side_to_move(kind)
                        .iter()
                        .for_each(|name| to.add(name, far));
                }
                self.reading.offer_values(wanted, far, to);
            }
        }
    }

    /// Returns the meaning of the word at index `at` if that word is `literal` or an abbreviation
    /// of `literal`.
    fn sense(&self, at: usize, literal: &str) -> Option<WordSense> {
        let word = self.words.get(at).filter(|w| !w.quoted)?;
        let whole = word.text.eq_ignore_ascii_case(literal);
        let shortens = self.shortens.get(at) == Some(&true);
        let head = literal.get(..word.text.len()).filter(|_| shortens);
        if whole || head.is_some_and(|head| head.eq_ignore_ascii_case(&word.text)) {
            Some(WordSense { text: literal.to_owned(), literal: true, whole })
        } else {
            None
        }
    }

    /// Returns true if a word of the usage appears in full after index `at`, but not at that index.
    fn stands_after(&self, at: usize, literal: &str) -> bool {
        let is = |word: &Token| !word.quoted && word.text.eq_ignore_ascii_case(literal);
        let mut words = self.words.iter().skip(at);
        words.next().is_some_and(|first| !is(first)) && words.any(is)
    }

    /// Returns true if a part begins with the word at index `at`.
    fn is_begun(&self, part: &UsagePart, at: usize) -> bool {
        match part {
            UsagePart::Flag(literal, _) | UsagePart::Word(literal) => {
                self.sense(at, literal).is_some()
            }
            UsagePart::Optional(inner) => inner.first().is_some_and(|p| self.is_begun(p, at)),
            UsagePart::Fill(..) => false,
        }
    }

    /// Adds the current reading, which is complete. If two readings have the same meaning, only the
    /// better one is saved.
    fn keep_fit(&mut self) {
        match self.found.iter_mut().find(|other| other.arguments == self.fit.arguments) {
            None => self.found.push(self.fit.clone()),
            Some(other) if self.fit.rank() < other.rank() => *other = self.fit.clone(),
            Some(_) => {}
        }
    }

    /// Records the mismatch that the usage has no part for the word at index `at`.
    fn record_excess(&mut self, at: usize) {
        let word = &self.words[at];
        let message = format!("`{}` does not fit here", word.text);
        self.record_mismatch(at, LineError::new(Some(word), message));
    }

    /// Records a mismatch at index `at` if it is the furthest into the line so far.
    fn record_mismatch(&mut self, at: usize, error: LineError) {
        // If a literal word was skipped, the mismatch where it was skipped is more helpful.
        let at = if self.astray > 0 { 0 } else { at + 1 };
        if self.worst.as_ref().is_none_or(|w| at > w.at) {
            self.worst = Some(UsageMismatch { at, error });
        }
    }
}

/// Returns true if the next part of a usage is optional.
fn is_optional_next(parts: &[&UsagePart]) -> bool {
    parts.first().is_some_and(|part| is_optional(part))
}

/// Collects the literal words of a usage.
pub(super) fn collect_literal_words<'u>(parts: &'u [UsagePart], found: &mut Vec<&'u str>) {
    for part in parts {
        match part {
            UsagePart::Word(literal) | UsagePart::Flag(literal, _) => found.push(literal),
            UsagePart::Optional(inner) => collect_literal_words(inner, found),
            UsagePart::Fill(..) => {}
        }
    }
}

/// Returns the text of these parts of a usage, without the types of the parameters.
fn written_parts<'u>(parts: impl Iterator<Item = &'u UsagePart>, params: &[Param]) -> String {
    let words = parts.map(|part| match part {
        UsagePart::Word(literal) => literal.clone(),
        UsagePart::Fill(param, many) => {
            let more = if *many { "+" } else { "" };
            format!("<{}{more}>", params[*param].name)
        }
        UsagePart::Optional(inner) => format!("[{}]", written_parts(inner.iter(), params)),
        UsagePart::Flag(literal, _) => format!("[{literal}]"),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The maximum number of optional parts that are listed for a line.
const MAX_OPTIONS: usize = 4;

/// Returns the optional parts of its usage that an accepted line doesn't have, as they are typed:
/// `edge BONUS`. There are none for a line that can't be read.
pub(crate) fn options_left(referee: &Referee, table: &Tabletop, line: &str) -> Vec<String> {
    let Ok(Some(command)) = super::parse(referee, table, line) else { return Vec::new() };
    let Action::Rule { rule, .. } = command.action else { return Vec::new() };
    let rule = &referee.ruleset().schema.rules[rule.index()];
    let Some(usage) = &rule.usage else { return Vec::new() };
    let typed: Vec<&str> = line.split(' ').collect();
    let is_typed = |word: &str| typed.iter().any(|other| other.eq_ignore_ascii_case(word));
    let written = |part: &UsagePart| match part {
        UsagePart::Word(word) => word.clone(),
        UsagePart::Fill(index, _) => values_or_name(referee, &rule.params[*index]),
        UsagePart::Optional(_) | UsagePart::Flag(..) => String::new(),
    };
    let left = usage.parts.iter().filter_map(|part| match part {
        UsagePart::Flag(word, _) => (!is_typed(word)).then(|| word.clone()),
        UsagePart::Optional(parts) => {
            // Without a word of its own, the value alone doesn't show what it means.
            let has_word = matches!(parts.first(), Some(UsagePart::Word(word)) if !is_typed(word));
            let words: Vec<String> = parts.iter().map(written).filter(|w| !w.is_empty()).collect();
            has_word.then(|| words.join(" "))
        }
        UsagePart::Word(_) | UsagePart::Fill(..) => None,
    });
    left.take(MAX_OPTIONS).collect()
}

/// The maximum number of values that stand for a parameter.
const MAX_VALUES: usize = 6;

/// The maximum difference between the limits of a number that stand for it.
const MAX_SPAN: i64 = 100;

/// Returns the values that a parameter can have, such as `road|open|inside`, or its name in capitals if
/// there are too many of them.
fn values_or_name(referee: &Referee, param: &Param) -> String {
    let schema = &referee.ruleset().schema;
    match (param.ty, param.bounds) {
        (Type::Word(set), _) if schema.word_set(set).values.len() <= MAX_VALUES => {
            schema.word_set(set).values.join("|")
        }
        (Type::Whole, Some((low, high))) if high - low < MAX_SPAN => format!("{low}..{high}"),
        _ => param.name.to_uppercase(),
    }
}

/// An optional part of a usage that could be added to the end of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AddablePart {
    /// The part as it is typed, such as `rapid`, `seen chest` or `take-cover`.
    pub written: String,
    /// The part as people say it, in lower case and without hyphens. It may lack the word in front
    /// of a value: `chest`.
    pub spoken: String,
}

/// Returns the flags and the optional words that a readable line doesn't have yet, each in the forms
/// in which people say it. There are none for a line that can't be read.
pub(crate) fn addable_parts(referee: &Referee, table: &Tabletop, line: &str) -> Vec<AddablePart> {
    let Ok(Some(command)) = super::parse(referee, table, line) else { return Vec::new() };
    let Action::Rule { rule, arguments, .. } = command.action else { return Vec::new() };
    let schema = &referee.ruleset().schema;
    let rule = &schema.rules[rule.index()];
    let typed: Vec<&str> = line.split(' ').collect();
    let is_typed = |word: &str| typed.iter().any(|other| other.eq_ignore_ascii_case(word));
    let spoken = |written: &str| written.to_lowercase().replace('-', " ");
    let part = |written: &str| AddablePart { written: written.to_owned(), spoken: spoken(written) };
    let values = |index: usize| match rule.params[index].ty {
        Type::Word(set) if arguments[index].is_none() => schema.word_set(set).values.as_slice(),
        _ => &[],
    };
    let mut found = Vec::new();
    for optional in rule.usage.iter().flat_map(|usage| &usage.parts) {
        match optional {
            UsagePart::Flag(word, _) if !is_typed(word) => found.push(part(word)),
            UsagePart::Optional(parts) => match parts.as_slice() {
                [UsagePart::Fill(index, false)] => {
                    found.extend(values(*index).iter().map(|value| part(value)));
                }
                [UsagePart::Word(word), UsagePart::Fill(index, false)] => {
                    for value in values(*index) {
                        let written = format!("{word} {value}");
                        found.push(AddablePart { spoken: spoken(value), ..part(&written) });
                        found.push(part(&written));
                    }
                }
                _ => {}
            },
            UsagePart::Word(_) | UsagePart::Fill(..) | UsagePart::Flag(..) => {}
        }
    }
    found
}

/// Returns the name of the optional number with which a readable line could state how many things it
/// uses, but doesn't: a number from 1 on whose name is a plural, such as `shots`.
pub(crate) fn count_left_out(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let Ok(Some(command)) = super::parse(referee, table, line) else { return None };
    let Action::Rule { rule, arguments, .. } = command.action else { return None };
    let rule = &referee.ruleset().schema.rules[rule.index()];
    let is_count = |param: &Param| {
        let begins_at_one = matches!(param.bounds, Some((1, most)) if most > 1);
        param.optional && param.ty == Type::Whole && begins_at_one && param.name.ends_with('s')
    };
    let mut left = rule.params.iter().zip(&arguments).filter(|(_, given)| given.is_none());
    left.find(|(param, _)| is_count(param)).map(|(param, _)| param.name.clone())
}

/// Returns the usage of a rule. If it has none, returns its name, its parameters and the pieces
/// that its sweep can be narrowed to.
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
