//! Orders verbs by the likelihood that a typed line is about them, judged by the words and the pieces
//! that it shares with the texts and the parameters of their rules. Nothing is tried on the table.

use std::collections::BTreeSet;

use super::play::Play;
use super::question_words::stem;
use super::questions::names_of_pieces;
use crate::command::{self, TypedLine};
use crate::language::rule::RuleText;
use crate::language::schema::{KindId, Type};

/// The number of points for a verb that a line mentions.
const POINTS_OF_VERB: u32 = 100;

/// The number of points for a verb with a usage that takes all the kinds of pieces that were typed.
const POINTS_OF_KINDS: u32 = 8;

/// The minimum number of letters in a word that is compared with the description of a rule. The
/// shorter words of a phrase, such as `off`, matter too.
const MIN_LETTERS: usize = 4;

/// Words that are in many phrases and distinguish no verbs.
const LITTLE: [&str; 14] =
    ["a", "an", "the", "to", "at", "of", "and", "with", "by", "in", "on", "for", "is", "it"];

/// A verb, and the stems of the words in its texts.
struct VerbTexts<'p> {
    verb: &'p str,
    /// From its names, the titles and the words of its usages.
    heading: BTreeSet<String>,
    /// From the descriptions of its rules.
    description: BTreeSet<String>,
}

impl<'p> VerbTexts<'p> {
    fn new(play: &Play, verb: &'p str) -> VerbTexts<'p> {
        let mut heading = BTreeSet::from([stem(verb).to_owned()]);
        let mut description = BTreeSet::new();
        for rule in rules_of(play, verb) {
            let phrases = rule.also.iter().map(|(phrase, _)| phrase.as_str());
            let texts = phrases.chain([rule.title.as_str()]);
            heading.extend(texts.flat_map(words_in).map(|word| stem(&word).to_owned()));
            let said =
                [&rule.reads, &rule.note, &rule.cite].into_iter().flat_map(|text| words_in(text));
            let said = said.filter(|word| word.chars().count() >= MIN_LETTERS);
            description.extend(said.map(|word| stem(&word).to_owned()));
        }
        let literals = command::words_of_usages(play.referee(), verb);
        heading.extend(literals.iter().flat_map(|word| words_in(word)));
        VerbTexts { verb, heading, description }
    }

    fn has(&self, stem: &str) -> bool {
        self.heading.contains(stem) || self.description.contains(stem)
    }
}

/// Returns the words of a text in lower case.
fn words_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Returns the rules with a usage that a verb can call.
pub(super) fn rules_of<'p>(play: &'p Play, verb: &str) -> impl Iterator<Item = &'p RuleText> {
    let ruleset = play.referee().ruleset();
    let rules = ruleset.rules_for_verb(verb).to_vec();
    rules.into_iter().map(|id| &ruleset.schema.rules[id.index()]).filter(|r| r.usage.is_some())
}

/// Returns verbs with points for how likely a typed line is about them, those with the most points
/// first. Verbs with equal points stay in order. A word counts for more if fewer of these verbs have
/// it.
pub(super) fn by_relevance<'p>(
    play: &'p Play,
    verbs: impl Iterator<Item = &'p str>,
    typed: &TypedLine<'_>,
    words: &[String],
) -> Vec<(&'p str, u32)> {
    let table = play.session.table();
    let named = command::verbs_in(play.referee(), table, typed.line);
    let verbs: Vec<VerbTexts<'_>> = verbs.map(|verb| VerbTexts::new(play, verb)).collect();
    let pieces = names_of_pieces(play, words);
    let kinds: BTreeSet<KindId> =
        pieces.iter().filter_map(|name| table.find(name)).map(|(kind, _)| kind).collect();
    let is_subject = |word: &&String| {
        word.starts_with(char::is_alphabetic)
            && !LITTLE.contains(&word.as_str())
            && command::find_spoken(table, word).is_none()
    };
    let asked: BTreeSet<&str> = words.iter().filter(is_subject).map(|word| stem(word)).collect();
    let weighed: Vec<(&str, u32)> = asked
        .into_iter()
        .filter_map(|word| {
            let count = verbs.iter().filter(|verb| verb.has(word)).count();
            let rarity = verbs.len().checked_div(count)?.checked_ilog2()?;
            Some((word, rarity + 1))
        })
        .collect();
    let points = |verb: &VerbTexts<'_>| {
        let is_named = named.iter().any(|one| one == verb.verb);
        let takes_all = |rule: &RuleText| {
            let takes = |kind: &KindId| {
                rule.params.iter().any(|p| p.ty.member_or_self() == Type::Piece(*kind))
            };
            kinds.iter().all(takes)
        };
        let fits = kinds.len() > 1 && rules_of(play, verb.verb).any(takes_all);
        let of_words = weighed.iter().map(|&(word, weight)| {
            if verb.heading.contains(word) {
                4 * weight
            } else {
                u32::from(verb.description.contains(word)) * weight
            }
        });
        u32::from(is_named) * POINTS_OF_VERB
            + u32::from(fits) * POINTS_OF_KINDS
            + of_words.sum::<u32>()
    };
    let mut ordered: Vec<(&str, u32)> =
        verbs.iter().map(|verb| (verb.verb, points(verb))).collect();
    ordered.sort_by_key(|entry| std::cmp::Reverse(entry.1));
    ordered
}
