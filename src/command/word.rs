//! A word of the console as data, and the verb a line begins with.

use super::complete::Candidates;
use super::value::short;
use super::{LineError, Reading, Token};
use crate::language::schema::RuleId;
use crate::names::{self, Match};
use crate::ruleset::Ruleset;

/// Offers what can follow a word, given the words that stand behind it already.
pub(crate) type Complete = fn(&Reading<'_>, &[Token], &mut Candidates);

/// A word of the console, with everything there is to know about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<R> {
    /// The word in full.
    pub name: &'static str,
    /// Other spellings, such as its first letter.
    pub short: &'static [&'static str],
    /// Its usage.
    pub usage: &'static str,
    /// Its help, in one line.
    pub help: &'static str,
    /// Examples and remarks, a line each.
    pub sample: &'static [&'static str],
    /// True if a verb of the game with the same name goes first.
    pub yields: bool,
    /// Offers the words that can follow it.
    pub complete: Complete,
    /// Carries it out.
    pub run: R,
}

impl<R> Word<R> {
    /// Returns a word with nothing but what carries it out, as a base for the others.
    pub(crate) const fn of(run: R) -> Word<R> {
        Word {
            name: "",
            short: &[],
            usage: "",
            help: "",
            sample: &[],
            yields: false,
            complete: |_, _, _| {},
            run,
        }
    }

    /// Returns the same word carried out in another way.
    pub(crate) const fn run_by<S>(&self, run: S) -> Word<S> {
        Word {
            name: self.name,
            short: self.short,
            usage: self.usage,
            help: self.help,
            sample: self.sample,
            yields: self.yields,
            complete: self.complete,
            run,
        }
    }

    /// Returns true if the text is the word or one of its other spellings.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.name == text || self.short.contains(&text)
    }
}

/// The first word of a line.
pub(crate) enum Verb<'w, R> {
    /// A word of the console.
    Word(&'w Word<R>),
    /// A verb of the game, and its rules.
    Rules(Vec<RuleId>),
}

/// Finds the verb that a line begins with, in full or as an unambiguous beginning.
pub(crate) fn verb<'w, R>(
    ruleset: &Ruleset,
    words: &'w [Word<R>],
    token: &Token,
) -> Result<Verb<'w, R>, LineError> {
    let text = token.text.to_lowercase();
    let exact = |name: &str| {
        let rules = ruleset.rules_of(name);
        match words.iter().find(|w| w.is(name) && (rules.is_empty() || !w.yields)) {
            Some(word) => Some(Verb::Word(word)),
            None => (!rules.is_empty()).then_some(Verb::Rules(rules)),
        }
    };
    if let Some(verb) = exact(&text) {
        return Ok(verb);
    }
    let all = words.iter().map(|w| w.name).chain(ruleset.verbs());
    let matched = match names::find(&text, all) {
        // A rule's bare name gives way to what umpires are meant to type.
        Match::Several(begun) => {
            let mut typed = begun.iter().filter(|name| {
                words.iter().any(|w| w.is(name))
                    || ruleset
                        .schema
                        .rules
                        .iter()
                        .any(|r| r.usage.as_ref().is_some_and(|u| u.verb == **name))
            });
            match (typed.next(), typed.next()) {
                (Some(one), None) => Match::Beginning(one),
                _ => Match::Several(begun),
            }
        }
        matched => matched,
    };
    if let Some(verb) = matched.one().and_then(exact) {
        return Ok(verb);
    }
    let shown = short(&token.text);
    let answers = matches!(text.as_str(), "yes" | "y" | "no")
        || text.bytes().all(|b| b.is_ascii_digit() || b == b',');
    if answers && matches!(matched, Match::None(_)) {
        let message = format!("`{shown}` answers nothing: nothing is being asked now");
        let help = "`next` goes on, `help` lists what can be typed";
        return Err(LineError::new(Some(token), message).help(help));
    }
    let message = format!("there is no command `{shown}`");
    let listing = Some("`help` lists what there is".to_owned());
    Err(LineError::unmatched(token, &matched, message, listing))
}
