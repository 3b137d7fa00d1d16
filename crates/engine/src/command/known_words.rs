//! Analyses the words of an unreadable line: finds the verbs that it may mean, and the words that
//! aren't understood.

use super::restate::{
    ARTICLES, UNITS, base_forms, is_number, is_one_of, literal_words, number_of_word,
};
use super::{Reading, Token, TypedLine, everyday_verbs, nearest, spoken_names};
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::{RuleId, Type};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// Common English words, which are never reported as unknown.
pub(super) const COMMON: [&str; 104] = [
    "oh", "ah", "ok", "okay", "well", "please", "right", "about", "after", "again", "all", "also",
    "am", "and", "any", "are", "as", "at", "away", "back", "be", "been", "before", "both", "but",
    "by", "can", "can't", "could", "did", "do", "does", "down", "each", "for", "from", "gets",
    "go", "goes", "got", "had", "has", "have", "he", "he's", "him", "his", "how", "i", "if", "in",
    "into", "is", "it", "it's", "just", "many", "me", "more", "much", "my", "no", "not", "now",
    "of", "off", "on", "one", "onto", "or", "our", "out", "over", "own", "same", "she", "so",
    "some", "still", "that", "that's", "them", "then", "there", "they", "this", "to", "too", "up",
    "us", "was", "we", "were", "what", "when", "where", "which", "who", "will", "with", "would",
    "yes", "you", "your",
];

/// Returns true if a word is a common English word.
pub(crate) fn is_common_word(word: &str) -> bool {
    is_one_of(word, &COMMON)
}

/// Words that show where someone is going.
const DIRECTIONS: [&str; 20] = [
    "to", "into", "onto", "towards", "toward", "behind", "past", "round", "around", "along",
    "across", "through", "forward", "forwards", "back", "up", "over", "beside", "near", "out",
];

/// Words that show that someone leaves something.
const LEAVING: [&str; 2] = ["out", "off"];

/// Returns true if one of these words directly follows the name of a piece.
fn follows_piece(table: &Tabletop, words: &[Token], known: &[&str]) -> bool {
    let follows =
        |pair: &[Token]| table.find(&pair[0].text).is_some() && is_one_of(&pair[1].text, known);
    words.windows(2).any(follows)
}

/// The everyday verb for going somewhere.
const MOVE: &str = "move";

/// Returns the verbs that a line may mean, by name or by an everyday word, in the order in which
/// the line mentions them.
pub(crate) fn verbs_in(referee: &Referee, table: &Tabletop, line: &str) -> Vec<String> {
    let (reading, words) = read(referee, table, line);
    let mut verbs: Vec<String> = Vec::new();
    let mut found: Vec<(String, usize)> = (0..words.len())
        .flat_map(|at| {
            let rest = &words[at..];
            if nearest::is_noun(&words, at) {
                reading.verbs_named(rest)
            } else {
                reading.verbs_at(rest)
            }
        })
        .collect();
    // A line that only states where someone is going means a move.
    let is_piece = |word: &Token| table.find(&word.text).is_some();
    let leaves = follows_piece(table, &words, &LEAVING);
    let goes = leaves || follows_piece(table, &words, &DIRECTIONS);
    let says_else =
        words.iter().any(|word| !is_piece(word) && begins_other_verb(referee, &word.text, MOVE));
    if found.is_empty() && !says_else && goes {
        let verb = |text: &str| Token { text: text.to_owned(), start: 0, end: 0, quoted: false };
        // `out of` something and `off` something mean another verb, if the game has one.
        if leaves {
            found = reading.verbs_much_like(&[verb("get"), verb("out")]);
        }
        if found.is_empty() {
            found = reading.verbs_much_like(&[verb(MOVE)]);
        }
    }
    for (verb, _) in found {
        if !verbs.contains(&verb) {
            verbs.push(verb);
        }
    }
    verbs
}

/// Returns the verbs that mean going somewhere, if a line states where some pieces go: `heavy1 to
/// b8`. Returns none for any other line.
pub(crate) fn moving_verbs(referee: &Referee, table: &Tabletop, line: &str) -> Vec<String> {
    let (reading, words) = read(referee, table, line);
    let goes = follows_piece(table, &words, &DIRECTIONS);
    if !goes || follows_piece(table, &words, &LEAVING) {
        return Vec::new();
    }
    let like = [MOVE, "drive"].into_iter().flat_map(|text| {
        let word = Token { text: text.to_owned(), start: 0, end: 0, quoted: false };
        reading.verbs_much_like(&[word])
    });
    like.map(|(verb, _)| verb).collect()
}

/// Returns the byte offset of the first verb of a line; `None` if the line has no verb or begins
/// with one.
pub(crate) fn verb_at(referee: &Referee, table: &Tabletop, line: &str) -> Option<usize> {
    let (reading, words) = read(referee, table, line);
    let is_verb =
        |at: &usize| !nearest::is_noun(&words, *at) && !reading.verbs_at(&words[*at..]).is_empty();
    let at = (0..words.len()).find(is_verb)?;
    (at > 0).then(|| words[at].start)
}

/// Returns the words of a line that aren't names, numbers, verbs, other words of the rules, or
/// common English words, each with its range in bytes.
pub(crate) fn unknown_words(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Vec<(String, (usize, usize))> {
    let (reading, words) = read(referee, table, line);
    let mut unknown = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let start = at;
        let verbs = reading.verbs_at(&words[at..]);
        let of_phrase = verbs.iter().map(|(_, taken)| *taken).max();
        let of_act = everyday_verbs::acts_at(&words[at..]).iter().map(|act| act.1).max();
        at += of_phrase.max(of_act).unwrap_or(1).max(1);
        let is_known = of_phrase.is_some()
            || of_act.is_some()
            || is_number(word)
            || number_of_word(word).is_some()
            || is_one_of(&word.text, &COMMON)
            || is_one_of(&word.text, &ARTICLES)
            || is_one_of(&word.text, &UNITS)
            || is_one_of(&word.text, &DIRECTIONS)
            || !word.text.contains(char::is_alphabetic)
            || reading.group_at(&words[start..]).is_some()
            || super::restate::base_forms(&word.text.to_lowercase())
                .iter()
                .any(|form| reading.is_word_of_rules(form) || reading.is_kind(form))
            || !spoken_names::names_in(referee, table, &word.text).is_empty();
        if !is_known {
            unknown.push((word.text.clone(), (word.start, word.end)));
        }
    }
    unknown
}

/// Returns true if a word begins a phrase for another verb, but no phrase for this verb.
pub(crate) fn begins_other_verb(referee: &Referee, word: &str, verb: &str) -> bool {
    let ruleset = referee.ruleset();
    let forms = super::restate::base_forms(word);
    let named = ruleset.verbs().map(|of| (of, of)).chain(ruleset.synonyms());
    let begun = named.filter(|(phrase, of)| {
        let first = phrase.split(' ').next().unwrap_or_default();
        ruleset.is_typed_verb(of) && forms.iter().any(|form| form == first)
    });
    let verbs: Vec<&str> = begun.map(|(_, of)| of).collect();
    !verbs.is_empty() && !verbs.contains(&verb)
}

/// Returns true if a word is a literal word in the usage of any verb.
pub(crate) fn is_usage_word(referee: &Referee, word: &str) -> bool {
    let rules: Vec<&RuleText> = referee.ruleset().schema.rules.iter().collect();
    is_one_of(word, &literal_words(&rules))
}

/// Returns the words of a line that are a phrase for this verb, in lower case.
pub(crate) fn words_for_verb(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    verb: &str,
) -> Vec<String> {
    let (reading, words) = read(referee, table, line);
    let is_meant = |(other, _): &(String, usize)| other == verb;
    let taken = |at: usize| reading.verbs_at(&words[at..]).into_iter().find(is_meant);
    let found = (0..words.len()).find_map(|at| taken(at).map(|(_, count)| at..at + count));
    let words = &words[found.unwrap_or_default()];
    words.iter().map(|word| word.text.to_lowercase()).collect()
}

/// Returns those of some words that are flags of this verb, begin its optional parts, or are values that
/// its parameters can have. The words of a flag or value with hyphens count only together.
pub(crate) fn options_of_verb<'w>(
    referee: &Referee,
    verb: &str,
    words: &'w [String],
) -> Vec<&'w str> {
    let schema = &referee.ruleset().schema;
    let mut options: Vec<&str> = Vec::new();
    for id in referee.ruleset().rules_for_verb(verb) {
        let rule = &schema.rules[id.index()];
        for part in rule.usage.iter().flat_map(|usage| &usage.parts) {
            match part {
                UsagePart::Flag(flag, _) => options.push(flag),
                UsagePart::Optional(parts) => {
                    if let Some(UsagePart::Word(first)) = parts.first() {
                        options.push(first);
                    }
                }
                UsagePart::Word(_) | UsagePart::Fill(..) => {}
            }
        }
        for param in &rule.params {
            if let Type::Word(set) = param.ty.member_or_self() {
                options.extend(schema.word_set(set).values.iter().map(String::as_str));
            }
        }
    }
    let is_said = |part: &str| words.iter().any(|word| word.eq_ignore_ascii_case(part));
    options.retain(|option| option.split('-').all(is_said));
    let is_option = |word: &&str| {
        let mut parts = options.iter().flat_map(|option| option.split('-'));
        parts.any(|part| part.eq_ignore_ascii_case(word))
    };
    words.iter().map(String::as_str).filter(is_option).collect()
}

/// Returns true if a word is the third person or the past tense of a verb of the game other than this
/// one, such as `leaves` if the verb is `fire`.
pub(crate) fn is_form_of_other_verb(referee: &Referee, word: &str, verb: &str) -> bool {
    let ruleset = referee.ruleset();
    let is_other = |form: &String| form != word && form != verb && ruleset.is_typed_verb(form);
    base_forms(word).iter().any(is_other)
}

/// Returns true if a word occurs in some usages of a verb but not in all of them, such as `port` if
/// one usage has it and another has `starboard`.
pub(crate) fn is_alternative(referee: &Referee, verb: &str, word: &str) -> bool {
    let ruleset = referee.ruleset();
    let rules = ruleset.rules_for_verb(verb);
    let has = |id: &&RuleId| is_one_of(word, &literal_words(&[&ruleset.schema.rules[id.index()]]));
    let count = rules.iter().filter(has).count();
    count > 0 && count < rules.len()
}

/// Returns true if a word is a value that a parameter of some rule can have: a word of a set, or a row
/// of a list.
pub(crate) fn is_parameter_value(referee: &Referee, word: &str) -> bool {
    let schema = &referee.ruleset().schema;
    let mut params = schema.rules.iter().flat_map(|rule| &rule.params);
    params.any(|param| match param.ty.member_or_self() {
        Type::Word(set) => {
            schema.word_set(set).values.iter().any(|value| value.eq_ignore_ascii_case(word))
        }
        Type::Piece(kind) => {
            schema.kind(kind).rows.iter().any(|row| row.name.eq_ignore_ascii_case(word))
        }
        _ => false,
    })
}

/// Returns the words that can be typed as they are in a verb's usages, apart from the verb.
pub(crate) fn words_of_usages<'r>(referee: &'r Referee, verb: &str) -> Vec<&'r str> {
    let ruleset = referee.ruleset();
    let rules = ruleset.rules_for_verb(verb);
    let rules: Vec<_> = rules.iter().map(|id| &ruleset.schema.rules[id.index()]).collect();
    literal_words(&rules)
}

/// Returns the names of the parameters of a verb's rules, each split at its hyphens.
pub(crate) fn parameter_names(referee: &Referee, verb: &str) -> Vec<String> {
    let ruleset = referee.ruleset();
    let rules = ruleset.rules_for_verb(verb);
    let rules = rules.iter().map(|id| &ruleset.schema.rules[id.index()]);
    let names = rules.flat_map(|rule| rule.params.iter().map(|param| param.name.as_str()));
    names.flat_map(|name| name.split('-').map(str::to_owned)).collect()
}

/// Returns true if a word is the name or the plural of a kind of piece, and the line names no piece of
/// that kind. Returns false for a word that is also in the title of the line's verb or in another
/// phrase for it, because such a word adds nothing to the verb.
pub(crate) fn is_kind_without_piece(
    referee: &Referee,
    table: &Tabletop,
    word: &str,
    line: &str,
) -> bool {
    let mut kinds = referee.ruleset().schema.piece_kinds();
    let named =
        kinds.find(|(_, kind)| is_one_of(word, &[kind.name.as_str(), kind.plural.as_str()]));
    let verb = line.split(' ').next().unwrap_or_default();
    let ruleset = referee.ruleset();
    let rules = ruleset.rules_for_verb(verb);
    let titles = rules.iter().map(|id| ruleset.schema.rules[id.index()].title.as_str());
    let phrases = ruleset.synonyms().filter(|(_, of)| *of == verb).map(|(phrase, _)| phrase);
    let mut texts = titles.chain(phrases).flat_map(|text| text.split(' '));
    let is_of_verb = texts.any(|known| known.eq_ignore_ascii_case(word));
    named.filter(|_| !is_of_verb).is_some_and(|(kind, _)| {
        line.split([' ', ',']).all(|part| table.find(part).is_none_or(|(of, _)| of != kind))
    })
}

/// Splits a line into words, and removes the punctuation marks that end them. Words that mean
/// pieces are replaced with the pieces' names, and the gerunds of verbs with their base forms. A
/// line that can't be split has no words.
fn read<'a>(referee: &'a Referee, table: &'a Tabletop, line: &'a str) -> (Reading<'a>, Vec<Token>) {
    let reading = Reading::new(referee, table, line);
    let mut words = TypedLine::read(line).map_or_else(|_| Vec::new(), |typed| typed.tokens);
    for word in words.iter_mut().filter(|word| !word.quoted) {
        let length = word.text.trim_end_matches(['?', '!', '.', ')']).len();
        if length > 0 {
            word.end -= word.text.len() - length;
            word.text.truncate(length);
        }
        reading.name_meant(word);
    }
    reading.replace_gerunds(&mut words);
    (reading, words)
}

impl Reading<'_> {
    /// Returns true if a word is the name of a kind.
    fn is_kind(&self, word: &str) -> bool {
        self.ruleset().schema.all_kinds().any(|(_, kind)| kind.name == word)
    }

    /// Returns the verbs that these words begin with, each with the number of words in its phrase.
    /// A verb may be given by its name, another word for it, or an everyday word. Returns no
    /// verbs if the first word names a piece.
    pub(super) fn verbs_at(&self, words: &[Token]) -> Vec<(String, usize)> {
        let is_piece = words.first().is_some_and(|word| self.table.find(&word.text).is_some());
        if is_piece {
            return Vec::new();
        }
        let mut verbs = self.verbs_named(words);
        verbs.extend(self.verbs_much_like(words));
        verbs
    }
}
